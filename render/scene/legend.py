"""The picture's legend: what each colour stands for, to what scale. Data here; the window and annotate.py draw it."""
from typing import NamedTuple


class LegendRow(NamedTuple):
    """One line: what is drawn, in which colour (4,), and its scale with unit ('10 cm = 50 N'; '' where it has none). switch: what turns it on, '' none."""

    what: str
    rgba: tuple
    scale: str = ""
    switch: str = ""


class RowOrigin(NamedTuple):
    """The rows of a scene that one switch has drawn: [first, last) of its instances and of its lines."""

    switch: str
    geoms: tuple[int, int]
    lines: tuple[int, int]
