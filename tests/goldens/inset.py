"""Pictures in the picture as the window pastes them, without a window."""
import numpy as np

from render.gpu import context
from render.passes.inset import InsetPass

SHARE, GAP = 0.36, 6    # width of an inset over the picture's; pixels around it


def with_insets(offscreen, scene, view, others) -> np.ndarray:
    """(height, width, 3) uint8: the scene through a view, and down the right side through others [(View, what it shows)]."""
    width, height = offscreen.size
    wide = round(SHARE * width)
    high = round(wide * height / width)
    with context.use(offscreen.ctx) as ctx:
        target, insets = ctx.simple_framebuffer((width, height)), InsetPass(offscreen.renderer)
        offscreen.renderer.background = None
        offscreen.renderer.draw(scene, view, target, (width, height))
        before = scene.flags.show
        for k, (other, scene.flags.show) in enumerate(others):
            insets.draw(f'inset {k}', scene, other, (wide, high))
            insets.paste(f'inset {k}', target, (width, height), width - GAP - wide, GAP + k * (high + GAP))
        scene.flags.show = before
        data = target.read(components=3, alignment=1)
        insets.release()
        target.release()
    return np.ascontiguousarray(np.frombuffer(data, np.uint8).reshape(height, width, 3)[::-1])
