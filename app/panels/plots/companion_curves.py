"""Curves of companion runs for the charts: the same quantities, at the places of the primary's entries of the same simulated times."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PyQt6.QtGui import QColor

from app.controllers.companions import CompanionRow, CompanionsController
from app.history_scale import HistoryScale
from physics.recording.series import Series
from physics.runtime.companions.follower import Anchor, primary_numbers
from physics.runtime.companions.live import LiveCompanion
from physics.runtime.companions.recorded import RecordedCompanion


class BesideCurve(NamedTuple):
    """A curve beside that of the primary. key: of the companion; colour: its tint; x: places between the primary's entries, ascending but for jumps; y: the values."""

    key: int
    name: str
    colour: str
    x: np.ndarray
    y: np.ndarray


class CompanionCurves:
    """Of all companions that have any; brought up to date by `update`, asked by `of`."""

    def __init__(self, companions: CompanionsController):
        self._companions = companions
        self._series: dict[tuple[int, str], Series] = {}
        self._places: dict[int, tuple[np.ndarray, tuple[Anchor, ...], np.ndarray]] = {}     # by companion: entries, by which anchors, their places

    def update(self, texts: Sequence[str]) -> None:
        """Take what is new of these expressions; forget what companions and expressions are gone."""
        rows = self._companions.rows
        wanted = {(id(row), text) for row in rows for text in texts}
        self._series = {key: series for key, series in self._series.items() if key in wanted}
        self._places = {key: kept for key, kept in self._places.items() if any(id(row) == key for row in rows)}
        for row in rows:
            if isinstance(row.companion, LiveCompanion) and row.snapshot is not None:
                for text in texts:
                    series = self._series.setdefault((id(row), text), Series(text))
                    series.know(row.snapshot.generation, row.snapshot.model)
                    series.update(row.snapshot.trace)

    def of(self, text: str, component: int, scale: HistoryScale, gone: int) -> list[BesideCurve]:
        """What companions have of one number of an expression. scale, gone: of the primary's history."""
        found = []
        for row in self._companions.rows:
            values = self._values(row, text, scale, gone)
            if values is not None and component < values[1].shape[1] and len(values[0]):
                found.append(BesideCurve(id(row), row.title, colour_of(row), values[0], values[1][:, component]))
        return found

    def _values(self, row: CompanionRow, text: str, scale: HistoryScale, gone: int) -> tuple[np.ndarray, np.ndarray] | None:
        """(places, values (n, numbers)) of an expression."""
        if isinstance(row.companion, RecordedCompanion):
            curve = row.companion.curves.get(text)
            if curve is None:
                return None
            return curve.number.astype(float) if row.companion.numbered else places_of_times(curve.time, scale, gone), curve.values
        series = self._series.get((id(row), text))
        if series is None or not row.companion.anchors:
            return None
        return self._places_of(row, series.entries), series.values

    def _places_of(self, row: CompanionRow, entries: np.ndarray) -> np.ndarray:
        """Places of a companion's entries; made once for all expressions that have as many."""
        anchors = row.companion.anchors
        kept = self._places.get(id(row))
        if kept is None or kept[1] is not anchors or not same_entries(kept[0], entries):
            kept = self._places[id(row)] = entries, anchors, primary_numbers(anchors, entries)
        return kept[2]


def same_entries(entries: np.ndarray, others: np.ndarray) -> bool:
    """Whether the entries of two series of one companion are the same: as many, with the same ends."""
    return entries is others or len(entries) == len(others) and (not len(entries) or bool(entries[0] == others[0] and entries[-1] == others[-1]))


def places_of_times(times: np.ndarray, scale: HistoryScale, gone: int) -> np.ndarray:
    """Places of simulated times in the newest stretch of the primary's history."""
    stretch = scale.stretches[-1]
    return gone + stretch.first + (times - stretch.start) / stretch.pace


def colour_of(row: CompanionRow) -> str:
    """The tint as a colour of Qt's notation."""
    return QColor.fromRgbF(*row.tint).name()
