"""One value axis for each unit of a chart: the first on the left, further ones on the right."""
from __future__ import annotations

import pyqtgraph as pg

LEFT_COLUMN, FIRST_RIGHT = 0, 3     # of pyqtgraph's layout of a plot


class UnitAxes:
    """Value axes of a plot. box(unit): where curves of that unit are drawn."""

    def __init__(self, plot: pg.PlotItem):
        self._plot, self._boxes, self._axes = plot, {}, {}
        plot.getViewBox().sigResized.connect(self._fit)

    @property
    def units(self) -> tuple[str, ...]:
        """Units in the order of their axes."""
        return tuple(self._boxes)

    @property
    def boxes(self) -> tuple[pg.ViewBox, ...]:
        """The boxes, that of the plot first."""
        return tuple(self._boxes.values())

    def box(self, unit: str) -> pg.ViewBox:
        """The box for a unit, with an axis of its own where it is a new one."""
        if unit not in self._boxes:
            self._boxes[unit] = self._plot.getViewBox() if not self._boxes else self._further()
            self._axes[unit] = self._plot.getAxis("left") if len(self._boxes) == 1 else self._axis(self._boxes[unit])
            self._axes[unit].setStyle(autoReduceTextSpace=False)    # else the chart jumps as its numbers get longer and shorter
            self._label(unit)
            self._fit()
        return self._boxes[unit]

    def _further(self) -> pg.ViewBox:
        box = pg.ViewBox(enableMenu=False)
        box.setMouseEnabled(x=False, y=False)      # the mouse moves the plot's own
        self._plot.scene().addItem(box)
        box.setXLink(self._plot)
        box.enableAutoRange(axis=pg.ViewBox.YAxis)
        box.setAutoVisible(y=True)
        return box

    def _axis(self, box: pg.ViewBox) -> pg.AxisItem:
        axis = pg.AxisItem("right")
        own = self._plot.getAxis("left")
        axis.setTextPen(own.textPen())
        axis.setTickFont(own.style["tickFont"])
        axis.linkToView(box)
        self._plot.layout.addItem(axis, 2, FIRST_RIGHT + len(self._boxes))
        return axis

    def _label(self, unit: str) -> None:
        self._axes[unit].enableAutoSIPrefix(False)     # 'J (x0.001)'
        self._axes[unit].setLabel(unit or None)

    @property
    def left_width(self) -> float:
        """What the axis on the left needs [logical pixels]."""
        axis = self._plot.getAxis("left")
        axis.setWidth(None)
        return axis.width()

    @property
    def right_width(self) -> float:
        """What the axes on the right need together."""
        return sum(axis.width() for axis in list(self._axes.values())[1:])

    def leave_room(self, left: float, right: float) -> None:
        """Take so much room at the sides, so that charts above each other have their times above each other."""
        self._plot.getAxis("left").setWidth(left)
        self._plot.layout.setContentsMargins(0, 0, max(0.0, right - self.right_width), 0)

    def _fit(self) -> None:
        main = self._plot.getViewBox()
        for box in self.boxes[1:]:
            box.setGeometry(main.sceneBoundingRect())
            box.linkedViewChanged(main, box.XAxis)

    def clear(self) -> None:
        """Only the plot's own box, without a unit."""
        for unit, box in list(self._boxes.items())[1:]:
            self._plot.layout.removeItem(self._axes[unit])
            for item in (self._axes[unit], box):
                self._plot.scene().removeItem(item)
        self._boxes, self._axes = {}, {}
        self._plot.getAxis("left").setLabel(None)

    def suit(self, font, pen) -> None:
        """Texts of all axes."""
        for axis in (*self._axes.values(), self._plot.getAxis("left"), self._plot.getAxis("bottom")):
            axis.setTickFont(font)
            axis.setTextPen(pen)
