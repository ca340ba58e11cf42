"""One iterate of the central path in the view: the bodies as a ghost, contact forces in their friction cones; gradients of the selected body's velocity by each control."""
from __future__ import annotations

import numpy as np

from app.bridge.ghost import VIOLET, Ghost
from app.bridge.layers.contacts import towards_higher
from app.bridge.layers.forces import metres_per_newton
from app.panels.controls import control_names
from app.panels.pipeline.path_work import KAPPAS, Arrows, TracedPath
from physics.model.model import Model

OWNER = "Central path"
INSIDE, EDGE, CONE = (0.95, 0.6, 0.1, 1.0), (0.95, 0.25, 0.2, 1.0), (0.45, 0.6, 0.95, 1.0)     # a force inside its cone, on its edge; the cone
COLOURS = ((0.7, 0.45, 0.95, 1.0), (0.1, 0.75, 0.85, 1.0), (0.95, 0.85, 0.2, 1.0))     # of gradients, by KAPPAS
ON_EDGE = 0.98          # of what friction may be: from here on a force is at the cone's edge
HIGHER, LEAST = 1.25, 0.3       # of a cone: than the force at the end; of the highest one
SHORTEST, HIGHEST = 1.0, 2.0    # of a cone: mean sizes of bodies
SIDES, MOST = 24, 200           # of a cone's rim; cones and forces that are drawn
SMALL = 1e-3            # of the largest gradient: smaller ones are left out
LENGTH, EXTENT, THIN = 3.0, 0.3, 0.02       # of the longest gradient: mean sizes of bodies, at most this share of the model's extent; radius of an arrow by its length
NAMED = 3               # controls with the largest effects, which are named


def friction_share(point) -> np.ndarray:
    """(rows) how much of what friction may be the forces use, 1 at the cone's edge; 0 where there is no friction."""
    cone = point.cone
    square = np.einsum("nij,nij->ni", cone, cone)
    along = np.einsum("nij,nj->ni", cone, point.force) / np.where(square > 0, square, 1.0)
    return np.linalg.norm(along[:, :2], axis=1) / np.maximum(along[:, 2], np.finfo(float).tiny)


def ghost_of(path: TracedPath, k: int) -> Ghost:
    """The bodies at iterate k."""
    larger = f", motion x{path.magnified:g}" if path.magnified != 1.0 else ""
    return Ghost(path.model, path.xpos[k], path.xmat[k], VIOLET, label=f"iterate {k}{larger}")


def draw_forces(frame, path: TracedPath, k: int) -> int:
    """Forces of iterate k, and the cones that they are in; the number of forces."""
    m, point, last = path.model, path.points[k], path.points[-1]
    force, scale = path.forces(k)[:MOST], metres_per_newton(path.model)
    if not len(force):
        return 0
    width = max(1e-6, 1.3 * m.vis.scale.forcewidth * m.stat_meansize)
    ends = np.einsum("nj,nj->n", last.force[:MOST], last.cone[:MOST, 2])
    size = float(m.stat_meansize)
    _cones(frame, point, path, np.clip(HIGHER * scale * np.maximum(ends, LEAST * ends.max()), SHORTEST * size, HIGHEST * size))
    start = point.position[:MOST]
    colours = np.where((friction_share(point)[:MOST] >= ON_EDGE)[:, None], EDGE, INSIDE)
    frame.arrow(start, start + scale * force, width=width, rgba=colours)
    return len(force)


def _cones(frame, point, path: TracedPath, heights: np.ndarray) -> None:
    """Rim and four edges of each cone, so high along its normal [m]."""
    angle = np.linspace(0, 2 * np.pi, SIDES + 1)
    round_ = np.stack([np.cos(angle), np.sin(angle), np.ones_like(angle)], axis=1)
    cone = point.cone[:MOST] * (towards_higher(path.model, point.geom[:MOST])[:, 0] * heights)[:, None, None]
    rims = point.position[:MOST, None] + np.einsum("sk,nkj->nsj", round_, cone)
    slides = np.abs(point.cone[:MOST, 0]).sum(axis=1) > 0
    if slides.any():
        rims, tips = rims[slides], point.position[:MOST][slides]
        frame.lines(np.stack([rims[:, :-1], rims[:, 1:]], axis=2).reshape(-1, 2, 3), width=1.5, rgba=CONE)
        edges = rims[:, :-1:SIDES // 4]
        frame.lines(np.stack([np.repeat(tips[:, None], edges.shape[1], axis=1), edges], axis=2).reshape(-1, 2, 3), width=1.5, rgba=CONE)


def draw_gradients(frame, m: Model, arrows: Arrows) -> int:
    """An arrow for each control and kappa, all to one scale; their number."""
    size = np.linalg.norm(arrows.change, axis=2)
    top = float(size.max(initial=0.0))
    if not (top > 0 and np.isfinite(top)):
        return 0
    length, drawn = max(1e-4, min(LENGTH * float(m.stat_meansize), EXTENT * float(m.stat_extent))), 0
    beside = np.cross(arrows.change, (0.0, 0.0, 1.0))
    beside /= np.maximum(np.linalg.norm(beside, axis=2, keepdims=True), np.finfo(float).tiny)
    for k, rgba in enumerate(COLOURS[:len(KAPPAS)]):
        seen = np.flatnonzero(size[k] > SMALL * top)
        if len(seen):
            # side by side: where all agree they would lie in each other
            start = arrows.start + (k - 1) * 3.0 * THIN * length * beside[k, seen]
            frame.arrow(start, start + arrows.change[k, seen] * (length / top), width=THIN * length, rgba=rgba)
            drawn += len(seen)
    names = control_names(m)
    for j in strongest(arrows):
        k = int(np.argmax(size[:, j]))
        frame.text(arrows.start + arrows.change[k, j] * (1.2 * length / top), names[j])
    return drawn


def strongest(arrows: Arrows) -> list[int]:
    """The controls with the largest effects, the largest first."""
    most = np.linalg.norm(arrows.change, axis=2).max(axis=0)
    return [j for j in np.argsort(-most, kind="stable")[:NAMED].tolist() if most[j] > SMALL * most.max()]
