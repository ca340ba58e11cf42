"""What the rows of a panel are made of, to be compared with what they were made of before."""
from collections.abc import Sequence

import numpy as np


def row_sources(m, kind: str, fields: Sequence[str]) -> tuple:
    """Names of the elements of a kind, and these fields of a Model, as they are now."""
    return tuple(m.names[kind]), tuple(np.asarray(getattr(m, name)).tobytes() for name in fields)
