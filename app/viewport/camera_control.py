"""What the mouse does to the camera, on plain values.

left drag: orbit; right drag: pan (Shift: in the horizontal plane); middle drag or wheel: zoom; double-clicks are the view's business.
"""
from app.viewport.input import WHEEL_CLICK, Button, Pointer
from render.scene import camera
from render.scene.camera import CameraState, Lens


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
