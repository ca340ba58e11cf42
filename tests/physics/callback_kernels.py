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
