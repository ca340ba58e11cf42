"""The central path of the next hard step for a panel, in a thread with a Model and Data of its own: iterates with the poses of their geoms, gradients at several kappas."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.bridge.layers.contacts import towards_higher
from physics.hard import Point, Scratch, central_path, gradients
from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import model_beside, put_live_values
from physics.query.configuration import differentiate_pos, integrate_pos
from physics.query.jacobian import jac_body_com
from physics.simulate.stages import com_pos, kinematics

KAPPAS = (1e-3, 1e-5, 1e-7)     # J, at which gradients are taken: far out on the path to nearly its end


@dataclass(frozen=True, slots=True)
class Wish:
    """magnified: factor on the motion within the step; body: whose gradients are wanted, 0: none."""

    magnified: float = 1.0
    body: int = 0


@dataclass(frozen=True, slots=True)
class Arrows:
    """start (3,): the body's centre of mass [m]; change (len(KAPPAS), nu, 3): of its velocity after the step by each control [m/s per unit of control]."""

    body: int
    start: np.ndarray
    change: np.ndarray


@dataclass(frozen=True, slots=True)
class TracedPath:
    """model: the running Model; time: of the state [s]; points: iterates; xpos, xmat: of the geoms at each iterate, float32; arrows: None where none were wanted; why: why there
    are none where they were."""

    model: Model
    time: float
    magnified: float
    points: tuple[Point, ...]
    xpos: np.ndarray
    xmat: np.ndarray
    arrows: Arrows | None = None
    why: str = ""

    def figures(self) -> Mapping[str, np.ndarray]:
        """r_vio, kappa_vio, mu, target and alpha, an entry per iterate; NaN where there was no direction yet."""
        found = {name: np.array([getattr(point, name) for point in self.points], float) for name in ("r_vio", "kappa_vio", "mu", "target", "alpha")}
        for name in ("mu", "target", "alpha"):
            found[name][:1] = np.nan
        return found

    def forces(self, k: int) -> np.ndarray:
        """(rows, 3) of iterate k, towards the body with the higher number, as the view's own arrows [N]."""
        point = self.points[k]
        return point.force * towards_higher(self.model, point.geom)


def traced_path(m: Model, d: Data, live: Mapping[str, Any], wish: Wish, stop: Callable[[], bool]) -> TracedPath:
    """Of a copy d of the state; live: what may be set in the running m. Raises ValueError where the hard engine does not move it, or finds no end."""
    own = model_beside(m)
    put_live_values(own, live)      # m may have been written since
    data = Data(own, d.maxcon, d.maxefc, d.maxJ, d.maxH)
    data.copy_fields(d)
    points = []
    for point in central_path(own, data):
        if stop():
            break
        points.append(point)
    posed, xpos, xmat = data.copy(), np.zeros((len(points), m.ngeom, 3), np.float32), np.zeros((len(points), m.ngeom, 9), np.float32)
    for k, point in enumerate(points):
        posed.qpos[:] = point.qpos if wish.magnified == 1.0 else integrate_pos(own, data.qpos, differentiate_pos(own, data.qpos, point.qpos), wish.magnified)
        kinematics(own, posed)
        xpos[k], xmat[k] = posed.geom_xpos, posed.geom_xmat
    arrows, why = None, ""
    if wish.body > 0 and not stop():
        try:
            arrows = _arrows(own, data, posed, wish.body)
        except ValueError as error:
            why = str(error)
    return TracedPath(m, float(d.time), wish.magnified, tuple(points), xpos, xmat, arrows, why)


def _arrows(m: Model, d: Data, posed: Data, body: int) -> Arrows:
    """How the body's centre of mass goes otherwise after the step, by the implicit derivatives of velocities."""
    posed.qpos[:] = d.qpos
    kinematics(m, posed)
    com_pos(m, posed)
    jacobian, scratch = jac_body_com(m, posed, body)[0], Scratch()
    change = [(jacobian @ gradients(m, d, kappa, scratch=scratch).B[m.nv:2 * m.nv]).T for kappa in KAPPAS]
    return Arrows(body, posed.xipos[body].copy(), np.array(change))
