"""Check a tree against the language's table: what may stand where, types, counts, keywords, required and exclusive attributes.

Also says by name what we do not build yet (support.py). Nothing here looks at meaning that spans elements: names are checked in
spec/names.py, values against each other in the compiler.
"""

from __future__ import annotations

import math
from collections import defaultdict
from difflib import get_close_matches
from functools import lru_cache

from physics.errors import Issue, Place
from physics.schema import schema
from physics.schema.numbers import LONG, parse
from physics.schema.schema import AttributeSpec, ElementSpec, Support
from physics.spec.element import Element
from physics.spec.names import check_names

__all__ = ["ElementChecks", "check_tree", "closest"]

MAX_ISSUES = 1000  # beyond this more messages help nobody
MAX_SUGGESTIONS = 50  # looking for a word that is like another takes milliseconds
_ANY_TEXT = frozenset({"id", "ref", "str", "file", "dir"})   # types of attributes that may say anything
_INTERVALS = frozenset({"range", "ctrlrange", "forcerange", "actrange", "actuatorfrcrange", "actuatorforcerange", "posrange", "velrange", "ffrange",
                        "springlength", "lengthrange"})
_VIEW_HINT = "The model opens for viewing only"


def closest(word: str, known) -> str:
    """'Did you mean ...?' for a misspelled word, '' when nothing is near."""
    lower = {name.lower(): name for name in known}
    if word.lower() in lower:
        return f"Did you mean '{lower[word.lower()]}'?"
    near = get_close_matches(word.lower(), lower, n=1, cutoff=0.6)
    return f"Did you mean '{lower[near[0]]}'?" if near else ""


class _Check:
    """One pass over a tree; `trail` is the path from the root, for messages."""

    def __init__(self) -> None:
        self.issues: list[Issue] = []
        self.refused: Element | None = None  # refusing an element once is enough
        self.suggested = 0
        self.sound: dict[ElementSpec, set[tuple[str, str]]] = defaultdict(set)   # attributes there was nothing to say of: (name, text)
        self.fitting: dict[ElementSpec, set[tuple[str, ...]]] = defaultdict(set)   # names of attributes that keep all rules
        self.trail: list[tuple[Element, int]] = []  # element, place among same-named siblings (0: the only one)

    def path(self) -> str:
        parts = []
        for element, number in self.trail:
            label = element.name or (str(number) if number else "")
            parts.append(f"{element.tag}[{label}]" if label else element.tag)
        return "/".join(parts)

    def report(self, severity: str, place: Place, what: str, hint: str = "") -> None:
        self.issues.append(Issue(severity, place, self.path(), what, hint))

    def suggest(self, word: str, known) -> str:
        """'Did you mean ...?', for the first so many misspelled words."""
        self.suggested += 1
        return closest(word, known) if self.suggested <= MAX_SUGGESTIONS else ""

    def run(self, root: Element, references: bool = True) -> list[Issue]:
        spec = self._root(root)
        if spec is None:
            return self.issues
        stack: list[tuple[Element, ElementSpec, int, int]] = [(root, spec, 0, 0)]
        while stack and len(self.issues) < MAX_ISSUES:
            element, spec, depth, number = stack.pop()
            del self.trail[depth:]
            self.trail.append((element, number))
            self.element(element, spec)
            if element.children:
                stack.extend(reversed(self._children(element, spec, depth + 1)))
        check_names(root, self.issues, references)
        return self.issues

    def _root(self, root: Element) -> ElementSpec | None:
        self.trail = [(root, 0)]
        if root.tag != "mujoco":
            self.report("error", root.place, f"a model starts with <mujoco> or <robot>, not <{root.tag}>", closest(root.tag, ["mujoco"]))
            return None
        return schema.lookup("mujoco")

    def _children(self, element: Element, spec: ElementSpec, depth: int) -> list[tuple[Element, ElementSpec, int, int]]:
        """Known children with their specs and sibling numbers; unknown and repeated ones are reported."""
        totals: dict[str, int] = {}
        for child in element.children:
            totals[child.tag] = totals.get(child.tag, 0) + 1
        seen: dict[str, int] = {}
        found = []
        for child in element.children:
            tag = child.tag
            seen[tag] = number = seen.get(tag, 0) + 1
            number = number if totals[tag] > 1 else 0
            known = schema.child_spec(spec.path, tag)
            if known is None and (spec.path, tag) == ("mujoco", "body"):
                known = schema.lookup("body")   # a part to be included, opened by itself: 4.0 reads it and leaves it out
                self.trail.append((child, number))
                self.report("warning", child.place, "a <body> outside <worldbody> is left out", "Put it in <worldbody>")
                self.trail.pop()
            if known is None:
                self._unknown(child, spec, number)
                continue
            if number > 1 and known.cardinality in "?!":
                self.trail.append((child, number))
                self.report("error", child.place, f"<{tag}> may stand only once in <{element.tag}>")
                self.trail.pop()
            found.append((child, known, depth, number))
        return found

    def _unknown(self, child: Element, parent: ElementSpec, number: int) -> None:
        self.trail.append((child, number))
        where = parent.path if parent.path in ("body", "worldbody") else parent.path.rpartition("/")[2]
        gone = schema.removed(f"{parent.path}/{child.tag}") or schema.removed(f"body/{child.tag}")
        if gone:
            self.report("error", child.place, f"'{child.tag}' is no longer part of MJCF", gone)
        elif homes := _homes(child.tag):
            self.report("error", child.place, f"<{child.tag}> may not stand in <{where}>", f"It belongs in {homes}")
        else:
            self.report("error", child.place, f"unknown element <{child.tag}> in <{where}>", self.suggest(child.tag, parent.children))
        self.trail.pop()

    def element(self, element: Element, spec: ElementSpec) -> None:
        """Check one element's attributes and say what of it is not supported."""
        for limit in spec.limits:
            self._limit(limit, element.place, f"<{element.tag}> is no longer part of MJCF" if limit.level == "legacy" else f"{limit.what} are not supported yet")
        if spec.path == "worldbody" and element.attrs:
            self.report("error", element.place, "the world body cannot have attributes")
            return
        attrs, sound = element.attrs, self.sound[spec]
        items = attrs.items()
        if not items <= sound:
            for item in items:
                if item not in sound and len(self.issues) < MAX_ISSUES and self._attribute(element, spec, *item):
                    sound.add(item)
        for attribute in _required(spec):
            if not _present(element, attribute) and not _optional(spec, attribute, self.trail):
                self.report("error", element.place, f"attribute '{attribute.name}' is missing")
        if spec.rules and (names := tuple(attrs)) not in self.fitting[spec]:
            if all([self._rule(element, kind, units) for kind, units in spec.rules]):
                self.fitting[spec].add(names)

    def _attribute(self, element: Element, spec: ElementSpec, name: str, text: str) -> bool:
        """Whether there was nothing to say of an attribute."""
        attribute = spec.attributes.get(name)
        if attribute is None:
            self._unknown_attribute(element, spec, name)
            return False
        return (attribute.type in _ANY_TEXT and not attribute.limits) or self._value(element, attribute, text)

    def _limit(self, limit: Support, place: Place, what: str) -> None:
        if limit.level == "view":
            self.report("view", place, what, _VIEW_HINT)
        elif limit.level == "refused" and self.refused is not self.trail[-1][0]:
            self.refused = self.trail[-1][0]
            self.report("error", place, what)
        elif limit.level in ("legacy", "instead"):
            self.report("warning", place, what, limit.what)

    def _unknown_attribute(self, element: Element, spec: ElementSpec, name: str) -> None:
        gone = schema.removed(spec.path, name)
        if spec.path == "mujoco" and (name == "xmlns" or ":" in name):
            self.report("warning", element.attr_place(name), f"the namespace attribute '{name}' is ignored", "MJCF has no namespaces: take it out")
        elif gone:
            self.report("error", element.attr_place(name), f"attribute '{name}' is no longer part of MJCF", gone)
        else:
            # the official reader does not look for strangers in these two, nor in what they hold
            severity = "warning" if any(around.tag in ("frame", "replicate") for around, _number in self.trail) else "error"
            self.report(severity, element.attr_place(name), f"unknown attribute '{name}' in <{element.tag}>", self.suggest(name, spec.attributes))

    def _value(self, element: Element, attribute: AttributeSpec, text: str) -> bool:
        """Whether there was nothing to say of a value."""
        value, problem, odd, warning = (_read if len(text) < LONG else _read_anew)(attribute, text)
        no_turn = _no_turn(attribute, value)
        if problem:
            hint = self.suggest(text.strip(), attribute.values) if attribute.values else ""
            self.report("error", element.attr_place(attribute.name), f"attribute '{attribute.name}': {problem}", hint)
        elif odd:
            self.report("error", element.attr_place(attribute.name), f"attribute '{attribute.name}': {odd} cannot be used here")
        elif no_turn:
            self.report("error", element.attr_place(attribute.name), f"'{attribute.name}' has no direction: its length is 0", "Write 1 0 0 0 for no turn")
        elif warning:
            self.report("warning", element.attr_place(attribute.name), f"attribute '{attribute.name}': {warning}")
        limits = [limit for limit in attribute.limits if value is not None and _holds(limit.condition, value)]
        for limit in limits:
            shown = f"{attribute.name}=\"{text}\"" if limit.condition else f"attribute '{attribute.name}'"
            what = f"{limit.what} ({shown}) not supported yet"
            if limit.level == "legacy":
                what = f"{shown} is no longer part of MJCF"
            elif limit.level == "instead":
                what = f"{shown} changes nothing here"
            self._limit(limit, element.attr_place(attribute.name), what)
        return not (problem or odd or no_turn or warning or limits)

    def _rule(self, element: Element, kind: str, units: tuple[tuple[str, ...], ...]) -> bool:
        """Whether an element keeps a rule, which takes no more than the names of its attributes."""
        attrs = element.attrs
        given = [unit for unit in units if any([name in attrs for name in unit])]
        if kind == "exclusive" and len(given) < 2:
            return True
        names = " or ".join("+".join(unit) for unit in units)
        if kind == "exclusive":
            first, second = ("+".join(name for name in unit if name in attrs) for unit in given[:2])
            place = element.attr_place(next(name for name in given[1] if name in attrs))
            self.report("error", place, f"'{first}' and '{second}' cannot both be given", f"Use one of {names}")
        elif kind == "oneof" and not any(all(name in attrs for name in unit) for unit in units):
            self.report("error", element.place, f"one of {names} must be given")
        elif kind == "together" and 0 < len(given) < len(units):
            self.report("error", element.place, f"{names.replace(' or ', ' and ')} must be given together")
        else:
            return True
        return False


def _read_anew(attribute: AttributeSpec, text: str) -> tuple:
    """(value, problem, the part that cannot be used, warning) of an attribute's text."""
    value, problem, warning = parse(attribute, text)
    return value, problem, "" if problem else _unusable(attribute, value), warning


_read = lru_cache(maxsize=32768)(_read_anew)


@lru_cache(maxsize=None)
def _required(spec: ElementSpec) -> tuple[AttributeSpec, ...]:
    return tuple(attribute for attribute in spec.attributes.values() if attribute.required)


def _unusable(attribute: AttributeSpec, value) -> str:
    """'nan' or 'inf' in a value that must be finite, '' otherwise; what a user's own numbers mean is the user's business.

    The end of an interval may be infinite: there is no limit at that end. So may a sensor's cutoff: nothing is cut off.
    """
    if attribute.type != "real" or value is None or attribute.name in ("user", "data"):
        return ""
    values = [value] if attribute.scalar else value.tolist()
    if all(map(math.isfinite, values)) or (attribute.name in _INTERVALS and not attribute.scalar and not any(map(math.isnan, values))):
        return ""
    if attribute.name == "cutoff" and attribute.path.startswith("sensor/") and value == math.inf:
        return ""
    return "nan" if any(map(math.isnan, values)) else "inf"


def _no_turn(attribute: AttributeSpec, value) -> bool:
    """Whether it is a quaternion of zeros, wherever it stands and whether or not anything uses it."""
    return attribute.name == "quat" and value is not None and len(value) == 4 and not any(value.tolist())


def _present(element: Element, attribute: AttributeSpec) -> bool:
    """Given, and not an empty list of numbers, which counts as left out; nor an empty name, where that will not do."""
    text = element.attrs.get(attribute.name)
    return text is not None and (bool(text.split()) or (attribute.type not in ("real", "int") and attribute.path not in ("default", "asset/material")))


def _optional(spec: ElementSpec, attribute: AttributeSpec, trail) -> bool:
    """True where the table's 'required' does not apply: only nested default classes need a name."""
    return spec.path == "default" and attribute.name == "class" and len(trail) == 2


def _holds(condition: str, value) -> bool:
    if not condition:
        return True
    if condition == "nonzero":
        return bool((value != 0).any()) if hasattr(value, "any") else bool(value != 0)
    words = condition.split("|")
    if isinstance(value, bool):
        return bool(value) == (words[0] in ("true", "enable"))
    return value in words


def _homes(tag: str) -> str:
    """Where a known tag may stand, in words; '' for a tag MJCF does not have."""
    homes = [path.rpartition("/")[0] or "mujoco" for path in schema.paths() if path.rpartition("/")[2] == tag]
    homes = [home for home in dict.fromkeys(homes) if home != "default"]
    return " or ".join(f"<{home}>" for home in homes[:4])


def check_tree(root: Element, references: bool = True) -> list[Issue]:
    """All problems of a tree that the language's table and its names can tell. references: whether names it refers to must exist in it."""
    return _Check().run(root, references)


class ElementChecks:
    """What the language's table can tell of the attributes of elements, wherever they stand. What several of them say alike is looked at once."""

    def __init__(self) -> None:
        self._check = _Check()

    def issues(self, element: Element, path: str) -> list[Issue]:
        """Of one of them. path: in the table."""
        check = self._check
        check.issues, check.trail, check.refused, check.suggested = [], [(element, 0)], None, 0
        check.element(element, schema.lookup(path))
        return check.issues
