"""Every sensor reads what the official engine reads, on random sensors in random states with contacts."""
from collections import Counter

import mujoco
import numpy as np
import pytest

import physics
from physics.enums import SensorType
from tests.physics.engine.sensor import scenes

ENCLOSED = 1  # first whole-number setting of an insidesite that asks for the containment distance, where the official search may stop at a lesser point


def run(first, last):
    """How many sensors of each type were compared."""
    counted = Counter()
    for seed in range(first, last):
        mj = scenes.random_case(seed)
        if mj is None:
            continue
        inside = mj.sensor_type == SensorType.INSIDESITE
        if (mj.sensor_intprm[inside, 0] == ENCLOSED).any():
            continue
        d, mjd = scenes.both(mj, seed)
        if not np.allclose(d.qacc, mjd.qacc, rtol=1e-9, atol=1e-9 * np.abs(mjd.qacc).max()):
            continue   # the solver's share is tested elsewhere
        assert not scenes.off(mj, d, mjd), f"seed {seed}"
        counted.update(SensorType(t).name for t in mj.sensor_type)
    return counted


def test_random_sensors_agree():
    counted = run(0, 700)
    assert sum(counted.values()) > 500
    assert set(SensorType.__members__) - set(counted) <= {"PLUGIN", "BALLQUAT", "BALLANGVEL", "INSIDESITE"}, counted


CONTACTS = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1"/><site name="zone" type="box" size=".3 2 1" pos=".2 0 0"/>
<body name="a" pos="0 0 .18"><freejoint/><geom name="a1" type="box" size=".3 .2 .2"/><geom name="a2" size=".1" pos=".35 0 -.1" condim="4"/>
 <body name="arm" pos="0 0 .3"><joint name="hinge" axis="0 1 0"/><geom name="a3" type="capsule" size=".05 .2" condim="6"/></body></body>
<body name="b" pos=".15 .1 .55"><freejoint/><geom name="b1" size=".2"/></body></worldbody><sensor>%s</sensor></mujoco>"""
SIDES = ("", 'geom1="a1"', 'geom2="floor"', 'body1="a"', 'body1="a" body2="b"', 'body1="b" body2="a"', 'subtree1="a"', 'subtree1="a" subtree2="a"', 'subtree2="a" geom1="b1"',
         'site="zone"', 'site="zone" body2="a"', 'geom1="floor" geom2="a2"', 'body2="b"', 'body1="world"')
DATA = ("found", "found force torque dist pos normal tangent", "force", "pos normal", "found dist linvel", "found force linvel angvel", "tangent", "torque linvel")


@pytest.mark.parametrize("reduce", ["none", "mindist", "maxforce", "netforce"])
def test_contact_sensors_agree_in_every_field(reduce):
    data = [x for x in DATA if reduce != "netforce" or "vel" not in x]
    sensors = "".join(f'<contact {side} data="{fields}" reduce="{reduce}" num="{num}"/>' for side in SIDES for fields in data for num in (1, 3))
    mj = mujoco.MjModel.from_xml_string(CONTACTS % sensors)
    mj.opt.tolerance = mj.opt.ls_tolerance = 0
    for cone in (0, 1):
        mj.opt.cone = cone
        for seed in range(3):
            d, mjd = scenes.both(mj, seed, 0.05)
            assert mjd.ncon >= 4
            wrong = scenes.off(mj, d, mjd, 1e-7)
            assert not wrong, (cone, seed, wrong)


@pytest.mark.nojit
def test_sensors_of_contacts_and_rays_on_a_small_model():
    text = """<mujoco><asset><mesh name="pad" builtin="plate" params="3 3" scale=".1 .1 .02"/></asset><worldbody><geom name="floor" type="plane" size="5 5 1"/>
        <camera name="c" pos="0 0 2" resolution="3 2"/><site name="up" pos=".05 0 2" euler="180 0 0"/>
        <body name="a" pos="0 0 .09"><freejoint/><geom name="g" size=".1"/><geom name="p" type="mesh" mesh="pad" pos="0 0 -.09" contype="0" conaffinity="0" mass="0"/>
        <site name="s" size=".12"/></body></worldbody><sensor><touch site="s"/><contact data="found force dist pos normal" reduce="maxforce" num="2"/>
        <contact body2="a" data="force torque pos" reduce="netforce"/><contact geom1="g" data="tangent linvel angvel"/><rangefinder site="up" data="dist normal depth"/>
        <rangefinder camera="c" data="dist point"/><distance geom1="g" geom2="floor" cutoff="1"/><fromto geom1="floor" geom2="g" cutoff="1"/><tactile geom="p" mesh="pad"/>
        <insidesite objtype="geom" objname="g" site="s"/>
        <force site="s" nsample="3" delay=".004"/><framepos objtype="body" objname="a" nsample="3" interval=".005"/></sensor></mujoco>"""
    mj, mjd, m, d = scenes.scene(text)
    for data in (mjd, d):
        data.qvel[:] = (0.1, 0.2, -0.3, 1, 2, 3)
    for _ in range(4):
        mujoco.mj_step(mj, mjd)
        physics.step(m, d)
        assert mjd.ncon > 0 and np.allclose(d.sensordata, mjd.sensordata, rtol=1e-7, atol=1e-9)
