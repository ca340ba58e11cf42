"""Compiled models as binary files (`.lwb`): a small fixed head, a JSON table, and the arrays as they lie in memory.

All numbers are little-endian. Version 1, byte by byte:

    0   8   magic: 89 4c 57 42 0d 0a 1a 0a (a text transfer damages it visibly)
    8   4   unsigned: version of the format, 1
    12  4   unsigned: CRC-32 of the table
    16  8   unsigned: bytes of the table
    24  8   unsigned: bytes of the whole file
    32  32  zero
    64  ..  the table: one JSON object in UTF-8
    ..      the arrays, each beginning at a multiple of 64, in the table's order, zeros between

The table:

    writer    who wrote it, for people
    arrays    [[name, type, shape, offset from the file's start, CRC-32 as 8 hexadecimal digits], ...]; types are NumPy's ("<f8")
    ints, floats    names of the scalar fields, whose values are the arrays "#ints" (<i8) and "#floats" (<f8)
    names     kind -> list of names; places: kind -> list of null or [file, line, column]
    vis       picture settings by group; texts: custom texts; compat, title, source: as in Model
    view_only [[severity, place, path, what, hint], ...]
    assets    kind -> list of null or {attrs, stamp, parts: [attributes, ...], files: {attribute: [path, number or null]}}; the number
              is that of an array "#file<number>" (|u1) with the file's bytes, kept where they were in memory only

A file is read whole or not at all: every checksum is compared, every array's place, type and shape, and every index in the model is
checked (physics/model/lwb_validate.py), so a damaged or hostile file gives a ModelError and nothing else. It is mapped for reading and copied:
a mapped file that somebody cuts short would end the process at the next access, the engine wants arrays on staggered cache lines
(physics/model/struct.py), and a Model may be changed; the copy costs a hundredth of a second for 50 MB.
"""
from __future__ import annotations

import dataclasses
import json
import mmap
import os
import struct
from collections.abc import Iterator
from typing import NamedTuple
from zlib import crc32

import numpy as np

from physics.errors import Issue, ModelError, Place
from physics.fields.layout import LAYOUTS, shape_of
from physics.files.atomic_write import replacing
from physics.model.asset_record import AssetFile, AssetRecord
from physics.model.live_fields import LIVE_FIELDS
from physics.model.lwb_validate import check_indices
from physics.model.model import KINDS, Model

MAGIC = b"\x89LWB\r\n\x1a\n"
VERSION = 1
HEAD = struct.Struct("<8sIIQQ32x")
ALIGN = 64
MOST = 1 << 40        # bytes; more is a damaged number
MOST_TABLE = 1 << 30  # bytes of the table
PIECE = 2000         # entries of a list that are made text at once
_LAYOUT = LAYOUTS["m"]
_INTS = tuple(n for n, (_o, kind) in _LAYOUT.scalars.items() if kind == "i")
_FLOATS = tuple(n for n, (_o, kind) in _LAYOUT.scalars.items() if kind == "f")


# writing


class Still(NamedTuple):
    """What of a Model may be set while it runs, as it was at a moment: its other arrays, names and assets stay as they are."""

    ints: np.ndarray
    floats: np.ndarray
    arrays: dict[str, np.ndarray]
    vis: dict


def still(model: Model) -> Still:
    """Copies of what may be set in a Model while it runs."""
    return Still(np.array([getattr(model, n) for n in _INTS], "<i8"), np.array([getattr(model, n) for n in _FLOATS], "<f8"),
                 {name: getattr(model, name).copy() for name in _LAYOUT.arrays if name in LIVE_FIELDS or name.startswith("opt_")}, dataclasses.asdict(model.vis))


def save(model: Model, path: str | os.PathLike, wait: bool = True) -> None:
    """Write a compiled model, atomically; wait: until the disk has it. Raises OSError."""
    with replacing(path, wait) as file:
        for part in parts(model, still(model)):
            file.write(part)


def parts(model: Model, now: Still) -> Iterator[bytes]:
    """The content of a file: head and table, then each array with the zeros behind it. May be called while the model runs."""
    arrays = {"#ints": now.ints, "#floats": now.floats}
    arrays.update((name, now.arrays[name] if name in now.arrays else np.ascontiguousarray(getattr(model, name))) for name in _LAYOUT.arrays)
    table = {
        "writer": "Linkwork", "ints": _INTS, "floats": _FLOATS, "names": model.names,
        "places": {kind: [place and _place_row(place) for place in places] for kind, places in model.places.items()},
        "vis": now.vis, "texts": model.texts, "compat": model.compat, "title": model.title, "source": list(model.source),
        "view_only": [[i.severity, i.place and _place_row(i.place), i.path, i.what, i.hint] for i in model.view_only],
        "assets": {kind: [record and _record_row(record, arrays) for record in records] for kind, records in model.assets.items()},
    }
    begin = _json(table)[:-1] + ',"arrays":'
    sums = [_checksum(a.reshape(-1).view(np.uint8)) for a in arrays.values()]
    offsets = [0] * len(arrays)
    while True:   # the table's length depends on the offsets in it, which depend on its length
        rows = [[name, a.dtype.str, list(a.shape), offset, check] for (name, a), offset, check in zip(arrays.items(), offsets, sums)]
        text = f"{begin}{_json(rows)}}}".encode("utf-8", "surrogatepass")
        placed, end = [], HEAD.size + len(text)
        for a in arrays.values():
            end += -end % ALIGN
            placed.append(end)
            end += a.nbytes
        if placed == offsets:
            break
        offsets = placed
    yield HEAD.pack(MAGIC, VERSION, crc32(text), len(text), end) + text + bytes(offsets[0] - HEAD.size - len(text))
    for a, offset, following in zip(arrays.values(), offsets, [*offsets[1:], end]):
        yield a.tobytes() + bytes(following - offset - a.nbytes)


def _json(value) -> str:
    """As json.dumps, which holds the interpreter: long lists piece by piece."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(str(key), ensure_ascii=False)}:{_json(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list | tuple) and len(value) > PIECE:
        return "[" + ",".join(json.dumps(value[k:k + PIECE], ensure_ascii=False, separators=(",", ":"))[1:-1] for k in range(0, len(value), PIECE)) + "]"
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _checksum(data) -> str:
    return f"{crc32(data):08x}"


def _place_row(place: Place) -> list:
    return [place.file, place.line, place.column]


def _record_row(record: AssetRecord, arrays: dict) -> dict:
    files = {}
    for name, file in record.files.items():
        number = None
        if file.data is not None:
            number = sum(key.startswith("#file") for key in arrays)
            arrays[f"#file{number}"] = np.frombuffer(file.data, np.uint8)
        files[name] = [file.path, number]
    return {"attrs": dict(record.attrs), "stamp": record.stamp, "files": files, "parts": [dict(part) for part in record.parts]}


# reading


class _Damaged(Exception):
    """What is wrong with the file, and what to do."""

    def __init__(self, what: str, hint: str = "The file is damaged: convert the model again"):
        super().__init__(what)
        self.hint = hint


def load(path: str | os.PathLike) -> Model:
    """Read a compiled model. Raises ModelError, also for a file that is not one."""
    path = os.fspath(path)
    try:
        return _model(_mapped(path))
    except _Damaged as why:
        raise ModelError([Issue("error", Place(path), "", str(why), why.hint)]) from None
    except OSError as why:
        raise ModelError([Issue("error", Place(path), "", f"the file cannot be read: {why.strerror or why}")]) from None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, RecursionError) as why:
        what = f"its table does not describe a model ({type(why).__name__}: {str(why)[:200]})"
        raise ModelError([Issue("error", Place(path), "", what, "The file is damaged: convert the model again")]) from None


def _mapped(path: str) -> np.ndarray:
    """The file's bytes; the map goes with the last view of it."""
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size < HEAD.size:
            raise _Damaged("this is no .lwb file: it is too short", "Give a file made by 'linkwork convert'")
        return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)


def _table(data: np.ndarray) -> dict:
    magic, version, check, size, whole = HEAD.unpack(data[:HEAD.size])
    if magic != MAGIC:
        raise _Damaged("this is no .lwb file: it begins otherwise", "Give a file made by 'linkwork convert'")
    if version != VERSION:
        raise _Damaged(f"the file has version {version} of the format, this program reads version {VERSION}", "Convert the model again from its text")
    if whole > MOST or size > MOST_TABLE or HEAD.size + size > whole:
        raise _Damaged(f"its sizes are absurd: {size} bytes of table in {whole} bytes")
    if whole != len(data):
        raise _Damaged(f"the file has {len(data)} bytes and should have {whole}: it was cut short or added to")
    text = data[HEAD.size:HEAD.size + size].tobytes()
    if crc32(text) != check:
        raise _Damaged("the checksum of its table is wrong")
    table = json.loads(text.decode("utf-8", "surrogatepass"))
    if not isinstance(table, dict):
        raise _Damaged("its table is no table")
    return table


def _arrays(data: np.ndarray, table: dict) -> dict[str, np.ndarray]:
    """Views of the file; none overlaps another, so together they are no larger than the file."""
    found, end = {}, HEAD.size
    for name, kind, shape, offset, check in table["arrays"]:
        dtype = np.dtype(kind)
        if dtype.hasobject or dtype.itemsize == 0 or not all(isinstance(n, int) and n >= 0 for n in [*shape, offset]):
            raise _Damaged(f"the array '{name}' has type {kind} and shape {shape}")
        count = 1
        for n in shape:
            count *= n
        if offset < end or offset % ALIGN or offset + count * dtype.itemsize > len(data):
            raise _Damaged(f"the array '{name}' of shape {shape} does not fit where it should lie")
        end = offset + count * dtype.itemsize
        if _checksum(data[offset:end]) != check:
            raise _Damaged(f"the checksum of '{name}' is wrong")
        found[name] = data[offset:end].view(dtype).reshape(shape)
    return found


def _model(data: np.ndarray) -> Model:
    table = _table(data)
    arrays = _arrays(data, table)
    if sorted(table["ints"]) != sorted(_INTS) or sorted(table["floats"]) != sorted(_FLOATS) or not arrays.keys() >= _LAYOUT.arrays.keys():
        raise _Damaged("it was written by another version of Linkwork, whose models have other fields", "Convert the model again from its text")
    ints = dict(zip(table["ints"], arrays["#ints"].tolist(), strict=True))
    for name, value in ints.items():
        if not -1 <= value < 2**62 or (value < 0 and name in ("nq", "nv", "nbody")):
            raise _Damaged(f"'{name}' is {value}")
    for name, spot in _LAYOUT.arrays.items():
        shape = shape_of(spot.dims, ints)
        if arrays[name].shape != shape or arrays[name].dtype != spot.dtype:
            raise _Damaged(f"'{name}' has type {arrays[name].dtype} and shape {arrays[name].shape}, its sizes ask for {spot.dtype} and {shape}")
    model = Model.allocate(ints)
    for name, value in zip(table["floats"], arrays["#floats"].tolist(), strict=True):
        setattr(model, name, value)
    for name in _LAYOUT.arrays:
        getattr(model, name)[...] = arrays[name]
    _describe(model, table, arrays)
    wrong = check_indices(model)
    if wrong:
        raise _Damaged(wrong[0].what)
    model.seal()
    return model


def _describe(model: Model, table: dict, arrays: dict) -> None:
    """Names, places, picture settings, texts, issues and asset sources."""
    for kind, (size, *_) in KINDS.items():
        names, places = table["names"][kind], table["places"][kind]
        if len(names) != getattr(model, size) or len(places) != len(names) or not all(isinstance(n, str) for n in names):
            raise _Damaged(f"it names {len(names)} elements of kind {kind} and has {getattr(model, size)}")
        model.names[kind] = tuple(names)
        model.places[kind] = tuple(row and _place(row) for row in places)
    for group in dataclasses.fields(model.vis):
        part = getattr(model.vis, group.name)
        for field in dataclasses.fields(part):
            setattr(part, field.name, _like(getattr(part, field.name), table["vis"][group.name][field.name]))
    model.texts = {str(k): str(v) for k, v in table["texts"].items()}
    model.compat, model.title = str(table["compat"]), str(table["title"])
    model.source = [str(s) for s in table["source"]]
    model.view_only = tuple(Issue(str(severity), row and _place(row), str(path), str(what), str(hint))
                            for severity, row, path, what, hint in table["view_only"])
    model.assets = {str(kind): tuple(record and _record(record, arrays) for record in records) for kind, records in table["assets"].items()}


def _place(row) -> Place:
    file, line, column = row
    return Place(str(file), int(line), int(column))


def _like(old, new):
    """A picture setting of the type it has always."""
    if isinstance(old, tuple):
        values = tuple(float(x) for x in new)
        if len(values) != len(old):
            raise _Damaged(f"a colour of {len(values)} numbers")
        return values
    return type(old)(new)


def _record(row: dict, arrays: dict) -> AssetRecord:
    files = {}
    for name, (path, number) in row["files"].items():
        files[str(name)] = AssetFile(str(path), None if number is None else arrays[f"#file{int(number)}"].astype(np.uint8).tobytes())
    parts = tuple({str(k): str(v) for k, v in part.items()} for part in row["parts"])
    return AssetRecord({str(k): str(v) for k, v in row["attrs"].items()}, files, int(row["stamp"]), parts)
