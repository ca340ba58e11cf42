"""What a tuner warns of beside a set of parameters: clamps that act, time steps that are too coarse, friction that acts as stiffness."""
from __future__ import annotations

from dataclasses import dataclass
from math import inf

from physics.enums import INT_DISCRETE
from physics.tuning.closed_forms import FINE_STEP, STEP_LIMIT, ClosedForms, closed_forms, rest_depth
from physics.tuning.law import Friction, Parameters, Row, contact_factor, law_of, used_solref
from physics.tuning.scalar import Response

REFSAFE, DISCRETE, ENERGY, FRICTION, OVERDAMPED = "refsafe", "discrete", "energy", "friction", "overdamped"
STEP, SCATTER, SIGNS, SINKS = "step", "scatter", "signs", "sinks"
NOTICED = 0.05          # relative: what differs less is not told


@dataclass(frozen=True, slots=True)
class Badge:
    """kind: one of the names above. words: the sentence to show. severe: whether the motion is wrong, not only other than one may expect."""

    kind: str
    words: str
    severe: bool = False


def badges(row: Row, parameters: Parameters, response: Response, friction: Friction | None = None) -> tuple[Badge, ...]:
    """What holds for these parameters, the most severe first. friction: of the contact; None for limits and other rows."""
    depth = max(response.rest_depth if response.rest_depth < inf else 0.0, response.impacts.depth)
    forms = closed_forms(row, parameters, depth)
    found = [*_clamps(row, parameters, depth), *_step(row, forms, response), *_shape(row, parameters, forms)]
    if friction is not None and friction.is_stiffness and abs(contact_factor(1, friction) - 1.0) > NOTICED:
        found.append(_friction(row, friction))
    return tuple(sorted(found, key=lambda badge: not badge.severe))


def _clamps(row: Row, parameters: Parameters, depth: float):
    """Values that the engine takes otherwise than they are given."""
    given, used, h = parameters.solref, used_solref(row, parameters.solref), row.timestep
    if (given[0] > 0.0) != (given[1] > 0.0):
        yield Badge(SIGNS, f"solref {given[0]:g} {given[1]:g} mixes both formats: the default {used[0]:g} {used[1]:g} stands in", True)
    elif used[0] != given[0]:
        yield Badge(REFSAFE, f"refsafe: timeconst {given[0]:g} s is used as {used[0]:g} s, two time steps of {h:g} s; the direct format is not looked at")
    law = law_of(row, parameters)
    if row.integrator == INT_DISCRETE:
        d = closed_forms(row, parameters, depth).impedance
        k, _b = law.spring(d)
        if k < law.k:
            yield Badge(DISCRETE, f"the integrator 'discrete' bounds the stiffness by the time step: k {law.k:.5g} is used as {float(k):.5g} 1/s^2, 1 / (impedance timestep^2)")


def _step(row: Row, forms: ClosedForms, response: Response):
    """What the time step does to the motion."""
    if response.gains_energy:
        most = max(response.energy)
        words = f"impacts end with up to {most:.3g} times the energy with which they began" if most > 1.0 else "at rest each step makes a small error larger"
        yield Badge(ENERGY, f"{words}: take less damping, less stiffness or a smaller timestep", True)
    if row.integrator == INT_DISCRETE:
        return      # it takes the spring at the end of the step
    if not forms.step_holds:
        yield Badge(STEP, f"the time step is too long for this contact: w h (1 + 2 zeta) = {forms.step_rule:.3g} is above {STEP_LIMIT:g}", True)
    elif forms.step > FINE_STEP * 1.0001 and response.impacts.mean > 0.0:
        yield Badge(SCATTER, f"bounces differ by how they meet the time step: restitution {response.impacts.mean:.3f} +- {response.impacts.scatter:.3f} at w h = {forms.step:.2g}; "
                             f"below {FINE_STEP:g} each is within 0.02")


def _shape(row: Row, parameters: Parameters, forms: ClosedForms):
    """Where the closed forms do not tell what happens."""
    if forms.damping_ratio > 1.0 + 0.1 * NOTICED:
        yield Badge(OVERDAMPED, f"damping ratio {forms.damping_ratio:.3g}: above 1 the closed form of the restitution does not hold, "
                                "gravity decides whether it leaves; look at the simulated value")
    if row.load() < 0.0 and rest_depth(row, parameters) == inf:
        yield Badge(SINKS, "without stiffness nothing bears the load: it sinks for ever", True)


def _friction(row: Row, friction: Friction) -> Badge:
    """With pyramidal cones the rows of friction share the normal's push."""
    factor = contact_factor(1, friction)
    return Badge(FRICTION, f"friction acts as stiffness: with pyramidal cones condim {friction.condim}, friction {friction.mu:g} and impratio "
                           f"{friction.impratio:g} make this contact as hard as "
                           f"{factor:.3g} contacts without friction (here s = {row.factor:.3g}); with elliptic cones it would not depend on friction")
