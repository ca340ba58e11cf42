"""The lines of a journal (editor/journal.py): written from what a document has, and read back to all that was done.

    {"journal": 1, "key", "time"}                       the first line; key: of the document
    {"file", "base", "sha256", "codec"}                 a text before all of the edits below
    {"edit": label, "patches": [[file, start, end, text]], "grows"}     grows: it is a part of the entry before
    {"at": n}                                           n entries of the history are done now: undone, or done again
    {"disk": file, "text", "saved"}                     what the disk has of it: null for nothing, true for the text as it is at this line; after how many entries that was the text
    {"renamed": [old, new]}                             the main file has another key

A line that is not whole, and all behind it, counts as never written: a program was killed while it wrote.
"""
from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from editor.edits.history import Entry, History
from editor.edits.patch import Edit, Patch, apply, inverse
from physics.files.text_codec import UTF_8, TextCodec

__all__ = ["Kept", "Replay", "lines_of_all", "replay"]

VERSION = 1


@dataclass(frozen=True, slots=True)
class Kept:
    """One file as it is at a moment: its text, what the disk has of it, None for nothing, and after how many entries it had that, None where it never has."""

    text: str
    disk: str | None
    saved: int | None = None
    codec: TextCodec = UTF_8


@dataclass(slots=True)
class Replay:
    """What the lines tell. texts, disk: by file, in the end; broken: why some lines could not be read, '' where all could."""

    key: str
    history: History = field(default_factory=History)
    texts: dict[str, str] = field(default_factory=dict)
    disk: dict[str, str | None] = field(default_factory=dict)
    codecs: dict[str, TextCodec] = field(default_factory=dict)
    broken: str = ""

    def unsaved(self) -> dict[str, str]:
        """Texts that the disk did not have, by file."""
        return {file: text for file, text in self.texts.items() if text != (self.disk.get(file) or "")}

    def take(self, line: Mapping) -> None:
        """Do what a line tells. Raises ValueError, KeyError or TypeError for one that does not fit; then nothing has changed."""
        if "edit" in line:
            edit = Edit(str(line["edit"]), tuple(Patch(str(file), int(start), int(end), str(text)) for file, start, end, text in line["patches"]))
            texts, back = apply(self.texts, edit), inverse(edit, self.texts)
            if line.get("grows") and self.history.entries:
                self.history.grow(edit, back, 0.0)
            else:
                self.history.append(Entry(edit, back, 0.0))
            self.texts.update(texts)
        elif "at" in line:
            self._go_to(int(line["at"]))
        elif "disk" in line:
            text = line["text"]
            self.disk[line["disk"]] = self.texts[line["disk"]] if text is True else None if text is None else str(text)
            self.history.set_saved(line["disk"], line.get("saved"))
        elif "file" in line:
            self._take_file(line)
        elif "renamed" in line:
            old, new = map(str, line["renamed"])
            self.history.rename(old, new)
            self.key = new if self.key == old else self.key
            for table in (self.texts, self.disk, self.codecs):
                if old in table:
                    table[new] = table.pop(old)
        else:
            raise ValueError(f"what is {sorted(line)}?")

    def _take_file(self, line: Mapping) -> None:
        text, (mark, codec) = str(line["base"]), line["codec"]
        if _sum(text) != line["sha256"]:
            raise ValueError(f"the text of {line['file']} is damaged")
        self.codecs[line["file"]] = TextCodec(bytes.fromhex(mark), str(codec))
        self.texts[line["file"]] = text

    def _go_to(self, position: int) -> None:
        if not 0 <= position <= len(self.history.entries):
            raise ValueError(f"there is no entry {position}")
        while self.history.position != position:
            done = self.history.undo() if position < self.history.position else self.history.redo()
            self.texts.update(apply(self.texts, done))


def replay(data: bytes) -> Replay | None:
    """All that a journal tells; None for what is none."""
    first, _end, rest = data.partition(b"\n")
    try:
        head = json.loads(first)
        if head["journal"] != VERSION:
            return None
        out = Replay(str(head["key"]))
    except (ValueError, KeyError, TypeError):
        return None
    whole = rest[:rest.rfind(b"\n") + 1]     # what is behind the last line end was being written
    for number, line in enumerate(whole.splitlines(), 2):
        try:
            out.take(json.loads(line))
        except (ValueError, KeyError, TypeError) as error:
            out.broken = f"line {number}: {error}"
            break
    out.history.seal()
    return out


def head_line(key: str, now: float) -> dict:
    """The first line."""
    return {"journal": VERSION, "key": key, "time": now}


def file_line(file: str, text: str, codec: TextCodec) -> dict:
    """A file whose edits are to come."""
    return {"file": file, "base": text, "sha256": _sum(text), "codec": [codec.mark.hex(), codec.codec]}


def disk_line(file: str, text: str, disk: str | None, saved: int | None) -> dict:
    """What the disk has of a file."""
    return {"disk": file, "text": True if disk == text else disk, "saved": saved}


def edit_line(edit: Edit, grows: bool = False) -> dict:
    """One edit."""
    return {"edit": edit.label, "patches": [list(patch) for patch in edit.patches], **({"grows": True} if grows else {})}


def encoded(lines: Iterable[Mapping]) -> bytes:
    """As they stand in the file. JSON has no line end in it but as an escape."""
    return b"".join(json.dumps(line, ensure_ascii=True, separators=(",", ":")).encode() + b"\n" for line in lines)


def lines_of_all(key: str, now: float, files: Mapping[str, Kept], entries: Sequence[Entry], position: int) -> list[dict]:
    """The lines that tell of all that there is: texts before the oldest entry, the entries, how many of them are done, and what the disk has."""
    texts = {file: kept.text for file, kept in files.items()}
    for entry in reversed(entries[:position]):
        texts.update(apply(texts, entry.inverse))
    out = [head_line(key, now)]
    for file, kept in files.items():
        out.append(file_line(file, texts[file], kept.codec))
    out += [edit_line(entry.edit) for entry in entries]
    if position < len(entries):
        out.append({"at": position})
    return out + [disk_line(file, kept.text, kept.disk, kept.saved) for file, kept in files.items()]


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
