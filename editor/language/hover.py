"""What a word of a text means: type, default, unit and meaning of an element or attribute, the value in force and where that comes from, what a name stands for."""
from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import groupby

from editor.language.places import ATTRIBUTE, CLOSING, ELEMENT, VALUE, CaretPlace, caret_place
from editor.language.symbols import Symbols, child_of, spec_along
from physics.compiler.provenance import INFERRED, OWN, Provenance, provenance
from physics.schema import schema
from physics.schema.schema_docs import describe
from physics.spec.defaults import Resolver
from physics.spec.element import Element

__all__ = ["help_at", "in_force"]

LONGEST = 12    # parts of a value that are told


def help_at(text: str, offset: int, file: str, symbols: Symbols, resolver: Resolver | None = None) -> str:
    """Lines on what stands at a place of a file; '' for what the language does not know. resolver: of the tree that the present texts read as, None where they are no XML."""
    place = caret_place(text, _word_end(text, offset))
    if place.tag is None or not place.tag.name and place.kind != CLOSING:
        return ""
    if place.kind == CLOSING:
        return f"ends <{place.open[-1]}>" if place.open else ""
    root = symbols.roots.get(file)
    spec = child_of(spec_along(root, place.open), place.tag.name) if place.open else spec_along(root, (place.tag.name,))
    if spec is None:
        return ""
    if place.kind == ELEMENT:
        return describe("include" if place.tag.name == "include" else spec.path)
    attribute = _attribute_of(place)
    if not attribute:
        return ""
    lines = [describe(spec.path, attribute) or schema.removed(spec.path, attribute)]
    if place.kind == VALUE and (symbol := symbols.at(file, offset)) is not None:
        lines += _meant(symbols, symbol)
    if resolver is not None and (found := _element_at(resolver.root, file, place.tag.start)) is not None:
        lines += in_force(resolver, found, attribute)
    return "\n".join(line for line in lines if line)


def _word_end(text: str, offset: int) -> int:
    """Behind the letter that the pointer is over, so that the first of a word counts as in it."""
    return offset + 1 if offset < len(text) and not text[offset].isspace() and text[offset] not in "<>=\"'" else offset


def _attribute_of(place: CaretPlace) -> str:
    if place.kind == VALUE:
        return place.attribute.name
    if place.kind == ATTRIBUTE:
        return next((one.name for one in place.attributes if one.start <= place.start <= one.name_end), "")
    return ""


def _meant(symbols: Symbols, symbol) -> Iterator[str]:
    """What a name stands for."""
    every = symbols.of(symbol.file, symbol.namespace, symbol.name)
    users = sum(not one.declares for one in every)
    kind = "class" if symbol.namespace == "default" else symbol.namespace
    if symbol.declares:
        yield f"{kind} '{symbol.name}': {users} reference{'s' * (users != 1)}"
        return
    first = next((one for one in every if one.declares), None)
    if first is not None:
        yield f"{kind} '{symbol.name}': <{first.tag}> in {os.path.basename(first.file)}"


def _element_at(root: Element, file: str, start: int) -> Element | None:
    return next((element for element in root.walk() if element.origin.start == start and element.origin.file == file), None)


def in_force(resolver: Resolver, element: Element, attribute: str) -> list[str]:
    """The value of an attribute that holds for an element, and where each part of it comes from: its own text, a default class, a rule of the compiler, the language."""
    try:
        parts = provenance(resolver, element, attribute)
    except (KeyError, ValueError):
        return []
    if not any(part.text for part in parts):
        return []
    groups = [(origin, list(those)) for origin, those in groupby(parts[:LONGEST], lambda part: _origin(part, element))]
    more = f" ... ({len(parts)} in all)" * (len(parts) > LONGEST)
    if len(groups) == 1 and parts[0].layer != INFERRED:
        origin, those = groups[0]
        return [f"in force: {' '.join(part.text for part in those)}{more} ({origin}{_covered(resolver, element, attribute)})"]
    told = [f"{' '.join(part.text for part in those)} ({origin})" if those[0].layer != INFERRED else f"{origin}: {those[0].text}" for origin, those in groups]
    return ["in force: " + ", ".join(told) + more]


def _origin(part: Provenance, element: Element) -> str:
    """Where a part of a value comes from, in words."""
    if part.layer == INFERRED:
        return f"by {part.name}"
    if part.element is None:
        return "the language's default"
    place = f"{os.path.basename(part.element.origin.file)}:{part.element.origin.line}"
    if part.layer == OWN:
        return "written here" if part.element is element else f"written in {place}"
    return f"from class '{part.name}', {place}"


def _covered(resolver: Resolver, element: Element, attribute: str) -> str:
    """What a text that is written here takes the place of."""
    if attribute not in element.attrs:
        return ""
    under = [layer for layer in resolver.attrs(element).layers[:-1] if attribute in layer.attrs and layer is not element]
    parent = resolver.parent(under[-1]) if under else None
    name = parent.attrs.get("class", "") if parent is not None else ""
    return f", in place of {under[-1].attrs[attribute]} of class '{name or 'main'}'" if under else ""
