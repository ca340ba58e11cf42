"""Data fields that are the user's: callbacks, mouse, noise, record, rollouts, questions. Tables; see layout.py for how to read them."""
from physics.fields.field_row import Row, table

CALLBACKS = table(
    "user", (
        Row("cb_passive", "i", "", "", "address of a callback that adds to qfrc_passive, 0: none"),
        Row("cb_control", "i", "", "", "address of a callback that sets ctrl, 0: none"),
        Row("cb_contactfilter", "i", "", "", "address of a callback that rejects geom pairs, 0: none"),
        Row("cb_act_dyn", "i", "", "", "address of a callback for user activation dynamics, 0: none"),
        Row("cb_act_gain", "i", "", "", "address of a callback for user gains, 0: none"),
        Row("cb_act_bias", "i", "", "", "address of a callback for user biases, 0: none"),
        Row("cb_sensor", "i", "", "", "address of a callback for user sensors, 0: none"),
        Row("cb_error", "i", "", "", "1: a callback has raised an exception"),
        Row("cb_time", "i", "", "", "address of a callback that is the profiler's clock, 0: none; see physics/engine/user_callbacks.py for the others' arguments"),
        Row("cb_contactparam", "i", "", "", "address of a callback that sets parameters of a contact, 0: none"),
        Row("cb_id", "i", "", "", "what a callback is asked about: actuator, contact, first geom or stage"),
        Row("cb_id2", "i", "", "", "what a callback is asked about besides: second geom"),
        Row("cb_value", "f", "", "*", "what a callback answers"),
        Row("cb_stage", "i", "", "", "address of a callback told in cb_id that a stage of the step has ended (a row of engine/step_order.py), 0: none"),
    ), private=True,
)

PERTURB = table(
    "user", (
        Row("perturb_bodyid", "i", "", "", "body that the mouse pulls, 0: none"),
        Row("perturb_active", "i", "", "", "bits of what the mouse does to body perturb_bodyid: 1 translate, 2 rotate; 0 nothing"),
        Row("perturb_localmass", "f", "", "kg", "mass felt at the grab point: 3 / trace(J inv(M) J')"),
        Row("perturb_stiffness", "f", "", "1/s^2", "mouse spring's stiffness per mass (visual/map stiffness)"),
        Row("perturb_stiffnessrot", "f", "", "1/s^2", "mouse spring's stiffness per inertia (visual/map stiffnessrot)"),
        Row("noise_scale", "f", "", "", "control noise: standard deviation as a share of half the control range; 0 off"),
        Row("noise_rate", "f", "", "s", "control noise: correlation time"),
        Row("noise_seed", "i", "", "", "control noise: key of the random numbers, 32 bits"),
        Row("noise_step", "i", "", "", "control noise: steps drawn so far, the counter of the random numbers"),
        Row("sensor_noise_on", "i", "", "", "1: sensors are read with noise"),
        Row("sensor_noise_seed", "i", "", "", "sensor noise: key of the random numbers, 32 bits"),
        Row("perturb_extra_damping", "f", "", "", "mouse spring: added to its damping ratio of a half, in halves; 1 makes it critical"),
        Row("xfrc_perturb", "f8", "6", "N, N m", "force and torque of the mouse on perturb_bodyid, added to xfrc_applied"),
        Row("ctrl_noise", "f8", "nu", "*", "added to ctrl before clamping"),
        Row("perturb_refpos", "f8", "3", "m", "where the mouse wants the centre of mass of the taken body"),
        Row("perturb_refquat", "f8", "4", "", "where the mouse wants the inertial frame of the taken body"),
        Row("perturb_refselpos", "f8", "3", "m", "where the mouse wants the grab point"),
        Row("perturb_localpos", "f8", "3", "m", "the grab point in the body's frame"),
    ),
)

RECORD = table(
    "user", (
        Row("record_stride", "i", "", "", "numbers per entry of the record"),
        Row("record_cap", "i", "", "", "entries that fit into the record; 0: no record is kept"),
        Row("record_end", "i", "", "", "entries written so far; entry e lies in row e % record_cap"),
        Row("sensor_noise_step", "i", "", "", "sensor noise: readings so far, the counter of the random numbers"),
        Row("trace_cap", "i", "", "", "rows that fit into the trace; 0: nothing is traced"),
        Row("trace_end", "i", "", "", "rows written so far"),
        Row("trace_count", "i", "", "", "numbers of a row behind its time"),
        Row("trace_pairs", "i", "", "", "pairs of things whose contacts are looked at"),
        Row("perturb_scratch", "f8", "nv", "", "working storage of perturb_mass"),
        Row("record", "f8", "0", "", "ring of recorded states; bound by the history to storage of its own"),
        Row("ctrl_used", "f8", "nu", "*", "controls with noise, clamped; all 0 where one is bad"),
        Row("rollout_ctrl", "f8", "0", "*", "controls of a rollout, step after step; bound to the caller's array"),
        Row("rollout_state", "f8", "0", "*", "states of a rollout, after each step; bound to the caller's array"),
        Row("rollout_sensor", "f8", "0", "*", "sensor values of a rollout, step after step; bound to the caller's array"),
        Row("trace", "f8", "0", "*", "time and chosen numbers of each step, row after row; bound by the trace to storage of its own"),
        Row("trace_column", "i8", "0 5", "", "where each number is: see physics/engine/trace.py"),
        Row("trace_side", "i4", "0", "", "for each pair and geom: bit 1 it belongs to the first, bit 2 to the second"),
    ), private=True,
)

QUERIES = table(
    "query", (
        Row("ray_geomid", "i", "", "", "geom that the last ray met, -1: none"),
        Row("clock_address", "i", "", "", "address of the system's clock_gettime, for the profiler (engine/stage_time.py)"),
        Row("clock_kind", "i", "", "", "which of its clocks is read"),
        Row("stage_since", "i", "", "ns", "when the last stage of the step ended, by that clock"),
        Row("jac_lin", "f8", "3 nv", "*", "Jacobian that was asked for last: translations along the world's axes by each dof"),
        Row("jac_ang", "f8", "3 nv", "*", "the same for rotations, or the matrix of an angular momentum"),
        Row("query_in", "f8", "nv", "*", "a vector of the user's"),
        Row("query_out", "f8", "nv", "*", "what was asked of it"),
        Row("query_motion", "f8", "6", "rad, m", "velocity or acceleration that was asked for last: rotation, translation"),
        Row("ray_normal", "f8", "1 3", "", "outer unit normal where the last ray met a geom"),
        Row("ray_local", "f8", "1 3", "", "the same in the geom's frame, for meshes and height fields"),
        Row("stage_time", "f8", "32", "ns", "time that each stage of the step has taken since it was cleared (a row of engine/step_order.py)"),
    ), private=True,
)
