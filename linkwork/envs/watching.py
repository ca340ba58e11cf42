"""A window on one simulation of a fleet, while others train: the state is copied at most sixty times a second, and what is done in the window never reaches the fleet.

    fleet --row of simulation k--> Data of the window --launch_passive--> a process of its own
"""
from __future__ import annotations

import time

from linkwork.passive import launch_passive
from physics.enums import StateBit
from physics.fleet.fleet import Fleet
from physics.model.data import Data
from physics.model.model_copy import model_beside
from physics.simulate.state_vector import set_state

INTERVAL = 1 / 60           # s between two states that are shown
NEXT, BEFORE = 267, 266     # GLFW's numbers of Page Down, Page Up


class Watching:
    """The window that watches simulation `index` of a fleet, which may be set, and which Page Up and Page Down in the view change. Raises WindowError as launch_passive.

    While the window is paused it keeps the state that it shows; the fleet goes on. Closed, it costs nothing any more.
    """

    def __init__(self, fleet: Fleet, index: int = 0):
        self._fleet, self._index, self._shown = fleet, _checked(index, fleet.n), -1
        self._m = model_beside(fleet.model)     # what is set in the window acts on nobody else
        self._d = Data(self._m)
        self._next = 0.0
        self._handle = launch_passive(self._m, self._d, key_callback=self._key, show_left_ui=False, show_right_ui=False)
        self.update()

    @property
    def index(self) -> int:
        """Number of the simulation."""
        return self._index

    @index.setter
    def index(self, index: int) -> None:
        self._index, self._next = _checked(index, self._fleet.n), 0.0

    @property
    def open(self) -> bool:
        """Whether the window is there."""
        return self._handle.is_running()

    @property
    def viewer(self):
        """The window's Handle: its camera, switches, texts, pictures."""
        return self._handle

    def update(self, right: str = "", left: str = "") -> bool:
        """Show the present state if it is time to; whether it was. right, left: texts under the first line."""
        now = time.monotonic()
        if now < self._next or not self.open:
            return False
        self._next = now + INTERVAL
        k, fleet = self._index, self._fleet
        if self._handle.run or k != self._shown:
            if fleet.expanded:
                for name, rows in fleet.expanded.items():
                    value = rows[k]
                    if (getattr(self._m, name) != value).any() if value.ndim else getattr(self._m, name) != value:
                        setattr(self._m, name, value if value.ndim else value.item())
            set_state(self._m, self._d, fleet.get_state([k])[0], StateBit.INTEGRATION)
            self._shown = k
            self._handle.set_texts((None, "bottom left", "\n".join(filter(None, ("environment", left))), "\n".join(filter(None, (f"{k} of {fleet.n}", right)))))
        self._handle.sync(state_only=not fleet.expanded)
        return True

    def close(self) -> None:
        """Close the window."""
        self._handle.close()

    def _key(self, code: int) -> None:
        """In a thread of the window's process link."""
        if code in (NEXT, BEFORE):
            self.index = (self._index + (1 if code == NEXT else -1)) % self._fleet.n


def _checked(index: int, n: int) -> int:
    if not 0 <= int(index) < n:
        raise IndexError(f"there is no environment {index}, there are {n}")
    return int(index)
