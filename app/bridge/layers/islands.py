"""Constraint islands: a colour for all that moves together, dull while it sleeps, and the islands' numbers.

Two trees with constraint rows between them are in one island. The first degree of freedom of an island, or of a group of
trees that sleep together, picks the colour: hue, saturation and value are points of Halton's sequence, so neighbours differ.

Source: MuJoCo documentation, Computation, "Constraint islands"; J. H. Halton 1960 (the sequence).
"""
from __future__ import annotations

from functools import lru_cache

import numpy as np

from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.view_state import ViewState
from physics.enums import DSBL_ISLAND, ENBL_SLEEP, S_ASLEEP
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene.snapshot import Scene

GREY_VALUE = 0.7      # of what no constraint holds
ASLEEP_VALUE, ASLEEP_SATURATION = 0.6, 0.7
HUE_BASE, SATURATION_BASE, VALUE_BASE = 7, 3, 5


def halton(index: np.ndarray, base: int) -> np.ndarray:
    """Halton's sequence: the digits of the numbers mirrored at the point, in 0..1."""
    left, weight, out = np.array(index), 1.0 / base, np.zeros(len(index))
    while left.any():
        left, digit = np.divmod(left, base)
        out += weight * digit
        weight /= base
    return out


def rgb_of(hue, saturation, value) -> np.ndarray:
    """(n, 3) of hue 0..1, saturation and value (n,)."""
    distance = (np.multiply.outer(hue, (6.0, 6.0, 6.0)) + (5.0, 3.0, 1.0)) % 6.0
    return value[:, None] * (1 - saturation[:, None] * np.clip(np.minimum(distance, 4.0 - distance), 0.0, 1.0))


@lru_cache(maxsize=4)
def _palette(nv: int) -> np.ndarray:
    """(nv + 1, 2, 4): colour of each degree of freedom asleep and awake; the last is that of none."""
    index = np.arange(1, nv + 1)
    hue = np.append(halton(index, HUE_BASE), 1.0)
    saturation = np.append(0.5 + 0.5 * halton(index, SATURATION_BASE), 0.0)
    value = np.append(0.6 + 0.4 * halton(index, VALUE_BASE), GREY_VALUE)
    out = np.ones((nv + 1, 2, 4))
    out[:, 0, :3] = rgb_of(hue, ASLEEP_SATURATION * saturation, ASLEEP_VALUE * value)
    out[:, 1, :3] = rgb_of(hue, saturation, value)
    return out


def tree_islands(m: Model, snapshot: Snapshot) -> np.ndarray:
    """Island of each tree (ntree,), -1: none."""
    if not snapshot.sol_nisland or m.opt_disableflags & DSBL_ISLAND:
        return np.full(m.ntree, -1)
    return snapshot.sol_tree_island


def _first_sleeper(asleep: np.ndarray) -> np.ndarray:
    """Lowest tree of each one's ring of sleepers (ntree,); itself where it is awake."""
    tree = np.arange(len(asleep))
    follow = np.where(asleep >= 0, asleep, tree)
    lowest = np.minimum(tree, follow)
    for _ in range(len(asleep).bit_length()):   # each round looks twice as far along the ring
        lowest = np.minimum(lowest, lowest[follow])
        follow = follow[follow]
    return lowest


def _leading_dofs(m: Model, snapshot: Snapshot) -> np.ndarray:
    """Degree of freedom that colours each tree (ntree,), -1: none."""
    island = tree_islands(m, snapshot)
    tied = np.flatnonzero(island >= 0)
    leader = np.full(m.ntree, -1)
    if len(tied):
        first = np.full(int(island.max()) + 1, m.ntree)
        np.minimum.at(first, island[tied], tied)
        leader[tied] = first[island[tied]]
    if m.opt_enableflags & ENBL_SLEEP:
        leader = np.where(leader < 0, _first_sleeper(snapshot.tree_asleep), leader)
    return np.where(leader < 0, -1, m.tree_dofadr[leader])


def body_colours(m: Model, snapshot: Snapshot) -> tuple[np.ndarray, np.ndarray]:
    """Colour of each body (nbody, 4), and whether it moves and so has one (nbody,)."""
    moving = m.body_treeid >= 0
    leading = np.append(_leading_dofs(m, snapshot), -1)[m.body_treeid]   # -1 of a fixed body picks the last
    awake = (snapshot.body_awake != S_ASLEEP).astype(int)
    return _palette(m.nv)[leading, awake], moving


def tree_colours(m: Model, snapshot: Snapshot, tree: np.ndarray) -> np.ndarray:
    """Colours (n, 4) of the islands of these trees as if awake; grey for a tree in none and for tree -1."""
    awake = np.where(tree_islands(m, snapshot) >= 0, _leading_dofs(m, snapshot), -1)
    return _palette(m.nv)[np.append(awake, -1)[tree], 1]


def add_island_labels(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """The number of each moving body's island at its centre of mass."""
    m = visuals.model
    if options.label != "Island":
        return
    island = np.append(tree_islands(m, snapshot), -1)[m.body_treeid]
    for body in np.flatnonzero(island >= 0).tolist():
        out.labels.put(tuple(snapshot.xipos[body]), str(int(island[body])), key=("body", body, "island"))
