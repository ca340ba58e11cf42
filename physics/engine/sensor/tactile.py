"""Tactile sensors: at each vertex of a mesh, how deep it lies in the geoms that touch the sensor's body, and how fast they slide by.

Three blocks of one number per vertex: depth, and speeds along the two tangents of the mesh at the vertex where it has any.
Meshes and height fields that touch are not felt: they have no distance function here.

Source: MuJoCo documentation, XML reference, sensor/tactile; I. Quilez, "Distance functions" (of the shapes).
"""
from __future__ import annotations

from math import sqrt

from physics.engine.kinematics.points import from_com, moved
from physics.engine.kinematics.shapes import CAPSULE, CYLINDER, ELLIPSOID, HFIELD, MESH, PLANE, SPHERE
from physics.engine.linalg.vec import add3, dot3, mat_t_vec3, mat_vec3, norm3, sub3
from physics.engine.sensor.output import fill
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6, ld9


@helper
def shape_distance(kind, r, p):
    """Signed distance of the point p from the surface of a shape, in its frame; for boxes and ellipsoids inside an approximation."""
    if kind == PLANE:
        return p[2]
    if kind == SPHERE:
        return norm3(p) - r[0]
    if kind == CAPSULE:
        z = p[2] - min(max(p[2], -r[1]), r[1])
        return norm3((p[0], p[1], z)) - r[0]
    if kind == CYLINDER:
        a = sqrt(p[0] * p[0] + p[1] * p[1]) - r[0]
        b = abs(p[2]) - r[1]
        return min(max(a, b), 0.0) + norm3((max(a, 0.0), max(b, 0.0), 0.0))
    if kind == ELLIPSOID:
        a = (p[0] / r[0], p[1] / r[1], p[2] / r[2])
        s = norm3(a)
        return s * (s - 1.0) / norm3((a[0] / r[0], a[1] / r[1], a[2] / r[2]))
    a = (abs(p[0]) - r[0], abs(p[1]) - r[1], abs(p[2]) - r[2])
    if a[0] >= 0.0 or a[1] >= 0.0 or a[2] >= 0.0:
        return norm3((max(a[0], 0.0), max(a[1], 0.0), max(a[2], 0.0)))
    # along the direction (r0 / a0, r1 / a1, r2 / a2), which turns into the nearest face's normal near it
    f = (r[0] / a[0], r[1] / a[1], r[2] / a[2])
    return norm3(f) * max(a[0] / abs(f[0]), max(a[1] / abs(f[1]), a[2] / abs(f[2])))


@helper
def mesh_direction(m, row):
    """A row of the meshes' normals."""
    return m.mesh_normal[row, 0], m.mesh_normal[row, 1], m.mesh_normal[row, 2]


@kernel("m d i i")
def feel(m, d, i, g):
    """Add to tactile sensor i what geom g does."""
    kind = m.geom_type[g]
    if kind == MESH or kind == HFIELD:
        return
    mesh = m.sensor_objid[i]
    pad = m.sensor_refid[i]
    weld = m.body_weldid[m.geom_bodyid[pad]]
    n = m.mesh_vertnum[mesh]
    framed = m.mesh_normalnum[mesh] == 3 * n
    body = m.geom_bodyid[g]
    mat = ld9(d.geom_xmat, pad)
    a = m.sensor_adr[i]
    for k in range(n):
        v = m.mesh_vertadr[mesh] + k
        x = add3(mat_vec3(mat, (m.mesh_vert[v, 0], m.mesh_vert[v, 1], m.mesh_vert[v, 2])), ld3(d.geom_xpos, pad))
        p = mat_t_vec3(ld9(d.geom_xmat, g), sub3(x, ld3(d.geom_xpos, g)))
        depth = shape_distance(kind, ld3(m.geom_size, g), p)
        if depth >= 0.0:
            continue
        d.sensordata[a + k] = max(d.sensordata[a + k], -depth)
        if framed:
            slide = sub3(moved(ld6(d.cvel, weld), from_com(m, d, weld, x)), moved(ld6(d.cvel, body), from_com(m, d, body, x)))
            slide = mat_t_vec3(mat, slide)
            row = m.mesh_normaladr[mesh] + 3 * k
            d.sensordata[a + n + k] += abs(dot3(slide, mesh_direction(m, row + 1)))
            d.sensordata[a + 2 * n + k] += abs(dot3(slide, mesh_direction(m, row + 2)))


@helper
def touches(m, d, k, weld):
    """(the geom that contact k brings to the weld group's body as its first geom, as its second); -1 for none."""
    g1 = d.contact_geom[k, 0]
    g2 = d.contact_geom[k, 1]
    one = g2 if m.body_weldid[m.geom_bodyid[g1]] == weld else -1
    two = g1 if m.body_weldid[m.geom_bodyid[g2]] == weld else -1
    return one, two


@helper
def was_felt(m, d, k, weld, g):
    """Whether a contact before k has brought geom g already."""
    for j in range(k):
        one, two = touches(m, d, j, weld)
        if one == g or two == g:
            return True
    return False


@kernel("m d i")
def read_tactile(m, d, i):
    """Read tactile sensor i."""
    fill(m, d, i, 0.0)
    weld = m.body_weldid[m.geom_bodyid[m.sensor_refid[i]]]
    for k in range(d.ncon):
        one, two = touches(m, d, k, weld)
        if one >= 0 and not was_felt(m, d, k, weld, one):
            feel(m, d, i, one)
        if two >= 0 and two != one and not was_felt(m, d, k, weld, two):
            feel(m, d, i, two)
