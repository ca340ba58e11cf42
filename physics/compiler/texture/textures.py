"""Textures: made ones and files, as bytes in rows from the top; cubes as six squares right left up down front back.

Files are PNG pictures, or KTX containers whose bytes are kept as they are. A texture may stay a reference to its file: then the
model holds none of its pixels. Source: MJCF reference, asset/texture; Modeling, 'Assets by reference'.
"""
from __future__ import annotations

from pathlib import PurePosixPath
from types import MappingProxyType

import numpy as np

from physics.compiler.assets.asset_files import OpenedAsset, locate_asset, open_asset
from physics.compiler.build import Build
from physics.compiler.items import TextureItem
from physics.compiler.source import numbers
from physics.compiler.texture import texture_patterns
from physics.compiler.assets.asset_memory import file_state
from physics.compiler.texture.image_cache import ImageCache
from physics.compiler.texture.image_files import Picture
from physics.enums import ColorSpace
from physics.spec.element import Element

FACES = "RLUDFB"
_TYPES = ("2d", "cube", "skybox")
_FACE_FILES = ("fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")
_CONTENT = MappingProxyType({".png": "image/png", ".ktx": "image/ktx"})
_MOST = 1 << 29  # bytes of all textures together
_MOST_SQUARES = 12  # in a grid
_CUBE_CHANNELS = "a cube texture has 3 channels"


def add_texture(build: Build, element: Element, image_cache: ImageCache) -> None:
    """Make the item of a texture, its pixels (or the pattern that will paint them) included. image_cache: where pictures are looked up."""
    a = build.source.attrs(element)
    tex = build.items.add("texture", element, type=_TYPES.index(a["type"]), colorspace=int(ColorSpace[a["colorspace"].upper()]),
                    nchannel=int(a["nchannel"]), width=int(a["width"]), height=int(a["height"]), kept=True)
    if not tex.name and a["file"]:
        tex.name = PurePosixPath(a["file"].replace("\\", "/")).stem
    if not tex.name and a["type"] != "skybox":
        build.problems.error(element, "a texture needs a name, or a file to be named after", "Only a skybox can do without")
    tex.pixels = np.zeros((0,), np.uint8)
    _check_layout(build, a)
    if _by_reference(build, a):
        _leave(a, tex)
    elif a["builtin"] != "none":
        _made(build, a, tex)
    elif a["file"]:
        _single(build, a, tex, image_cache)
    else:
        _separate(build, a, tex, image_cache)


def fill(build: Build) -> None:
    """Fields tex_*."""
    items = build.items["texture"]
    build.fields.column("texture", tex_type="type", tex_colorspace="colorspace", tex_height="height", tex_width="width",
                 tex_nchannel="nchannel")
    ends = np.cumsum([0, *(t.pixels.size for t in items)])
    build.fields.rows["tex_adr"] = [int(start) if t.kept else -1 for t, start in zip(items, ends)]
    build.fields.sizes["ntexdata"] = int(ends[-1])
    build.fields.pieces["tex_data"] = [t.pixels for t in items]


def _room(build: Build) -> int:
    """Bytes left for further textures."""
    return _MOST - sum(tex.pixels.size for tex in build.items["texture"] if hasattr(tex, "pixels"))


def _content_type(a, name: str) -> str:
    """What a file holds: as said, else by its ending; '' when neither tells."""
    return a["content_type"] or _CONTENT.get(PurePosixPath(name.replace("\\", "/")).suffix.lower(), "")


# grids


def _check_layout(build: Build, a) -> None:
    """A layout must have a letter for each square of the grid that was in force where it was written."""
    size = [1, 1]
    for layer in a.layers:
        given = [int(x) for x in layer.attrs.get("gridsize", "").split() if x.lstrip("+-").isdigit()]
        size = given if len(given) == 2 else size
        if "gridlayout" in layer.attrs and len(layer.attrs["gridlayout"]) != size[0] * size[1]:
            build.problems.error(a.element, f"gridlayout has {len(layer.attrs['gridlayout'])} letters, but gridsize makes {size[0] * size[1]} squares",
                        "Write one of .RLUDFB for each square, row by row", "gridlayout")


def _layout(a) -> str:
    """The layout in force: another grid than the inherited one starts with unused squares."""
    layout, size = "", "1 1"
    for layer in a.layers:
        new = " ".join(layer.attrs.get("gridsize", size).split())
        layout = layer.attrs.get("gridlayout", layout if new == size else "")
        size = new
    return layout


# textures by reference


def _by_reference(build: Build, a) -> bool:
    """Whether a texture stays a reference; an error where that is asked for and impossible."""
    options = a["embed"]
    if options == "true" or (options == "auto" and build.source.settings.passthrough != "textures"):
        return False
    reason = _why_not(build, a)
    if reason and options == "false":
        build.problems.error(a.element, f"a texture that {reason} cannot stay outside the model", 'Take embed="false" away', "embed")
    return not reason


def _why_not(build: Build, a) -> str:
    """Why a texture cannot be left out of the model, '' when it can."""
    if a["builtin"] != "none":
        return "is made by a pattern"
    if not a["file"]:
        return "has separate files or none"
    if a["hflip"] or a["vflip"]:
        return "is flipped"
    if tuple(a["gridsize"]) != (1, 1):
        return "is a grid"
    source, _name, path = locate_asset(build, a, "file", "texturedir")
    return "comes from memory" if source.holds(path) else ""


def _leave(a, tex: TextureItem) -> None:
    tex.kept, tex.width, tex.height = False, 0, 0
    if _content_type(a, a["file"]) == "image/ktx":
        tex.nchannel = 1


# made patterns


def _made(build: Build, a, tex: TextureItem) -> None:
    if tex.width < 1 or (tex.type == 0 and tex.height < 1):
        build.problems.error(tex.element, "a builtin texture needs a positive width" + ("" if tex.type else " and height"), attr="width")
        return
    if tex.type:
        tex.height = 6 * tex.width
    if tex.nchannel != 3:
        build.problems.error(tex.element, "a builtin texture has 3 channels", attr="nchannel")
        return
    if tex.width * tex.height * tex.nchannel > _room(build):
        build.problems.error(tex.element, "the textures are absurdly large", attr="width")
        return
    first, second, mark = (numbers(a[n]) for n in ("rgb1", "rgb2", "markrgb"))
    if not np.isfinite((*first, *second, *mark, a["random"])).all():
        build.problems.error(tex.element, "a colour is not finite")
        return
    tex.pixels = texture_patterns.Pattern(a["builtin"], 6 if tex.type else 1, tex.width, tex.width if tex.type else tex.height, first, second,
                                          (a["mark"], mark, a["random"]))


# files


def _load(build: Build, a, tex: TextureItem, attribute: str, image_cache: ImageCache) -> np.ndarray | None:
    """Pixels of a file (height, width, channels) with the flips asked for, None after an error."""
    key = _known_by(build, a, tex, attribute)
    picture = build.memory.get(key) if key is not None else None
    if picture is not None and picture.pixels.size <= _room(build):
        return _shown(a, tex, picture)
    file = open_asset(build, a, attribute, "texture", "texturedir")
    if file is None:
        return None
    content = _content_type(a, file.name)
    if content == "image/ktx":
        return _container(build, a, tex, file, attribute)
    if content != "image/png":
        what = f"the content type '{content}' is not supported" if content else f"texture file '{file.name}' is neither PNG nor KTX by its name"
        build.problems.error(tex.element, what, 'Use PNG or KTX files; content_type="image/png" reads a PNG file of another name',
                    "content_type" if content else attribute)
        return None
    if tex.nchannel not in (1, 3, 4):
        build.problems.error(tex.element, f"a texture has 1, 3 or 4 channels, not {tex.nchannel}", attr="nchannel")
        return None
    try:
        picture = image_cache.read_png(file.data, tex.nchannel, _room(build))
    except ValueError as problem:
        build.problems.error(tex.element, f"texture file '{file.name}' cannot be read: {problem}", attr=attribute)
        return None
    if key is not None:
        build.memory.put(key, picture, picture.pixels.nbytes)
    return _shown(a, tex, picture)


def _known_by(build: Build, a, tex: TextureItem, attribute: str) -> tuple | None:
    """What the picture of a PNG file is known by to the memory of assets; None for what is not to be kept there."""
    if build.memory is None or tex.nchannel not in (1, 3, 4) or not a[attribute]:
        return None
    source, name, path = locate_asset(build, a, attribute, "texturedir")
    state = None if source.holds(path) or _content_type(a, name) != "image/png" else file_state(path)
    return None if state is None else ("picture", path, state, tex.nchannel)


def _shown(a, tex: TextureItem, picture: Picture) -> np.ndarray:
    """The pixels of a picture with the flips asked for."""
    pixels, srgb = picture
    if tex.colorspace == ColorSpace.AUTO:
        tex.colorspace = int(ColorSpace.SRGB if srgb else ColorSpace.LINEAR)
    return pixels[::-1 if a["vflip"] else 1, ::-1 if a["hflip"] else 1]


def _container(build: Build, a, tex: TextureItem, file: OpenedAsset, attribute: str) -> np.ndarray | None:
    """The bytes of a KTX file as one row of one channel; whoever draws it decodes them."""
    if a["hflip"] or a["vflip"]:
        build.problems.error(tex.element, "a KTX texture cannot be flipped", attr="hflip" if a["hflip"] else "vflip")
    elif not file.data:
        build.problems.error(tex.element, f"texture file '{file.name}' is empty", attr=attribute)
    elif len(file.data) > _room(build):
        build.problems.error(tex.element, "the textures are absurdly large", attr=attribute)
    else:
        tex.nchannel = 1
        if tex.colorspace == ColorSpace.AUTO:
            tex.colorspace = int(ColorSpace.LINEAR)
        return np.frombuffer(file.data, np.uint8).reshape(1, -1, 1)
    return None


def _single(build: Build, a, tex: TextureItem, image_cache: ImageCache) -> None:
    rows, columns = (int(x) for x in a["gridsize"])
    if tex.type and (rows < 1 or columns < 1 or rows * columns > _MOST_SQUARES):
        build.problems.error(tex.element, f"gridsize needs two positive numbers, at most {_MOST_SQUARES} squares", attr="gridsize")
        return
    image = _load(build, a, tex, "file", image_cache)
    if image is None:
        return
    height, width = image.shape[:2]
    if tex.type == 0:
        tex.width, tex.height, tex.pixels = width, height, image
    elif tex.nchannel != 3:
        build.problems.error(tex.element, _CUBE_CHANNELS, attr="nchannel")
    elif width // columns != height // rows or width % columns or height % rows:
        build.problems.error(tex.element, f"'{a['file']}' with {width} x {height} pixels does not consist of {columns} x {rows} squares", attr="gridsize")
    elif rows * columns == 1:
        tex.width = tex.height = width
        tex.pixels = image
    else:
        _from_grid(build, a, tex, image, columns)


def _from_grid(build: Build, a, tex: TextureItem, image: np.ndarray, columns: int) -> None:
    side = image.shape[1] // columns
    tex.width, tex.height = side, 6 * side
    faces, given = np.empty((6, side, side, 3), np.uint8), set()
    squares = image.shape[0] // side * columns
    for k, letter in enumerate(_layout(a)[:squares]):
        if letter in FACES:
            r, c = side * (k // columns), side * (k % columns)
            faces[FACES.index(letter)] = image[r:r + side, c:c + side]
            given.add(FACES.index(letter))
        elif letter != ".":
            build.problems.error(tex.element, f"gridlayout has '{letter}', which is none of .{FACES}", attr="gridlayout")
    _fill_others(a, faces, given)
    tex.pixels = faces


def _fill_others(a, faces: np.ndarray, given: set[int]) -> None:
    """Give the faces that no picture covers the texture's first colour."""
    for k in set(range(len(faces))) - given:
        texture_patterns.fill(faces[k], texture_patterns.as_bytes(numbers(a["rgb1"])))


def _separate(build: Build, a, tex: TextureItem, image_cache: ImageCache) -> None:
    names = [n for n in _FACE_FILES if a[n]]
    if tex.type == 0 or not names:
        what = "a 2d texture" if tex.type == 0 else "a cube texture"
        build.problems.error(tex.element, f"{what} needs a builtin pattern or a file", attr="type")
        return
    faces, given = None, set()
    for name in names:
        image = _load(build, a, tex, name, image_cache)
        if image is None:
            continue
        if tex.nchannel != 3:
            build.problems.error(tex.element, _CUBE_CHANNELS, attr="nchannel")
            return
        if image.shape[0] != image.shape[1]:
            build.problems.error(tex.element, f"'{a[name]}' is not square", attr=name)
            continue
        if faces is None:
            tex.width, tex.height = len(image), 6 * len(image)
            faces = np.empty((6, tex.width, tex.width, 3), np.uint8)
        if len(image) != tex.width:
            build.problems.error(tex.element, f"'{a[name]}' has another size than the faces before", attr=name)
            continue
        faces[_FACE_FILES.index(name)] = image
        given.add(_FACE_FILES.index(name))
    if faces is not None:
        _fill_others(a, faces, given)
        tex.pixels = faces
