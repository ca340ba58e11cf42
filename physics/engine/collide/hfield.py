"""Contacts of a height field with a convex geom: one with each triangular prism of its ground that is in reach.

    *-----*        a cell has two prisms: under its corners (r+1, c), (r, c), (r+1, c+1), then (r, c), (r+1, c+1), (r, c+1);
    | 1 / |        they reach down to the base of the height field
    |  / 2|
    *-----*        rows outermost, columns next; no more than MAX_PRISMS of them make contacts

Source: MuJoCo documentation, chapter Computation, "Collision", height fields; the official engine's contacts of random fields.
"""
from __future__ import annotations

from math import ceil, floor

from physics.engine.collide.contact import put
from physics.engine.collide.convex.ccd import TOO_FAR, ccd_distance_related, negative_margin_offset
from physics.engine.collide.convex.separating_axis_cache import SLACK
from physics.engine.collide.convex.shapes import CCD_BOX, CCD_MESH, CCD_SMALL_MESH, load_geom, load_prism, set_relative_pose
from physics.engine.collide.convex.support import local_support
from physics.engine.collide.vectors import add3, cross3, dot3, scl3, sub3, to_local
from physics.engine.ray.hfield import knot
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, ld9, st3
from physics.kernels.simd import stack

MAX_PRISMS = 50  # of one geom
AXES = 4  # directions kept, in a stack of four numbers each


@helper(fastmath=EXACT)
def support_extent(m, d, R, u):
    """How far shape 1 reaches from its centre along u, times the length of u; R turns its frame into that of u."""
    v = to_local(R, u)
    local_support(m, d, 1, v[0], v[1], v[2])
    return dot3(v, ld3(d.ccd_support, 1))


@helper
def has_vertices(shape):
    """whether a shape is a box or a mesh"""
    return shape == CCD_BOX or shape == CCD_SMALL_MESH or shape == CCD_MESH


@helper
def first_grid_line(low, half, count):
    """Last grid line at or below `low` along an axis."""
    return max(0, int(floor(max(-1.0, (low + half) / (2.0 * half) * (count - 1)))))


@helper
def last_grid_line(high, half, count):
    """First grid line at or above `high` along an axis."""
    return min(count - 1, int(ceil(min(float(count), (high + half) / (2.0 * half) * (count - 1)))))


@helper(fastmath=EXACT)
def set_prism(d, a, b, c, base):
    """Make the prism under three corners the one that is loaded."""
    st3(d.ccd_relpos, 0, scl3(add3(add3(a, b), c), 1.0 / 3.0))
    d.ccd_relpos[0, 2] = 0.5 * (d.ccd_relpos[0, 2] - base)
    st3(d.ccd_prism, 0, (a[0], a[1], -base))
    st3(d.ccd_prism, 1, (b[0], b[1], -base))
    st3(d.ccd_prism, 2, (c[0], c[1], -base))
    st3(d.ccd_prism, 3, a)
    st3(d.ccd_prism, 4, b)
    st3(d.ccd_prism, 5, c)


@helper(fastmath=EXACT)
def kept_axis_separates(axes, n, a, b, c, base):
    """Whether one of n directions that held another prism apart from shape 1 does so with that under three corners, too."""
    for k in range(min(n, AXES)):
        u = (axes[4 * k], axes[4 * k + 1], axes[4 * k + 2])
        x = u[0] * a[0] + u[1] * a[1]
        y = u[0] * b[0] + u[1] * b[1]
        z = u[0] * c[0] + u[1] * c[1]
        foot = max(x, max(y, z)) - u[2] * base
        if max(foot, max(x + u[2] * a[2], max(y + u[2] * b[2], z + u[2] * c[2]))) < axes[4 * k + 3]:
            return True
    return False


@helper(fastmath=EXACT)
def keep_axis_of_prism(m, d, axes, n, R, at, limit):
    """Keep the direction that holds the loaded prism apart from shape 1, and how high along it shape 1 is out of reach, in place of the oldest. -> n + 1"""
    u = ld3(d.ccd_dir, 0)
    k = 4 * (n % AXES)
    axes[k] = u[0]
    axes[k + 1] = u[1]
    axes[k + 2] = u[2]
    axes[k + 3] = dot3(u, at) - support_extent(m, d, R, scl3(u, -1.0)) - limit
    return n + 1


@helper(fastmath=EXACT)
def prism_contact(d, k, dist, reach):
    """Write contact k of the loaded prism and shape 1, if they are in reach. -> 0 or 1"""
    if not dist < max(0.0, reach):
        return 0
    offset = negative_margin_offset(d, dist, reach)
    if offset > 0.0:
        return 0
    put(d, k, dist + offset, scl3(add3(ld3(d.ccd_witness, 0), ld3(d.ccd_witness, 1)), 0.5), ld3(d.ccd_normal, 0))
    return 1


@helper(fastmath=EXACT)
def is_above(m, d, a, b, c, at, R, reach):
    """Whether shape 1, its centre `at`, is out of reach above the plane of three corners of the ground."""
    n = cross3(sub3(b, a), sub3(c, a))
    if n[2] < 0.0:
        n = scl3(n, -1.0)
    gap = dot3(n, sub3(at, a)) - support_extent(m, d, R, scl3(n, -1.0))
    gap -= (d.ccd_radius[1] + reach) * (abs(n[0]) + abs(n[1]) + n[2])
    return gap > 0.0


@kernel("m d i i f", ret="i", fastmath=EXACT)
def hfield_convex(m, d, g1, g2, reach):
    """Contacts of the prisms under the geom, in order.

    Reads: geom_dataid, geom_xpos, geom_xmat, geom_rbound, hfield_size, hfield_nrow, hfield_ncol, hfield_data
    Writes: contact_dist, contact_pos, contact_frame
    """
    # everything in the frame of the field; first a ball around the geom against the field's box
    h = m.geom_dataid[g1]
    R1 = ld9(d.geom_xmat, g1)
    size = (m.hfield_size[h, 0], m.hfield_size[h, 1], m.hfield_size[h, 2])
    base = m.hfield_size[h, 3]
    at = to_local(R1, sub3(ld3(d.geom_xpos, g2), ld3(d.geom_xpos, g1)))
    ball = m.geom_rbound[g2] + reach
    if not (abs(at[0]) <= size[0] + ball and abs(at[1]) <= size[1] + ball and -base - ball <= at[2] <= size[2] + ball):
        return 0
    # the geom as shape 1, a prism of the ground as shape 0
    load_geom(m, d, 1, g2)
    load_prism(m, d, g1)
    # the official engine's way where asked for: without a margin it takes all vertices of a prism for one
    d.ccd_onevertex[0] = 1 if m.flg_hfieldvertex and reach == 0.0 and has_vertices(d.ccd_shape[1]) else 0
    set_relative_pose(d)
    # the geom's box along the field's axes, swollen by r, from six support points
    R = ld9(d.ccd_relmat, 0)
    r = d.ccd_radius[1] + reach
    x0 = at[0] - support_extent(m, d, R, (-1.0, 0.0, 0.0)) - r
    x1 = at[0] + support_extent(m, d, R, (1.0, 0.0, 0.0)) + r
    y0 = at[1] - support_extent(m, d, R, (0.0, -1.0, 0.0)) - r
    y1 = at[1] + support_extent(m, d, R, (0.0, 1.0, 0.0)) + r
    low = at[2] - support_extent(m, d, R, (0.0, 0.0, -1.0)) - r
    if not (x0 <= size[0] and -size[0] <= x1 and y0 <= size[1] and -size[1] <= y1 and low <= size[2]):
        return 0
    if at[2] + support_extent(m, d, R, (0.0, 0.0, 1.0)) + r < -base:
        return 0
    # the cells under that box, and the separating axes kept from prism to prism
    c0 = first_grid_line(x0, size[0], m.hfield_ncol[h])
    c1 = last_grid_line(x1, size[0], m.hfield_ncol[h])
    axes = stack(16)
    known = 0
    limit = d.ccd_radius[1] + max(0.0, reach) + SLACK * (size[0] + size[1] + size[2] + base + m.geom_rbound[g2] + abs(reach))
    found = 0
    # prisms in the official order: rows, columns, two triangles a cell
    for row in range(first_grid_line(y0, size[1], m.hfield_nrow[h]), last_grid_line(y1, size[1], m.hfield_nrow[h])):
        for col in range(c0, c1):
            far = knot(m, h, row + 1, col)
            near = knot(m, h, row, col)
            for k in range(2):
                one = far if k == 0 else near
                two = near if k == 0 else knot(m, h, row + 1, col + 1)
                three = knot(m, h, row + 1, col + 1) if k == 0 else knot(m, h, row, col + 1)
                # skip what lies below the geom, what a kept axis separates, and what its top plane does
                if one[2] < low and two[2] < low and three[2] < low:
                    continue
                if kept_axis_separates(axes, known, one, two, three, base) or is_above(m, d, one, two, three, at, R, max(0.0, reach)):
                    continue
                # distance of prism and geom; a contact where in reach
                set_prism(d, one, two, three, base)
                dist = ccd_distance_related(m, d, max(0.0, reach))
                if dist == TOO_FAR:
                    known = keep_axis_of_prism(m, d, axes, known, R, at, limit)
                found += prism_contact(d, d.ncon + found, dist, reach)
                if found == MAX_PRISMS:
                    return found
    return found
