"""Row access for kernels. Under the interpreter these run as written; lower_types.py and lower_primitives.py give each its machine code.

`ld3(a, i)` reads row i of an (n, 3) field as a tuple, `st3(a, i, v)` writes it; likewise 4, 6, 9 and 10.
`off(a, k)` is the flat pointer that starts at element k. `callback` calls a C function pointer.
"""
from __future__ import annotations

import ctypes


def _load(a, i, n):
    if a.shape[1:] != (n,):
        raise TypeError(f"ld{n}: rows have shape {a.shape[1:]}")
    return tuple(a[i, k] for k in range(n))


def _store(a, i, v, n):
    if a.shape[1:] != (n,) or len(v) != n:
        raise TypeError(f"st{n}: rows have shape {a.shape[1:]}, the value has {len(v)}")
    a[i] = v


def ld3(a, i):
    """Row i of an (n, 3) field."""
    return _load(a, i, 3)


def ld4(a, i):
    """Row i of an (n, 4) field."""
    return _load(a, i, 4)


def ld6(a, i):
    """Row i of an (n, 6) field."""
    return _load(a, i, 6)


def ld9(a, i):
    """Row i of an (n, 9) field."""
    return _load(a, i, 9)


def ld10(a, i):
    """Row i of an (n, 10) field."""
    return _load(a, i, 10)


def st3(a, i, v):
    """Write row i of an (n, 3) field."""
    _store(a, i, v, 3)


def st4(a, i, v):
    """Write row i of an (n, 4) field."""
    _store(a, i, v, 4)


def st6(a, i, v):
    """Write row i of an (n, 6) field."""
    _store(a, i, v, 6)


def st9(a, i, v):
    """Write row i of an (n, 9) field."""
    _store(a, i, v, 9)


def st10(a, i, v):
    """Write row i of an (n, 10) field."""
    _store(a, i, v, 10)


def off(a, k):
    """Flat view that starts at element k of the field (counted over all its dimensions)."""
    return a.reshape(-1)[k:]


def callback(addr, m, d):
    """Call the `void (*)(m, d)` at this address, such as one that Data.set_callback installed."""
    ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(addr)(m._as_parameter_, d._as_parameter_)
