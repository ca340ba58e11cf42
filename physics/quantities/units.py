"""Arithmetic with units: products and powers of SI units as exponents of base units, and back to text.

    'N m' times 'rad/s' is 'W'      'm' by 's' is 'm/s'      'kg' plus 'm' has none: what is added must agree

A unit is a mapping {base: exponent} or None, which is 'not known': it stays so in whatever it enters. {} is a number without a unit.
"""
from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

Unit = Mapping[str, Fraction] | None
NONE: Mapping[str, Fraction] = MappingProxyType({})
ANY: Mapping[str, Fraction] = MappingProxyType({})     # of numbers that are written out: none, but the sum with metres is in metres
_ONE = Fraction(1)
# derived units by base units (SI brochure, 9th edition, table 4)
DERIVED: Mapping[str, Mapping[str, int]] = MappingProxyType({
    "N": {"kg": 1, "m": 1, "s": -2}, "J": {"kg": 1, "m": 2, "s": -2}, "W": {"kg": 1, "m": 2, "s": -3}, "Pa": {"kg": 1, "m": -1, "s": -2},
    "Hz": {"s": -1}, "ns": {"ns": 1},
})
# what a product of base units is called, the first that fits; without 'rad' where none does with it
CALLED: tuple[tuple[str, Mapping[str, int]], ...] = (
    ("N", {"kg": 1, "m": 1, "s": -2}), ("N m", {"kg": 1, "m": 2, "s": -2}), ("W", {"kg": 1, "m": 2, "s": -3}), ("N/m", {"kg": 1, "s": -2}),
    ("N s/m", {"kg": 1, "s": -1}), ("Pa", {"kg": 1, "m": -1, "s": -2}), ("N/s", {"kg": 1, "m": 1, "s": -3}), ("N s", {"kg": 1, "m": 1, "s": -1}),
    ("N m/rad", {"kg": 1, "m": 2, "s": -2, "rad": -1}), ("N m s/rad", {"kg": 1, "m": 2, "s": -1, "rad": -1}), ("kg m2/s", {"kg": 1, "m": 2, "s": -1}), ("kg m2", {"kg": 1, "m": 2}),
)
ORDER = ("kg", "m", "rad", "deg", "s", "ns", "cd", "T", "px")
_FACTOR = re.compile(r"([A-Za-z]+)(?:\^?(-?\d+))?$")
_RAISED = str.maketrans("\u00b2\u00b3", "23")


def read(text: str) -> Unit:
    """The unit of a text such as 'kg m2/s' or '1/kg': all behind a '/' divides. '' has none; None where it is not known ('*', or several)."""
    text = text.translate(_RAISED).strip()
    if "*" in text or "," in text:
        return None
    found: dict[str, Fraction] = {}
    for number, part in enumerate(text.split("/")):
        for word in part.split():
            match = _FACTOR.match(word)
            if match is None:
                if word != "1":
                    return None
                continue
            power = int(match[2] or 1) * (-1 if number else 1)
            for base, exponent in DERIVED.get(match[1], {match[1]: 1}).items():
                found[base] = found.get(base, Fraction(0)) + exponent * power
    return _without_zeros(found)


def _without_zeros(unit: Mapping[str, Fraction]) -> Unit:
    return MappingProxyType({base: exponent for base, exponent in unit.items() if exponent})


def times(one: Unit, other: Unit, sign: int = 1) -> Unit:
    """Unit of a product; sign -1: of a quotient."""
    if one is None or other is None:
        return None
    return _without_zeros({base: one.get(base, Fraction(0)) + sign * other.get(base, Fraction(0)) for base in {*one, *other}})


def power(unit: Unit, exponent: float) -> Unit:
    """Unit of a power with a known exponent."""
    if unit is None:
        return None
    fraction = Fraction(exponent).limit_denominator(1000)
    return _without_zeros({base: value * fraction for base, value in unit.items()})


def same(units: list[Unit]) -> Unit:
    """The unit that all of them have; None where they differ."""
    known = [unit for unit in units if unit is not ANY]
    first = known[0] if known else NONE
    return first if all(unit == first for unit in known) else None


def write(unit: Unit) -> str:
    """The unit as text, '' for none and for one that is not known."""
    if not unit:
        return ""
    for known in (unit, {base: value for base, value in unit.items() if base != "rad"}):
        for text, parts in CALLED:
            if known == parts and (known == unit or text == "W"):
                return text
    above = [_word(base, unit[base]) for base in sorted(unit, key=_place) if unit[base] > 0]
    below = [_word(base, -unit[base]) for base in sorted(unit, key=_place) if unit[base] < 0]
    return " ".join(above or ["1"]) + ("/" + " ".join(below) if below else "")


def _place(base: str) -> tuple[int, str]:
    return (ORDER.index(base) if base in ORDER else len(ORDER), base)


def _word(base: str, exponent: Fraction) -> str:
    return base if exponent == _ONE else f"{base}{exponent}" if exponent.denominator == 1 else f"{base}^({exponent})"
