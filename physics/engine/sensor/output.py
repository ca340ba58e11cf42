"""Writing a sensor's numbers, and what happens to them afterwards: noise, where it is switched on, then the cutoff.

The noise of a sensor is normal with its `noise` as standard deviation; numbers that cannot be negative stay so, axes and
quaternions are turned by a random angle. It is drawn from a counter, so that a step taken again draws the same numbers.

Source: MuJoCo documentation, XML reference, sensor (cutoff, noise); the noise is ours.
"""
from __future__ import annotations

from physics.engine.control_noise import normal
from physics.engine.linalg.quat import turn
from physics.engine.linalg.vec import add3, cross3, unit3
from physics.enums import DATATYPE_AXIS, DATATYPE_POSITIVE, DATATYPE_QUATERNION, DATATYPE_REAL, SENS_CONTACT, SENS_GEOMFROMTO
from physics.kernels.decorators import helper, kernel

STREAMS = 0x40000000  # streams of random numbers from here on are the sensors', those before the controls'


@helper
def put3(d, a, v):
    """Write three numbers from address a of sensordata."""
    d.sensordata[a] = v[0]
    d.sensordata[a + 1] = v[1]
    d.sensordata[a + 2] = v[2]


@helper
def get3(d, a):
    """Three numbers from address a of sensordata."""
    return d.sensordata[a], d.sensordata[a + 1], d.sensordata[a + 2]


@helper
def draw3(d, a, size):
    """Three normal numbers of that standard deviation for the sensor at address a."""
    stream = STREAMS + a
    step = d.sensor_noise_step
    seed = d.sensor_noise_seed
    return size * normal(step, stream, seed), size * normal(step, stream + 1, seed), size * normal(step, stream + 2, seed)


@kernel("m d i")
def disturb(m, d, i):
    """Add noise to what sensor i reads."""
    size = m.sensor_noise[i]
    a = m.sensor_adr[i]
    kind = m.sensor_datatype[i]
    if kind == DATATYPE_AXIS:
        v = get3(d, a)
        if v[0] != 0.0 or v[1] != 0.0 or v[2] != 0.0:
            put3(d, a, unit3(add3(v, cross3(draw3(d, a, size), v))))
    elif kind == DATATYPE_QUATERNION:
        q = turn((d.sensordata[a], d.sensordata[a + 1], d.sensordata[a + 2], d.sensordata[a + 3]), draw3(d, a, size), 1.0)
        d.sensordata[a] = q[0]
        put3(d, a + 1, (q[1], q[2], q[3]))
    else:
        for k in range(a, a + m.sensor_dim[i]):
            x = d.sensordata[k] + size * normal(d.sensor_noise_step, STREAMS + k, d.sensor_noise_seed)
            if kind == DATATYPE_POSITIVE:
                x = max(x, 0.0)
            d.sensordata[k] = x


@helper
def finish(m, d, i):
    """Noise and cutoff of sensor i."""
    if d.sensor_noise_on and m.sensor_noise[i] > 0.0:
        disturb(m, d, i)
    cutoff = m.sensor_cutoff[i]
    kind = m.sensor_type[i]
    if cutoff > 0.0 and kind != SENS_CONTACT and kind != SENS_GEOMFROMTO:
        a = m.sensor_adr[i]
        if m.sensor_datatype[i] == DATATYPE_REAL:
            for k in range(a, a + m.sensor_dim[i]):
                d.sensordata[k] = min(max(d.sensordata[k], -cutoff), cutoff)
        elif m.sensor_datatype[i] == DATATYPE_POSITIVE:
            for k in range(a, a + m.sensor_dim[i]):
                d.sensordata[k] = min(d.sensordata[k], cutoff)


@helper
def fill(m, d, i, value):
    """Give all numbers of sensor i one value."""
    a = m.sensor_adr[i]
    for k in range(a, a + m.sensor_dim[i]):
        d.sensordata[k] = value
