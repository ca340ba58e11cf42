"""References to elements find the same element in another Model."""
import physics
from physics.model.elements import Element, element, find_again

MODEL = """<mujoco><worldbody><body name="a"><geom name="g" size=".1"/><geom size=".2"/></body>{}</worldbody></mujoco>"""


def models():
    return (physics.load_string(MODEL.format("")), physics.load_string(MODEL.format('<body name="b" pos="1 0 0"><geom size=".1"/></body>').replace('<body name="a">', '<body name="z"/><body name="a">')))


def test_a_named_element_is_found_by_name_and_an_unnamed_one_only_among_as_many():
    before, after = models()
    body = element(before, "body", 1)
    assert body == Element("body", 1, "a") and str(body) == "body a"
    assert find_again(before, after, body) == Element("body", 2, "a")
    unnamed = element(before, "geom", 1)
    assert str(unnamed) == "geom 1"
    assert find_again(before, after, unnamed) is None
    assert find_again(before, before, unnamed) == unnamed
    assert find_again(after, before, element(after, "body", 3)) is None
    assert find_again(before, after, Element("contact", 0)) is None
