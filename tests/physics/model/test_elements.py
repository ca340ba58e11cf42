"""References to elements find the same element in another Model."""
import gc
import weakref

import physics
from physics.model.elements import Element, body_of, contact_element, contact_number, element, find_again, find_all_again, identity_of

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


def test_many_are_found_again_in_their_order_and_those_that_are_gone_left_out():
    before, after = models()
    wanted = [element(before, "geom", 0), element(before, "body", 1), Element("geom", 7, "nowhere"), element(before, "body", 0)]
    assert find_all_again(before, after, wanted) == (Element("geom", 0, "g"), Element("body", 2, "a"), Element("body", 0, "world"))


def test_no_model_lives_on_because_elements_were_looked_for():
    """It would until rings of objects are collected, which is minutes in a window: tens of megabytes for each file that is opened."""
    before, after = models()
    gone = weakref.ref(before), weakref.ref(after)
    gc.disable()
    try:
        assert find_all_again(before, after, [element(before, "body", 1)])
        del before, after
        assert [one() for one in gone] == [None, None]
    finally:
        gc.enable()


def test_a_contact_is_known_by_its_geoms_and_place():
    physics.ensure_kernels()
    m = physics.load_string("""<mujoco><worldbody><geom name="floor" type="plane" size="3 3 1"/>
        <body name="far" pos="5 0 .1"><freejoint/><geom size=".1"/></body>
        <body name="box" pos="0 0 .1"><freejoint name="root"/><geom name="crate" type="box" size=".2 .2 .1"/></body></worldbody></mujoco>""")
    d = physics.Data(m)
    for _ in range(20):
        physics.step(m, d)
    crate = m.id("geom", "crate")
    numbers = [i for i in range(d.ncon) if crate in d.contact_geom[i]]
    assert len(numbers) == 4
    refs = [contact_element(m, d, i) for i in numbers]
    assert [contact_number(m, d, ref) for ref in refs] == numbers and str(refs[0]) == "contact of geom floor and geom crate"
    where = [d.contact_pos[i] - d.xpos[2] for i in numbers]
    d.qpos[m.jnt_qposadr[m.id("joint", "root")] + 1] += 0.7     # all of them move along
    physics.forward(m, d)
    assert contact_element(m, d, numbers[0]) != refs[0] and identity_of(m, d, contact_element(m, d, numbers[0])) == identity_of(m, d, refs[0])
    assert len({identity_of(m, d, ref) for ref in refs}) == 4 and identity_of(m, d, refs[0].geoms[1]) == refs[0].geoms[1]
    for ref, before in zip(refs, where, strict=True):
        assert abs(d.contact_pos[contact_number(m, d, ref)] - d.xpos[2] - before).max() < 0.05
    d.qpos[m.jnt_qposadr[m.id("joint", "root")] + 2] += 1.0
    physics.forward(m, d)
    assert contact_number(m, d, refs[0]) == -1 and identity_of(m, d, refs[0]) == refs[0] and contact_element(m, d, 99) is None
    other = physics.load_string("""<mujoco><worldbody><body><geom name="crate" size="1"/></body><geom name="floor" type="plane" size="3 3 1"/></worldbody></mujoco>""")
    again = find_again(m, other, refs[0])
    assert [g.id for g in again.geoms] == [other.id("geom", "floor"), other.id("geom", "crate")]


def test_the_body_of_an_element():
    m, _ = models()
    assert [body_of(m, element(m, kind, i)) for kind, i in (("body", 1), ("geom", 1), ("body", 0))] == [1, 1, 0]
