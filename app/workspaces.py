"""The workspaces in one table: for each job which panels are open at first, and what is drawn."""
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Workspace:
    """One tab of the top bar. What the user makes of it is remembered apart (app.windows.workspace_memory).

    panels: open at first, by id (those that there are); front: those of them that lie on top of their side; share: of the window's width that
    the right side takes, 0: a column as wide as its sliders need (texts take more where they need it); flags: switched on at first in what is drawn (app.bridge.options);
    tool: what the left button does in the view; cameras: how many of the model's own are shown as pictures in the view at first: a workspace with some keeps apart which.
    """

    id: str
    title: str
    tip: str
    panels: tuple[str, ...]
    front: tuple[str, ...] = ()
    share: float = 0.0
    flags: tuple[str, ...] = ()
    tool: str = ""
    cameras: int = 0


WORKSPACES: tuple[Workspace, ...] = (
    Workspace("simulate", "Simulate", "Run, push and look: sliders, physics, what is drawn",
              ("outliner", "inspector", "controls", "joints", "physics", "visual", "source"), ("controls",)),
    Workspace("inspect", "Inspect", "Look into a state: elements, values, warnings, time per stage",
              ("outliner", "inspector", "contact", "constraint", "balance", "measure", "watch", "breakpoints", "pipeline",
               "plots", "solver", "central_path", "profiler", "advice", "warnings", "log", "branches"), ("inspector", "profiler"), 0.27,
              flags=("contact_point", "contact_force")),
    Workspace("edit", "Edit", "Change the model beside the view: attributes and text",
              ("document", "outliner", "history", "properties", "source", "inspector", "controls", "lint"), ("document", "properties"), share=0.36),
    Workspace("tune", "Tune", "Make contacts, limits and servos do what is wanted: curves, figures, materials, gains",
              ("outliner", "tuner", "friction", "servos", "contact", "controls", "source", "compare", "engines", "plots", "sweep"), ("tuner", "compare"), share=0.34, flags=("contact_point", "contact_force")),
    Workspace("teleoperate", "Teleoperate", "Drive the model by keyboard, gamepad, headset or script, and record what is done",
              ("outliner", "teleoperation", "demonstrations", "controls", "sensors"), ("teleoperation",), share=0.27, cameras=3),
)


def by_id(workspace_id: str) -> Workspace:
    """The workspace of that id. Raises KeyError."""
    for workspace in WORKSPACES:
        if workspace.id == workspace_id:
            return workspace
    raise KeyError(workspace_id)
