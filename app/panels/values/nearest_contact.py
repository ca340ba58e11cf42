"""The contact of a state whose geoms are nearest to each other, in words: what a point of the hard engine's central path leaves between them."""
from __future__ import annotations

import numpy as np

from app.bridge.labels import name_of
from physics.runtime.snapshot import Snapshot

NONE = "No contact within reach"


def nearest_contact(snapshot: Snapshot) -> str:
    """'Nearest: floor and box, gap 0.255 mm, 19.6 N': of the contacts that have constraint rows; below 0 it is an overlap."""
    rows = np.flatnonzero(snapshot.contact_efc_address >= 0)
    if not len(rows):
        return NONE
    k = int(rows[np.argmin(snapshot.contact_dist[rows])])
    pair = " and ".join(name_of(snapshot.model, "geom", int(g)) for g in snapshot.contact_geom[k])
    distance = float(snapshot.contact_dist[k])
    return f"Nearest: {pair}, {'gap' if distance >= 0 else 'overlap'} {1e3 * abs(distance):.3g} mm, {float(snapshot.contact_force[k, 0]):.3g} N"
