"""MjData over a Data of ours."""
from __future__ import annotations

from copy import deepcopy
from types import MappingProxyType
from weakref import ref

import numpy as np

import physics
from physics.fields.layout import GROWING, LAYOUTS
from physics.model.index_fields import TRUSTED

from . import old_names
from .constraint_jacobian import shown_pattern, shown_size, shown_values
from .data_structs import ContactHome, MjContact, MjSolverStat, MjTimerStat, MjWarningStat, TimerHome
from .field_access import ArrayField, Facade, constant_field, empty_field, scalar_field, switch_field
from .hooks import HOOKS
from .named import DATA_KINDS, selector
from .spec.binding import bound
from .structs import StructList
from .tables.field_table import DATA_ARRAYS, DATA_EMPTY, DATA_SCALARS, DATA_ZEROS

# what a new room has for each capacity -> the field that counts how many are in use
_USED = MappingProxyType({"maxefc": "nefc", "maxJ": "nJ", "maxcon": "ncon"})
_ANSWERING = ("cb_contactfilter", "cb_act_dyn", "cb_act_gain", "cb_act_bias")     # callbacks that return a number
_ISLANDS = tuple((
    "tree_island island_ntree island_itreeadr map_itree2tree dof_island island_nv island_idofadr island_dofadr map_dof2idof map_idof2dof efc_island island_ne island_nf "
    "island_nefc island_iefcadr map_efc2iefc map_iefc2efc"
).split())


class MjData(Facade):
    """A state and what follows from it. The struct within (`_inner`) is a physics.Data."""

    def __init__(self, model):
        self._begin(model, physics.Data(model._inner))

    def _begin(self, model, inner) -> None:
        warning = StructList(MjWarningStat, inner, lambda: len(inner.warning_number))
        timer = StructList(MjTimerStat, TimerHome(), lambda: TimerHome.COUNT)
        self.__dict__.update(_inner=inner, _model=model, _views={}, _cuts={}, _hooks=0, _warning=warning, _timer=timer, _timed=timer._home, _contact=None, _threads=0)

    @classmethod
    def _of(cls, model, inner) -> MjData:
        new = object.__new__(cls)
        new._begin(model, inner)
        return new

    @property
    def model(self):
        """The MjModel that this belongs to."""
        return self.__dict__["_model"]

    def bind(self, element):
        """The rows of an element of a MjSpec, or of several."""
        return bound(self, self._model._inner, self._model.signature, element)

    @property
    def contact(self) -> StructList:
        """The contacts as a sequence of MjContact; its attributes are arrays with a row for each."""
        mine = self.__dict__
        if mine["_contact"] is None:
            inner = self._inner
            mine["_contact"] = StructList(MjContact, ContactHome(inner), lambda: inner.ncon)
        return mine["_contact"]

    @property
    def warning(self) -> StructList:
        """What was counted of each mjtWarning."""
        return self.__dict__["_warning"]

    @property
    def timer(self) -> StructList:
        """Seconds and calls of each mjtTimer; only whole steps and forward are measured."""
        return self.__dict__["_timer"]

    @property
    def solver(self) -> StructList:
        """Statistics of the constraint solver, island after island, mjNSOLVER of each."""
        inner = self._inner
        return StructList(MjSolverStat, SolverHome(inner), lambda: inner.solver_improvement.size)

    @property
    def signature(self) -> int:
        """That of the model."""
        return self._model.signature

    @property
    def nisland(self) -> int:
        """Islands of the present constraint rows."""
        return int(self._inner.nisland)

    @property
    def nidof(self) -> int:
        """Dofs in islands."""
        return int(self._inner.nidof)

    @property
    def threadpool(self) -> int:
        """Threads that mju_threadpool was asked for, 0: none. A step takes one thread here."""
        return self.__dict__["_threads"]

    @property
    def _address(self) -> int:
        return id(self._inner)

    def _cut(self, name: str, used: str) -> np.ndarray:
        """The rows of a growing array that are in use: the same object until there are others."""
        inner = self._inner
        whole, n = getattr(inner, name), getattr(inner, used)
        kept = self._cuts.get(name)
        if kept is None or kept[0] is not whole or kept[1] != n:
            kept = self._cuts[name] = whole, n, whole[:n] if n else np.zeros((0, *whole.shape[1:]), whole.dtype)
        return kept[2]

    def _hook(self) -> None:
        """Install the process's callbacks where they are others than this Data has."""
        if self._hooks == HOOKS.version:
            return
        me, inner = ref(self), self._inner
        for slot, function in HOOKS.functions.items():
            inner.set_callback(slot, None if function is None else _called(function, me, slot in _ANSWERING))
        self.__dict__["_hooks"] = HOOKS.version

    def _belong(self, model) -> None:
        """Let the struct within go along with another Model of the same sizes, as officially any may. Raises ValueError for others."""
        inner, other = self._inner, model._inner
        if any(getattr(other, name) != size for name, size in inner._sizes.items()):
            raise ValueError("the MjData was made for an MjModel of other sizes")
        if not same_structure(inner.model, other):
            inner.forget_computed()
        inner.model = other
        other.used_by(inner)

    # ------------------------------------------------ copies

    def __copy__(self) -> MjData:
        self._at_home()
        return MjData._of(self._model, self._inner.copy())

    def __deepcopy__(self, memo: dict) -> MjData:
        self._at_home()
        model = deepcopy(self._model, memo)
        inner = physics.Data(model._inner)
        inner.copy_fields(self._inner)
        found = memo[id(self)] = MjData._of(model, inner)
        return found

    def __reduce__(self):
        self._at_home()
        return _restored, (self._model, self._inner)

    def _at_home(self) -> None:
        """The struct within belongs to this MjData's own model again."""
        if self._inner.model is not self._model._inner:
            self._belong(self._model)


def same_structure(one, other) -> bool:
    """Whether all whole numbers that computed rows rely on are the same."""
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in TRUSTED if name in one.layout.arrays)


def _restored(model, inner) -> MjData:
    if inner.model is not model._inner:     # pickled apart
        other = physics.Data(model._inner)
        other.copy_fields(inner)
        inner = other
    return MjData._of(model, inner)


def _called(function, me, answers: bool):
    """A script's callback as one of ours: it is given the MjModel and MjData in place of the structs within; what the others return is of no account."""

    def call(_m, _d, *about):
        data = me()
        found = function(data._model, data, *about)
        return found if answers else None

    return call


class SolverHome:
    """The solver's statistics as flat arrays."""

    def __init__(self, inner):
        self._inner = inner

    def __getattr__(self, name):
        return getattr(self._inner, name).reshape(-1)


def _growing(name: str, used: str) -> property:
    return property(lambda self: self._cut(name, used), lambda self, value: self._cut(name, used).__setitem__(..., value))


def _computed(name: str) -> property:
    return property(lambda self: getattr(self._inner, name), lambda self, value: getattr(self._inner, name).__setitem__(..., value))


def _whole(name: str) -> property:
    return property(lambda self: np.asarray(getattr(self._inner, name), np.int32))


_SPOTS = LAYOUTS["d"].arrays
for _name in DATA_ARRAYS:
    _size = _SPOTS[_name].dims[0]
    setattr(MjData, _name, _growing(_name, _USED[_size]) if _size in GROWING else _computed(_name) if _name in ("qLD", "qLDiagInv") else ArrayField(_name))
for _name in _ISLANDS:
    setattr(MjData, _name, _whole(_name))
for _name in DATA_SCALARS:
    setattr(MjData, _name, switch_field(_name) if _name.startswith("flg_") else scalar_field(_name))
MjData.nJ, MjData.efc_J = property(shown_size), property(shown_values)
MjData.efc_J_rownnz, MjData.efc_J_rowadr, MjData.efc_J_colind = (shown_pattern(*_pair) for _pair in (("efc_J_rownnz", "nefc"), ("efc_J_rowadr", "nefc"), ("efc_J_colind", "nJ")))
for _name in DATA_ZEROS:
    setattr(MjData, _name, constant_field(0))
for _dtype, _shape, _names in (*DATA_EMPTY, *old_names.DATA_EMPTY):
    for _name in _names.split():
        setattr(MjData, _name, empty_field(_name, _dtype, _shape, lambda owner: owner._inner.model))
for _name in DATA_KINDS:
    setattr(MjData, _name, selector(_name, lambda self: self._inner.model))
