"""Statistics per island and iteration: as the official engine's where they are unique."""
import mujoco
import numpy as np
import pytest

import physics
from physics.enums import DSBL_ISLAND, SOL_CG, SOL_NEWTON, SOL_PGS, Solver
from tests.physics.engine.constraint import official as o
from tests.physics.engine.oracle_model import rel
from tests.physics.engine.solve.test_cg import both, solved
from tests.physics.engine.solve.test_noslip import models

SOURCES = (o.limits_and_friction(), o.coupled(), o.pile(3, "pyramidal"), o.pile(1, "elliptic"), o.pile(4, "elliptic"))


@pytest.mark.parametrize("flags", [0, DSBL_ISLAND])
@pytest.mark.parametrize("solver", list(Solver))
@pytest.mark.parametrize("source", SOURCES)
def test_iterations_are_described_as_officially(source, solver, flags):
    mj, m = models(source, int(solver))
    mj.opt.jacobian = 1   # theirs sparse, for nnz
    both(mj, m, disableflags=flags)
    mjd = o.settled(mj, 60, 1)
    d = solved(m, mjd)
    theirs = {n: getattr(mjd.solver, n).reshape(20, 200) for n in ("improvement", "gradient", "nactive", "nchange", "neval")}
    assert len(d.solver) == d.sol_nisland == max(1, mjd.nisland) and d.solver_niter_max == d.solver.niter.max() > 0 and d.solver_niter.shape == mjd.solver_niter.shape
    for i, island in enumerate(d.solver):
        n = min(island.niter, 4)   # later ones part by rounding
        assert abs(island.niter - mjd.solver_niter[i]) <= 1 + mjd.solver_niter[i] // 10 and len(island.gradient) == island.niter
        assert rel(island.improvement[:n], theirs["improvement"][i, :n]) < (1e-4 if flags and solver == SOL_NEWTON else 1e-7)   # theirs moves free trees too
        if solver != SOL_PGS:
            assert rel(np.log(island.gradient[:n] + 1e-9), np.log(theirs["gradient"][i, :n] + 1e-9)) < 1e-2
            assert (island.neval[:1] == theirs["neval"][i, :1]).all() and island.lineslope.max(initial=0) < 1e-3
        edge = solver == SOL_PGS and m.opt_cone == 1   # states at the edge of a cone are rounding
        if not edge:
            assert (island.nactive[:n] == theirs["nactive"][i, :n]).all() and (island.nchange[:n] == theirs["nchange"][i, :n]).all()
        if solver == SOL_CG:
            assert island.nnz == mjd.solver_nnz[i]
        assert island.nnz > 0 and not np.asarray(island.nupdate).any()
    assert not d.solver.niter[len(d.solver):].any()


def test_the_second_pass_goes_on_where_the_first_ended():
    mj, m = models(o.pile(3, "elliptic"), SOL_NEWTON)
    mjd = o.settled(mj, 80, 1)
    both(mj, m, noslip_iterations=3, noslip_tolerance=0.0)
    mujoco.mj_forward(mj, mjd)
    island = solved(m, mjd).solver[0]
    assert island.niter == mjd.solver_niter[0] > 3
    assert rel(island.improvement, mjd.solver.improvement[:island.niter]) < 1e-6


def test_access_from_python():
    m = physics.load_string('<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
    d = physics.Data(m)
    assert len(d.solver) == 0
    physics.forward(m, d)
    assert len(d.solver) == 1 and d.solver[-1].niter == d.solver.niter[0] == d.solver_niter_max > 0
    assert d.solver.improvement.shape == (20, 200) and "nnz" in dir(d.solver)
    with pytest.raises(IndexError, match="island 1 of 1"):
        d.solver[1]
    with pytest.raises(AttributeError, match="no speed"):
        _ = d.solver.speed
    d.qpos[2] = 5
    physics.forward(m, d)
    assert d.nefc == 0 and len(d.solver) == 0 and not d.solver.niter.any() and not d.solver.nnz.any()
