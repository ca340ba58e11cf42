"""What a script has set for the whole process: callbacks, and who is told of warnings."""
from __future__ import annotations

import ctypes
import sys


class Hooks:
    """functions: slot of ours -> a script's function. version: grows with each change, so that each MjData can tell whether it has them all."""

    def __init__(self):
        self.functions: dict[str, object] = {}
        self.version, self.clock, self.told = 0, None, None
        self.malloc = self.free = None

    def set(self, slot: str, function) -> None:
        """Put a function into a slot, None: take it out. Raises TypeError."""
        check_callable(function)
        if function is not None or slot in self.functions:
            self.functions[slot] = function
            self.version += 1

    def get(self, slot: str):
        """The function in a slot, or None."""
        return self.functions.get(slot)

    def clear(self) -> None:
        """Take all out."""
        for slot in self.functions:
            self.functions[slot] = None
        self.version += 1
        self.clock = None

    def warn(self, text: str) -> None:
        """Tell the script, or the error stream, of a warning."""
        if self.told is not None:
            self.told(text.encode() if isinstance(self.told, ctypes._CFuncPtr) else text)     # a function of C takes its characters
        else:
            print(f"WARNING: {text}\n", file=sys.stderr)


def check_callable(function) -> None:
    """Raise TypeError for what can neither be called nor is None."""
    if function is not None and not callable(function) and not isinstance(function, int):
        raise TypeError("callback is not an Optional[Callable]")
    if isinstance(function, int) and function <= 4096:
        raise TypeError("callback is not an Optional[Callable]")


HOOKS = Hooks()
