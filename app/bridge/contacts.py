"""Contacts: discs at their points, arrows for their forces, frames."""
from __future__ import annotations

import numpy as np

from app.bridge.connect import axes, connect
from app.bridge.labels import name_of
from app.bridge.options import VisOptions
from physics.model import Model
from render.scene import shapes
from render.scene.snapshot import Scene

TINY = 1e-15


def add_contacts(m: Model, snapshot, options: VisOptions, out: Scene) -> None:
    """Points, frames and forces, as far as they are switched on."""
    if not snapshot.ncon:
        return
    if options.flags["Contact Point"]:
        _points(m, snapshot, options, out)
    if options.frame == "Contact":
        length, width = m.vis.scale.framelength * m.stat_meansize / 2, m.vis.scale.framewidth * m.stat_meansize / 2
        mats = snapshot.contact_frame.reshape(-1, 3, 3).transpose(0, 2, 1)
        axes(out.geoms, snapshot.contact_pos, mats, length, width, np.arange(snapshot.ncon))
    if options.flags["Contact Force"]:
        _forces(m, snapshot, options, out)


def _points(m, snapshot, options, out) -> None:
    scl, scale = m.stat_meansize, m.vis.scale
    g = out.geoms
    rows = g.add(snapshot.ncon)
    frame = snapshot.contact_frame.reshape(-1, 3, 3)
    g.shape[rows], g.flags[rows], g.pos[rows], g.objid[rows] = shapes.CYLINDER, shapes.DECOR, snapshot.contact_pos, np.arange(snapshot.ncon)
    g.mat[rows] = frame[:, [1, 2, 0]].transpose(0, 2, 1).reshape(-1, 9)  # the normal becomes z
    g.size[rows, :2] = scale.contactwidth * scl
    g.size[rows, 2] = np.maximum(scale.contactheight * scl, -snapshot.contact_dist / 2)
    active = snapshot.contact_efc_address >= 0
    g.rgba[rows] = np.where(active[:, None], m.vis.rgba.contactpoint, m.vis.rgba.contactgap)
    if options.label == "Contact":
        for pos, pair in zip(snapshot.contact_pos, snapshot.contact_geom):
            out.labels.put(tuple(pos), " | ".join(name_of(m, "geom", int(i)) for i in pair))


def _forces(m, snapshot, options, out) -> None:
    """Whole forces (two-headed between moving bodies), or normal and friction apart, towards the body with the higher number."""
    force = snapshot.contact_force[:, :3]
    size = np.linalg.norm(force, axis=1)
    ids = np.flatnonzero((snapshot.contact_efc_address >= 0) & (size >= TINY))
    if not len(ids):
        return
    frame, force = snapshot.contact_frame.reshape(-1, 3, 3)[ids], force[ids]
    bodies = m.geom_bodyid[snapshot.contact_geom[ids]]
    scale = m.vis.map.force / m.stat_meanmass * np.where(bodies[:, 0] > bodies[:, 1], -1.0, 1.0)[:, None]
    start = snapshot.contact_pos[ids]
    radius = m.vis.scale.forcewidth * m.stat_meansize
    split = (snapshot.contact_dim[ids] > 1) & options.flags["Contact Split"]
    parts = (
        (~split, np.einsum("nk,nkj->nj", force, frame), m.vis.rgba.contactforce, np.where((bodies > 0).all(axis=1), shapes.ARROW2, shapes.ARROW)),
        (split, force[:, :1] * frame[:, 0], m.vis.rgba.contactforce, np.full(len(ids), shapes.ARROW)),
        (split, np.einsum("nk,nkj->nj", force[:, 1:], frame[:, 1:]), m.vis.rgba.contactfriction, np.full(len(ids), shapes.ARROW)),
    )
    for rows, vector, rgba, shape in parts:
        if rows.any():
            connect(out.geoms, shape[rows], radius, start[rows], (start + scale * vector)[rows], rgba, objid=ids[rows])
    if options.label == "ContactForce":
        for pos, newton in zip(start, size[ids]):
            out.labels.put(tuple(pos), f"{newton:.3g}")
