"""Height fields: heights from a PNG file, a binary file or the model's text, brought to the range 0 to 1; and the geoms that show them.

Rows go from low y to high y, as in the binary file; pictures and the text of the model start with the row of highest y.
Source: MJCF reference, asset/hfield (format of the binary file: rows and columns as int32, then float32 heights by rows).
"""
from __future__ import annotations

import math
from pathlib import PurePosixPath

import numpy as np

from physics.compiler.assets import stand_ins
from physics.compiler.assets.asset_files import OpenedAsset, open_asset
from physics.compiler.build import Build
from physics.compiler.elements.pose import check_length
from physics.compiler.items import GeomItem
from physics.compiler.source import numbers
from physics.compiler.texture.image_cache import ImageCache
from physics.spec.element import Element

CUSTOM = "image/vnd.mujoco.hfield"
_CONTENT = ("image/png", CUSTOM)
_MOST = 1 << 26  # heights of all height fields together
FAR = np.float32(1e10)  # where the search for the lowest and highest begins
_FLAT = 1e-14  # heights nearer together than this are one height [m]


def gather(build: Build) -> None:
    """Make the items of height fields, their heights included."""
    image_cache = ImageCache()
    for element in build.source.root.section("asset"):
        if element.tag == "hfield":
            known = len(build.problems.issues)
            _read(build, element, image_cache)
            stand_ins.forgive(build, known, stand_ins.MOTION)
    image_cache.finish()


def _read(build: Build, element: Element, image_cache: ImageCache) -> None:
    a = build.source.attrs(element)
    item = build.items.add("hfield", element, size=numbers(a["size"]), data=np.zeros((2, 2), np.float32))
    if not item.name and a["file"]:
        item.name = PurePosixPath(a["file"].replace("\\", "/")).stem
    if not item.name:
        build.problems.error(element, "a height field needs a name, or a file to be named after")
    if len(item.size) != 4:
        item.size = (1.0,) * 4   # the reader has said so
    elif not all(x > 0 for x in item.size):
        build.problems.error(element, "the four sizes of a height field must be positive",
                    "They are: half width along x, half width along y, height, depth below", "size")
        item.size = (1.0,) * 4
    else:
        check_length(build, element, "size", item.size)
    data = _from_file(build, a, image_cache) if a["file"] else _inline(build, a)
    if data is not None:
        item.data = _normal(data)
        if not np.isfinite(item.data).all():
            build.problems.error(element, "the heights do not fit in single precision, in which they are kept",
                        "Give heights between -1e38 and 1e38: they are scaled to 0..1 anyhow", "elevation" if a["elevation"] is not None else "file")


def _inline(build: Build, a) -> np.ndarray | None:
    """Heights in the text, or zeros to be filled at run time."""
    rows, columns = int(a["nrow"]), int(a["ncol"])
    if rows < 2 or columns < 2:
        build.problems.error(a.element, "a height field has at least 2 rows and 2 columns", "Give it a file, or nrow and ncol",
                    "nrow" if rows < 2 else "ncol")
    elif rows * columns > _room(build):
        build.problems.error(a.element, f"{rows} x {columns} heights are absurdly many", attr="nrow")
    elif a["elevation"] is None:
        return np.zeros((rows, columns), np.float32)
    elif len(a["elevation"]) != rows * columns:
        build.problems.error(a.element, f"{len(a['elevation'])} heights are given, but nrow and ncol make {rows * columns}", attr="elevation")
    else:
        return a["elevation"].astype(np.float32).reshape(rows, columns)[::-1]
    return None


def _room(build: Build) -> int:
    """Heights left for further height fields."""
    return _MOST - sum(item.data.size for item in build.items["hfield"])


def _from_file(build: Build, a, image_cache: ImageCache) -> np.ndarray | None:
    file = open_asset(build, a, "file", "height field", "meshdir")
    if file is None:
        return None
    content = a["content_type"] or (_CONTENT[0] if file.ending == ".png" else CUSTOM)
    if content not in _CONTENT:
        build.problems.error(a.element, f"the content type '{content}' is not supported", f"Use one of {', '.join(_CONTENT)}", "content_type")
        return None
    try:
        data = image_cache.read_png(file.data, 1, _room(build)).pixels[::-1, :, 0].astype(np.float32) if content != CUSTOM else _binary(file, _room(build))
        if min(data.shape) < 2:
            raise ValueError(f"it has {data.shape[0]} rows and {data.shape[1]} columns, at least 2 of each are needed")
    except ValueError as problem:
        build.problems.error(a.element, f"height field file '{file.name}' cannot be read: {problem}", attr="file")
        return None
    return data


def _binary(file: OpenedAsset, most: int) -> np.ndarray:
    """Heights (rows, columns) of a file in the custom format. Raises ValueError with the reason."""
    if len(file.data) < 8:
        raise ValueError(f"it has {len(file.data)} bytes, too few for the numbers of rows and columns")
    rows, columns = (int(x) for x in np.frombuffer(file.data, "<i4", 2))
    if rows < 1 or columns < 1:
        raise ValueError(f"it says that it has {rows} rows and {columns} columns; it is PNG, or in the binary format of the MJCF reference")
    if len(file.data) != 8 + 4 * rows * columns:
        raise ValueError(f"it says that it has {rows} rows and {columns} columns, which take {8 + 4 * rows * columns} bytes, "
                         f"but it has {len(file.data)}")
    if rows * columns > most:
        raise ValueError("it is absurdly large")
    data = np.frombuffer(file.data, "<f4", offset=8).reshape(rows, columns)
    if not np.isfinite(data).all():
        raise ValueError("it has heights that are not finite")
    return data.astype(np.float32)


def _normal(data: np.ndarray) -> np.ndarray:
    """Heights from 0 to 1, in single precision throughout as the official compiler has them."""
    low, high = min(data.min(), FAR), max(data.max(), -FAR)
    with np.errstate(over="ignore", invalid="ignore"):
        data = data - low
        return data / (high - low) if high - low > _FLAT else data


def fill(build: Build) -> None:
    """Fields hfield_*."""
    items = build.items["hfield"]
    build.fields.column("hfield", hfield_size="size")
    build.fields.rows["hfield_nrow"] = [len(item.data) for item in items]
    build.fields.rows["hfield_ncol"] = [item.data.shape[1] for item in items]
    ends = np.cumsum([0, *(item.data.size for item in items)])
    build.fields.rows["hfield_adr"], build.fields.sizes["nhfielddata"] = ends[:-1], int(ends[-1])
    build.fields.rows["hfield_data"] = np.concatenate([item.data.ravel() for item in items]) if items else []


# geoms


def dress(build: Build, geom: GeomItem) -> None:
    """Sizes and bounds of a geom that shows a height field: a box around its middle height, and around everything."""
    geom.dataid = build.references.named("hfield", geom, "hfield")
    if geom.dataid < 0:
        if not build.source.attrs(geom.element)["hfield"]:
            build.problems.error(geom.element, "a height field geom needs a height field", 'Add hfield="name"', "type")
        return
    x, y, up, down = build.items["hfield"][geom.dataid].size
    geom.size = (x, y, 0.25 * up + 0.5 * down)
    geom.rbound = math.sqrt(x * x + y * y + max(up * up, down * down))
    geom.aabb = (0.0, 0.0, (up - down) / 2, x, y, (up + down) / 2)
