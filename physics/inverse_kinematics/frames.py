"""Frames that are led somewhere, and the joints that lead them: what the controllers of this folder share."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from physics.engine.kinematics.joints import dof_count
from physics.engine.linalg import quat
from physics.inverse_kinematics.problem import FRAMES
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.model import Model
from physics.query.quaternion import mat2_quat


@dataclass(frozen=True, slots=True)
class FrameTask:
    """A site, body or geom (kind, element: name or index) whose pose is to be a target's. weight: of its position, turn_weight: of its orientation, 0: it may turn as it likes."""

    element: str | int
    kind: str = "site"
    weight: float = 1.0
    turn_weight: float = 1.0


class Frame:
    """A site, body or geom of a Data."""

    def __init__(self, body: int, index: int, xpos: str, xmat: str):
        self.body, self._index, self._xpos, self._xmat = body, index, xpos, xmat

    @classmethod
    def of(cls, m: Model, task: FrameTask) -> Frame:
        """Raises KeyError for another kind or name, IndexError for another index."""
        if task.kind not in FRAMES:
            raise KeyError(f"'{task.kind}' has no frame; there are: {', '.join(FRAMES)}")
        owner, xpos, xmat = FRAMES[task.kind]
        index = index_of(m, task.kind, task.element)
        return cls(int(getattr(m, owner)[index]) if owner else index, index, xpos, xmat)

    def position(self, d: Data) -> np.ndarray:
        """(3) [m, world]."""
        return getattr(d, self._xpos)[self._index]

    def quaternion(self, d: Data) -> tuple:
        """(4)."""
        return tuple(mat2_quat(getattr(d, self._xmat)[self._index].reshape(3, 3)).tolist())

    def turn_to(self, d: Data, quaternion) -> np.ndarray:
        """Rotation vector [rad, world] from the frame to an orientation."""
        return getattr(d, self._xmat)[self._index].reshape(3, 3) @ np.array(quat.sub_quat(quat.unit4(tuple(map(float, quaternion))), self.quaternion(d)))


def chosen_joints(m: Model, joints: Sequence[str | int] | None, frames: Iterable[Frame]) -> np.ndarray:
    """Indices of the hinges and slides that move, in their order: those named, else all between the world and the frames. Raises KeyError, IndexError, and ValueError for other
    kinds and where there is none."""
    if joints:
        found = sorted({index_of(m, "joint", joint) for joint in joints})
        wrong = [m.name("joint", j) or str(j) for j in found if dof_count(m.jnt_type[j]) != 1]
        if wrong:
            raise ValueError(f"only hinges and slides can be moved here: {', '.join(wrong)}")
        return np.array(found)
    above = set()
    for frame in frames:
        body = frame.body
        while body > 0:
            above |= {j for j in range(m.body_jntadr[body], m.body_jntadr[body] + m.body_jntnum[body]) if dof_count(m.jnt_type[j]) == 1}
            body = int(m.body_parentid[body])
    if not above:
        raise ValueError("no hinge or slide moves what is to follow")
    return np.array(sorted(above))
