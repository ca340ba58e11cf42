"""What a user types for a number, with units and arithmetic, and steps of a drag; as text both in the notation that is there (editor/notation/numbers.py)."""
from __future__ import annotations

import math
import operator
import re
from collections.abc import Mapping
from types import MappingProxyType

from editor.arithmetic import NAMES, evaluated
from editor.notation.numbers import as_text, decimals, number_of
from physics.schema.schema import ACTUATOR_SHORTCUTS, AttributeSpec

__all__ = ["dragged", "parse_number", "step_of", "typed_word"]

BEHIND = 4      # digits of a number behind those of the step that a drag keeps
_NAMES = MappingProxyType({**NAMES, "nan": math.nan})
_RELATIVE = re.compile(r"\s*([-+*/]=|[*/+])\s*(.+)\Z", re.DOTALL)
_WITH_UNIT = re.compile(r"(.*?[\d.)\s]|pi)\s*([a-zA-Zµ°][a-zA-Z0-9^/µ°]*)\s*\Z", re.DOTALL)
_PLAIN = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\Z")
# unit -> (what is measured, how many of the base unit)
_UNITS: Mapping[str, tuple[str, float]] = MappingProxyType({
    "deg": ("rad", math.pi / 180), "degree": ("rad", math.pi / 180), "degrees": ("rad", math.pi / 180), "°": ("rad", math.pi / 180), "rad": ("rad", 1.0),
    "turn": ("rad", 2 * math.pi),
    "m": ("m", 1.0), "km": ("m", 1e3), "cm": ("m", 1e-2), "mm": ("m", 1e-3), "um": ("m", 1e-6), "µm": ("m", 1e-6), "in": ("m", 0.0254), "ft": ("m", 0.3048),
    "kg": ("kg", 1.0), "g": ("kg", 1e-3), "t": ("kg", 1e3), "lb": ("kg", 0.45359237), "s": ("s", 1.0), "ms": ("s", 1e-3), "us": ("s", 1e-6), "min": ("s", 60.0),
    "N": ("N", 1.0), "kN": ("N", 1e3), "mN": ("N", 1e-3), "Nm": ("N m", 1.0), "Pa": ("Pa", 1.0), "kPa": ("Pa", 1e3), "MPa": ("Pa", 1e6), "GPa": ("Pa", 1e9),
    "px": ("pixel", 1.0), "pixel": ("pixel", 1.0), "m/s": ("m/s", 1.0), "km/h": ("m/s", 1 / 3.6), "m/s^2": ("m/s^2", 1.0), "kg/m^3": ("kg/m^3", 1.0), "g/cm^3": ("kg/m^3", 1e3)})


# ---------------------------------------------------------------- drags

def step_of(spec: AttributeSpec, word: str, unit: str = "") -> float:
    """What a number changes by in one step of a drag: a tenth of its first digit; 1 of whole numbers, 0.01 of colours."""
    if spec.type == "int":
        return 1.0
    if "rgb" in spec.name or spec.path == "visual/rgba":
        return 0.01
    try:
        value = abs(number_of(word))
    except ValueError:
        value = 0.0
    if value == 0.0 or not math.isfinite(value):
        return 1.0 if unit == "degree" else 0.01
    if unit == "degree":
        return max(0.1, min(1.0, 10.0 ** (math.floor(math.log10(value)) - 1)))
    return 10.0 ** (math.floor(math.log10(value)) - 1)


def dragged(spec: AttributeSpec, word: str, steps: float, step: float, fine: bool = False) -> str:
    """The text of a number after so many steps of a drag that began at `word`; fine: steps of a tenth were taken, whose digits are kept."""
    value = number_of(word)
    low, high = bounds(spec)
    if spec.name in _SOME_NUMBERS:
        some = _SOME_NUMBERS[spec.name]
        at = min(range(len(some)), key=lambda k: abs(some[k] - value))
        return str(some[min(max(at + round(steps), 0), len(some) - 1)])
    if spec.type == "int":
        return str(int(min(max(int(value) + round(steps), low), high)))
    behind = max(0, -math.floor(math.log10(step) + 1e-9)) + fine
    kept = max(behind, min(decimals(word), behind + BEHIND))
    wanted = value + (steps if fine else round(steps)) * step
    return as_text(min(max(wanted, low), high), word, kept)


def bounds(spec: AttributeSpec) -> tuple[float, float]:
    """Between which a drag stays."""
    if "rgb" in spec.name or spec.path == "visual/rgba" or spec.name in ("specular", "shininess", "reflectance") and "material" in spec.path:
        return 0.0, 1.0
    if spec.name == "group":
        return 0.0, 30.0 if spec.path.rpartition("/")[2] in _ACTUATORS else 5.0
    if spec.name in _NOT_NEGATIVE:
        return 0.0, math.inf
    return -math.inf, math.inf


_SOME_NUMBERS = MappingProxyType({"condim": (1, 3, 4, 6)})      # attributes that are one of a few whole numbers
_ACTUATORS = ACTUATOR_SHORTCUTS | {"general", "plugin"}      # their groups are those of actuatorgroupdisable
_NOT_NEGATIVE = frozenset("mass density diaginertia armature frictionloss friction size timestep margin gap solmix emission width kp meansize meanmass extent cutoff noise "
                          "tolerance ls_tolerance noslip_tolerance ccd_tolerance impratio viscosity iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations sdf_initpoints contype conaffinity znear zfar fovy".split())


# ---------------------------------------------------------------- what is typed

def parse_number(text: str, present: float = 0.0, unit: str = "") -> float:
    """The number that a user's text means: 0.5, 2*pi, 30 deg, 5 mm; `*2`, `/2`, `+0.1`, `-=0.1` change the present one. unit: that the number is in ('m', 'rad', 'degree', 'kg',
    ...).

    Raises ValueError with what is wrong.
    """
    relative = _RELATIVE.match(text)
    if relative is not None:
        value, sign = _with_unit(relative[2], unit), relative[1][0]
        if sign == "/" and value == 0:
            raise ValueError("a number cannot be divided by 0")
        return {"*": operator.mul, "/": operator.truediv, "+": operator.add, "-": operator.sub}[sign](present, value)
    return _with_unit(text, unit)


def _with_unit(text: str, unit: str) -> float:
    found = _WITH_UNIT.match(text)
    if found is None or found[2] in _NAMES or re.fullmatch(r"[eE]\d*", found[2]):
        return evaluated(text, _NAMES)
    given = _UNITS.get(found[2])
    if given is None:
        raise ValueError(f"'{found[2]}' is no unit that is known here")
    measured, factor = given
    value = evaluated(found[1], _NAMES)
    wanted, per = _UNITS.get(unit, (unit, 1.0))
    if measured != wanted:
        raise ValueError(f"'{found[2]}' does not fit: this number is {f'in {unit}' if unit else 'without a unit'}")
    return value if factor == per else value * factor / per


def typed_word(spec: AttributeSpec, text: str, present: str, unit: str = "") -> str:
    """The word of a list that a user's text stands for: as it was typed where it is a number already, else what it comes to in the unit and notation that are there. Raises
    ValueError."""
    text = text.strip().replace(",", ".") if re.fullmatch(r"[-+]?\d+,\d+", text.strip()) else text.strip()
    if not text:
        raise ValueError("a number is wanted")
    if _PLAIN.match(text) and not text.startswith("+"):
        value, word = float(text), text
    else:
        try:
            there = number_of(present)
        except ValueError:
            there = 0.0
        value = parse_number(text, there, unit)
        word = as_text(value, present)
    if spec.type == "int":
        if not math.isfinite(value) or value != int(value):
            raise ValueError("a whole number is wanted")
        if not -2**31 <= value < 2**31:
            raise ValueError("the number is too large")
        return str(int(value))
    if math.isnan(value):
        raise ValueError("nan cannot be used here")
    if math.isinf(value):
        word = "inf" if value > 0 else "-inf"
    return word
