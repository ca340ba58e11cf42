"""Sensors, cameras and lights give what their plain twins give."""
import mujoco
import numpy as np
import pytest

import physics
from physics.enums import SensorType
from physics.model.data import Data
from tests.naive import sensors, smooth
from tests.naive.sensing import below
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, randomize, take_state

FRAMES = "".join(f'<{name} objtype="{kind}" objname="{one}" {ref}/>'
                 for name in ("framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel")
                 for kind, one in (("site", "tip"), ("xbody", "arm"))
                 for ref in ("", 'reftype="body" refname="base"'))
OTHERS = """<framelinacc objtype="site" objname="tip"/><frameangacc objtype="body" objname="arm"/><framelinacc objtype="geom" objname="hand"/>
<framelinvel objtype="camera" objname="eye"/>
<accelerometer site="tip"/><velocimeter site="tip"/><gyro site="tip"/><magnetometer site="tip"/><force site="tip"/><torque site="tip"/><force site="root"/><torque site="root"/>
<camprojection site="tip" camera="eye"/><jointpos joint="h"/><jointvel joint="h"/><ballquat joint="b"/><ballangvel joint="b"/><tendonpos tendon="t"/><tendonvel tendon="t"/>
<actuatorpos actuator="a"/><actuatorvel actuator="a"/><actuatorfrc actuator="a"/><jointactuatorfrc joint="h"/><tendonactuatorfrc tendon="t"/>
<jointlimitpos joint="h"/><jointlimitvel joint="h"/><jointlimitfrc joint="h"/><tendonlimitpos tendon="t"/><tendonlimitvel tendon="t"/><tendonlimitfrc tendon="t"/>
<subtreecom body="arm"/><subtreelinvel body="base"/><subtreeangmom body="arm"/><e_potential/><e_kinetic/><clock/><gyro site="tip" cutoff=".3"/>"""
SCENE = f"""<mujoco><option magnetic="1 2 3" gravity=".2 .1 -9"><flag contact="disable"/></option><worldbody>
<body name="base" pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" pos=".01 .02 0"/><site name="root" euler="5 6 7"/>
<camera name="eye" pos="0 .1 .4" euler="80 0 10" resolution="64 48"/>
<body name="arm" pos=".3 0 0"><joint name="h" axis="0 1 0" damping=".1" range="-.1 .1" limited="true"/><geom type="capsule" size=".05 .1" pos="0 .1 0"/>
<site name="tip" pos="0 .2 .1" euler="10 20 30"/>
<body pos=".1 .3 0"><joint name="b" type="ball" stiffness="1"/><geom name="hand" type="box" size=".1 .05 .02" pos=".05 0 0"/></body></body></body></worldbody>
<tendon><fixed name="t" range="-.2 .05" limited="true" stiffness="2"><joint joint="h" coef=".5"/></fixed></tendon>
<actuator><position name="a" joint="h" kp="3" kv=".1"/><motor tendon="t" gear="2"/><motor tendon="t"/></actuator><sensor>{FRAMES}{OTHERS}</sensor></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def all_kernels():
    physics.ensure_kernels()


@pytest.mark.parametrize("seed", [pytest.param(1, marks=pytest.mark.nojit), 2, 3])
def test_sensors(seed):
    mj = mujoco.MjModel.from_xml_string(SCENE)
    mjd, m = mujoco.MjData(mj), model_from(mj)
    d = Data(m)
    randomize(mj, mjd, seed)
    take_state(d, mjd)
    d.xfrc_applied[:] = 0
    d.time = 0.7
    physics.forward(m, d)
    motion, seen = sensors.Motion(m, d), set()
    for i in range(m.nsensor):
        expected = sensors.reading(motion, m, d, i)
        read = d.sensordata[m.sensor_adr[i]:m.sensor_adr[i] + m.sensor_dim[i]]
        name = SensorType(m.sensor_type[i]).name
        seen.add(name)
        if name == "FRAMEQUAT":
            read = smooth.matrix(read)
        if m.sensor_cutoff[i]:
            expected = np.clip(expected, -m.sensor_cutoff[i], m.sensor_cutoff[i])
        scale = max(1.0, np.abs(np.asarray(expected)).max())
        assert np.allclose(read, expected, atol=1e-6 * scale if "ACC" in name else 1e-9 * scale), name
    assert len(seen) == 39 and d.efc_force[:d.nefc].any()


@pytest.mark.parametrize("name", [pytest.param("mixed", marks=pytest.mark.nojit)])
def test_cameras_and_lights_of_every_mode(name):
    mj = mujoco.MjModel.from_xml_string(models.OWN[name])
    mj.opt.disableflags |= 1
    mjd, m = mujoco.MjData(mj), model_from(mj)
    d = Data(m)
    randomize(mj, mjd, 4)
    take_state(d, mjd)
    physics.fwd_position(m, d)
    poses, _ = smooth.poses(m, d.qpos, d.mocap_pos, d.mocap_quat)
    middles = np.array([p + r @ m.body_ipos[b] for b, (p, r) in enumerate(poses)])
    coms = [m.body_mass[below(m, b)] @ middles[below(m, b)] / max(m.body_mass[below(m, b)].sum(), 1e-15) for b in range(m.nbody)]
    assert set(m.cam_mode) == set(m.light_mode) == {0, 1, 2, 3, 4}
    for i in range(m.ncam):
        p, r = sensors.mounted(m, d, "cam", i, poses, coms)
        assert np.allclose(d.cam_xpos[i], p, atol=1e-13) and np.allclose(d.cam_xmat[i].reshape(3, 3), r, atol=1e-12), i
    for i in range(m.nlight):
        p, direction = sensors.mounted(m, d, "light", i, poses, coms)
        assert np.allclose(d.light_xpos[i], p, atol=1e-13) and np.allclose(d.light_xdir[i], direction, atol=1e-12), i
