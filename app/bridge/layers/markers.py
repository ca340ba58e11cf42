"""Markers: what scripts draw. They cast no shadow, light falls on those that are solid, and a click goes through them."""
from __future__ import annotations

from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.view_state import ViewState
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene

FLAGS = shapes.DECOR | shapes.UNNAMED


def add_markers(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Append all of them, as whole arrays."""
    if state.markers is None or not options.added["markers"]:
        return
    solids, segments, dots, texts, meshes = state.markers.arrays()
    if len(solids):
        first = visuals.add_meshes(out, meshes)
        g = out.geoms
        rows = g.add(len(solids))
        for name in ("shape", "pos", "mat", "size", "rgba"):
            getattr(g, name)[rows] = solids[name]
        g.flags[rows] = FLAGS
        g.dataid[rows] = solids["mesh"] + first     # of shapes that are no mesh nobody reads it
    if len(segments):
        rows = out.lines.add(len(segments))
        for name in ("start", "end", "rgba", "width"):
            getattr(out.lines, name)[rows] = segments[name]
        out.lines.named[rows] = False
    if len(dots):
        rows = out.points.add(len(dots))
        for name in ("pos", "rgba", "size"):
            getattr(out.points, name)[rows] = dots[name]
    for text in texts:
        out.labels.put(*text)
