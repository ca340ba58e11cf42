"""The docks of the main window in one table."""
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module


@dataclass(frozen=True, slots=True)
class Panel:
    """One dock. `factory` is 'module:Class'; the class is called with the AppContext, after the first frame, when the dock is first shown."""

    id: str
    title: str
    area: str            # left, right, bottom
    factory: str
    visible: bool = False
    tab_with: str = ""   # share a place with this panel
    tip: str = ""

    def load(self) -> Callable:
        """The panel's class."""
        module, _, name = self.factory.partition(":")
        return getattr(import_module(module), name)


PANELS: tuple[Panel, ...] = (
    Panel("simulation", "Simulation", "left", "app.panels.simulation:SimulationPanel", True, tip="Keyframes, history, control noise"),
    Panel("physics", "Physics", "left", "app.panels.physics:PhysicsPanel", True, "simulation", "Options of the running model, contact override"),
    Panel("visual", "Visualization", "left", "app.panels.visual:VisualPanel", True, "simulation", "What is drawn: flags, groups, labels, frames"),
    Panel("controls", "Controls", "right", "app.panels.controls:ControlsPanel", True, tip="One slider per actuator"),
    Panel("joints", "Joints", "right", "app.panels.joints:JointsPanel", True, "controls", "One slider per joint; they write while paused"),
    Panel("equality", "Equality", "right", "app.panels.equality:EqualityPanel", False, "controls", "Switches of equality constraints"),
    Panel("watch", "Watch", "right", "app.panels.watch:WatchPanel", False, "controls", "Any field of the data, by name"),
    Panel("source", "XML", "right", "editor.source.panel:SourcePanel", True, tip="Text of the loaded files"),
    Panel("log", "Log", "bottom", "app.panels.log:LogPanel", True, tip="What happened, with times"),
    Panel("profiler", "Profiler", "bottom", "app.panels.profiler:ProfilerPanel", False, "log", tip="Solver, convergence, dimensions, time per stage"),
)


def by_id(panel_id: str) -> Panel:
    """The panel of that id. Raises KeyError."""
    for panel in PANELS:
        if panel.id == panel_id:
            return panel
    raise KeyError(panel_id)
