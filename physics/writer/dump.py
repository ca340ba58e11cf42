"""Models and data as text for people: every field with its shape, unit, meaning and values. The same object gives the same text."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from zlib import crc32

import numpy as np

from physics.fields.layout import LAYOUTS
from physics.model.data import Data
from physics.model.model import KINDS, Model
from physics.writer.rows import listing

MOST = 10000   # values of a field that are printed unless all are asked for
FIRST = 8      # rows printed of a field that has more
_USED = {"maxcon": "ncon", "maxefc": "nefc", "maxJ": "nJ"}.get   # storage that grows -> how much of it is in use
_WIDTH = 30


def dump_model(model: Model, full: bool = False) -> str:
    """Sizes, options, names, picture settings and every array of a model. full: also the many numbers of pictures and meshes."""
    head = [f"model '{model.title}'" if model.title else "model", f"compat {model.compat}"]
    if model.view_only:
        head.append("can be viewed only:")
        head.extend(f"  {issue}" for issue in model.view_only)
    return "\n".join([*head, "", *_scalars("m", model), "", *_names(model), *_pictures(model), *_arrays("m", model, model, full), ""])


def dump_data(data: Data, full: bool = False) -> str:
    """Every field of a state but the engine's working storage; of contacts and constraint rows those in use."""
    return "\n".join([f"data at time {data.time:g}", "", *_scalars("d", data), "", *_arrays("d", data, data.model, full), ""])


def _shown(key: str, name: str) -> bool:
    return not LAYOUTS[key].rows[name].private


def _scalars(key: str, thing) -> Iterator[str]:
    layout = LAYOUTS[key]
    for name in layout.scalars:
        if _shown(key, name):
            row = layout.rows[name]
            value = listing([float(getattr(thing, name))]) if row.kind == "f" else str(getattr(thing, name))
            yield f"{name:<{_WIDTH}} {value:>14}  {_words(row)}"


def _words(row) -> str:
    return f"{row.doc} [{row.unit}]" if row.unit not in ("", "*") else row.doc


def _names(model: Model) -> Iterator[str]:
    for kind, names in model.names.items():
        if names:
            yield f"names of kind {kind}: {len(names)}"
            yield from (f"  {k:>5} {name}" for k, name in enumerate(names))
            yield ""


def _pictures(model: Model) -> Iterator[str]:
    for group in dataclasses.fields(model.vis):
        part = getattr(model.vis, group.name)
        for field in dataclasses.fields(part):
            yield f"{'vis.' + group.name.rstrip('_') + '.' + field.name:<{_WIDTH}} {listing(np.float32(getattr(part, field.name)))}"
    yield ""


def _arrays(key: str, thing, model: Model, full: bool) -> Iterator[str]:
    layout = LAYOUTS[key]
    kinds = {size[0]: kind for kind, size in KINDS.items()}
    for name, spot in layout.arrays.items():
        if not _shown(key, name) or spot.dims[0] == "maxH":
            continue
        array = getattr(thing, name)
        used = _USED(spot.dims[0])
        if used:
            array = array[:getattr(thing, used)]
        row = layout.rows[name]
        yield f"{name}  {array.dtype} {' x '.join(map(str, array.shape))}  {_words(row)}"
        labels = model.names.get(kinds.get(spot.dims[0], ""), ())
        yield from _values(array, labels, full or array.size <= MOST)
        yield ""


def _values(array: np.ndarray, labels, everything: bool) -> Iterator[str]:
    if not array.size:
        return
    if array.ndim == 1 and not labels:
        shown = array if everything else array[:FIRST * 10]
        for start in range(0, len(shown), 10):
            yield f"  {start:>5}  {_text(shown[start:start + 10])}"
    else:
        for k, row in enumerate(array if everything else array[:FIRST]):
            label = f" {labels[k]}" if k < len(labels) and labels[k] else ""
            yield f"  {k:>5}{label}  {_text(np.ravel(row))}"
    if not everything:
        yield f"  ... {array.size} values in all, checksum {crc32(np.ascontiguousarray(array).reshape(-1).view(np.uint8)):08x}"


def _text(values: np.ndarray) -> str:
    return " ".join("true" if x else "false" for x in values) if values.dtype == bool else listing(values)
