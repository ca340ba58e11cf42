"""Keys as axes that rise while they are held: a person moves something along and about three axes with two hands on the keyboard.

Free of Qt: whoever has the keyboard's focus says which keys go down and up (in the window: app/viewport/teleop_keys.py). While armed, keys belong to this source.
"""
from __future__ import annotations

import threading
import time
from types import MappingProxyType

from app.inputs.sources.device_thread import HEARTBEAT, DeviceThread

# key -> (axis of table.TWIST, direction)
KEYS = MappingProxyType({
    "w": ("x", 1.0), "s": ("x", -1.0), "a": ("y", 1.0), "d": ("y", -1.0), "e": ("z", 1.0), "q": ("z", -1.0),
    "l": ("rx", 1.0), "j": ("rx", -1.0), "i": ("ry", 1.0), "k": ("ry", -1.0), "u": ("rz", 1.0), "o": ("rz", -1.0),
})
SLOW, SLOWER = "shift", 0.25    # held: all axes are so much smaller
RISE, FALL = 0.35, 0.08         # from rest to full and back [s]
RATE = 100.0                    # readings a second while anything moves
LONGEST = 0.1                   # a pause in the readings counts as no longer [s]


def ramped(value: float, wanted: float, h: float) -> float:
    """An axis h seconds later: away from zero over RISE, towards it over FALL; it never crosses zero without stopping there."""
    if value * wanted < 0 or abs(wanted) < abs(value):
        goal = 0.0 if value * wanted < 0 else wanted
        step = h / FALL
    else:
        goal, step = wanted, h / RISE
    return goal if abs(goal - value) <= step else value + (step if goal > value else -step)


class HeldKeys:
    """Which keys are held, and the axes that they have come to. Of one thread at a time."""

    def __init__(self, keys=KEYS):
        self._keys, self._held = keys, {}
        self._axes = dict.fromkeys((axis for axis, _direction in keys.values()), 0.0)

    def down(self, key: str) -> None:
        """A key goes down; one that is held (auto-repeat) stays as it is."""
        self._held.setdefault(key, None)

    def up(self, key: str) -> None:
        self._held.pop(key, None)

    def release(self) -> None:
        """All keys up, and all axes at rest at once: the focus is gone, nobody sees the keys go up."""
        self._held.clear()
        self._axes = dict.fromkeys(self._axes, 0.0)

    def after(self, h: float) -> tuple[dict[str, float], frozenset[str]]:
        """(axes, buttons) h seconds later. Buttons are all keys that are held and move no axis. Of two opposite keys neither acts."""
        wanted = dict.fromkeys(self._axes, 0.0)
        for key in self._held:
            if key in self._keys:
                axis, direction = self._keys[key]
                wanted[axis] += direction
        scale = SLOWER if SLOW in self._held else 1.0
        for axis, value in self._axes.items():
            self._axes[axis] = ramped(value, max(-1.0, min(1.0, wanted[axis])) * scale, h)
        return dict(self._axes), frozenset(key for key in self._held if key not in self._keys)


class Keyboard(DeviceThread):
    """The keys that a window hands over. key_down, key_up and release_all may be called from any thread, by names as Qt writes them, in small letters ('a', 'space', 'f1')."""

    def __init__(self, name: str = "keyboard", keys=KEYS):
        super().__init__(name)
        self._keys, self._lock, self._changed = HeldKeys(keys), threading.Lock(), threading.Event()

    def key_down(self, key: str) -> None:
        with self._lock:
            self._keys.down(key)
        self._changed.set()

    def key_up(self, key: str) -> None:
        with self._lock:
            self._keys.up(key)
        self._changed.set()

    def release_all(self) -> None:
        """The focus is gone."""
        with self._lock:
            self._keys.release()
        self._changed.set()

    def _search(self):
        self.state = "ready: keys of the view while it has the focus"
        return self

    def _read(self, device) -> None:
        last, moving = time.perf_counter(), False
        while not self.stopping:
            # while an axis moves readings are due at their rate; at rest a key ends the wait at once
            if moving:
                self._stop.wait(1.0 / RATE)
            else:
                self._changed.wait(HEARTBEAT)
            self._changed.clear()
            now = time.perf_counter()
            with self._lock:
                axes, buttons = self._keys.after(min(now - last, LONGEST) if moving else 1.0 / RATE)
            last, moving = now, any(axes.values())
            self.tell_reading(axes, buttons)

    def _wake(self) -> None:
        self._changed.set()


def make(name: str) -> Keyboard:
    """The keyboard as a row of the table makes it."""
    return Keyboard(name)
