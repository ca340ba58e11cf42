"""Modules beside a script: what it imports from its own folder, always as it is on disk now.

Only names that nothing installed has are looked for there, so that no file of the user's takes the place of a library that the program loads late.
"""
from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import BuiltinImporter, FrozenImporter, ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path


class _FreshLoader(SourceFileLoader):
    """Without compiled files beside the text: two saves within a second may have the same size, and the older would be taken for the newer."""

    def path_stats(self, path):
        raise OSError("never from a compiled file")


class SiblingFinder:
    """Finds modules and packages of one folder while it is installed. names: the full names of those that it has found."""

    def __init__(self, folder: Path):
        self._folder = folder
        self.names: dict[str, Path] = {}

    def install(self) -> None:
        """Be asked from now on. What another script's folder has given under a name that is here too is looked for anew."""
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)
        for other in [finder for finder in sys.meta_path if isinstance(finder, SiblingFinder) and finder is not self]:
            if any(self._in_folder(name) for name in other.names if "." not in name):
                other.forget()

    def remove(self) -> None:
        """Be asked no more."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        self.forget()

    def forget(self) -> None:
        """Have every module of the folder loaded anew by the next import; who has one keeps it."""
        for name in self.names:
            sys.modules.pop(name, None)
        self.names = {}

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, _target=None) -> ModuleSpec | None:
        """As importlib asks."""
        parent, _, last = fullname.rpartition(".")
        if parent and parent not in self.names:
            return None
        file = self._in_folder(last, Path(path[0]) if parent and path else self._folder)
        if file is None or not parent and _installed(fullname, self._folder):
            return None
        self.names[fullname] = file
        inner = [str(file.parent)] if file.name == "__init__.py" else None
        return spec_from_file_location(fullname, file, loader=_FreshLoader(fullname, str(file)), submodule_search_locations=inner)

    def _in_folder(self, name: str, folder: Path | None = None) -> Path | None:
        folder = folder or self._folder
        return next((file for file in (folder / f"{name}.py", folder / name / "__init__.py") if file.is_file()), None)


def _installed(name: str, folder: Path) -> bool:
    """Whether anything but a file of the folder has this name."""
    found = [spec for finder in (BuiltinImporter, FrozenImporter, PathFinder) if (spec := finder.find_spec(name)) is not None]
    return any(spec.origin is None or folder not in (Path(spec.origin).parent, Path(spec.origin).parent.parent) for spec in found)
