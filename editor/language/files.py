"""The files that attributes can name, relative to the folder from which they are read.

Meshes, height fields and skins: below meshdir, pictures: below texturedir, both else assetdir, of the model's folder (MuJoCo XML reference, `compiler`); included texts and
other models: beside the main file.
"""
from __future__ import annotations

import os
from types import MappingProxyType

from editor.language.symbols import Settings

__all__ = ["FOLDERS", "endings_of", "files_below", "folder_of", "located"]

MOST_FILES, MOST_LEVELS = 2000, 4
MESHES, PICTURES, TEXTS = (".obj", ".stl", ".msh"), (".png", ".ktx", ".hdr", ".jpg", ".jpeg", ".bmp", ".tga"), (".xml", ".mjcf", ".urdf")
FOLDERS = MappingProxyType({"mesh": "meshdir", "hfield": "meshdir", "skin": "meshdir", "flexcomp": "meshdir", "texture": "texturedir", "layer": "texturedir"})
_ENDINGS = MappingProxyType({"mesh": MESHES, "hfield": (".png", ".bin"), "skin": (".skn",), "texture": PICTURES, "layer": PICTURES, "flexcomp": (*MESHES, ".obj"),
                             "include": TEXTS, "model": TEXTS})


def endings_of(tag: str) -> tuple[str, ...]:
    """Endings of the files that an element can name, in small letters; () for any."""
    return _ENDINGS.get(tag, ())


def folder_of(tag: str, main: str, settings: Settings) -> str:
    """The folder from which files of an element are read. main: the model's main file."""
    kind = FOLDERS.get(tag)
    below = (getattr(settings, kind) or settings.assetdir or "") if kind is not None else ""
    return os.path.normpath(os.path.join(os.path.dirname(main), below.replace("\\", "/")))


def files_below(folder: str, endings: tuple[str, ...]) -> list[str]:
    """Files in a folder and the folders in it, by their path from there with forward slashes, those nearest first; hidden ones are left out, and what is very deep or very much."""
    found: list[str] = []
    for where, folders, names in os.walk(folder):
        level = os.path.relpath(where, folder)
        folders[:] = sorted(name for name in folders if not name.startswith(".")) if level.count(os.sep) < MOST_LEVELS - 1 else []
        for name in sorted(names):
            if not name.startswith(".") and (not endings or os.path.splitext(name)[1].lower() in endings):
                found.append(name if level == "." else f"{level.replace(os.sep, '/')}/{name}")
        if len(found) >= MOST_FILES:
            break
    return sorted(found[:MOST_FILES], key=lambda name: (name.count("/"), name))


def folders_below(folder: str) -> list[str]:
    """Folders in a folder, and in those."""
    found: list[str] = []
    for where, folders, _names in os.walk(folder):
        level = os.path.relpath(where, folder)
        folders[:] = sorted(name for name in folders if not name.startswith(".")) if level.count(os.sep) < 1 else []
        found += [name if level == "." else f"{level.replace(os.sep, '/')}/{name}" for name in folders]
        if len(found) >= MOST_FILES:
            break
    return sorted(found)


def located(tag: str, value: str, file: str, main: str, settings: Settings) -> list[str]:
    """Paths at which a file may be that an element of a file names, the likeliest first."""
    value = value.replace("\\", "/")
    if tag in FOLDERS and settings.strippath == "true":
        value = os.path.basename(value)
    places = [folder_of(tag, main, settings)]
    if tag not in FOLDERS:
        places.append(os.path.dirname(file))
    return list(dict.fromkeys(os.path.normpath(os.path.join(folder, value)) for folder in places))
