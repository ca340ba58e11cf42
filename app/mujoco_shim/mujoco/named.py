"""One element by name or number: m.geom('box').size, d.joint(3).qpos. The same object at every call, and the same arrays."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from physics.model.element_views import find_rows, view_fields
from physics.model.model import ALIASES

# a kind -> what its views are called
_TITLES = MappingProxyType({
    "body": "Body", "joint": "Joint", "geom": "Geom", "site": "Site", "camera": "Camera", "light": "Light", "material": "Material", "texture": "Texture", "pair": "Pair",
    "exclude": "Exclude", "equality": "Equality", "tendon": "Tendon", "actuator": "Actuator", "sensor": "Sensor", "numeric": "Numeric", "text": "Text", "tuple": "Tuple",
    "key": "Key", "mesh": "Mesh", "hfield": "Hfield", "skin": "Skin",
})
MODEL_KINDS = tuple(name for name in ALIASES if name != "ten")
DATA_KINDS = ("body", "joint", "jnt", "geom", "site", "camera", "cam", "light", "tendon", "ten", "actuator", "sensor")
_NO_ROW = MappingProxyType({"actuator": frozenset({"nu", "nout"})})    # a single one of these keeps the shape of a row


class NamedView:
    """An element's rows as attributes."""

    def __init__(self, owner, model, kind: str, index: int):
        self.__dict__.update(_owner=owner, _model=model, _kind=kind, id=index, name=model.names[kind][index])

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        found = _special(self, name)
        if found is None:
            found = self._row(name)
        self.__dict__[name] = found
        return found

    def _row(self, name: str):
        place = find_rows(self._owner.layout, self._model, self._kind, self.id, name.removeprefix("_") if name == "_limited" else name)
        if place is None:
            raise AttributeError(f"{_TITLES[self._kind].lower()} has no attribute {name!r}")
        array, row = getattr(self._owner, place[0]), place[1]
        if isinstance(row, int):
            return array[row] if array.ndim > 1 else array[row:row + 1]
        if array.ndim > 1 and row.stop - row.start == 1 and self._owner.layout.arrays[place[0]].dims[0] in _NO_ROW.get(self._kind, ()):
            return array[row.start]
        return array[row]

    def __setattr__(self, name, value):
        if name in ("id", "name") or name.startswith("_") and name != "_limited":
            raise AttributeError(f"{name} cannot be set")
        getattr(self, name)[...] = value

    def __dir__(self):
        shown = ElementFields(self._owner, self._model, self._kind, self.id)
        return ["id", "name", *sorted(view_fields(shown))]

    def __repr__(self) -> str:
        inside = "Model" if self._owner is self._model else "Data"
        lines = [f"<_Mj{inside}{_TITLES[self._kind]}Views"]
        lines += [f"  {name}: {getattr(self, name)!r}" for name in dir(self)]
        return "\n".join(lines) + "\n>"


class ElementFields:
    """What physics.model.element_views.view_fields looks at."""

    def __init__(self, owner, model, kind, index):
        self._at, self.id = (owner, model, kind), index

    def _find(self, name: str):
        return find_rows(self._at[0].layout, self._at[1], self._at[2], self.id, name)


def _special(view: NamedView, name: str):
    """What is no row of a field: a texture's pixels, an actuator's moment arms, a tendon's columns. None for all else."""
    m, i = view._model, view.id
    if view._kind == "texture" and name == "data":
        height, width, channels = int(m.tex_height[i]), int(m.tex_width[i]), int(m.tex_nchannel[i])
        return m.tex_data[m.tex_adr[i]:m.tex_adr[i] + height * width * channels].reshape(height, width, channels)
    if view._kind == "tendon" and name == "J_colind":
        return m.ten_J_colind[m.ten_J_rowadr[i]:m.ten_J_rowadr[i] + m.ten_J_rownnz[i]]
    if view._kind == "actuator" and name == "moment" and view._owner is not m:
        return _moment(m, view._owner, i)
    return None


def _moment(m, d, i: int) -> np.ndarray:
    """Moment arms of an actuator, (nv), or (outputs, nv) where it has several; a copy."""
    rows = range(int(m.actuator_outadr[i]), int(m.actuator_outadr[i] + m.actuator_outnum[i]))
    dense = np.zeros((len(rows), m.nv))
    for k, row in enumerate(rows):
        part = slice(int(d.moment_rowadr[row]), int(d.moment_rowadr[row] + d.moment_rownnz[row]))
        dense[k, d.moment_colind[part]] = d.actuator_moment[part]
    found = dense[0] if len(rows) == 1 else dense
    found.setflags(write=False)
    return found


def view_of(facade, model, kind: str, key) -> NamedView:
    """The element of a kind with this name or number. Raises KeyError, IndexError, TypeError as the official ones."""
    names = model.names[kind]
    if isinstance(key, str):
        index = model.id(kind, key)
        if index < 0:
            raise KeyError(f"Invalid name '{key}'. Valid names: {sorted(n for n in names if n)}")
    else:
        index = key.__index__()
        if not 0 <= index < len(names):
            raise IndexError(f"Invalid index {index}. Valid indices from 0 to {len(names) - 1}")
    views = facade.__dict__["_views"]
    found = views.get((kind, index))
    if found is None or kind == "actuator":
        if found is not None:
            found.__dict__.pop("moment", None)     # a copy of the present state's
            return found
        found = views[kind, index] = NamedView(facade._inner, model, kind, index)
    return found


def selector(name: str, of_model):
    """The method m.geom(name_or_number). of_model: facade -> its Model."""
    kind = ALIASES[name]

    def select(self, name=""):
        return view_of(self, of_model(self), kind, name)

    select.__name__ = name
    select.__doc__ = f"One {kind} by name or number."
    return select
