"""MJCF or URDF text to element tree, with everything that is wrong with it.

`read` and `read_text` never raise for bad content: all problems are collected as issues with places, so that they can be shown
and mended together. The tree is returned whenever the text is well-formed, even with errors in it, because the editor wants it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from physics.errors import Issue, Place
from physics.mjcf.check import check_tree
from physics.mjcf.include import TextSource, is_archive
from physics.mjcf.xml import NO_IDS, parse_xml
from physics.spec.element import Element, written_id

__all__ = ["ReadResult", "attached_models", "model_path", "read", "read_attached", "read_source", "read_text"]

Ids = Mapping[str, Mapping[int, int]]   # by file: where an element begins -> its id
MAX_INCLUDES = 64  # nesting; a real model has two or three levels


@dataclass(slots=True)
class ReadResult:
    """What reading gave: root (None when not well-formed), all issues, and the text of every file by path.

    attached: by path, the readings of models that it attaches from and that they attach from, as far as these were read. ids: of elements that were known.
    """

    root: Element | None
    issues: list[Issue] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    main: str = ""
    base_dir: str | None = None
    source: TextSource = field(default_factory=lambda: TextSource(None, None))   # where its files are found
    broken: tuple[str, ...] = ()    # files that are not well-formed
    attached: dict[str, ReadResult] = field(default_factory=dict, repr=False)
    ids: Ids = field(default_factory=dict, repr=False)

    @property
    def errors(self) -> list[Issue]:
        """The issues that prevent a model from being built."""
        return [issue for issue in self.issues if issue.severity == "error"]

    @property
    def all_sources(self) -> dict[str, str]:
        """The text of every file by path, those of attached models too as far as these were read."""
        return {path: text for read in (self, *self.attached.values()) for path, text in read.sources.items()}


class _Reader:
    """One reading: the main text and, through `splice`, all it includes."""

    def __init__(self, source: TextSource, references: bool = True, ids: Ids | None = None) -> None:
        self.source, self.references, self.ids = source, references, ids or {}
        self.issues: list[Issue] = []
        self.sources: dict[str, str] = {}
        self.first_include: dict[str, Place] = {}
        self.open_files: list[str] = []
        self.broken: list[str] = []

    def parse(self, text: str, file: str, included_by: tuple[Place, ...]) -> Element | None:
        self.sources[file] = text
        self.open_files.append(file)
        known = len(self.issues), len(self.sources), len(self.first_include)

        def restart() -> None:
            """Forget the issues and includes of this text."""
            del self.issues[known[0]:]
            for found, number in ((self.sources, known[1]), (self.first_include, known[2])):
                for key in [*found][number:]:
                    del found[key]

        root = parse_xml(text, file, self.issues, lambda include: self.splice(include, file, included_by), included_by, restart, self.ids.get(file, NO_IDS))
        self.open_files.pop()
        if root is None:
            self.broken.append(file)
        return root

    def fail(self, place: Place, what: str, hint: str = "") -> tuple[Element, ...]:
        self.issues.append(Issue("error", place, "include", what, hint))
        return ()

    def splice(self, include: Element, file: str, included_by: tuple[Place, ...]) -> tuple[Element, ...]:
        """The children of the included file's root, which stand in place of the include element."""
        place = include.attr_place("file")
        name = include.attrs.get("file", "").replace("\\", "/")
        if not name.strip():
            return self.fail(include.place, "an include needs the attribute 'file'")
        for extra in include.attrs:
            if extra != "file":
                self.issues.append(Issue("warning", include.attr_place(extra), "include", f"unknown attribute '{extra}'", "An include has only 'file'"))
        if include.children:
            self.fail(include.place, "an include cannot have children")
        path = self.source.find(name, file)
        if path is None:
            return self.fail(place, f"included file '{name}' was not found", f"Looked in {self._searched(name, file)}")
        identity = self.source.identity(path)
        if identity in (self.source.identity(opened) for opened in self.open_files):
            return self.fail(place, f"'{name}' includes itself", "through " + " -> ".join([*self.open_files, path]))
        if identity in self.first_include:
            return self.fail(place, f"'{name}' is already included", f"First at {self.first_include[identity]}")
        if len(included_by) >= MAX_INCLUDES:
            return self.fail(place, f"includes are nested more than {MAX_INCLUDES} deep")
        self.first_include[identity] = include.place
        try:
            text = self.source.read(path)
        except OSError as error:
            return self.fail(place, f"included file '{name}' cannot be read", str(error))
        root = self.parse(text, path, (*included_by, include.place))
        if root is None:
            return self.fail(place, f"included file '{name}' cannot be used", "See its own error")
        if not root.children:
            return self.fail(place, f"included file '{name}' is empty")
        return root.children

    def _searched(self, name: str, file: str) -> str:
        if os.path.isabs(name):
            return os.path.dirname(name)
        folders = dict.fromkeys([os.path.abspath(self.source.base or "."), os.path.abspath(os.path.dirname(file) or ".")])
        return " and ".join(folders)

    def finish(self, root: Element | None, file: str) -> ReadResult:
        if root is not None and root.tag.lower() == "robot":
            from physics.urdf.reader import convert  # late: few models are URDF

            root = convert(root, self.issues)
        if root is not None:
            self.issues.extend(check_tree(root, self.references))
        order = {name: i for i, name in enumerate(self.sources)}
        self.issues.sort(key=lambda issue: (order.get(issue.place.file, 0), issue.place.line, issue.place.column))
        base = str(self.source.base) if self.source.base is not None else None
        return ReadResult(root, self.issues, self.sources, file, base, self.source, tuple(self.broken), ids=self.ids)


def read(path: str | os.PathLike, files: Mapping[str, str | bytes] | None = None) -> ReadResult:
    """Read a model file, or the model in a zip archive.

    files: paths to texts that win over the disk (unsaved edits, the main file included).
    """
    file = os.fspath(path)
    if file not in (files or {}) and is_archive(file):
        return _read_archive(file)
    return read_source(TextSource(os.path.dirname(file), files), file)


def read_source(source: TextSource, file: str, references: bool = True, ids: Ids | None = None) -> ReadResult:
    """Read a model whose main file is found in a source. references: whether names it refers to must exist in it; ids: as of read_text."""
    reader = _Reader(source, references, ids)
    try:
        text = source.read(file)
    except (OSError, ValueError) as error:   # a path with a zero byte is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        reader.issues.append(Issue("error", Place(file), "", f"the file cannot be read: {reason}"))
        return reader.finish(None, file)
    return reader.finish(reader.parse(text, file, ()), file)


def _read_archive(file: str) -> ReadResult:
    from physics.mjcf.archive import open_archive  # late: few models come in archives

    archive = open_archive(file)
    reader = _Reader(TextSource(os.path.dirname(archive.main or file), archive.files, sealed=True))
    reader.issues.extend(archive.issues)
    root = reader.parse(reader.source.read(archive.main), archive.main, ()) if archive.main else None
    return reader.finish(root, archive.main or file)


def read_text(
    text: str, name: str = "model.xml", base_dir: str | os.PathLike | None = None, files: Mapping[str, str | bytes] | None = None,
    ids: Ids | None = None,
) -> ReadResult:
    """Read a model from text. Includes are looked up in `files`, then relative to `base_dir`. ids: by file, of elements that are known, by the offset where they begin."""
    reader = _Reader(TextSource(base_dir, files), ids=ids)
    return reader.finish(reader.parse(text, name, ()), name)


# ---------------------------------------------------------------- models that are attached

def model_path(of: ReadResult, element: Element) -> str | None:
    """Where the file of an element asset/model is found; None where it is not."""
    name = element.attrs.get("file", "").replace("\\", "/")
    return of.source.find(name, of.main) if name else None


def read_attached(of: ReadResult, path: str, known: dict[str, ReadResult] | None = None) -> ReadResult:
    """The reading of a model that a model attaches from. known: readings by path that it is looked up in and added to; by default those of `of`."""
    known = of.attached if known is None else known
    found = known.get(path)
    if found is not None:
        return found
    source = of.source.beside(path)
    found = read_source(source, path, references=False, ids=of.ids)
    shared = {file for read in (of, *known.values()) for file in read.sources} & found.sources.keys()
    if shared:   # files that several of the models include: one element has one id
        ids = {file: dict(some) for file, some in of.ids.items()}
        for read in (*known.values(), of):
            for element in read.root.walk() if read.root is not None else ():
                if element.origin.file in shared:
                    ids.setdefault(element.origin.file, {})[element.origin.start] = written_id(element.id)
        found = read_source(source, path, references=False, ids=ids)
    return known.setdefault(path, found)    # a thread that compiles may have read it meanwhile: its elements have one id each


def attached_models(of: ReadResult) -> dict[str, ReadResult]:
    """The readings of all models that a reading attaches from, and that these attach from, by path."""
    waiting, met = [of], {of.main}
    while waiting:
        read = waiting.pop()
        for element in read.root.section("asset") if read.root is not None else ():
            path = model_path(read, element) if element.tag == "model" else None
            if path is not None and path not in met:
                met.add(path)
                waiting.append(read_attached(read, path, of.attached))
    return of.attached
