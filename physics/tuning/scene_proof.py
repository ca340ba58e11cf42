"""Parameters proven in a copy of the scene: where the contact comes to rest with them, and how what lies on something fixed bounces off it.

    present state --copy, parameters written into it--> steps until it has settled --> depth
                                                    --> lifted along the normal and sent down at a speed, at phases of a time step --> speed after over before

Bounces are those of a body on a free joint, with nothing jointed to it, against what does not move: its contact is one coordinate as long as it does not turn.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from physics.kernels import load
from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import model_beside
from physics.model.state_fields import State
from physics.simulate.step import forward, step
from physics.tuning.law import Parameters, Row
from physics.tuning.runs import written
from physics.tuning.scalar import approach, surface_speed
from physics.tuning.standard_drop import PHASES
from physics.tuning.target import Form, Target, read
from physics.tuning.target_values import changes_for

__all__ = ["SceneProof", "prove_in_scene"]

FREE_DOFS = 6
MOST_STEPS = 3000       # of an impact; what is in contact then stays
PIECE = 100             # steps between two questions whether to go on
MOST_SECONDS, LEAST_SECONDS, MOST_REST_STEPS = 10.0, 0.2, 20_000
TILT = 0.02             # relative speed of turning after a bounce, times the lever, beyond which it counts as another motion
STILL = 0.02            # m/s: what moves faster along the normal does not rest


@dataclass(frozen=True, slots=True)
class SceneProof:
    """rest_depth [m]: of the contact after the scene has settled, NaN where it is apart or still moving; restitution (phases), () where the scene allows no drop of it."""

    rest_depth: float
    restitution: np.ndarray


def prove_in_scene(m: Model, state: State, target: Target, row: Row, parameters: Parameters, speed: float, settling: float, phases: int = PHASES,
                   go_on: Callable[[], bool] | None = None) -> SceneProof | None:
    """Both, in a Model and Data of its own; m may run meanwhile. settling [s]: expected; row: for the speed at the surface. None where go_on() said no.

    Raises ValueError while kernels are being compiled, and for parameters that the engine cannot take.
    """
    if load.is_partial():
        raise ValueError("the engine is still being compiled")
    mine = model_beside(m)
    written(mine, changes_for(mine, target, parameters))
    go_on = go_on or _always
    d = Data(mine)
    depth = _rest(mine, d, state, target, settling, go_on)
    if not go_on():
        return None
    return SceneProof(depth, _bounces(mine, d, state, target, row, speed, phases, go_on))


def _always() -> bool:
    return True


def _rest(m: Model, d: Data, state: State, target: Target, settling: float, go_on: Callable[[], bool]) -> float:
    """Depth after about six settling times."""
    state.write(d)
    seconds = min(max(6.0 * settling, LEAST_SECONDS), MOST_SECONDS)
    left = min(MOST_REST_STEPS, round(seconds / float(m.opt_timestep)))
    while left > 0 and go_on() and not d.diverged:
        left -= step(m, d, min(left, PIECE), autoreset=False) or left
    if d.diverged:
        return float("nan")
    forward(m, d)
    there = read(m, d, target)
    return -there.position if there is not None and abs(there.velocity) < STILL else float("nan")


def _bounces(m: Model, d: Data, state: State, target: Target, row: Row, speed: float, phases: int, go_on: Callable[[], bool]) -> np.ndarray:
    nothing = np.zeros(0)
    state.write(d)
    forward(m, d)
    there = read(m, d, target) if target.form == Form.CONTACT else None
    if there is None or not there.contacts:
        return nothing
    bodies = [int(m.body_weldid[m.geom_bodyid[g]]) for g in there.geoms]
    side = next((k for k in (0, 1) if bodies[1 - k] == 0 and _floats(m, bodies[k])), None)
    if side is None:
        return nothing
    # contact_frame's first row points from the first geom to the second
    away = np.array(d.contact_frame[there.contacts[0]]).reshape(-1)[:3] * (1.0 if side == 1 else -1.0)
    joint = int(m.body_jntadr[bodies[side]])
    qpos, dof = int(m.jnt_qposadr[joint]), int(m.jnt_dofadr[joint])
    begun, lever = np.array(d.qpos), float(m.geom_rbound[there.geoms[side]]) or 1.0
    found = np.full(phases, np.nan)
    for k in range(phases):
        if not go_on():
            return nothing
        r, v = map(float, approach(row, speed, (k + 0.5) / phases))
        state.write(d)
        d.qpos[:] = begun
        d.qpos[qpos:qpos + 3] = begun[qpos:qpos + 3] + (r - there.position) * away
        d.qvel[dof:dof + FREE_DOFS] = 0.0
        d.qvel[dof:dof + 3] = v * away
        start = np.array(d.qpos[qpos:qpos + 3])
        found[k] = _leaves(m, d, row, r, away, qpos, dof, start, lever) / speed
    return found if np.isfinite(found).all() else nothing


def _leaves(m: Model, d: Data, row: Row, begun: float, away: np.ndarray, qpos: int, dof: int, start: np.ndarray, lever: float) -> float:
    """Speed at the surface [m/s] with which it leaves; 0 where it stays, NaN where it turns, so that its distance is not told by its place."""
    for _ in range(MOST_STEPS):
        if not step(m, d, 1, autoreset=False):
            return float("nan")
        r, v = begun + float(away @ (d.qpos[qpos:qpos + 3] - start)), float(away @ d.qvel[dof:dof + 3])
        if r >= 0.0 and v > 0.0:
            turns = float(np.linalg.norm(d.qvel[dof + 3:dof + FREE_DOFS])) * lever
            return float(surface_speed(row, r, v)) if turns <= TILT * v else float("nan")
    return 0.0


def _floats(m: Model, body: int) -> bool:
    """Whether a body hangs on a free joint alone, and nothing on it has joints of its own."""
    dofs = np.flatnonzero(m.body_rootid[m.dof_bodyid] == m.body_rootid[body])
    return int(m.body_dofnum[body]) == FREE_DOFS and int(m.body_jntnum[body]) == 1 and len(dofs) == FREE_DOFS
