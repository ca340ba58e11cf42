"""What of the language we build already: everything not listed here is 'full'. Later work only deletes rows.

A row is (support, element path, attribute, condition, what is missing). An empty attribute means the element itself.
Conditions on the attribute's value: '' given at all, 'nonzero', or keywords joined by '|'.

- refused: the model would not look right without it, so it is not opened;
- view: the model can be drawn, but its dynamics would be wrong, so it opens for viewing only;
- instead: the model runs, but otherwise than the official engine runs it with this setting; the text says how (a warning);
- legacy: gone from the language, but read as the text says (a warning);
- removed: gone from the language; the text says since when and what replaces it.
"""

from __future__ import annotations

from physics.schema.table_legacy import LEGACY_SUPPORT

__all__ = ["SUPPORT"]

SUPPORT: tuple[tuple[str, str, str, str, str], ...] = (
    # whole elements that decide what a model looks like
    ("refused", "asset/mesh/plugin", "", "", "plugins"),
    ("refused", "body/geom", "type", "sdf", "signed-distance geoms"),
    ("refused", "body/geom/plugin", "", "", "plugins"),
    ("refused", "body/plugin", "", "", "plugins"),
    ("refused", "actuator/plugin", "", "", "plugins"),
    ("refused", "sensor/plugin", "", "", "plugins"),
    ("refused", "body/flexcomp", "", "", "flexible objects"),
    ("refused", "deformable/flex", "", "", "flexible objects"),
    ("refused", "equality/flex", "", "", "flexible objects"),
    ("refused", "equality/flexstrain", "", "", "flexible objects"),
    # things only the dynamics need
    ("view", "extension/plugin", "", "", "plugins"),
    ("view", "option/flag", "ipc", "enable", "barrier contacts"),
    ("view", "option/flag", "speculative", "enable", "speculative contacts"),
    # another way to the same end
    ("instead", "option/flag", "nativeccd", "disable", "Convex pairs meet by the built-in method all the same, with all their points unless multiccd is disabled"),
    # gone from the language
    ("removed", "equality/flexvert", "", "", "flexvert was removed in MuJoCo 4.0"),
    *LEGACY_SUPPORT,
)
