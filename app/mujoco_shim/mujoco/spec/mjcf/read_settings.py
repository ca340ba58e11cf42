"""Settings of a text: compiler, sizes, options, statistics and picture settings. Written by `settings_elements` of write_settings.py."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from physics.schema import schema
from physics.schema.numbers import parse
from physics.spec.element import Element

from ..fields import ENUMS
from ..model_spec import SIZES, MjSpec
from .words import keywords, read_into

KEYWORDS = MappingProxyType({"cone": "mjtCone", "jacobian": "mjtJacobian", "solver": "mjtSolver", "integrator": "mjtIntegrator"})
_UNITS = MappingProxyType({"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40, "p": 1 << 50, "e": 1 << 60})


def bit(flag: str) -> tuple[str, int]:
    """(field, bit) of a flag: of those that are on by themselves the bit means off; bit 0 of one that is no more."""
    member = f"mjDSBL_{flag.upper()}"
    if member in ENUMS["mjtDisableBit"].__members__:
        return "disableflags", int(ENUMS["mjtDisableBit"][member])
    return "enableflags", int(ENUMS["mjtEnableBit"].__members__.get(f"mjENBL_{flag.upper()}", 0))


def set_compiler(compiler, root: Element) -> None:
    """What a text's compiler elements say."""
    values, names = compiler._values, [*compiler._values]
    for element in root.all("compiler"):
        for name, text in element.attrs.items():
            if name == "angle":
                values["degree"] = text != "radian"
            elif name == "assetdir":
                values["meshdir"] = values["texturedir"] = text
            elif name != "strippath":
                read_into(values, "compiler", "compiler", name, text)
            if name in names:
                values["authored"] |= 1 << names.index(name)
        for part in element.all("lengthrange"):
            _numbers(compiler.LRopt, part, "compiler/lengthrange", {"mode": "mjtLRMode"})


def _numbers(struct, element: Element, path: str, enums=KEYWORDS) -> int:
    """Write attributes into a struct of numbers; which of its fields, as bits."""
    said, order = 0, [*struct.FIELDS]
    for name, text in element.attrs.items():
        spec = schema.lookup(path).attributes.get(name)
        value = None if spec is None or name not in struct.FIELDS else parse(spec, text)[0]
        if value is None:
            continue
        said |= 1 << order.index(name)
        now = getattr(struct, name)
        if isinstance(now, np.ndarray):
            now[:len(value)] = value
        elif isinstance(value, str):
            setattr(struct, name, keywords(enums[name])[value.lower()] if name in enums else spec.values.index(value))
        else:
            setattr(struct, name, type(now)(value))
    return said


def read_settings(spec: MjSpec, root: Element) -> None:
    """All of them."""
    set_compiler(spec.compiler, root)
    authored = spec.authored._values
    for element in root.all("compiler"):
        if "strippath" in element.attrs:
            spec.strippath = element.attrs["strippath"] == "true"
    for element in root.all("option"):
        authored["option"] |= _numbers(spec.option, element, "option")
        if "actuatorgroupdisable" in element.attrs:
            spec.option.disableactuator = authored["disableactuator"] = sum(1 << int(word) for word in element.attrs["actuatorgroupdisable"].split())
        for flags in element.all("flag"):
            for name, word in flags.attrs.items():
                field, number = bit(name)
                authored[field] |= number
                now = getattr(spec.option, field)
                setattr(spec.option, field, now | number if (word == "disable") == (field == "disableflags") else now & ~number)
    for element in root.all("size"):
        for name, text in element.attrs.items():
            if name == "memory":
                number = text.strip().lower()
                spec.memory = int(number[:-1]) * _UNITS[number[-1]] if number[-1:] in _UNITS else int(number)
            elif name in SIZES:
                setattr(spec, name, int(text))
    for element in root.all("statistic"):
        _numbers(spec.stat, element, "statistic")
    for element in root.all("visual"):
        for group in element.children:
            name = "global_" if group.tag == "global" else group.tag
            struct = getattr(spec.visual, name, None)
            if struct is not None:
                field = f"visual_{group.tag}"
                authored[field] = authored.get(field, 0) | _numbers(struct, group, f"visual/{group.tag}")
