"""Textures of a Model as the renderer takes them; those that it left in their files are read from there."""
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from app.bridge.derived_from import derived_from
from physics.errors import Issue
from physics.model.model import Model
from render.images import read_image
from render.ktx import LARGEST, is_ktx
from render.scene.snapshot import Texture

KINDS = ("2d", "cube", "skybox")  # by number of tex_type
SRGB = 2  # tex_colorspace


@derived_from("tex_data", "tex_type", "tex_colorspace", "tex_height", "tex_width", "tex_nchannel")
def texture_assets(m: Model) -> list[Texture]:
    """All textures in the model's order; white where one cannot be read (`texture_issues` says why)."""
    return [_texture(m, i) for i in range(m.ntex)]


def sky_number(textures: Sequence[Texture]) -> int:
    """Which of these textures is the sky, -1: none."""
    return next((i for i, texture in enumerate(textures) if texture.kind == "skybox"), -1)


def texture_issues(m: Model) -> list[Issue]:
    """Warnings for what is drawn white or smaller than it is: pictures outside the model, containers, huge ones. Such files are read for it."""
    out = []
    for i in range(m.ntex):
        size = int(m.tex_height[i]), int(m.tex_width[i])
        if m.tex_adr[i] < 0 or _holds_container(m, i):
            try:
                size = _sound(m, i)[1].shape[:2]
            except (OSError, ValueError) as problem:
                out.append(_warning(m, i, f"cannot be drawn: {_reason(problem)}", "It is white"))
                continue
        if max(size[0] // 6 if size[0] == 6 * size[1] else size[0], size[1]) > LARGEST:
            out.append(_warning(m, i, f"has {size[1]} x {size[0]} pixels, more than many graphics cards take ({LARGEST} along a side)", "It is drawn coarser there"))
    return out


def unread_textures(m: Model) -> dict[int, str]:
    """Why they are white, by number, of textures left in files that cannot be read. The files are read for it."""
    out = {}
    for i in np.flatnonzero(m.tex_adr < 0).tolist():
        try:
            _sound(m, i)
        except (OSError, ValueError) as problem:
            out[i] = _reason(problem)
    return out


def _warning(m: Model, i: int, what: str, hint: str) -> Issue:
    places, name = m.places.get("texture", ()), m.name("texture", i)
    return Issue("warning", places[i] if i < len(places) else None, f"mujoco/asset/texture[{name or i + 1}]", f"texture '{name or i}' {what}", hint)


def _reason(problem: Exception) -> str:
    """In words, with the file where there is one."""
    if isinstance(problem, FileNotFoundError):
        return f"{problem.filename} was not found"
    return f"{problem.filename}: {problem.strerror}" if isinstance(problem, OSError) and problem.strerror else str(problem)


def _texture(m: Model, i: int) -> Texture:
    try:
        kind, pixels = _sound(m, i)
    except (OSError, ValueError):
        kind, pixels = KINDS[m.tex_type[i]], np.full((1, 1, 3), 255, np.uint8)
    return Texture(kind, pixels, bool(m.tex_colorspace[i] == SRGB))


def _sound(m: Model, i: int) -> tuple[str, np.ndarray]:
    """One of KINDS and pixels (height, width, channels) that fit it. Raises OSError and ValueError."""
    kind, pixels = KINDS[m.tex_type[i]], _pixels(m, i)
    height, width = pixels.shape[:2]
    if pixels.dtype != np.uint8 and height == 6 * width:
        kind = "cube"   # a container with the light of a whole sky; the model can only call it 2d
    if kind != "2d" and height not in (width, 6 * width):
        raise ValueError(f"a cube takes a square picture or six of them, not {width} x {height} pixels")
    return kind, pixels


def _holds_container(m: Model, i: int) -> bool:
    """Whether the bytes in the model are those of a KTX file."""
    start = int(m.tex_adr[i])
    return m.tex_nchannel[i] == 1 and m.tex_height[i] == 1 and is_ktx(m.tex_data[start:start + 12].tobytes())


def _pixels(m: Model, i: int) -> np.ndarray:
    """(height, width, channels). Raises OSError and ValueError."""
    height, width, channels, start = (int(getattr(m, "tex_" + name)[i]) for name in ("height", "width", "nchannel", "adr"))
    if start < 0:
        return _from_file(m, i, channels)
    data = m.tex_data[start:start + height * width * channels]
    if _holds_container(m, i):
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
