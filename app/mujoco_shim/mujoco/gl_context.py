"""GLContext as the official module has it, for scripts that make one: pictures are drawn in contexts of this engine's own, so that it holds nothing."""
from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from types import ModuleType

_OFF = ("disable", "disabled", "off", "false", "0")
_CHOICE = os.environ.get("MUJOCO_GL", "").lower().strip()
if _CHOICE not in (*_OFF, "enable", "enabled", "on", "true", "1", "glfw", "", "glx", "egl", "osmesa", "wgl", "cgl"):
    raise RuntimeError(f"invalid value for environment variable MUJOCO_GL: {_CHOICE}")


DISABLED = _CHOICE in _OFF      # a script asks for no drawing: then mujoco.GLContext is not there, as officially


class GLContext:
    """Has the official methods, which do nothing."""

    def __init__(self, max_width, max_height):
        self.max_width, self.max_height = max_width, max_height

    def make_current(self) -> None:
        """Nothing: pictures bring their own."""

    @contextmanager
    def as_current(self):
        """A block in which it is current."""
        yield

    def free(self) -> None:
        """Nothing; may be called again."""

    def __del__(self):
        self.free()


def put_modules(package: str) -> dict[str, ModuleType]:
    """Have `from mujoco.egl import GLContext` and the like find it."""
    found = {}
    for name in ("egl", "osmesa", "glfw", "cgl"):
        module = ModuleType(f"{package}.{name}", f"mujoco.{name}: its GLContext.")
        module.GLContext = GLContext
        found[name] = sys.modules[module.__name__] = module
    return found
