"""What goes on at a contact now, as rows: depth, velocities, forces, how hard it pushes, the mass that it feels, its island."""
from __future__ import annotations

from collections.abc import Callable
from math import isinf, isnan
from typing import NamedTuple

from app.panels.diagnostics.cone_plot import said_share
from app.panels.diagnostics.fitted_tree import number_text, numbers_text
from app.panels.diagnostics.values_tree import MASS, ValuesTree
from physics.diagnostics.contact_state import AXES, ContactState

OF_MASS = "Row of the effective mass: force along this axis for an acceleration of 1 along each axis [kg, kg m, kg m²]"


class Row(NamedTuple):
    """name; meaning; its text, '' where the contact has none of it."""

    name: str
    doc: str
    text: Callable[[ContactState], str]


def _with_unit(value: float, unit: str) -> str:
    return "" if isnan(value) else "infinite" if isinf(value) else f"{number_text(value)} {unit}".rstrip()


def _axes(values, unit: str) -> str:
    return f"{numbers_text(values)}\u00a0{unit}"      # a line that wraps does not part them


def _slip(state: ContactState) -> str:
    return _axes(state.velocity[1:3], "m/s") if state.condim > 1 else ""


def _turning(state: ContactState) -> str:
    return _axes(state.velocity[3:state.condim], "rad/s") if state.condim > 3 else ""


def _torques(state: ContactState) -> str:
    return _axes(state.force[3:state.condim], "N m") if state.condim > 3 else ""


ROWS = (
    Row("without rows", "Why the contact has no constraint rows", lambda s: s.state),
    Row("depth", "How far beyond the margin the two are: margin - dist; it pushes while this is above 0", lambda s: _with_unit(s.depth, "m")),
    Row("dist", "contact_dist: below 0 inside each other", lambda s: _with_unit(s.dist, "m")),
    Row("pos", "contact_pos: in the world", lambda s: _axes(s.pos, "m")),
    Row("normal", "contact_frame: from the first geom to the second, in the world", lambda s: numbers_text(s.frame[0])),
    Row("normal velocity", "Of the second geom's body against the first one's, along the normal: above 0 they part", lambda s: _with_unit(s.velocity[0], "m/s")),
    Row("slip", "Velocity along both tangents, with what the surfaces move by themselves (surfacevel)", _slip),
    Row("spin, roll", "Angular velocity about the normal, and about both tangents", _turning),
    Row("normal force", "On the second geom along the normal; below 0 where the contact sticks and is pulled", lambda s: _with_unit(s.force[0], "N")),
    Row("friction force", "Its length, along both tangents together", lambda s: _with_unit(s.friction_force, "N") if s.condim > 1 else ""),
    Row("cone", "Share of the friction cone that the force uses", lambda s: said_share(s.cone) if s.condim > 1 and s.rows[0] >= 0 else ""),
    Row("torques", "About the normal, and about both tangents", _torques),
    Row("time constant", "Of the motion that the normal row asks for at this depth: 2 / (impedance B)", lambda s: _with_unit(s.stiffness.timeconst, "s")),
    Row("damping ratio", "Of the same motion: B / (2 sqrt K)", lambda s: _with_unit(s.stiffness.dampratio, "")),
    Row("impedance", "At this depth, from solimp: share of the acceleration that the constraint decides", lambda s: _with_unit(s.stiffness.impedance, "")),
    Row("K", "Stiffness of the reference acceleration, after all clamps", lambda s: _with_unit(s.stiffness.K, "1/s²")),
    Row("B", "Damping of the reference acceleration, after all clamps", lambda s: _with_unit(s.stiffness.B, "1/s")),
    Row("R", "Regularisation of the first row: larger is softer", lambda s: _with_unit(s.stiffness.R, "1/kg")),
    Row(MASS, "1 / (J M⁻¹ J') along the normal while the other axes are free; the matrix below is the inverse for all axes together", lambda s: _with_unit(s.normal_mass, "kg")),
    Row("assumed mass", "What R was made for: from the bodies' inverse weights in the initial pose (body_invweight0)", lambda s: _with_unit(s.assumed_mass, "kg")),
    Row("island", "Island that the contact is solved in; '-': none", lambda s: str(s.island) if s.island >= 0 else "-"),
)


class ContactValues(ValuesTree):
    """A row for each of ROWS; the effective mass opens to a matrix."""

    def __init__(self):
        super().__init__([(row.name, row.doc) for row in ROWS], "normal velocity")

    def show_state(self, state: ContactState) -> None:
        """Show this state."""
        for row in ROWS:
            text = row.text(state)
            self.show_value(row.name, text, text)
        self.show_matrix(MASS, AXES[:state.condim], state.effective_mass[:state.condim], OF_MASS)
        self.fit()
