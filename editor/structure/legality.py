"""What may stand where, by the language's table and the rules that it does not hold."""
from __future__ import annotations

from collections.abc import Iterable

from editor.edits.version import Version, outward
from editor.structure.draft import Draft, Refusal, spec_of
from editor.wording import what
from physics.schema import schema
from physics.spec.element import Element

__all__ = ["allowed_children", "in_world", "may_stand", "refuse_illegal", "why_not"]

OF_BODIES = frozenset({"joint", "freejoint", "inertial"})     # frames hold them only within a body
NOT_OFFERED = frozenset({"composite", "plugin", "config", "flexcomp", "flex"})     # of the past, of no use without what only a plugin knows, or refused by our compiler


def path_of_kind(version: Version, number: int) -> str:
    """The path of an element in the language's table, '' for one that it does not know."""
    spec = spec_of(version, number)
    return spec.path if spec is not None else ""


def holding_body(version: Version, number: int) -> Element | None:
    """The body, world or replicate that an element is part of, itself where it is one; frames are looked through."""
    return next((node for node in outward(version, number) if node.tag != "frame"), None)


def in_world(version: Version, number: int) -> bool:
    """Whether what is put into an element stands in the world itself; frames and replicates are looked through."""
    around = next((node for node in outward(version, number) if node.tag not in ("frame", "replicate")), None)
    return around is not None and around.tag == "worldbody"


def why_not(version: Version, parent: int, tag: str, moved: Iterable[int] = ()) -> str:
    """Why an element with a tag cannot stand in another one, '' where it can. moved: ids of elements that leave their places for it."""
    holder = version.element(parent)
    if holder is None:
        return "There is no such element any more"
    path = path_of_kind(version, parent)
    spec = schema.child_spec(path, tag) if path else None
    if spec is None:
        return f"<{tag}> cannot stand in <{holder.tag}>"
    gone = set(moved)
    if spec.cardinality == "?" and any(child.tag == tag and child.id not in gone for child in holder.children):
        return f"{what(holder)} has a <{tag}> already"
    if tag in OF_BODIES and path in ("body", "body/frame", "body/replicate", "worldbody"):
        body = holding_body(version, parent)
        if body is None or body.tag != "body":
            return f"<{tag}> needs a body around it"
        if tag == "freejoint" or tag == "inertial":
            others = [child for child in body.children if child.id not in gone]
            if tag == "inertial" and any(child.tag == "inertial" for child in others):
                return f"{what(body)} has an <inertial> already"
        if tag == "freejoint":
            if not in_world(version, version.parent(body.id).id):
                return "A free joint can only be in a body of the world"
            if any(child.tag in ("joint", "freejoint") for child in others):
                return f"{what(body)} has a joint already: a free joint must be the only one"
        if tag == "joint" and any(child.tag == "freejoint" for child in body.children if child.id not in gone):
            return f"{what(body)} has a free joint, which must be the only one"
    return ""


def may_stand(version: Version, parent: int, tag: str, moved: Iterable[int] = ()) -> bool:
    """Whether an element with a tag can stand in another one."""
    return not why_not(version, parent, tag, moved)


def refuse_illegal(draft: Draft, parent: int, numbers: Iterable[int]) -> None:
    """Raise Refusal where one of these cannot stand in `parent`."""
    numbers = list(numbers)
    for number in numbers:
        reason = why_not(draft.version, parent, draft.element(number).tag, numbers)
        if reason:
            raise Refusal(reason)


def allowed_children(version: Version, parent: int) -> list[str]:
    """Tags that may be added to an element, in the order of the table."""
    path = path_of_kind(version, parent)
    spec = schema.lookup(path) if path else None
    if spec is None:
        return []
    found = []
    for tag in spec.children:
        known = schema.child_spec(path, tag)
        if known is None or known.legacy or known.support in ("removed", "legacy") or tag in NOT_OFFERED or (tag == "default" and path == "mujoco"):
            continue
        if may_stand(version, parent, tag):
            found.append(tag)
    return found
