"""Textures of a Model as the renderer takes them; those that it left in their files are read from there."""
from __future__ import annotations

from pathlib import Path

import numpy as np

from physics.model import Model
from render.images import read_image
from render.ktx import is_ktx
from render.scene.snapshot import Texture

KINDS = ("2d", "cube", "skybox")  # by number of tex_type
SRGB = 2  # tex_colorspace


def texture_assets(m: Model) -> list[Texture]:
    """All textures in the model's order; white where a file cannot be read."""
    return [_texture(m, i) for i in range(m.ntex)]


def _texture(m: Model, i: int) -> Texture:
    kind = KINDS[m.tex_type[i]]
    try:
        pixels = _pixels(m, i)
    except (OSError, ValueError):
        pixels = None
    if pixels is not None and pixels.dtype != np.uint8 and pixels.shape[0] == 6 * pixels.shape[1]:
        kind = "cube"   # a container with the light of a whole sky; the model can only call it 2d
    if pixels is None or (kind != "2d" and pixels.shape[0] not in (pixels.shape[1], 6 * pixels.shape[1])):
        pixels = np.full((1, 1, 3), 255, np.uint8)
    return Texture(kind, pixels, bool(m.tex_colorspace[i] == SRGB))


def _pixels(m: Model, i: int) -> np.ndarray:
    """(height, width, channels). Raises OSError and ValueError."""
    height, width, channels, start = (int(getattr(m, "tex_" + name)[i]) for name in ("height", "width", "nchannel", "adr"))
    if start < 0:
        return _from_file(m, i, channels)
    data = m.tex_data[start:start + height * width * channels]
    if channels == 1 and height == 1 and is_ktx(data[:12].tobytes()):
        return read_image(data.tobytes(), channels)
    return data.reshape(height, width, channels)


def _from_file(m: Model, i: int, channels: int) -> np.ndarray:
    """The picture of a texture that the model only refers to."""
    records = m.assets.get("texture", ())
    record = records[i] if i < len(records) else None
    if record is None or "file" not in record.files:
        raise ValueError("it is not known where the texture's file is")
    file = record.files["file"]
    data = file.data if file.data is not None else Path(file.path).read_bytes()
    return read_image(data, max(channels, 3))
