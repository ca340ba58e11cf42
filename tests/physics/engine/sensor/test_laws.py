"""What sensors must read by the laws of mechanics and by their own definitions, whatever engine computes them."""
import mujoco
import numpy as np
import pytest

import physics
from physics.engine.sensor.stages import sensor_acc
from physics.enums import DSBL_SENSOR
from tests.physics.engine.sensor.scenes import scene

REST = """<mujoco><option gravity="0 0 -9.81"/><worldbody><site name="fixed"/>%s
<body name="link" pos="0 0 1"><joint name="j" type="slide" axis="0 0 1" range="-1 1" stiffness="%s"/><geom size=".1" mass="2"/><site name="on" euler="30 40 0"/>
<body name="load" pos="0 0 -.3"><geom size=".05" mass="3" pos=".2 0 0"/><site name="hook"/></body></body></worldbody>
<sensor><accelerometer site="fixed"/><force site="hook"/><torque site="hook"/><accelerometer site="on"/></sensor></mujoco>"""


@pytest.mark.nojit
def test_a_hanging_weight():
    """A load of 3 kg hangs from the link: the link holds it with 3 g, and with the torque of its lever."""
    _, _, m, d = scene(REST % ("", "1e9"))
    d.qpos[:] = -5 * 9.81 / 1e9
    physics.forward(m, d)
    assert np.abs(d.qacc).max() < 1e-6
    read = d.sensordata.reshape(4, 3)
    assert np.allclose(read[0], (0, 0, 9.81), atol=1e-12)   # proper acceleration of a static site, as in 4.0
    assert np.allclose(read[1], (0, 0, 3 * 9.81), atol=1e-5)
    assert np.allclose(read[2], (0, -0.2 * 3 * 9.81, 0), atol=1e-5)
    assert np.isclose(np.linalg.norm(read[3]), 9.81, atol=1e-6)


def test_inside_sites_of_every_shape():
    """A small ball goes along a row of sites: it is within the one it has come to."""
    shapes = (('sphere', '.11', '0 0 0'), ('capsule', '.08 .15', '20 -40 60'), ('ellipsoid', '.11 .15 .09', '20 40 -60'), ('cylinder', '.09 .12', '-20 40 60'),
              ('box', '.08 .1 .14', '20 -40 60'))
    sites = "".join(f'<site name="{kind}" type="{kind}" size="{size}" euler="{turn}" pos="{0.3 * k} 0 1"/>' for k, (kind, size, turn) in enumerate(shapes))
    read = "".join(f'<insidesite site="{kind}" objtype="geom" objname="ball"/>' for kind, _, _ in shapes)
    _, _, m, d = scene(f"""<mujoco><worldbody>{sites}<body pos="0 0 1"><joint type="slide" axis="1 0 0"/><geom name="ball" size=".01"/></body></worldbody>
                          <sensor>{read}</sensor></mujoco>""")
    for place in np.arange(-0.3, 1.7, 0.01):
        d.qpos[0] = place
        physics.forward(m, d)
        near = min(max(round(place / 0.3), 0), 4)
        off = abs(place - 0.3 * near)
        assert d.sensordata.sum() <= 1 and (off > 0.06 or d.sensordata.tolist() == [k == near for k in range(5)])
        assert off < 0.19 or not d.sensordata.any()


def test_an_accelerometer_between_the_halves_of_a_step_reads_the_step_before():
    """At rest on the floor: what it read in the second half, and again when asked after the next first half."""
    _, _, m, d = scene("""<mujoco><worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="10"/><site name="s"/></body>
                          </worldbody><sensor><accelerometer site="s"/></sensor></mujoco>""")
    for _ in range(150):
        physics.step1(m, d)
        physics.step2(m, d)
    physics.step1(m, d)
    d.sensordata[:] = 0
    sensor_acc(m, d)
    assert d.sensordata == pytest.approx([0, 0, 9.81], abs=1e-2)


def test_free_fall_weighs_nothing():
    _, _, m, d = scene(REST % ("", "0"))
    physics.forward(m, d)
    read = d.sensordata.reshape(4, 3)
    assert np.abs(read[1:]).max() < 1e-12 and np.allclose(d.qacc, -9.81)


def test_energies():
    """A point mass: m g h, and half m v squared."""
    _, _, m, d = scene("""<mujoco><option gravity="0 0 -5"/><worldbody><body><freejoint/><geom size=".1" mass="2"/></body></worldbody>
                          <sensor><e_potential/><e_kinetic/><clock cutoff=".003"/></sensor></mujoco>""")
    d.qpos[2], d.qvel[0], d.time = 3.0, 7.0, 1.0
    physics.forward(m, d)
    assert np.allclose(d.sensordata, (2 * 3 * 5, 0.5 * 2 * 49, 0.003))
    assert not d.energy[0] == 0   # computed for the sensor, though the energy flag is off


def test_momentum_of_a_free_pair():
    """Nothing outside acts: momentum and angular momentum of the tree stay, and the mean of the bodies' velocities is the tree's."""
    _, _, m, d = scene("""<mujoco><option gravity="0 0 0" integrator="RK4" timestep=".001"/><worldbody><body name="a"><freejoint/><geom type="box" size=".1 .2 .3"/>
                          <body name="b" pos=".4 0 0"><joint type="ball" pos="-.2 0 0"/><geom type="capsule" size=".05 .1"/></body></body></worldbody>
                          <sensor><subtreelinvel body="a"/><subtreeangmom body="a"/></sensor></mujoco>""")
    d.qvel[:] = (1, 2, -1, 0.5, 2, 1, 3, -2, 1)
    physics.forward(m, d)
    start = d.sensordata.copy()
    for _ in range(200):
        physics.step(m, d)
    assert np.allclose(d.sensordata, start, atol=1e-9)


def test_frame_velocities_are_rates_of_positions():
    """Seen from a moving frame: velocity sensors against differences of the position sensors."""
    text = """<mujoco><option gravity="0 0 0"/><worldbody><body name="a"><freejoint/><geom type="box" size=".1 .2 .3"/><site name="s" pos=".3 .1 0" euler="10 20 30"/></body>
              <body name="b" pos="1 0 0"><freejoint/><geom type="box" size=".2 .2 .3"/></body></worldbody><sensor>
              <framepos objtype="site" objname="s" reftype="xbody" refname="b"/><framelinvel objtype="site" objname="s" reftype="xbody" refname="b"/></sensor></mujoco>"""
    _, _, m, d = scene(text)
    d.qvel[:] = (1, 2, -1, 0.5, 2, 1, 3, -2, 1, 1, -1, 2)
    physics.forward(m, d)
    mean = d.sensordata[3:6].copy()
    h = 1e-6
    readings = []
    for sign in (1, -1):
        e = physics.Data(m)
        q = np.empty(m.nq)
        mujoco.mj_integratePos(*_integrate(text, q, d, sign * h))
        e.qpos[:] = q
        physics.forward(m, e)
        readings.append(e.sensordata[:3].copy())
    assert np.allclose((readings[0] - readings[1]) / (2 * h), mean, atol=1e-7)


def _integrate(text, q, d, h):
    mj = mujoco.MjModel.from_xml_string(text)
    q[:] = d.qpos
    return mj, q, d.qvel.copy(), h


def test_camera_projection():
    """The middle of the picture, and half a picture height away at half the angle of view."""
    _, _, m, d = scene("""<mujoco><worldbody><camera name="c" pos="0 0 1" resolution="60 40" fovy="90"/><site name="m" pos="0 0 0"/><site name="e" pos="0 1 0"/></worldbody>
                          <sensor><camprojection site="m" camera="c"/><camprojection site="e" camera="c"/></sensor></mujoco>""")
    physics.forward(m, d)
    assert np.allclose(d.sensordata, (30, 20, 30, 0))


def test_magnetometer_turns_with_its_site():
    _, _, m, d = scene("""<mujoco><option magnetic="1 2 3"/><worldbody><body euler="0 0 90"><freejoint/><geom size=".1"/><site name="s"/></body></worldbody>
                          <sensor><magnetometer site="s"/></sensor></mujoco>""")
    physics.forward(m, d)
    assert np.allclose(d.sensordata, (2, -1, 3))


@pytest.mark.nojit
def test_user_sensors_call_their_callback():
    _, _, m, d = scene("""<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody><sensor><user dim="2" needstage="pos" datatype="positive" cutoff="3"/>
                          <user dim="1" needstage="vel"/><user dim="1" needstage="acc"/></sensor></mujoco>""")
    physics.forward(m, d)
    assert (d.sensordata == 0).all()
    stages = []

    def fill(model, data, stage):
        stages.append(stage)
        data.sensordata[:2] = (5.0, 2.0)
        data.sensordata[stage] = 10.0 * stage if stage > 1 else 2.0

    d.set_callback("cb_sensor", fill)
    physics.forward(m, d)
    assert stages == [1, 2, 3]
    assert np.allclose(d.sensordata[2:], (20, 30))


def test_sensors_that_are_off_are_not_read():
    _, _, m, d = scene("<mujoco><option><flag sensor='disable'/></option><worldbody/><sensor><clock/></sensor></mujoco>")
    d.time = 0.5
    physics.forward(m, d)
    assert d.sensordata[0] == 0.0      # as officially
    m.opt_disableflags &= ~DSBL_SENSOR
    physics.forward(m, d)
    assert d.sensordata[0] == 0.5


def test_noise_is_seeded_and_off_by_default():
    text = """<mujoco><worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody><sensor><jointpos joint="j" noise=".5"/><jointpos joint="j"/>
              <framezaxis objtype="body" objname="b" noise=".1"/><framequat objtype="body" objname="b" noise=".1"/></sensor></mujoco>"""
    _, _, m, d = scene(text)

    def readings(seed):
        d.reset()
        d.sensor_noise_on, d.sensor_noise_seed = int(seed > 0), seed
        out = []
        for _ in range(400):
            physics.forward(m, d)
            out.append(d.sensordata.copy())
        return np.array(out)

    still = readings(0)
    assert (still == still[0]).all()
    noisy = readings(7)
    assert np.array_equal(noisy, readings(7)) and not np.array_equal(noisy, readings(8))
    assert 0.4 < noisy[:, 0].std() < 0.6 and (noisy[:, 1] == 0).all()
    assert np.allclose(np.linalg.norm(noisy[:, 2:5], axis=1), 1) and noisy[:, 2].std() > 0.05
    assert np.allclose(np.linalg.norm(noisy[:, 5:], axis=1), 1)


def test_distance_sensors_find_room_beyond_the_contacts():
    text = """<mujoco><worldbody><geom name="p" type="plane" size="1 1 1"/>%s<body pos="0 0 2"><freejoint/><geom name="far" size=".1"/></body></worldbody>
              <sensor><distance geom1="p" geom2="far" cutoff="5"/><fromto geom1="far" geom2="p" cutoff="5"/></sensor></mujoco>"""
    balls = "".join(f'<body pos="{k} 0 .05"><freejoint/><geom size=".1"/></body>' for k in range(6))
    m = physics.load_string(text % balls)
    d = physics.Data(m, maxcon=6)
    physics.forward(m, d)
    assert d.ncon == 6 and np.allclose(d.sensordata, (1.9, 0, 0, 1.9, 0, 0, 0))


def test_touch_with_a_mesh_site_is_refused_by_name_as_the_official_engine_dies_of_it():
    xml = """<mujoco><asset><mesh name="cube" vertex="-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1"/></asset><worldbody><geom type="plane" size="2 2 .1"/>
    <body pos="0 0 .19"><freejoint/><geom size=".2"/><site name="s" type="mesh" mesh="cube"/></body></worldbody><sensor><touch name="t" site="s"/></sensor></mujoco>"""
    mj = mujoco.MjModel.from_xml_string(xml)
    with pytest.raises(mujoco.FatalError, match="unexpected geom type"):
        mujoco.mj_forward(mj, mujoco.MjData(mj))
    m = physics.load_string(xml)
    with pytest.raises(physics.ViewOnlyError, match=r"touch sensor cannot feel with a mesh site.*sensor/touch\[t\]"):
        physics.forward(m, physics.Data(m))
