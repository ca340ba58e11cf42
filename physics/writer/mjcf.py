"""A compiled Model as canonical MJCF: flat, without default classes, angles in radians, everything said that a compiler would infer.

The text is made from the Model's fields, so changes made while it ran are in it. Compiled again, here or by the official compiler, it
gives the same Model (but for rounding in the last digits).
"""
from __future__ import annotations

import os
import zipfile
from pathlib import PurePath
from typing import NamedTuple

from physics.files.atomic_write import replacing, write_file
from physics.model import lwb
from physics.model.asset_record import AssetFile
from physics.model.model import Model
from physics.writer import action, assets, bodies, extras, sensing, settings
from physics.writer.draft import Draft


class Written(NamedTuple):
    """A model's text. warnings: what it does not keep; files: name in the text -> what must lie there beside it."""

    text: str
    warnings: tuple[str, ...]
    files: dict[str, AssetFile]


def to_mjcf(model: Model, folder: str | os.PathLike | None = None) -> str:
    """The model's text. Files of assets are named relative to `folder`, or by their full path where it is None."""
    return written(model, folder).text


def save(model: Model, path: str | os.PathLike) -> tuple[str, ...]:
    """Write the model into a file, atomically, as what its ending says; what the file does not keep is returned.

    .xml: MJCF. Assets on the disk stay where they are and are named relative to the file; those that were held
    in memory (from an archive) are written into a folder beside it. .zip: MJCF with all its assets. .lwb: the compiled model as it is.
    Raises OSError when a file cannot be written, or an asset cannot be read any more; ValueError for any other ending.
    """
    path = os.path.abspath(path)
    ending = os.path.splitext(path)[1].lower()
    if ending not in (".xml", ".zip", ".lwb"):
        raise ValueError(f"{path}: a model is written as .xml, .zip or .lwb, not as '{ending}'")
    if ending == ".lwb":
        lwb.save(model, path)
        return ()
    if ending == ".zip":
        return _save_archive(model, path)
    result = written(model, os.path.dirname(path), PurePath(path).stem + "_files")
    for name, file in result.files.items():
        target = os.path.join(os.path.dirname(path), name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        write_file(target, file.data or b"")
    write_file(path, result.text)
    return result.warnings


def _save_archive(model: Model, path: str) -> tuple[str, ...]:
    """One text and the folder 'assets'; the same model gives the same bytes."""
    result = written(model, None, "assets", bundle=True)
    with replacing(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_member(PurePath(path).stem + ".xml"), result.text)
        for name, file in result.files.items():
            data = file.data
            if data is None:
                with open(file.path, "rb") as source:
                    data = source.read()
            archive.writestr(_member(name), data)
    return result.warnings


def _member(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)   # of 1980, whenever it is made
    info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
    return info


def written(model: Model, folder: str | os.PathLike | None = None, beside: str = "", bundle: bool = False) -> Written:
    """The text with its warnings and files.

    folder: where the text will lie; beside: folder in it for assets held in memory; bundle: all assets shall lie there, also those from
    the disk.
    """
    def file_name(draft: Draft, file: AssetFile) -> str:
        if bundle or (file.data is not None and beside):
            return _beside(draft, file, beside)
        if folder is None or file.data is not None:
            return os.path.abspath(file.path) if file.data is None else file.path
        try:
            return os.path.relpath(os.path.realpath(file.path), os.path.realpath(folder)).replace(os.sep, "/")
        except ValueError:   # on another drive
            return os.path.abspath(file.path)

    draft = Draft(model, file_name)
    settings.write(draft)
    assets.write(draft)
    bodies.write(draft)
    action.write(draft)
    sensing.write(draft)
    extras.write(draft)
    return Written(draft.text(), tuple(draft.warnings), draft.files)


def _beside(draft: Draft, file: AssetFile, folder: str) -> str:
    """Name of an asset's file in a folder of the text's own; files of one name get a number."""
    base = PurePath(file.path.replace("\\", "/"))
    for k in range(len(draft.files) + 1):
        name = f"{folder}/{base.stem}{f'_{k}' if k else ''}{base.suffix}" if folder else base.name
        if draft.files.setdefault(name, file).path == file.path:
            return name
    raise AssertionError("there are more names than files")
