"""Textures: made ones and PNG files, as bytes in rows from the top; cubes as six squares right left up down front back.

The made patterns and their marks follow the MJCF reference, chapter asset/texture; bytes agree with the official ones,
random dots included (they come from a 64-bit Mersenne twister seeded with 42, whose draws NumPy does not offer).
"""
from __future__ import annotations

from io import BytesIO
from pathlib import PurePosixPath

import numpy as np

from physics.compiler.asset_files import open_asset
from physics.compiler.build import Build, Item, numbers
from physics.compiler.twister import below
from physics.enums import ColorSpace
from physics.spec.element import Element

_TYPES = ("2d", "cube", "skybox")
FACES = "RLUDFB"
_FACE_FILES = ("fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")
_MOST = 1 << 30  # bytes of all textures together
_ROOT = float(1.0 / np.sqrt(2))


def read(build: Build, element: Element) -> None:
    """Make the item of a texture, its pixels included."""
    a = build.attrs(element)
    tex = build.add("texture", element, type=_TYPES.index(a["type"]), colorspace=int(ColorSpace[a["colorspace"].upper()]),
                    nchannel=int(a["nchannel"]), width=int(a["width"]), height=int(a["height"]))
    if not tex.name and a["file"]:
        tex.name = PurePosixPath(a["file"].replace("\\", "/")).stem
    tex.pixels = np.zeros((0,), np.uint8)
    if tex.nchannel not in (1, 3, 4):
        build.error(element, f"a texture has 1, 3 or 4 channels, not {tex.nchannel}", attr="nchannel")
    elif a["builtin"] != "none":
        _made(build, a, tex)
    elif a["file"]:
        _single(build, a, tex)
    else:
        _separate(build, a, tex)
    layout, size = a["gridlayout"], int(np.prod(a["gridsize"], dtype=np.int64))
    if layout is not None and len(layout) != size:
        build.error(element, f"gridlayout has {len(layout)} letters, but gridsize makes {size} squares", attr="gridlayout")


def fill(build: Build) -> None:
    """Fields tex_*."""
    items = build.items["texture"]
    build.column("texture", tex_type="type", tex_colorspace="colorspace", tex_height="height", tex_width="width",
                 tex_nchannel="nchannel")
    sizes = [t.pixels.size for t in items]
    build.out["tex_adr"] = np.concatenate([[0], np.cumsum(sizes)])[:-1] if items else []
    build.sizes["ntexdata"] = sum(sizes)
    build.out["tex_data"] = np.concatenate([t.pixels.ravel() for t in items]) if items else []


def _room(build: Build) -> int:
    """Bytes left for further textures."""
    return _MOST - sum(tex.pixels.size for tex in build.items["texture"] if hasattr(tex, "pixels"))


# made patterns


def _made(build: Build, a, tex: Item) -> None:
    if tex.width < 1 or (tex.type == 0 and tex.height < 1):
        build.error(tex.element, "a builtin texture needs a positive width" + ("" if tex.type else " and height"), attr="width")
        return
    if tex.type:
        tex.height = 6 * tex.width
    if tex.width * tex.height * tex.nchannel > _room(build):
        build.error(tex.element, "the textures are absurdly large", attr="width")
        return
    if tex.nchannel != 3:
        build.error(tex.element, "a builtin texture has 3 channels", attr="nchannel")
        return
    first, second, mark = (numbers(a[n]) for n in ("rgb1", "rgb2", "markrgb"))
    if not np.isfinite((*first, *second, *mark, a["random"])).all():
        build.error(tex.element, "a colour is not finite")
        return
    faces = _pattern(a["builtin"], tex, first, second)
    _mark(a["mark"], faces, np.asarray(_bytes(mark)), a["random"], tex)
    tex.pixels = faces


def _bytes(rgb) -> np.ndarray:
    """Colours in 0..1 as bytes, cut off as a C cast does."""
    with np.errstate(invalid="ignore"):   # a gradient of one pixel has no place to be at
        return (255 * np.asarray(rgb)).astype(np.int64).astype(np.uint8)


def _pattern(word: str, tex: Item, first, second) -> np.ndarray:
    """Faces of the pattern (1 or 6, height, width, 3)."""
    width, height = tex.width, tex.height if tex.type == 0 else tex.width
    one, two = _bytes(first), _bytes(second)
    faces = np.zeros((6 if tex.type else 1, height, width, 3), np.uint8)
    if word == "flat":
        faces[:] = one
        if tex.type:
            faces[3] = two
    elif word == "checker":
        side = np.full((height, width, 3), two)
        side[:height // 2, :width // 2] = one
        side[height // 2:, width // 2:] = one
        faces[:4] = side
        if tex.type:
            side = np.full((height, width, 3), one)
            side[:height // 2, :width // 2] = two
            side[height // 2:, width // 2:] = two
            faces[4:] = side
    elif tex.type:
        _gradient_cube(faces, first, second)
    else:
        x, y = _grid(width, height)
        faces[0] = _blend(second, first, 2 * np.sqrt(x * x + y * y) - 1)
    return faces


def _grid(width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates of pixels from -1 to 1, x to the right and y up."""
    with np.errstate(divide="ignore", invalid="ignore"):
        x = 2 * np.arange(width) / np.float64(width - 1) - 1
        y = 1 - 2 * np.arange(height) / np.float64(height - 1)
    return x[None, :], y[:, None]


def _gradient_cube(faces: np.ndarray, first, second) -> None:
    x, y = _grid(faces.shape[2], faces.shape[1])
    far = np.sqrt(1 + x * x + y * y)
    side = _blend(first, second, np.arcsin(y / far) / (0.5 * np.pi))
    up = 1 - np.arccos(1.0 / far) / (0.5 * np.pi)
    faces[[0, 1, 4, 5]] = side
    faces[2], faces[3] = _blend(first, second, up), _blend(first, second, -up)


def _blend(one, two, place: np.ndarray) -> np.ndarray:
    """From colour two at -1 to colour one at 1 along a soft step."""
    alpha = np.clip(0.5 * (1 + place / np.sqrt(1 + place * place) / _ROOT), 0, 1)[..., None]
    return _bytes(alpha * np.asarray(one) + (1 - alpha) * np.asarray(two))


def _mark(word: str, faces: np.ndarray, colour: np.ndarray, chance: float, tex: Item) -> None:
    height, width = faces.shape[1:3]
    if word == "edge":
        faces[:, :, [0, width - 1]] = colour
        faces[:, [0, height - 1]] = colour
    elif word == "cross":
        faces[:, :, width // 2] = colour
        faces[:, height // 2] = colour
    elif word == "random" and chance > 0:
        flat = faces.reshape(-1, 3)
        flat[below(42, len(flat), float(chance))] = colour


# files


def _load(build: Build, a, tex: Item, attribute: str) -> np.ndarray | None:
    """Pixels of a PNG file (height, width, channels) with the flips asked for, None after an error."""
    file = open_asset(build, a, attribute, "texture", "texturedir")
    if file is None:
        return None
    content = a["content_type"] or ("image/png" if file.ending == ".png" else "")
    if content != "image/png":
        what = f"the content type '{content}' is not supported" if content else f"texture file '{file.name}' is not a PNG file"
        build.error(tex.element, what, "Textures are read from PNG files", "content_type" if content else attribute)
        return None
    from PIL import Image

    try:
        with Image.open(BytesIO(file.data), formats=("PNG",)) as image:
            if image.width * image.height * tex.nchannel > _room(build):
                raise ValueError("it is absurdly large")
            srgb = "srgb" in image.info
            pixels = np.array(_convert(image, tex.nchannel))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as problem:
        build.error(tex.element, f"texture file '{file.name}' cannot be read: {problem}", attr=attribute)
        return None
    if tex.colorspace == ColorSpace.AUTO:
        tex.colorspace = int(ColorSpace.SRGB if srgb else ColorSpace.LINEAR)
    pixels = pixels.reshape(*pixels.shape[:2], tex.nchannel)
    return pixels[::-1 if a["vflip"] else 1, ::-1 if a["hflip"] else 1]


def _convert(image, nchannel: int):
    """The image with so many channels: grey by its red, transparency dropped without blending."""
    if image.mode.startswith("I"):
        image = image.point(lambda v: v / 256).convert("L")
    if image.mode == "1":
        image = image.convert("L")
    if nchannel == 4:
        return image.convert("RGBA")
    if image.mode in ("P", "PA"):
        image = image.convert("RGBA")
    if nchannel == 1:
        return image.getchannel(0)
    return image.convert("RGB")


def _single(build: Build, a, tex: Item) -> None:
    image = _load(build, a, tex, "file")
    if image is None:
        return
    height, width = image.shape[:2]
    if tex.type == 0:
        tex.width, tex.height, tex.pixels = width, height, image
        return
    if tex.nchannel != 3:
        build.error(tex.element, "a cube texture has 3 channels", attr="nchannel")
        return
    rows, columns = (int(x) for x in a["gridsize"])
    if rows < 1 or columns < 1 or rows * columns > 12:
        build.error(tex.element, "gridsize needs two positive numbers, at most 12 squares", attr="gridsize")
    elif width // columns != height // rows or width % columns or height % rows:
        build.error(tex.element, f"a picture of {width} x {height} pixels does not consist of {columns} x {rows} squares", attr="gridsize")
    elif rows * columns == 1:
        tex.width = tex.height = width
        tex.pixels = image
    else:
        _from_grid(build, a, tex, image, columns)


def _from_grid(build: Build, a, tex: Item, image: np.ndarray, columns: int) -> None:
    side = image.shape[1] // columns
    tex.width, tex.height = side, 6 * side
    faces = np.empty((6, side, side, 3), np.uint8)
    faces[:] = _bytes(numbers(a["rgb1"]))
    squares = image.shape[0] // side * columns
    for k, letter in enumerate((a["gridlayout"] or "")[:squares]):
        if letter in FACES:
            r, c = side * (k // columns), side * (k % columns)
            faces[FACES.index(letter)] = image[r:r + side, c:c + side]
        elif letter != ".":
            build.error(tex.element, f"gridlayout has '{letter}', which is none of .{FACES}", attr="gridlayout")
    tex.pixels = faces


def _separate(build: Build, a, tex: Item) -> None:
    names = [n for n in _FACE_FILES if a[n]]
    if tex.type == 0 or not names:
        what = "a 2d texture" if tex.type == 0 else "a cube texture"
        build.error(tex.element, f"{what} needs a builtin pattern or a file", attr="type")
        return
    if tex.nchannel != 3:
        build.error(tex.element, "a cube texture has 3 channels", attr="nchannel")
        return
    faces = None
    for name in names:
        image = _load(build, a, tex, name)
        if image is None:
            continue
        if image.shape[0] != image.shape[1]:
            build.error(tex.element, f"'{a[name]}' is not square", attr=name)
            continue
        if faces is None:
            tex.width, tex.height = len(image), 6 * len(image)
            faces = np.empty((6, tex.width, tex.width, 3), np.uint8)
            faces[:] = _bytes(numbers(a["rgb1"]))
        if len(image) != tex.width:
            build.error(tex.element, f"'{a[name]}' has another size than the faces before", attr=name)
            continue
        faces[_FACE_FILES.index(name)] = image[:, :, :3]
    if faces is not None:
        tex.pixels = faces
