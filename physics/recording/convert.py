"""A process that turns a spool's folder into a file, or a file into a folder: the HDF5 library holds the interpreter, which a window cannot do without.

    stdin    one line of JSON: {"save": folder, "file": path, "note", "log", "settings", "about", "hide"}   or   {"open": path, "folder": folder}
    stdout   lines of JSON: ["at", share], and at the end ["done", bytes] or ["failed", why]

Run as `python -m physics.recording.convert`. hide: [[text, what stands for it], ...], for paths that are nobody's business.
"""
from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from physics.recording import file
from physics.recording.errors import RecordingError
from physics.recording.hidden_paths import hidden
from physics.recording.recover import recover
from physics.recording.spool import Spool

TELL = 0.1      # s between two shares


class _Share:
    """Tells how much is done, now and then. begin, end: what of the whole it is."""

    def __init__(self, begin: float = 0.0, end: float = 1.0):
        self._begin, self._end, self._next = begin, end, 0.0

    def __call__(self, share: float) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + TELL
            tell("at", self._begin + share * (self._end - self._begin))


def tell(word: str, value: Any) -> None:
    """One answer."""
    print(json.dumps([word, value]), flush=True)


def convert(wanted: dict[str, Any]) -> int:
    """Do what is wanted; bytes written. Raises RecordingError and OSError."""
    if "open" in wanted:
        folder = Path(wanted["folder"])
        spool = Spool(folder)
        try:
            spool.append(file.load(wanted["open"], _Share(0.0, 0.7)))
            return spool.size
        finally:
            spool.close()
    recording = recover(Path(wanted["save"]), _Share(0.0, 0.3))
    recording = replace(
        recording, note=wanted.get("note", recording.note), log=tuple(wanted.get("log", recording.log)),
        settings=MappingProxyType({**recording.settings, **wanted.get("settings", {})}), about=MappingProxyType({**recording.about, **wanted.get("about", {})}))
    if wanted.get("hide"):
        recording = hidden(recording, [(str(text), str(instead)) for text, instead in wanted["hide"]])
    file.save(recording, wanted["file"], _Share(0.3, 1.0))
    return os.path.getsize(wanted["file"])


def main() -> int:
    try:
        done = convert(json.loads(sys.stdin.readline()))
    except (RecordingError, OSError) as why:
        tell("failed", str(why))
        return 1
    except MemoryError:
        tell("failed", "there is not enough memory")
        return 1
    tell("done", done)
    return 0


if __name__ == "__main__":
    sys.exit(main())
