"""Two-geom models and the poses in which routines are compared: random, aligned, nearly aligned, touching, concentric."""
from __future__ import annotations

import mujoco
import numpy as np

SIZES = {
    "plane": lambda r: (0.0, 0.0, 0.1),
    "sphere": lambda r: r.uniform(0.05, 0.4, 1),
    "capsule": lambda r: r.uniform(0.05, 0.5, 2),
    "ellipsoid": lambda r: r.uniform(0.05, 0.5, 3),
    "cylinder": lambda r: r.uniform(0.05, 0.5, 2),
    "box": lambda r: r.uniform(0.05, 0.5, 3),
}


def two_geoms(first: str, second: str, r: np.random.Generator, margin: float = 0.0, gap: float = 0.0) -> mujoco.MjModel:
    """Two free bodies with one geom each; a plane belongs to the world."""
    size = [" ".join(map(str, SIZES[kind](r))) for kind in (first, second)]
    a = f'<geom type="{first}" size="{size[0]}" margin="{margin}" gap="{gap}"/>'
    if first != "plane":
        a = f"<body><freejoint/>{a}</body>"
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><worldbody>{a}<body><freejoint/><geom type="{second}" size="{size[1]}"/></body></worldbody></mujoco>'
    )


def turn(axis: int, angle: float) -> np.ndarray:
    """Quaternion of a rotation about a coordinate axis."""
    q = np.zeros(4)
    q[0], q[1 + axis] = np.cos(angle / 2), np.sin(angle / 2)
    return q


def orientation(r: np.random.Generator, kind: int) -> np.ndarray:
    """0 any, 1 quarter turns, 2 nearly none, 3 about one axis, 4 none, 5 eighth turn about one axis."""
    if kind == 0:
        q = r.normal(size=4)
    elif kind == 1:
        q = np.array([1.0, 0, 0, 0])
        for _ in range(3):
            out = np.zeros(4)
            mujoco.mju_mulQuat(out, q, turn(r.integers(3), r.integers(4) * np.pi / 2))
            q = out
    elif kind == 2:
        q = np.array([1.0, 0, 0, 0]) + 10 ** r.uniform(-12, -2) * r.normal(size=4)
    elif kind == 3:
        q = turn(r.integers(3), r.uniform(-4, 4))
    elif kind == 4:
        q = turn(0, 0.0)
    else:
        q = turn(r.integers(3), r.integers(8) * np.pi / 4)
    return q / np.linalg.norm(q)


def offset(r: np.random.Generator, kind: int, size: np.ndarray) -> np.ndarray:
    """0 any, 1 concentric, 2 touching along an axis, 3 along an axis, 4 shallow to deep."""
    p, axis = np.zeros(3), r.integers(3)
    if kind == 0:
        return r.normal(size=3) * 0.3
    if kind == 2:
        p[axis] = r.choice([-1, 1]) * (size[0, axis] + size[1, axis])
    elif kind == 3:
        p[axis] = r.normal() * 0.5
    elif kind == 4:
        return r.normal(size=3) * r.choice([0.05, 0.1, 0.6])
    return p


def randomize(r: np.random.Generator, m: mujoco.MjModel, d: mujoco.MjData, first: str) -> float:
    """Give the bodies a pose of some kind and update the geoms; -> distance of the centres."""
    kind = int(r.integers(6))
    free = 1 if first == "plane" else 2
    for b in range(free):
        d.qpos[7 * b + 3:7 * b + 7] = orientation(r, kind if r.random() < 0.8 else int(r.integers(6)))
    p = offset(r, int(r.integers(5)), m.geom_size)
    start = r.normal(size=3) * (r.random() < 0.5) if free == 2 else np.zeros(3)
    d.qpos[:3] = start
    d.qpos[7 * (free - 1):7 * (free - 1) + 3] = start + p
    mujoco.mj_kinematics(m, d)
    return float(np.linalg.norm(p))
