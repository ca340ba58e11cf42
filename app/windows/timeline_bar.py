"""The bar along the bottom of the window: run and step, speed, keyframes, and the time axis of the history."""
from PyQt6.QtCore import QPoint, QSize, Qt
from PyQt6.QtGui import QAction, QPalette
from PyQt6.QtWidgets import QLabel, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from app.panels.table import Services
from app.timeline.bookmarks import Bookmark
from app.windows.choosers import KeyChooser, SpeedChooser
from app.windows.icons import RED
from app.windows.key_mark import KeyMark
from app.windows.ranked_row import ElidedLabel, RankedRow
from app.windows.timeline_axis import TimelineAxis
from app.windows.timeline_menus import button_with_menu, fill_axis_menu, fill_bookmark_menu, fill_key_menu, fill_played_menu
from app.windows.top_bar import tool_button
from physics.runtime.snapshot import Snapshot

TRANSPORT = ("reset", "step_back", "run", "step")   # actions
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
        self.axis = TimelineAxis(services.context.bookmarks, services.context.region)
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
        self.loop = button_with_menu(qt_actions["loop"], lambda menu: fill_played_menu(menu, qt_actions))
        self.bookmark = button_with_menu(qt_actions["add_bookmark"], lambda menu: fill_bookmark_menu(menu, services, qt_actions))
        self.more = self._keys_button()
        for widget, rank in ((self.loop, 0), (self.speed, 3), (self.key_mark, 4), (self.keys, 4), (self.more, 2), (self.bookmark, 3)):
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
        self.axis.scrubbed.connect(services.simulation.scrub_to)
        self.axis.menu_wanted.connect(self._open_axis_menu)
        services.timeline.fit_wanted.connect(self.axis.fit)
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

    def _open_axis_menu(self, number: int, bookmark: Bookmark | None, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_axis_menu(menu, self._services, self._actions, number, bookmark)
        menu.popup(at)

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
