"""Elements taken out of the text, with what needs them."""
from __future__ import annotations

from collections.abc import Iterable

from editor.edits.version import Version
from editor.structure.draft import Change, Draft, Refusal, outermost
from editor.structure.includes import emptied
from editor.structure.users import Uses, uses_of
from editor.wording import what

__all__ = ["InUse", "delete"]


class InUse(Refusal):
    """Something else names what is to be deleted. uses: who does."""

    def __init__(self, label: str, uses: Uses):
        self.uses = uses
        super().__init__(f"{label} is used by " + ", ".join(uses.lines()))


def _remove(draft: Draft, chosen: list[int], with_comment: bool) -> None:
    """Take elements out; where nothing is left of what an include brings, the include goes: a file without elements cannot be included."""
    tags, whole = emptied(draft.version, chosen)
    draft.remove([number for number in chosen if number not in whole], with_comment, tags)


def delete(version: Version, numbers: Iterable[int], users: str = "refuse", with_comment: bool = True) -> Change:
    """Take elements out. users: 'refuse' raises InUse where something else names them, 'delete' takes that out, too (of what is of use without, only the attribute),
    'leave' lets it stand, with names that there are not. with_comment: with the comment directly above each. Keyframes lose the numbers of what goes."""
    draft = Draft(version)
    chosen = outermost(version, numbers)
    if not chosen:
        raise Refusal("Nothing is selected that can be deleted")
    if any(draft.element(number).tag == "worldbody" and len(version.root.all("worldbody")) == 1 for number in chosen):
        raise Refusal("A model needs its worldbody")
    first = draft.element(chosen[0])
    label = what(first) if len(chosen) == 1 else f"{len(chosen)} elements"
    uses = uses_of(version, chosen)
    if uses.found and users == "refuse":
        raise InUse(label, uses)
    parent = draft.parent(chosen[0]).id
    if uses.found and users == "delete":
        draft.set_all(uses.attributes)
        chosen = outermost(draft.version, [*chosen, *uses.elements])
    _remove(draft, chosen, with_comment)
    return draft.change(f"Delete {label}", (parent,) if parent != version.root.id else ())
