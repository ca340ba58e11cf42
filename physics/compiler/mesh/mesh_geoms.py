"""Geoms and sites that show a mesh, and shapes fitted to one.

A mesh was moved into the frame of its centre of mass and principal axes, so the frame of a geom that shows it moves along. A shape fitted to a mesh
takes its size from the box of equal inertia, or from the bounding box where the compiler says fitaabb. Source: MuJoCo XML reference, body/geom:
mesh, fitscale; compiler/fitaabb.
"""
from __future__ import annotations

from physics.compiler.build import Build
from physics.compiler.compat.compat import is_old
from physics.compiler.items import GeomItem, Item, SiteItem
from physics.compiler.mesh.mesh_data import MeshData
from physics.enums import GEOM_CAPSULE, GEOM_CYLINDER, GEOM_MESH, GEOM_SPHERE
from physics.rotation.quaternion import apply, compose, conj, matrix, rotate


def dress(build: Build, geom: GeomItem, attrs) -> None:
    """Give a geom with a mesh its frame, size and volume. attrs: resolved attributes."""
    mesh = _named(build, geom)
    if mesh is None:
        return
    data: MeshData = mesh.data
    middle = (0.0, 0.0, 0.0)
    if geom.type == GEOM_MESH:
        geom.mesh, geom.dataid = data, mesh.id
        geom.size = reach(data)
    else:
        geom.size, middle = fitted(data, geom.type, geom.size, bool(build.source.settings.fitaabb), float(attrs["fitscale"]))
    quat = tuple(data.quat.tolist())
    x, y, z = rotate(quat, middle)
    pos = x + float(data.pos[0]), y + float(data.pos[1]), z + float(data.pos[2])
    if any(geom.surfacevel):
        geom.surfacevel = _moved(geom.surfacevel, pos, quat)
    geom.pos, geom.quat = compose(geom.pos, geom.quat, pos, quat)


def dress_site(build: Build, site: SiteItem) -> None:
    """Give a site that shows a mesh its size; its frame stays where it is, unlike a geom's."""
    mesh = _named(build, site)
    if mesh is not None:
        site.dataid, site.size = mesh.id, reach(mesh.data)


def _named(build: Build, item: Item) -> Item | None:
    """The mesh that a geom or site names, noted as item.lender; None where it could not be made, which has been said."""
    index = build.references.named("mesh", item, "mesh")
    item.lender = build.items["mesh"][index] if index >= 0 else None
    return item.lender if item.lender is not None and item.lender.data is not None else None


def material_id(build: Build, item: Item) -> int:
    """The material of a geom or site: its own, else that of the mesh it names, else -1."""
    giver = item if item.material else item.lender
    return build.references.named("material", giver, "material") if giver is not None and giver.material else -1


def reach(data: MeshData) -> tuple:
    """How far a mesh reaches along each axis, on either side."""
    return tuple(max(abs(a), abs(b)) for a, b in zip(data.low.tolist(), data.high.tolist()))


def bounds(data: MeshData) -> tuple[float, tuple]:
    """Radius of the bounding sphere about the origin, and the bounding box (centre, half sizes)."""
    a, b, c = reach(data)
    low, high = data.low.tolist(), data.high.tolist()
    return (a * a + b * b + c * c) ** 0.5, (*((h + w) / 2 for w, h in zip(low, high)), *((h - w) / 2 for w, h in zip(low, high)))


def volume(build: Build, geom: GeomItem) -> float:
    """What density is multiplied by: the mesh's volume [m3], of a shell its surface [m2]. 2.3 took the box of equal inertia unless told to be exact."""
    if is_old(build) and geom.lender.inertia == "legacy":
        a, b, c = geom.mesh.box.tolist()
        return 8 * a * b * c
    return geom.mesh.volume


def inertia(data: MeshData, mass: float) -> tuple[float, float, float]:
    """Moments of inertia of a mesh of that mass."""
    a, b, c = data.box.tolist()
    return mass * (b * b + c * c) / 3, mass * (a * a + c * c) / 3, mass * (a * a + b * b) / 3


def fitted(data: MeshData, kind: int, given: tuple, by_bounds: bool, scale: float) -> tuple[tuple, tuple]:
    """Size of a shape fitted to a mesh, and where its centre lies in the mesh's frame; what the shape does not need stays as given."""
    size = list(given)
    if by_bounds:
        middle = [(low + high) / 2 for low, high in zip(data.low.tolist(), data.high.tolist())]
        a, b, c = (high - m for high, m in zip(data.high.tolist(), middle))
        if kind == GEOM_SPHERE:
            size[0] = max(a, b, c)
        elif kind in (GEOM_CAPSULE, GEOM_CYLINDER):
            size[0], size[1] = max(a, b), c - (max(a, b) if kind == GEOM_CAPSULE else 0.0)
        else:
            size = [a, b, c]
    else:
        middle = (0.0, 0.0, 0.0)
        a, b, c = data.box.tolist()
        if kind == GEOM_SPHERE:
            size[0] = (a + b + c) / 3
        elif kind in (GEOM_CAPSULE, GEOM_CYLINDER):
            size[0] = (a + b) / 2
            size[1] = max(0.0, c - size[0] / 2) if kind == GEOM_CAPSULE else c
        else:
            size = [a, b, c]
    return tuple(x * scale for x in size), tuple(middle)


def _moved(velocity: tuple, pos: tuple, quat: tuple) -> tuple:
    """A surface velocity (linear, angular) as seen from a frame at pos, turned by quat."""
    (a, b, c), (x, y, z) = velocity[3:], pos
    linear = velocity[0] + b * z - c * y, velocity[1] + c * x - a * z, velocity[2] + a * y - b * x
    back = matrix(conj(quat))
    return (*apply(back, linear), *apply(back, velocity[3:]))
