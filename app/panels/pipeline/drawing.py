"""What a stage has found, drawn on the model with markers: frames, centres of mass, contacts, Jacobian columns, accelerations, forces, the next pose.

    draw(frame, m, walk, number, target): frame: the markers of one picture (Markers.frame)
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from physics.engine.step_order import STAGES
from physics.enums import CNSTR_CONTACT_FRICTIONLESS
from physics.model.model import Model
from physics.pipeline.constraint_problem import ContactRows
from physics.pipeline.line import dof_name, n
from physics.pipeline.point_jacobians import point_jacobians
from physics.pipeline.position_numbers import contact_row, subtree
from physics.pipeline.target import Target
from physics.pipeline.walk import Moment, Walk

RED, GREEN, BLUE = (0.95, 0.3, 0.25, 1.0), (0.3, 0.85, 0.35, 1.0), (0.35, 0.55, 1.0, 1.0)
ORANGE, CYAN, VIOLET, YELLOW, GREY = (0.95, 0.6, 0.1, 1.0), (0.1, 0.75, 0.85, 1.0), (0.7, 0.45, 0.95, 1.0), (0.95, 0.85, 0.2, 1.0), (0.6, 0.6, 0.6, 0.8)
MOST_BODIES = 400       # that are drawn; of larger models those of the selected tree
SIZES, EXTENT = 3.0, 0.25       # of the longest arrow: mean sizes of bodies, at most this share of the model's extent
THIN = 0.025            # of an arrow's length: the radius of its shaft


class _Canvas:
    """Where to draw, and how large: length of the longest arrow [m]."""

    def __init__(self, frame, m: Model, v: Moment, t: Target):
        self.frame, self.m, self.v, self.t = frame, m, v, t
        self.length = max(1e-4, min(SIZES * float(m.stat_meansize), EXTENT * float(m.stat_extent)))
        bodies = np.arange(1, m.nbody)
        if len(bodies) > MOST_BODIES:
            tree = m.body_treeid[t.body]
            bodies = bodies[m.body_treeid[1:] == tree][:MOST_BODIES] if tree >= 0 else bodies[:MOST_BODIES]
        self.bodies = bodies
        self.moving = bodies[m.body_weldid[bodies] != 0]

    def arrows(self, starts, vectors, rgba, largest: float | None = None) -> None:
        """Arrows along vectors, the largest of them (or one of size `largest`) as long as may be; those of a thousandth are left out."""
        starts, vectors = np.reshape(starts, (-1, 3)), np.reshape(vectors, (-1, 3))
        sizes = np.linalg.norm(vectors, axis=1)
        top = float(sizes.max(initial=0.0)) if largest is None else largest
        seen = np.isfinite(sizes) & (sizes > 1e-3 * top)
        if top > 0 and np.isfinite(top) and seen.any():
            ends = starts[seen] + vectors[seen] * (self.length / top)
            self.frame.arrow(starts[seen], ends, width=THIN * self.length, rgba=rgba)

    def dofs(self, values, rgba) -> None:
        """An arrow for each dof along its axis, at its joint, as long as the value says."""
        m, v = self.m, self.v
        dofs = np.flatnonzero(np.isin(m.dof_bodyid, self.bodies))
        if not len(dofs):
            return
        turning = np.linalg.norm(v.cdof[dofs, :3], axis=1) > 1e-9
        axes = np.where(turning[:, None], v.cdof[dofs, :3], v.cdof[dofs, 3:])
        self.arrows(v.xanchor[m.dof_jntid[dofs]], axes * np.asarray(values)[dofs, None], rgba)


def draw(frame, m: Model, walk: Walk, number: int, target: Target) -> None:
    """Draw what stage `number` of the walk has found."""
    stage = walk[number]
    if stage.ran:
        canvas = _Canvas(frame, m, walk.after(number), target)
        _PICTURES.get(STAGES[number].kernels[0].__name__, _nothing)(canvas, walk, number)


def _nothing(c: _Canvas, walk: Walk, number: int) -> None:
    """A stage that there is no picture of."""


def _kinematics(c: _Canvas, walk: Walk, number: int) -> None:
    """Body frames, and the way from the root to the selected body."""
    v, size = c.v, 0.4 * c.length
    frames = v.xmat[c.bodies].reshape(-1, 3, 3)
    for k, rgba in enumerate((RED, GREEN, BLUE)):
        starts = v.xpos[c.bodies]
        c.frame.lines(np.stack([starts, starts + size * frames[:, :, k]], axis=1), width=2.0, rgba=rgba)
    way = [c.t.body]
    while way[-1] > 0:
        way.append(int(c.m.body_parentid[way[-1]]))
    if len(way) > 2:
        c.frame.line(v.xpos[way[:-1]], width=3.0, rgba=YELLOW)


def _com(c: _Canvas, walk: Walk, number: int) -> None:
    """Centres of mass of bodies and trees, and the axis of the dof."""
    v, m = c.v, c.m
    if len(c.moving):
        c.frame.points(v.xipos[c.moving], size=6.0, rgba=ORANGE)
    roots = np.unique(m.body_rootid[c.moving])
    if len(roots):
        c.frame.points(v.subtree_com[roots], size=12.0, rgba=YELLOW)
    _ellipsoids(c, c.moving, (0.95, 0.6, 0.1, 0.25))
    _axis(c, c.t.dof, CYAN)


def _ellipsoids(c: _Canvas, bodies: np.ndarray, rgba) -> None:
    """Solid ellipsoids of the bodies' masses and moments of inertia."""
    m = c.m
    bodies = bodies[m.body_mass[bodies] > 1e-9]
    if not len(bodies):
        return
    moments = m.body_inertia[bodies]
    squares = 2.5 * (moments.sum(axis=1, keepdims=True) - 2 * moments) / m.body_mass[bodies, None]
    c.frame.ellipsoid(c.v.xipos[bodies], np.sqrt(np.maximum(squares, (1e-3 * c.length) ** 2)), mat=c.v.ximat[bodies].reshape(-1, 3, 3), rgba=rgba)


def _axis(c: _Canvas, dof: int, rgba, name: bool = True) -> None:
    if dof < 0:
        return
    v, m = c.v, c.m
    axis = v.cdof[dof, :3] if np.linalg.norm(v.cdof[dof, :3]) > 1e-9 else v.cdof[dof, 3:]
    start = v.xanchor[m.dof_jntid[dof]]
    c.arrows(start, axis, rgba)
    if name:
        c.frame.text(start + 1.1 * c.length * axis, dof_name(m, dof), rgba=rgba)


def _tendon(c: _Canvas, walk: Walk, number: int) -> None:
    """The path of the tendon."""
    v, k = c.v, c.t.tendon
    if k >= 0 and v.ten_wrapnum[k] > 1:
        first = int(v.ten_wrapadr[k])
        points = v.wrap_xpos.reshape(-1, 3)[first:first + int(v.ten_wrapnum[k])]
        on = v.wrap_obj.reshape(-1)[first:first + len(points)]
        c.frame.line(points[on != -2] if (on != -2).sum() > 1 else points, width=3.0, rgba=YELLOW)


def _inertia(c: _Canvas, walk: Walk, number: int) -> None:
    """All that the dof carries, and its axis."""
    if c.t.dof >= 0:
        _ellipsoids(c, np.array(subtree(c.m, int(c.m.dof_bodyid[c.t.dof]))), (0.95, 0.6, 0.1, 0.35))
        _axis(c, c.t.dof, CYAN)


def _factor(c: _Canvas, walk: Walk, number: int) -> None:
    """The elimination tree: each dof's joint tied to that of the dof above."""
    m, v = c.m, c.v
    dofs = np.flatnonzero((m.dof_parentid >= 0) & np.isin(m.dof_bodyid, c.bodies))
    if len(dofs):
        c.frame.lines(np.stack([v.xanchor[m.dof_jntid[dofs]], v.xanchor[m.dof_jntid[m.dof_parentid[dofs]]]], axis=1), width=3.0, rgba=VIOLET)
    _axis(c, c.t.dof, CYAN)


def _collision(c: _Canvas, walk: Walk, number: int) -> None:
    """Candidate pairs as lines between the geoms, contacts as points with their normals, the chosen one with its frame."""
    v = c.v
    pairs = v.cand_geom
    if len(pairs):
        pairs = pairs[(pairs >= 0).all(axis=1)][:2000]
        c.frame.lines(np.stack([v.geom_xpos[pairs[:, 0]], v.geom_xpos[pairs[:, 1]]], axis=1), width=1.0, rgba=GREY)
    if v.ncon:
        inside = v.contact_dist < v.contact_includemargin
        c.frame.points(v.contact_pos, size=7.0, rgba=np.where(inside[:, None], RED, GREY))
        c.arrows(v.contact_pos, 0.6 * v.contact_frame.reshape(-1, 3, 3)[:, 0], RED, largest=1.0)
    if c.t.contact >= 0:
        axes = v.contact_frame[c.t.contact].reshape(3, 3)
        for axis, rgba in zip(axes[1:], (GREEN, BLUE), strict=True):
            c.arrows(v.contact_pos[c.t.contact], 0.6 * axis, rgba, largest=1.0)
        c.frame.text(v.contact_pos[c.t.contact], f"{1e3 * v.contact_dist[c.t.contact]:.3g} mm")


def _efc_rows(c: _Canvas, walk: Walk, number: int) -> None:
    """The chosen row: how the contact's point moves with each of its dofs, seen from the first geom; of other rows the dofs' axes."""
    v, m, r = c.v, c.m, c.t.row
    if r < 0:
        return
    columns = v.efc_J_colind[v.efc_J_rowadr[r]:v.efc_J_rowadr[r] + v.efc_J_rownnz[r]]
    values = v.efc_J[v.efc_J_rowadr[r]:v.efc_J_rowadr[r] + v.efc_J_rownnz[r]]
    if v.efc_type[r] < CNSTR_CONTACT_FRICTIONLESS or v.contact_geom[v.efc_id[r]].min() < 0:
        dense = np.zeros(m.nv)
        dense[columns] = values
        c.dofs(dense, VIOLET)
        return
    contact = int(v.efc_id[r])
    point, (b1, b2) = v.contact_pos[contact], (int(m.geom_bodyid[g]) for g in v.contact_geom[contact])
    motion = (point_jacobians(m, v, b2, point)[0] - point_jacobians(m, v, b1, point)[0])[:, columns].T
    c.arrows(np.repeat(point[None], len(motion), axis=0), motion, VIOLET)
    direction = _direction(c, contact, r)
    c.arrows(point, direction, RED)
    strongest = np.argsort(-np.abs(values))[:6]
    sizes = np.linalg.norm(motion, axis=1)
    for k in strongest:
        if sizes[k] > 1e-3 * sizes.max(initial=0.0):
            c.frame.text(point + motion[k] * (c.length / sizes.max()), f"{dof_name(m, int(columns[k]))} {n(values[k])}", rgba=VIOLET)


def _direction(c: _Canvas, contact: int, r: int) -> np.ndarray:
    """The direction in space that a row of a contact looks along, or turns about."""
    v = c.v
    frame, part = v.contact_frame[contact].reshape(3, 3), r - int(v.contact_efc_address[contact])
    if contact_row(c.m, v, contact, part)[1].startswith("n "):      # an edge of the pyramid
        k, sign = part // 2, 1.0 if part % 2 == 0 else -1.0
        return frame[0] + sign * v.contact_friction[contact][k] * (frame[k + 1] if k < 2 else 0.0)
    return frame[part % 3]


def _transmission(c: _Canvas, walk: Walk, number: int) -> None:
    """The moment arms of the actuator, along the axes of its dofs."""
    v, m = c.v, c.m
    if c.t.actuator >= 0:
        out = int(m.actuator_outadr[c.t.actuator])
        where = slice(int(v.moment_rowadr[out]), int(v.moment_rowadr[out] + v.moment_rownnz[out]))
        dense = np.zeros(m.nv)
        dense[v.moment_colind[where]] = v.actuator_moment[where]
        c.dofs(dense, GREEN)


def _velocity(c: _Canvas, walk: Walk, number: int) -> None:
    """Velocities of the bodies' centres of mass."""
    v, b = c.v, c.moving
    arm = v.xipos[b] - v.subtree_com[c.m.body_rootid[b]]
    c.arrows(v.xipos[b], v.cvel[b, 3:] + np.cross(v.cvel[b, :3], arm), CYAN)


def _forces(field: str, rgba) -> Callable[[_Canvas, Walk, int], None]:
    def drawn(c: _Canvas, walk: Walk, number: int) -> None:
        c.dofs(getattr(c.v, field), rgba)
    return drawn


def _reference(c: _Canvas, walk: Walk, number: int) -> None:
    """What the first row of each contact asks for, along its normal."""
    v = c.v
    rows = v.contact_efc_address
    found = np.flatnonzero(rows >= 0)
    if len(found):
        c.arrows(v.contact_pos[found], v.contact_frame[found, :3] * v.efc_aref[rows[found]][:, None], ORANGE)
    elif c.t.row >= 0:
        _efc_rows(c, walk, number)


def body_accelerations(m: Model, v: Moment, bodies: np.ndarray, qacc: np.ndarray) -> np.ndarray:
    """J qacc at the centres of mass of bodies (n, 3) [m/s2], without what velocities add."""
    own, spatial, way = np.zeros((m.nbody, 6)), np.zeros((len(bodies), 6)), np.asarray(bodies)
    np.add.at(own, m.dof_bodyid, v.cdof * np.asarray(qacc)[:, None])
    while way.any():        # from all of them towards the world, which has no dofs
        spatial += own[way]
        way = m.body_parentid[way]
    arm = v.xipos[bodies] - v.subtree_com[m.body_rootid[bodies]]
    return spatial[:, 3:] + np.cross(spatial[:, :3], arm)


def _qacc_smooth(c: _Canvas, walk: Walk, number: int) -> None:
    """How the bodies would accelerate without constraints."""
    c.arrows(c.v.xipos[c.moving], body_accelerations(c.m, c.v, c.moving, c.v.qacc_smooth), ORANGE)


def _solve(c: _Canvas, walk: Walk, number: int) -> None:
    """Accelerations without (orange) and with constraints (blue) to one scale, and the forces of contacts (green)."""
    m, v, b = c.m, c.v, c.moving
    free, bound = (body_accelerations(m, v, b, a) for a in (v.qacc_smooth, v.qacc))
    top = float(np.linalg.norm(np.concatenate([free, bound]), axis=1).max(initial=0.0))
    c.arrows(v.xipos[b], free, ORANGE, largest=top)
    c.arrows(v.xipos[b] + 0.02 * c.length, bound, BLUE, largest=top)
    if v.ncon:
        c.arrows(v.contact_pos, _contact_forces(v), GREEN)


def _contact_forces(v: Moment) -> np.ndarray:
    """Forces of contacts in the world (ncon, 3) [N], on the second geom."""
    rows = ContactRows.of(v)
    return np.einsum("nk,nkj->nj", rows.forces(v.efc_type, v.efc_force)[:, :3], rows.frame)


def _integrate(c: _Canvas, walk: Walk, number: int) -> None:
    """Where the bodies' centres of mass go; the next pose itself is a ghost."""
    if walk.done:
        now = walk.after(number - 1)
        way = walk.next_pose["xipos"][c.moving] - now.xipos[c.moving]
        c.arrows(now.xipos[c.moving], way, CYAN)
        longest = float(np.linalg.norm(way, axis=1).max(initial=0.0))
        if longest > 0:
            k = c.moving[int(np.argmax(np.linalg.norm(way, axis=1)))]
            c.frame.text(now.xipos[k], f"{1e3 * longest:.3g} mm in this step", rgba=CYAN)


_PICTURES: Mapping[str, Callable[[_Canvas, Walk, int], None]] = MappingProxyType({
    "kinematics": _kinematics, "com_pos": _com, "tendon": _tendon, "crb": _inertia, "factor_m": _factor, "contacts": _collision, "make_constraint": _efc_rows,
    "transmission": _transmission, "tendon_velocity": _velocity, "passive": _forces("qfrc_passive", YELLOW), "reference_constraint": _reference,
    "rne": _forces("qfrc_bias", RED), "fwd_actuation": _forces("qfrc_actuator", GREEN), "fwd_acceleration": _qacc_smooth, "fwd_constraint": _solve, "single_step": _integrate,
})
