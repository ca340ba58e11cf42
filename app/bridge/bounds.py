"""Balls around elements at a moment: what the camera frames."""
from __future__ import annotations

import numpy as np

from app.bridge.selected import outlined
from physics.model.elements import CONTACT, Element, contact_number
from physics.model.model import Model
from physics.model.relations import refers_to, subtree_ends
from physics.runtime.snapshot import Snapshot

SMALL = 2.0     # mean sizes, about what is only a point
GROUND = 0.5    # extents, about a plane, which has no end


def _around(low, high) -> tuple[np.ndarray, float]:
    return (low + high) / 2, float(np.linalg.norm(high - low) / 2)


def _geoms(m: Model, s: Snapshot, ids) -> tuple[np.ndarray, float] | None:
    """Ball around the balls of geoms; planes only where there is nothing else."""
    some = ids[m.geom_rbound[ids] > 0]
    if not len(some):
        return (np.array(s.geom_xpos[ids[0]]), GROUND * m.stat_extent) if len(ids) else None
    centre = s.geom_xpos[some] + np.einsum("nij,nj->ni", s.geom_xmat[some].reshape(-1, 3, 3), m.geom_aabb[some, :3])
    radius = np.linalg.norm(m.geom_aabb[some, 3:], axis=1)[:, None]
    return (centre[0], float(radius[0, 0])) if len(some) == 1 else _around((centre - radius).min(0), (centre + radius).max(0))


def bounds_of(m: Model, s: Snapshot, what: Element) -> tuple[np.ndarray, float] | None:
    """Centre and radius of a ball around an element [m], bodies with all below them; None for what is nowhere."""
    point = SMALL * m.stat_meansize
    if what.kind == CONTACT:
        i = contact_number(m, s, what)
        return (np.array(s.contact_pos[i]), point) if i >= 0 else None
    if what.kind == "body":
        below = np.arange(what.id, subtree_ends(m)[what.id])
        return _geoms(m, s, np.flatnonzero(np.isin(m.geom_bodyid, below))) or (np.array(s.xpos[what.id]), point)
    places = {"site": s.site_xpos, "joint": s.xanchor, "camera": s.cam_xpos, "light": s.light_xpos}
    if what.kind in places:
        return np.array(places[what.kind][what.id]), point
    found = outlined(m, (what,))
    if len(found.get("geom", ())):
        return _geoms(m, s, found["geom"])
    points = [places[kind][ids] for kind, ids in found.items() if kind in places] + ([s.xpos[found["body"]]] if "body" in found else [])
    if what.kind == "tendon" and s.ten_wrapnum[what.id]:
        first = int(s.ten_wrapadr[what.id])
        points.append(s.wrap_xpos.reshape(-1, 3)[first:first + int(s.ten_wrapnum[what.id])])
    if what.kind == "skin":
        bones = slice(int(m.skin_boneadr[what.id]), int(m.skin_boneadr[what.id] + m.skin_bonenum[what.id]))
        points.append(s.xpos[m.skin_bonebodyid[bones]])
    if what.kind == "actuator":
        targets = [bounds_of(m, s, target) for _word, target in refers_to(m, what)]
        points += [np.atleast_2d(target[0]) for target in targets if target is not None]
    if not points:
        return None
    every = np.concatenate(points)
    centre, radius = _around(every.min(0), every.max(0))
    return centre, max(radius, point)
