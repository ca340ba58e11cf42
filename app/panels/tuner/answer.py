"""What the physics thread says of a target: its row now, the values in force and why, and of a contact what its friction does to the normal. No Qt."""
from __future__ import annotations

from dataclasses import dataclass

from physics.diagnostics.constraint_rows import force_unit, position_unit
from physics.model.data import Data
from physics.model.model import Model
from physics.model.elements import CONTACT
from physics.tuning.law import Friction, Parameters, Row
from physics.tuning.mixing import lines, why
from physics.tuning.target import Form, State, Target, attributes_of, contact_friction, read
from physics.tuning.would_be import WouldBe, would_be_row

MOST_DOFS = 200     # of a model whose rows are asked for as they are felt while all others act: steps wait for the answer


@dataclass(frozen=True, slots=True)
class Answer:
    """state: None while no row pushes; parameters: solref and solimp in force; why: sentences on these; friction: of a contact; units: of position and force; time [s];
    expected: the row that two geoms would have where they are nearest, None while they touch."""

    target: Target
    state: State | None
    parameters: Parameters
    why: tuple[str, ...]
    friction: Friction | None
    units: tuple[str, str]
    time: float
    expected: Row | None = None


def answer(m: Model, d: Data, target: Target) -> Answer:
    """Of the present state. d has been computed by a step."""
    state = _state(m, d, target)
    names = attributes_of(target)
    try:
        found = why(m, d, target)
    except ValueError:      # a geom that touches nothing
        parameters = Parameters(*(tuple(getattr(m, f"geom_{name}")[target.element.id].tolist()) for name in ("solref", "solimp")))
        return Answer(target, None, parameters, ("It touches nothing now: these are the geom's own values.",), None, units_of(m, target), float(d.time))
    wanted = tuple(names[name] for name in ("solref", "solimp"))
    parameters = Parameters(*(tuple(map(float, found[name].value)) for name in wanted))
    friction = contact_friction(m, d, state.contacts[0]) if state is not None and state.contacts else None
    expected = _expected(m, d, target) if state is None else None
    row, friction = expected if expected is not None else (None, friction)
    return Answer(target, state, parameters, tuple(lines(found[name] for name in wanted)), friction, units_of(m, target), float(d.time), row)


def _expected(m: Model, d: Data, target: Target) -> WouldBe | None:
    what = target.element
    if target.form != Form.CONTACT or what.kind not in (CONTACT, "pair"):
        return None
    geoms = [geom.id for geom in what.geoms] if what.kind == CONTACT else [int(m.pair_geom1[what.id]), int(m.pair_geom2[what.id])]
    return would_be_row(m, d, *geoms)


def _state(m: Model, d: Data, target: Target) -> State | None:
    if m.nv <= MOST_DOFS:
        try:
            return read(m, d, target, held=True)
        except ValueError:      # as with the integrator `discrete`
            pass
    return read(m, d, target)


def units_of(m: Model, target: Target) -> tuple[str, str]:
    """Units of the distance and the force along the row."""
    if target.form == Form.LIMIT:
        unit = position_unit(m, target.element) or "m"
        return unit, force_unit(m, target.element) or "N"
    return "m", "N"
