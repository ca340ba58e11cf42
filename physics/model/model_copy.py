"""A Model beside another one: the same fields in memory of its own, so that each may be given other values while it runs."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

import numpy as np

from physics.model.live_fields import LIVE_FIELDS
from physics.model.model import KINDS, Model
from physics.model.struct import address


def model_beside(m: Model) -> Model:
    """A copy of a Model; names, places and sources of assets, which nobody changes, are shared. Where another thread may write to m meanwhile, `live_values` says what
    it was."""
    layout = m.layout
    scalars = {name: getattr(m, name) for name in layout.scalars}
    new = Model.allocate({name: value for name, value in scalars.items() if isinstance(value, int)})
    for name, value in scalars.items():
        if not isinstance(value, int):
            setattr(new, name, value)
    for name in layout.arrays:
        getattr(new, name)[...] = getattr(m, name)
    new.names, new.places, new.assets = {kind: m.names[kind] for kind in KINDS}, {kind: m.places[kind] for kind in KINDS}, dict(m.assets)
    new.source, new.view_only, new.texts, new.compat, new.title = list(m.source), m.view_only, dict(m.texts), m.compat, m.title
    new.links, new.vis = m.links, deepcopy(m.vis)
    new.seal(tuple(m.writes.fields))
    return new


def live_values(m: Model) -> Mapping[str, Any]:
    """What may be set in a Model while it runs, copied: {field: number or array}, and picture settings as 'vis'."""
    found: dict[str, Any] = {name: getattr(m, name) for name in m.layout.scalars if _live(name)}
    found.update({name: np.array(getattr(m, name)) for name in m.layout.arrays if _live(name)})
    found["vis"] = deepcopy(m.vis)
    return found


def _live(name: str) -> bool:
    return name in LIVE_FIELDS or name.startswith("opt_")


def put_live_values(m: Model, values: Mapping[str, Any]) -> None:
    """Give a Model of the same structure these values."""
    for name, value in values.items():
        if name == "vis":
            m.vis = deepcopy(value)
        elif name in m.layout.scalars:
            if getattr(m, name) != value:
                setattr(m, name, value)
        elif not np.array_equal(getattr(m, name), value):
            setattr(m, name, value)


def model_face(m: Model, names: Iterable[str]) -> Model:
    """A Model that shares all arrays with m but these, which it has in memory of its own, as it has its scalars: for a thread that computes with other values of them.

    What is written into m's arrays acts on it too; `refresh_face` brings scalars up to date.
    """
    m.check_written()
    face = object.__new__(Model)
    face.__dict__.update(m.__dict__)
    block = m._block.copy()
    face.__dict__.update(_block=block, _floats=block.view(np.float64), _as_parameter_=address(block))
    for name in names:
        if name in m.layout.arrays:
            face.bind(name, np.array(getattr(m, name)))
    return face


def refresh_face(face: Model, m: Model) -> None:
    """The scalars of a face are those of its Model now."""
    for part in m.layout.scalar_parts:
        face._block[part] = m._block[part]
