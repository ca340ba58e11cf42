"""Every element that can be added anywhere gives a model that compiles, by the official compiler, too."""
import pytest

from editor.structure.add import add, offered, sections
from editor.structure.create import GEOMS, JOINTS, actuator, attach_model, body, mesh, mesh_scale, sensor, sensors_for
from editor.structure.draft import Draft, Refusal
from physics.schema import schema
from tests.editor.structure.versions import after, agrees_officially, compiled, of, one

TEXT = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="base" pos="0 0 1">
      <joint/>
      <geom size=".1"/>
      <site name="s"/>
      <frame>
        <geom size=".1" pos=".2 0 0"/>
      </frame>
      <body name="tip" pos="0 0 .5">
        <joint name="j"/>
        <geom name="g" size=".1"/>
        <site name="t"/>
        <camera name="c"/>
      </body>
    </body>
    <body name="free" pos="2 0 0"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <tendon><spatial name="cord"><site site="s"/><site site="t"/></spatial></tendon>
  <keyframe><key qpos="0 0 2 0 0 1 0 0 0"/></keyframe>
</mujoco>
"""
PLACES = (("worldbody", None), ("body", "base"), ("frame", None), ("body", "free"), ("mujoco", None), ("spatial", "cord"), ("keyframe", None))
NO_MODEL = {"flexcomp", "skin", "model", "plugin", "flex", "extension", "tactile", "layer", "user"}     # need files or more than an element


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_whatever_may_stand_there(place, tmp_path):
    version = of(TEXT)
    parent = version.root.id if place[0] == "mujoco" else one(version, *place)
    tags = offered(version, parent)
    assert tags and not {"flexcomp", "flex"} & set(tags), "what our compiler refuses is not offered"
    for tag in tags:
        if tag in NO_MODEL:
            continue
        try:
            new = after(version, add(version, parent, tag))
        except Refusal as reason:
            assert "needs" in str(reason) or "first" in str(reason)
            continue
        m = compiled(new)
        assert m.nkey >= 1 and len(m.key_qpos[0]) == m.nq


def test_all_of_the_sections(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    rich = TEXT.replace('<joint name="j"/>', '<joint name="j" range="-10 10"/>').replace('name="cord"', 'name="cord" range="0 1"')
    rich = rich.replace("<keyframe>", '<actuator><motor name="m" joint="j"/></actuator>\n  <keyframe>').replace('1 0 0 0"', '1 0 0 0 1 0 0 0"')
    rich = rich.replace("</worldbody>", '<body name="hung" pos="0 0 5"><joint name="ball" type="ball"/><geom name="hung" size=".1"/></body></worldbody>')
    version, made, refused = of(rich), 0, []
    for section in sections():
        draft = Draft(of(TEXT) if section == "default" else version)       # actuators of a class share their defaults, so that some kinds do not go together
        number = draft.section(section)
        base = draft.version
        for tag in schema.lookup(section).children:
            known = schema.child_spec(section, tag)
            if known is None or known.legacy or tag in NO_MODEL or section in ("worldbody",):
                continue
            try:
                new = after(base, add(base, number, tag))
            except Refusal as reason:
                refused.append((section, tag, str(reason)))
                continue
            try:
                agrees_officially(new, mujoco, tmp_path)
            except Exception as error:
                raise AssertionError((section, tag, new.texts["/m/main.xml"])) from error
            made += 1
    assert made > 70, made
    assert {tag for _section, tag, _reason in refused} <= {"flex", "flexstrain", "skin", "model"}, refused


def test_a_joint_in_a_body_without_mass_brings_a_geom():
    version = of("<mujoco><worldbody><body name='b'/></worldbody></mujoco>")
    change = add(version, one(version, "body"), "joint")
    assert "geom was added" in change.notes[0]
    assert compiled(after(version, change)).nv == 1


@pytest.mark.parametrize("joint", JOINTS)
@pytest.mark.parametrize("geom", GEOMS)
def test_bodies_in_one_go(joint, geom):
    version = of(TEXT)
    for parent in (one(version, "worldbody"), one(version, "body", "tip")):
        if joint == "free" and parent != one(version, "worldbody"):
            with pytest.raises(Refusal):
                body(version, parent, joint, geom)
            continue
        m = compiled(after(version, body(version, parent, joint, geom, (0, 0, .5))))
        assert m.nq == 9 + {"hinge": 1, "slide": 1, "ball": 4, "free": 7, "none": 0}[joint] and len(m.key_qpos[0]) == m.nq


def test_actuators_get_gains_for_what_they_move(tmp_path):
    version = of(TEXT)
    joint = one(version, "joint", "j")
    model = compiled(version)
    j = model.id("joint", "j")
    inertia = float(model.dof_M0[model.jnt_dofadr[j]])
    new = after(version, actuator(version, joint, "position", inertia, (-1, 1)))
    m = compiled(new)
    kp, kv = m.actuator_gainprm[0][0], -m.actuator_biasprm[0][2]
    assert kp == pytest.approx(100 * inertia, rel=1e-2) and kv == pytest.approx(20 * inertia, rel=1e-2) and tuple(m.actuator_ctrlrange[0]) == (-1, 1)
    unnamed = one(new, "joint", "")
    for tag in ("velocity", "motor", "general", "damper"):
        agrees_officially(after(new, actuator(new, unnamed, tag)), pytest.importorskip("mujoco"), tmp_path)


def test_sensors_of_everything(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    version = of(TEXT)
    for what in (("joint", "j"), ("joint", ""), ("site", "s"), ("body", "tip"), ("geom", "g"), ("camera", "c"), ("spatial", "cord")):
        number = one(version, *what)
        found = sensors_for(version, number)
        assert found
        for tag in found:
            agrees_officially(after(version, sensor(version, number, tag)), mujoco, tmp_path)


def test_a_robot_of_another_file(tmp_path):
    child = ('<mujoco model="grip"><default><default class="x"><geom rgba="1 0 0 1"/></default></default><worldbody><body name="hand" childclass="x"><joint name="f"/>'
             '<geom name="p" size=".1"/></body></worldbody><actuator><motor name="f" joint="f"/></actuator></mujoco>')
    (tmp_path / "grip.xml").write_text(child)
    (tmp_path / "main.xml").write_text(TEXT)
    from tests.editor.structure.versions import opened
    version = opened(tmp_path / "main.xml")
    once = after(version, attach_model(version, one(version, "site", "t"), str(tmp_path / "grip.xml"), body_name="hand"))
    twice = after(once, attach_model(once, one(once, "body", "base"), str(tmp_path / "grip.xml"), body_name="hand", pos=(0, .1, 0)))
    m = compiled(twice)
    assert {"grip_hand", "grip2_hand"} <= set(m.names["body"]) and m.nu == 2 and m.nkey == 1 and len(m.key_qpos[0]) == m.nq
    assert twice.texts[version.main].count("<model ") == 1
    with pytest.raises(Refusal, match="prefix"):
        attach_model(twice, one(twice, "body", "base"), str(tmp_path / "grip.xml"), prefix="grip_")
    agrees_officially(twice, pytest.importorskip("mujoco"), tmp_path)


def test_meshes_and_their_unit(tmp_path):
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 100 0 0\nv 0 100 0\nv 0 0 100\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    (tmp_path / "main.xml").write_text(TEXT)
    from editor.structure.create import mesh_extent
    from tests.editor.structure.versions import opened
    version = opened(tmp_path / "main.xml")
    assert mesh_extent(str(tmp_path / "part.obj")) == 100 and mesh_scale(100) == 0.001 and mesh_scale(2) == 1
    m = compiled(after(version, mesh(version, one(version, "body", "tip"), "part.obj", 0.001)))
    assert "part" in m.names["mesh"] and m.nmesh == 1
