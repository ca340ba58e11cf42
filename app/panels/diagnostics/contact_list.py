"""The pairs of geoms that touch now, by the force between them, to choose one from."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PyQt6.QtCore import QEvent, Qt, pyqtSignal

from app.panels.diagnostics.fitted_tree import FittedTree, number_text, put
from app.panels.diagnostics.geom_field import geom_text
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot

BETWEEN, FORCE, DEPTH = range(3)
MOST = 60       # pairs that are listed
PAIR = Qt.ItemDataRole.UserRole
BASE = 1 << 31       # makes one number of two geoms


@dataclass(frozen=True, slots=True)
class TouchingPair:
    """Two geoms; how many contacts; the sum of their normal forces [N]; the deepest one's depth [m], beyond the margin."""

    geoms: tuple[int, int]
    count: int
    normal: float
    depth: float


def touching_pairs(snapshot: Snapshot, of: Sequence[int] | None = None) -> tuple[list[TouchingPair], int]:
    """Pairs that have contacts, those with the largest normal force first, at most MOST of them, and how many there are in all; of these geoms alone, where some are given."""
    geoms = np.asarray(snapshot.contact_geom[:snapshot.ncon]).reshape(-1, 2).astype(np.int64)
    kept = np.flatnonzero((geoms >= 0).all(1) & (np.isin(geoms, of).any(1) if of is not None else True))
    if not len(kept):
        return [], 0
    pairs, which, count = np.unique(BASE * geoms[kept, 0] + geoms[kept, 1], return_inverse=True, return_counts=True)
    normal = np.bincount(which, snapshot.contact_force[kept, 0], len(pairs))
    depth = np.full(len(pairs), -np.inf)
    np.maximum.at(depth, which, (snapshot.contact_includemargin - snapshot.contact_dist)[kept])
    order = np.argsort(-normal, kind="stable")[:MOST]
    found = [TouchingPair((int(pairs[k]) // BASE, int(pairs[k]) % BASE), int(count[k]), float(normal[k]), float(depth[k])) for k in order]
    return found, len(pairs)


def short_name(model: Model, geom: int) -> str:
    """A geom's name, else its number behind its body's name."""
    body = model.names["body"][int(model.geom_bodyid[geom])]
    return model.names["geom"][geom] or (f"{body}/{geom}" if body else str(geom))


class ContactList(FittedTree):
    """Signal: pair_wanted(geom, geom) a row was clicked. While the mouse is over it rows keep their places."""

    pair_wanted = pyqtSignal(int, int)

    def __init__(self):
        super().__init__(("Between", "Force [N]", "Depth [m]"), BETWEEN)
        self.setRootIsDecorated(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        for column in (FORCE, DEPTH):
            self.headerItem().setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.headerItem().setToolTip(FORCE, "Sum of the normal forces of all contacts of the two")
        self.headerItem().setToolTip(DEPTH, "How deep the deepest contact is beyond the margin; below 0 within the gap")
        self.itemActivated.connect(lambda item, _column: self.pair_wanted.emit(*item.data(BETWEEN, PAIR)))
        self.itemClicked.connect(lambda item, _column: self.pair_wanted.emit(*item.data(BETWEEN, PAIR)))
        self._suit_columns()

    def show_pairs(self, model: Model, pairs: list[TouchingPair]) -> None:
        """List these."""
        if self.underMouse():
            places = {self.topLevelItem(k).data(BETWEEN, PAIR): k for k in range(self.topLevelItemCount())}
            pairs = sorted(pairs, key=lambda pair: places.get(pair.geoms, len(places)))
        while self.topLevelItemCount() > len(pairs):
            self.takeTopLevelItem(self.topLevelItemCount() - 1)
        while self.topLevelItemCount() < len(pairs):
            self.add(None, ["", "", ""])
        for k, pair in enumerate(pairs):
            item = self.topLevelItem(k)
            if item.data(BETWEEN, PAIR) != pair.geoms:
                item.setData(BETWEEN, PAIR, pair.geoms)
                for column in (FORCE, DEPTH):
                    item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            short = " – ".join(short_name(model, g) for g in pair.geoms)
            whole = " and ".join(geom_text(model, g) for g in pair.geoms)
            put(item, BETWEEN, short + (f" ({pair.count})" if pair.count > 1 else ""), f"{whole}: {pair.count} contact{'s' if pair.count > 1 else ''}")
            for column, value in ((FORCE, pair.normal), (DEPTH, pair.depth)):
                put(item, column, f"{value:.3g}", number_text(value))
        self.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._suit_columns()

    def _suit_columns(self) -> None:
        metrics = self.fontMetrics()
        self.header().resizeSection(FORCE, metrics.horizontalAdvance("Force [N]") + 12)
        self.header().resizeSection(DEPTH, metrics.horizontalAdvance("Depth [m]") + 12)
