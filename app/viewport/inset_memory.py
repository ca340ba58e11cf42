"""Which insets a model had when it was last shown: kept in the settings, so that they are there again after a new start.

One text of JSON: {path of the model: [[camera's name, its number, corner, share, show], ...]}, the model shown last at the end.
"""
from __future__ import annotations

import json

from app.settings import Settings
from app.viewport.inset_layout import BOTTOM_RIGHT, LARGEST, SMALLEST, TOP_LEFT, TOP_RIGHT, USUAL, Inset
from render.scene.snapshot import COLOUR, SHOWN

SETTING = "view/insets"
MODELS = 20     # whose insets are kept


def key_of(path: str, arrangement: str) -> str:
    """Under which name the insets of a model are kept: in a workspace that keeps its own apart from others."""
    return f"{path}#{arrangement}" if path and arrangement else path


def remember(settings: Settings, path: str, insets: list[Inset], also_none: bool = False) -> None:
    """Keep what is shown of the model of this path (or `key_of` it); a model without a path is not remembered. also_none: that nothing is shown is kept, too."""
    if not path:
        return
    stored = settings.mapping(SETTING)
    before = stored.pop(path, None)
    if insets or also_none:
        stored[path] = [[inset.name, inset.camera, inset.corner, round(inset.share, 4), inset.show] for inset in insets]
    elif before is None:
        return
    settings.set(SETTING, json.dumps(dict(list(stored.items())[-MODELS:])))


def remembered(settings: Settings, path: str, model) -> list[Inset] | None:
    """The insets of the model of this path, as far as it still has the cameras; None where nothing is known. Slots are left empty."""
    rows = settings.mapping(SETTING).get(path) if path else None
    if not isinstance(rows, list):
        return None
    return [inset for row in rows if (inset := _inset(row, model)) is not None]


def _inset(row, model) -> Inset | None:
    """One stored row, what is wrong in it replaced by what is usual; None where its camera is gone."""
    if not (isinstance(row, list) and len(row) == 5 and isinstance(row[0], str) and isinstance(row[1], int)):
        return None
    name, camera, corner, share, show = row
    camera = model.id("camera", name) if name else camera
    if not 0 <= camera < model.ncam:
        return None
    corner = corner if corner in range(TOP_LEFT, BOTTOM_RIGHT + 1) else TOP_RIGHT
    share = min(LARGEST, max(SMALLEST, share)) if isinstance(share, int | float) and share == share else USUAL
    return Inset(camera, name, "", corner, share, show if show in SHOWN else COLOUR)
