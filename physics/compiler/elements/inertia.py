"""Mass and inertia of bodies: given, or gathered from geoms."""
from __future__ import annotations

import math

from physics.compiler.build import Build
from physics.compiler.elements.pose import orientation, position
from physics.compiler.items import BodyItem, GeomItem
from physics.compiler.source import numbers
from physics.enums import MINVAL
from physics.rotation.orientation import NOTATIONS
from physics.rotation.quaternion import ZERO3, matrix, principal
from physics.spec.element import Element

_FEATHER, _ROUND = 1e-6, 1e-9   # of what stands in for a mesh: lightest mass and moment, and how exact its moments are
TINY = 1e-14  # geoms lighter than this do not count


def read_inertial(build: Build, body: BodyItem, element: Element) -> None:
    """Read an inertial element into its body."""
    attrs = build.source.attrs(element)
    body.explicit, body.inertial = True, element
    body.ipos, body.iquat = position(build, attrs), orientation(build, attrs)
    body.mass = float(attrs.get("mass", 0.0))
    body.inertia = numbers(attrs["diaginertia"]) or ZERO3
    full = numbers(attrs["fullinertia"])
    if not all(map(math.isfinite, (body.mass, *body.inertia, *full))):
        build.problems.error(element, "mass and inertia must be finite")
        body.mass, body.inertia = 1.0, (1.0, 1.0, 1.0)
        return
    if not full:
        return
    if attrs.newest(NOTATIONS):
        build.problems.error(element, "fullinertia and an orientation cannot both be given", attr="fullinertia")
    if any(body.inertia):
        build.problems.error(element, "fullinertia and diaginertia cannot both be given", attr="fullinertia")
    body.iquat, body.inertia = principal(full)
    # a bound lifts moments that are zero to rounding, not negative ones
    if body.inertia[2] < (-TINY if build.source.scope(element).boundinertia else TINY):
        build.problems.error(element, f"fullinertia has a principal moment that is not positive: {body.inertia[2]:g}", attr="fullinertia")
        body.inertia = (1.0, 1.0, 1.0)


def settle(build: Build, body: BodyItem) -> None:
    """Infer what is not given; apply the compiler's bounds and checks.

    inferred: the inertia is that of the geoms; adjusted: bounds or balancing changed it.
    """
    s = build.source.scope(body.element)
    body.inferred = s.inertiafromgeom == "true" or (body.ipos is None and s.inertiafromgeom == "auto")
    if body.inferred:
        from_geoms(build, body)
    if body.ipos is None:
        body.ipos, body.iquat = body.own_pose  # as written, without frames: the official compiler's choice for a body without mass
    before = body.mass, *body.inertia
    body.mass = max(body.mass, s.boundmass)
    body.inertia = tuple([max(x, s.boundinertia) for x in body.inertia])
    a, b, c = body.inertia
    where = getattr(body, "inertial", body.element)
    if min(body.mass, a, b, c) < 0:
        build.problems.error(where, "mass and inertia cannot be negative")
    elif _mended(body):
        body.mass, body.inertia = _likely(body.mass, body.inertia)
    elif a + b < c or a + c < b or b + c < a:
        if s.balanceinertia:
            body.inertia = ((a + b + c) / 3,) * 3
        else:
            build.problems.error(where, f"no body has the moments of inertia {a:g}, {b:g}, {c:g}: the sum of two must reach the third",
                        'Correct them, or set balanceinertia="true" in <compiler>')
    body.adjusted = before != (body.mass, *body.inertia)


def from_geoms(build: Build, body: BodyItem) -> None:
    """Inertia of the geoms in the group range: of one as it is, of several about their common centre."""
    low, high = build.source.scope(body.element).grouprange
    parts = [g for g in body.geoms if low <= g.group <= high and g.mass > TINY]
    if len(parts) == 1:
        geom = parts[0]
        body.ipos, body.iquat, body.mass, body.inertia = geom.pos, geom.quat, geom.mass, geom.inertia
    elif parts:
        body.mass = sum(g.mass for g in parts)
        body.ipos = tuple(sum(g.mass * g.pos[k] for g in parts) / body.mass for k in range(3))
        full = [0.0] * 6
        for g in parts:
            turned = turned_inertia(g.inertia, g.quat)
            moved = offset_inertia(g.mass, tuple(g.pos[k] - body.ipos[k] for k in range(3)))
            full = [t + x + y for t, x, y in zip(full, turned, moved)]
        body.iquat, body.inertia = principal(full)
        if body.inertia[2] < TINY and not build.source.scope(body.element).boundinertia:
            build.problems.error(body.element, "the geoms' inertia is too small", "Give the body an <inertial>, or heavier geoms")


def turned_inertia(moments, quat) -> tuple:
    """A diagonal inertia in the frame its own frame is given in: xx, yy, zz, xy, xz, yz."""
    return inertia_along(moments, matrix(quat))


def inertia_along(moments, axes) -> tuple:
    """The same with a rotation matrix; of one body, or of many with rows of numbers in place of numbers."""
    a, b, c, d, e, f, g, h, i = axes
    p, q, r = moments
    # R diag(p, q, r) R^T, each moment times the axis of the second factor first: the official order of rounding
    ap, bq, cr = a * p, b * q, c * r
    dp, eq, fr = d * p, e * q, f * r
    gp, hq, ir = g * p, h * q, i * r
    return (
        a * ap + b * bq + c * cr, d * dp + e * eq + f * fr, g * gp + h * hq + i * ir,
        a * dp + b * eq + c * fr, a * gp + b * hq + c * ir, d * gp + e * hq + f * ir,
    )


def offset_inertia(mass, d) -> tuple:
    """What a displaced mass adds (parallel axes); of one body or of many."""
    x, y, z = d
    return mass * (y * y + z * z), mass * (x * x + z * z), mass * (x * x + y * y), -mass * x * y, -mass * x * z, -mass * y * z


def check_moving(build: Build) -> None:
    """A body with joints needs mass and inertia, its own or that of something fixed to it.

    Nothing is said of a body in which the reader or a macro has refused something, or whose mesh could not be made: that may have been its mass.
    """
    refused = build.source.refused
    for body in build.items["body"][1:]:
        if body.joints and not _heavy(body) and not (refused and _holds(body.element, refused)) and not any(map(_unmade, body.geoms)):
            build.problems.error(body.element, "a body that moves needs mass and inertia",
                        "Give it an <inertial>, or a geom with mass" if not body.geoms else
                        "Its geoms have no mass, or are outside inertiagrouprange")


def _mended(body: BodyItem) -> bool:
    """Whether a body's mass comes from a mesh with a stand-in, and so has to make no sense (stand_ins.py)."""
    return body.inferred and any(geom.lender is not None and getattr(geom.lender, "mended", False) for geom in body.geoms)


def _likely(mass: float, inertia: tuple) -> tuple[float, tuple]:
    """The same mass and moments where a body may have them, else those of a ball of a kilogram or so."""
    top = max(inertia)
    fits = _FEATHER < mass < 1 / _FEATHER and 2 * top <= sum(inertia) * (1 + _ROUND) and _FEATHER < min(inertia) and top < 1 / _FEATHER
    return (mass, inertia) if fits else (1.0, (0.01,) * 3)


def _holds(element: Element, places: set) -> bool:
    """Whether one of the places is in an element or below it."""
    return any(e.place in places or any(e.attr_place(name) in places for name in e.attrs) for e in element.walk())


def _unmade(geom: GeomItem) -> bool:
    """Whether a geom names a mesh in which something was wrong."""
    return geom.lender is not None and geom.lender.data is None


def _heavy(body: BodyItem) -> bool:
    if body.mass >= MINVAL and min(body.inertia) >= MINVAL:
        return True
    return any(not child.joints and _heavy(child) for child in body.children)
