"""The parts of a step's derivatives that are known in closed form, after a step (or `forward`) from the state in question.

`closed_form` gives the four matrices with NaN where there is no closed form. It has one

- for positions after the step, by all, from the rows of velocities: p' = p * exp(h v'). All integrators but RK4
- for activations of integrators, filters and muscles, where the clamp of their range lets them move. All but RK4
- for velocities by controls and activations: h S^-1 M (M + J'DJ)^-1 moment' gain, with S what the integrator solves with (M, M with the
  dof damping, M - h D) and J the constraint rows that push in proportion. Euler, implicit, implicitfast
- for velocities by velocities, from the engine's own derivative of all forces (smooth_slope). Euler; implicit and implicitfast only where
  their S does not change with velocity: in models of sliders
- for velocities by positions where M is constant and all forces follow from lengths: models of sliders (and of hinges on their own
  without gravity) with springs, tendons of joints and actuators on these, free of contact
- for sensors by what their stage comes before (0), for clocks, and for those of joints, tendons and actuators where a Jacobian is at hand

There is none where callbacks are installed, for dynamics pid, dcmotor and user, orientation servos, contacts in an elliptic cone's middle
zone, adhesion, dampers with polynomials (whose S changes with velocity), and velocities that connects and welds (whose drift
is quadratic) hold. Where the forces have a kink the derivative is the one on the side of motion that is free.

Source: Sola, Deray and Atchuthan, "A micro Lie theory for state estimation in robotics", 2018, (143) (the exponential's right
Jacobian); Nocedal and Wright, "Numerical Optimization", 2nd edition, appendix A.2 (implicit function theorem: how a minimiser moves).
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.derivatives.analytic_forces import force_by_input, force_by_length, force_by_velocity, has_fixed_arm, has_plain_law, held_dofs, is_fixed_tendon, next_activations
from physics.derivatives.analytic_sensors import sensor_rows
from physics.engine.actuator.transmission import tendon_armature
from physics.engine.clamp import is_bad
from physics.engine.integrator.damped_euler import dof_damping_slope
from physics.engine.integrator.derivative import damped_inertia
from physics.engine.kinematics.joints import is_lone_free, is_slide, rotation_dof
from physics.engine.passive.fluid import has_medium
from physics.enums import (
    CNSTRSTATE_CONE,
    CNSTRSTATE_QUADRATIC,
    DSBL_DAMPER,
    DSBL_EULERDAMP,
    DSBL_GRAVITY,
    GAIN_MUSCLE,
    INT_DISCRETE,
    INT_EULER,
    INT_IMPLICIT,
    INT_RK4,
)
from physics.model.callbacks import SLOTS
from physics.model.data import Data
from physics.model.model import Model
from physics.query.mass_matrix import full_m


class Transition(NamedTuple):
    """The step to first order, with x the state's 2 nv + na directions, u the controls, s the sensor values:

    dx' = A dx + B du, ds = C dx + D du.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray


def unknown(m: Model) -> Transition:
    """Nothing known: all NaN."""
    n = 2 * m.nv + m.na
    return Transition(*(np.full(shape, np.nan) for shape in ((n, n), (n, m.nu), (m.nsensordata, n), (m.nsensordata, m.nu))))


def closed_form(m: Model, d: Data, qvel: np.ndarray, eps: float = 1e-6) -> Transition:
    """The derivatives of a step from the state that was evaluated last to the velocity qvel; NaN where there is no closed form (see the module's text).

    Controls whose range is narrower than eps count as without effect. Overwrites working storage of the integrators.
    """
    t = unknown(m)
    if any(getattr(d, slot) for slot in SLOTS if slot != "cb_time") or any(map(is_bad, d.ctrl)):
        return t
    t.C[:], t.D[:] = sensor_rows(m, d)
    if m.opt_integrator == INT_RK4:
        return t
    n = 2 * m.nv
    t.A[n:, n:], t.B[n:], sure = next_activations(m, d, eps)
    t.A[n:, :n][sure] = 0.0
    if m.opt_integrator != INT_DISCRETE and not _has_soft_corner(m, d):
        _velocities(m, d, eps, t)
    compose_positions(m, t, qvel)
    return t


def compose_positions(m: Model, t: Transition, qvel: np.ndarray) -> None:
    """Fill the rows of positions from those of velocities; qvel: the velocity after the step."""
    nv, h = m.nv, m.opt_timestep
    for part in (t.A, t.B):
        part[:nv] = h * part[nv:2 * nv]
    t.A[:nv, :nv] += np.eye(nv)
    for k in (rotation_dof(m, j) for j in range(m.njnt)):
        if k >= 0:
            back, turn = _rotation(h * qvel[k:k + 3])
            for part in (t.A, t.B):
                part[k:k + 3] = h * np.einsum("ij,jk->ik", turn, part[nv + k:nv + k + 3])
            t.A[k:k + 3, k:k + 3] += back


def _rotation(w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """exp(-w) as a matrix, and the right Jacobian of exp at w."""
    x, y, z = w
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    angle = float(np.linalg.norm(w))
    half = np.sinc(angle / (2 * np.pi)) ** 2 / 2   # (1 - cos) / angle^2
    if angle < 1e-2:
        third = 1 / 6 - angle**2 / 120 + angle**4 / 5040
    else:
        third = (angle - np.sin(angle)) / angle**3
    square = cross @ cross
    return np.eye(3) - np.sinc(angle / np.pi) * cross + half * square, np.eye(3) - half * cross + third * square


# ---------------------------------------------------------------- velocities


def _has_soft_corner(m: Model, d: Data) -> bool:
    """Whether constraint forces follow no plain quadratic: friction at the edge of a round cone, adhesion."""
    return bool(m.flg_adhesion) or bool((d.efc_state[:d.nefc] == CNSTRSTATE_CONE).any())


def _velocities(m: Model, d: Data, eps: float, t: Transition) -> None:
    nv = m.nv
    implicit = m.opt_integrator != INT_EULER
    by_velocity, taken = force_by_velocity(m, d)
    mass = full_m(m, d)
    to_velocity = _Response(m, d, mass, _solved_matrix(m, d, mass, by_velocity, taken))
    by_act, by_ctrl = force_by_input(m, d, eps, implicit)
    t.A[nv:2 * nv, 2 * nv:], t.B[nv:2 * nv] = to_velocity(by_act), to_velocity(by_ctrl)
    sliding = _only_lengths_count(m, d)
    if _velocity_is_plain(m, d) and (sliding or not implicit):
        t.A[nv:2 * nv, nv:2 * nv] = np.eye(nv) + to_velocity(by_velocity, -d.efc_KBIP[:d.nefc, 1, None] * to_velocity.rows)
    if sliding and d.nefc == 0 and not held_dofs(m, d).any():
        t.A[nv:2 * nv, :nv] = to_velocity(force_by_length(m, d))


class _Response:
    """How the velocity after the step answers to changes of forces, and of what the constraint rows ask for."""

    def __init__(self, m: Model, d: Data, mass: np.ndarray, solved: np.ndarray):
        self.h, self.mass, self.solved = m.opt_timestep, mass, solved
        self.rows = np.zeros((d.nefc, m.nv))
        for i in range(d.nefc):
            adr, n = d.efc_J_rowadr[i], d.efc_J_rownnz[i]
            self.rows[i, d.efc_J_colind[adr:adr + n]] = d.efc_J[adr:adr + n]
        self.push = np.where(d.efc_state[:d.nefc] == CNSTRSTATE_QUADRATIC, d.efc_D[:d.nefc], 0.0)[:, None] * self.rows
        self.stiff = mass + self.rows.T @ self.push

    def __call__(self, force: np.ndarray, asked: np.ndarray | None = None) -> np.ndarray:
        if asked is not None:
            force = force + self.push.T @ asked
        out = np.full(force.shape, np.nan)
        fine = np.isfinite(force).all(0)
        answer = np.linalg.solve(self.stiff, force[:, fine])
        out[:, fine] = self.h * (answer if self.solved is self.mass else np.linalg.solve(self.solved, self.mass @ answer))
        return out


def _solved_matrix(m: Model, d: Data, mass: np.ndarray, by_velocity: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """The matrix that the integrator divides the forces by."""
    h = m.opt_timestep
    if m.opt_integrator == INT_IMPLICIT:
        return mass - h * taken
    if m.opt_integrator == INT_EULER:
        if m.opt_disableflags & (DSBL_EULERDAMP | DSBL_DAMPER):
            return mass
        damping = np.array([dof_damping_slope(m, d, k) for k in range(m.nv)])
        return mass + h * np.diag(damping) if damping.any() else mass
    damped_inertia(m, d)
    out = np.zeros((m.nv, m.nv))
    rows = np.repeat(np.arange(m.nv), m.M_rownnz)
    out[rows, m.M_colind] = out[m.M_colind, rows] = d.qH
    for j in filter(lambda j: is_lone_free(m, j), range(m.njnt)):
        own = slice(m.jnt_dofadr[j], m.jnt_dofadr[j] + 6)
        out[own, own] = mass[own, own] - h * by_velocity[own, own]
    return out


def _velocity_is_plain(m: Model, d: Data) -> bool:
    """Whether forces change with velocity as smooth_slope says, and the integrator's matrix and the rows' drift not at all."""
    if d.ne or (m.opt_integrator != INT_EULER and has_medium(m)):
        return False
    if m.dof_dampingpoly.any() or m.actuator_dampingpoly.any() or (m.opt_integrator != INT_EULER and m.tendon_dampingpoly.any()):
        return False
    if m.opt_integrator != INT_EULER and (m.actuator_gaintype == GAIN_MUSCLE).any():
        return False
    return not any(tendon_armature(m, t) != 0.0 and not is_fixed_tendon(m, t) for t in range(m.ntendon))


def _only_lengths_count(m: Model, d: Data) -> bool:
    """Whether M and the moments are constant and no force but those of springs and actuators changes with position."""
    return (_is_straight(m, d) and not has_medium(m) and all(is_fixed_tendon(m, t) for t in range(m.ntendon))
            and all(has_fixed_arm(m, i) and has_plain_law(m, i) for i in range(m.nactuator))
            and not (m.opt_integrator != INT_EULER and (m.actuator_gaintype == GAIN_MUSCLE).any()))


def _is_straight(m: Model, d: Data) -> bool:
    """Whether all joints slide; or hinge a body on its own, where neither weight nor forces set by hand pull."""
    turning = [j for j in range(m.njnt) if not is_slide(m, j)]
    if not turning:
        return True
    weightless = m.opt_disableflags & DSBL_GRAVITY or not m.opt_gravity.any()
    alone = all(m.tree_dofnum[m.body_treeid[m.jnt_bodyid[j]]] == 1 for j in turning)
    return bool(weightless and alone and not d.xfrc_applied.any() and d.perturb_bodyid <= 0)
