"""Where a servo's values can be written, and writing those of one servo or of all of a robot, each by one Edit."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from app.panels.tuner.writing import BESIDE, Writing
from editor.inspect.subject import Reading
from editor.tuning.place import Place
from editor.tuning.servo_edits import ServoWrite, servo_edit, servo_places, servo_write
from physics.model.model import Model
from physics.tuning.servos.axis import ServoAxis
from physics.tuning.servos.values import ServoValues

BESIDES = ("kp", "kv", "gear")      # of these the first that there is


@dataclass(frozen=True, slots=True)
class WantedServo:
    """Values of an actuator in place of those in force; mass0: as dampratio_mass. model: with the values in force, for what the texts do not say."""

    axis: ServoAxis
    mass0: float
    before: ServoValues
    after: ServoValues
    model: Model = field(compare=False)

    def write(self, reading: Reading) -> ServoWrite:
        """What the texts have to say. Raises ValueError where they cannot."""
        return servo_write(reading, self.model, self.axis, self.before, self.after, self.mass0)

    @property
    def others(self) -> WantedServo:
        """Values that differ: who changes with them is known before anybody has changed anything."""
        if self.before != self.after:
            return self
        name = next((name for name in BESIDES if getattr(self.before, name)), "delay")
        return replace(self, after=replace(self.before, **{name: (getattr(self.before, name) or BESIDE) * (1.0 + BESIDE)}))


class ServoWriting(Writing):
    """As Writing, of a WantedServo."""

    def _find(self, reading: Reading, m, wanted: WantedServo, stop: Callable[[], bool]) -> tuple[Place, ...]:
        return servo_places(reading, m, wanted.others.write(reading))

    def _edit(self, reading: Reading, m, place: Place, wanted: WantedServo):
        return servo_edit(reading, m, (wanted.write(reading),), place)

    def apply_all(self, wanted: Sequence[WantedServo]) -> bool:
        """Write all of these, each in its own element, by one Edit; False where that is refused, which is told."""
        return self._write(lambda reading, m: servo_edit(reading, m, [one.write(reading) for one in wanted]))
