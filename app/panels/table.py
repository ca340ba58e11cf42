"""The docks of the main window in one table."""
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from PyQt6.QtWidgets import QWidget

from app.context import AppContext
from app.controllers.selection import SelectionController
from app.controllers.simulation import SimulationController
from app.controllers.view import ViewController
from app.session import Session
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class Services:
    """What panels can be given."""

    context: AppContext
    settings: Settings
    session: Session
    simulation: SimulationController
    view: ViewController
    selection: SelectionController


@dataclass(frozen=True, slots=True)
class Panel:
    """One dock. `factory` is 'module:Class'; the class is called with what it `needs` of the Services, after the first frame, when the dock is first shown."""

    id: str
    title: str
    area: str            # left, right, bottom
    factory: str
    visible: bool = False
    tab_with: str = ""   # share a place with this panel
    tip: str = ""
    needs: tuple[str, ...] = ("context",)

    def load(self) -> Callable:
        """The panel's class."""
        module, _, name = self.factory.partition(":")
        return getattr(import_module(module), name)

    def make(self, services: Services) -> QWidget:
        """The panel."""
        return self.load()(*(getattr(services, name) for name in self.needs))


PANELS: tuple[Panel, ...] = (
    Panel("outliner", "Outliner", "left", "app.panels.outliner:OutlinerPanel", True, tip="All elements of the model", needs=("context", "selection")),
    Panel("simulation", "Simulation", "left", "app.panels.simulation:SimulationPanel", True, "outliner", tip="Keyframes, history, control noise", needs=("context", "simulation")),
    Panel("physics", "Physics", "left", "app.panels.physics:PhysicsPanel", True, "simulation", "Options of the running model, contact override"),
    Panel("visual", "Visualization", "left", "app.panels.visual:VisualPanel", True, "simulation", "What is drawn: flags, groups, labels, frames",
          needs=("context", "view")),
    Panel("controls", "Controls", "right", "app.panels.controls:ControlsPanel", True, tip="One slider per actuator"),
    Panel("joints", "Joints", "right", "app.panels.joints:JointsPanel", True, "controls", "One slider per joint; they write while paused"),
    Panel("equality", "Equality", "right", "app.panels.equality:EqualityPanel", False, "controls", "Switches of equality constraints"),
    Panel("watch", "Watch", "right", "app.panels.watch:WatchPanel", False, "controls", "Any field of the data, by name"),
    Panel("source", "XML", "right", "editor.source.panel:SourcePanel", True, tip="Text of the loaded files", needs=("session", "settings")),
    Panel("log", "Log", "bottom", "app.panels.log:LogPanel", True, tip="What happened, with times"),
    Panel("profiler", "Profiler", "bottom", "app.panels.profiler:ProfilerPanel", False, "log", tip="Solver, convergence, dimensions, time per stage"),
)


def by_id(panel_id: str) -> Panel:
    """The panel of that id. Raises KeyError."""
    for panel in PANELS:
        if panel.id == panel_id:
            return panel
    raise KeyError(panel_id)
