"""The files that assets name: where they are, and their bytes.

A file is looked for below the folder its kind is given in <compiler> (physics/spec/asset_folders.py), below the model's own folder.
"""
from __future__ import annotations

import os
from pathlib import PurePosixPath
from typing import NamedTuple

from physics.compiler.assets import packages
from physics.compiler.build import Build


class OpenedAsset(NamedTuple):
    """A file that was read. name: as written, without its folders where strippath holds; path: where it was found."""

    name: str
    path: str
    data: bytes

    @property
    def ending(self) -> str:
        """'.obj', '.png', ...: the lower-case ending of its name."""
        return PurePosixPath(self.name).suffix.lower()


def _places(build: Build, attrs, attribute: str, folder: str) -> tuple:
    """(the source that files are read from, the name as written, all paths where the file may be)."""
    scope = build.source.scope(attrs.element)
    name = attrs[attribute].replace("\\", "/")
    if scope.strippath:
        name = PurePosixPath(name).name
    source = getattr(scope, "source", None) or build.source.read_result.source
    return source, name, packages.candidates(source, getattr(scope, folder), name)


def locate_asset(build: Build, attrs, attribute: str, folder: str) -> tuple:
    """Where an attribute's file should be: (the source that files are read from, its name as written, its path)."""
    source, name, places = _places(build, attrs, attribute, folder)
    if len(places) == 1:
        return source, name, places[0]
    return source, name, next((path for path in places if source.has(path)), places[0])


def open_asset(build: Build, attrs, attribute: str, kind: str, folder: str) -> OpenedAsset | None:
    """Read the file that an attribute names, or note the error and give None.

    attrs: resolved attributes of the asset; kind: 'mesh', 'texture', ... for messages; folder: 'meshdir' or 'texturedir'.
    """
    element = attrs.element
    source, name, path = locate_asset(build, attrs, attribute, folder)
    try:
        return OpenedAsset(name, path, source.read_bytes(path))
    except FileNotFoundError:
        places = ", ".join(os.path.abspath(place) for place in _places(build, attrs, attribute, folder)[2])
        build.problems.error(element, f"{kind} file '{name}' was not found", f"Looked for {places}", attribute)
    except (OSError, ValueError) as problem:
        build.problems.error(element, f"{kind} file '{name}' cannot be read: {getattr(problem, 'strerror', None) or problem}", attr=attribute)
    return None
