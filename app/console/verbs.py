"""ui: what the console can do. Each sends commands to the physics thread, waits until they are done, and has d taken anew."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from app.console.names import Names
from app.context import AppContext
from app.controllers.scripts import ScriptsController
from app.controllers.simulation import SimulationController
from app.controllers.view import ViewController
from app.session import Session
from app.controllers.set_values import commands_of, parse_set
from physics.model.elements import Element, element
from physics.model.state_fields import State
from physics.name_hints import hint
from physics.runtime import commands

KINDS = ("body", "joint", "geom", "site", "actuator", "tendon", "camera", "light", "sensor", "equality")     # in this order a name without a kind is looked for


class Action(Protocol):
    """A QAction."""

    def trigger(self) -> None: ...

    def text(self) -> str: ...


class Ui:
    """The verbs. Wrong names and values raise ValueError with the nearest right one; what the simulation refuses is told in the log."""

    def __init__(self, context: AppContext, names: Names, session: Session, simulation: SimulationController, view: ViewController, scripts: ScriptsController,
                 actions: Mapping[str, Action]):
        self._context, self._names, self._session = context, names, session
        self._simulation, self._view, self._scripts, self._actions = simulation, view, scripts, actions
        self.changed: Callable[[], None] = lambda: None     # called when the names are of another moment

    def __repr__(self) -> str:
        verbs = [name for name in dir(self) if not name.startswith("_") and name != "changed"]
        return "ui: " + ", ".join(verbs) + "\nui.set? tells of one; ui.actions() lists what menus and keys do"

    def _do(self, *wanted) -> None:
        for command in wanted:
            self._context.runner.send(command)
        self._names.refresh()
        self.changed()

    @property
    def _model(self):
        if self._context.model is None:
            raise ValueError("no model is loaded")
        return self._context.model

    def _index(self, kind: str, which: str | int) -> int:
        names = self._model.names[kind]
        if isinstance(which, str) and which in names:
            return names.index(which)
        if not isinstance(which, str) and 0 <= int(which) < len(names):
            return int(which)
        raise ValueError(f"the model has no {kind} {which!r}{hint(str(which), [name for name in names if name])}")

    # ------------------------------------------------------------------ time

    def run(self) -> None:
        """Let time pass."""
        self._do(commands.Run())

    def pause(self) -> None:
        """Stop the time."""
        self._do(commands.Pause())

    def step(self, count: int = 1) -> None:
        """Pause, and so many steps on."""
        self._do(commands.Step(int(count)))

    def step_back(self, count: int = 1) -> None:
        """Pause, and so many entries back in the history."""
        self._do(commands.StepBack(int(count)))

    def speed(self, factor: float | None) -> None:
        """Simulated over real time; None: as fast as possible."""
        self._simulation.set_speed(factor)

    # ------------------------------------------------------------------ state

    def reset(self) -> None:
        """Back to the start state."""
        self._do(commands.Reset())

    def key(self, which: str | int) -> None:
        """Back to a keyframe, by name or number."""
        self._do(commands.LoadKey(self._index("key", which)))

    def set_ctrl(self, which: str | int | Mapping | Iterable[float], value: float | None = None) -> None:
        """A control by its actuator's name or its number; several as {name: value}; or all of them."""
        if value is not None:
            pairs = {which: value}
        else:
            pairs = dict(which) if isinstance(which, Mapping) else dict(enumerate(which))
        self._do(*(commands.SetCtrl(self._control(name), float(number)) for name, number in pairs.items()))

    def _control(self, which: str | int) -> int:
        from app.panels.controls import control_names

        names = control_names(self._model)
        if isinstance(which, str) and which in names:
            return names.index(which)
        if not isinstance(which, str) and 0 <= int(which) < len(names):
            return int(which)
        raise ValueError(f"the model has no control {which!r}{hint(str(which), names)}; there are {len(names)}")

    def clear_ctrl(self) -> None:
        """All controls to zero."""
        self._do(commands.ClearCtrl())

    def set_state(self, **parts: Any) -> None:
        """Another state: time, qpos, qvel, act, ctrl, mocap_pos, ... as arrays of the fields' shapes; what is not named stays."""
        self._names.refresh()
        self._model     # noqa: B018  raises without one
        state = State.of(self._names.d)
        for name, value in parts.items():
            if name not in {field.name for field in fields(State)}:
                raise ValueError(f"a state has no {name}{hint(name, [field.name for field in fields(State)])}")
            before = getattr(state, name)
            made = float(value) if name == "time" else np.array(value, before.dtype)
            if name != "time" and made.shape != before.shape:
                raise ValueError(f"{name} has the shape {before.shape}, not {made.shape}")
            state = replace(state, **{name: made})
        if not state.finite():
            raise ValueError("a state is made of finite numbers")
        self._do(commands.SetState(state))

    def force(self, body: str | int, force: Iterable[float] = (0, 0, 0), torque: Iterable[float] = (0, 0, 0)) -> None:
        """A lasting force [N] and torque [N m] on a body's centre of mass, in world axes."""
        numbers = tuple(map(float, (*force, *torque)))
        if len(numbers) != 6:
            raise ValueError("force and torque have three numbers each")
        self._do(commands.SetForce(self._index("body", body), numbers))

    # ------------------------------------------------------------------ values of the model

    def set(self, what: str, value: Any) -> None:
        """A value of the model, as with --set: 'option.timestep', 'visual.global.fovy', 'geom_rgba[ball]'."""
        text = value if isinstance(value, str) else " ".join(repr(float(number)) for number in np.ravel(value))
        try:
            self._do(*commands_of(parse_set(what, text), self._model))
        except ValueError as error:
            raise ValueError(str(error)) from None

    def set_option(self, **options: Any) -> None:
        """Options of the physics: ui.set_option(timestep=0.001, gravity=(0, 0, -1), integrator='implicitfast')."""
        for name, value in options.items():
            self.set(f"option.{name}", value)

    # ------------------------------------------------------------------ the window

    def open(self, path: str | Path) -> bool:
        """Open a model, after asking about unsaved text."""
        return self._session.may_leave() and self._session.open(Path(path))

    def reload(self) -> None:
        """Compile the files again and start afresh."""
        self._session.reload()

    def script(self, path: str | Path) -> bool:
        """Open a script, or a folder of scripts."""
        return self._scripts.open(Path(path))

    def camera(self, name: str | int) -> None:
        """A camera of the model, 'free', or 'track:BODY'."""
        if name == "free":
            self._view.free_camera()
        elif isinstance(name, str) and name.startswith("track:"):
            self._view.track_body(self._index("body", name.removeprefix("track:")))
        else:
            self._view.set_camera(self._index("camera", name))

    def select(self, *names: str | Element) -> None:
        """Elements by name, with or without their kind: 'torso', 'joint:knee'; nothing without any."""
        self._context.select_elements([name if isinstance(name, Element) else self._element(name) for name in names])

    def _element(self, text: str) -> Element:
        kind, colon, name = text.partition(":")
        kinds = (kind,) if colon and kind in KINDS else KINDS
        name = name if colon and kind in KINDS else text
        for one in kinds:
            if name in self._model.names[one]:
                return element(self._model, one, self._model.names[one].index(name))
        known = [other for one in kinds for other in self._model.names[one] if other]
        raise ValueError(f"the model has no {' or '.join(kinds) if len(kinds) == 1 else 'element'} {name!r}{hint(name, known)}")

    def plot(self, *texts: str) -> None:
        """A chart of these quantities in the plots."""
        panel = self._scripts.panel("plots")
        if panel is not None:
            panel.show_charts([tuple(texts)])

    def panel(self, name: str) -> None:
        """Show a panel, by its id or title."""
        from app.panels.table import PANELS

        known = {word: row.id for row in PANELS for word in (row.id, row.title.lower())}
        if name.lower() not in known:
            raise ValueError(f"there is no panel {name!r}{hint(name.lower(), known)}")
        self._scripts.panel(known[name.lower()])

    def log(self, text: object) -> None:
        """A line in the log."""
        self._context.log("info", str(text))

    def action(self, name: str) -> None:
        """What a menu entry or key does, by its id."""
        if name not in self._actions:
            raise ValueError(f"there is no action {name!r}{hint(name, self._actions)}; ui.actions() lists them")
        self._actions[name].trigger()

    def actions(self) -> dict[str, str]:
        """Ids of all actions, and what they are called in the menus."""
        return {name: action.text().replace("&", "") for name, action in self._actions.items()}

    @property
    def markers(self) -> Any:
        """Arrows, lines, points and texts in the view, of the console's own. Raises ValueError in a window without."""
        return self._scripts.markers.owner("console")
