"""Hulls: whether points have one, its triangles turned outwards, its vertices in qhull's order and the neighbours of each."""
from __future__ import annotations

import math

from physics.enums import MINVAL
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import off

SLIVER = 1e-6  # height over length below which the side of a triangle is not trusted
MINUS_ZERO = -(1 << 63)  # the bits of -0
UNSURE = -1


@kernel("a i", ret="i", fastmath=EXACT)
def flatness(a, points):
    """0 where the points hull_point do not all lie in one plane, 1 where they lie in one point, 2 on one line, 3 in one plane."""
    vert, second, third = a.hull_point, 0, 0
    x, y, z = vert[0], vert[points], vert[2 * points]
    size = 0.0
    for k in range(points):
        dx, dy, dz = vert[k] - x, vert[points + k] - y, vert[2 * points + k] - z
        size = math.sqrt(dx * dx + dy * dy + dz * dz)
        if size > MINVAL:
            second = k
            break
    if second == 0:
        return 1
    ex, ey, ez = vert[second] - x, vert[points + second] - y, vert[2 * points + second] - z
    nx, ny, nz, across = 0.0, 0.0, 0.0, 1.0
    for k in range(points):
        dx, dy, dz = vert[k] - x, vert[points + k] - y, vert[2 * points + k] - z
        length = math.sqrt(dx * dx + dy * dy + dz * dz)
        nx, ny, nz = ey * dz - ez * dy, ez * dx - ex * dz, ex * dy - ey * dx
        across = math.sqrt(nx * nx + ny * ny + nz * nz)
        if across > MINVAL * size * length and length >= MINVAL:
            third = k
            break
    if third == 0:
        return 2
    nx, ny, nz = nx / across, ny / across, nz / across
    ground = nx * x + ny * y + nz * z
    for k in range(points):
        if abs(nx * vert[k] + ny * vert[points + k] + nz * vert[2 * points + k] - ground) > MINVAL * size:
            return 0
    return 3


@helper(fastmath=EXACT)
def _bits(word):
    """The bits of a number, those of 0 for -0."""
    return 0 if word == MINUS_ZERO else word


@helper(fastmath=EXACT)
def _place(plane, k, mask):
    """Where plane k belongs in a table of mask + 1 places."""
    key = 0
    for c in range(4):
        word = _bits(plane[k, c])
        key = ((key & 0x3FFFFFFF) * 1000003 + ((word ^ (word >> 29)) & 0xFFFFFFFF)) & 0xFFFFFFFFFFFF
    return (key ^ (key >> 21)) & mask


@helper(fastmath=EXACT)
def _equal(plane, j, k):
    """Whether planes j and k are one to the last bit."""
    for c in range(4):
        if _bits(plane[j, c]) != _bits(plane[k, c]):
            return False
    return True


@helper(fastmath=EXACT)
def _first_shared(plane, count, table, mask):
    """The first of the planes (given by their bits) that there are more than once; count if all differ."""
    for k in range(mask + 1):
        table[k] = -1
    first = count
    for k in range(count):
        place = _place(plane, k, mask)
        while table[place] >= 0 and not _equal(plane, table[place], k):
            place = (place + 1) & mask
        if table[place] >= 0:
            first = min(first, table[place])
        else:
            table[place] = k
    return first


@helper(fastmath=EXACT)
def _meet(facet, count, local, points, met):
    """Number the vertices of triangles as they are met: local, those of all points, -1 for others; met, the reverse. Returns how many."""
    for k in range(points):
        local[k] = -1
    found = 0
    for k in range(count):
        for c in range(3):
            v = facet[k, c]
            if local[v] < 0:
                local[v] = found
                met[found] = v
                found += 1
    return found


@helper(fastmath=EXACT)
def _order_first(facet, met, found, vertex):
    """The vertices of qhull's first simplex in the order they have in its facets."""
    for i in range(found):
        seat, rank = 0, 0
        for k in range(4):
            for c in range(3):
                seat += c if facet[k, c] == met[i] else 0
        for j in range(found):
            other = 0
            for k in range(4):
                for c in range(3):
                    other += c if facet[k, c] == met[j] else 0
            rank += 1 if other < seat or (other == seat and met[j] < met[i]) else 0
        vertex[rank] = met[i]


@helper(fastmath=EXACT)
def _order(facet, count, local, found, cut, last, state, vertex):
    """The vertices as they stand in qhull's list; see hull.py. cut: the first triangle of those made last; last, state: a place for each vertex."""
    for i in range(found):
        state[i] = 0
    for k in range(count):
        for c in range(3):
            i = local[facet[k, c]]
            last[i] = k
            if k >= cut:
                state[i] = 1   # stands with the triangles that qhull cut from larger facets
    filled = 0
    for wanted in range(2):
        for k in range(cut if wanted else 0, count):
            for c in range(3):
                i = local[facet[k, c]]
                if state[i] == wanted and (wanted == 1 or facet[k, 0] == facet[last[i], 0]):
                    vertex[filled] = facet[k, c]
                    state[i] = 2   # has its place
                    filled += 1


@helper(fastmath=EXACT)
def _neighbours(facet, count, local, found, start, owner, mark, edgeadr, edge):
    """Addresses and neighbours of each vertex, in the order its triangles name them; start: found + 1 places, owner: one for each corner."""
    for i in range(found + 1):
        start[i] = 0
    for k in range(count):
        for c in range(3):
            start[local[facet[k, c]] + 1] += 1
    for i in range(found):
        start[i + 1] += start[i]
        mark[i] = -1
    for k in range(count):
        for c in range(3):
            i = local[facet[k, c]]
            owner[start[i]] = k
            start[i] += 1      # ends where the next vertex begins
    adr, first = 0, 0
    for i in range(found):
        edgeadr[i] = adr
        mark[i] = i
        for n in range(first, start[i]):
            for c in range(3):
                j = local[facet[owner[n], c]]
                if mark[j] != i:
                    mark[j] = i
                    edge[adr] = j
                    adr += 1
        first = start[i]
        edge[adr] = -1
        adr += 1
    edgeadr[found] = adr


@helper(fastmath=EXACT)
def _turn_outwards(vert, points, facet, plane, count, face, state):
    """Copy triangles, turned to the side of their planes. state: UNSURE for slivers, else 0."""
    for k in range(count):
        one, two, three = facet[k, 0], facet[k, 1], facet[k, 2]
        ax, ay, az = vert[two] - vert[one], vert[points + two] - vert[points + one], vert[2 * points + two] - vert[2 * points + one]
        bx, by, bz = vert[three] - vert[one], vert[points + three] - vert[points + one], vert[2 * points + three] - vert[2 * points + one]
        side = (ay * bz - az * by) * plane[k, 0] + (az * bx - ax * bz) * plane[k, 1] + (ax * by - ay * bx) * plane[k, 2]
        size = (ax * ax + ay * ay + az * az) + (bx * bx + by * by + bz * bz)
        face[k, 0] = two if side < 0 else one
        face[k, 1] = one if side < 0 else two
        face[k, 2] = three
        state[k] = UNSURE if abs(side) < SLIVER * size else 0


@helper(fastmath=EXACT)
def _against(face, j, k):
    """Whether two triangles pass an edge in the same direction."""
    for b in range(3):
        for c in range(3):
            if face[j, b] == face[k, c] and face[j, (b + 1) % 3] == face[k, (c + 1) % 3]:
                return True
    return False


@helper(fastmath=EXACT)
def _turn_slivers(face, across, count, state, slivers):
    """Turn unsure triangles so that they pass their edges the other way than settled neighbours, round after round. state: the round of settling."""
    left = 0
    for k in range(count):
        if state[k] == UNSURE:
            slivers[left] = k
            left += 1
    for turn in range(1, count):
        kept = 0
        for n in range(left):
            k, touches, against = slivers[n], False, False
            for c in range(3):
                other = across[k, c]
                if other >= 0 and 0 <= state[other] < turn:  # -1: none
                    touches, against = True, against or _against(face, k, other)
            if touches:
                state[k] = turn
                if against:
                    one = face[k, 0]
                    face[k, 0] = face[k, 1]
                    face[k, 1] = one
            else:
                slivers[kept] = k
                kept += 1
        if kept in (0, left):
            break
        left = kept


@kernel("a i i", ret="i", fastmath=EXACT)
def link_hull(a, points, count):
    """Fill hull_vertex, hull_face, hull_edgeadr (with the end after the last) and hull_edge from qhull's triangles; see hull.py. Returns how many vertices.

    Lent besides: hull_point, hull_facet, hull_across, hull_plane, hull_planebits, and hull_work: points + 20 places for each of count triangles.
    """
    facet, local = a.hull_facet, a.hull_work
    met, last, state, owner = off(local, points), off(local, points + 3 * count), off(local, points + 6 * count), off(local, points + 9 * count)
    turn, table = off(local, points + 12 * count), off(local, points + 13 * count)
    found = _meet(facet, count, local, points, met)
    if count == 4:
        _order_first(facet, met, found, a.hull_vertex)
    else:
        mask = 15
        while mask < 2 * count:
            mask = 2 * mask + 1
        cut = _first_shared(a.hull_planebits, count, table, mask)
        _order(facet, count, local, found, cut, last, state, a.hull_vertex)
    for k in range(found):
        local[a.hull_vertex[k]] = k
    _neighbours(facet, count, local, found, table, owner, state, a.hull_edgeadr, a.hull_edge)
    _turn_outwards(a.hull_point, points, facet, a.hull_plane, count, a.hull_face, turn)
    _turn_slivers(a.hull_face, a.hull_across, count, turn, table)
    return found
