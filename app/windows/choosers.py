"""Choosers of the bars that follow the model: speed, camera, keyframe."""
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QComboBox, QStyleOptionComboBox

from app.context import AppContext
from app.controllers.simulation import SimulationController
from app.controllers.view import ViewController
from app.speeds import SPEEDS, STEPS, nearest_speed, speed_text, steps_text

FREE_CAMERA, TRACKING_CAMERA = "Free", "Tracking"
NO_KEYS = "No keyframes"
LIST_ROOM = 40   # logical pixels beside the texts of a list, for its scroll bar


class Chooser(QComboBox):
    """A combo box of a bar: its name is how it is found; letters typed stay with the view."""

    def __init__(self, name: str, tip: str, characters: int):
        super().__init__()
        self.setObjectName(name)
        self.setToolTip(tip)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(characters)

    def wheelEvent(self, event) -> None:
        event.ignore()   # a wheel that passes over it chooses nothing


class SpeedChooser(Chooser):
    """'max', speeds of the official list and beyond, and steps for each picture."""

    def __init__(self, context: AppContext, simulation: SimulationController):
        super().__init__("speed", "Simulated time over real time (- and = change it)", 6)
        self._simulation = simulation
        self._factors = (None, *reversed(SPEEDS))
        self.addItems([*(speed_text(factor) for factor in self._factors), *(steps_text(steps) for steps in STEPS)])
        for row in range(len(self._factors), self.count()):
            self.setItemData(row, "Slow motion locked to the pictures: no state goes by unseen", Qt.ItemDataRole.ToolTipRole)
        self.refresh()
        self.activated.connect(self._chosen)
        context.options_changed.connect(self.refresh)

    def _chosen(self, row: int) -> None:
        if row < len(self._factors):
            self._simulation.set_speed(self._factors[row])
        else:
            self._simulation.set_steps_per_picture(STEPS[row - len(self._factors)])

    def refresh(self) -> None:
        """Show the present speed."""
        speed, steps = self._simulation.speed, self._simulation.steps_per_picture
        if steps is not None:
            self.setCurrentIndex(self.findText(steps_text(steps)))
        else:
            self.setCurrentIndex(0 if speed is None else len(SPEEDS) - nearest_speed(speed))

    def showPopup(self) -> None:
        self.view().setMinimumWidth(self.fontMetrics().horizontalAdvance(steps_text(STEPS[-1])) + LIST_ROOM)
        super().showPopup()

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        option.currentText = option.currentText.removesuffix(" per picture")    # the list has room for all of it

class CameraChooser(Chooser):
    """Free, tracking and the model's cameras."""

    def __init__(self, context: AppContext, view_control: ViewController):
        super().__init__("camera", "Camera ([ and ] change it, Esc: free)", 6)
        self._view_control = view_control
        self._fill(context.model)
        context.model_changed.connect(self._fill)
        context.options_changed.connect(self.refresh)
        self.activated.connect(lambda row: view_control.set_camera(row - 2))

    def _fill(self, model) -> None:
        self.clear()
        self.addItems([FREE_CAMERA, TRACKING_CAMERA])
        if model is not None:
            self.addItems([name or f"camera {i}" for i, name in enumerate(model.names["camera"])])
        self.refresh()

    def refresh(self) -> None:
        """Show the present camera."""
        self.setCurrentIndex(self._view_control.camera_index() + 2)


class KeyChooser(Chooser):
    """The model's keyframes; choosing one goes there."""

    def __init__(self, context: AppContext, simulation: SimulationController):
        super().__init__("keyframe", "Keyframes: choose one to go there", 8)
        self._simulation = simulation
        self._fill(context.model)
        context.model_changed.connect(self._fill)
        self.activated.connect(simulation.load_key)

    def _fill(self, model) -> None:
        chosen, names = self.currentText(), key_names(model)
        if not names or names != [self.itemText(i) for i in range(self.count())]:
            self.clear()
            self.addItems(names or [NO_KEYS])
            self.setCurrentIndex(max(0, self.findText(chosen)))
        self.setEnabled(bool(names))

    def load(self, name: str) -> None:
        """Choose a keyframe by name and go there."""
        self.setCurrentText(name)
        self._simulation.load_key(self.currentIndex())


def key_names(model) -> list[str]:
    """Names of a model's keyframes; none without a model."""
    return [] if model is None else [name or f"keyframe {i}" for i, name in enumerate(model.names["key"])]
