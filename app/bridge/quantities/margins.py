"""Shells: geoms as thick as their contact margin makes them, seen through. Contacts begin where two shells meet.

A shell is the surface at that distance: edges and corners of boxes, cylinders and convex meshes are rounded (offsets.py). What an explicit pair
says of its margin is shown in a colour of its own, half of it on either geom.
"""
from __future__ import annotations

from functools import lru_cache

import numpy as np

from app.bridge.connect import triangles
from app.bridge.materials import assets_of
from app.bridge.meshes import hull_numbers
from app.bridge.options import VisOptions
from app.bridge.quantities.drawing import FILL_GLOW, Drawing
from app.bridge.quantities.offsets import Net, box_net, convex_net, cylinder_net, ellipsoid_net
from app.bridge.static import drawn_geoms
from physics.enums import ENBL_OVERRIDE
from physics.model import Model
from render.scene import shapes

SHELL, PAIR = (0.4, 0.9, 1.0, 0.13), (1.0, 0.75, 0.35, 0.13)
LIFTED = (shapes.PLANE, shapes.HFIELD)   # shells of these lie above, not around
ONE_SIDED, FLOOR = 1.5, 0.6   # times as dense are shells whose far side is not drawn, and those above floors, which may be all of a picture
MOST_TRIANGLES = 40_000   # of all shells; beyond, further geoms are only made larger


def margins(m: Model) -> np.ndarray:
    """How thick each geom's shell is (ngeom,) [m]; where margins of two geoms add up, an overridden one is shared."""
    if m.opt_enableflags & ENBL_OVERRIDE:
        return np.full(m.ngeom, m.opt_o_margin * (1.0 if m.flg_maxmargin else 0.5))
    return np.array(m.geom_margin, float)


def pair_margins(m: Model) -> tuple[np.ndarray, np.ndarray]:
    """Geoms (n,) of explicit pairs and how thick their shells are (n,) [m]: half of the pair's margin each, said once for a geom in several alike."""
    margin = np.full(m.npair, m.opt_o_margin) if m.opt_enableflags & ENBL_OVERRIDE else np.array(m.pair_margin, float)
    both = np.stack([np.concatenate([m.pair_geom1, m.pair_geom2]), np.tile(margin / 2, 2)], axis=1)
    both = np.unique(both[both[:, 1] > 0], axis=0)
    return both[:, 0].astype(int), both[:, 1]


def _box(m: Model, geom: int) -> Net:
    return box_net(m.geom_size[geom])


def _cylinder(m: Model, geom: int) -> Net:
    return cylinder_net(*m.geom_size[geom, :2])


def _ellipsoid(m: Model, geom: int) -> Net:
    return ellipsoid_net(m.geom_size[geom])


def _mesh(m: Model, geom: int) -> Net | None:
    number = hull_numbers(m)[geom]
    if number < 0:
        return None
    hull = assets_of(m).meshes[number]
    return convex_net(np.asarray(hull.vertex, float), np.asarray(hull.face))


ROUNDED = ((shapes.BOX, _box), (shapes.CYLINDER, _cylinder), (shapes.ELLIPSOID, _ellipsoid), (shapes.MESH, _mesh))


@lru_cache(maxsize=2)
def _nets(m: Model, geoms: tuple[int, ...], _sizes: bytes) -> dict[int, Net]:
    """Nets of these geoms, as far as they have one and there is room. _sizes: what the nets depend on beside the model itself."""
    out: dict[int, Net] = {}
    room, makers = MOST_TRIANGLES, dict(ROUNDED)
    for geom in geoms:
        make = makers.get(int(m.geom_type[geom]))
        net = make(m, geom) if make is not None and room > 0 else None
        if net is not None:
            room -= len(net.point)
            out[geom] = net
    return out


def add_shells(m: Model, snapshot, options: VisOptions, draw: Drawing) -> None:
    """Visible geoms that can touch, grown by their margin, and geoms of visible pairs by half of the pair's."""
    touches = (m.geom_contype != 0) | (m.geom_conaffinity != 0)
    drawn = drawn_geoms(m)
    visible = np.zeros(m.ngeom, bool)
    visible[drawn.visible(options.geomgroup, options.flags["Static Body"])] = True
    margin = margins(m)
    own = np.flatnonzero(visible & touches & (margin > 0))
    paired, half = pair_margins(m)
    shown = visible[paired]
    for ids, thick, rgba in ((own, margin[own], SHELL), (paired[shown], half[shown], PAIR)):
        if len(ids):
            _add(m, snapshot, ids, thick, rgba, draw)


def _add(m: Model, snapshot, ids, thick, rgba, draw: Drawing) -> None:
    nets = _nets(m, tuple(np.unique(ids).tolist()), m.geom_size.tobytes())
    smooth = np.array([geom in nets for geom in ids.tolist()], bool)
    if not smooth.all():
        _add_larger(m, snapshot, ids[~smooth], thick[~smooth], rgba, draw)
    ids, thick = ids[smooth], thick[smooth]
    if not len(ids):
        return
    chosen = [nets[geom] for geom in ids.tolist()]
    count = [len(net.point) for net in chosen]
    which = np.repeat(np.arange(len(ids)), count)
    corner = np.concatenate([net.grown(length) for net, length in zip(chosen, thick.tolist())])
    mat = snapshot.geom_xmat[ids].reshape(-1, 3, 3)[which]
    corner = np.einsum("nij,nkj->nki", mat, corner) + snapshot.geom_xpos[ids][which, None]
    triangles(draw.out.geoms, corner, rgba, glow=FILL_GLOW, objtype=shapes.OBJ_GEOM, objid=ids[which], bodyid=m.geom_bodyid[ids][which])


def _add_larger(m: Model, snapshot, ids, thick, rgba, draw: Drawing) -> None:
    """Geoms with larger sizes: exact for balls and capsules, planes and height fields are lifted; meshes grow as the box around them does."""
    drawn, kind, thick = drawn_geoms(m), m.geom_type[ids], thick[:, None]
    g = draw.out.geoms
    rows = g.add(len(ids))
    size, mat = drawn.size[ids].astype(float), snapshot.geom_xmat[ids].reshape(-1, 3, 3)
    pos = np.array(snapshot.geom_xpos[ids], float)
    lifted, mesh = np.isin(kind, LIFTED), kind == shapes.MESH
    solid = ~lifted & ~mesh
    size[solid] += thick[solid]
    capsule = kind == shapes.CAPSULE
    size[capsule, 2] -= thick[capsule, 0]
    pos[lifted] += thick[lifted] * mat[lifted, :, 2]
    middle, half = m.geom_aabb[ids[mesh], :3], np.maximum(m.geom_aabb[ids[mesh], 3:], 1e-9)
    growth = 1 + thick[mesh] / half
    size[mesh] = growth
    pos[mesh] += np.einsum("nij,nj->ni", mat[mesh], middle * (1 - growth))
    g.shape[rows], g.dataid[rows], g.size[rows], g.pos[rows], g.mat[rows] = drawn.shape[ids], drawn.dataid[ids], size, pos, mat.reshape(-1, 9)
    g.rgba[rows], g.flags[rows] = rgba, shapes.DECOR
    g.rgba[rows, 3] *= np.where(lifted, FLOOR, ONE_SIDED)
    g.glow[rows] = np.where(lifted, 0.0, FILL_GLOW)   # floors would shine
    g.objtype[rows], g.objid[rows], g.bodyid[rows] = shapes.OBJ_GEOM, ids, m.geom_bodyid[ids]


def shell_legend(m: Model, options: VisOptions, draw: Drawing) -> None:
    """The largest margins; a word where there are none."""
    most, pairs = float(margins(m).max(initial=0.0)), pair_margins(m)[1]
    rule = "a shell meets a geom" if m.flg_maxmargin else "shells meet"
    if most > 0 or not len(pairs):
        draw.legend("Margin of contacts", (*SHELL[:3], 0.7), note=f"true size, up to {1000 * most:.3g} mm; contact where {rule}" if most > 0 else "no geom has a margin")
    if len(pairs):
        draw.legend("Margin of pairs", (*PAIR[:3], 0.7), note=f"half on either geom, up to {1000 * pairs.max():.3g} mm; contact where both meet")
