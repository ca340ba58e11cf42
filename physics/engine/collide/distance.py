"""The least signed distance of two geoms, and where it is.

Pairs of convex shapes are asked how near they come; of pairs with a routine of their own the nearest of its points counts. The point is
left beyond the present contacts, in row d.ncon: it is forgotten with the next.

Source: MuJoCo documentation, APIreference, mj_geomDistance.
"""
from __future__ import annotations

from physics.engine.collide.contact import put
from physics.engine.collide.convex.ccd import ccd_distance
from physics.engine.collide.convex.shapes import load_geom
from physics.engine.collide.pair_table import by_support_mapping, max_points, touch
from physics.engine.collide.vectors import add3, addscl3, scl3
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, st6

NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@helper
def no_room_for(m, d, g1, g2):
    """Whether geom_distance has no room for geoms g1, g2 beyond the contacts; need_ncon then says how much there must be."""
    t1 = m.geom_type[g1]
    t2 = m.geom_type[g2]
    room = d.ncon + max_points(min(t1, t2), max(t1, t2))
    if room <= d.maxcon:
        return False
    d.need_ncon = max(d.need_ncon, room)
    return True


@helper(fastmath=EXACT)
def leave_point(d, turned, dist, p, n):
    """Write the point midway between the nearest points, the normal, and the segment from the first geom asked for to the second."""
    put(d, d.ncon, dist, p, n)
    half = -0.5 * dist if turned else 0.5 * dist
    a = addscl3(p, n, -half)
    b = addscl3(p, n, half)
    st6(d.sens_fromto, 0, (a[0], a[1], a[2], b[0], b[1], b[2]))


@kernel("m d i i f", ret="f", fastmath=EXACT)
def geom_distance(m, d, g1, g2, most):
    """Signed distance of two geoms, `most` where they are farther apart; the segment between their nearest points goes to sens_fromto, zeros
    where they are farther. Row d.ncon of the contacts gets their middle and the normal, from the geom of the smaller type to the other one.

    Reads: ncon, geom_xpos, geom_xmat, geom_type, geom_size
    Writes: contact_dist, contact_pos, contact_frame, sens_fromto
    """
    st6(d.sens_fromto, 0, NOTHING)
    turned = m.geom_type[g1] > m.geom_type[g2]
    one = g2 if turned else g1
    two = g1 if turned else g2
    if by_support_mapping(m.geom_type[one], m.geom_type[two]):
        load_geom(m, d, 0, one)
        load_geom(m, d, 1, two)
        dist = ccd_distance(m, d, most)
        if not dist < most:
            return most
        leave_point(d, turned, dist, scl3(add3(ld3(d.ccd_witness, 0), ld3(d.ccd_witness, 1)), 0.5), ld3(d.ccd_normal, 0))
        return dist
    best = most
    for k in range(d.ncon, d.ncon + touch(m, d, one, two, most)):
        if d.contact_dist[k] < best:
            best = d.contact_dist[k]
            leave_point(d, turned, best, ld3(d.contact_pos, k), (d.contact_frame[k, 0], d.contact_frame[k, 1], d.contact_frame[k, 2]))
    return best
