"""Load a geom or a prism as one of the two convex shapes, and find where they stand to each other."""
from __future__ import annotations

from physics.engine.collide.vectors import sub3, to_local
from physics.engine.kinematics.shapes import BOX, CAPSULE, CYLINDER, ELLIPSOID, MESH, SPHERE
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, ld9, st3, st9

# kinds of shapes
CCD_SPHERE, CCD_CAPSULE, CCD_ELLIPSOID, CCD_CYLINDER, CCD_BOX, CCD_SMALL_MESH, CCD_MESH, CCD_PRISM = range(8)
SMALL = 10  # of meshes of fewer vertices the support point is found by trying all


@helper
def shape_of(m, g):
    """Kind of shape of a geom; -1 where it has none."""
    # a mesh without a hull, or with few vertices, has all of them tried; planes, height fields and signed-distance geoms are not convex shapes here
    t = m.geom_type[g]
    if t == SPHERE:
        return CCD_SPHERE
    if t == CAPSULE:
        return CCD_CAPSULE
    if t == ELLIPSOID:
        return CCD_ELLIPSOID
    if t == CYLINDER:
        return CCD_CYLINDER
    if t == BOX:
        return CCD_BOX
    if t == MESH:
        mesh = m.geom_dataid[g]
        return CCD_SMALL_MESH if m.mesh_graphadr[mesh] < 0 or m.mesh_vertnum[mesh] < SMALL else CCD_MESH
    return -1


@kernel("m d i i", fastmath=EXACT)
def load_geom(m, d, s, g):
    """Take geom g as shape s.

    Reads: geom_type, geom_size, geom_dataid, geom_xpos, geom_xmat, mesh_vertadr, mesh_vertnum, mesh_graphadr
    Writes: ccd_shape, ccd_pos, ccd_mat, ccd_size, ccd_radius, ccd_mesh, ccd_onevertex
    """
    kind = shape_of(m, g)
    d.ccd_shape[s] = kind
    if s == 0:
        d.ccd_onevertex[0] = 0
    st3(d.ccd_pos, s, ld3(d.geom_xpos, g))
    st9(d.ccd_mat, s, ld9(d.geom_xmat, g))
    # a sphere or capsule is its core, a point or segment, and a radius that is added to the core's distance in the end
    size = ld3(m.geom_size, g)
    d.ccd_radius[s] = size[0] if kind == CCD_SPHERE or kind == CCD_CAPSULE else 0.0
    st3(d.ccd_size, s, size)
    if kind == CCD_SMALL_MESH or kind == CCD_MESH:
        # where its vertices and its hull's graph of edges are
        mesh = m.geom_dataid[g]
        d.ccd_mesh[s, 0] = m.mesh_vertadr[mesh]
        d.ccd_mesh[s, 1] = m.mesh_vertnum[mesh]
        d.ccd_mesh[s, 2] = m.mesh_graphadr[mesh]
        d.ccd_mesh[s, 3] = mesh


@kernel("m d i", fastmath=EXACT)
def load_prism(m, d, g):
    """Take the prism whose corners are in ccd_prism, in the frame of geom g, as shape 0.

    Reads: geom_xpos, geom_xmat
    Writes: ccd_shape, ccd_pos, ccd_mat, ccd_radius
    """
    d.ccd_shape[0] = CCD_PRISM
    d.ccd_radius[0] = 0.0
    st3(d.ccd_pos, 0, ld3(d.geom_xpos, g))
    st9(d.ccd_mat, 0, ld9(d.geom_xmat, g))


@helper(fastmath=EXACT)
def set_relative_pose(d):
    """Find pose and centres in the frame of shape 0, in which all is computed."""
    # pose of shape 1 in the frame of shape 0: R'(p1 - p0) and R' S
    R = ld9(d.ccd_mat, 0)
    S = ld9(d.ccd_mat, 1)
    st3(d.ccd_relpos, 1, to_local(R, sub3(ld3(d.ccd_pos, 1), ld3(d.ccd_pos, 0))))
    x = to_local(R, (S[0], S[3], S[6]))
    y = to_local(R, (S[1], S[4], S[7]))
    z = to_local(R, (S[2], S[5], S[8]))
    st9(d.ccd_relmat, 0, (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]))
    # centre of shape 0, where GJK's first direction starts: the origin, but of a prism the mean of its vertices
    c = (0.0, 0.0, 0.0)
    if d.ccd_shape[0] == CCD_PRISM:
        for k in range(6):
            p = ld3(d.ccd_prism, k)
            c = (c[0] + p[0] / 6.0, c[1] + p[1] / 6.0, c[2] + p[2] / 6.0)
    st3(d.ccd_relpos, 0, c)
