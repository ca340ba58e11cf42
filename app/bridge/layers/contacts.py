"""Contacts: discs at their points, moving surfaces, arrows for their forces, frames."""
from __future__ import annotations

import numpy as np

from app.bridge.labels import name_of
from app.bridge.layers.connect import axes, connect
from app.bridge.layers.forces import metres_per_newton
from app.bridge.layers.islands import tree_colours
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.selected import contact_numbers
from app.bridge.view_state import ViewState
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene

TINY = 1e-15
SURFACE_SECONDS = 0.5   # a surface's arrow is as long as the way it moves in this time


def add_contacts(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Points, surface velocities, frames and forces, as far as they are switched on; point and force of selected contacts."""
    m = visuals.model
    if not snapshot.ncon:
        return
    every, chosen = np.arange(snapshot.ncon), contact_numbers(m, snapshot, state)
    points, forces = (every if options.flags[name] else chosen for name in ("contact_point", "contact_force"))
    if len(points):
        rgba = _colours(m, snapshot, options)
        _points(m, snapshot, options, points, rgba, out)
    if options.flags["contact_point"]:
        _surfaces(m, snapshot, rgba, out)
    if options.frame == "Contact":
        length, width = m.vis.scale.framelength * m.stat_meansize / 2, m.vis.scale.framewidth * m.stat_meansize / 2
        mats = snapshot.contact_frame.reshape(-1, 3, 3).transpose(0, 2, 1)
        axes(out.geoms, snapshot.contact_pos, mats, length, width, objtype=shapes.OBJ_CONTACT, objid=np.arange(snapshot.ncon))
    if len(forces):
        _forces(m, snapshot, options, forces, out)


def _colours(m: Model, snapshot: Snapshot, options: VisOptions) -> np.ndarray:
    """(ncon, 4): active ones and those within the gap; with islands shown the active ones in the colour of theirs."""
    active = (snapshot.contact_efc_address >= 0)[:, None]
    on = m.vis.rgba.contactpoint
    if options.flags["island"]:
        tree = m.body_treeid[m.geom_bodyid[snapshot.contact_geom]].max(axis=1)
        on = tree_colours(m, snapshot, tree)
    return np.where(active, on, m.vis.rgba.contactgap)


def _points(m: Model, snapshot: Snapshot, options: VisOptions, ids, rgba, out: Scene) -> None:
    scl, scale = m.stat_meansize, m.vis.scale
    g = out.geoms
    rows = g.add(len(ids))
    frame = snapshot.contact_frame[ids].reshape(-1, 3, 3)
    g.shape[rows], g.flags[rows], g.pos[rows], g.rgba[rows] = shapes.CYLINDER, shapes.DECOR, snapshot.contact_pos[ids], rgba[ids]
    g.objtype[rows], g.objid[rows] = shapes.OBJ_CONTACT, ids
    g.mat[rows] = frame[:, [1, 2, 0]].transpose(0, 2, 1).reshape(-1, 9)  # the normal becomes z
    g.size[rows, :2] = scale.contactwidth * scl
    g.size[rows, 2] = np.maximum(scale.contactheight * scl, -snapshot.contact_dist[ids] / 2)
    if options.label == "Contact":
        for i in ids.tolist():
            pos, pair = snapshot.contact_pos[i], snapshot.contact_geom[i]
            out.labels.put(tuple(pos), " | ".join(name_of(m, "geom", int(k)) for k in pair), key=("contact", i))


def _surfaces(m: Model, snapshot: Snapshot, rgba, out: Scene) -> None:
    """Where a surface moves along under the other geom: the velocity of geom 1's against geom 2's, of the world's where that is one of them."""
    if not m.flg_surfacevel:
        return
    frame = snapshot.contact_frame.reshape(-1, 3, 3)
    velocity = np.einsum("nk,nkj->nj", snapshot.contact_surfacevel[:, :2], frame[:, 1:])
    moving = np.linalg.norm(velocity, axis=1) >= TINY
    ids = np.flatnonzero(moving & (snapshot.contact_efc_address >= 0) & (snapshot.contact_dim > 1))
    bodies = m.geom_bodyid[snapshot.contact_geom[ids]]
    way = SURFACE_SECONDS * np.where(bodies[:, 1:] == 0, 1.0, -1.0) * velocity[ids]
    start = snapshot.contact_pos[ids]
    connect(out.geoms, _arrows(bodies), m.vis.scale.forcewidth * m.stat_meansize, start, start + way, rgba[ids], objtype=shapes.OBJ_CONTACT, objid=ids)


def _arrows(bodies) -> np.ndarray:
    """Shape of the arrow between two bodies (n, 2): two heads where both move."""
    return np.where((bodies > 0).all(axis=1), shapes.ARROW2, shapes.ARROW)


def towards_higher(m: Model, geoms) -> np.ndarray:
    """(n, 1) of contacts between geoms (n, 2): 1 where a force on the second geom's body is one on the body with the higher number, else -1."""
    bodies = m.geom_bodyid[np.maximum(geoms, 0)]
    return np.where(bodies[:, 0] > bodies[:, 1], -1.0, 1.0)[:, None]


def contact_vectors(snapshot: Snapshot, offset=(0.0, 0.0, 0.0)) -> np.ndarray:
    """(n, 6): points [m], moved by an offset, and forces [N] of the contacts that have any, towards the body with the higher number; a copy."""
    force = snapshot.contact_force[:, :3]
    ids = np.flatnonzero((snapshot.contact_efc_address >= 0) & (np.linalg.norm(force, axis=1) >= TINY))
    vector = np.einsum("nk,nkj->nj", force[ids], snapshot.contact_frame.reshape(-1, 3, 3)[ids]) * towards_higher(snapshot.model, snapshot.contact_geom[ids])
    return np.hstack([snapshot.contact_pos[ids] + np.asarray(offset), vector])


def _forces(m: Model, snapshot: Snapshot, options: VisOptions, which, out: Scene) -> None:
    """Whole forces (two-headed between moving bodies), or normal and friction apart, towards the body with the higher number."""
    force = snapshot.contact_force[:, :3]
    size = np.linalg.norm(force, axis=1)
    ids = which[(snapshot.contact_efc_address[which] >= 0) & (size[which] >= TINY)]
    if not len(ids):
        return
    frame, force = snapshot.contact_frame.reshape(-1, 3, 3)[ids], force[ids]
    bodies = m.geom_bodyid[snapshot.contact_geom[ids]]
    scale = metres_per_newton(m) * towards_higher(m, snapshot.contact_geom[ids])
    start = snapshot.contact_pos[ids]
    radius = m.vis.scale.forcewidth * m.stat_meansize
    split = (snapshot.contact_dim[ids] > 1) & options.flags["contact_split"]
    parts = (
        (~split, np.einsum("nk,nkj->nj", force, frame), m.vis.rgba.contactforce, _arrows(bodies)),
        (split, force[:, :1] * frame[:, 0], m.vis.rgba.contactforce, np.full(len(ids), shapes.ARROW)),
        (split, np.einsum("nk,nkj->nj", force[:, 1:], frame[:, 1:]), m.vis.rgba.contactfriction, np.full(len(ids), shapes.ARROW)),
    )
    for rows, vector, rgba, shape in parts:
        if rows.any():
            connect(out.geoms, shape[rows], radius, start[rows], (start + scale * vector)[rows], rgba, objtype=shapes.OBJ_CONTACT, objid=ids[rows])
    if options.label == "ContactForce":
        for i, pos, newton in zip(ids.tolist(), start, size[ids], strict=True):
            out.labels.put(tuple(pos), f"{newton:.3g}", key=("contact", i))
