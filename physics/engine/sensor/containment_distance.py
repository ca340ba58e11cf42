"""Signed containment distance of an object in a site: the largest signed distance of its points from the site, negative where all are inside.

The distance from a convex shape is a convex function, so that it is largest at the points where the object ends: the corners of a box, the
vertices of a mesh; for a sphere and for the two ends of a capsule at their centres, plus the radius. For cylinders and ellipsoids it is searched
for from all sides. The official engine searches too, from one side, and may stop at a lesser point.

Source: MuJoCo documentation, XML reference, sensor/insidesite (enclosed); Rockafellar, "Convex Analysis", theorem 32.2.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.kinematics.shapes import BOX, CAPSULE, CYLINDER, ELLIPSOID, MESH, SPHERE
from physics.engine.linalg.vec import add3, addscl3, mat_t_vec3, mat_vec3, norm3
from physics.engine.sensor.site_distance import site_distance
from physics.enums import OBJ_BODY, OBJ_SITE, OBJ_XBODY, SENS_INSIDESITE
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld9

SITES = (SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX)  # whose distance is known
OBJECTS = (SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH)  # meshes as geoms only
CLIMB = 200  # steps of one search; each brings half as many digits again on smooth sites


def unknown_shapes(model) -> list[tuple[int, int, int]]:
    """(sensor, type of its site, type of object) of each containment sensor that needs what is not known here."""
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
def distance(m, d, s, point):
    """Signed distance of a point from the surface of site s."""
    r, _i, _j, _k = site_distance(m, d, s, point)
    return r


@helper
def farthest(kind, size, pos, mat, n):
    """Point of a cylinder or ellipsoid that lies farthest along n; of a cap that faces n, one of its rim."""
    u = mat_t_vec3(mat, n)
    if kind == CYLINDER:
        across = sqrt(u[0] * u[0] + u[1] * u[1])
        x, y = size[0], 0.0
        if across > 1e-12:
            x, y = size[0] * u[0] / across, size[0] * u[1] / across
        return add3(pos, mat_vec3(mat, (x, y, size[1] if u[2] >= 0.0 else -size[1])))
    v = (size[0] * u[0], size[1] * u[1], size[2] * u[2])
    r = max(norm3(v), 1e-300)
    return add3(pos, mat_vec3(mat, (size[0] * v[0] / r, size[1] * v[1] / r, size[2] * v[2] / r)))


@kernel("m d i i i", ret="f")
def containment_of_curved(m, d, s, of_site, k):
    """Containment distance of a cylinder or ellipsoid, a site or a geom k, in site s.

    From each of 26 directions: the point farthest along it, the direction in which the distance grows there, and so on, until it does not grow.
    Reads: geom_xpos, geom_xmat, site_xpos, site_xmat
    """
    if of_site:
        kind, size, pos, mat = m.site_type[k], ld3(m.site_size, k), ld3(d.site_xpos, k), ld9(d.site_xmat, k)
    else:
        kind, size, pos, mat = m.geom_type[k], ld3(m.geom_size, k), ld3(d.geom_xpos, k), ld9(d.geom_xmat, k)
    R = ld9(d.site_xmat, s)
    best = -1e300
    for start in range(27):
        if start != 13:
            n = mat_vec3(R, (start // 9 - 1.0, start // 3 % 3 - 1.0, start % 3 - 1.0))
            most = -1e300
            for _ in range(CLIMB):
                r, x, y, z = site_distance(m, d, s, farthest(kind, size, pos, mat, n))
                if not r > most + 1e-15:
                    break
                most = r
                n = (x, y, z)
            best = max(best, most)
    return best


@helper
def containment_of_shape(m, d, s, kind, size, pos, mat):
    """Containment distance of a sphere, capsule or box in site s."""
    if kind == SPHERE:
        return distance(m, d, s, pos) + size[0]
    if kind == CAPSULE:
        axis = (mat[2], mat[5], mat[8])
        one = distance(m, d, s, addscl3(pos, axis, size[1]))
        return max(one, distance(m, d, s, addscl3(pos, axis, -size[1]))) + size[0]
    most = distance(m, d, s, pos)
    for k in range(8):
        corner = (size[0] if k & 1 else -size[0], size[1] if k & 2 else -size[1], size[2] if k & 4 else -size[2])
        most = max(most, distance(m, d, s, add3(pos, mat_vec3(mat, corner))))
    return most


@helper
def containment_of_geom(m, d, s, g):
    """Containment distance of geom g in site s."""
    pos = ld3(d.geom_xpos, g)
    mat = ld9(d.geom_xmat, g)
    if m.geom_type[g] == CYLINDER or m.geom_type[g] == ELLIPSOID:
        return containment_of_curved(m, d, s, 0, g)
    if m.geom_type[g] != MESH:
        return containment_of_shape(m, d, s, m.geom_type[g], ld3(m.geom_size, g), pos, mat)
    most = distance(m, d, s, pos)
    first = m.mesh_vertadr[m.geom_dataid[g]]
    for v in range(first, first + m.mesh_vertnum[m.geom_dataid[g]]):
        corner = (m.mesh_vert[v, 0], m.mesh_vert[v, 1], m.mesh_vert[v, 2])
        most = max(most, distance(m, d, s, add3(pos, mat_vec3(mat, corner))))
    return most


@kernel("m d i", ret="f")
def containment_of_object(m, d, i):
    """Containment distance of the object of sensor i in its site: a geom, a site, the geoms of a body, or those of all that an xbody carries.

    Reads: geom_xpos, geom_xmat, site_xpos, site_xmat
    """
    kind = m.sensor_objtype[i]
    k = m.sensor_objid[i]
    s = m.sensor_refid[i]
    if kind == OBJ_SITE:
        if m.site_type[k] == CYLINDER or m.site_type[k] == ELLIPSOID:
            return containment_of_curved(m, d, s, 1, k)
        return containment_of_shape(m, d, s, m.site_type[k], ld3(m.site_size, k), ld3(d.site_xpos, k), ld9(d.site_xmat, k))
    if kind != OBJ_BODY and kind != OBJ_XBODY:
        return containment_of_geom(m, d, s, k)
    most = -1e300
    b = k
    while b < m.nbody and (b == k or (kind == OBJ_XBODY and m.body_parentid[b] >= k)):
        for g in range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b]):
            most = max(most, containment_of_geom(m, d, s, g))
        b += 1
    return most
