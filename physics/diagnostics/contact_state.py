"""What goes on at one contact now: depth, velocity, force and where it lies in the friction cone, how hard the rows push, and the mass that they feel.

Everything is in the contact's frame: normal (from the first geom to the second), two tangents, then rotations about these three. Velocities are those of the
second geom's body against the first one's, forces those on the second.

Source: MuJoCo documentation, chapter Computation, "Contact", "Constraint model", "Friction cones"; APIreference, mj_contactForce.
"""
from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from types import MappingProxyType

import numpy as np

from physics.diagnostics.constraint_rows import row_island
from physics.enums import CNSTR_CONTACT_ELLIPTIC, CNSTR_CONTACT_PYRAMIDAL, CONE_ELLIPTIC, ENBL_DIAGEXACT
from physics.model.data import Data
from physics.model.model import Model
from physics.query.jacobian import jac
from physics.query.mass_matrix import solve_m
from physics.query.object_motion import contact_force
from physics.simulate.step import check_pair

AXES = ("normal", "tangent 1", "tangent 2", "spin", "roll 1", "roll 2")
SINGULAR = 1e-12    # of the largest eigenvalue: a motion with less inverse mass than that cannot happen


@dataclass(frozen=True, slots=True)
class Cone:
    """The friction cone of a contact. kind: 'elliptic', 'pyramidal' or 'frictionless'; friction (condim - 1): its coefficients; normal [N]: what its size follows from,
    the normal force with what adhesion adds; force (condim - 1) [N, N m]: along the tangents and about the axes; share: of the cone that is used, 1 on its side.

    Elliptic: share = sqrt(sum (f_i / mu_i)^2) / normal; pyramidal: sum |f_i| / mu_i / normal.
    """

    kind: str
    friction: tuple[float, ...]
    normal: float
    force: tuple[float, ...]
    share: float


@dataclass(frozen=True, slots=True)
class Stiffness:
    """How a contact's normal row pushes. K [1/s2], B [1/s], impedance: of its reference acceleration aref = -B vel - K impedance (pos - margin); R, diagA [1/kg]:
    its regularisation, and the inverse mass that fits it; of a pyramid both are of an edge. timeconst [s], dampratio: of the motion that this means at the present depth,
    timeconst = 2 / (impedance B), dampratio = B / (2 sqrt(K)), where nothing else acts; NaN where there is none."""

    K: float
    B: float
    impedance: float
    R: float
    diagA: float
    timeconst: float
    dampratio: float


@dataclass(frozen=True, slots=True)
class ContactState:
    """Contact `contact` between `geoms` now. dist [m], depth [m]: how far beyond the margin it is, above 0 where it pushes; pos, frame (3, 3): rows are the axes;
    velocity (6) [m/s, rad/s]: with what the surfaces move by themselves; surface (3): that part of it, along both tangents and spin; force (6) [N, N m];
    friction_force [N]: length along both tangents; state: why there are no rows, '' where there are; rows: first and number of them; island: -1 none.

    inverse_mass (condim, condim): J M^-1 J' of the axes; effective_mass: its inverse, with zeros for motions that cannot happen; normal_mass [kg]: what is felt
    along the normal while the other axes are free, infinite where nothing moves; held_mass [kg]: the same while they are held; assumed_mass [kg]: what the rows' R was made
    for, from the bodies' inverse weights in the initial pose (body_invweight0), or exactly with the flag diagexact.
    """

    contact: int
    geoms: tuple[int, int]
    condim: int
    dist: float
    depth: float
    pos: np.ndarray
    frame: np.ndarray
    velocity: np.ndarray
    surface: np.ndarray
    force: np.ndarray
    friction_force: float
    cone: Cone
    stiffness: Stiffness
    state: str
    rows: tuple[int, int]
    island: int
    inverse_mass: np.ndarray
    effective_mass: np.ndarray
    normal_mass: float
    held_mass: float
    assumed_mass: float


# contact_exclude -> in words
NO_ROWS = MappingProxyType({
    1: "within the gap: listed, but it does not push", 2: "marked as one with another contact (contact_exclude 2)", 3: "no degree of freedom moves one against the other",
})


def contact_state(m: Model, d: Data, contact: int) -> ContactState:
    """What goes on at a contact, at the state that `forward` or a step has computed last. Raises IndexError where there is no such contact."""
    check_pair(m, d)
    if not 0 <= contact < d.ncon:
        raise IndexError(f"contact {contact} of {d.ncon}")
    k = int(contact)
    geoms = tuple(map(int, d.contact_geom[k]))
    condim, row = int(d.contact_dim[k]), int(d.contact_efc_address[k])
    frame, pos = d.contact_frame[k].reshape(3, 3).copy(), d.contact_pos[k].copy()
    J = contact_jacobian(m, d, k)
    surface = d.contact_surfacevel[k].copy()
    velocity = J @ d.qvel
    velocity[1:4] += surface
    force = contact_force(m, d, k)
    inverse = J[:condim] @ solve_m(m, d, J[:condim]).T if m.nv else np.zeros((condim, condim))
    inverse = 0.5 * (inverse + inverse.T)
    effective, normal = _inverse(inverse), 1.0 / float(inverse[0, 0]) if inverse[0, 0] > 0.0 else float("inf")
    return ContactState(
        contact=k, geoms=geoms, condim=condim, dist=float(d.contact_dist[k]), depth=float(d.contact_includemargin[k] - d.contact_dist[k]), pos=pos, frame=frame,
        velocity=velocity, surface=surface, force=force, friction_force=float(np.hypot(force[1], force[2])), cone=contact_cone(m, d, k, force), stiffness=_stiffness(d, row),
        state=_why_no_rows(m, d, k, row), rows=(row, _row_count(d, row, condim)), island=row_island(m, d, row) if row >= 0 else -1, inverse_mass=inverse, effective_mass=effective,
        normal_mass=normal, held_mass=float(effective[0, 0]) if inverse[0, 0] > 0.0 else float("inf"),
        assumed_mass=normal if m.opt_enableflags & ENBL_DIAGEXACT else _assumed_mass(m, geoms))


def contact_jacobian(m: Model, d: Data, contact: int) -> np.ndarray:
    """J (6, nv) of a contact's axes: J qvel is the velocity of the second geom's body against the first one's at the contact, in its frame."""
    frame, pos = d.contact_frame[contact].reshape(3, 3), d.contact_pos[contact]
    one, two = (jac(m, d, pos, int(m.geom_bodyid[g])) for g in d.contact_geom[contact])
    return np.concatenate([frame @ (two[0] - one[0]), frame @ (two[1] - one[1])])


def contact_cone(m: Model, d, contact: int, force: np.ndarray) -> Cone:
    """Where the force (6) of a contact lies in its friction cone. d: a Data or Snapshot."""
    condim = int(d.contact_dim[contact])
    if condim == 1:
        return Cone("frictionless", (), float(force[0] + d.contact_adhesion[contact]), (), 0.0)
    friction, along = d.contact_friction[contact, :condim - 1], force[1:condim]
    normal = float(force[0] + d.contact_adhesion[contact])
    elliptic = m.opt_cone == CONE_ELLIPTIC
    parts = along / friction
    used = float(np.linalg.norm(parts) if elliptic else np.abs(parts).sum())
    share = used / normal if normal > 0.0 else 0.0
    return Cone("elliptic" if elliptic else "pyramidal", tuple(friction.tolist()), normal, tuple(along.tolist()), share)


def _inverse(a: np.ndarray) -> np.ndarray:
    """Inverse of a symmetric matrix without negative eigenvalues; what cannot move at all stays 0."""
    values, vectors = np.linalg.eigh(a)
    moves = values > SINGULAR * max(values.max(initial=0.0), np.finfo(float).tiny)
    return (vectors[:, moves] / values[moves]) @ vectors[:, moves].T


def _assumed_mass(m: Model, geoms: tuple[int, int]) -> float:
    """The mass along the normal by the bodies' inverse weights."""
    weight = float(m.body_invweight0[m.geom_bodyid[list(geoms)], 0].sum())
    return 1.0 / weight if weight > 0.0 else float("inf")


def _row_count(d: Data, row: int, condim: int) -> int:
    if row < 0:
        return 0
    kind = d.efc_type[row]
    return 2 * (condim - 1) if kind == CNSTR_CONTACT_PYRAMIDAL else condim if kind == CNSTR_CONTACT_ELLIPTIC else 1


def _why_no_rows(m: Model, d: Data, contact: int, row: int) -> str:
    if row >= 0:
        return ""
    return NO_ROWS.get(int(d.contact_exclude[contact]), "constraints are switched off" if m.nv else "nothing in this model can move")


def _stiffness(d: Data, row: int) -> Stiffness:
    if row < 0:
        return Stiffness(*[float("nan")] * 7)
    K, B, impedance = map(float, d.efc_KBIP[row, :3])
    timeconst, dampratio = 2.0 / (impedance * B) if B > 0.0 else float("nan"), B / (2.0 * sqrt(K)) if K > 0.0 else float("nan")
    return Stiffness(K, B, impedance, float(d.efc_R[row]), float(d.efc_diagA[row]), timeconst, dampratio)
