"""Perturbing a body with the mouse, as the official window does: Ctrl + right drag pulls at the selected point, Ctrl + left drag turns.

The kind is fixed at the press; the plane or axes follow the button and Shift of the moment. This control only moves the reference; the
spring that pulls the body there lives in the physics thread.
"""
from dataclasses import dataclass

import numpy as np

from app.viewport.input import Button, Pointer
from physics.runtime import commands
from render.scene.camera import ORTHOGRAPHIC_PAN, Lens, View, align_to_camera

LARGEST_TURN = np.pi / 2   # the reference never leads the body by more


@dataclass(slots=True)
class Perturbation:
    """A body under the mouse, the point it is grabbed at, and where the mouse wants that point and the body's orientation."""

    bodyid: int
    kind: int
    localpos: tuple
    refselpos: np.ndarray
    refquat: np.ndarray
    scale: float = 0.0   # world length of one height of the view, at the point's depth when it was grabbed; 0: not known yet


class PerturbControl:
    """Turns pointer motion into perturbation commands; `send` takes ordered commands, `latest(key, command)` newest-wins ones."""

    def __init__(self, send, latest):
        self._send = send
        self._latest = latest
        self.perturbation: Perturbation | None = None

    def press(self, pointer: Pointer, bodyid: int, localpos, snapshot) -> bool:
        """Begin to perturb `bodyid` at `localpos` (body frame) when Ctrl and a button are down; whether that began."""
        if bodyid <= 0 or not pointer.ctrl or not pointer.buttons & (Button.LEFT | Button.RIGHT):
            return False
        kind = commands.TRANSLATE if pointer.buttons & Button.RIGHT else commands.ROTATE
        mat = np.reshape(snapshot.xmat[bodyid], (3, 3))
        point = np.asarray(snapshot.xpos[bodyid]) + mat @ np.asarray(localpos, float)
        self.perturbation = Perturbation(bodyid, kind, tuple(localpos), np.array(point, float), matrix_to_quat(snapshot.ximat[bodyid]))
        self._send(commands.PerturbStart(bodyid, tuple(localpos), kind))
        return True

    def move(self, pointer: Pointer, view: View, lens: Lens, snapshot) -> None:
        """Move the reference by the pointer's displacement."""
        held = self.perturbation
        if held is None:
            return
        if held.kind == commands.TRANSLATE:
            held.scale = held.scale or height_of_view(view, lens, held.refselpos)
            held.refselpos = held.refselpos + held.scale * translation(pointer, view)
            self._latest("perturb", commands.PerturbMove(refselpos=tuple(held.refselpos)))
        else:
            wanted = multiply(rotation(pointer, view), held.refquat)
            held.refquat = clamp_turn(wanted, matrix_to_quat(snapshot.ximat[held.bodyid]))
            self._latest("perturb", commands.PerturbMove(refquat=tuple(held.refquat)))

    def follow(self, bodyid: int) -> None:
        """Another model runs: the held body has this id there (0: it is gone)."""
        if self.perturbation is not None:
            if bodyid > 0:
                self.perturbation.bodyid = bodyid
            else:
                self.release()

    def release(self) -> None:
        """Let go."""
        if self.perturbation is not None:
            self.perturbation = None
            self._send(commands.PerturbStop())


def height_of_view(view: View, lens: Lens, point) -> float:
    """World length that fills the height of the view at the depth of a point [m]."""
    depth = float((np.asarray(point) - np.asarray(view.pos)) @ np.asarray(view.forward))
    return lens.frustum_height() * (ORTHOGRAPHIC_PAN if lens.orthographic else depth)


def translation(pointer: Pointer, view: View) -> np.ndarray:
    """Displacement by the pointer, in heights of the view: in the plane of the camera's right and world z, or the horizontal one (Shift)."""
    vector = (pointer.dx, -pointer.dy, 0.0) if pointer.shift else (pointer.dx, 0.0, -pointer.dy)
    return align_to_camera(vector, view.forward)


def rotation(pointer: Pointer, view: View) -> np.ndarray:
    """Quaternion (4,) of a drag: axis from the mouse vector in the camera's yaw frame, 2 pi per height."""
    vector = (pointer.dy, pointer.dx, 0.0) if pointer.shift else (pointer.dy, 0.0, pointer.dx)
    axis = align_to_camera(vector, view.forward)
    length = float(np.linalg.norm(axis))
    return axis_angle(axis / length, 2 * np.pi * length) if length > 1e-12 else np.array([1.0, 0, 0, 0])


def axis_angle(axis, angle: float) -> np.ndarray:
    """Unit quaternion (w, x, y, z) turning by `angle` about the unit `axis`."""
    return np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * np.asarray(axis)])


def multiply(a, b) -> np.ndarray:
    """Hamilton product of two quaternions (w, x, y, z)."""
    w, v, x, u = a[0], np.asarray(a[1:]), b[0], np.asarray(b[1:])
    return np.concatenate([[w * x - v @ u], w * u + x * v + np.cross(v, u)])


def matrix_to_quat(mat) -> np.ndarray:
    """Unit quaternion (w >= 0) of a rotation matrix (9,) or (3, 3).

    Each row of 4 q q^T - 1 (a symmetric 4x4 made of sums and differences of the matrix) is a multiple of q: the longest one is taken.
    """
    r = np.reshape(np.asarray(mat, float), (3, 3))
    skew = np.array([r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]])
    trace = float(np.trace(r))
    rows = np.empty((4, 4))
    rows[0] = [1 + trace, *skew]
    rows[1:, 0] = skew
    rows[1:, 1:] = r + r.T + (1 - trace) * np.eye(3)
    q = rows[int(np.argmax(np.diag(rows)))]
    q = q / np.linalg.norm(q)
    return q if q[0] >= 0 else -q


def clamp_turn(wanted, present) -> np.ndarray:
    """`wanted`, turned back so that it is at most 90 degrees from `present`."""
    inverse = np.concatenate([[present[0]], -np.asarray(present[1:])])
    lead = multiply(wanted, inverse)
    if lead[0] < 0:
        lead = -lead
    sine = float(np.linalg.norm(lead[1:]))
    angle = 2 * np.arctan2(sine, lead[0])
    if angle <= LARGEST_TURN or sine < 1e-12:
        return np.asarray(wanted, float)
    return multiply(axis_angle(lead[1:] / sine, LARGEST_TURN), present)
