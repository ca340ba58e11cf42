"""The open model as text: the main file and every file it includes, with what is on disk and what is not saved.

    text (in the editor)  --save-->  disk text        modified: text differs from the disk text known
    disk changes:  nothing unsaved -> taken at once;  unsaved text -> kept, and the conflict is told (the user decides)

A text is kept as it stands in its file, line ends included, so that places in it are those of the file (physics/files/text_codec.py). Files are written all or nothing
(physics/files/atomic_write.py).

A model in an archive is read only: its texts are those that the compiler has met inside; saving it elsewhere unpacks it (unpack.py).
A compiled model (.lwb) has no text at all. Any other file that is no text is refused.
"""
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from editor.edits.history import History
from editor.edits.patch import Edit, apply, inverse
from editor.edits.version import Ids, Version, carried
from editor.unpack import unpack
from physics.files.atomic_write import write_file
from physics.files.read_regular import read_regular
from physics.files.text_codec import MARKS, UTF_8, TextCodec, decode, encode
from physics.mjcf.include import ARCHIVES, is_archive

LARGEST_TEXT, LARGEST_ARCHIVE = 64 << 20, 1 << 30   # bytes: a text is shown and highlighted, an archive copied
COMPILED = ".lwb"
LOOKED_AT = 1 << 16   # bytes of a file by which a text is told from anything else
NEW_NAME = "untitled.xml"
NEW_MODEL = """<mujoco model="untitled">
  <!-- A new model: a ball above a floor. Edit this text; it is applied when you pause, or with Ctrl+Enter. -->
  <asset>
    <texture name="sky" type="skybox" builtin="gradient" rgb1=".45 .62 .82" rgb2=".93 .95 .98" width="256" height="1536"/>
    <texture name="floor" type="2d" builtin="checker" rgb1=".33 .38 .44" rgb2=".38 .43 .50" width="300" height="300"/>
    <material name="floor" texture="floor" texuniform="true" reflectance=".15"/>
  </asset>
  <worldbody>
    <light pos="0 0 4" dir="0 0 -1" directional="true"/>
    <geom name="floor" type="plane" size="0 0 .05" material="floor"/>
    <body name="ball" pos="0 0 1">
      <freejoint/>
      <geom type="sphere" size=".1" rgba=".95 .48 .13 1"/>
    </body>
  </worldbody>
</mujoco>
"""


class DiskChange(Enum):
    """What a change of a file on disk meant for its text."""

    NONE = "none"           # the content is what we know
    TAKEN = "taken"         # no unsaved text: the new content is the text now
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


@dataclass(slots=True)
class SourceFile:
    """One file of the document. path None: it has never been saved; sealed: it lies in an archive, and only the archive is on disk, or is a compiled model."""

    path: Path | None
    text: str
    disk_text: str | None = None     # None: not on disk
    codec: TextCodec = UTF_8
    sealed: bool = False
    gone: bool = False               # it was on disk and is not any more: what is here is not saved
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
        """Write the text to `path` (its own). Raises OSError; then nothing has changed."""
        if self.sealed:
            raise OSError(f"{self.name} is only read")
        target = Path(path or self.path)
        data, codec = encode(self.text, self.codec)
        write_file(target, data)
        self.codec = codec
        self.path, self.disk_text, self.gone = target, self.text, False

    def look_at_disk(self) -> DiskChange:
        """Compare with the file on disk, and take its content up where nothing is unsaved."""
        if self.sealed:
            return DiskChange.NONE
        try:
            text, codec = read_text(self.path)
        except FileNotFoundError:
            self.gone = self.disk_text is not None
            return DiskChange.GONE
        except OSError as error:
            self.problem = str(error.strerror or error)
            return DiskChange.UNREADABLE
        back, self.gone = self.gone, False
        if text == self.disk_text:
            self.codec = codec      # another program may have written the same characters in another encoding
            return DiskChange.TAKEN if back and not self.modified else DiskChange.NONE
        if self.modified and text != self.text:
            return DiskChange.CONFLICT
        self.take(text, codec)
        return DiskChange.TAKEN

    def keep(self) -> None:
        """Settle a conflict for the text here: what is on disk now is known, and a save may overwrite it."""
        try:
            self.disk_text = read_text(self.path)[0]
        except OSError:
            self.disk_text = None

    def changed_on_disk(self) -> bool:
        """Whether the file holds something else than what was last read from it or written to it."""
        if self.path is None or self.disk_text is None:
            return False
        try:
            return read_text(self.path)[0] != self.disk_text
        except OSError:
            return False

    def take(self, text: str, codec: TextCodec = UTF_8) -> None:
        """The disk's content is the text now."""
        self.text = self.disk_text = text
        self.codec, self.gone = codec, False


@dataclass(slots=True)
class Document:
    """The main file first, then included files, and those of models that are attached, in the order they were met. Keys are absolute paths as text; NEW_NAME for an unsaved one.

    archive: the archive that all of it lies in, or None; files in it have its path with their own behind it. compiled: it is a compiled model, whose main
    text is empty. recorded: the recording that its texts come from, which are only read. script: what the Model of a script is called, which has neither text nor file;
    '' for any other document.
    """

    main: SourceFile
    included: dict[str, SourceFile] = field(default_factory=dict)
    assets: tuple[Path, ...] = ()
    archive: Path | None = None
    compiled: bool = False
    recorded: Path | None = None
    script: str = ""
    history: History = field(default_factory=History, repr=False)     # of all files' edits
    _version: Version | None = field(default=None, repr=False)
    _ids: Ids = field(default_factory=dict, repr=False)

    @classmethod
    def of_recording(cls, path: Path, texts: Mapping[str, str], main: str) -> "Document":
        """The texts that a recording holds, by path, of which `main` is the main one ('' where there is none)."""
        path = Path(os.path.abspath(path))
        files = {key: SourceFile(Path(key), text, text, sealed=True) for key, text in texts.items()}
        first = files.pop(main, None) or SourceFile(path, "", "", sealed=True)
        return cls(first, files, compiled=True, recorded=path)

    @classmethod
    def open(cls, path: Path) -> "Document":
        """From disk. Raises OSError. What an archive holds is known once it was compiled (`adopt_archive`)."""
        path = Path(os.path.abspath(path))
        if path.is_file() and is_archive(str(path)):
            return cls(SourceFile(path, "", "", sealed=True), archive=path)
        if is_compiled(path):
            read_regular(path, LARGEST_ARCHIVE)   # that it can be read is known now, what is in it once it is loaded
            return cls(SourceFile(path, "", "", sealed=True), compiled=True)
        return cls(SourceFile.read(path))

    @classmethod
    def new(cls, text: str = NEW_MODEL) -> "Document":
        """A model without a file, a small one where no text is given."""
        return cls(SourceFile(None, text, text))

    @classmethod
    def of_script(cls, name: str) -> "Document":
        """The Model of a script, which is not compiled here."""
        return cls(SourceFile(None, "", "", sealed=True), compiled=True, script=name)

    @property
    def path(self) -> Path | None:
        """The file on disk that was opened: the archive, else the main file; None before there is one."""
        return self.archive or self.recorded or self.main.path

    @property
    def sealed(self) -> str:
        """Why no text can be changed here, in a few words; '' where it can."""
        if self.archive is not None:
            return f"Read only, from {self.archive.name} (File > Save as... unpacks it)"
        if self.recorded is not None:
            return f"Read only, from the recording {self.recorded.name} (File > Save as... writes the model's text)"
        if self.script:
            return "The model of a script, which has no text (File > Save as... writes one)"
        return "A compiled model, which has no text (File > Save as... writes one)" if self.compiled else ""

    @property
    def title(self) -> str:
        """Its name in the title of the window."""
        if self.script:
            return self.script
        return f"{self.path.name} (read only)" if self.sealed else self.main.name

    @property
    def key(self) -> str:
        """Key of the document: of the file on disk that was opened."""
        return str(self.path) if self.path is not None else NEW_NAME

    @property
    def main_key(self) -> str:
        """Key of the main file; another than the document's in an archive."""
        return str(self.main.path) if self.main.path is not None else NEW_NAME

    def files(self) -> dict[str, SourceFile]:
        """All files by key, the main file first."""
        return {self.main_key: self.main, **self.included}

    @property
    def modified(self) -> bool:
        """Whether any file has unsaved text."""
        return any(file.modified for file in self.files().values())

    def included_texts(self) -> dict[str, str]:
        """{path: text} of included files: what the reader should see in place of the files, so that its places are those of the texts here. Files that are neither there nor
        written here are left to the reader, which says so."""
        return {key: file.text for key, file in self.included.items() if file.modified or file.disk_text is not None}

    # ------------------------------------------------------------------ edits

    def texts(self) -> dict[str, str]:
        """{key: text} of all files, the main one first."""
        return {key: file.text for key, file in self.files().items()}

    def _read_texts(self) -> dict[str, str]:
        """Those that the reader is given."""
        return {self.main_key: self.main.text, **self.included_texts()}

    def version(self) -> Version:
        """What the present texts read as. An element keeps its id from one version to the next."""
        texts = self._read_texts()
        if self._version is None or self._version.texts != texts:
            self._set_version(Version.of(texts, self.main_key, self._base, self._ids))
        return self._version

    @property
    def _base(self) -> str | None:
        return str(self.path.parent) if self.path is not None else None

    def _set_version(self, version: Version) -> None:
        self._version, self._ids = version, version.ids

    @property
    def ids(self) -> Ids:
        """Ids of elements by file and by where they begin in the present texts, as far as these were read: whoever reads them gives the same ids."""
        return self._ids

    def adopt_reading(self, read) -> None:
        """Take what somebody has read the texts as (physics.mjcf.reader.ReadResult, with `ids`) for the version, if those of all files that it met are still the present ones."""
        if self._version is None or self._version.read is not read:
            texts = self.texts()
            if all(texts.get(key) == text for key, text in read.all_sources.items()):
                self._set_version(Version.of_reading(read, self._read_texts(), self.main_key, self._base, self._ids))

    def apply(self, edit: Edit) -> None:
        """Change texts by an edit, which can be undone. Raises ValueError for one that does not fit, or texts that are only read; then nothing has changed."""
        if self.sealed:
            raise ValueError(self.sealed)
        before = self.texts()
        self.put(edit)
        self.history.add(edit, inverse(edit, before), time.monotonic())

    def undo(self) -> Edit | None:
        """Take the last edit back; what did that, None where there is none."""
        return self._done(self.history.undo())

    def redo(self) -> Edit | None:
        """Do what was undone last again; what did that, None where there is none."""
        return self._done(self.history.redo())

    def _done(self, edit: Edit | None) -> Edit | None:
        if edit is not None:
            self.put(edit)
        return edit

    def put(self, edit: Edit) -> None:
        """Change texts by an edit that the history knows, or is not to know (`Gesture`). Raises ValueError for one that does not fit; then nothing has changed."""
        texts, files = apply(self.texts(), edit), self.files()
        self._ids = carried(self._ids, edit)
        for key, text in texts.items():
            files[key].text = text

    def include(self, key: str) -> SourceFile:
        """The included file of that key, read from disk (empty where there is none) unless it is known already."""
        if key not in self.included:
            try:
                self.included[key] = SourceFile.read(Path(key))
            except OSError:
                self.included[key] = SourceFile(Path(key), "")
        return self.included[key]

    def adopt(self, sources: dict[str, str], complete: bool = True) -> bool:
        """Follow the files a reading met; whether the list changed. A file that it did not meet stays while it has unsaved text, and where the reading is not complete, as
        the text was no XML."""
        before = list(self.included)
        for key in sources:
            if key != self.key and key not in self.included and os.path.isabs(key):
                self.include(key)
        for key in before:
            if complete and key not in sources and not self.included[key].modified:
                del self.included[key]
        return list(self.included) != before

    def adopt_archive(self, main: str, sources: dict[str, str]) -> bool:
        """Follow the texts that a reading met in the archive, main first; whether any is another than before."""
        before = {key: file.text for key, file in self.files().items()}
        files = {key: SourceFile(Path(key), text, text, sealed=True) for key, text in sources.items()}
        self.main = files.pop(main, None) or SourceFile(self.archive, "", "", sealed=True)   # a bad archive has none
        self.included = files
        return {key: file.text for key, file in self.files().items()} != before

    def conflicts(self) -> list[str]:
        """Keys of files with unsaved text that something else has changed on disk meanwhile; saving would overwrite that."""
        return [key for key, file in self.files().items() if file.modified and file.changed_on_disk()]

    def save(self) -> list[Path]:
        """Write every file with unsaved text; the paths written. Raises OSError at the first that fails, ValueError for a model without a file."""
        if self.archive is not None:
            raise ValueError(f"{self.archive.name} is an archive, whose texts are read only: File > Save as... unpacks it")
        if self.recorded is not None:
            raise ValueError(f"{self.recorded.name} is a recording, whose texts are read only: File > Save as... writes the model's text")
        if self.compiled:
            raise ValueError(f"{self.script or self.main.name} is a compiled model, which has no text: File > Save as... writes one")
        if self.main.path is None:
            raise ValueError("this model has no file yet")
        written = []
        for file in self.files().values():
            if file.modified:
                file.save()
                written.append(file.path)
        return written

    def save_as(self, path: Path) -> None:
        """Write the main text to `path`, which becomes the main file; an archive is unpacked there. Raises OSError."""
        path = Path(os.path.abspath(path))
        if self.archive is None and path.suffix.lower() in ARCHIVES:
            raise OSError(f"{path.name}: a text is saved as .xml or .urdf (`linkwork convert` makes archives)")
        if path.suffix.lower() == COMPILED:
            raise OSError(f"{path.name}: a text is saved as .xml or .urdf (File > Save compiled model... writes {COMPILED})")
        if self.archive is None:
            self.main.save(path)
            return
        if path.suffix.lower() in ARCHIVES:
            write_file(path, read_regular(self.archive, LARGEST_ARCHIVE))
        else:
            unpack(self.archive, path)
        opened = Document.open(path)
        self.main, self.included, self.assets, self.archive = opened.main, {}, (), opened.archive

    def revert(self) -> None:
        """Drop all unsaved text."""
        for file in self.files().values():
            if file.disk_text is not None:
                file.text = file.disk_text

    def watched(self) -> tuple[Path, ...]:
        """Files whose change on disk concerns this document."""
        if self.archive is not None:
            return (self.archive,)
        if self.recorded is not None:
            return ()
        if self.compiled:
            return () if self.script else (self.main.path,)
        return tuple(file.path for file in self.files().values() if file.path is not None) + tuple(self.assets)
