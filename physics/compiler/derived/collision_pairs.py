"""Which geom pairs can ever touch: decided once per model, so that a step only looks at those.

Small models get a list of all such pairs in the official order (`cpair_geom`); its length bounds the work of the broad
phase. Where the list would be long, only the pairs with planes are listed and the other geoms go into `sap_geom`,
which the broad phase sweeps along an axis in every step (engine/collide/broad_phase.py).

A pair of bodies is out when both belong to one weld group, when neither group has a dof, when an `exclude` names it, or
when one group is the parent of the other and neither is the world; the last rule can be switched off by a flag while
running, so such pairs are listed and marked (`cpair_related`). A geom pair is out when neither contype meets the other's
conaffinity. Explicit pairs are no part of this: they pass all filters (engine/collide/explicit_pairs.py).

Order of the pairs: by lower body, higher body, then by the ids of the geom of smaller type and of the other one.

Source: MuJoCo documentation, chapter Computation, "Collision", "Selection".
"""
from __future__ import annotations

import numpy as np

from physics.engine.collide.convex.epa import MAX_ROOM, MIN_ROOM
from physics.engine.collide.convex.faces import CAP_VERTICES
from physics.engine.collide.convex.hull_start_vertices import build_start_vertices
from physics.engine.kinematics.shapes import CYLINDER, MESH, PLANE

GROUP_FROM = 8  # geoms that are fixed to each other and swept as one
LIST_LIMIT = 1000  # longest list of pairs; beyond, sweeping is cheaper
CHUNK = 256  # geoms whose pairs are looked at together
LOOK_LIMIT = 50  # times as many pairs before filtering are not even looked at


def build_pairs(model) -> None:
    """Fill ncpair, cpair_geom, cpair_related, nsapgeom, sap_geom, sap_proxy, nclip and hull_start of a Model, and note for which masks.

    To be called when the bodies and geoms are complete. Masks may be written later: bits taken away are heeded pair by pair, bits added
    make the broad phase go beyond the list (broad_phase.note_written_masks).
    """
    can, moving = collidable(model)
    plane = model.geom_type[can] == PLANE
    # pairs before filtering; long lists are not even made
    listed = len(moving) * (len(can) - len(moving) // 2) <= LOOK_LIMIT * LIST_LIMIT
    if listed:
        g1, g2, forbidden = candidate_pairs(model, moving, can)
        listed = len(g1) <= LIST_LIMIT
    if not listed:
        g1, g2, forbidden = candidate_pairs(model, can[plane], can)
    model.nclip = clip_room(model)
    model.nepa = polytope_room(model)
    build_start_vertices(model)
    sweep = can[:0] if listed else can[~plane]
    _assign(model, "ncpair", {"cpair_geom": np.stack([g1, g2], 1), "cpair_related": forbidden})
    geoms, rules = group_proxies(model, sweep)
    _assign(model, "nsapgeom", {"sap_geom": geoms})
    _assign(model, "nsapproxy", {"sap_proxy": rules})
    for name in ("contype", "conaffinity"):
        getattr(model, "made_" + name)[:] = getattr(model, "geom_" + name)
        getattr(model, "made_body_" + name)[:] = getattr(model, "body_" + name)


def group_proxies(model, geoms) -> tuple[np.ndarray, np.ndarray]:
    """Geoms (n,) item by item, and rules (items, 8): the first of them, their number, and what decides whether they may touch others (engine/collide/sap_proxies.py).

    GROUP_FROM or more geoms are one item where they are of one weld group that moves, or of one body that does not; those of the
    world stay single, as they may lie anywhere.
    """
    body = model.geom_bodyid[geoms]
    weld = model.body_weldid[body]
    group = np.where(model.body_dofnum[weld] > 0, weld, body)
    many = (np.bincount(group, minlength=model.nbody)[group] >= GROUP_FROM) & (group > 0)
    item = np.where(many, group, model.nbody + np.arange(len(geoms)))
    order = np.argsort(item, kind="stable")
    _, first, count = np.unique(item[order], return_index=True, return_counts=True)
    geoms = geoms[order]
    weld = model.body_weldid[model.geom_bodyid[geoms[first]]]
    parent = model.body_weldid[model.body_parentid[weld]]
    masks = [np.bitwise_or.reduceat(mask[geoms], first) if len(first) else first for mask in (model.geom_contype, model.geom_conaffinity)]
    return geoms, np.stack([first, count, weld, parent, model.body_dofnum[weld] > 0, *masks, 0 * first], 1)


def clip_room(model) -> int:
    """What nclip says: room for faces of hulls and caps of cylinders."""
    if not np.isin(model.geom_type, (CYLINDER, MESH)).any():
        return 0
    return max(CAP_VERTICES, model.npolygonmax, model.nmeshdegmax)


def polytope_room(model) -> int:
    """What nepa says: the rounder two hulls are and the nearer their centres, the more faces are about as near; at most as many corners as a hull has were seen."""
    hulls = model.mesh_graph[model.mesh_graphadr[model.mesh_graphadr >= 0]]
    return min(max(MIN_ROOM, hulls.max(initial=0)), MAX_ROOM)


def collidable(model) -> tuple[np.ndarray, np.ndarray]:
    """Geoms with a contype or conaffinity, and those of them that can move."""
    can = np.flatnonzero((model.geom_contype != 0) | (model.geom_conaffinity != 0))
    return can, can[model.body_dofnum[model.body_weldid[model.geom_bodyid[can]]] > 0]


def candidate_pairs(model, first, second) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pairs of one geom of `first` and one of `second` that can touch, in the official order.

    -> geoms of the lower body, geoms of the higher body, whether only the parent rule forbids the pair.
    """
    body = model.geom_bodyid
    weld = model.body_weldid
    b1, b2 = body[first][:, None], body[second][None, :]
    w1, w2 = weld[b1], weld[b2]
    dofs = model.body_dofnum[weld]
    apart = (w1 != w2) & ((dofs[b1] > 0) | (dofs[b2] > 0)) & mask_match(model, first[:, None], second[None, :])
    both = np.isin(first, second)
    apart &= ~both[:, None] | ~np.isin(second, first)[None, :] | (b1 < b2)  # each pair once
    i, j = np.nonzero(apart)
    low, high = first[i], second[j]
    swap = body[low] > body[high]
    low, high = np.where(swap, high, low), np.where(swap, low, high)
    signature = (body[low].astype(np.int64) << 16) + body[high]
    stay = ~np.isin(signature, model.exclude_signature)
    stay &= ~((model.geom_type[low] == PLANE) & (model.geom_type[high] == PLANE))
    low, high, signature = low[stay], high[stay], signature[stay]
    swap = model.geom_type[low] > model.geom_type[high]
    order = np.lexsort((np.where(swap, low, high), np.where(swap, high, low), signature))
    low, high = low[order], high[order]
    return low.astype(np.int32), high.astype(np.int32), related(model, low, high)


def mask_match(model, g1, g2) -> np.ndarray:
    """Whether contype of one geom shares a bit with conaffinity of the other."""
    t, a = model.geom_contype, model.geom_conaffinity
    return ((t[g1] & a[g2]) != 0) | ((t[g2] & a[g1]) != 0)


def related(model, g1, g2) -> np.ndarray:
    """Whether the weld group of one geom's body is the parent of the other's, and neither is the world's."""
    weld = model.body_weldid
    w1, w2 = weld[model.geom_bodyid[g1]], weld[model.geom_bodyid[g2]]
    up1, up2 = weld[model.body_parentid[w1]], weld[model.body_parentid[w2]]
    return ((w1 != 0) & (w2 != 0) & ((w1 == up2) | (w2 == up1))).astype(np.uint8)


def _assign(model, size: str, arrays) -> None:
    """Set a size of the model and its arrays."""
    for name, value in arrays.items():
        old = getattr(model, name)
        value = np.ascontiguousarray(value, old.dtype)
        if old.shape == value.shape:
            old[...] = value
        else:
            model.bind(name, value)
        setattr(model, size, len(value))
