"""What every kind of drive is."""
from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from app.inputs.mapping.soft_takeover import Waiting
from app.inputs.sample import Pose, Sample
from physics.model.model import Model


class Problem(NamedTuple):
    """What of a mapping does not fit a Model: field of the drive's entry, its value, what is wrong with it."""

    drive: str
    field: str
    value: Any
    text: str

    def __str__(self) -> str:
        return f"{self.drive}: {self.field} = {self.value!r}: {self.text}"


class Drive(Protocol):
    """Made from a DriveMapping; all methods are called in the hub's thread, `bind` first.

    Commands are pairs (part, command): of one part the newest counts (Runner.latest); those of the part None are all carried out, in their order.
    has_pose: whether `pose` gives one. lets_go: it ends whenever the clutch opens, and begins when it closes; else the target is held meanwhile.
    regulates: `act` is called also while it only holds, until it is disarmed. busy: it has more to do though the target stands. waiting: inputs that have yet to come past what they set.
    """

    has_pose: bool
    lets_go: bool
    regulates: bool
    busy: bool
    waiting: tuple[Waiting, ...]

    def bind(self, m: Model) -> list[Problem]:
        """Look up what is named; the problems, none where it can drive."""

    def pose(self, snapshot) -> Pose | None:
        """Where what it moves is, for a clutch that closes; None where the kind has no pose."""

    def actual(self, snapshot) -> Pose | None:
        """Where what follows the target is, which the target may not be too far ahead of; None where nothing holds it back."""

    def begin(self, snapshot) -> list:
        """Commands when it is armed."""

    def act(self, target: Pose | None, sample: Sample, snapshot, h: float) -> list:
        """Commands that bring the target about; h [s] since the last call."""

    def settle(self, snapshot) -> list:
        """Commands that need what all drives of this turn were told; after the last `act`, also of drives that were not called."""

    def forget(self) -> None:
        """The state has jumped, or nobody drives by it any more: it begins anew, if it does."""

    def hold(self) -> list:
        """Commands when it follows no longer for now: what has a speed stands still."""

    def end(self) -> list:
        """Commands when it lets go: it was disarmed, or lost."""
