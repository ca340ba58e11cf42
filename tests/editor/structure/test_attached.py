"""Elements of attached models: named by their copies from the main file, changed in their own."""
import pytest

from editor.edits.version import Version
from editor.structure import create
from editor.structure.add import add
from editor.structure.attached import version_of, within
from editor.structure.copying import copied_text, duplicate
from editor.structure.delete import delete
from editor.structure.draft import Refusal
from editor.structure.extract import extract_class
from editor.structure.mirror import mirror
from editor.structure.rename import rename
from editor.structure.reparent import reparent
from editor.structure.wrap import unwrap, wrap
from tests.editor.structure.versions import after, compiled, of, one

CHILD = """<mujoco model="child">
  <worldbody>
    <body name="base">
      <joint name="hip" range="-90 90" limited="true"/><geom name="g" size=".1"/>
      <body name="fixed" pos="0 0 1"><geom size=".2"/>
        <body name="hand" pos="0 0 1"><joint name="wrist" type="ball"/><geom name="h" size=".1"/><site name="tip"/><site/></body></body>
    </body>
  </worldbody>
  <tendon><fixed name="cord"><joint joint="hip" coef="1"/></fixed></tendon>
</mujoco>
"""
MAIN = """<mujoco>
  <asset><model name="c" file="child.xml"/></asset>
  <worldbody>
    <body name="own"><joint name="hip"/><joint name="slider" type="slide"/><geom size=".1"/></body>
    <attach model="c" prefix="r_"/>
  </worldbody>
  <actuator><motor name="m" joint="r_hip"/></actuator>
  <keyframe><key name="k" qpos=".1 .2 .3 1 0 0 0"/></keyframe>
</mujoco>
"""


def model(main: str = MAIN):
    return of(main, child=CHILD)


def inside(version, tag: str, name: str | None = None, k: int = 0) -> int:
    """The id of an element of the attached model."""
    root = version.trees()[1]
    return [e.id for e in root.walk() if e.tag == tag and (name is None or e.name == name)][k]


def test_what_is_about_an_attached_element_names_its_copy():
    """The main file has a joint 'hip' of its own, which is not meant."""
    version = model()
    m = compiled(after(version, create.actuator(version, inside(version, "joint", "hip"))))
    assert m.names["joint"][m.actuator_trnid[1][0]] == "r_hip" and m.names["actuator"][1] == "r_hip"
    m = compiled(after(version, create.sensor(version, inside(version, "joint", "hip"), "jointlimitpos")))
    assert m.names["sensor"] == ("r_hip_jointlimitpos",) and m.names["joint"][m.sensor_objid[0]] == "r_hip"
    for target, tag, name in (("site", "gyro", "r_tip"), ("fixed", "tendonpos", "r_cord"), ("body", "framepos", "r_base")):
        m = compiled(after(version, create.sensor(version, inside(version, target), tag)))
        assert m.names["sensor"] == (f"{name}_{tag}",), target
    m = compiled(after(version, create.connect(version, [inside(version, "body", "hand"), inside(version, "body", "base")])))
    assert [m.names["body"][b] for b in (m.eq_obj1id[0], m.eq_obj2id[0])] == ["r_hand", "r_base"]
    section = after(version, add(version, version.root.id, "sensor"))
    number = section.root.first("sensor").id
    m = compiled(after(section, add(section, number, "jointvel", target=inside(section, "joint", "hip"))))
    assert m.names["joint"][m.sensor_objid[0]] == "r_hip"
    assert "jointlimitpos" in create.sensors_for(version, inside(version, "joint", "hip")) and create.sensors_for(version, inside(version, "joint", "wrist"))[0] == "ballquat"


def test_one_that_has_no_name_of_its_own_in_the_model_is_refused():
    version = model()
    with pytest.raises(Refusal, match="has no name"):
        create.sensor(version, inside(version, "site", k=1), "gyro")
    twice = model(MAIN.replace("</worldbody>", '<attach model="c" prefix="l_"/></worldbody>').replace("1 0 0 0", "1 0 0 0 0 1 0 0 0"))
    with pytest.raises(Refusal, match="r_hip, l_hip"):
        create.actuator(twice, inside(twice, "joint", "hip"))


def test_operations_on_attached_elements_say_where_these_stand():
    version = model()
    body = inside(version, "body", "fixed")
    for make in (lambda: unwrap(version, body), lambda: extract_class(version, [inside(version, "geom")]), lambda: add(version, body, "geom"), lambda: duplicate(version, [body]),
                 lambda: mirror(version, [body]), lambda: delete(version, [body]), lambda: reparent(version, [body], version.root.first("worldbody").id)):
        with pytest.raises(Refusal):
            make()
    with pytest.raises(Refusal, match="child.xml"):
        unwrap(version, body)
    with pytest.raises(Refusal, match="different models"):
        within(version, [body, version.root.first("worldbody").id], lambda there: reparent(there, [body], 0))


def test_within_the_file_of_the_attached_model():
    version = model()
    body, joint = inside(version, "body", "fixed"), inside(version, "joint", "hip")
    for number, make, found in ((body, lambda v: unwrap(v, body), '<body name="hand" pos="0 0 2">'), (body, lambda v: add(v, body, "site"), "<site"),
                                (body, lambda v: mirror(v, [body], "x"), "hand_1"), (joint, lambda v: extract_class(v, [joint], "c"), 'class="c"')):
        change = within(version, [number], make)
        assert set(change.edit.files) <= {"/m/child.xml", "/m/main.xml"} and change.places[0][0] == "/m/child.xml"
        now = version.after(change.edit)
        assert found in now.texts["/m/child.xml"] and now.texts["/m/main.xml"].startswith("<mujoco>\n  <asset>")
        assert compiled(now).nq >= 7
    assert "hand" in copied_text(version_of(version, [body]), [body])


def test_keyframes_of_the_main_file_follow():
    version = model()
    hand = inside(version, "body", "hand")
    now = version.after(within(version, [hand], lambda v: delete(v, [hand])).edit)
    assert compiled(now).key_qpos.tolist() == [[.1, .2, .3]]
    now = version.after(within(version, [hand], lambda v: duplicate(v, [hand])).edit)
    assert compiled(now).key_qpos.tolist() == [[.1, .2, .3, 1, 0, 0, 0, 1, 0, 0, 0]]


def test_what_the_main_file_names_is_not_taken_away():
    version = model()
    joint = inside(version, "joint", "hip")
    with pytest.raises(Refusal, match="main.xml.*r_hip"):
        within(version, [joint], lambda v: delete(v, [joint], "delete"))


def test_files_that_are_no_texts_of_the_document():
    """As an include that is found in the working folder by a model that has no file yet."""
    from physics.mjcf.reader import read_text

    texts = {"main.xml": "<mujoco><worldbody><geom size='1'/><body><include file='part.xml'/></body></worldbody></mujoco>"}
    read = read_text(texts["main.xml"], "main.xml", None, {"part.xml": "<mujoco><geom name='p' size='1'/><geom name='q' size='1'/><joint/></mujoco>"})
    version = Version.of_reading(read, texts, "main.xml")
    part, body = (next(e.id for e in version.root.walk() if test(e)) for test in (lambda e: e.name == "p", lambda e: e.tag == "body"))
    for make in (lambda: delete(version, [part]), lambda: duplicate(version, [part]), lambda: duplicate(version, [body]), lambda: copied_text(version, [body]),
                 lambda: copied_text(version, [part]), lambda: rename(version, part, "r"), lambda: rename(version, one(version, "joint"), "r"),
                 lambda: create.actuator(version, one(version, "joint")), lambda: mirror(version, [body], copy=False), lambda: reparent(version, [part], one(version, "worldbody")),
                 lambda: wrap(version, [part])):
        with pytest.raises(Refusal, match="part.xml"):
            make()
