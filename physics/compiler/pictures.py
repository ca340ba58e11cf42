"""PNG files as arrays of bytes, for textures and height fields."""
from __future__ import annotations

import warnings
from io import BytesIO
from typing import NamedTuple

import numpy as np


class Picture(NamedTuple):
    """pixels: (height, width, channels) bytes, rows from the top; srgb: whether the file says that its colours are sRGB."""

    pixels: np.ndarray
    srgb: bool


def read_png(data: bytes, channels: int, most: int) -> Picture:
    """Decode a PNG file with 1, 3 or 4 channels, whatever the file has.

    most: largest number of bytes to make. Raises ValueError with the reason when the file is broken or larger than that.
    """
    from PIL import Image

    try:
        with warnings.catch_warnings(action="ignore", category=Image.DecompressionBombWarning), Image.open(BytesIO(data), formats=("PNG",)) as image:
            if image.width * image.height * channels > most:
                raise ValueError("it is absurdly large")
            srgb = "srgb" in image.info
            pixels = np.array(_convert(image, channels))
    except Image.UnidentifiedImageError:
        raise ValueError("it is empty" if not data else "it is no PNG file") from None
    except (OSError, SyntaxError, Image.DecompressionBombError) as problem:
        raise ValueError(str(problem)) from None
    return Picture(pixels.reshape(*pixels.shape[:2], channels), srgb)


def _convert(image, channels: int):
    """The image with so many channels: grey by its red, transparency dropped without blending."""
    if image.mode.startswith("I"):
        image = image.point(lambda v: v / 256).convert("L")
    if image.mode == "1":
        image = image.convert("L")
    if channels == 4:
        return image.convert("RGBA")
    if image.mode in ("P", "PA"):
        image = image.convert("RGBA")
    if channels == 1:
        return image.getchannel(0)
    return image.convert("RGB")
