"""Texts that are no well-formed XML, but that the official reader reads: a second look at what expat has refused.

The grammar is that of MuJoCo's XML library (TinyXML-2), found by trying texts on it: attributes need no blank between them, values may
hold '&' and '<', comments '--', `<!...>` is skipped, declarations may follow blank lines, and behind the root element may stand more,
which is ignored. What that library refuses too is refused here, and so are entities and external definitions, which it passes over:
a file that needs them would mean something else than it says.

`scan` gives the text's tags with their character offsets, and a remark for each liberty taken.
"""
from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["Remark", "Scanned", "ScannedTag", "scan"]

_BLANK = r"[ \t\n\r\v\f]"
_NAME = r"[A-Za-z_:\x80-\U0010ffff][\w:.\-\x80-\U0010ffff]*"
_TEXT = re.compile(r"[^<]+")
_TAG = re.compile(rf"<({_BLANK}*)({_NAME})|</({_NAME})", re.ASCII)
_ATTRIBUTE = re.compile(rf"""({_BLANK}*)({_NAME}){_BLANK}*={_BLANK}*(?:"([^"]*)"|'([^']*)')""", re.ASCII)
_TAG_END = re.compile(rf"{_BLANK}*(/?)>")
_AMPERSAND = re.compile(r"&(?:(lt|gt|amp|quot|apos);|#(\d{0,9});|#x([0-9A-Fa-f]{0,8});)?", re.ASCII)
_CHARACTERS = MappingProxyType({"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"})
_NEVER = re.compile("[\0\ud800-\udfff\ufffe\uffff]")   # no text holds these, whoever reads it
_BLANKS = str.maketrans("\t\n\r", "   ")
_OUTSIDE = re.compile(r"\b(?:SYSTEM|PUBLIC|ENTITY)\b", re.IGNORECASE)   # in a <!...>: what would have to be looked up


class Remark(NamedTuple):
    """A liberty the text takes: the character offset of the first of its kind, what it is, and what to do about it."""

    offset: int
    what: str
    hint: str


class ScannedTag(NamedTuple):
    """One event of the text. kind: 'open', 'close' or 'text'; name: of the tag, or the text itself; start, end: character offsets."""

    kind: str
    name: str
    attrs: Mapping[str, str]
    start: int
    end: int


class Scanned(NamedTuple):
    """The tags of a root element in order, and the remarks about the whole text."""

    tags: list[ScannedTag]
    remarks: list[Remark]


class _Refused(Exception):
    """The official reader refuses the text too."""


class _Scan:
    """One look at a text, from the left to the right."""

    def __init__(self, text: str) -> None:
        self.text, self.position = text, 0
        self.tags: list[ScannedTag] = []
        self.remarks: dict[str, list] = {}   # what -> offset of the first, hint, how many
        self.open: list[str] = []
        self.seen_root = False
        self.only_declarations = True

    def remark(self, offset: int, what: str, hint: str) -> None:
        self.remarks.setdefault(what, [offset, hint, 0])[2] += 1

    def run(self) -> Scanned:
        text = self.text
        while self.position < len(text):
            if not self.one(text, self.position):
                break
        if self.open or not self.seen_root:
            raise _Refused
        said = [Remark(at, what, hint if n == 1 else f"{hint}; {n - 1} more like it") for what, (at, hint, n) in self.remarks.items()]
        return Scanned(self.tags, said)

    def one(self, text: str, at: int) -> bool:
        """Read what stands at an offset; False where the official reader looks no further."""
        if text[at] != "<":
            self.words(text, at)
        elif text.startswith("<?", at):
            self.declaration(at)
        elif text.startswith("<!--", at):
            self.comment(at)
        elif text.startswith("<![CDATA[", at):
            end = self.after("]]>", at)
            if self.open:
                self.tags.append(ScannedTag("text", text[at + 9:end - 3], {}, at, end))
        elif text.startswith("<!", at):
            self.unknown(at)
        else:
            return self.tag(at)
        return True

    def after(self, mark: str, at: int) -> int:
        """Go behind the next such mark, and say where that is."""
        found = self.text.find(mark, at)
        if found < 0:
            raise _Refused
        self.position = found + len(mark)
        self.only_declarations = self.only_declarations and mark == "?>"
        return self.position

    def words(self, text: str, at: int) -> None:
        """Text between tags: the element that holds it reports it, if any does."""
        words = _TEXT.match(text, at)
        self.position = words.end()
        if words.group().isspace():
            return
        if self.position == len(text):
            raise _Refused   # text that nothing follows
        self.only_declarations = False
        lead = len(words.group()) - len(words.group().lstrip())
        if self.open:
            if not self.seen_root:
                self.tags.append(ScannedTag("text", words.group(), {}, at, self.position))
            if "&" in words.group():
                self.decoded(words.group(), at)   # for its remarks
        else:
            where = "behind" if self.seen_root else "before"
            self.remark(at + lead, f"the text {where} the model is ignored", "Take it out or put it in a comment: <!-- ... -->")

    def declaration(self, at: int) -> None:
        if self.open or not self.only_declarations:
            raise _Refused
        self.after("?>", at)
        if at:
            self.remark(at, "the <?xml ...?> line should be the very first thing in the file", "Move it to the start")

    def comment(self, at: int) -> None:
        end = self.after("-->", at + 4)
        inside = self.text[at + 4:end - 3]
        if "--" in inside or inside.endswith("-"):
            self.remark(at, "'--' within a comment is no XML", "Other programs will refuse the file: write '==' in its place")

    def unknown(self, at: int) -> None:
        end = self.after(">", at)
        if _OUTSIDE.search(self.text, at, end):
            raise _Refused
        doctype = self.text[at:at + 9].upper() == "<!DOCTYPE"
        self.remark(at, "the DOCTYPE is ignored" if doctype else "a <!...> that is no comment is ignored", "Take it out")

    def tag(self, at: int) -> bool:
        """An opening or closing tag."""
        found = _TAG.match(self.text, at)
        if found is None:
            raise _Refused
        self.only_declarations = False
        closes = found.group(3) is not None
        name = found.group(3) if closes else found.group(2)
        if found.group(1):
            self.remark(at, "a blank between '<' and a tag's name is no XML", "Take the blank out")
        attrs = self.attributes(found.end(), closes)
        end = _TAG_END.match(self.text, self.position)
        if end is None or (closes and end.group(1)):
            raise _Refused
        self.position = end.end()
        if not closes:
            self.opened(name, attrs, at, bool(end.group(1)))
            return True
        if not self.open:
            if not self.seen_root:
                raise _Refused
            self.remark(at, f"</{name}> closes nothing: it and what follows are ignored", "Take it out")
            return False
        if self.open.pop() != name:
            raise _Refused
        self.closed(name)
        return True

    def opened(self, name: str, attrs: dict[str, str], at: int, closed: bool) -> None:
        if self.seen_root and not self.open:
            self.remark(at, f"<{name}> stands behind the model's end and is ignored", "A file holds one model: take it out")
        if not self.seen_root:
            self.tags.append(ScannedTag("open", name, attrs, at, self.position))
        self.open.append(name)
        if closed:
            self.open.pop()
            self.closed(name)

    def closed(self, name: str) -> None:
        if not self.seen_root:
            self.tags.append(ScannedTag("close", name, {}, self.position, self.position))
        self.seen_root = self.seen_root or not self.open

    def attributes(self, at: int, closes: bool) -> dict[str, str]:
        attrs: dict[str, str] = {}
        while found := _ATTRIBUTE.match(self.text, at):
            name = found.group(2)
            group = 3 if found.group(3) is not None else 4
            if name in attrs:
                raise _Refused
            if closes:
                self.remark(found.start(2), f"the attribute '{name}' of a closing tag is ignored", "Put it in the opening tag")
            elif not found.group(1):
                self.remark(found.start(2), f"no blank before the attribute '{name}'", "Put one there")
            value = found.group(group)
            if "<" in value:
                self.remark(found.start(group) + value.index("<"), "'<' in a value is no XML", "Write &lt;")
            value = self.decoded(value, found.start(group)) if "&" in value else value
            attrs[name] = value.replace("\r\n", "\n").translate(_BLANKS)   # as XML has it: a line's end within a value is a blank
            at = found.end()
        self.position = at
        return attrs

    def decoded(self, value: str, at: int) -> str:
        """A value with its character references resolved; those that are none stay as they are."""

        def one(found: re.Match) -> str:
            word, decimal, hexadecimal = found.groups()
            if word:
                return _CHARACTERS[word]
            if decimal is not None or hexadecimal is not None:
                code = int(decimal or "0") if hexadecimal is None else int(hexadecimal or "0", 16)
                if code == 0 or 0xD800 <= code < 0xE000:
                    raise _Refused
                if code < 0x110000:
                    return chr(code)
            self.remark(at + found.start(), "'&' that starts none of &lt; &gt; &amp; &quot; &apos; stands for itself", "Write &amp;")
            return found.group()

        return _AMPERSAND.sub(one, value)


def scan(text: str) -> Scanned | None:
    """The tags of a text as the official reader sees them, None where it refuses the text. Takes time in proportion to the text's length."""
    if _NEVER.search(text):
        return None
    try:
        return _Scan(text).run()
    except _Refused:
        return None
