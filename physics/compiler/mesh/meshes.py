"""Mesh assets: their source, their processing, the fields mesh_*.

Files are OBJ, binary STL and the old MSH; vertices may also stand in the model, or be made by the compiler. Only meshes that can collide,
that have no triangles or whose inertia is that of the hull get a hull. Source: MuJoCo XML reference, asset/mesh.
"""
from __future__ import annotations

import math
from dataclasses import replace
from itertools import chain
from pathlib import PurePosixPath
from types import MappingProxyType

import numpy as np

from physics.compiler.assets import stand_ins
from physics.compiler.assets.asset_files import locate_asset, open_asset
from physics.compiler.assets.asset_memory import file_state
from physics.compiler.build import Build
from physics.compiler.compat.compat import is_old
from physics.compiler.decode.formats import decode, kind_of
from physics.compiler.decode.raw import MOST_FACES, MeshFileError, RawMesh
from physics.compiler.items import MeshItem
from physics.compiler.mesh.builtin_grids import is_flat
from physics.compiler.mesh.builtin_meshes import build_mesh
from physics.compiler.mesh.bvh import Trees
from physics.compiler.mesh.mesh_cache import MeshCache
from physics.compiler.mesh.mesh_data import MeshError, MeshOptions
from physics.compiler.mesh.mesh_faults import faults_in_words
from physics.compiler.source import numbers

_INLINE = MappingProxyType({"vertex": ("vert", 3), "normal": ("normal", 3), "texcoord": ("texcoord", 2), "face": ("face", 3)})
# fields by rows of vertices, normals, ... : field -> (attribute of MeshData, size)
_ROWS = MappingProxyType({
    "mesh_vert": ("vert", "nmeshvert"), "mesh_normal": ("normal", "nmeshnormal"), "mesh_texcoord": ("texcoord", "nmeshtexcoord"),
    "mesh_face": ("face", "nmeshface"), "mesh_facenormal": ("facenormal", "nmeshface"), "mesh_facetexcoord": ("facetexcoord", "nmeshface"),
    "mesh_graph": ("graph", "nmeshgraph"), "mesh_polynormal": ("polynormal", "nmeshpoly"), "mesh_polyvertnum": ("polyvertnum", "nmeshpoly"),
    "mesh_polyvert": ("polyvert", "nmeshpolyvert"), "mesh_polymap": ("polymap", "nmeshpolymap"), "mesh_polymapnum": ("polymapnum", "nmeshvert"),
})
_COUNTS = MappingProxyType({"vert": "vert", "face": "face", "normal": "normal", "texcoord": "texcoord"})


def gather(build: Build) -> None:
    """Make the items of all meshes, processed. An item's `data` is its MeshData, None where it could not be made (the error is noted)."""
    elements = [e for e in build.source.root.section("asset") if e.tag == "mesh"]
    if not elements:
        return
    collide, shells, mesh_cache = _colliding(build), _old_shells(build) if is_old(build) else frozenset(), MeshCache()
    for element in elements:
        a = build.source.attrs(element)
        mesh = build.items.add("mesh", element, data=None, material=a["material"] or "", scale=numbers(a["scale"]), inertia=_inertia(a))
        if not mesh.name and a["file"]:
            mesh.name = PurePosixPath(a["file"].replace("\\", "/")).stem
        if mesh.name in shells:
            mesh.inertia = "shell"
        if not mesh.name:
            build.problems.error(element, "a mesh without a file needs a name", 'Write name="..."')
        if not any(child.tag == "plugin" for child in element.children):   # such a mesh has no vertices yet; the plugin is refused
            _make(build, a, mesh, mesh.name in collide, mesh_cache)
    mesh_cache.finish()
    _tell_faults(build)
    for mesh in build.items["mesh"]:
        if mesh.data is not None:
            data = mesh.data
            mesh.tree = Trees(np.array([0, len(data.treedepth)]), data.treechild, data.treedepth, data.treenode, data.treebox)


def _colliding(build: Build) -> set[str]:
    """Names of the meshes whose geoms can touch something."""
    paired = {e.attrs.get(name) for e in build.source.root.section("contact") if e.tag == "pair" for name in ("geom1", "geom2")}
    out = set()
    for world in build.source.root.all("worldbody"):
        for element in world.walk():
            if element.tag != "geom":
                continue
            a = build.source.attrs(element)
            if a["mesh"] and a["type"] in ("mesh", "sdf") and (a["contype"] or a["conaffinity"] or (element.name and element.name in paired)):
                out.add(a["mesh"])
    return out


def _old_shells(build: Build) -> frozenset[str]:
    """Names of the meshes of which every geom that shows them says shellinertia, as 2.3 had it."""
    told: dict[str, set[bool]] = {}
    for world in build.source.root.all("worldbody"):
        for element in world.walk():
            if element.tag == "geom":
                a = build.source.attrs(element)
                if a["mesh"] and a["type"] == "mesh":
                    told.setdefault(a["mesh"], set()).add(bool(a.get("shellinertia", False)))
    return frozenset(name for name, said in told.items() if said == {True})


def _make(build: Build, a, mesh: MeshItem, hull: bool, mesh_cache: MeshCache) -> None:
    """Fill mesh.data all but its tree, or note what is wrong and fill in a stand-in where one is wanted."""
    known = len(build.problems.issues)
    options = MeshOptions(*(numbers(a[name]) for name in ("scale", "refpos", "refquat")), bool(a["smoothnormal"]), mesh.inertia, int(a["maxhullvert"]), hull)
    source = _process(build, a, mesh, options, mesh_cache)
    if mesh.data is None and stand_ins.forgive(build, known, stand_ins.MOTION):
        options = options if _is_finite(options) else MeshOptions(hull=hull)
        mesh.data, only_looks = stand_ins.mesh(build, source, options, mesh_cache)
        mesh.mended = not only_looks
        if only_looks:
            build.problems.issues[known:] = [replace(issue, severity=stand_ins.LOOK) for issue in build.problems.issues[known:]]


def _tell_faults(build: Build) -> None:
    """A note or warning for each kind of fault that usable meshes have, at the first of them."""
    items = [mesh for mesh in build.items["mesh"] if mesh.data is not None]
    for first, harmless, what, hint in faults_in_words([mesh.name for mesh in items], [mesh.data.faults for mesh in items]):
        element = items[first].element
        (build.problems.note if harmless else build.problems.warn)(element, what, hint, "file" if build.source.attrs(element)["file"] else "")


def _is_finite(options: MeshOptions) -> bool:
    return all(map(math.isfinite, chain(options.scale, options.refpos, options.refquat)))


def _process(build: Build, a, mesh: MeshItem, options: MeshOptions, mesh_cache: MeshCache):
    """Fill mesh.data all but its tree, or note what is wrong; what `_source` gives, None where it came to nothing."""
    element = mesh.element
    most, known, made = options.maxhullvert, len(build.problems.issues), a["builtin"]
    if most != -1 and most < 4:
        build.problems.error(element, f"a hull has at least 4 vertices, not {most}", "Write -1 for as many as it takes", "maxhullvert")
    if not _is_finite(options):
        build.problems.error(element, "scale, refpos or refquat is not finite")
    if made == "none" or (made and not a.given("params")):
        build.problems.error(element, f"builtin=\"{made}\" makes no mesh" + ("" if made == "none" else " without params"), attr="builtin")
        return None
    source, key = None, _known_by(build, a, options) if len(build.problems.issues) == known else None
    mesh.data = build.memory.get(key) if key is not None else None
    if mesh.data is not None:
        return None
    try:
        source = _source(build, a, mesh)
        if source is not None and len(build.problems.issues) == known:
            mesh.data = mesh_cache.processed((source[0], lambda: _checked(source[1]())), options)
            if key is not None:
                build.memory.put(key, mesh.data, sum(array.nbytes for array in mesh.data.arrays().values()))
    except MeshFileError as problem:
        build.problems.error(element, f"mesh file '{a['file']}' cannot be used: {problem}", attr="file")
    except MeshError as problem:
        build.problems.error(element, f"mesh '{mesh.name}': {problem.what}", problem.hint, "file" if a["file"] else "params" if made else "vertex")
    return source


def _known_by(build: Build, a, options: MeshOptions) -> tuple | None:
    """What the mesh of a file is known by to the memory of assets; None for what is not to be kept there."""
    if build.memory is None or a["builtin"] or not a["file"] or any(a.given(name) for name in _INLINE):
        return None
    source, name, path = locate_asset(build, a, "file", "meshdir")
    state = None if source.holds(path) else file_state(path)
    return None if state is None else ("mesh", path, state, PurePosixPath(name).suffix.lower(), a["content_type"], options)


def _inertia(a) -> str:
    """Where the mass of a mesh lies: in the triangles of a plate always, of other flat made ones where they would get the old rule."""
    kind = a["inertia"]
    return "shell" if a["builtin"] == "plate" or (kind == "legacy" and is_flat(a["builtin"], numbers(a["params"]))) else kind


def _source(build: Build, a, mesh: MeshItem):
    """Where the vertices come from, as a key (pieces of bytes) and a function that gives the RawMesh; None after an error."""
    inline = _inline(build, a)
    if inline is None:
        return None
    key = [name.encode() + b"\0" + array.tobytes() for name, array in inline.items()]
    if a["builtin"]:
        params = numbers(a["params"])
        key.append(f"{a['builtin']} {params}".encode())
        return [b"made".join(key)], lambda: _complete(build_mesh(a["builtin"], params), inline, made=True)
    if not a["file"]:
        return [b"inline".join(key)], lambda: _complete(None, inline)
    file = open_asset(build, a, "file", "mesh", "meshdir")
    if file is None:
        return None
    # the content type tells an MSH file; OBJ and STL files are told by their ending alone
    ending, content = file.ending, a["content_type"]
    kind = kind_of(ending, content)
    if kind is None:
        build.problems.error(mesh.element, f"no mesh format has the ending '{ending}'" + (f" and the content type '{content}'" if content else ""),
                    "Use OBJ, binary STL or MSH", "file")
        return None
    return [kind.encode(), *key, file.data], lambda: _complete(decode(kind, file.data), inline)


def _inline(build: Build, a) -> dict[str, np.ndarray] | None:
    """Vertices and the like that stand in the model; None after an error."""
    out = {}
    for name, (field, width) in _INLINE.items():
        if not a.given(name):
            continue
        values = np.asarray(a[name])
        if values.size % width or values.size > MOST_FACES:
            build.problems.error(a.element, f"'{name}' has {values.size} numbers, not a multiple of {width}", attr=name)
            return None
        kind = np.int32 if field == "face" else np.float32
        with np.errstate(over="ignore"):
            out[field] = values.astype(kind).reshape(-1, width)
    return out


def _complete(raw: RawMesh | None, inline: dict[str, np.ndarray], made: bool = False) -> RawMesh:
    """What a file lacks is taken from the model; what both give is an error. What a made mesh has stays. Raises MeshError."""
    raw = raw or RawMesh()
    for field, values in inline.items():
        if len(getattr(raw, field)):
            if made:
                continue
            raise MeshError(f"both the file and the model give '{next(n for n, (f, _w) in _INLINE.items() if f == field)}'", "Leave it out of the model")
        setattr(raw, field, values)
    return raw


def _checked(raw: RawMesh) -> RawMesh:
    """The same, where it has as many texture coordinates as it must. Raises MeshError."""
    if len(raw.texcoord) and not len(raw.facetexcoord) and len(raw.texcoord) != len(raw.vert):
        raise MeshError(f"there are {len(raw.texcoord)} texture coordinates for {len(raw.vert)} vertices", "Give one pair for each vertex")
    return raw


def fill(build: Build) -> None:
    """Fields mesh_*, and the largest counts that contacts need room for."""
    items, out = build.items["mesh"], build.fields.rows
    data = [mesh.data for mesh in items]
    if not items or any(d is None for d in data):
        return
    for field, (name, size) in _ROWS.items():
        build.fields.pieces[field] = rows = [getattr(d, name) for d in data]
        build.fields.sizes[size] = sum(map(len, rows))
    for name, field in _COUNTS.items():
        lengths = [len(getattr(d, name)) for d in data]
        out[f"mesh_{field}num"], out[f"mesh_{field}adr"] = lengths, _starts(lengths)
    out["mesh_texcoordadr"] = [start if n else -1 for start, n in zip(out["mesh_texcoordadr"], out["mesh_texcoordnum"])]
    graph = [len(d.graph) for d in data]
    out["mesh_graphadr"] = [start if n else -1 for start, n in zip(_starts(graph), graph)]
    out["mesh_polynum"] = [len(d.polyvertnum) for d in data]
    out["mesh_polyadr"] = _starts(out["mesh_polynum"])
    corners, around = (np.concatenate([getattr(d, name) for d in data]) for name in ("polyvertnum", "polymapnum"))
    out["mesh_polyvertadr"], out["mesh_polymapadr"] = _starts(corners), _starts(around)
    out["mesh_octadr"], out["mesh_octnum"] = [-1] * len(items), [0] * len(items)
    for field in ("pos", "quat", "extrema"):
        out[f"mesh_{field}"] = [getattr(d, field) for d in data]
    out["mesh_scale"] = [mesh.scale for mesh in items]
    build.fields.scalars["npolygonmax"] = int(corners.max(initial=0))
    build.fields.scalars["nmeshdegmax"] = int(around.max(initial=0))


def _starts(lengths) -> np.ndarray:
    """Where each of a row of blocks begins."""
    lengths = np.asarray(lengths, np.int64)
    return np.cumsum(lengths) - lengths
