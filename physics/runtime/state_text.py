"""The text of a keyframe element for a state."""
from __future__ import annotations

import numpy as np

from physics.model.state_fields import KEYFRAME


def key_element(source, digits: int | None = None, name: str = "") -> str:
    """Text of a <key> element for the state of a Data, Snapshot or State; %g numbers, or so many significant digits (16: exact)."""
    number = (lambda v: f"{v:g}") if digits is None else (lambda v: f"{v:.{digits}g}")
    lines = ["<key" + (f' name="{name}"' if name else ""), f'  time="{number(source.time)}"']
    for field in KEYFRAME[1:]:   # the time stands on the first line
        values = np.ravel(getattr(source, field.name))
        if values.size:
            lines.append(f'  {field.key.removeprefix("key_")}="{" ".join(map(number, values))}"')
    return "\n".join(lines) + "\n/>"
