"""Expanding polytope: how deep two overlapping shapes lie in each other, and which way out is shortest.

A polytope inside the difference of the shapes, at first the tetrahedron that GJK left, grows at the face nearest to
the origin until that face lies on the surface of the difference:

      new point w                faces visible from w are taken away; each edge of their
        / \\                      horizon then gets a face with w. The faces know their
    ___/___\\___                  neighbours, so the seen part is found by walking from the
       face                      nearest face outwards.

Source: G. van den Bergen, "Proximity queries and penetration depth computation on 3D game objects", GDC 2001;
"Collision Detection in Interactive 3D Environments", 2003, section 4.3.8.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.collide.convex.normal_refinement import SPARE_ROW, newton_converges
from physics.engine.collide.convex.simplex import plane_barycentric
from physics.engine.collide.convex.simplex_vertices import minkowski_vertex
from physics.engine.collide.convex.support import minkowski_support
from physics.engine.collide.vectors import cross3, dot3, scl3, sub3
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, st3, st4

FIRST_ROW = 6  # rows of ccd_vert after the tetrahedron: 4 is GJK's, 5 (SPARE_ROW) for points on the way
MIN_ROOM, MAX_ROOM = 96, 1024  # rows of ccd_vert (nepa); shapes with curves make do with the least
NEWTON_TRIES = 1  # times that Newton steps are tried
NEWTON_GAP = 0.05  # of the size: nearer to the surface, they are
BASIN = 0.97  # cosine: faces about a direction that Newton steps have settled need no more looking at
DELETED = 1e300  # height of a face that was taken away
DEGENERATE = 1e200  # height of a face without a normal
ROUNDING = 1e-14  # of the size: heights below are none
TOLERANCE = 1e-11  # of the size: the nearest face lies on the surface
TOLERANCE_CURVED = 1e-6  # the same where a curved shape takes part
EQUAL_DISTANCE = 1e-12  # of the size: faces of equal height
COS_EIGHTHS = (1.0, 0.7071067811865476, 0.0, -0.7071067811865476, -1.0, -0.7071067811865476, 0.0, 0.7071067811865476)  # cosines of the eighths of a turn


@helper(fastmath=EXACT)
def make_face(d, f, a, b, c):
    """Write face f with vertices a, b, c and its plane; neighbours are left open."""
    d.ccd_face[f, 0] = a
    d.ccd_face[f, 1] = b
    d.ccd_face[f, 2] = c
    d.ccd_facemark[f] = -1
    # n = e x g, whose length is that of the edges times the sine between them: below 1e-14 the triangle is a line and has no plane
    p = minkowski_vertex(d, a)
    q = minkowski_vertex(d, b)
    r = minkowski_vertex(d, c)
    e = sub3(q, p)
    g = sub3(r, p)
    n = cross3(e, g)
    h = dot3(n, n)
    if not h > 1e-28 * dot3(e, e) * dot3(g, g):
        st4(d.ccd_plane, f, (0.0, 0.0, 0.0, DEGENERATE))
        d.ccd_facedist[f] = DEGENERATE
        return
    # distance of the plane from the origin, as the mean over the vertices: their rounding errors cancel in part
    h = 1.0 / sqrt(h)
    n = scl3(n, h)
    height = (dot3(n, p) + dot3(n, q) + dot3(n, r)) / 3.0
    st4(d.ccd_plane, f, (n[0], n[1], n[2], height))
    d.ccd_facedist[f] = height


@helper(fastmath=EXACT)
def perpendicular(p, q):
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
def line_distance2(p, q, r):
    """squared distance of r from the line pq"""
    n = cross3(sub3(q, p), sub3(r, p))
    e = sub3(q, p)
    return dot3(n, n) / dot3(e, e)


@helper(fastmath=EXACT)
def plane_distance(p, q, r, s):
    """distance of s from the plane pqr, signed"""
    n = cross3(sub3(q, p), sub3(r, p))
    return dot3(n, sub3(s, p)) / sqrt(dot3(n, n))


@kernel("m d i", ret="i", fastmath=EXACT)
def complete_tetrahedron(m, d, n):
    """Gather the n vertices of GJK's simplex in rows 0 to 3 of ccd_vert and add points until it is a tetrahedron.

    -> 4, or fewer where the difference has no volume.
    Writes: ccd_vert, ccd_vertid
    """
    # bring the simplex to rows 0 to n - 1
    for i in range(n):
        k = d.ccd_simplex[i]
        if k != i:
            swap_rows(d, i, k)
            for j in range(i + 1, n):
                if d.ccd_simplex[j] == i:
                    d.ccd_simplex[j] = k
    # a tetrahedron without volume counts as a triangle
    size = 0.0
    for i in range(n):
        p = minkowski_vertex(d, i)
        size = max(size, dot3(p, p))
    if n == 4 and not abs(plane_distance(minkowski_vertex(d, 0), minkowski_vertex(d, 1), minkowski_vertex(d, 2), minkowski_vertex(d, 3))) > 0.0:
        n = 3
    # a point: the first support point along an axis that is another one makes it a segment
    if n <= 1:
        n = 1
        for k in range(6):
            s = 1.0 if k < 3 else -1.0
            w = minkowski_support(m, d, 1, (s if k % 3 == 0 else 0.0, s if k % 3 == 1 else 0.0, s if k % 3 == 2 else 0.0))
            e = sub3(w, minkowski_vertex(d, 0))
            if dot3(e, e) > 1e-24 * max(size, dot3(w, w)):
                n = 2
                break
        if n == 1:
            return 1
    # a segment pq: support points along eight directions u normal to it, an eighth of a turn apart, until one is off the line
    p = minkowski_vertex(d, 0)
    q = minkowski_vertex(d, 1)
    if n == 2:
        u = perpendicular(p, q)
        e = sub3(q, p)
        length = dot3(e, e)
        h = cross3(e, u)
        x = 1.0 / sqrt(dot3(u, u))
        y = 1.0 / sqrt(dot3(h, h))
        # cosines and sines of the eighths, divided by the lengths of u and of h = (q - p) x u
        for k in range(8):
            c = COS_EIGHTHS[k] * x
            s = COS_EIGHTHS[(k + 6) % 8] * y
            w = minkowski_support(m, d, 2, (c * u[0] + s * h[0], c * u[1] + s * h[1], c * u[2] + s * h[2]))
            if line_distance2(p, q, w) > 1e-20 * length:
                n = 3
                break
        if n == 2:
            return 2
    # a triangle pqr: support points along its normal and against it, until one is off the plane
    r = minkowski_vertex(d, 2)
    if n == 3:
        u = cross3(sub3(q, p), sub3(r, p))
        for k in range(2):
            s = 1.0 if k == 0 else -1.0
            w = minkowski_support(m, d, 3, scl3(u, s))
            e = sub3(w, p)
            if abs(plane_distance(p, q, r, w)) > 1e-12 * sqrt(dot3(e, e)):
                n = 4
                break
    return n


@helper
def swap_rows(d, i, k):
    """Swap rows i and k of ccd_vert and ccd_vertid."""
    for c in range(9):
        x = d.ccd_vert[i, c]
        d.ccd_vert[i, c] = d.ccd_vert[k, c]
        d.ccd_vert[k, c] = x
    for c in range(2):
        j = d.ccd_vertid[i, c]
        d.ccd_vertid[i, c] = d.ccd_vertid[k, c]
        d.ccd_vertid[k, c] = j


@helper
def link_faces(d, f, i, g, j):
    """Make faces f and g neighbours across f's edge i and g's edge j."""
    d.ccd_face[f, 3 + i] = g
    d.ccd_face[g, 3 + j] = f


@helper(fastmath=EXACT)
def start_polytope(d):
    """Faces of the tetrahedron in rows 0 to 3, normals outwards."""
    a = 0
    b = 1
    if plane_distance(minkowski_vertex(d, 0), minkowski_vertex(d, 1), minkowski_vertex(d, 2), minkowski_vertex(d, 3)) > 0.0:
        a = 1
        b = 0
    # seen from outside: base a b 2, then three faces with corner 3
    make_face(d, 0, a, b, 2)
    make_face(d, 1, b, a, 3)
    make_face(d, 2, 2, b, 3)
    make_face(d, 3, a, 2, 3)
    link_faces(d, 0, 0, 1, 0)
    link_faces(d, 0, 1, 2, 0)
    link_faces(d, 0, 2, 3, 0)
    link_faces(d, 1, 1, 3, 2)
    link_faces(d, 1, 2, 2, 1)
    link_faces(d, 2, 2, 3, 1)


@helper(fastmath=EXACT)
def is_visible(d, f, w, least):
    """whether point w lies over face f"""
    n = d.ccd_plane[f, 0] * w[0] + d.ccd_plane[f, 1] * w[1] + d.ccd_plane[f, 2] * w[2]
    return d.ccd_plane[f, 3] == DEGENERATE or n - d.ccd_plane[f, 3] > -least


@helper(fastmath=EXACT)
def find_horizon(d, f, w, stamp, least):
    """Mark the faces visible from w, starting with face f, and list their horizon, the edges around them. -> (edges, visible faces), edges 0 where they form no ring"""
    # flood fill from f over the faces that w sees; ccd_facestack holds those whose neighbours are still to be looked at
    d.ccd_facemark[f] = stamp
    d.ccd_facestack[0] = f
    count = 1
    done = 0
    nedge = 0
    while done < count:
        g = d.ccd_facestack[done]
        done += 1
        for i in range(3):
            other = d.ccd_face[g, 3 + i]
            # a neighbour that w sees goes on the stack; the edge to one that it does not see is on the horizon
            if d.ccd_facemark[other] != stamp:
                if is_visible(d, other, w, least):
                    d.ccd_facemark[other] = stamp
                    d.ccd_facestack[count] = other
                    count += 1
                else:
                    a = d.ccd_face[g, i]
                    d.ccd_horizon[nedge, 0] = a
                    d.ccd_horizon[nedge, 1] = d.ccd_face[g, (i + 1) % 3]
                    d.ccd_horizon[nedge, 2] = other
                    nedge += 1
                    # an edge that starts where another did: rounding has made the seen part no disc
                    if d.ccd_horizonlink[a, 2] == stamp:
                        return 0, count
                    d.ccd_horizonlink[a, 2] = stamp
    # the horizon is a ring where each edge ends at the start of another
    for k in range(nedge):
        if d.ccd_horizonlink[d.ccd_horizon[k, 1], 2] != stamp:
            return 0, count
    return nedge, count


@helper(fastmath=EXACT)
def fill_horizon(d, nedge, nseen, w, nface, nfree):
    """Replace the visible faces by faces from the horizon to row w of ccd_vert. -> (rows of ccd_face in use, free rows among them)"""
    # the visible faces go; their rows are used again first
    for k in range(nseen):
        f = d.ccd_facestack[k]
        d.ccd_facedist[f] = DELETED
        d.ccd_freeface[nfree] = f
        nfree += 1
    # a fan: one face a, b, w over each horizon edge ab, linked across ab to the face that stays there
    for k in range(nedge):
        if nfree > 0:
            nfree -= 1
            f = d.ccd_freeface[nfree]
        else:
            f = nface
            nface += 1
        a = d.ccd_horizon[k, 0]
        b = d.ccd_horizon[k, 1]
        other = d.ccd_horizon[k, 2]
        make_face(d, f, a, b, w)
        for j in range(3):
            if d.ccd_face[other, j] == b and d.ccd_face[other, (j + 1) % 3] == a:
                link_faces(d, f, 0, other, j)
        d.ccd_horizonlink[a, 0] = f
        d.ccd_horizonlink[b, 1] = f
    # neighbours within the fan: the face that ends at b and the one that starts there share the edge bw
    for k in range(nedge):
        b = d.ccd_horizon[k, 1]
        link_faces(d, d.ccd_horizonlink[b, 1], 1, d.ccd_horizonlink[b, 0], 2)
    return nface, nfree


@helper
def closest_face(d, nface):
    """face nearest to the origin, of those that may still be moved"""
    best = 0
    for f in range(1, nface):
        if d.ccd_facedist[f] < d.ccd_facedist[best]:
            best = f
    return best


@helper
def repeats_vertex(d, w):
    """Whether row w of ccd_vert has the vertices of an earlier row."""
    if d.ccd_vertid[w, 0] < 0 or d.ccd_vertid[w, 1] < 0:
        return False
    for k in range(w):
        same = d.ccd_vertid[k, 0] == d.ccd_vertid[w, 0] or d.ccd_onevertex[0] != 0
        if same and d.ccd_vertid[k, 1] == d.ccd_vertid[w, 1] and (k < 4 or k >= FIRST_ROW):
            return True
    return False


@helper(fastmath=EXACT)
def clamp_barycentric(d):
    """Clamp the three barycentric coordinates to be positive, with sum 1."""
    total = 0.0
    for i in range(3):
        if not d.ccd_barycentric[i] > 0.0:
            d.ccd_barycentric[i] = 0.0
        total += d.ccd_barycentric[i]
    for i in range(3):
        d.ccd_barycentric[i] = d.ccd_barycentric[i] / total
    d.ccd_barycentric[3] = 0.0


@helper(fastmath=EXACT)
def face_of_projection(d, nface, best, level):
    """Of the faces about as near as the best one, take the one that the origin's projection lies in. -> that face; its barycentric coordinates go to ccd_barycentric"""
    # coplanar facets of the difference come as several triangles: the projection lies in the one whose least barycentric coordinate is largest
    face = best
    most = -1e300
    for f in range(nface):
        if d.ccd_facedist[f] <= d.ccd_facedist[best] + level:
            u, v, w, plane = plane_barycentric(minkowski_vertex(d, d.ccd_face[f, 0]), minkowski_vertex(d, d.ccd_face[f, 1]), minkowski_vertex(d, d.ccd_face[f, 2]))
            least = min(u, min(v, w))
            if plane != 0.0 and least > most:
                most = least
                face = f
                d.ccd_barycentric[0] = u
                d.ccd_barycentric[1] = v
                d.ccd_barycentric[2] = w
    for i in range(3):
        d.ccd_simplex[i] = d.ccd_face[face, i]
    d.ccd_simplex[3] = -1
    clamp_barycentric(d)
    return face


@helper(fastmath=EXACT)
def barycentric_of_best(d):
    """The same for the three vertices in ccd_simplex."""
    u, v, w, _plane = plane_barycentric(minkowski_vertex(d, d.ccd_simplex[0]), minkowski_vertex(d, d.ccd_simplex[1]), minkowski_vertex(d, d.ccd_simplex[2]))
    d.ccd_barycentric[0] = u
    d.ccd_barycentric[1] = v
    d.ccd_barycentric[2] = w
    clamp_barycentric(d)


@helper(fastmath=EXACT)
def keep_best_face(d, f, height):
    """Keep face f's vertices and normal as those along which the difference reaches least far."""
    d.ccd_depth[0] = height
    st3(d.ccd_dir, 0, (d.ccd_plane[f, 0], d.ccd_plane[f, 1], d.ccd_plane[f, 2]))
    for i in range(3):
        d.ccd_simplex[i] = d.ccd_face[f, i]
    d.ccd_simplex[3] = -1


@kernel("m d i i", ret="i", fastmath=EXACT)
def epa(m, d, n, curved):
    """Expand GJK's simplex of n vertices to the surface of the Minkowski difference (expanding polytope algorithm). -> 1, 0 where there is no volume.

    Of shapes without curves the direction is the normal of the nearest face. Of curved ones it is the one, among all that
    were looked at, along which the difference reaches least far; `refine_normal` makes it exact.
    Reads: ccd_shape, ccd_relpos, ccd_relmat, ccd_size, ccd_mesh
    Writes: ccd_vert, ccd_vertid, ccd_face, ccd_plane, ccd_facedist, ccd_simplex, ccd_barycentric, ccd_dir, ccd_depth, ccd_converged
    """
    # the polytope begins as a tetrahedron of points of the Minkowski difference
    if complete_tetrahedron(m, d, n) < 4:
        return 0
    for k in range(4):
        d.ccd_horizonlink[k, 2] = -1
    start_polytope(d)
    # size, the largest norm of a point, scales all tolerances
    size = 0.0
    for k in range(4):
        p = minkowski_vertex(d, k)
        size = max(size, dot3(p, p))
    size = sqrt(size)
    tolerance = TOLERANCE_CURVED if curved else TOLERANCE
    # ccd_depth: the least support value met so far, an upper bound of the depth; the distance of the nearest face is a lower bound
    nface = 4
    nfree = 0
    best = 0
    d.ccd_depth[0] = DELETED
    d.ccd_converged[0] = 0
    tries = 0
    w = FIRST_ROW
    max_vertices = MIN_ROOM if curved else m.nepa
    # expand the face nearest to the origin until both bounds meet (van den Bergen 2003, section 4.3.8)
    for _ in range(3 * max_vertices):
        f = closest_face(d, nface)
        if d.ccd_facedist[f] >= DEGENERATE:
            break
        best = f
        if w == max_vertices:
            break
        # a direction from Newton's method is a local minimum: only faces of smaller distance that are not about it may hide a lesser one
        normal = (d.ccd_plane[f, 0], d.ccd_plane[f, 1], d.ccd_plane[f, 2])
        if d.ccd_converged[0]:
            if d.ccd_plane[f, 3] >= d.ccd_depth[0] - tolerance * size:
                break
            if dot3(normal, ld3(d.ccd_dir, 0)) > BASIN:
                d.ccd_facedist[f] = DEGENERATE
                continue
        # support point along the face's normal; height, the support value, bounds the depth from above
        p = minkowski_support(m, d, w, normal)
        size = max(size, sqrt(dot3(p, p)))
        height = dot3(normal, p)
        # of curved shapes the best direction is kept; where it is nearly there Newton's method takes it to the minimum
        if curved and height < d.ccd_depth[0]:
            keep_best_face(d, f, height)
            d.ccd_converged[0] = 0
            if tries < NEWTON_TRIES and height - d.ccd_plane[f, 3] < NEWTON_GAP * size:
                tries += 1
                newton_converges(m, d, normal[0], normal[1], normal[2], size)
        # nothing to gain beyond the face, or a point met before: the face lies on the surface
        if not min(height, d.ccd_depth[0]) - d.ccd_plane[f, 3] > tolerance * size or repeats_vertex(d, w):
            break
        # replace the faces that the new point sees by a fan from the horizon to it
        nedge, nseen = find_horizon(d, f, p, w, ROUNDING * size)
        if nedge < 3 or nface + nedge - nseen - nfree > 2 * max_vertices:
            break
        d.ccd_horizonlink[w, 2] = -1
        nface, nfree = fill_horizon(d, nedge, nseen, w, nface, nfree)
        w += 1
    # barycentric coordinates of the origin's projection on the face give the witness points
    if curved and d.ccd_depth[0] < DELETED:
        barycentric_of_best(d)
    else:
        f = face_of_projection(d, nface, best, EQUAL_DISTANCE * size)
        normal = (d.ccd_plane[f, 0], d.ccd_plane[f, 1], d.ccd_plane[f, 2])
        st3(d.ccd_dir, 0, normal)
        d.ccd_depth[0] = d.ccd_plane[f, 3]
        if w == max_vertices:   # the surface was not reached: the difference reaches farther than the face
            d.ccd_depth[0] = dot3(normal, minkowski_support(m, d, SPARE_ROW, normal))
    return 1
