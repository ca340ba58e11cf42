"""Effective inertia while a joint moves, and a muscle's curves with the point at which it works."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QComboBox, QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.context import AppContext
from app.panels.diagnostics.query_panel import text_label
from app.panels.servos.curves_plot import CurvesPlot, Line
from app.panels.servos.study import Muscle
from physics.model.elements import Element
from physics.tuning.servos.axis import InertiaCurve

POINTS = 160


class InertiaPart(QWidget):
    """Signal: joint_chosen(number) the joint that goes through its range."""

    joint_chosen = pyqtSignal(int)

    def __init__(self, context: AppContext):
        super().__init__()
        self.joint = QComboBox()
        self.joint.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.joint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.plot = CurvesPlot(context, 8, "position")
        self._joints: tuple[Element, ...] = ()
        grid = QGridLayout(self)
        grid.setContentsMargins(4, 0, 4, 2)
        grid.addWidget(QLabel("while this joint moves"), 0, 0)
        grid.addWidget(self.joint, 0, 1)
        grid.addWidget(self.plot, 1, 0, 1, 2)
        grid.addWidget(QLabel("full: all else held, dashed: all else free"), 2, 0, 1, 2)
        grid.setColumnStretch(1, 1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.joint.activated.connect(lambda k: self.joint_chosen.emit(self._joints[k].id))

    def show_joints(self, joints: Sequence[Element], chosen: int) -> None:
        """Which there are, and the one that moves."""
        if tuple(joints) != self._joints:
            self._joints = tuple(joints)
            self.joint.clear()
            self.joint.addItems([what.name or f"joint {what.id}" for what in joints])
        self.joint.setCurrentIndex(next((k for k, what in enumerate(joints) if what.id == chosen), -1))

    def show_curve(self, curve: InertiaCurve | None, here: float, unit: str, inertia_unit: str) -> None:
        """here: position of that joint now."""
        if curve is None:
            self.plot.show_lines(())
            return
        point = (here, float(np.interp(here, curve.position, curve.locked)))
        self.plot.show_lines([Line(curve.position, curve.locked, 0), Line(curve.position, curve.free, 0, True)], f"inertia [{inertia_unit}]", f"position [{unit}]", point)


class MusclePart(QWidget):
    """Force-length and force-velocity curves, and where the muscle is on them."""

    def __init__(self, context: AppContext):
        super().__init__()
        self.length, self.velocity = CurvesPlot(context, 9, "length [optimal lengths]"), CurvesPlot(context, 8, "velocity [fastest shortening]")
        self.told = text_label()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for part in (self.length, self.velocity, self.told):
            layout.addWidget(part)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)

    def show_muscle(self, muscle: Muscle | None) -> None:
        """The curves; None: it is none."""
        if muscle is None:
            return
        c, p = muscle.curves, muscle.point
        x = np.linspace(min(c.lmin, p.length) - 0.1, max(c.lmax, p.length) + 0.1, POINTS)
        v = np.linspace(-1.2, 1.2, POINTS)
        at = float(c.active_at(p.length))
        self.length.show_lines([Line(x, c.active_length(x), 0), Line(x, c.passive(x), 1, True)], "share", point=(p.length, at))
        self.velocity.show_lines([Line(v, c.active_velocity(v), 0)], "share", point=(p.velocity, float(c.velocity_at(p.velocity))))
        self.told.setText(f"Full: active force over length, dashed: passive. At length {p.length:.3g}, velocity {p.velocity:.3g}, activation {p.activation:.3g}: "
                          f"active share {p.active:.3g}, passive {p.passive:.3g}, force {p.force + 0.0:.4g} N of a peak of {c.peak:.4g} N.")
