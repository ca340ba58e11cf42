"""Ways to keep a contact from slipping, compared as parameter sets: cone, impratio, noslip_iterations and condim, with the speed of slipping of each.

All are measured on the same slope, which asks for half of what the present cone holds (friction.py). Rows of friction are soft: within the cone a contact creeps, less with
impratio, not at all with noslip_iterations, which solve friction once more without softness.

Source: MuJoCo documentation, chapter Modeling, "Preventing slip"; XML reference, option cone, impratio, noslip_iterations; geom condim.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics.diagnostics.contact_parameters import explicit_pairs
from physics.enums import CONE_ELLIPTIC, CONE_PYRAMIDAL
from physics.model.changes.field_changes import FieldChange
from physics.model.data import Data
from physics.model.model import Model
from physics.model.state_fields import State
from physics.tuning.friction import Drift, drift_test, never
from physics.tuning.parameter_set import ParameterSet
from physics.tuning.target import Target, contacts_of

__all__ = ["Slipping", "compare_friction", "friction_sets", "slippings"]

CONES = MappingProxyType({int(CONE_ELLIPTIC): "elliptic cone", int(CONE_PYRAMIDAL): "pyramidal cone"})


@dataclass(frozen=True, slots=True, eq=False)
class Slipping:
    """A set and how its contact slips: drift.speed [m/s]; share: that speed over the one of the first set, NaN where that does not slip."""

    set: ParameterSet
    drift: Drift
    share: float


def friction_sets(m: Model, d: Data, target: Target, impratio: float = 10.0, noslip_iterations: int = 10) -> tuple[ParameterSet, ...]:
    """The model as it is, the other cone, impratio with the present and with the elliptic cone, noslip, and the condims that the contact has not. d: a Data or Snapshot.

    Raises ValueError where the target touches nothing."""
    elliptic = int(CONE_ELLIPTIC)
    other = int(CONE_PYRAMIDAL) if m.opt_cone == elliptic else elliptic
    cone, ratio = FieldChange("opt_cone", None, other), FieldChange("opt_impratio", None, float(impratio))
    found = [("as it is", ()), (CONES[other], (cone,)), (f"impratio {impratio:g}", (ratio,))]
    found += [(f"elliptic cone, impratio {impratio:g}", (cone, ratio))] if other == elliptic else []
    found.append((f"noslip {noslip_iterations}", (FieldChange("opt_noslip_iterations", None, int(noslip_iterations)),)))
    geoms, now = _geoms(d, contacts_of(m, d, target), target)
    found += [(f"condim {condim}", _condim(m, geoms, condim)) for condim in (3, 4, 6) if condim != now]
    return tuple(ParameterSet(label, k, changes) for k, (label, changes) in enumerate(found))


def _geoms(d: Data, contacts: Sequence[int], target: Target) -> tuple[tuple[int, int], int]:
    """(the two geoms, condim of their contacts)."""
    if not contacts:
        raise ValueError(f"{target} touches nothing now: friction is measured of what lies on something")
    one, two = map(int, d.contact_geom[contacts[0]])
    return (one, two), int(d.contact_dim[contacts[0]])


def _condim(m: Model, geoms: tuple[int, int], condim: int) -> tuple[FieldChange, ...]:
    """Another condim of both geoms, and of the pairs that name them."""
    rows, pairs = np.unique(geoms), np.array(explicit_pairs(m, *geoms), int)
    found = (FieldChange("geom_condim", rows, np.full(len(rows), condim, np.int32)),)
    return (*found, FieldChange("pair_dim", pairs, np.full(len(pairs), condim, np.int32))) if len(pairs) else found


def slippings(m: Model, state, target: Target, sets: Sequence[ParameterSet], heading: float = 0.0, seconds: float = 0.5,
              stop: Callable[[], bool] = never) -> Iterator[Slipping]:
    """Each set on the slope that asks for half of what the first one holds, as it comes. state: a Data, Snapshot or State; heading [rad] in the plane of contact from the first
    tangent; stop() says whether nobody waits any more.

    The Model that is asked about stays as it is. Raises ValueError where the target touches nothing, there is no gravity, or the engine cannot take a set, and GivenUp.
    """
    first: Drift | None = None
    state = State.of(state)
    for one in sets:
        drift = drift_test(one.beside(m), state, target, first.angle if first is not None else None, heading, seconds, stop)
        first = drift if first is None else first
        yield Slipping(one, drift, abs(drift.speed / first.speed) if first.speed else float("nan"))


def compare_friction(m: Model, state, target: Target, sets: Sequence[ParameterSet], heading: float = 0.0, seconds: float = 0.5) -> tuple[Slipping, ...]:
    """All of `slippings`."""
    return tuple(slippings(m, state, target, sets, heading, seconds))
