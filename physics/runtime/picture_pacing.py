"""Steps by pictures: n steps, then none until a picture of the state after them has been seen, so that no state goes by unseen.

    physics thread: due -> n steps -> published as Snapshot k        window: a picture of Snapshot k (or a later one) is seen --seen(k)--> due again

The display sets the pace. While nothing is drawn (a window that is hidden) simulated time stands still.
"""
from __future__ import annotations

MOST = 1000   # steps for a picture
WAIT = 0.25   # s until the physics thread looks again; whoever shows pictures wakes it before


class PicturePacing:
    """steps: for each picture, None while the clock sets the pace. `seen` may be called from any thread, the rest belongs to the physics thread."""

    def __init__(self):
        self.steps: int | None = None
        self._left = 0                       # steps to take for the next picture
        self._awaited: int | None = None     # number of the Snapshot that is to be seen before; None: it is not published yet
        self._seen = 0                       # number of the newest Snapshot that was seen

    def set_steps(self, steps: int | None) -> None:
        """So many for each picture from now on, None: as the clock says. Raises ValueError outside 1 to 1000."""
        if steps is not None and not 1 <= steps <= MOST:
            raise ValueError(f"{steps} steps for each picture are not between 1 and {MOST}")
        self.steps = steps
        self.begin()

    def begin(self) -> None:
        """The run begins or goes on: the first steps wait for no picture."""
        self._left, self._awaited = self.steps or 0, None

    def due(self) -> int:
        """Steps to take now; 0: the last state has not been seen yet."""
        if self._left == 0 and self._awaited is not None and self._seen >= self._awaited:
            self._left, self._awaited = self.steps, None
        return self._left

    def took(self, steps: int) -> None:
        """So many of them have been taken."""
        if self.steps is not None:
            self._left = max(0, self._left - steps)

    @property
    def between(self) -> bool:
        """Whether the present state is one of those between two pictures, which nobody is to see."""
        return self.steps is not None and 0 < self._left < self.steps

    @property
    def complete(self) -> bool:
        """Whether all steps for the next picture are taken and the state is still to be published."""
        return self.steps is not None and self._left == 0 and self._awaited is None

    def published(self, number: int) -> None:
        """The present state can be seen as Snapshot `number`."""
        if self.complete:
            self._awaited = number

    def seen(self, number: int) -> None:
        """A picture of Snapshot `number` is on the screen."""
        self._seen = number
