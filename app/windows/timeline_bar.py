"""The bar along the bottom of the window: run and step, speed, keyframes, and the time axis of the history."""
from PyQt6.QtCore import QPoint, QSize, Qt
from PyQt6.QtGui import QAction, QPalette
from PyQt6.QtWidgets import QLabel, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from app.panels.table import Services
from app.windows.choosers import KeyChooser, SpeedChooser, key_names
from app.windows.icons import RED
from app.windows.key_mark import KeyMark
from app.windows.ranked_row import ElidedLabel, RankedRow
from app.windows.timeline_axis import TimelineAxis
from app.windows.top_bar import tool_button
from physics.runtime.snapshot import Snapshot

TRANSPORT = ("reset", "step_back", "run", "step", "loop")   # actions
WIDEST = "00000.000 s (-000000)"


class TimelineBar(QToolBar):
    """A row of fixed height over the whole width of the window."""

    def __init__(self, services: Services, qt_actions: dict[str, QAction]):
        super().__init__("Timeline")
        self.setObjectName("timeline")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.layout().setContentsMargins(0, 1, 0, 1)
        self._services = services
        self.axis = TimelineAxis()
        self.keys = KeyChooser(services.context, services.simulation)
        self.key_mark = KeyMark(services.context)   # some were stored in the window
        self.key_mark.cover(self.keys)
        self.speed = SpeedChooser(services.context, services.simulation)
        self.time = TimeLabel()
        self._actions = qt_actions
        self._row = RankedRow()
        self._row.setContentsMargins(4, 0, 6, 0)
        self._row.setSpacing(3)
        for action_id in TRANSPORT:
            self._row.add(tool_button(qt_actions[action_id]), 0)
        self.more = self._keys_button()
        for widget, rank in ((self.speed, 3), (self.key_mark, 4), (self.keys, 4), (self.more, 2)):
            self._row.add(widget, rank)
        self._row.add(self.axis, 1, grows=True)
        self._row.add(self.time, 5)     # the status bar tells it too
        self.recording = QLabel("\u25cf")   # a film is being recorded
        palette = self.recording.palette()
        palette.setColor(QPalette.ColorRole.WindowText, RED)
        self.recording.setPalette(palette)
        self.recording.hide()
        self._row.add(self.recording, 0)
        holder = QWidget()
        holder.setLayout(self._row)
        holder.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.addWidget(holder)
        self.axis.scrubbed.connect(services.simulation.scrub)
        services.context.snapshot_ready.connect(self.show_snapshot)
        services.context.snapshot_ready.connect(self.key_mark.show_snapshot)

    def _keys_button(self) -> QToolButton:
        button = QToolButton()
        button.setAutoRaise(True)
        button.setText("\u22ef")
        button.setToolTip("Store and copy keyframes")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.key_menu = QMenu(button)
        self.key_menu.aboutToShow.connect(lambda: fill_key_menu(self.key_menu, self._services, self._actions))
        button.clicked.connect(lambda: self.key_menu.popup(button.mapToGlobal(button.rect().topLeft() - QPoint(0, self.key_menu.sizeHint().height()))))
        return button

    def load_key(self, name: str) -> None:
        """Choose a keyframe by name and go there."""
        self.keys.load(name)

    def show_recording(self, text: str) -> None:
        """A red dot while a film is recorded, '' when none is."""
        self.recording.setVisible(bool(text))
        self.recording.setToolTip(f"A film is being recorded: {text}")

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Follow the run."""
        self.axis.show_snapshot(snapshot)
        back = snapshot.history_length - 1 - snapshot.history_index
        self.time.setText(f"{snapshot.time:.3f} s" + (f" (-{back})" if back > 0 else ""))
        oldest, newest = snapshot.history_time
        self.time.setToolTip(f"Simulated time; the history reaches from {oldest:.3f} to {newest:.3f} s in {snapshot.history_length} steps"
                             + (f", {back} of them after this one" if back > 0 else ""))


class TimeLabel(ElidedLabel):
    """Simulated time, in a width that does not change with the digits."""

    def __init__(self):
        super().__init__("", Qt.AlignmentFlag.AlignRight)

    def sizeHint(self) -> QSize:
        """Room for the longest text."""
        return QSize(self.fontMetrics().horizontalAdvance(WIDEST), super().sizeHint().height())

    minimumSizeHint = sizeHint


def fill_key_menu(menu: QMenu, services: Services, qt_actions: dict[str, QAction]) -> None:
    """What can be done with keyframes: go to one, store the state in one, copy it."""
    menu.clear()
    simulation, model = services.simulation, services.context.model
    names = key_names(model)
    for key, name in enumerate(names):
        menu.addAction(f"Go to {name}").triggered.connect(lambda _checked=False, key=key: simulation.load_key(key))
    if names:
        menu.addSeparator()
        into = menu.addMenu("Store the present state in")
        into.setToolTip("In the model in memory")
        for key, name in enumerate(names):
            into.addAction(name).triggered.connect(lambda _checked=False, key=key: simulation.save_key(key))
        start, session = menu.addMenu("Start and reset at"), services.session
        for key, name in ((None, "the start state"), *((names[key] if model.names["key"][key] else key, names[key]) for key in range(len(names)))):
            entry = start.addAction(name)
            entry.setCheckable(True)
            entry.setChecked(key == session.start_key)
            entry.triggered.connect(lambda _checked=False, key=key: session.choose_start_key(key))
        menu.addSeparator()
    menu.addAction(qt_actions["copy_state"])
    menu.addAction(qt_actions["copy_state_full"])
