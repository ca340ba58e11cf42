"""Where an asset came from: what a Model must remember so that it can be written as text again."""
from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from zlib import crc32

import numpy as np


class AssetFile(NamedTuple):
    """A file that an asset names. path: where it was found; data: its bytes where it was held in memory, else None."""

    path: str
    data: bytes | None = None


class AssetRecord(NamedTuple):
    """One mesh, height field, texture or skin as its file gives it.

    attrs: attribute -> text as resolved (classes applied, files and name left out); files: attribute -> AssetFile;
    stamp: checksum of the data made from it, so that later changes are noticed; parts: attributes of the elements in it (a skin's bones).
    """

    attrs: Mapping[str, str]
    files: Mapping[str, AssetFile]
    stamp: int = 0
    parts: tuple[Mapping[str, str], ...] = ()

    def plain(self) -> AssetRecord:
        """The same with ordinary dicts, which can be copied and pickled."""
        return AssetRecord(dict(self.attrs), dict(self.files), self.stamp, tuple(map(dict, self.parts)))


def stamp(model, kind: str, index: int) -> int:
    """Checksum of what a Model holds of an asset: the vertices, normals and frame of a mesh, heights, pixels, a skin's vertices and weights."""
    found = 0
    for array, first, count in _data(model, kind, index):
        found = crc32(array[first:first + count].tobytes() if array.dtype != np.uint8 else memoryview(array)[first:first + count], found)
    return found


def _data(model, kind: str, index: int):
    """(array, first row, rows) of an asset."""
    at = lambda field: int(getattr(model, field)[index])  # noqa: E731
    if kind == "mesh":
        yield model.mesh_vert, at("mesh_vertadr"), at("mesh_vertnum")
        yield model.mesh_normal, at("mesh_normaladr"), at("mesh_normalnum")
        for frame in (model.mesh_pos, model.mesh_quat, model.mesh_scale):
            yield frame, index, 1
    elif kind == "hfield":
        yield model.hfield_data, at("hfield_adr"), at("hfield_nrow") * at("hfield_ncol")
    elif kind == "texture":
        yield model.tex_data, at("tex_adr"), at("tex_height") * at("tex_width") * at("tex_nchannel")
    elif kind == "skin":
        yield model.skin_vert, at("skin_vertadr"), at("skin_vertnum")
        yield model.skin_bonevertweight, *_bone_rows(model, at("skin_boneadr"), at("skin_bonenum"))


def _bone_rows(model, first: int, count: int) -> tuple[int, int]:
    if not count:
        return 0, 0
    start = int(model.skin_bonevertadr[first])
    return start, int(model.skin_bonevertadr[first + count - 1] + model.skin_bonevertnum[first + count - 1]) - start
