"""The files besides its texts that a model names, to be watched: meshes, pictures, height fields, skins, those of attached models too."""
from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from physics.compiler.assets.packages import candidates
from physics.mjcf.reader import ReadResult
from physics.spec.asset_folders import FOLDERS, AssetFolders

__all__ = ["asset_files"]


def asset_files(read: ReadResult | None) -> tuple[Path, ...]:
    """Files that elements of a reading name, where the compiler looks for them; one that is missing is watched wherever it may appear."""
    if read is None:
        return ()
    found = [path for reading in (read, *read.attached.values()) if not reading.source.sealed for path in _of(reading)]
    return tuple(map(Path, dict.fromkeys(found)))


def _of(read: ReadResult) -> Iterator[str]:
    """Those of one model, by absolute path."""
    if read.root is None:
        return
    folders = AssetFolders.of(read.root)
    for element in read.root.walk():
        if element.tag not in FOLDERS and element.tag != "model":
            continue
        for name, value in element.attrs.items():
            if not name.startswith("file") or not value:
                continue
            name = value.replace("\\", "/") if element.tag == "model" else folders.file_name(value)     # a model lies beside the text, whatever <compiler> says
            folder = folders.below(element.tag)
            places = [os.path.abspath(place) for place in candidates(read.source, folder, name)]    # as the watcher tells them
            yield from [place for place in places if os.path.isfile(place)][:1] or places
