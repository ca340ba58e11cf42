"""From what is selected to what is dragged: an element itself, or what its size, place or spacing is written in."""
from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from editor.tools.anchors import equality_subjects
from editor.tools.assets import asset_of, asset_subject
from editor.tools.element_trees import ElementTrees, Refused
from editor.tools.gizmo import MOVE, SCALE
from editor.tools.inertia import inertia_subject
from editor.tools.repeated import whole_subjects
from editor.tools.spacing import replicate_subjects, spacing_of
from editor.tools.subject import KINDS, Subject, subject_of, subject_of_frame
from physics.enums import WrapType
from physics.model.elements import body_of
from physics.model.elements import element as model_element
from physics.spec.element import Element

__all__ = ["AIMS", "INERTIA_AIM", "ITSELF", "SPACING_AIM", "aims_in_text", "aims_of", "are_parts", "dragged_in", "subjects_in_model", "subjects_in_text"]

AIMS = ITSELF, INERTIA_AIM, SPACING_AIM = "itself", "inertia", "spacing"     # what of something selected is dragged


def subjects_in_model(trees: ElementTrees, m, kind: str, number: int, mode: str = MOVE, aim: str = ITSELF) -> tuple[Subject, ...]:
    """The subjects that element `number` of a kind of the Model is; several are to be dragged one by one, the active one last. Raises Refused where there is none."""
    if aim == SPACING_AIM:
        return (spacing_of(trees, m, kind, number),)
    if aim == INERTIA_AIM:
        body = body_of(m, model_element(m, kind, number))
        return (inertia_subject(trees, m, _inertial_of(trees, m, body), body),)
    if kind == "geom" and mode == SCALE and (asset := asset_of(m, number)) is not None:
        return (asset_subject(trees, m, *asset, geom=number),)
    if kind in KINDS:
        return (subject_of(trees, m, kind, number),)
    make = _MADE.get(kind)
    if make is None:
        raise Refused("It has no pose of its own")
    return make(trees, m, number)


def subjects_in_text(trees: ElementTrees, m, element: Element, aim: str = ITSELF) -> tuple[Subject, ...]:
    """The same of an element that the Model has nothing of by itself; one by one only where `are_parts` says so."""
    make = replicate_subjects if (element.tag, aim) == ("replicate", SPACING_AIM) else _WRITTEN.get(element.tag)
    if make is None:
        raise Refused(_why_nowhere(trees, element))
    return make(trees, m, element)


def _why_nowhere(trees: ElementTrees, element: Element) -> str:
    """Why there is nothing to drag of an element that the Model has nothing of."""
    if element.tag not in KINDS:
        return f"A <{element.tag}> has no pose of its own"
    found = trees.element(element.id)
    around = [one.tag for one in found[1].around(element)] if found is not None else []
    if "default" in around:
        return "It says what elements of its class have in common, and stands nowhere itself"
    if around[:1] in (["spatial"], ["fixed"]):
        return f"It names a {element.tag} that the tendon acts on: select that one, or the tendon"
    return "It is not in the model that runs"


def are_parts(element: Element, aim: str = ITSELF) -> bool:
    """Whether several subjects that an element of the text is are dragged one by one; together else."""
    return element.tag != "replicate" or aim == SPACING_AIM


def aims_in_text(element: Element) -> tuple[str, ...]:
    """What of an element of the text that the Model has nothing of can be dragged."""
    return (ITSELF, SPACING_AIM) if element.tag == "replicate" else (ITSELF,)


def aims_of(trees: ElementTrees, m, kind: str, number: int) -> tuple[str, ...]:
    """What of something of the Model can be dragged."""
    out = [ITSELF]
    if kind in KINDS:
        try:
            _inertial_of(trees, m, body_of(m, model_element(m, kind, number)))
            out.append(INERTIA_AIM)
        except Refused:
            pass
    source = m.links.source(kind, number)
    try:
        made_by = [trees.element(macro) for macro, _k in source.copies] if source is not None else []
    except Refused:     # whose text is being written
        made_by = []
    if any(found is not None and found[0].tag == "replicate" for found in made_by):
        out.append(SPACING_AIM)
    return tuple(out)


def dragged_in(mode: str, subjects: Sequence[Subject], one_by_one: bool) -> tuple[Subject, ...]:
    """Those of the subjects that have handles in a mode; of several parts of one element the last, where they are not dragged one by one. All of them where none has."""
    kept = [one for one in subjects if one.part is None or mode in one.part.modes]
    if not (one_by_one and mode == MOVE):
        last = {one.element.id: k for k, one in enumerate(kept)}
        kept = [one for k, one in enumerate(kept) if last[one.element.id] == k]
    return tuple(kept or subjects)


def _inertial_of(trees: ElementTrees, m, body: int) -> Element:
    """The <inertial> of a body by its number. Raises Refused where it has none."""
    source = m.links.source("body", body)
    found = trees.element(source.element) if source is not None and body else None
    inside = list(found[0].children) if found is not None else []
    while inside:
        child = inside.pop(0)
        if child.tag == "inertial":
            return child
        if child.tag == "frame":
            inside += child.children
    raise Refused("Its inertia is not written: it comes from its geoms")


def _sites_of_tendon(trees: ElementTrees, m, number: int) -> tuple[Subject, ...]:
    """The sites that a tendon goes through."""
    adr, count = int(m.tendon_adr[number]), int(m.tendon_num[number])
    sites = dict.fromkeys(int(m.wrap_objid[k]) for k in range(adr, adr + count) if m.wrap_type[k] == WrapType.SITE)
    if not sites:
        raise Refused("It goes through no sites")
    return tuple(subject_of(trees, m, "site", site) for site in sites)


_MADE = MappingProxyType({"equality": equality_subjects, "tendon": _sites_of_tendon, "mesh": lambda trees, m, number: (asset_subject(trees, m, "mesh", number),),
                          "hfield": lambda trees, m, number: (asset_subject(trees, m, "hfield", number),)})
_WRITTEN = MappingProxyType({"frame": lambda trees, m, element: (subject_of_frame(trees, m, element),), "replicate": whole_subjects,
                             "inertial": lambda trees, m, element: (inertia_subject(trees, m, element),)})
