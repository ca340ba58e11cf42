"""The three moments at which sensors are read: when positions, velocities, and accelerations and forces are known.

User sensors read zero until the callback cb_sensor writes their numbers; it is asked once per moment that has any. Nothing is
read while the sensor flag is off.

Source: MuJoCo documentation, chapter Computation, "Sensors"; XML reference, sensor/user.
"""
from __future__ import annotations

from physics.engine.inertia.rne_post_constraint import rne_post_constraint
from physics.engine.kinematics.subtree import subtree_vel
from physics.engine.sensor.delays import note_sensors, show
from physics.engine.sensor.output import fill, finish
from physics.engine.sleep.awake import some_asleep
from physics.engine.sleep.state import sensor_sleeps
from physics.engine.user_callbacks import call_callback
from physics.enums import DSBL_SENSOR, SENS_USER, STAGE_ACC, STAGE_POS, STAGE_VEL
from physics.kernels.decorators import helper, kernel


@helper
def sensors_on(m):
    """Whether any sensor is to be read."""
    return m.nsensor > 0 and m.opt_disableflags & DSBL_SENSOR == 0


@helper
def read_stage(m, d, stage):
    """Read all sensors of a Stage."""
    users = 0
    for i in range(m.nsensor):
        if m.sensor_needstage[i] == stage and not (some_asleep(m, d) and sensor_sleeps(m, d, i)):
            if m.sensor_type[i] == SENS_USER:
                users += 1
            else:
                show(m, d, i)
    if users > 0:
        read_users(m, d, stage)


@kernel("m d i")
def read_users(m, d, stage):
    """Read the user sensors of a stage: zeros, or what the callback writes."""
    n = 0
    for i in range(m.nsensor):
        if m.sensor_type[i] == SENS_USER and m.sensor_needstage[i] == stage:
            fill(m, d, i, 0.0)
            n += 1
    if n == 0:
        return
    if d.cb_sensor != 0:
        if stage == STAGE_VEL and d.flg_subtreevel == 0:
            subtree_vel(m, d)
        if stage == STAGE_ACC and d.flg_rnepost == 0:
            rne_post_constraint(m, d)
        call_callback(m, d, d.cb_sensor, stage)
    for i in range(m.nsensor):
        if m.sensor_type[i] == SENS_USER and m.sensor_needstage[i] == stage:
            finish(m, d, i)


@kernel()
def sensor_pos(m, d):
    """Read the sensors that follow from positions.

    Reads: what fwd_position writes
    Writes: sensordata, energy, flg_energypos, flg_energyvel, cb_id, cb_value
    """
    if not sensors_on(m):
        return
    read_stage(m, d, STAGE_POS)


@kernel()
def sensor_vel(m, d):
    """Read the sensors that follow from velocities.

    Reads: what fwd_velocity writes
    Writes: sensordata, subtree_linvel, subtree_angmom, flg_subtreevel, cb_id, cb_value
    """
    if not sensors_on(m):
        return
    read_stage(m, d, STAGE_VEL)


@kernel()
def sensor_acc(m, d):
    """Read the sensors that follow from accelerations and forces.

    Reads: what fwd_constraint writes
    Writes: sensordata, cacc, cfrc_ext, cfrc_int, ten_tension, flg_rnepost, cb_id, cb_value, sens_fresh, sensor_noise_step
    """
    if not sensors_on(m):
        return
    read_stage(m, d, STAGE_ACC)
    if m.nhistory > 0:
        note_sensors(m, d)
    d.sensor_noise_step = d.sensor_noise_step + d.sensor_noise_on
