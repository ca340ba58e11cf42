"""A URDF compiles to what the official compiler makes of it."""
import mujoco
import pytest

from physics import load_string
from tests.oracle.compiled import compare_compiled
from tests.physics.urdf.robots import joint, link, robot, shape

FULL = ('<origin rpy=".1 .2 .3" xyz="1 0 0"/><axis xyz="0 1 .2"/><limit lower="-1" upper="2" effort="-3" velocity="3"/>'
        '<dynamics damping="2" friction="3"/><safety_controller k_velocity="1"/><calibration rising="0"/>')
RED = '<material name="red"><color rgba="1 0 0 1"/></material>'
SHAPES = (
    shape('<box size="1 2 3"/>', "visual", '<origin xyz="1 2 3" rpy="1 0 0"/>' + RED, "v") + shape('<cylinder radius="1" length="2"/>', name="v")
    + shape('<sphere radius="2"/>') + shape('<capsule radius="1" length="4"/>', "visual")
    + shape('<sphere radius="1"/>', "visual", '<material name="blue"/>') + shape('<box size="1 1 1"/>')
)
BLUE = '<material name="blue"><color rgba="0 0 1 .5"/></material><material name="blue"><color rgba="0 1 1 .5"/></material>'
LOOSE = '<inertial><mass value="2"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>'

ROBOTS = {
    **{kind: robot(link("a"), link("b", SHAPES), link("c"), joint("j", "a", "b", FULL, kind), joint("k", "b", "c"))
       for kind in ("revolute", "continuous", "prismatic", "fixed", "planar")},
    "floating": robot('<link name="world"/>', link("b"), joint("j", "world", "b", FULL, "floating")),
    "spherical": robot(link("a"), link("b"), joint("j", "a", "b", '<limit lower="0" upper="2" effort="3"/>', "spherical")),
    "colours": robot(BLUE, link("a", SHAPES), link("b", SHAPES), joint("j", "a", "b")),
    "world": robot('<link name="world">' + shape('<box size="1 1 1"/>') + "</link>", link("b"), joint("j", "world", "b")),
    "roots": robot(link("z"), link("y"), link("a"), link("b"), joint("j", "b", "z"), joint("k", "b", "y")),
    "one limit": robot(link("a"), link("b"), joint("j", "a", "b", '<limit lower="1"/>')),
    "crossed limits": robot(link("a"), link("b"), joint("j", "a", "b", '<limit lower="1" upper="-1"/>')),
    "equal limits": robot(link("a"), link("b"), joint("j", "a", "b", '<limit lower="1" upper="1"/>')),
    "zero limits": robot(link("a"), link("b"), joint("j", "a", "b", '<limit lower="0" upper="0" effort="1"/>')),
    "same joint names": robot(link("a"), link("b"), link("c"), joint("j", "a", "b"), joint("j", "b", "c")),
    "unknown inertia": robot(link("a", inertia=LOOSE), link("b", inertia=LOOSE), joint("j", "a", "b"),
                             settings='<mujoco><compiler fusestatic="false" boundinertia=".1"/></mujoco>'),
    "settings": robot(link("a"), link("b"), joint("j", "a", "b"), settings=(
        '<mujoco><compiler fusestatic="false" angle="degree" eulerseq="zyx"/><option gravity="0 0 -3" timestep=".01">'
        '<flag contact="disable"/></option><size nuserdata="3"/></mujoco>')),
    "other programs": robot(link("a"), link("b"), joint("j", "a", "b"), "<gazebo><foo/></gazebo><transmission/><include/>"),
    "no name": f"<Robot><link name='a'/>{link('b')}{joint('j', 'a', 'b')}</Robot>".replace("<link", '<mujoco><compiler fusestatic="false"/></mujoco><link', 1),
}
MIMIC = '<mimic joint="j" multiplier="2" offset=".5"/>'
MIMICS = {
    "mimic": robot(link("a"), link("b"), link("c"), joint("j", "a", "b"), joint("k", "b", "c", MIMIC)),
    "mimic before": robot(link("a"), link("b"), link("c"), joint("k", "b", "c", '<mimic joint="j"/>', "prismatic"), joint("j", "a", "b")),
    "mimic of fixed": robot(link("a"), link("b"), link("c"), joint("j", "a", "b", kind="fixed"), joint("k", "b", "c", MIMIC)),
    "mimic of planar": robot(link("a"), link("b"), link("c"), joint("j", "a", "b", kind="planar"), joint("k", "b", "c", MIMIC)),
    "fixed that mimics": robot(link("a"), link("b"), link("c"), joint("j", "a", "b"), joint("k", "b", "c", "<mimic/>", "fixed")),
    "mimic of nothing": robot(link("a"), link("b"), link("c"), joint("i", "a", "b"), joint("k", "b", "c", MIMIC)),
}


@pytest.mark.parametrize("name", [*ROBOTS, *MIMICS])
def test_robot_is_the_official_one(name):
    text = {**ROBOTS, **MIMICS}[name]
    ours, official = load_string(text), mujoco.MjModel.from_xml_string(text)
    checked, off = compare_compiled(ours, official)
    assert checked > 300 and off == {}
    for kind, kind_id in (("body", mujoco.mjtObj.mjOBJ_BODY), ("joint", mujoco.mjtObj.mjOBJ_JOINT), ("geom", mujoco.mjtObj.mjOBJ_GEOM)):
        assert ours.names[kind] == tuple(mujoco.mj_id2name(official, kind_id, i) or "" for i in range(len(ours.names[kind])))


def test_a_long_chain_of_links():
    n = 1500
    text = robot(*(link(f"l{i}") for i in range(n)), *(joint(f"j{i}", f"l{i}", f"l{i + 1}", kind="fixed") for i in range(n - 1)))
    assert load_string(text).nbody == n + 1
