"""Whether points lie inside a site.

Source: MuJoCo documentation, XML reference, sensor/insidesite.
"""
from __future__ import annotations

from physics.engine.kinematics.objects import object_pos
from physics.engine.kinematics.shapes import BOX, CAPSULE, CYLINDER, ELLIPSOID, MESH, PLANE, SPHERE
from physics.engine.linalg.quat import rotate
from physics.engine.linalg.vec import dot3, mat_t_vec3, sub3
from physics.enums import MINVAL, OBJ_BODY
from physics.kernels.decorators import helper
from physics.kernels.rows import ld3, ld9


@helper
def inside_mesh(m, k, p):
    """Whether the point p, in the frame of the file of mesh k, lies inside its hull."""
    if m.mesh_polynum[k] == 0:
        return False
    q = (m.mesh_quat[k, 0], -m.mesh_quat[k, 1], -m.mesh_quat[k, 2], -m.mesh_quat[k, 3])
    p = rotate(q, sub3(p, ld3(m.mesh_pos, k)))
    start = m.mesh_polyadr[k]
    for f in range(start, start + m.mesh_polynum[k]):
        v = m.mesh_vertadr[k] + m.mesh_polyvert[m.mesh_polyvertadr[f]]
        corner = (m.mesh_vert[v, 0], m.mesh_vert[v, 1], m.mesh_vert[v, 2])
        if dot3(sub3(p, corner), ld3(m.mesh_polynormal, f)) >= 0.0:
            return False
    return True


@helper
def inside_site(m, d, s, point):
    """Whether the point lies inside site s; a surface is not inside."""
    v = sub3(point, ld3(d.site_xpos, s))
    a = ld3(m.site_size, s)
    kind = m.site_type[s]
    if kind == SPHERE:
        return dot3(v, v) < a[0] * a[0]
    p = mat_t_vec3(ld9(d.site_xmat, s), v)
    across = p[0] * p[0] + p[1] * p[1]
    if kind == CAPSULE:
        z = max(abs(p[2]) - a[1], 0.0)
        return across + z * z < a[0] * a[0]
    if kind == ELLIPSOID:
        x, y, z = p[0] / a[0], p[1] / a[1], p[2] / a[2]
        return x * x + y * y + z * z < 1.0
    if kind == CYLINDER:
        return abs(p[2]) < a[1] and across < a[0] * a[0]
    if kind == BOX:
        return abs(p[0]) < a[0] and abs(p[1]) < a[1] and abs(p[2]) < a[2]
    if kind == PLANE:
        return p[2] < 0.0
    if kind == MESH:
        return inside_mesh(m, m.site_dataid[s], p)
    return False


@helper
def object_inside(m, d, kind, k, site):
    """Whether the origin of an object lies inside a site; a body without mass of its own is where that of its descendants is."""
    p = object_pos(d, kind, k)
    if kind == OBJ_BODY and k > 0 and m.body_mass[k] < MINVAL and m.body_subtreemass[k] >= MINVAL:
        p = ld3(d.subtree_com, k)
    return inside_site(m, d, site, p)
