"""Blocks of bodies and pairs of bodies by what a contact row or a tie adds to them."""
from __future__ import annotations

from physics.engine.hard.system.blocks import add_six
from physics.engine.linalg.spatial import addscl6
from physics.kernels.decorators import helper
from physics.kernels.rows import off


@helper
def add_outer(p, at, u, v):
    """Three rows of eight at p[at:] += u v', v of six."""
    block = off(p, at)
    add_six(block, 0, v, u[0])
    add_six(block, 1, v, u[1])
    add_six(block, 2, v, u[2])


@helper
def add_wrench_rows(block, arm, x, y, z, u, v, w, sign):
    """Block += sign times six rows: the forces' (x, y, z) and, about the centre of mass, the torques' arm x (x, y, z) + (u, v, w)."""
    add_six(block, 0, x, sign)
    add_six(block, 1, y, sign)
    add_six(block, 2, z, sign)
    add_six(block, 3, addscl6(addscl6(u, z, arm[1]), y, -arm[2]), sign)
    add_six(block, 4, addscl6(addscl6(v, x, arm[2]), z, -arm[0]), sign)
    add_six(block, 5, addscl6(addscl6(w, y, arm[0]), x, -arm[1]), sign)


@helper
def mixed6(a, u, b, v, c, w):
    """a u + b v + c w, six each."""
    return (a * u[0] + b * v[0] + c * w[0], a * u[1] + b * v[1] + c * w[1], a * u[2] + b * v[2] + c * w[2],
            a * u[3] + b * v[3] + c * w[3], a * u[4] + b * v[4] + c * w[4], a * u[5] + b * v[5] + c * w[5])
