"""What would come of a change: the Model of the texts after it, and what of that Model is of the elements that the change is about."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from editor.edits.version import Version
from editor.live_compile import Request, compile_text
from editor.structure.draft import Change
from physics.enums import JNT_BALL, JNT_FREE
from physics.errors import Issue

__all__ = ["Trial", "summary", "trial"]

COUNTED = (("body", "body", "bodies"), ("joint", "joint", "joints"), ("geom", "geom", "geoms"), ("site", "site", "sites"), ("tendon", "tendon", "tendons"),
           ("equality", "equality constraint", "equality constraints"), ("skin", "skin", "skins"))


class Trial(NamedTuple):
    """model: None where there is none; made: (kind, number) of all in it that the change is about; problems: why there is no model, else what is to be known."""

    model: Any
    made: tuple[tuple[str, int], ...]
    problems: tuple[Issue, ...]


def trial(version: Version, change: Change, compat: str = "4.0", between: Callable[[], None] = lambda: None) -> Trial:
    """Compile the texts after a change, which stay as they are. For a thread that may wait; between: called now and then, may raise to end it."""
    after = version.after(change.edit)
    between()
    others = {key: text for key, text in after.texts.items() if key != after.main}
    result = compile_text(Request(after.texts[after.main], after.main, after.base_dir, others, compat, ids=after.ids, read=after.read), between)
    if result.model is None:
        return Trial(None, (), tuple(issue for issue in result.issues if issue.severity == "error") or result.issues)
    numbers = [after.ids.get(file, {}).get(start) for file, start in change.places]
    links, found = result.model.links, {}
    for top in (after.element(number) for number in numbers if number is not None):
        for element in top.walk() if top is not None else ():
            found |= dict.fromkeys((*links.items(element.id), *links.made_by(element.id)))
    return Trial(result.model, tuple(found), tuple(result.issues))


def summary(model: Any, made: Sequence[tuple[str, int]]) -> str:
    """How many bodies, joints (with their degrees of freedom), geoms and others these are, in words."""
    counts = Counter(kind for kind, _number in made)
    dofs = sum({JNT_FREE: 6, JNT_BALL: 3}.get(int(model.jnt_type[number]), 1) for kind, number in made if kind == "joint")
    words = [f"{counts[kind]:,} {one if counts[kind] == 1 else many}" + (f" ({dofs:,} dof{'s' * (dofs != 1)})" if kind == "joint" else "")
             for kind, one, many in COUNTED if counts[kind]]
    return ", ".join(words) or "nothing"
