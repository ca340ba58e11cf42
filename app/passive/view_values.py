"""What is drawn as plain values, one for each switch, so that a script and the user can both change some of them.

    {("flags", "contact_point"): True, ("geomgroup", 3): False, ("label",): "Body", ("factors", "force"): 1.0, ...}

What is hidden or shown alone stays with the window, whose selection it was.
"""
from __future__ import annotations

from collections.abc import Mapping

from app.bridge.options import GROUPS, VisOptions

TABLES = ("flags", "render", "quantities", "factors")
LISTS = tuple(f"{kind}group" for kind in GROUPS)
SINGLE = ("label", "frame", "bvh_depth", "flex_layer", "show", "look")
Values = dict[tuple, bool | int | float | str]


def values_of(options: VisOptions) -> Values:
    """All of them."""
    found: Values = {(name,): getattr(options, name) for name in SINGLE}
    for table in TABLES:
        found.update(((table, key), value) for key, value in getattr(options, table).items())
    for name in LISTS:
        found.update(((name, i), on) for i, on in enumerate(getattr(options, name)))
    return found


def put_values(options: VisOptions, values: Mapping[tuple, bool | int | float | str]) -> None:
    """Take some over. Raises KeyError for a switch that there is not."""
    for place, value in values.items():
        if len(place) == 1:
            setattr(options, place[0], value)
            continue
        table, key = getattr(options, place[0]), place[1]
        if isinstance(table, dict) and key not in table:
            raise KeyError(f"there is no {key!r} in {place[0]}")
        table[key] = value


def changed(now: Values, before: Values) -> Values:
    """Those that are others than before."""
    return {place: value for place, value in now.items() if before.get(place) != value}
