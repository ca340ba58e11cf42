"""What every source of Samples is."""
from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from app.inputs.sample import Sample

Put = Callable[[Sample], None]   # takes a Sample from any thread, at once


class SourceMissing(Exception):
    """A device or a package is not there. reason: what is missing; help: what to do about it."""

    def __init__(self, reason: str, help: str = ""):
        super().__init__(f"{reason}: {help}" if help else reason)
        self.reason, self.help = reason, help


@runtime_checkable
class Source(Protocol):
    """One device, or one server of several. name: as a mapping names it ('pad:0'), or its prefix where its Samples come from several ('xr').

    Signs of life: while the device is there and tracked a Sample comes at least every 50 ms, also when nothing changes (save of sources that table.py calls quiet); when it goes away,
    or whoever sends has closed, one more with tracked = False.
    state: one line for people: what is connected, or what is waited for. A device that goes away and comes back is the source's own affair: its Samples stop, and begin again.
    """

    name: str
    state: str

    def start(self, put: Put) -> None:
        """Begin to hand Samples over, from a thread of its own. Raises SourceMissing where that cannot be."""

    def stop(self) -> None:
        """No Sample comes after this has returned; its threads have ended. Twice is once."""

    def feedback(self, strength: float, milliseconds: float, name: str = "") -> None:
        """Rumble, a pulse: strength 0..1 for so long, of the part `name` where the source has several ('xr:right'). Nothing where the device cannot. Returns at once, from any thread."""
