"""Meshes, with the shapes that are made from a few numbers."""
from __future__ import annotations

from ..missing import NotHereError, text_of
from .elements import MjsElement
from .fields import give_fields


class MjsMesh(MjsElement):
    """A mesh: of a file, of numbers, or a shape with parameters (`_shape`)."""

    KIND = "mesh"
    _shape = None      # (builtin, params)

    def _make(self, shape: str, *numbers) -> None:
        for name in ("uservert", "usernormal", "usertexcoord", "userface"):
            setattr(self, name, ())
        self.__dict__["_shape"] = shape, tuple(float(n) for n in numbers)

    def make_sphere(self, subdivision: int) -> None:
        """An icosahedron, each side divided so many times."""
        self._make("sphere", subdivision)

    def make_hemisphere(self, resolution: int) -> None:
        """Half a sphere."""
        self._make("hemisphere", resolution)

    def make_cone(self, nedge: int, radius: float) -> None:
        """A cone, or a prism where the upper radius is 1."""
        self._make("cone", nedge, radius)

    def make_supersphere(self, resolution: int, e: float, n: float) -> None:
        """A superellipsoid of equal axes."""
        self._make("supersphere", resolution, e, n)

    def make_supertorus(self, resolution: int, radius: float, s: float, t: float) -> None:
        """A supertoroid."""
        self._make("supertorus", resolution, radius, s, t)

    def make_wedge(self, resolution=(0, 0), fov=(0.0, 0.0), gamma: float = 0) -> None:
        """A part of a sphere, as a camera sees it."""
        self._make("wedge", *resolution, *fov, gamma)

    def make_plate(self, resolution=(0, 0)) -> None:
        """A plate."""
        self._make("plate", *resolution)

    def _make_grid(self, shape: str, count, spacing, dim: int) -> None:
        self._make(shape, *count, *spacing, *((dim,) if shape in ("grid", "box", "cylinder", "ellipsoid") else ()))

    def make_grid(self, count, spacing, dim: int = 3) -> None:
        """A grid of points."""
        self._make_grid("grid", count, spacing, dim)

    def make_box(self, count, spacing, dim: int = 3) -> None:
        """The surface of a box."""
        self._make_grid("box", count, spacing, dim)

    def make_cylinder(self, count, spacing, dim: int = 3) -> None:
        """The surface of a cylinder."""
        self._make_grid("cylinder", count, spacing, dim)

    def make_ellipsoid(self, count, spacing, dim: int = 3) -> None:
        """The surface of an ellipsoid."""
        self._make_grid("ellipsoid", count, spacing, dim)

    def make_square(self, count, spacing) -> None:
        """A flat square."""
        self._make_grid("square", count, spacing, 2)

    def make_disc(self, count, spacing) -> None:
        """A flat disc."""
        self._make_grid("disc", count, spacing, 2)


def no_flex(*_arguments, **_named):
    """Flexes are not here."""
    raise NotHereError(text_of("MjsBody.make_flex"))


give_fields(MjsMesh, "mesh")
