"""Pictures in KTX containers, written here byte by byte as the format says."""
import struct
import zlib

import numpy as np
import pytest

from render.images import read_image
from render.ktx import read_ktx

FIRST, SECOND = b'\xabKTX 11\xbb\r\n\x1a\n', b'\xabKTX 20\xbb\r\n\x1a\n'


def first(kind, form, width, height, faces, pixels, order=0x04030201, inner=0):
    head = struct.pack('<13I', order, kind, 1, form, inner, form, width, height, 0, 0, faces, 1, 8)
    return FIRST + head + b'key\0val\0' + struct.pack('<I', len(pixels)) + pixels


def second(form, width, height, faces, pixels, packing=0):
    head = struct.pack('<9I', form, 1, width, height, 0, 0, faces, 1, packing)
    return SECOND + head + bytes(32) + struct.pack('<3Q', 104, len(pixels), len(pixels)) + pixels


def test_bytes_with_padded_rows_and_without():
    colours = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    padded = b''.join(row.tobytes() + bytes(3) for row in colours)
    np.testing.assert_array_equal(read_ktx(first(0x1401, 0x1907, 3, 2, 1, padded)), colours)
    np.testing.assert_array_equal(read_image(second(23, 3, 2, 1, colours.tobytes()), 3), colours)


def test_a_cube_of_packed_floats():
    # 1, 2 and 0.5: exponents 15, 16 and 14 of 5 bits, mantissas 0 of 6, 6 and 5 bits
    word = 15 << 6 | 16 << 17 | 14 << 27
    found = read_ktx(first(0x8C3B, 0x1907, 2, 2, 6, np.full(24, word, '<u4').tobytes()))
    assert found.shape == (12, 2, 3) and found.dtype == np.float32
    np.testing.assert_array_equal(found[7, 1], (1, 2, 0.5))


def test_halves_and_a_shared_exponent():
    np.testing.assert_array_equal(read_ktx(second(97, 1, 1, 1, np.array([1, 2.5, -1, 8], '<f2').tobytes())), [[[1, 2.5, -1, 8]]])
    word = 256 | 128 << 9 | 3 << 18 | 16 << 27     # 256, 128, 3 times 2^(16 - 24)
    np.testing.assert_allclose(read_ktx(second(123, 1, 1, 1, struct.pack('<I', word))), [[[1, 0.5, 3 / 256]]])


RED_OR_BLUE = struct.pack('<HHI', 0xF800, 0x001F, 0x55000000)    # four rows of a BC1 block: red, the last blue


@pytest.mark.parametrize('data', [first(0, 0, 6, 4, 6, 12 * RED_OR_BLUE, inner=0x83F0), second(131, 6, 4, 6, 12 * RED_OR_BLUE)])
def test_blocks_of_four_by_four(data):
    found = read_ktx(data)
    assert found.shape == (24, 6, 3) and found.dtype == np.uint8
    np.testing.assert_array_equal(found[:, 5], [(255, 0, 0), (255, 0, 0), (255, 0, 0), (0, 0, 255)] * 6)


def test_blocks_with_alpha_and_packed_bytes():
    word = 1 << 6     # BC7, mode 6: two ends of 7 bits and one more for all channels of each
    for k, part in enumerate((127, 127, 0, 0, 20, 20, 64, 64)):
        word |= part << 7 + 7 * k
    np.testing.assert_array_equal(read_ktx(second(145, 4, 4, 1, word.to_bytes(16, 'little')))[3, 3], (254, 0, 40, 128))
    colours = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    np.testing.assert_array_equal(read_ktx(second(23, 3, 2, 1, zlib.compress(colours.tobytes()), 3)), colours)


@pytest.mark.parametrize(('data', 'said'), [
    (FIRST, 'ends within its head'), (b'\xabKTX 99', 'no KTX'), (first(0x1401, 0x1907, 3, 2, 1, b''), 'take 24 bytes'),
    (first(0, 0, 4, 4, 1, bytes(64)), 'not supported'), (first(0, 0, 4, 4, 1, bytes(64), inner=0x9278), 'ETC2'), (second(157, 4, 4, 1, bytes(64)), 'ASTC'),
    (second(37, 4, 4, 1, bytes(64), 2), 'Zstandard'), (second(0, 4, 4, 1, bytes(64), 1), 'Basis'), (second(131, 4, 5, 1, bytes(8)), 'take 16 bytes'),
    (second(37, 4, 4, 1, b'rubbish', 3), 'damaged'), (second(37, 4, 4, 1, zlib.compress(bytes(9)), 3), 'take 64 bytes'),
    (first(0x1401, 0x1907, 0, 2, 1, bytes(9)), '0 x 2'), (first(0x1401, 0x1907, 3, 2, 1, bytes(24), 0x01020304), 'order of bytes'),
])
def test_what_cannot_be_read_is_refused_with_the_reason(data, said):
    with pytest.raises(ValueError, match=said):
        read_ktx(data)


def test_what_is_no_picture_is_refused():
    with pytest.raises(ValueError):
        read_image(b'rubbish', 3)
