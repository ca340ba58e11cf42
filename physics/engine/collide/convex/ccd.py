"""The contact of two convex geoms: distance or depth of their cores, then their radii."""
from __future__ import annotations

from math import sqrt

from physics.engine.collide.contact import put
from physics.engine.collide.convex.epa import epa
from physics.engine.collide.convex.gjk import APART, FAR, gjk
from physics.engine.collide.convex.multicontact import multicontact
from physics.engine.collide.convex.normal_refinement import is_curved, refine_normal
from physics.engine.collide.convex.separating_axis_cache import axis_separates, boxes_apart, clear_axis, has_axis, store_axis
from physics.engine.collide.convex.shapes import CCD_BOX, CCD_CAPSULE, CCD_CYLINDER, CCD_MESH, CCD_SMALL_MESH, load_geom, set_relative_pose
from physics.engine.collide.convex.simplex_vertices import interpolate_rows, minkowski_vertex, simplex_size
from physics.engine.collide.vectors import add3, addscl3, cross3, dot3, scl3, sub3, to_world, unit3
from physics.enums import DSBL_MULTICCD
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, ld9, st3

SAME_DIRECTION = 1.0 - 1e-9  # cosine above which the plane of a triangle and the vector to it have the same direction
RIM = 0.99  # cosine between the normals of a cylinder's contact and of points added to it, 8.1 degrees
TOO_FAR = 1e10  # distance of shapes that are out of reach


@helper(fastmath=EXACT)
def gap_vector(d):
    """Unit vector from shape 0 to shape 1 and their distance, from GJK's simplex; of a triangle that is not too small, from its plane."""
    # v, the point of the Minkowski difference nearest to the origin: a weighted sum of vertices that has lost digits where it is small
    n = simplex_size(d)
    v = interpolate_rows(d, n, 0)
    length = sqrt(dot3(v, v))
    # a triangle that carries it: its unit normal u and its plane's distance h from the origin keep theirs
    if n == 3:
        p = minkowski_vertex(d, d.ccd_simplex[0])
        u = unit3(cross3(sub3(minkowski_vertex(d, d.ccd_simplex[1]), p), sub3(minkowski_vertex(d, d.ccd_simplex[2]), p)))
        h = dot3((u[0], u[1], u[2]), p)
        if abs(dot3((u[0], u[1], u[2]), v)) > SAME_DIRECTION * length:
            if h > 0.0:
                return -u[0], -u[1], -u[2], h
            return u[0], u[1], u[2], -h
    u = unit3(v)
    return -u[0], -u[1], -u[2], length


@kernel("m d f", ret="f", fastmath=EXACT)
def ccd_distance(m, d, reach):
    """Distance of the two loaded shapes, negative where they overlap; TOO_FAR beyond reach.

    Reads: ccd_shape, ccd_pos, ccd_mat, ccd_size, ccd_radius, ccd_mesh, ccd_prism
    Writes: ccd_normal, ccd_witness, ccd_simplex, ccd_vert, ccd_vertid
    """
    set_relative_pose(d)
    return ccd_distance_related(m, d, reach)


@kernel("m d f", ret="f", fastmath=EXACT)
def ccd_distance_related(m, d, reach):
    """The same for shapes that `set_relative_pose` was called for.

    Reads: ccd_relpos, ccd_relmat, ccd_shape, ccd_size, ccd_radius, ccd_mesh, ccd_prism
    Writes: ccd_normal, ccd_witness, ccd_simplex, ccd_vert, ccd_vertid, ccd_dir
    """
    # GJK on the cores; spheres and capsules are their cores swollen by a radius
    radii = d.ccd_radius[0] + d.ccd_radius[1]
    curved = 1 if is_curved(d.ccd_shape[0]) or is_curved(d.ccd_shape[1]) else 0
    found = gjk(m, d, reach + radii, curved)
    if found == FAR:
        return TOO_FAR
    # n, the normal, and dist, the distance of the cores: from the simplex where they are apart, by EPA where they overlap
    if found == APART:
        x, y, z, dist = gap_vector(d)
        n = (x, y, z)
    elif epa(m, d, simplex_size(d), curved):
        n = ld3(d.ccd_dir, 0)
        dist = -d.ccd_depth[0]
    else:
        # a difference without volume that holds the origin: depth 0, any normal
        curved = 0
        n = (1.0, 0.0, 0.0)
        dist = 0.0
    # the middle between the witness points: by Newton refinement, or from the barycentric coordinates of the simplex
    if curved:
        refine_normal(m, d, n[0], n[1], n[2])
        n = ld3(d.ccd_normal, 0)
        dist = -d.ccd_depth[0]
        mid = ld3(d.ccd_midpoint, 0)
    else:
        k = simplex_size(d)
        mid = scl3(add3(interpolate_rows(d, k, 3), interpolate_rows(d, k, 6)), 0.5)
    # add the radii, and go from the frame of shape 0 to the world
    half = 0.5 * (dist - radii)
    mid = addscl3(mid, n, 0.5 * (d.ccd_radius[0] - d.ccd_radius[1]))
    R = ld9(d.ccd_mat, 0)
    n = to_world(R, n)
    mid = add3(to_world(R, mid), ld3(d.ccd_pos, 0))
    st3(d.ccd_normal, 0, n)
    st3(d.ccd_witness, 0, addscl3(mid, n, -half))
    st3(d.ccd_witness, 1, addscl3(mid, n, half))
    return dist - radii


@helper
def has_faces(kind):
    """whether a kind of shape has faces or straight edges"""
    return kind == CCD_CAPSULE or kind == CCD_CYLINDER or kind == CCD_BOX or kind == CCD_SMALL_MESH or kind == CCD_MESH


@helper(fastmath=EXACT)
def is_rim_contact(m, d, depth):
    """Whether the points written for a cylinder's cap or side give way to the nearest one: a rim is touched, not deeply, and their normal is another.

    Officially they stay where the search has found what is touched. It ends within ccd_tolerance, the height of an arc of half width
    sqrt(2 r ccd_tolerance): of random rims deeper than that 168 in 171 keep them, of others 82 in 339.
    """
    r = 0.0
    for s in range(2):
        if d.ccd_shape[s] == CCD_CYLINDER:
            r = max(r, d.ccd_size[s, 0])
    if not depth * depth < 2.0 * m.opt_ccd_tolerance * r:
        return False
    u = (d.contact_frame[d.ncon, 0], d.contact_frame[d.ncon, 1], d.contact_frame[d.ncon, 2])
    return dot3(u, ld3(d.ccd_normal, 0)) < RIM


@helper(fastmath=EXACT)
def negative_margin_offset(d, dist, reach):
    """What is added to the distance of two loaded shapes that overlap: 0, or a reach below 0, which is officially taken for a part of the depth.

    Not while the cores of a sphere or capsule and of the other are apart: then the overlap must be deeper than that, as for plain shapes; 1 where it is not.
    """
    if reach >= 0.0:
        return 0.0
    radii = d.ccd_radius[0] + d.ccd_radius[1]
    if radii > 0.0 and dist > -radii:
        return 0.0 if dist < reach else 1.0
    return reach


@helper(fastmath=EXACT)
def offset_contacts(d, n, offset, reach):
    """Add `offset` to the distances of the n contacts after d.ncon, of several officially less or nothing, and drop those out of reach. -> how many stay"""
    if n > 1:
        offset *= 0.5 if d.ccd_radius[0] + d.ccd_radius[1] > 0.0 else 0.0
    kept = 0
    for k in range(d.ncon, d.ncon + n):
        dist = d.contact_dist[k] + offset
        if dist < reach:
            frame = (d.contact_frame[k, 0], d.contact_frame[k, 1], d.contact_frame[k, 2])
            put(d, d.ncon + kept, dist, ld3(d.contact_pos, k), frame)
            kept += 1
    return kept


@kernel("m d i i f", ret="i", fastmath=EXACT)
def convex_convex(m, d, g1, g2, reach):
    """All points where faces or edges lie on each other (flag `multiccd`); else one, midway between the nearest or deepest points.

    Reads: geom_type, geom_xpos, geom_xmat, geom_size, opt_disableflags, opt_ccd_tolerance
    Writes: contact_dist, contact_pos, contact_frame, sepaxis_geom, sepaxis_dir
    """
    # negative margins count only in the end (negative_margin_offset): the search itself is for reach >= 0
    below = reach
    reach = max(0.0, reach)
    # cheap proofs of separation: face normals of the boxes, then the axis that separated the two in an earlier step
    if boxes_apart(m, d, g1, g2, reach):
        return 0
    load_geom(m, d, 0, g1)
    load_geom(m, d, 1, g2)
    set_relative_pose(d)
    if has_axis(m, d, g1, g2) and axis_separates(m, d, g1, g2, reach + d.ccd_radius[0] + d.ccd_radius[1]):
        return 0
    # signed distance, normal and witness points by GJK and EPA; GJK ends with a separating axis where they are out of reach
    dist = ccd_distance_related(m, d, reach)
    if not dist < reach:
        if dist == TOO_FAR:
            store_axis(m, d, g1, g2, ld3(d.ccd_dir, 0))
        return 0
    clear_axis(m, d, g1, g2)
    offset = negative_margin_offset(d, dist, below)
    if offset > 0.0:
        return 0
    # a manifold of several points where flat features touch, else one contact midway between the witness points
    if m.opt_disableflags & DSBL_MULTICCD == 0 and has_faces(d.ccd_shape[0]) and has_faces(d.ccd_shape[1]):
        n = multicontact(m, d, min(reach, below - offset))
        if n > 0 and not is_rim_contact(m, d, reach - dist):
            return n if below >= 0.0 else offset_contacts(d, n, offset, below)
    put(d, d.ncon, dist + offset, scl3(add3(ld3(d.ccd_witness, 0), ld3(d.ccd_witness, 1)), 0.5), ld3(d.ccd_normal, 0))
    return 1
