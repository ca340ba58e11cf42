"""Contacts of a sphere or a capsule with a box.

All work is done in the box's frame. A capsule is reduced to at most two balls on its segment, each tested against the
box: one at the point of the segment nearest the box, and one as far along the segment as it stays over the face or
edge, so that a capsule can lie on a box.

    ___o=======o___      o  the two balls
   |               |

Capsule state on the stack `s`: centre p, half axis h, half sizes b of the box, unit axis a, three numbers each.
Routines: (m, d, g1, g2, margin) -> number of points written from row d.ncon on.
"""
from __future__ import annotations

from physics.engine.collide.contact import put
from physics.engine.collide.vectors import add3, addscl3, clip, dot3, scl3, sub3, to_local, to_world, unit3, z_axis
from physics.enums import MINVAL
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, ld9
from physics.kernels.simd import stack

P, H, B, A = 0, 3, 6, 9  # where p, h, b, a start on the stack
NONE = -4.0  # no second ball; true offsets lie within [-2, 2]
FAR = 1e300


@helper(fastmath=EXACT)
def clamp(x, limit):
    """x limited to [-limit, limit]; a zero limit does not bind"""
    if limit > 0.0:
        return clip(x, -limit, limit)
    return x


@helper(fastmath=EXACT)
def nearest_face(c, b):
    """(depth, face) of a point inside the box; faces are counted -x +x -y +y -z +z, the first of equals wins"""
    best = (b[0] + b[1] + b[2]) * 2.0
    face = 0
    for i in range(6):
        side = b[0] if i < 2 else (b[1] if i < 4 else b[2])
        at = c[0] if i < 2 else (c[1] if i < 4 else c[2])
        depth = abs((side if i & 1 else -side) - at)
        if depth < best:
            best = depth
            face = i
    return best, face


@helper(fastmath=EXACT)
def sphere_box_at(d, k, margin, centre, r, pos, R, b):
    """Test the ball (centre, r) against the box; write contact k, normal into the box. -> 0 or 1"""
    c = to_local(R, sub3(centre, pos))
    q = (clamp(c[0], b[0]), clamp(c[1], b[1]), clamp(c[2], b[2]))
    u = unit3(sub3(q, c))
    dist = u[3]
    if dist - r > margin:
        return 0
    if dist <= MINVAL:
        depth, face = nearest_face(c, b)
        s = -1.0 if face & 1 else 1.0
        n = (s if face < 2 else 0.0, s if 2 <= face < 4 else 0.0, s if face >= 4 else 0.0)
        at = addscl3(c, n, (r - depth) / 2.0)
        dist = -depth
    else:
        n = (u[0], u[1], u[2])
        at = add3(scl3(q, 0.5), scl3(addscl3(c, n, r), 0.5))
    put(d, k, dist - r, add3(to_world(R, at), pos), to_world(R, n))
    return 1


@kernel("m d i i f", ret="i", fastmath=EXACT)
def sphere_box(m, d, g1, g2, margin):
    """One point; with the centre inside, through the nearest face."""
    return sphere_box_at(d, d.ncon, margin, ld3(d.geom_xpos, g1), m.geom_size[g1, 0], ld3(d.geom_xpos, g2),
                    ld9(d.geom_xmat, g2), ld3(m.geom_size, g2))


# ---------------------------------------------------------------- capsule: nearest feature of the box

@helper(fastmath=EXACT)
def end_over_face(s, end, best):
    """(d2, face): squared distance of a segment end to the box where it lies over a face or inside, else `best`.

    face is the axis of that face, -1 inside.
    """
    outside = 0
    face = -1
    d2 = 0.0
    for j in range(3):
        x = s[P + j] + s[H + j] * end
        over = 0.0
        if x < -s[B + j]:
            over = -s[B + j] - x
        elif x > s[B + j]:
            over = s[B + j] - x
        if over != 0.0:
            outside += 1
            face = j
        d2 += over * over
    if outside > 1:
        return best, -1
    return d2, face


@helper(fastmath=EXACT)
def edge_to_segment(s, j, corner, length):
    """Closest points of the box edge along axis j through `corner` and the capsule's segment.

    -> (d2, y, x, end): squared distance (negative when parallel), parameters on edge and segment in [-1, 1], and 0, 1
    or 2 for the lower end, middle or upper end of the edge.
    """
    # edge c + y b_j e_j and segment p + x h, y and x in [-1, 1]; e = c - p
    c = (0.0 if j == 0 else (s[B] if corner & 1 else -s[B]),
         0.0 if j == 1 else (s[B + 1] if corner & 2 else -s[B + 1]),
         0.0 if j == 2 else (s[B + 2] if corner & 4 else -s[B + 2]))
    h = (s[H], s[H + 1], s[H + 2])
    e = sub3(c, (s[P], s[P + 1], s[P + 2]))
    bj = s[B + j]
    ej = e[0] if j == 0 else (e[1] if j == 1 else e[2])
    # normal equations [[ma, mb], [mb, mc]] (y, x)' = (u, v)' of the two lines (Ericson, section 5.1.9)
    ma = bj * bj
    mb = -bj * s[H + j]
    mc = length * length
    u = -bj * ej
    v = dot3(h, e)
    det = ma * mc - mb * mb
    if abs(det) < MINVAL:
        return -1.0, 0.0, 0.0, 1
    # solve them and clamp y to the edge, with x for that y
    inv = 1.0 / det
    y = (mc * u - mb * v) * inv
    x = (ma * v - mb * u) * inv
    end = 1
    if y > 1.0:
        y = 1.0
        end = 2
        x = (v - mb) * (1.0 / mc)
    elif y < -1.0:
        y = -1.0
        end = 0
        x = (v + mb) * (1.0 / mc)
    # clamp x to the segment, with y for that x, and that to the edge
    if x > 1.0 or x < -1.0:
        x = 1.0 if x > 1.0 else -1.0
        y = (u - mb * x) * (1.0 / ma)
        if y > 1.0:
            y = 1.0
            end = 2
        elif y < -1.0:
            y = -1.0
            end = 0
    # vector between the closest points
    e = addscl3(e, h, -x)
    t = bj * y
    e = (e[0] + t if j == 0 else e[0], e[1] + t if j == 1 else e[1], e[2] + t if j == 2 else e[2])
    return dot3(e, e), y, x, end


# ---------------------------------------------------------------- capsule: how far along the second ball goes

@helper(fastmath=EXACT)
def span(s, length, j):
    """parameter distance along the segment over which it moves `length` along axis j"""
    h = abs(s[H + j])
    if h > 0.0:
        return length / h
    return FAR


@helper(fastmath=EXACT)
def beyond_corner(s, bits, x):
    """Offset of the second ball when a corner is nearest; `bits` tells per axis whether the segment leaves the box.

    Pointing straight at the corner or away from it there is none. Otherwise one axis differs from the other two: the
    second ball follows the edge along that axis if the segment does, else the face normal to it.
    """
    if bits == 0 or bits == 7:
        return NONE
    sign = 1.0
    if bits == 3 or bits == 5 or bits == 6:
        sign = -1.0
        bits = 7 - bits
    j = 0 if bits == 1 else (1 if bits == 2 else 2)
    if s[A + j] * s[A + j] > 0.5:
        return sign * min(1.0 - sign * x, span(s, 2.0 * s[B + j], j))
    j1 = (j + 1) % 3
    j2 = (j + 2) % 3
    return -sign * min(min(1.0 + sign * x, span(s, 2.0 * s[B + j1], j1)), span(s, 2.0 * s[B + j2], j2))


@helper(fastmath=EXACT)
def beyond_edge(s, bits, x, y, j, axisdir):
    """Offset of the second ball when the inside of the edge along j is nearest, at y; none if they form a T.

    It runs over the face that the segment is less inclined to, up to the far side of that face or the edge's end.
    """
    bits = bits & (7 - (1 << j))
    if bits != 1 and bits != 2 and bits != 4:
        return NONE
    j2 = (j + 2) % 3
    if abs(s[A + (j + 1) % 3]) > abs(s[A + j2]):
        j2 = (j + 1) % 3
    inward = (bits >> j2) & 1
    sign = 1.0 if inward == 1 else -1.0
    t = min(1.0 - sign * x, span(s, 2.0 * s[B + j2], j2))
    left = 1.0 - y if (axisdir >> j) & 1 == inward else 1.0 + y
    return sign * min(t, span(s, s[B + j] * left, j))


@helper(fastmath=EXACT)
def beyond_end(s, end, face):
    """Offset of the second ball when a segment end over `face` is nearest: to where the segment leaves the face."""
    if face < 0:
        return NONE
    t = 2.0
    for j in range(3):
        h = s[H + j]
        if j != face and h != 0.0:
            start = s[P + j] + h * end
            for k in range(2):
                e = ((s[B + j] if k == 0 else -s[B + j]) - start) / h * -end
                if 0.0 < e < t:
                    t = e
    return t * -end


@helper(fastmath=EXACT)
def ball_on_segment(d, k, margin, s, x, r, pos, R, b):
    """Test the ball at parameter x of the segment."""
    c = addscl3((s[P], s[P + 1], s[P + 2]), (s[H], s[H + 1], s[H + 2]), x)
    return sphere_box_at(d, k, margin, add3(to_world(R, c), pos), r, pos, R, b)


@kernel("m d i i f", ret="i", fastmath=EXACT)
def capsule_box(m, d, g1, g2, margin):
    """Up to two points: nearest the box, then along the face or edge."""
    # the segment p + x h, x in [-1, 1], in the frame of the box; axisdir: bits of the axes along which it ascends
    pos = ld3(d.geom_xpos, g2)
    R = ld9(d.geom_xmat, g2)
    b = ld3(m.geom_size, g2)
    r = m.geom_size[g1, 0]
    half = m.geom_size[g1, 1]
    s = stack(12)
    p = to_local(R, sub3(ld3(d.geom_xpos, g1), pos))
    a = to_local(R, z_axis(ld9(d.geom_xmat, g1)))
    axisdir = 0
    for j in range(3):
        s[P + j] = p[0] if j == 0 else (p[1] if j == 1 else p[2])
        s[A + j] = a[0] if j == 0 else (a[1] if j == 1 else a[2])
        s[B + j] = b[0] if j == 0 else (b[1] if j == 1 else b[2])
        s[H + j] = s[A + j] * half
        if s[H + j] > 0.0:
            axisdir |= 1 << j

    # nearest feature: -1 none, 0 face, 1 edge
    best = margin + 2.0 * (r + half + b[0] + b[1] + b[2])
    best *= best
    feature = -1
    # an end of the segment over a face or inside
    x = 0.0
    face = -1
    for k in range(2):
        end = 2.0 * k - 1.0
        d2, f = end_over_face(s, end, best)
        if d2 < best:
            best = d2
            feature = 0
            x = end
            face = f
    # the twelve edges of the box: axis j, and the corner i with bit j clear from which the edge starts
    edge = 0
    corner = 0
    where = 1
    y = 0.0
    for j in range(3):
        for i in range(8):
            if i & (1 << j) == 0:
                d2, yi, xi, end_i = edge_to_segment(s, j, i, half)
                if 0.0 <= d2 < best - MINVAL:
                    best = d2
                    feature = 1
                    x = xi
                    y = yi
                    where = end_i
                    edge = j
                    corner = i + (1 << j) if end_i == 2 else i
    # t: how far along the segment the second ball lies, by the nearest feature
    if feature < 0:
        return 0

    if feature == 0:
        t = beyond_end(s, x, face)
    elif where == 1:
        t = beyond_edge(s, axisdir ^ corner, x, y, edge, axisdir)
    else:
        t = beyond_corner(s, axisdir ^ corner, x)
    found = ball_on_segment(d, d.ncon, margin, s, x, r, pos, R, b)
    if t > -3.0:
        found += ball_on_segment(d, d.ncon + found, margin, s, t + x, r, pos, R, b)
    return found
