"""The table of geom pairs: which routine finds the contacts of two types of geoms, how many points it gives at most, and the call of it.

Everything that asks about pairs of types reads this table: the dispatch below, the room for contacts, distances, the tests. To change how two types
meet, change their routine, or name another one in their row. A new routine needs a line in `call_routine` too, because compiled code cannot call
through a table; a test goes through all pairs and compares.

A routine is a kernel (m, d, g1, g2, reach) -> number of points written from row d.ncon of the contacts on; types of g1 and g2 ascend, normals point
from g1 to g2; points farther than reach, the margin and gap of the pair [m], do not count.

Source: MuJoCo documentation, chapter Computation, "Collision".
"""
from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from physics.engine.collide.box import capsule_box, sphere_box
from physics.engine.collide.box_box import box_box
from physics.engine.collide.convex.ccd import convex_convex
from physics.engine.collide.convex.separating_axis_cache import boxes_apart
from physics.engine.collide.hfield import MAX_PRISMS, hfield_convex
from physics.engine.collide.plane import plane_box, plane_capsule, plane_cylinder, plane_ellipsoid, plane_sphere
from physics.engine.collide.plane_mesh import plane_mesh
from physics.engine.collide.sphere_capsule import capsule_capsule, sphere_capsule, sphere_cylinder, sphere_sphere
from physics.engine.collide.vectors import dot3, sub3
from physics.engine.kinematics.shapes import BOX, CAPSULE, CYLINDER, ELLIPSOID, HFIELD, MESH, PLANE, SPHERE
from physics.kernels.decorators import EXACT, Kernel, helper, kernel
from physics.kernels.rows import ld3

TYPES = MESH + 1  # numbers of types that have pairs begin at 0
WELL_APART = 1.7  # squared distance of centres against that of touching cores: most boxes that touch in a heap are nearer


@dataclass(frozen=True)
class PairRow:
    """A pair of types. boxes_first: whether a separating axis of the geoms' boxes is looked for before, where they are well apart."""

    routine: Kernel
    points: int
    boxes_first: bool = False


# (type1, type2) with type1 <= type2; pairs that are not listed never touch: unbounded against unbounded
TABLE = MappingProxyType({
    (PLANE, SPHERE): PairRow(plane_sphere, 1),
    (PLANE, CAPSULE): PairRow(plane_capsule, 2),
    (PLANE, ELLIPSOID): PairRow(plane_ellipsoid, 1),
    (PLANE, CYLINDER): PairRow(plane_cylinder, 4),
    (PLANE, BOX): PairRow(plane_box, 4),
    (PLANE, MESH): PairRow(plane_mesh, 4),
    (HFIELD, SPHERE): PairRow(hfield_convex, MAX_PRISMS),
    (HFIELD, CAPSULE): PairRow(hfield_convex, MAX_PRISMS),
    (HFIELD, ELLIPSOID): PairRow(hfield_convex, MAX_PRISMS),
    (HFIELD, CYLINDER): PairRow(hfield_convex, MAX_PRISMS),
    (HFIELD, BOX): PairRow(hfield_convex, MAX_PRISMS),
    (HFIELD, MESH): PairRow(hfield_convex, MAX_PRISMS),
    (SPHERE, SPHERE): PairRow(sphere_sphere, 1),
    (SPHERE, CAPSULE): PairRow(sphere_capsule, 1),
    (SPHERE, ELLIPSOID): PairRow(convex_convex, 1),
    (SPHERE, CYLINDER): PairRow(sphere_cylinder, 1),
    (SPHERE, BOX): PairRow(sphere_box, 1),
    (SPHERE, MESH): PairRow(convex_convex, 1),
    (CAPSULE, CAPSULE): PairRow(capsule_capsule, 2),
    (CAPSULE, ELLIPSOID): PairRow(convex_convex, 1),
    (CAPSULE, CYLINDER): PairRow(convex_convex, 2),
    (CAPSULE, BOX): PairRow(capsule_box, 2, boxes_first=True),
    (CAPSULE, MESH): PairRow(convex_convex, 2),
    (ELLIPSOID, ELLIPSOID): PairRow(convex_convex, 1),
    (ELLIPSOID, CYLINDER): PairRow(convex_convex, 1),
    (ELLIPSOID, BOX): PairRow(convex_convex, 1),
    (ELLIPSOID, MESH): PairRow(convex_convex, 1),
    (CYLINDER, CYLINDER): PairRow(convex_convex, 4),
    (CYLINDER, BOX): PairRow(convex_convex, 4),
    (CYLINDER, MESH): PairRow(convex_convex, 4),
    (BOX, BOX): PairRow(box_box, 8, boxes_first=True),
    (BOX, MESH): PairRow(convex_convex, 4),
    (MESH, MESH): PairRow(convex_convex, 4),
})

# what compiled code reads: the table's columns by TYPES * type1 + type2, with routines as numbers, -1 where there is none
(PLANE_SPHERE, PLANE_CAPSULE, PLANE_ELLIPSOID, PLANE_CYLINDER, PLANE_BOX, PLANE_MESH, HFIELD_CONVEX, SPHERE_SPHERE, SPHERE_CAPSULE, SPHERE_CYLINDER,
 SPHERE_BOX, CAPSULE_CAPSULE, CAPSULE_BOX, BOX_BOX, CONVEX) = range(15)
ROUTINES = (plane_sphere, plane_capsule, plane_ellipsoid, plane_cylinder, plane_box, plane_mesh, hfield_convex, sphere_sphere, sphere_capsule,
            sphere_cylinder, sphere_box, capsule_capsule, capsule_box, box_box, convex_convex)
_ROWS = tuple(TABLE.get((pair // TYPES, pair % TYPES)) for pair in range(TYPES * TYPES))
ROUTINE_OF = tuple(-1 if row is None else ROUTINES.index(row.routine) for row in _ROWS)
POINTS_OF = tuple(0 if row is None else row.points for row in _ROWS)
BOXES_FIRST = tuple(0 if row is None else int(row.boxes_first) for row in _ROWS)


@helper
def pair_number(t1, t2):
    """place of the types t1 <= t2 in the columns; that of a pair which never touches where a type has no pairs"""
    return TYPES * t1 + t2 if t2 < TYPES else 0


@helper
def max_points(t1, t2):
    """largest number of points between types t1 <= t2"""
    return POINTS_OF[pair_number(t1, t2)]


@helper
def by_support_mapping(t1, t2):
    """Whether the signed distance of types t1 <= t2 comes from their support mappings: they have no routine of their own, or are boxes, whose contacts tell nothing of it."""
    routine = ROUTINE_OF[pair_number(t1, t2)]
    return routine == CONVEX or routine == BOX_BOX


@helper(fastmath=EXACT)
def core_radius(m, g):
    """radius of the largest ball in a capsule or box"""
    if m.geom_type[g] == CAPSULE:
        return m.geom_size[g, 0]
    return min(m.geom_size[g, 0], min(m.geom_size[g, 1], m.geom_size[g, 2]))


@helper(fastmath=EXACT)
def cores_apart(m, d, g1, g2):
    """Whether the largest balls in two geoms are well apart; where not, the geoms likely touch and looking for a separating axis is in vain."""
    e = sub3(ld3(d.geom_xpos, g1), ld3(d.geom_xpos, g2))
    r = core_radius(m, g1) + core_radius(m, g2)
    return dot3(e, e) > WELL_APART * r * r


@helper
def call_routine(m, d, routine, g1, g2, reach):
    """Run a routine by its number; -> points written."""
    # planes and height fields
    if routine == PLANE_SPHERE:
        return plane_sphere(m, d, g1, g2, reach)
    if routine == PLANE_CAPSULE:
        return plane_capsule(m, d, g1, g2, reach)
    if routine == PLANE_ELLIPSOID:
        return plane_ellipsoid(m, d, g1, g2, reach)
    if routine == PLANE_CYLINDER:
        return plane_cylinder(m, d, g1, g2, reach)
    if routine == PLANE_BOX:
        return plane_box(m, d, g1, g2, reach)
    # a hull, or the ground prism by prism
    if routine == PLANE_MESH:
        return plane_mesh(m, d, g1, g2, reach)
    if routine == HFIELD_CONVEX:
        return hfield_convex(m, d, g1, g2, reach)
    # plain shapes in closed form
    if routine == SPHERE_SPHERE:
        return sphere_sphere(m, d, g1, g2, reach)
    if routine == SPHERE_CAPSULE:
        return sphere_capsule(m, d, g1, g2, reach)
    if routine == SPHERE_CYLINDER:
        return sphere_cylinder(m, d, g1, g2, reach)
    if routine == SPHERE_BOX:
        return sphere_box(m, d, g1, g2, reach)
    if routine == CAPSULE_CAPSULE:
        return capsule_capsule(m, d, g1, g2, reach)
    if routine == CAPSULE_BOX:
        return capsule_box(m, d, g1, g2, reach)
    if routine == BOX_BOX:
        return box_box(m, d, g1, g2, reach)
    # all others by their support mappings
    if routine == CONVEX:
        return convex_convex(m, d, g1, g2, reach)
    return 0


@kernel("m d i i f", ret="i", fastmath=EXACT)
def touch(m, d, g1, g2, reach):
    """Run the routine of geoms g1, g2 (types ascending); -> points written from row d.ncon on."""
    pair = pair_number(m.geom_type[g1], m.geom_type[g2])
    if BOXES_FIRST[pair] and cores_apart(m, d, g1, g2) and boxes_apart(m, d, g1, g2, reach):
        return 0
    return call_routine(m, d, ROUTINE_OF[pair], g1, g2, reach)
