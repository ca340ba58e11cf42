"""The docks of the main window in one table."""
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module

from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QWidget

from app.context import AppContext
from app.controllers.advice import AdviceController
from app.controllers.companions import CompanionsController
from app.controllers.teleoperation.demonstrations import DemonstrationsController
from app.controllers.divergence import DivergenceController
from app.controllers.document_selection import DocumentSelection
from app.controllers.selection import SelectionController
from app.controllers.scripts import ScriptsController
from app.controllers.simulation import SimulationController
from app.controllers.teleoperation.devices import TeleoperationController
from app.controllers.timeline import TimelineController
from app.controllers.view import ViewController
from app.panels.posing.measuring import Measuring
from app.posing.keyframes import Keyframes
from app.session import Session
from app.settings import Settings
from app.viewport.insets import Insets
from editor.source.place_link import PlaceLink
from editor.tree.operations import Operations


@dataclass(frozen=True, slots=True)
class Services:
    """What panels can be given."""

    context: AppContext
    settings: Settings
    session: Session
    simulation: SimulationController
    view: ViewController
    selection: SelectionController
    places: PlaceLink
    timeline: TimelineController
    scripts: ScriptsController
    actions: Mapping[str, QAction]
    companions: CompanionsController
    advice: AdviceController
    measuring: Measuring
    keyframes: Keyframes
    divergence: DivergenceController
    document_selection: DocumentSelection
    structure: Operations
    teleoperation: TeleoperationController
    demonstrations: DemonstrationsController
    insets: Insets


@dataclass(frozen=True, slots=True)
class Panel:
    """One dock. `factory` is 'module:Class'; the class is called with what it `needs` of the Services, after the first frame, when the dock is first shown.

    The panels of a side share one place, as tabs in the order of the table. Which are open at first: app.workspaces.
    """

    id: str
    title: str
    area: str            # left, right, bottom
    factory: str
    tip: str = ""
    needs: tuple[str, ...] = ("context",)
    wide: bool = False   # of the right side: while it is on top the side is as wide as a text

    def load(self) -> Callable:
        """The panel's class."""
        module, _, name = self.factory.partition(":")
        return getattr(import_module(module), name)

    def make(self, services: Services) -> QWidget:
        """The panel."""
        return self.load()(*(getattr(services, name) for name in self.needs))


PANELS: tuple[Panel, ...] = (
    Panel("outliner", "Outliner", "left", "app.panels.outliner:OutlinerPanel", "All elements of the model", ("context", "selection")),
    Panel("document", "Document", "left", "editor.tree.panel:DocumentPanel", "What the texts of the model hold, and what can be done to it",
          ("session", "document_selection", "structure")),
    Panel("inspector", "Inspector", "right", "app.panels.inspector:InspectorPanel", "All there is to know of what is selected", ("context", "selection", "session")),
    Panel("controls", "Controls", "right", "app.panels.controls:ControlsPanel", "One slider per actuator"),
    Panel("joints", "Joints", "right", "app.panels.joints:JointsPanel", "One slider per joint; they write while paused"),
    Panel("physics", "Physics", "right", "app.panels.physics:PhysicsPanel", "Options of the running model, contact override"),
    Panel("visual", "Visualization", "right", "app.panels.visual:VisualPanel", "What is drawn: flags, groups, labels, frames", ("context", "view")),
    Panel("properties", "Properties", "right", "editor.fields.panel:PropertiesPanel", "Attributes of what is selected in the text, to be changed",
          ("session", "document_selection", "context", "selection")),
    Panel("source", "XML", "right", "editor.source.panel:SourcePanel", "Text of the loaded files", ("session", "settings", "places", "actions"), wide=True),
    Panel("history", "History", "right", "editor.source.history_panel:HistoryPanel", "All changes of the texts; a click goes back to one, or forth", ("session",)),
    Panel("contact", "Contact", "right", "app.panels.diagnostics.contact:ContactPanel", "How a contact came about, and why two geoms do not touch", ("context", "selection")),
    Panel("tuner", "Tuner", "right", "app.panels.tuner.panel:TunerPanel", "What solref and solimp mean, what other values would do, and where they are written", ("context", "session")),
    Panel("servos", "Servos", "right", "app.panels.servos.panel:ServosPanel", "What gains do to a joint, which give a wanted bandwidth, and where they are written", ("context", "session"), wide=True),
    Panel("friction", "Friction", "right", "app.panels.friction.panel:FrictionPanel", "Slope, creep and stick-slip of a contact; cone, impratio, noslip and condim compared",
          ("context", "companions")),
    Panel("constraint", "Constraint", "right", "app.panels.diagnostics.constraint:ConstraintPanel", "How limits, equalities and dry friction came about, and what they do",
          ("context", "selection")),
    Panel("balance", "Joint balance", "right", "app.panels.diagnostics.balance:BalancePanel", "All forces at a joint, part by part: they add up to zero"),
    Panel("divergence", "Divergence", "right", "app.panels.diagnostics.divergence:DivergencePanel", "Why the run diverged, and what helps", ("context", "divergence", "settings")),
    Panel("measure", "Measure", "right", "app.panels.posing.measure:MeasurePanel", "Distances, angles, mass of the selection, torque that holds the pose",
          ("context", "measuring", "actions")),
    Panel("keyframes", "Keyframes", "right", "app.panels.posing.keyframes:KeyframesPanel", "Keyframes with small pictures: store, blend, mirror, write into the text",
          ("context", "keyframes", "simulation", "session")),
    Panel("pipeline", "Pipeline", "right", "app.panels.pipeline.walk:WalkPanel", "One step taken apart: what each stage reads and writes, with formulas and numbers",
          ("context", "simulation", "actions", "selection"), wide=True),
    Panel("sensors", "Sensors", "right", "app.panels.sensors:SensorsPanel", "A bar for each number that sensors read, and what cameras measure"),
    Panel("watch", "Watch", "right", "app.panels.watch:WatchPanel", "Any field of the model or its data, by name"),
    Panel("breakpoints", "Breakpoints", "right", "app.panels.breakpoints:BreakpointsPanel", "Pause in the step in which something becomes true", ("context", "settings")),
    Panel("bookmarks", "Bookmarks", "right", "app.panels.bookmarks:BookmarksPanel", "Marked moments of the history, with small pictures", ("context", "timeline")),
    Panel("scripts", "Scripts", "right", "app.panels.scripts:ScriptsPanel", "The user's Python functions around each step, their sliders and buttons", ("context", "scripts")),
    Panel("companions", "Companions", "right", "app.panels.companions:CompanionsPanel", "Other runs beside this one: other values, branches, recordings",
          ("context", "companions")),
    Panel("teleoperation", "Teleoperation", "right", "app.panels.teleoperation.panel:TeleoperationPanel", "Devices that drive the model: keyboard, gamepad, headset and others",
          ("context", "teleoperation", "session", "structure", "insets")),
    Panel("demonstrations", "Demonstrations", "right", "app.panels.teleoperation.episodes:DemonstrationsPanel", "Episodes of what is done by hand: begun, judged, kept, done again",
          ("context", "demonstrations", "companions")),
    Panel("equality", "Equality", "right", "app.panels.equality:EqualityPanel", "Switches of equality constraints"),
    Panel("simulation", "Simulation", "right", "app.panels.simulation:SimulationPanel", "Control noise, what happens when it diverges"),
    Panel("plots", "Plots", "bottom", "app.panels.plots.panel:PlotsPanel", "Curves of quantities over time, at every step", ("context", "settings", "companions")),
    Panel("sweep", "Sweep", "bottom", "app.panels.sweep.panel:SweepPanel", "One or two values over ranges, what becomes of a number for each, and taking one of them",
          ("context", "session", "companions")),
    Panel("studies", "Studies", "bottom", "app.panels.studies.panel:StudiesPanel", "Many runs with other values, controls and seeds, searched for the best; any of them opened",
          ("context", "session")),
    Panel("compare", "Compare", "bottom", "app.panels.compare.panel:ComparePanel", "Several sets of contact parameters run beside each other: depth, force and energy on common axes",
          ("context", "companions")),
    Panel("engines", "Engines", "bottom", "app.panels.engines.panel:EnginesPanel", "The soft and the hard engine beside each other: overlap, slip, energy, pose and cost",
          ("context", "companions")),
    Panel("branches", "Branches", "bottom", "app.panels.branches:BranchesPanel", "Other ways that the run has gone, as in a version graph", ("context", "companions")),
    Panel("console", "Console", "bottom", "app.panels.console:ConsolePanel", "Python with the model, its data and what the window can do by name",
          ("context", "session", "simulation", "view", "scripts", "actions")),
    Panel("log", "Log", "bottom", "app.panels.log:LogPanel", "What happened, with times"),
    Panel("warnings", "Warnings", "bottom", "app.panels.warnings:WarningsPanel", "Kinds of warning with their counts, and what the last was about"),
    Panel("advice", "Advice", "bottom", "app.panels.diagnostics.advice:AdvicePanel", "What costs time and what is not as it should be while the model runs, and what to try",
          ("context", "advice")),
    Panel("lint", "Lint", "bottom", "app.panels.lint.panel:LintPanel", "What is likely to be wrong in the model's text, and buttons that mend it",
          ("context", "session", "selection", "document_selection")),
    Panel("profiler", "Profiler", "bottom", "app.panels.profiler:ProfilerPanel", "Solver, convergence, dimensions, time per stage", ("context", "simulation")),
    Panel("solver", "Solver", "bottom", "app.panels.pipeline.solver:SolverPanel", "Cost, gradient and active rows of the solver, iteration by iteration"),
    Panel("central_path", "Central path", "bottom", "app.panels.pipeline.path:PathPanel", "The next step of the hard engine, iterate by iterate: bodies, forces in their cones, gradients"),
)


def by_id(panel_id: str) -> Panel:
    """The panel of that id. Raises KeyError."""
    for panel in PANELS:
        if panel.id == panel_id:
            return panel
    raise KeyError(panel_id)
