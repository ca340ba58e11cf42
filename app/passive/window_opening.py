"""What a script asks of its window: with these the process with the window begins. No Qt."""
from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from physics.model.model import Model
from physics.model.state_fields import State
from physics.runtime.passive.shown import News


@dataclass(slots=True)
class Opening:
    """A window that shows the states that the script sends. name: of the model; script: of the program that shows it; left, right: whether there are panels at that side;
    keys: whether it wants to know of keys; news: the state at first; view: camera and switches; states: path of the memory in which states come
    (physics/runtime/passive/shared_states.py), '' for none."""

    model: Model
    name: str
    script: str
    news: News
    left: bool = True
    right: bool = True
    keys: bool = False
    view: dict = field(default_factory=dict)
    states: str = ""


@dataclass(frozen=True, slots=True)
class Launch:
    """The full window. path or text: what to open, neither: a bundled model; passing: the file is there for this window only. state: to begin with; left, right: as in Opening."""

    path: Path | None = None
    text: str | None = None
    passing: bool = False
    state: State | None = None
    left: bool = True
    right: bool = True
