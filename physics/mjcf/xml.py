"""One XML text to a tree of elements with exact positions.

Python's expat binding does the parsing; this file adds what it does not tell: character offsets and places of every opening tag
and of every attribute value. What expat refuses but the official reader reads is read too, with warnings (lenient.py). Entities are never
declared and nothing is fetched, so their expansion cannot be used against us.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple
from xml.parsers import expat

import numpy as np

from physics.errors import Issue, Place
from physics.spec.element import NO_ATTRS, Element, Origin, new_id

__all__ = ["MAX_DEPTH", "TextIndex", "parse_xml"]

NO_IDS: Mapping[int, int] = MappingProxyType({})
MAX_DEPTH = 500  # the same limit as the official reader's XML library
_LINE_ENDS = re.compile(r"\r\n|\n|\r")
_ATTRIBUTE = re.compile(r"""\s*([^\s=/>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_TAG_NAME = re.compile(r"<\s*[^\s/>]+")
_STRAY = re.compile(r">\s*[^\s<]")   # where there is none of it, no text stands outside tags (CDATA aside)
_PLAIN = MappingProxyType({
    "syntax error": "this is not XML",
    "no element found": "the text ends before any element is complete",
    "not well-formed (invalid token)": "this cannot be read as XML: a quote, '=', '<' or '>' is missing or out of place",
    "unclosed token": "the text ends inside a tag or comment",
    "partial character": "the text ends inside a character",
    "duplicate attribute": "the same attribute is given twice",
    "junk after document element": "there is something after the end of the root element",
    "undefined entity": "unknown entity; only &lt; &gt; &amp; &quot; &apos; exist",
    "unclosed CDATA section": "the text ends inside a CDATA section",
    "XML or text declaration not at start of entity": "the <?xml ...?> line must be the very first thing in the file",
})


class _Stop(Exception):
    """Ends the parse early; the issue has been recorded."""


class _Doctype(Exception):
    """Ends expat's parse at a DOCTYPE, whatever it holds."""


class TextIndex:
    """Offsets of one text: bytes to characters, characters to lines and columns (both from 1), and what an opening tag holds."""

    def __init__(self, text: str, data: bytes = b"") -> None:
        """data: the text in UTF-8; without it `char` cannot be asked."""
        self._text = text
        self._latest: tuple[int, tuple] = -1, ()   # start of the tag looked at last, and what `opening` said of it
        self.ascii = len(data) == len(text)
        if data and not self.ascii:
            lead = (np.frombuffer(data, dtype=np.uint8) & 0xC0) != 0x80
            self._chars = np.concatenate(([0], np.cumsum(lead)))

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in _LINE_ENDS.finditer(self._text))]

    def char(self, byte: int) -> int:
        """Character offset of a byte offset."""
        return byte if self.ascii else int(self._chars[min(byte, len(self._chars) - 1)])

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of a character offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Character offset of a line and column, which lie in the text."""
        return self._starts[line - 1] + column - 1

    @property
    def lines(self) -> int:
        """Number of lines: one more than there are line ends."""
        return len(self._starts)

    def opening(self, start: int) -> tuple[int, dict[str, tuple[int, int, int, int]]]:
        """The tag that opens at an offset: one past its '>', and of each attribute's value (start, end, line, column)."""
        known, found = self._latest
        if known == start:   # a tag with many faults is asked for each of them
            return found
        position, spans = _TAG_NAME.match(self._text, start).end(), {}
        while match := _ATTRIBUTE.match(self._text, position):
            low, high = match.span(2 if match.start(2) >= 0 else 3)
            spans[match.group(1)] = low, high, *self.line_column(low)
            position = match.end()
        found = self._text.find(">", position) + 1, spans
        self._latest = start, found
        return found


Splice = Callable[[Element], "tuple[Element, ...]"]


class _Open(NamedTuple):
    """An element whose closing tag has not come yet."""

    tag: str
    attrs: Mapping[str, str]
    start: int
    line: int
    column: int
    children: list[Element]


class _Builder:
    """A stack of open elements, closed ones frozen at once: fed by expat's callbacks, or by the lenient scanner's tags."""

    def __init__(self, text: str, data: bytes, file: str, issues: list[Issue], splice: Splice, included_by, ids: Mapping[int, int]) -> None:
        self.text, self.file, self.issues, self.splice, self.ids = text, file, issues, splice, ids
        self.included_by = included_by
        self.index = TextIndex(text, data)
        self.stack: list[_Open] = []
        self.root: Element | None = None
        self.just_opened = False
        self.stray_at: _Open | None = None  # the element whose stray text has been reported last
        self.parser: expat.XMLParserType | None = None   # while it reads: they know each other, and would wait for the garbage collector with all the text

    def read(self, data: bytes) -> None:
        """Read the text as XML. Raises ExpatError, _Doctype, and _Stop; `parser` is left to be asked where."""
        self.parser = parser = expat.ParserCreate(encoding="utf-8")
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        if _STRAY.search(self.text) or "<![" in self.text:
            parser.CharacterDataHandler = self._data
        parser.StartDoctypeDeclHandler = self._doctype
        parser.Parse(data, True)

    def place(self, offset: int) -> Place:
        return Place(self.file, *self.index.line_column(offset))

    def report(self, severity: str, offset: int, what: str, hint: str = "") -> None:
        self.issues.append(Issue(severity, self.place(offset), self.path(), what, hint))

    def outside(self, rest: str | None) -> None:
        """Tell of a byte order mark before the text, which readers of files take away but once, and that a character 0 has ended it before `rest` (None: none has)."""
        if self.text.startswith("\ufeff"):
            self.report("warning", 0, "the text begins with a character that cannot be seen, U+FEFF", "Take it out: saved behind a byte order mark it has other programs refuse the file")
        if rest is None:
            return
        what = f"a character 0 ends the text: {len(rest)} characters behind it are left out" if rest.strip("\0") else "the file is filled up with characters 0"
        self.report("warning", len(self.text), what, "Save the file again")

    def path(self) -> str:
        return "/".join(f"{node.tag}[{node.attrs['name']}]" if "name" in node.attrs else node.tag for node in self.stack)

    def _start(self, tag: str, attrs: dict[str, str]) -> None:
        parser = self.parser
        start = parser.CurrentByteIndex
        if not self.index.ascii:
            start = self.index.char(start)
        self.opened(tag, attrs, start, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1)

    def opened(self, tag: str, attrs: dict[str, str], start: int, line: int, column: int) -> None:
        """An opening tag at a character offset."""
        if len(self.stack) >= MAX_DEPTH:
            self.report("error", start, f"elements are nested more than {MAX_DEPTH} deep")
            raise _Stop
        frozen = MappingProxyType(attrs) if attrs else NO_ATTRS
        self.stack.append(_Open(tag, frozen, start, line, column, []))
        self.just_opened = True

    def _end(self, tag: str) -> None:
        end = self.parser.CurrentByteIndex   # behind a tag that closes itself, else at the closing tag
        if not self.index.ascii:
            end = self.index.char(end)
        if not (self.just_opened and self.text.startswith("/>", end - 2)):
            end = self.text.find(">", end) + 1
        self.closed(end)

    def closed(self, end: int) -> None:
        """The innermost open element is complete, up to a character offset."""
        stack = self.stack
        tag, attrs, start, line, column, children = stack[-1]
        self.just_opened = False
        element = Element(self.ids.get(start) or new_id(), tag, attrs, tuple(children), Origin(self.file, line, column, start, end, self.index, self.included_by))
        # a URDF has no includes: such a tag is another program's
        if tag == "include" and len(stack) > 1 and stack[0].tag.lower() != "robot":
            produced = self.splice(element)
            stack.pop()
            stack[-1].children.extend(produced)
            return
        stack.pop()
        if stack:
            stack[-1].children.append(element)
        else:
            self.root = element

    def _data(self, data: str) -> None:
        self.just_opened = False
        self.words(data, self.index.char(self.parser.CurrentByteIndex))

    def words(self, data: str, offset: int) -> None:
        """Text between tags."""
        if data.isspace() or self.stray_at is self.stack[-1]:
            return
        self.stray_at = self.stack[-1]  # text comes in pieces; one warning per element
        lead = len(data) - len(data.lstrip())
        if self.stack[-1].tag == "include":
            self.report("error", offset + lead, "an include cannot hold text", "Take it out")
            return
        self.report("warning", offset + lead, f"text outside tags is ignored: '{data.strip()[:40]}'")

    def _doctype(self, *_args) -> None:
        raise _Doctype

    def doctype(self) -> None:
        """Refuse a DOCTYPE that declares or fetches something."""
        at = re.search("<!DOCTYPE", self.text, re.IGNORECASE)
        self.report("error", at.start() if at else 0, "DOCTYPE declarations with entities or external files are not read", "Remove the <!DOCTYPE ...> block")

    def malformed(self, error: expat.ExpatError) -> None:
        """Record why the text is not well-formed, in plain words and at the most useful place."""
        code = expat.errors.messages[error.code]
        offset = self.index.char(max(self.parser.ErrorByteIndex, 0))
        what, hint = _PLAIN.get(code, code), ""
        unclosed = self.stack[-1] if self.stack else None
        if code == "mismatched tag" and unclosed is not None:
            if self.text[offset - 2:offset] == "</":
                offset -= 2
            name = re.match(r"(?:</)?\s*([^\s>]*)", self.text[offset:offset + 200]).group(1)
            what = f"</{name}> closes nothing: <{unclosed.tag}> from line {unclosed.line} is still open"
            hint = f"Close it with </{unclosed.tag}> or end its tag with '/>'"
        elif code == "duplicate attribute":
            name = _repeated(self.text, offset)
            what = f"attribute '{name}' is given twice" if name else what
        elif unclosed is not None and code in ("no element found", "unclosed token"):
            what = f"the file ends while <{unclosed.tag}> from line {unclosed.line} is still open"
        self.report("error", offset, what, hint)


def _repeated(text: str, offset: int) -> str:
    """The attribute that a tag gives twice, '' when unclear; `offset` lies in the tag."""
    start = text.rfind("<", 0, offset + 1)
    name = _TAG_NAME.match(text, max(start, 0))
    position, seen = name.end() if name else offset, set()
    while match := _ATTRIBUTE.match(text, position):
        if match.group(1) in seen:
            return match.group(1)
        seen.add(match.group(1))
        position = match.end()
    return ""


def _replay(builder: _Builder, tags: Iterable[tuple]) -> None:
    """Feed a builder the tags that the lenient scanner found (lenient.ScannedTag)."""
    for kind, name, attrs, start, end in tags:
        if kind == "open":
            builder.opened(name, attrs, start, *builder.index.line_column(start))
        elif kind == "close":
            builder.closed(end)
        else:
            builder.words(name, start)


def parse_xml(
    text: str, file: str, issues: list[Issue], splice: Splice, included_by: tuple[Place, ...] = (), restart: Callable[[], None] = lambda: None,
    ids: Mapping[int, int] = NO_IDS,
) -> Element | None:
    """The root element of a text, or None (with issues added) when it is not well-formed.

    splice: called with each `include` element below the root; its result stands in the include's place. restart: called before the text is
    read a second time, leniently: what splice has done and all issues since the start are to be forgotten. ids: of elements that are known, by where they begin.
    """
    text, zero, rest = text.partition("\0")
    data = text.encode("utf-8", errors="surrogatepass")
    builder = _Builder(text, data, file, issues, splice, included_by, ids)
    if not text.strip():
        builder.report("error", 0, "the file is empty", "A model starts with <mujoco>")
        return None
    builder.outside(rest if zero else None)
    try:
        builder.read(data)
        return builder.root
    except _Stop:
        return None
    except (expat.ExpatError, _Doctype) as error:
        from physics.mjcf import lenient    # its expressions take long to be compiled, and few texts need them

        scanned = lenient.scan(text)
        if scanned is None:
            builder.doctype() if isinstance(error, _Doctype) else builder.malformed(error)
            return None
    finally:
        builder.parser = None
    restart()
    builder = _Builder(text, data, file, issues, splice, included_by, ids)
    builder.outside(rest if zero else None)
    for offset, what, hint in scanned.remarks or [(0, "this is no well-formed XML", "Other programs will refuse the file")]:
        builder.report("warning", offset, what, hint)
    try:
        _replay(builder, scanned.tags)
    except _Stop:
        return None
    return builder.root
