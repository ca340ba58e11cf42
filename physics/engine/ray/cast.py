"""The nearest geom along a ray.

A ray sees all geoms but invisible ones (alpha 0 of the material, or without one of the geom), those of one body to leave
out, static ones where asked, and those of groups that are switched off.

Source: MuJoCo documentation, API, "Ray casting" (mj_ray, mj_multiRay).
"""
from __future__ import annotations

import numpy as np

from physics.engine.collide.vectors import dot3, sub3, to_local, to_world
from physics.engine.kinematics.shapes import BOX, CAPSULE, CYLINDER, ELLIPSOID, HFIELD, MESH, PLANE, SPHERE
from physics.engine.ray.box import meet_box
from physics.engine.ray.hfield import meet_hfield
from physics.engine.ray.mesh import meet_mesh
from physics.engine.ray.quadric import MISS, meet_capsule, meet_cylinder, meet_ellipsoid, meet_plane, meet_sphere, meets_ball
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, ld9, st3

GROUPS = 6
ALL_GROUPS = (1 << GROUPS) - 1


@helper(fastmath=EXACT)
def meet_shape(kind, size, p, v):
    """(x, normal) of a shape that its type and size describe, in its frame."""
    if kind == SPHERE:
        return meet_sphere(size, p, v)
    if kind == CAPSULE:
        return meet_capsule(size, p, v)
    if kind == BOX:
        return meet_box(size, p, v)
    if kind == PLANE:
        return meet_plane(size, p, v)
    if kind == CYLINDER:
        return meet_cylinder(size, p, v)
    if kind == ELLIPSOID:
        return meet_ellipsoid(size, p, v)
    return MISS, (0.0, 0.0, 0.0)


@kernel("m d i f f f f f f", ret="f", fastmath=EXACT)
def ray_geom(m, d, g, px, py, pz, vx, vy, vz):
    """x at which the ray meets geom g, MISS where it does not; the outer unit normal there goes to ray_normal."""
    mat = ld9(d.geom_xmat, g)
    p = to_local(mat, sub3((px, py, pz), ld3(d.geom_xpos, g)))
    v = to_local(mat, (vx, vy, vz))
    kind = m.geom_type[g]
    if kind == MESH:
        x = meet_mesh(m, d, g, p[0], p[1], p[2], v[0], v[1], v[2])
        n = ld3(d.ray_local, 0)
    elif kind == HFIELD:
        x = meet_hfield(m, d, g, p[0], p[1], p[2], v[0], v[1], v[2])
        n = ld3(d.ray_local, 0)
    else:
        x, n = meet_shape(kind, ld3(m.geom_size, g), p, v)
    if x < 0.0:
        n = (0.0, 0.0, 0.0)
    st3(d.ray_normal, 0, to_world(mat, n))
    return x


@helper(fastmath=EXACT)
def alpha(m, g):
    """How opaque geom g is."""
    if m.geom_matid[g] >= 0:
        return m.mat_rgba[m.geom_matid[g], 3]
    return m.geom_rgba[g, 3]


@helper(fastmath=EXACT)
def is_seen(m, g, groups, static, without):
    """Whether rays can meet geom g. groups: a bit per group; static: whether fixed geoms count; without: body to leave out."""
    body = m.geom_bodyid[g]
    if body == without or alpha(m, g) == 0.0 or (static == 0 and m.body_weldid[body] == 0):
        return False
    group = min(max(m.geom_group[g], 0), GROUPS - 1)
    return groups >> group & 1 == 1


@kernel("m d f f f f f f i i i", ret="f", fastmath=EXACT)
def cast(m, d, px, py, pz, vx, vy, vz, groups, static, without):
    """x at which the ray first meets a geom, MISS where it meets none; ray_geomid, ray_normal: the geom and its outer unit normal there."""
    p = (px, py, pz)
    v = (vx, vy, vz)
    best = MISS
    hit = -1
    normal = (0.0, 0.0, 0.0)
    for g in range(m.ngeom):
        if not is_seen(m, g, groups, static, without):
            continue
        bound = m.geom_rbound[g]
        if bound > 0.0:
            e = sub3(p, ld3(d.geom_xpos, g))
            bound *= 1.0 + 1e-9
            if not meets_ball(bound * bound, e, v):
                continue
        x = ray_geom(m, d, g, px, py, pz, vx, vy, vz)
        if x >= 0.0 and (x < best or best < 0.0):
            best = x
            hit = g
            normal = ld3(d.ray_normal, 0)
    d.ray_geomid = hit
    st3(d.ray_normal, 0, normal)
    return best


@kernel("m d a i i i i", fastmath=EXACT)
def cast_many(m, d, a, n, groups, static, without):
    """Cast the n rays ray_point, ray_vec of a KernelBuffers; ray_dist, ray_geom and ray_normal take what each meets. A ray of length 0 meets nothing."""
    for k in range(n):
        p = ld3(a.ray_point, k)
        v = ld3(a.ray_vec, k)
        if dot3(v, v) < 1e-30:
            a.ray_dist[k] = MISS
            a.ray_geom[k] = -1
            st3(a.ray_normal, k, (0.0, 0.0, 0.0))
            continue
        a.ray_dist[k] = cast(m, d, p[0], p[1], p[2], v[0], v[1], v[2], groups, static, without)
        a.ray_geom[k] = d.ray_geomid
        st3(a.ray_normal, k, ld3(d.ray_normal, 0))


def group_bits(groups) -> int:
    """Six switches (None: all on) as bits."""
    if groups is None:
        return ALL_GROUPS
    on = np.asarray(groups).ravel()
    if on.size != GROUPS:
        raise ValueError(f"{on.size} group switches, there are {GROUPS} groups")
    return sum(1 << k for k in range(GROUPS) if on[k])
