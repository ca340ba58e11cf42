"""Looking things up in the language's table: what may stand where, of which type, and whether we build it.

`lookup('body/geom')` gives an `ElementSpec`, `spec.attributes['pos']` an `AttributeSpec`. Elements are parsed from the table's
text when first asked for, so a start-up pays only for the elements a model uses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from physics.schema.schema_table import TABLES
from physics.schema.support import SUPPORT
from physics.schema.table_legacy import MATERIAL_ROLES

__all__ = ["ACTUATOR_SHORTCUTS", "AttributeSpec", "ElementSpec", "Support", "child_spec", "lookup", "paths"]

BODY_TAGS = frozenset({"body", "frame", "replicate", "worldbody"})
ACTUATOR_SHORTCUTS = frozenset({
    "motor", "position", "velocity", "intvelocity", "orientation", "pid", "damper", "cylinder", "muscle", "adhesion",
    "dcmotor", "plugin",
})
KEYWORD_SETS = MappingProxyType({
    "bool": ("false", "true"), "tri": ("false", "true", "auto"), "flag": ("disable", "enable"),
})
FULL = "full"
LEGACY_HOMES = frozenset({"body/composite", "equality/distance", "extension/required", *(f"asset/material/{role}" for role in MATERIAL_ROLES)})


@dataclass(frozen=True, slots=True)
class Support:
    """One row of support.py: what is missing when `condition` holds for the attribute ('' = element present)."""

    level: str
    condition: str
    what: str


@dataclass(frozen=True, slots=True, eq=False)
class AttributeSpec:
    """One attribute. counts: allowed numbers of values, None for any, a range where a shorter list is filled up; scalar: a bare number
    rather than a list; numbered: a keyword may also be given by its place among the values, from 0."""

    path: str
    name: str
    type: str
    scalar: bool = True
    counts: range | tuple[int, ...] | None = None
    values: tuple[str, ...] = ()
    default: str | None = None
    required: bool = False
    namespace: str = ""
    repeat: bool = False
    numbered: bool = False
    limits: tuple[Support, ...] = ()

    @property
    def support(self) -> str:
        """'full', 'view', 'refused' or 'legacy' when merely giving the attribute decides it; conditions count as full."""
        return next((s.level for s in self.limits if not s.condition), FULL)

    @property
    def legacy(self) -> bool:
        """Whether it was dropped from the language and is only read for old models."""
        return any(s.level == "legacy" for s in self.limits)

    @property
    def arity(self) -> str:
        """The allowed count of values in words: '1', '3', '1 to 5', 'any'."""
        if self.counts is None:
            return "any"
        if len(self.counts) == 1:
            return str(self.counts[0])
        joint = " to " if isinstance(self.counts, range) or len(self.counts) > 2 else " or "
        return f"{self.counts[0]}{joint}{self.counts[-1]}"


@dataclass(frozen=True, slots=True, eq=False)
class ElementSpec:
    """One element: its attributes, the tags allowed inside, how often it may stand in its parent."""

    path: str
    tag: str
    cardinality: str
    attributes: Mapping[str, AttributeSpec]
    children: tuple[str, ...]
    rules: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = ()
    limits: tuple[Support, ...] = ()

    @property
    def support(self) -> str:
        """'full', 'view', 'refused', 'legacy' or 'removed'."""
        return self.limits[0].level if self.limits else FULL

    @property
    def legacy(self) -> bool:
        """Whether it was dropped from the language and is only read for old models."""
        return self.path in LEGACY_HOMES or any(self.path.startswith(home + "/") for home in LEGACY_HOMES)

    @property
    def reason(self) -> str:
        """What is missing, '' when nothing is."""
        return self.limits[0].what if self.limits else ""


@lru_cache(maxsize=1)
def _index() -> tuple[Mapping, Mapping, Mapping]:
    """Rows by element path, rows by group name, child tags by path; header text of an element is its first row."""
    elements: dict[str, list[str]] = {}
    groups: dict[str, list[str]] = {}
    children: dict[str, list[str]] = {}
    rows: list[str] = []
    for table in TABLES:
        for line in table.splitlines():
            if line.startswith("[+"):
                rows = groups.setdefault(line[2:-1], [])
            elif line.startswith("["):
                path = line[1:].split(" ", 1)[0]
                again = path in elements  # a later table adds to it
                rows = elements.setdefault(path, [])
                if again:
                    continue
                rows.append(line)
                parent, _, tag = path.rpartition("/")
                children.setdefault(parent, []).append(tag)
            elif line:
                rows.append(line)
    tops = children.pop("")
    children["mujoco"] = [tag for tag in tops if tag not in ("mujoco", "include", "body")] + ["worldbody"]
    children["default"] = [*children["default"], "default"]
    inner = [*children["body"], "body"]
    children["body"] = inner
    children["body/frame"] = children["body/replicate"] = inner
    children["worldbody"] = [tag for tag in inner if tag not in ("inertial", "joint", "freejoint", "plugin")]
    elements["worldbody"] = ["[worldbody *]"]
    return MappingProxyType(elements), MappingProxyType(groups), MappingProxyType(children)


@lru_cache(maxsize=1)
def _limits() -> Mapping[tuple[str, str], tuple[Support, ...]]:
    found: dict[tuple[str, str], tuple[Support, ...]] = {}
    for level, path, attribute, condition, what in SUPPORT:
        key = (path, attribute)
        found[key] = (*found.get(key, ()), Support(level, condition, what))
    return MappingProxyType(found)


def _without(words: list[str]) -> set[str]:
    return {word[1:] for word in words if word.startswith("-")}


def _attribute(path: str, line: str) -> AttributeSpec:
    head, _, default = line.partition(" = ")
    required = head.endswith(" !") or default.endswith(" !")
    name, kind, *rest = head.removesuffix(" !").split()
    scalar, counts, values, namespace = True, None, (), ""
    repeat = "repeat" in rest
    if kind in ("real", "int"):
        counts = range(1, 2)
        if rest:
            scalar, counts = False, _counts(rest[0])
    elif kind in ("id", "ref"):
        namespace = rest[0]
    elif kind == "words":
        values = tuple(rest[0].split("|"))
    elif kind in KEYWORD_SETS:
        values = KEYWORD_SETS[kind]
    elif kind not in ("str", "file", "dir", "eulerseq"):
        kind, values = "keyword", tuple(kind.split("|"))
    return AttributeSpec(
        path=path, name=name, type=kind, scalar=scalar, counts=counts, values=values,
        default=default.removesuffix(" !") if default else None, required=required, namespace=namespace,
        repeat=repeat, numbered="numbered" in rest, limits=_limits().get((path, name), ()),
    )


def _counts(text: str) -> range | tuple[int, ...] | None:
    if text == "*":
        return None
    if text.startswith("*"):
        return tuple(range(1, int(text[1:]) + 1))
    if "|" in text:
        return tuple(int(part) for part in text.split("|"))
    low, _, high = text.partition("..")
    return range(int(low), int(high or low) + 1)


def _rule(line: str) -> tuple[str, tuple[tuple[str, ...], ...]]:
    kind, *units = line[2:].split()
    return kind, tuple(tuple(unit.split("+")) for unit in units)


def _rows(path: str) -> tuple[str, list[str], list[str]]:
    """Cardinality, attribute rows and rule rows of an element, with groups and `= other` expanded."""
    elements, groups, _ = _index()
    header, *rows = elements[path]
    head, *source = header.split(" = ")
    cardinality = head[-2]
    attributes: dict[str, str] = {}
    rules: list[str] = []
    if source:
        other, *minus = source[0].split()
        _, lines, inherited = _rows(other)
        skip = _without(minus)
        attributes = {line.split(" ", 1)[0]: line for line in lines if line.split(" ", 1)[0] not in skip}
        rules = [rule for rule in inherited if not any(word in skip for word in rule.replace("+", " ").split())]
    for row in rows:
        if row.startswith("+"):
            group, *minus = row[1:].split()
            skip = _without(minus)
            for line in groups[group]:
                if line.startswith("%"):
                    rules.append(line)
                elif line.split(" ", 1)[0] not in skip:
                    attributes.setdefault(line.split(" ", 1)[0], line)
        elif row.startswith("%"):
            rules.append(row)
        else:
            attributes[row.split(" ", 1)[0]] = row
    return cardinality, list(attributes.values()), rules


def _normal(path: str) -> str:
    """The table's spelling of a path: no leading mujoco, no [names], nested bodies folded into body."""
    parts = [part.partition("[")[0] for part in path.split("/")]
    if parts[0] == "mujoco" and len(parts) > 1:
        parts = parts[1:]
    if parts[0] in BODY_TAGS and len(parts) > 1:
        last = max(i for i, part in enumerate(parts) if part in BODY_TAGS)
        tail = parts[last + 1:]
        head = ["body"] if tail or parts[last] == "body" else ["body", parts[last]]
        parts = head + tail
    if parts[0] == "default":
        while len(parts) > 1 and parts[1] == "default":
            del parts[1]
    return "/".join(parts)


@lru_cache(maxsize=None)
def lookup(path: str) -> ElementSpec | None:
    """The element at a path such as 'body/geom' or 'mujoco/worldbody/body[arm]/geom[2]'; None when there is none."""
    elements, _, children = _index()
    if path not in elements:
        path = _normal(path)
        return lookup(path) if path in elements else None
    cardinality, rows, rules = _rows(path)
    specs = [_attribute(path, row) for row in rows]
    return ElementSpec(
        path=path, tag=path.rpartition("/")[2], cardinality=cardinality,
        attributes=MappingProxyType({spec.name: spec for spec in specs}),
        children=tuple(children.get(path, ())), rules=tuple(_rule(rule) for rule in rules),
        limits=_limits().get((path, ""), ()),
    )


@lru_cache(maxsize=None)
def child_spec(parent: str, tag: str) -> ElementSpec | None:
    """The spec of `tag` inside the element whose table path is `parent`; None when it may not stand there."""
    if tag not in _index()[2].get(parent, ()):
        return None
    if parent == "mujoco":
        return lookup(tag)
    if parent == "default" and tag == "default":
        return lookup("default")
    if parent in ("body", "body/frame", "body/replicate", "worldbody"):
        return lookup("body") if tag == "body" else lookup(f"body/{tag}")
    return lookup(f"{parent}/{tag}")


def removed(path: str, attribute: str = "") -> str:
    """Why something that once was MJCF is no longer, '' when it never was or still is."""
    return next((s.what for s in _limits().get((path, attribute), ()) if s.level == "removed"), "")


def paths() -> tuple[str, ...]:
    """Every element path of the table."""
    return tuple(_index()[0])
