"""The official engine as a measuring stick: its profiling clock can be silenced, as its C users run it."""
import ctypes
import glob
import os
from contextlib import contextmanager

import mujoco


def library() -> ctypes.CDLL:
    """The engine's C library, which the Python binding has loaded."""
    return ctypes.CDLL(glob.glob(os.path.join(os.path.dirname(mujoco.__file__), "libmujoco.so*"))[0])


def _time_callback() -> ctypes.c_void_p:
    return ctypes.c_void_p.in_dll(library(), "mjcb_time")


@contextmanager
def silent_clock():
    """Within, the engine reads no clock in a step (its Python binding installs one that costs about 1 us per step)."""
    callback = _time_callback()
    before = callback.value
    callback.value = None
    try:
        yield
    finally:
        callback.value = before
