"""Which geoms can meet, put together where their contacts have the same parameters.

Few models have more than a dozen of such kinds of contact, however many geoms there are.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from physics.diagnostics.contact_parameters import ContactParameters, pair_parameters
from physics.engine.collide.filter import masks_match
from physics.enums import DSBL_CONSTRAINT, DSBL_CONTACT, DSBL_FILTERPARENT
from physics.model.model import Model

__all__ = ["Meeting", "Meetings", "meetings_of"]

MOST_KINDS = 200        # of geoms by their parameters: a model with more is not looked at
MOST_MEETINGS = 600     # of which the parameters are computed
TRIED = 8               # geoms of a kind that are tried for a pair that can meet
CHUNK = 256


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two geoms that stand for all pairs whose contacts have the same parameters. count: of these pairs, as far as known."""

    geoms: tuple[int, int]
    count: int
    parameters: ContactParameters


class Meetings:
    """pairs: (n, 2) geoms that can meet by the filters; of models that sweep their geoms one pair for each two kinds. kinds: of each geom."""

    def __init__(self, m: Model, pairs: np.ndarray, kinds: np.ndarray):
        self.m, self.pairs, self.kinds = m, pairs, kinds

    @cached_property
    def all(self) -> tuple[Meeting, ...]:
        """One for each two kinds of geoms that can meet."""
        if not len(self.pairs):
            return ()
        both = np.sort(self.kinds[self.pairs], axis=1)
        _, first, count = np.unique(both, axis=0, return_index=True, return_counts=True)
        found = [(tuple(map(int, self.pairs[k])), int(n)) for k, n in zip(first[:MOST_MEETINGS], count[:MOST_MEETINGS], strict=True)]
        return tuple(Meeting(geoms, n, pair_parameters(self.m, *geoms)) for geoms, n in found)

    def partners(self, geom: int) -> np.ndarray:
        """Geoms that this one, or one of its kind, can meet."""
        same = self.kinds == self.kinds[geom] if self.m.nsapgeom else np.arange(self.m.ngeom) == geom
        one, two = self.pairs.T
        return np.unique(np.r_[two[same[one]], one[same[two]]])


def kinds_of(m: Model) -> np.ndarray:
    """Number of each geom's kind (ngeom): the same for geoms with the same contact parameters and bits."""
    fields = ("solref", "solimp", "friction", "condim", "priority", "solmix", "margin", "gap", "contype", "conaffinity")
    rows = np.column_stack([getattr(m, f"geom_{name}") for name in fields])
    return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1) if m.ngeom else np.zeros(0, int)


def meetings_of(m: Model) -> Meetings:
    """Geoms that can meet by masks, bodies and excludes; explicit pairs are no part of it."""
    kinds = kinds_of(m)
    if m.opt_disableflags & (DSBL_CONTACT | DSBL_CONSTRAINT):
        return Meetings(m, np.zeros((0, 2), int), kinds)
    listed = np.array(m.cpair_geom, int).reshape(-1, 2)
    if not m.opt_disableflags & DSBL_FILTERPARENT:
        listed = listed[~np.array(m.cpair_related, bool)]
    if not m.nsapgeom:
        return Meetings(m, listed, kinds)
    if kinds.max(initial=0) >= MOST_KINDS:
        return Meetings(m, listed, kinds)
    return Meetings(m, np.vstack([listed, _swept(m, kinds)]), kinds)


def _swept(m: Model, kinds: np.ndarray) -> np.ndarray:
    """Of geoms that are swept a pair for each two kinds of which any two that were tried can meet."""
    swept = np.array(m.sap_geom, int)
    some = {kind: swept[kinds[swept] == kind] for kind in np.unique(kinds[swept]).tolist()}
    found = [pair for a in some for b in some if a <= b and (pair := _first_pair(m, some[a], some[b])) is not None]
    return np.array(found, int).reshape(-1, 2)


def _first_pair(m: Model, ones: np.ndarray, twos: np.ndarray) -> tuple[int, int] | None:
    if not masks_match(m, int(ones[0]), int(twos[0])):
        return None
    ends = [np.unique(np.r_[side[:TRIED], side[-TRIED:]]) for side in (ones, twos)]
    return next(((int(g), int(h)) for g in ends[0] for h in ends[1] if g != h and _bodies_meet(m, g, h)), None)


def _bodies_meet(m: Model, g: int, h: int) -> bool:
    welds = m.body_weldid[m.geom_bodyid[[g, h]]]
    return bool(welds[0] != welds[1] and (m.body_dofnum[welds] > 0).any())


def without_partner(m: Model, geoms: np.ndarray, go_on: Callable[[], None]) -> np.ndarray:
    """Those of some geoms that can meet no other by masks, bodies, excludes and explicit pairs."""
    body, weld = np.asarray(m.geom_bodyid), np.asarray(m.body_weldid)
    welds = weld[body]
    moves = np.asarray(m.body_dofnum)[welds] > 0
    above = weld[np.asarray(m.body_parentid)[welds]]
    filtered = not m.opt_disableflags & DSBL_FILTERPARENT
    lonely = []
    for start in range(0, len(geoms), CHUNK):
        go_on()
        g = np.asarray(geoms[start:start + CHUNK])[:, None]
        may = ((m.geom_contype[g] & m.geom_conaffinity[None]) != 0) | ((m.geom_conaffinity[g] & m.geom_contype[None]) != 0)
        may &= (welds[g] != welds[None]) & (moves[g] | moves[None])
        if filtered:
            may &= (welds[g] == 0) | (welds[None] == 0) | ((above[g] != welds[None]) & (above[None] != welds[g]))
        low, high = np.minimum(body[g], body[None]), np.maximum(body[g], body[None])
        may &= ~np.isin((low.astype(np.int64) << 16) + high, m.exclude_signature)
        lonely.append(g[~may.any(axis=1), 0])
    found = np.concatenate(lonely) if lonely else np.zeros(0, int)
    return np.setdiff1d(found, np.r_[m.pair_geom1, m.pair_geom2])
