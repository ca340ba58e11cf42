"""Rays against the triangles of a mesh, found through its tree of bounding boxes.

Source: C. Ericson, "Real-Time Collision Detection", section 6.6 (rays through trees of boxes).
"""
from __future__ import annotations

from physics.engine.ray.box import meet_box, passes
from physics.engine.ray.quadric import MISS
from physics.engine.ray.triangle import across, meet_triangle, normal_of
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, st3
from physics.kernels.simd import stack

DEEP = 128  # boxes that can wait to be looked at; a tree is at most 64 levels deep


@helper(fastmath=EXACT)
def corner(m, mesh, face, k):
    """Corner k of a triangle of a mesh."""
    v = m.mesh_vertadr[mesh] + m.mesh_face[face, k]
    return m.mesh_vert[v, 0], m.mesh_vert[v, 1], m.mesh_vert[v, 2]


@kernel("m d i f f f f f f", ret="f", fastmath=EXACT)
def meet_mesh(m, d, g, px, py, pz, vx, vy, vz):
    """x at which a ray, in the frame of mesh geom g, first meets a triangle; its unit normal goes to ray_local.

    Source: the same; a ray that misses the box of geom_size misses the mesh.
    """
    p = (px, py, pz)
    v = (vx, vy, vz)
    # the mesh's box first
    mesh = m.geom_dataid[g]
    root = m.mesh_bvhadr[mesh]
    x, n = meet_box(ld3(m.geom_size, g), p, v)
    if x < 0.0 or root < 0:
        return MISS
    u, w = across(v)
    best = MISS
    # depth-first through the tree of boxes; a node is passed by where the ray misses its box or meets it beyond the best hit
    wait = stack(128)
    wait[0] = 0.0
    count = 1
    while count > 0:
        count -= 1
        node = root + int(wait[count])
        box = m.bvh_aabb[node]
        if not passes((box[0], box[1], box[2]), (box[3], box[4], box[5]), p, v, best):
            continue
        # an inner node: its children wait
        face = m.bvh_nodeid[node]
        if face < 0:
            for k in range(2):
                child = m.bvh_child[node, k]
                if child >= 0 and count < DEEP:
                    wait[count] = float(child)
                    count += 1
            continue
        # a leaf: its triangle
        face += m.mesh_faceadr[mesh]
        a = corner(m, mesh, face, 0)
        b = corner(m, mesh, face, 1)
        c = corner(m, mesh, face, 2)
        y = meet_triangle(a, b, c, p, v, u, w)
        if y >= 0.0 and (y < best or best < 0.0):
            best = y
            st3(d.ray_local, 0, normal_of(a, b, c))
    return best
