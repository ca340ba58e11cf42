"""The menu bar: the actions of the table in groups, with submenus. An action that is named nowhere here stands where its menu has ANY."""
from collections.abc import Callable
from types import MappingProxyType

from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QMenu, QMenuBar, QWidget

from app.actions import ACTIONS, MENU_SPEEDS, MENUS
from app.bridge.options import ADDED_FLAGS, FRAMES, LABELS, NGROUP, RENDER_FLAGS, VIS_FLAGS
from app.controllers.view import SIDES
from app.speeds import STEPS
from app.workspaces import WORKSPACES
from editor.structure.offered import ACTUATORS, BODIES

ANY = "*"          # the rest of the menu's actions
SEPARATOR = ""
GIVEN = "@"        # before the name of a menu that is made elsewhere

SHOWN = (*(f"flag_{flag.name}" for flag in VIS_FLAGS), "", *(f"flag_{flag.name}" for flag in ADDED_FLAGS), "clear_markers", "",
         *(f"flag_{flag.name}" for flag in RENDER_FLAGS))
LAYOUT = MappingProxyType({
    "&File": ("new", "new_window", "", "open", "open_in_new_window", "@recent", "", "reload", "apply", "revert", "", "save", "save_as", "", "open_recording", "save_recording", "open_left_recording", "export_demonstrations", "", "open_workspace", "save_workspace", "",
              "screenshot", "record", "copy_camera", "", ANY, "", "settings", "", "close_window", "quit"),
    "&Simulation": ("run", "play_forward", "play_backward", "loop", "reset", "", "step", "step_back", "step_ten", "step_back_ten", "",
                    ("Speed", ("slower", "faster", "", "full_speed", *(f"speed_{factor:g}" for factor in reversed(MENU_SPEEDS)), "", *(f"steps_{steps}" for steps in STEPS))),
                    ("Timeline", ("history_first", "history_last", "fit_timeline", "open_whole_run", "", "add_bookmark", "next_bookmark", "previous_bookmark", "bookmarks", "",
                                  "region_from", "region_to", "clear_region")),
                    "@keyframes", "", "clear_controls", ANY),
    "&Selection": ("select_parent", "select_children", "box_select", "select_nothing", "", "pose", "", "frame_selected", "track_selected", "",
                   "hide_selected", "isolate", "show_all", "", "copy_name", "copy_path", "copy_pose", "", "go_to_text", ANY),
    "&Model": (("Add body", tuple(f"add_body_{joint}_{geom}" for joint, geom in BODIES.values())),
               ("Add", ("add_joint", "add_geom", "add_site", "add_camera", "add_light", "add_frame", "", *(f"add_{tag}_actuator" for tag in ACTUATORS))), "attach_model", "",
               "duplicate_elements", "delete_elements", "", "copy_elements", "cut_elements", "paste_elements", "", ("Mirror", tuple(f"mirror_{axis}" for axis in "xyz")),
               ("Put into", ("wrap_frame", "wrap_body", "wrap_replicate")), "unwrap", "write_copies", "", "make_class", "make_include", ANY),
    "&Text": ("text_find", "text_replace", "text_find_in_files", "text_find_next", "text_find_previous", "", "text_complete", "text_definition", "text_references", "text_rename",
              "text_go_to_line", "", "text_comment", "text_move_up", "text_move_down", "text_duplicate", "text_format", "", ANY),
    "&View": (("Workspace", (*(f"workspace_{workspace.id}" for workspace in WORKSPACES), "", "default_layout", "default_view")), "@panels", "",
              ("Camera", ("align", "free_camera", "previous_camera", "next_camera", "", *(f"look_from_{side}" for side in SIDES), "", "@cameras")),
              ("Show", SHOWN),
              ("Groups", (*(f"geom_group_{i}" for i in range(NGROUP)), "", *(f"site_group_{i}" for i in range(NGROUP)))),
              ("Labels", (*(f"label_{i}" for i in range(len(LABELS))), "", "cycle_label")),
              ("Frames", (*(f"frame_{i}" for i in range(len(FRAMES))), "", "cycle_frame")), "",
              "physical_look", "cycle_shown", "", ANY, "", "info", "hover", "view_cube", "", "left_panels", "right_panels", "fullscreen", "",
              ("Appearance", ("theme_dark", "theme_light", "theme_system", "", "larger_texts", "smaller_texts", "usual_texts"))),
})


VIEW_MENU = ("frame_selected", "align", "free_camera", "", *(f"look_from_{side}" for side in SIDES), "",
             ("Show", SHOWN), "show_all", "", "view_cube", "physical_look")


def make_menus(bar: QMenuBar, qt_actions: dict[str, QAction], given: dict[str, QMenu]) -> None:
    """Fill the bar. given: menus made elsewhere, by the name they have in LAYOUT."""
    for title in MENUS:
        row = LAYOUT.get(title, (ANY,))
        named = set(_named(row))
        rest = [qt_actions[action.id] for action in ACTIONS if action.menu == title and action.id not in named]
        _fill(bar.addMenu(title), row, qt_actions, given, rest)


def _named(row) -> list[str]:
    """All ids of a row and its submenus."""
    return [name for entry in row for name in (_named(entry[1]) if isinstance(entry, tuple) else (entry,))]


def _fill(menu: QMenu, row, qt_actions: dict[str, QAction], given: dict[str, QMenu], rest: list[QAction]) -> None:
    menu.setToolTipsVisible(True)
    for entry in row:
        if isinstance(entry, tuple):
            _fill(menu.addMenu(entry[0]), entry[1], qt_actions, given, [])
        elif entry == SEPARATOR:
            menu.addSeparator()   # Qt shows no two in a row, and none at the ends
        elif entry == ANY:
            menu.addActions(rest)
        elif entry.startswith(GIVEN):
            menu.addMenu(given[entry.removeprefix(GIVEN)])
        else:
            menu.addAction(qt_actions[entry])


def fill_view_menu(menu: QMenu, qt_actions: dict[str, QAction]) -> None:
    """The menu on nothing in the view: where to look from, and what is drawn."""
    _fill(menu, VIEW_MENU, qt_actions, {}, [])


def filled_when_opened(parent: QWidget, title: str, rows: Callable[[], list[tuple[str, bool, Callable[[], None]]]]) -> QMenu:
    """A menu whose entries, (text, checked, what it does), are asked for each time it opens."""
    menu = QMenu(title, parent)

    def fill() -> None:
        menu.clear()
        for text, checked, chosen in rows():
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(checked)
            action.triggered.connect(lambda _checked=False, chosen=chosen: chosen())
        if menu.isEmpty():
            menu.addAction("None").setEnabled(False)

    menu.aboutToShow.connect(fill)
    return menu
