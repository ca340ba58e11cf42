"""Tendons: capsules along their path. A fixed tendon is a sum of joint coordinates and has no path."""
from __future__ import annotations

import numpy as np

from app.bridge.connect import connect
from app.bridge.labels import add_names
from app.bridge.options import NGROUP, VisOptions
from app.bridge.static import GREY
from physics.enums import CNSTR_LIMIT_TENDON
from physics.model import Model
from render.scene import shapes
from render.scene.snapshot import Scene

PULLEY = -2  # wrap_obj of a point where the path is broken


def segments(m: Model, snapshot, tendon: int):
    """Path of a tendon: starts (n, 3), ends (n, 3), radii (n,); half the radius where it lies on a wrapped geom."""
    first = int(snapshot.ten_wrapadr[tendon])
    points = snapshot.wrap_xpos.reshape(-1, 3)[first:first + snapshot.ten_wrapnum[tendon]]
    kind = snapshot.wrap_obj.reshape(-1)[first:first + len(points)]
    drawn = (kind[:-1] != PULLEY) & (kind[1:] != PULLEY)
    radius = m.tendon_width[tendon] * np.where((kind[:-1] >= 0) & (kind[1:] >= 0), 0.5, 1.0)
    return points[:-1][drawn], points[1:][drawn], radius[drawn]


def limit_impedance(snapshot, kind: int, n: int) -> np.ndarray:
    """How strongly the limit of each of n joints or tendons acts, 0 to 1."""
    out = np.zeros(n)
    rows = np.flatnonzero(snapshot.efc_type == kind)
    out[snapshot.efc_id[rows]] = snapshot.efc_KBIP[rows, 2]
    return out


def add_tendons(m: Model, snapshot, options: VisOptions, out: Scene) -> None:
    """Spatial tendons; without colour or material of their own they turn to the constraint colour at their limit."""
    if not options.flags["Tendon"] or not m.ntendon:
        return
    visible = np.asarray(options.tendongroup)[np.clip(m.tendon_group, 0, NGROUP - 1)] & (snapshot.ten_wrapnum > 0)
    impedance = limit_impedance(snapshot, CNSTR_LIMIT_TENDON, m.ntendon)
    for tendon in np.flatnonzero(visible):
        start, end, radius = segments(m, snapshot, tendon)
        matid, rgba = int(m.tendon_matid[tendon]), np.array(m.tendon_rgba[tendon])
        if (rgba == GREY).all():
            mixed = (1 - impedance[tendon]) * rgba[:3] + impedance[tendon] * np.asarray(m.vis.rgba.constraint[:3])
            rgba = np.array(m.mat_rgba[matid]) if matid >= 0 else np.append(mixed, rgba[3])
        if options.flags["Transparent"]:
            rgba[3] *= m.vis.map.alpha
        rows = connect(out.geoms, shapes.CAPSULE, 0, start, end, rgba, matid=matid, objtype=shapes.OBJ_TENDON, objid=tendon,
                       flags=shapes.CAST_SHADOW)
        out.geoms.size[rows, :2] = radius[:, None]
        if options.label == "Tendon" and len(start):
            add_names(m, "tendon", [tendon], (start[:1] + end[:1]) / 2, out)
