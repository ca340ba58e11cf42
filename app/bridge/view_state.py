"""What is the case in a view, beside what VisOptions ask to be drawn: what is selected, and the ways that points have come."""
from __future__ import annotations

from dataclasses import dataclass, field, replace

from app.bridge.track import Track
from physics.model.elements import Element


@dataclass(frozen=True, slots=True)
class Selection:
    """What is selected. bodyid: the body that is pulled and followed, 0 none, with its name and the point on it that was clicked (body frame);
    skin: where that point lies on one, else -1; elements: all that is selected, in the order of selection, the active one last."""

    bodyid: int = 0
    name: str = ""
    localpos: tuple = (0.0, 0.0, 0.0)
    skin: int = -1
    elements: tuple[Element, ...] = ()


@dataclass(slots=True)
class ViewState:
    """The state of one view. selection: what is shown as selected; trail_body: the body whose trail is drawn, 0: the last body of each chain;
    track: where the bodies and sites with trails have been, fed by each picture. What looks on (the camera) is given to `view_of`."""

    selection: Selection = Selection()
    trail_body: int = 0
    track: Track = field(default_factory=Track)

    def copy(self) -> ViewState:
        """What is the case now, for a picture that is drawn meanwhile; the track is the same one, which whoever draws feeds."""
        return replace(self)
