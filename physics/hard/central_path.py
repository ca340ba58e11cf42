"""The iterates of a step, from its first point to its end: bodies and contact forces as they come to agree.

Source: Howell and others, "Dojo: A Differentiable Physics Engine for Robotics", algorithm 2.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from physics.engine.hard import central_path as kernels
from physics.engine.hard.contact.mocap import START, WIDTH
from physics.enums import ENGINE_HARD
from physics.hard.gradients import Scratch, solved
from physics.model.data import Data
from physics.model.model import Model
from physics.simulate import warm_up
from physics.simulate.step import check_dynamics, check_pair


class Point(NamedTuple):
    """One iterate: coordinates qpos (nq), largest residual r_vio [N s, N m s, m/s, rad/s] and violation of complementarity kappa_vio [J]; of the direction that led here
    the mean product mu before it, the target that it aimed at [J] and the share alpha of it that was followed (0 at the first point).

    position, force: of the contact rows, where they act [m] and on geom 2's body in world axes [N], (rows, 3); geom: their geoms (rows, 2).
    cone: (rows, 3, 3) two tangents, each times its coefficient of friction, and the normal, in world axes: a force is a n + b t1 + c t2 of these with b^2 + c^2 <= a^2.
    The rows stay the same from iterate to iterate.
    """

    qpos: np.ndarray
    r_vio: float
    kappa_vio: float
    mu: float
    target: float
    alpha: float
    position: np.ndarray
    force: np.ndarray
    geom: np.ndarray
    cone: np.ndarray


def central_path(m: Model, d: Data) -> Iterator[Point]:
    """The iterates of the step that would follow, its first point first; d stays as it is, and may go on meanwhile.

    Islands go side by side: the violations are the largest of all, mu, target and alpha those of the island with the largest violation. Contacts that only
    looking again has found are there from the beginning. Raises ValueError where the hard engine does not move the model or finds no end as a whole.
    """
    check_pair(m, d)
    check_dynamics(m)
    if m.opt_engine != ENGINE_HARD:
        raise ValueError("the central path of a hard step: opt.engine picks another engine")
    warm_up.ensure_hard()
    work = solved(m, d, Scratch())
    work.hard_recover = 0.0
    islands = range(work.hard_nisland)
    state = {i: (0.0, 0.0, 0.0, 0.0, 0.0) for i in islands}
    for i in islands:
        kernels.begin_island(m, work, i)
        state[i] = (work.hard_rv, work.hard_kv, 0.0, 0.0, 0.0)
    yield _point(work, state)
    going = set(islands)
    for k in range(m.opt_hard_iterations):
        for i in sorted(going):
            if kernels.continue_island(m, work, i, k):
                going.discard(i)
            else:
                state[i] = (work.hard_rv, work.hard_kv, work.hard_mu, work.hard_aim, work.hard_alpha)
        if not going:
            return
        yield _point(work, state)


def _point(work: Data, state: dict[int, tuple[float, float, float, float, float]]) -> Point:
    n = work.hard_nrow
    frame, variables, mu = work.hrow_dir[:n].reshape(n, 3, 3), work.hrow_var[:n], work.hrow_mu[:n]
    slides = (work.hrow_dim[:n] > 1)[:, None]
    along = np.concatenate([mu[:, :2] * variables[:, 8:10] * slides, variables[:, 1:2]], axis=1)
    second = work.hrow_body[:n, 1]
    # arms are about the second body's centre of mass, or about the world's origin
    place = work.hrow_arm[:n, 3:] + work.hard_x2[np.maximum(second, 0)] * (second > 0)[:, None]
    if (second < 0).any():      # mocap bodies that move
        place[second < 0] += work.hard_mocap.reshape(-1, WIDTH)[-1 - second[second < 0], START:START + 3]
    cone = frame.copy()
    cone[:, :2] *= (mu[:, :2] * slides)[:, :, None]
    worst = max(state.values(), key=lambda x: x[0] + x[1], default=(0.0,) * 5)
    return Point(work.hard_qpos[:work.model.nq].copy(), max((x[0] for x in state.values()), default=0.0), max((x[1] for x in state.values()), default=0.0), *worst[2:],
                 place.copy(), np.einsum("nij,ni->nj", frame, along) / work.hard_h, work.hrow_geom[:n].copy(), cone)
