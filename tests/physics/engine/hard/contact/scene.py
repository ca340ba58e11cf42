"""Two poses of one model, and the contact rows between them, for tests of the hard engine's contact side: its kernels run under the interpreter."""
from __future__ import annotations

import numpy as np

import physics
from physics.engine.collide.collision import collision
from physics.engine.hard.contact import gaps, points
from physics.engine.hard.system import order
from physics.engine.kinematics.com import com_pos
from physics.engine.kinematics.kinematics import kinematics
from physics.kernels.guard import checked
from physics.model.data import Data

H = 0.01


def product(a, b):
    """Quaternions a b, (w, x, y, z)."""
    w, v = a[0] * b[0] - a[1:] @ b[1:], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])
    return np.array([w, *v])


def inverse(q):
    return q * [1, -1, -1, -1]


def turn_of(rotvec):
    """Unit quaternion of a rotation vector."""
    angle = np.linalg.norm(rotvec)
    return np.array([np.cos(angle / 2), *(np.sin(angle / 2) * np.asarray(rotvec) / angle)]) if angle else np.array([1.0, 0, 0, 0])


class Scene:
    """A model with its rows at the pose of `qpos`, where the trial pose is too, until `move_to` is called."""

    def __init__(self, xml: str, qpos=None, reach: float = 0.05):
        self.m = physics.load_string(xml)
        self.d = d = Data(self.m)
        for size in ("maxhb", "maxhv", "maxhq", "maxhc", "maxhB", "maxht"):
            d._grow(size, 400)
        d.hard_h, d.hard_recover, d.hard_spread, d.hard_kappa = H, 0.0, 1.0, 0.0
        if qpos is not None:
            d.qpos[:] = qpos
        d.contact_reach[:] = reach
        self.look()
        d.hard_x2[:self.m.nbody], d.hard_quat2[:self.m.nbody] = d.xipos, d.xiquat
        self.follow()
        points.contact_rows.plain(self.m, d)
        order.plan.plain(self.m, d)
        d.hard_rowfirst, d.hard_rowend = 0, d.hard_nrow
        self.n = d.hard_nrow

    def look(self) -> None:
        """Poses and contacts of d.qpos."""
        kinematics(self.m, self.d)
        com_pos(self.m, self.d)
        while collision(self.m, self.d) or self.d.make_room():
            pass

    def follow(self) -> None:
        """The trial pose is that of d.qpos."""
        m, d = self.m, self.d
        for b in range(m.nbody):
            self.place(b, d.xipos[b], product(d.xiquat[b], inverse(d.hard_quat2[b])))

    def place(self, b: int, x, turn) -> None:
        turn = turn if turn[0] >= 0 else -turn
        self.d.hard_x[b], self.d.hard_turn[b] = x, turn
        self.d.hard_vel[b] = [*(x - self.d.hard_x2[b]) / H, *(2 / H * turn[1:])]

    def move_to(self, qpos) -> None:
        self.d.qpos[:] = qpos
        self.look()
        self.follow()

    def gap(self, c: int) -> float:
        return gaps.gap_of_row(checked(self.m), checked(self.d), c)

    def gaps(self) -> np.ndarray:
        return np.array([self.gap(c) for c in range(self.d.hard_nrow)])

    def nudged(self, b: int, dx, phi):
        """Body b moved by dx and turned by phi, in the world, from its trial pose; returns what undoes it."""
        x, turn = self.d.hard_x[b].copy(), self.d.hard_turn[b].copy()
        self.place(b, x + dx, product(turn_of(phi), turn))
        return lambda: self.place(b, x, turn)

    def slope(self, value, b: int, eps: float = 1e-6) -> np.ndarray:
        """Central differences of value() by moving (3) and turning (3) body b."""
        found = []
        for k in range(6):
            ends = []
            for sign in (1, -1):
                step = np.zeros(6)
                step[k] = sign * eps
                undo = self.nudged(b, step[:3], step[3:])
                ends.append(np.array(value()))
                undo()
            found.append((ends[0] - ends[1]) / (2 * eps))
        return np.stack(found, axis=-1)


def shape(kind: str, size: str, body: str, pos: str, euler: str = "0 0 0", more: str = "") -> str:
    return f"""<body name="{body}" pos="{pos}" euler="{euler}"><freejoint/><geom type="{kind}" size="{size}" pos=".01 .02 -.01" euler="10 20 5" {more}/>
        <inertial pos="0.01 0 0.02" mass="1" diaginertia=".01 .02 .025" euler="20 0 40"/></body>"""


def two(first: str, second: str, more: str = "") -> str:
    """A model of what is given, without gravity's direction mattering."""
    return f'<mujoco><option gravity="0 0 -9.81"/><asset>{more}</asset><worldbody>{first}{second}</worldbody></mujoco>'


PLANE = '<geom name="floor" type="plane" size="5 5 .1" euler="5 -8 0"/>'
