"""Perturbing a body with the mouse, as the official window does: Ctrl + right drag pulls at the selected point, Ctrl + left drag turns.

The kind is fixed at the press; the plane or axes follow the button and Shift of the moment. This control only moves the reference; the
spring that pulls the body there lives in the physics thread.
"""
from dataclasses import dataclass

import numpy as np

from app.viewport.input import Button, Pointer
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot
from render.scene import rotation
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

    def press(self, pointer: Pointer, bodyid: int, localpos, snapshot: Snapshot) -> bool:
        """Begin to perturb `bodyid` at `localpos` (body frame) when Ctrl and a button are down; whether that began."""
        if bodyid <= 0 or not pointer.ctrl or not pointer.buttons & (Button.LEFT | Button.RIGHT):
            return False
        kind = commands.TRANSLATE if pointer.buttons & Button.RIGHT else commands.ROTATE
        mat = np.reshape(snapshot.xmat[bodyid], (3, 3))
        point = np.asarray(snapshot.xpos[bodyid]) + mat @ np.asarray(localpos, float)
        self.perturbation = Perturbation(bodyid, kind, tuple(localpos), np.array(point, float), rotation.from_matrix(snapshot.ximat[bodyid]))
        self._send(commands.PerturbStart(bodyid, tuple(localpos), kind))
        return True

    def move(self, pointer: Pointer, view: View, lens: Lens, snapshot: Snapshot) -> None:
        """Move the reference by the pointer's displacement."""
        held = self.perturbation
        if held is None:
            return
        if held.kind == commands.TRANSLATE:
            held.scale = held.scale or height_of_view(view, lens, held.refselpos)
            held.refselpos = held.refselpos + held.scale * translation(pointer, view)
            self._latest("perturb", commands.PerturbMove(refselpos=tuple(held.refselpos)))
        else:
            wanted = rotation.multiply(drag_rotation(pointer, view), held.refquat)
            held.refquat = clamp_turn(wanted, rotation.from_matrix(snapshot.ximat[held.bodyid]))
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


def drag_rotation(pointer: Pointer, view: View) -> np.ndarray:
    """Quaternion (4,) of a drag: axis from the mouse vector in the camera's yaw frame, 2 pi per height."""
    vector = (pointer.dy, pointer.dx, 0.0) if pointer.shift else (pointer.dy, 0.0, pointer.dx)
    axis = align_to_camera(vector, view.forward)
    length = float(np.linalg.norm(axis))
    return rotation.from_axis_angle(axis / length, 2 * np.pi * length) if length > 1e-12 else np.array([1.0, 0, 0, 0])


def clamp_turn(wanted, present) -> np.ndarray:
    """`wanted`, turned back so that it is at most 90 degrees from `present`."""
    lead = rotation.multiply(wanted, rotation.conjugate(present))
    if lead[0] < 0:
        lead = -lead
    if rotation.angle_of(lead) <= LARGEST_TURN or np.linalg.norm(lead[1:]) < 1e-12:
        return np.asarray(wanted, float)
    return rotation.multiply(rotation.from_axis_angle(lead[1:] / np.linalg.norm(lead[1:]), LARGEST_TURN), present)
