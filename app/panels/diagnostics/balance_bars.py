"""Forces at degrees of freedom as stacked bars: what pushes one way to the right of the middle, what pushes the other way to the left.

Both are equally long when the sum is zero.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from PyQt6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPalette, QPen
from PyQt6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.panels.diagnostics.fitted_tree import number_text
from physics.diagnostics.torque_balance import GROUPS, TorqueBalance

# of each group; in the middle between black and white, to be seen on light and dark
COLOURS: Mapping[str, str] = MappingProxyType({
    "actuator": "#3d8fd6", "spring": "#2fa06a", "damper": "#7fb83a", "gravity compensation": "#17a2a2", "fluid": "#5cc4d8", "adhesion": "#b9a14a", "user": "#6d7fd8",
    "applied": "#e07b28", "gravity": "#9b5fc9", "Coriolis": "#cf6fb5", "equality": "#c94f4f", "friction loss": "#a5754a", "limit": "#8f2f45", "contact": "#d9b11f",
    "inertia": "#87909b", "implicit": "#5d6570", "solver": "#d9a6a0",
})
ROUNDING = 1e-12    # of the largest part of a dof: less is nothing
AIR = 4         # logical pixels between a bar and what stands above and below
SIDES = "To the right: forces along the positive direction of the degree of freedom.\nTo the left: against it. All parts add up to zero."
DARK = 105      # lightness of a colour on which texts are white
SEEN = 1.0      # logical pixels: what is shorter is not drawn


@dataclass(frozen=True, slots=True)
class Bar:
    """One dof: its name, unit, what each group adds up to (in the order of GROUPS, what is zero to rounding left out), the sum over all and the largest part."""

    name: str
    unit: str
    groups: tuple[tuple[str, float], ...]
    sum: float
    largest: float
    asleep: bool

    @property
    def reach(self) -> float:
        """How long the longer side is [N, N m]."""
        return max(sum(value for _g, value in self.groups if value > 0.0), -sum(value for _g, value in self.groups if value < 0.0))

    @property
    def said(self) -> str:
        """The sum in words."""
        if self.asleep:
            return "asleep"
        return f"sum {sum_text(self.sum)} {self.unit}"


def sum_text(value: float) -> str:
    """A sum that is zero but for rounding."""
    return f"{value:.1e}" if value else "0"


def bars_of(balance: TorqueBalance) -> tuple[Bar, ...]:
    """A bar for each dof of a balance; where all are of one joint its name is left out."""
    joints, parts = zip(*(name.rpartition(", ")[::2] for name in balance.names), strict=True) if balance.names else ((), ())
    names = parts if len(set(joints)) == 1 and joints[0] else balance.names
    totals = {group: balance.group(group) for group in GROUPS}
    sums, largest = balance.sum, balance.largest
    out = []
    for k, (name, unit) in enumerate(zip(names, balance.units, strict=True)):
        groups = tuple((group, float(values[k])) for group, values in totals.items() if abs(values[k]) > ROUNDING * largest[k])
        out.append(Bar(name, unit, groups, float(sums[k]), float(largest[k]), bool(balance.asleep[k])))
    return tuple(out)


class BalanceBars(QWidget):
    """show_bars() shows them, one below the other. A click, or up and down, choose one. Signals: chosen(number of the bar); group_chosen(group) a part was clicked."""

    chosen = pyqtSignal(int)
    group_chosen = pyqtSignal(str)

    def __init__(self):
        super().__init__()
        self.bars: tuple[Bar, ...] = ()
        self.current = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_bars(self, bars: tuple[Bar, ...], first: int = 0) -> None:
        """Draw these; where they are other ones than before, number `first` is the chosen one."""
        if bars != self.bars:
            others = [bar.name for bar in bars] != [bar.name for bar in self.bars]
            self.bars = bars
            if others:
                self.current = min(first, max(0, len(bars) - 1))
                self.updateGeometry()
            self.update()

    def choose(self, number: int) -> None:
        """This bar is the one whose parts are listed."""
        if 0 <= number < len(self.bars) and number != self.current:
            self.current = number
            self.update()
            self.chosen.emit(number)

    def sizeHint(self) -> QSize:
        return QSize(12 * self.fontMetrics().height(), max(1, len(self.bars)) * self._row_height() + AIR)

    def _row_height(self) -> int:
        return 2 * self.fontMetrics().height() + 3 * AIR

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()

    # ------------------------------------------------------------------ drawing

    def pieces(self, number: int) -> list[tuple[str, float, QRectF]]:
        """(group, value, where it is drawn) of the parts of a bar."""
        bar, line = self.bars[number], self.fontMetrics().height()
        top = number * self._row_height() + AIR + line + 2
        half, middle = 0.5 * self.width() - AIR, 0.5 * self.width()
        reach = bar.reach
        right = left = middle
        out = []
        for group, value in bar.groups:
            wide = half * abs(value) / reach if reach > 0.0 else 0.0
            if value > 0.0:
                out.append((group, value, QRectF(right, top, wide, line)))
                right += wide
            else:
                left -= wide
                out.append((group, value, QRectF(left, top, wide, line)))
        return out

    def paintEvent(self, _event) -> None:
        painter = QPainter(self)
        palette, metrics, line = self.palette(), self.fontMetrics(), self.fontMetrics().height()
        text, dim = palette.color(QPalette.ColorRole.Text), palette.color(QPalette.ColorRole.PlaceholderText)
        for k, bar in enumerate(self.bars):
            top = k * self._row_height()
            if k == self.current and len(self.bars) > 1:
                shade = palette.color(QPalette.ColorRole.Highlight)
                shade.setAlpha(50)
                painter.fillRect(QRectF(0, top, self.width(), self._row_height()), shade)
            said, short = f"± {number_text(bar.reach)} {bar.unit},  {bar.said}", f"± {number_text(bar.reach)} {bar.unit}"
            if bar.asleep:
                said = bar.said
            elif metrics.horizontalAdvance(said) + metrics.horizontalAdvance(bar.name) + 4 * AIR > self.width():
                said = short    # the sum is in the table too
            room = metrics.horizontalAdvance(said) + 2 * AIR
            painter.setPen(text)
            title = metrics.elidedText(bar.name, Qt.TextElideMode.ElideMiddle, max(0, self.width() - room - 2 * AIR))
            painter.drawText(QRectF(AIR, top + AIR, self.width() - room, line), Qt.AlignmentFlag.AlignVCenter, title)
            painter.setPen(dim)
            painter.drawText(QRectF(self.width() - room, top + AIR, room - AIR, line), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, said)
            for group, value, place in self.pieces(k):
                self._piece(painter, group, value, place)
            painter.setPen(QPen(text, 1.0))
            middle = int(0.5 * self.width())
            painter.drawLine(middle, top + AIR + line, middle, top + AIR + 2 * line + 4)
        painter.end()

    def _piece(self, painter: QPainter, group: str, value: float, place: QRectF) -> None:
        if place.width() < SEEN:
            return
        painter.fillRect(place.adjusted(0.5, 0, -0.5, 0) if place.width() > 3 else place, QColor(COLOURS[group]))
        said = number_text(value)
        if self.fontMetrics().horizontalAdvance(said) + 2 * AIR < place.width():
            painter.setPen(QColor("#000000" if QColor(COLOURS[group]).lightness() > DARK else "#ffffff"))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, said)

    # ------------------------------------------------------------------ what the user does

    def _at(self, point: QPoint) -> tuple[int, str, float]:
        """(bar, group, value) at a point; -1 and '' where there is none."""
        number = int(point.y() // self._row_height())
        if not 0 <= number < len(self.bars):
            return -1, "", 0.0
        for group, value, place in self.pieces(number):
            if place.contains(point.toPointF()):
                return number, group, value
        return number, "", 0.0

    def mousePressEvent(self, event: QMouseEvent) -> None:
        number, group, _value = self._at(event.position().toPoint())
        if number >= 0:
            self.choose(number)
        if group:
            self.group_chosen.emit(group)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.key() in steps:
            self.choose(min(max(self.current + steps[event.key()], 0), len(self.bars) - 1))
            return
        super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            number, group, value = self._at(event.pos())
            if group:
                QToolTip.showText(event.globalPos(), f"{group}: {number_text(value)} {self.bars[number].unit}\n{GROUPS[group]}", self)
            elif number >= 0:
                QToolTip.showText(event.globalPos(), SIDES, self)
            return True
        return super().event(event)
