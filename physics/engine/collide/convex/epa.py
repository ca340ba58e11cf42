"""Expanding polytope: how deep two overlapping shapes lie in each other, and which way out is shortest.

A polytope inside the difference of the shapes, at first the tetrahedron that GJK left, grows at the face nearest to
the origin until that face lies on the surface of the difference:

      new point w                faces seen from w are taken away; each edge of the rim of
        / \\                      the hole then gets a face with w. The faces know their
    ___/___\\___                  neighbours, so the seen part is found by walking from the
       face                      nearest face outwards.

Source: G. van den Bergen, "Proximity queries and penetration depth computation on 3D game objects", GDC 2001;
"Collision Detection in Interactive 3D Environments", 2003, section 4.3.8.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.collide.convex.normal_refinement import SPARE, settles
from physics.engine.collide.convex.simplex import areas
from physics.engine.collide.convex.simplex_vertices import vertex
from physics.engine.collide.convex.support import difference_tip
from physics.engine.collide.vectors import EXACT, cross3, dot3, scl3, sub3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, st3, st4

FIRST = 6  # rows of ccd_vert after the tetrahedron: 4 is GJK's, 5 (SPARE) for points on the way
LEAST_ROOM, MOST_ROOM = 96, 1024  # rows of ccd_vert (nepa); shapes with curves make do with the least
TRIES = 1  # times that Newton steps are tried
HALFWAY = 0.05  # of the size: nearer to the surface, they are
BASIN = 0.97  # cosine: faces about a direction that Newton steps have settled need no more looking at
GONE = 1e300  # height of a face that was taken away
SLIVER = 1e200  # height of a face without a normal
ROUNDING = 1e-14  # of the size: heights below are none
CLOSE = 1e-11  # of the size: the nearest face lies on the surface
CURVED = 1e-6  # the same where a curved shape takes part
LEVEL = 1e-12  # of the size: faces of equal height
EIGHTHS = (1.0, 0.7071067811865476, 0.0, -0.7071067811865476, -1.0, -0.7071067811865476, 0.0, 0.7071067811865476)  # cosines of the eighths of a turn


@helper(fastmath=EXACT)
def make_face(d, f, a, b, c):
    """Write face f with corners a, b, c and its plane; neighbours are left open."""
    d.ccd_face[f, 0] = a
    d.ccd_face[f, 1] = b
    d.ccd_face[f, 2] = c
    d.ccd_seen[f] = -1
    p = vertex(d, a)
    q = vertex(d, b)
    r = vertex(d, c)
    e = sub3(q, p)
    g = sub3(r, p)
    n = cross3(e, g)
    h = dot3(n, n)
    if not h > 1e-28 * dot3(e, e) * dot3(g, g):
        st4(d.ccd_plane, f, (0.0, 0.0, 0.0, SLIVER))
        d.ccd_rank[f] = SLIVER
        return
    h = 1.0 / sqrt(h)
    n = scl3(n, h)
    height = (dot3(n, p) + dot3(n, q) + dot3(n, r)) / 3.0
    st4(d.ccd_plane, f, (n[0], n[1], n[2], height))
    d.ccd_rank[f] = height


@helper(fastmath=EXACT)
def across_points(p, q):
    """Some direction normal to segment pq."""
    e = sub3(q, p)
    x = abs(e[0])
    y = abs(e[1])
    z = abs(e[2])
    if x <= y and x <= z:
        return cross3(e, (1.0, 0.0, 0.0))
    if y <= z:
        return cross3(e, (0.0, 1.0, 0.0))
    return cross3(e, (0.0, 0.0, 1.0))


@helper(fastmath=EXACT)
def off_line(p, q, r):
    """squared distance of r from the line pq"""
    n = cross3(sub3(q, p), sub3(r, p))
    e = sub3(q, p)
    return dot3(n, n) / dot3(e, e)


@helper(fastmath=EXACT)
def height_over(p, q, r, s):
    """distance of s from the plane pqr, signed"""
    n = cross3(sub3(q, p), sub3(r, p))
    return dot3(n, sub3(s, p)) / sqrt(dot3(n, n))


@kernel("m d i", ret="i", fastmath=EXACT)
def complete_simplex(m, d, n):
    """Gather the n corners of GJK's simplex in rows 0 to 3 of ccd_vert and add points until it is a tetrahedron.

    -> 4, or fewer where the difference has no volume.
    Writes: ccd_vert, ccd_id
    """
    for i in range(n):
        k = d.ccd_simplex[i]
        if k != i:
            swap_rows(d, i, k)
            for j in range(i + 1, n):
                if d.ccd_simplex[j] == i:
                    d.ccd_simplex[j] = k
    size = 0.0
    for i in range(n):
        p = vertex(d, i)
        size = max(size, dot3(p, p))
    if n == 4 and not abs(height_over(vertex(d, 0), vertex(d, 1), vertex(d, 2), vertex(d, 3))) > 0.0:
        n = 3
    if n <= 1:
        n = 1
        for k in range(6):
            s = 1.0 if k < 3 else -1.0
            w = difference_tip(m, d, 1, (s if k % 3 == 0 else 0.0, s if k % 3 == 1 else 0.0, s if k % 3 == 2 else 0.0))
            e = sub3(w, vertex(d, 0))
            if dot3(e, e) > 1e-24 * max(size, dot3(w, w)):
                n = 2
                break
        if n == 1:
            return 1
    p = vertex(d, 0)
    q = vertex(d, 1)
    if n == 2:
        u = across_points(p, q)
        e = sub3(q, p)
        length = dot3(e, e)
        h = cross3(e, u)
        x = 1.0 / sqrt(dot3(u, u))
        y = 1.0 / sqrt(dot3(h, h))
        for k in range(8):
            c = EIGHTHS[k] * x
            s = EIGHTHS[(k + 6) % 8] * y
            w = difference_tip(m, d, 2, (c * u[0] + s * h[0], c * u[1] + s * h[1], c * u[2] + s * h[2]))
            if off_line(p, q, w) > 1e-20 * length:
                n = 3
                break
        if n == 2:
            return 2
    r = vertex(d, 2)
    if n == 3:
        u = cross3(sub3(q, p), sub3(r, p))
        for k in range(2):
            s = 1.0 if k == 0 else -1.0
            w = difference_tip(m, d, 3, scl3(u, s))
            e = sub3(w, p)
            if abs(height_over(p, q, r, w)) > 1e-12 * sqrt(dot3(e, e)):
                n = 4
                break
    return n



@helper
def swap_rows(d, i, k):
    """Swap rows i and k of ccd_vert and ccd_id."""
    for c in range(9):
        x = d.ccd_vert[i, c]
        d.ccd_vert[i, c] = d.ccd_vert[k, c]
        d.ccd_vert[k, c] = x
    for c in range(2):
        j = d.ccd_id[i, c]
        d.ccd_id[i, c] = d.ccd_id[k, c]
        d.ccd_id[k, c] = j


@helper
def join(d, f, i, g, j):
    """Make faces f and g neighbours across f's edge i and g's edge j."""
    d.ccd_face[f, 3 + i] = g
    d.ccd_face[g, 3 + j] = f


@helper(fastmath=EXACT)
def start_polytope(d):
    """Faces of the tetrahedron in rows 0 to 3, normals outwards."""
    a = 0
    b = 1
    if height_over(vertex(d, 0), vertex(d, 1), vertex(d, 2), vertex(d, 3)) > 0.0:
        a = 1
        b = 0
    # seen from outside: base a b 2, then three faces with corner 3
    make_face(d, 0, a, b, 2)
    make_face(d, 1, b, a, 3)
    make_face(d, 2, 2, b, 3)
    make_face(d, 3, a, 2, 3)
    join(d, 0, 0, 1, 0)
    join(d, 0, 1, 2, 0)
    join(d, 0, 2, 3, 0)
    join(d, 1, 1, 3, 2)
    join(d, 1, 2, 2, 1)
    join(d, 2, 2, 3, 1)


@helper(fastmath=EXACT)
def sees(d, f, w, least):
    """whether point w lies over face f"""
    n = d.ccd_plane[f, 0] * w[0] + d.ccd_plane[f, 1] * w[1] + d.ccd_plane[f, 2] * w[2]
    return d.ccd_plane[f, 3] == SLIVER or n - d.ccd_plane[f, 3] > -least


@helper(fastmath=EXACT)
def find_rim(d, f, w, stamp, least):
    """Mark the faces seen from w, starting with face f, and list the edges around them. -> (edges, faces seen), edges 0 where they form no ring"""
    d.ccd_seen[f] = stamp
    d.ccd_wait[0] = f
    count = 1
    done = 0
    edges = 0
    while done < count:
        g = d.ccd_wait[done]
        done += 1
        for i in range(3):
            other = d.ccd_face[g, 3 + i]
            if d.ccd_seen[other] != stamp:
                if sees(d, other, w, least):
                    d.ccd_seen[other] = stamp
                    d.ccd_wait[count] = other
                    count += 1
                else:
                    a = d.ccd_face[g, i]
                    d.ccd_rim[edges, 0] = a
                    d.ccd_rim[edges, 1] = d.ccd_face[g, (i + 1) % 3]
                    d.ccd_rim[edges, 2] = other
                    edges += 1
                    if d.ccd_from[a, 2] == stamp:
                        return 0, count
                    d.ccd_from[a, 2] = stamp
    for k in range(edges):
        if d.ccd_from[d.ccd_rim[k, 1], 2] != stamp:
            return 0, count
    return edges, count


@helper(fastmath=EXACT)
def close_hole(d, edges, seen, w, nface, nfree):
    """Replace the seen faces by faces from the rim to row w of ccd_vert. -> (rows of ccd_face in use, free rows among them)"""
    for k in range(seen):
        f = d.ccd_wait[k]
        d.ccd_rank[f] = GONE
        d.ccd_free[nfree] = f
        nfree += 1
    for k in range(edges):
        if nfree > 0:
            nfree -= 1
            f = d.ccd_free[nfree]
        else:
            f = nface
            nface += 1
        a = d.ccd_rim[k, 0]
        b = d.ccd_rim[k, 1]
        other = d.ccd_rim[k, 2]
        make_face(d, f, a, b, w)
        for j in range(3):
            if d.ccd_face[other, j] == b and d.ccd_face[other, (j + 1) % 3] == a:
                join(d, f, 0, other, j)
        d.ccd_from[a, 0] = f
        d.ccd_from[b, 1] = f
    for k in range(edges):
        b = d.ccd_rim[k, 1]
        join(d, d.ccd_from[b, 1], 1, d.ccd_from[b, 0], 2)
    return nface, nfree


@helper
def lowest_face(d, nface):
    """face nearest to the origin, of those that may still be moved"""
    best = 0
    for f in range(1, nface):
        if d.ccd_rank[f] < d.ccd_rank[best]:
            best = f
    return best


@helper
def known_point(d, w):
    """Whether row w of ccd_vert has the corners of an earlier row."""
    if d.ccd_id[w, 0] < 0 or d.ccd_id[w, 1] < 0:
        return False
    for k in range(w):
        if d.ccd_id[k, 0] == d.ccd_id[w, 0] and d.ccd_id[k, 1] == d.ccd_id[w, 1] and (k < 4 or k >= FIRST):
            return True
    return False


@helper(fastmath=EXACT)
def clip_weights(d):
    """Make the three shares in ccd_weight positive, with sum 1."""
    total = 0.0
    for i in range(3):
        if not d.ccd_weight[i] > 0.0:
            d.ccd_weight[i] = 0.0
        total += d.ccd_weight[i]
    for i in range(3):
        d.ccd_weight[i] = d.ccd_weight[i] / total
    d.ccd_weight[3] = 0.0


@helper(fastmath=EXACT)
def share_corners(d, nface, best, level):
    """Of the faces about as near as the best one, take the one that the origin's foot lies in. -> that face; shares to ccd_weight"""
    face = best
    most = -1e300
    for f in range(nface):
        if d.ccd_rank[f] <= d.ccd_rank[best] + level:
            u, v, w, plane = areas(vertex(d, d.ccd_face[f, 0]), vertex(d, d.ccd_face[f, 1]), vertex(d, d.ccd_face[f, 2]))
            least = min(u, min(v, w))
            if plane != 0.0 and least > most:
                most = least
                face = f
                d.ccd_weight[0] = u
                d.ccd_weight[1] = v
                d.ccd_weight[2] = w
    for i in range(3):
        d.ccd_simplex[i] = d.ccd_face[face, i]
    d.ccd_simplex[3] = -1
    clip_weights(d)
    return face


@helper(fastmath=EXACT)
def share_noted(d):
    """The same for the three corners in ccd_simplex."""
    u, v, w, _plane = areas(vertex(d, d.ccd_simplex[0]), vertex(d, d.ccd_simplex[1]), vertex(d, d.ccd_simplex[2]))
    d.ccd_weight[0] = u
    d.ccd_weight[1] = v
    d.ccd_weight[2] = w
    clip_weights(d)


@helper(fastmath=EXACT)
def note_best(d, f, height):
    """Keep face f's corners and normal as those along which the difference reaches least far."""
    d.ccd_depth[0] = height
    st3(d.ccd_try, 0, (d.ccd_plane[f, 0], d.ccd_plane[f, 1], d.ccd_plane[f, 2]))
    for i in range(3):
        d.ccd_simplex[i] = d.ccd_face[f, i]
    d.ccd_simplex[3] = -1


@kernel("m d i i", ret="i", fastmath=EXACT)
def epa(m, d, n, curved):
    """Grow GJK's simplex of n corners to the surface of the difference. -> 1, 0 where there is no volume.

    Of shapes without curves the direction is the normal of the nearest face. Of curved ones it is the one, among all that
    were looked at, along which the difference reaches least far; `polish` makes it exact.
    Reads: ccd_kind, ccd_at, ccd_turn, ccd_size, ccd_mesh
    Writes: ccd_vert, ccd_id, ccd_face, ccd_plane, ccd_rank, ccd_simplex, ccd_weight, ccd_try, ccd_depth, ccd_exact
    """
    if complete_simplex(m, d, n) < 4:
        return 0
    for k in range(4):
        d.ccd_from[k, 2] = -1
    start_polytope(d)
    size = 0.0
    for k in range(4):
        p = vertex(d, k)
        size = max(size, dot3(p, p))
    size = sqrt(size)
    close = CURVED if curved else CLOSE
    nface = 4
    nfree = 0
    best = 0
    d.ccd_depth[0] = GONE
    d.ccd_exact[0] = 0
    tries = 0
    w = FIRST
    room = LEAST_ROOM if curved else m.nepa
    for _ in range(3 * room):
        f = lowest_face(d, nface)
        if d.ccd_rank[f] >= SLIVER:
            break
        best = f
        if w == room:
            break
        normal = (d.ccd_plane[f, 0], d.ccd_plane[f, 1], d.ccd_plane[f, 2])
        if d.ccd_exact[0]:
            if d.ccd_plane[f, 3] >= d.ccd_depth[0] - close * size:
                break
            if dot3(normal, ld3(d.ccd_try, 0)) > BASIN:
                d.ccd_rank[f] = SLIVER
                continue
        p = difference_tip(m, d, w, normal)
        size = max(size, sqrt(dot3(p, p)))
        height = dot3(normal, p)
        if curved and height < d.ccd_depth[0]:
            note_best(d, f, height)
            d.ccd_exact[0] = 0
            if tries < TRIES and height - d.ccd_plane[f, 3] < HALFWAY * size:
                tries += 1
                settles(m, d, normal[0], normal[1], normal[2], size)
        if not min(height, d.ccd_depth[0]) - d.ccd_plane[f, 3] > close * size or known_point(d, w):
            break
        edges, seen = find_rim(d, f, p, w, ROUNDING * size)
        if edges < 3 or nface + edges - seen - nfree > 2 * room:
            break
        d.ccd_from[w, 2] = -1
        nface, nfree = close_hole(d, edges, seen, w, nface, nfree)
        w += 1
    if curved and d.ccd_depth[0] < GONE:
        share_noted(d)
    else:
        f = share_corners(d, nface, best, LEVEL * size)
        normal = (d.ccd_plane[f, 0], d.ccd_plane[f, 1], d.ccd_plane[f, 2])
        st3(d.ccd_try, 0, normal)
        d.ccd_depth[0] = d.ccd_plane[f, 3]
        if w == room:   # the surface was not reached: the difference reaches farther than the face
            d.ccd_depth[0] = dot3(normal, difference_tip(m, d, SPARE, normal))
    return 1
