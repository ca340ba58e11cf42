"""What is the case in a view, beside what VisOptions ask to be drawn: what is selected, and the ways that points have come."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from app.bridge.ghost import Ghost
from app.bridge.markers.table import DrawnMarkers
from app.bridge.track import Track
from physics.model.elements import Element

OUTLINE_WIDTH = 2.0     # logical pixels


@dataclass(frozen=True, slots=True)
class Selection:
    """What is selected. bodyid: the body that is pulled and followed, 0 none, with its name and the point on it that was clicked (body frame);
    skin: where that point lies on one, else -1; elements: all that is selected, in the order of selection, the active one last."""

    bodyid: int = 0
    name: str = ""
    localpos: tuple = (0.0, 0.0, 0.0)
    skin: int = -1
    elements: tuple[Element, ...] = ()
    _ids: Mapping[str, tuple[int, ...]] = field(init=False, compare=False, repr=False, default_factory=dict)

    def __post_init__(self):
        ids: dict[str, list[int]] = {}
        for what in self.elements:
            ids.setdefault(what.kind, []).append(what.id)
        object.__setattr__(self, "_ids", MappingProxyType({kind: tuple(numbers) for kind, numbers in ids.items()}))

    def __reduce__(self):
        """For films: a MappingProxyType cannot be pickled."""
        return Selection, (self.bodyid, self.name, self.localpos, self.skin, self.elements)

    def ids(self, kind: str) -> tuple[int, ...]:
        """Numbers of the selected elements of a kind."""
        return self._ids.get(kind, ())

    @property
    def active(self) -> Element | None:
        """What was selected last."""
        return self.elements[-1] if self.elements else None


@dataclass(frozen=True, slots=True)
class OutlineStyle:
    """How selected things are told from others: by a line of this colour about them, `width` pixels of the picture wide."""

    rgba: tuple = (0.91, 0.47, 0.12, 1.0)
    width: float = OUTLINE_WIDTH


@dataclass(slots=True)
class ViewState:
    """The state of one view. selection: what is shown as selected; trail_body: the body whose trail is drawn, 0: the last body of each chain;
    track: where the bodies and sites with trails have been, fed by each picture. What looks on (the camera) is given to `view_of`.
    outline: how selected things are outlined; None: the selected body glows instead, as officially. outlined: kept by app.bridge.selected.
    markers: what scripts draw; ghosts: other poses that are drawn beside."""

    selection: Selection = Selection()
    trail_body: int = 0
    track: Track = field(default_factory=Track)
    outline: OutlineStyle | None = None
    outlined: tuple | None = None
    markers: DrawnMarkers | None = None
    ghosts: tuple[Ghost, ...] = ()

    def scale_outline(self, ratio: float) -> None:
        """Make the outline as wide as suits pictures with so many pixels to a logical one."""
        if self.outline is not None and self.outline.width != OUTLINE_WIDTH * ratio:
            self.outline = replace(self.outline, width=OUTLINE_WIDTH * ratio)
