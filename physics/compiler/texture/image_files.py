"""PNG files as arrays of bytes, for textures and height fields."""
from __future__ import annotations

import warnings
import zlib
from io import BytesIO
from typing import NamedTuple

import numpy as np

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CRITICAL = frozenset((b"IHDR", b"PLTE", b"IDAT", b"IEND"))
TOO_LARGE = "it is absurdly large"
_CHECKED = _CRITICAL | {b"tRNS", b"bKGD", b"tEXt", b"zTXt", b"iTXt", b"tIME", b"pHYs", b"cHRM", b"gAMA", b"iCCP", b"sRGB"}


class Picture(NamedTuple):
    """pixels: (height, width, channels) bytes, rows from the top; srgb: whether the file says that its colours are sRGB."""

    pixels: np.ndarray
    srgb: bool


def read_png(data: bytes, channels: int, most: int) -> Picture:
    """Decode a PNG file with 1, 3 or 4 channels, whatever the file has; pixels are read-only.

    most: largest number of bytes to make. Raises ValueError with the reason when the file is broken or larger than that.
    """
    _check_chunks(data)
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings(action="ignore", category=Image.DecompressionBombWarning), Image.open(BytesIO(data), formats=("PNG",)) as image:
            if image.width * image.height * channels > most:
                raise ValueError(TOO_LARGE)
            srgb = "srgb" in image.info
            # bytes straight from the pixels: an array of the image would be one copy more
            raw = image.tobytes("raw", "RGB") if channels == 3 and image.mode == "RGBA" else _convert(image, channels).tobytes()
    except UnidentifiedImageError:
        raise ValueError("its first chunks make no sense") from None
    except (OSError, SyntaxError, Image.DecompressionBombError) as problem:
        raise ValueError(str(problem)) from None
    return Picture(np.frombuffer(raw, np.uint8).reshape(image.height, image.width, channels), srgb)


def _check_chunks(data: bytes) -> None:
    """Raise ValueError for what Pillow lets pass: each chunk must be whole, with a proper name and check sum.

    Source: PNG specification, chapter 5.
    """
    if not data.startswith(_SIGNATURE):
        raise ValueError("it is empty" if not data else "it is no PNG file")
    place, name = len(_SIGNATURE), b""
    while name != b"IEND":
        length, name = int.from_bytes(data[place:place + 4], "big"), data[place + 4:place + 8]
        body = memoryview(data)[place + 4:place + 8 + length]
        place += 12 + length
        if place > len(data):
            raise ValueError("it is truncated: it ends within a chunk")
        if not (name.isalpha() and name.isascii() and 65 <= name[2] <= 90):
            raise ValueError(f"it has a chunk with the impossible name {name!r}")
        if 65 <= name[0] <= 90 and name not in _CRITICAL:
            raise ValueError(f"it has a chunk of unknown kind, {name.decode()}, which cannot be left out")
        if name in _CHECKED and zlib.crc32(body) != int.from_bytes(data[place - 4:place], "big"):
            raise ValueError(f"its chunk {name.decode()} is damaged: the check sum is wrong")


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
