"""Models made up from the language's own table: any element where it may stand, any attribute, values mostly of the right type.

Hypothesis drives it in the tests (its Random shrinks), a seed in the long run.
"""
import random
from xml.sax.saxutils import quoteattr

from physics.schema import schema
from tests.long.damage import ABSURD, value_of

DEEPEST, MOST = 6, 60   # levels, elements
NAMES = ("a", "b", "c", "d", "world")
WORTH = ("pos", "type", "size", "name", "joint", "geom", "site", "body", "mesh", "hfield", "material", "class", "file")


def model_text(rng: random.Random) -> str:
    """The text of a model that may or may not be one."""
    room = [rng.randint(3, MOST)]
    inner = "".join(_element("mujoco", tag, rng, room, 1) for tag in rng.choices(schema.lookup("mujoco").children, k=rng.randint(1, 6)))
    body = '<worldbody><body name="a"><joint name="a"/><geom name="a" size=".1"/><site name="a"/></body></worldbody>' if rng.random() < 0.7 else ""
    return f"<mujoco>{body}{inner}</mujoco>"


def _element(parent: str, tag: str, rng: random.Random, room: list, depth: int) -> str:
    spec = schema.child_spec(parent, tag)
    if spec is None or room[0] <= 0:
        return ""
    room[0] -= 1
    attributes = ""
    for attribute in spec.attributes.values():
        likely = 0.9 if attribute.required else 0.4 if attribute.name in WORTH else 0.12
        if rng.random() < likely:
            text = value_of(attribute, rng, NAMES) if rng.random() < 0.95 else rng.choice(ABSURD)
            attributes += f" {attribute.name}={quoteattr(text)}"
    inner = ""
    if spec.children and depth < DEEPEST:
        inner = "".join(_element(spec.path, child, rng, room, depth + 1) for child in rng.choices(spec.children, k=rng.randint(0, 4)))
    return f"<{tag}{attributes}>{inner}</{tag}>"
