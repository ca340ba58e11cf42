"""What is plugged in, and what is missing, of every kind of source."""
from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from app.inputs.source import Source, SourceMissing
from app.inputs.table import EXTRA, SOURCES, SourceKind, make, missing_packages

SEARCHING = "searching"     # a source's state before it has looked
LOOK = 0.01                 # [s] between two looks at the states
TOLD = 2.0                  # [s] after which a source that is still searching is told as that
TEXTS = MappingProxyType({"script": "give a file or a program: script:wave.py, script:./policy --fast", "net": "off until it is switched on", "xr": "off until it is switched on"})


@dataclass(frozen=True, slots=True)
class Listed:
    """One kind of source: ready: whether something can drive by it now; text: what is there, or what is missing; help: what to do about it, '' where nothing is."""

    prefix: str
    title: str
    ready: bool
    text: str
    help: str = ""

    def __str__(self) -> str:
        lines = [f"{self.prefix:<11} {self.title:<18} {'+' if self.ready else '-'} {self.text}"]
        return "\n".join([*lines, *([f"{'':<32} {self.help}"] if self.help else [])])


def listed(kinds: Mapping[str, SourceKind] = SOURCES) -> list[Listed]:
    """All kinds, each device looked for by its own source. Servers are not started and no script is run: nothing is opened that others could reach."""
    found: dict[str, Listed] = {}
    started: dict[str, Source] = {}
    try:
        for kind in kinds.values():
            if gone := missing_packages(kind):
                found[kind.prefix] = Listed(kind.prefix, kind.title, False, f"needs {', '.join(gone)}", EXTRA)
            elif kind.prefix in TEXTS:
                found[kind.prefix] = Listed(kind.prefix, kind.title, True, TEXTS[kind.prefix])
            else:
                _begin(kind, started, found)
        end = time.monotonic() + TOLD
        while any(source.state == SEARCHING for source in started.values()) and time.monotonic() < end:
            time.sleep(LOOK)
        for prefix, source in started.items():
            found[prefix] = _told(kinds[prefix], source.state)
    finally:
        for source in started.values():
            source.stop()
    return [found[prefix] for prefix in kinds]


def _begin(kind: SourceKind, started: dict[str, Source], found: dict[str, Listed]) -> None:
    try:
        source = make(kind.prefix)
        source.start(lambda _sample: None)
        started[kind.prefix] = source
    except SourceMissing as error:
        found[kind.prefix] = Listed(kind.prefix, kind.title, False, error.reason, error.help)


def _told(kind: SourceKind, state: str) -> Listed:
    ready, _, text = state.partition("ready: ")
    return Listed(kind.prefix, kind.title, True, text) if not ready and text else Listed(kind.prefix, kind.title, False, state)
