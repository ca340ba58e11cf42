"""The polygons of hulls: triangles in one plane joined, in the order of the official compiler's hash table; their normals; farthest vertices."""
from __future__ import annotations

import math

from physics.enums import MINVAL
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import off
from physics.rotation.quaternion import EPS

STEP = 0.01       # [rad] of the angles
UPRIGHT = 1.0 - 1e-7
MOST = 400        # above any rounded angle
NONE = -1
LOW = 0xFFFFFFFF  # bits of half a word
MIX = 0x9E3779B9  # what boost adds to a hash


# ---------------------------------------------------------------- groups of triangles with one normal


@helper(fastmath=EXACT)
def _code(vert, points, face, k):
    """Rounded azimuth and polar angle of triangle k as one number; NONE where it has no normal, -2 where the normal is not finite."""
    one, two, three = face[k, 0], face[k, 1], face[k, 2]
    ax, ay, az = vert[two] - vert[one], vert[points + two] - vert[points + one], vert[2 * points + two] - vert[2 * points + one]
    bx, by, bz = vert[three] - vert[one], vert[points + three] - vert[points + one], vert[2 * points + three] - vert[2 * points + one]
    x, y, z = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    length = math.sqrt(x * x + y * y + z * z)
    if length < MINVAL:
        return NONE
    x, y, z = x / length + 0.0, y / length + 0.0, z / length + 0.0
    if not abs(x) + abs(y) + abs(z) < 4.0:
        return -2
    if abs(z) > UPRIGHT:
        return MOST * 1024 + (int(math.floor(math.pi / STEP + 0.5)) if z < 0 else 0)
    turn = math.atan2(y, x) / STEP
    azimuth = int(math.floor(abs(turn) + 0.5))
    polar = int(math.floor(math.acos(min(max(z, -1.0), 1.0)) / STEP + 0.5))
    return (MOST + (azimuth if turn > 0 else -azimuth)) * 1024 + polar


@helper(fastmath=EXACT)
def _group(code, count, table, mask, group, first):
    """Give each triangle the number of its group, counted as they are met, or NONE. first: each group's first triangle. Returns how many groups."""
    for k in range(mask + 1):
        table[k] = NONE
    groups = 0
    for k in range(count):
        group[k] = NONE
        if code[k] == NONE:
            continue
        place = (code[k] * 40503 >> 5) & mask
        while table[place] >= 0 and code[first[table[place]]] != code[k]:
            place = (place + 1) & mask
        if table[place] < 0:
            table[place] = groups
            first[groups] = k
            groups += 1
        group[k] = table[place]
    return groups


# ---------------------------------------------------------------- the order of the hash table; see hash_order.py


@helper(fastmath=EXACT)
def _upper(n):
    """The upper half of the bits of a whole number below 1024 as a double; the lower half is 0."""
    size, power = abs(n), 0
    if n == 0:
        return 0
    while size >> (power + 1):
        power += 1
    return ((1023 + power) << 20) + ((size - (1 << power)) << (20 - power)) + (0x80000000 if n < 0 else 0)


@helper(fastmath=EXACT)
def _bucket(code, buckets):
    """Where the key of a group belongs: its hash, as boost combines it from two doubles, left over from dividing by the number of buckets."""
    a, b = _upper((code >> 10) - MOST), _upper(code & 1023)
    low = MIX + ((a & 3) << 30)
    high = a ^ ((b + (a << 6) + (a >> 2) + (low >> 32)) & LOW)
    return ((high % buckets) * ((1 << 32) % buckets) + (low & LOW)) % buckets


@helper(fastmath=EXACT)
def _grown(buckets, wanted):
    """How many buckets there are once they do not suffice."""
    odd = 0 if buckets > 2 and buckets & (buckets - 1) == 0 else 1
    n = max(2 * buckets + odd, wanted)
    if n == 1:
        return 2
    if n & (n - 1) == 0:
        return n
    while True:
        k, prime = 2, True
        while prime and k * k <= n:
            prime = n % k != 0
            k += 1
        if prime:
            return n
        n += 1


@helper(fastmath=EXACT)
def _regroup(after, place, before, buckets):
    """Regroup the list by the buckets place of its entries, and find the entry before each bucket's first. Entry 0 is the list's head."""
    for k in range(buckets):
        before[k] = NONE
    last, entry = 0, after[0]
    if entry == NONE:
        return
    here = place[entry]
    before[here] = 0
    last, entry = entry, after[entry]
    while entry != NONE:
        bucket = place[entry]
        if bucket == here:
            last = entry
        elif before[bucket] == NONE:
            before[bucket] = last
            last, here = entry, bucket
        else:
            front = before[bucket]
            after[last] = after[entry]
            after[entry] = after[front]
            after[front] = entry
        entry = after[last]


@helper(fastmath=EXACT)
def _chain(code, first, groups, after, place, before):
    """Put the groups into the table one by one, as entries from 1 on; after: each entry's next on the list that a walk follows from 0."""
    after[0] = NONE
    buckets = 0
    for entry in range(1, groups + 1):
        if entry > buckets:
            buckets = _grown(buckets, entry)
            for other in range(1, groups + 1):
                place[other] = _bucket(code[first[other - 1]], buckets)
            _regroup(after, place, before, buckets)
        bucket = place[entry]
        front = before[bucket]
        if front != NONE:
            after[entry] = after[front]
            after[front] = entry
            continue
        following = after[0]
        after[entry] = following
        after[0] = entry
        before[bucket] = 0
        if following != NONE:
            before[place[following]] = entry


# ---------------------------------------------------------------- outlines


@helper(fastmath=EXACT)
def _root(parent, part):
    """The oldest of the parts that have become one."""
    while parent[part] != part:
        parent[part] = parent[parent[part]]
        part = parent[part]
    return part


@helper(fastmath=EXACT)
def _find(table, mask, edge, v, w):
    """The place in the table of the edge from v to w, or the free one where it belongs. edge: rows of start, end, part."""
    place = ((v * 73856093) ^ (w * 19349663)) & mask
    while table[place] != NONE and (edge[3 * table[place]] != v or edge[3 * table[place] + 1] != w):
        place = (place + 1) & mask
    return place


@helper(fastmath=EXACT)
def _join(face, member, begin, end, edge, table, parent):
    """The edges of a group's triangles in the order they came, the part of each, NONE for those between two triangles. Returns edges and parts."""
    mask = 15
    while mask < 6 * (end - begin):
        mask = 2 * mask + 1
    for k in range(mask + 1):
        table[k] = NONE
    edges, parts = 0, 0
    for n in range(begin, end):
        k, part = member[n], NONE
        fresh = 0  # bit c is set: the edge from corner c has no counterpart yet
        for c in range(3):
            e = table[_find(table, mask, edge, face[k, (c + 1) % 3], face[k, c])]
            if e == NONE or edge[3 * e + 2] == NONE:
                fresh |= 1 << c
                continue
            other = _root(parent, edge[3 * e + 2])
            edge[3 * e + 2] = NONE
            if part == NONE:
                part = other
            elif part != other:
                parent[max(part, other)] = min(part, other)
                part = min(part, other)
        if part == NONE:
            part = parts
            parent[parts] = parts
            parts += 1
        for c in range(3):
            if fresh >> c & 1:
                place = _find(table, mask, edge, face[k, c], face[k, (c + 1) % 3])
                e = table[place]
                if e == NONE or edge[3 * e + 2] == NONE:
                    e = edges
                    table[place] = e
                    edge[3 * e] = face[k, c]
                    edge[3 * e + 1] = face[k, (c + 1) % 3]
                    edges += 1
                edge[3 * e + 2] = part
    return edges, parts


@helper(fastmath=EXACT)
def _sort(edge, edges, parts, parent, head, tail, following):
    """String the edges of each part together, in order."""
    for part in range(parts):
        head[part] = NONE
    for e in range(edges):
        if edge[3 * e + 2] != NONE:
            part = _root(parent, edge[3 * e + 2])
            if head[part] == NONE:
                head[part] = e
            else:
                following[tail[part]] = e
            tail[part] = e
            following[e] = NONE


@helper(fastmath=EXACT)
def _outline(edge, start, following, onward, out, at):
    """Write the closed path from edge `start` of a part to `out` from `at` on. onward: NONE for every vertex, as before. Returns its length or 0."""
    edges, e = 0, start
    while e != NONE:
        if onward[edge[3 * e]] == NONE:
            onward[edge[3 * e]] = edge[3 * e + 1]
        edges += 1
        e = following[e]
    out[at] = edge[3 * start]
    out[at + 1] = edge[3 * start + 1]
    length, closed = 2, False
    for _ in range(edges):
        v = onward[out[at + length - 1]]
        closed = v == out[at]
        if v == NONE or closed:
            break
        out[at + length] = v
        length += 1
    e = start
    while e != NONE:
        onward[edge[3 * e]] = NONE
        e = following[e]
    return length if closed and length >= 3 else 0


@helper(fastmath=EXACT)
def _map(corner, sizes, polygons, total, points, polymap, counts, at):
    """The polygons at each vertex, and how many. at: a place for each vertex."""
    for v in range(points):
        counts[v] = 0
    for n in range(total):
        counts[corner[n]] += 1
    start = 0
    for v in range(points):
        at[v] = start
        start += counts[v]
    n = 0
    for k in range(polygons):
        for _ in range(sizes[k]):
            polymap[at[corner[n]]] = k
            at[corner[n]] += 1
            n += 1


@helper(fastmath=EXACT)
def _gather(group, count, groups, begin, member):
    """The triangles of each group one after the other in order: group k's are member[begin[k]:begin[k + 1]]. begin: groups + 2 places."""
    for k in range(groups + 2):
        begin[k] = 0
    for k in range(count):
        if group[k] != NONE:
            begin[group[k] + 2] += 1
    for k in range(groups):
        begin[k + 2] += begin[k + 1]
    for k in range(count):
        if group[k] != NONE:
            member[begin[group[k] + 1]] = k
            begin[group[k] + 1] += 1


@kernel("a i i", ret="i", fastmath=EXACT)
def join_polygons(a, points, count):
    """Fill poly_vert (3 count + 2 places), poly_size, poly_map and poly_count from the triangles hull_face; see polygons.py. Returns how many polygons.

    Lent besides: hull_point, and hull_work: 2 points + 45 count + 64 places. -1 where a normal is not finite: nothing is filled.
    """
    vert, face, onward, corner, sizes = a.hull_point, a.hull_face, a.hull_work, a.poly_vert, a.poly_size
    work = off(onward, 2 * points)
    code, group, first, begin, member = work, off(work, count), off(work, 2 * count), off(work, 3 * count), off(work, 4 * count + 2)
    after, place, table = off(work, 5 * count + 2), off(work, 6 * count + 3), off(work, 7 * count + 4)
    for k in range(count):
        code[k] = _code(vert, points, face, k)
        if code[k] == -2:
            return -1
    mask = 15
    while mask < 2 * count:
        mask = 2 * mask + 1
    groups = _group(code, count, table, mask, group, first)
    _gather(group, count, groups, begin, member)
    _chain(code, first, groups, after, place, table)
    edge = off(table, 12 * count + 16)
    parent, head, tail, following = off(edge, 9 * count), off(edge, 10 * count), off(edge, 11 * count), off(edge, 12 * count)
    for v in range(points):
        onward[v] = NONE
    polygons, total = 0, 0
    entry = after[0]
    while entry != NONE:
        start, end = begin[entry - 1], begin[entry]
        if end == start + 1:
            for c in range(3):
                corner[total + c] = face[member[start], c]
            sizes[polygons] = 3
            polygons += 1
            total += 3
        else:
            edges, parts = _join(face, member, start, end, edge, table, parent)
            _sort(edge, edges, parts, parent, head, tail, following)
            for part in range(parts):
                if head[part] != NONE:
                    length = _outline(edge, head[part], following, onward, corner, total)
                    if length:
                        sizes[polygons] = length
                        polygons += 1
                        total += length
        entry = after[entry]
    _map(corner, sizes, polygons, total, points, a.poly_map, a.poly_count, off(onward, points))
    return polygons


# ---------------------------------------------------------------- what contacts look up


@kernel("a i i", fastmath=EXACT)
def find_polygon_normals(a, points, count):
    """Fill poly_normal: unit normals of the polygons poly_vert, poly_size of points hull_point from their whole outlines."""
    vert, corner, first = a.hull_point, a.poly_vert, 0
    for k in range(count):
        x, y, z, size = 0.0, 0.0, 0.0, a.poly_size[k]
        for c in range(size):
            v, w = corner[first + c], corner[first + c + 1 if c + 1 < size else first]
            vx, vy, vz = vert[v], vert[points + v], vert[2 * points + v]
            wx, wy, wz = vert[w], vert[points + w], vert[2 * points + w]
            x += (vy - wy) * (vz + wz)
            y += (vz - wz) * (vx + wx)
            z += (vx - wx) * (vy + wy)
        first += size
        length = math.sqrt(x * x + y * y + z * z)
        if length < EPS:  # of next to no area
            x, y, z, length = 1.0, 0.0, 0.0, 1.0
        a.poly_normal[k, 0] = x / length
        a.poly_normal[k, 1] = y / length
        a.poly_normal[k, 2] = z / length


@kernel("a i", fastmath=EXACT)
def find_extrema(a, count):
    """Fill hull_extreme: the farthest of count vertices hull_vertex of points hull_place along each of 27 directions, in single precision."""
    place, vertex, single = a.hull_place, a.hull_vertex, a.hull_single
    for n in range(27):
        dx, dy, dz = n // 9 - 1.0, n // 3 % 3 - 1.0, n % 3 - 1.0
        best, far = 0.0, 0
        for k in range(count):
            v = vertex[k]
            single[0] = place[v, 0] * dx + place[v, 1] * dy
            single[0] = single[0] + place[v, 2] * dz
            reach = single[0]
            if k == 0 or reach > best or (reach != reach and best == best):
                best, far = reach, k
        a.hull_extreme[n] = far
