"""Tendons: tubes along their path, round where they wrap, hanging where they are limp. A fixed tendon has no path."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.bridge.assets.static import GREY
from app.bridge.labels import add_names
from app.bridge.layers.catenary import hang, point_count, rope_lengths
from app.bridge.layers.connect import connect
from app.bridge.layers.islands import tree_colours
from app.bridge.layers.wraps import arcs
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import NGROUP, VisOptions
from app.bridge.selected import with_selected
from app.bridge.view_state import ViewState
from physics.enums import CNSTR_EQUALITY, CNSTR_FRICTION_TENDON, CNSTR_LIMIT_TENDON, EQ_TENDON
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene

PULLEY = -2  # wrap_obj of a point where the path is broken


class Path(NamedTuple):
    """Straight pieces of tendons: starts (n, 3), ends (n, 3), radii (n,), and which of the tendons asked for (n,); its pieces follow each other."""

    start: np.ndarray
    end: np.ndarray
    radius: np.ndarray
    which: np.ndarray


def paths(m: Model, snapshot: Snapshot, ids) -> Path:
    """Paths of these tendons, round where they wrap."""
    ids = np.asarray(ids, int)
    count = snapshot.ten_wrapnum[ids].astype(int)
    which = np.repeat(np.arange(len(ids)), count)
    at = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count) + snapshot.ten_wrapadr[ids][which]
    kind, point = snapshot.wrap_obj.reshape(-1)[at], snapshot.wrap_xpos.reshape(-1, 3)[at]
    wraps = (kind[:-1] >= 0) & (kind[:-1] == kind[1:])
    touches = wraps & (point[:-1] == point[1:]).all(axis=1)   # goes off where it came, as inside a geom
    keep = np.flatnonzero((kind[:-1] != PULLEY) & (kind[1:] != PULLEY) & (which[:-1] == which[1:]) & ~touches)
    path = Path(point[keep], point[keep + 1], m.tendon_width[ids[which[keep]]], which[keep])
    wrapped = wraps[keep]
    if not wrapped.any():
        return path
    bent = keep[wrapped]
    start, end, arc = arcs(m, snapshot, kind[bent], point[np.maximum(bent - 1, 0)], point[bent], point[bent + 1])
    place = np.flatnonzero(wrapped)[arc]
    every = Path(*(np.concatenate([column[~wrapped], new]) for column, new in
                   zip(path, (start, end, path.radius[place], path.which[place]), strict=True)))
    order = np.argsort(np.concatenate([np.flatnonzero(~wrapped), place]), kind="stable")
    return Path(*(column[order] for column in every))


def _ropes(m: Model, snapshot: Snapshot, ids, length) -> Path:
    """Paths of limp tendons."""
    parts = []
    for tendon in ids.tolist():
        first = int(snapshot.ten_wrapadr[tendon])
        ends = snapshot.wrap_xpos.reshape(-1, 3)[first:first + 2]
        points = hang(*ends, m.opt_gravity, float(length[tendon]), point_count(m))
        n = len(points) - 1
        parts.append(Path(points[:-1], points[1:], np.full(n, m.tendon_width[tendon]), np.full(n, len(parts))))
    return Path(*map(np.concatenate, zip(*parts, strict=True)))


def limit_impedance(snapshot: Snapshot, kind: int, n: int) -> np.ndarray:
    """How strongly the limit of each of n joints or tendons acts, 0 to 1."""
    out = np.zeros(n)
    rows = np.flatnonzero(snapshot.efc_type == kind)
    out[snapshot.efc_id[rows]] = snapshot.efc_KBIP[rows, 2]
    return out


def tendon_trees(m: Model, snapshot: Snapshot) -> np.ndarray:
    """Tree of the constraint that holds each tendon (ntendon,), -1 where none does."""
    kind, number = snapshot.efc_type, snapshot.efc_id
    held = np.zeros(m.ntendon, bool)
    held[number[np.isin(kind, (CNSTR_FRICTION_TENDON, CNSTR_LIMIT_TENDON))]] = True
    coupled = number[kind == CNSTR_EQUALITY]
    coupled = coupled[m.eq_type[coupled] == EQ_TENDON]
    held[m.eq_obj1id[coupled]] = True
    second = m.eq_obj2id[coupled]
    held[second[second >= 0]] = True
    held &= m.ten_J_rownnz > 0
    tree = np.full(m.ntendon, -1)
    tree[held] = m.dof_treeid[m.ten_J_colind.reshape(-1)[m.ten_J_rowadr[held]]]
    return tree


def tendon_colours(m: Model, snapshot: Snapshot, options: VisOptions) -> tuple[np.ndarray, np.ndarray]:
    """Colours (ntendon, 4) and materials (ntendon,). Without colour or material of its own a tendon turns to the constraint colour at its limit."""
    rgba, matid = np.array(m.tendon_rgba, float), np.array(m.tendon_matid)
    grey = (rgba == GREY).all(axis=1)
    plain, shiny = grey & (matid < 0), grey & (matid >= 0)
    impedance = limit_impedance(snapshot, CNSTR_LIMIT_TENDON, m.ntendon)[plain, None]
    rgba[plain, :3] = (1 - impedance) * rgba[plain, :3] + impedance * np.asarray(m.vis.rgba.constraint[:3])
    rgba[shiny] = m.mat_rgba[matid[shiny]]
    if options.flags["transparent"]:
        rgba[:, 3] *= m.vis.map.alpha
    return rgba, matid


def add_tendons(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Spatial tendons of visible groups, and selected ones."""
    m = visuals.model
    if not m.ntendon or not (options.flags["tendon"] or state.selection.elements):
        return
    shown = options.flags["tendon"] & np.asarray(options.tendongroup)[np.clip(m.tendon_group, 0, NGROUP - 1)]
    visible = with_selected(m, state, "tendon", shown) & (snapshot.ten_wrapnum > 0)
    length = rope_lengths(m, snapshot)
    rgba, matid = tendon_colours(m, snapshot, options)
    limp = visible & (length > 0)
    ids = np.flatnonzero(limp)
    if len(ids):
        _add_paths(m, ids, _ropes(m, snapshot, ids, length), rgba, matid, options, out)
    ids = np.flatnonzero(visible & ~limp)
    if options.flags["island"]:
        rgba, matid = tree_colours(m, snapshot, tendon_trees(m, snapshot)), np.full(m.ntendon, -1)
    _add_paths(m, ids, paths(m, snapshot, ids), rgba, matid, options, out)


def _add_paths(m: Model, ids, path: Path, rgba, matid, options: VisOptions, out: Scene) -> None:
    which = ids[path.which]
    if not len(which):
        return
    connect(out.geoms, shapes.CAPSULE, path.radius, path.start, path.end, rgba[which], matid=matid[which], objtype=shapes.OBJ_TENDON, objid=which,
            flags=shapes.CAST_SHADOW)
    if options.label == "Tendon":
        first = np.flatnonzero(np.r_[True, which[1:] != which[:-1]])
        middle = (first + np.r_[first[1:], len(which)]) // 2   # of its pieces
        add_names(m, "tendon", which[first], (path.start[middle] + path.end[middle]) / 2, out)
