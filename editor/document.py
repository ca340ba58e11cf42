"""The open model as text: the main file and every file it includes, with what is on disk and what is not saved.

    text (in the editor)  --save-->  disk text        modified: text differs from the disk text known
    disk changes:  nothing unsaved -> taken at once;  unsaved text -> kept, and the conflict is told (the user decides)

A text is kept as it stands in its file, line ends included, so that places in it are those of the file (physics/files/text_codec.py). Files are written all or nothing
(physics/files/atomic_write.py).

A model in an archive is read only: its texts are those that the compiler has met inside; saving it elsewhere unpacks it (unpack.py).
A compiled model (.lwb) has no text at all. Any other file that is no text is refused.
"""
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from editor.edits.edited_texts import EditedTexts
from editor.edits.line_changes import Merge, edit_by_lines, merged
from editor.edits.patch import Edit
from editor.replay import Replay
from editor.source_file import COMPILED, LARGEST_TEXT, NEW_NAME, DiskChange, SourceFile, is_compiled, read_text
from editor.unpack import unpack
from editor.well_formed import is_well_formed
from physics.files.atomic_write import write_file
from physics.files.read_regular import read_regular
from physics.files.text_codec import TextCodec
from physics.mjcf.include import ARCHIVES, is_archive

__all__ = ["COMPILED", "LARGEST_TEXT", "NEW_MODEL", "NEW_NAME", "DiskChange", "Document", "NotSaved", "SourceFile"]

LARGEST_ARCHIVE = 1 << 30   # bytes: an archive is copied
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


class NotSaved(OSError):
    """Why some files could not be written. written: those that were."""

    def __init__(self, problem: str, written: list[Path]):
        super().__init__(problem)
        self.written = tuple(written)


@dataclass(slots=True)
class Document(EditedTexts):
    """The main file first, then included files, and those of attached models, in the order they were met. Keys are absolute paths as text; NEW_NAME for an unsaved one.

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
        return cls._of_text(SourceFile.read(path))

    @classmethod
    def new(cls, text: str = NEW_MODEL) -> "Document":
        """A model without a file, a small one where no text is given."""
        return cls._of_text(SourceFile(None, text, text))

    @classmethod
    def _of_text(cls, main: SourceFile) -> "Document":
        made = cls(main)
        made.history.mark_saved((made.main_key,))
        return made

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

    def read_texts(self) -> dict[str, str]:
        """Those that the reader is given."""
        return {self.main_key: self.main.text, **self.included_texts()}

    @property
    def base_dir(self) -> str | None:
        """The folder that files are looked up in."""
        return str(self.path.parent) if self.path is not None else None

    # ------------------------------------------------------------------ included files

    def include(self, key: str) -> SourceFile:
        """The included file of that key, as it was when it was included before, else read from disk (empty where there is none)."""
        if key in self._away:
            self.bring_back(key)
        elif key not in self.included:
            try:
                self.included[key] = SourceFile.read(Path(key))
            except OSError:
                self.included[key] = SourceFile(Path(key), "")
            self.history.mark_saved((key,))
            self._ids.pop(key, None)
        return self.included[key]

    def bring_back(self, key: str) -> None:
        """Have a file again that is not included any more."""
        self.included[key] = self._away.pop(key)

    def adopt(self, sources: dict[str, str], complete: bool = True) -> bool:
        """Follow the files a reading met; whether the list changed. A file that it did not meet stays while it has unsaved text, and where the reading is not complete, as
        the text was no XML; else it is kept aside: an undo may include it again."""
        before = list(self.included)
        for key in sources:
            if key != self.key and key not in self.included and os.path.isabs(key):
                self.include(key)
        for key in before:
            if complete and key not in sources and not self.included[key].modified:
                self._away[key] = self.included.pop(key)
        return list(self.included) != before

    def adopt_archive(self, main: str, sources: dict[str, str]) -> bool:
        """Follow the texts that a reading met in the archive, main first; whether any is another than before."""
        before = {key: file.text for key, file in self.files().items()}
        files = {key: SourceFile(Path(key), text, text, sealed=True) for key, text in sources.items()}
        self.main = files.pop(main, None) or SourceFile(self.archive, "", "", sealed=True)   # a bad archive has none
        self.included = files
        return {key: file.text for key, file in self.files().items()} != before

    # ------------------------------------------------------------------ the disk

    def look_at_disk(self, key: str) -> tuple[DiskChange, Edit | None]:
        """Compare a file with the disk, and take up what has changed there as an edit: into a text with nothing unsaved, and into unsaved text where that has changed other lines.

        What the disk has become, and the edit, None for none.
        """
        file = self.files()[key]
        before, known = file.text, file.disk_text
        change, text, codec = file.on_disk()
        if change is DiskChange.TAKEN:
            return change, self.take_disk(key, text, codec)
        both = self.merge(key, text) if change is DiskChange.CONFLICT and known is not None else None
        if both is None or both.conflicts:
            return change, None
        if is_well_formed(before, None) and is_well_formed(text, None) and not is_well_formed(both.text(), None):     # the lines fit, and the tags do not
            return change, None
        return DiskChange.MERGED, self.take_merge(key, both.text(), text, codec)

    def merge(self, key: str, text: str) -> Merge | None:
        """What the file has here put together with this text of the disk; None where they cannot be compared."""
        file = self.files()[key]
        return None if file.disk_text is None else merged(file.disk_text, file.text, text)

    def take_disk(self, key: str, text: str | None = None, codec: TextCodec | None = None) -> Edit | None:
        """What the disk has becomes the text of a file, and that is all saved; the edit, None where the text was the same. text, codec: what the disk has, where that is known.

        Raises OSError where it cannot be read.
        """
        file = self.files()[key]
        if text is None:
            text, codec = read_text(file.path)
        return self._take(key, text, text, codec)

    def take_merge(self, key: str, text: str, disk: str, codec: TextCodec | None = None) -> Edit | None:
        """Settle a conflict by a text in which both changes are. disk, codec: what the disk has."""
        return self._take(key, text, disk, codec)

    def _take(self, key: str, text: str, disk: str, codec: TextCodec | None) -> Edit | None:
        file = self.files()[key]
        edit = edit_by_lines(f"{file.name} changed on disk", key, file.text, text)
        if edit.patches:
            self.apply(edit)
        self.history.seal()
        file.use_codec(codec or file.codec)
        file.gone = False
        self._disk_is(key, disk)
        return edit if edit.patches else None

    def _disk_is(self, key: str, disk: str | None) -> None:
        """The disk has this text of a file."""
        file = self.files()[key]
        file.disk_text = disk
        if file.text == disk:
            self.history.mark_saved((key,))
        else:
            self.history.set_saved(key, None)
        if self.recorder is not None:
            self.recorder.on_disk(key)

    def keep(self, key: str) -> None:
        """Settle a conflict for the text here: a save may overwrite what is on disk now."""
        self.files()[key].keep()
        self._disk_is(key, self.files()[key].disk_text)

    def restore(self, journal: Replay) -> list[str]:
        """Take up what a journal tells, with all that can be undone: this document was opened just now. Keys of the files that the disk has another text of than the journal knows."""
        changed = []
        for key, text in journal.texts.items():
            file = self.files().get(key) or self.include(key)
            known = journal.disk.get(key)
            if not file.gone and file.disk_text is None and known is not None:
                file.gone, file.codec = True, journal.codecs[key]
            elif file.disk_text != known and file.disk_text is not None:
                changed.append(key)
            file.text, file.disk_text = text, known
        self.history = journal.history
        return changed

    def conflicts(self) -> list[str]:
        """Keys of files with unsaved text that something else has changed on disk meanwhile; saving would overwrite that."""
        return [key for key, file in self.files().items() if file.modified and file.changed_on_disk()]

    def save(self) -> list[Path]:
        """Write every file with unsaved text; the paths written. Raises NotSaved where some fail, the others are written then; ValueError for a model without a file."""
        if self.archive is not None:
            raise ValueError(f"{self.archive.name} is an archive, whose texts are read only: File > Save as... unpacks it")
        if self.recorded is not None:
            raise ValueError(f"{self.recorded.name} is a recording, whose texts are read only: File > Save as... writes the model's text")
        if self.compiled:
            raise ValueError(f"{self.script or self.main.name} is a compiled model, which has no text: File > Save as... writes one")
        if self.main.path is None:
            raise ValueError("this model has no file yet")
        if self.open_gesture is not None:
            self.open_gesture.end()
        written, failed = [], []
        for key, file in self.files().items():
            if not file.modified:
                continue
            try:
                file.save()
            except OSError as error:
                failed.append(f"{file.name}: {error.strerror}" if error.strerror else str(error))
                continue
            written.append(file.path)
            self._disk_is(key, file.text)
        if failed:
            raise NotSaved("; ".join(failed), written)
        return written

    def save_as(self, path: Path) -> None:
        """Write the main text to `path`, which becomes the main file; an archive is unpacked there. Raises OSError."""
        path = Path(os.path.abspath(path))
        if self.archive is None and path.suffix.lower() in ARCHIVES:
            raise OSError(f"{path.name}: a text is saved as .xml or .urdf (`linkwork convert` makes archives)")
        if path.suffix.lower() == COMPILED:
            raise OSError(f"{path.name}: a text is saved as .xml or .urdf (File > Save compiled model... writes {COMPILED})")
        if self.archive is None:
            if self.open_gesture is not None:
                self.open_gesture.end()
            old = self.main_key
            self.main.save(path)
            self._renamed(old)
            return
        if path.suffix.lower() in ARCHIVES:
            write_file(path, read_regular(self.archive, LARGEST_ARCHIVE))
        else:
            unpack(self.archive, path)
        opened = Document.open(path)
        self.main, self.included, self.assets, self.archive = opened.main, {}, (), opened.archive
        self.history = opened.history
        self._forget_readings()

    def _renamed(self, old: str) -> None:
        """The main file has another key."""
        new = self.main_key
        if new != old:
            if self.included.pop(new, None) is not None or self._away.pop(new, None) is not None:
                self.history.clear()        # it knows another text of that file
                if self.recorder is not None:
                    self.recorder.forgot()
            self.history.rename(old, new)
            self._ids = {new if file == old else file: known for file, known in self._ids.items() if file != new}
            self._forget_readings()
            if self.recorder is not None:
                self.recorder.renamed(old, new)
        self._disk_is(new, self.main.text)

    def _forget_readings(self) -> None:
        self._version = self._good = self._last_good = None
        self._since = Edit("", ())

    def revert(self) -> Edit | None:
        """Drop all unsaved text, as an edit that can be undone; None where there is none."""
        files = {key: file for key, file in self.files().items() if file.disk_text is not None and file.text != file.disk_text}
        edit = Edit("Revert to the files", tuple(patch for key, file in files.items() for patch in edit_by_lines("", key, file.text, file.disk_text).patches))
        if not edit.patches:
            return None
        self.apply(edit)
        self.history.mark_saved([key for key, file in files.items() if not file.gone])
        return edit

    def watched(self) -> tuple[Path, ...]:
        """Files whose change on disk concerns this document."""
        if self.archive is not None:
            return (self.archive,)
        if self.recorded is not None:
            return ()
        if self.compiled:
            return () if self.script else (self.main.path,)
        return tuple(file.path for file in self.files().values() if file.path is not None) + tuple(self.assets)
