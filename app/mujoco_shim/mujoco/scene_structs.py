"""The shapes of a picture: MjvGeom, and MjvScene with room for many of them, which lie in arrays."""
from __future__ import annotations

from operator import index
from types import MappingProxyType, SimpleNamespace

import numpy as np

from .picture_structs import MjvGLCamera, MjvLight
from .structs import OwnStruct, RowStruct

MAXLIGHT, LABEL_BYTES = 100, 100
_HOME = ("_home", "_at")


class MjvGeom(RowStruct):
    """A shape of a picture."""

    FIELDS = MappingProxyType({
        "type": 1001, "dataid": -1, "objtype": 0, "objid": 0, "category": 0, "matid": -1, "texcoord": 0, "texid": -1, "texuniform": 0, "segid": 0, "transparent": 0, "castshadow": 1,
        "size": np.full(3, 0.1, np.float32), "pos": np.zeros(3, np.float32), "mat": np.eye(3, dtype=np.float32), "rgba": np.array((0.5, 0.5, 0.5, 1), np.float32),
        "texrepeat": np.zeros(2, np.float32), "emission": 0.0, "specular": 0.5, "shininess": 0.5, "reflectance": 0.0, "label": "", "camdist": 0.0, "modelrbound": 0.0,
    })

    def begin(self) -> None:
        """A home of one row."""
        self._home, self._at = geom_rows(1), 0
        for name in self.FIELDS:
            setattr(self, name, self.FIELDS[name])

    @property
    def label(self) -> str:
        """Text beside it."""
        return self._home.label[self._at].decode(errors="replace")

    @label.setter
    def label(self, text: str | bytes) -> None:
        self._home.label[self._at] = (text if isinstance(text, bytes) else text.encode())[:LABEL_BYTES - 1]

    def __setattr__(self, name, value):
        if name not in self.FIELDS and name not in _HOME:
            raise AttributeError(f"MjvGeom has no attribute {name!r}")
        if name in self.FIELDS and isinstance(self.FIELDS[name], int):
            value = index(value)
        elif name in ("mat", "size", "pos", "rgba", "texrepeat"):
            value = np.asarray(value, np.float32).reshape(self.FIELDS[name].shape)
        object.__setattr__(self, name, value)


def geom_rows(count: int) -> SimpleNamespace:
    """Arrays of so many geoms, all 0."""
    kinds = {int: np.int32, float: np.float32}
    home = SimpleNamespace()
    for name, value in MjvGeom.FIELDS.items():
        shape, dtype = (value.shape, value.dtype) if isinstance(value, np.ndarray) else ((), kinds.get(type(value), f"S{LABEL_BYTES}"))
        setattr(home, name, np.zeros((count, *shape), dtype))
    return home


class GeomRoom:
    """Room for MjvGeoms, as a sequence of fixed length; slices are tuples."""

    def __init__(self, count: int):
        self.rows, self._count = geom_rows(count), count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, at):
        if isinstance(at, slice):
            return tuple(MjvGeom.of(self.rows, i) for i in range(*at.indices(self._count)))
        i = index(at)
        if not -self._count <= i < self._count:
            raise IndexError("tuple index out of range")
        return MjvGeom.of(self.rows, i % self._count)

    def __iter__(self):
        return (MjvGeom.of(self.rows, i) for i in range(self._count))

    def __eq__(self, other):
        return isinstance(other, GeomRoom) and len(self) == len(other) and all(np.array_equal(rows, vars(other.rows)[name]) for name, rows in vars(self.rows).items())

    __hash__ = None

    def copy(self) -> GeomRoom:
        """The same geoms in arrays of their own."""
        new = GeomRoom(0)
        new._count = self._count
        for name, rows in vars(self.rows).items():
            setattr(new.rows, name, rows.copy())
        return new

    def __repr__(self) -> str:
        return f"<{self._count} MjvGeom>"


class MjvScene(OwnStruct):
    """The shapes of a picture, at most maxgeom, with its lights and the two eyes of its camera. bones: where those of its skins are (render.scene.skins.SkinPoses)."""

    FIELDS = MappingProxyType({
        "maxgeom": 0, "ngeom": 0, "geoms": tuple, "nlight": 0, "lights": tuple, "camera": tuple, "enabletransform": 0, "translate": np.zeros(3, np.float32),
        "rotate": np.array((1, 0, 0, 0), np.float32), "scale": 1.0, "stereo": 0, "flags": np.array((1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 1), np.uint8), "framewidth": 0,
        "framergb": np.zeros(3, np.float32), "nskin": 0, "nflex": 0, "status": 0,
    })

    def __init__(self, model=None, maxgeom=0):
        super().__init__()
        self.__dict__.update(maxgeom=index(maxgeom), geoms=GeomRoom(index(maxgeom)))
        if model is not None:
            self.__dict__["nskin"] = model._inner.nskin

    def begin(self) -> None:
        """Values of a new one."""
        super().begin()
        self.__dict__.update(geoms=GeomRoom(0), lights=tuple(MjvLight() for _ in range(MAXLIGHT)), camera=(MjvGLCamera(), MjvGLCamera()), _seen={}, _bones=None)

    def take(self, other: MjvScene) -> None:
        """All values of another one, in arrays of its own."""
        for name in self.FIELDS:
            value = getattr(other, name)
            if name == "geoms":
                self.__dict__[name] = value.copy()
            elif name in ("lights", "camera"):
                for mine, theirs in zip(self.__dict__[name], value):
                    mine.take(theirs)
            else:
                setattr(self, name, value)
        self.__dict__["_bones"] = other._bones


def rows_of(scn: MjvScene) -> SimpleNamespace:
    """The arrays of a scene's geoms, whatever a script's subclass calls `geoms`."""
    return scn.__dict__["geoms"].rows
