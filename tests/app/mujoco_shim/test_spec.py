"""MjSpec: fields, lists, names, deleting, attaching, keyframes, compiling again, errors, files."""
import numpy as np
import pytest

from app.mujoco_shim import mujoco as mj
from tests.app.mujoco_shim.spec_scenes import ROBOT


@pytest.fixture
def robot():
    return mj.MjSpec.from_string(ROBOT)


def test_fields_take_what_fits_and_nothing_else():
    spec = mj.MjSpec()
    geom = spec.worldbody.add_geom(size=[.1], pos=(1, 2, 3), axisangle=[0, 0, 1, 90])
    assert geom.size.tolist() == [.1, 0, 0] and geom.alt.type == mj.mjtOrientation.mjORIENTATION_AXISANGLE
    assert np.isnan(geom.mass) and np.isnan(geom.fromto[0]) and geom.type is mj.mjtGeom.mjGEOM_SPHERE
    geom.pos[1] = 7
    geom.rgba = [.1, .2, .3, 1]
    assert geom.pos.tolist() == [1, 7, 3] and geom.rgba.dtype == np.float32
    for wrong, error in ((dict(pos=[1, 2]), ValueError), (dict(pos="up"), TypeError), (dict(colour=1), TypeError), (dict(euler=[0, 0, 1], zaxis=[0, 0, 1]), ValueError)):
        with pytest.raises(error):
            spec.worldbody.add_geom(**wrong)
    with pytest.raises(AttributeError, match="no attribute 'colour'"):
        geom.colour = 1
    with pytest.raises(TypeError, match="No constructor"):
        mj.MjsGeom()


def test_default_classes_are_what_elements_begin_with(robot):
    arm = robot.find_default("arm")
    assert robot.geom("rod").classname is arm and robot.geom("rod").density == 500 and robot.actuator("hold").gainprm[0] == 7
    new = robot.body("link").add_geom()
    assert new.classname is arm and new.size[0] == .03
    arm.geom.size[0] = 9
    assert new.size[0] == .03 and robot.body("link").add_geom().size[0] == 9
    robot.delete(arm)
    assert robot.find_default("arm") is None and new.classname is robot.default


def test_names_are_found_renamed_and_taken_once(robot):
    link = robot.body("link")
    assert robot.worldbody.find_child("link") is link and link.parent is robot.body("base") and link.frame is robot.frames[0]
    link.name = "limb"
    assert robot.body("link") is None and robot.body("limb") is link
    with pytest.raises(ValueError, match="repeated name 'base' in body"):
        link.name = "base"
    assert [body.name for body in robot.bodies] == ["world", "base", "limb"] and robot.worldbody.next_body(robot.worldbody.first_body()) is None


def test_deleting_takes_what_refers_along(robot):
    rod = robot.geom("rod")
    robot.delete(robot.body("link"))
    assert not robot.actuators and not robot.tendons and not robot.sensors and not robot.excludes and rod.parent is None
    m = robot.compile()
    assert m.nbody == 2 and m.nu == 0 and m.nq == 0
    with pytest.raises(IndexError):
        m.bind(rod)
    with pytest.raises(ValueError, match="not in this model"):
        robot.delete(rod)


def test_attaching_moves_elements_or_copies_them(robot):
    scene = mj.MjSpec()
    link = robot.body("link")
    frame = scene.worldbody.add_frame(pos=[0, 0, 1])
    assert frame.attach_body(robot.body("base"), "x_", "") is scene.body("x_base") and link.name == "x_link" and scene.find_default("x_arm") is not None
    assert scene.actuator("x_hold").target == "x_turn" and scene.tendon("x_wire").path[0].target is scene.joint("x_turn")
    with pytest.raises(ValueError, match="already attached"):
        _attached_twice()
    scene.copy_during_attach = True
    second = mj.MjSpec.from_string(ROBOT)
    scene.attach(second, prefix="y_", frame=frame)
    assert second.body("base").name == "base" and scene.body("y_base") is not None
    assert scene.compile().nkey == 2


def _attached_twice():
    scene, robot = mj.MjSpec(), mj.MjSpec.from_string(ROBOT)
    frame = scene.worldbody.add_frame()
    for prefix in ("a_", "b_"):
        scene.attach(robot, prefix=prefix, frame=frame)


def test_keyframes_keep_their_numbers_by_joint(robot):
    scene = mj.MjSpec()
    scene.copy_during_attach = True
    slide = scene.worldbody.add_body(name="first")
    slide.add_joint(name="slide", type=mj.mjtJoint.mjJNT_SLIDE)
    slide.add_geom(size=[.1, 0, 0])
    scene.add_key(name="own", qpos=[2])
    scene.attach(robot, prefix="r_", frame=scene.worldbody.add_frame())
    m = scene.compile()
    assert m.key_qpos.tolist() == [[2, 0], [0, .3]] and m.key_ctrl.tolist() == [[0, 0], [.1, 0]]
    scene.delete(slide)
    assert scene.compile().key_qpos.tolist() == [[0], [.3]]


def test_compiling_again_keeps_the_state_by_element(robot):
    m = robot.compile()
    d = mj.MjData(m)
    d.qpos[0], d.qvel[0], d.ctrl[:], d.time = .4, -1, [.1, .2], 3
    extra = robot.worldbody.add_body(name="new")
    extra.add_freejoint()
    extra.add_geom(size=[.1, 0, 0])
    robot.worldbody._children["body"].reverse()     # the old joint gets another address
    n, e = robot.recompile(m, d)
    assert n.nq == 8 and e.time == 3 and e.bind(robot.joint("turn")).qpos == .4 and e.bind(robot.joint("turn")).qvel == -1 and e.ctrl.tolist() == [.1, .2]
    assert e.qpos[3] == 1


def test_bound_elements_are_rows_of_model_and_data(robot):
    m = robot.compile()
    d = mj.MjData(m)
    mj.mj_forward(m, d)
    turn, tip = robot.joint("turn"), robot.site("tip")
    m.bind(turn).damping = .5
    d.bind(turn).qpos = .25
    assert m.dof_damping[0] == .5 and d.qpos[0] == .25 and d.bind(tip).xpos.shape == (3,) and m.bind([robot.geom("foot"), robot.geom("rod")]).id == [0, 1]
    both = m.bind([robot.geom("foot"), robot.geom("rod")])
    for wrong in (2.0, [2.0], [1.0, 2.0, 3.0]):
        with pytest.raises(ValueError, match="takes 2 values"):
            both.margin = wrong
    both.margin = [.1, .2]
    assert m.geom_margin.tolist() == [.1, .2]
    robot.worldbody.add_geom(size=[1, 0, 0])
    with pytest.raises(ValueError, match="does not match"):
        m.bind(turn)


def test_errors_tell_the_element():
    spec = mj.MjSpec()
    spec.worldbody.add_geom(name="ball", info="made here")
    with pytest.raises(ValueError, match=r"size 0 must be positive in geom\nElement name 'ball', id 0, made here"):
        spec.compile()
    spec = mj.MjSpec()
    spec.add_actuator(name="pull", target="nothing", trntype=mj.mjtTrn.mjTRN_JOINT)
    with pytest.raises(ValueError, match="nothing(.|\n)*Element name 'pull', id 0"):
        spec.compile()


def test_what_is_not_here_raises_by_name():
    spec = mj.MjSpec()
    spec.add_flex(name="cloth")
    with pytest.raises(NotImplementedError, match="flexes"):
        spec.compile()
    with pytest.raises(NotImplementedError, match="activate_plugin"):
        spec.activate_plugin("mujoco.pid")


def test_files_are_found_in_memory_and_on_the_disk(tmp_path, robot):
    cube = "v -1 -1 1\nv 1 -1 1\nv -1 1 1\nv 1 1 1\nv -1 1 -1\nv 1 1 -1\nv -1 -1 -1\nv 1 -1 -1"
    spec = mj.MjSpec.from_string('<mujoco><compiler meshdir="m"/><asset><mesh file="cube.obj"/></asset><worldbody><geom type="mesh" mesh="cube"/></worldbody></mujoco>',
                                 assets={"cube.obj": cube})
    assert spec.meshes[0].name == "cube" and spec.compile().nmeshvert == 8
    scene = mj.MjSpec()
    scene.attach(spec, prefix="a_", frame=scene.worldbody.add_frame())
    assert scene.compile().nmeshvert == 8 and scene.assets["a_cube.obj"] == cube
    robot.to_zip(tmp_path / "robot.zip")
    assert mj.from_zip(tmp_path / "robot.zip").compile().names == robot.compile().names
    robot.to_file(str(tmp_path / "robot.xml"))
    again = mj.MjSpec.from_file(tmp_path / "robot.xml")
    assert again.to_xml() == robot.to_xml() and again.modelfiledir == str(tmp_path)


def test_smaller_specifications(robot):
    robot.body("base").add_body(name="still", pos=[0, 0, .5]).add_geom(name="on", size=[.05, 0, 0], contype=0, conaffinity=0)
    mass = robot.compile().body_mass.sum()
    assert robot.fuse_static() == 1 and robot.body("still") is None
    np.testing.assert_allclose(robot.compile().body_mass.sum(), mass)
    assert robot.discard_visual() == 3 and robot.geom("on") is None and not robot.materials
    np.testing.assert_allclose(robot.compile().body_mass.sum(), mass)
