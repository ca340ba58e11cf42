"""How long something will still take, in words."""
from __future__ import annotations

import math


def left_text(seconds: float) -> str:
    """A rough time in words."""
    if math.isnan(seconds):
        return "no estimate yet"
    if seconds < 90:
        return f"about {seconds:.0f} s left"
    return f"about {seconds / 60:.0f} min left" if seconds < 5400 else f"about {seconds / 3600:.1f} h left"
