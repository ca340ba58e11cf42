"""Joints: arrows along axes, boxes for free joints, balls for ball joints; red as their limit sets in."""
from __future__ import annotations

import numpy as np

from app.bridge.labels import add_names
from app.bridge.layers.connect import connect
from app.bridge.layers.tendons import limit_impedance
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import NGROUP, VisOptions
from app.bridge.selected import with_selected
from app.bridge.view_state import ViewState
from physics.enums import CNSTR_LIMIT_JOINT, JointType
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene

SHAPES = (shapes.BOX, shapes.SPHERE, shapes.ARROW, shapes.ARROW1)  # by number of jnt_type: free, ball, slide, hinge


def add_joint_shapes(m: Model, snapshot: Snapshot, ids, sizes, rgba, objtype: int, objid, out: Scene) -> None:
    """Append the shapes of these joints: sizes (arrow length, arrow radius, half size of boxes and balls), rgba (n, 4)."""
    length, radius, half = sizes
    shape = np.asarray(SHAPES)[m.jnt_type[ids]]
    arrows = m.jnt_type[ids] >= JointType.SLIDE
    a = ids[arrows]
    start = snapshot.xanchor[a]
    connect(out.geoms, shape[arrows], radius, start, start + length * snapshot.xaxis[a], rgba[arrows], objtype=objtype, objid=objid[arrows],
            bodyid=m.jnt_bodyid[a])
    b = ids[~arrows]
    g = out.geoms
    rows = g.add(len(b))
    g.shape[rows], g.pos[rows], g.mat[rows], g.size[rows] = shape[~arrows], snapshot.xanchor[b], snapshot.xmat[m.jnt_bodyid[b]], half
    g.rgba[rows], g.flags[rows], g.objtype[rows], g.objid[rows], g.bodyid[rows] = rgba[~arrows], shapes.DECOR, objtype, objid[~arrows], m.jnt_bodyid[b]


def add_joints(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Joints of visible groups, and selected ones."""
    m = visuals.model
    if not m.njnt or not (options.flags["joint"] or state.selection.elements):
        return
    shown = options.flags["joint"] & np.asarray(options.jointgroup)[np.clip(m.jnt_group, 0, NGROUP - 1)]
    ids = np.flatnonzero(with_selected(m, state, "joint", shown))
    if not len(ids):
        return
    impedance = limit_impedance(snapshot, CNSTR_LIMIT_JOINT, m.njnt)[ids, None]
    rgba = np.ones((len(ids), 4))
    rgba[:, :3] = (1 - impedance) * np.asarray(m.vis.rgba.joint[:3]) + impedance * np.asarray(m.vis.rgba.constraint[:3])
    length = m.vis.scale.jointlength * m.stat_meansize
    add_joint_shapes(m, snapshot, ids, (length, m.vis.scale.jointwidth * m.stat_meansize, 0.3 * length), rgba, shapes.OBJ_JOINT, ids, out)
    if options.label == "Joint":
        add_names(m, "joint", ids, snapshot.xanchor[ids], out)
