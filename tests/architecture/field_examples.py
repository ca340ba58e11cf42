"""Kernels for the test of the field reader; never compiled."""
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld4, ld6, off, st3, st6


@helper
def put(p, i, v):
    st6(p, i, v)


@helper
def set_time(d):
    d.time = 1.0


@kernel()
def other(m, d):
    """Another."""
    d.qfrc_bias[0] = 1.0


@kernel()
def stage(m, d):
    """Touches fields in every way that there is."""
    st3(d.xpos, d.ncon, (d.qpos[0], ld4(d.xquat, 1)[0], 0.0))
    set_time(d)
    d.qvel[m.nv] = 2.0
    d.cvel[0, 1] += 1.0
    put(d.cdof, 0, ld6(d.cvel, 0))
    row = off(d.xmat, 9)
    row[2] = row[1]
    other(m, d)
