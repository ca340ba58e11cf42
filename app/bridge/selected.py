"""What of a model is shown as selected: what is selected itself, and what stands for it where it has no shape of its own."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from app.bridge.view_state import ViewState
from physics.model.elements import CONTACT, Element, contact_number
from physics.model.model import Model
from physics.model.relations import links
from physics.runtime.snapshot import Snapshot

# kind of what has no shape of its own -> the words of the links to what is outlined in its place
INSTEAD = MappingProxyType({"sensor": ("object",), "equality": ("joins",), "pair": ("geom",), "exclude": ("body",), "tendon": ("passes",)})
# kind of what others are made of: who has it is outlined
USED = ("mesh", "hfield", "material", "texture")


def outlined(m: Model, elements: tuple[Element, ...]) -> dict[str, np.ndarray]:
    """{kind: numbers} of all that is drawn for these elements: their own shapes, the geoms of bodies, who uses a material, what a sensor is attached to."""
    found: dict[str, list] = {}
    for what in elements:
        if what.id < len(m.names.get(what.kind, ())):
            found.setdefault(what.kind, []).append(what.id)
    related = [kind for kind in found if kind in INSTEAD or kind in USED]
    made = list(links(m)) if related else []
    for kind in related:
        own = np.asarray(found[kind])
        for link in made:
            if link.kind == kind and link.word in INSTEAD.get(kind, ()) and (kind != "tendon" or link.to == "joint"):     # of a tendon without a path
                found.setdefault(link.to, []).extend(link.target[np.isin(link.source, own)].tolist())
    for kind in [kind for kind in USED[::-1] if kind in found]:      # a texture by its materials
        for link in made or ():
            if link.to == kind:
                found.setdefault(link.kind, []).extend(link.source[np.isin(link.target, found[kind])].tolist())
    return {kind: np.unique(np.array(numbers, int)) for kind, numbers in found.items()}


def numbers_of(m: Model, state: ViewState) -> dict[str, np.ndarray]:
    """`outlined` of the selection, worked out when it or the model changes."""
    elements = state.selection.elements
    if not elements:
        return {}
    if state.outlined is None or state.outlined[0] is not m or state.outlined[1] is not elements:
        state.outlined = m, elements, outlined(m, elements)
    return state.outlined[2]


def contact_numbers(m: Model, snapshot: Snapshot, state: ViewState) -> np.ndarray:
    """Numbers that the selected contacts have at this moment; of those that do not touch none."""
    found = (contact_number(m, snapshot, what) for what in state.selection.elements if what.kind == CONTACT)
    return np.unique([number for number in found if number >= 0]).astype(int)


def with_selected(m: Model, state: ViewState, kind: str, shown) -> np.ndarray:
    """Mask (n,) of what a layer draws of a kind, with what is shown as selected of it in any case."""
    ids = numbers_of(m, state).get(kind, ())
    if len(ids):
        shown = np.array(shown, bool)
        shown[ids[ids < len(shown)]] = True
    return shown
