"""solref in three notations, which mean the same: timeconst and dampratio; stiffness and damping of the direct format; the spring and damper that a contact acts as. No Qt."""
from __future__ import annotations

from dataclasses import replace
from math import inf, isfinite

from physics.enums import INT_DISCRETE
from physics.tuning.closed_forms import rest_depth
from physics.tuning.law import Parameters, Row, from_physical, to_direct, to_physical, to_standard

Pair = tuple[float, float]
DIGITS = 6              # of what is converted
ROUNDS = 40             # until stiffness and rest depth agree
AGREES = 1e-9           # relative

__all__ = ["direct", "physical", "standard", "with_direct", "with_physical", "with_standard"]


def standard(parameters: Parameters) -> Pair | None:
    """(timeconst [s], dampratio); None where no such pair means the same."""
    if all(value > 0.0 for value in parameters.solref):
        return parameters.solref
    try:
        return to_standard(parameters.solref)
    except ValueError:
        return None


def direct(parameters: Parameters) -> Pair | None:
    """(stiffness [1/s^2], damping [1/s]), not negative; None for contradicting signs."""
    if parameters.is_direct:
        return -parameters.solref[0] + 0.0, -parameters.solref[1] + 0.0
    try:
        S, D = to_direct(parameters.solref)
    except ValueError:
        return None
    return -S, -D


def physical(row: Row | None, parameters: Parameters) -> Pair | None:
    """(stiffness [N/m], damping [N s/m]) at the rest depth; None without a row."""
    return to_physical(row, parameters, _depth(row, parameters)) if row is not None else None


def with_standard(parameters: Parameters, timeconst: float, dampratio: float) -> Parameters:
    """In the standard format. Raises ValueError unless both are positive."""
    if not (timeconst > 0.0 and dampratio > 0.0):
        raise ValueError("timeconst and dampratio are positive")
    return replace(parameters, solref=_kept((timeconst, dampratio), parameters.solref[0] > 0.0))


def with_direct(parameters: Parameters, stiffness: float, damping: float) -> Parameters:
    """In the direct format. Raises ValueError for negative numbers."""
    if stiffness < 0.0 or damping < 0.0:
        raise ValueError("stiffness and damping are not negative")
    return replace(parameters, solref=_kept((-stiffness + 0.0, -damping + 0.0), parameters.is_direct))


def with_physical(row: Row, parameters: Parameters, K: float, C: float) -> Parameters:
    """In the direct format, so that the contact acts as a spring of K [N/m] and a damper of C [N s/m] where it then comes to rest. Raises ValueError for negative numbers,
    and for the integrator `discrete`, which takes other springs."""
    if row.integrator == INT_DISCRETE:
        raise ValueError("the integrator 'discrete' makes other springs of these numbers: give timeconst and dampratio")
    depth = _depth(row, parameters)
    for _ in range(ROUNDS):
        found = replace(parameters, solref=from_physical(row, parameters.solimp, K, C, depth))
        rest = _depth(row, found)
        if abs(rest - depth) <= AGREES * max(rest, depth):
            break
        depth = rest
    return replace(found, solref=tuple(rounded(value) + 0.0 for value in found.solref))


def rounded(value: float) -> float:
    """To the digits that a text keeps."""
    return float(f"{value:.{DIGITS}g}") if isfinite(value) else value


def _kept(solref: Pair, typed: bool) -> Pair:
    """As it is where both numbers were typed in this format; else one of them is converted, and rounded."""
    return solref if typed else tuple(map(rounded, solref))


def _depth(row: Row, parameters: Parameters) -> float:
    depth = rest_depth(row, parameters)
    return depth if depth < inf else 0.0
