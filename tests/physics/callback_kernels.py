"""Kernels that tests install as callbacks."""
from physics.kernels.decorators import kernel


@kernel()
def twist(m, d):
    """Push and damp dof 12.

    Reads: qvel
    Writes: qfrc_passive
    """
    d.qfrc_passive[12] += 7.0 - 3.0 * d.qvel[12]


@kernel()
def not_the_first(m, d):
    """Contact filter: nothing touches geom 1.

    Reads: cb_id2
    Writes: cb_value
    """
    if d.cb_id2 == 1:
        d.cb_value = 1.0


@kernel("m d i")
def wrong(m, d, k):
    """Of another signature than a callback's."""
    d.cb_id = k


# one for each hook, as tests/physics/test_hooks.py has them in Python


@kernel()
def steer(m, d):
    """Reads: qvel. Writes: ctrl."""
    for k in range(m.nu):
        d.ctrl[k] = 0.5 - 0.2 * d.qvel[0] + 0.1 * k


@kernel()
def brake(m, d):
    """Reads: qvel. Writes: qfrc_passive."""
    for k in range(m.nv):
        d.qfrc_passive[k] -= 0.3 * d.qvel[k]


@kernel()
def odd_pairs(m, d):
    """Reads: cb_id, cb_id2. Writes: cb_value."""
    d.cb_value = float((d.cb_id + d.cb_id2) % 2)


@kernel()
def soften(m, d):
    """Reads: cb_id. Writes: contact_solref, contact_solimp."""
    d.contact_solref[d.cb_id, 0] = 0.05
    d.contact_solimp[d.cb_id, 0] = 0.5


@kernel()
def follow(m, d):
    """Reads: cb_id, ctrl, act. Writes: cb_value."""
    d.cb_value = 3.0 * (d.ctrl[d.cb_id] - d.act[m.actuator_actadr[d.cb_id]])


@kernel()
def lever(m, d):
    """Reads: cb_id, actuator_length. Writes: cb_value."""
    d.cb_value = 2.0 + d.cb_id + d.actuator_length[d.cb_id]


@kernel()
def drag(m, d):
    """Reads: cb_id, actuator_velocity. Writes: cb_value."""
    d.cb_value = -d.actuator_velocity[d.cb_id] - d.cb_id


@kernel()
def watch(m, d):
    """Reads: cb_id, qpos. Writes: sensordata."""
    d.sensordata[d.cb_id - 1] = 10.0 * d.cb_id + d.qpos[0]


@kernel()
def tick(m, d):
    """Reads: time. Writes: cb_value."""
    d.cb_value = 2.0 * d.time
