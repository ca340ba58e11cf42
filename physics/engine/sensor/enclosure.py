"""How far an object juts out of a site: the largest signed distance of its points from the site, negative where all are inside.

The distance from a convex shape is a convex function, so that it is largest at the points where the object ends: the corners of a box, the
vertices of a mesh; for a sphere and for the two ends of a capsule at their centres, plus the radius. The official engine searches for the
point and may stop at a lesser one; this is the true value.

Source: MuJoCo documentation, XML reference, sensor/insidesite (enclosed); Rockafellar, "Convex Analysis", theorem 32.2.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.linalg.vec import add3, addscl3, mat_t_vec3, mat_vec3, sub3
from physics.engine.shapes import BOX, CAPSULE, CYLINDER, MESH, SPHERE
from physics.enums import OBJ_BODY, OBJ_SITE, OBJ_XBODY, SENS_INSIDESITE
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld9

SITES = (SPHERE, CAPSULE, CYLINDER, BOX)  # whose distance has a closed form
OBJECTS = (SPHERE, CAPSULE, BOX, MESH)  # that end in few points; meshes as geoms only


def unknown_shapes(model) -> list[tuple[int, int, int]]:
    """(sensor, type of its site, type of object) of each enclosure sensor that needs what has no closed form here."""
    found = []
    for i in range(model.nsensor):
        if model.sensor_type[i] == SENS_INSIDESITE and model.sensor_intprm[i, 0]:
            site = int(model.site_type[model.sensor_refid[i]])
            found += [(i, site, kind) for kind in _types_of(model, i) if site not in SITES or kind not in OBJECTS][:1]
    return found


def _types_of(model, i: int) -> list[int]:
    """Types of the shapes that make up the object of sensor i; a mesh of a site counts as unknown (-1)."""
    kind, k = model.sensor_objtype[i], model.sensor_objid[i]
    if kind == OBJ_SITE:
        return [-1 if model.site_type[k] == MESH else int(model.site_type[k])]
    if kind != OBJ_BODY and kind != OBJ_XBODY:
        return [int(model.geom_type[k])]
    inside = {int(k)}
    for b in range(k + 1, model.nbody) if kind == OBJ_XBODY else ():
        if model.body_parentid[b] in inside:
            inside.add(b)
    return [int(t) for t, b in zip(model.geom_type, model.geom_bodyid) if int(b) in inside]


@helper
def norm_or_0(x, y, z):
    """Length of the vector of the numbers above 0."""
    x = max(x, 0.0)
    y = max(y, 0.0)
    z = max(z, 0.0)
    return sqrt(x * x + y * y + z * z)


@helper
def site_distance(m, d, s, point):
    """Signed distance of a point from the surface of site s, of a type in SITES; negative inside."""
    p = mat_t_vec3(ld9(d.site_xmat, s), sub3(point, ld3(d.site_xpos, s)))
    a = ld3(m.site_size, s)
    kind = m.site_type[s]
    z = abs(p[2])
    if kind == BOX:
        x, y, z = abs(p[0]) - a[0], abs(p[1]) - a[1], z - a[2]
        return norm_or_0(x, y, z) + min(max(x, y, z), 0.0)
    across = p[0] * p[0] + p[1] * p[1]
    if kind == CYLINDER:
        x, z = sqrt(across) - a[0], z - a[1]
        return norm_or_0(x, z, 0.0) + min(max(x, z), 0.0)
    if kind == CAPSULE:
        z = max(z - a[1], 0.0)
    return sqrt(across + z * z) - a[0]


@helper
def jut_of_shape(m, d, s, kind, size, pos, mat):
    """How far a sphere, capsule or box juts out of site s."""
    if kind == SPHERE:
        return site_distance(m, d, s, pos) + size[0]
    if kind == CAPSULE:
        axis = (mat[2], mat[5], mat[8])
        one = site_distance(m, d, s, addscl3(pos, axis, size[1]))
        return max(one, site_distance(m, d, s, addscl3(pos, axis, -size[1]))) + size[0]
    most = site_distance(m, d, s, pos)
    for k in range(8):
        corner = (size[0] if k & 1 else -size[0], size[1] if k & 2 else -size[1], size[2] if k & 4 else -size[2])
        most = max(most, site_distance(m, d, s, add3(pos, mat_vec3(mat, corner))))
    return most


@helper
def jut_of_geom(m, d, s, g):
    """How far geom g juts out of site s."""
    pos = ld3(d.geom_xpos, g)
    mat = ld9(d.geom_xmat, g)
    if m.geom_type[g] != MESH:
        return jut_of_shape(m, d, s, m.geom_type[g], ld3(m.geom_size, g), pos, mat)
    most = site_distance(m, d, s, pos)
    first = m.mesh_vertadr[m.geom_dataid[g]]
    for v in range(first, first + m.mesh_vertnum[m.geom_dataid[g]]):
        corner = (m.mesh_vert[v, 0], m.mesh_vert[v, 1], m.mesh_vert[v, 2])
        most = max(most, site_distance(m, d, s, add3(pos, mat_vec3(mat, corner))))
    return most


@kernel("m d i", ret="f")
def jut_of_object(m, d, i):
    """How far the object of sensor i juts out of its site: a geom, a site, the geoms of a body, or those of all that an xbody carries.

    Reads: geom_xpos, geom_xmat, site_xpos, site_xmat
    """
    kind = m.sensor_objtype[i]
    k = m.sensor_objid[i]
    s = m.sensor_refid[i]
    if kind == OBJ_SITE:
        return jut_of_shape(m, d, s, m.site_type[k], ld3(m.site_size, k), ld3(d.site_xpos, k), ld9(d.site_xmat, k))
    if kind != OBJ_BODY and kind != OBJ_XBODY:
        return jut_of_geom(m, d, s, k)
    most = -1e300
    b = k
    while b < m.nbody and (b == k or (kind == OBJ_XBODY and m.body_parentid[b] >= k)):
        for g in range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b]):
            most = max(most, jut_of_geom(m, d, s, g))
        b += 1
    return most
