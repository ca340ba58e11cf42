"""Where a model's files are found, and how they are read: included texts, meshes, pictures.

An include's file is looked for beside the main file first, then beside the file that includes it (MJCF reference, `include`).
Files given in memory (an editor's unsaved tabs, the members of an archive) win over the disk.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from physics.files.read_regular import read_regular
from physics.files.text_codec import decode

__all__ = ["ARCHIVES", "TextSource", "is_archive"]

ARCHIVES = (".zip", ".mjz")

MAX_BYTES = 256 * 2**20  # a larger text file is not a model; reading it would only exhaust memory


def is_archive(path: str) -> bool:
    """Whether a file is to be read as a zip archive: by its name, else by its first bytes."""
    if path.lower().endswith(ARCHIVES) or not os.path.isfile(path):
        return path.lower().endswith(ARCHIVES)
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"PK\x03\x04"
    except OSError:
        return False


class TextSource:
    """Finds and reads the files of one model: `files` in memory first, then the disk.

    base_dir: folder of the main file, or None when there is none (then only memory and the current folder are searched).
    files: path -> text or bytes. sealed: nothing but `files` is read (a model from an archive must not reach the disk).
    """

    def __init__(self, base_dir: str | os.PathLike | None, files: Mapping[str, str | bytes] | None, sealed: bool = False) -> None:
        self.sealed = sealed
        self.base = Path(base_dir) if base_dir is not None else None
        self._files = dict(files or {})
        self._by_path = {os.path.abspath(name): name for name in self._files}

    def find(self, file: str, including: str) -> str | None:
        """The file's path as it will be named in places, or None; `including` is the file holding the include."""
        if file in self._files:
            return file
        candidates = [Path(file)] if os.path.isabs(file) else [
            (self.base or Path()) / file, Path(including).parent / file,
        ]
        for candidate in candidates:
            path = os.path.normpath(candidate)
            if path in self._files or os.path.abspath(path) in self._by_path or (not self.sealed and os.path.isfile(path)):
                return path
        return None

    def beside(self, path: str) -> TextSource:
        """The source of another model whose main file is at a path that `find` gave: the same files, its own folder."""
        return TextSource(os.path.dirname(path), self._files, self.sealed)

    def has(self, path: str) -> bool:
        """Whether there is a file at a path."""
        return self._held(path) is not None or (not self.sealed and os.path.isfile(path))

    def join(self, *parts: str) -> str:
        """A path below the model's folder from parts with either kind of slash; an absolute part starts afresh."""
        return os.path.normpath(os.path.join(self.base or "", *(part.replace("\\", "/") for part in parts)))

    def read(self, path: str) -> str:
        """The text at a path that `find` gave. Raises OSError when it cannot be read or is absurdly large."""
        held = self._held(path)
        if isinstance(held, str):
            return held
        return decode(self.read_bytes(path))[0]

    def read_bytes(self, path: str) -> bytes:
        """The content of a file. Raises OSError (FileNotFoundError) when it cannot be read or is absurdly large."""
        held = self._held(path)
        if held is not None:
            return held.encode() if isinstance(held, str) else held
        if self.sealed:
            raise FileNotFoundError(f"'{path}' is not among the model's files")
        return read_regular(path, MAX_BYTES)

    def holds(self, path: str) -> bool:
        """Whether a path's content comes from memory, not from the disk."""
        return self.sealed or self._held(path) is not None

    def _held(self, path: str) -> str | bytes | None:
        """What memory has at a path, None for nothing."""
        if not self._files:
            return None
        if path in self._files:
            return self._files[path]
        known = self._by_path.get(os.path.abspath(path))
        return None if known is None else self._files[known]

    @staticmethod
    def identity(path: str) -> str:
        """One key per file however it is spelled, for finding repeated and cyclic includes."""
        return os.path.realpath(path)
