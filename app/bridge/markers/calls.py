"""What a marker is made of: the calls that scripts make, each checked and turned into records.

Sizes are half sizes as in MJCF. Where a position is taken, (n, 3) makes n of them at once, with one size, rotation or colour for all or one for each: many at
once cost a hundredth of as many calls.
"""
from __future__ import annotations

import numpy as np

from app.bridge.markers import arguments as check
from app.bridge.markers.geometry import Geometries
from app.bridge.markers.table import DOT, DOTS, SEGMENT, SEGMENTS, SOLID, SOLIDS, TEXTS, Text
from render.scene import shapes
from render.scene.snapshot import MeshAsset

INK = (0.95, 0.6, 0.1, 1.0)
WHITE = (1.0, 1.0, 1.0, 1.0)


class MarkerCalls:
    """lifetime: seconds of the clock on the wall, None: until it is removed. name: a marker of the same name and owner is replaced. rgba: 3 or 4 numbers, 0 to 1.

    Each call raises ValueError, which names the argument, and TooManyMarkers; it returns a Marker, whose `remove` takes it out again. From any thread.
    """

    def __init__(self, geometries: Geometries):
        self.geometries = geometries

    def _put(self, what: str, kind: int, new, lifetime, name, mesh: MeshAsset | None):
        """Put a checked marker in; returns its Marker. what: the call; new: records of its kind, or a Text."""
        raise NotImplementedError

    def arrow(self, start, end, width=0.01, rgba=INK, lifetime=None, name=None):
        """An arrow from start to end, (3,) or (n, 3) [m]; width: radius of its shaft [m]."""
        start, end = check.rows(start, "arrow: start", 3), check.rows(end, "arrow: end", 3)
        width, rgba = check.lengths(width, "arrow: width"), check.colours(rgba, "arrow: rgba")
        n = check.together("arrow", start=start, end=end, width=width, rgba=rgba)
        new = np.zeros(n, SOLID)
        new["shape"], new["pos"], new["rgba"], new["mesh"] = shapes.ARROW, start, rgba, -1
        new["mat"][:, :3], new["size"][:, 0] = end - start, width     # table.py makes of it what is drawn
        return self._put("arrow", SOLIDS, new, lifetime, name, None)

    def line(self, points, width=2.0, rgba=INK, lifetime=None, name=None):
        """A line through points (n, 3) [m], width [pixel]; rgba: one, or one for each of its n - 1 pieces."""
        points = check.rows(points, "line: points", 3)
        if len(points) < 2:
            raise ValueError(f"line: points must be at least 2, not {len(points)}")
        return self._segments("line", np.stack([points[:-1], points[1:]], axis=1), width, rgba, lifetime, name)

    def lines(self, segments, width=2.0, rgba=INK, lifetime=None, name=None):
        """Lines from one point to another: segments (n, 2, 3) [m], width [pixel]."""
        return self._segments("lines", check.rows(segments, "lines: segments", 2, 3), width, rgba, lifetime, name)

    def _segments(self, what, segments, width, rgba, lifetime, name):
        width, rgba = check.lengths(width, f"{what}: width"), check.colours(rgba, f"{what}: rgba")
        new = np.zeros(check.together(what, "segments", segments=segments, width=width, rgba=rgba), SEGMENT)
        new["start"], new["end"], new["rgba"], new["width"] = segments[:, 0], segments[:, 1], rgba, width
        return self._put(what, SEGMENTS, new, lifetime, name, None)

    def points(self, positions, size=4.0, rgba=INK, lifetime=None, name=None):
        """A cloud of round dots at positions (n, 3) [m]; size [pixel]; rgba: one, or (n, 4)."""
        positions = check.rows(positions, "points: positions", 3)
        size, rgba = check.lengths(size, "points: size"), check.colours(rgba, "points: rgba")
        new = np.zeros(check.together("points", "positions", positions=positions, size=size, rgba=rgba), DOT)
        new["pos"], new["rgba"], new["size"] = positions, rgba, size
        return self._put("points", DOTS, new, lifetime, name, None)

    def text(self, pos, text: str, rgba=WHITE, lifetime=None, name=None):
        """A text beside a point (3,) [m]. Texts stand beside each other; those without room are left out, the farthest first."""
        pos, rgba = check.rows(pos, "text: pos", 3), check.colours(rgba, "text: rgba")
        if len(pos) != 1 or len(rgba) != 1:
            raise ValueError(f"text: {'pos' if len(pos) != 1 else 'rgba'} must be of one text")
        written = check.written(text, "text: text")
        return self._put("text", TEXTS, Text(tuple(pos[0].tolist()), written, tuple(rgba[0].tolist()), None), lifetime, name, None)

    def mesh(self, vertices, faces, pos=(0.0, 0.0, 0.0), mat=None, rgba=INK, smooth=False, lifetime=None, name=None):
        """Triangles: vertices (n, 3) [m], faces (m, 3) counter-clockwise seen from their front, which alone is seen while Cull Face is on. smooth: light runs over
        edges. The same geometry is kept once, however often it is given."""
        vertex, face = check.triangles(vertices, faces, "mesh")
        return self._shapes("mesh", shapes.MESH, pos, np.ones((1, 3), np.float32), mat, rgba, lifetime, name, self.geometries.get(vertex, face, bool(smooth)))

    def sphere(self, pos, size=0.05, rgba=INK, lifetime=None, name=None):
        """A ball; size: its radius [m]."""
        return self._shapes("sphere", shapes.SPHERE, pos, np.repeat(check.lengths(size, "sphere: size")[:, None], 3, axis=1), None, rgba, lifetime, name)

    def ellipsoid(self, pos, size, mat=None, rgba=INK, lifetime=None, name=None):
        """An ellipsoid; size: its three half axes [m]."""
        return self._shapes("ellipsoid", shapes.ELLIPSOID, pos, check.lengths(size, "ellipsoid: size", 3), mat, rgba, lifetime, name)

    def box(self, pos, size, mat=None, rgba=INK, lifetime=None, name=None):
        """A box; size: its three half sizes [m]."""
        return self._shapes("box", shapes.BOX, pos, check.lengths(size, "box: size", 3), mat, rgba, lifetime, name)

    def capsule(self, pos, size, mat=None, rgba=INK, lifetime=None, name=None):
        """A capsule along its z axis; size: its radius and half its length without the round ends [m]."""
        return self._shapes("capsule", shapes.CAPSULE, pos, check.lengths(size, "capsule: size", 2)[:, [0, 0, 1]], mat, rgba, lifetime, name)

    def cylinder(self, pos, size, mat=None, rgba=INK, lifetime=None, name=None):
        """A cylinder along its z axis; size: its radius and half its length [m]."""
        return self._shapes("cylinder", shapes.CYLINDER, pos, check.lengths(size, "cylinder: size", 2)[:, [0, 0, 1]], mat, rgba, lifetime, name)

    def _shapes(self, what, shape, pos, size, mat, rgba, lifetime, name, mesh: MeshAsset | None = None):
        pos, rgba = check.rows(pos, f"{what}: pos", 3), check.colours(rgba, f"{what}: rgba")
        mat = check.frames(mat, f"{what}: mat")
        new = np.zeros(check.together(what, pos=pos, size=size, mat=mat, rgba=rgba), SOLID)
        new["shape"], new["pos"], new["mat"], new["size"], new["rgba"], new["mesh"] = shape, pos, mat, size, rgba, -1
        return self._put(what, SOLIDS, new, lifetime, name, mesh)
