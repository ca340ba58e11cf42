"""What an edit of an element changes besides it: other files, copies, all that starts from a default class."""
from __future__ import annotations

from editor.edits.version import outward
from editor.inspect.class_edits import users_of_layer
from editor.inspect.subject import Reading, Subject
from editor.wording import file_name
from physics.spec.element import Element

__all__ = ["reach_of"]

_MACROS = frozenset({"composite", "flexcomp"})


def reach_of(subject: Subject, known: str = "") -> tuple[str, ...]:
    """Lines for the user, () where an edit changes the element alone. known: what the window says of copies and files already (editor.copies.banner)."""
    reading, active = subject.reading, subject.active
    if subject.missing:
        return (f"Not in the text yet: the first value puts <{subject.paths[-1].replace('/', '> <')}> into {file_name(reading.root.origin.file)}",)
    lines = [known] if known else []
    around = _around(reading, active)
    if not known and (pattern := next((one for one in around if one.tag == "replicate"), None)) is not None:
        lines.append(f"Pattern of a replicate: all {_copies(around)} copies change" if _copies(around) else f"Pattern of a replicate ({pattern.place}): all copies change")
    default = active if active.tag == "default" else next((one for one in around if one.tag == "default"), None)
    if default is not None:
        users = users_of_layer(reading, active)
        lines.append(f"Default class {default.attrs.get('class') or 'main'}: {len(users)} {'element starts' if len(users) == 1 else 'elements start'} from it")
    if active.tag in _MACROS or any(one.tag in _MACROS for one in around):
        lines.append("Made into other elements by the compiler, which cannot be edited one by one")
    if active.tag == "attach":
        what = active.attrs.get("body") or active.attrs.get("frame") or "all"
        lines.append(f"Attaches {what} of the model {active.attrs.get('model', '')}; its elements stand in that model's file")
    if active.tag == "model":
        lines.append(f"A model to be attached, from {active.attrs.get('file', '?')}")
    if active.origin.included_by and not known:
        lines.append(f"In {file_name(active.origin.file)}, which {file_name(active.origin.included_by[-1].file)} includes: that file changes")
    return tuple(lines)


def _around(reading: Reading, element: Element) -> list[Element]:
    """What an element stands in, innermost first."""
    return [node for node in outward(reading.version, element.id) if node.id != element.id]


def _copies(around: list[Element]) -> int:
    """How many copies the replicates around an element make, 0 where that cannot be told."""
    count = 1
    for one in around:
        if one.tag == "replicate":
            text = one.attrs.get("count", "")
            count *= int(text) if text.strip().isdecimal() else 0
    return count
