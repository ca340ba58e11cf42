"""Sensors that are read late, or only now and then: their values are kept in Data.history.

    delay      sensordata shows what was read `delay` ago; the present reading is noted, and kept at the end of the step
    interval   read only when `interval` has passed since the last time, kept then; in between the kept value is shown

A ring's first number is the time at which an interval last began.

Source: MuJoCo documentation, Computation chapter, "Delays"; XML reference, sensor (nsample, interp, delay, interval).
"""
from __future__ import annotations

from physics.engine.actuator.delay_history import insert
from physics.engine.actuator.delay_history import read as take
from physics.engine.sensor.read_sensor import read
from physics.enums import SENS_USER
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import off


@helper
def is_due(m, d, i):
    """Whether the next interval of sensor i has begun."""
    ring = off(d.history, m.sensor_historyadr[i])
    return ring[0] + m.sensor_interval[i, 0] <= d.time


@helper
def show(m, d, i):
    """Write to sensordata what sensor i shows now."""
    n = m.sensor_history[i, 0]
    delay = m.sensor_delay[i]
    if n > 0 and (delay > 0.0 or (m.sensor_interval[i, 0] > 0.0 and not is_due(m, d, i))):
        ring = off(d.history, m.sensor_historyadr[i])
        take(ring, n, m.sensor_dim[i], d.time - delay, m.sensor_history[i, 1], d.sensordata, m.sensor_adr[i])
    else:
        read(m, d, i)


@helper
def is_kept(m, d, i):
    """Whether the present reading of sensor i is to be kept."""
    return m.sensor_history[i, 0] > 0 and (m.sensor_interval[i, 0] <= 0.0 or is_due(m, d, i))


@kernel()
def note_sensors(m, d):
    """Note the present readings of all sensors that keep theirs, whatever they show: they are kept when the step ends.

    Reads: time, history and what forward writes
    Writes: sens_fresh, sensordata
    """
    for i in range(m.nsensor):
        if is_kept(m, d, i):
            a = m.sensor_adr[i]
            for k in range(a, a + m.sensor_dim[i]):
                d.sens_fresh[k] = d.sensordata[k]
            if m.sensor_delay[i] > 0.0 and m.sensor_type[i] != SENS_USER:
                # sensordata goes on showing the late value
                read(m, d, i)
                for k in range(a, a + m.sensor_dim[i]):
                    late = d.sens_fresh[k]
                    d.sens_fresh[k] = d.sensordata[k]
                    d.sensordata[k] = late


@kernel()
def keep_sensors(m, d):
    """Keep the readings of note_sensors; the time is still that of the step's start.

    Reads: time, sens_fresh, history
    Writes: history
    """
    for i in range(m.nsensor):
        if is_kept(m, d, i):
            dim = m.sensor_dim[i]
            ring = off(d.history, m.sensor_historyadr[i])
            at = insert(ring, m.sensor_history[i, 0], dim, d.time)
            for k in range(dim):
                ring[at + k] = d.sens_fresh[m.sensor_adr[i] + k]
            if m.sensor_interval[i, 0] > 0.0:
                ring[0] = ring[0] + m.sensor_interval[i, 0]
