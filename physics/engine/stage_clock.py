"""Marks between the stages of a step: where a clock is read while somebody profiles (Data.cb_stage), nothing otherwise.

The stages that the numbers stand for, in the order of the step: physics/engine/step_order.py.
"""
from __future__ import annotations

from physics.kernels.decorators import helper
from physics.kernels.rows import callback

BEGIN = -1   # what went before belongs to no stage
(KINEMATICS, COM, TENDON, INERTIA, FACTOR, COLLISION, EFC_ROWS, TRANSMISSION, SENSOR_POS, ENERGY_POS, VELOCITY, PASSIVE, REFERENCE, RNE, SENSOR_VEL, ENERGY_VEL,
 ACTUATION, QACC_SMOOTH, SOLVE, SENSOR_ACC, INTEGRATE) = range(21)


@helper
def stage_ends(m, d, timed, stage):
    """Tell the profiler that this stage of the step (a row of step_order.STAGES) has ended; timed: whether there is one."""
    if timed:
        d.cb_id = stage
        callback(d.cb_stage, m, d)
