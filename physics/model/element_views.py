"""Reading one element by name: m.body('torso').mass, d.joint('knee').qpos, d.sensor('foot').data.

An attribute is the row of the field with the kind's prefix ('body_' + 'mass'), or a slice where an element owns several
entries (a joint's qpos, a sensor's data). Rows are views of the arrays: writing to them writes the model or data. A single
number comes as an array of one, as officially, that can be used as the number too.
"""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from physics.model.watched_array import WatchedArray
from physics.name_hints import hint

# kind -> prefixes of Model and Data fields that have one row per element
_PREFIXES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "body": ("body_", ""), "joint": ("jnt_", ""), "geom": ("geom_",), "site": ("site_",), "camera": ("cam_",),
        "light": ("light_",), "material": ("mat_",), "texture": ("tex_",), "pair": ("pair_",), "exclude": ("exclude_",),
        "equality": ("eq_",), "tendon": ("tendon_", "ten_"), "actuator": ("actuator_", ""), "sensor": ("sensor_", "sensor"),
        "numeric": ("numeric_",), "text": ("text_",), "tuple": ("tuple_",), "key": ("key_",),
        "mesh": ("mesh_",), "hfield": ("hfield_",), "skin": ("skin_",),
    }
)

# kind -> (first size of the field, address field, count field or None)
_SLICES: Mapping[str, tuple[tuple[str, str, str | None], ...]] = MappingProxyType(
    {
        "joint": (("nq", "jnt_qposadr", None), ("nv", "jnt_dofadr", None)),
        "sensor": (("nsensordata", "sensor_adr", "sensor_dim"),),
        "numeric": (("nnumericdata", "numeric_adr", "numeric_size"),),
        "text": (("ntextdata", "text_adr", "text_size"),),
        "tuple": (("ntupledata", "tuple_adr", "tuple_size"),),
        "actuator": (("nu", "actuator_ctrladr", "actuator_ctrlnum"), ("na", "actuator_actadr", "actuator_actnum"),
                     ("nout", "actuator_outadr", "actuator_outnum")),
    }
)
_ROWS: Mapping[str, str] = MappingProxyType(
    {
        "body": "nbody", "joint": "njnt", "geom": "ngeom", "site": "nsite", "camera": "ncam", "light": "nlight", "material": "nmat",
        "texture": "ntex", "pair": "npair", "exclude": "nexclude", "equality": "neq", "tendon": "ntendon", "actuator": "nactuator",
        "sensor": "nsensor", "numeric": "nnumeric", "text": "ntext", "tuple": "ntuple", "key": "nkey",
        "mesh": "nmesh", "hfield": "nhfield", "skin": "nskin",
    }
)
_JOINT_WIDTHS = MappingProxyType({"nq": (7, 4, 1, 1), "nv": (6, 3, 1, 1)})  # by joint type


class Single(np.ndarray):
    """A view of one number: scripts write m.body('a').mocapid[0] for it, or use it as it is, also as an index and in texts."""

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __index__(self) -> int:
        return self.item().__index__()

    def __format__(self, how: str) -> str:
        return format(self.item(), how)

    def __array_wrap__(self, result, context=None, return_scalar=False):
        return result[()] if return_scalar else np.asarray(result)


class WatchedSingle(WatchedArray, Single):
    """The same of a whole number of a Model that notes when it is written."""


class Selector:
    """m.body, d.geom, ...: call with a name or an index to get an ElementView."""

    def __init__(self, owner, model, kind: str):
        self._owner, self._model, self._kind = owner, model, kind

    def __call__(self, key: str | int) -> ElementView:
        names = self._model.names[self._kind]
        index = self._model.id(self._kind, key) if isinstance(key, str) else int(key)
        if not 0 <= index < len(names):
            raise KeyError(f"no {self._kind} {key!r}; there are: {', '.join(n for n in names if n)[:200] or 'no names'}")
        return ElementView(self._owner, self._model, self._kind, index)


class ElementView:
    """One element of a Model or Data; attributes as in the module's text, and id, name."""

    def __init__(self, owner, model, kind: str, index: int):
        keep = object.__setattr__
        keep(self, "id", index)
        keep(self, "name", model.names[kind][index])
        keep(self, "_at", (owner, model, kind))

    def __repr__(self) -> str:
        return f"<{self._at[2]} {self.id} {self.name!r}>"

    def __getattr__(self, name):
        found = self._find(name)
        if found is None:
            raise self._lacks(name)
        array, row = found
        if not isinstance(row, int) or array.ndim > 1:
            return array[row]
        return array[row:row + 1].view(WatchedSingle if isinstance(array, WatchedArray) else Single)

    def __setattr__(self, name, value):
        found = self._find(name)
        if found is None:
            raise self._lacks(name)
        array, row = found
        array[row] = value if np.ndim(value) == 0 or array[row].ndim else np.asarray(value).item()

    def _lacks(self, name: str) -> AttributeError:
        return AttributeError(f"{self._at[2]} has no attribute {name}{'' if name.startswith('_') else hint(name, dir(self))}")

    def __dir__(self):
        """The public fields' rows by their short names: scratch is reached by its exact name."""
        return ["id", "name", *sorted(view_fields(self))]

    def _find(self, name):
        """(array, row or slice) of an attribute, or None."""
        owner, model, kind = self._at
        found = find_rows(owner.layout, model, kind, self.id, name)
        return None if found is None else (getattr(owner, found[0]), found[1])


def find_rows(layout, model, kind: str, element: int, name: str) -> tuple[str, int | slice] | None:
    """(field of the layout, row or slice) of an element's attribute, None where there is none."""
    for field in [p + name for p in _prefixes(kind)]:
        if field not in layout.arrays:
            continue
        size = layout.arrays[field].dims[0]
        if size == _ROWS[kind]:
            return field, element
        for first, adr, num in _SLICES.get(kind, ()):
            if size == first:
                start = int(getattr(model, adr)[element])
                count = int(getattr(model, num)[element]) if num else _JOINT_WIDTHS[first][model.jnt_type[element]]
                return field, slice(start, start + count)
    return None


def _prefixes(kind: str) -> tuple[str, ...]:
    return _PREFIXES[kind] + (("dof_", "") if kind == "joint" else ())


def view_fields(view: ElementView) -> dict[str, str]:
    """{attribute: official name of its field} of an element's public fields, in the order of the tables."""
    layout, prefixes = view._at[0].layout, _prefixes(view._at[2])
    found = {}
    for field in (n for n in layout.public if n in layout.arrays and n.startswith(prefixes)):
        short = field.removeprefix(max((p for p in prefixes if field.startswith(p)), key=len))
        meant = next(p + short for p in prefixes if p + short in layout.arrays)   # of two fields with one short name, such as jnt_solref and dof_solref
        name = short if meant == field else field
        if view._find(name):
            found[name] = field
    return found
