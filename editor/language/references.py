"""Where a name is declared and used, over all files of a document; what a value that names a file leads to."""
from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from editor.edits.version import Version
from editor.language.files import located
from editor.language.places import VALUE, caret_place
from editor.language.symbols import Symbol, Symbols, included_key
from physics.mjcf.xml import TextIndex

__all__ = ["Line", "Target", "definition", "element_of", "line_of", "lines_of", "references", "symbol_at"]


class Line(NamedTuple):
    """A place for a list: start, end in the text of a file; line, column from 1; text: of the line, without the white space around it."""

    file: str
    start: int
    end: int
    line: int
    column: int
    text: str

    @property
    def title(self) -> str:
        """File and line."""
        return f"{os.path.basename(self.file)}:{self.line}"


class Target(NamedTuple):
    """Where a word leads: a place of a file of the document, or, with start -1, a file that is none of its texts; problem: why nowhere."""

    file: str
    start: int
    end: int
    problem: str = ""


def line_of(file: str, text: str, start: int, end: int, index: TextIndex | None = None) -> Line:
    """The line of a place. index: of the text, where there are several."""
    index = index or TextIndex(text)
    line, column = index.line_column(start)
    begin = index.offset(line, 1)
    stop = index.offset(line + 1, 1) if line < index.lines else len(text)
    return Line(file, start, end, line, column, text[begin:stop].strip())


def lines_of(texts: Mapping[str, str], places) -> list[Line]:
    """Lines of (file, start, end, ...)."""
    indices = {file: TextIndex(texts[file]) for file in dict.fromkeys(place[0] for place in places)}
    return [line_of(file, texts[file], start, end, indices[file]) for file, start, end, *_ in places]


def symbol_at(texts: Mapping[str, str], file: str, offset: int, symbols: Symbols) -> Symbol | None:
    """The name at a place: of a value, or of the element whose tag it is in."""
    found = symbols.at(file, offset)
    if found is not None:
        return found
    place = caret_place(texts[file], offset)
    if place.tag is None or place.kind == VALUE:
        return None
    return next((symbol for symbol in symbols.files[file].symbols if symbol.declares and symbol.tag_start == place.tag.start), None) if file in symbols.files else None


def element_of(version: Version, symbols: Symbols, symbol: Symbol) -> int | None:
    """The id of the element that a name declares, or refers to; None where no element of the model has it. version: of the same texts."""
    declares = symbol if symbol.declares else next((one for one in symbols.of(symbol.file, symbol.namespace, symbol.name) if one.declares), None)
    version.trees()     # so that those of attached models are known
    number = version.ids.get(declares.file, {}).get(declares.tag_start) if declares is not None else None
    return number if number is not None and version.element(number) is not None else None


def definition(texts: Mapping[str, str], file: str, offset: int, symbols: Symbols) -> Target | None:
    """Where what stands at a place is defined: the element of that name, the file of that name. None where nothing is named there."""
    place = caret_place(texts[file], offset)
    if place.kind == VALUE and place.tag is not None and place.attribute.name.startswith("file"):
        return _file_target(texts, file, place, symbols)
    symbol = symbols.at(file, offset)
    if symbol is None:
        return None
    every = symbols.of(file, symbol.namespace, symbol.name)
    found = next((one for one in every if one.declares), None)
    if found is not None:
        return Target(found.file, found.start, found.end)
    kind = "class" if symbol.namespace == "default" else symbol.namespace
    return Target(file, -1, -1, f"There is no {kind} named '{symbol.name}' in the texts")


def _file_target(texts: Mapping[str, str], file: str, place, symbols: Symbols) -> Target:
    value = texts[file][place.attribute.value:place.attribute.value_end]
    main = symbols.models.get(file, symbols.main)
    if place.tag.name == "include":
        key = included_key(texts, main, file, value)
        if key is not None:
            return Target(key, 0, 0)
    paths = located(place.tag.name, value, file, main, symbols.settings(file))
    there = next((path for path in paths if os.path.isfile(path)), None)
    if there in texts:
        return Target(there, 0, 0)
    return Target(there, -1, -1) if there is not None else Target(paths[0], -1, -1, f"There is no file {paths[0]}")


def references(symbols: Symbols, symbol: Symbol) -> list[Symbol]:
    """All places of a name, those that declare it first."""
    return sorted(symbols.of(symbol.file, symbol.namespace, symbol.name), key=lambda one: not one.declares)
