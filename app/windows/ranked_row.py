"""Rows of the bars that are never wider than the window: what matters least is cut short first, and then has no place at all."""
import math

from PyQt6.QtCore import QRect, QSize, Qt
from PyQt6.QtGui import QColor, QFontMetricsF, QPainter
from PyQt6.QtWidgets import QHBoxLayout, QLayout, QWidget

SHORTEST = 8    # characters that are left of a text that is cut short


class ElidedLabel(QWidget):
    """A line of plain text that can be narrower than it, which then ends in three dots.

    Another text of the same width changes no size: a QLabel would have the window laid out anew with each picture that tells another time.
    """

    def __init__(self, text: str = "", alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft):
        super().__init__()
        self._text, self._alignment = text, alignment | Qt.AlignmentFlag.AlignVCenter
        self.setAccessibleName(text)

    def text(self) -> str:
        """All of it."""
        return self._text

    def setText(self, text: str) -> None:
        """Show another text."""
        if text == self._text:
            return
        before, self._text = self.sizeHint(), text
        self.setAccessibleName(text)
        self.update()
        if self.sizeHint() != before:
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Room for all of the text: in whole pixels it may be a fraction of one narrower than it is, and would be cut."""
        metrics, margins = self.fontMetrics(), self.contentsMargins()
        width = math.ceil(QFontMetricsF(self.font()).horizontalAdvance(self._text)) + 1
        return QSize(width + margins.left() + margins.right(), metrics.height() + margins.top() + margins.bottom())

    def minimumSizeHint(self) -> QSize:
        """Room for the beginning of the text."""
        whole, margins = self.sizeHint(), self.contentsMargins()
        least = self.fontMetrics().averageCharWidth() * SHORTEST + margins.left() + margins.right()
        return QSize(min(whole.width(), least), whole.height())

    @property
    def colour(self) -> QColor:
        """Of its text."""
        return self.palette().windowText().color()

    def paintEvent(self, event) -> None:
        room = self.contentsRect()
        text = self.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, room.width())
        painter = QPainter(self)
        painter.setPen(self.colour)
        painter.drawText(room, self._alignment, text)


class RankedRow(QHBoxLayout):
    """Widgets side by side, each with a rank: those of the lowest numbers have their room first; what is left goes to the one that may grow.

    Only what may be cut, or grows, is ever narrower than it would be.
    """

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self._ranks: dict[QWidget, int] = {}
        self._cut: set[QWidget] = set()
        self._grows: QWidget | None = None

    def add(self, widget: QWidget, rank: int, cut: bool = False, grows: bool = False) -> None:
        """Put a widget at the right end."""
        self._ranks[widget] = rank
        if cut or grows:
            self._cut.add(widget)
        self._grows = widget if grows else self._grows
        self.addWidget(widget)

    def minimumSize(self) -> QSize:
        """Room for none."""
        return QSize(0, super().minimumSize().height())

    def setGeometry(self, rect: QRect) -> None:
        QLayout.setGeometry(self, rect)
        inner = rect.marginsRemoved(self.contentsMargins())
        items = {item.widget(): item for item in map(self.itemAt, range(self.count())) if not item.isEmpty()}
        widths = self.widths(list(items), inner.width())
        x = inner.x()
        for widget, item in items.items():
            if widget in widths:
                item.setGeometry(QRect(x, inner.y(), widths[widget], inner.height()))
                x += widths[widget] + self.spacing()
            else:
                item.setGeometry(QRect(-10 * rect.width(), inner.y(), item.sizeHint().width(), inner.height()))   # out of sight, not hidden: that says what there is to tell

    def widths(self, widgets: list[QWidget], room: int) -> dict[QWidget, int]:
        """How wide each is in so much room; without those that have no place."""
        room += self.spacing()
        items = {widget: self.itemAt(self.indexOf(widget)) for widget in widgets}
        ranked, widths = sorted(widgets, key=self._ranks.__getitem__), {}
        for widget in ranked:
            least = (items[widget].minimumSize() if widget in self._cut else items[widget].sizeHint()).width() + self.spacing()
            if least <= room:
                widths[widget], room = least - self.spacing(), room - least
        for widget in ranked:
            if widget in widths:
                more = min(max(0, items[widget].sizeHint().width() - widths[widget]), room)
                widths[widget], room = widths[widget] + more, room - more
        if self._grows in widths:
            widths[self._grows] += room
        return widths
