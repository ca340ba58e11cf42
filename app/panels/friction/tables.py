"""The tables of the Friction panel: coefficients, how the contact slips, and the sets that are compared."""
from __future__ import annotations

from collections.abc import Sequence
from math import degrees, isfinite, isnan

import numpy as np
from PyQt6.QtCore import QEvent, Qt, pyqtSignal
from PyQt6.QtGui import QResizeEvent

from app.panels.diagnostics.fitted_tree import FittedTree, put
from app.panels.friction.answer import Coefficient
from physics.tuning.friction_compare import Slipping
from physics.tuning.parameter_set import MOST, ParameterSet
from physics.tuning.slip import Creep, Slip

NONE, APART = "–", "leaves"
NAME, VALUE, SOURCE = range(3)
NOW, LATELY = 1, 2
SPEED, SHARE, CONE, MOTION = 1, 2, 3, 4
BOX = 28        # logical pixels of a box to tick, with what is beside it
CHECKED = 3     # sets that are companions where nobody has chosen


def speed_text(value: float) -> str:
    """A speed in the unit in which it is read best."""
    size = abs(value)
    if not isfinite(value):
        return NONE
    return f"{value:.3g} m/s" if size >= 0.5 else f"{1e3 * value:.3g} mm/s" if size >= 1e-4 else f"{1e6 * value:.3g} µm/s"


def force_text(value: float) -> str:
    """A force [N]."""
    return f"{value:.4g} N" if isfinite(value) else NONE


def share_text(value: float) -> str:
    """A share, or NONE."""
    return f"{value:.0%}" if isfinite(value) else NONE


class _Table(FittedTree):
    """Columns of numbers as wide as their longest text."""

    longest: tuple[tuple[int, str], ...] = ()

    def _dress(self) -> None:
        self.setRootIsDecorated(False)
        self.setSelectionMode(self.SelectionMode.NoSelection)
        for column, _text in self.longest:
            self.headerItem().setTextAlignment(column, Qt.AlignmentFlag.AlignRight)
        self._suit_columns()

    def right(self, item) -> None:
        """Numbers of a row stand at the right."""
        for column, _text in self.longest:
            item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._suit_columns()

    def _suit_columns(self) -> None:
        for column, longest in self.longest:
            self.header().resizeSection(column, self.fontMetrics().horizontalAdvance(longest) + 12)

    def text(self, name: str, column: int) -> str:
        """What stands in the row of that name. Raises StopIteration where there is none."""
        return next(self.topLevelItem(k).text(column) for k in range(self.topLevelItemCount()) if self.topLevelItem(k).text(NAME) == name)


class CoefficientTable(_Table):
    """What is in force, and who says so."""

    longest = ((VALUE, "pyramidal00"),)

    def __init__(self):
        super().__init__(("", "Value", "From"), SOURCE)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.header().resizeSection(NAME, self.fontMetrics().horizontalAdvance("noslip_iterations") + 24)
        self._dress()

    def show_coefficients(self, found: Sequence[Coefficient]) -> None:
        """Show these."""
        while self.topLevelItemCount() > len(found):
            self.takeTopLevelItem(self.topLevelItemCount() - 1)
        while self.topLevelItemCount() < len(found):
            self.right(self.add(None, ["", "", ""]))
        for k, one in enumerate(found):
            for column, text in enumerate((one.name, one.value, one.source)):
                put(self.topLevelItem(k), column, text, one.why)
        self.fit()


# row, tip
ROWS = (("slip speed", "Of one geom against the other along the surface. Last second: the largest"),
        ("drift", "Speed of the mean motion: rocking to and fro does not count. What friction should hold creeps by it"),
        ("normal force", "Of all contacts of the two geoms"), ("friction", "Along the surface"),
        ("cone in use", "Friction over the most that the cone allows: at 100 % it slides"),
        ("motion", "Sticks, creeps within the cone, slides on its side, or sticks and slips by turns"))


class SlipTable(_Table):
    """How the contact slips now, and has slipped lately."""

    longest = ((NOW, "-0.0000 mm/s"),)

    def __init__(self):
        super().__init__(("", "Now", "Last second"), LATELY)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.header().resizeSection(NAME, self.fontMetrics().horizontalAdvance("normal force") + 24)
        for name, tip in ROWS:
            self.right(self.add(None, [name, NONE, NONE], tip))
        self._dress()
        self.fit()

    def show_slip(self, slip: Slip | None, creep: Creep | None) -> None:
        """Show these; None: nothing touches, nothing is known."""
        now = (NONE,) * len(ROWS)
        if slip is not None:
            held = NONE if not isfinite(slip.share) else "no friction" if slip.condim == 1 else "slides" if slip.share >= 0.99 else "held"
            now = (speed_text(slip.speed), NONE, force_text(slip.normal), force_text(float(np.linalg.norm(slip.friction))), share_text(slip.share), held)
        lately = (NONE,) * len(ROWS)
        if creep is not None:
            lately = (speed_text(creep.fastest), speed_text(creep.speed), NONE, NONE, share_text(creep.share), creep.text)
        for k, texts in enumerate(zip(now, lately, strict=True)):
            for column, text in zip((NOW, LATELY), texts, strict=True):
                put(self.topLevelItem(k), column, text, f"{text}\n{ROWS[k][1]}")


class SetTable(_Table):
    """The sets that are compared, with a box for those that are started as companions. Signal: chosen_changed()."""

    chosen_changed = pyqtSignal()
    longest = ((SPEED, "-000.0 mm/s"), (SHARE, "0000 %"), (CONE, "0000 %"))

    def __init__(self):
        super().__init__(("", "Slip speed", "Share", "Cone", ""), NAME)
        for column, tip in ((NAME, "Ticked: to be started as companions"), (SPEED, "Mean speed of slipping down the slope"), (SHARE, "Of the slip speed of the model as it is"),
                            (CONE, "Share of the cone in use"), (MOTION, "Whether it sticks and slips by turns")):
            self.headerItem().setToolTip(column, tip)
        self.header().resizeSection(MOTION, self.fontMetrics().horizontalAdvance("×00") + 12)
        self.outline_checks()
        self._labels: tuple[str, ...] = ()
        self._filling = False
        self._dress()
        self.itemChanged.connect(self._item_changed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where names would be cut, shares and what sticks stand in the tips alone."""
        super().resizeEvent(event)
        metrics = self.fontMetrics()
        figures = sum(metrics.horizontalAdvance(text) + 12 for _column, text in (*self.longest, (MOTION, "×00")))
        narrow = self.width() - figures < metrics.horizontalAdvance("pyramidal cone") + BOX
        for column in (SHARE, MOTION):
            self.setColumnHidden(column, narrow)

    def show_sets(self, sets: Sequence[ParameterSet]) -> None:
        """Which there are; figures of others are forgotten."""
        labels = tuple(one.label for one in sets)
        if labels == self._labels:
            return
        self._labels, self._filling = labels, True
        self.clear()
        for k, label in enumerate(labels):
            item = self.add(None, [label, NONE, NONE, NONE, ""])
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(NAME, Qt.CheckState.Checked if 0 < k <= CHECKED else Qt.CheckState.Unchecked)
            self.right(item)
        self._filling = False
        self.fit()
        self.chosen_changed.emit()

    def forget(self) -> None:
        """No figures."""
        self._filling = True
        for k in range(self.topLevelItemCount()):
            for column, text in ((SPEED, NONE), (SHARE, NONE), (CONE, NONE), (MOTION, "")):
                put(self.topLevelItem(k), column, text, "")
        self._filling = False

    def show_slipping(self, found: Slipping) -> None:
        """Figures of a set."""
        if found.set.label not in self._labels:
            return
        item, drift = self.topLevelItem(self._labels.index(found.set.label)), found.drift
        self._filling = True
        for column, text in ((SPEED, APART if isnan(drift.speed) else speed_text(drift.speed)), (SHARE, share_text(found.share)), (CONE, share_text(drift.share)),
                             (MOTION, f"×{drift.changes // 2}" if drift.changes > 2 else "")):
            put(item, column, text, f"On a slope of {degrees(drift.angle):.3g}°: {drift.text.partition(': ')[2]}")
        self._filling = False

    @property
    def chosen(self) -> tuple[str, ...]:
        """Labels of the ticked ones."""
        return tuple(label for k, label in enumerate(self._labels) if self.topLevelItem(k).checkState(NAME) == Qt.CheckState.Checked)

    def _item_changed(self, item, column: int) -> None:
        if self._filling or column != NAME:
            return
        if len(self.chosen) > MOST:         # as many as a run can have
            self._filling = True
            item.setCheckState(NAME, Qt.CheckState.Unchecked)
            self._filling = False
        self.chosen_changed.emit()
