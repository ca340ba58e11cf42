"""Model: everything about a mechanism that does not change while it moves."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from types import MappingProxyType
from typing import NamedTuple
from weakref import WeakSet

import numpy as np

from physics.errors import FieldError, Issue
from physics.fields.layout import LAYOUTS
from physics.model import element_views, struct
from physics.model.index_fields import ALONE, SEEN_BY_ENGINE, TRUSTED
from physics.model.visual import Visual
from physics.model.watched_array import WatchedArray, Writes, watch
from physics.name_hints import hint
from physics.spec.links import NO_LINKS

_LAYOUT = LAYOUTS["m"]
_KEPT = ("engine_found", "revision")   # found anew by each Model: what simulate/engines.py found to move it, None after a write that has to be checked
_WATCHED = tuple(name for name in _LAYOUT.arrays if name in TRUSTED)
_PLAIN = ("names", "places", "links", "source", "view_only", "vis", "texts", "compat", "title", "assets")

# canonical kind -> (size, other spellings)
KINDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "body": ("nbody",), "joint": ("njnt", "jnt"), "geom": ("ngeom",), "site": ("nsite",), "camera": ("ncam", "cam"),
        "light": ("nlight",), "material": ("nmat", "mat"), "texture": ("ntex", "tex"), "pair": ("npair",),
        "exclude": ("nexclude",), "equality": ("neq", "eq"), "tendon": ("ntendon", "ten"), "actuator": ("nactuator",),
        "sensor": ("nsensor",), "numeric": ("nnumeric",), "text": ("ntext",), "tuple": ("ntuple",), "key": ("nkey", "keyframe"),
        "mesh": ("nmesh",), "hfield": ("nhfield",), "skin": ("nskin",),
    }
)
ALIASES: Mapping[str, str] = MappingProxyType({other: kind for kind, spec in KINDS.items() for other in (kind, *spec[1:])})


class Revision(NamedTuple):
    """How often fields of a Model were written by edits of the text, and in which of these times each was last. Whoever derives something from fields of a Model that runs
    can tell by `of` whether it is still right."""

    number: int = 0
    edit: int = 0       # SetFields.number of the newest that was carried out
    fields: Mapping[str, int] = MappingProxyType({})

    def of(self, *names: str) -> int:
        """The newest time in which one of these fields was written."""
        return max((self.fields.get(name, 0) for name in names), default=0)


class Group:
    """The fields of a struct with one prefix, as attributes: m.opt.timestep is m.opt_timestep."""

    def __init__(self, owner, prefix: str):
        object.__setattr__(self, "_owner", owner)
        object.__setattr__(self, "_prefix", prefix)

    def __getattr__(self, name):
        return getattr(self._owner, self._field(name))

    def __setattr__(self, name, value):
        setattr(self._owner, self._field(name), value)

    def _field(self, name: str) -> str:
        field = self._prefix + name
        if field not in self._owner.layout.rows:
            raise AttributeError(f"m.{self._prefix[:-1]} has no field {name}{hint(name, dir(self))}")
        return field

    def __dir__(self):
        return [n[len(self._prefix):] for n in self._owner.fields() if n.startswith(self._prefix)]


class Model(struct.Struct):
    """Fields under their official names as NumPy arrays (physics/fields/model_fields.py); scalars as numbers.

    Beside them: names[kind][i] and places[kind][i] (kinds: KINDS above), links (to the elements of the text: physics/spec/links.py), source (files it was read from), view_only
    (issues that forbid dynamics), opt and stat (fields opt_* and stat_* without the prefix), vis (picture settings), title (the
    model's name), assets[kind][i] (sources of textures, meshes, height fields and skins: physics/model/asset_record.py).
    `m.body('torso').mass` reads one element's row. Assigning to an array copies into it.

    Whole numbers that compiled code trusts (types, addresses, flags) may be written like all others; before the model is next used for
    anything they are checked, and wrong ones raise FieldError there until they are mended. Sizes cannot be written.
    """

    layout = _LAYOUT
    plain = (*_PLAIN, *_KEPT)
    workings = struct.Struct.workings | {"allocate", "writes", "used_by", "distrust", "revised", *_KEPT}
    _sealed = False

    def __init__(self, sizes: Mapping[str, int]):
        super().__init__()
        self.engine_found, self.revision = None, Revision()
        object.__setattr__(self, "writes", Writes(self))
        self._datas, self._looked_at = WeakSet(), (-1, [])
        unknown = [n for n in sizes if n not in _LAYOUT.scalars]
        if unknown:
            raise ValueError(f"unknown sizes {unknown}")
        for name, value in sizes.items():
            setattr(self, name, value)
        known = {n: getattr(self, n) for n, (_o, kind) in _LAYOUT.scalars.items() if kind == "i"}
        self._buffer = self._allocate(_LAYOUT.arrays, known)
        self.names = {kind: ("",) * known[spec[0]] for kind, spec in KINDS.items()}
        self.places = {kind: (None,) * known[spec[0]] for kind, spec in KINDS.items()}
        self.source, self.view_only, self.texts, self.compat = [], (), {}, "4.0"
        self.links = NO_LINKS
        self.title, self.assets = "", {}
        self.vis = Visual()

    @property
    def opt(self) -> Group:
        """Fields opt_* without the prefix; made when asked for: kept, it would hold the model in a circle until Python collects circles."""
        return Group(self, "opt_")

    @property
    def stat(self) -> Group:
        """Fields stat_* without the prefix."""
        return Group(self, "stat_")

    @classmethod
    def allocate(cls, sizes: Mapping[str, int]) -> Model:
        """A Model of these sizes with all fields zero, ready to be filled; then `seal` it. Sizes not given are 0."""
        return cls(sizes)

    # ------------------------------------------------ whole numbers that compiled code trusts

    def seal(self, unchecked: tuple[str, ...] = ()) -> None:
        """The Model is complete: from now on writing to what compiled code trusts is noted, and sizes are fixed. unchecked: fields that count as written."""
        if isinstance(self._buffer, np.ndarray):
            base = self._buffer.ctypes.data
            end = base + self._buffer.nbytes
        else:
            base = end = 0
        mine, inside = self.__dict__, {}
        for name in _WATCHED:
            array = mine[name]
            if not array.size:
                continue
            if base <= array.ctypes.data < end:
                inside[name] = array
            else:   # bound by itself
                self._watch(name, array)
        if inside:
            mine.update(watch(self._buffer, inside, self.writes))
        self._sealed = True
        for name in unchecked:
            self.writes.note(name)

    def _watch(self, name: str, array: np.ndarray) -> None:
        self.__dict__.update(watch(array.reshape(-1).view(np.uint8), {name: array}, self.writes))

    def bind(self, name: str, array: np.ndarray) -> None:
        """As Struct.bind."""
        super().bind(name, array)
        if self._sealed and name in TRUSTED and array.size:
            self._watch(name, array)
            self.writes.note(name)

    @contextmanager
    def writing(self, name: str) -> Iterator[np.ndarray]:
        """A field as an ordinary writable array, for as long as the block lasts: `with m.writing('geom_condim') as a: np.copyto(a, 3)`."""
        array = getattr(self, name)
        if not isinstance(array, WatchedArray):
            yield array
            return
        spot = self.layout.arrays[name]
        with self.writes.lock:
            self.writes.note(name)
            plain = struct.array_at(int(self._block[spot.offset >> 3]), array.shape, spot.dtype)
            try:
                yield plain
            finally:
                plain.setflags(write=False)

    def distrust(self) -> None:
        """Nothing compiled is called with this Model until `check_written` has passed: kernels no longer find its address."""
        self.__dict__.pop("_as_parameter_", None)
        self.__dict__["engine_found"] = None

    def wrong_numbers(self) -> list[Issue]:
        """What was written since the last check and would lead compiled code astray, [] where all is well. Quick where nothing new was written."""
        if not self.writes.fields:
            return []
        count, fields = self.writes.count, frozenset(self.writes.fields)
        if self._looked_at[0] != count:
            from physics.model import lwb_validate   # late: few programs write these

            self._looked_at = count, lwb_validate.check_written(self, fields)
        return self._looked_at[1]

    def check_written(self) -> None:
        """Raise FieldError where there are wrong_numbers, else have kernels use this Model again. Quick where nothing was written."""
        writes = self.writes
        while writes.fields:
            count, issues = writes.count, self.wrong_numbers()
            if issues:
                raise FieldError(issues, writes.fields)
            with writes.lock:
                if writes.count == count:   # else written meanwhile by another thread
                    self._trust(writes.fields)

    def _trust(self, fields: set[str]) -> None:
        """What was written is in order; what the model's Data have computed from other structures is void."""
        if not fields <= ALONE:
            for d in tuple(self._datas):
                d.forget_computed()
        fields.clear()
        self.__dict__["_as_parameter_"] = struct.address(self._block)

    def revised(self, names: Iterable[str], edit: int = 0) -> None:
        """These fields have been written by an edit of the text. edit: its number."""
        number = self.revision.number + 1
        self.revision = Revision(number, max(edit, self.revision.edit), MappingProxyType({**self.revision.fields, **dict.fromkeys(names, number)}))

    def used_by(self, d) -> None:
        """Remember a Data of this Model for as long as it lives."""
        with self.writes.lock:
            self._datas.add(d)

    # ------------------------------------------------ names and elements

    def id(self, kind: str, name: str) -> int:
        """Index of the element with this name, -1 when there is none. Raises KeyError for an unknown kind."""
        names = self.names[ALIASES[kind]]
        return names.index(name) if name and name in names else -1

    def name(self, kind: str, index: int) -> str:
        """Name of an element, '' when it has none."""
        return self.names[ALIASES[kind]][index]

    def __dir__(self):
        """Also the kinds of elements."""
        return sorted({*super().__dir__(), *ALIASES})

    def __getattr__(self, kind):
        """m.body('torso'), m.joint(3), ...: a view of one element."""
        if kind in ALIASES:
            return element_views.Selector(self, self, ALIASES[kind])
        if kind == "_as_parameter_":   # a kernel asks for the address, and something was written
            self.check_written()
            return self.__dict__[kind]
        known = "" if kind.startswith("_") else hint(kind, dir(self))
        raise AttributeError(f"Model has no field {kind}{known}")

    def __reduce__(self):
        """For copy and pickle: a Model of its own, with all fields and descriptions."""
        sizes = {n: getattr(self, n) for n in _LAYOUT.scalars}
        arrays = {n: getattr(self, n) for n in _LAYOUT.arrays}
        plain = {n: getattr(self, n) for n in _PLAIN if n != "assets"}
        plain["assets"] = {kind: tuple(record and record.plain() for record in records) for kind, records in self.assets.items()}
        return _restored, (sizes, arrays, deepcopy(plain), tuple(self.writes.fields) if self._sealed else None)


def _restored(scalars: dict, arrays: dict, plain: dict, unchecked: tuple[str, ...] | None = ("nbody",)) -> Model:
    """unchecked: fields that were written and not checked yet, None for a Model that is not sealed; Models pickled before do not say, so all of theirs are."""
    model = Model({n: x for n, x in scalars.items() if isinstance(x, int)})
    for name, value in (*scalars.items(), *arrays.items(), *plain.items()):
        setattr(model, name, value)
    if unchecked is not None:
        model.seal(unchecked)
    return model


def _picks_engine(scalar: property) -> property:
    """The option `engine`: writing it has the engine looked up again."""

    def write(m: Model, value: int) -> None:
        scalar.fset(m, value)
        m.engine_found = None

    return property(scalar.fget, write)


def _size(name: str, scalar: property) -> property:
    """How many there are of something: fixed once the Model is complete, as its arrays and those of each Data have so many rows."""

    def write(m: Model, value: int) -> None:
        if m._sealed and value != scalar.fget(m):
            raise AttributeError(f"m.{name} is a size and cannot be written ({scalar.fget(m)} -> {value}): compile a model of that size")
        scalar.fset(m, value)

    return property(scalar.fget, write)


def _noted(name: str, scalar: property) -> property:
    """A number that compiled code trusts."""

    def write(m: Model, value: int) -> None:
        if not m._sealed:
            scalar.fset(m, value)
            return
        with m.writes.lock:
            m.writes.note(name)
            scalar.fset(m, value)

    return property(scalar.fget, write)


def _guarded(name: str, scalar: property) -> property:
    """What a scalar is as an attribute of Model."""
    if name == "opt_engine":
        return _picks_engine(scalar)
    if _LAYOUT.scalars[name][1] == "i" and name.startswith("n"):
        return _size(name, scalar)
    return _noted(name, scalar) if name in TRUSTED - SEEN_BY_ENGINE else scalar


for _name, _property in struct.scalar_properties(_LAYOUT).items():
    setattr(Model, _name, _guarded(_name, _property))
