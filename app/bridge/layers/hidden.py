"""What the user has hidden, or all but what is shown alone: rows that other layers have made are neither drawn nor found by a click."""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from app.bridge.derived_from import derived_from
from app.bridge.kinds import BODY_OF, TYPES
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.view_state import ViewState
from physics.model.elements import Element
from physics.model.relations import subtree_ends
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene

FREE = (shapes.OBJ_UNKNOWN, shapes.OBJ_PERTURB, shapes.OBJ_LEGEND)   # of no element: shown whatever else is


@derived_from("body_parentid")
def ends_of_subtrees(m) -> np.ndarray:
    """physics.model.relations.subtree_ends, worked out once."""
    return subtree_ends(m)


class Group:
    """Elements as masks: bodies with all below them, of other kinds the numbers."""

    def __init__(self, visuals: ModelVisuals, elements: Iterable[Element]):
        m = visuals.model
        ends = visuals.of(ends_of_subtrees)
        self.bodies = np.zeros(m.nbody + 1, bool)   # one more, for rows of no body: -1
        numbers: dict[str, list[int]] = {}
        for what in elements:
            if what.kind == "body" and 0 <= what.id < m.nbody:
                self.bodies[what.id:ends[what.id]] = True
            else:
                numbers.setdefault(what.kind, []).append(what.id)
        self.ids = {TYPES[kind]: np.asarray(ids) for kind, ids in numbers.items() if kind in TYPES}

    def holds(self, objtype, objid, bodyid) -> np.ndarray:
        """(n,): whether rows of the scene belong to these elements."""
        out = self.bodies[np.clip(bodyid, -1, len(self.bodies) - 1)]
        for wanted, ids in self.ids.items():
            out |= (objtype == wanted) & np.isin(objid, ids)
        return out


def hide(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Leave the rows of hidden elements out of the picture; and where some are shown alone, the rows of all others."""
    if not (options.hidden or options.isolated):
        return
    hidden, alone = Group(visuals, options.hidden), Group(visuals, options.isolated) if options.isolated else None
    g, lines = out.geoms, out.lines
    gone = _gone(hidden, alone, g)
    g.view("rgba")[gone, 3] = 0.0
    g.view("flags")[gone] &= ~np.uint8(shapes.PICKABLE)
    lines.view("start")[_gone(hidden, alone, lines)] = np.nan
    _hide_labels(visuals, hidden, alone, out)


def shown_geoms(visuals: ModelVisuals, options: VisOptions, ids: np.ndarray) -> np.ndarray:
    """(n,): which of these geoms the user has not hidden."""
    shown = np.ones(len(ids), bool)
    columns = np.full(len(ids), shapes.OBJ_GEOM), ids, visuals.model.geom_bodyid[ids]
    if options.hidden:
        shown &= ~Group(visuals, options.hidden).holds(*columns)
    if options.isolated:
        shown &= Group(visuals, options.isolated).holds(*columns)
    return shown


def _gone(hidden: Group, alone: Group | None, rows) -> np.ndarray:
    columns = rows.view("objtype"), rows.view("objid"), rows.view("bodyid")
    gone = hidden.holds(*columns)
    if alone is not None:
        gone |= ~alone.holds(*columns) & ~np.isin(columns[0], FREE)
    return gone


def _hide_labels(visuals: ModelVisuals, hidden: Group, alone: Group | None, out: Scene) -> None:
    m, labels = visuals.model, out.labels
    known = [isinstance(key, tuple) and len(key) > 1 and key[0] in TYPES for key in labels.key]
    kept = []
    for i, key in enumerate(labels.key):
        if known[i]:
            kind, number = key[:2]
            bodies = getattr(m, BODY_OF[kind]) if kind in BODY_OF else None
            body = number if kind == "body" else int(bodies[number]) if bodies is not None and 0 <= number < len(bodies) else -1
            row = np.array([TYPES[kind]]), np.array([number]), np.array([body])
            if hidden.holds(*row)[0] or alone is not None and not alone.holds(*row)[0]:
                continue
        kept.append(i)
    for name in ("pos", "text", "rgba", "key"):
        column = getattr(labels, name)
        column[:] = [column[i] for i in kept]
