"""Which trees are awake, and the runs of bodies, dofs, geoms and sites that the stages go through.

tree_asleep is the truth: -1 - MINAWAKE for a tree that moves, one more for each step below the tolerance up to -1, 'ready'; from 0 on
the next tree of the cycle that it sleeps in, so that whoever wakes one wakes all. The rest follows from it in note_awake.

What is awake is kept as runs of neighbours, since bodies, dofs, geoms and sites of a tree follow each other:

    trees      | 0 awake | 1 asleep | 2 asleep | 3 awake | 4 awake |
    dof runs     0 ... 5                         18 ......... 29

so a stage has one loop more around its loop, and while all are awake that is gone through once.

The stages that every small model spends its time in (com, crb, rne, passive forces, factor and solve) ask some_asleep first and call the
routine for everything at once: bounds read from memory in place of the model's sizes cost a pendulum's step 7 % and that of an arm of seven
joints 4 % (measured side by side).

Source: MuJoCo documentation, Programming chapter, "Sleeping islands".
"""
from __future__ import annotations

from physics.engine.sleep.state import actuator_state
from physics.enums import ENBL_SLEEP, INT_RK4, MINAWAKE, S_ASLEEP, S_AWAKE, S_STATIC
from physics.kernels.decorators import helper, kernel

MOVING = -1 - MINAWAKE  # tree_asleep of a tree that moves, or has just been woken by the user


@helper
def may_sleep(m):
    """Whether trees may sleep: not with Runge-Kutta, whose trial states would wake them."""
    return m.opt_enableflags & ENBL_SLEEP != 0 and m.opt_integrator != INT_RK4


@helper
def some_asleep(m, d):
    """Whether any tree is asleep."""
    return d.ntree_awake < m.ntree


@helper
def body_state(m, d, b):
    """SleepState of body b; what hangs on a user-moved body without joints is awake, as the user may move it at any time."""
    t = m.body_treeid[b]
    if t >= 0:
        if d.tree_awake[t] != 0:
            return S_AWAKE
        return S_ASLEEP
    if m.body_mocapid[m.body_rootid[b]] >= 0:
        return S_AWAKE
    return S_STATIC


@helper
def add_run(runs, n, first, end):
    """Append first to end - 1 to n runs, to the last of them where it is its neighbour; returns the new number."""
    if first >= end:
        return n
    if n > 0 and runs[n - 1, 1] == first:
        runs[n - 1, 1] = end
        return n
    runs[n, 0] = first
    runs[n, 1] = end
    return n + 1


@helper
def all_in_one_run(m, d):
    """One run each, of everything."""
    d.nbody_run = add_run(d.body_run, 0, 1, m.nbody)
    d.ndof_run = add_run(d.dof_run, 0, 0, m.nv)
    d.ngeom_run = add_run(d.geom_run, 0, 0, m.ngeom)
    d.nsite_run = add_run(d.site_run, 0, 0, m.nsite)
    d.nactuator_run = add_run(d.actuator_run, 0, 0, m.nactuator)
    d.ndof_asleep_run = 0


@kernel()
def note_runs(m, d):
    """Find the runs. While something sleeps, geoms and sites that nothing can move are left out: their poses are known.

    Sleeping actuators lose their moments.

    Reads: body_awake, ntree_awake
    Writes: body_run, dof_run, dof_asleep_run, geom_run, site_run, actuator_run, nbody_run, ndof_run, ndof_asleep_run, ngeom_run, nsite_run,
        nactuator_run, moment_rownnz
    """
    if not some_asleep(m, d):
        all_in_one_run(m, d)
        return
    nbody = 0
    ndof = 0
    ngeom = 0
    nsite = 0
    nasleep = 0
    for t in range(m.ntree):
        if d.tree_awake[t] == 0:
            k = m.tree_dofadr[t]
            nasleep = add_run(d.dof_asleep_run, nasleep, k, k + m.tree_dofnum[t])
    for b in range(1, m.nbody):
        if d.body_awake[b] != S_ASLEEP:
            nbody = add_run(d.body_run, nbody, b, b + 1)
            k = m.body_dofadr[b]
            ndof = add_run(d.dof_run, ndof, k, k + m.body_dofnum[b])
        if d.body_awake[b] == S_AWAKE:
            k = m.body_geomadr[b]
            ngeom = add_run(d.geom_run, ngeom, k, k + m.body_geomnum[b])
    for s in range(m.nsite):
        if d.body_awake[m.site_bodyid[s]] == S_AWAKE:
            nsite = add_run(d.site_run, nsite, s, s + 1)
    d.nbody_run = nbody
    d.ndof_run = ndof
    d.ngeom_run = ngeom
    d.nsite_run = nsite
    n = 0
    for i in range(m.nactuator):
        if actuator_state(m, d, i) != S_ASLEEP:
            n = add_run(d.actuator_run, n, i, i + 1)
        else:
            for out in range(m.actuator_outadr[i], m.actuator_outadr[i] + m.actuator_outnum[i]):
                d.moment_rownnz[out] = 0
    d.nactuator_run = n
    d.ndof_asleep_run = nasleep


@kernel()
def note_awake(m, d):
    """Bring all that follows from tree_asleep up to it, and remember where the sleepers lie.

    Reads: tree_asleep, qpos
    Writes: tree_awake, body_awake, body_awake_ind, parent_awake_ind, dof_awake_ind, ntree_awake, nbody_awake, nparent_awake, nv_awake,
        sleep_qpos, and what note_runs writes
    """
    n = 0
    for t in range(m.ntree):
        d.tree_awake[t] = int(d.tree_asleep[t] < 0)
        n += d.tree_awake[t]
    d.ntree_awake = n
    bodies = 0
    parents = 0
    for b in range(m.nbody):
        state = body_state(m, d, b)
        d.body_awake[b] = state
        if state != S_ASLEEP:
            d.body_awake_ind[bodies] = b
            bodies += 1
        if b > 0 and d.body_awake[m.body_parentid[b]] != S_ASLEEP:
            d.parent_awake_ind[parents] = b
            parents += 1
    d.nbody_awake = bodies
    d.nparent_awake = parents
    n = 0
    for k in range(m.nv):
        if d.tree_awake[m.dof_treeid[k]] != 0:
            d.dof_awake_ind[n] = k
            n += 1
    d.nv_awake = n
    note_runs(m, d)
    if some_asleep(m, d):
        for k in range(m.nq):
            d.sleep_qpos[k] = d.qpos[k]
