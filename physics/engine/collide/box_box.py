"""Contacts of two boxes: separating axes, then a face manifold or a single edge-edge point.

Fifteen directions can separate two boxes: three face normals each and nine cross products of edges. The one along
which they are farthest apart (or least deep) decides. If it is a face normal, the facing face of the other box is cut
to the outline of that face and every corner of the cut polygon within reach becomes a point; if it is a cross product,
the closest points of the two supporting edges give one point.

         ____________
        |   box 2    |        incident face: lower side of box 2
     ___|____________|___     points: its corners cut to the reference face,
    |   x  box 1     x   |    midway between the two surfaces
    |____________________|

Pair geometry on the stack `w`: rotation box2 -> box1 (ROT), centre of box 2 in box 1 (P21) and of box 1 in box 2
(P12), half sizes (S1, S2).

Source: S. Gottschalk, M. Lin, D. Manocha, "OBBTree", SIGGRAPH 1996, section 5 (separating axes); I. Sutherland,
G. Hodgman, "Reentrant polygon clipping", CACM 17, 1974; thresholds as measured on the reference engine.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.collide.contact import put
from physics.engine.collide.vectors import add3, addscl3, clip, dot3, scl3, sub3, to_local, to_world, unit3
from physics.enums import MINVAL
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, ld9
from physics.kernels.simd import stack

ROT, P21, P12, S1, S2 = 0, 9, 12, 15, 18  # places on the stack w, 21 numbers
HALF = 36  # numbers per polygon buffer: 12 corners of (x, y, height)
MAXCORNER = 12
SLACK = 1e-13  # of the summed half sizes: rounding of a separation
PARALLEL = 1e-16  # squared sine below which two edges have no common normal
AMBIGUOUS = 1e-9  # component of the axis below which both corners support it
SAME = 1e-14  # squared relative distance of equal polygon corners
EDGE_BIAS = 1e-6  # an edge axis must be better than a face axis by this share
ALIKE = 0.99  # cosine above which an edge axis repeats the best face axis ...
BETTER = 0.05  # ... unless it is better by this share of the depth
HUGE = 1e10


# ---------------------------------------------------------------- separating axes

@helper(fastmath=EXACT)
def face_separation(w, f):
    """distance of the boxes along face normal f: 0-2 of box 1, 3-5 of box 2; negative when they overlap"""
    if f < 3:
        other = abs(w[3 * f]) * w[S2] + abs(w[3 * f + 1]) * w[S2 + 1] + abs(w[3 * f + 2]) * w[S2 + 2]
        return abs(w[P21 + f]) - w[S1 + f] - other
    f -= 3
    other = abs(w[f]) * w[S1] + abs(w[3 + f]) * w[S1 + 1] + abs(w[6 + f]) * w[S1 + 2]
    return abs(w[P12 + f]) - w[S2 + f] - other


@helper(fastmath=EXACT)
def edge_separation(w, i, j):
    """distance along (axis i of box 1) x (axis j of box 2), or -HUGE if these are parallel"""
    i1 = (i + 1) % 3
    i2 = (i + 2) % 3
    n1 = -w[3 * i2 + j]
    n2 = w[3 * i1 + j]
    s2 = n1 * n1 + n2 * n2
    if s2 < PARALLEL:
        return -HUGE
    inv = 1.0 / sqrt(s2)
    n1 *= inv
    n2 *= inv
    own = w[S1 + i1] * abs(n1) + w[S1 + i2] * abs(n2)
    j1 = (j + 1) % 3
    j2 = (j + 2) % 3
    q1 = n1 * w[3 * i1 + j1] + n2 * w[3 * i2 + j1]
    q2 = n1 * w[3 * i1 + j2] + n2 * w[3 * i2 + j2]
    other = w[S2 + j1] * abs(q1) + w[S2 + j2] * abs(q2)
    return abs(n1 * w[P21 + i1] + n2 * w[P21 + i2]) - own - other


@helper(fastmath=EXACT)
def edge_normal(w, i, j):
    """unit (axis i of box 1) x (axis j of box 2) in box 1"""
    c = w[j], w[3 + j], w[6 + j]
    if i == 0:
        u = unit3((0.0, -c[2], c[1]))
    elif i == 1:
        u = unit3((c[2], 0.0, -c[0]))
    else:
        u = unit3((-c[1], c[0], 0.0))
    return u[0], u[1], u[2]


@helper(fastmath=EXACT)
def repeats_face(w, i, j, f):
    """whether edge axis (i, j) is within 8 degrees of face normal f"""
    n = edge_normal(w, i, j)
    if f < 3:
        c = n[0] if f == 0 else (n[1] if f == 1 else n[2])
    else:
        c = dot3(n, (w[f - 3], w[f], w[f + 3]))
    return abs(c) > ALIKE


@helper(fastmath=EXACT)
def better_edge(w, reach, face_best, best, axis, i, j):
    """(best, axis) after a look at edge axis (i, j); axis -1 where it, or one before, separates the boxes"""
    if axis < 0:
        return best, axis
    sep = edge_separation(w, i, j)
    if sep > reach:
        return best, -1
    if sep > -HUGE and sep - EDGE_BIAS * abs(sep) > best and sep > face_best:
        return sep, 6 + 3 * i + j
    return best, axis


@helper(fastmath=EXACT)
def deciding_axis(w, reach):
    """Axis of largest separation: 0-2 and 3-5 face normals, 6 + 3 i + j edges; -1 when farther apart than `reach`.

    Equal faces: the first. Faces are preferred over edges that are hardly better, because they give several points.
    """
    # the six face normals; the first that separates by more than reach ends it
    face_best = -HUGE
    face = -1
    for f in range(6):
        sep = face_separation(w, f)
        if sep > reach:
            return -1
        if sep > face_best:
            face_best = sep
            face = f
    best = face_best
    axis = face
    # written out: the indices are then constants
    best, axis = better_edge(w, reach, face_best, best, axis, 0, 0)
    best, axis = better_edge(w, reach, face_best, best, axis, 0, 1)
    best, axis = better_edge(w, reach, face_best, best, axis, 0, 2)
    best, axis = better_edge(w, reach, face_best, best, axis, 1, 0)
    best, axis = better_edge(w, reach, face_best, best, axis, 1, 1)
    best, axis = better_edge(w, reach, face_best, best, axis, 1, 2)
    best, axis = better_edge(w, reach, face_best, best, axis, 2, 0)
    best, axis = better_edge(w, reach, face_best, best, axis, 2, 1)
    best, axis = better_edge(w, reach, face_best, best, axis, 2, 2)
    if axis < 0:
        return -1
    # an edge axis that nearly repeats the best face normal gives way to it, for a face manifold is steadier
    if axis >= 6 and best < face_best + BETTER * abs(face_best) + MINVAL:
        if repeats_face(w, (axis - 6) // 3, (axis - 6) % 3, face):
            return face
    return axis


# ---------------------------------------------------------------- edge against edge

@helper(fastmath=EXACT)
def support_edge(n, size, j, flip):
    """Midpoint of the box edge along axis j that supports direction n.

    flip: the corner component that is mirrored, -1 none.
    """
    x = size[0] if n[0] >= 0.0 else -size[0]
    y = size[1] if n[1] >= 0.0 else -size[1]
    z = size[2] if n[2] >= 0.0 else -size[2]
    return (0.0 if j == 0 else (-x if flip == 0 else x), 0.0 if j == 1 else (-y if flip == 1 else y),
            0.0 if j == 2 else (-z if flip == 2 else z))


@helper(fastmath=EXACT)
def doubtful(n, j):
    """component of n (other than j) so small that both corners support it: (j+1)%3 before (j+2)%3, -1 none"""
    a = abs(n[1]) if j == 0 else (abs(n[2]) if j == 1 else abs(n[0]))
    b = abs(n[2]) if j == 0 else (abs(n[0]) if j == 1 else abs(n[1]))
    if a < AMBIGUOUS:
        return (j + 1) % 3
    if b < AMBIGUOUS:
        return (j + 2) % 3
    return -1


@helper(fastmath=EXACT)
def edge_contact(d, w, axis, reach, pos1, R1):
    """Write the point between the supporting edges of edge axis (i, j). -> 0 or 1"""
    # n, the common normal of edge i of box 1 and edge j of box 2, from box 1 to box 2; all in the frame of box 1
    i = (axis - 6) // 3
    j = (axis - 6) % 3
    R = (w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8])
    p21 = (w[P21], w[P21 + 1], w[P21 + 2])
    size1 = (w[S1], w[S1 + 1], w[S1 + 2])
    size2 = (w[S2], w[S2 + 1], w[S2 + 2])
    n = edge_normal(w, i, j)
    if dot3(n, p21) < 0.0:
        n = (-n[0], -n[1], -n[2])
    # box 2 supports -n; ambiguous components: try both corners, keep the closest pair of edges
    m2 = to_local(R, n)
    doubt1 = doubtful(n, i)
    doubt2 = doubtful(m2, j)
    # edges c1 + s e_i and c2 + t d2; b, the cosine between them
    d2 = (w[j], w[3 + j], w[6 + j])
    b = d2[0] if i == 0 else (d2[1] if i == 1 else d2[2])
    denom = 1.0 - b * b
    best = HUGE
    w1 = (0.0, 0.0, 0.0)
    w2 = (0.0, 0.0, 0.0)
    for v in range(4):
        flip1 = doubt1 if v & 2 else -1
        flip2 = doubt2 if v & 1 else -1
        if (v & 2 == 0 or doubt1 >= 0) and (v & 1 == 0 or doubt2 >= 0):
            c1 = support_edge(n, size1, i, flip1)
            k2 = support_edge(m2, size2, j, flip2)
            c2 = add3(to_world(R, (-k2[0], -k2[1], -k2[2])), p21)
            # closest points of two segments: s of the lines, t for it, then s for t, clamped to the half sizes (Ericson, section 5.1.9)
            e = sub3(c2, c1)
            ei = e[0] if i == 0 else (e[1] if i == 1 else e[2])
            de = dot3(d2, e)
            s = 0.0
            if denom >= MINVAL:
                s = (ei - b * de) / denom
            s = clip(s, -w[S1 + i], w[S1 + i])
            t = clip(b * s - de, -w[S2 + j], w[S2 + j])
            s = clip(ei + b * t, -w[S1 + i], w[S1 + i])
            q1 = (c1[0] + s if i == 0 else c1[0], c1[1] + s if i == 1 else c1[1], c1[2] + s if i == 2 else c1[2])
            q2 = addscl3(c2, d2, t)
            # of the candidate pairs of edges the closest one counts
            g = sub3(q2, q1)
            g2 = dot3(g, g)
            if g2 < best:
                best = g2
                w1 = q1
                w2 = q2
    # signed distance along n; the contact is midway
    dist = dot3(sub3(w2, w1), n)
    if dist > reach:
        return 0
    put(d, d.ncon, dist, add3(to_world(R1, scl3(add3(w1, w2), 0.5)), pos1), to_world(R1, n))
    return 1


# ---------------------------------------------------------------- face against face

@helper(fastmath=EXACT)
def clip_by_slab(poly, cur, n, coord, sign, limit):
    """Clip the polygon of n corners at poly[cur:] to sign * coordinate <= limit.

    -> (n, cur) of the result, which lies in the other buffer unless nothing had to be cut.
    """
    outside = 0
    for k in range(n):
        if sign * poly[cur + 3 * k + coord] - limit > 0.0:
            outside += 1
    if outside == 0:
        return n, cur
    out = HALF - cur
    m = 0
    for k in range(n):
        p = cur + 3 * k
        q = cur if k + 1 == n else p + 3
        hp = sign * poly[p + coord] - limit
        hq = sign * poly[q + coord] - limit
        if hp <= 0.0 and m < MAXCORNER:
            for c in range(3):
                poly[out + 3 * m + c] = poly[p + c]
            m += 1
        if ((hp < 0.0 and hq > 0.0) or (hp > 0.0 and hq < 0.0)) and m < MAXCORNER:
            t = hp / (hp - hq)
            for c in range(3):
                poly[out + 3 * m + c] = poly[p + c] + t * (poly[q + c] - poly[p + c])
            m += 1
    return m, out


@helper(fastmath=EXACT)
def keep_in_reach(poly, cur, n, margin, radius2):
    """Drop polygon corners higher than margin or equal to an earlier one; -> how many stay, in front"""
    kept = 0
    for k in range(n):
        x = poly[cur + 3 * k]
        y = poly[cur + 3 * k + 1]
        h = poly[cur + 3 * k + 2]
        if h <= margin:
            fresh = True
            for q in range(kept):
                dx = poly[cur + 3 * q] - x
                dy = poly[cur + 3 * q + 1] - y
                if dx * dx + dy * dy < radius2:
                    fresh = False
            if fresh:
                poly[cur + 3 * kept] = x
                poly[cur + 3 * kept + 1] = y
                poly[cur + 3 * kept + 2] = h
                kept += 1
    return kept


@helper(fastmath=EXACT)
def incident_face(w, poly, face, sgn):
    """Corners of the face of the incident box most opposed to the reference normal, as (x, y, height) at poly[0:].

    x and y run along the two other axes of the reference box, height above its face.
    """
    first = face < 3
    a = face if first else face - 3
    size = S2 if first else S1
    centre = P21 if first else P12
    # component c of incident axis k in the reference frame is w[c * row + k * col]
    row = 3 if first else 1
    col = 1 if first else 3
    k = 0
    for c in range(1, 3):
        if abs(w[a * row + c * col]) > abs(w[a * row + k * col]):
            k = c
    toward = -1.0 if sgn * w[a * row + k * col] > 0.0 else 1.0
    u = (k + 1) % 3
    v = (k + 2) % 3
    for r in range(3):
        c = (a + 1 + r) % 3  # the reference axes x, y, then the normal
        mid = w[centre + c] + toward * w[size + k] * w[c * row + k * col]
        du = w[size + u] * w[c * row + u * col]
        dv = w[size + v] * w[c * row + v * col]
        if r == 2:
            mid = sgn * mid - w[(S1 if first else S2) + a]
            du *= sgn
            dv *= sgn
        poly[r] = mid + du + dv
        poly[3 + r] = mid - du + dv
        poly[6 + r] = mid - du - dv
        poly[9 + r] = mid + du - dv


@helper(fastmath=EXACT)
def face_manifold(d, w, poly, face, margin, pos, R):
    """Write the points between reference face `face` (its box at pos, R) and the other box. -> their number"""
    first = face < 3
    a = face if first else face - 3
    ref = S1 if first else S2
    at = w[P21 + a] if first else w[P12 + a]
    sgn = 1.0 if at >= 0.0 else -1.0
    incident_face(w, poly, face, sgn)
    sx = w[ref + (a + 1) % 3]
    sy = w[ref + (a + 2) % 3]
    n, cur = clip_by_slab(poly, 0, 4, 0, 1.0, sx)
    n, cur = clip_by_slab(poly, cur, n, 0, -1.0, sx)
    n, cur = clip_by_slab(poly, cur, n, 1, 1.0, sy)
    n, cur = clip_by_slab(poly, cur, n, 1, -1.0, sy)
    n = keep_in_reach(poly, cur, n, margin, SAME * (sx * sx + sy * sy))
    out = sgn if first else -sgn
    axis = (R[0], R[3], R[6]) if a == 0 else ((R[1], R[4], R[7]) if a == 1 else z_column(R))
    normal = scl3(axis, out)
    for k in range(n):
        x = poly[cur + 3 * k]
        y = poly[cur + 3 * k + 1]
        h = poly[cur + 3 * k + 2]
        z = sgn * (w[ref + a] + 0.5 * h)
        q = (z, x, y) if a == 0 else ((y, z, x) if a == 1 else (x, y, z))
        put(d, d.ncon + k, h, add3(to_world(R, q), pos), normal)
    return n


@helper(fastmath=EXACT)
def z_column(R):
    """third column of R"""
    return R[2], R[5], R[8]


@kernel("m d i i f", ret="i", fastmath=EXACT)
def box_box(m, d, g1, g2, margin):
    """Up to eight points of a face manifold, or one between two edges."""
    # relative pose: R = R1' R2 (ROT), each centre in the other's frame, half sizes
    w = stack(21)
    poly = stack(72)
    pos1 = ld3(d.geom_xpos, g1)
    pos2 = ld3(d.geom_xpos, g2)
    R1 = ld9(d.geom_xmat, g1)
    R2 = ld9(d.geom_xmat, g2)
    p21 = to_local(R1, sub3(pos2, pos1))
    p12 = to_local(R2, sub3(pos1, pos2))
    cx = to_local(R1, (R2[0], R2[3], R2[6]))
    cy = to_local(R1, (R2[1], R2[4], R2[7]))
    cz = to_local(R1, (R2[2], R2[5], R2[8]))
    # columns of R are the axes of box 2 in the frame of box 1
    for k in range(3):
        w[ROT + 3 * k] = cx[0] if k == 0 else (cx[1] if k == 1 else cx[2])
        w[ROT + 3 * k + 1] = cy[0] if k == 0 else (cy[1] if k == 1 else cy[2])
        w[ROT + 3 * k + 2] = cz[0] if k == 0 else (cz[1] if k == 1 else cz[2])
        w[P21 + k] = p21[0] if k == 0 else (p21[1] if k == 1 else p21[2])
        w[P12 + k] = p12[0] if k == 0 else (p12[1] if k == 1 else p12[2])
        w[S1 + k] = m.geom_size[g1, k]
        w[S2 + k] = m.geom_size[g2, k]
    # separating axis test of the 15 directions (Gottschalk 1996), then the manifold of the one that decides
    total = 0.0
    for k in range(6):
        total += w[S1 + k]
    reach = margin + SLACK * total
    axis = deciding_axis(w, reach)
    if axis < 0:
        return 0
    if axis >= 6:
        return edge_contact(d, w, axis, reach, pos1, R1)
    if axis < 3:
        return face_manifold(d, w, poly, axis, margin, pos1, R1)
    return face_manifold(d, w, poly, axis, margin, pos2, R2)
