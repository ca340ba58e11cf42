"""Numbers of a Model that are looked for, and what else in the Model follows from them.

    Parameter("geom_friction", "box", 0)          one number of one element
    Parameter("geom_friction", ("box", "floor"), 0)   one number that several elements share
    Parameter("body_mass", "box", low=0.1)        mass; moments of inertia go along in proportion, as for a body of the same shape
    Parameter("opt_gravity", None, 2)             an option

What follows (bounds of geoms, constants of the initial pose) is worked out again, so that the Model is the one that a text with these numbers compiles to.
Not so for gains of servos that are given as damping ratios, and for masses that would follow from sizes: both stay.

Source: MuJoCo documentation, Computation chapter (inverse weights, statistics).
"""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics.compiler.elements import solids
from physics.derivatives.analytic_forces import moment_rows, tendon_rows
from physics.enums import MINVAL, SAMEFRAME_NONE, Engine
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.live_fields import LIVE_FIELDS
from physics.model.model import Model
from physics.model.model_copy import model_beside
from physics.name_hints import hint
from physics.query.jacobian import jac_body_com
from physics.query.mass_matrix import full_m
from physics.simulate.step import forward

# prefix of a field -> kind of its elements
KIND_OF = MappingProxyType({"body": "body", "geom": "geom", "jnt": "joint", "dof": "joint", "site": "site", "tendon": "tendon", "actuator": "actuator", "pair": "pair", "eq": "equality"})
DRAWN = ("site_", "mat_", "light_", "stat_", "key_")     # what no motion depends on


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that is looked for. field: of the Model; element: name or index, several of them as a tuple (they share the number), None for an option; of a dof_ field the
    joint, all of whose dofs share it. column: which number of a row (rows of several numbers need one). low, high: what it may be. size: what counts as much of it,
    None: what it is at the start, or 1."""

    field: str
    element: int | str | tuple | None = None
    column: int | None = None
    low: float = -np.inf
    high: float = np.inf
    size: float | None = None

    @property
    def text(self) -> str:
        """In words: geom_friction of 'box' [0]."""
        of = "" if self.element is None else f" of {self.element!r}"
        return f"{self.field}{of}{'' if self.column is None else f' [{self.column}]'}"


class ParameterSet:
    """Parameters of a Model, and a copy of it (`m`) that is given values. The original stays as it is."""

    def __init__(self, m: Model, parameters: Sequence[Parameter]):
        if not parameters:
            raise ValueError("no parameters to look for")
        self.parameters, self.m = tuple(parameters), model_beside(m)
        self._places = [_place(m, p) for p in self.parameters]
        fields = {p.field for p in self.parameters}
        self._follow = [function for those, function in FOLLOWS if fields & those]
        self._base: Mapping[str, np.ndarray] = {name: np.array(getattr(m, name)) for name in m.layout.arrays if name in fields or name in DERIVED}
        self._original = m
        self.low, self.high = np.array([p.low for p in self.parameters]), np.array([p.high for p in self.parameters])
        if not (self.low <= self.high).all():
            raise ValueError("a parameter's low is not below its high")
        start = self.now(m)
        self.size = np.array([abs(s or x) or 1.0 for s, x in zip([p.size for p in self.parameters], start)])

    def now(self, m: Model) -> np.ndarray:
        """The values in a Model; of several elements that of the first."""
        return np.array([float(np.ravel(getattr(m, p.field))[places[0]]) for p, places in zip(self.parameters, self._places)])

    def put(self, values: np.ndarray) -> Model:
        """The copy with these values, and with all that follows from them."""
        for name, base in self._base.items():
            _write(self.m, name, base)
        for p, places, value in zip(self.parameters, self._places, values):
            array = np.array(getattr(self.m, p.field))
            array.reshape(-1)[places] = value
            _write(self.m, p.field, array)
        for follow in self._follow:
            follow(self._original, self.m)
        return self.m

    def rows(self) -> Mapping[str, np.ndarray]:
        """{field: (numbers in it, parameters)}: how the Model's numbers change with each parameter. For engines that have derivatives by fields; what follows of the
        soft engine's constants is left out, moments of inertia that go along with masses are not."""
        found: dict[str, np.ndarray] = {}

        def of(field: str) -> np.ndarray:
            return found.setdefault(field, np.zeros((np.size(getattr(self.m, field)), len(self.parameters))))

        for k, (p, places) in enumerate(zip(self.parameters, self._places)):
            of(p.field)[places, k] = 1.0
            if p.field == "body_mass":
                for b in places.tolist():
                    of("body_inertia")[3 * b:3 * b + 3, k] = self.m.body_inertia[b] / self.m.body_mass[b]
        return found


def _write(m: Model, name: str, values: np.ndarray) -> None:
    setattr(m, name, values)


def _place(m: Model, p: Parameter) -> np.ndarray:
    """Where a parameter stands in its flat field. Raises ValueError for what cannot be looked for, KeyError and IndexError for elements."""
    settable = sorted({name for name in LIVE_FIELDS if not name.startswith(DRAWN)} | {name for those, _f in FOLLOWS for name in those} | {"geom_pos", "actuator_gear", "opt_gravity"})
    if p.field not in settable or p.field not in m.layout.arrays:
        raise ValueError(f"'{p.field}' is no parameter that can be looked for{hint(p.field, settable)}")
    array = getattr(m, p.field)
    width = int(np.prod(array.shape[1:], dtype=int))
    if p.element is None:
        if not p.field.startswith("opt_"):
            raise ValueError(f"{p.field}: of which element?")
        rows, width = [0], array.size
    else:
        kind = KIND_OF[p.field.partition("_")[0]]
        numbers = [index_of(m, kind, one) for one in (p.element if isinstance(p.element, tuple) else (p.element,))]
        if p.field.startswith("dof_"):
            numbers = [dof for j in numbers for dof in np.flatnonzero(m.dof_jntid == j).tolist()]
        rows = numbers
    if p.column is None and width != 1 or p.column is not None and not 0 <= p.column < width:
        raise ValueError(f"{p.text}: a row has {width} numbers; the column is one of 0 .. {width - 1}")
    places = np.array([row * width + (p.column or 0) for row in rows])
    _check_place(m, p, rows)
    return places


def _check_place(m: Model, p: Parameter, rows: list[int]) -> None:
    """Raise ValueError where the Model is laid out for the present value."""
    if p.field == "body_ipos" and (m.body_simple[rows] != 0).any():
        raise ValueError(f"{p.text}: the body's mass matrix is laid out for a centre of mass in its joint; give it another in the text first")
    if p.field == "geom_size" and (m.geom_dataid[rows] >= 0).any():
        raise ValueError(f"{p.text}: the size of a mesh or height field is that of its asset")


# ------------------------------------------------ what follows

def _inertias(base: Model, m: Model) -> None:
    """Moments of inertia in proportion to masses."""
    share = np.where(base.body_mass > 0, m.body_mass / np.maximum(base.body_mass, MINVAL), 1.0)
    m.body_inertia = np.array(m.body_inertia) * share[:, None]


def _frames(base: Model, m: Model) -> None:
    """Frames that are no longer the same as their body's."""
    moved = (m.body_ipos != base.body_ipos).any(axis=1)
    m.body_sameframe = np.where(moved, SAMEFRAME_NONE, base.body_sameframe)
    m.geom_sameframe = np.where(moved[m.geom_bodyid] | (m.geom_pos != base.geom_pos).any(axis=1), SAMEFRAME_NONE, base.geom_sameframe)
    m.site_sameframe = np.where(moved[m.site_bodyid], SAMEFRAME_NONE, base.site_sameframe)


def _bounds(base: Model, m: Model) -> None:
    """Bounding spheres and boxes of geoms of another size."""
    for g in np.flatnonzero((m.geom_size != base.geom_size).any(axis=1)).tolist():
        radius, box = solids.bounds(int(m.geom_type[g]), tuple(m.geom_size[g].tolist()))
        m.geom_rbound[g], m.geom_aabb[g] = radius, box


def _initial_pose(base: Model, m: Model) -> None:
    """Constants of the initial pose that follow from masses, inertias and armature."""
    d = _at_initial_pose(m)
    # masses of subtrees, from the leaves inwards
    below = m.body_mass.copy()
    for b in range(m.nbody - 1, 0, -1):
        below[m.body_parentid[b]] += below[b]
    m.body_subtreemass = below
    # the diagonal of M: what bodies and armature add to it
    more = m.dof_armature - base.dof_armature
    turns = []
    for b in range(1, m.nbody):
        lin, ang = jac_body_com(m, d, b)
        turns.append((lin, ang))
        axes = d.ximat[b].reshape(3, 3)
        for one, sign in ((m, 1.0), (base, -1.0)):
            inertia = (axes * one.body_inertia[b]) @ axes.T
            more += sign * (one.body_mass[b] * (lin * lin).sum(axis=0) + np.einsum("ik,ij,jk->k", ang, inertia, ang))
    m.dof_M0 = base.dof_M0 + more
    d = _at_initial_pose(m)
    matrix = full_m(m, d)
    inverse = np.linalg.inv(matrix) if m.nv else np.zeros((0, 0))
    _inverse_weights(m, d, inverse, turns)
    m.stat_meaninertia = float(np.diagonal(matrix).mean()) if m.nv else 1.0


def _at_initial_pose(m: Model) -> Data:
    """A Data with everything of qpos0 computed, by the soft engine, which has a mass matrix."""
    engine, m.opt_engine = m.opt_engine, int(Engine.SOFT)
    d = Data(m)
    forward(m, d)
    m.opt_engine = engine
    return d


def _inverse_weights(m: Model, d: Data, inverse: np.ndarray, turns: list) -> None:
    """How readily bodies, dofs and tendons move: means of J M^-1 J'; and how far actuators move the model: |M^-1 J'|."""
    weights = np.zeros((m.nbody, 2))
    for b, pair in enumerate(turns, 1):
        weights[b] = [np.einsum("ij,jk,ik->", j, inverse, j) / 3 for j in pair]
    simple = m.body_simple == 2
    weights[simple] = np.stack([1 / np.maximum(MINVAL, m.body_mass[simple]), np.zeros(simple.sum())], axis=1)
    m.body_invweight0 = weights
    dofs = np.diagonal(inverse).copy()
    for j in range(m.njnt):
        run = np.flatnonzero(m.dof_jntid == j)
        for k in range(0, len(run) - 2, 3):     # threes that turn or slide
            dofs[run[k:k + 3]] = dofs[run[k:k + 3]].mean()
    m.dof_invweight0 = dofs
    rows = tendon_rows(m, d)
    m.tendon_invweight0 = np.einsum("ij,jk,ik->i", rows, inverse, rows)
    m.actuator_acc0 = np.linalg.norm(moment_rows(m, d) @ inverse, axis=1)


# fields -> what works out the rest, in this order
FOLLOWS: tuple[tuple[frozenset[str], Callable[[Model, Model], None]], ...] = (
    (frozenset({"body_mass"}), _inertias),
    (frozenset({"body_ipos", "geom_pos"}), _frames),
    (frozenset({"geom_size"}), _bounds),
    (frozenset({"body_mass", "body_inertia", "body_ipos", "dof_armature"}), _initial_pose),
)
DERIVED = frozenset({"body_inertia", "body_sameframe", "geom_sameframe", "site_sameframe", "geom_rbound", "geom_aabb", "body_subtreemass", "dof_M0", "body_invweight0",
                     "dof_invweight0", "tendon_invweight0", "actuator_acc0"})
