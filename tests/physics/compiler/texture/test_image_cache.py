"""Decoded pictures on disk: found again by content and channels, never trusted when damaged, not kept where it does not pay."""
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from physics.compiler.texture import image_cache
from physics.compiler.texture.image_cache import ImageCache
from physics.compiler.texture.image_files import read_png
from physics.files import disk_cache
from tests.physics.compiler.whole import ours

PIXELS = np.random.default_rng(3).integers(0, 256, (90, 80, 4)).astype(np.uint8)
PLENTY = 1 << 30


def png(pixels=PIXELS, **wishes) -> bytes:
    """A PNG file of these pixels."""
    file = BytesIO()
    Image.fromarray(pixels).save(file, "PNG", **wishes)
    return file.getvalue()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache."""
    monkeypatch.setenv("LINKWORK_MESH_CACHE", str(tmp_path / "meshes"))
    return tmp_path / "meshes"


@pytest.fixture
def decoded(monkeypatch):
    """The pictures decoded so far."""
    found = []
    monkeypatch.setattr(image_cache, "read_png", lambda *arguments: found.append(arguments) or read_png(*arguments))
    return found


@pytest.mark.parametrize("channels", [1, 3, 4])
def test_a_picture_is_found_again_as_it_was(channels, folder, decoded, monkeypatch):
    monkeypatch.setattr(image_cache, "LEAST", 1)
    for _ in range(3):
        picture = ImageCache().read_png(png(), channels, PLENTY)
        np.testing.assert_array_equal(picture.pixels, PIXELS[..., :channels])
        assert picture.srgb is False
    assert len(decoded) == 1 and len(list(folder.iterdir())) == 1


def test_content_and_channels_tell_pictures_apart(folder, decoded):
    cache = ImageCache()
    for data in (png(), png(PIXELS[::-1]), png(PIXELS, compress_level=1)):
        for channels in (3, 4):
            cache.read_png(data, channels, PLENTY)
            cache.read_png(data, channels, PLENTY)
    assert len(decoded) == 6


def test_what_the_file_says_of_its_colours_is_kept(folder, decoded):
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    info.add(b"sRGB", b"\0")
    assert [ImageCache().read_png(png(pnginfo=info), 3, PLENTY).srgb for _ in range(2)] == [True, True] and len(decoded) == 1


@pytest.mark.parametrize("damage", [lambda raw: raw[:-1], lambda raw: b"", lambda raw: raw[:20], lambda raw: raw[:300] + bytes([raw[300] ^ 1]) + raw[301:]])
def test_a_damaged_file_is_made_anew(damage, folder, decoded):
    ImageCache().read_png(png(), 3, PLENTY)
    [path] = folder.iterdir()
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    np.testing.assert_array_equal(ImageCache().read_png(png(), 3, PLENTY).pixels, PIXELS[..., :3])
    assert len(decoded) == 2 and path.read_bytes() == whole


def test_small_and_broken_pictures_are_not_kept(folder, decoded):
    ImageCache().read_png(png(PIXELS[:9]), 3, PLENTY)
    with pytest.raises(ValueError, match="check sum"):
        ImageCache().read_png(png()[:-20] + b"x" + png()[-19:], 3, PLENTY)
    assert not folder.exists() or not list(folder.iterdir())


def test_a_known_picture_must_fit_too(folder):
    ImageCache().read_png(png(), 3, PLENTY)
    with pytest.raises(ValueError, match="absurdly large"):
        ImageCache().read_png(png(), 3, PIXELS[..., :3].size - 1)


def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(tmp_path, monkeypatch, decoded):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("LINKWORK_MESH_CACHE", str(tmp_path / "file" / "meshes"))
    for _ in range(2):
        cache = ImageCache()
        assert cache.read_png(png(), 4, PLENTY).pixels.shape == PIXELS.shape
        cache.finish()
    assert len(decoded) == 2


def test_room_is_made_where_pictures_were_saved(folder, monkeypatch):
    pruned = []
    monkeypatch.setattr(disk_cache, "prune", pruned.append)
    for _ in range(2):
        cache = ImageCache()
        cache.read_png(png(), 3, PLENTY)
        cache.finish()
    assert pruned == [str(folder)]


@pytest.mark.parametrize("attributes", ['type="2d"', 'type="2d" hflip="true" vflip="true"', 'type="2d" nchannel="1"', 'type="2d" nchannel="4"',
                                        'gridsize="3 2" gridlayout=".U..LF" rgb1="1 0.5 0"'])
def test_a_model_has_the_same_pixels_at_a_second_load(attributes, folder, decoded):
    size = (120, 80) if "grid" in attributes else (200, 150)
    picture = np.random.default_rng(4).integers(0, 256, (*size, 4)).astype(np.uint8)
    text = f'<mujoco><asset><texture name="t" file="a.png" {attributes}/></asset><worldbody/></mujoco>'
    first, second = (ours(text, files={"a.png": png(picture)}) for _ in range(2))
    assert first.ntexdata > 10_000 and np.array_equal(first.tex_data, second.tex_data) and len(decoded) == 1
