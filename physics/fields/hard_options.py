"""The hard engine's own options, in the order in which a model's text has them: what they are at first and what they may be.

    <custom><text name="linkwork_engine" data="hard"/><numeric name="linkwork_hard" data="rtol ktol kappa iterations looks halvings"/></custom>
"""
from __future__ import annotations

from math import inf
from types import MappingProxyType
from typing import NamedTuple

ENGINE_TEXT, HARD_NUMBERS = "linkwork_engine", "linkwork_hard"      # names of the custom text and of the numbers, that keep a file plain MJCF
LEAST_KAPPA = 1e-12     # J: below this the central path is not told from its end


class HardOption(NamedTuple):
    """name: of m.opt; usual: the value unless something is written; low, high: inclusive bounds; doc: what it is, with its unit."""

    name: str
    usual: float
    low: float
    high: float
    whole: bool
    doc: str

    @property
    def field(self) -> str:
        """The Model's field."""
        return f"opt_{self.name}"

    def wrong(self, value: float) -> str:
        """Why it cannot have a value, '' where it can."""
        if not abs(value) < inf or self.whole and value != int(value):
            return f"{self.name} is {'a whole' if self.whole else 'a finite'} number, not {value:g}"
        if self.name == "hard_kappa" and 0.0 < value < LEAST_KAPPA:
            return f"hard_kappa is 0 or at least {LEAST_KAPPA:g} J, not {value:g}"
        return "" if self.low <= value <= self.high else f"{self.name} takes numbers from {self.low:g} to {self.high:g}, not {value:g}"


HARD_OPTIONS: tuple[HardOption, ...] = (
    HardOption("hard_rtol", 1e-8, 1e-14, 1.0, False, "A step is solved when its residual is below this [N s, m/s]"),
    HardOption("hard_ktol", 1e-8, 1e-14, 1.0, False, "A step is solved when each contact's product of force and gap is this near to kappa [J]"),
    HardOption("hard_kappa", 0.0, 0.0, 0.1, False, "0: contacts are rigid. Above: each step is solved at exactly this point of the central path, where contacts act at a distance [J]"),
    HardOption("hard_iterations", 50, 1, 1000, True, "Most iterations of a solve"),
    HardOption("hard_looks", 4, 0, 100, True, "How often a step is solved anew for contacts that came about within it"),
    HardOption("hard_halvings", 4, 0, 12, True, "How often a step that could not be solved is taken as two of half its length"),
)
BY_FIELD = MappingProxyType({option.field: option for option in HARD_OPTIONS})
