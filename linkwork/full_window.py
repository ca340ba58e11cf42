"""The full window, opened by a script: its simulation is its own, and the script waits until it is closed."""
from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from app.passive.window_opening import Launch
from linkwork.sources import is_text, name_of
from linkwork.window_process import WindowProcess
from physics.model.model import Model
from physics.model.state_fields import State
from physics.simulate.step import check_pair


def launch(model=None, data=None, *, show_left_ui: bool = True, show_right_ui: bool = True) -> None:
    """Open the full window and return when it is closed; from any thread, also beside other windows.

    model: a path, MJCF text, or a Model, which is opened as it is now; None: a bundled model. data: the state to begin with, a Data of the Model (of any Model with the
    same sizes where a path or text is given); where a Model is given it is at the end where the simulation was when the window was closed.
    show_left_ui, show_right_ui: whether there are panels at that side.
    Raises FileNotFoundError, TypeError for another kind of model, ValueError for a Data of another Model, WindowError without a display.
    """
    if isinstance(model, Model) and data is not None:
        check_pair(model, data)
    state = None if data is None else State.of(data)
    sides = {"left": show_left_ui, "right": show_right_ui}
    if isinstance(model, Model):
        with tempfile.TemporaryDirectory(prefix="linkwork-") as folder:
            from physics.model import lwb

            path = Path(folder) / f"{_file_name(name_of(model))}.lwb"
            lwb.save(model, path)
            last = _run(Launch(path, passing=True, state=state, **sides))
        if data is not None and last is not None:
            _take(model, data, last)
        return
    if is_text(model):
        _run(Launch(text=model, state=state, **sides))
        return
    if model is not None and not isinstance(model, str | os.PathLike):
        raise TypeError(f"needs a Model, a path or MJCF text, got {type(model).__name__}")
    path = None if model is None else Path(os.path.abspath(model))
    if path is not None and not path.is_file():
        raise FileNotFoundError(f"there is no file '{model}'")
    _run(Launch(path, state=state, **sides))


def _run(what: Launch) -> State | None:
    process = WindowProcess()
    try:
        process.begin("launch", what)
        process.wait()
    except BaseException:
        process.close()
        raise
    return process.last


def _take(model: Model, data, last: State) -> None:
    from linkwork.picture import compute

    with suppress(ValueError):      # another model by now
        last.write(data)
    compute(model, data)


def _file_name(name: str) -> str:
    """Of letters that every system takes."""
    return "".join(letter if letter.isalnum() or letter in "-_. " else "_" for letter in name).strip(" .")[:80] or "model"
