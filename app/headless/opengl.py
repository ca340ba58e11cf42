"""A renderer for commands without a window, or the reason why there is none."""
from __future__ import annotations

from contextlib import contextmanager

from app.headless.outcome import NO_GL, Failed


@contextmanager
def offscreen_renderer(quality: str):
    """An OffscreenRenderer for a with block. Raises Failed where there is no OpenGL, or it cannot draw what is asked for."""
    import moderngl

    from app.film.formats import TooLarge
    from app.film.offscreen_renderer import OffscreenRenderer
    from render.quality import QUALITIES

    try:
        made = OffscreenRenderer(QUALITIES[quality])
    except (RuntimeError, moderngl.Error) as error:
        raise Failed(f"OpenGL cannot be used here: {error}", NO_GL) from None
    try:
        yield made
    except TooLarge as error:
        raise Failed(str(error), NO_GL) from None
    finally:
        made.close()
