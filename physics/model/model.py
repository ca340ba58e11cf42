"""Model: everything about a mechanism that does not change while it moves."""
from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from types import MappingProxyType

from physics.fields.layout import LAYOUTS
from physics.model import element_views, struct
from physics.model.visual import Visual
from physics.name_hints import hint

_LAYOUT = LAYOUTS["m"]
_KEPT = ("engine_found",)   # found anew by each Model: what simulate/engines.py found to move it, None after a change of the option
_PLAIN = ("names", "places", "source", "view_only", "vis", "texts", "compat", "title", "assets")

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

    Beside them: names[kind][i] and places[kind][i] (kinds: KINDS above), source (files it was read from), view_only
    (issues that forbid dynamics), opt and stat (fields opt_* and stat_* without the prefix), vis (picture settings), title (the
    model's name), assets[kind][i] (sources of textures, meshes, height fields and skins: physics/model/asset_record.py).
    `m.body('torso').mass` reads one element's row. Assigning to an array copies into it.
    """

    layout = _LAYOUT
    plain = (*_PLAIN, *_KEPT)
    workings = struct.Struct.workings | {"allocate", *_KEPT}

    def __init__(self, sizes: Mapping[str, int]):
        super().__init__()
        self.engine_found = None
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
        """A Model of these sizes with all fields zero, ready to be filled. Sizes not given are 0."""
        return cls(sizes)

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
        known = "" if kind.startswith("_") else hint(kind, dir(self))
        raise AttributeError(f"Model has no field {kind}{known}")

    def __reduce__(self):
        """For copy and pickle: a Model of its own, with all fields and descriptions."""
        sizes = {n: getattr(self, n) for n in _LAYOUT.scalars}
        arrays = {n: getattr(self, n) for n in _LAYOUT.arrays}
        plain = {n: getattr(self, n) for n in _PLAIN if n != "assets"}
        plain["assets"] = {kind: tuple(record and record.plain() for record in records) for kind, records in self.assets.items()}
        return _restored, (sizes, arrays, deepcopy(plain))


def _restored(scalars: dict, arrays: dict, plain: dict) -> Model:
    model = Model({n: x for n, x in scalars.items() if isinstance(x, int)})
    for name, value in (*scalars.items(), *arrays.items(), *plain.items()):
        setattr(model, name, value)
    return model


def _picks_engine(scalar: property) -> property:
    """The option `engine`: writing it has the engine looked up again."""

    def write(m: Model, value: int) -> None:
        scalar.fset(m, value)
        m.engine_found = None

    return property(scalar.fget, write)


for _name, _property in struct.scalar_properties(_LAYOUT).items():
    setattr(Model, _name, _picks_engine(_property) if _name == "opt_engine" else _property)
