"""Calling the user's callbacks inside a step.

A callback is a function of Model and Data alone. What it is called for stands in Data.cb_id (and cb_id2), its answer in
Data.cb_value; Data.set_callback wraps a Python function so that it sees these as arguments and result.

    slot               called for            answer
    cb_control         -                     sets ctrl and applied forces
    cb_passive         -                     adds to qfrc_passive
    cb_contactfilter   geoms cb_id, cb_id2   not 0: no contact between the two; stands for the test of contype and conaffinity
    cb_contactparam    contact cb_id         sets contact_solref, contact_solimp, contact_friction of it
    cb_act_dyn         actuator cb_id        rate of its activation
    cb_act_gain        actuator cb_id        its gain
    cb_act_bias        actuator cb_id        its bias
    cb_sensor          stage cb_id           writes sensordata of user sensors
    cb_time            -                     the time on the profiler's clock [s]
    cb_stage           stage cb_id           is told that a stage of the step has ended (engine/stage_clock.py)
"""
from __future__ import annotations

from physics.kernels.decorators import helper
from physics.kernels.rows import callback


@helper
def call_callback(m, d, address, element):
    """The answer of the callback at this address about an element."""
    d.cb_id = element
    d.cb_value = 0.0
    callback(address, m, d)
    return d.cb_value


@helper
def contact_filtered(m, d, g1, g2):
    """Whether the contact filter wants no contact between two geoms."""
    d.cb_id2 = g2
    return call_callback(m, d, d.cb_contactfilter, g1) != 0.0
