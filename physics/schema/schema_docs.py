"""Words for people about the language: the texts of docs_elements.py, docs_attributes.py and docs_legacy.py put together with the table's facts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from physics.schema.docs_attributes import ATTRIBUTES
from physics.schema.docs_elements import ELEMENTS
from physics.schema.docs_legacy import LEGACY_ATTRIBUTES, LEGACY_ELEMENTS
from physics.schema.schema import AttributeSpec, ElementSpec, lookup

__all__ = ["attribute_words", "describe", "element_text"]

_TYPE_WORDS = MappingProxyType({
    "id": "name", "ref": "name of a", "str": "text", "file": "file", "dir": "folder", "eulerseq": "three of x y z X Y Z",
})


@lru_cache(maxsize=1)
def _elements() -> Mapping[str, str]:
    rows = (line.split(" | ", 1) for line in (ELEMENTS + LEGACY_ELEMENTS).splitlines())
    return MappingProxyType({key: text for key, text in rows})


@lru_cache(maxsize=1)
def _attributes() -> Mapping[str, tuple[str, str]]:
    rows = ([part.strip() for part in line.split("|", 2)] for line in (ATTRIBUTES + LEGACY_ATTRIBUTES).splitlines())
    return MappingProxyType({key: (unit, text) for key, unit, text in rows})


def _homes(path: str) -> tuple[str, ...]:
    """Paths whose words serve an element: its own, then what a default section is the default of."""
    if not path.startswith("default/"):
        return (path,)
    tail = path.removeprefix("default/")
    return (path, f"body/{tail}", f"asset/{tail}", f"actuator/{tail}", f"contact/{tail}", f"tendon/{'spatial' if tail == 'tendon' else tail}")


def element_text(spec: ElementSpec) -> str:
    """A line on an element."""
    known = _elements()
    if spec.path.startswith("default/") and spec.path not in known:
        return f"what every {spec.tag} of the class starts from"
    if spec.tag == "plugin":
        return known.get(spec.path, "a plugin used here")
    return known.get(spec.path) or ("a setting of the plugin" if spec.tag == "config" else "")


def attribute_words(spec: AttributeSpec) -> tuple[str, str]:
    """(unit, a line of text) of an attribute, '' for what it has not."""
    known = _attributes()
    for home in _homes(spec.path):
        if (found := known.get(f"{home}@{spec.name}")) is not None:
            return found
    if spec.path == "visual/rgba" and spec.name not in known:
        return "", f"colour of {spec.name}"
    return known.get(spec.name, ("", ""))


def _kind(spec: AttributeSpec) -> str:
    """Type and count in words: '3 real', '1 to 3 real', 'one of a, b', 'name of a geom'."""
    if spec.type in ("real", "int"):
        return spec.type if spec.scalar else f"{spec.arity} {spec.type}"
    if spec.values:
        return ("some of " if spec.type == "words" else "one of ") + ", ".join(spec.values)
    return _TYPE_WORDS[spec.type] + (f" {spec.namespace}" if spec.type == "ref" else "")


def describe(path: str, attribute: str = "") -> str:
    """What an element or attribute is, for tooltips: name, type, allowed values, unit, default and a line of text; '' for what the language lacks."""
    spec = lookup(path)
    if spec is None:
        return ""
    if not attribute:
        note = "" if spec.support == "full" else f" ({spec.reason}: not supported yet)"
        if spec.support == "legacy":
            note = f" (no longer part of MJCF. {spec.reason})"
        return f"{spec.tag}: {element_text(spec)}{note}"
    known = spec.attributes.get(attribute)
    if known is None:
        return ""
    unit, text = attribute_words(known)
    facts = [_kind(known)]
    if unit:
        facts.append(f"in {unit}")
    if known.default is not None:
        facts.append(f"default {known.default}")
    if known.required:
        facts.append("required")
    return f"{attribute}: {', '.join(facts)}\n{text}"
