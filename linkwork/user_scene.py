"""What a script draws into its window beside the model: shapes as the official viewer's user_scn has them, and markers with lifetimes.

    viewer.user_scn.ngeom = 0                                            viewer.user_scn.arrow((0, 0, 0), (0, 0, 1), lifetime=2)
    linkwork.init_geom(viewer.user_scn.geoms[0], GeomType.SPHERE, ...)
    viewer.user_scn.ngeom = 1                                            both are seen with the next viewer.sync()

The first ngeom geoms are drawn as they are, until they are others. Markers are added once and stay for their lifetime, or until `clear`.
"""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from physics.enums import GeomType

MOST = 100_000      # geoms
GREY = (0.5, 0.5, 0.5, 1.0)
FIELDS = ("type", "size", "pos", "mat", "rgba", "dataid")
# shapes that can be drawn
DRAWN = frozenset({GeomType.PLANE, GeomType.SPHERE, GeomType.CAPSULE, GeomType.ELLIPSOID, GeomType.CYLINDER, GeomType.BOX, GeomType.ARROW, GeomType.ARROW1, GeomType.ARROW2,
                   GeomType.LINE, GeomType.LINEBOX, GeomType.MESH, GeomType.LABEL, GeomType.NONE})
MESHES = int(GeomType.MESH)
CENTRED = frozenset({GeomType.CAPSULE, GeomType.CYLINDER})    # pos is their middle, size[1] half their length
Calls = list[tuple[str, tuple, Mapping]]


class UserGeom:
    """Geom i of a UserScene. type: a GeomType; size (3,), pos (3,) [m], mat (3, 3), rgba (4,): views, which may be written to; label: a text
    beside it; dataid: of a mesh, twice the number of the model's mesh."""

    __slots__ = ("_index", "_scene")

    def __init__(self, scene: UserScene, index: int):
        self._scene, self._index = scene, index

    @property
    def type(self) -> int:
        """Number of a GeomType."""
        return int(self._scene.type[self._index])

    @type.setter
    def type(self, value: int) -> None:
        if value not in DRAWN:
            raise ValueError(f"geoms of type {value} cannot be drawn; there are {', '.join(f'{kind.name} ({kind.value})' for kind in sorted(DRAWN))}")
        self._scene.type[self._index] = value

    @property
    def dataid(self) -> int:
        """Twice the number of a mesh of the model, one more for its convex hull, which is drawn as the mesh; -1 for none."""
        return int(self._scene.dataid[self._index])

    @dataid.setter
    def dataid(self, value: int) -> None:
        self._scene.dataid[self._index] = value

    @property
    def label(self) -> str:
        """Text beside it, '' for none."""
        return self._scene.labels.get(self._index, "")

    @label.setter
    def label(self, text: str) -> None:
        self._scene.label(self._index, str(text))


def _row(name: str) -> property:
    def read(geom: UserGeom) -> np.ndarray:
        return getattr(geom._scene, name)[geom._index]

    def write(geom: UserGeom, value) -> None:
        row = getattr(geom._scene, name)[geom._index]
        row[...] = np.asarray(value, float).reshape(row.shape)

    return property(read, write, doc=f"Its {name}.")


for _name in FIELDS[1:-1]:
    setattr(UserGeom, _name, _row(_name))


class UserScene:
    """geoms: the first ngeom of them are drawn; maxgeom: how many there may be. The methods add markers: rgba of 3 or 4 numbers, lifetime in seconds of the clock on the
    wall (None: until `clear`), name: a marker of the same name is replaced. Mistakes in their arguments are told in the window's log. model: whose meshes geoms may show."""

    def __init__(self, maxgeom: int = MOST, flags=None, model=None):
        self.maxgeom, self.flags, self._model = maxgeom, flags, model
        self.type = np.full(maxgeom, int(GeomType.NONE), np.int32)
        self.size, self.pos, self.mat, self.rgba = (np.zeros((maxgeom, *shape)) for shape in ((3,), (3,), (3, 3), (4,)))
        self.dataid = np.full(maxgeom, -1, np.int32)
        self.labels: dict[int, str] = {}
        self._ngeom = 0
        self._sent: tuple | None = None
        self._calls: Calls = []
        self._cleared = False
        self.geoms = _Geoms(self)

    @property
    def ngeom(self) -> int:
        """How many geoms are drawn."""
        return self._ngeom

    @ngeom.setter
    def ngeom(self, count: int) -> None:
        if not 0 <= count <= self.maxgeom:
            raise ValueError(f"ngeom must be 0 to {self.maxgeom}, not {count}")
        self._ngeom = int(count)

    def label(self, index: int, text: str) -> None:
        """The text beside geom `index`."""
        if text:
            self.labels[index] = text
        else:
            self.labels.pop(index, None)

    def add(self, type: int, size=None, pos=None, mat=None, rgba=None, label: str = "") -> UserGeom:
        """One more geom, with init_geom's arguments. Raises IndexError where there is no room."""
        geom = self.geoms[self._ngeom]
        init_geom(geom, type, size, pos, mat, rgba)
        geom.label = label
        self._ngeom += 1
        return geom

    def clear(self) -> None:
        """Nothing is drawn any more."""
        self._ngeom = 0
        self.labels.clear()
        self._calls, self._cleared = [("clear", (), {})], True

    # ------------------------------------------------------------------ markers

    def arrow(self, start, end, *more, **options) -> None:
        """An arrow from start to end, (3,) or (n, 3) [m]; width: radius of its shaft [m]."""
        self._call("arrow", start, end, *more, **options)

    def line(self, points, *more, **options) -> None:
        """A line through points (n, 3) [m]; width [pixel]."""
        self._call("line", points, *more, **options)

    def lines(self, segments, *more, **options) -> None:
        """Lines from one point to another: (n, 2, 3) [m]; width [pixel]."""
        self._call("lines", segments, *more, **options)

    def points(self, positions, *more, **options) -> None:
        """A cloud of dots at (n, 3) [m]; size [pixel]."""
        self._call("points", positions, *more, **options)

    def text(self, pos, text: str, *more, **options) -> None:
        """A text beside a point (3,) [m]."""
        self._call("text", pos, text, *more, **options)

    def mesh(self, vertices, faces, *more, **options) -> None:
        """Triangles: vertices (n, 3) [m], faces (m, 3)."""
        self._call("mesh", vertices, faces, *more, **options)

    def sphere(self, pos, *more, **options) -> None:
        """Balls at (3,) or (n, 3) [m]; size: radius [m]."""
        self._call("sphere", pos, *more, **options)

    def ellipsoid(self, pos, size, *more, **options) -> None:
        """Ellipsoids; size: three half axes [m]; mat: rotation."""
        self._call("ellipsoid", pos, size, *more, **options)

    def box(self, pos, size, *more, **options) -> None:
        """Boxes; size: three half sizes [m]; mat: rotation."""
        self._call("box", pos, size, *more, **options)

    def capsule(self, pos, size, *more, **options) -> None:
        """Capsules along z; size: radius and half length [m]; mat: rotation."""
        self._call("capsule", pos, size, *more, **options)

    def cylinder(self, pos, size, *more, **options) -> None:
        """Cylinders along z; size: radius and half length [m]; mat: rotation."""
        self._call("cylinder", pos, size, *more, **options)

    def _call(self, method: str, *arguments, **options) -> None:
        """For the next `sync`; what the script changes of arrays afterwards does not count."""
        try:
            self._calls.append((method, tuple(map(_kept, arguments)), {name: _kept(value) for name, value in options.items()}))
        except ValueError as error:
            raise ValueError(f"{method}: {error}") from None

    # ------------------------------------------------------------------ sync

    def news(self) -> dict:
        """What the window does not know yet: {'geoms': calls that make the frame of all geoms, 'calls': what is added}, each left out where there is nothing new."""
        told: dict = {}
        n = self._ngeom
        now = *(getattr(self, name)[:n] for name in FIELDS), {i: text for i, text in self.labels.items() if i < n}
        if self._cleared or self._sent is None and n or self._sent is not None and not _same(now, self._sent):
            self._sent = *(array.copy() for array in now[:-1]), now[-1]
            told["geoms"], self._cleared = geom_calls(*self._sent, self._model), False
        if self._calls:
            told["calls"], self._calls = tuple(self._calls), []
        return told


class _Geoms:
    """The geoms of a scene, as a sequence."""

    def __init__(self, scene: UserScene):
        self._scene = scene

    def __len__(self) -> int:
        return self._scene.maxgeom

    def __getitem__(self, index: int) -> UserGeom:
        if not -len(self) <= index < len(self):
            raise IndexError(f"geom {index} of {len(self)}")
        return UserGeom(self._scene, index % len(self))


def _kept(value):
    if isinstance(value, str | int | float | bool | None):
        return value
    array = np.array(value)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"{value!r:.60} is neither numbers nor text")
    return array


def _same(now: tuple, before: tuple) -> bool:
    return now[-1] == before[-1] and all(map(np.array_equal, now[:-1], before[:-1]))


def init_geom(geom: UserGeom, type: int, size=None, pos=None, mat=None, rgba=None) -> None:
    """Set up a geom of a user_scn. size (3,): half sizes as in MJCF, of an arrow or line width, width, length [m]; pos (3,) [m]; mat (9,) or (3, 3), as the columns of a
    frame whose z axis an arrow points along; rgba (4,). None: 0.1 each, 0, not turned, grey. Raises ValueError for a type that cannot be drawn."""
    geom.type = type
    geom.size = (0.1, 0.1, 0.1) if size is None else size
    geom.pos = (0.0, 0.0, 0.0) if pos is None else pos
    geom.mat = np.eye(3) if mat is None else mat
    geom.rgba = GREY if rgba is None else rgba
    geom.label, geom.dataid = "", -1


def connector(geom: UserGeom, type: int, width: float, start, end) -> None:
    """Have a capsule, cylinder, arrow or line reach from start to end, (3,) each [m]; width: radius [m], of lines pixels. Colour and label stay."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    way = end - start
    length = float(np.linalg.norm(way))
    middle = type in CENTRED
    geom.type = type
    geom.size = (width, length / 2, 0.0) if middle else (width, width, length)
    geom.pos = (start + end) / 2 if middle else start
    geom.mat = frame_along(way / length) if length else np.eye(3)


def frame_along(z) -> np.ndarray:
    """(3, 3) whose third column is the unit vector z."""
    aside = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = np.cross(aside, z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


# ---------------------------------------------------------------- geoms as calls of markers


def geom_calls(type: np.ndarray, size: np.ndarray, pos: np.ndarray, mat: np.ndarray, rgba: np.ndarray, dataid: np.ndarray, labels: Mapping[int, str], m=None) -> Calls:
    """Calls of markers that draw geoms: one for all of a shape, one for all of a mesh. m: the Model whose meshes they are."""
    calls: Calls = []
    for shape in np.unique(type).tolist():
        rows = np.flatnonzero(type == shape)
        made = SHAPES.get(shape)
        if made is not None:
            calls += made(size[rows], pos[rows], mat[rows], np.clip(rgba[rows], 0, 1))
    shown = np.where((type == MESHES) & (dataid >= 0), dataid // 2, -1)
    for mesh in np.unique(shown[shown >= 0]).tolist():
        rows = np.flatnonzero(shown == mesh)
        if m is not None and mesh < m.nmesh:
            calls.append(("mesh", _triangles(m, mesh), {"pos": pos[rows], "mat": mat[rows], "rgba": np.clip(rgba[rows], 0, 1)}))
    calls += [("text", (pos[i], text), {}) for i, text in labels.items()]
    return calls


def _triangles(m, mesh: int) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) in the mesh's frame [m] and faces (k, 3)."""
    vertex, face = int(m.mesh_vertadr[mesh]), int(m.mesh_faceadr[mesh])
    return np.array(m.mesh_vert[vertex:vertex + int(m.mesh_vertnum[mesh])]), np.array(m.mesh_face[face:face + int(m.mesh_facenum[mesh])])


def _sphere(size, pos, mat, rgba) -> Calls:
    return [("sphere", (pos, size[:, 0]), {"rgba": rgba})]


def _turned(method: str, sizes: int):
    def made(size, pos, mat, rgba) -> Calls:
        return [(method, (pos, size[:, :sizes]), {"mat": mat, "rgba": rgba})]

    return made


def _plane(size, pos, mat, rgba) -> Calls:
    flat = np.column_stack([np.where(size[:, :2] > 0, size[:, :2], 1.0), np.full(len(size), 1e-3)])
    return [("box", (pos, flat), {"mat": mat, "rgba": rgba})]


def _arrow(size, pos, mat, rgba) -> Calls:
    return [("arrow", (pos, pos + size[:, 2:] * mat[:, :, 2]), {"width": np.maximum(size[:, 0], 1e-6), "rgba": rgba})]


def _two_arrows(size, pos, mat, rgba) -> Calls:
    half = pos + 0.5 * size[:, 2:] * mat[:, :, 2]
    width = np.maximum(size[:, 0], 1e-6)
    return [("arrow", (half, pos + size[:, 2:] * mat[:, :, 2]), {"width": width, "rgba": rgba}), ("arrow", (half, pos), {"width": width, "rgba": rgba})]


def _line(size, pos, mat, rgba) -> Calls:
    ends = np.stack([pos, pos + size[:, 2:] * mat[:, :, 2]], axis=1)
    return [("lines", (ends,), {"width": np.maximum(size[:, 0], 1.0), "rgba": rgba})]


def _line_box(size, pos, mat, rgba) -> Calls:
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    edges = np.array([(a, b) for a in range(8) for b in range(a + 1, 8) if np.abs(corners[a] - corners[b]).sum() == 2])
    there = pos[:, None] + np.einsum("nij,nkj->nki", mat, corners[None] * size[:, None])
    return [("lines", (there[:, edges].reshape(-1, 2, 3),), {"rgba": np.repeat(rgba, len(edges), axis=0)})]


SHAPES = MappingProxyType({
    int(GeomType.PLANE): _plane, int(GeomType.SPHERE): _sphere, int(GeomType.CAPSULE): _turned("capsule", 2), int(GeomType.ELLIPSOID): _turned("ellipsoid", 3),
    int(GeomType.CYLINDER): _turned("cylinder", 2), int(GeomType.BOX): _turned("box", 3), int(GeomType.ARROW): _arrow, int(GeomType.ARROW1): _arrow,
    int(GeomType.ARROW2): _two_arrows, int(GeomType.LINE): _line, int(GeomType.LINEBOX): _line_box,
})
