"""The rows of the inspector: one for each attribute that the language allows for what is selected, in groups and in an order that does not depend on values."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from editor.inspect import orientation
from editor.inspect.groups import GROUPS, POSE, RARE, component_names, group_of, shown_count
from editor.inspect.subject import CLASS, DEFAULT, MISSING, OWN, Reading, Source, Subject
from editor.inspect.units import unit_of
from editor.notation.numbers import same_words
from editor.notation.orientation import NOTATIONS
from physics.schema import schema
from physics.schema.numbers import parse
from physics.schema.schema import AttributeSpec, ElementSpec
from physics.schema.schema_docs import attribute_words, describe
from physics.spec.element import Element
from physics.spec.names import OBJECT_NAMESPACE

__all__ = ["ORIENTATION", "Row", "row_of", "rows"]

ORIENTATION = "orientation"     # the row that stands for all notations of one
NUMBER, VECTOR, COLOUR, NUMBERS, SWITCH, KEYWORD, WORDS, REFERENCE, FILE, NAME, TEXT = (
    "number", "vector", "colour", "numbers", "switch", "keyword", "words", "reference", "file", "name", "text")
FEW = 3             # words that lie side by side as buttons
ROOM = 22           # characters that they may have together
_FREE = frozenset("pos axis range limited ref springref springdamper solreflimit solimplimit margin".split())
_BALL = frozenset("axis ref springref".split())
_NO_TYPES: Mapping[str, frozenset[str]] = MappingProxyType({"free": _FREE, "ball": _BALL})
_NEEDED_BY: Mapping[str, tuple[str, ...]] = MappingProxyType({"mesh": ("mesh", "sdf"), "hfield": ("hfield",)})    # types that an attribute belongs to
_ONCE = frozenset({"name"})     # what each element has for itself


@dataclass(frozen=True, slots=True)
class Row:
    """One attribute, or the orientation. kind: of its editor, a word above; words: what is in force, number by number, or one word; mixed: where the selected elements differ;
    sources: where each comes from; units, labels: of each number; notation: of an orientation; blocked: why it cannot be given here, '' where it can; note: what is wrong with
    it or
    has to be known; own: whether any of the elements gives it itself."""

    name: str
    kind: str
    group: str
    spec: AttributeSpec
    words: tuple[str, ...]
    mixed: tuple[bool, ...]
    sources: tuple[Source, ...]
    units: tuple[str, ...]
    labels: tuple[str, ...]
    doc: str
    own: bool
    rare: bool = False
    blocked: str = ""
    note: str = ""
    notation: str = ""
    namespace: str = ""

    @property
    def text(self) -> str:
        """What is in force, as attribute text."""
        return " ".join(self.words)

    @property
    def default(self) -> str:
        """The language's default."""
        return self.spec.default or ""

    @property
    def allowed(self) -> tuple[str, ...]:
        """Words that it may be."""
        return self.spec.values

    @property
    def required(self) -> bool:
        """Whether it cannot be taken away."""
        return self.spec.required

    @property
    def layer(self) -> str:
        """Where the value comes from: the strongest layer of its numbers."""
        layers = {source.layer for source in self.sources}
        return OWN if OWN in layers else CLASS if CLASS in layers else DEFAULT


def rows(subject: Subject) -> tuple[Row, ...]:
    """The rows of what is selected: attributes that all of it can have, group by group, within each in the order of the language's table."""
    several = len(subject.elements) > 1
    return tuple(row for name in names_of(subject.kinds) if not (several and name in _ONCE) and (row := row_of(subject, name)) is not None)


@lru_cache(maxsize=256)
def names_of(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Names of the rows of elements of these paths."""
    first, *rest = [schema.lookup(path) for path in kinds]
    found: list[tuple[int, str]] = []
    turned = all(orientation.has_orientation(spec) for spec in (first, *rest))
    for name, spec in first.attributes.items():
        if turned and name in NOTATIONS:
            continue
        if any((other := one.attributes.get(name)) is None or (other.type, other.counts, other.values) != (spec.type, spec.counts, spec.values) for one in rest):
            continue
        found.append((_order(spec), name))
    if turned:
        found.append((_order(first.attributes["quat"]), ORIENTATION))
    return tuple(name for _group, name in sorted(found, key=lambda one: one[0]))


def _order(spec: AttributeSpec) -> int:
    """Place of an attribute's row: by group; in identity the name first, then the class; the position first."""
    place = GROUPS.index(group_of(spec)) * 10
    head = {"name": 0, "class": 1, "type": 2, "pos": 0, "quat": 1, "mass": 0, "density": 1}.get(spec.name, 5)
    return place + head


def row_of(subject: Subject, name: str) -> Row | None:
    """The row of an attribute, or of ORIENTATION; None where an attribute is no longer part of the language, and is not given."""
    if name == ORIENTATION:
        return _orientation(subject)
    reading, active, spec = subject.reading, subject.active, subject.spec.attributes[name]
    sorts = subject.sorts(name)
    own = any(name in element.attrs for element, _path in sorts)
    if (spec.legacy or spec.support == "refused") and not own:
        return None
    kind = editor_kind(spec)
    needed = _NEEDED_BY.get(name, ())
    shape = reading.effective(active, subject.paths[-1], "type") if name == "size" or needed else ""
    sources = _words(reading, active, subject.paths[-1], name, kind)
    words = tuple(source.text for source in sources)
    if kind in (NUMBER, VECTOR, COLOUR):
        given = max((len(element.attrs.get(name, "").split()) for element, _path in sorts), default=0)
        given = max(given, sum(source.layer != DEFAULT for source in sources))
        count = 1 if spec.scalar else shown_count(spec, given, shape, "fromto" in active.attrs)
        sources = (*sources[:count], *[Source(DEFAULT)] * (count - len(sources)))
        words = tuple(source.text for source in sources)
    mixed = _mixed(words, (_words(reading, element, path, name, kind) for element, path in sorts[:-1]))
    joint = _joint_kind(reading, active, subject.paths[-1])
    namespace = spec.namespace if spec.type == "ref" else OBJECT_NAMESPACE.get(active.attrs.get({"objname": "objtype", "refname": "reftype"}.get(name, ""), ""), "")
    return Row(name=name, kind=REFERENCE if namespace and kind == TEXT else kind, group=group_of(spec), spec=spec, words=words, mixed=mixed, sources=sources,
               units=tuple(unit_of(spec, reading.root, joint, k) for k in range(len(words))), labels=component_names(spec, shape)[:len(words)], doc=describe(spec.path, name),
               own=own,
               rare=(name in RARE or bool(needed) and shape not in needed) and not own and all(source.layer == DEFAULT for source in sources), blocked=_blocked(subject, name),
               note=_note(subject, spec), namespace=namespace)


def editor_kind(spec: AttributeSpec) -> str:
    """By which kind of editor an attribute is changed."""
    if spec.type in ("real", "int"):
        if spec.scalar:
            return NUMBER
        count = shown_count(spec, 0)
        colour = "rgb" in spec.name or spec.path == "visual/rgba" or spec.name in ("ambient", "diffuse") or spec.name == "specular" and not spec.scalar
        return COLOUR if colour and count in (3, 4) else VECTOR if count else NUMBERS
    if spec.type == "words":
        return WORDS
    if spec.values:
        return SWITCH if len(spec.values) <= FEW and sum(map(len, spec.values)) <= ROOM else KEYWORD
    if spec.type == "ref":
        return REFERENCE
    if spec.type == "id":
        return NAME
    return FILE if spec.type in ("file", "dir") else TEXT


def _words(reading: Reading, element: Element, path: str, name: str, kind: str) -> tuple[Source, ...]:
    """Where each shown word of an element comes from."""
    sources = reading.sources(element, path, name)
    if kind == NUMBERS:
        top = next((source for source in reversed(sources) if source.layer == OWN), sources[-1] if sources else Source(DEFAULT))
        return (Source(top.layer, top.element, top.name, " ".join(source.text for source in sources)),)
    return sources


def _mixed(words: tuple[str, ...], others: Iterable[tuple[Source, ...] | None]) -> tuple[bool, ...]:
    """Which of the words others do not have; None for some with nothing of the kind. Not one more is looked at than it takes."""
    mixed = [False] * len(words)
    for other in others:
        if all(mixed):
            break
        mixed = [was or other is None or not _alike(other, k, word) for k, (was, word) in enumerate(zip(mixed, words, strict=True))]
    return tuple(mixed)


def _alike(sources: tuple[Source, ...], k: int, word: str) -> bool:
    return same_words([sources[k].text] if k < len(sources) else [], [word] if word or k < len(sources) else [])


# ---------------------------------------------------------------- orientation

def _orientation(subject: Subject) -> Row:
    """The one row of all notations: that of the newest layer which gives one, else the one that the document uses most."""
    reading, active, path = subject.reading, subject.active, subject.paths[-1]
    notation, sources = turn_of(reading, active, path)
    spec = subject.spec.attributes[notation]
    words = tuple(source.text for source in sources)
    sorts = subject.sorts(*NOTATIONS)
    others = (turn_of(reading, element, other_path) for element, other_path in sorts[:-1])
    mixed = _mixed(words, (theirs if used == notation else None for used, theirs in others))
    blocked = next((found for name in NOTATIONS if (found := _blocked(subject, name, orientation_too=False))), "")
    return Row(name=ORIENTATION, kind=ORIENTATION, group=POSE, spec=spec, words=words, mixed=mixed, sources=sources,
               units=tuple(unit_of(spec, reading.root, "", k) for k in range(len(words))), labels=component_names(spec), doc=describe(spec.path, notation),
               own=any(name in element.attrs for element, _path in sorts for name in NOTATIONS), blocked=blocked, note=_unreadable(active, spec), notation=notation)


def turn_of(reading: Reading, element: Element, path: str) -> tuple[str, tuple[Source, ...]]:
    """(notation, where its numbers come from) of an element's orientation."""
    newest = ""
    for layer in _orientation_layers(reading, element, path):
        newest = next((name for name in NOTATIONS if layer.attrs.get(name, "").split()), newest)
    if newest:
        return newest, reading.sources(element, path, newest)
    notation = orientation.notation_in_use(reading.root, element.tag)
    return notation, tuple(Source(DEFAULT, text=word) for word in orientation.unit_words(notation, reading.root))


def _orientation_layers(reading: Reading, element: Element, path: str) -> tuple[Element, ...]:
    """Layers that give any notation, oldest first."""
    found: dict[int, Element] = {}
    order: list[int] = []
    for name in NOTATIONS:
        for layer in reading.layers(element, path, name):
            if layer.id not in found:
                order.append(layer.id)
            found[layer.id] = layer
    if element.id == MISSING or path.startswith("default/"):
        return tuple(found[number] for number in order)
    chain = [layer.id for layer in reading.resolver.attrs(element).layers]
    return tuple(found[number] for number in sorted(order, key=chain.index))


# ---------------------------------------------------------------- rules

def _blocked(subject: Subject, name: str, orientation_too: bool = True) -> str:
    """Why an attribute cannot be given beside what is: '' where it can, or is given all the same."""
    for element, path in subject.sorts("type"):
        spec = schema.lookup(path)
        if name in element.attrs and orientation_too:
            continue
        found = _excluded(element, spec, name) or _pointless(subject.reading, element, path, name)
        if found:
            return found
    support = subject.spec.attributes[name].limits
    return next((f"{limit.what} are not supported yet" for limit in support if limit.level == "refused" and not limit.condition), "")


def _excluded(element: Element, spec: ElementSpec, name: str) -> str:
    for kind, units in spec.rules:
        mine = next((unit for unit in units if name in unit), None)
        if kind != "exclusive" or mine is None:
            continue
        others = [other for unit in units if unit is not mine for other in unit if other in element.attrs and not (name in NOTATIONS and other in NOTATIONS)]
        if others:
            return f"{others[0]} is given, which excludes it"
    return ""


def _pointless(reading: Reading, element: Element, path: str, name: str) -> str:
    """Why an attribute would do nothing, or the compiler would refuse it."""
    if "fromto" in element.attrs and (name == "pos" or name in NOTATIONS):
        return "fromto says where it is and how it is turned"
    if name == "density" and "mass" in element.attrs:
        return "mass is given, which density does not change"
    if path in ("body/joint", "default/joint"):
        kind = reading.effective(element, path, "type")
        if name in _NO_TYPES.get(kind, ()):
            return f"a {kind} joint has no {name}"
    return ""


def _note(subject: Subject, spec: AttributeSpec) -> str:
    """What is missing, no longer part of the language, or cannot be read."""
    active, path = subject.active, subject.paths[-1]
    if problem := _unreadable(active, spec):
        return problem
    if spec.legacy:
        return "no longer part of MJCF: " + next(limit.what for limit in spec.limits if limit.level == "legacy")
    if spec.required and not subject.missing and spec.name not in active.attrs and path != "default":
        return "must be given"
    for kind, units in subject.spec.rules:
        names = [name for unit in units for name in unit]
        if spec.name not in names or spec.name in active.attrs:
            continue
        if kind == "together" and any(name in active.attrs for name in names):
            return f"must be given with {', '.join(name for name in names if name in active.attrs)}"
        if kind == "oneof" and not any(all(name in active.attrs for name in unit) for unit in units):
            return f"one of {' or '.join('+'.join(unit) for unit in units)} must be given"
    return ""


def _unreadable(element: Element, spec: AttributeSpec) -> str:
    """Why what an element says cannot be read: it counts as not given."""
    return parse(spec, element.attrs[spec.name])[1] if spec.name in element.attrs else ""


def _joint_kind(reading: Reading, element: Element, path: str) -> str:
    """The type of the joint that an element is, or moves, '' where that is not known."""
    if path == "body/joint":
        return reading.effective(element, path, "type")
    if path == "default/joint":
        return next((layer.attrs["type"] for layer in reversed(reading.layers(element, path, "type"))), "")
    if path.startswith("actuator/") and "joint" in element.attrs:
        joint = reading.names.find("joint", element.attrs["joint"])
        joint_path = reading.path(joint) if joint is not None else None
        return reading.effective(joint, joint_path, "type") if joint_path == "body/joint" else ""
    return ""


def search_text(row: Row) -> str:
    """What a search finds a row by."""
    return f"{row.name} {row.group} {' '.join(NOTATIONS) if row.name == ORIENTATION else attribute_words(row.spec)[1]}"
