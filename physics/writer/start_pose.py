"""Where bodies are when a written text is compiled: at qpos0, where all joints but free ones are at rest and turn nothing."""
from __future__ import annotations

import numpy as np

from physics.enums import JNT_FREE
from physics.rotation.quaternion import apply, compose, conj, matrix, mul, transpose, unit

SAME = 1e-9   # of the largest number, within which a pose is the initial one


class StartPose:
    """World frames of bodies, worked out when asked for."""

    def __init__(self, model):
        self._model = model
        self._frames = {0: ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))}

    def frame(self, body: int) -> tuple[tuple, tuple]:
        """Position and unit quaternion of a body in the world."""
        chain = [body]
        while chain[-1] not in self._frames:
            chain.append(int(self._model.body_parentid[chain[-1]]))
        for child, parent in zip(chain[-2::-1], chain[:0:-1]):
            self._frames[child] = self._placed(child, *self._frames[parent])
        return self._frames[body]

    def _placed(self, body: int, pos: tuple, quat: tuple) -> tuple[tuple, tuple]:
        m = self._model
        joint = int(m.body_jntadr[body])
        if joint >= 0 and m.jnt_type[joint] == JNT_FREE:
            start = m.qpos0[int(m.jnt_qposadr[joint]):][:7].tolist()
            return tuple(start[:3]), unit(start[3:])[0]
        pos, quat = compose(pos, quat, tuple(m.body_pos[body].tolist()), tuple(m.body_quat[body].tolist()))
        return pos, unit(quat)[0]

    def carried(self, point, source: int, target: int) -> np.ndarray:
        """A point given in one body's frame, in another's."""
        (p, q), (r, s) = self.frame(source), self.frame(target)
        return np.array(apply(transpose(matrix(s)), np.subtract(np.add(p, apply(matrix(q), tuple(point))), r).tolist()))

    def turned(self, body: int, within: int) -> np.ndarray:
        """Orientation of a body in the frame of another."""
        return np.array(mul(conj(self.frame(within)[1]), self.frame(body)[1]))


def same(a, b) -> bool:
    """Whether numbers differ by rounding only."""
    return bool(np.abs(np.subtract(a, b)).max() <= SAME * max(1.0, np.abs(b).max()))
