"""Cut a polygon, or an edge, by the sides of a face, and thin out what is left.

       _______
      |    ___|__      each side of the reference face cuts off what lies beyond it,
      |   |   |  |     looking along that face's normal
      |___|___|  |
          |______|

Room in ccd_polygon: nclip rows for the reference face, then twice 2 nclip rows between which the cut polygon goes back and forth.

Source: I. Sutherland, G. Hodgman, "Reentrant polygon clipping", Communications of the ACM 17, 1974; the rules for what is kept: the
official engine's contacts of random poses.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.collide.vectors import add3, addscl3, clip, cross3, dot3, sub3, unit3
from physics.enums import MINVAL
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, st3


@kernel("m d i i f f f", ret="i", fastmath=EXACT)
def clip_polygon(m, d, sides, corners, x, y, z):
    """Cut the polygon of `corners` corners in row nclip on by the sides of the face of normal (x, y, z) in row 0 on. -> corners left

    They are in the first half of the room where the number of sides is even, else in the second. Of an edge, a polygon of two corners,
    each point in which a side cuts it appears twice.

    Reads: ccd_polygon
    Writes: ccd_polygon
    """
    # Sutherland and Hodgman: cut by one side of the reference face after the other, back and forth between two buffers
    normal = (x, y, z)
    room = 2 * m.nclip
    src = m.nclip
    dst = m.nclip + room
    n = corners
    for e in range(sides):
        a = ld3(d.ccd_polygon, e)
        b = ld3(d.ccd_polygon, e + 1 if e + 1 < sides else 0)
        # the sum and difference bring the same rounding as officially: it decides between quads of equal area
        u = unit3(cross3(sub3(b, a), sub3(add3(a, normal), a)))
        inward = (u[0], u[1], u[2])
        # walk around the polygon from vertex p to q; *_at: signed distance inside the side's plane
        k = 0
        p = (0.0, 0.0, 0.0)
        p_in = False
        p_at = 0.0
        for i in range(n + 1):
            q = ld3(d.ccd_polygon, src + (i if i < n else 0))
            q_at = dot3(sub3(q, a), inward)
            q_in = q_at > -MINVAL
            if i > 0:
                # pq crosses the plane: the point where it does; then q, where it is inside
                if p_in != q_in and k < room:
                    st3(d.ccd_polygon, dst + k, addscl3(p, sub3(q, p), clip(p_at / (p_at - q_at), 0.0, 1.0)))
                    k += 1
                if q_in and k < room:
                    st3(d.ccd_polygon, dst + k, q)
                    k += 1
            p = q
            p_in = q_in
            p_at = q_at
        # the result is the next side's input
        n = k
        src, dst = dst, src
        if n == 0:
            return 0
    return n


@kernel("m d i i f f f f", ret="i", fastmath=EXACT)
def drop_above(m, d, row, n, x, y, z, reach):
    """Of the n points from `row` on keep those at most `reach` above row 0, along (x, y, z). -> their number

    Reads: ccd_polygon
    Writes: ccd_polygon
    """
    at = ld3(d.ccd_polygon, 0)
    kept = 0
    for i in range(n):
        p = ld3(d.ccd_polygon, row + i)
        if dot3(sub3(p, at), (x, y, z)) <= reach:
            st3(d.ccd_polygon, row + kept, p)
            kept += 1
    return kept


@helper(fastmath=EXACT)
def quad_area(d, row, n, a, b, c, e):
    """twice the area of the quad of four of the n corners from `row` on; numbers beyond n start anew"""
    one = sub3(ld3(d.ccd_polygon, row + c % n), ld3(d.ccd_polygon, row + a % n))
    two = sub3(ld3(d.ccd_polygon, row + e % n), ld3(d.ccd_polygon, row + b % n))
    x = cross3(one, two)
    return sqrt(dot3(x, x))


@kernel("m d i i", fastmath=EXACT)
def large_quad(m, d, row, n):
    """Write four of the n corners from `row` on that make a large quad to rows 0 to 3.

    The last corner goes on while that makes the area greater, then the one before it, then the one before that; then the first corner
    goes on and all is tried again.

    Reads: ccd_polygon
    Writes: ccd_polygon
    """
    # coordinate ascent of the area of the quad a, b, c, e: e first, then c, then b go on while it grows
    b = 1
    c = 2
    e = 3
    best = quad_area(d, row, n, 0, b, c, e)
    b0 = ld3(d.ccd_polygon, row + 1)
    a0 = ld3(d.ccd_polygon, row)
    c0 = ld3(d.ccd_polygon, row + 2)
    e0 = ld3(d.ccd_polygon, row + 3)
    left = 8 * n  # steps: more than a climb can need
    for a in range(n):
        while left > 0 and quad_area(d, row, n, a, b, c, e + 1) > best:
            e += 1
            left -= 1
            best = quad_area(d, row, n, a, b, c, e)
            # after each step of e: c, then b
            while left > 0 and quad_area(d, row, n, a, b, c + 1, e) > best:
                c += 1
                left -= 1
                best = quad_area(d, row, n, a, b, c, e)
            while left > 0 and quad_area(d, row, n, a, b + 1, c, e) > best:
                b += 1
                left -= 1
                best = quad_area(d, row, n, a, b, c, e)
            # the best quad so far, by its points
            a0 = ld3(d.ccd_polygon, row + a)
            b0 = ld3(d.ccd_polygon, row + b % n)
            c0 = ld3(d.ccd_polygon, row + c % n)
            e0 = ld3(d.ccd_polygon, row + e % n)
        # the next start a must stay before b, b before c, c before e
        if b % n == a:
            b += 1
            if c % n == b % n:
                c += 1
                if e % n == c % n:
                    e += 1
    st3(d.ccd_polygon, 0, a0)
    st3(d.ccd_polygon, 1, b0)
    st3(d.ccd_polygon, 2, c0)
    st3(d.ccd_polygon, 3, e0)


@kernel("m d i i", fastmath=EXACT)
def farthest_two(m, d, row, n):
    """Write the two of the n points from `row` on that are farthest apart to rows 0 and 1.

    Reads: ccd_polygon
    Writes: ccd_polygon
    """
    # all pairs: there are few points, the ends of a cut edge with their repetitions
    best = -1.0
    p = ld3(d.ccd_polygon, row)
    q = p
    for i in range(n):
        u = ld3(d.ccd_polygon, row + i)
        for j in range(i + 1, n):
            v = ld3(d.ccd_polygon, row + j)
            w = sub3(v, u)
            if dot3(w, w) > best:
                best = dot3(w, w)
                p = u
                q = v
    st3(d.ccd_polygon, 0, p)
    st3(d.ccd_polygon, 1, q)
