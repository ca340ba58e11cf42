"""MjModel over a Model of ours."""
from __future__ import annotations

import os
from copy import deepcopy
from hashlib import blake2b

import numpy as np

from physics.model.model_copy import model_beside

from . import loading, old_names
from .field_access import ArrayField, Facade, constant_field, empty_field, scalar_field, switch_field
from .generation import EQ_WIDTH
from .model_structs import MjOption, MjStatistic, MjVisual
from .named import MODEL_KINDS, selector
from .spec.binding import bound
from .tables.field_table import MODEL_ARRAYS, MODEL_EMPTY, MODEL_SCALARS, MODEL_ZEROS, NAME_ADDRESSES


class MjModel(Facade):
    """A model. Read by from_xml_path, from_xml_string, from_binary_path. The struct within (`_inner`) is a physics.Model."""

    def __init__(self, *_arguments):
        raise TypeError("mujoco.MjModel: No constructor defined!")

    @classmethod
    def _of(cls, inner) -> MjModel:
        new = object.__new__(cls)
        new.__dict__.update(_inner=inner, _views={}, _opt=MjOption.of(inner), _stat=MjStatistic.of(inner), _vis=None, _names=None)
        return new

    @classmethod
    def from_xml_path(cls, filename: str, assets: dict[str, bytes] | None = None) -> MjModel:
        """Read a model file. assets: files by name that win over the disk. Raises ValueError with all that is wrong."""
        return cls._of(loading.from_path(os.fspath(filename), assets))

    @classmethod
    def from_xml_string(cls, xml: str, assets: dict[str, bytes] | None = None) -> MjModel:
        """Read a model from its text. Raises ValueError with all that is wrong."""
        return cls._of(loading.from_text(xml, assets))

    @classmethod
    def from_binary_path(cls, filename: str, assets: dict[str, bytes] | None = None) -> MjModel:
        """Read what mj_saveModel has written (Linkwork's .lwb, whatever the file's name). Raises ValueError for another file."""
        return cls._of(loading.from_binary(os.fspath(filename), assets))

    # ------------------------------------------------ parts

    @property
    def opt(self) -> MjOption:
        """Options."""
        return self.__dict__["_opt"]

    @opt.setter
    def opt(self, value) -> None:
        self._opt.take(value)

    @property
    def stat(self) -> MjStatistic:
        """Sizes of the model."""
        return self.__dict__["_stat"]

    @stat.setter
    def stat(self, value) -> None:
        self._stat.take(value)

    @property
    def vis(self) -> MjVisual:
        """Picture settings."""
        mine = self.__dict__
        if mine["_vis"] is None:
            mine["_vis"] = MjVisual.of(self._inner.vis)
        return mine["_vis"]

    @vis.setter
    def vis(self, value) -> None:
        self.vis.take(value)

    def _settled(self):
        """The Model with picture settings written into it, to be saved, copied or drawn."""
        if self._vis is not None:
            self._vis.write(self._inner.vis)
        return self._inner

    # ------------------------------------------------ names

    def _name_table(self) -> tuple[bytes, dict[str, np.ndarray]]:
        """All names, each with a zero behind it, and where those of each kind begin."""
        if self._names is None:
            text, addresses = bytearray((self._inner.title or "").encode() + b"\0"), {}
            for field, kind in NAME_ADDRESSES.items():
                starts = []
                for name in self._inner.names[kind] if kind else ():
                    starts.append(len(text))
                    text += name.encode() + b"\0"
                addresses[field] = np.array(starts, np.int32)
            self.__dict__["_names"] = bytes(text), addresses
        return self._names

    @property
    def names(self) -> bytes:
        """The model's name and those of all elements, each with a zero behind it."""
        return self._name_table()[0]

    @property
    def nnames(self) -> int:
        """Bytes of `names`."""
        return len(self.names)

    @property
    def signature(self) -> int:
        """A number that tells Models of other sizes or names apart."""
        m = self._inner
        sizes = ",".join(str(getattr(m, n)) for n in m.layout.scalars if n.startswith("n"))
        return int.from_bytes(blake2b(sizes.encode() + self.names, digest_size=8).digest(), "little")

    def bind(self, element):
        """The rows of an element of a MjSpec, or of several."""
        return bound(self, self._inner, self.signature, element)

    @property
    def _address(self) -> int:
        return id(self._inner)

    # ------------------------------------------------ copies

    def __copy__(self) -> MjModel:
        return MjModel._of(model_beside(self._settled()))

    def __deepcopy__(self, memo: dict) -> MjModel:
        found = memo[id(self)] = MjModel._of(deepcopy(self._settled(), memo))
        return found

    def __reduce__(self):
        return _restored, (self._settled(),)


def _restored(inner) -> MjModel:
    loading.ready()     # in another process, perhaps
    return MjModel._of(inner)


def _eq_data(owner) -> np.ndarray:
    """In interfaces of before the last column is not there."""
    return owner._inner.eq_data[:, :EQ_WIDTH]


for _name in MODEL_ARRAYS:
    setattr(MjModel, _name, ArrayField(_name))
MjModel.eq_data = ArrayField("eq_data", _eq_data)
MjModel.text_data = property(lambda self: self._inner.text_data.tobytes())
MjModel.paths = constant_field(b"")
for _name in MODEL_SCALARS:
    setattr(MjModel, _name, switch_field(_name) if _name.startswith("flg_") else scalar_field(_name))
MjModel.ngravcomp = property(lambda self: int(self.flg_gravcomp))
for _name in (*MODEL_ZEROS, "nJfv"):
    setattr(MjModel, _name, constant_field(0))
for _dtype, _shape, _names in (*MODEL_EMPTY, *old_names.MODEL_EMPTY):
    for _name in _names.split():
        setattr(MjModel, _name, empty_field(_name, _dtype, _shape, lambda owner: owner._inner))
for _name in NAME_ADDRESSES:
    setattr(MjModel, _name, ArrayField(_name, lambda owner, field=_name: owner._name_table()[1][field]))
for _name in MODEL_KINDS:
    setattr(MjModel, _name, selector(_name, lambda self: self._inner))
