"""Parameter sets that were made of what the Tuner has in its fields: what the panels of tuning share, whichever of them there are."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PyQt6.QtCore import QObject, pyqtSignal

from physics.tuning.law import Parameters
from physics.tuning.parameter_set import MOST

__all__ = ["MOST", "NamedSet", "NamedSets", "sets_of"]


@dataclass(frozen=True, slots=True)
class NamedSet:
    """name: what a person calls it; colour: number of its colour, from 0."""

    name: str
    colour: int
    parameters: Parameters


class NamedSets(QObject):
    """sets: at most MOST. Signal: changed()."""

    changed = pyqtSignal()

    def __init__(self, parent: QObject):
        super().__init__(parent)
        self.sets: tuple[NamedSet, ...] = ()
        self._made = 0

    @property
    def room(self) -> bool:
        """Whether there may be one more."""
        return len(self.sets) < MOST

    def add(self, parameters: Parameters, name: str = "") -> NamedSet | None:
        """One more set, in a colour of its own; None where there are as many as can be."""
        if not self.room:
            return None
        self._made += 1
        used = {one.colour for one in self.sets}
        found = NamedSet(self._free(name or f"set {self._made}"), next(k for k in range(MOST) if k not in used), parameters)
        self._put((*self.sets, found))
        return found

    def rename(self, one: NamedSet, name: str) -> None:
        """Call it otherwise; a name that another has gets a number, none is the old one."""
        others = tuple(other for other in self.sets if other is not one)
        self._put(tuple(replace(one, name=self._free(name.strip(), others) if name.strip() else one.name) if other is one else other for other in self.sets))

    def remove(self, one: NamedSet) -> None:
        """Forget it."""
        self._put(tuple(other for other in self.sets if other is not one))

    def _free(self, name: str, others: Sequence[NamedSet] | None = None) -> str:
        taken = {one.name for one in (self.sets if others is None else others)}
        return next(text for k in range(1, MOST + 2) if (text := name if k == 1 else f"{name} ({k})") not in taken)

    def _put(self, sets: tuple[NamedSet, ...]) -> None:
        if sets != self.sets:
            self.sets = sets
        self.changed.emit()


def sets_of(context: QObject) -> NamedSets:
    """Those of a window."""
    return context.findChild(NamedSets) or NamedSets(context)
