"""The official viewer's names over Linkwork's windows, each a process of its own: `launch`, `launch_from_path`, `launch_passive` with its Handle, `python -m mujoco.viewer --mjcf=FILE`."""
from __future__ import annotations

import argparse
import os
from collections.abc import Callable

import numpy as np

from . import MjData, MjModel, MjrRect, MjvCamera, MjvOption, MjvPerturb, MjvScene, own_packages
from .viewer_values import Cam, Geoms, Opt, RenderFlags, chart, put_perturb

with own_packages.in_front():
    import linkwork as _linkwork
    from linkwork import full_window as _full_window
    from linkwork import passive as _passive
own_packages.check("linkwork", "app", "render")

MAX_GEOM = 10_000      # of user_scn
KeyCallbackType = Callable[[int], None]
LoaderType = Callable[[], tuple[MjModel, MjData]]


class Handle:
    """The window of a script. cam, opt, user_scn and its flags go to the window with `sync`, and come back with what the user has changed."""

    def __init__(self, window: _passive.Handle, model: MjModel, data: MjData):
        self._window, self._model, self._data = window, model, data
        self._pert, self._user_scn = MjvPerturb(), MjvScene(model, MAX_GEOM)
        self._cam, self._opt = Cam(MjvCamera(), window.cam), Opt(MjvOption(), window.opt)
        self._flags, self._geoms = RenderFlags(self._user_scn, window.opt), Geoms(self._user_scn, window.user_scn)
        self._selected = 0

    @property
    def cam(self) -> MjvCamera:
        """Where the window looks from."""
        return self._cam.struct

    @property
    def opt(self) -> MjvOption:
        """What is drawn."""
        return self._opt.struct

    @property
    def perturb(self) -> MjvPerturb:
        """What the mouse does; `select` may be set."""
        return self._pert

    @property
    def user_scn(self) -> MjvScene:
        """Geoms that the script draws, the first ngeom of them, and the flags of rendering."""
        return self._user_scn

    @property
    def m(self) -> MjModel | None:
        """The model; None where the window is closed."""
        return self._model if self.is_running() else None

    @property
    def d(self) -> MjData | None:
        """The data; None where the window is closed."""
        return self._data if self.is_running() else None

    @property
    def viewport(self) -> MjrRect | None:
        """The view's rectangle [pixel]; None where the window is closed."""
        return MjrRect(*self._window.viewport) if self.is_running() else None

    @property
    def run(self) -> bool:
        """Whether time is to pass, by the window's run button. Not an official name."""
        return self._window.run

    @run.setter
    def run(self, on: bool) -> None:
        self._window.run = on

    # ------------------------------------------------------------------ over the view

    def set_figures(self, viewports_figures) -> None:
        """Show charts: (MjrRect, MjvFigure), or several of these, in place of those before."""
        self._window.set_figures([(_rect(rect), chart(figure)) for rect, figure in _several(viewports_figures)])

    def clear_figures(self) -> None:
        """No charts any more."""
        self._window.clear_figures()

    def set_texts(self, texts) -> None:
        """Write at the edges of the view: (font, gridpos, left text, right text), or several of these, in place of those before. The font is ignored."""
        self._window.set_texts([tuple(text) for text in ([texts] if isinstance(texts, tuple) else texts)])

    def clear_texts(self) -> None:
        """Nothing is written any more."""
        self._window.clear_texts()

    def set_images(self, viewports_images) -> None:
        """Show pictures: (MjrRect, (height, width, 3) uint8), or several of these, in place of those before. Raises ValueError where the sizes differ."""
        self._window.set_images([(_rect(rect), _pixels(image)) for rect, image in _several(viewports_images)])

    def clear_images(self) -> None:
        """No pictures any more."""
        self._window.clear_images()

    # ------------------------------------------------------------------ the loop

    def is_running(self) -> bool:
        """Whether the window is open."""
        return self._window.is_running()

    def lock(self):
        """`with viewer.lock():` no `sync` in another thread meanwhile."""
        return self._window.lock()

    def sync(self, state_only: bool = False) -> None:
        """Show the present state, and carry out what the user has done in the window since the last call."""
        window = self._window
        if not window.is_running():
            return
        with window.lock():
            self._model._settled()
            for part in (self._cam, self._opt, self._flags):
                part.push()
            self._geoms.push()
            if self._pert.select != self._selected:
                window.perturb.select = self._pert.select
            window.sync(state_only)
            for part in (self._cam, self._opt, self._flags):
                part.pull()
            put_perturb(window.perturb, self._pert)
            self._selected = self._pert.select

    def update_hfield(self, hfieldid: int) -> None:
        """Show with the next `sync` what was written into hfield_data."""
        self._update(self._window.update_hfield, hfieldid)

    def update_mesh(self, meshid: int) -> None:
        """Show with the next `sync` what was written into mesh_vert, mesh_normal."""
        self._update(self._window.update_mesh, meshid)

    def update_texture(self, texid: int) -> None:
        """Show with the next `sync` what was written into tex_data."""
        self._update(self._window.update_texture, texid)

    def _update(self, update: Callable[[int], None], number: int) -> None:
        if self.is_running():
            update(number)

    def close(self) -> None:
        """Close the window."""
        self._window.close()

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_error) -> None:
        self.close()


def _several(pairs) -> list:
    return [pairs] if isinstance(pairs, tuple) else list(pairs)


def _rect(rect) -> tuple[int, int, int, int]:
    return rect.left, rect.bottom, rect.width, rect.height


def _pixels(image) -> np.ndarray:
    """As 8 bits for each of three colours, as pictures of one colour are shown officially too."""
    pixels = np.asarray(image)
    return np.repeat(pixels.reshape(*pixels.shape[:2], 1), 3, axis=2) if pixels.ndim == 2 or pixels.shape[2:] == (1,) else pixels


def launch(model: MjModel | None = None, data: MjData | None = None, *, loader: LoaderType | None = None, show_left_ui: bool = True, show_right_ui: bool = True) -> None:
    """Open the full window and return when it is closed; data is then where the simulation was. loader: called once, for both. Neither: a bundled model.

    Raises ValueError for what does not go together, WindowError (a RuntimeError) without a display.
    """
    if model is None and data is not None:
        raise ValueError("mjData is specified but mjModel is not")
    if callable(model) and data is not None:
        raise ValueError("mjData should not be specified when an mjModel loader is used")
    if loader is not None and model is not None:
        raise ValueError("model and loader are both specified")
    load = loader if loader is not None else model if callable(model) else None
    if load is not None:
        model, data = load()[:2]
    if model is None:
        _full_window.launch(show_left_ui=show_left_ui, show_right_ui=show_right_ui)
        return
    data = MjData(model) if data is None else data
    _full_window.launch(*_pair(model, data), show_left_ui=show_left_ui, show_right_ui=show_right_ui)


def launch_from_path(path: str) -> None:
    """Open the full window on a file, compiled or MJCF, and return when it is closed. Raises FileNotFoundError."""
    path = os.fspath(path)
    if path.endswith((".mjb", ".lwb")):
        launch(MjModel.from_binary_path(path))
    else:
        _full_window.launch(path)


def launch_passive(model: MjModel, data: MjData, *, key_callback: KeyCallbackType | None = None, show_left_ui: bool = True, show_right_ui: bool = True) -> Handle:
    """Open a window beside a script that steps model and data itself. key_callback(code) is called with GLFW's number of each key, in a thread of its own.

    Raises ValueError for arguments of other kinds, WindowError (a RuntimeError) without a display.
    """
    if not isinstance(model, MjModel):
        raise ValueError(f"`model` is not a mujoco.MjModel: got {model!r}")
    if not isinstance(data, MjData):
        raise ValueError(f"`data` is not a mujoco.MjData: got {data!r}")
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"`key_callback` is not callable: got {key_callback!r}")
    m, d = _pair(model, data)
    _linkwork.forward(m, d)
    window = _passive.launch_passive(m, d, key_callback=key_callback, show_left_ui=show_left_ui, show_right_ui=show_right_ui)
    return Handle(window, model, data)


def _pair(model: MjModel, data: MjData):
    """The structs within, belonging together, with the script's callbacks and picture settings."""
    data._belong(model)
    data._hook()
    return model._settled(), data._inner


def main() -> None:
    """`python -m mujoco.viewer [--mjcf=FILE]`."""
    parser = argparse.ArgumentParser(description="Linkwork's window, for scripts of the official viewer")
    parser.add_argument("--mjcf", help="a model file")
    chosen, _others = parser.parse_known_args()
    if chosen.mjcf is None:
        launch()
    else:
        launch_from_path(os.path.expanduser(chosen.mjcf))


if __name__ == "__main__":
    main()
