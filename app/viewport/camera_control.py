"""What the mouse does to the camera, on plain values.

left drag: orbit; right drag: pan (Shift: in the horizontal plane); middle drag, wheel or two fingers apart: zoom; two fingers turned: about the
vertical; double-clicks are the view's business.
"""
from app.viewport.input import WHEEL_CLICK, Button, Pointer
from render.scene import camera
from render.scene.camera import CameraState, Lens

PINCH = 0.4        # of the view's height that fingers twice as far apart move like
HALF_TURN = 180.0  # degrees that a drag over the height turns by


def drag(state: CameraState, pointer: Pointer, lens: Lens, extent: float) -> CameraState:
    """The camera after a mouse motion with buttons held and Ctrl up."""
    if pointer.buttons & Button.RIGHT:
        return camera.pan(state, pointer.dx, pointer.dy, lens, extent, horizontal=pointer.shift)
    if pointer.buttons & Button.LEFT:
        return camera.orbit(state, pointer.dx, pointer.dy, extent)
    if pointer.buttons & Button.MIDDLE:
        return camera.zoom(state, pointer.dy, extent)
    return state


def wheel(state: CameraState, clicks: float, extent: float) -> CameraState:
    """The camera after `clicks` of the wheel (positive: away from the user)."""
    return camera.zoom(state, -WHEEL_CLICK * clicks, extent)


def two_fingers(state: CameraState, pinch: float, turn: float, extent: float) -> CameraState:
    """The camera after a gesture on a touchpad. pinch: how much farther apart the fingers are, as a share; turn: by how many degrees."""
    return camera.orbit(camera.zoom(state, PINCH * pinch, extent), turn / HALF_TURN, 0.0, extent)
