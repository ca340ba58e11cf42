"""Whether links and provenance are right, judged by texts: twins of a model are written and compiled, and what is found in them tells what came from where.

- names: every element gets a name of its own; prefixes and suffixes that macros add must be those that the copies of a link tell;
- marks: every number of many attributes, in elements and default classes alike, becomes one that stands nowhere else; the mark in a compiled row is the text that gave it;
- taken away: the same with half of these attributes removed, so that what stands below them in the layers must show;
- defaults, limits: what provenance says is the language's default, or inferred, is written out everywhere, and nothing may change.
"""
from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

import numpy as np

from editor.edits.attribute_patches import attribute_patches
from editor.edits.patch import Edit, apply
from physics.compiler.compile import compile_root
from physics.compiler.provenance import CLASS, DEFAULT, INFERRED, OWN, Users, attrs_of, provenance
from physics.enums import GeomType
from physics.expand.replicate import copy_count, suffix
from physics.mjcf import reader
from physics.mjcf.reader import ReadResult
from physics.model.model import Model
from physics.schema.schema import ACTUATOR_SHORTCUTS
from physics.spec.defaults import Resolver
from physics.spec.element import Element
from physics.spec.names import FILE_NAMED, declared_name, walk_specs

_ACTUATORS = ("general", *sorted(ACTUATOR_SHORTCUTS - {"plugin"}))


@dataclass
class Twin:
    """A model as texts, as it was read and compiled from them."""

    texts: dict[str, str]
    main: str
    base: str | None
    read: ReadResult = field(init=False)
    model: Model = field(init=False)

    def __post_init__(self) -> None:
        others = {path: text for path, text in self.texts.items() if path != self.main}
        self.read = reader.read_text(self.texts[self.main], self.main, self.base, others)
        self.model = compile_root(self.read, stand_ins=True)

    @classmethod
    def of_file(cls, path: Path) -> Twin:
        """Of a file on disk. Raises ModelError."""
        read = reader.read(path)
        compile_root(read, stand_ins=True)
        return cls(read.all_sources, read.main, read.base_dir)

    def edited(self, values: dict[int, dict[str, str | None]]) -> Twin:
        """A twin with other attributes. values: by element id. Raises ModelError."""
        patches = [patch for number, some in values.items() if some
                   for patch in attribute_patches(self.texts[self.elements[number].origin.file], self.elements[number], some)]
        return Twin({**self.texts, **apply(self.texts, Edit("twin", tuple(patches)))}, self.main, self.base)

    @cached_property
    def trees(self) -> tuple[Element, ...]:
        """The roots: the model's own, and those of attached models."""
        return self.read.root, *(read.root for read in self.read.attached.values() if read.root is not None)

    @cached_property
    def elements(self) -> dict[int, Element]:
        """By id; of what several trees share, the first one's."""
        return {element.id: element for root in reversed(self.trees) for element in root.walk()}

    @cached_property
    def order(self) -> dict[int, tuple[int, int]]:
        """Id of an element -> (number of its tree, its place in document order): the same in twins."""
        return {element.id: (t, k) for t, root in reversed(list(enumerate(self.trees))) for k, element in enumerate(root.walk())}

    @cached_property
    def tree_of(self) -> dict[int, int]:
        """Id of an element -> its tree."""
        return {number: tree for number, (tree, _k) in self.order.items()}

    @cached_property
    def resolvers(self) -> list[Resolver]:
        """Of each tree."""
        return [Resolver(root) for root in self.trees]

    def resolver(self, element: Element) -> Resolver:
        """Of the tree that an element stands in."""
        return self.resolvers[self.tree_of[element.id]]

    def known(self):
        """(element, spec) of all that the language knows."""
        for root in self.trees:
            for element, spec, _parent in walk_specs(root):
                yield element, spec

    def items(self):
        """(kind, number, source) of everything in the Model."""
        for kind, names in self.model.names.items():
            for number in range(len(names)):
                yield kind, number, self.model.links.source(kind, number)


# ---------------------------------------------------------------- links

def wrong_places(twin: Twin) -> tuple[int, int, list[str]]:
    """(how many there are, how many come from no element, what is wrong) of things whose link does not lead to the line where the compiler says that they stand."""
    count, without, wrong = 0, 0, []
    for kind, number, source in twin.items():
        place, count = twin.model.places[kind][number], count + 1
        if source is None:
            without += 1
            if place is not None:
                wrong.append(f"{kind} {number}: no link, but {place}")
        elif source.element not in twin.elements or twin.elements[source.element].place != place:
            element = twin.elements.get(source.element)
            wrong.append(f"{kind} {number}: leads to {element.place if element else 'no element'}, stands at {place}")
    return count, without, wrong


def expected_name(twin: Twin, kind: str, element: Element, copies) -> str | None:
    """The name that an element has as one of its copies, worked out from the macros' texts; None where a composite gives it."""
    name = declared_name(element, twin.resolver(element).spec(element).path) if element.tag != "worldbody" else "world"   # one that is attached whole
    for number, k in reversed(copies):
        macro = twin.elements[number]
        if macro.tag == "composite":
            return None
        if macro.tag == "replicate" and name:
            name += suffix(macro.attrs.get("sep", ""), copy_count(macro), k)
        elif macro.tag == "attach" and (name or kind == "key"):
            name = macro.attrs.get("prefix", "") + name
    return name


def wrong_names(twin: Twin) -> tuple[int, list[str]]:
    """(how many names were compared, what is wrong) of things that are not called as their element and copies make them."""
    count, wrong = 0, []
    for kind, number, source in twin.items():
        expected = "world" if (kind, number) == ("body", 0) else None if source is None else expected_name(twin, kind, twin.elements[source.element], source.copies)
        name = twin.model.names[kind][number]
        if expected is not None:
            count += 1
            if expected != name and not (kind == "key" and name and expected.endswith(name)):    # of a model within a model it keeps its name
                wrong.append(f"{kind} {number}: called '{name}', its element and copies make '{expected}'")
    return count, wrong


def named_twin(twin: Twin) -> Twin:
    """A twin in which everything that may have a name has one that no other has. Raises ModelError."""
    values: dict[int, dict[str, str | None]] = {}
    for element, spec in twin.known():
        named = spec.attributes.get("name")
        free = spec.path not in FILE_NAMED and "default" not in spec.path and "composite" not in spec.path and spec.path not in ("asset/model", "worldbody")
        if named is not None and named.type == "id" and not element.name and free and "asset" not in spec.path:
            values[element.id] = {"name": "twin{}x{}".format(*twin.order[element.id])}
    return twin.edited(values)


def differences(twin: Twin, other: Twin) -> list[str]:
    """Links of two twins that lead elsewhere, or to another copy."""
    def told(of: Twin, source):
        return None if source is None else (of.order[source.element], tuple((of.order[macro], k) for macro, k in source.copies))

    return [f"{kind} {number}: {told(twin, one)}, with names {told(other, two)}"
            for (kind, number, one), (_kind, _number, two) in zip(twin.items(), other.items(), strict=True) if told(twin, one) != told(other, two)]


# ---------------------------------------------------------------- marks

def _span(low: float, high: float):
    return lambda share, _k: low + (high - low) * share


def _whole(share: float, _k: int) -> int:
    return int(share * 2**22)


def _rising(share: float, k: int) -> float:
    return -1 - share if k == 0 else 1 + share


def _impedance(share: float, k: int) -> float:
    return 1 + share if k == 4 else 0.05 + 0.9 * share


_UNIT, _LARGE = _span(0.01, 0.99), _span(0.01, 2.0)
_POSITIVE = _span(0.001, 0.9)


def _dof(m, row):
    return int(m.jnt_dofadr[row])


def _out(m, row):
    return int(m.actuator_outadr[row])


def _control(m, row):
    return int(m.actuator_ctrladr[row])


def _same(_m, row):
    return row


# (path, attribute) -> (kind, fields with the components in turn, row in them, style of marks)
def _marked() -> MappingProxyType:
    table: dict[tuple[str, str], tuple] = {}

    def add(paths, kind, attributes, at=_same):
        for path in paths:
            for attribute, (fields, style) in attributes.items():
                table[path, attribute] = (kind, fields, at, style)

    contact = {"solref": ("solref", _POSITIVE), "solimp": ("solimp", _impedance)}
    add(["body/geom"], "geom", {name: ((f"geom_{name}",), style) for name, style in (
        *((name, style) for name, (_f, style) in contact.items()), ("friction", _LARGE), ("solmix", _LARGE), ("margin", _UNIT), ("gap", _UNIT),
        ("priority", _whole), ("rgba", _UNIT))})
    add(["body/joint"], "joint", {"solreflimit": (("jnt_solref",), _POSITIVE), "solimplimit": (("jnt_solimp",), _impedance), "margin": (("jnt_margin",), _UNIT),
                                  "stiffness": (("jnt_stiffness", "jnt_stiffnesspoly"), _LARGE)})
    add(["body/joint"], "joint", {"armature": (("dof_armature",), _UNIT), "frictionloss": (("dof_frictionloss",), _UNIT),
                                  "damping": (("dof_damping", "dof_dampingpoly"), _LARGE),
                                  "solreffriction": (("dof_solref",), _POSITIVE), "solimpfriction": (("dof_solimp",), _impedance)}, _dof)
    add(["body/site"], "site", {"rgba": (("site_rgba",), _UNIT)})
    add(["body/camera"], "camera", {"ipd": (("cam_ipd",), _UNIT)})
    add(["body/light"], "light", {name: ((f"light_{name}",), _UNIT) for name in (
        "ambient", "diffuse", "specular", "attenuation", "cutoff", "exponent", "bulbradius", "intensity", "range")})
    add(["asset/material"], "material", {name: ((f"mat_{name}",), _UNIT) for name in (
        "emission", "specular", "shininess", "reflectance", "metallic", "roughness", "texrepeat", "rgba")})
    add(["contact/pair"], "pair", {name: ((f"pair_{name}",), style) for name, style in (
        ("friction", _LARGE), ("solref", _POSITIVE), ("solreffriction", _POSITIVE), ("solimp", _impedance), ("margin", _UNIT), ("gap", _UNIT))})
    add([f"equality/{tag}" for tag in ("connect", "weld", "joint", "tendon")], "equality", {name: ((f"eq_{name}",), style) for name, (_f, style) in contact.items()})
    add(["tendon/spatial", "tendon/fixed"], "tendon", {
        "solreflimit": (("tendon_solref_lim",), _POSITIVE), "solimplimit": (("tendon_solimp_lim",), _impedance), "solreffriction": (("tendon_solref_fri",), _POSITIVE),
        "solimpfriction": (("tendon_solimp_fri",), _impedance), "margin": (("tendon_margin",), _UNIT), "frictionloss": (("tendon_frictionloss",), _UNIT),
        "stiffness": (("tendon_stiffness", "tendon_stiffnesspoly"), _LARGE), "damping": (("tendon_damping", "tendon_dampingpoly"), _LARGE)})
    add(["tendon/spatial"], "tendon", {"width": (("tendon_width",), _UNIT), "rgba": (("tendon_rgba",), _UNIT)})
    add([f"actuator/{tag}" for tag in _ACTUATORS], "actuator", {"forcerange": (("actuator_forcerange",), _rising)})
    add([f"actuator/{tag}" for tag in _ACTUATORS], "actuator", {"gear": (("actuator_gear",), _LARGE)}, _out)
    add(["actuator/position"], "actuator", {"kp": (("actuator_gainprm",), _LARGE)})
    add(["actuator/velocity"], "actuator", {"kv": (("actuator_gainprm",), _LARGE)})
    add(["actuator/general"], "actuator", {"gainprm": (("actuator_gainprm",), _LARGE)})
    add([f"actuator/{tag}" for tag in ("general", "motor", "velocity")], "actuator", {"ctrlrange": (("actuator_ctrlrange",), _rising)}, _control)
    add(["body"], "body", {"gravcomp": (("body_gravcomp",), _UNIT)})
    return MappingProxyType(table)


MARKED = _marked()
_IN_DEFAULTS = MappingProxyType({   # tag in <default> -> paths that it holds for
    "joint": ("body/joint",), "geom": ("body/geom",), "site": ("body/site",), "camera": ("body/camera",), "light": ("body/light",), "material": ("asset/material",),
    "pair": ("contact/pair",), "equality": ("equality/weld",), "tendon": ("tendon/spatial",), **{tag: (f"actuator/{tag}",) for tag in _ACTUATORS},
})
_KEEPS = frozenset({"muscle", "dcmotor", "adhesion", "damper", "cylinder", "plugin"})     # whose ranges have to fit other numbers


@dataclass
class Marks:
    """A twin with marks. given: (attribute, mark) -> (order of the element whose text it is, which word of it)."""

    twin: Twin
    given: dict[tuple[str, float], tuple[tuple[int, int], int]]

    def of(self, attribute: str, number: float) -> tuple[tuple[int, int], int] | None:
        """Whose mark a number is."""
        return self.given.get((attribute, float(np.float32(number))))


def _places(twin: Twin):
    """(element, attribute, row of MARKED) of every text that can be marked."""
    for element, spec in twin.known():
        if element.tag in _KEEPS:
            continue
        paths = _IN_DEFAULTS.get(element.tag, ()) if spec.path.startswith("default/") else (spec.path,)
        for path in paths:
            for attribute in element.attrs:
                row = MARKED.get((path, attribute))
                if row is not None:
                    yield element, attribute, row


def marked_twin(twin: Twin, removed: frozenset[tuple[int, str]] = frozenset()) -> Marks:
    """A twin with marks in place of numbers, without some attributes. removed: (id, attribute). Raises ModelError."""
    places = list(_places(twin))
    total = sum(len(element.attrs[attribute].split()) for element, attribute, _row in places) + 1
    values: dict[int, dict[str, str | None]] = {}
    given, serial = {}, 0
    for element, attribute, row in places:
        if (element.id, attribute) in removed:
            values.setdefault(element.id, {})[attribute] = None
            continue
        words = []
        for k in range(len(element.attrs[attribute].split())):
            serial += 1
            mark = row[3]((serial + 0.25) / total, k)
            words.append(repr(mark))
            given[attribute, float(np.float32(mark))] = twin.order[element.id], k
        values.setdefault(element.id, {})[attribute] = " ".join(words)
    return Marks(twin.edited(values), given)


def removable(twin: Twin, seed: int) -> frozenset[tuple[int, str]]:
    """Half of the texts that can be marked, by chance."""
    chance = random.Random(seed)
    return frozenset((element.id, attribute) for element, attribute, row in _places(twin) if row[3] is not _rising and chance.random() < 0.5)


def row_of(model, row, number: int) -> np.ndarray:
    """The numbers that a thing's attribute has become."""
    _kind, fields, at, _style = row
    place = at(model, number)
    return np.concatenate([np.ravel(getattr(model, name)[place]) for name in fields]) if place < len(getattr(model, fields[0])) else np.zeros(0)


def wrong_layers(marks: Marks, official=None) -> tuple[int, list[str]]:
    """(how many components were looked at, what is wrong) of values whose provenance names another text than the mark in the compiled row. official: the same model of
    the official engine, whose rows are looked at in place of ours."""
    twin, count, wrong = marks.twin, 0, []
    model = twin.model if official is None else official
    found: dict[tuple[int, str], tuple] = {}
    for kind, number, source in twin.items():
        element = twin.elements[source.element] if source is not None else None
        if element is None or element.tag in _KEEPS or any(twin.elements[macro].tag == "composite" for macro, _k in source.copies):
            continue
        path = twin.resolver(element).spec(element).path
        for (of, attribute), row in _rows(path):
            key = element.id, attribute
            if key not in found:
                found[key] = provenance(twin.resolver(element), element, attribute)
            numbers = row_of(model, row, number)
            for k, part in enumerate(found[key][:len(numbers)]):
                if part.layer == INFERRED:
                    continue
                count += 1
                if not _agrees(marks, part, attribute, k, float(numbers[k])):
                    wrong.append(f"{kind} {number} {attribute}[{k}]: {part.layer} {part.name} {part.text} at {part.place}, compiled {numbers[k]:.9g}, "
                                 f"the mark of {marks.of(part.attribute or attribute, float(numbers[k]))}")
    return count, wrong


def wrong_users(marks: Marks) -> tuple[int, list[str]]:
    """(how many texts of classes were looked at, what is wrong) of those whose users are not the elements whose compiled rows show their marks."""
    twin, shown = marks.twin, {}
    looked: set[int] = set()
    by_order = {order: number for number, order in twin.order.items()}
    for kind, number, source in twin.items():
        element = twin.elements[source.element] if source is not None else None
        if element is None or element.tag in _KEEPS or any(twin.elements[macro].tag == "composite" for macro, _k in source.copies):
            continue
        looked.add(element.id)
        for (_path, attribute), row in _rows(twin.resolver(element).spec(element).path):
            for k, value in enumerate(row_of(twin.model, row, number)):
                mark = marks.of(attribute, float(value))
                if mark is not None and by_order[mark[0]] != element.id:
                    shown.setdefault((by_order[mark[0]], attribute), set()).add(element.id)
    count, wrong = 0, []
    users = [Users(resolver) for resolver in twin.resolvers]
    for layer, attribute, row in _places(twin):
        if not twin.resolver(layer).spec(layer).path.startswith("default/") or (layer.tag in _ACTUATORS and attribute in ("kp", "kv", "gainprm")):
            continue
        count += 1
        said = {element.id for element, _at in users[twin.tree_of[layer.id]].users(layer, attribute) if element.id in looked and element.tag not in _KEEPS
                and provenance(twin.resolver(element), element, attribute)[0].layer != INFERRED and (twin.resolver(element).spec(element).path, attribute) in MARKED}
        seen = shown.get((layer.id, attribute), set())
        if said != seen:
            wrong.append(f"{attribute} of {layer.tag} at {layer.place}: users {len(said)}, compiled {len(seen)}")
    return count, wrong


def _rows(path: str):
    return [(key, row) for key, row in MARKED.items() if key[0] == path]


def _agrees(marks: Marks, part, attribute: str, k: int, number: float) -> bool:
    mark = marks.of(part.attribute or attribute, number)
    if part.layer == DEFAULT:
        return mark is None and abs(float(part.text or 0) - number) <= 1e-6 * max(1.0, abs(number))
    if part.layer not in (OWN, CLASS) or abs(float(part.text) - number) > 1e-6 * abs(number):
        return False
    return mark is None or mark[0] == marks.twin.order[part.element.id]


# ---------------------------------------------------------------- defaults and limits written out

def _same_fields(one: Model, two: Model) -> list[str]:
    return [name for name in one.layout.arrays if not np.array_equal(getattr(one, name), getattr(two, name), equal_nan=getattr(one, name).dtype.kind == "f")]


def changed_by_defaults(twin: Twin) -> tuple[int, list[str]]:
    """(how many were written out, what changed) when all that is said to be the language's default is written in the elements themselves."""
    values: dict[int, dict[str, str | None]] = {}
    count = 0
    for element, spec in twin.known():
        if element.tag in _KEEPS or spec.path.startswith("default") or _holds_composite(element):
            continue
        for (path, attribute), row in _rows(spec.path):
            parts = provenance(twin.resolver(element), element, attribute)
            if attribute in spec.attributes and parts and all(part.layer == DEFAULT and part.text for part in parts) and row[3] is not _rising:
                values.setdefault(element.id, {})[attribute] = " ".join(part.text for part in parts)
                count += 1
    return count, _same_fields(twin.model, twin.edited(values).model)


def _holds_composite(element: Element) -> bool:
    return element.tag in ("composite", "flexcomp")


_LIMITS = MappingProxyType({("joint", "limited"): "jnt_limited", ("joint", "actuatorfrclimited"): "jnt_actfrclimited", ("tendon", "limited"): "tendon_limited",
                            ("tendon", "actuatorfrclimited"): "tendon_actfrclimited", ("actuator", "forcelimited"): "actuator_forcelimited"})


def wrong_limits(twin: Twin) -> tuple[int, list[str]]:
    """(how many were looked at, what is wrong) of limits whose inferred provenance is not what the Model has."""
    count, wrong = 0, []
    for kind, number, source in twin.items():
        for (of, attribute), name in _LIMITS.items():
            element = twin.elements[source.element] if of == kind and source is not None else None
            if element is None or attribute not in twin.resolver(element).spec(element).attributes or any(twin.elements[macro].tag == "composite" for macro, _k in source.copies):
                continue
            for part in provenance(twin.resolver(element), element, attribute, twin.model, (kind, number)):
                if part.layer == INFERRED and part.value is not None:
                    count += 1
                    if part.value != float(getattr(twin.model, name)[number]) and twin.resolver(element).attrs(element).get("type") != "free":
                        wrong.append(f"{kind} {number} {attribute}: {part.text}, compiled {getattr(twin.model, name)[number]}")
    return count, wrong


def wrong_masses(twin: Twin) -> tuple[int, list[str]]:
    """(how many were looked at, what is wrong) of bodies whose geoms' masses, given and inferred, do not add up to theirs; those with a mesh that is not there have a mass
    that was made up (physics/compiler/assets/stand_ins.py) and are left out."""
    model, count, wrong = twin.model, 0, []
    made_up = _with_stand_ins(twin)
    for number, source in ((number, source) for kind, number, source in twin.items() if kind == "body" and source is not None and number):
        element = twin.elements[source.element]
        if number in made_up or element.tag != "body" or any(twin.elements[macro].tag == "composite" for macro, _k in source.copies):
            continue
        said = provenance(twin.resolver(element), element, "mass", model, ("body", number))
        if not said or "geom" not in said[0].text or "changed by" in said[0].text:
            continue
        total, (low, high) = 0.0, _inertia_groups(twin, element)
        for geom in np.flatnonzero((model.geom_bodyid == number) & (model.geom_group >= low) & (model.geom_group <= high)):
            of = model.links.source("geom", int(geom))
            part = next(iter(provenance(twin.resolver(twin.elements[of.element]), twin.elements[of.element], "mass", model, ("geom", int(geom)))), None)
            if part is None or any(twin.elements[macro].tag == "composite" for macro, _k in of.copies):
                total = np.nan      # geoms of a composite are written by it
                break
            total += part.value if part.layer == INFERRED and part.value is not None else float(part.text) if part.layer in (OWN, CLASS) else np.nan
        if np.isfinite(total):
            count += 1
            if abs(total - model.body_mass[number]) > 1e-9 * max(total, 1e-9):
                wrong.append(f"body {number} {model.names['body'][number]}: geoms of {total:.9g} kg, compiled {model.body_mass[number]:.9g}")
    return count, wrong


def _with_stand_ins(twin: Twin) -> set[int]:
    """Bodies that have a geom of a mesh for which another stands in."""
    model, places = twin.model, {issue.place for issue in twin.model.view_only}
    found = set()
    for geom in np.flatnonzero((model.geom_dataid >= 0) & (model.geom_type != GeomType.HFIELD)) if places else ():
        source = model.links.source("mesh", int(model.geom_dataid[geom]))
        mesh = twin.elements[source.element] if source is not None else None
        if mesh is not None and places & {mesh.place, *map(mesh.attr_place, mesh.attrs)}:
            found.add(int(model.geom_bodyid[geom]))
    return found


def _inertia_groups(twin: Twin, element: Element) -> tuple[float, float]:
    """Between which groups geoms count for inertia in the model that an element stands in."""
    said = [one.attrs["inertiagrouprange"].split() for one in twin.trees[twin.tree_of[element.id]].all("compiler") if "inertiagrouprange" in one.attrs]
    return (float(said[-1][0]), float(said[-1][1])) if said else (-np.inf, np.inf)


# ---------------------------------------------------------------- every attribute, by a plain walk through the text

def wrong_by_text(twin: Twin) -> tuple[int, list[str]]:
    """(how many attributes were looked at, what is wrong) of all attributes of all elements: own where the element writes it, of a class where that of the nearest class does."""
    count, wrong = 0, []
    for element, spec in twin.known():
        if spec.path.startswith("default") or spec.path in ("compiler", "option", "option/flag", "size", "statistic") or spec.path.startswith("visual"):
            continue
        resolver = twin.resolver(element)
        for attribute in spec.attributes:
            parts = provenance(resolver, element, attribute)
            if not parts or parts[0].layer == INFERRED:
                continue
            count += 1
            layer, source = _plainly(twin, element, spec.path, attribute)
            if (parts[0].layer, parts[0].element) != (layer, source) and parts[0].attribute == attribute:
                wrong.append(f"{element.tag} {element.name} at {element.place}, {attribute}: {parts[0].layer} {parts[0].place}, by the text {layer} {source and source.place}")
    return count, wrong


def _plainly(twin: Twin, element: Element, path: str, attribute: str) -> tuple[str, Element | None]:
    """The layer of the first component of an attribute, found by walking outwards through the tree."""
    if element.attrs.get(attribute, "").split() or attribute in element.attrs and attrs_of(twin.resolver(element), element).spec.attributes[attribute].type not in ("real", "int"):
        return OWN, element
    section = path.split("/")[0] if path.split("/")[0] in ("equality", "tendon", "actuator") else path.split("/")[1] if path.count("/") == 1 else ""
    if path not in _CLASSED and not path.startswith(("equality/", "tendon/", "actuator/")) or path.count("/") != 1:
        return DEFAULT, None
    chain = _chain(twin, _class_around(twin, element))
    tags = _ACTUATORS if section == "actuator" else (section,)
    for default in chain:   # innermost first
        for child in reversed(default):
            text = child.attrs.get(attribute) if child.tag in tags else None
            if text is not None and (text.split() or attrs_of(twin.resolver(element), element).spec.attributes[attribute].type not in ("real", "int")):
                return CLASS, child
    return DEFAULT, None


_CLASSED = frozenset({"body/joint", "body/geom", "body/site", "body/camera", "body/light", "asset/mesh", "asset/texture", "asset/material", "contact/pair"})


def _class_around(twin: Twin, element: Element) -> tuple[int, str]:
    tree, parents = twin.tree_of[element.id], _parents(twin)
    if element.attrs.get("class"):
        return tree, element.attrs["class"]
    node = parents.get(element.id)
    while node is not None:
        if node.attrs.get("childclass"):
            return tree, node.attrs["childclass"]
        if node.tag in ("frame", "replicate") and node.attrs.get("class"):
            return tree, node.attrs["class"]
        node = parents.get(node.id)
    return tree, "main"


def _parents(twin: Twin) -> dict[int, Element]:
    known = twin.__dict__.get("_parents")
    if known is None:
        known = twin.__dict__["_parents"] = {child.id: element for root in reversed(twin.trees) for element in root.walk() for child in element.children}
    return known


def _chain(twin: Twin, wanted: tuple[int, str]) -> list[list[Element]]:
    """What the elements of a class and of those around it hold, innermost first; main's may be in several sections."""
    tree, name = wanted
    parents, main = _parents(twin), [child for top in twin.trees[tree].all("default") for child in top.children]
    if name == "main":
        return [main]
    node = next((e for top in twin.trees[tree].all("default") for e in top.walk() if e.tag == "default" and e.attrs.get("class") == name), None)
    found: list[list[Element]] = []
    while node is not None and node.tag == "default":
        around = parents.get(node.id)
        if around is None or around.tag != "default":
            # a class is a copy of main as it stands after the section that it is written in
            sections = list(twin.trees[tree].all("default"))
            found.append([child for top in sections[:sections.index(node) + 1] for child in top.children])
            break
        found.append(list(node.children))
        node = around
    return found or [main]
