"""Pixels that graphics cards keep compressed by blocks of 4 x 4: those that Pillow can decode, and the names of the others.

Source: Khronos, Data format, chapters S3TC, RGTC, BPTC; numbers of the formats in OpenGL's and Vulkan's registries.
"""
from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

import numpy as np

SIDE = 4   # pixels


class Blocks(NamedTuple):
    """A compressed format: name, bytes of a block, channels, how Pillow is told it (mode, number, name; None: it cannot)."""

    name: str
    size: int
    channels: int
    pillow: tuple | None


_BC1, _BC1A = Blocks("BC1", 8, 3, ("RGBA", 1, "DXT1")), Blocks("BC1", 8, 4, ("RGBA", 1, "DXT1"))
_BC2, _BC3 = Blocks("BC2", 16, 4, ("RGBA", 2, "DXT3")), Blocks("BC3", 16, 4, ("RGBA", 3, "DXT5"))
_BC4, _BC5, _BC7 = Blocks("BC4", 8, 1, ("L", 4, "BC4")), Blocks("BC5", 16, 2, ("RGB", 5, "BC5")), Blocks("BC7", 16, 4, ("RGBA", 7, "BC7"))
GL_BLOCKS = MappingProxyType({
    0x83F0: _BC1, 0x8C4C: _BC1, 0x83F1: _BC1A, 0x8C4D: _BC1A, 0x83F2: _BC2, 0x8C4E: _BC2, 0x83F3: _BC3, 0x8C4F: _BC3, 0x8DBB: _BC4, 0x8DBD: _BC5,
    0x8E8C: _BC7, 0x8E8D: _BC7})
VK_BLOCKS = MappingProxyType({
    131: _BC1, 132: _BC1, 133: _BC1A, 134: _BC1A, 135: _BC2, 136: _BC2, 137: _BC3, 138: _BC3, 139: _BC4, 141: _BC5, 145: _BC7, 146: _BC7})
_GL_OTHERS = ((0x8D64, 0x8D64, "ETC1"), (0x9270, 0x9279, "ETC2"), (0x93B0, 0x93BD, "ASTC"), (0x93D0, 0x93DD, "ASTC"), (0x8E8E, 0x8E8F, "BC6H"),
              (0x8C00, 0x8C03, "PVRTC"), (0x8DBC, 0x8DBE, "signed BC4 or BC5"))
_VK_OTHERS = ((0, 0, "Basis Universal"), (147, 156, "ETC2"), (157, 184, "ASTC"), (143, 144, "BC6H"), (140, 142, "signed BC4 or BC5"))


def name_of(number: int, vulkan: bool) -> str:
    """Name of a compressed format that cannot be decoded, '' for any other."""
    return next((name for first, last, name in (_VK_OTHERS if vulkan else _GL_OTHERS) if first <= number <= last), "")


def size_of(blocks: Blocks, width: int, height: int) -> int:
    """Bytes of a picture."""
    return -(-width // SIDE) * -(-height // SIDE) * blocks.size


def decode(blocks: Blocks, data, width: int, height: int) -> np.ndarray:
    """(height, width, channels) uint8. Raises ValueError."""
    from PIL import Image

    mode, number, name = blocks.pillow
    try:
        picture = Image.frombytes(mode, (width, height), bytes(data), "bcn", (number, name))
    except (ValueError, OSError) as problem:
        raise ValueError(f"its {blocks.name} blocks cannot be decoded: {problem}") from None
    pixels = np.asarray(picture)
    return pixels.reshape(height, width, -1)[..., :blocks.channels]
