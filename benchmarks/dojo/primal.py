"""A step by an interior-point method without dual variables, beside which figures 9 and 10 put the primal-dual one.

On the central path impulses are functions of the motion, and the equations of motion with these are all there is:
    gamma = kappa / s,   xi_t = -gamma eta_t / eta_0   with   eta_0 = (kappa / gamma + sqrt((kappa / gamma)^2 + 4 |eta_t|^2)) / 2,   eta_t = mu v_t
Newton's method solves them for a kappa that falls tenfold, whenever what is left is less than it. Slacks s are unknowns, so that no first point above the floor is needed: the start
is the same as the other's. The direction is that of the whole system at a point where every product is met.

Source: Fiacco and McCormick, "Nonlinear programming: sequential unconstrained minimization techniques", 1968 (barrier); the functions solve xi o eta = kappa e (33).
"""
from __future__ import annotations

import numpy as np

import physics
from benchmarks.dojo.hard_run import hard_model
from physics.hard.gradients import Scratch, solved
from tests.naive import smooth
from tests.naive.hard import cones
from tests.naive.hard.newton import newton_direction, unpack
from tests.naive.hard.system import System

SHRINK = 0.1        # of kappa
MOST = 200          # iterations
HALVINGS = 10       # of a step that leaves more than before; then it is taken all the same
FLOOR = 5           # the last kappa is this much below the tolerance, as the paper's


def twin_at(text: str, state: tuple[np.ndarray, np.ndarray], gap_unit: float = 1.0) -> System:
    """The twin of the step of a model from (qpos, qvel), with the contacts of its start; gap_unit: as System has it."""
    m = hard_model(text)
    m.opt_hard_looks = 0
    d = physics.Data(m)
    d.qpos[:], d.qvel[:] = state
    return System(m, solved(m, d, Scratch()), gap_unit=gap_unit)


def on_the_path(system: System, kappa: float) -> None:
    """Impulses and slips as functions of the motion and of the slacks, which stay."""
    found = []
    for row, (s, *_rest) in zip(system.rows, system.cone, strict=True):
        gamma = kappa / (system.gap_unit * s)
        eta, xi = np.zeros(row.cone), np.zeros(len(row.friction))
        if row.cone:
            _, _, motion = system.pair(row)
            eta[1:] = row.friction * row.slips(system.arms(row), motion)
            eta[0] = (kappa / gamma + np.sqrt((kappa / gamma)**2 + 4 * eta[1:] @ eta[1:])) / 2
            xi = -gamma * eta[1:] / eta[0]
        found.append((s, gamma, eta, xi))
    system.cone = found
    system.bound = [(s, kappa / (system.gap_unit * s)) for s, _ in system.bound]


def left_over(system: System) -> tuple[float, float]:
    """(largest residual, its two-norm) of all equations but the products."""
    _, dof, rows, limits, _ = system.residual()
    found = np.concatenate([dof, *([gap] for gap, *_ in rows), *([slack] for slack, _ in limits)])
    return float(np.abs(found).max(initial=0.0)), float(np.linalg.norm(found))


def solve_primal(system: System, rtol: float, ktol: float) -> tuple[bool, int]:
    """(converged, iterations); the system is left at the end."""
    pairs = [*((s, gamma) for s, gamma, *_ in system.cone), *system.bound]
    last = ktol / FLOOR
    kappa = max(last, system.gap_unit * float(np.mean([s * gamma for s, gamma in pairs]))) if pairs else last
    on_the_path(system, kappa)
    r, size = left_over(system)
    _, _, rate, *_ = system.layout()
    for n in range(MOST):
        while r < max(rtol, kappa) and kappa > last:
            kappa = max(last, SHRINK * kappa)
            on_the_path(system, kappa)
            r, size = left_over(system)
        if r < rtol and kappa <= last:
            return True, n
        direction = newton_direction(system, system.matrix(), kappa)
        rows, limits, _ = unpack(system, direction)
        slacks = [(y[0], dy[0]) for y, dy in (*zip(system.cone, rows), *zip(system.bound, limits))]
        alpha = min([1.0, *(0.99 * cones.edge(np.array([s]), np.array([ds])) for s, ds in slacks)])
        qpos, cone, bound = system.qpos3, system.cone, system.bound
        rates = direction[rate:rate + system.m.nv]
        for _ in range(HALVINGS + 1):
            system.place(smooth.move(system.m, qpos, alpha * system.h * rates))
            system.cone = [(y[0] + alpha * dy[0], *y[1:]) for y, dy in zip(cone, rows, strict=True)]
            system.bound = [(y[0] + alpha * dy[0], y[1]) for y, dy in zip(bound, limits, strict=True)]
            on_the_path(system, kappa)
            r, now = left_over(system)
            if now <= (1 - 1e-4 * alpha) * size:
                break
            alpha /= 2
        size = now
    return False, MOST
