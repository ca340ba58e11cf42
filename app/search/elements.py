"""The model's elements, by name: choosing one selects it and looks at it. Made lazily, for a model can have hundreds of thousands."""
from collections.abc import Sequence

from app.search.entries import Entry, Parts, Source

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
    context.select_elements((element(model, kind, index),))
    parts.actions["frame_selected"].trigger()
