"""Rules about equality constraints and the constraint solver."""
from __future__ import annotations

import numpy as np

from physics.diagnostics.advice.evidence import Evidence, per_thing
from physics.diagnostics.advice.finding import WARNING, Finding, elements_of, length, named, number, percent, sentence
from physics.diagnostics.advice.sample import Sample
from physics.engine.kinematics.joints import is_slide
from physics.enums import CONE_ELLIPTIC, EQ_CONNECT, EQ_DISTANCE, EQ_JOINT, EQ_TENDON, EQ_WELD, OBJ_SITE, SOL_CG, SOL_NEWTON, SOL_PGS, Solver
from physics.model.model import Model

APART = 0.1         # of the mean size of bodies: so far apart is violated
TURNED = 0.1        # rad
RESIDUAL = 1e-3     # of the forces: what a solver may leave
GRADIENT = 1e3      # times its tolerance, where the residual says nothing


def _error(m: Model, i: int, pos: np.ndarray) -> tuple[float, float]:
    """How far an equality constraint is violated: (length [m], angle [rad])."""
    kind = m.eq_type[i]
    if kind == EQ_WELD:
        scale = m.eq_data[i, 10] or 1.0     # rows of the rotation: sin(angle / 2) times torquescale
        return float(np.linalg.norm(pos[:3])), 2.0 * float(np.arcsin(min(1.0, np.linalg.norm(pos[3:6] / scale))))
    if kind == EQ_JOINT and not is_slide(m, int(m.eq_obj1id[i])):
        return 0.0, float(abs(pos[0]))
    return (float(np.linalg.norm(pos)), 0.0) if kind in (EQ_CONNECT, EQ_JOINT, EQ_TENDON, EQ_DISTANCE) else (0.0, 0.0)


def violated_equalities(e: Evidence) -> list[Finding]:
    """Equality constraints that stay violated by more than a tenth of the mean size of bodies, or 0.1 rad."""
    m = e.m
    scale = float(np.abs(m.eq_data[m.eq_type == EQ_WELD, 10]).min(initial=1.0)) or 1.0
    least = min(APART * m.stat_meansize, 0.5 * TURNED * scale) / 2.0     # of three rows whose norm is too large one is larger than this

    def violated(sample: Sample) -> dict:
        ids = sample.efc_id[:sample.ne]
        found = {}
        for i in np.unique(ids[np.abs(sample.efc_pos[:sample.ne]) > least]).tolist():
            apart, turned = _error(m, i, sample.efc_pos[:sample.ne][ids == i])
            if apart > APART * m.stat_meansize or turned > TURNED:
                found[i] = apart, turned
        return found

    out = []
    for i, (share, last, figures) in per_thing(e, violated).items():
        apart, turned = figures[-1]
        by = " and ".join([*([length(apart)] if apart else []), *([f"{number(turned)} rad"] if turned else [])])
        name = _of_equality(m, i)
        text = f"{sentence(name)} is violated by {by}{_between(m, i)}."
        remedy = ("Check whether both sides can get there: joint ranges, contacts and other constraints between them. If they can: a smaller solref timeconst "
                  "(at least 2 timesteps), solimp nearer to 1; for a weld its relpose, which holds what the two were at qpos0 unless it is given.")
        weight = max(apart / max(m.stat_meansize, 1e-9), turned)
        out.append(Finding("violated_equality", elements_of(m, "equality", [i]), share, last, text, remedy, weight, WARNING, named(m, "equality", i)))
    return out


def _of_equality(m: Model, i: int) -> str:
    return f"{ {EQ_CONNECT: 'connect', EQ_WELD: 'weld', EQ_JOINT: 'joint', EQ_TENDON: 'tendon', EQ_DISTANCE: 'distance'}.get(int(m.eq_type[i]), '') } {named(m, 'equality', i)}"


def _between(m: Model, i: int) -> str:
    """What the two sides are, in words."""
    kind = {EQ_JOINT: "joint", EQ_TENDON: "tendon", EQ_DISTANCE: "geom"}.get(int(m.eq_type[i]), "site" if m.eq_objtype[i] == OBJ_SITE else "body")
    one, two = int(m.eq_obj1id[i]), int(m.eq_obj2id[i])
    return f" ({named(m, kind, one)} and {named(m, kind, two)})" if two >= 0 else f" ({named(m, kind, one)})"


# ------------------------------------------------------------------ solver

def unconverged_solver(e: Evidence) -> list[Finding]:
    """A solver that ends at its limit of iterations, with a residual that matters."""
    m = e.m
    limit = int(m.opt_iterations + m.opt_noslip_iterations)     # iterations of both are counted together
    rows = [s for s in e.samples if s.nefc]
    if not rows or limit <= 0:
        return []
    ended = np.array([bool(len(s.solver_niter)) and s.solver_niter.max(initial=0) >= limit for s in rows])
    if not ended.any():
        return []
    share = float(ended.sum() / len(e.samples))
    last = max(s.time for s, there in zip(rows, ended, strict=True) if there)
    measured = [x for x in e.measurements if np.isfinite(x.residual)]
    if measured and m.opt_solver != SOL_PGS:
        newest = max(measured[-3:], key=lambda x: x.residual)
        if newest.residual < RESIDUAL:
            return []
        left = f"it leaves {percent_of(newest.residual)} of the forces unbalanced"
        joint = int(m.dof_jntid[newest.residual_dof])
        left += f", most at {named(m, 'joint', joint)} of {named(m, 'body', int(m.jnt_bodyid[joint]))}"
        elements, weight = elements_of(m, "body", [m.jnt_bodyid[joint]]), newest.residual
    else:
        figure = "improvement" if m.opt_solver == SOL_PGS else "gradient"     # PGS has none
        remains = float(np.median([getattr(s, figure).max(initial=0.0) for s, there in zip(rows, ended, strict=True) if there]))
        if remains < GRADIENT * m.opt_tolerance:
            return []
        left, elements, weight = f"the last {figure} is {number(remains)} (tolerance {number(m.opt_tolerance)})", (), remains
    solver = Solver(int(m.opt_solver)).name
    text = (f"The solver {'Newton' if m.opt_solver == SOL_NEWTON else solver} takes all of its {int(m.opt_iterations)} iterations in {percent(share)} of the steps "
            f"that were looked at; {left}. "
            f"{e.samples[-1].nefc} constraint rows, {m.nv} dofs.")
    return [Finding("unconverged", elements, share, last, text, _solver_remedy(m), weight, WARNING)]


def percent_of(x: float) -> str:
    """A share with three digits, in per cent."""
    return f"{number(100 * x)} %"


def _solver_remedy(m: Model) -> str:
    remedies = []
    if m.opt_solver != SOL_NEWTON:
        remedies.append("the Newton solver, which needs few iterations")
    if m.opt_iterations < 100:
        remedies.append("more iterations (the default is 100)")
    if m.opt_ls_iterations < 20 and m.opt_solver in (SOL_NEWTON, SOL_CG):
        remedies.append("more ls_iterations (the default is 50)")
    if m.opt_cone == CONE_ELLIPTIC and m.opt_impratio > 10:
        remedies.append("a smaller impratio")
    remedies.append("softer constraints (larger solref timeconst, solimp farther from 1)")
    masses = m.body_mass[1:][m.body_mass[1:] > 0]
    if len(masses) and masses.max() > 1e3 * masses.min():
        remedies.append(f"a smaller ratio of masses (here {number(float(masses.max() / masses.min()))})")
    return f"{listed_or(remedies)}."


def listed_or(texts: list[str]) -> str:
    """'A, b or c'."""
    text = " or ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else texts[0]
    return sentence(text)
