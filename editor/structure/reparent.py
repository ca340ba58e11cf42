"""Elements moved: into another parent, or to another place among the children of theirs, where they are in the world or with the pose that they have."""
from __future__ import annotations

from collections.abc import Iterable

from editor.edits.element_patches import NewElement
from editor.edits.version import Version, outward
from editor.structure.classes import keep_values, remember
from editor.structure.draft import Change, Draft, Refusal, outermost
from editor.structure.includes import emptied
from editor.structure.legality import in_world, refuse_illegal
from editor.structure.placement import UNIT_POSE, Placement, Pose, placed, pose_attributes, written
from editor.structure.poses import HOLDERS, holder_pose, in_body_tree, relative, settings_of
from editor.wording import what
from physics.spec.element import Element

__all__ = ["reparent"]

NO_POSE = frozenset({"replicate", "attach"})      # stand in a frame where they are to be elsewhere
NEAR = 1e-15


def reparent(version: Version, numbers: Iterable[int], parent: int, before: int | None = None, pose: str = "world", classes: str = "name", free: str = "refuse") -> Change:
    """Move elements into `parent`, before one of its children or behind all of them.

    pose: 'world' keeps where they are in the world at qpos0, 'local' the numbers that they have. classes: what happens where another default class is in force (classes.KEEP).
    free: 'remove' takes the free joint of a body along that comes to stand in another body, 'refuse' raises Refusal. Raises Refusal for a place where they may not stand.
    """
    draft = Draft(version)
    chosen = outermost(version, numbers)
    if not chosen:
        raise Refusal("Nothing is selected that can be moved")
    draft.element(parent)
    refuse_illegal(draft, parent, chosen)
    if before in chosen:
        before = _next_sibling(version, parent, before, chosen)
    _settle_free(draft, chosen, parent, free)
    resolver = draft.resolver()
    tops = [draft.element(number) for number in chosen]
    shifts = {one.id: _shift(draft, resolver, one, parent) for one in tops} if pose == "world" and in_body_tree(version, parent) else {}
    wanted = {one.id: placed(resolver.attrs(one), settings_of(version)).under(*shifts[one.id])
              for one in tops if one.id in shifts and one.tag not in NO_POSE and one.id in resolver.context}
    kept = remember(resolver, tops)
    if classes != "take":       # what a class says of poses inside stays, too
        wanted |= {number: placed(attrs, settings_of(version)) for number, (attrs, _name) in kept.items() if number not in wanted and (number not in chosen or pose == "local")}
    draft.move_all(chosen, **({"before": before} if before is not None else {"last_in": parent}), emptied=emptied(draft.version, chosen))
    keep_values(draft, kept, chosen, classes)
    write_poses(draft, wanted)
    for number, shift in shifts.items():
        if draft.element(number).tag in NO_POSE and not _is_unit(shift):
            in_frame(draft, number, shift)
    for number in chosen:
        was, now = _repeated(version, number), _repeated(draft.version, number)
        if was != now:
            draft.notes.append(f"{what(draft.element(number))} is " + (f"repeated by {what(draft.element(now))} there" if now else "not repeated any more"))
    first = draft.element(chosen[0])
    label = f"Move {what(first)}" if len(chosen) == 1 else f"Move {len(chosen)} elements"
    return draft.change(label, chosen)


def _repeated(version: Version, number: int) -> int | None:
    """The replicate that an element stands in."""
    return next((node.id for node in outward(version, number) if node.tag == "replicate" and node.id != number), None)


def _next_sibling(version: Version, parent: int, before: int, chosen: list[int]) -> int | None:
    """The first child of a parent from one on that is not moved itself."""
    children = version.element(parent).children
    at = next((i for i, child in enumerate(children) if child.id == before), len(children))
    return next((child.id for child in children[at:] if child.id not in chosen), None)


def _settle_free(draft: Draft, chosen: list[int], parent: int, free: str) -> None:
    """Bodies with a free joint stand in the world alone."""
    if in_world(draft.version, parent):
        return
    found = []
    for number in chosen:
        element = draft.element(number)
        if element.tag == "body" and element.attrs.get("mocap") == "true":
            raise Refusal(f"{what(element)} is a mocap body, which can only stand in the world")
        if element.tag == "body":
            found += [child for child in element.children if child.tag == "freejoint" or child.attrs.get("type") == "free"]
    if found and free != "remove":
        raise Refusal(f"{what(draft.parent(found[0].id))} has a free joint, which can only be in a body of the world: delete it first")
    if found:
        draft.remove([one.id for one in found])


def _shift(draft: Draft, resolver, element: Element, parent: int) -> Pose:
    """The frame of the old parent, seen from the new one."""
    old = draft.parent(element.id)
    if old.id == parent or old.tag not in HOLDERS:
        return UNIT_POSE
    here, there = draft.version, parent
    return relative(holder_pose(here, resolver, there), holder_pose(here, resolver, old.id))


def write_poses(draft: Draft, wanted: dict[int, Placement]) -> None:
    """Write where elements are to be, in their own notation and the class that is in force for them by now."""
    resolver, settings = draft.resolver(), settings_of(draft.version)
    values = {number: written(resolver.attrs(draft.element(number)), place, settings) for number, place in wanted.items()}
    draft.set_all({number: some for number, some in values.items() if some})


def _is_unit(pose: Pose) -> bool:
    return max(map(abs, (*pose[0], *pose[1][1:]))) < NEAR


def in_frame(draft: Draft, number: int, pose: Pose) -> int:
    """Put an element that has no pose of its own into a new frame that has one; the frame's id."""
    made = draft.insert(NewElement("frame", pose_attributes(*pose)), before=number)
    draft.move(number, last_in=made)
    return made
