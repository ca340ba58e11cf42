"""The solver's cost on a plane through the solution: a grid of values, which set of rows acts where, and the solver's way on it.

On the plane a = solution + u p + v q the Gauss part is a quadratic function of u and v, and J a - aref is linear in them, so that a grid takes one evaluation of the
rows' cost at each point and no product with M or J.
"""
from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np

from physics.pipeline.row_names import dof_name
from physics.pipeline.solver_trace import SolverTrace

POINTS = 61             # of a side of the grid
MARGIN = 1.25           # of the farthest iterate, where the grid ends
LEAST_SHARE = 0.1       # of the longer half side, that the shorter one has at least
CHUNK = 2_000_000       # numbers that are made at once
SEED = 18               # of the numbers that tell sets of states apart


@dataclass(frozen=True)
class CostLandscape:
    """u, v (n): coordinates of the grid along directions (2, nv), 0 at the solution; labels: of the two. cost (n, n): at [v, u], of the island or all [N m/s2]; lowest:
    at the solution. region (n, n): number of the set of states there, nregion of them, the most frequent first. path (k, 2): iterates, projected along the M-orthogonal
    complement, with path_cost (k) their own cost and off_plane (k) how far they are from the plane, as a norm in M: 0 for those that lie in it.
    beside (j, 2): the same for the iterates of another trace."""

    island: int | None
    labels: tuple[str, str]
    directions: np.ndarray
    u: np.ndarray
    v: np.ndarray
    cost: np.ndarray
    lowest: float
    region: np.ndarray
    nregion: int
    path: np.ndarray
    path_cost: np.ndarray
    off_plane: np.ndarray
    beside: np.ndarray


def cost_landscape(m, trace: SolverTrace, island: int | None = None, dofs: tuple[int, int] | None = None, points: int = POINTS,
                   extent: tuple[float, float] | None = None, beside: SolverTrace | None = None) -> CostLandscape:
    """The cost of one island, or of all together, around the trace's solution.

    dofs: two degrees of freedom as directions, coordinates in their accelerations [m/s2, rad/s2]. None: the plane through solution, start and first iterate, with
    M-orthonormal directions; where these are too few the gradient at the farthest iterate helps. extent: half sides; None: so that the iterates lie inside.
    beside: another solver's trace of the same problem, whose iterates are put on the plane too. m: the Model, for names. Raises ValueError where the island has fewer than two degrees of freedom, or dofs that are not two of its own.
    """
    problem = trace.problem
    own = problem.island_dofs(island)
    if len(own) < 2:
        raise ValueError(f"{'nothing' if not len(own) else 'one degree of freedom'} moves here: a plane takes two")
    if dofs is not None and (len(set(dofs)) != 2 or not set(dofs) <= set(own.tolist())):
        raise ValueError(f"dofs {dofs} are not two of the island's")
    inside = np.zeros(len(trace.solution), bool)
    inside[own] = True
    centre = trace.solution
    iterates = trace.of_island(island)
    away, theirs = (np.array([np.where(inside, one.qacc - centre, 0.0) for one in which.of_island(island)]) for which in (trace, beside or trace))
    if dofs is None:
        directions, labels = _plane_of_steps(trace, away, inside), ("towards the start", "towards iterate 1")
    else:
        directions = np.eye(len(centre))[list(dofs)]
        labels = tuple(f"qacc of {dof_name(m, k)}" for k in dofs)
    path, off_plane = _projected(trace, away, directions)
    other_path = _projected(trace, theirs, directions)[0] if beside is not None else np.zeros((0, 2))
    u_half, v_half = extent or _extent(problem, np.concatenate([path, other_path]), directions)
    u, v = np.linspace(-u_half, u_half, points), np.linspace(-v_half, v_half, points)
    cost, region, nregion = _grid(trace, island, directions, u, v)
    return CostLandscape(island, labels, directions, u, v, cost, float(_total(problem, centre, island)), region, nregion, path,
                         np.array([one.cost(island) for one in iterates]), off_plane, other_path)


def _total(problem, qacc: np.ndarray, island: int | None) -> float:
    found = problem.at(qacc)
    both = found.gauss + found.constraint
    return both.sum() if island is None else both[island]


def _plane_of_steps(trace: SolverTrace, away: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """Two M-orthonormal directions (2, nv): to the start, then to the first iterates, then gradients and single dofs as far as more are needed."""
    problem, scale = trace.problem, 0.0
    gradients = [np.where(inside, problem.at(trace.solution + one).gradient, 0.0) for one in away[:1]]
    dofs = (np.arange(len(inside)) == k for k in np.flatnonzero(inside).tolist())
    found: list[np.ndarray] = []
    for vector in chain(away, gradients, dofs):
        vector = vector.astype(float)
        size = np.sqrt(problem.product(vector, vector))
        scale = max(scale, size)
        for _twice in range(2):         # rounding leaves a part of the first direction where the second is almost the same
            for one in found:
                vector = vector - problem.product(one, vector) * one
        left = np.sqrt(max(0.0, problem.product(vector, vector)))
        if left > 1e-6 * max(size, 1e-6 * scale) and left > 0.0:
            found.append(vector / left)
        if len(found) == 2:
            break
    return np.array(found)


def _projected(trace: SolverTrace, away: np.ndarray, directions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates (k, 2) in the plane and distances (k) from it, both by the inner product of M."""
    product = trace.problem.product
    gram = np.array([[product(p, q) for q in directions] for p in directions])
    path = np.array([np.linalg.solve(gram, [product(p, one) for p in directions]) for one in away])
    left = away - path @ directions
    return path, np.sqrt(np.maximum(0.0, [product(one, one) for one in left]))


def _extent(problem, path: np.ndarray, directions: np.ndarray) -> tuple[float, float]:
    """Half sides that hold the iterates; where there is only one place, the accelerations at which the Gauss part has grown by 1 N m/s2."""
    unit = 1.0 / np.sqrt([problem.product(one, one) for one in directions])
    sides = np.max(np.abs(path), axis=0) / unit
    longest = float(np.max(sides))
    if longest < 1e-9:
        longest = np.sqrt(2.0) / MARGIN
    return tuple((MARGIN * np.maximum(sides, LEAST_SHARE * longest) * unit).tolist())


def _grid(trace: SolverTrace, island: int | None, directions: np.ndarray, u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Cost (len(v), len(u)), region there, and the number of regions."""
    problem, centre = trace.problem, trace.solution
    rows = problem.island_rows(island)
    cost_of, x0 = problem.cost.part(rows), problem.residual(centre)[rows]
    along = problem.J.times(directions)[:, rows]
    gauss = _gauss(trace, island, directions, u, v)
    weights = np.random.default_rng(SEED).integers(1, 2**62, len(rows))
    cost, code = gauss, np.zeros(gauss.shape, np.int64)
    step = max(1, CHUNK // max(1, len(u) * len(rows)))
    for first in range(0, len(v), step):
        part = slice(first, first + step)
        x = x0 + u[None, :, None] * along[0] + v[part, None, None] * along[1]
        found = cost_of.at(x)
        cost[part] += found.cost.sum(axis=-1)
        code[part] = found.state.astype(np.int64) @ weights
    _codes, region, count = np.unique(code.ravel(), return_inverse=True, return_counts=True)
    rank = np.empty(len(count), int)
    rank[np.argsort(-count, kind="stable")] = np.arange(len(count))
    return cost, rank[region].reshape(code.shape), len(count)


def _gauss(trace: SolverTrace, island: int | None, directions: np.ndarray, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The Gauss part on the grid, from its value, slopes and curvatures at the solution."""
    problem, centre = trace.problem, trace.solution
    found = problem.at(centre)
    start = found.gauss.sum() if island is None else found.gauss[island]
    slopes = [one @ problem.pull(centre) for one in directions]
    p, q = directions
    uu, uv, vv = problem.product(p, p), problem.product(p, q), problem.product(q, q)
    u, v = u[None, :], v[:, None]
    return start + u * slopes[0] + v * slopes[1] + 0.5 * (uu * u * u + 2.0 * uv * u * v + vv * v * v)
