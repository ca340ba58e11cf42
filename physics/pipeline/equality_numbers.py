"""Rows of equality constraints with their numbers put in: violation, Jacobian, and what the row accelerates by itself.

    equality_row(m, v, r), drift_of(m, v, r): v: a Moment, r: a row of type equality

Source: MuJoCo documentation, chapter Computation, "Equality"; XML reference, equality.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from physics.engine.constraint.equality import between, holds_sites, pair_anchor, pair_body, pair_quats, turn_drift
from physics.engine.kinematics.points import point_drift
from physics.engine.linalg.quat import mul4
from physics.enums import CNSTR_EQUALITY, EQ_CONNECT, EQ_DISTANCE, EQ_JOINT, EQ_TENDON, EQ_WELD
from physics.pipeline.line import Line, factor, n, named, summed
from physics.pipeline.point_jacobians import point_jacobians

MINUS = "\u2212"
AXES = ("x", "y", "z")
Row = tuple[list[Line], np.ndarray | None, str]


def equality_row(m, v, r: int) -> Row:
    """(lines about its violation, the row of J as a dense vector (nv) or None where it is not known, the formula of J)."""
    i = int(v.efc_id[r])
    return _ROWS[int(m.eq_type[i])](m, v, i, r)


def part_of(v, r: int) -> int:
    """Which of its constraint's rows it is."""
    same = np.flatnonzero((v.efc_type == CNSTR_EQUALITY) & (v.efc_id == v.efc_id[r]))
    return int(r - same[0])


def drift_of(m, v, r: int) -> float | None:
    """What a row of a connect or weld accelerates by itself at constant joint velocities, without gravity [m/s2, 1/s2]; None for other rows."""
    if v.efc_type[r] != CNSTR_EQUALITY or m.eq_type[v.efc_id[r]] not in (EQ_CONNECT, EQ_WELD):
        return None
    i, part = int(v.efc_id[r]), part_of(v, r)
    (b1, p1), (b2, p2) = _anchors(m, v, i)
    if part >= 3:
        return float(turn_drift(m, v, i, b1, b2)[part - 3])
    return float(point_drift(m, v, b1, tuple(p1))[part] - point_drift(m, v, b2, tuple(p2))[part])


def _anchors(m, v, i: int) -> tuple[tuple[int, np.ndarray], tuple[int, np.ndarray]]:
    """(body, point in the world) of both sides."""
    one, two = ((int(pair_body(m, i, obj)), np.array(pair_anchor(m, v, i, obj, first))) for obj, first in ((m.eq_obj1id[i], True), (m.eq_obj2id[i], False)))
    return one, two


def _pair(m, v, i: int, r: int) -> Row:
    """Connect and weld: points of two bodies, or sites."""
    part, kind = part_of(v, r), "site" if holds_sites(m, i) else "body"
    (b1, p1), (b2, p2) = _anchors(m, v, i)
    if part >= 3:
        return _turned(m, v, i, r, part - 3, b1, b2)
    sides = (1, m.eq_obj1id[i], p1), (2, m.eq_obj2id[i], p2)
    lines = [Line(f"p<sub>{k}</sub>: {'' if kind == 'site' else 'anchor on '}{named(m, kind, int(obj))} = {n(p)}") for k, obj, p in sides]
    axis, pos = AXES[part], float(p1[part] - p2[part])
    words = f"efc_pos = (p<sub>1</sub> {MINUS} p<sub>2</sub>)<sub>{axis}</sub> = {n(p1[part])} {MINUS} {factor(p2[part])} = {n(pos)}"
    lines.append(Line(words, pos, float(v.efc_pos[r]), "efc_pos", r))
    dense = point_jacobians(m, v, b1, p1)[0][part] - point_jacobians(m, v, b2, p2)[0][part]
    return lines, dense, f"(J<sub>1</sub> {MINUS} J<sub>2</sub>)<sub>{axis}</sub> at p<sub>1</sub> and p<sub>2</sub>"


def _turned(m, v, i: int, r: int, axis: int, b1: int, b2: int) -> Row:
    """The rotation that a weld keeps: the vector part of the quaternion that is left between the two orientations."""
    q, back = pair_quats(m, v, i)
    scale = float(m.eq_data[i, 10])
    left = np.array(mul4(back, q))
    pos = scale * float(left[1 + axis])
    words = f"efc_pos = torquescale e<sub>{AXES[axis]}</sub>, e = conj(q<sub>2</sub>) q<sub>1</sub> relpose = {n(left)}: {n(scale)}\u00b7{factor(left[1 + axis])} = {n(pos)}"
    turns = point_jacobians(m, v, b1, (0.0, 0.0, 0.0))[1] - point_jacobians(m, v, b2, (0.0, 0.0, 0.0))[1]
    slopes = np.array([between(back, tuple(unit), q)[axis] for unit in np.eye(3)])     # d e / d (angle about each axis of the world)
    return [Line(words, pos, float(v.efc_pos[r]), "efc_pos", r)], scale * slopes @ turns, f"torquescale \u2202e<sub>{AXES[axis]}</sub> of the relative rotation"


def _coupling(m, v, i: int, r: int) -> Row:
    """A joint or tendon that is a polynomial of another, or is held."""
    kind, one, two = int(m.eq_type[i]), int(m.eq_obj1id[i]), int(m.eq_obj2id[i])
    word, a = "joint" if kind == EQ_JOINT else "tendon", m.eq_data[i, :5]
    y, dense = _coordinate(m, v, kind, one), _row(m, v, kind, one)
    x = _coordinate(m, v, kind, two) if two >= 0 else 0.0
    powers = x ** np.arange(5)
    terms = [n(a[0]), *(f"{n(c)}\u00b7{factor(x)}{f'<sup>{k}</sup>' if k > 1 else ''}" for k, c in enumerate(a[1:], 1) if c and two >= 0)]
    whole = float(a @ powers) if two >= 0 else float(a[0])
    words = f"efc_pos = y {MINUS} (a<sub>0</sub>{' + a<sub>1</sub> x + ...' if two >= 0 else ''}) = {n(y)} {MINUS} ({summed(terms)}) = {n(y - whole)}"
    lines = [Line(f"y = {named(m, word, one)} from its initial value: {n(y)}" + (f"; x = {named(m, word, two)}, likewise: {n(x)}" if two >= 0 else "")),
             Line(words, y - whole, float(v.efc_pos[r]), "efc_pos", r)]
    if two < 0:
        return lines, dense, "of y"
    slope = float(a[1:] @ (np.arange(1, 5) * powers[:4]))
    return lines, dense - slope * _row(m, v, kind, two), f"of y {MINUS} {factor(slope)} (a<sub>1</sub> + 2 a<sub>2</sub> x + ...) times that of x"


def _coordinate(m, v, kind: int, k: int) -> float:
    """A joint's position or a tendon's length, from that of the initial pose."""
    if kind == EQ_TENDON:
        return float(v.ten_length[k] - m.tendon_length0[k])
    a = int(m.jnt_qposadr[k])
    return float(v.qpos[a] - m.qpos0[a])


def _row(m, v, kind: int, k: int) -> np.ndarray:
    """Its derivative by the degrees of freedom (nv)."""
    dense = np.zeros(m.nv)
    if kind == EQ_TENDON:
        where = slice(int(m.ten_J_rowadr[k]), int(m.ten_J_rowadr[k] + m.ten_J_rownnz[k]))
        dense[m.ten_J_colind[where]] = v.ten_J[where]
    else:
        dense[m.jnt_dofadr[k]] = 1.0
    return dense


def _distance(m, v, i: int, r: int) -> Row:
    """Two geoms at a distance."""
    pos, wanted = float(v.efc_pos[r]), float(m.eq_data[i, 0])
    names = " and ".join(named(m, "geom", int(g)) for g in (m.eq_obj1id[i], m.eq_obj2id[i]))
    return [Line(f"efc_pos = dist {MINUS} distance = {n(pos + wanted)} {MINUS} {factor(wanted)} = {n(pos)}, between {names}")], None, "along the normal between the geoms"


_ROWS: Mapping[int, Callable[..., Row]] = MappingProxyType({EQ_CONNECT: _pair, EQ_WELD: _pair, EQ_JOINT: _coupling, EQ_TENDON: _coupling, EQ_DISTANCE: _distance})
