"""A formula with numbers put in: the text, what it gives, and what the engine has stored there."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

MOST_TERMS = 4      # of a sum that are written out


class Line(NamedTuple):
    """text: rich text, the formula with numbers and its result. computed: what the formula gives; stored: what the field holds, both None where the formula is only told
    in words. field: the field's name; index: of the entry or row that is meant."""

    text: str
    computed: np.ndarray | float | None = None
    stored: np.ndarray | float | None = None
    field: str = ""
    index: int = -1


def n(value) -> str:
    """A number, or a vector in brackets, with five digits."""
    if np.ndim(value):
        return "(" + ", ".join(n(x) for x in np.ravel(value)) + ")"
    value = float(value)
    return f"{0.0 if value == 0 else value:.5g}".replace("-", "\u2212")


def factor(value) -> str:
    """A number within a product or a difference: in brackets where it is negative."""
    text = n(value)
    return f"({text})" if text.startswith("\u2212") else text


def summed(terms: list[str]) -> str:
    """Terms of a sum; of many the first ones and how many follow."""
    if not terms:
        return "0"
    shown = terms[:MOST_TERMS]
    text = shown[0] + "".join(f" \u2212 {term[1:]}" if term.startswith("\u2212") else f" + {term}" for term in shown[1:])
    return text if len(terms) == len(shown) else f"{text} + \u2026 ({len(terms) - len(shown)} more)"


def products(coefficients, values) -> str:
    """The sum of products, written out."""
    return summed([f"{n(a)}\u00b7{factor(b)}" for a, b in zip(np.ravel(coefficients), np.ravel(values), strict=True)])


def named(m, kind: str, number: int) -> str:
    """An element in words: its name, or kind and number."""
    return m.names[kind][number] or f"{kind} {number}"


def dof_name(m, dof: int) -> str:
    """A degree of freedom in words: of which joint, and which of several."""
    joint = int(m.dof_jntid[dof])
    first = int(m.jnt_dofadr[joint])
    several = dof != first or (dof + 1 < m.nv and m.dof_jntid[dof + 1] == joint)
    return named(m, "joint", joint) + (f"[{dof - first}]" if several else "")
