"""What the physics thread says of a contact's friction: the coefficients in force and where they come from, how it slips now, and the sets that can be compared. No Qt."""
from __future__ import annotations

from dataclasses import dataclass
from math import atan

from physics.diagnostics.contact_parameters import ContactParameters, Parameter
from physics.enums import CONE_ELLIPTIC
from physics.model.data import Data
from physics.model.model import Model
from physics.tuning.friction import expected_slope
from physics.tuning.friction_compare import friction_sets
from physics.tuning.mixing import lines, why
from physics.tuning.parameter_set import ParameterSet
from physics.tuning.slip import Slip, slip_of
from physics.tuning.target import Target

OPTION = "option"
# name, number of the coefficient, condim from which on it counts
COEFFICIENTS = (("tangent 1", 0, 3), ("tangent 2", 1, 3), ("spin [m]", 2, 4), ("roll 1 [m]", 3, 6), ("roll 2 [m]", 4, 6))


@dataclass(frozen=True, slots=True)
class Wanted:
    """heading [rad] of slopes, from the first tangent; impratio and noslip_iterations that are compared."""

    heading: float = 0.0
    impratio: float = 10.0
    noslip_iterations: int = 10


@dataclass(frozen=True, slots=True)
class Coefficient:
    """name; value as text; source: who says so; why: the rule, in words."""

    name: str
    value: str
    source: str
    why: str


@dataclass(frozen=True, slots=True)
class Answer:
    """slip: None where nothing touches; slope [rad]: at which the cone lets it slip; sets: what can be compared, () where nothing touches; why: sentences on the coefficients."""

    target: Target
    coefficients: tuple[Coefficient, ...]
    why: tuple[str, ...]
    slope: float
    slip: Slip | None
    sets: tuple[ParameterSet, ...]


def answer(m: Model, d: Data, target: Target, wanted: Wanted) -> Answer:
    """Of the present state. d has been computed by a step."""
    try:
        found = why(m, d, target)
    except ValueError:      # a geom that touches nothing
        return Answer(target, _options(m), (), 0.0, None, ())
    slip = slip_of(m, d, target)
    condim, friction = int(found["condim"].value[0]), found["friction"].value
    slope = atan(expected_slope(m, friction[:2] if condim > 1 else (0.0, 0.0), wanted.heading))
    sets = friction_sets(m, d, target, wanted.impratio, wanted.noslip_iterations) if slip is not None else ()
    return Answer(target, (*_contact(found), *_options(m)), tuple(lines(found[name] for name in ("condim", "friction"))), slope, slip, sets)


def _contact(found: ContactParameters):
    condim, friction = found["condim"], found["friction"]
    yield Coefficient("condim", f"{condim.value[0]:g}", _sources(condim, 0), condim.why)
    for name, k, least in COEFFICIENTS:
        if condim.value[0] >= least:
            yield Coefficient(name, f"{friction.value[k]:.4g}", _sources(friction, k), friction.why)


def _sources(parameter: Parameter, number: int) -> str:
    """Who decides about a number of a parameter: a geom has one number for both tangents, and one for both ways of rolling."""
    found = []
    for candidate in parameter.candidates:
        k = number if len(candidate.decides) != 3 else (0, 0, 1, 2, 2)[number]
        if k < len(candidate.decides) and candidate.decides[k]:
            found.append(candidate.source)
    return ", ".join(found) or str(parameter.rule)


def _options(m: Model) -> tuple[Coefficient, ...]:
    cone = "elliptic" if m.opt_cone == CONE_ELLIPTIC else "pyramidal"
    return (Coefficient("cone", cone, OPTION, "The friction that an elliptic cone has is the same in all directions; a pyramidal one has less between its edges, "
                                              "and friction makes the contact harder along its normal"),
            Coefficient("impratio", f"{m.opt_impratio:g}", OPTION, "How much harder friction is than the normal: contacts creep less with more of it"),
            Coefficient("noslip_iterations", f"{int(m.opt_noslip_iterations)}", OPTION, "Of a second solver that takes the softness out of friction: 0 is off"))
