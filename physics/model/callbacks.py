"""Callbacks: the user's code inside a step, as Python functions or as compiled ones.

What each slot is for stands in physics/engine/user_callbacks.py. A Python function gets the model, the data and what it is asked
about as arguments, and returns its answer:

    cb_control, cb_passive           fn(model, data)
    cb_contactfilter                 fn(model, data, geom1, geom2) -> true: no contact between the two. As officially it stands for
                                     the test of the geoms' masks, where their bodies' masks (of all their geoms) match
    cb_contactparam                  fn(model, data, contact)
    cb_act_dyn, _gain, _bias         fn(model, data, actuator) -> number
    cb_sensor                        fn(model, data, stage)
    cb_time                          fn() -> seconds
    cb_stage                         fn(model, data, stage): a row of the engine's stages has ended, -1: the next one begins

A compiled function is a @kernel of (m, d), a ctypes function pointer, or the address of a C function void (void *m, void *d);
it reads d.cb_id (and d.cb_id2) and writes d.cb_value.
"""
from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from physics.kernels.decorators import NOJIT, Kernel

C_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)

# slot -> the scalars that are handed to a Python function as arguments
SLOTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "cb_control": (), "cb_passive": (), "cb_contactfilter": ("cb_id", "cb_id2"), "cb_contactparam": ("cb_id",),
        "cb_act_dyn": ("cb_id",), "cb_act_gain": ("cb_id",), "cb_act_bias": ("cb_id",), "cb_sensor": ("cb_id",), "cb_time": (),
        "cb_stage": ("cb_id",),
    }
)


def address_of(c_function) -> int:
    """Where a ctypes function begins, 0 for a null pointer. (ctypes.cast would tell it too, but ties the function to itself in a ring.)"""
    return ctypes.c_void_p.from_buffer(c_function).value or 0


class Installed(NamedTuple):
    """A callback in its slot: where kernels find it, and what must be kept alive for that."""

    address: int
    keep: object


def install(data, slot: str, fn) -> Installed:
    """What to put into a slot for fn (see above). Raises TypeError where fn is none of these."""
    if isinstance(fn, Kernel):
        return _kernel(data, slot, fn)
    if isinstance(fn, ctypes._CFuncPtr):
        address = address_of(fn)
        if not address:
            raise ValueError(f"{slot}: the function pointer is null")
        return Installed(address, fn)
    if isinstance(fn, int) and not isinstance(fn, bool):
        if fn <= 0:
            raise ValueError(f"{slot}: {fn} is not an address")
        return Installed(fn, None)
    if not callable(fn):
        raise TypeError(f"{slot}: a callback is a function, a kernel, a ctypes function or an address, not {type(fn).__name__}")
    return _python(data, slot, fn)


def _kernel(data, slot: str, fn: Kernel) -> Installed:
    if fn.args != ("m", "d"):
        raise TypeError(f"{slot}: {fn} must take (m, d)")
    if NOJIT:
        return _python(data, slot, lambda m, d, *_about: fn(m, d), answers=False)
    if not fn.addr:
        raise RuntimeError(f"{fn.symbol} is not compiled yet: call physics.compile_kernels(modules=['{fn.module}']) first")
    return Installed(fn.addr, fn)


def _python(data, slot: str, fn: Callable, answers: bool = True) -> Installed:
    about, timer, under_way = SLOTS[slot], slot == "cb_time", data.model.writes.callbacks

    def thunk(_m, _d):
        if data.cb_error:
            return  # one exception is enough; this evaluation is void
        under_way.append(slot)   # whole numbers of the Model stay as they are until the step is done
        try:
            answer = fn() if timer else fn(data.model, data, *(getattr(data, name) for name in about))
            if answers:
                data.cb_value = 0.0 if answer is None else float(answer)
        except BaseException as error:  # it must not cross the compiled frames
            data.note_callback_error(error)
        finally:
            under_way.pop()

    c_function = C_CALLBACK(thunk)
    return Installed(address_of(c_function), c_function)
