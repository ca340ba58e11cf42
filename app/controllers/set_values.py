"""Values of the model as texts: 'option.gravity' and '0 0 -1' become a command to the simulation. No Qt.

    option.NAME             a field of m.opt; engine, integrator, cone, jacobian and solver also by the names of the format
    visual.GROUP.NAME       a picture setting
    statistic.NAME          extent, center, meansize ...
    FIELD[ELEMENT]          a row of a field of numbers, by its number, or all rows of an element by its name; FIELD alone: all of it
"""
import math
import re
from dataclasses import dataclass
from itertools import count, takewhile
from types import MappingProxyType
from typing import Any

from physics.name_hints import hint

LONG = MappingProxyType({"opt": "option", "vis": "visual", "stat": "statistic"})     # short names of the kinds
ENUMS = MappingProxyType({"engine": "Engine", "integrator": "Integrator", "cone": "Cone", "jacobian": "Jacobian", "solver": "Solver"})
FIELD = re.compile(r"(\w+)(?:\[(.*)\])?")


@dataclass(frozen=True, slots=True)
class SetValue:
    """kind: 'option', 'visual', 'statistic', 'field' or 'setting'; element: which row of a field, by name or number as text, '' for all."""

    kind: str
    name: str
    value: Any
    element: str = ""


def parse_set(path: str, text: str) -> SetValue:
    """What `path` = `text` means. Raises ValueError with the nearest right name."""
    head, _, rest = path.partition(".")
    kind = LONG.get(head, head)
    if kind == "option" and rest:
        return SetValue(kind, rest, _option(rest, text))
    if kind == "visual" and rest:
        return _visual(rest, text)
    if kind == "statistic" and rest:
        return _statistic(rest, text)
    return _field(path, text)


def numbers(text: str, count: int | None = None):
    """One number, or a tuple of several separated by blanks or commas. Raises ValueError when there are not `count`."""
    try:
        found = tuple(float(part) for part in text.replace(",", " ").split())
    except ValueError:
        raise ValueError(f"'{text}' is no number") from None
    if not found or not all(map(math.isfinite, found)):
        raise ValueError(f"'{text}' is no number")
    if count is not None and len(found) != count:
        raise ValueError(f"'{text}' has {len(found)} numbers, {count} are needed")
    return found[0] if len(found) == 1 else found


def _option(name: str, text: str):
    from physics import enums
    from physics.fields.layout import LAYOUTS

    layout = LAYOUTS["m"]
    known = [row.removeprefix("opt_") for row in layout.rows if row.startswith("opt_")]
    if name not in known:
        raise ValueError(f"there is no option '{name}'{hint(name, known)}; there are: {', '.join(sorted(known))}")
    if name in ENUMS and not text.isdecimal():
        words = {member.name.lower(): int(member) for member in getattr(enums, ENUMS[name])}
        if text.lower() not in words:
            raise ValueError(f"{name} can not be '{text}'{hint(text.lower(), words)}; it is one of {', '.join(words)}")
        return words[text.lower()]
    full = f"opt_{name}"
    if full in layout.scalars:
        return numbers(text, 1)
    return numbers(text, int(layout.rows[full].shape))


def _visual(path: str, text: str) -> SetValue:
    from physics.model.visual import Visual

    vis = Visual()
    group, _, name = path.partition(".")
    group = "global_" if group == "global" else group
    groups = {key: getattr(vis, key) for key in vis.__slots__}
    if group not in groups:
        raise ValueError(f"there is no visual group '{group}'{hint(group, groups)}; there are: {', '.join(groups)}")
    known = groups[group].__slots__
    if name not in known:
        raise ValueError(f"visual {group.rstrip('_')} has no '{name}'{hint(name, known)}; there are: {', '.join(known)}")
    before = getattr(groups[group], name)
    return SetValue("visual", f"{group}.{name}", numbers(text, len(before) if isinstance(before, tuple) else 1))


def _statistic(name: str, text: str) -> SetValue:
    from physics.fields.layout import LAYOUTS

    layout = LAYOUTS["m"]
    known = [row.removeprefix("stat_") for row in layout.rows if row.startswith("stat_")]
    if name not in known:
        raise ValueError(f"there is no statistic '{name}'{hint(name, known)}; there are: {', '.join(known)}")
    return SetValue("statistic", f"stat_{name}", numbers(text, 1 if f"stat_{name}" in layout.scalars else 3))


def _field(path: str, text: str) -> SetValue:
    from physics.model.live_fields import LIVE_FIELDS

    found = FIELD.fullmatch(path)
    if found is None or found[1] not in LIVE_FIELDS:
        name = found[1] if found is not None else path
        kinds = "option.NAME, visual.GROUP.NAME, statistic.NAME, setting.NAME"
        raise ValueError(f"there is nothing called '{path}' to be set{hint(name, LIVE_FIELDS)}; there are: {kinds}, and fields such as geom_rgba[NAME]")
    return SetValue("field", found[1], numbers(text), found[2] or "")


def commands_of(value: SetValue, m) -> tuple:
    """The commands that set it in Model `m`: one, or one for each row of a joint or actuator. Raises ValueError where the model has no such element."""
    from physics.runtime import commands

    if value.kind == "option":
        return (commands.SetOption(value.name, value.value),)
    if value.kind == "visual":
        return (commands.SetVisual(value.name, value.value),)
    if value.kind == "statistic" or not value.element:
        return (commands.SetField(value.name, value.value),)
    return tuple(commands.SetField(value.name, value.value, row) for row in _rows(value, m))


def _rows(value: SetValue, m) -> list[int]:
    """The rows that an element has in a field; a number is that of a row."""
    from physics.model.live_fields import LIVE_FIELDS, row_of

    if value.element.isdecimal():
        return [int(value.element)]
    live = LIVE_FIELDS[value.name]
    names = m.names.get(live.kind, ())
    if value.element not in names:
        raise ValueError(f"{value.name}: the model has no {live.kind} '{value.element}'{hint(value.element, names)}")
    number = names.index(value.element)
    if not live.by:
        return [number]
    rows = list(takewhile(lambda row: row is not None, (row_of(m, value.name, number, offset) for offset in count())))
    if not rows:
        raise ValueError(f"{value.name}: {live.kind} '{value.element}' has none")
    return rows
