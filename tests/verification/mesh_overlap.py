"""Do two convex hulls overlap? A linear program knows, and knows by how much; collision detection has to agree."""
from __future__ import annotations

import mujoco
import numpy as np
from scipy.optimize import linprog

import physics

DOUBT = 1e-7   # depth or distance, in units of the size, below which both answers will do
SHAPES = ("rock", "needle", "plate", "twice", "tetrahedron", "brick")


def points(kind: str, r: np.random.Generator) -> np.ndarray:
    """Corners of a mesh about as large as 0.2."""
    if kind == "tetrahedron":
        found = np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)], float) * 0.6
    elif kind == "brick":
        found = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float) * r.uniform(0.2, 0.8, 3)
    else:
        found = r.normal(size=(int(r.integers(5, 30)), 3))
        found /= np.linalg.norm(found, axis=1)[:, None]
        thin = 10 ** r.uniform(-4, -1)
        found *= {"needle": (thin, thin, 1.5), "plate": (1, 1, thin)}.get(kind, (1, 1, 1))
        found = np.vstack([found, found]) if kind == "twice" else found
    return 0.2 * found


def cloud(seed: int, count: int, scale: float = 1.0) -> str:
    """Meshes of all kinds that float freely."""
    r = np.random.default_rng(seed)
    assets = bodies = ""
    for k in range(count):
        corners = " ".join(f"{x:.7g}" for x in (scale * points(SHAPES[k % len(SHAPES)], r)).ravel())
        assets += f'<mesh name="m{k}" vertex="{corners}" inertia="shell"/>'
        bodies += f'<body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom type="mesh" mesh="m{k}"/></body>'
    return f"<mujoco><asset>{assets}</asset><worldbody>{bodies}</worldbody></mujoco>"


def gap(one: np.ndarray, two: np.ndarray) -> float:
    """Least largest component of x - y for x in the hull of one set of corners and y in that of the other: 0 where they overlap."""
    n1, n2 = len(one), len(two)
    difference = np.hstack([one.T, -two.T])
    upper = np.vstack([np.hstack([sign * difference, -np.ones((3, 1))]) for sign in (1, -1)])
    sums = np.zeros((2, n1 + n2 + 1))
    sums[0, :n1] = sums[1, n1:n1 + n2] = 1
    found = linprog([0] * (n1 + n2) + [1], A_ub=upper, b_ub=np.zeros(6), A_eq=sums, b_eq=np.ones(2), method="highs")
    return float(found.fun)


def depth(one: np.ndarray, two: np.ndarray) -> float:
    """How far two overlapping hulls have to be moved until a plane passes between, in the norm of the largest component of its normal.

    For each component held at 1 or -1: the plane that the corners pass least, n.x <= c + t for x in one and n.y >= c - t for y in two.
    """
    least = np.inf
    left = np.hstack([one, -np.ones((len(one), 2))])
    right = np.hstack([-two, np.ones((len(two), 1)), -np.ones((len(two), 1))])
    for axis in range(3):
        for sign in (1.0, -1.0):
            bounds = [(-1, 1)] * 3 + [(None, None)] * 2
            bounds[axis] = (sign, sign)
            found = linprog([0, 0, 0, 0, 1], A_ub=np.vstack([left, right]), b_ub=np.zeros(len(one) + len(two)), bounds=bounds, method="highs")
            least = min(least, found.fun)
    return float(2 * least)


def agrees(touching: bool, one: np.ndarray, two: np.ndarray) -> tuple[bool, float]:
    """(whether that is right or too close to say, gap or minus the depth); the depth is only asked for where it matters."""
    apart = gap(one, two)
    if apart > DOUBT:
        return not touching, apart
    if touching:
        return True, 0.0
    deep = depth(one, two)
    return deep <= DOUBT, -deep


def scatter(m, d, r: np.random.Generator, spread: float) -> None:
    """A random pose for every mesh."""
    pose = np.zeros((m.nbody - 1, 7))
    pose[:, :3] = r.uniform(-spread, spread, (len(pose), 3))
    pose[:, 3:] = r.normal(size=(len(pose), 4))
    pose[:, 3:] /= np.linalg.norm(pose[:, 3:], axis=1)[:, None]
    d.qpos[:] = pose.ravel()


def disagreements(seed: int, poses: int, count: int = 12, scale: float = 1.0) -> tuple[int, int, list]:
    """(cases, overlaps, [(seed, pose, mesh, mesh, touching here, gap)]) of all pairs of meshes in random poses."""
    m = physics.load_string(cloud(seed, count, scale))
    official = mujoco.MjModel.from_xml_string(cloud(seed, count, scale))
    d, r = physics.Data(m), np.random.default_rng(seed)
    corners = []
    for mesh in range(count):
        start = int(official.mesh_vertadr[mesh])
        corners.append(np.array(official.mesh_vert[start:start + int(official.mesh_vertnum[mesh])], float))
    cases, overlaps, wrong = 0, 0, []
    for pose in range(poses):
        scatter(m, d, r, 0.25 * scale)
        physics.fwd_position(m, d)
        touching = {tuple(sorted(pair)) for pair in np.array(d.contact_geom[:d.ncon]).tolist()}
        world = [(corners[g] @ np.array(d.geom_xmat[g]).reshape(3, 3).T + d.geom_xpos[g]) / scale for g in range(count)]
        for one in range(count):
            for two in range(one + 1, count):
                right, apart = agrees((one, two) in touching, world[one], world[two])
                cases, overlaps = cases + 1, overlaps + (apart <= 0)
                if not right:
                    wrong.append((seed, pose, one, two, (one, two) in touching, apart))
    return cases, overlaps, wrong
