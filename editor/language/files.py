"""The files that attributes can name, relative to the folder from which they are read.

Assets: where <compiler> says (physics/spec/asset_folders.py); included texts and other models: beside the main file.
"""
from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from types import MappingProxyType

from physics.spec.asset_folders import FOLDERS, AssetFolders

__all__ = ["Folders", "endings_of", "files_below", "folder_of", "located"]

MOST_FILES, MOST_FOLDERS, MOST_LEVELS = 2000, 400, 4
SECONDS = 0.1       # after which no other folder is looked at
KEPT = 3.0          # seconds after it was asked for last until a folder is looked at anew
MESHES, PICTURES, TEXTS = (".obj", ".stl", ".msh"), (".png", ".ktx", ".hdr", ".jpg", ".jpeg", ".bmp", ".tga"), (".xml", ".mjcf", ".urdf")
_ENDINGS = MappingProxyType({"mesh": MESHES, "hfield": (".png", ".bin"), "skin": (".skn",), "texture": PICTURES, "layer": PICTURES, "flexcomp": (*MESHES, ".obj"),
                             "include": TEXTS, "model": TEXTS})


def endings_of(tag: str) -> tuple[str, ...]:
    """Endings of the files that an element can name, in small letters; () for any."""
    return _ENDINGS.get(tag, ())


def folder_of(tag: str, main: str, folders: AssetFolders) -> str:
    """The folder from which files of an element are read. main: the model's main file."""
    return os.path.normpath(os.path.join(os.path.dirname(main), folders.below(tag)))


class Folders:
    """What is in folders, kept for as long as a value is written: the disk is not looked at for each letter."""

    def __init__(self, clock: Callable[[], float] = time.monotonic):
        self._clock = clock
        self._kept: dict[tuple, tuple[float, list[str]]] = {}

    def files(self, folder: str, endings: tuple[str, ...]) -> list[str]:
        """As files_below has them."""
        return self._of(files_below, folder, endings)

    def folders(self, folder: str) -> list[str]:
        """As folders_below has them."""
        return self._of(folders_below, folder)

    def _of(self, look: Callable[..., list[str]], *arguments) -> list[str]:
        now, key = self._clock(), (look, *arguments)
        self._kept = {one: kept for one, kept in self._kept.items() if now - kept[0] < KEPT}
        found = self._kept[key][1] if key in self._kept else look(*arguments)
        self._kept[key] = self._clock(), found
        return found


def files_below(folder: str, endings: tuple[str, ...]) -> list[str]:
    """Files in a folder and the folders in it, by their path from there with forward slashes, those nearest first; hidden ones are left out, and what is very deep or very much."""
    found: list[str] = []
    for where, _folders, names in _walk(folder, MOST_LEVELS):
        found += [where + name for name in names if not endings or os.path.splitext(name)[1].lower() in endings]
        if len(found) >= MOST_FILES:
            break
    return sorted(found[:MOST_FILES], key=lambda name: (name.count("/"), name))


def folders_below(folder: str) -> list[str]:
    """Folders in a folder, and in those."""
    found: list[str] = []
    for where, folders, _names in _walk(folder, 1):
        found += [where + name for name in folders]
        if len(found) >= MOST_FILES:
            break
    return sorted(found)


def _walk(folder: str, levels: int) -> Iterator[tuple[str, list[str], list[str]]]:
    """(its path from there with a slash behind it, folders in it, files in it) of a folder and those below, the nearest first, without hidden ones. It ends early where there are
    very many folders, or the disk is slow: somebody waits."""
    waiting, until = deque([("", 0)]), time.monotonic() + SECONDS
    for _ in range(MOST_FOLDERS):
        if not waiting or time.monotonic() > until:
            return
        where, level = waiting.popleft()
        folders, names = [], []
        try:
            with os.scandir(os.path.join(folder, where)) as entries:
                for entry in entries:
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.name)
                    elif not entry.is_dir():
                        names.append(entry.name)
        except OSError:
            continue
        yield where, sorted(folders), sorted(names)
        if level < levels:
            waiting += [(f"{where}{name}/", level + 1) for name in sorted(folders)]


def located(tag: str, value: str, file: str, main: str, folders: AssetFolders) -> list[str]:
    """Paths at which a file may be that an element of a file names, the likeliest first."""
    value = folders.file_name(value) if tag in FOLDERS else value.replace("\\", "/")
    places = [folder_of(tag, main, folders)]
    if tag not in FOLDERS:
        places.append(os.path.dirname(file))
    return list(dict.fromkeys(os.path.normpath(os.path.join(folder, value)) for folder in places))
