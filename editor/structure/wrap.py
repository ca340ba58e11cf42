"""Elements put into a new frame, body or replicate, and taken out of one."""
from __future__ import annotations

from collections.abc import Iterable, Mapping

from editor.edits.element_patches import wrapping
from editor.edits.indentation import indent_before, is_blank_behind, line_end_at, line_start, lines_in_values, unit_of
from editor.edits.patch import Patch
from editor.edits.tag_places import tag_places
from editor.edits.version import Version
from editor.structure.classes import keep_values, remember
from editor.structure.draft import Change, Draft, Refusal, outermost
from editor.structure.includes import emptied
from editor.structure.legality import path_of_kind, why_not
from editor.structure.placement import placed
from editor.structure.poses import own_pose, settings_of
from editor.structure.reparent import NO_POSE, in_frame, write_poses
from editor.structure.users import uses_of
from editor.wording import what
from physics.rotation.orientation import NOTATIONS
from physics.schema import schema
from physics.spec.element import Element

__all__ = ["unwrap", "wrap"]

GOES = frozenset({"name", "childclass", "mocap", "pos", *NOTATIONS})       # of a body: what unwrap carries over, or means nothing without it


def wrap(version: Version, numbers: Iterable[int], tag: str = "frame", attrs: Mapping[str, str] | None = None) -> Change:
    """Put siblings into a new frame, body or replicate that stands where the first of them does; those that do not follow each other are brought together."""
    draft = Draft(version)
    chosen = outermost(version, numbers)
    if not chosen:
        raise Refusal("Nothing is selected that can be put into something")
    parent = draft.parent(chosen[0])
    if any(draft.parent(number).id != parent.id for number in chosen):
        raise Refusal("Only elements that stand in the same parent can be put into one thing")
    if reason := why_not(version, parent.id, tag):
        raise Refusal(reason)
    new_path = schema.child_spec(path_of_kind(version, parent.id), tag).path
    for number in chosen:
        inner = draft.element(number).tag
        if schema.child_spec(new_path, inner) is None or inner == "inertial" or (tag == "replicate" and inner in ("joint", "freejoint")):
            raise Refusal(f"<{inner}> cannot stand in a new <{tag}>")
    apart = next((k for k in range(1, len(chosen)) if not _follows(draft, chosen[k - 1], chosen[k])), len(chosen))
    if apart < len(chosen):
        draft.move_all(chosen[apart:], after=chosen[apart - 1], emptied=emptied(version, chosen[apart:]))
    given = dict(attrs or {})
    if tag == "body" and "name" not in given:
        given = {"name": draft.names().unique("body", "body"), **given}
    if tag == "replicate" and "count" not in given:
        given |= {"count": "3", "offset": "0.2 0 0"}
    elements = [draft.element(number) for number in chosen]
    draft.put(wrapping(draft.text(elements[0]), elements, tag, given))
    made = draft.parent(chosen[0])
    return draft.change(f"Put {what(elements[0]) if len(elements) == 1 else f'{len(elements)} elements'} into a {tag}", (made.id,))


def _follows(draft: Draft, previous: int, number: int) -> bool:
    """Whether nothing but comments stands between two."""
    inside = [child.id for child in draft.parent(number).children]
    a, b = draft.element(previous), draft.element(number)
    return inside.index(number) == inside.index(previous) + 1 and a.origin.file == b.origin.file and "<include" not in draft.text(a)[a.origin.end:b.origin.start]


def unwrap(version: Version, number: int) -> Change:
    """Take a frame, or a body without joints, away and leave what it holds where it is in the world."""
    draft = Draft(version)
    wrapper = draft.element(number)
    if wrapper.tag not in ("frame", "body"):
        raise Refusal(f"{what(wrapper)} is not a frame or body")
    if wrapper.tag == "body":
        _refuse_body(version, wrapper)
    if "scale" in wrapper.attrs or "massscale" in wrapper.attrs:
        raise Refusal(f"{what(wrapper)} resizes what stands in it: take its scale away first")
    uses = uses_of(version, [number]).found if wrapper.name else []
    uses = [use for use in uses if use.name == wrapper.name and not any(inner.name == wrapper.name for inner in wrapper.walk() if inner is not wrapper)]
    if uses:
        raise Refusal(f"{what(wrapper)} is used by " + ", ".join(map(str, uses[:8])))
    resolver, settings = draft.resolver(), settings_of(version)
    pose = own_pose(resolver, wrapper, settings)
    children = list(wrapper.children)
    wanted = {one.id: placed(resolver.attrs(one), settings).under(*pose) for one in children if one.tag not in NO_POSE and one.id in resolver.context}
    kept = remember(resolver, children)
    draft.put(_without_tags(draft.text(wrapper), wrapper))
    keep_values(draft, kept, [one.id for one in children], "name")
    write_poses(draft, wanted)
    for one in children:
        if one.tag in NO_POSE and (any(pose[0]) or any(pose[1][1:])):
            in_frame(draft, one.id, pose)
    return draft.change(f"Take {what(wrapper)} away", [one.id for one in children])


def _refuse_body(version: Version, body: Element) -> None:
    inside = [child.tag for child in body.children]
    if "joint" in inside or "freejoint" in inside:
        raise Refusal(f"{what(body)} has joints: what stands in it would no longer move by itself")
    if "inertial" in inside:
        raise Refusal(f"{what(body)} has an <inertial>, which would be lost")
    if body.attrs.get("mocap") == "true":
        raise Refusal(f"{what(body)} is a mocap body")
    spec = schema.lookup("body").attributes
    if lost := [name for name, text in body.attrs.items() if name in spec and name not in GOES and text.split() != (spec[name].default or "").split()]:
        raise Refusal(f"{what(body)} has {', '.join(lost)}, which would be lost: take that away first")
    parent = version.parent(body.id)
    if any(child.tag == "inertial" for child in parent.children) and any(child.tag in ("geom", "frame") for child in body.children):
        raise Refusal(f"{what(parent)} has an <inertial>, in which the mass of {what(body)} would not count")


def _without_tags(text: str, wrapper: Element) -> list[Patch]:
    """Take an opening and a closing tag away, and a level of indentation from the lines between."""
    file, start, end = wrapper.origin.file, wrapper.origin.start, wrapper.origin.end
    places = tag_places(text, start)
    if places.empty:
        return [Patch(file, start, end, "")]
    close = text.rfind("</", places.end, end)
    if indent_before(text, start) is None or not is_blank_behind(text, places.end) or indent_before(text, close) is None or not is_blank_behind(text, end):
        return [Patch(file, start, places.end, ""), Patch(file, close, end, "")]
    patches = [Patch(file, line_start(text, start), line_end_at(text, places.end)[1], "")]
    unit, at, fixed = unit_of(text), line_end_at(text, places.end)[1], lines_in_values(text, start, end)
    while at < line_start(text, close):
        if text.startswith(unit, at) and at not in fixed:
            patches.append(Patch(file, at, at + len(unit), ""))
        at = line_end_at(text, at)[1]
    return [*patches, Patch(file, line_start(text, close), line_end_at(text, end)[1], "")]
