"""Scales that suit a model, and their words in the legend.

The weight of a tree, the size of bodies, how many hang on each other, and the time it takes to fall so far give every kind of
quantity a magnitude; where actuators say how strong they are, half of that is the usual torque; in a medium bodies move no faster
than it lets them. Arrows of the usual magnitude are about three body sizes long, arcs a quarter turn. Figures are rounded to 1, 2 or
5 times a power of ten.
"""
from __future__ import annotations

from math import floor, log10, pi, sqrt
from typing import NamedTuple

import numpy as np

from app.bridge.quantities.strengths import drag, drifting_speed, joint_torque
from physics.model.model import Model

ARROW_SIZES, ARROW_EXTENT = 3.0, 0.3      # an arrow of usual magnitude: body sizes, at most this part of the model's extent
RADIUS_SIZES, RADIUS_EXTENT = 0.8, 0.08   # radius of arcs, likewise
STANDARD_GRAVITY = 9.81                   # [m/s^2], where the model has none
LENGTHS = ((100.0, "100 m"), (10.0, "10 m"), (1.0, "1 m"), (0.1, "10 cm"), (0.01, "1 cm"), (0.001, "1 mm"), (1e-4, "0.1 mm"))
PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
QUARTER = pi / 2
CLEAR, LARGEST_ARC = 1.5, 2.5    # least radius of arcs, in middle half sizes of a body's geoms; and at most, in usual radii
TINY = 1e-30
LEAST_DRAG = 0.02   # of the usual force: smaller drags are drawn small
TURNING = ("torque", "contact torque", "turning speed", "angular momentum", "medium torque")   # kinds that are drawn as arcs


class Straight(NamedTuple):
    """Arrows: metres per unit, and that in words."""

    metres: float
    text: str


class Turning(NamedTuple):
    """Arcs: radians per unit, and that in words."""

    radians: float
    text: str


class Shade(NamedTuple):
    """Colours: the value at which they are full, and that in words."""

    full: float
    text: str


class Magnitudes(NamedTuple):
    """What is usual in a model: length [m], mass of a tree and of a body [kg], force [N], the arm it acts on [m], time [s]."""

    length: float
    mass: float
    part: float
    force: float
    arm: float
    time: float


def nice(x: float) -> float:
    """The nearest of 1, 2, 5 times a power of ten; 1 for 0."""
    if not TINY < x < 1 / TINY:
        return 1.0
    power = 10.0 ** floor(log10(x))
    digit = min((1, 2, 5, 10), key=lambda d: abs(log10(x / power / d)))
    return float(f"{digit * power:.0e}")


def in_words(value: float, unit: str) -> str:
    """'50 N', '2 mN m', '3 kg m/s': with the prefix that suits, but none before kg and rad, nor for lengths from 0.1 m on."""
    if unit[:1] != "N" and (unit != "m" or value >= 0.1) or value <= 0:
        return f"{value:.3g} {unit}"
    factor, prefix = next(((f, p) for f, p in PREFIXES if value >= 0.9999 * f), PREFIXES[-1])
    return f"{value / factor:.3g} {prefix}{unit}"


def body_size(m: Model) -> float:
    """Mean size of moving bodies [m], heavy ones counting for more by the roots of their masses; halfway to the model's own mean where that is smaller."""
    largest = np.zeros(m.nbody)
    np.maximum.at(largest, m.geom_bodyid, m.geom_rbound)
    moving = (m.body_weldid != 0) & (largest > 0)
    if not moving.any():
        return max(m.stat_meansize, 1e-6)
    weight = np.sqrt(np.maximum(m.body_mass[moving], 1e-12))
    mean = float(largest[moving] @ weight / weight.sum())
    return max(sqrt(mean * min(m.stat_meansize, mean)), 1e-6)


def magnitudes(m: Model) -> Magnitudes:
    """What is usual in this model: the weight of one of its trees, and the fall through the usual length."""
    size = body_size(m)
    length = max(min(ARROW_SIZES * size, ARROW_EXTENT * m.stat_extent), 1e-6)
    moving = m.body_weldid != 0
    total = float(m.body_mass[moving].sum())
    trees = m.body_subtreemass[moving & (m.body_weldid[m.body_parentid] == 0)]
    mass = max(float(np.sqrt((trees**2).mean())), 1e-9) if len(trees) else 1.0   # a robot among beads counts for more than a bead
    carried = float(m.body_subtreemass[moving].sum()) / max(total, 1e-9)   # bodies in a chain, by their mass
    gravity = float(np.linalg.norm(m.opt_gravity))
    gravity = gravity if gravity > 1e-3 * STANDARD_GRAVITY else STANDARD_GRAVITY
    part = max(total / max(np.count_nonzero(moving & (m.body_mass > 0)), 1), 1e-9) if total > 0 else mass
    return Magnitudes(length, mass, part, mass * gravity, max(1.0, carried) * size / 4, sqrt(2 * length / gravity))


def arc_radius(m: Model) -> float:
    """Radius of arcs [m]."""
    return max(min(RADIUS_SIZES * body_size(m), RADIUS_EXTENT * m.stat_extent), 1e-6)


def arc_radii(m: Model) -> np.ndarray:
    """Radius of arcs about each body (nbody,) [m]: larger where thick geoms would hide them."""
    thick, usual = np.zeros(m.nbody), arc_radius(m)
    np.maximum.at(thick, m.geom_bodyid, np.sort(m.geom_aabb[:, 3:], axis=1)[:, 1])
    return np.clip(CLEAR * thick, usual, LARGEST_ARC * usual)


def thickness(m: Model) -> float:
    """Radius of the shafts of arrows and of the tubes of arcs [m]."""
    return 0.055 * arc_radius(m)


def _rolling_arm(m: Model) -> float:
    """Torque at a contact per force [m]: the torsional friction of geoms that have it, on average."""
    arms = m.geom_friction[m.geom_condim > 3, 1]
    return float(arms.mean()) if len(arms) else 0.005


def usual(m: Model, kind: str) -> tuple[float, str]:
    """(usual magnitude, unit) of a kind of quantity, one of options.QUANTITY_SCALES. Raises KeyError."""
    u, size = magnitudes(m), body_size(m)
    own = joint_torque(m) / 2
    torque = own or u.force * u.arm
    slow = min(1.0, 2 * drifting_speed(m, size, min(u.force, own / size if own else u.force)) * u.time / (2 * u.length))   # share of the speed of a fall
    speed, mass = 2 * slow * u.length / u.time, sqrt(u.mass * u.part)   # between a tree's and a body's: both are shown
    medium = min(max(drag(m, size, speed), LEAST_DRAG * u.force), u.force)
    return {
        "force": (u.force, "N"), "tension": (u.force, "N"), "torque": (torque, "N m"), "contact torque": (u.force * _rolling_arm(m), "N m"),
        "speed": (speed, "m/s"), "turning speed": (2 * slow / u.time, "rad/s"), "momentum": (mass * speed / 2, "kg m/s"),
        "angular momentum": (mass * size**2 * slow / u.time, "kg m²/s"), "medium force": (medium, "N"), "medium torque": (medium * size / 4, "N m"),
        "constraint force": (max(u.force, sqrt(u.force * own / size)), "N"),   # mechanisms are pressed together by their actuators
    }[kind]


def straight(m: Model, options, kind: str) -> Straight:
    """Scale of the arrows of a kind: '10 cm = 50 N'."""
    length = magnitudes(m).length
    value, unit = usual(m, kind)
    step, words = min(LENGTHS, key=lambda row: abs(log10(length / 3 / row[0])))
    per_step = nice(value * step / length) / options.factors[kind]
    return Straight(step / per_step, f"{words} = {in_words(per_step, unit)}")


def turning(m: Model, options, kind: str) -> Turning:
    """Scale of the arcs of a kind: '90° = 2 N m'."""
    value, unit = usual(m, kind)
    quarter = nice(value) / options.factors[kind]
    return Turning(QUARTER / quarter, f"90° = {in_words(quarter, unit)}")


def shade(m: Model, options, kind: str) -> Shade:
    """Scale of the colours of a kind: 'full colour = 200 N'."""
    value, unit = usual(m, kind)
    full = nice(value) / options.factors[kind]
    return Shade(full, f"full colour = {in_words(full, unit)}")
