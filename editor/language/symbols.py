"""What the texts of a document name, and where they refer to names: found by a scan, so that it is known of texts that are no XML at the moment, too.

    Symbols.of(texts, main) -> declarations and references of all files        by namespace and name, as physics/spec/names.py has them of a tree

Files that include each other share their names; a model that is attached has its own.
"""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import NamedTuple

from editor.language.tags import CLOSE, EMPTY, OPEN, AttributeText, attributes, plain_value, tags
from physics.schema import schema
from physics.schema.schema import ElementSpec
from physics.spec.asset_folders import AssetFolders
from physics.spec.names import FILE_NAMED, OBJECT_NAMESPACE

__all__ = ["NAME_LISTS", "FileSymbols", "Symbol", "Symbols", "SymbolReader", "spec_along", "child_of"]

NAME_LISTS = MappingProxyType({("deformable/flex", "body"): "body", ("deformable/flex", "node"): "body"})    # attributes that list several names
TYPE_OF_OBJECT = MappingProxyType({"objname": "objtype", "refname": "reftype"})


class Symbol(NamedTuple):
    """A name where it stands. start, end: of the characters between the quotes, or of its word in a list; declares: whether the element has that name, else it refers to it.

    by_file: the element has no name of its own and goes by that of its file, which stands there. tag, tag_start: of the element.
    """

    file: str
    namespace: str
    name: str
    start: int
    end: int
    declares: bool
    tag: str
    attribute: str
    tag_start: int
    by_file: bool = False


class Node(NamedTuple):
    """An opening tag: of the element `number` of a file, inside that with the number `parent` (-1: the outermost), which the language knows as `spec`, None for none it knows."""

    tag: str
    name: str
    start: int
    parent: int
    spec: ElementSpec | None


@dataclass(frozen=True, slots=True)
class FileSymbols:
    """Of one file: its symbols in their order, its elements, the files it includes with what the include stands in, the folders it sets."""

    symbols: tuple[Symbol, ...]
    nodes: tuple[Node, ...]
    includes: tuple[tuple[str, ElementSpec | None], ...]
    settings: AssetFolders


def child_of(spec: ElementSpec | None, tag: str) -> ElementSpec | None:
    """What the language has of a tag inside an element; None for nothing. An include is known everywhere."""
    if tag == "include":
        return schema.lookup("include")
    return schema.child_spec(spec.path, tag) if spec is not None else None


def spec_along(root: ElementSpec | None, names: Iterable[str]) -> ElementSpec | None:
    """What the language has of the innermost of some elements inside each other. root: of the outermost; None: it is a model's."""
    names = tuple(names)
    if not names:
        return None
    spec = root if root is not None else schema.lookup("mujoco") if names[0] == "mujoco" else None
    for name in names[1:]:
        spec = child_of(spec, name)
    return spec


def read_symbols(text: str, file: str, root: ElementSpec | None) -> FileSymbols:
    """Everything named in a text. root: what the outermost element stands for: that of a model (None), or for an included file what the include stands in."""
    symbols: list[Symbol] = []
    nodes: list[Node] = []
    includes: list[tuple[str, ElementSpec | None]] = []
    settings = AssetFolders()
    stack: list[tuple[str, ElementSpec | None, int]] = []
    for tag in tags(text):
        if tag.kind == CLOSE:
            depth = next((i for i in range(len(stack) - 1, -1, -1) if stack[i][0] == tag.name), -1)
            if depth >= 0:
                del stack[depth:]
            continue
        if tag.kind not in (OPEN, EMPTY) or not tag.name:
            continue
        around = stack[-1][1] if stack else None
        spec = child_of(around, tag.name) if stack else spec_along(root, (tag.name,))
        given = attributes(text, tag)
        label = next((one for one in given if one.name == ("class" if tag.name == "default" else "name") and one.quote), None)
        nodes.append(Node(tag.name, plain_value(text[label.value:label.value_end]) if label is not None else "", tag.start, stack[-1][2] if stack else -1, spec))
        if tag.name == "include" and stack:
            includes += [(plain_value(text[one.value:one.value_end]), around) for one in given if one.name == "file" and one.quote]
        elif spec is not None:
            symbols += _named(text, file, tag.name, tag.start, spec, given, not stack or len(stack) == 1)
            if spec.path == "compiler":
                settings = settings.then({one.name: plain_value(text[one.value:one.value_end]) for one in given if one.quote})
        if tag.kind == OPEN and tag.complete:
            stack.append((tag.name, spec, len(nodes) - 1))
    return FileSymbols(tuple(symbols), tuple(nodes), tuple(includes), settings)


def _named(text: str, file: str, tag: str, start: int, spec: ElementSpec, given: list[AttributeText], outermost: bool) -> list[Symbol]:
    """Names and references of one tag."""
    found: list[Symbol] = []
    named = False
    for one in given:
        known = spec.attributes.get(one.name)
        if not one.quote or known is None:
            continue
        value = plain_value(text[one.value:one.value_end])
        if known.type == "id" and one.name == ("class" if spec.path == "default" else "name"):
            named = named or bool(value)
            if value and not (spec.path == "default" and outermost and value == "main"):
                found.append(Symbol(file, known.namespace, value, one.value, one.value_end, True, tag, one.name, start))
        elif known.type == "ref" and value:
            found.append(Symbol(file, known.namespace, value, one.value, one.value_end, False, tag, one.name, start))
        elif one.name in TYPE_OF_OBJECT and TYPE_OF_OBJECT[one.name] in spec.attributes:
            kind = next((plain_value(text[other.value:other.value_end]) for other in given if other.name == TYPE_OF_OBJECT[one.name] and other.quote), "")
            if kind in OBJECT_NAMESPACE and value:
                found.append(Symbol(file, OBJECT_NAMESPACE[kind], value, one.value, one.value_end, False, tag, one.name, start))
        elif spec.path == "body/attach" and one.name in ("body", "frame") and value and all(other.name != "model" for other in given):
            found.append(Symbol(file, one.name, value, one.value, one.value_end, False, tag, one.name, start))
        elif (spec.path, one.name) in NAME_LISTS:
            at = one.value
            for word in text[one.value:one.value_end].split():
                at = text.index(word, at)
                found.append(Symbol(file, NAME_LISTS[spec.path, one.name], plain_value(word), at, at + len(word), False, tag, one.name, start))
                at += len(word)
    if not named and spec.path in FILE_NAMED:
        for one in given:
            stem = PurePosixPath(plain_value(text[one.value:one.value_end]).replace("\\", "/")).stem if one.name == "file" and one.quote else ""
            if stem:
                found.append(Symbol(file, spec.attributes["name"].namespace, stem, one.value, one.value_end, True, tag, "file", start, True))
    return found


@dataclass(frozen=True, slots=True)
class Symbols:
    """files: of all files by key; roots: what the outermost element of an included file stands for; models: by file, the main file of the model that it belongs to."""

    main: str
    files: Mapping[str, FileSymbols]
    roots: Mapping[str, ElementSpec | None]
    models: Mapping[str, str]
    _index: dict[tuple[str, str, str], list[Symbol]] = field(default_factory=dict, repr=False)

    def _known(self) -> dict[tuple[str, str, str], list[Symbol]]:
        if not self._index:
            for file, found in self.files.items():
                for symbol in found.symbols:
                    self._index.setdefault((self.models[file], symbol.namespace, symbol.name), []).append(symbol)
        return self._index

    def of(self, file: str, namespace: str, name: str) -> list[Symbol]:
        """Where a name stands in the model that a file belongs to."""
        return list(self._known().get((self.models.get(file, self.main), namespace, name), ()))

    def declared(self, file: str, namespace: str) -> dict[str, Symbol]:
        """The names of a namespace in the model that a file belongs to, each where it is declared first."""
        model, found = self.models.get(file, self.main), {}
        for (where, space, name), symbols in self._known().items():
            if where == model and space == namespace:
                first = next((symbol for symbol in symbols if symbol.declares), None)
                if first is not None:
                    found[name] = first
        return found

    def at(self, file: str, offset: int) -> Symbol | None:
        """The name at a place."""
        return next((symbol for symbol in self.files[file].symbols if symbol.start <= offset <= symbol.end), None) if file in self.files else None

    def settings(self, file: str) -> AssetFolders:
        """The folders that <compiler> sets in the model that a file belongs to: the last word counts."""
        model, out = self.models.get(file, self.main), AssetFolders()
        for key, found in self.files.items():
            if self.models[key] == model:
                out = out._replace(**{name: value for name, value in found.settings._asdict().items() if value is not None})
        return out


class SymbolReader:
    """Keeps what was read of each file until its text is another. last: what was read last, None before."""

    def __init__(self):
        self._known: dict[str, tuple[str, ElementSpec | None, FileSymbols]] = {}
        self.last: Symbols | None = None

    def read(self, texts: Mapping[str, str], main: str) -> Symbols:
        """The symbols of texts."""
        files: dict[str, FileSymbols] = {}
        roots: dict[str, ElementSpec | None] = {}
        models: dict[str, str] = {}
        for start in (main, *texts):      # what nothing includes is a model of its own
            waiting = [(start, None)] if start not in files and start in texts else []
            while waiting:
                file, root = waiting.pop(0)
                if file in files:
                    continue
                files[file], roots[file], models[file] = self._file(texts[file], file, root), root, start
                for name, around in files[file].includes:
                    key = included_key(texts, start, file, name)
                    if key is not None and key not in files:
                        waiting.append((key, around))
        self._known = {file: known for file, known in self._known.items() if file in texts}
        if self.last is None or self.last.main != main or dict(self.last.models) != models or any(self.last.files[file] is not found for file, found in files.items()):
            self.last = Symbols(main, files, roots, models)
        return self.last

    def _file(self, text: str, file: str, root: ElementSpec | None) -> FileSymbols:
        known = self._known.get(file)
        if known is None or known[0] != text or known[1] is not root:
            known = self._known[file] = (text, root, read_symbols(text, file, root))
        return known[2]


def included_key(texts: Mapping[str, str], main: str, file: str, name: str) -> str | None:
    """The key of the file that an include names, None where it is not among the texts. Looked for beside the main file, then beside the including one."""
    name = name.replace("\\", "/")
    for folder in (os.path.dirname(main), os.path.dirname(file)):
        key = os.path.normpath(os.path.join(folder, name))
        if key in texts:
            return key
    return None
