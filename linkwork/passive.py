"""A window beside a script that steps the simulation itself, with the meanings of the official viewer's launch_passive.

    with linkwork.launch_passive(m, d) as viewer:
        while viewer.is_running():
            linkwork.step(m, d)
            viewer.sync()

The window is a process of its own: `sync` copies the state for it and performs what the user has done (docs/python.md).
"""
from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np

from app.passive.framed import Figure, Rect, checked_image, rect_of
from app.passive.window_opening import Opening
from linkwork.picture import Picture, show
from linkwork.sources import name_of
from linkwork.user_scene import UserScene
from linkwork.view import SharedView, mode_name
from linkwork.window_process import WindowProcess
from physics.model.data_image import DataImage
from physics.model.model_changes import Changes, ModelChanges
from physics.runtime.passive.script import ScriptSimulation
from physics.runtime.passive.shared_states import SharedStates
from physics.runtime.passive.shown import News
from physics.simulate.step import check_pair
from physics.warm_up import compile_kernels

QUICK = 200e-6  # s in which a Model is looked at for changes by `sync` itself; one that takes longer is looked at by the thread that writes
LOOKS = 0.1     # s between two looks of `sync` at a Model: comparing it takes as long as a third of the rest
LOCKED = 0.1    # s that the lock is waited for before something else is sent
PLACES = ("top left", "top right", "bottom left", "bottom right", "top", "bottom", "left", "right")     # by GridPos


def launch_passive(model, data, *, key_callback: Callable[[int], None] | None = None, show_left_ui: bool = True, show_right_ui: bool = True) -> Handle:
    """Open a window on a Model and its Data, which the caller steps; returns when it is there, from any thread. A context manager that closes it.

    key_callback(code) is called for each key that is pressed in the view, with GLFW's number (letters and digits: their capital's ASCII code), in a
    thread of its own, whether or not `sync` is called; the window's own keys act as well. show_left_ui, show_right_ui: whether there are panels at that side.
    Compiles the kernels where that has not been done. Raises TypeError and ValueError where data is no Data of the model, WindowError (a RuntimeError)
    where there is no display or the window cannot be opened.
    """
    check_pair(model, data)
    process = WindowProcess(key_callback)
    try:
        return Handle(process, model, data, key_callback is not None, show_left_ui, show_right_ui)
    except BaseException:
        process.close()
        raise


class Perturb:
    """What the mouse does, as the Data says. select: the selected body, 0 for none, which may be set; active: bits, 1 translate, 2 rotate, 0 nothing."""

    def __init__(self, view: SharedView, data):
        self._view, self._data = view, data

    @property
    def select(self) -> int:
        """Number of the selected body."""
        return self._view.selected

    @select.setter
    def select(self, body: int) -> None:
        self._view.selected = int(body)

    @property
    def active(self) -> int:
        """1: pulled, 2: turned."""
        return self._data.perturb_active

    @property
    def localpos(self) -> np.ndarray:
        """(3,) the grab point in the body's frame [m]."""
        return self._data.perturb_localpos

    @property
    def refpos(self) -> np.ndarray:
        """(3,) where the mouse wants the centre of mass [m]."""
        return self._data.perturb_refpos

    @property
    def refquat(self) -> np.ndarray:
        """(4,) where the mouse wants the inertial frame."""
        return self._data.perturb_refquat

    @property
    def refselpos(self) -> np.ndarray:
        """(3,) where the mouse wants the grab point [m]."""
        return self._data.perturb_refselpos

    @property
    def force(self) -> np.ndarray:
        """(6,) force and torque of the mouse on the body [N, N m]."""
        return self._data.xfrc_perturb


class Handle:
    """The window of a script. m, d: its Model and Data; cam, opt: camera and switches, which both sides may change; user_scn: what is drawn beside the model;
    perturb: what the mouse does."""

    def __init__(self, process: WindowProcess, model, data, keys: bool, left: bool, right: bool):
        self.m, self.d = model, data
        self._process, self._lock = process, threading.RLock()
        compile_kernels(_told_progress())
        self._script = ScriptSimulation(model, data)
        self._changes, self._told = ModelChanges(model), None
        process.look = self._look
        self._assets: dict[str, np.ndarray] = {}
        self._over: dict[str, tuple] = {}       # texts, images, figures that are not told yet
        image = DataImage(data)
        image.take(data)
        self._looked = 0.0
        self._quick = _seconds(self._changes.take) < QUICK
        states = SharedStates.made(data)
        try:
            told = process.begin("show", Opening(model, name_of(model), _script(), News(image), left, right, keys, states=states.path if states is not None else ""))
        finally:
            if states is not None:
                states.forget()     # who wants it has it open
        process.states = states if told.get("states") else None
        self._view = SharedView(told)
        process.say("kernels")
        self.cam, self.opt = self._view.cam, self._view.opt
        self.perturb = Perturb(self._view, data)
        self.user_scn = UserScene(flags=self.opt.render, model=model)

    # ------------------------------------------------------------------ the loop

    def is_running(self) -> bool:
        """Whether the window is open."""
        return self._process.open

    @property
    def pid(self) -> int:
        """Number of the window's process."""
        return self._process.pid

    @property
    def run(self) -> bool:
        """Whether time is to pass: the run button of the window, or one turn of the loop for each step that it asks for. A script that looks at it can be paused:
        `if viewer.run: linkwork.step(m, d)`."""
        return self._process.run or self._process.steps > 0

    @run.setter
    def run(self, on: bool) -> None:
        self._process.run, self._process.steps = bool(on), 0

    def lock(self) -> AbstractContextManager:
        """`with viewer.lock():` no `sync` in another thread meanwhile: the window itself never touches Model and Data."""
        return self._lock

    def sync(self, state_only: bool = False) -> None:
        """Show the present state, and carry out what the user has done in the window since the last call: mouse, controls, options, reset, keyframes.

        Waits for nothing. state_only: only the state is taken (time, qpos, qvel, act, ctrl, mocap, ...), all else is computed from it in the window,
        and of the Model only what the window has asked for. Nothing where the window is closed.
        """
        process = self._process
        if not process.open:
            return
        with self._lock:
            commands = process.commands()
            self._script.perform_all(commands, process.run)
            process.turned()
            news, looks = self._news(), not state_only or bool(commands)
            if looks and self._quick and process.states is not None:
                looks = False
                self._look_now(news, bool(commands) or process.states.each)
            process.post(self.d, state_only, looks, news, self._beside())

    def _look_now(self, news: News, wanted: bool) -> None:
        """Tell what has changed in the Model, where it is time to look or wanted; else the window's word that nothing comes any more has it looked at (WindowProcess.owes_look)."""
        now = time.monotonic()
        if wanted or now - self._looked >= LOOKS:
            self._looked = now
            news.fields, news.visual = self._changes.take()
        self._process.owes_look = self._looked != now

    def _news(self) -> News:
        told = self._script.told(self._process.heard)
        news = News(told=None if told == self._told else told, events=self._script.happened())
        self._told = told
        return news

    def _look(self) -> Changes | None:
        """What has changed in the Model since the last look; None while another thread has the lock. In the thread that writes."""
        if not self._lock.acquire(timeout=LOCKED):
            return None
        try:
            return self._changes.take()
        finally:
            self._lock.release()

    def _beside(self) -> dict:
        """What the view is told: camera, switches, texts, what is drawn."""
        self._view.take(self._process.view())
        beside = self.user_scn.news()
        if view := self._view.news():
            beside["view"] = view
        if self._over:
            over, self._over = self._over, {}
            beside.update(over)
        if self._assets:
            beside["assets"], self._assets = self._assets, {}
        return beside

    def close(self) -> None:
        """Close the window; does nothing where it is closed."""
        if self._process.open:
            self._process.close()

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    # ------------------------------------------------------------------ over the view, assets

    def set_texts(self, texts: tuple | Iterable[tuple]) -> None:
        """Write at the edges of the view, with the next sync: (font, place, left text, right text) or several of these, in place of those before. font is ignored;
        place: a GridPos. Lines are divided by line ends. Raises ValueError for a place that there is not."""
        several = [texts] if isinstance(texts, tuple) and (not texts or not isinstance(texts[0], tuple | list)) else list(texts)
        self._over["texts"] = tuple((PLACES[_place(place)], str(left or ""), str(right or "")) for _font, place, left, right in several if left or right)

    def clear_texts(self) -> None:
        """Nothing is written any more."""
        self._over["texts"] = ()

    @property
    def viewport(self) -> Rect:
        """The view's rectangle [pixel of the screen], as it was at the last `sync`; in it lie those of images and figures."""
        return Rect(0, 0, *self._view.viewport)

    def set_images(self, images: tuple | Iterable[tuple]) -> None:
        """Show pictures over the view, with the next sync: (rect, pixels) or several of these, in place of those before. rect: a Rect, or four numbers, [pixel of the screen];
        pixels: (height, width, 3) uint8, the top row first, of the rectangle's size. Raises ValueError for other pixels."""
        self._over["images"] = tuple(checked_image(rect, pixels) for rect, pixels in _several(images))

    def clear_images(self) -> None:
        """No pictures any more."""
        self._over["images"] = ()

    def set_figures(self, figures: tuple | Iterable[tuple]) -> None:
        """Show charts over the view, with the next sync: (rect, Figure) or several of these, in place of those before. Raises TypeError for what is no Figure, ValueError for an empty
        rectangle."""
        found = []
        for rect, figure in _several(figures):
            if not isinstance(figure, Figure):
                raise TypeError(f"needs a Figure, got {type(figure).__name__}")
            found.append((rect_of(rect), figure.kept()))
        self._over["figures"] = tuple(found)

    def clear_figures(self) -> None:
        """No charts any more."""
        self._over["figures"] = ()

    def update_texture(self, texid: int) -> None:
        """The pixels of a texture were written (m.tex_data): show them with the next sync. Raises IndexError."""
        self._update(texid, self.m.ntex, "texture", ("tex_data",))

    def update_mesh(self, meshid: int) -> None:
        """The vertices of a mesh were written (m.mesh_vert, m.mesh_normal): show them with the next sync. Raises IndexError."""
        self._update(meshid, self.m.nmesh, "mesh", ("mesh_vert", "mesh_normal"))

    def update_hfield(self, hfieldid: int) -> None:
        """The heights of a height field were written (m.hfield_data): show them with the next sync. Raises IndexError."""
        self._update(hfieldid, self.m.nhfield, "height field", ("hfield_data",))

    def _update(self, index: int, count: int, what: str, names: tuple[str, ...]) -> None:
        if not 0 <= index < count:
            raise IndexError(f"there is no {what} {index}, the model has {count}")
        with self._lock:
            self._assets.update((name, np.array(getattr(self.m, name))) for name in names)

    # ------------------------------------------------------------------ pictures

    def picture(self) -> Picture:
        """What the window shows now, without panels and texts. Raises WindowError where it is closed."""
        return Picture(self._process.ask("picture"))

    def figures(self) -> dict:
        """Of the newest state that the window has: time, qpos, ncon, running; its title, and its log as (level, text). Raises WindowError where it is closed."""
        return self._process.ask("snapshot")

    def show(self, camera=None, width: int = 640, height: int = 480) -> Picture:
        """A picture of the present state drawn by the script itself, of any size, for notebooks. camera: as for linkwork.show; None: the window's."""
        self._view.take(self._process.view())
        return show(self.m, self.d, self.cam if camera is None else camera, width, height, self.opt)


def _seconds(look: Callable[[], object]) -> float:
    """How long it takes, by this thread's clock [s]: the quickest of a few."""
    took = []
    for _ in range(3):
        began = time.thread_time()
        look()
        took.append(time.thread_time() - began)
    return min(took)


def _script() -> str:
    """Name of the program that runs, '' for none: an interpreter or a notebook."""
    path = Path(sys.argv[0] if sys.argv else "")
    if path.name in ("", "-c", "-m", "ipykernel_launcher.py", "ipython"):
        return ""
    return path.parent.name if path.name == "__main__.py" else path.name


def _several(given: tuple | Iterable[tuple]) -> list[tuple]:
    """One pair or several of them, as a list."""
    return [given] if isinstance(given, tuple) and len(given) == 2 and not isinstance(given[1], tuple | list) else list(given)


def _place(place: int | str | None) -> int:
    return 0 if place is None else PLACES.index(mode_name(place, PLACES, "place"))


def _told_progress():
    """Tells about compiling that takes a while, on the error stream."""
    said: list[int] = []

    def progress(done: int, total: int, _name: str) -> None:
        if done < total and (not said or done >= said[-1] + total // 10):
            said.append(done)
            print(f"Linkwork: compiling the physics engine, {done} of {total} (once)", file=sys.stderr, flush=True)

    return progress
