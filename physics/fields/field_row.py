"""One row of the field tables."""
from typing import NamedTuple


class Row(NamedTuple):
    """A field of Model or Data.

    kind: 'i' or 'f' for a scalar, else a NumPy type code. shape: sizes separated by blanks, the first one counts rows;
    each is a number, a size of Model, a capacity of Data (maxcon, maxefc, maxJ) or a product such as 3*nmocap.
    unit: SI; '' without one; '*' where it depends on the joint, actuator or sensor type.
    stage: the part of the step that it belongs to; engine: the one engine that has it, '' for all. private: scratch, bookkeeping: not
    listed to users (dir, completion, dumps), though an exact name reaches it.
    """

    name: str
    kind: str
    shape: str
    unit: str
    doc: str
    stage: str = ""
    engine: str = ""
    private: bool = False

    @property
    def dims(self) -> tuple[str, ...]:
        return tuple(self.shape.split())

    @property
    def is_scalar(self) -> bool:
        return self.kind in ("i", "f")


def table(stage: str, rows: tuple[Row, ...], engine: str = "", private: bool = False) -> tuple[Row, ...]:
    """Rows of one stage, with what they have in common."""
    return tuple(row._replace(stage=stage, engine=engine, private=private) for row in rows)
