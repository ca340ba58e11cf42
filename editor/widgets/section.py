"""A titled part of a panel that folds, and that a filter narrows down to the rows it matches."""
from collections.abc import Callable, Iterable
from typing import Protocol

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtWidgets import QLineEdit, QToolButton, QVBoxLayout, QWidget


class Rows(Protocol):
    """What holds rows that can be filtered (a PropertyForm, a CheckGrid)."""

    def filter(self, text: str) -> int: ...


class Section(QWidget):
    """Title bar and body; put the content's layout on `body`, or add parts with rows by `add`. Signal: folded(opened) when it is opened or closed."""

    folded = pyqtSignal(bool)

    def __init__(self, title: str, opened: bool = True):
        super().__init__()
        self.title = title
        self._bar = QToolButton()
        self._bar.setText(title)
        self._bar.setAutoRaise(True)
        self._bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        font = self._bar.font()   # no style sheet: it would keep the first colours when the palette changes
        font.setBold(True)
        self._bar.setFont(font)
        self.body = QWidget()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 4)
        layout.setSpacing(1)
        layout.addWidget(self._bar)
        layout.addWidget(self.body)
        self._parts: list[Rows] = []
        self._make: Callable[[], QWidget] | None = None   # the part that is made when it is first needed
        self._finds: Callable[[str], bool] | None = None
        self._opened = opened
        self._bar.clicked.connect(lambda: self.fold(self.body.isHidden()))
        self.fold(opened)

    @property
    def opened(self) -> bool:
        """Whether the body shows."""
        return not self.body.isHidden()

    def fold(self, opened: bool) -> None:
        """Open, or close, as a click on the title does."""
        self._opened = opened
        self._show_body(opened)
        self.folded.emit(opened)

    def add_later(self, make: Callable[[], QWidget], finds: Callable[[str], bool]) -> None:
        """Put make() into the body when it is first opened, or when finds(text of a filter) says that something in it matches."""
        self._make, self._finds = make, finds

    def _fill(self) -> None:
        make, self._make = self._make, None
        if make is not None:
            self.add(make())

    def _show_body(self, opened: bool) -> None:
        if opened:
            self._fill()
        self.body.setVisible(opened)
        self._bar.setArrowType(Qt.ArrowType.DownArrow if opened else Qt.ArrowType.RightArrow)

    def add(self, part: QWidget) -> QWidget:
        """Put a part with rows below those that are there, and return it."""
        layout = self.body.layout()
        if layout is None:
            layout = QVBoxLayout(self.body)
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(1)
        layout.addWidget(part)
        if hasattr(part, "filter"):
            self._parts.append(part)
        return part

    def filter(self, text: str) -> int:
        """Show only rows that match, opened for it; all of a section whose title does, as before for ''. How many there are."""
        wanted = "" if matches(text, self.title) else text
        if self._make is not None:
            if not wanted or not self._finds(wanted):
                self.setVisible(not wanted)
                self._show_body(self._opened if not text else not wanted)
                return 0
            self._fill()
        count = sum(part.filter(wanted) for part in self._parts)
        shown = count > 0 or not wanted
        self.setVisible(shown)
        self._show_body(shown if text else self._opened)
        return count


def matches(text: str, *words: str) -> bool:
    """Whether each word of `text` stands in one of these, large or small."""
    everything = " ".join(words).lower()
    return all(word in everything for word in text.lower().split())


def filter_field(sections: Iterable[Section]) -> QLineEdit:
    """A field that filters the rows of these sections, to be placed above them."""
    sections = tuple(sections)
    field = QLineEdit()
    field.setPlaceholderText("Filter")
    field.setClearButtonEnabled(True)
    field.textChanged.connect(lambda text: [section.filter(text) for section in sections])
    return field
