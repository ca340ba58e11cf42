"""The legend of pictures that show something else than colour: which type has which colour, how grey is how far, which way normals point."""
from __future__ import annotations

import numpy as np

from app.bridge.describe import kind_of
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.view_state import ViewState
from physics.runtime.snapshot import Snapshot
from render.scene.identity import table, type_colours
from render.scene.legend import LegendRow
from render.scene.snapshot import DEPTH, NORMAL, TYPE, Scene

DISTANCES = (0.0, 0.5, 1.0, 2.0, 5.0)   # of the depth picture's legend, in extents of the model
AXES = ("x", "y", "z")


def _types(out: Scene) -> list[LegendRow]:
    """The types that are in the scene, each with the number of its things."""
    things = np.unique(table(out)[:, :2], axis=0)
    kinds, counts = np.unique(things[:, 0], return_counts=True)
    colours = type_colours(kinds) / 255
    return [LegendRow(kind_of(int(kind)), (*map(float, rgb), 1.0), str(count)) for kind, count, rgb in zip(kinds, counts, colours, strict=True) if kind_of(int(kind))]


def _distances(out: Scene) -> list[LegendRow]:
    """Greys of some distances: extent over extent + distance."""
    extent = out.look.extent
    greys = [(1 / (1 + share),) * 3 for share in DISTANCES]
    rows = [LegendRow("Distance" if share else "At the eye", (*grey, 1.0), f"{share * extent:.3g} m") for grey, share in zip(greys, DISTANCES, strict=True)]
    return [*rows, LegendRow("Nothing there", (0.0, 0.0, 0.0, 1.0))]


def _normals() -> list[LegendRow]:
    """Colours of normals along the axes of the world."""
    rows = []
    for sign, way in ((1, "+"), (-1, "-")):
        for k, axis in enumerate(AXES):
            rgb = [0.5 + 0.5 * sign * (i == k) for i in range(3)]
            rows.append(LegendRow(f"Facing {way}{axis}", (*rgb, 1.0)))
    return rows


def add_shown_legend(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Rows for options.show where they are wanted; pictures in which every object has a colour of its own have none."""
    if not options.explained:
        return
    if options.show == TYPE:
        out.legend += _types(out)
    elif options.show == DEPTH:
        out.legend += _distances(out)
    elif options.show == NORMAL:
        out.legend += _normals()
