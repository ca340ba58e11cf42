"""Lengths of tendons and their derivatives at one pose, for the constants that the compiler computes.

The wrapping itself is the engine's (engine/tendon/wrap.py), run as plain Python.
Source: MuJoCo documentation, XML reference, tendon/spatial.
"""
from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from physics.compiler.derived.initial_pose import Pose
from physics.compiler.items import Item, TendonItem
from physics.engine.tendon.wrap import wrap
from physics.enums import MINVAL, TENDON_FIXED, WRAP_CYLINDER, WRAP_PULLEY, WRAP_SITE


def length(tendon: TendonItem, pose: Pose) -> float:
    """Length of a tendon at a pose."""
    if tendon.type == TENDON_FIXED:
        return sum(step.prm * pose.qpos[step.target.qposadr] for step in tendon.path)
    return sum(_span(points, extra) / divisor for points, _, extra, divisor in _stretches(tendon, pose))


def row(tendon: TendonItem, pose: Pose) -> np.ndarray:
    """Derivative of a tendon's length by each of its dofs (tendon.dofs)."""
    if tendon.type == TENDON_FIXED:
        by_dof = {}
        for step in tendon.path:
            by_dof[step.target.dofadr] = by_dof.get(step.target.dofadr, 0.0) + step.prm
        return np.array([by_dof[dof] for dof in tendon.dofs])
    places = np.array(tendon.dofs, int)
    found = np.zeros(len(places))
    for points, bodies, _, divisor in _stretches(tendon, pose):
        for k in range(len(points) - 1):
            if bodies[k] is bodies[k + 1]:
                continue
            direction = _direction(points[k], points[k + 1]) / divisor
            for body, point, sign in ((bodies[k], points[k], -1.0), (bodies[k + 1], points[k + 1], 1.0)):
                if body.lastdof < 0:   # it cannot move
                    continue
                dofs, motion, _ = pose.jacobian(body, point)
                found[np.searchsorted(places, dofs)] += sign * (motion @ direction)
    return found


def _direction(start, end) -> np.ndarray:
    x = np.subtract(end, start)
    n = math.sqrt(x @ x)
    return np.array((1.0, 0.0, 0.0)) if n < MINVAL else x / n


def _span(points, extra: float) -> float:
    """Length of a stretch: straight parts and `extra` on a surface."""
    straight = (k for k in range(len(points) - 1) if len(points) == 2 or k != 1)
    return sum(math.dist(points[k], points[k + 1]) for k in straight) + extra


def _stretches(tendon: TendonItem, pose: Pose) -> list[tuple]:
    """Parts from site to site: (points, body of each, length on a surface between the second and the third, divisor)."""
    if tendon.id not in pose.stretches:
        pose.stretches[tendon.id] = list(_found(tendon, pose))
    return pose.stretches[tendon.id]


def _found(tendon: TendonItem, pose: Pose) -> Iterator[tuple]:
    path, divisor = tendon.path, 1.0
    for k, step in enumerate(path[:-1]):
        after = path[k + 1]
        if step.type == WRAP_PULLEY:
            divisor = step.prm
        if step.type != WRAP_SITE or after.type == WRAP_PULLEY:
            continue
        geom, end = (None, after) if after.type == WRAP_SITE else (after, path[k + 2])
        sites = step.target, end.target
        ends = tuple(pose.site[s.id] for s in sites)
        if geom is not None:
            on, first, last = _around(geom, ends, pose)
            if on >= 0:
                body = geom.target.body
                yield (ends[0], first, last, ends[1]), (sites[0].body, body, body, sites[1].body), on, divisor
                continue
        yield ends, (sites[0].body, sites[1].body), 0.0, divisor


def _around(step: Item, ends, pose: Pose):
    geom = step.target
    side = pose.site[step.side.id] if step.side is not None else (0.0, 0.0, 0.0)
    return wrap(*ends, pose.geom[geom.id], pose.turned(geom), geom.size[0], step.type == WRAP_CYLINDER, step.rule, side)
