"""The picture's legend: what each colour stands for, to what scale. Data here; the window and annotate.py draw it."""
from typing import NamedTuple


class LegendRow(NamedTuple):
    """One line: what is drawn, in which colour (4,), and its scale with unit ('10 cm = 50 N'; '' where it has none)."""

    what: str
    rgba: tuple
    scale: str = ""
