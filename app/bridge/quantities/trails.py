"""Trails: where bodies and sites have been lately, fading with age."""
from __future__ import annotations

import numpy as np

from app.bridge.options import NGROUP, VisOptions
from app.bridge.quantities.canvas import QuantityCanvas
from app.bridge.track import MOST, SECONDS
from app.bridge.view_state import ViewState
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes

PALETTE = ((1.0, 0.75, 0.2), (0.3, 0.8, 1.0), (0.6, 1.0, 0.4), (1.0, 0.45, 0.6), (0.75, 0.6, 1.0), (0.4, 1.0, 0.85))
WIDTH = 2.5   # pixels


def last_bodies(m: Model) -> np.ndarray:
    """Moving bodies that carry no other."""
    leaf = np.ones(m.nbody, bool)
    leaf[m.body_parentid[1:]] = False
    return np.flatnonzero(leaf & (m.body_weldid != 0))


def followed(m: Model, options: VisOptions, state: ViewState) -> tuple[np.ndarray, np.ndarray]:
    """Bodies and sites to follow, together at most MOST."""
    bodies = sites = np.zeros(0, int)
    if options.quantities["body_trail"]:
        chosen = 0 < state.trail_body < m.nbody
        bodies = np.array([state.trail_body]) if chosen else last_bodies(m)
    if options.quantities["site_trail"]:
        shown = np.asarray(options.sitegroup)[np.clip(m.site_group, 0, NGROUP - 1)]
        sites = np.flatnonzero(shown & (m.body_weldid[m.site_bodyid] != 0))
    bodies = bodies[:MOST]
    return bodies, sites[:MOST - len(bodies)]


def add_trails(m: Model, snapshot: Snapshot, options: VisOptions, state: ViewState, draw: QuantityCanvas) -> None:
    """Take the present places into the view's track and draw it."""
    bodies, sites = followed(m, options, state)
    now = np.concatenate([snapshot.xpos[bodies], snapshot.site_xpos[sites]])
    series = (snapshot.generation, snapshot.starts, tuple(bodies.tolist()), tuple(sites.tolist()))
    state.track.follow(series, snapshot.time, now)
    start, end, age, which = state.track.segments()
    still = (start == end).all(axis=1)
    start, end, age, which = start[~still], end[~still], age[~still], which[~still]
    if not len(start):
        return
    rgba = np.concatenate([np.asarray(PALETTE)[which % len(PALETTE)], (1 - age)[:, None] ** 1.5], axis=1)
    for switch, kind, ids, body, mine in (("body_trail", shapes.OBJ_BODY, bodies, bodies, which < len(bodies)),
                                          ("site_trail", shapes.OBJ_SITE, sites, m.site_bodyid[sites], which >= len(bodies))):
        own = which[mine] - (len(bodies) if kind == shapes.OBJ_SITE else 0)
        if len(own):
            with draw.of(switch):
                draw.out.lines.put(start[mine], end[mine], rgba[mine], WIDTH, objtype=kind, objid=ids[own], bodyid=body[own])


def trail_legend(m: Model, options: VisOptions, state: ViewState, draw: QuantityCanvas) -> None:
    """Whose trails, and how long they are."""
    bodies, sites = followed(m, options, state)
    for what, number, on in (("body", len(bodies), "body_trail"), ("site", len(sites), "site_trail")):
        if options.quantities[on]:
            many = {"body": "bodies", "site": "sites"}[what]
            note = f"the last {SECONDS:g} s" if number else f"no {what} here moves"
            with draw.of(on):
                draw.legend(f"Trail of {number} {what if number == 1 else many}", (*PALETTE[0], 1.0), note=note)
