"""Two free geoms laid face on face, edge on face or nearly so, under the official engine and ours."""
from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import mujoco
import numpy as np

from physics.model.data import Data
from tests.physics.engine.collide import oracle_scene


def hull(r: np.random.Generator, points: int) -> np.ndarray:
    """Corners of a prism whose ends differ, or points on a ball."""
    if r.random() < 0.6:
        angle = np.sort(r.uniform(0, 2 * np.pi, points))
        ring = np.stack([np.cos(angle), np.sin(angle)], 1)
        return 0.1 * np.concatenate([np.c_[ring, np.full(points, -0.5)], np.c_[ring * r.uniform(0.5, 1), np.full(points, 0.5)]])
    p = r.normal(size=(points, 3))
    return 0.1 * p / np.linalg.norm(p, axis=1)[:, None]


def two_geoms(first: str, second: str, r: np.random.Generator, margin: float) -> mujoco.MjModel:
    assets, bodies = "", ""
    for k, kind in enumerate((first, second)):
        shape = f'type="{kind}" size="{" ".join(map(str, r.uniform(0.04, 0.12, 3 if kind == "box" else 2)))}"'
        if kind == "mesh":
            assets += f'<mesh name="m{k}" vertex="{" ".join(map(str, hull(r, r.integers(6, 14)).ravel()))}"/>'
            shape = f'type="mesh" mesh="m{k}"'
        bodies += f'<body><freejoint/><geom {shape} mass="1" margin="{margin if k == 0 else 0}"/></body>'
    return mujoco.MjModel.from_xml_string(f"<mujoco><asset>{assets}</asset><worldbody>{bodies}</worldbody></mujoco>")


def polygons(m: mujoco.MjModel, g: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Outer normal and corners of every flat face of a geom, in its frame."""
    kind, size = m.geom_type[g], m.geom_size[g]
    if kind == mujoco.mjtGeom.mjGEOM_MESH:
        k = m.geom_dataid[g]
        points = m.mesh_vert[m.mesh_vertadr[k]:][:m.mesh_vertnum[k]].astype(float)
        rows = range(m.mesh_polyadr[k], m.mesh_polyadr[k] + m.mesh_polynum[k])
        return [(m.mesh_polynormal[p], points[m.mesh_polyvert[m.mesh_polyvertadr[p]:][:m.mesh_polyvertnum[p]]]) for p in rows]
    if kind == mujoco.mjtGeom.mjGEOM_BOX:
        found = []
        for axis in range(3):
            for sign in (1.0, -1.0):
                n = np.zeros(3)
                n[axis] = sign
                u, v = np.roll(np.eye(3), -axis - 1, 0)[:2] * size[[(axis + 1) % 3, (axis + 2) % 3], None]
                found.append((n, np.array([n * size + u + v, n * size - u + v, n * size - u - v, n * size + u - v])))
        return found
    angle = np.arange(16) * np.pi / 8
    ring = size[0] * np.stack([np.cos(angle), np.sin(angle), np.zeros(16)], 1)
    return [(np.array([0, 0, s]), ring + [0, 0, s * size[1]]) for s in (1.0, -1.0)] if kind == mujoco.mjtGeom.mjGEOM_CYLINDER else []


def outward(r: np.random.Generator, m: mujoco.MjModel, g: int) -> np.ndarray:
    """Direction in which a geom is flat, or has an edge, in its frame."""
    faces = polygons(m, g)
    round_side = np.append(r.normal(size=2), 0.0)
    if not faces or (m.geom_type[g] == mujoco.mjtGeom.mjGEOM_CYLINDER and r.random() < 0.5):
        n = round_side
    else:
        n, corners = faces[r.integers(len(faces))]
        if r.random() < 0.3 and len(faces) > 2:
            n = sum(other for other, c in faces if all((np.abs(c - p).max(1) < 1e-9).any() for p in corners[:2]))
    return n / np.linalg.norm(n)


def turned(q: np.ndarray, d: mujoco.MjData, body: int) -> None:
    out = np.zeros(4)
    mujoco.mju_mulQuat(out, q, d.xquat[body])
    d.qpos[3 + 7 * (body - 1):7 + 7 * (body - 1)] = out


def between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Quaternion that turns a to b."""
    q = np.append(1.0 + a @ b, np.cross(a, b))
    return q / np.linalg.norm(q) if np.linalg.norm(q) > 1e-6 else np.append(0.0, np.cross(a, np.roll(a, 1)) / np.linalg.norm(np.cross(a, np.roll(a, 1))))


def about(axis: np.ndarray, angle: float) -> np.ndarray:
    q = np.zeros(4)
    mujoco.mju_axisAngle2Quat(q, axis, angle)
    return q


def lay(r: np.random.Generator, m: mujoco.MjModel, d: mujoco.MjData, tilt: float, aside: float, depth: float) -> None:
    """Put geom 1 onto geom 0: flat directions opposed up to a small tilt, overlapping by `depth` along them."""
    mujoco.mj_resetData(m, d)
    d.qpos[:] = 0
    d.qpos[3:7], d.qpos[10:14] = r.normal(size=4), r.normal(size=4)
    mujoco.mj_normalizeQuat(m, d.qpos)
    mujoco.mj_kinematics(m, d)
    a, b = (d.geom_xmat[g].reshape(3, 3) @ outward(r, m, g) for g in (0, 1))
    axis = r.normal(size=3)
    for q in (between(b, -a), about(a, r.uniform(0, 6.3)), about(axis / np.linalg.norm(axis), tilt)):
        turned(q, d, 2)
        mujoco.mj_kinematics(m, d)
    off = aside * r.normal(size=3)
    off -= a * (off @ a)
    low, high = 0.0, 0.8
    for _ in range(30):
        middle = (low + high) / 2
        d.qpos[7:10] = off + a * middle
        mujoco.mj_kinematics(m, d)
        apart = mujoco.mj_geomDistance(m, d, 0, 1, 1.0, np.zeros(6)) > 0
        low, high = (low, middle) if apart else (middle, high)
    d.qpos[7:10] = off + a * (high - depth)
    mujoco.mj_kinematics(m, d)


def laid(first: str, second: str, models: int, each: int, seed: int, margin: float = 0.0, tilt: tuple[float, float] = (0.0, 0.08), aside: float = 0.03) -> Iterator:
    """(our Data, official Data, official Model) with the contacts that both found."""
    r = np.random.default_rng(seed)
    for _ in range(models):
        mm = two_geoms(first, second, r, margin)
        mm.opt.ccd_tolerance, mm.opt.ccd_iterations = 1e-12, 200
        md = mujoco.MjData(mm)
        m = oracle_scene.model_like(mm)
        d = Data(m)
        for _ in range(each):
            lay(r, mm, md, r.uniform(*tilt), aside, r.choice([1e-4, 1e-3, 1e-2]) * r.uniform(0, 2) - margin * r.uniform(0, 1))
            mujoco.mj_collision(mm, md)
            oracle_scene.place(m, d, md)
            oracle_scene.detect(m, d)
            yield d, md, mm


def points(d) -> np.ndarray:
    """Distance, position and normal of all contacts, ours or the official ones, a row each."""
    if isinstance(d, Data):
        return np.c_[d.contact_dist[:d.ncon], d.contact_pos[:d.ncon], d.contact_frame[:d.ncon, :3]]
    return np.c_[d.contact.dist.reshape(-1), d.contact.pos.reshape(-1, 3), d.contact.frame.reshape(-1, 9)[:, :3]]


def apart(ours: np.ndarray, theirs: np.ndarray) -> float:
    """How far two lists of contacts differ, in whatever order; infinite where their lengths do."""
    if len(ours) != len(theirs):
        return np.inf
    return max((np.abs(theirs - row).max(1).min() for row in ours), default=0.0)


def area(corners: np.ndarray) -> float:
    """Of a flat convex polygon."""
    return float(np.linalg.norm(sum(np.cross(p - corners[0], q - corners[0]) for p, q in pairwise(corners[1:]))) / 2)
