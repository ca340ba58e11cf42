"""Every action of the program in one table: menus, toolbar, keys and the help page are made from it.

Keys act as in the official window while the 3D view has the focus (scope VIEW); actions of scope WINDOW act anywhere. In text fields the
usual editing keys win. Those of scope TEXT act while the XML panel's text has the focus, whatever their keys mean elsewhere. `handler` names a method as controller.method; `argument` is passed on. A rebinding replaces `keys` (settings file).
"""
from dataclasses import dataclass
from types import MappingProxyType

from app.bridge.options import ADDED_FLAGS, FRAMES, LABELS, QUANTITY_FLAGS, RENDER_FLAGS, VIS_FLAGS
from app.speeds import SPEEDS, STEPS, speed_text, steps_text
from app.workspaces import WORKSPACES
from editor.structure.offered import ACTUATORS, BODIES

VIEW, WINDOW, TEXT = "view", "window", "text"
FLAG_ICONS = MappingProxyType({"contact_point": "contacts", "contact_force": "forces"})   # of flags in the toolbar
MENU_SPEEDS = (0.01, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


@dataclass(frozen=True, slots=True)
class Action:
    """One thing the user can ask for."""

    id: str
    text: str
    handler: str
    keys: tuple[str, ...] = ()
    scope: str = WINDOW
    menu: str = ""
    checkable: bool = False
    argument: object = None
    tip: str = ""
    icon: str = ""
    help: bool = True


def _simulation() -> tuple[Action, ...]:
    m = "&Simulation"
    return (
        Action("run", "Run / pause", "simulation.toggle_run", ("Space",), VIEW, m, checkable=True, icon="run", tip="Start or pause the simulation"),
        Action("step", "Step", "simulation.step_forward", ("Right",), VIEW, m, icon="step", tip="One step (or one entry forward in the history)"),
        Action("step_back", "Step back", "simulation.step_back", ("Left",), VIEW, m, icon="step_back", tip="One step back in the history"),
        Action("step_ten", "Ten steps", "simulation.step_forward", ("Shift+Right",), VIEW, m, argument=10),
        Action("step_back_ten", "Ten steps back", "simulation.step_back", ("Shift+Left",), VIEW, m, argument=10),
        Action("reset", "Reset", "simulation.reset", ("Backspace",), VIEW, m, icon="reset", tip="Back to the start state"),
        Action("loop", "Loop the history", "simulation.toggle_loop", (), WINDOW, m, checkable=True, icon="loop",
               tip="Show what was simulated again and again: the region of the timeline, else from the oldest state to the newest"),
        Action("play_forward", "Play recorded", "simulation.play_forward", ("Shift+Space",), VIEW, m, checkable=True, icon="play_forward",
               tip="Show what was simulated from this moment on, without simulating"),
        Action("play_backward", "Play backwards", "simulation.play_backward", ("Ctrl+Space",), VIEW, m, checkable=True, icon="play_backward",
               tip="Show what was simulated backwards"),
        Action("slower", "Slower", "simulation.change_speed", ("-",), VIEW, m, argument=-1),
        Action("faster", "Faster", "simulation.change_speed", ("=", "+"), VIEW, m, argument=1),
        Action("full_speed", "As fast as possible", "simulation.toggle_unlimited", ("Ctrl+=",), WINDOW, m, checkable=True),
        Action("start_companion", "Start a companion run", "companions.start", (), WINDOW, m, tip="Another run from this moment, with the same inputs and values of its own"),
        Action("stop_companions", "Stop all companion runs", "companions.stop_all", (), WINDOW, m),
        Action("toggle_before", "Before and after the last edit", "companions.toggle_before", ("Ctrl+Shift+B",), WINDOW, m,
               tip="The model of before the last edit beside the run, from this moment, as a ghost; once more hides it"),
        Action("other_engine", "Run the other engine beside", "companions.toggle_other_engine", ("F10",), WINDOW, m,
               tip="Soft beside hard, or hard beside soft, from this moment and with the same inputs, as a ghost; once more ends it"),
        Action("arm", "Arm teleoperation", "teleoperation.toggle", ("Ctrl+Shift+A",), WINDOW, m, checkable=True, tip="Have all drives of the panel Teleoperation follow their devices; Esc lets go"),
        Action("episode", "Start or end an episode", "demonstrations.toggle", ("Ctrl+Shift+E",), WINDOW, m, tip="Begin a demonstration with the present state, or end it as a success"),
        Action("policy", "Start or stop the policy", "policy.toggle", (), WINDOW, m, tip="Have the process that the panel Demonstrations names drive, or end it"),
        Action("take_over", "Take over from the policy", "policy.take_over", (), WINDOW, m, tip="A person drives, until Hand back to the policy"),
        Action("hand_back", "Hand back to the policy", "policy.hand_back", (), WINDOW, m, tip="The policy drives on, from where the targets are now"),
        Action("rewind_take_over", "Rewind and take over", "policy.rewind", ("Ctrl+Shift+R",), WINDOW, m, tip="Go some seconds back, as the panel Demonstrations says, and drive from there"),
        Action("copy_state", "Copy state as keyframe", "simulation.copy_state", ("Ctrl+C",), VIEW, m, tip="A <key> element on the clipboard"),
        Action("copy_state_full", "Copy state, 16 digits", "simulation.copy_state", ("Ctrl+Shift+C",), VIEW, m, argument=True),
        Action("save_keyframe", "Save pose as keyframe", "keyframes.save", ("Ctrl+K",), VIEW, m, tip="A keyframe of the window; its panel writes it into the text"),
        Action("reload_scripts", "Reload scripts", "scripts.reload", (), WINDOW, m, tip="Load the open scripts again, with all that they import from their folders"),
        Action("stop_scripts", "Stop scripts", "scripts.stop", (), WINDOW, m, tip="End what hangs in a script, and call none until they are reloaded"),
        Action("clear_controls", "Clear controls", "simulation.clear_controls", (), WINDOW, m),
        *(Action(f"speed_{factor:g}", speed_text(factor), "simulation.set_speed", (), WINDOW, m, checkable=True, argument=factor, help=False)
          for factor in SPEEDS if factor in MENU_SPEEDS),
        *(Action(f"steps_{steps}", steps_text(steps).capitalize(), "simulation.set_steps_per_picture", (), WINDOW, m, checkable=True, argument=steps, help=False,
                 tip="Slow motion locked to the pictures: no state goes by unseen") for steps in STEPS),
    )


def _timeline() -> tuple[Action, ...]:
    m = "&Simulation"
    return (
        Action("history_first", "Oldest moment", "timeline.go_to_oldest", ("Home",), VIEW, m, tip="The beginning of the history"),
        Action("history_last", "Newest moment", "timeline.go_to_newest", ("End",), VIEW, m, tip="The end of the history"),
        Action("add_bookmark", "Add bookmark", "timeline.add_bookmark", ("Ctrl+B",), WINDOW, m, icon="bookmark", tip="Mark this moment, with a small picture"),
        Action("next_bookmark", "Next bookmark", "timeline.go_to_bookmark_beside", ("Ctrl+Right",), VIEW, m, argument=1),
        Action("previous_bookmark", "Previous bookmark", "timeline.go_to_bookmark_beside", ("Ctrl+Left",), VIEW, m, argument=-1),
        Action("region_from", "Region from here", "timeline.begin_region", (), WINDOW, m, tip="The region of the timeline, which the loop plays, begins at this moment"),
        Action("region_to", "Region to here", "timeline.end_region", (), WINDOW, m, tip="The region of the timeline ends at this moment"),
        Action("clear_region", "Clear region", "timeline.clear_region", (), WINDOW, m, tip="The loop plays all of the history again"),
        Action("open_whole_run", "Older steps from the disk", "recordings.open_whole_run", (), WINDOW, m,
               tip="Opens all that the disk has of this run in its place: the steps too that are not in memory any more"),
        Action("fit_timeline", "Whole timeline", "timeline.fit", (), WINDOW, m, tip="The time axis shows all of the history"),
    )


def _file() -> tuple[Action, ...]:
    m = "&File"
    return (
        Action("new", "New model", "files.new", ("Ctrl+N",), WINDOW, m),
        Action("new_window", "New window", "program.new_window", ("Ctrl+Shift+N",), WINDOW, m, tip="Another window, with a model of its own"),
        Action("open", "Open...", "program.show_models", ("Ctrl+O",), WINDOW, m, icon="open"),
        Action("open_file", "Open file...", "files.open_dialog", (), WINDOW, m, tip="Any file, by the file dialog"),
        Action("open_in_new_window", "Open in new window...", "program.open_in_new_window", ("Ctrl+Shift+O",), WINDOW, m),
        Action("save", "Save", "files.save", ("Ctrl+S",), WINDOW, m),
        Action("save_as", "Save as...", "files.save_as", ("Ctrl+Shift+S",), WINDOW, m),
        Action("save_compiled", "Save compiled model...", "files.save_compiled", (), WINDOW, m, tip="The model that runs, with what was changed in the window, as .lwb"),
        Action("revert", "Revert to file", "files.revert", (), WINDOW, m),
        Action("reload", "Reload", "files.reload", ("Ctrl+L",), WINDOW, m, icon="reload", tip="Compile the files again and start afresh"),
        Action("apply", "Apply text", "files.apply", ("Ctrl+Return", "Ctrl+Enter"), WINDOW, m, tip="Have the edited text run now, keeping the state"),
        Action("open_recording", "Open recording...", "recordings.open_dialog", (), WINDOW, m, tip="Everything that happened in a run, from a file (.h5)"),
        Action("save_recording", "Save recording...", "recordings.save", (), WINDOW, m, tip="Everything that happened since the model was opened, as one file: states, inputs, branches, texts"),
        Action("export_demonstrations", "Export demonstrations...", "demonstrations.ask_export", (), WINDOW, m, tip="Episodes as a data set for learning: robomimic or LeRobot, with pictures of the cameras"),
        Action("open_left_recording", "Open what was not closed", "recordings.open_left", (), WINDOW, m, tip="The run of a window that ended unexpectedly"),
        Action("open_script", "Open script...", "scripts.open_dialog", (), WINDOW, m, tip="A Python file with functions that are called while the model runs"),
        Action("open_scripts", "Open folder of scripts...", "scripts.open_folder_dialog", (), WINDOW, m, tip="All Python files of a folder"),
        Action("screenshot", "Picture of the view...", "film.picture", ("Ctrl+P",), WINDOW, m, icon="photo", tip="A picture without panels, of any size, with or without background"),
        Action("record", "Record a film...", "film.record", ("Ctrl+R",), WINDOW, m, checkable=True, icon="record", tip="Record the simulation; again: stop"),
        Action("copy_camera", "Copy camera", "view.copy_camera", (), WINDOW, m, tip="A <camera> element on the clipboard"),
        Action("list_model", "Fields of the model...", "window.list_fields", ("Ctrl+M",), WINDOW, m, argument="model", tip="Every field as text: to search, copy and save"),
        Action("list_data", "Fields of the data...", "window.list_fields", ("Ctrl+D",), WINDOW, m, argument="data", tip="Every field of the state as text: to search, copy and save"),
        Action("settings", "Settings...", "program.show_settings", ("Ctrl+,",), WINDOW, m, tip="Everything that is remembered"),
        Action("open_workspace", "Open workspace...", "window.open_workspace", (), WINDOW, m, tip="Panels, what is drawn, camera and speed from a file"),
        Action("save_workspace", "Save workspace...", "window.save_workspace", (), WINDOW, m, tip="Panels, what is drawn, camera and speed into a file"),
        Action("close_window", "Close window", "program.close_window", ("Ctrl+W",), WINDOW, m),
        Action("quit", "Quit", "program.quit", ("Ctrl+Q",), WINDOW, m, tip="Close all windows"),
    )


def _edit() -> tuple[Action, ...]:
    m = "&Edit"
    return (
        Action("undo", "Undo", "edits.undo", ("Ctrl+Z",), WINDOW, m, tip="Take back the last change of the texts, wherever it was made"),
        Action("redo", "Redo", "edits.redo", ("Ctrl+Shift+Z", "Ctrl+Y"), WINDOW, m, tip="Do again what was undone last"),
        Action("edit_history", "History of edits", "window.toggle_panel", (), WINDOW, m, argument="history", tip="All changes of the texts; a click goes back to one"),
    )


def _view() -> tuple[Action, ...]:
    m = "&View"
    return (
        Action("align", "Align camera", "view.align", ("Ctrl+A",), VIEW, m, tip="Free camera at the model's default view"),
        Action("free_camera", "Free camera", "view.free_camera", ("Esc",), VIEW, m),
        Action("previous_camera", "Previous camera", "view.cycle_camera", ("[",), VIEW, m, argument=-1),
        Action("next_camera", "Next camera", "view.cycle_camera", ("]",), VIEW, m, argument=1),
        Action("cycle_frame", "Next frame mode", "view.cycle_frame", ("F6",), VIEW, m),
        Action("cycle_label", "Next label mode", "view.cycle_label", ("F7",), VIEW, m),
        Action("cycle_shown", "Next kind of picture", "view.cycle_shown", ("F8",), VIEW, m, tip="Colours, depth, things, types, numbers, normals"),
        Action("clear_markers", "Clear markers", "view.clear_markers", (), WINDOW, m, tip="Take out what scripts have drawn"),
        Action("physical_look", "Physical look", "view.use_physical_look", ("F9",), VIEW, m, checkable=True, icon="look",
               tip="Light from the environment, gloss by roughness, ambient occlusion; off: as the official picture"),
        Action("help", "Help", "window.toggle_help", ("F1",), WINDOW, "&Help", checkable=True),
        Action("info", "Info", "window.toggle_info", ("F2",), WINDOW, m, checkable=True),
        Action("hover", "Note at the pointer", "window.toggle_hover", (), WINDOW, m, checkable=True, tip="Say what is drawn under the mouse pointer"),
        Action("view_cube", "View cube", "view.show_cube", (), WINDOW, m, checkable=True, tip="At the top right: where the camera looks; a click turns it"),
        Action("profiler", "Profiler", "window.toggle_panel", ("F3",), WINDOW, m, argument="profiler"),
        Action("pipeline", "Pipeline", "window.toggle_panel", (), WINDOW, m, argument="pipeline"),
        Action("sensors", "Sensors", "window.toggle_panel", ("F4",), WINDOW, m, argument="sensors"),
        Action("plots", "Plots", "window.toggle_panel", ("Shift+F3",), WINDOW, m, argument="plots"),
        Action("breakpoints", "Breakpoints", "window.toggle_panel", (), WINDOW, m, argument="breakpoints"),
        Action("branches", "Branches", "window.toggle_panel", (), WINDOW, m, argument="branches"),
        Action("bookmarks", "Bookmarks", "window.toggle_panel", (), WINDOW, m, argument="bookmarks"),
        Action("scripts", "Scripts", "window.toggle_panel", (), WINDOW, m, argument="scripts"),
        Action("console", "Console", "window.toggle_panel", (), WINDOW, m, argument="console"),
        Action("divergence", "Divergence", "window.toggle_panel", (), WINDOW, m, argument="divergence"),
        Action("companions", "Companions", "window.toggle_panel", (), WINDOW, m, argument="companions"),
        Action("compare", "Compare", "window.toggle_panel", (), WINDOW, m, argument="compare"),
        Action("engines", "Engines", "window.toggle_panel", (), WINDOW, m, argument="engines"),
        Action("warnings", "Warnings", "window.toggle_panel", (), WINDOW, m, argument="warnings"),
        Action("contact", "Contact", "window.toggle_panel", (), WINDOW, m, argument="contact"),
        Action("watch", "Watch", "window.toggle_panel", ("Shift+F4",), WINDOW, m, argument="watch"),
        Action("fullscreen", "Full screen", "window.toggle_fullscreen", ("F5", "F11"), WINDOW, m, checkable=True),
        Action("left_panels", "Left panels", "window.toggle_area", ("Tab",), VIEW, m, argument="left"),
        Action("right_panels", "Right panels", "window.toggle_area", ("Shift+Tab",), VIEW, m, argument="right"),
        Action("default_layout", "Default arrangement", "window.default_layout", (), WINDOW, m, tip="The panels as this workspace has them at first"),
        Action("default_view", "Default drawing", "window.default_view", (), WINDOW, m, tip="Draw what this workspace draws at first"),
        *(Action(f"theme_{name}", text, "program.choose_theme", (), WINDOW, m, checkable=True, argument=name, help=False)
          for name, text in (("dark", "Dark colours"), ("light", "Light colours"), ("system", "Colours of the desktop"))),
        Action("larger_texts", "Larger texts", "program.scale_texts", ("Ctrl++",), WINDOW, m, argument=1),
        Action("smaller_texts", "Smaller texts", "program.scale_texts", ("Ctrl+-",), WINDOW, m, argument=-1),
        Action("usual_texts", "Texts of the usual size", "program.scale_texts", ("Ctrl+0",), WINDOW, m, argument=0),
        Action("first_steps", "First steps", "program.show_first_steps", (), WINDOW, "&Help", help=False, tip="Six gestures to begin with"),
        Action("palette", "Find anything...", "program.show_palette", ("Ctrl+Shift+P",), WINDOW, "&Help", tip="Actions, panels, elements, settings, files by a few letters"),
        Action("report", "Save a report...", "recordings.report", (), WINDOW, "&Help", help=False, tip="One file with all that is needed to see what you saw: recording, texts, log, versions"),
        Action("keys", "Keys...", "window.edit_keys", (), WINDOW, "&Help", help=False, tip="Bind other keys"),
        Action("about", "About Linkwork", "window.about", (), WINDOW, "&Help", help=False),
    )


def _selection() -> tuple[Action, ...]:
    m = "&Selection"
    return (
        Action("select_parent", "Select parent", "selection.select_parent", ("PgUp",), VIEW, m, tip="The body of what is selected, then its parents"),
        Action("select_children", "Select children", "selection.select_children", ("PgDown",), VIEW, m, tip="What the selected bodies carry, and the bodies below"),
        Action("select_nothing", "Select nothing", "selection.select_nothing", ("Shift+Esc",), VIEW, m),
        Action("box_select", "Select by a box", "tools.box_select", ("Shift+B",), VIEW, m, tip="Then drag a box around what is to be selected; Esc: not"),
        Action("measure", "Measure", "tools.measure", ("Shift+M",), VIEW, m, tip="Then click two points for their distance, a third for an angle; Esc: not"),
        Action("pose", "Pose", "tools.pose", ("Shift+P",), VIEW, m, checkable=True, icon="pose",
               tip="While paused, drag bodies and sites by inverse kinematics; P sets pins; Esc ends it. While running, the mouse's spring pulls"),
        Action("move", "Move", "tools.choose", ("Shift+G",), VIEW, m, checkable=True, argument="move", icon="move",
               tip="Drag what is selected by handles, and the text follows; again, or Esc: not. While it is on, G, R and S move, turn and resize from where the pointer is"),
        Action("rotate", "Rotate", "tools.choose", ("Shift+R",), VIEW, m, checkable=True, argument="rotate", tip="Turn what is selected by rings, and the text follows; again, or Esc: not"),
        Action("scale", "Scale", "tools.choose", ("Shift+S",), VIEW, m, checkable=True, argument="scale", tip="Change sizes of geoms and sites by knobs, and the text follows; again, or Esc: not"),
        Action("create", "Create a geom", "tools.choose", ("Shift+A",), VIEW, m, checkable=True, argument="create",
               tip="Draw the base of a new geom on what is under the pointer, then its height; with Shift as a new body with a free joint"),
        Action("frame_selected", "Frame selected", "selection.frame", (".", "Shift+F"), VIEW, m, tip="Fill the view with what is selected, or with the model"),
        Action("track_selected", "Track with the camera", "selection.track", (), WINDOW, m),
        Action("hide_selected", "Hide", "selection.toggle_hidden", ("Shift+H",), VIEW, m, tip="Hide what is selected, bodies with all below them; the physics stays"),
        Action("isolate", "Show alone", "selection.isolate", ("Shift+I",), VIEW, m, tip="Hide all but what is selected; again: show everything"),
        Action("show_all", "Show everything", "selection.show_all", ("Ctrl+Shift+H",), WINDOW, m, tip="Nothing is hidden any more"),
        Action("copy_name", "Copy name", "selection.copy_name", (), WINDOW, m),
        Action("copy_path", "Copy path", "selection.copy_path", (), WINDOW, m, tip="The bodies from the world down to it"),
        Action("copy_pose", "Copy pose", "selection.copy_pose", (), WINDOW, m, tip="Its place in the world as pos and quat"),
        Action("explain_contact", "Why do these (not) touch?", "selection.explain_contact", (), WINDOW, m, tip="How the contact of two geoms or bodies came about, or why there is none"),
        Action("go_to_text", "Go to XML", "selection.go_to_text", ("F12",), WINDOW, m, tip="Where it stands in the text"),
    )


def _text() -> tuple[Action, ...]:
    m = "&Text"
    return (
        Action("text_find", "Find...", "text.find", ("Ctrl+F",), TEXT, m, tip="In the XML panel's text, plain or by a regular expression"),
        Action("text_replace", "Replace...", "text.replace", ("Ctrl+H",), TEXT, m, tip="One by one or all, as one entry of what can be undone"),
        Action("text_find_in_files", "Find in all files...", "text.find_in_files", ("Ctrl+Shift+F",), TEXT, m, tip="In every file of the document, with a list of what is found"),
        Action("text_find_next", "Find next", "text.find_next", ("F3",), TEXT, m),
        Action("text_find_previous", "Find previous", "text.find_next", ("Shift+F3",), TEXT, m, argument=True),
        Action("text_go_to_line", "Go to line or element...", "text.go_to_line", ("Ctrl+G",), TEXT, m, tip="By a line's number or an element's name, over all files"),
        Action("text_complete", "Complete", "text.complete", ("Ctrl+Space",), TEXT, m, tip="What can be written at the caret, with type, default and meaning"),
        Action("text_definition", "Go to definition", "text.go_to_definition", ("F12",), TEXT, m, tip="Of the name, class or file at the caret; also Ctrl and a click"),
        Action("text_references", "Find references", "text.find_references", ("Shift+F12",), TEXT, m, tip="Everything that refers to the name at the caret"),
        Action("text_rename", "Rename...", "text.rename", ("F2",), TEXT, m, tip="The name at the caret, with all that refers to it, in all files"),
        Action("text_comment", "Toggle comment", "text.toggle_comment", ("Ctrl+/",), TEXT, m, tip="Of the selected lines; comments in them are kept"),
        Action("text_move_up", "Move lines up", "text.move_lines", ("Alt+Up",), TEXT, m, argument=False),
        Action("text_move_down", "Move lines down", "text.move_lines", ("Alt+Down",), TEXT, m, argument=True),
        Action("text_duplicate", "Duplicate lines", "text.duplicate_lines", ("Ctrl+Shift+D",), TEXT, m),
        Action("text_format", "Format", "text.format", ("Ctrl+Shift+I",), TEXT, m, tip="Indentation and spaces of the selection or the file; no value is changed"),
        Action("text_fold_all", "Fold all", "text.fold_all", ("Ctrl+Alt+[",), TEXT, m),
        Action("text_unfold_all", "Unfold all", "text.unfold_all", ("Ctrl+Alt+]",), TEXT, m),
    )


def _structure() -> tuple[Action, ...]:
    m = "&Model"
    holders = (("geom", "Add geom"), ("site", "Add site"), ("joint", "Add joint"), ("camera", "Add camera"), ("light", "Add light"), ("frame", "Add frame"))
    return (
        *(Action(f"add_body_{joint}_{geom}", f"Add body: {words.lower()}", "structure.add_body_of", (), WINDOW, m, argument=(joint, geom), help=False,
                 tip="A body in the selected one, or in the world, in the text") for words, (joint, geom) in BODIES.items()),
        *(Action(f"add_{tag}", words, "structure.add_in_holder", (), WINDOW, m, argument=tag, tip="In the selected body, or in the world, in the text") for tag, words in holders),
        *(Action(f"add_{tag}_actuator", f"Add {tag} actuator", "structure.add_actuator", (), WINDOW, m, argument=tag, tip="On the selected joint, tendon or site; gains for what it moves")
          for tag in ACTUATORS),
        Action("add_composite", "Add composite...", "structure.add_composite", (), WINDOW, m, tip="A cable, rope, cloth or soft body, by its settings and with a preview"),
        Action("attach_model", "Attach a robot of another file...", "structure.attach_file", (), WINDOW, m, tip="To the selected body, frame or site, or to the world"),
        Action("delete_elements", "Delete from the text", "structure.delete", (), WINDOW, m, tip="What is selected, with what names it on request"),
        Action("duplicate_elements", "Duplicate in the text", "structure.duplicate", (), WINDOW, m, tip="A copy beside it, with names of its own"),
        Action("copy_elements", "Copy as XML", "structure.copy", (), WINDOW, m),
        Action("cut_elements", "Cut as XML", "structure.cut", (), WINDOW, m),
        Action("paste_elements", "Paste XML", "structure.paste", (), WINDOW, m, tip="Into what is selected, or beside it"),
        *(Action(f"wrap_{tag}", f"Put into a {tag}", "structure.wrap", (), WINDOW, m, argument=tag) for tag in ("frame", "body", "replicate")),
        Action("replicate_elements", "Replicate...", "structure.replicate", (), WINDOW, m, tip="Copies of what is selected side by side, with a preview; a replicate is changed"),
        Action("unwrap", "Take frame or body away", "structure.unwrap", (), WINDOW, m, tip="What it holds stays where it is"),
        *(Action(f"mirror_{axis}", f"Mirror across {plane}", "structure.mirror", (), WINDOW, m, argument=axis, tip="A copy on the other side, names, actuators and sensors too")
          for axis, plane in zip("xyz", ("yz", "xz", "xy"), strict=True)),
        Action("convex_parts", "Take a mesh apart into convex parts...", "structure.decompose", (), WINDOW, m, tip="The selected mesh, or that of the selected geom, for contacts; needs the package coacd"),
        Action("make_class", "Make a default class...", "structure.make_class", (), WINDOW, m, tip="Of the attributes that all selected elements have in common"),
        Action("make_include", "Put into a new file...", "structure.make_include", (), WINDOW, m, tip="What is selected, with an include in its place"),
        Action("write_copies", "Write copies out", "structure.unroll", (), WINDOW, m, tip="The copies of the selected replicate as elements of their own"),
    )


def _sides() -> tuple[Action, ...]:
    return tuple(Action(f"look_from_{side}", f"View from the {side}", "view.look_from", (), WINDOW, "&View", argument=side, help=False,
                        tip="Front is along x, left along y, top along z") for side in ("front", "back", "left", "right", "top", "bottom"))


def _groups() -> tuple[Action, ...]:
    return tuple(Action(f"{kind}_group_{i}", f"{kind.capitalize()} group {i}", "view.toggle_group", (f"{shift}{i}",), VIEW, "&View", checkable=True,
                        argument=(kind, i), help=False) for kind, shift in (("geom", ""), ("site", "Shift+")) for i in range(6))


def _modes() -> tuple[Action, ...]:
    return tuple(Action(f"{what}_{i}", name, "view.choose_mode", (), WINDOW, "&View", checkable=True, argument=(what, name),
                        tip=f"{what.capitalize()}s: {name}", help=False) for what, names in (("label", LABELS), ("frame", FRAMES)) for i, name in enumerate(names))


def _workspaces() -> tuple[Action, ...]:
    return tuple(Action(f"workspace_{workspace.id}", f"Workspace {workspace.title}", "window.choose_workspace", (f"Ctrl+{number}",), WINDOW, "&View",
                        checkable=True, argument=workspace.id, tip=workspace.tip) for number, workspace in enumerate(WORKSPACES, 1))


def _flags() -> tuple[Action, ...]:
    return tuple(Action(f"flag_{flag.name}", flag.title, "view.toggle_flag", (flag.key,) if flag.key else (), VIEW, "&View", argument=flag.name,
                        tip=flag.doc, help=False, icon=FLAG_ICONS.get(flag.name, "")) for flag in VIS_FLAGS + RENDER_FLAGS + ADDED_FLAGS)


def _quantities() -> tuple[Action, ...]:
    return tuple(Action(f"flag_{flag.name}", flag.title, "view.toggle_flag", (), VIEW, "F&orces", argument=flag.name, tip=flag.doc, help=False)
                 for flag in QUANTITY_FLAGS)


ACTIONS: tuple[Action, ...] = (_file() + _edit() + _simulation() + _timeline() + _view() + _sides() + _selection() + _structure() + _text() + _workspaces() + _groups() + _modes() + _flags()
                               + _quantities())
TOOLBAR = ("open", "reload", "", "flag_contact_point", "flag_contact_force", "physical_look", "camera", "", "pose", "move", "", "screenshot", "record")
MENUS = ("&File", "&Edit", "&Simulation", "&Selection", "&Model", "&Text", "&View", "F&orces", "&Help")


def by_id(action_id: str) -> Action:
    """The action of that id. Raises KeyError."""
    for action in ACTIONS:
        if action.id == action_id:
            return action
    raise KeyError(action_id)
