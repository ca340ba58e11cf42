"""From contacts to rows: which bodies, directions, arms and witness points, and how the gap will follow the bodies (gaps.py: kinds).

A contact gives one row. Its witnesses are the points of both surfaces, of what is round the centre behind it. The kind is found from the normal: it is that
of a face of one of the geoms, or the line between a round geom and something, or neither.

The contacts at the start of the step are kept beside, as looking again (corners.py) finds others in their place.

Source: Howell and others, "Dojo: A Differentiable Physics Engine for Robotics", (1).
"""
from __future__ import annotations

from physics.engine.collide.plane_mesh import support_face, support_vertex
from physics.engine.hard.contact.gaps import FACE_ONE, FACE_TWO, FROZEN, ROUND, SEGMENTS, SUPPORT_ONE, SUPPORT_TWO, lowest, place_before, rest_of
from physics.engine.hard.contact.mocap import carried_by
from physics.engine.hard.poses import moving_body
from physics.engine.kinematics.shapes import BOX, CAPSULE, CYLINDER, ELLIPSOID, HFIELD, MESH, PLANE, SPHERE
from physics.engine.linalg.vec import add3, dot3, mat_t_vec3, scl3, sub3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6, ld9, off, st3, st6, st9

ALONG = 1.0 - 1e-10    # cosine from which on a normal is that of a face
ACROSS = 1e-6          # cosine up to which a normal meets the side of a cylinder
STANDS = 0.1           # sine of a cylinder's tilt on a face below which its points are those of the cap, not lowest points of a disc
CROSSED = 0.1          # sine from which on of the angle of two capsules they are not taken as parallel: one point is theirs, which moves along both
NEAR = 1e-5            # part of a radius by which a point of a disc may miss its lowest point
KEPT = 36              # numbers that are kept of a contact


@helper
def axis_of(d, g):
    """The z-axis of geom g."""
    return d.geom_xmat[g, 2], d.geom_xmat[g, 5], d.geom_xmat[g, 8]


@helper
def is_mesh_face(m, d, g, n):
    """Whether the unit vector n is the outer normal of a face of mesh g's hull."""
    mesh = m.geom_dataid[g]
    u = mat_t_vec3(ld9(d.geom_xmat, g), n)
    face = support_face(m, mesh, support_vertex(m, mesh, u), scl3(u, -1.0))
    if face < 0:
        return False
    return dot3(ld3(m.mesh_polynormal, face), u) > ALONG


@helper
def is_face(m, d, g, n):
    """Whether the unit vector n is the outer normal of a flat face of geom g."""
    t = m.geom_type[g]
    if t == PLANE:
        return True
    if t == CYLINDER:
        return abs(dot3(axis_of(d, g), n)) > ALONG
    if t == MESH:
        return is_mesh_face(m, d, g, n)
    if t != BOX:
        return False
    u = mat_t_vec3(ld9(d.geom_xmat, g), n)
    return max(abs(u[0]), max(abs(u[1]), abs(u[2]))) > ALONG


@helper
def radius_behind(m, d, g, w, n):
    """Radius of a round geom g at its surface point w with the outer normal n: the centre lies so far behind. 0 where it is not round there."""
    t = m.geom_type[g]
    if t == SPHERE or t == CAPSULE:
        return m.geom_size[g, 0]
    if t == CYLINDER:
        # its side is round about the axis
        a = axis_of(d, g)
        if abs(dot3(a, n)) < ACROSS and abs(dot3(a, sub3(w, ld3(d.geom_xpos, g)))) < m.geom_size[g, 1]:
            return m.geom_size[g, 0]
    return 0.0


@helper
def square_of_shape(m, g, R):
    """Q of an ellipsoid, or of the discs of a cylinder (gaps.py: lowest), by entries xx, xy, xz, yy, yz, zz, from the geom's rotation."""
    s = ld3(m.geom_size, g)
    x = s[0] * s[0]
    y = s[1] * s[1]
    z = s[2] * s[2]
    if m.geom_type[g] == CYLINDER:
        y = x
        z = 0.0
    return (x * R[0] * R[0] + y * R[1] * R[1] + z * R[2] * R[2], x * R[0] * R[3] + y * R[1] * R[4] + z * R[2] * R[5],
            x * R[0] * R[6] + y * R[1] * R[7] + z * R[2] * R[8], x * R[3] * R[3] + y * R[4] * R[4] + z * R[5] * R[5],
            x * R[3] * R[6] + y * R[4] * R[7] + z * R[5] * R[8], x * R[6] * R[6] + y * R[7] * R[7] + z * R[8] * R[8])


@helper
def support_centre(m, d, g, w, n):
    """(1, centre) where point w of geom g is the lowest one, along -n, of an ellipsoid or of a disc of a cylinder: of which the centre is given; else 0."""
    t = m.geom_type[g]
    c = ld3(d.geom_xpos, g)
    if t == ELLIPSOID:
        return 1, c[0], c[1], c[2]
    if t != CYLINDER:
        return 0, 0.0, 0.0, 0.0
    # standing on its cap it is held by points of that
    a = axis_of(d, g)
    x = dot3(a, n)
    if 1.0 - x * x < STANDS * STANDS:
        return 0, 0.0, 0.0, 0.0
    low = lowest(square_of_shape(m, g, ld9(d.geom_xmat, g)), n)
    centre = sub3(w, (low[0], low[1], low[2]))
    e = sub3(centre, c)
    e = sub3(e, scl3(a, dot3(a, e)))
    miss = NEAR * m.geom_size[g, 0]
    if dot3(e, e) > miss * miss:
        return 0, 0.0, 0.0, 0.0
    return 1, centre[0], centre[1], centre[2]


@helper
def half_axis(m, g, R):
    """From the middle of a capsule to its upper end, by its rotation; nothing for a sphere."""
    if m.geom_type[g] != CAPSULE:
        return 0.0, 0.0, 0.0
    s = m.geom_size[g, 1]
    return s * R[2], s * R[5], s * R[8]


@helper
def are_segments(m, d, g1, g2):
    """Whether the geoms are two capsules that are not parallel, or a capsule and a sphere."""
    one = m.geom_type[g1]
    two = m.geom_type[g2]
    if one == CAPSULE and two == CAPSULE:
        x = dot3(axis_of(d, g1), axis_of(d, g2))
        return 1.0 - x * x > CROSSED * CROSSED
    return (one == SPHERE and two == CAPSULE) or (one == CAPSULE and two == SPHERE)


@helper
def describe_point(m, d, c, g1, g2, n, p, dist):
    """Find the kind of row c and its witnesses in the world, at the present geom poses, for a contact of normal n, midpoint p and distance dist.

    Writes hrow_kind, hrow_witness (in the world, still), hrow_shape and hrow_rest.
    """
    half = scl3(n, 0.5 * dist)
    w1 = sub3(p, half)
    w2 = add3(p, half)
    back = scl3(n, -1.0)
    shape = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    kind = FROZEN
    rough = m.geom_type[g1] == HFIELD or m.geom_type[g2] == HFIELD
    r1 = radius_behind(m, d, g1, w1, n)
    r2 = radius_behind(m, d, g2, w2, back)
    if not rough and is_face(m, d, g1, n):
        kind = FACE_ONE
        found, x, y, z = support_centre(m, d, g2, w2, n)
        if found != 0:
            kind = SUPPORT_ONE
            shape = square_of_shape(m, g2, ld9(d.geom_xmat, g2))
            w2 = (x, y, z)
        else:
            w2 = add3(w2, scl3(n, r2))
    elif not rough and is_face(m, d, g2, back):
        kind = FACE_TWO
        found, x, y, z = support_centre(m, d, g1, w1, back)
        if found != 0:
            kind = SUPPORT_TWO
            shape = square_of_shape(m, g1, ld9(d.geom_xmat, g1))
            w1 = (x, y, z)
        else:
            w1 = sub3(w1, scl3(n, r1))
    else:
        # centres of what is round; their line is the normal, where it is long enough to have a direction
        curved = m.geom_type[g1] == ELLIPSOID or m.geom_type[g2] == ELLIPSOID
        w1 = sub3(w1, scl3(n, r1))
        w2 = add3(w2, scl3(n, r2))
        if not rough and not curved and r1 + r2 > 0.0 and dist > -0.5 * (r1 + r2):
            kind = ROUND
            if are_segments(m, d, g1, g2):
                kind = SEGMENTS
                a1 = half_axis(m, g1, ld9(d.geom_xmat, g1))
                a2 = half_axis(m, g2, ld9(d.geom_xmat, g2))
                shape = (a1[0], a1[1], a1[2], a2[0], a2[1], a2[2])
                w1 = ld3(d.geom_xpos, g1)
                w2 = ld3(d.geom_xpos, g2)
    d.hrow_kind[c] = kind
    st6(d.hrow_witness, c, (w1[0], w1[1], w1[2], w2[0], w2[1], w2[2]))
    st6(d.hrow_shape, c, shape)
    d.hrow_rest[c] = dist - rest_of(kind, n, sub3(w2, w1), shape)


@helper
def begin_row(m, d, c, g1, g2, contact):
    """Name the geoms, bodies and contact of row c, and count it for its trees; its parameters are those of the contact."""
    d.hrow_geom[c, 0] = g1
    d.hrow_geom[c, 1] = g2
    d.hrow_dim[c] = d.contact_dim[contact]
    for i in range(2):
        b = moving_body(m, m.geom_bodyid[d.hrow_geom[c, i]])
        if b == 0 and m.nmocap > 0:
            b = carried_by(m, d, m.geom_bodyid[d.hrow_geom[c, i]])
        d.hrow_body[c, i] = b
        if b > 0:
            d.hard_treerow[m.body_treeid[b]] += 1
    # directions that the contact has not are without friction
    for k in range(6):
        d.hrow_mu[c, k] = 0.0
    for k in range(d.contact_dim[contact] - 1):
        d.hrow_mu[c, k] = d.contact_friction[contact, k]
    st3(d.hrow_drive, c, ld3(d.contact_surfacevel, contact))
    d.hrow_pair[c] = -1


@helper
def set_arms(m, d, c, p, w1, w2):
    """Arms of the contact point p and of the witnesses, all in the world at the start of the step."""
    x1 = place_before(d, d.hrow_body[c, 0])
    x2 = place_before(d, d.hrow_body[c, 1])
    a1 = sub3(p, x1)
    a2 = sub3(p, x2)
    st6(d.hrow_arm, c, (a1[0], a1[1], a1[2], a2[0], a2[1], a2[2]))
    a1 = sub3(w1, x1)
    a2 = sub3(w2, x2)
    st6(d.hrow_witness, c, (a1[0], a1[1], a1[2], a2[0], a2[1], a2[2]))


@helper
def gives_row(m, g1, g2):
    """Whether two geoms can move against each other at all: contacts of others have no rows."""
    b1 = m.geom_bodyid[g1]
    b2 = m.geom_bodyid[g2]
    return m.body_weldid[b1] != m.body_weldid[b2] and (m.body_treeid[b1] >= 0 or m.body_treeid[b2] >= 0)


@helper
def frame_to_row(d, c, f):
    """Directions of row c from a contact's frame (normal first)."""
    st9(d.hrow_dir, c, (f[3], f[4], f[5], f[6], f[7], f[8], f[0], f[1], f[2]))


@kernel()
def contact_rows(m, d):
    """Rows of all contacts at the start of the step, whose poses the geoms have. Sets need_nhc where they do not fit.

    Reads: ncon, contact_dist, contact_pos, contact_frame, contact_geom, contact_dim, contact_friction, contact_surfacevel, geom_xpos, geom_xmat, hard_x2, hard_mocap, maxhc
    Writes: hard_nrow, hard_nfirst, hard_treerow, hard_worst, need_nhc, hrow_body, hrow_geom, hrow_contact, hrow_kind, hrow_dim, hrow_pair, hrow_dir, hrow_arm,
        hrow_witness, hrow_mu, hrow_drive, hrow_shape, hrow_rest, hrow_floor, hrow_at, and what keep_contacts writes
    """
    d.hard_nrow = 0
    d.hard_nfirst = 0
    d.hard_worst = 0.0
    for t in range(m.ntree):
        d.hard_treerow[t] = 0
    if d.ncon > d.maxhc:
        d.need_nhc = d.ncon
        return
    for k in range(d.ncon):
        g1 = d.contact_geom[k, 0]
        g2 = d.contact_geom[k, 1]
        if not gives_row(m, g1, g2):
            continue
        # one row a contact: geometry, then arms, then what overlaps already
        c = d.hard_nrow
        f = ld9(d.contact_frame, k)
        p = ld3(d.contact_pos, k)
        frame_to_row(d, c, f)
        begin_row(m, d, c, g1, g2, k)
        describe_point(m, d, c, g1, g2, (f[0], f[1], f[2]), p, d.contact_dist[k])
        w = ld6(d.hrow_witness, c)
        set_arms(m, d, c, p, (w[0], w[1], w[2]), (w[3], w[4], w[5]))
        d.hrow_contact[c] = k
        d.hrow_floor[c] = min(0.0, d.contact_dist[k])
        d.hrow_at[c] = c
        d.hard_nrow = c + 1
    d.hard_nfirst = d.hard_nrow
    keep_contacts(m, d)


# ---------------------------------------------------------------- contacts that are kept


@helper
def keep_contact(d, at, k):
    """Copy contact k to row `at` of hard_kept."""
    x = off(d.hard_kept, KEPT * at)
    x[0] = d.contact_dist[k]
    for i in range(3):
        x[1 + i] = d.contact_pos[k, i]
        x[29 + i] = d.contact_surfacevel[k, i]
    for i in range(9):
        x[4 + i] = d.contact_frame[k, i]
    x[13] = d.contact_includemargin[k]
    for i in range(5):
        x[14 + i] = d.contact_friction[k, i]
        x[23 + i] = d.contact_solimp[k, i]
    for i in range(2):
        x[19 + i] = d.contact_solref[k, i]
        x[21 + i] = d.contact_solreffriction[k, i]
    x[28] = d.contact_adhesion[k]
    x[32] = d.contact_dim[k]
    x[33] = d.contact_geom[k, 0]
    x[34] = d.contact_geom[k, 1]
    x[35] = d.contact_exclude[k]


@kernel()
def keep_contacts(m, d):
    """Keep the present contacts, those of the start of the step.

    Reads: ncon, contact_dist, contact_pos, contact_frame, contact_includemargin, contact_friction, contact_solref, contact_solreffriction, contact_solimp,
        contact_adhesion, contact_surfacevel, contact_dim, contact_geom, contact_exclude
    Writes: hard_nkept, hard_kept
    """
    for k in range(d.ncon):
        keep_contact(d, k, k)
    d.hard_nkept = d.ncon


@helper
def take_contact(d, k, at):
    """Write the contact in row `at` of hard_kept as contact k."""
    x = off(d.hard_kept, KEPT * at)
    d.contact_dist[k] = x[0]
    for i in range(3):
        d.contact_pos[k, i] = x[1 + i]
        d.contact_surfacevel[k, i] = x[29 + i]
    for i in range(9):
        d.contact_frame[k, i] = x[4 + i]
    d.contact_includemargin[k] = x[13]
    for i in range(5):
        d.contact_friction[k, i] = x[14 + i]
        d.contact_solimp[k, i] = x[23 + i]
    for i in range(2):
        d.contact_solref[k, i] = x[19 + i]
        d.contact_solreffriction[k, i] = x[21 + i]
    d.contact_adhesion[k] = x[28]
    d.contact_dim[k] = int(x[32])
    d.contact_geom[k, 0] = int(x[33])
    d.contact_geom[k, 1] = int(x[34])
    d.contact_exclude[k] = int(x[35])
    d.contact_mu[k] = 0.0
    d.contact_efc_address[k] = -1
