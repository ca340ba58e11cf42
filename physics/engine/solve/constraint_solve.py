"""The stage that turns constraint rows into forces and accelerations."""
from __future__ import annotations

from physics.engine.solve.cg import cg
from physics.engine.solve.constraint_blocks import collect_hyperedges, find_blocks, find_islands, needs_factor, sort_blocks, symbolic_kind
from physics.engine.solve.delassus_factor import factor_delassus, layout_delassus, needs_delassus, sum_forces
from physics.engine.solve.effective_mass_rows import correct_lone_bodies, enter_effective_mass, leave_effective_mass
from physics.engine.solve.newton import newton
from physics.engine.solve.noslip import noslip
from physics.engine.solve.ordering import analyse_factor
from physics.engine.solve.pgs import finish_dual, pgs, start_dual
from physics.engine.solve.primal import start_islands
from physics.engine.solve.statistics import forget_islands, keep_islands
from physics.engine.solve.symbolic_factorisation import choose_forms
from physics.enums import INT_DISCRETE, SOL_CG, SOL_PGS
from physics.kernels.decorators import helper, kernel


@kernel()
def analyse_islands(m, d):
    """Group rows and trees and plan the factor, as far as it differs from the last step.

    Reads: nefc, efc_type, efc_id, efc_J_rownnz, efc_J_rowadr, efc_J_colind, contact_dim
    Writes: sol_nisland, need_nH, sol_*
    """
    # symbolic phase: blocks -> hyperedges -> islands -> elimination order; redone only where the hyperedges differ from the last step's
    find_blocks(m, d)
    if collect_hyperedges(m, d) == 0:
        find_islands(m, d)
        if needs_factor(m):
            analyse_factor(m, d)
            if d.need_nH > 0:
                return
        else:
            d.sol_symbolic = symbolic_kind(m)
    # which rows are in which island may differ even so
    sort_blocks(m, d)
    if needs_factor(m):
        choose_forms(m, d)
    if needs_delassus(m):
        layout_delassus(m, d)


@helper
def solve_one(m, d, island):
    """Solve one island with the solver that is asked for, or by conjugate gradients where Newton's factor would be too full; returns the number of iterations."""
    if m.opt_solver == SOL_PGS:
        return pgs(m, d, island)
    if m.opt_solver == SOL_CG or d.sol_island_full[island] != 0:
        return cg(m, d, island)
    return newton(m, d, island)


@helper
def solve_all(m, d):
    """Solve all islands, with the noslip solver after them where it is asked for; returns the most iterations."""
    # start: primal solvers from an acceleration, dual ones from forces
    most = 0
    again = m.opt_noslip_iterations > 0
    if m.opt_solver == SOL_PGS:
        start_dual(m, d)
    else:
        start_islands(m, d)
    # islands share no dof: independent problems
    for island in range(d.sol_nisland):
        n = solve_one(m, d, island)
        d.sol_island_niter[island] = n
        most = max(most, n)
    # noslip: projected Gauss-Seidel on the friction forces without R
    if again:
        if m.opt_solver != SOL_PGS:
            factor_delassus(m, d)
            sum_forces(m, d)
        for island in range(d.sol_nisland):
            n = d.sol_island_niter[island]
            n += noslip(m, d, island, n)
            d.sol_island_niter[island] = n
            most = max(most, n)
    # forces are the unknowns of the dual solvers: accelerations follow from them
    if needs_delassus(m):
        finish_dual(m, d)
    keep_islands(m, d)
    return most


@kernel()
def constrain(m, d):
    """Constrained accelerations and the forces of the rows.

    Where the factor has no room: need_nH > 0 says how much is needed, nothing else is written. Call again after growing.
    Reads: nefc, qacc_smooth, qfrc_smooth, qacc_warmstart, M, qLD, qLDiagInv, efc_J, efc_J_rownnz, efc_aref, efc_D, efc_R, efc_frictionloss, sol_*
    Writes: qacc, qfrc_constraint, efc_force, efc_state, efc_b, sol_nisland, sol_symbolic, need_nH, solver_niter_max, solver_*, delassus_*, pgs_*, tangent_A, tangent_b,
        sol_island_niter
    Source: MuJoCo documentation, chapter Computation, "Constraint solver".
    """
    # blocks, islands, symbolic factorisation
    d.need_nH = 0
    d.solver_niter_max = 0
    forget_islands(d)
    if d.nefc == 0:
        d.sol_nisland = 0
        d.sol_symbolic = 0
    else:
        analyse_islands(m, d)
        if d.need_nH > 0:
            return
    # dofs that no row moves: qacc = qacc_smooth
    for i in range(m.nv):
        d.qacc[i] = d.qacc_smooth[i]
        d.qfrc_constraint[i] = 0.0
    if d.nefc > 0:
        d.solver_niter_max = solve_all(m, d)


@kernel()
def fwd_constraint(m, d):
    """Constrained accelerations and the forces of the rows, in the integrator's effective mass matrix.

    Where the factor or, under the discrete integrator, the rows have no room: need_nH or need_nefc and need_nJ say how much is needed.
    Reads: nefc, qacc_smooth, qfrc_smooth, qacc_warmstart, M, qLD, qLDiagInv, efc_J, efc_aref, efc_D, efc_R, efc_frictionloss,
        and what enter_effective_mass, leave_effective_mass and correct_lone_free read
    Writes: qacc, and what constrain, enter_effective_mass and leave_effective_mass write
    """
    if m.opt_integrator != INT_DISCRETE:
        constrain(m, d)
        return
    # the discrete integrator: the same problem with M_eff in M's place
    d.need_nH = 0
    if d.nefc == 0:
        constrain(m, d)
    else:
        if enter_effective_mass(m, d) == 0:
            return
        constrain(m, d)
        leave_effective_mass(m, d)
    # free bodies on their own get their gyroscopic derivative; asleep dofs keep their acceleration
    if d.need_nH == 0:
        correct_lone_bodies(m, d)
        for r in range(d.ndof_asleep_run):
            for k in range(d.dof_asleep_run[r, 0], d.dof_asleep_run[r, 1]):
                d.qacc[k] = d.qacc_smooth[k]
