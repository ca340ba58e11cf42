"""Pictures of a state without a window: in a notebook each `linkwork.show(m, d)` is one."""
from __future__ import annotations

import io
import os
from pathlib import Path

import numpy as np


class Picture:
    """A picture, which notebooks show. array: (height, width, 3) uint8, the top row first."""

    def __init__(self, array: np.ndarray):
        self.array = array

    @property
    def size(self) -> tuple[int, int]:
        """Width and height [pixel]."""
        return self.array.shape[1], self.array.shape[0]

    def png(self) -> bytes:
        """The content of a PNG file."""
        from PIL import Image

        out = io.BytesIO()
        Image.fromarray(self.array).save(out, "PNG")
        return out.getvalue()

    def save(self, path: str | os.PathLike) -> Path:
        """Write a file, by its suffix (.png, .jpg, .webp, .tif). Raises ValueError for another one, OSError."""
        from app.film.formats import FilmError, picture_format
        from app.film.writers import write_picture

        path = Path(path)
        try:
            write_picture(path, self.array, picture_format(path))
        except FilmError as error:
            raise ValueError(str(error)) from None
        return path

    def _repr_png_(self) -> bytes:
        return self.png()

    def __repr__(self) -> str:
        return f"<Picture {self.size[0]} x {self.size[1]}>"


def show(model, data=None, camera=None, width: int = 640, height: int = 480, options=None, quality: str = "high") -> Picture:
    """A picture of the state of `data`, or of the model's start. In a notebook it is shown where it is the value of a cell.

    model: a Model, a path or MJCF text. camera: name or number of one of the model's, 'free', or a camera of a viewer (viewer.cam); None: what the model opens with.
    options: what is drawn, the `opt` of a viewer or app.bridge.options.VisOptions. What follows from the state is computed in a copy: neither a step nor a
    forward is needed before. Raises ModelError, KeyError for a camera that there is not, ValueError for an impossible size, RuntimeError without OpenGL.
    """
    from app.pictures import Pictures
    from linkwork.sources import model_of
    from linkwork.view import Camera, Options
    from physics.simulate.engines import Data

    m = model_of(model)
    state = Data(m) if data is None else data.copy()
    compute(m, state)
    chosen = options.copy() if isinstance(options, Options) else options
    with Pictures(m, int(width), int(height), chosen, quality) as pictures:
        pictures.look(state, camera.state() if isinstance(camera, Camera) else camera)
        return Picture(np.array(pictures.rgb()))


def compute(m, d) -> None:
    """Compute all that follows from the state; of a model that can only be viewed the poses."""
    from physics.engine.kinematics.kinematics import kinematics
    from physics.errors import ViewOnlyError
    from physics.simulate.step import forward
    from physics.warm_up import compile_kernels

    compile_kernels()
    try:
        forward(m, d)
    except ViewOnlyError:
        kinematics(m, d)
