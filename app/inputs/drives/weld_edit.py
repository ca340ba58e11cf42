"""A mocap body for a body of the model, welded to it, as one Edit of the text: what it takes to lead a robot by its hand."""
from __future__ import annotations

from editor.edits.element_patches import NewElement
from editor.edits.version import Version
from editor.structure.draft import Change, Draft, Refusal
from editor.structure.placement import pose_attributes
from editor.structure.poses import holder_pose

SOLREF = "0.04 1"       # twice as slow as the default: the weld gives way where the body cannot follow
SIZE = "0.03 0.03 0.03"
COLOUR = "0.2 0.8 0.4 0.5"
ALIGNED = "0 0 0 1 0 0 0"


def weld_edit(version: Version, body: int, mocap: str = "") -> Change:
    """body: id of the element that is to follow. mocap: name of a mocap body that there is, to whose frame it is welded; without, one is made where the body is at qpos0, with a
    small box that touches nothing. Raises Refusal where the element is no named body, or there is no such mocap body."""
    draft = Draft(version)
    element = draft.element(body)
    if element.tag != "body" or element.attrs.get("mocap") == "true":
        raise Refusal("Only a body that moves can follow a mocap body")
    name = element.attrs.get("name", "")
    if not name:
        name = draft.names().unique("body", "hand")
        draft.set(body, {"name": name})
    chosen = []
    attrs = {"body1": mocap, "body2": name, "solref": SOLREF}
    if mocap:
        found = next((one for one in draft.root.walk() if one.tag == "body" and one.attrs.get("name") == mocap), None)
        if found is None or found.attrs.get("mocap") != "true":
            raise Refusal(f"There is no mocap body '{mocap}'")
        attrs["relpose"] = ALIGNED
    else:
        attrs["body1"] = draft.names().unique("body", f"{name}_target")
        chosen.append(draft.insert(_mocap_body(draft, body, attrs["body1"]), last_in=draft.section("worldbody")))
    attrs = {"name": draft.names().unique("equality", f"{name}_weld"), **attrs}
    chosen.append(draft.insert(NewElement("weld", attrs), last_in=draft.section("equality")))
    return draft.change(f"Lead {name} by a mocap body", chosen)


def mocap_of(version: Version, change: Change) -> str:
    """Name of the mocap body that a change of this version makes, or welds to; '' for one that is none of `weld_edit`."""
    after = version.after(change.edit)
    for file, start in change.places:
        element = after.element(after.ids.get(file, {}).get(start, -1))
        if element is not None and element.tag == "weld":
            return element.attrs.get("body1", "")
    return ""


def _mocap_body(draft: Draft, body: int, name: str) -> NewElement:
    pos, quat = holder_pose(draft.version, draft.resolver(), body)
    box = NewElement("geom", {"type": "box", "size": SIZE, "contype": "0", "conaffinity": "0", "rgba": COLOUR})
    return NewElement("body", {"name": name, "mocap": "true", **pose_attributes(pos, quat)}, (box,))
