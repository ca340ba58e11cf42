"""Reading and writing numbers at addresses inside a kernel. Under the interpreter it runs as written; lower_memory.py gives it its machine code."""
from __future__ import annotations

import ctypes


def peek_f8(address):
    """The float64 at an address."""
    return ctypes.c_double.from_address(address).value


def peek_f4(address):
    """The float32 at an address, as float64."""
    return ctypes.c_float.from_address(address).value


def peek_i8(address):
    """The int64 at an address."""
    return ctypes.c_int64.from_address(address).value


def peek_i4(address):
    """The int32 at an address, as int64."""
    return ctypes.c_int32.from_address(address).value


def peek_u1(address):
    """The byte at an address, as int64."""
    return ctypes.c_uint8.from_address(address).value


def poke_i8(address, value):
    """Write eight bytes at an address: those of an int64."""
    ctypes.c_int64.from_address(address).value = value


def poke_u1(address, value):
    """Write the byte at an address."""
    ctypes.c_uint8.from_address(address).value = value
