"""What the tuner is about, for panels beside it: they look at it, and give it values to try or to write.

    TunerPanel --tell()--> Tuned --changed--> panels beside it        panel --candidate(parameters), apply(), target(Target)--> TunerPanel
"""
from __future__ import annotations

from dataclasses import dataclass

from PyQt6.QtCore import QObject, pyqtSignal

from physics.tuning.law import Friction, Parameters, Row
from physics.tuning.target import Target


@dataclass(frozen=True, slots=True)
class TunedRow:
    """row: None while it has not acted; parameters: those being tried; in_force: those of the model that runs; friction: of a contact; speed [m/s] of predicted impacts;
    chosen: whether the user has chosen the target."""

    target: Target
    row: Row | None
    parameters: Parameters
    in_force: Parameters
    friction: Friction | None
    speed: float
    both_ways: bool
    units: tuple[str, str]
    chosen: bool = False


class Tuned(QObject):
    """now: None while nothing is tuned. Signals: changed() it is another; candidate(parameters): the tuner is to try these; apply(): and to write what it
    tries, or refused(text); target(Target): the user has chosen this one beside it, and the tuner is to be about it, too."""

    changed = pyqtSignal()
    candidate = pyqtSignal(object)
    apply = pyqtSignal()
    refused = pyqtSignal(str)
    target = pyqtSignal(object)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.now: TunedRow | None = None

    def tell(self, now: TunedRow | None) -> None:
        """The tuner's own: it is about this."""
        if now != self.now:
            self.now = now
            self.changed.emit()


def tuned_of(context: QObject) -> Tuned:
    """The one of a window."""
    return context.findChild(Tuned) or Tuned(context)
