"""The second look: what has come through by the end of the step gets rows, along the axis that separated it at the start.

The features by which two shapes touch may jump within a step, so contacts are not looked for in every iteration. Instead, with the solve done, collision looks
at the trial pose. A pair that overlaps there keeps the axis that separated it at the start: a face's normal, which rides on its body, or the fixed direction
between two edges. Along it the corners of the other shape that have come through get rows; of round shapes their lowest points. A pair that was out of reach
gets its own features. Rows are only added and the solve is repeated: separated along one axis is separated, so that ends.

Source: our own; Ericson, "Real-Time Collision Detection", 5.2 (separating axes).
"""
from __future__ import annotations

from physics.engine.collide.contact import complete_frame
from physics.engine.collide.plane_mesh import face_vertex, support_face, support_vertex
from physics.engine.hard.contact.gaps import FACE_ONE, FACE_TWO, FROZEN, ROUND, SEGMENTS, SUPPORT_ONE, SUPPORT_TWO, lowest, place, place_before, rest_of, turned, turned_back
from physics.engine.hard.contact.points import begin_row, describe_point, frame_to_row, gives_row, half_axis, keep_contact, set_arms, square_of_shape
from physics.engine.hard.start_scales import may_stay, recovery_at, slowed_pair
from physics.engine.kinematics.shapes import BOX, CAPSULE, CYLINDER, ELLIPSOID, HFIELD, MESH, PLANE, SPHERE
from physics.engine.linalg.vec import add3, dot3, mat_t_vec3, mat_vec3, scl3, sub3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6, ld9, st6, st9

OVERLAP = 1e-7    # depth from which on a pair gets rows [m]
CORNER = 0.1      # part of that from which on a corner does
SAME = 1e-10      # two witnesses are the same [m]
MOST = 9          # corners of one shape that are looked at


# ---------------------------------------------------------------- corners of a shape


@helper
def corner_count(m, g):
    """How many corners or lowest points a geom is looked at by."""
    t = m.geom_type[g]
    if t == BOX:
        return 8
    if t == CAPSULE or t == CYLINDER:
        return 2
    if t == MESH:
        return MOST
    if t == SPHERE or t == ELLIPSOID:
        return 1
    return 0


@helper
def mesh_corner(m, d, g, i, u):
    """(1, point) for the farthest vertex of mesh g along u, then the corners of its face there; 0 where there is no such corner. In the mesh's frame."""
    mesh = m.geom_dataid[g]
    v = mat_t_vec3(ld9(d.geom_xmat, g), u)
    far = support_vertex(m, mesh, v)
    if i > 0:
        face = support_face(m, mesh, far, scl3(v, -1.0))
        if face < 0 or i > m.mesh_polyvertnum[face]:
            return 0, 0.0, 0.0, 0.0
        far = face_vertex(m, mesh, face, 0, i - 1)
    return 1, m.mesh_vert[far, 0] * 1.0, m.mesh_vert[far, 1] * 1.0, m.mesh_vert[far, 2] * 1.0


@helper
def corner(m, d, g, i, u):
    """(1, point) of corner i of geom g that may lie farthest along u, in the world at the present geom poses; 0 where there is none.

    Of a ball or capsule that is a centre, of a cylinder the centre of a cap, of an ellipsoid its centre: what their kinds of gap go from.
    """
    t = m.geom_type[g]
    c = ld3(d.geom_xpos, g)
    R = ld9(d.geom_xmat, g)
    s = ld3(m.geom_size, g)
    if t == MESH:
        found, x, y, z = mesh_corner(m, d, g, i, u)
        p = add3(mat_vec3(R, (x, y, z)), c)
        return found, p[0], p[1], p[2]
    v = (0.0, 0.0, 0.0)
    if t == BOX:
        v = (s[0] if i & 1 else -s[0], s[1] if i & 2 else -s[1], s[2] if i & 4 else -s[2])
    elif t == CAPSULE or t == CYLINDER:
        v = (0.0, 0.0, s[1] if i == 0 else -s[1])
    p = add3(mat_vec3(R, v), c)
    return 1, p[0], p[1], p[2]


@helper
def ball_radius(m, g):
    """Radius that a sphere or capsule has about its centres, else 0."""
    t = m.geom_type[g]
    return m.geom_size[g, 0] if t == SPHERE or t == CAPSULE else 0.0


@helper
def rotation_before(m, d, g, b):
    """Rotation of geom g as it was at the start of the step; the geoms are at the trial pose now."""
    R = ld9(d.geom_xmat, g)
    x = turned_back(d, b, (R[0], R[3], R[6]))
    y = turned_back(d, b, (R[1], R[4], R[7]))
    z = turned_back(d, b, (R[2], R[5], R[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@helper
def point_before(d, b, p):
    """Where a point that rides on body b was at the start of the step; p: where it is at the trial pose."""
    return add3(turned_back(d, b, sub3(p, place(d, b))), place_before(d, b))


# ---------------------------------------------------------------- rows


@helper
def has_row(d, c, other):
    """Whether an earlier row than c is of the same geoms and kind and, on body `other` of the two, of the same witness; of fixed directions both must be."""
    at = 3 * other
    for e in range(c):
        if d.hrow_geom[e, 0] == d.hrow_geom[c, 0] and d.hrow_geom[e, 1] == d.hrow_geom[c, 1] and d.hrow_kind[e] == d.hrow_kind[c]:
            x = abs(d.hrow_witness[e, at] - d.hrow_witness[c, at])
            x += abs(d.hrow_witness[e, at + 1] - d.hrow_witness[c, at + 1])
            x += abs(d.hrow_witness[e, at + 2] - d.hrow_witness[c, at + 2])
            if d.hrow_kind[c] == FROZEN:
                x += abs(d.hrow_witness[e, 3 - at] - d.hrow_witness[c, 3 - at])
                x += abs(d.hrow_witness[e, 4 - at] - d.hrow_witness[c, 4 - at])
                x += abs(d.hrow_witness[e, 5 - at] - d.hrow_witness[c, 5 - at])
            if x < SAME:
                return True
    return False


@helper
def report_row(d, c, contact, p, dist):
    """Keep a contact for row c, of the parameters of the present contact: so much apart at p, at the start of the step."""
    k = d.hard_nkept
    keep_contact(d, k, contact)
    d.hard_kept[k, 0] = dist
    for i in range(3):
        d.hard_kept[k, 1 + i] = p[0] if i == 0 else (p[1] if i == 1 else p[2])
        d.hard_kept[k, 4 + i] = d.hrow_dir[c, 6 + i]
        d.hard_kept[k, 7 + i] = d.hrow_dir[c, i]
        d.hard_kept[k, 10 + i] = d.hrow_dir[c, 3 + i]
    d.hrow_contact[c] = k
    d.hard_nkept = k + 1
    d.hrow_at[c] = c


@kernel("m d i i i f", ret="i")
def add_corner(m, d, contact, row, i, floor):
    """Add a row for corner i of the shape across from the axis of `row`, if it has come through; contact: one of the pair at the trial pose. -> 1 or 0.

    The axis is that of a face of geom 1, else of geom 2, else a fixed direction against which corners of geom 2 are held; there the plane goes through the
    point of geom 1 that lies farthest along it.
    Reads: contact_geom, geom_xpos, geom_xmat, hard_x, hard_x2, hard_turn, hard_nrow, hrow_kind, hrow_dir, hrow_witness, hrow_normal
    Writes: hard_nrow, hard_nkept, hard_kept, hard_treerow and the fields hrow_*
    """
    g1 = d.contact_geom[contact, 0]
    g2 = d.contact_geom[contact, 1]
    c = d.hard_nrow
    axis = d.hrow_kind[row]
    on_two = axis == FACE_TWO or axis == SUPPORT_TWO
    begin_row(m, d, c, g1, g2, contact)
    b1 = d.hrow_body[c, 0]
    b2 = d.hrow_body[c, 1]
    st9(d.hrow_dir, c, ld9(d.hrow_dir, row))
    n = (d.hrow_dir[row, 6], d.hrow_dir[row, 7], d.hrow_dir[row, 8])
    n3 = n
    if axis != FROZEN:
        n3 = turned(d, b2 if on_two else b1, n)
    # the corner, and the point of the reference at the trial pose
    g = g1 if on_two else g2
    b = b1 if on_two else b2
    s = -1.0 if on_two else 1.0
    found, x, y, z = corner(m, d, g, i, scl3(n3, -s))
    p = (x, y, z)
    w = ld6(d.hrow_witness, row)
    q = add3(turned(d, b2, (w[3], w[4], w[5])), place(d, b2)) if on_two else add3(turned(d, b1, (w[0], w[1], w[2])), place(d, b1))
    behind = ball_radius(m, g)
    if axis == FROZEN and found != 0:
        far = 0.0
        for k in range(corner_count(m, g1)):
            there, x, y, z = corner(m, d, g1, k, n3)
            e = dot3(n3, (x, y, z))
            if there != 0 and (k == 0 or e > far):
                far = e
                q = (x, y, z)
        behind += ball_radius(m, g1)
        if m.geom_type[g1] == ELLIPSOID or m.geom_type[g1] == CYLINDER:
            low = lowest(square_of_shape(m, g1, ld9(d.geom_xmat, g1)), scl3(n3, -1.0))
            q = add3(q, (low[0], low[1], low[2]))
    # its kind: of a curved shape the lowest point follows
    curved = m.geom_type[g] == ELLIPSOID or m.geom_type[g] == CYLINDER
    kind = axis
    shape = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    down = 0.0
    if axis != FROZEN:
        kind = FACE_TWO if on_two else FACE_ONE
        if curved:
            kind = SUPPORT_TWO if on_two else SUPPORT_ONE
            shape = square_of_shape(m, g, rotation_before(m, d, g, b))
            low = lowest(square_of_shape(m, g, ld9(d.geom_xmat, g)), scl3(n3, s))
            down = low[3]
    elif curved:
        low = lowest(square_of_shape(m, g, ld9(d.geom_xmat, g)), n3)
        p = add3(p, (low[0], low[1], low[2]))
    e = sub3(q, p) if on_two else sub3(p, q)
    forget_row(m, d, c)
    if found == 0 or dot3(n3, e) - behind - down - may_stay(d, floor) > -CORNER * OVERLAP:
        return 0
    # as it was at the start of the step
    p = point_before(d, b, p)
    q = point_before(d, b2 if on_two else b1, q)
    d.hrow_kind[c] = kind
    st6(d.hrow_shape, c, shape)
    d.hrow_rest[c] = -behind
    d.hrow_floor[c] = floor
    if on_two:
        set_arms(m, d, c, add3(p, scl3(n, behind)), p, q)
    else:
        set_arms(m, d, c, sub3(p, scl3(n, behind)), q, p)
    if has_row(d, c, 0 if on_two else 1):
        return 0
    begin_row(m, d, c, g1, g2, contact)
    e = sub3(q, p) if on_two else sub3(p, q)
    report_row(d, c, contact, p, rest_of(kind, n, e, shape) - behind)
    d.hard_nrow = c + 1
    return 1


@helper
def forget_row(m, d, c):
    """Take back what begin_row has counted."""
    for i in range(2):
        b = d.hrow_body[c, i]
        if b > 0:
            d.hard_treerow[m.body_treeid[b]] -= 1


@kernel("m d i f")
def add_features(m, d, contact, floor):
    """Add a row for a contact at the trial pose by its own features, carried back to the start of the step.

    Reads: contact_geom, contact_frame, contact_pos, contact_dist, geom_xpos, geom_xmat, hard_x, hard_x2, hard_turn, hard_nrow
    Writes: hard_nrow, hard_nkept, hard_kept, hard_treerow and the fields hrow_*
    """
    g1 = d.contact_geom[contact, 0]
    g2 = d.contact_geom[contact, 1]
    c = d.hard_nrow
    f = ld9(d.contact_frame, contact)
    n = (f[0], f[1], f[2])
    p = ld3(d.contact_pos, contact)
    begin_row(m, d, c, g1, g2, contact)
    describe_point(m, d, c, g1, g2, n, p, d.contact_dist[contact])
    b1 = d.hrow_body[c, 0]
    b2 = d.hrow_body[c, 1]
    kind = d.hrow_kind[c]
    # the face's normal rides back with its body
    if kind == FACE_ONE or kind == SUPPORT_ONE:
        n = turned_back(d, b1, n)
    elif kind == FACE_TWO or kind == SUPPORT_TWO:
        n = turned_back(d, b2, n)
    frame_to_row(d, c, complete_frame((n[0], n[1], n[2], f[3], f[4], f[5], 0.0, 0.0, 0.0)))
    if kind == SUPPORT_ONE:
        st6(d.hrow_shape, c, square_of_shape(m, g2, rotation_before(m, d, g2, b2)))
    elif kind == SUPPORT_TWO:
        st6(d.hrow_shape, c, square_of_shape(m, g1, rotation_before(m, d, g1, b1)))
    elif kind == SEGMENTS:
        a1 = half_axis(m, g1, rotation_before(m, d, g1, b1))
        a2 = half_axis(m, g2, rotation_before(m, d, g2, b2))
        st6(d.hrow_shape, c, (a1[0], a1[1], a1[2], a2[0], a2[1], a2[2]))
    w = ld6(d.hrow_witness, c)
    w1 = point_before(d, b1, (w[0], w[1], w[2]))
    w2 = point_before(d, b2, (w[3], w[4], w[5]))
    # the impulse acts where they meet, on the body that moves or on the second
    p = point_before(d, b2 if b2 > 0 else b1, p)
    set_arms(m, d, c, p, w1, w2)
    d.hrow_floor[c] = floor
    report_row(d, c, contact, p, d.hrow_rest[c] + rest_of(kind, n, sub3(w2, w1), ld6(d.hrow_shape, c)))
    d.hard_nrow = c + 1


# ---------------------------------------------------------------- the look


@helper
def row_of_pair(d, g1, g2):
    """First row of the start of the step of two geoms, -1: they were out of reach."""
    for c in range(d.hard_nfirst):
        if d.hrow_geom[c, 0] == g1 and d.hrow_geom[c, 1] == g2:
            return c
    return -1


@helper
def pair_floor(d, g1, g2):
    """Deepest overlap of two geoms at the start of the step, as far as it may stay (hard_recover)."""
    x = 0.0
    for c in range(d.hard_nfirst):
        if d.hrow_geom[c, 0] == g1 and d.hrow_geom[c, 1] == g2:
            x = min(x, d.hrow_floor[c])
    return x


@helper
def keeps_axis(m, d, row, g1, g2):
    """Whether a pair is held apart by corners along the axis of its row: where that is one, and the geoms have corners."""
    kind = d.hrow_kind[row]
    if kind == ROUND or kind == SEGMENTS or m.geom_type[g1] == HFIELD or m.geom_type[g2] == HFIELD:
        return False
    return kind != FROZEN or m.geom_type[g1] != PLANE


@kernel("m d", ret="i")
def look_again(m, d):
    """Add rows for pairs that overlap at the trial pose, where kinematics and contacts have been computed. Returns how many; -1 where there was no room (need_nhc).

    Overlaps that there were at the start of the step do not count, nor does what hard_recover lets stay.
    Reads: ncon, contact_dist, contact_geom, contact_frame, contact_pos, geom_xpos, geom_xmat, hard_x, hard_x2, hard_turn, hard_nfirst, hard_recovering, hard_slowed, hard_h, maxhc
    Writes: hard_recover, hard_nrow, hard_worst, hard_nkept, hard_kept, hard_treerow, need_nhc and the fields hrow_*
    """
    added = 0
    d.hard_worst = 0.0
    before1 = -1
    before2 = -1
    for k in range(d.ncon):
        g1 = d.contact_geom[k, 0]
        g2 = d.contact_geom[k, 1]
        if d.contact_dist[k] >= -OVERLAP or not gives_row(m, g1, g2):
            continue
        floor = pair_floor(d, g1, g2)
        d.hard_recover = recovery_at(d, slowed_pair(m, d, m.geom_bodyid[g1], m.geom_bodyid[g2]))
        depth = d.contact_dist[k] - may_stay(d, floor)
        d.hard_worst = min(d.hard_worst, depth)
        if depth > -OVERLAP:
            continue
        if max(d.hard_nrow, d.hard_nkept) + MOST + 1 > d.maxhc:
            d.need_nhc = max(d.hard_nrow, d.hard_nkept) + MOST + d.ncon
            return -1
        # corners once for all contacts of the pair
        row = row_of_pair(d, g1, g2)
        found = 0
        if row >= 0 and keeps_axis(m, d, row, g1, g2):
            if g1 == before1 and g2 == before2:
                continue
            before1 = g1
            before2 = g2
            across = g1 if d.hrow_kind[row] == FACE_TWO or d.hrow_kind[row] == SUPPORT_TWO else g2
            for i in range(corner_count(m, across)):
                found += add_corner(m, d, k, row, i, floor)
        if found == 0:
            add_features(m, d, k, floor)
            found = 1
        added += found
    return added
