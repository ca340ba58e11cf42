"""What a drawn thing is, in words: for the note at the mouse pointer and for what was clicked."""
from __future__ import annotations

import numpy as np

from app.bridge.kinds import BODY_OF, KINDS, TYPES, kind_of
from app.bridge.options import QUANTITY_FLAGS, QUANTITY_SCALES
from app.bridge.quantities.scales import in_words, usual
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.legend import LegendRow

EXCLUDED = ("", "within the gap", "fused", "nothing can move")   # by contact_exclude


def name_of(m: Model, objtype: int, objid: int) -> str:
    """Its name in the model; '' where it has none."""
    kind = KINDS.get(objtype)
    return m.name(kind, objid) if kind and 0 <= objid < len(m.names[kind]) else ""


def titled(m: Model, objtype: int, objid: int) -> str:
    """Type, id and name in one line: 'geom 3 hand'."""
    return " ".join(part for part in (kind_of(objtype), str(objid), name_of(m, objtype, objid)) if part)


def described(m: Model, snapshot: Snapshot, objtype: int, objid: int, bodyid: int) -> list[str]:
    """Lines about a drawn thing, the first with its type, id and name; [] for what is nothing of the model. Ids out of range are said as they are."""
    if not kind_of(objtype):
        return []
    if objtype == shapes.OBJ_PERTURB:
        return [f"perturbation of {titled(m, shapes.OBJ_BODY, objid)}"]
    lines = [titled(m, objtype, objid)]
    if objtype == shapes.OBJ_CONTACT:
        return lines + _contact(m, snapshot, objid)
    if bodyid >= 0 and objtype != shapes.OBJ_BODY:
        lines.append("of " + (titled(m, shapes.OBJ_BODY, bodyid) if bodyid else "the world"))
    return lines


def labelled(m: Model, key) -> tuple[int, int, int]:
    """Object type, object id and body id (-1 none) of what a label of this key stands at; 0, -1, -1 where the key does not say."""
    kind, number = key[:2] if isinstance(key, tuple) and len(key) > 1 else ("", -1)
    if kind not in TYPES:
        return shapes.OBJ_UNKNOWN, -1, -1
    bodies = getattr(m, BODY_OF[kind]) if kind in BODY_OF else ()
    return TYPES[kind], int(number), int(bodies[number]) if 0 <= number < len(bodies) else -1


def quantity_text(m: Model, row: LegendRow | None, amount: float = 0.0, quantity: int = -1) -> str:
    """What a mark is in one line: by its row of the legend, how much in the unit of QUANTITY_SCALES[quantity] where it is a measure, to what scale. '' for no mark."""
    if quantity >= 0:
        kind = QUANTITY_SCALES[quantity]
        much = in_words(amount, usual(m, kind)[1])
        return f"{row.what}: {much} ({row.scale})" if row is not None else f"{kind}: {much}"
    if row is None:
        return ""
    return f"{row.what}: {row.scale}" if row.scale else row.what


def explained(row: LegendRow, number: int) -> list[str]:
    """Lines about a row of the legend: type, number and what it is; its scale; the switch that it belongs to, with what that shows."""
    lines = [f"legend {number} {row.what}", *([row.scale] if row.scale else [])]
    return lines + [f"{flag.title}: {flag.doc}" for flag in QUANTITY_FLAGS if flag.name == row.switch]


def _contact(m: Model, snapshot: Snapshot, i: int) -> list[str]:
    if not 0 <= i < snapshot.ncon:
        return []
    geoms = " and ".join(titled(m, shapes.OBJ_GEOM, int(g)) if g >= 0 else "a flexible body" for g in snapshot.contact_geom[i])
    lines = [geoms, f"distance {snapshot.contact_dist[i]:.3g} m"]
    force = np.asarray(snapshot.contact_force[i], float)
    if snapshot.contact_efc_address[i] >= 0:
        lines.append(f"force {np.linalg.norm(force[:3]):.4g} N: normal {force[0]:.4g}, friction {np.linalg.norm(force[1:3]):.4g}")
    elif snapshot.contact_exclude[i]:
        lines.append("no force: " + EXCLUDED[snapshot.contact_exclude[i]])
    return lines
