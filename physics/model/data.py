"""Data: everything about a mechanism that changes while it moves, and the engine's working storage."""
from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import ClassVar, NamedTuple

import numpy as np

from physics.enums import ENBL_SLEEP, INT_RK4, SLEEP_INIT
from physics.fields.layout import GROWING, LAYOUTS
from physics.kernels import load
from physics.kernels.decorators import NOJIT, Kernel
from physics.model import callbacks, element_views, islands, struct
from physics.model.initial_state import fill_history, start_controls, wake_all
from physics.model.model import ALIASES, Model
from physics.model.solver_statistics import SolverStatistics
from physics.name_hints import hint

_LAYOUT = LAYOUTS["d"]
_PLAIN = ("model", "has_mocap", "scratch")
MARGIN = 1.5  # more room than was asked for, as one contact seldom comes alone
_COUNTS = ("ncon", "ncand", "ne", "nf", "nl", "nefc", "nJ", "sol_nisland", "sol_symbolic", "ncoupling", "rows_kept", "M_eff_coupled")   # of the last step
_FIXED = tuple(n for n, spot in _LAYOUT.arrays.items() if spot.dims[0] not in GROWING)
_ROOM: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {size: tuple(n for n, spot in _LAYOUT.arrays.items() if spot.dims[0] == size) for size in GROWING}
)

_CLEARED = struct.places_of(_LAYOUT, tuple(n for n in _LAYOUT.scalars if n not in GROWING and not n.startswith("cb_")))      # by a reset
_NEEDS = struct.places_of(_LAYOUT, tuple(GROWING.values()))
_NOTHING = bytes(8 * len(GROWING))      # no room is needed
# places in the block of what each Data keeps to itself: its rooms, callbacks, record and trace
_OWN = struct.places_of(_LAYOUT, (*GROWING, *(n for n in _LAYOUT.scalars if n.startswith(("cb_", "record_", "trace_")))))


class Contact:
    """Contact i of a Data: d.contact[i].dist, .pos, .frame, .geom, ... (views of the contact_* fields)."""

    def __init__(self, data: Data, index: int):
        self._data, self.index = data, index

    @property
    def geom1(self) -> int:
        """The first geom."""
        return int(self.geom[0])

    @property
    def geom2(self) -> int:
        """The second geom, which the normal points to."""
        return int(self.geom[1])

    def __dir__(self):
        return ["geom1", "geom2", *(n.removeprefix("contact_") for n in _LAYOUT.arrays if n.startswith("contact_"))]

    def __getattr__(self, name):
        return _of_contacts(self._data, name)[self.index]


class Contacts:
    """d.contact: the active contacts as a sequence; d.contact.dist, .geom1, ... one row for each."""

    def __init__(self, data: Data):
        self._data = data

    def __len__(self) -> int:
        return self._data.ncon

    def __getitem__(self, i: int) -> Contact:
        if not -len(self) <= i < len(self):
            raise IndexError(f"contact {i} of {len(self)}")
        return Contact(self._data, i % len(self))

    def __dir__(self):
        return ["geom1", "geom2", *(n.removeprefix("contact_") for n in _LAYOUT.arrays if n.startswith("contact_"))]

    def __getattr__(self, name):
        if name in ("geom1", "geom2"):
            return self.geom[:, int(name[-1]) - 1]
        return _of_contacts(self._data, name)[:len(self)]


def _of_contacts(data: Data, name: str) -> np.ndarray:
    """The field of contacts with this name."""
    if "contact_" + name not in _LAYOUT.arrays:
        known = hint(name, [n.removeprefix("contact_") for n in _LAYOUT.arrays if n.startswith("contact_")])
        raise AttributeError(f"a contact has no attribute {name}{known}")
    return getattr(data, "contact_" + name)


class Warned(NamedTuple):
    """How often something went wrong, and the number of the element or value that it was about last."""

    number: int
    lastinfo: int


class EngineHooks(NamedTuple):
    """What Data has the engine compute: it installs these, nothing here names it (physics/engine/data_hooks.py).

    initial_sleep: puts trees to sleep that are to begin so (sleep_due is 1). fill_factor: completes qLD and qLDiagInv where qLD_due is set.
    """

    initial_sleep: Kernel
    fill_factor: Kernel


class Data(struct.Struct):
    """Fields under their official names as NumPy arrays (physics/fields/data_fields.py lists the tables); scalars as numbers.

    Storage for contacts and constraint rows grows; all else is fixed by the model's sizes. Assigning to an array copies
    into it. A new Data is at the model's initial pose (see reset).
    """

    layout = _LAYOUT
    plain = _PLAIN
    workings = struct.Struct.workings | {"engine_hooks", "has_mocap", "rest_mocap", "scratch", "copy_workings", "make_room", "grow_contacts", "grow_efc", "grow_factor", "note_callback_error", "raise_callback_error",
                                         "forget_computed"}
    engine_hooks: ClassVar[EngineHooks | None] = None

    def __init__(self, model: Model, maxcon: int = 64, maxefc: int = 256, maxJ: int = 4096, maxH: int = 4096):
        super().__init__()
        self.model, self.has_mocap = model, model.nmocap > 0
        self.scratch = {}   # what computations about this Data keep to work in, by their names: no part of the state
        model.used_by(self)
        sizes = {n: getattr(model, n) for n in model.layout.scalars if n.startswith("n")}
        self._sizes = sizes
        self._buffer = self._allocate(_FIXED, sizes)
        self._rooms, self._callbacks, self._error = {}, {}, None
        first = {"maxcon": maxcon, "maxefc": maxefc, "maxJ": maxJ, "maxH": maxH}
        for name in GROWING:   # those of another engine: nothing until it asks
            n = first.get(name, 0)
            self._rooms[name] = self._allocate(_ROOM[name], {**sizes, name: n})
            setattr(self, name, n)
        self.reset()

    def reset(self) -> None:
        """Time 0, the initial pose at rest, no controls (quaternions: no rotation) or applied forces; computed fields 0. Callbacks stay."""
        self.model.check_written()
        self._buffer[:] = 0
        for raw in self._rooms.values():
            raw[:] = 0
        self._block[_CLEARED] = 0
        self.cb_error, self._error = 0, None
        m = self.model
        self.qpos[:] = m.qpos0
        self.eq_active[:] = m.eq_active0
        if m.nu:
            self.ctrl[:] = start_controls(m)
        if m.nhistory:
            fill_history(m, self.history)
        wake_all(m, self)
        self.tendon_efcadr[:] = -1
        bodies = np.nonzero(m.body_mocapid >= 0)[0] if m.nmocap else []
        self.mocap_pos[m.body_mocapid[bodies]] = m.body_pos[bodies]
        self.mocap_quat[m.body_mocapid[bodies]] = m.body_quat[bodies]
        if m.opt_enableflags & ENBL_SLEEP and (m.tree_sleep_policy == SLEEP_INIT).any():
            self._begin_asleep()

    def rest_mocap(self) -> None:
        """Where mocap bodies are is where they were at the end of the last step: they have been put there, and have no velocity (which the hard engine takes from this)."""
        if self.has_mocap:
            self.mocap_before[:, 0], self.mocap_before[:, 1:4], self.mocap_before[:, 4:] = self.time, self.mocap_pos, self.mocap_quat

    def forget_computed(self) -> None:
        """Contacts, constraint rows and tendon paths are of a Model of another structure than now: there are none until they are computed anew. All wake."""
        for name in _COUNTS:
            setattr(self, name, 0)
        self.ten_wrapnum[:] = 0
        self.tendon_efcadr[:] = -1
        self.wake()

    def wake(self) -> None:
        """Wake all trees, such as after a change to the Model that moves sleepers: what they keep is computed anew."""
        wake_all(self.model, self)
        self.sleep_due = 0

    def let_sleep(self) -> None:
        """After wake(), and with tree_asleep then set to that of a state which is taken back: its sleepers sleep on where they are now."""
        if (self.tree_asleep >= 0).any():
            self.sleep_qpos[:] = self.qpos
            self.sleep_due = 2

    def _begin_asleep(self) -> None:
        """Let the trees sleep that are to begin so: now, or with the first step where kernels are not there yet or the model cannot run."""
        self.sleep_qpos[:] = self.qpos
        self.sleep_due = 1
        begin = self.engine_hooks and self.engine_hooks.initial_sleep
        if begin and (begin.addr or NOJIT) and not self.model.view_only:
            begin(self.model, self)
            while self.make_room():
                begin(self.model, self)
            self._tell_who_is_awake()

    def _tell_who_is_awake(self) -> None:
        """Warn of trees that were to begin asleep and cannot: they touch others, or something pushes them."""
        m = self.model
        awake = np.flatnonzero((m.tree_sleep_policy == SLEEP_INIT) & (self.tree_asleep < 0))
        if len(awake) and m.opt_integrator != INT_RK4:
            body = int(m.tree_bodyadr[awake[0]])
            text = f"{len(awake)} trees that are to begin asleep stay awake, as they are in one island with others; the first is that of body '{m.name('body', body)}' ({body})"
            warnings.warn(text, RuntimeWarning, stacklevel=4)

    # ------------------------------------------------ made when asked for

    @property
    def qLD(self) -> np.ndarray:
        """Factors of the mass matrix. Steps do without those of trees with long chains: they are made here (engine/inertia/articulated_body.py)."""
        return self._factor("qLD")

    @property
    def qLDiagInv(self) -> np.ndarray:
        """1 / the factors' diagonal, as qLD."""
        return self._factor("qLDiagInv")

    def _factor(self, name: str) -> np.ndarray:
        if self.qLD_due:
            self.model.check_written()
            self.qLD_due = 0   # first: the interpreter's kernels read by this very way
            self.engine_hooks.fill_factor(self.model, self)
        return self.__dict__[name]

    # ------------------------------------------------ storage

    def grow_contacts(self, n: int) -> None:
        """Room for at least n contacts; what is stored stays."""
        self._grow("maxcon", n)

    def grow_efc(self, nrows: int, nJ: int = 0) -> None:
        """Room for at least nrows constraint rows with nJ Jacobian entries in total; what is stored stays."""
        self._grow("maxefc", nrows)
        self._grow("maxJ", nJ)

    def grow_factor(self, n: int) -> None:
        """Room for at least n numbers in the solver's factor; what is stored stays."""
        self._grow("maxH", n)

    def make_room(self) -> bool:
        """Make the room that the last kernel asked for, and a half more. Returns whether it asked for any."""
        if self._block[_NEEDS].tobytes() == _NOTHING:       # as a rule; asked after each stage, and quicker than any()
            return False
        wanted = {size: getattr(self, need) for size, need in GROWING.items()}
        for size, n in wanted.items():
            self._grow(size, int(MARGIN * n) + 1 if n else 0)
            setattr(self, GROWING[size], 0)
        return True

    def _grow(self, size: str, n: int) -> None:
        have = getattr(self, size)
        if n <= have:
            return
        n = max(n, have + have // 2)
        old = {name: getattr(self, name) for name in _ROOM[size]}
        self._rooms[size] = self._allocate(_ROOM[size], {**self._sizes, size: n})
        setattr(self, size, n)
        for name, array in old.items():
            getattr(self, name)[:have] = array

    def copy(self) -> Data:
        """A second Data of the same model in the same state; callbacks are not copied."""
        other = Data(self.model, self.maxcon, self.maxefc, self.maxJ, self.maxH)
        other.copy_from(self)
        return other

    def __copy__(self) -> Data:
        return self.copy()

    def __deepcopy__(self, memo: dict) -> Data:
        """A copy of the same model: one that is copied too only where it goes along, as in deepcopy((model, data))."""
        other = Data(memo.get(id(self.model), self.model), self.maxcon, self.maxefc, self.maxJ, self.maxH)
        other._take(self)
        memo[id(self)] = other
        return other

    def __reduce__(self):
        """For pickle: with its Model, without callbacks and record."""
        scalars = {n: getattr(self, n) for n in _LAYOUT.scalars if not n.startswith(("cb_", "record_", "trace_"))}
        return _restored, (self.model, scalars, {n: getattr(self, n) for n in _LAYOUT.arrays})

    def copy_from(self, other: Data) -> None:
        """Take over all fields of another Data of the same model, but its callbacks, record and trace."""
        if other.model is not self.model:
            raise ValueError("the other Data belongs to another Model")
        self._take(other)

    def copy_fields(self, other: Data) -> None:
        """As copy_from, from a Data of another Model of the same sizes. Raises ValueError."""
        if other._sizes != self._sizes:
            raise ValueError("the other Data belongs to a Model of other sizes")
        self._take(other)

    def _take(self, other: Data) -> None:
        mine = self._block[_OWN]
        self._buffer[:] = other._buffer
        for part in _LAYOUT.scalar_parts:
            self._block[part] = other._block[part]
        self._block[_OWN] = mine
        self._take_rooms(other, GROWING)

    def copy_workings(self, other: Data, sizes: Iterable[str], places: np.ndarray) -> None:
        """Take over the arrays whose rooms have these sizes, and the scalars at these places of the block, from a Data of a Model of the same sizes; all else stays."""
        self._block[places] = other._block[places]
        self._take_rooms(other, sizes)

    def _take_rooms(self, other: Data, sizes: Iterable[str]) -> None:
        """The other's arrays of these rooms; what is beyond them stays."""
        for size in sizes:
            mine, theirs = self._rooms[size], other._rooms[size]
            if mine.nbytes < theirs.nbytes:
                self._grow(size, getattr(other, size))
                mine = self._rooms[size]
            if mine.nbytes == theirs.nbytes:   # laid out alike
                mine[:] = theirs
                continue
            n = getattr(other, size)
            for name in _ROOM[size]:
                getattr(self, name)[:n] = getattr(other, name)

    def nbytes(self) -> int:
        """Memory of all arrays, in bytes."""
        return self._buffer.nbytes + sum(raw.nbytes for raw in self._rooms.values())

    # ------------------------------------------------ elements

    @property
    def warning(self) -> tuple[Warned, ...]:
        """What was counted of each physics.enums.Warning: d.warning[k].number, .lastinfo."""
        return tuple(map(Warned, self.warning_number.tolist(), self.warning_lastinfo.tolist()))

    @property
    def solver(self) -> SolverStatistics:
        """What the constraint solver did in the last step, island by island."""
        return SolverStatistics(self)

    @property
    def contact(self) -> Contacts:
        """The active contacts as a sequence of objects."""
        return Contacts(self)

    def __dir__(self):
        """Also the kinds of elements and what is known of the present islands."""
        return sorted({*super().__dir__(), *ALIASES, *islands.FIELDS})

    def __getattr__(self, kind):
        """d.body('torso'), d.joint(3), ...: a view of one element. d.tree_island, ...: of the present islands (physics/model/islands.py)."""
        if kind in ALIASES:
            return element_views.Selector(self, self.model, ALIASES[kind])
        if kind in islands.FIELDS:
            return getattr(islands.islands_of(self.model, self), kind)
        known = "" if kind.startswith("_") else hint(kind, dir(self))
        raise AttributeError(f"Data has no field {kind}{known}")

    # ------------------------------------------------ callbacks

    def set_callback(self, slot: str, fn: Callable | None) -> None:
        """Have kernels call fn at a slot such as 'cb_passive'; None takes it out. physics/model/callbacks.py lists slots and arguments.

        An exception in fn sets cb_error: the step does not happen, and physics.step, forward, ... raise it.
        Raises KeyError for an unknown slot.
        """
        if slot not in callbacks.SLOTS:
            raise KeyError(f"no callback slot {slot}; there are {', '.join(callbacks.SLOTS)}")
        if fn is None:
            setattr(self, slot, 0)
            self._callbacks.pop(slot, None)
            return
        installed = callbacks.install(self, slot, fn)
        self._callbacks[slot] = installed.keep
        setattr(self, slot, installed.address)

    def note_callback_error(self, error: BaseException) -> None:
        """Keep the first exception of a callback until raise_callback_error()."""
        self._error = self._error or error
        self.cb_error = 1

    def raise_callback_error(self) -> None:
        """Raise the first exception that a callback left behind, if any, and forget it."""
        error, flagged = self._error, self.cb_error
        self._error, self.cb_error = None, 0
        if error is not None:
            raise error
        if symbol := load.stubbed_call():
            raise load.NotCompiledError(symbol)
        if flagged:
            raise RuntimeError("a compiled callback has set cb_error")


def _restored(model: Model, scalars: dict, arrays: dict) -> Data:
    data = Data(model, scalars["maxcon"], scalars["maxefc"], scalars["maxJ"], scalars["maxH"])
    for size in GROWING:   # what another engine has asked for
        data._grow(size, scalars[size])
    for name, value in (*scalars.items(), *arrays.items()):
        setattr(data, name, value)
    return data


class Batch:
    """Several Data for a kernel parameter 'D': there, ds[i] is a Data."""

    def __init__(self, items: Iterable[Data]):
        self.items = tuple(items)
        self._addresses = np.array([d._as_parameter_ for d in self.items], np.int64)
        self._as_parameter_ = self._addresses.ctypes.data

    def __getitem__(self, i: int) -> Data:
        return self.items[i]

    def __len__(self) -> int:
        return len(self.items)


for _name, _property in struct.scalar_properties(_LAYOUT).items():
    setattr(Data, _name, _property)
