"""Files of convex parts: Wavefront OBJ, one for each, named after the mesh that they come from. Source: Wavefront, "Object Files (.obj)", vertices and faces."""
from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from editor.convex.decompose import Part
from editor.edits.version import Version
from physics.files.atomic_write import write_file
from physics.spec.element import Element

__all__ = ["folder_of", "free_stem", "obj_text", "part_paths", "taken", "write_parts"]


def folder_of(version: Version, mesh: Element, main: Path) -> Path:
    """Where the parts of a mesh asset go: beside its file; where that is not known, or <compiler strippath> takes folders away, into the folder of meshes, else that of the model."""
    folder, strips = "", False
    for compiler in version.root.all("compiler"):
        folder = compiler.attrs.get("meshdir", compiler.attrs.get("assetdir", folder))
        strips = compiler.attrs.get("strippath", "true" if strips else "false") == "true"
    base = Path(os.path.normpath(main.parent / folder))
    own = Path(os.path.normpath(base / mesh.attrs.get("file", "")))
    if mesh.attrs.get("file") and not strips and own.is_file():
        return own.parent
    return base if base.is_dir() else main.parent


def obj_text(vert: np.ndarray, face: np.ndarray) -> str:
    """A mesh as OBJ: nine digits are those of single precision."""
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in np.asarray(vert, float).tolist()]
    lines += [f"f {a} {b} {c}" for a, b, c in (np.asarray(face, int) + 1).tolist()]
    return "\n".join(lines) + "\n"


def part_paths(folder: str | os.PathLike, stem: str, count: int) -> list[Path]:
    """Where the parts of a mesh go."""
    return [Path(folder) / f"{stem}_part_{k:03d}.obj" for k in range(count)]


def taken(paths: Sequence[Path]) -> list[Path]:
    """Those that are there already."""
    return [path for path in paths if path.exists()]


def free_stem(folder: str | os.PathLike, stem: str, count: int) -> str:
    """A stem under which no part is there yet: the stem itself, or with a number."""
    number = 1
    while taken(part_paths(folder, found := stem if number == 1 else f"{stem}_{number}", count)):
        number += 1
    return found


def write_parts(paths: Sequence[Path], parts: Sequence[Part]) -> None:
    """Write all parts, each whole or not at all; where one fails, those that were not there before go again. Raises OSError."""
    new: list[Path] = []
    try:
        for path, (vert, face) in zip(paths, parts, strict=True):
            before = path.exists()
            write_file(path, obj_text(vert, face))
            if not before:
                new.append(path)
    except OSError:
        for path in new:
            with suppress(OSError):
                path.unlink()
        raise
