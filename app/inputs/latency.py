"""How long a sample takes to where it is seen: its times through the chain.

    device --t_source--> arrived t_received --> taken by the hub --> sent as a command --> performed by the physics thread t_step --> in a published Snapshot
"""
from __future__ import annotations

import csv
import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from typing import NamedTuple

from physics.files.atomic_write import replacing_by_name

KEPT = 200_000          # rows while it is measured, some minutes at 500 a second
RECENT = 256            # that the live figures are of
WAITING = 64            # commands on their way
PARTS = ("network", "waiting", "mapping", "mailbox", "publishing", "total")


@dataclass(slots=True)
class Passage:
    """Times of one sample [s, time.perf_counter]; 0 where it has not come to yet."""

    drive: str
    source: str
    seq: int
    t_source: float
    t_received: float
    t_taken: float
    t_sent: float
    t_step: float = 0.0
    t_published: float = 0.0

    def parts(self) -> tuple[float, ...]:
        """Seconds of each of PARTS; total: from the arrival to the published Snapshot."""
        return (self.t_received - self.t_source, self.t_taken - self.t_received, self.t_sent - self.t_taken, self.t_step - self.t_sent, self.t_published - self.t_step,
                self.t_published - self.t_received)


class Spread(NamedTuple):
    """Median and 95th percentile [s], and of how many."""

    p50: float
    p95: float
    count: int


class Latency:
    """Notes of three threads: the hub sends, the physics thread performs and publishes. keep: all passages, for a file; else the newest few."""

    def __init__(self, keep: bool = False):
        self.rows: deque[Passage] = deque(maxlen=KEPT if keep else RECENT)
        self._performed: deque[Passage] = deque(maxlen=WAITING)

    def performed(self, passage: Passage) -> None:
        """In the physics thread, right after its command."""
        passage.t_step = time.perf_counter()
        self._performed.append(passage)

    def published(self) -> None:
        """In the physics thread, after a Snapshot was published."""
        if not self._performed:
            return
        now = time.perf_counter()
        while self._performed:
            passage = self._performed.popleft()
            passage.t_published = now
            self.rows.append(passage)

    def spread(self) -> dict[str, Spread]:
        """Of the passages that are kept, by part; empty where there are none."""
        rows = [passage.parts() for passage in tuple(self.rows)]
        return {name: spread(column) for name, column in zip(PARTS, zip(*rows))}

    def write(self, path: str | PathLike) -> int:
        """All passages as CSV, times in seconds from the first one's arrival, parts in milliseconds; how many. Raises OSError."""
        rows = tuple(self.rows)
        start = rows[0].t_received if rows else 0.0
        with replacing_by_name(path) as name, open(name, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(("drive", "source", "seq", "source_s", "received_s", "taken_s", "sent_s", "step_s", "published_s", *(f"{part}_ms" for part in PARTS)))
            for one in rows:
                times = (one.t_source, one.t_received, one.t_taken, one.t_sent, one.t_step, one.t_published)
                writer.writerow((one.drive, one.source, one.seq, *(f"{t - start:.6f}" for t in times), *(f"{1e3 * part:.4f}" for part in one.parts())))
        return len(rows)


def spread(values: Iterable[float]) -> Spread:
    """Of some numbers, at least one."""
    ordered = sorted(values)
    return Spread(ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], len(ordered))
