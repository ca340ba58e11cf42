"""Scenes for the tests of sensors: random sensors on the random-element world, and both engines at one random state."""
import mujoco
import numpy as np

import physics
from physics.model.data import Data
from tests.physics.compiler.random_elements import case
from tests.physics.engine.oracle_model import model_from, randomize, take_state

# what the world of random elements has and the dynamics do not yet
PENDING = ('adhesion="2"', '<pair name="pa" geom1="ga" geom2="gf"/>')
SPREAD = 0.15  # of the positions, so that geoms touch in many states


def random_case(seed):
    """The official model of random sensors, or None where they are refused."""
    text = case("sensor", seed)
    for part in PENDING:
        text = text.replace(part, "")
    try:
        mj = mujoco.MjModel.from_xml_string(text)
    except ValueError:
        return None
    mj.opt.tolerance = mj.opt.ls_tolerance = 0
    return mj


def both(mj, seed, spread=SPREAD):
    """Our Data and the official one after a forward pass at the same random state."""
    m, mjd = model_from(mj), mujoco.MjData(mj)
    d = Data(m)
    randomize(mj, mjd, seed)
    mjd.qpos[:] = mj.qpos0 + spread * (mjd.qpos - mj.qpos0)
    take_state(d, mjd)
    mujoco.mj_forward(mj, mjd)
    physics.forward(m, d)
    return d, mjd


def off(mj, d, mjd, limit=1e-9):
    """{type: largest difference relative to the sensor's largest number} of the sensors above the limit; those with a history are left out."""
    found = {}
    for i in range(mj.nsensor):
        if mj.sensor_history[i, 0] > 0 or mj.sensor_dim[i] == 0:
            continue
        span = slice(mj.sensor_adr[i], mj.sensor_adr[i] + mj.sensor_dim[i])
        theirs = mjd.sensordata[span]
        error = np.abs(d.sensordata[span] - theirs).max() / max(np.abs(theirs).max(), 1e-6)
        if not error <= limit:
            found[mujoco.mjtSensor(mj.sensor_type[i]).name, i] = error
    return found


def scene(text):
    """Official and our model and data of an MJCF text, ours through our compiler, both with exact solvers."""
    mj, m = mujoco.MjModel.from_xml_string(text), physics.load_string(text)
    for each in (mj, m):
        each.opt.tolerance = each.opt.ls_tolerance = 0
    return mj, mujoco.MjData(mj), m, Data(m)
