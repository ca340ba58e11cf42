"""Plain PNG pictures decoded by compiled code: the pixels that Pillow gives, the same refusals; all else is left to Pillow."""
import random
import struct
import zlib
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import physics
from physics.compiler.decode import png_plain
from physics.compiler.native import png_rows
from physics.compiler.texture.image_files import Picture, _check_chunks, read_png
from physics.kernels import decorators
from physics.model.kernel_buffers import Workpiece

compiled = pytest.mark.skipif(decorators.NOJIT, reason="compares with compiled code")
PLENTY = 1 << 28
COLOUR = {1: 0, 3: 2, 4: 6}   # bytes of a pixel -> colour type
SRGB = (b"sRGB", b"\0")
PROFILES = (b"x\0\1" + zlib.compress(b"profile"), b"x\0\0" + zlib.compress(bytes(1 << 17)), b"x\0\0" + zlib.compress(bytes(1 << 21)), b"x\0\0junk", b"x\0\0", b"x\0", b"x", b"",
            b"x\0\0" + zlib.compress(b"profile")[:-5])


@pytest.fixture(autouse=True)
def kernels():
    physics.ensure_kernels()


def file(*chunks: tuple[bytes, bytes]) -> bytes:
    """A PNG file of these chunks."""
    return b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks)


def head(width: int, height: int, step: int, rest=(0, 0, 0)) -> tuple[bytes, bytes]:
    return b"IHDR", struct.pack(">IIBB3B", width, height, 8, COLOUR[step], *rest)


def picture(rows: np.ndarray, step: int, before=(), after=(), parts: int = 1) -> bytes:
    """A PNG file of rows (height, 1 + width * step) with a filter each."""
    packed = zlib.compress(rows.tobytes())
    pieces = [(b"IDAT", packed[k * len(packed) // parts:(k + 1) * len(packed) // parts]) for k in range(parts)]
    return file(head((rows.shape[1] - 1) // step, len(rows), step), *before, *pieces, *after, (b"IEND", b""))


def random_rows(rng, height: int, width: int, step: int) -> np.ndarray:
    rows = rng.integers(0, 256, (height, 1 + width * step)).astype(np.uint8)
    rows[:, 0] = rng.integers(0, 5, height)
    return rows


def reading(data: bytes, channels: int, most: int = PLENTY) -> Picture | str:
    try:
        return read_png(data, channels, most)
    except ValueError as problem:
        return str(problem)


def plain(data: bytes, channels: int = 3, most: int = PLENTY):
    return png_plain.read(data, _check_chunks(data), channels, most)


def assert_both_ways(data: bytes, channels: int, monkeypatch, most: int = PLENTY) -> None:
    """The same with compiled code and by Pillow alone."""
    fast = reading(data, channels, most)
    with monkeypatch.context() as patch:
        patch.setattr(png_rows.unfilter_rows, "addr", 0)
        slow = reading(data, channels, most)
    if isinstance(fast, str) or isinstance(slow, str):
        assert fast == slow
    else:
        assert fast.srgb == slow.srgb and fast.pixels.dtype == np.uint8
        np.testing.assert_array_equal(fast.pixels, slow.pixels)


@compiled
@pytest.mark.parametrize("step", [1, 3, 4])
@pytest.mark.parametrize("channels", [1, 3, 4])
def test_pixels_are_those_of_pillow(step, channels, monkeypatch):
    rng = np.random.default_rng(step * 5 + channels)
    for height, width in ((1, 1), (1, 9), (9, 1), (40, 33), (700, 150)):
        for before in ((), (SRGB,), ((b"gAMA", b"\0\0\xb1\x8f"), (b"tEXt", b"a\0b"), (b"pHYs", bytes(9)), (b"iCCP", b"x\0\0" + zlib.compress(b"profile")))):
            data = picture(random_rows(rng, height, width, step), step, before, parts=min(3, height))
            assert plain(data, channels) is not None
            assert_both_ways(data, channels, monkeypatch)


@compiled
def test_every_filter_is_taken_back_alone(monkeypatch):
    for kind in range(5):
        rows = random_rows(np.random.default_rng(kind), 20, 15, 3)
        rows[:, 0] = kind
        assert_both_ways(picture(rows, 3), 3, monkeypatch)


@compiled
def test_what_is_not_plain_is_left_to_pillow(monkeypatch):
    rows = random_rows(np.random.default_rng(1), 12, 10, 3)
    bad = rows.copy()
    bad[5, 0] = 5
    packed = zlib.compress(rows.tobytes())
    whole, end = (b"IDAT", packed), (b"IEND", b"")
    for data in (
        picture(bad, 3), picture(rows[:-1], 3).replace(*(struct.pack(">II", 10, n) for n in (11, 12))), picture(rows, 3, [(b"tRNS", bytes(6))]),
        *(picture(rows, 3, [(b"iCCP", body)]) for body in PROFILES), picture(rows, 3, [(b"tEXt", b"a\0" + bytes(2000))]), picture(rows, 3, after=[SRGB]),
        picture(rows, 3, [(b"gAMA", b"\0")]), picture(rows, 3, [(b"sRGB", b"")]),
        *(file(head(10, 12, 3, rest), whole, end) for rest in ((0, 0, 1), (1, 0, 0), (0, 1, 0))),
        *(file(head(10, 12, 3), (b"IDAT", body), end)
          for body in (packed[:-1], packed[:-6], packed[:20], packed + b"more", packed[:-2] + b"xx", b"", zlib.compress(rows.tobytes() + b"more"))),
        file(head(10, 12, 3), (b"IDAT", packed[:9]), (b"tIME", bytes(7)), (b"IDAT", packed[9:]), end), file(head(10, 12, 3), head(10, 12, 3), whole, end),
        file(head(10, 0, 3), whole, end), file(head(1 << 14, 1 << 14, 3), whole, end), file(whole, head(10, 12, 3), end), file(head(10, 12, 3), end), file(whole, end),
    ):
        try:
            assert plain(data) is None
        except ValueError:
            pass   # a chunk's check sum
        for channels in (1, 3, 4):
            assert_both_ways(data, channels, monkeypatch)
    assert plain(picture(rows, 3), 3, 359) is None and plain(picture(rows, 3), 3, 360) is not None
    assert_both_ways(picture(rows, 3), 3, monkeypatch, 359)


@compiled
def test_pictures_that_pillow_wrote_read_as_by_pillow(monkeypatch):
    rng = np.random.default_rng(2)
    smooth = np.cumsum(rng.integers(0, 9, (60, 70, 4)), axis=0).astype(np.uint8)
    for mode in ("1", "L", "LA", "P", "RGB", "RGBA"):
        image, target = Image.fromarray(smooth), BytesIO()
        (image.convert("RGB").quantize(9) if mode == "P" else image.convert(mode)).save(target, "PNG")
        for channels in (1, 3, 4):
            assert_both_ways(target.getvalue(), channels, monkeypatch)


@compiled
def test_damaged_files_read_as_by_pillow(monkeypatch):
    rng, rows, read = random.Random(3), random_rows(np.random.default_rng(3), 14, 11, 4), 0
    for _ in range(400):
        raw = bytearray(rows.tobytes())
        for _ in range(rng.choice((0, 1, 3))):
            raw[rng.randrange(len(raw))] = rng.randrange(256)
        packed = bytearray(zlib.compress(bytes(raw)))
        if rng.random() < 0.5:
            packed[rng.randrange(len(packed))] = rng.randrange(256)
        body = bytearray(head(11, 14, 4)[1])
        if rng.random() < 0.3:
            body[rng.randrange(13)] = rng.randrange(9)
        data = file((b"IHDR", bytes(body)), (b"IDAT", bytes(packed)), (b"IEND", b""))
        if int.from_bytes(body[:4], "big") * int.from_bytes(body[4:8], "big") < 1 << 20:
            read += plain(data) is not None
            assert_both_ways(data, rng.choice((1, 3, 4)), monkeypatch)
    assert read > 60


@pytest.mark.nojit
def test_filters_add_what_they_say():
    rows = np.array([[1, 10, 20, 30, 1, 2, 3], [2, 1, 1, 1, 1, 1, 255], [3, 7, 0, 0, 0, 0, 0], [4, 1, 1, 1, 1, 1, 1], [0, 9, 8, 7, 6, 5, 4]], np.uint8)
    pixels = np.zeros(5 * 2 * 4, np.uint8)
    piece = Workpiece(png_packed=rows.ravel(), png_line=np.zeros(12, np.uint8), png_pixels=pixels)
    assert png_rows.unfilter_rows(piece, 0, 5, 2, 3, 4) == 0
    assert pixels.reshape(5, 2, 4).tolist() == [
        [[10, 20, 30, 255], [11, 22, 33, 255]], [[11, 21, 31, 255], [12, 23, 32, 255]], [[12, 10, 15, 255], [12, 16, 23, 255]], [[13, 11, 16, 255], [14, 17, 24, 255]],
        [[9, 8, 7, 255], [6, 5, 4, 255]]]
    rows[3, 0] = 5
    assert png_rows.unfilter_rows(piece, 0, 5, 2, 3, 4) == -1
