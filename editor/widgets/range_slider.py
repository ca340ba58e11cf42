"""A slider that shows the range it stands for: limits as ticks, what lies between them shaded, what lies past them red."""
from PyQt6.QtCore import QRectF, Qt
from PyQt6.QtGui import QColor, QPainter
from PyQt6.QtWidgets import QSlider, QStyle, QStyleOptionSlider

GROOVE, TICK = 4, 11   # logical pixels: thickness of the groove, height of a tick
PAST = QColor("#d9463c")
SHADE = 0.32           # of the highlight colour, on the allowed range


class RangeSlider(QSlider):
    """Horizontal. `limits` are two slider positions between which the value should stay, or None; `start` is a third with a tick, or None."""

    def __init__(self):
        super().__init__(Qt.Orientation.Horizontal)
        self.limits: tuple[int, int] | None = None
        self.start: int | None = None

    def mark(self, limits: tuple[int, int] | None, start: int | None) -> None:
        """Draw these."""
        if (limits, start) != (self.limits, self.start):
            self.limits, self.start = limits, start
            self.update()

    @property
    def past(self) -> bool:
        """Whether the value lies past a limit."""
        return self.limits is not None and not self.limits[0] <= self.value() <= self.limits[1]

    def x_of(self, position: int) -> float:
        """Where a slider position is in the widget [logical pixels]."""
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        style = self.style()
        groove = style.subControlRect(QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderGroove, self)
        handle = style.subControlRect(QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, self)
        span = max(1, groove.width() - handle.width())
        return groove.x() + handle.width() / 2 + QStyle.sliderPositionFromValue(self.minimum(), self.maximum(), position, span)

    def paintEvent(self, _event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_groove(painter)
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        option.subControls = QStyle.SubControl.SC_SliderHandle
        self.style().drawComplexControl(QStyle.ComplexControl.CC_Slider, option, painter, self)
        if self.past:
            handle = self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, self)
            painter.setBrush(PAST)
            painter.drawRoundedRect(QRectF(handle).adjusted(3, 3, -3, -3), 2, 2)
        painter.end()

    def _paint_groove(self, painter: QPainter) -> None:
        left, right, middle = self.x_of(self.minimum()), self.x_of(self.maximum()), self.height() / 2
        palette = self.palette()

        def bar(from_x: float, to_x: float, colour: QColor) -> None:
            painter.setBrush(colour)
            painter.drawRoundedRect(QRectF(from_x, middle - GROOVE / 2, max(0.0, to_x - from_x), GROOVE), GROOVE / 2, GROOVE / 2)

        painter.setPen(Qt.PenStyle.NoPen)
        groove = QColor(palette.windowText().color())
        groove.setAlphaF(0.28 if self.isEnabled() else 0.15)
        bar(left, right, groove)
        if self.limits is not None:
            low, high = (self.x_of(limit) for limit in self.limits)
            red = QColor(PAST)
            red.setAlphaF(0.85 if self.past else 0.35)
            bar(left, low, red)
            bar(high, right, red)
            shade = QColor(palette.highlight().color())
            shade.setAlphaF(SHADE if self.isEnabled() else SHADE / 2)
            bar(low, high, shade)
        tick = palette.windowText().color()
        tick.setAlphaF(0.55)
        for position in (*(self.limits or ()), *(() if self.start is None else (self.start,))):
            painter.fillRect(QRectF(self.x_of(position) - 0.75, middle - TICK / 2, 1.5, TICK), tick)
