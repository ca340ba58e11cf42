"""A target's row as it is felt while all other rows act as they do now.

Rows in the quadratic state are springs, f = D (aref - J qacc), so that all of them but the target's own push along its direction belong to what has to be moved:

    H = M + sum D J' J - G j' j        A = j inv(H) j'        a0 = j inv(H) (qfrc_smooth + sum J' D aref - G j' aref)

with j, G, aref of the target's rows together. Rows at a bound (dry friction that slides, a contact on the side of its cone) push with the force that they have now.

When the target opens or closes, the others' aref follow, as do springs and servos. What bears a slow motion is told by their stiffness, what slows a quick one by their damping:

    K = springs + kp + sum D k d J' J (others)     hold = A / (j inv(K + SLOW^2 M) j')        C = dampers + kv + sum D b J' J        drag = A q' C q,   q = inv(H) j' / A

Rows of friction have damping and no stiffness: what they hold now they do not hold for ever.

Dry friction of joints that sticks now is such a row, too; an impact has it slide, with a force that does not grow with speed.

So it is right after a sudden push. What strong dampers drive is dragged along by a slow motion and hardly moves in a quick one, so that mass and damping depend on the frequency:

    Z(s) = 1 / (j inv(H s^2 + C s + K) j'),    Z(i w) = K0 - m w^2 + i c w,    A = 1 / m, drag = c / m;    K0 = Z(0)

Source: MuJoCo documentation, chapter Computation, "Constraint model: dual and primal problem", "Friction loss", "Contact". Guyan, "Reduction of stiffness and mass matrices", AIAA
Journal 3, 1965 (what a structure that is at rest elsewhere holds at one coordinate with). Ewins, "Modal Testing", 2000, chapter 2 (dynamic stiffness at one point).
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.diagnostics.constraint_rows import row_jacobian
from physics.enums import (
    CNSTR_CONTACT_PYRAMIDAL,
    CNSTR_FRICTION_DOF,
    CNSTR_FRICTION_TENDON,
    DSBL_EULERDAMP,
    DSBL_ISLAND,
    INT_DISCRETE,
    INT_EULER,
    INT_IMPLICIT,
    INT_IMPLICITFAST,
    ConstraintState,
)
from physics.model.data import Data
from physics.model.model import Model
from physics.query.mass_matrix import full_m
from physics.tuning.servos.springs import passive_springs, servo_springs

MOST_DOFS = 1500        # of one island: a dense factor of more takes longer than anybody waits
SLOW = 0.5              # rad/s: what is pulled back more slowly counts as free
MOST_BY_FREQUENCY = 200     # dofs: each frequency is a dense factor, and the physics thread waits
FREQUENCIES = np.geomspace(5.0, 5000.0, 25)     # rad/s at which mass and damping are told
ANY = 1e-3              # of A and of 1/s that is more than rounding


class Held(NamedTuple):
    """inverse_mass: A; free: a0; motion (nv): inv(H) j / A, the velocities of all dofs with which the target moves by 1 m/s (rad/s) when something pushes along it; hold [1/s^2];
    damping, drag [1/s]: of what the integrator takes at the end of a step, and at its beginning; by_frequency, dry: as of physics.tuning.law.Row; sticks: whether dry friction of
    a joint or tendon was taken as stuck, so that an impact feels another row."""

    inverse_mass: float
    free: float
    motion: np.ndarray
    hold: float
    damping: float
    drag: float
    by_frequency: tuple[tuple[float, float, float], ...] = ()
    dry: float = 0.0
    sticks: bool = False


def held_row(m: Model, d: Data, rows: np.ndarray, direction: np.ndarray | None, loose: bool = False) -> Held:
    """The target's rows as they are felt. direction: weights of rows along axes, None for rows side by side, which are weighted by 1/R. loose: dry friction that sticks now counts
    as sliding, as in an impact: with the force that it has now, and `dry` against the motion. Raises ValueError for too many dofs and for the integrator `discrete`."""
    if m.opt_integrator == INT_DISCRETE:
        raise ValueError("the integrator 'discrete' makes its rows for the effective mass matrix: what other rows hold is not known here")
    dofs = _dofs_together(m, d, rows)
    if len(dofs) > MOST_DOFS:
        raise ValueError(f"{len(dofs)} degrees of freedom hang together here: at most {MOST_DOFS} are looked at")
    place = np.full(m.nv, -1)
    place[dofs] = np.arange(len(dofs))
    mine, state = np.zeros(d.nefc, bool), d.efc_state[:d.nefc]
    mine[rows] = True
    spring = state == ConstraintState.QUADRATIC
    stuck = spring & ~mine & np.isin(d.efc_type[:d.nefc], (CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON))
    if loose:
        spring = spring & ~stuck
    bound = loose & stuck | (state == ConstraintState.LINEARNEG) | (state == ConstraintState.LINEARPOS) | (state == ConstraintState.CONE)
    # what moves: inertia, and all rows of the island that act as springs or push with a fixed force
    inertia = full_m(m, d, dofs)
    H, stiff, slow = inertia.copy(), np.zeros_like(inertia), np.zeros_like(inertia)
    force, slides = np.array(d.qfrc_smooth[dofs]), []
    for i in np.flatnonzero(spring | bound & ~mine).tolist():
        columns, values = row_jacobian(d, i)
        at = place[columns]
        if at[0] < 0:
            continue
        if spring[i]:
            push = d.efc_D[i] * np.outer(values, values)
            H[np.ix_(at, at)] += push
            slow[np.ix_(at, at)] += d.efc_KBIP[i, 1] * push
            if not mine[i]:
                columns, position = _position_jacobian(d, i)
                stiff[np.ix_(at, place[columns])] += d.efc_D[i] * d.efc_KBIP[i, 0] * d.efc_KBIP[i, 2] * np.outer(values, position)
            force[at] += values * (d.efc_D[i] * d.efc_aref[i])
        else:
            force[at] += values * d.efc_force[i]
        if stuck[i]:
            slides.append((columns, values * d.efc_frictionloss[i]))
    # less the target's own push along its direction
    some, weights, G, j = _own_push(d, rows, spring, direction, place, len(dofs))
    if spring[rows].any():
        H -= G * np.outer(j, j)
        force -= j * (G * float(weights @ d.efc_aref[some]))
        slow -= G * float(np.abs(weights) @ d.efc_KBIP[some, 1] / np.abs(weights).sum()) * np.outer(j, j)
    response = np.linalg.solve(H, np.stack([j, force], 1))
    A, motion = float(j @ response[:, 0]), np.zeros(m.nv)
    if not A > 0.0:
        return Held(A, float(j @ response[:, 1]), motion, 0.0, 0.0, 0.0)
    moved = motion[dofs] = response[:, 0] / A
    # springs and servos hold it, too, and dampers slow it
    springs, dampers = passive_springs(m, d, dofs)
    kp, kv = servo_springs(m, d, dofs)
    stiff += springs + kp + SLOW * SLOW * inertia
    give = float(j @ np.linalg.solve(stiff, j))
    slow += dampers + kv
    end = A * float(moved @ _at_the_end(m, dampers + kv, dofs) @ moved)
    slowing = max(end, A * float(moved @ slow @ moved))
    dry = A * sum(abs(float(most @ motion[columns])) for columns, most in slides) if loose else 0.0
    hold, by_frequency = A / give if give > 0.0 else 0.0, _by_frequency(H, slow, stiff, j, A, slowing)
    return Held(A, float(j @ response[:, 1]), motion, hold, end, slowing - end, by_frequency, dry, bool(slides) and not loose)


def _own_push(d: Data, rows: np.ndarray, spring: np.ndarray, direction: np.ndarray | None, place: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray, float, np.ndarray]:
    """(rows that push, or all where none does, their weights, G, j) of the target's rows together."""
    acting = np.flatnonzero(spring[rows])
    some = rows[acting] if len(acting) and direction is None else rows
    stiffness = d.efc_D[some]
    weights = stiffness / stiffness.sum() if direction is None else direction
    j = np.zeros(count)
    for w, i in zip(weights, some, strict=True):
        columns, values = row_jacobian(d, int(i))
        j[place[columns]] += w * values
    return some, weights, float(stiffness.sum() if direction is None else (direction * direction) @ stiffness), j


def _at_the_end(m: Model, damping: np.ndarray, dofs: np.ndarray) -> np.ndarray:
    """What of the damping matrix (n, n) of some dofs the integrator takes at the end of a step."""
    if m.opt_integrator in (INT_IMPLICIT, INT_IMPLICITFAST):
        return damping
    return np.diag(m.dof_damping[dofs]) if m.opt_integrator == INT_EULER and not m.opt_disableflags & DSBL_EULERDAMP else np.zeros_like(damping)


def _by_frequency(H: np.ndarray, C: np.ndarray, K: np.ndarray, j: np.ndarray, A: float, slowing: float) -> tuple[tuple[float, float, float], ...]:
    """(w, A, c / m) of the dynamic stiffness, ascending and ended by that of a sudden push, which stands, too, where no mass and damper act so; () where that is all, and for more than
    MOST_BY_FREQUENCY dofs."""
    give = float(j @ np.linalg.solve(K, j))
    if not give > 0.0 or not slowing > ANY or len(j) > MOST_BY_FREQUENCY:
        return ()
    found = []
    for w in FREQUENCIES.tolist():
        Z = 1.0 / complex(j @ np.linalg.solve(K - w * w * H + 1j * w * C, j.astype(complex)))
        mass, c = (1.0 / give - Z.real) / (w * w), Z.imag / w
        found.append((w, 1.0 / mass, c / mass) if mass > 0.0 and c >= 0.0 else (w, A, slowing))
    if not any(abs(inverse / A - 1.0) > ANY or abs(c - slowing) > ANY * slowing for _w, inverse, c in found):
        return ()
    return *found, (20.0 * FREQUENCIES[-1], A, slowing)


def _position_jacobian(d: Data, i: int) -> tuple[np.ndarray, np.ndarray]:
    """(dofs, values) of the derivative of what row i takes for its position: the edges of a pyramid all have the distance along the normal."""
    if d.efc_type[i] != CNSTR_CONTACT_PYRAMIDAL:
        return row_jacobian(d, i)
    contact = int(d.efc_id[i])
    first, edges = int(d.contact_efc_address[contact]), 2 * (int(d.contact_dim[contact]) - 1)
    columns, values = row_jacobian(d, first)
    return columns, (values + row_jacobian(d, first + 1)[1]) / 2.0 if edges > 1 else values


def _dofs_together(m: Model, d: Data, rows: np.ndarray) -> np.ndarray:
    """The dofs of the islands that rows are in; all where the flag `island` is off."""
    if m.opt_disableflags & DSBL_ISLAND:
        return np.arange(m.nv)
    islands = {int(d.sol_tree_island[tree]) for i in rows.tolist() for tree in np.unique(m.dof_treeid[row_jacobian(d, i)[0]])}
    return np.flatnonzero(np.isin(np.asarray(d.sol_tree_island)[m.dof_treeid], list(islands)))
