"""The canvas of one picture: marks and legend rows in the scales of the model and the user's factors."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import QUANTITY_SCALES, VisOptions
from app.bridge.quantities import marks, scales
from render.scene import shapes
from render.scene.legend import LegendRow, RowOrigin
from render.scene.snapshot import Scene

FILL_GLOW = 0.8  # of translucent faces, which are seen from both sides
RING = 0.2   # arcs of the next ring are larger by this part
# marks shine mostly by themselves, so that a colour looks like its patch in the legend from every side and in any light
MARK = shapes.DECOR | shapes.THROUGH   # bodies hide what begins at their centres
GLOW, TONE = 1.6, 0.45   # what is added to the material's emission; factor of their colour


class QuantityCanvas:
    """Draws quantities of kinds (options.QUANTITY_SCALES) into a scene; each scale is worked out once, when it is first needed."""

    def __init__(self, visuals: ModelVisuals, options: VisOptions, out: Scene):
        m = visuals.model
        self.visuals, self.out = visuals, out
        self._switch = ""    # that is being drawn
        self.radius, self.radii, self.thick = scales.arc_radius(m), scales.arc_radii(m), scales.thickness(m)
        self._m, self._options, self._known = m, options, {}

    @contextmanager
    def of(self, switch: str) -> Iterator[None]:
        """What is drawn and told meanwhile belongs to this switch."""
        out, self._switch = self.out, switch
        geoms, lines = out.geoms.n, out.lines.n
        yield
        own = geoms + np.flatnonzero(out.geoms.glow[geoms:out.geoms.n] == np.float32(GLOW))
        out.geoms.rgba[own, :3] *= TONE
        out.origins.append(RowOrigin(switch, (geoms, out.geoms.n), (lines, out.lines.n)))

    def scale(self, kind: str):
        """The Straight, Turning or Shade of a kind."""
        if kind not in self._known:
            make = scales.shade if kind == "tension" else scales.turning if kind in scales.TURNING else scales.straight
            self._known[kind] = make(self._m, self._options, kind)
        return self._known[kind]

    def arrows(self, kind: str, start, vector, rgba, wide: float = 1.0, **columns) -> None:
        """Arrows for vectors (n, 3) in the kind's unit."""
        vector = np.atleast_2d(np.asarray(vector, float))
        columns |= {"amount": np.linalg.norm(vector, axis=1), "quantity": QUANTITY_SCALES.index(kind)}
        marks.arrows(self.out.geoms, start, vector * self.scale(kind).metres, wide * self.thick, rgba, glow=GLOW, flags=MARK, **columns)

    def arcs(self, kind: str, centre, axis, value, rgba, wide: float = 1.0, ring: int = 0, towards=None, **columns) -> None:
        """Arcs for values (n,) in the kind's unit about unit axes (n, 3), around the bodies `bodyid` where that is given."""
        radius = (1 + RING * ring) * (self.radii[columns["bodyid"]] if "bodyid" in columns else self.radius)
        columns |= {"amount": np.abs(value), "quantity": QUANTITY_SCALES.index(kind)}
        marks.arcs(self.out.geoms, centre, axis, np.asarray(value, float) * self.scale(kind).radians, radius, wide * self.thick, rgba, towards, glow=GLOW, flags=MARK, **columns)

    def spins(self, kind: str, centre, vector, rgba, wide: float = 1.0, ring: int = 0, **columns) -> None:
        """Arcs for vectors (n, 3) in the kind's unit."""
        axis, size = marks.split(np.asarray(vector, float))
        self.arcs(kind, centre, axis, size, rgba, wide, ring, **columns)

    def legend(self, what: str, rgba, *kinds: str, note: str = "") -> None:
        """Append a row for these kinds."""
        words = [self.scale(kind).text for kind in kinds]
        self.out.legend.append(LegendRow(what, tuple(rgba), ", ".join([*words, note] if note else words), self._switch))
