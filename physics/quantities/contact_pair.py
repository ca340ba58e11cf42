"""What contacts between two things add up to.

    force     on the first thing from the second, in world axes: the sum over contacts [N]
    normal    sum of the normal forces [N]          friction   length of the sum of the tangential forces [N]
    dist      the smallest distance, below zero where they overlap [m]; NaN without a contact
    pos       where: mean of the points, weighted by the normal forces where there are any [m]; NaN without a contact
    count     number of contacts that have constraint rows
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np


@dataclass(frozen=True, slots=True)
class ContactValue:
    """Shape, unit and meaning of a value."""

    shape: tuple[int, ...]
    unit: str
    doc: str


CONTACT_VALUES: Mapping[str, ContactValue] = MappingProxyType({
    "force": ContactValue((3,), "N", "force on the first from the second, in world axes"),
    "normal": ContactValue((), "N", "sum of the normal forces"),
    "friction": ContactValue((), "N", "length of the sum of the tangential forces"),
    "dist": ContactValue((), "m", "smallest distance of the contacts"),
    "pos": ContactValue((3,), "m", "mean position of the contacts, weighted by their normal forces"),
    "count": ContactValue((), "", "number of contacts with constraint rows"),
})


def sides(contact_geom: np.ndarray, first: frozenset[int], second: frozenset[int] | None) -> list[tuple[int, float]]:
    """(contact, sign) of the contacts between the two: -1 where geom 1 is the first's, so that the force of the contact, which acts on geom 2, is turned round."""
    found = []
    for i, (one, other) in enumerate(contact_geom.tolist()):
        if one in first and (second is None or other in second):
            found.append((i, -1.0))
        elif other in first and (second is None or one in second):
            found.append((i, 1.0))
    return found


def contact_values(now, value: str, first: frozenset[int], second: frozenset[int] | None) -> np.ndarray:
    """A value at a moment, of its shape. now: a Data whose contact_force is up to date, or a Snapshot. Sums run in the order of the contacts."""
    chosen = sides(now.contact_geom[:now.ncon], first, second)
    if value == "count":
        return np.array(float(sum(int(now.contact_exclude[i]) == 0 for i, _ in chosen)))
    if value == "dist":
        return np.array(min((float(now.contact_dist[i]) for i, _ in chosen), default=np.nan))
    if value == "normal":
        return np.array(sum((float(now.contact_force[i, 0]) for i, _ in chosen), 0.0))
    if value == "pos":
        return _position(now, chosen)
    total = [0.0, 0.0, 0.0]
    for i, sign in chosen:
        frame, local = now.contact_frame[i].tolist(), now.contact_force[i].tolist()
        if value == "friction":
            local[0] = 0.0
        for axis in range(3):
            total[axis] += sign * (frame[axis] * local[0] + frame[3 + axis] * local[1] + frame[6 + axis] * local[2])
    if value == "friction":
        return np.sqrt(total[0] * total[0] + total[1] * total[1] + total[2] * total[2]) * np.ones(())
    return np.array(total)


def _position(now, chosen: list[tuple[int, float]]) -> np.ndarray:
    weights = [max(float(now.contact_force[i, 0]), 0.0) for i, _ in chosen]
    if not any(weights):
        weights = [1.0] * len(chosen)
    total, whole = [0.0, 0.0, 0.0], 0.0
    for (i, _), weight in zip(chosen, weights, strict=True):
        whole += weight
        for axis in range(3):
            total[axis] += weight * float(now.contact_pos[i, axis])
    return np.array(total) / whole if chosen else np.full(3, np.nan)
