"""Numbers that a drag writes: no finer than it can place them, with the characters that stand there for what did not change (editor/notation/numbers.py for all others)."""
from __future__ import annotations

import math
from collections.abc import Sequence

from editor.notation.numbers import as_text

__all__ = ["DIGITS_BEHIND", "number_text", "quantum_of", "vector_text"]

DIGITS_BEHIND = 4       # decimals at most behind that of the step
MOST_DECIMALS = 14


def quantum_of(step: float, behind: int = 1) -> float:
    """What numbers are rounded to: `behind` decimals finer than a step [the number's unit]."""
    if not (step > 0 and math.isfinite(step)):
        return 10.0 ** -MOST_DECIMALS
    return 10.0 ** (math.floor(math.log10(step)) - min(behind, DIGITS_BEHIND))


def number_text(value: float, quantum: float, like: str = "") -> str:
    """The shortest text of a number rounded to a power of ten. like: a number's text in whose notation it is written."""
    decimals = max(0, min(MOST_DECIMALS, round(-math.log10(quantum))))
    return as_text(round(float(value) / quantum) * quantum if quantum >= 1 else float(value), like, decimals)


def vector_text(own: str | None, present: Sequence[float], wanted: Sequence[float], quantum: float) -> str | None:
    """Text of a list of numbers, None where none is another by half a quantum, or one is not finite. own: what the element says itself (None: nothing), whose
    words stay for numbers that are the same; present: the numbers in force."""
    present, wanted = list(map(float, present)), list(map(float, wanted))
    if not all(map(math.isfinite, wanted)):
        return None
    other = [k for k, (now, then) in enumerate(zip(present, wanted, strict=True)) if not abs(then - now) < 0.5 * quantum]
    if not other:
        return None
    words = own.split() if own is not None else []
    out = [words[k] if k < len(words) else number_text(value, min(quantum, 1e-9)) for k, value in enumerate(present)]
    for k in other:
        out[k] = number_text(wanted[k], quantum, words[k] if k < len(words) else "")
    return " ".join(out[:max(len(words), other[-1] + 1)] if words else out)
