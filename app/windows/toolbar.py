"""The toolbar: actions from the table, and two choosers (speed, camera) that follow the model."""
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QComboBox, QLabel, QMainWindow, QToolBar

from app.context import AppContext
from app.controllers.simulation import SimulationController
from app.controllers.view import ViewController
from app.panels.table import Services
from app.speeds import SPEEDS, nearest_speed, speed_text

FREE_CAMERA, TRACKING_CAMERA = "Free", "Tracking"


class SpeedChooser(QComboBox):
    """Speeds of the official list and beyond, and 'max'."""

    def __init__(self, simulation: SimulationController):
        super().__init__()
        self._simulation = simulation
        self.setToolTip("Simulated time over real time")
        self.addItems([speed_text(factor) for factor in reversed(SPEEDS)])
        self.insertItem(0, speed_text(None))
        self.refresh()
        self.activated.connect(lambda row: simulation.set_speed(None if row == 0 else SPEEDS[len(SPEEDS) - row]))

    def refresh(self) -> None:
        """Show the present speed."""
        speed = self._simulation.speed
        self.setCurrentIndex(0 if speed is None else len(SPEEDS) - nearest_speed(speed))


class CameraChooser(QComboBox):
    """Free, tracking and the model's cameras."""

    def __init__(self, context: AppContext, view_control: ViewController):
        super().__init__()
        self._view_control = view_control
        self.setToolTip("Camera")
        self.setMinimumContentsLength(10)
        self._fill(context.model)
        context.model_changed.connect(self._fill)
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


def make_toolbar(window: QMainWindow, services: Services, qt_actions: dict[str, QAction], items: tuple[str, ...]) -> QToolBar:
    """The toolbar of `items`: action ids, '' for a gap, 'speed' and 'camera' for the choosers."""
    bar = QToolBar("Toolbar", window)
    bar.setObjectName("toolbar")
    bar.setMovable(False)
    choosers = {"speed": ("Speed ", SpeedChooser(services.simulation)), "camera": (" Camera ", CameraChooser(services.context, services.view))}
    for item in items:
        if not item:
            bar.addSeparator()
        elif item in choosers:
            label, chooser = choosers[item]
            chooser.setObjectName(item)
            chooser.setFocusPolicy(Qt.FocusPolicy.NoFocus)   # letters stay with the view
            bar.addWidget(QLabel(label))
            bar.addWidget(chooser)
            services.context.options_changed.connect(chooser.refresh)
        else:
            bar.addAction(qt_actions[item])
    return bar
