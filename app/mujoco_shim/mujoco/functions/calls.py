"""From a row of a table to a function that is called as the official one: same names, same order, results written into the arrays that are given.

A table of functions maps official names to functions of ours, `{"mj_jacSite": jac_site}`; arguments and kinds of each stand in tables/known_functions.py. Ours gets what is read, in the
official order (m and d as our structs, vectors and matrices as double arrays), and returns what goes out: the result, where there is one, and then an array for each that is
written. Where the caller gives None for one of those, nothing is written. A written argument whose values are read too is marked in IN_AND_OUT.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from physics.model.data import Data
from physics.model.model import Model

from ..tables.known_functions import FUNCTIONS

_TYPES = MappingProxyType({"i4": np.int32, "f4": np.float32, "u1": np.uint8, "": np.float64})
# official functions that read what they write
IN_AND_OUT = frozenset(
    "mj_applyFT mj_integratePos mj_normalizeQuat mju_addTo mju_addTo3 mju_addToScl mju_addToScl3 mju_subFrom mju_subFrom3 mju_normalize mju_normalize3 mju_normalize4 "
    "mju_quatIntegrate mju_sum mju_L1 mju_isZero mju_insertionSort mju_insertionSortInt mju_cholFactor mju_cholUpdate mju_cholFactorBand mju_mat2Rot mju_boxQP "
    "mj_addM mju_eye mju_zero mju_fill mju_sparse2dense mju_sym2dense mju_dense2sparse mju_unit4 mju_zero3 mju_zero4 mju_sqrMatTD mjd_inverseFD mjd_transitionFD mj_multiRay "
    "mj_readCtrl mj_readSensor mju_encodePyramid mju_decodePyramid mj_getState mj_extractState mju_band2Dense mju_mulMatMat mju_mulMatMatT mju_mulMatTMat mju_transpose".split())
SPECS: Mapping[str, tuple[str, str]] = MappingProxyType({name: (arguments, result) for name, arguments, result in FUNCTIONS})


def read_vector(value, size: int, dtype, name: str) -> np.ndarray:
    """A vector that is read; size 0: any. Columns and rows will do. Raises TypeError."""
    try:
        array = np.asarray(value, dtype)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name}: {error}") from None
    if array.ndim != 1:
        if array.ndim > 2 or array.ndim == 0 or array.ndim == 2 and 1 not in array.shape and not (size == 9 and array.shape == (3, 3)):
            raise TypeError(f"{name} is a vector, not of shape {array.shape}")
        array = array.reshape(-1)
    if size and array.size != size:
        raise TypeError(f"{name} has {size} numbers, not {array.size}")
    return array


def read_matrix(value, dtype, name: str) -> np.ndarray:
    """A matrix that is read; a vector is one column. Raises TypeError."""
    try:
        array = np.asarray(value, dtype)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name}: {error}") from None
    if array.ndim == 1:
        array = array.reshape(-1, 1)
    if array.ndim != 2:
        raise TypeError(f"{name} is a matrix, not of shape {array.shape}")
    return array


def written(value, size: int, dtype, name: str) -> np.ndarray:
    """An array that results go into: of the very type, as anything else would be a copy. Raises TypeError."""
    if not isinstance(value, np.ndarray) or value.dtype != dtype or not value.flags.writeable or value.ndim > 2 or size and value.size != size:
        shape = f"{value.dtype} array of shape {value.shape}" if isinstance(value, np.ndarray) else type(value).__name__
        raise TypeError(f"{name}: needs a writeable array of {np.dtype(dtype).name}{f' with {size} numbers' if size else ''}, not {shape}")
    return value


def put(target, value, name: str) -> None:
    """Write a result into an array of as many numbers, whose matrix shape is the same where both are matrices. Raises TypeError."""
    value = np.asarray(value)
    if target.shape == value.shape:
        target[...] = value
        return
    if target.size != value.size or target.ndim == 2 and value.ndim == 2 and 1 not in target.shape and 1 not in value.shape:
        raise TypeError(f"{name}: needs an array of shape {value.shape}, not {target.shape}")
    target[...] = value.reshape(target.shape)


def arguments_of(name: str) -> list[tuple[str, str, str]]:
    """(name, kind, default) of an official function's arguments."""
    found = []
    for word in SPECS[name][0].split():
        word, _, default = word.partition("=")
        argument, _, kind = word.partition(":")
        found.append((argument, kind or argument, default))
    return found


def function(name: str, ours: Callable) -> Callable:
    """The official function `name` over one of ours. Its source is written out, as dataclasses do, so that a call costs no more than the work."""
    parts, head, body, taken, outputs = arguments_of(name), [], [], [], []
    for argument, kind, default in parts:
        optional, kind = kind.endswith("?"), kind.removesuffix("?")
        head.append(f"{argument}={default}" if default else argument)
        goes_out, kind = kind.startswith(">"), kind.removeprefix(">")
        size, _, dtype = kind.partition(":")
        number = int(size) if size.isdigit() else 0
        guard = f"if {argument} is not None: " if optional else ""
        if goes_out:
            body.append(f"{guard}written({argument}, {number}, {dtype or 'f8'}, {argument!r})")
            outputs.append(argument)
            if name in IN_AND_OUT:
                taken.append(argument)
            continue
        if number or size == "v":
            body.append(f"{guard}{argument} = read_vector({argument}, {number}, {dtype or 'f8'}, {argument!r})")
        elif size == "M":
            body.append(f"{guard}{argument} = read_matrix({argument}, {dtype or 'f8'}, {argument!r})")
        elif kind == "i":
            body.append(f"{argument} = {argument}.__index__()")
        elif kind == "f":
            body.append(f"{guard}{argument} = float({argument})")
        taken.append(f"{argument}._inner" if kind in ("m", "d", "MjModel", "MjData") else argument)
    structs = [argument for argument, kind, _default in parts if kind in ("d", "MjData")]
    if parts and parts[0][1] == "m":
        body += [f"if {argument}._inner.model is not m._inner: {argument}._belong(m)" for argument in structs]
    call = f"ours({', '.join(taken)})"
    body += _endings(outputs, SPECS[name][1], call)
    lines = "\n        ".join(body)
    source = f"def {name}({', '.join(head)}):\n    try:\n        {lines}\n    except AttributeError as error:\n        check_structs({name!r}, error, {', '.join(p[0] for p in parts)})\n        raise\n"
    scope = {"ours": ours, "read_vector": read_vector, "read_matrix": read_matrix, "written": written, "put": put, "check_structs": check_structs,
             "f8": np.float64, "i4": np.int32, "f4": np.float32, "u1": np.uint8}
    exec(compile(source, f"<{name}>", "exec"), scope)     # noqa: S102
    made = scope[name]
    made.__module__ = "mujoco"
    made.__doc__ = documentation(name, ours)
    return made


def _endings(outputs: list[str], result: str, call: str) -> list[str]:
    """The lines that call ours and hand out what it returns."""
    if not outputs:
        return [f"return {call}" if result else call]
    values = (["result"] if result else []) + [f"{out}_" for out in outputs]
    lines = [f"{', '.join(values)} = {call}"]
    lines += [f"if {out} is not None and {out}_ is not {out}: put({out}, {out}_, {out!r})" for out in outputs]
    return [*lines, "return result"] if result else lines


def check_structs(name: str, error: Exception, *values) -> None:
    """Raise TypeError where an argument m or d is no struct of this module, or a number none."""
    for value, (argument, kind, _default) in zip(values, arguments_of(name)):
        inner = getattr(value, "_inner", None)
        if kind in ("m", "MjModel") and not isinstance(inner, Model) or kind in ("d", "MjData") and not isinstance(inner, Data) or kind == "i" and not hasattr(value, "__index__"):
            raise TypeError(f"{name}(): incompatible function arguments: {argument} is {type(value).__name__} ({error})") from None


_WORDS = MappingProxyType({"m": "mujoco._structs.MjModel", "d": "mujoco._structs.MjData", "i": "int", "f": "float", "b": "bool", "s": "str", "o": "object", "": "None"})


def documentation(name: str, ours: Callable) -> str:
    """Signature in the first line, as the official docstrings have it, and what ours says."""
    shown = [f"{argument}: {_WORDS.get(kind.removesuffix('?'), 'numpy.ndarray')}{f' = {default}' if default else ''}" for argument, kind, default in arguments_of(name)]
    return f"{name}({', '.join(shown)}) -> {_WORDS[SPECS[name][1]]}\n\n{(ours.__doc__ or '').strip()}\n"


def functions(table: Mapping[str, Callable]) -> dict[str, Callable]:
    """All functions of a table."""
    return {name: function(name, ours) for name, ours in table.items()}
