"""The expressions of what panels show of an element, for charts and the watch panel. No Qt."""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from physics.model.elements import CONTACT, Element
from physics.model.model import Model
from physics.quantities.quantity import compile_quantity
from physics.quantities.syntax import ExpressionError

# what is asked about first of an element, by kind
FIRST: Mapping[str, str] = MappingProxyType({
    "body": "xpos", "joint": "qpos", "geom": "xpos", "site": "xpos", "camera": "xpos", "light": "xpos", "tendon": "length", "actuator": "force", "sensor": "data", "equality": "active",
})
# names that the inspector has for what the language calls otherwise, by kind of element
WORDS: Mapping[tuple[str, str], str] = MappingProxyType({
    ("body", "pos"): "{of}.xpos", ("body", "quat"): "{of}.xquat", ("body", "centre of mass"): "{of}.xipos", ("body", "subtree centre"): "{of}.subtree_com",
    ("body", "contacts"): "contact({of}).count", ("body", "contact force"): "contact({of}).force", ("joint", "anchor"): "{of}.xanchor", ("joint", "axis"): "{of}.xaxis",
    ("geom", "pos"): "{of}.xpos", ("geom", "contacts"): "contact({of}).count", ("geom", "contact force"): "contact({of}).force", ("site", "pos"): "{of}.xpos", ("camera", "pos"): "{of}.xpos",
    ("light", "pos"): "{of}.xpos", ("light", "dir"): "{of}.xdir",
})


def element_text(what: Element) -> str:
    """body("torso"), or body(3) where it has no name."""
    key = '"' + what.name.replace("\\", "\\\\").replace('"', '\\"') + '"' if what.name else str(what.id)
    return f"{what.kind}({key})"


def quantity_of(m: Model, what: Element, name: str = "") -> str:
    """The expression of a value of an element by the inspector's name for it, or of what is asked about first; '' where there is none."""
    if what.kind == CONTACT:
        return ""
    word = name or FIRST.get(what.kind, "")
    text = WORDS.get((what.kind, word), "{of}." + word).format(of=element_text(what))
    try:
        compile_quantity(m, text)
    except ExpressionError:
        return ""
    return text
