"""More damping, which Euler and the implicit integrators take at the end of the step, or more armature at the joints that a source acts on."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from physics import enums
from physics.diagnostics.divergence import sources
from physics.diagnostics.divergence.changes import Change
from physics.diagnostics.divergence.culprit import moved_bodies
from physics.diagnostics.divergence.ratios import Stiff, dof_number
from physics.diagnostics.divergence.remedy import Remedy, rounded
from physics.diagnostics.divergence.sources import Source
from physics.model.elements import element
from physics.model.model import Model

MOST_MORE = 20.0        # times what a dof carries: armature, and damping over a time step, that are offered against a constraint row
NAMED = 3               # joints that a label names


def more_at_dofs(m: Model, source: Source, stiff: Stiff | None, aim: float) -> Iterator[Remedy]:
    """For a source whose load is to become `aim`. Nothing where it acts on no joint of which damping can be told (a free body)."""
    if stiff is None and source.kind not in sources.ROW_KINDS or stiff is not None and stiff.inverse is None and not stiff.of_row or source.kind == sources.MEDIUM:
        return
    joints = acted_joints(m, source)
    dofs = [int(m.jnt_dofadr[j]) + k for j in joints for k in range(dof_number(m, j))]
    if not dofs:
        return
    load = max(1.0, stiff.load) if stiff is not None and stiff.of_row else 1.0 if stiff is None else stiff.load
    damping, armature = (4 * load / aim - 4) / 2, load / aim - 1     # times the inertia; of damping over a time step
    if stiff is None or stiff.of_row:
        # its stiffness is per unit of inertia: each dof gets what is in proportion to its own
        inertia = 1 / np.maximum(np.asarray(m.dof_invweight0)[dofs], enums.MINVAL)
        damping, armature, springs = min(damping, MOST_MORE) * inertia, min(armature, MOST_MORE) * inertia, True
    else:
        if load <= 0:
            return
        inertia = 1 / stiff.inverse if stiff.inverse > 0 else 0.0
        damping, armature, springs = np.full(len(dofs), damping * inertia), np.full(len(dofs), armature * inertia), stiff.stiffness > 0
    if springs and load > aim:
        yield from _more(m, joints, dofs, "dof_damping", "damping", damping / m.opt_timestep)
    yield from _more(m, joints, dofs, "dof_armature", "armature", armature)


def acted_joints(m: Model, source: Source) -> list[int]:
    """Numbers of the joints that a source acts on directly, without free ones: of a body that is fixed to another those of the body that carries it."""
    if source.kind in (sources.SPRING, sources.DAMPER, sources.LIMIT, sources.FRICTION):
        found = [source.id]
    elif source.kind == sources.ACTUATOR and m.actuator_trntype[source.id] == enums.TransmissionType.JOINT:
        found = [int(m.actuator_trnid[source.id, 0])]
    else:
        carriers = dict.fromkeys(int(m.body_weldid[body]) for body in moved_bodies(m, source))
        found = [j for body in carriers for j in range(int(m.body_jntadr[body]), int(m.body_jntadr[body]) + int(m.body_jntnum[body]))]
    return [j for j in dict.fromkeys(found) if m.jnt_type[j] != enums.JointType.FREE]


def _more(m: Model, joints: Sequence[int], dofs: Sequence[int], field: str, attribute: str, more: np.ndarray) -> Iterator[Remedy]:
    """A remedy that adds to an attribute of joints, whose dofs have the same each: the largest of what is asked for them."""
    at, changes, added = 0, [], []
    for j in joints:
        count = dof_number(m, j)
        most = rounded(float(np.max(more[at:at + count])))
        value = rounded(float(getattr(m, field)[dofs[at]]) + most, 4)
        what = element(m, "joint", j)
        changes += [Change(field, value, dof, f'{attribute}="{value:g}"' if k == 0 else "", what) for k, dof in enumerate(dofs[at:at + count])]
        added.append(most)
        at += count
    if max(added) <= 0 or not np.isfinite(added).all():
        return
    names = " and ".join(str(element(m, "joint", j)) for j in joints[:NAMED]) + (f" and {len(joints) - NAMED} more" if len(joints) > NAMED else "")
    amount = f"{added[0]:g}" if len(set(added)) == 1 else f"{min(added):g} to {max(added):g}"
    yield Remedy(f"{names}: {amount} more {attribute}", tuple(changes))
