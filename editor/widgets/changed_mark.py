"""A dot beside a value that differs from the file, with the file's value and a menu to go back to it."""
from __future__ import annotations

from PyQt6.QtCore import QEvent, QObject, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QContextMenuEvent, QPainter
from PyQt6.QtWidgets import QMenu, QWidget

SIZE, DOT = 8, 5   # logical pixels: of the widget, of the dot


class ChangedMark(QWidget):
    """Takes the same room whether it shows or not. `text` says what the file has; '' while nothing differs.

    Signals: revert() for this value alone, revert_section() for all of the section it stands in.
    """

    revert = pyqtSignal()
    revert_section = pyqtSignal()

    def __init__(self):
        super().__init__()
        self.setFixedWidth(SIZE)
        self.setMinimumHeight(SIZE)
        self.text = ""
        self._covered: list[QWidget] = []

    @property
    def changed(self) -> bool:
        """Whether the value differs from the file."""
        return bool(self.text)

    def show_change(self, text: str) -> None:
        """What the file has, '' where the value is the file's."""
        if text != self.text:
            for widget in self._covered if bool(text) != self.changed else ():      # a filter sees all events of a widget, so it is there only while it is needed
                (widget.installEventFilter if text else widget.removeEventFilter)(self)
            self.text = text
            self.setToolTip(f"file: {text}" if text else "")
            self.update()

    def cover(self, widget: QWidget) -> None:
        """Offer the menu on another widget (the row's label) too, while the value differs."""
        self._covered.append(widget)
        if self.changed:
            widget.installEventFilter(self)

    def menu(self) -> QMenu:
        """What a right-click offers."""
        menu = QMenu(self)
        menu.addAction(f"Revert to {self.text}", self.revert.emit)
        menu.addAction("Revert all in this section", self.revert_section.emit)
        return menu

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take right-clicks of the covered widgets."""
        if event.type() == QEvent.Type.ContextMenu:
            self.contextMenuEvent(event)
            return True
        return False

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.changed:
            menu = self.menu()
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(event.globalPos())

    def paintEvent(self, _event) -> None:
        if not self.changed:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.palette().highlight())
        middle = self.rect().center()
        painter.drawEllipse(QRectF(middle.x() - DOT / 2 + 0.5, middle.y() - DOT / 2 + 0.5, DOT, DOT))
        painter.end()
