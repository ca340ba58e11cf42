"""The public names of `linkwork`, as the pages and stubs that tell of them are made: `python -m tests.linkwork.public_names` writes linkwork/__init__.pyi and docs/python_api.md anew."""
from __future__ import annotations

import enum
import inspect
import re
import textwrap
from pathlib import Path

import linkwork

ROOT = Path(__file__).parents[2]
STUB, PAGE = ROOT / "linkwork" / "__init__.pyi", ROOT / "docs" / "python_api.md"
# title, what is said first, where its names come from (the longest beginning counts)
GROUPS = (
    ("Models", "Reading, writing and checking models; errors that tell all that is wrong at once. Fields of a Model have their official names: `m.nq`, `m.body_mass`, `m.opt.timestep`.",
     ("physics.compiler", "physics.writer", "physics.model", "physics.errors", "physics.lint")),
    ("Data and steps", "A Data holds a state and what follows from it, under the official names: `d.qpos`, `d.xpos`, `d.contact`.",
     ("physics.model.data", "physics.simulate")),
    ("Many at once", "More in [scale.md](scale.md), where environments (`linkwork.envs`) are told, too.", ("physics.fleet", "physics.simulate.rollout")),
    ("Windows", "The loops that use them: [python.md](python.md).", ("linkwork.full_window", "linkwork.passive", "linkwork.window_process", "linkwork.user_scene", "linkwork.view", "app.passive")),
    ("Pictures", "", ("linkwork.picture", "app.pictures")),
    ("Questions about a state", "Matrices, motions and distances of a Data that `forward` or a step has computed.", ("physics.query",)),
    ("Derivatives", "", ("physics.derivatives",)),
    ("Inverse kinematics", "", ("physics.inverse_kinematics",)),
    ("Why a state is as it is", "More in [inspect.md](inspect.md), [quantities.md](quantities.md).", ("physics.diagnostics", "physics.pipeline", "physics.recording", "physics.quantities")),
    ("Compiled kernels", "They are compiled when they are first needed; these do so beforehand.", ("physics.warm_up", "physics.simulate.warm_up", "physics.compiler.native")),
    ("Enumerations", "All are `IntEnum`: members are numbers, the official ones.", ("physics.enums",)),
)
HEAD = """# Public names of `linkwork`

Every name that `import linkwork` offers, with its arguments, units and errors. How they are used together: [python.md](python.md), [tutorial.ipynb](tutorial.ipynb). Angles are in radians, lengths in metres, quaternions
(w, x, y, z), vectors in world axes where nothing else is said; arguments `m`, `d` are a Model and a Data of it; elements are given by number or name where the type says `int | str`.

This page is written by `python -m tests.linkwork.public_names` from the functions themselves.
"""


def names() -> tuple[str, ...]:
    """All public names, sorted."""
    return tuple(dir(linkwork))


def home_of(name: str) -> str:
    """The module that a public name is defined in."""
    return getattr(linkwork, name).__module__


def made_up(value) -> bool:
    """Whether it is an enumeration whose members are made by a table, which type checkers cannot read."""
    return isinstance(value, enum.EnumMeta) and value.__module__ == "linkwork.view" and not re.search(rf"^class {value.__name__}\b", (ROOT / "linkwork" / "view.py").read_text(), re.M)


def stub() -> str:
    """The text of linkwork/__init__.pyi: each name from where it is defined, whose types are written there."""
    homes: dict[str, list[str]] = {}
    tables = []
    for name in names():
        value = getattr(linkwork, name)
        if made_up(value):
            tables.append(f"class {name}(IntEnum):\n" + "".join(f"    {member} = {int(number)}\n" for member, number in value.__members__.items()))
        else:
            homes.setdefault(home_of(name), []).append(name)
    lines = ["# Written by `python -m tests.linkwork.public_names`.", "from enum import IntEnum", ""]
    lines += [f"from {home} import {name} as {name}" for home in sorted(homes) for name in sorted(homes[home])]
    return "\n".join(lines) + "\n\n" + "\n".join(tables)


def group_of(name: str) -> int:
    """Number of the group on the page. Raises LookupError for a name that belongs to none."""
    value = getattr(linkwork, name)
    if isinstance(value, enum.EnumMeta):
        return len(GROUPS) - 1
    found = [(len(prefix), i) for i, (_title, _text, prefixes) in enumerate(GROUPS) for prefix in prefixes if f"{home_of(name)}.".startswith(f"{prefix}.")]
    if not found:
        raise LookupError(f"{name} of {home_of(name)} has no group on the page")
    return max(found)[1]


def page() -> str:
    """The text of docs/python_api.md."""
    by_group: dict[int, list[str]] = {}
    for name in names():
        by_group.setdefault(group_of(name), []).append(name)
    parts = [HEAD]
    for i, (title, text, _prefixes) in enumerate(GROUPS):
        parts.append(f"## {title}\n")
        parts += [f"{text}\n"] if text else []
        parts += [_entry(name) for name in sorted(by_group.get(i, ()), key=lambda one: (not one[0].isupper(), one.lower()))]
    return "\n".join(parts)


def _entry(name: str) -> str:
    value = getattr(linkwork, name)
    if isinstance(value, enum.EnumMeta):
        members = ", ".join(f"`{member}` {int(number)}" for member, number in value.__members__.items())
        return f"### `{name}`\n\n{_prose(value)}\n\n{members}\n"
    if inspect.isclass(value):
        made = "" if issubclass(value, Exception) or name in ("Model", "Handle") else signature(value)
        inside = [f"- {_member(value, member)}" for member in sorted(vars(value)) if not member.startswith("_") and _told(value, member)]
        return f"### `{name}{made}`\n\n{_prose(value)}\n" + ("\n" + "\n".join(inside) + "\n" if inside else "")
    return f"### `{name}{signature(value)}`\n\n{_prose(value)}\n"


def _told(kind: type, member: str) -> bool:
    thing = inspect.getattr_static(kind, member)
    inner = getattr(thing, "__func__", thing)
    return isinstance(thing, property) and bool(thing.__doc__) or inspect.isfunction(inner) and bool(inner.__doc__)


def _member(kind: type, member: str) -> str:
    thing = inspect.getattr_static(kind, member)
    if isinstance(thing, property):
        return f"`{member}`: {_prose(thing, flat=True)}"
    inner = getattr(thing, "__func__", thing)
    return f"`{member}{signature(inner, bound=not isinstance(thing, staticmethod))}`: {_prose(inner, flat=True)}"


def signature(value, bound: bool = False) -> str:
    """(m: Model, d: Data, nstep: int = 1) -> int, as it is written in the source."""
    found = inspect.signature(value)
    parameters = list(found.parameters.values())[bound:]
    text = str(found.replace(parameters=[parameter.replace(default=_Shown(parameter.default)) if parameter.default is not parameter.empty else parameter for parameter in parameters]))
    text = re.sub(r"ForwardRef\('([^']*)'\)", r"\1", text)
    return text.replace("'", "").removesuffix(" -> None" if inspect.isclass(value) else "\0")     # only annotations that wait for their names have them


class _Shown:
    """A default as a reader writes it: the member of an enumeration by its name, a function by its name."""

    def __init__(self, value):
        self._value = value

    def __repr__(self) -> str:
        value = self._value
        if isinstance(value, enum.Enum):
            return f"{type(value).__name__}.{value.name}"
        if callable(value):
            return value.__name__.lstrip("_")
        return repr(value).replace("'", '"')


def _prose(value, flat: bool = False) -> str:
    text = textwrap.dedent(inspect.getdoc(value) or "").strip()
    text = text.replace("*", r"\*").replace("<", r"\<")
    return " ".join(text.split()) if flat else text


if __name__ == "__main__":
    STUB.write_text(stub())
    PAGE.write_text(page())
