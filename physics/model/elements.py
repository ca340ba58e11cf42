"""References to single elements of a Model by kind, number and name, and finding them again in another Model."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

CONTACT = "contact"
# kind -> Model field with the body that an element belongs to
BODY_FIELDS = (("joint", "jnt_bodyid"), ("geom", "geom_bodyid"), ("site", "site_bodyid"), ("camera", "cam_bodyid"), ("light", "light_bodyid"))


@dataclass(frozen=True, slots=True)
class Element:
    """One thing of a Model. kind: a key of Model.names ('body', 'joint', 'geom', ...) or 'contact'; id: its number; name: '' where it has none.

    A contact is known by its two geoms, `geoms`, as contacts are numbered anew in each step: `point` is where it was in the frame of `held_by` (m, geoms),
    and tells which one is meant of several between the same two. Its id is the number that it had.
    """

    kind: str
    id: int
    name: str = ""
    geoms: tuple[Element, ...] = ()
    point: tuple[float, ...] = ()

    def __str__(self) -> str:
        if self.geoms:
            return f"{self.kind} of " + " and ".join(map(str, self.geoms))
        return f"{self.kind} {self.name or self.id}"


def element(m, kind: str, number: int) -> Element:
    """Reference to element `number` of a kind of the Model. Raises IndexError where the Model has none."""
    if kind == CONTACT:
        return Element(kind, number)
    return Element(kind, int(number), m.names[kind][number] or "")


def body_of(m, what: Element) -> int:
    """Number of the body that an element belongs to, itself if it is one; 0 where it belongs to the world or to none."""
    if what.kind == "body":
        return what.id
    field = dict(BODY_FIELDS).get(what.kind)
    return int(getattr(m, field)[what.id]) if field else 0


# ------------------------------------------------------------------ contacts

def held_by(m, geoms) -> int:
    """Of the numbers of two geoms that touch, the one whose frame a contact's place is remembered in: the one that moves, of two that move the second."""
    moves = m.body_weldid[m.geom_bodyid[list(geoms)]] != 0
    return int(geoms[1] if moves[1] or not moves[0] else geoms[0])


def contact_element(m, d, number: int) -> Element | None:
    """Reference to contact `number` of a Data or Snapshot; None where there is none, or one that is not between two geoms."""
    if not 0 <= number < d.ncon:
        return None
    geoms = tuple(map(int, d.contact_geom[number]))
    if min(geoms) < 0:
        return None
    frame = held_by(m, geoms)
    local = d.geom_xmat[frame].reshape(3, 3).T @ (d.contact_pos[number] - d.geom_xpos[frame])
    return Element(CONTACT, int(number), "", tuple(element(m, "geom", g) for g in geoms), tuple(map(float, local)))


def contact_number(m, d, what: Element) -> int:
    """Number that a contact has now: of those between its geoms the one nearest to where it was; -1 where they do not touch."""
    if len(what.geoms) != 2:
        return -1
    first, second = (g.id for g in what.geoms)
    if max(first, second) >= m.ngeom:
        return -1
    pairs = np.asarray(d.contact_geom[:d.ncon]).reshape(-1, 2)
    rows = np.flatnonzero(((pairs[:, 0] == first) & (pairs[:, 1] == second)) | ((pairs[:, 0] == second) & (pairs[:, 1] == first)))
    if not len(rows):
        return -1
    frame = held_by(m, (first, second))
    point = d.geom_xpos[frame] + d.geom_xmat[frame].reshape(3, 3) @ np.asarray(what.point)
    return int(rows[np.argmin(np.linalg.norm(d.contact_pos[rows] - point, axis=1))])


def identity_of(m, d, what: Element) -> object:
    """What is equal for two references to the same thing at this moment: of a contact its geoms and the number that it has now, as its place changes
    from step to step. d: a Data or Snapshot."""
    number = contact_number(m, d, what) if what.kind == CONTACT else -1
    return (what.geoms, number) if number >= 0 else what


# ------------------------------------------------------------------ other Models

def find_again(before, m, what: Element) -> Element | None:
    """The same element in another Model `m`: by name; an unnamed one by its number, where there are as many of its kind as in the Model `before`. None: it is gone.
    A contact is the same while both its geoms are."""
    found = find_all_again(before, m, (what,))
    return found[0] if found else None


class _Matcher:
    """Finds elements of one Model (None: unknown) in another. A class, not a function that calls itself: what that sees lives until rings of objects are collected,
    here both Models."""

    def __init__(self, before, m):
        self._before, self._m = before, m
        self._numbers: dict[str, dict[str, int]] = {}   # kind: name: number, of equal names the first

    def find(self, what: Element) -> Element | None:
        """The element in the other Model, None where it is not."""
        if what.kind == CONTACT:
            geoms = tuple(map(self.find, what.geoms))
            return Element(CONTACT, what.id, "", geoms, what.point) if len(geoms) == 2 and None not in geoms else None
        if what.kind not in self._m.names:
            return None
        names = self._m.names[what.kind]
        if what.name:
            if what.kind not in self._numbers:
                self._numbers[what.kind] = {name: i for i, name in reversed(tuple(enumerate(names)))}
            number = self._numbers[what.kind].get(what.name, -1)
            return Element(what.kind, number, what.name) if number >= 0 else None
        before = self._before
        same = before is not None and what.kind in before.names and len(before.names[what.kind]) == len(names)
        return what if same and not names[what.id] else None


def find_all_again(before, m, elements: Iterable[Element]) -> tuple[Element, ...]:
    """Those of the elements that are in another Model `m` too, as `find_again` finds them, in the same order."""
    found = map(_Matcher(before, m).find, elements)
    return tuple(what for what in found if what is not None)
