"""Arrays that a kernel of the compiler works on: a mesh, a tree, a picture in the making."""
from __future__ import annotations

import numpy as np

from physics.fields.layout import LAYOUTS
from physics.model import struct

_LAYOUT = LAYOUTS["a"]


class KernelBuffers(struct.Struct):
    """Arrays lent to a kernel under the names of physics/fields/buffer_fields.py: `KernelBuffers(vert=vert, face=face)`.

    The kernel sees only what was lent, at its own address: arrays must be C-contiguous and of the table's type (ValueError where not). How many
    rows there are is told to the kernel as a number.
    """

    layout = _LAYOUT

    def __init__(self, **arrays: np.ndarray):
        super().__init__()
        for name, array in arrays.items():
            self.bind(name, array)


for _name, _property in struct.scalar_properties(_LAYOUT).items():
    setattr(KernelBuffers, _name, _property)
