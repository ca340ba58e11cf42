"""A step with hard contact: before - solve - look again - report - advance."""
from __future__ import annotations

from physics.kernels.decorators import kernel


@kernel("m d", ret="i")
def reserve(m, d):
    """Ask for the room of bodies, dofs and coordinates, all of it or none. Returns 1 where it is there.

    Reads: maxhb, maxhv, maxhq
    Writes: need_nhb, need_nhv, need_nhq
    """
    if d.maxhb >= m.nbody and d.maxhv >= m.nv and d.maxhq >= m.nq:
        return 1
    d.need_nhb = m.nbody
    d.need_nhv = max(m.nv, 1)
    d.need_nhq = max(m.nq, 1)
    return 0


@kernel("m d i", ret="i")
def evaluate(m, d, skip):
    """Solve the step that follows from the present state without taking it. Returns 0 where room was lacking, else 1."""
    return reserve(m, d)
