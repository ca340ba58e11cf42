"""The table of actions: complete, free of clashes, and what the help page is made from."""
from PyQt6.QtGui import QKeySequence

from app.actions import ACTIONS, MENUS, TEXT, TOOLBAR, VIEW, WINDOW, by_id
from app.bridge.options import RENDER_FLAGS, VIS_FLAGS
from app.controllers.companions import CompanionsController
from app.controllers.files import FilesController
from app.controllers.film import FilmController
from app.controllers.program import ProgramController
from app.controllers.recordings import RecordingController
from app.controllers.scripts import ScriptsController
from app.controllers.selection import SelectionController
from app.controllers.simulation import SimulationController
from app.controllers.timeline import TimelineController
from app.controllers.teleoperation.demonstrations import DemonstrationsController
from app.controllers.teleoperation.policy import PolicyController
from app.controllers.teleoperation.devices import TeleoperationController
from app.controllers.view import ViewController
from app.controllers.window import WindowController
from app.dialogs.help import help_topics
from app.panels.table import PANELS
from app.settings import Settings
from app.speeds import SPEEDS, nearest_speed, speed_text
from app.posing.keyframes import Keyframes
from app.viewport.tools import Tools
from app.windows.undo import EditsController
from editor.source.commands import TextCommands
from editor.source.editor import XmlEditor
from editor.tree.operations import Operations

CONTROLLERS = {"scripts": ScriptsController, "companions": CompanionsController, "recordings": RecordingController, "files": FilesController, "film": FilmController, "program": ProgramController, "simulation": SimulationController, "view": ViewController,
               "window": WindowController, "selection": SelectionController, "text": TextCommands, "tools": Tools, "timeline": TimelineController, "keyframes": Keyframes, "edits": EditsController,
               "structure": Operations, "teleoperation": TeleoperationController, "demonstrations": DemonstrationsController, "policy": PolicyController}

# keys of the official window and what they do here
OFFICIAL = {
    "Space": "run", "Left": "step_back", "Right": "step", "PgUp": "select_parent", "=": "faster", "-": "slower", "[": "previous_camera", "]": "next_camera",
    "Esc": "free_camera", "Tab": "left_panels", "Shift+Tab": "right_panels", "F1": "help", "F2": "info", "F3": "profiler", "F4": "sensors", "F5": "fullscreen",
    "F6": "cycle_frame", "F7": "cycle_label", "Backspace": "reset", "Ctrl+L": "reload", "Ctrl+A": "align", "Ctrl+C": "copy_state", "Ctrl+Shift+C": "copy_state_full",
    "Ctrl+P": "screenshot", "Ctrl+Q": "quit", "3": "geom_group_3", "Shift+3": "site_group_3", "C": "flag_contact_point", ",": "flag_activation", "S": "flag_shadow",
}


def test_ids_and_keys_are_unique():
    ids = [row.id for row in ACTIONS]
    assert len(ids) == len(set(ids))
    texts = [QKeySequence(key).toString() for row in ACTIONS if row.scope == TEXT for key in row.keys]      # which mean something else elsewhere
    assert "" not in texts and len(texts) == len(set(texts))
    keys = [QKeySequence(key).toString() for row in ACTIONS if row.scope != TEXT for key in row.keys]
    assert "" not in keys and sorted(keys) == sorted(set(keys)) or _only_flags_clash(keys)


def _only_flags_clash(keys):
    return not [key for key in set(keys) if keys.count(key) > 1 and len(key) > 1]


def test_no_two_actions_of_the_view_share_a_key():
    keys = [QKeySequence(key).toString() for row in ACTIONS if row.scope == VIEW for key in row.keys]
    assert len(keys) == len(set(keys)), sorted(key for key in set(keys) if keys.count(key) > 1)


def test_every_handler_exists():
    for row in ACTIONS:
        controller, _, method = row.handler.partition(".")
        assert callable(getattr(CONTROLLERS[controller], method, None)), row


def test_keys_act_as_in_the_official_window():
    bound = {QKeySequence(key).toString(): row.id for row in ACTIONS if row.scope != TEXT for key in row.keys}
    assert {key: bound.get(QKeySequence(key).toString()) for key in OFFICIAL} == OFFICIAL
    for flag in VIS_FLAGS + RENDER_FLAGS:
        assert by_id(f"flag_{flag.name}").keys == ((flag.key,) if flag.key else ())


def test_menus_toolbar_and_panels_are_made_of_what_exists():
    assert {row.menu for row in ACTIONS if row.menu} <= set(MENUS)
    for item in TOOLBAR:
        assert item in ("", "camera") or by_id(item).icon
    panels = {panel.id for panel in PANELS}
    assert {row.argument for row in ACTIONS if row.handler == "window.toggle_panel"} <= panels
    assert all(callable(panel.load()) for panel in PANELS)


def test_the_help_page_lists_every_key(tmp_path):
    text = "\n".join(f"{a} {b}" for _topic, rows in help_topics(Settings(str(tmp_path / "settings.ini"))) for a, b in rows)
    for row in ACTIONS:
        if row.help:
            assert all(key in text for key in row.keys), row
    for word in ("drag", "double-click", "wheel", "0 to 5", "letters"):
        assert word in text


def test_speeds_reach_from_a_thousandth_to_sixteen():
    assert SPEEDS[0] == 0.001 and SPEEDS[-1] == 16.0 and list(SPEEDS) == sorted(SPEEDS) and len(SPEEDS) == 31 + 12
    assert SPEEDS[nearest_speed(0.9)] == 1.0 and SPEEDS[nearest_speed(1e-9)] == 0.001 and SPEEDS[nearest_speed(99)] == 16.0
    assert [speed_text(x) for x in (None, 0.0013, 12.5, 16.0)] == ["max", "0.13 %", "1250 %", "1600 %"]


def test_the_text_leaves_the_keys_of_the_window_alone(qtbot):
    """Ctrl+L is to reload there too, and not to cut the line."""
    editor = XmlEditor()
    qtbot.addWidget(editor)
    commands = editor.standardCommands()
    taken = {key: command.description() for row in ACTIONS if row.scope == WINDOW for key in row.keys
             if (command := commands.boundTo(QKeySequence(key)[0].toCombined())) is not None}
    assert not taken
