"""Trees of bounding boxes, node by node, depth first: what physics/compiler/mesh/bvh.py grows level by level."""
from __future__ import annotations

import math

from physics.compiler.native.median import EPS, halve
from physics.kernels.decorators import EXACT, helper, kernel

DEEP = 64   # levels that a tree can have


@helper(fastmath=EXACT)
def _box(boxes, items, first, last):
    """Least of the six columns over some elements; flat boxes are made thicker. Columns are the lower corner and the negated upper one."""
    at = items[first]
    a, b, c, d, e, f = boxes[at, 0], boxes[at, 1], boxes[at, 2], boxes[at, 4], boxes[at, 5], boxes[at, 6]
    for k in range(first + 1, last):
        at = items[k]
        a = boxes[at, 0] if boxes[at, 0] < a else a
        b = boxes[at, 1] if boxes[at, 1] < b else b
        c = boxes[at, 2] if boxes[at, 2] < c else c
        d = boxes[at, 4] if boxes[at, 4] < d else d
        e = boxes[at, 5] if boxes[at, 5] < e else e
        f = boxes[at, 6] if boxes[at, 6] < f else f
    return a, b, c, d, e, f


@helper(fastmath=EXACT)
def _side(low, high):
    """Middle and half of a box's side; a flat one is made thicker."""
    if abs(low - high) < EPS:
        low, high = low - EPS, high + EPS
    return (high + low) / 2.0, (high - low) / 2.0


@helper(fastmath=EXACT)
def _write_box(node_box, node, box):
    """Write a node's box; its longest side, of nearly equal ones the first."""
    a, b, c, d, e, f = box
    x, half_x = _side(a, -d)
    y, half_y = _side(b, -e)
    z, half_z = _side(c, -f)
    node_box[node, 0] = x
    node_box[node, 1] = y
    node_box[node, 2] = z
    node_box[node, 3] = half_x
    node_box[node, 4] = half_y
    node_box[node, 5] = half_z
    x, y, z = 2.0 * half_x, 2.0 * half_y, 2.0 * half_z
    axis = 1 if y >= x + EPS else 0
    return 2 if z >= (y if axis else x) + EPS else axis


@helper(fastmath=EXACT)
def _grow(a, element, count, root):
    """Grow the tree over `count` elements from number `element` on, into the nodes from `root` on."""
    centres, boxes, keys, items, wrong, later = a.tree_centre, a.tree_box, a.tree_key, a.tree_item, a.tree_wrong, a.tree_later
    child, depth, nodeid, node_box = a.node_child, a.node_depth, a.node_id, a.node_box
    for k in range(count):
        items[k] = element + k
    first, size, level, waiting = 0, count, 0, 0
    for node in range(root, root + 2 * count - 1):
        depth[node] = level
        axis = _write_box(node_box, node, _box(boxes, items, first, first + size))
        if size == 1:
            child[node, 0] = -1
            child[node, 1] = -1
            nodeid[node] = items[first]
            if waiting:
                waiting -= 1
                first, size, level = later[waiting, 0], later[waiting, 1], later[waiting, 2]
            continue
        half = size // 2
        for k in range(first, first + size):
            keys[k] = centres[items[k], axis]
        halve(keys, items, wrong, first, first + half, first + size)
        nodeid[node] = -1
        child[node, 0] = node + 1 - root
        child[node, 1] = node + 2 * half - root
        level += 1
        later[waiting, 0] = first + half
        later[waiting, 1] = size - half
        later[waiting, 2] = level
        waiting += 1
        size = half


@helper(fastmath=EXACT)
def _middle(low, high):
    """A side of a triangle's box as the official compiler keeps it: its ends from middle and half."""
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    return middle - half, middle + half


@helper(fastmath=EXACT)
def _cross(ax, ay, az, bx, by, bz):
    """Cross product."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@helper(fastmath=EXACT)
def _measure(a, triangle, count, points):
    """Fill centre of circumcircle and box of a triangle; whether the box is finite."""
    face, at, centres, boxes = a.tri_face, a.tri_point, a.tree_centre, a.tree_box
    one, two, three = face[triangle, 0], face[triangle, 1], face[triangle, 2]
    sound = True
    for k in range(3):
        x, y, z = at[k * points + one], at[k * points + two], at[k * points + three]
        low, high = _middle(min(min(x, y), z), max(max(x, y), z))
        boxes[triangle, k] = low
        boxes[triangle, 4 + k] = -high
        sound &= (abs(x + y + z) < math.inf) & (abs(low) < math.inf) & (abs(high) < math.inf)
    cx, cy, cz = at[three], at[points + three], at[2 * points + three]
    ax, ay, az = at[one] - cx, at[points + one] - cy, at[2 * points + one] - cz
    bx, by, bz = at[two] - cx, at[points + two] - cy, at[2 * points + two] - cz
    nx, ny, nz = _cross(ax, ay, az, bx, by, bz)
    area = math.sqrt(nx * nx + ny * ny + nz * nz)
    aa, bb = ax * ax + ay * ay + az * az, bx * bx + by * by + bz * bz
    x, y, z = _cross(aa * bx - bb * ax, aa * by - bb * ay, aa * bz - bb * az, nx, ny, nz)
    whole = 2.0 * area * area
    centres[triangle, 0] = x / whole + cx
    centres[triangle, 1] = y / whole + cy
    centres[triangle, 2] = z / whole + cz
    return sound


@kernel("a i i i", ret="i", fastmath=EXACT)
def mesh_tree(a, count, points, root):
    """Grow the tree over the `count` triangles of a mesh into the nodes from `root` on: 1, or 0 where a box is not finite and nothing was done.

    tri_face: corners of triangles; tri_point: coordinates of the points, all x, all y, all z. Source: physics/compiler/mesh/bvh.py.
    """
    sound = True
    for triangle in range(count):
        sound &= _measure(a, triangle, count, points)
    if not sound:
        return 0
    _grow(a, 0, count, root)
    return 1


@kernel("a i", fastmath=EXACT)
def grow_trees(a, trees):
    """Grow trees over consecutive groups of elements, tree_count of each, whose tree_centre and tree_box are given and finite."""
    element, root = 0, 0
    for tree in range(trees):
        count = a.tree_count[tree]
        _grow(a, element, count, root)
        element += count
        root += max(2 * count - 1, 0)
