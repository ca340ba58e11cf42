"""The model's elements, by name: choosing one selects it and looks at it. Made lazily, for a model can have hundreds of thousands."""
from collections.abc import Sequence
from types import MappingProxyType

from app.search.entries import Entry, Parts, Source

BODY_OF = MappingProxyType({"body": None, "joint": "jnt_bodyid", "geom": "geom_bodyid", "site": "site_bodyid", "camera": "cam_bodyid", "light": "light_bodyid"})
LEFT_OUT = ("key", "numeric", "text", "tuple")   # keyframes are found by what one does with them, the others are nothing to look at


def elements(parts: Parts) -> Sequence[Source]:
    """A source for each kind of element that the model has."""
    model = parts.context.model
    if model is None:
        return ()
    return [_of_kind(parts, model, kind) for kind, names in model.names.items() if names and kind not in LEFT_OUT]


def _of_kind(parts: Parts, model, kind: str) -> Source:
    names = model.names[kind]

    def find(key: str) -> int:
        return model.id(kind, key) if not key.isdecimal() else int(key) if int(key) < len(names) and not names[int(key)] else -1

    def entry(i: int) -> Entry:
        return Entry(f"{kind}:{names[i] or i}", names[i] or f"{kind} {i}", kind.capitalize(), lambda: choose(parts, kind, i, names[i]), note="Select it and look at it")

    return Source(kind, kind.capitalize(), lambda: [name or f"{kind} {i}" for i, name in enumerate(names)], entry, find)


def choose(parts: Parts, kind: str, index: int, name: str) -> None:
    """Select an element, found again by its name where the model has changed meanwhile, and frame it."""
    from physics.model.elements import element

    context, model = parts.context, parts.context.model
    index = model.id(kind, name) if name else index
    if not 0 <= index < len(model.names[kind]):
        context.log("warning", f"The model has no {kind} '{name or index}' any more")
        return
    if hasattr(context, "select_elements"):
        context.select_elements((element(model, kind, index),))
        frame = parts.actions.get("frame_selected")
        if frame is not None:
            frame.trigger()
            return
    bodyid = body_of(model, kind, index)
    if bodyid > 0:
        if not hasattr(context, "select_elements"):
            context.select_body(bodyid)
        if context.snapshot is not None:
            parts.view.look_at(context.snapshot.xipos[bodyid])


def body_of(model, kind: str, index: int) -> int:
    """The body that an element belongs to; 0 for what belongs to none."""
    if kind not in BODY_OF:
        return 0
    field = BODY_OF[kind]
    return index if field is None else int(getattr(model, field)[index])
