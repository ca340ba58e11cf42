"""One row of the field tables."""
from typing import NamedTuple


class Row(NamedTuple):
    """A field of Model or Data.

    kind: 'i' or 'f' for a scalar, else a NumPy type code. shape: sizes separated by blanks, the first one counts rows;
    each is a number, a size of Model, a capacity of Data (maxcon, maxefc, maxJ) or a product such as 3*nmocap.
    unit: SI; '' without one; '*' where it depends on the joint, actuator or sensor type.
    """

    name: str
    kind: str
    shape: str
    unit: str
    doc: str

    @property
    def dims(self) -> tuple[str, ...]:
        return tuple(self.shape.split())
