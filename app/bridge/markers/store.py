"""The markers of a window: put in by scripts in any thread, taken out by hand, by owner or by the clock, and looked at by whoever draws.

    script --arrow(...), points(...)--> Markers --now()--> DrawnMarkers --app/bridge/layers/markers.py--> Scene

    markers = Markers()
    handle = markers.arrow((0, 0, 0), (0, 0, 1), lifetime=2.0)
    with markers.frame("draw hook") as frame:      # replaces, as a whole, what this owner's frame before has drawn
        frame.points(cloud)
"""
from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

from app.bridge.markers import arguments
from app.bridge.markers.calls import MarkerCalls
from app.bridge.markers.geometry import Geometries
from app.bridge.markers.table import TEXTS, DrawnMarkers, MarkerTable

MOST_ELEMENTS = 200_000     # shapes, pieces of lines, dots
MOST_TEXTS = 5_000
NOBODY = ""                 # owner of what is put into Markers itself
FEW_DUE = 1_000             # lifetimes that are looked through for those that mean nothing any more, when there are more


class TooManyMarkers(RuntimeError):
    """Somebody adds without end; the message says how many there may be and what to do."""


class Marker:
    """What one call has put in: one element or many."""

    __slots__ = ("_store", "_table", "_number")

    def __init__(self, store: Markers, table: MarkerTable, number: int):
        self._store, self._table, self._number = store, table, number

    def remove(self) -> None:
        """Take it out; does nothing where it is gone."""
        self._store.remove(self._table, self._number)


class Markers(MarkerCalls):
    """elements, texts: the most of all owners together. clock: seconds, by which lifetimes end."""

    def __init__(self, elements: int = MOST_ELEMENTS, texts: int = MOST_TEXTS, clock: Callable[[], float] = time.monotonic):
        super().__init__(Geometries())
        self._most = (elements, texts)
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: dict[str, MarkerTable] = {}     # by owner
        self._frames: dict[str, MarkerTable] = {}   # by owner: the last one
        self._numbers = count()
        self._due: list[tuple[float, int, MarkerTable]] = []   # a heap of ends of lifetimes
        self._due_room = FEW_DUE
        self._version = self._drawn_version = 0
        self._drawn = DrawnMarkers()

    # ------------------------------------------------------------------ scripts

    def owner(self, name: str) -> OwnedMarkers:
        """The same calls for markers that are cleared together and have names of their own. Raises ValueError for a name that is none."""
        return OwnedMarkers(self, arguments.title(name, "owner: name"))

    @contextmanager
    def frame(self, owner: str = NOBODY) -> Iterator[FrameMarkers]:
        """What is drawn inside is seen when the block is left, in place of all that the owner's frame before has drawn; where an error leaves it, that stays.

        What the owner has put in otherwise stays in any case. Raises TooManyMarkers.
        """
        made = FrameMarkers(self)
        yield made
        with self._lock:
            self._refuse("frame", [table for table in self._tables() if table is not self._frames.get(owner)], made.table.elements, made.table.texts)
            self._frames[owner] = made.table
            self._version += 1

    def clear(self, owner: str | None = None) -> None:
        """Take out all markers of an owner (of "": what was put in without one), or of all."""
        with self._lock:
            for tables in (self._kept, self._frames):
                for name in list(tables) if owner is None else [owner]:
                    tables.pop(name, None)
            self._version += 1

    def remove(self, table: MarkerTable, number: int) -> None:
        """What Marker.remove does."""
        with self._lock:
            self._version += table.remove(number)

    def add(self, into: str | MarkerTable, what: str, kind: int, new, lifetime, name, mesh) -> Marker:
        """Put a checked marker into the table of an owner, or into that of a frame which is not complete yet. For the calls."""
        arguments.lasting(lifetime, name, what)
        with self._lock:
            table = self._table_of(into) if isinstance(into, str) else into
            others = self._tables()
            elements, texts = table.named(name)
            self._refuse(what, others if table in others else [table], (0 if kind == TEXTS else len(new)) - elements, (kind == TEXTS) - texts)
            number = next(self._numbers)
            if kind == TEXTS:
                new = new._replace(key=("marker", number))
            elif mesh is not None:
                new["mesh"] = number
            table.add(number, kind, new, name, mesh)
            if lifetime is not None:
                self._end_after(float(lifetime), number, table)
            self._version += 1
        return Marker(self, table, number)

    def _put(self, *marker) -> Marker:
        return self.add(NOBODY, *marker)

    def _table_of(self, owner: str) -> MarkerTable:
        if owner not in self._kept:
            self._kept[owner] = MarkerTable()
        return self._kept[owner]

    def _tables(self) -> list[MarkerTable]:
        return [*self._kept.values(), *self._frames.values()]

    def _refuse(self, what: str, tables: list[MarkerTable], elements: int, texts: int) -> None:
        """Raise TooManyMarkers where so many more than in these tables are too many."""
        for new, there, most, word in ((elements, sum(table.elements for table in tables), self._most[0], "elements of markers"),
                                       (texts, sum(table.texts for table in tables), self._most[1], "texts")):
            if new > 0 and there + new > most:
                raise TooManyMarkers(f"{what}: {there} {word} are there, and with {new} more there would be more than {most}; give markers a lifetime or a name, "
                                     "or clear what is needed no longer")

    def _end_after(self, lifetime: float, number: int, table: MarkerTable) -> None:
        if len(self._due) >= self._due_room:      # most may have been taken out by hand
            there = self._tables()
            self._due = [due for due in self._due if due[1] in due[2] and due[2] in there]
            heapq.heapify(self._due)
            self._due_room = max(FEW_DUE, 2 * len(self._due))
        heapq.heappush(self._due, (self._clock() + lifetime, number, table))

    # ------------------------------------------------------------------ whoever draws

    def now(self) -> DrawnMarkers:
        """What is to be drawn at this moment: the same object for as long as nothing changes. Waits for nobody's work."""
        moment = self._clock()
        with self._lock:
            while self._due and self._due[0][0] <= moment:
                _end, number, table = heapq.heappop(self._due)
                self._version += table.remove(number)
            if self._drawn_version != self._version:
                self._drawn, self._drawn_version = DrawnMarkers(tuple(table.frozen() for table in self._tables())), self._version
            return self._drawn


class OwnedMarkers(MarkerCalls):
    """The markers of one owner."""

    def __init__(self, store: Markers, name: str):
        super().__init__(store.geometries)
        self._store, self._name = store, name

    def frame(self):
        """Markers.frame of this owner."""
        return self._store.frame(self._name)

    def clear(self) -> None:
        """Take out all of this owner's."""
        self._store.clear(self._name)

    def _put(self, *marker) -> Marker:
        return self._store.add(self._name, *marker)


class FrameMarkers(MarkerCalls):
    """What a frame draws. table: where it is until the frame is complete."""

    def __init__(self, store: Markers):
        super().__init__(store.geometries)
        self._store, self.table = store, MarkerTable()

    def _put(self, *marker) -> Marker:
        return self._store.add(self.table, *marker)
