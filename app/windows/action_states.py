"""Shows in menus and buttons what is the case: run or pause, groups, labels, frames, speed, workspace, and icons in the colours of the theme."""
from PyQt6.QtCore import QObject
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QApplication

from app.actions import MENU_SPEEDS
from app.bridge.options import FRAMES, LABELS, NGROUP
from app.controllers.playback import BACKWARD, FORWARD
from app.panels.table import Services
from app.speeds import STEPS
from app.windows import icons


class ActionStates(QObject):
    """Keeps the checks and icons of the actions right."""

    def __init__(self, services: Services, qt_actions: dict[str, QAction], parent: QObject):
        super().__init__(parent)
        self._services, self._actions = services, qt_actions
        self._palette = None    # the icons were drawn for
        services.context.options_changed.connect(self.refresh)
        services.simulation.run_state.changed.connect(self.show_running)
        services.simulation.playback.changed.connect(self.show_playback)
        self.refresh()

    def show_running(self, running: bool) -> None:
        """The sign of the run action is what pressing it will do."""
        run, picture = self._actions["run"], "pause" if running else "run"
        if run.property("picture") != picture:
            run.setProperty("picture", picture)
            self._colour(run)
        run.setChecked(running)   # always: the action has changed its own check when it was pressed

    def show_playback(self) -> None:
        """What is played of the history."""
        playback = self._services.simulation.playback
        for action_id, on in (("play_forward", playback.direction == FORWARD), ("play_backward", playback.direction == BACKWARD), ("loop", playback.looping)):
            self._actions[action_id].setChecked(on)

    def show_workspace(self, workspace_id: str) -> None:
        """Another workspace is open."""
        for action_id, action in self._actions.items():
            if action_id.startswith("workspace_"):
                action.setChecked(action_id == f"workspace_{workspace_id}")

    def refresh(self) -> None:
        """What is drawn, or the theme, has changed."""
        options, actions = self._services.context.options, self._actions
        for kind in ("geom", "site"):
            for i in range(NGROUP):
                actions[f"{kind}_group_{i}"].setChecked(options.group(kind)[i])
        for names, prefix, present in ((LABELS, "label", options.label), (FRAMES, "frame", options.frame)):
            for i, name in enumerate(names):
                actions[f"{prefix}_{i}"].setChecked(name == present)
        simulation = self._services.simulation
        for factor in MENU_SPEEDS:
            actions[f"speed_{factor:g}"].setChecked(factor == simulation.speed and simulation.steps_per_picture is None)
        for steps in STEPS:
            actions[f"steps_{steps}"].setChecked(steps == simulation.steps_per_picture)
        if QApplication.palette() != self._palette:
            self._palette = QApplication.palette()
            self._colour(*actions.values())

    @staticmethod
    def _colour(*actions: QAction) -> None:
        colour = QApplication.palette().windowText().color()
        for action in actions:
            if action.property("picture"):
                action.setIcon(icons.icon(action.property("picture"), colour))
