"""Below which distance two geoms push on each other, and whose margin would have to change so that they do.

    margin: what geoms, an explicit pair or option o_margin say    they push below the margin [in models of the older rule below margin - gap]

Source: MuJoCo documentation, XML reference, geom and pair (margin, gap), option (o_margin); chapter Modeling, "Contact parameters".
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from physics.engine.collide.filter import explicit_margin, pair_gap, pair_margin
from physics.enums import ENBL_OVERRIDE
from physics.model.elements import element
from physics.model.model import Model

Change = tuple[str, int, int | float]     # field of Model, number in it (-1: the field is one number), new value


@dataclass(frozen=True, slots=True)
class Reach:
    """Of two geoms. margin [m]: they push below it; listed [m]: contacts are listed below it; pair: number of the explicit pair with that margin, -1 none."""

    margin: float
    listed: float
    pair: int

    @property
    def pushes(self) -> float:
        """Distance below which they push on each other [m]: what is not listed does not."""
        return min(self.margin, self.listed)

    @property
    def text(self) -> str:
        """Both distances in words."""
        return f"margin {self.margin:.6g} m" if self.listed == self.margin else f"margin {self.margin:.6g} m, with the gap {self.listed:.6g} m"


def reach_of(m: Model, one: int, two: int, pairs: Sequence[int]) -> Reach:
    """The reach of two geoms; pairs: numbers of their explicit pairs, of which each makes contacts of its own, so that the largest margin counts."""
    if not pairs:
        margin = float(pair_margin(m, one, two))
        return Reach(margin, margin + float(pair_gap(m, one, two)), -1)
    margins = {pair: float(explicit_margin(m, pair)) for pair in pairs}
    widest = max(margins, key=margins.__getitem__)
    return Reach(margins[widest], max(margin + float(m.pair_gap[pair]) for pair, margin in margins.items()), widest)


def margin_change(m: Model, one: int, two: int, reach: Reach, more: float) -> tuple[tuple[Change, ...], str]:
    """(fields of the Model with their new values, in words): what makes the margin of two geoms larger by `more` [m]."""
    if m.opt_enableflags & ENBL_OVERRIDE:
        value = float(m.opt_o_margin) + more
        return (("opt_o_margin", -1, value),), f"set o_margin of option to {value:.6g}, which counts for all contacts while the flag override is on"
    if reach.pair >= 0:
        value = float(m.pair_margin[reach.pair]) + more
        return (("pair_margin", reach.pair, value),), f"set the margin of {element(m, 'pair', reach.pair)} to {value:.6g}: those of the geoms do not count"
    name = str(element(m, "geom", one))
    if not m.flg_maxmargin:
        return (("geom_margin", one, float(m.geom_margin[one]) + more),), f"add {more:.6g} m to the margin of {name} or of the other: both are added up"
    value = float(max(m.geom_margin[one], m.geom_margin[two])) + more
    return (("geom_margin", one, value),), f"set the margin of {name} or of the other to {value:.6g}: the larger one counts (the older rule, which this model keeps)"
