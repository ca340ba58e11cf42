"""A dock whose title is written in the window's font, and that comes to the front when it is asked to.

Qt's own writes the title in the size that texts had when the program began, and stays behind its neighbours where it lies above them in the order
of widgets already.
"""
from PyQt6.QtCore import pyqtSignal
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QDockWidget, QStyle, QStyleOptionDockWidget, QStyleOptionFrame, QStylePainter


class Dock(QDockWidget):
    """As QDockWidget. Signal: resized()."""

    resized = pyqtSignal()

    def raise_(self) -> None:
        if not self.isFloating():
            self.lower()    # what lies on top already would not be told to come
        super().raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def paintEvent(self, _event) -> None:
        painter = QStylePainter(self)
        if self.isFloating():
            frame = QStyleOptionFrame()
            frame.initFrom(self)
            painter.drawPrimitive(QStyle.PrimitiveElement.PE_FrameDockWidget, frame)
        title = QStyleOptionDockWidget()
        self.initStyleOption(title)
        painter.setFont(self.font())
        painter.drawControl(QStyle.ControlElement.CE_DockWidgetTitle, title)
        painter.end()
