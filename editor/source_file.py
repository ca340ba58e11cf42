"""One file of a document: its text, what is on disk of it, and how the two are compared and saved."""
from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from physics.files.atomic_write import write_file
from physics.files.read_regular import read_regular
from physics.files.text_codec import MARKS, UTF_8, TextCodec, decode, encode
from physics.mjcf.include import is_archive

LARGEST_TEXT = 64 << 20     # bytes: a text is shown and highlighted
COMPILED = ".lwb"
LOOKED_AT = 1 << 16   # bytes of a file by which a text is told from anything else
NEW_NAME = "untitled.xml"


class DiskChange(Enum):
    """What a change of a file on disk meant for its text."""

    NONE = "none"           # the content is what we know
    TAKEN = "taken"         # no unsaved text: the new content is the text now
    MERGED = "merged"       # unsaved text: what changed on disk is in it now, too
    CONFLICT = "conflict"   # unsaved text: nothing changed here, the user decides
    GONE = "gone"           # the file is not there (any more)
    UNREADABLE = "unreadable"   # what is there is no file that can be read: `problem` says why


def read_text(path: Path) -> tuple[str, TextCodec]:
    """(text, how it is encoded) of a file on disk, as `decode` has it. Never waits. Raises OSError for what is no text, or no file of a bearable size."""
    data = read_regular(path, LARGEST_TEXT)
    if is_binary(data):
        raise OSError(f"it is not a model text. Linkwork opens MJCF and URDF texts, archives with one, and models that it has compiled itself ({COMPILED}); "
                      "meshes and pictures are shown by a text that names them, and a model compiled by another program is opened as the text it was made from")
    return decode(data)


def is_binary(data: bytes) -> bool:
    """Whether the content of a file is no text: there are zeros in it, or many other bytes that no text has."""
    if data.startswith(tuple(codec.mark for codec in MARKS)):
        return False
    head = data[:LOOKED_AT]
    odd = sum(map(head.count, (bytes((code,)) for code in (*range(1, 9), *range(14, 32)))))
    return b"\0" in head or odd > len(head) // 100 + 1


def is_compiled(path: Path) -> bool:
    """Whether a file is a compiled model: by its name, else by its first bytes."""
    if path.suffix.lower() == COMPILED or not path.is_file():
        return path.suffix.lower() == COMPILED
    try:
        with open(path, "rb") as file:
            head = file.read(16)
    except OSError:
        return False
    if head[:1] != b"\x89":
        return False
    from physics.model.lwb import MAGIC  # late: few documents need it

    return head.startswith(MAGIC)


def _encoded(text: str, codec: TextCodec, name: str) -> tuple[bytes, TextCodec]:
    """A text as bytes that are read as the same text again, encoded as before where that does it: bytes of Latin-1 may be those of UTF-8 for something else, and a first
    character may be a byte order mark. Raises OSError for a text that no file can hold."""
    for one in (codec, UTF_8, MARKS[0]):
        data, used = encode(text, one)
        if decode(data) == (text, used):
            return data, used
    where = next((place for place, letter in enumerate(text) if "\ud800" <= letter <= "\udfff"), 0)
    raise OSError(f"{name}: the character U+{ord(text[where]):04X} in line {text.count(chr(10), 0, where) + 1} is half of one, which no file can hold: take it out")


@dataclass(slots=True)
class SourceFile:
    """One file of the document. path None: it has never been saved; sealed: it lies in an archive, and only the archive is on disk, or is a compiled model."""

    path: Path | None
    text: str
    disk_text: str | None = None     # None: not on disk
    codec: TextCodec = UTF_8
    sealed: bool = False
    gone: bool = False               # it was on disk and is not any more: what is here is not saved
    before: TextCodec | None = None  # how it was encoded before a text was saved that cannot be encoded so; one that can be is again
    problem: str = ""                # why the disk could not be read when it was looked at last

    @property
    def modified(self) -> bool:
        """Whether there is text that is not on disk."""
        return self.gone or self.text != (self.disk_text if self.disk_text is not None else "")

    @property
    def name(self) -> str:
        """Name to show."""
        return self.path.name if self.path is not None else NEW_NAME

    @classmethod
    def read(cls, path: Path) -> "SourceFile":
        """From disk. Raises OSError."""
        if path.is_file() and is_archive(str(path)):
            raise OSError("it is an archive, not a text")
        if is_compiled(path):
            raise OSError("it is a compiled model, not a text")
        text, codec = read_text(path)
        return cls(path, text, text, codec)

    def save(self, path: Path | None = None) -> None:
        """Write the text to `path` (its own), and look whether the disk has it. Raises OSError; then nothing has changed here."""
        if self.sealed:
            raise OSError(f"{self.name} is only read")
        target = Path(path or self.path)
        wanted = self.before or self.codec
        data, codec = _encoded(self.text, wanted, target.name)
        write_file(target, data)
        if read_regular(target, max(LARGEST_TEXT, len(data))) != data:
            raise OSError(f"{target.name}: the disk has something else than what was written to it")
        self.codec, self.before = codec, wanted if codec != wanted else None
        self.path, self.disk_text, self.gone = target, self.text, False

    def on_disk(self) -> tuple[DiskChange, str, TextCodec]:
        """What the file on disk has become, and what it holds: TAKEN where nothing prevents that this becomes the text, which it does not by this."""
        if self.sealed:
            return DiskChange.NONE, self.text, self.codec
        try:
            text, codec = read_text(self.path)
        except FileNotFoundError:
            self.gone = self.disk_text is not None
            return DiskChange.GONE, "", UTF_8
        except OSError as error:
            self.problem = str(error.strerror or error)
            return DiskChange.UNREADABLE, "", UTF_8
        back, self.gone = self.gone, False
        if text == self.disk_text:
            self.use_codec(codec)       # another program may have written the same characters in another encoding
            return DiskChange.TAKEN if back and not self.modified else DiskChange.NONE, text, codec
        return DiskChange.CONFLICT if self.modified and text != self.text else DiskChange.TAKEN, text, codec

    def use_codec(self, codec: TextCodec) -> None:
        """The file on disk is encoded so."""
        if codec != self.codec:
            self.codec, self.before = codec, None

    def keep(self) -> None:
        """Settle a conflict for the text here: what is on disk now is known, and a save may overwrite it."""
        try:
            self.disk_text = read_text(self.path)[0]
        except OSError:
            self.disk_text = None

    def changed_on_disk(self) -> bool:
        """Whether the file holds something else than what was last read from it or written to it; one that was not there then, than the text here."""
        if self.path is None:
            return False
        try:
            return read_text(self.path)[0] != (self.text if self.disk_text is None else self.disk_text)
        except OSError:
            return False
