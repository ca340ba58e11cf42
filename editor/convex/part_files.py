"""Files of convex parts: Wavefront OBJ, one for each, named after the mesh that they come from. Source: Wavefront, "Object Files (.obj)", vertices and faces."""
from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import numpy as np

from editor.convex.decompose import ConvexError, Part
from editor.edits.version import Version
from physics.files.atomic_write import replacing_by_name
from physics.spec.asset_folders import AssetFolders
from physics.spec.element import Element

__all__ = ["folder_of", "free_stem", "obj_text", "part_paths", "take_away", "taken", "write_parts"]


def folder_of(version: Version, mesh: Element, main: Path) -> Path:
    """Where the parts of a mesh asset go: beside its file; where that is not known, or <compiler strippath> takes folders away, into the folder of meshes, else that of the model."""
    folders = AssetFolders.of(version.root)
    base = Path(os.path.normpath(main.parent / folders.below("mesh")))
    own = Path(os.path.normpath(base / mesh.attrs.get("file", "")))
    if mesh.attrs.get("file") and not folders.strips and own.is_file():
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


def write_parts(paths: Sequence[Path], parts: Sequence[Part], stopping: Callable[[], bool] = lambda: False, settle: Callable[[], bool] = lambda: True) -> tuple[Path, ...]:
    """Write all parts beside their places, and then put all there; where one fails, those that were not there before go again. Those are what it returns.

    stopping(): whether nobody wants them any more; settle(): asked once, when all are written, whether they may be put in place, after which nothing else stops that. Raises
    ConvexError where they are given up, which leaves the disk as it was; OSError.
    """
    new: list[Path] = []
    try:
        with ExitStack() as stack:      # by whose end the files come into their places
            for path, (vert, face) in zip(paths, parts, strict=True):
                if stopping():
                    raise ConvexError("given up")
                if not path.exists():
                    stack.push(lambda kind, _error, _trace, path=path: new.append(path) if kind is None else None)
                with open(stack.enter_context(replacing_by_name(path)), "w", encoding="ascii", newline="\n") as file:
                    file.write(obj_text(vert, face))
                    file.flush()
                    os.fsync(file.fileno())
            if not settle():
                raise ConvexError("given up")
    except OSError:
        take_away(new)
        raise
    return tuple(new)


def take_away(paths: Sequence[Path]) -> None:
    """Delete files of parts that are of no use; one that cannot be deleted stays."""
    for path in paths:
        with suppress(OSError):
            path.unlink()
