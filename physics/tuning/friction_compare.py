"""Ways to keep a contact from slipping, compared as parameter sets: cone, impratio, noslip_iterations and condim, with the speed of slipping of each.

All are measured on the same slope, which asks for half of what the present cone holds (friction.py). Rows of friction are soft: within the cone a contact creeps, less with impratio,
not at all with noslip_iterations, which solve friction once more without softness.

Source: MuJoCo documentation, chapter Modeling, "Preventing slip"; XML reference, option cone, impratio, noslip_iterations; geom condim.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics.diagnostics.contact_parameters import explicit_pairs
from physics.enums import CONE_ELLIPTIC, CONE_PYRAMIDAL
from physics.model.changes.field_changes import FieldChange
from physics.model.data import Data
from physics.model.model import Model
from physics.model.state_fields import State
from physics.tuning.friction import Drift, drift_test
from physics.tuning.parameter_set import ParameterSet
from physics.tuning.target import Target, contacts_of

__all__ = ["Slipping", "compare_friction", "friction_sets"]

CONES = MappingProxyType({int(CONE_ELLIPTIC): "elliptic cone", int(CONE_PYRAMIDAL): "pyramidal cone"})


@dataclass(frozen=True, slots=True, eq=False)
class Slipping:
    """A set and how its contact slips: drift.speed [m/s]; share: that speed over the one of the first set, NaN where that does not slip."""

    set: ParameterSet
    drift: Drift
    share: float


def friction_sets(m: Model, d: Data, target: Target, impratio: float = 10.0, noslip_iterations: int = 10) -> tuple[ParameterSet, ...]:
    """The model as it is, the other cone, impratio with the elliptic cone, noslip, and the condims that the contact has not. Raises ValueError where the target touches nothing."""
    cone = int(m.opt_cone)
    other = int(CONE_PYRAMIDAL if cone == CONE_ELLIPTIC else CONE_ELLIPTIC)
    elliptic = (FieldChange("opt_cone", None, int(CONE_ELLIPTIC)), FieldChange("opt_impratio", None, float(impratio)))
    found = [("as it is", ()), (CONES[other], (FieldChange("opt_cone", None, other),)), (f"elliptic cone, impratio {impratio:g}", elliptic),
             (f"noslip {noslip_iterations}", (FieldChange("opt_noslip_iterations", None, int(noslip_iterations)),))]
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


def compare_friction(m: Model, d: Data, target: Target, sets: Sequence[ParameterSet], heading: float = 0.0, seconds: float = 0.5) -> tuple[Slipping, ...]:
    """Each set on the slope that asks for half of what the first one holds. heading [rad] in the plane of contact from the first tangent.

    The Model and Data that are asked about stay as they are. Raises ValueError where the target touches nothing, there is no gravity, or the engine cannot take a set.
    """
    state, drifts = State.of(d), []
    for one in sets:
        beside = one.beside(m)
        data = Data(beside)
        state.write(data)
        drifts.append(drift_test(beside, data, target, drifts[0].angle if drifts else None, heading, seconds))
    least = abs(drifts[0].speed) if drifts else 0.0
    return tuple(Slipping(one, drift, abs(drift.speed) / least if least > 0.0 else float("nan")) for one, drift in zip(sets, drifts, strict=True))
