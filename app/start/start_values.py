"""What the command line asks of a window, carried out when its time has come: panels at once, what concerns the model with the first one."""
import argparse
from pathlib import Path

from PyQt6.QtCore import QObject

from app.controllers.set_values import commands_of
from app.wire import Application
from physics.name_hints import hint
from physics.runtime import commands

NOT_GIVEN = object()


class StartValues(QObject):
    """Belongs to one window. `open(path)` opens the model; what the model cannot give is told in the log and over the view."""

    def __init__(self, application: Application, chosen: argparse.Namespace, run: bool):
        super().__init__(application)
        self._application, self._chosen = application, chosen
        self._run = run
        self._holds_back = bool(chosen.values or chosen.camera or chosen.scripts)     # time does not pass before these are there
        self._problems: list[str] = []

    def open(self, path: Path) -> bool:
        """Open the model; False (and a message in the window) where it cannot be read."""
        application, chosen = self._application, self._chosen
        speed = getattr(chosen, "speed", NOT_GIVEN)
        if speed is not NOT_GIVEN:
            application.simulation.set_speed(speed)
        application.context.model_changed.connect(self._model_is_there)
        key = int(chosen.key) if (chosen.key or "").isdecimal() else chosen.key
        return application.session.open(path, run=self._run and not self._holds_back, compat=chosen.compat, key=key)

    def arrange(self) -> None:
        """Once the window is shown and has its own arrangement: workspace, panels, what is drawn."""
        application, chosen = self._application, self._chosen
        window, docks = application.window, application.window.layout_of_docks
        if isinstance(chosen.workspace, Path):
            given = (("speed", hasattr(chosen, "speed")), ("camera", bool(chosen.camera)))     # the command line's own hold
            window.workspaces.load(chosen.workspace, without=[name for name, there in given if there])
        elif chosen.workspace:
            window.workspaces.choose(chosen.workspace)
        for panel in chosen.hidden:
            docks.docks[panel].hide()
        for panel in chosen.panels:
            docks.show(panel)
        for name, on in chosen.flags:
            application.context.options[name] = on
        application.context.options_changed.emit()

    def _model_is_there(self, model) -> None:
        """The first model runs, or could."""
        self._application.context.model_changed.disconnect(self._model_is_there)
        self._set_values(model)
        for path in self._chosen.scripts:
            self._application.scripts.open(path)
        if self._chosen.key is not None and found(model, "key", self._chosen.key) < 0:
            self._problems.append(missing(model, "key", self._chosen.key))
        if self._chosen.camera:
            self._choose_camera(model, self._chosen.camera)
        self._application.scripts.changed.connect(self._begin)
        self._begin()
        for problem in self._problems:
            self._application.context.log("warning", f"Command line: {problem}")

    def _begin(self) -> None:
        """Time may pass, as soon as the scripts are there."""
        if not self._application.scripts.loading:
            self._application.scripts.changed.disconnect(self._begin)
            if self._run and self._holds_back:
                self._application.runner.send(commands.Run())

    def _set_values(self, model) -> None:
        for value in self._chosen.values:
            try:
                for command in commands_of(value, model):
                    self._application.runner.send(command)
            except ValueError as error:
                self._problems.append(str(error))

    def _choose_camera(self, model, name: str) -> None:
        view = self._application.view_control
        if name == "free":
            view.free_camera()
        elif name.startswith("track:"):
            body = found(model, "body", name.removeprefix("track:"))
            if body < 0:
                self._problems.append(missing(model, "body", name.removeprefix("track:")))
            else:
                view.track_body(body)
        else:
            camera = found(model, "camera", name)
            if camera < 0:
                self._problems.append(missing(model, "camera", name))
            else:
                view.set_camera(camera)


def found(model, kind: str, name: str) -> int:
    """The number of an element by its name or its number as text, -1 where there is none."""
    index = model.id(kind, name)
    if index < 0 and name.isdecimal() and int(name) < len(model.names[kind]):
        return int(name)
    return index


def missing(model, kind: str, name: str) -> str:
    """That there is no such element, with the nearest one."""
    names = [one for one in model.names[kind] if one]
    there = f"; the model's: {', '.join(names[:20])}" if names else f"; the model has no named {kind}"
    return f"there is no {kind} '{name}'{hint(name, names)}{there}"
