"""Changes of a Model that a remedy makes, and how a copy of it is given them: values that may be set while it runs, and armature, from which more follows."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from physics import enums
from physics.diagnostics.divergence.sources import sparse_dense
from physics.model.data import Data
from physics.model.elements import Element
from physics.model.live_fields import LIVE_FIELDS
from physics.model.model import Model
from physics.query.jacobian import jac_body_com
from physics.query.mass_matrix import full_m
from physics.simulate.step import forward

MOST_DOFS = 1000        # of which inverse weights are computed anew; of larger models they stay, which constraints hardly feel
FLAGS = ("opt_disableflags", "opt_enableflags")


@dataclass(frozen=True, slots=True)
class Change:
    """A field of the Model gets a value: at `index` where there is one; of a word of flags the bit `index`, on or off. text: the same as MJCF's attribute, for what only the
    text can say ('armature="0.01"'); of: the element it belongs to."""

    field: str
    value: Any
    index: int | None = None
    text: str = ""
    of: Element | None = None

    @property
    def live(self) -> bool:
        """Whether it may be made while the Model runs."""
        return self.field in LIVE_FIELDS or self.field.startswith("opt_")


@dataclass(frozen=True, slots=True)
class InputChange:
    """An input is held within bounds from the rewound state on. field: 'ctrl', 'qfrc_applied', 'xfrc_applied'; index: its row; low, high: of each of its numbers."""

    field: str
    index: int
    low: float = 0.0
    high: float = 0.0

    def held(self, value) -> np.ndarray:
        """An input within the bounds; what is no number becomes 0, or the bound that is nearest to it."""
        return np.clip(np.nan_to_num(np.asarray(value, float), nan=0.0), self.low, self.high)

    @property
    def live(self) -> bool:
        """Whether a command can do it; what scripts alone write is theirs."""
        return self.field != "qfrc_applied"


def values_before(m: Model, changes: Iterable[Change]) -> dict[str, Any]:
    """What the fields hold that changes write to, with those that follow from them."""
    names = {change.field for change in changes if isinstance(change, Change)}
    if "dof_armature" in names:
        names |= {"dof_M0", "dof_invweight0", "body_invweight0", "tendon_invweight0"}
    return {name: getattr(m, name) if name in m.layout.scalars else np.array(getattr(m, name)) for name in names}


def reverse(changes: Iterable[Change], values: Mapping[str, Any]) -> tuple[Change, ...]:
    """Changes that put back what `values`, fields of the Model of before, say."""
    found = []
    for change in changes:
        value = values[change.field]
        if change.field in FLAGS:
            value = bool(value & change.index)
        elif change.index is not None:
            value = np.asarray(value)[change.index]
        found.append(replace(change, value=value if np.ndim(value) == 0 else tuple(np.ravel(value).tolist()), text=""))
    return tuple(found)


def put_back(m: Model, values: dict[str, Any]) -> None:
    """Undo changes."""
    for name, value in values.items():
        setattr(m, name, value)


def apply(m: Model, changes: Iterable[Change]) -> None:
    """Make changes in a Model that nobody else uses."""
    armature = False
    for change in changes:
        if not isinstance(change, Change):
            continue
        if change.field in FLAGS:
            bits = getattr(m, change.field)
            setattr(m, change.field, bits | change.index if change.value else bits & ~change.index)
        elif change.index is None:
            setattr(m, change.field, change.value)
        else:
            array = np.array(getattr(m, change.field))
            array[change.index] = change.value
            setattr(m, change.field, array)
        armature |= change.field == "dof_armature"
    if armature and m.nv <= MOST_DOFS:
        update_inverse_weights(m)


def update_inverse_weights(m: Model) -> None:
    """dof_M0 and the inverse weights from the mass matrix of the initial pose. Source: MuJoCo documentation, chapter Computation (inverse weights); as the compiler does it."""
    d = Data(m)
    d.qpos[:] = m.qpos0
    forward(m, d)
    full = full_m(m, d)
    inverse = np.linalg.inv(full)
    m.dof_M0 = np.diag(full)
    weights = np.diag(inverse).copy()
    for j in range(m.njnt):
        first = int(m.jnt_dofadr[j])
        if m.jnt_type[j] in (enums.JointType.FREE, enums.JointType.BALL):
            for k in range(first, first + (6 if m.jnt_type[j] == enums.JointType.FREE else 3), 3):
                weights[k:k + 3] = weights[k:k + 3].mean()
    m.dof_invweight0 = weights
    bodies = np.array(m.body_invweight0)
    for body in range(1, m.nbody):
        if m.body_treeid[body] >= 0:
            bodies[body] = [np.einsum("ij,jk,ik->", jac, inverse, jac) / 3 for jac in jac_body_com(m, d, body)]
    m.body_invweight0 = bodies
    if m.ntendon:
        rows = sparse_dense(d.ten_J, m.ten_J_rownnz, m.ten_J_rowadr, m.ten_J_colind, m.nv)
        m.tendon_invweight0 = np.einsum("ij,jk,ik->i", rows, inverse, rows)
