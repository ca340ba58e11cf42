"""The help page: the mouse and every key of the action table, by topic, in as many columns as there is room for."""
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QApplication, QDialog, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.actions import ACTIONS
from app.settings import KEYS, Settings

SIZE = (980, 660)
COLUMN = 300        # logical pixels that a column needs
LEAST_POINTS = 9.0  # of the type
MOUSE = (
    ("Orbit", "left drag"), ("Pan", "right drag (Shift: horizontal)"), ("Zoom", "wheel or middle drag"),
    ("Select", "left click (Shift adds, Ctrl toggles)"), ("Select body", "left double-click"), ("Menu of a thing", "right click"),
    ("Centre on point", "right double-click"), ("Track body", "Ctrl + right double-click"), ("Pull selected body", "Ctrl + right drag (Shift: horizontal)"),
    ("Turn selected body", "Ctrl + left drag"), ("Through the history", "drag the time axis"), ("Mark a region", "Shift + drag on the time axis"), ("Zoom the time axis", "wheel on it (double-click: all)"),
)
LETTERS = (("Geom groups", "0 to 5"), ("Site groups", "Shift+0 to Shift+5"), ("Drawing flags", "letters, see Visualization"),
           ("Forces and motion", "menu Forces, or in Visualization"))


def help_topics(settings: Settings) -> list[tuple[str, list[tuple[str, str]]]]:
    """(topic, rows of what and how): the mouse, then the menus, with the keys that are bound now."""
    topics: dict[str, list[tuple[str, str]]] = {"Mouse": list(MOUSE)}
    for action in ACTIONS:
        keys = settings.keys(action.id, action.keys)
        if keys and action.help:
            topics.setdefault(action.menu.replace("&", "") or "View", []).append((action.text.rstrip("."), ", ".join(keys)))
    topics.setdefault("View", []).extend(LETTERS)
    return list(topics.items())


class HelpDialog(QDialog):
    """Stays open beside the work."""

    def __init__(self, parent: QWidget, settings: Settings):
        super().__init__(parent)
        self.setWindowTitle("Keys and mouse")
        font = QApplication.font()
        font.setPointSizeF(max(LEAST_POINTS, font.pointSizeF()))
        self.setFont(font)
        self._settings = settings
        self._topics: list[QWidget] = []
        self._columns = 0
        settings.changed.connect(self._setting_changed)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QScrollArea.Shape.NoFrame)
        layout = QVBoxLayout(self)
        layout.addWidget(self._area)
        room = parent.screen().availableGeometry()
        self.resize(min(SIZE[0], room.width() - 60), min(SIZE[1], room.height() - 80))

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._arrange(max(1, min(3, (self.width() - 40) // COLUMN)))

    def _setting_changed(self, name: str) -> None:
        if name.startswith(KEYS) and self._columns:     # other keys
            columns, self._columns = self._columns, 0
            self._topics.clear()
            self._arrange(columns)

    def _arrange(self, count: int) -> None:
        """Deal the topics out to columns of about the same height."""
        if count == self._columns:
            return
        self._columns = count
        self._topics = self._topics or [_topic(title, rows) for title, rows in help_topics(self._settings)]
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setSpacing(28)
        columns = [QVBoxLayout() for _ in range(count)]
        heights = [0] * count
        for topic in sorted(self._topics, key=lambda topic: -topic.sizeHint().height()):   # the longest first, or one column ends far below the others
            shortest = heights.index(min(heights))
            columns[shortest].addWidget(topic)
            topic.show()
            heights[shortest] += topic.sizeHint().height() + 16
        for column in columns:
            column.addStretch(1)
            row.addLayout(column, 1)
        old = self._area.takeWidget()
        self._area.setWidget(holder)
        if old is not None:
            old.deleteLater()


def _topic(title: str, rows: list[tuple[str, str]]) -> QWidget:
    widget = QWidget()
    grid = QGridLayout(widget)
    grid.setContentsMargins(0, 0, 0, 10)
    grid.setVerticalSpacing(2)
    grid.setColumnStretch(1, 1)
    head = QLabel(title)
    font = head.font()
    font.setBold(True)
    head.setFont(font)
    grid.addWidget(head, 0, 0, 1, 2)
    for i, (what, how) in enumerate(rows, 1):
        grid.addWidget(QLabel(what), i, 0)
        keys = QLabel(how)
        keys.setWordWrap(True)
        keys.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        grid.addWidget(keys, i, 1)
    return widget
