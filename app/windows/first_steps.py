"""The card of first steps: six gestures over the view, put away by one click, and then for ever. Help > First steps brings it back."""
from PyQt6.QtCore import QEvent, QObject, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QMouseEvent, QPainter, QPalette, QPen
from PyQt6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

STEPS = (   # what, how, the part of the mouse that is lit ('' for a key), the key
    ("Look around", "drag with the left button", "left", ""), ("Move the view", "drag with the right button", "right", ""), ("Come closer", "turn the wheel", "wheel", ""),
    ("Select", "click on something", "left", ""), ("Pull", "Ctrl and drag the selected with the right button", "right", "Ctrl"), ("Run and pause", "the space bar", "", "Space"))
COLUMNS, MARGIN = (3, 2, 1), 16     # as many columns as there is room for
LEAST_TEXT, BRIEF_TEXT = 20, 14     # characters in one line of a step's text, and where it says only what, not how: without room for two columns of the first
ICON = QSize(44, 40)


class Gesture(QWidget):
    """A mouse with one part lit, or a key of the keyboard."""

    def __init__(self, lit: str, key: str):
        super().__init__()
        self._lit, self._key = lit, key
        self.setFixedSize(ICON)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, _event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink, accent = self.palette().color(QPalette.ColorRole.WindowText), self.palette().color(QPalette.ColorRole.Highlight)
        if self._lit:
            self._mouse(painter, ink, accent, 24.0 if self._key else 11.0)
        if self._key:
            self._cap(painter, ink, accent, QRectF(0, 10, 22, 18) if self._lit else QRectF(2, 10, 40, 20))
        painter.end()

    def _mouse(self, painter: QPainter, ink: QColor, accent: QColor, x: float) -> None:
        body, wheel = QRectF(x, 2, 20 if self._key else 22, 34), QRectF(x + 8, 6, 5, 10)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        half = body.width() / 2
        painter.save()
        painter.setClipRect(QRectF(body.left() + (half if self._lit == "right" else 0), 2, half, 14))
        if self._lit != "wheel":
            painter.drawRoundedRect(body, 10, 10)
        painter.restore()
        painter.setPen(QPen(ink, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(body, 10, 10)
        painter.drawLine(round(body.left()), 16, round(body.right()), 16)
        painter.setBrush(accent if self._lit == "wheel" else self.palette().color(QPalette.ColorRole.Window))
        wheel.moveLeft(body.center().x() - wheel.width() / 2)
        painter.drawRoundedRect(wheel, 2, 2)

    def _cap(self, painter: QPainter, ink: QColor, accent: QColor, area: QRectF) -> None:
        painter.setPen(QPen(ink if self._lit else accent, 1.5))
        painter.drawRoundedRect(area, 3, 3)
        font = painter.font()
        font.setPixelSize(9 if self._lit else 11)
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter), self._key)


class FirstSteps(QFrame):
    """Lies over the lower part of the view. Signal: put_away() when it was clicked."""

    put_away = pyqtSignal()

    def __init__(self, view: QWidget):
        super().__init__(view)
        self._view = view
        self.setAutoFillBackground(True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip("Click to put this away. Help > First steps brings it back")
        self._steps: list[tuple[Gesture, QLabel]] = []
        for _what, _how, lit, key in STEPS:
            self._steps.append((Gesture(lit, key), QLabel()))
            self._steps[-1][1].setWordWrap(True)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(14)
        self._grid.setVerticalSpacing(10)
        self._columns, self._brief = 0, False
        foot = QLabel("Ctrl+Shift+P finds everything else. A click on this card puts it away.")
        foot.setForegroundRole(foot.palette().ColorRole.PlaceholderText)
        foot.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(MARGIN, 12, MARGIN, 10)
        layout.addLayout(self._grid)
        layout.addWidget(foot)
        self._arrange(COLUMNS[0], brief=False)
        for label in self.findChildren(QLabel):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        view.installEventFilter(self)
        self.hide()

    def show_up(self) -> None:
        """Show the card."""
        self._place()
        self.show()
        self.raise_()

    def _arrange(self, columns: int, brief: bool) -> None:
        if (columns, brief) == (self._columns, self._brief):
            return
        self._columns, self._brief = columns, brief
        for i, ((gesture, text), (what, how, *_)) in enumerate(zip(self._steps, STEPS, strict=True)):
            row, column = divmod(i, columns)
            text.setText(f"<b>{what}</b>" if brief else f"<b>{what}</b><br>{how}")
            text.setMinimumWidth(self._wide(BRIEF_TEXT if brief else LEAST_TEXT))
            self._grid.addWidget(gesture, row, 2 * column)
            self._grid.addWidget(text, row, 2 * column + 1)
        for column in range(2 * COLUMNS[0]):
            self._grid.setColumnStretch(column, column % 2 if column < 2 * columns else 0)

    def _wide(self, characters: int) -> int:
        return characters * self.fontMetrics().averageCharWidth()

    def _column(self, characters: int) -> int:
        return ICON.width() + self._wide(characters) + 2 * self._grid.horizontalSpacing()

    def _place(self) -> None:
        room = self._view.width() - 4 * MARGIN
        brief = room < 2 * self._column(LEAST_TEXT)
        one = self._column(BRIEF_TEXT if brief else LEAST_TEXT)
        self._arrange(next((columns for columns in COLUMNS if columns * one <= room), COLUMNS[-1]), brief)
        width = min(self.sizeHint().width() + 140, self._view.width() - 2 * MARGIN)
        height = self.heightForWidth(width) if self.hasHeightForWidth() else self.sizeHint().height()
        height = min(max(height, self.minimumSizeHint().height()), self._view.height() - 2 * MARGIN)
        self.setGeometry((self._view.width() - width) // 2, self._view.height() - height - MARGIN, width, height)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.hide()
        self.put_away.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._view and event.type() == QEvent.Type.Resize:
            self._place()
        return False
