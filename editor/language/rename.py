"""Give an element another name everywhere: where it is declared and in all that refers to it, over all files, as one edit."""
from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from editor.edits.attribute_patches import escaped
from editor.edits.patch import Edit, Patch
from editor.language.references import line_of
from editor.language.symbols import NAME_LISTS, Symbol, Symbols
from editor.language.tags import OPEN, attributes, enclosing, plain_value, tag_at, tags

__all__ = ["RenameError", "Renaming", "rename"]


class RenameError(ValueError):
    """Why a name cannot be given, in words for the user."""


class Renaming(NamedTuple):
    """edit: the whole of it; changed: the places that it rewrites; left: places that name a copy, of an attached or replicated element, which is not rewritten."""

    edit: Edit
    changed: tuple[Symbol, ...]
    left: tuple[Symbol, ...]


def rename(texts: Mapping[str, str], symbols: Symbols, symbol: Symbol, new: str) -> Renaming:
    """Rename what a symbol declares or refers to. Raises RenameError for a name that is taken, says nothing, or belongs to no element of the texts."""
    new = new.strip()
    kind = "class" if symbol.namespace == "default" else symbol.namespace
    if not new:
        raise RenameError(f"A {kind} needs a name")
    if new == symbol.name:
        raise RenameError(f"The {kind} is called '{new}' already")
    if re.search(r"\s", new) and any((one.tag, one.attribute) in {(path.rpartition("/")[2], name) for path, name in NAME_LISTS} for one in symbols.of(symbol.file, symbol.namespace, symbol.name)):
        raise RenameError("It is named in a list, which has white space between names")
    every = symbols.of(symbol.file, symbol.namespace, symbol.name)
    if not any(one.declares for one in every):
        raise RenameError(f"No element of the texts is the {kind} '{symbol.name}'")
    reserved = {("body", "world"): "the world body", ("default", "main"): "the outermost default class"}.get((symbol.namespace, new))
    if reserved is not None:
        raise RenameError(f"'{new}' is the name of {reserved}")
    taken = symbols.declared(symbol.file, symbol.namespace).get(new)
    if taken is not None:
        raise RenameError(f"The {kind} name '{new}' is already used: {line_of(taken.file, texts[taken.file], taken.start, taken.end).title}")
    patches = tuple(_patch(texts[one.file], one, new) for one in every)
    return Renaming(Edit(f"Rename {kind} {symbol.name} to {new}", patches), tuple(every), tuple(_copies(texts, symbols, symbol)))


def _patch(text: str, symbol: Symbol, new: str) -> Patch:
    if symbol.by_file:      # the file keeps its name, the element gets one
        at = tag_at(text, symbol.tag_start).name_end
        return Patch(symbol.file, at, at, f' name="{escaped(new)}"')
    return Patch(symbol.file, symbol.start, symbol.end, escaped(new, _quote(text, symbol.start)))


def _quote(text: str, at: int) -> str:
    """The quote that a place within a value is inside of."""
    tag = tag_at(text, text.rfind("<", 0, at))
    return next(one.quote for one in attributes(text, tag) if one.quote and one.value <= at <= one.value_end)


def _copies(texts: Mapping[str, str], symbols: Symbols, symbol: Symbol) -> list[Symbol]:
    """References to copies of an element: with the prefix of an attach before its name, or a replicate's number behind it."""
    prefixes: set[str] = set()
    separators: set[str] = set()
    for file, found in symbols.files.items():
        for node in found.nodes:
            if node.tag == "attach" and node.spec is not None:
                prefixes |= {plain_value(texts[file][one.value:one.value_end]) for one in attributes(texts[file], tag_at(texts[file], node.start)) if one.name == "prefix"}
    for one in symbols.of(symbol.file, symbol.namespace, symbol.name):
        if one.declares:
            text = texts[one.file]
            for tag in enclosing(tags(text, 0, one.tag_start)):
                if tag.name == "replicate" and tag.kind == OPEN:
                    separators.add(next((plain_value(text[a.value:a.value_end]) for a in attributes(text, tag) if a.name == "sep"), ""))
    numbered = "|".join(re.escape(sep) for sep in sorted(separators))
    prefixed = "|".join(re.escape(prefix) for prefix in sorted(prefixes - {""}))
    if not separators and not prefixed:
        return []
    behind = rf"(?:(?:{numbered})\d+)*" if separators else ""
    pattern = re.compile(rf"(?:{prefixed})?{re.escape(symbol.name)}{behind}" if prefixed else rf"{re.escape(symbol.name)}{behind}")
    return [one for found in symbols.files.values() for one in found.symbols
            if not one.declares and one.namespace == symbol.namespace and one.name != symbol.name and pattern.fullmatch(one.name)]
