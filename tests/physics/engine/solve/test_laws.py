"""What constraint forces must obey, whatever the official engine says."""

import mujoco
import numpy as np
import pytest

from physics.engine.constraint.append import SPARE
from physics.engine.constraint.contact_force import contact_force, contact_forces
from physics.engine.constraint.reference import reference_constraint
from physics.engine.constraint.rows import make_constraint
from physics.engine.solve.constraint_solve import fwd_constraint
from physics.kernels import load
from physics.model.data import Data
from tests.naive import constraint
from tests.physics.engine.constraint import official as o
from tests.physics.engine.oracle_model import rel

HUMANOID = o.corpus_path("mj_humanoid/humanoid.xml")


@pytest.fixture(scope="module", autouse=True)
def kernels():
    load.ensure(["physics.engine.constraint.rows", "physics.engine.constraint.reference", "physics.engine.constraint.contact_force",
                 "physics.engine.solve.constraint_solve"])


def solve(m, d, **options):
    keep = {k: getattr(m, "opt_" + k) for k in options}
    for k, v in options.items():
        setattr(m, "opt_" + k, v)
    o.with_room(make_constraint, m, d)
    reference_constraint(m, d)
    o.with_room(fwd_constraint, m, d)
    for k, v in keep.items():
        setattr(m, "opt_" + k, v)


@pytest.mark.parametrize("xml", [o.pile(3, "pyramidal"), o.pile(3, "elliptic"), o.pile(6, "elliptic", 100.0), o.limits_and_friction("elliptic")])
def test_forces_lie_in_their_cones_and_balance(xml):
    mj, m = o.official(xml)
    for seed in range(3):
        d = o.ours_at(m, o.settled(mj, 50, seed))
        solve(m, d, tolerance=0.0)
        assert np.linalg.norm(constraint.gradient(m, d, d.qacc)) < 1e-9 * np.linalg.norm(d.qfrc_smooth)
        assert rel(constraint.full_m(m, d) @ d.qacc, d.qfrc_smooth + d.qfrc_constraint) < 1e-9
        n = d.nefc
        friction = (d.efc_type[:n] == 1) | (d.efc_type[:n] == 2)
        assert (np.abs(d.efc_force[:n][friction]) <= d.efc_frictionloss[:n][friction]).all()
        pushes = (d.efc_type[:n] >= 3) & (d.efc_type[:n] <= 6)
        assert (d.efc_force[:n][pushes] >= 0).all()
        contact_forces(m, d)
        for i in range(d.ncon):
            f = d.contact_force[i]
            if d.contact_efc_address[i] < 0:
                assert not f.any()
                continue
            side = f[1:d.contact_dim[i]] / d.contact_friction[i, :d.contact_dim[i] - 1]
            norm = np.abs(side).sum() if m.opt_cone == 0 else np.linalg.norm(side)
            assert norm <= f[0] * (1 + 1e-9) + 1e-12
            assert (contact_force(m, d, i, np.empty(6)) == f).all()


@pytest.mark.nojit
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_forces_of_all_contacts_are_those_of_each(cone):
    mj, m = o.official(o.pile(3, cone, count=2))
    d = o.ours_at(m, o.settled(mj, 40, 0))
    solve(m, d)
    contact_forces(m, d)
    found = [contact_force(m, d, i, np.empty(6)) for i in range(d.ncon)]
    assert d.ncon > 1 and (d.contact_force[:d.ncon] == found).all() and d.contact_force[:d.ncon, 0].sum() > 1


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_contact_force_is_the_official_one(cone, condim):
    mj, m = o.official(o.pile(condim, cone))
    mjd = o.settled(mj, 60, 1, exact=True)
    d = o.ours_at(m, mjd)
    solve(m, d, tolerance=0.0)
    theirs, out = np.zeros((d.ncon, 6)), np.zeros(6)
    for i in range(d.ncon):
        mujoco.mj_contactForce(mj, mjd, i, out)
        theirs[i] = out
    contact_forces(m, d)
    assert d.ncon > 4 and rel(d.contact_force[:d.ncon], theirs) < 1e-7


@pytest.mark.parametrize("solref,solimp", [
    ("0.02 1", ".9 .95 .001 .5 2"), ("0.01 .5", ".8 .99 .01 .3 3"), ("-2000 -30", ".9 .95 .001 .5 2"), ("-500 -10", ".95 .95 .01 .5 1"),
])
def test_a_resting_ball_sinks_as_the_parameters_say(solref, solimp):
    """At rest the row's force m g = D K I r fixes the depth r: with R = (1-I)/(I m), g = -aref (1-I) + ... -> g (1-I) = K I^2 |r| / I."""
    xml = f"""<mujoco><option timestep=".001"/><worldbody><geom type="plane" size="1 1 1" condim="1" solref="{solref}" solimp="{solimp}"/>
 <body pos="0 0 .0999"><joint type="slide" axis="0 0 1"/>
 <geom size=".1" condim="1" mass="2" solref="{solref}" solimp="{solimp}"/></body></worldbody></mujoco>"""
    mj, m = o.official(xml)
    mjd = mujoco.MjData(mj)
    low, high = 1e-9, 0.05
    for _ in range(100):  # the depth where the solver finds no acceleration
        depth = 0.5 * (low + high)
        mjd.qpos[0] = 1e-4 - depth
        mujoco.mj_forward(mj, mjd)
        d = o.ours_at(m, mjd)
        solve(m, d, tolerance=0.0)
        low, high = (low, depth) if d.qacc[0] > 0 else (depth, high)
    k, _b, imp, _p = d.efc_KBIP[0]
    # D = I/((1-I) A), A = 1/m: m g = D K I depth
    assert 9.81 * (1 - imp) / (k * imp * imp) == pytest.approx(depth, rel=1e-10)


@pytest.mark.parametrize("mu,slides", [(0.3, True), (0.5, True), (0.65, False), (0.9, False)])
def test_a_block_on_a_slope_slides_by_its_friction(mu, slides):
    """A point mass on a plane of 30 degrees slides when mu < tan 30: then friction is mu times the normal force, else less."""
    xml = f"""<mujoco><option cone="elliptic" gravity="{9.81 * .5} 0 {-9.81 * 3 ** .5 / 2}" impratio="100"/><worldbody>
 <geom type="plane" size="9 9 1" friction="{mu}"/><body pos="0 0 .0998"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
 <joint type="slide" axis="0 0 1"/><geom size=".1" mass="3" friction="{mu}"/></body></worldbody></mujoco>"""
    mj, m = o.official(xml)
    mjd = mujoco.MjData(mj)
    for _ in range(100):
        mujoco.mj_step(mj, mjd)
    mujoco.mj_forward(mj, mjd)
    d = o.ours_at(m, mjd)
    solve(m, d, tolerance=0.0)
    f = contact_force(m, d, 0, np.empty(6))
    t = np.linalg.norm(f[1:3])
    assert f[0] > 1
    assert d.qacc[0] == pytest.approx(9.81 * 0.5 - t / 3, abs=1e-9)
    if slides:
        assert t == pytest.approx(mu * f[0], rel=1e-9)
        assert mjd.qvel[0] > 0.1
    else:
        assert t < 0.999 * mu * f[0]
        assert abs(d.qacc[0]) < 0.02 and abs(mjd.qvel[0]) < 0.02


@pytest.mark.parametrize("source", [HUMANOID, o.pile(3, "elliptic"), o.pile(3, "pyramidal")])
def test_the_solution_as_warm_start_needs_no_iteration(source):
    mj, m = o.official(source)
    d = o.ours_at(m, o.settled(mj, 150, 2))
    solve(m, d, tolerance=0.0)
    assert d.nefc > 10 and d.solver_niter_max > 0
    d.qacc_warmstart[:] = d.qacc
    before = d.efc_force[:d.nefc].copy()
    solve(m, d, tolerance=1e-8)
    assert d.solver_niter_max == 0
    assert (d.qacc == d.qacc_warmstart).all() and rel(d.efc_force[:d.nefc], before) < 1e-6
    solve(m, d, tolerance=1e-8, disableflags=m.opt_disableflags | 512)
    assert d.solver_niter_max > 0 and rel(d.qacc, d.qacc_warmstart) < 1e-4


def test_results_agree_at_the_usual_tolerance():
    """Same starts, trial points and stops: the iterates are the official ones, not only the limit."""
    for source in (HUMANOID, o.pile(3, "elliptic"), o.pile(4, "pyramidal")):
        mj, m = o.official(source)
        for seed in range(3):
            mjd = o.settled(mj, 120, seed)
            d = o.ours_at(m, mjd)
            solve(m, d)
            assert rel(d.qacc, mjd.qacc) < 1e-8
            assert d.solver_niter_max == max(mjd.solver_niter)


def test_extreme_parameters_still_reach_the_optimum():
    xml = o.pile(3, "elliptic", 1e4).replace("condim=", 'solref=".0001 1" solimp=".999 .9999 .0001" condim=')
    mj, m = o.official(xml)
    d = o.ours_at(m, o.settled(mj, 30, 4))
    solve(m, d, tolerance=0.0, disableflags=m.opt_disableflags | 4096)
    assert np.linalg.norm(constraint.gradient(m, d, d.qacc)) < 1e-6 * np.linalg.norm(d.qfrc_constraint)


def test_no_room_is_reported_and_growing_changes_nothing():
    mj, m = o.official(HUMANOID)
    mjd = o.settled(mj, 150, 5)
    d = o.ours_at(m, mjd)
    small = Data(m, d.maxcon, 3, 8, 16)
    for name in small.layout.arrays:
        if not name.startswith(("efc_", "sol_")) and getattr(small, name).shape == getattr(d, name).shape:
            getattr(small, name)[...] = getattr(d, name)
    small.ncon = d.ncon
    solve(m, d)
    make_constraint(m, small)
    assert (small.need_nefc, small.need_nJ) == (d.nefc, d.nJ + SPARE) and small.nefc == 0
    small.grow_efc(small.need_nefc, small.need_nJ)
    make_constraint(m, small)
    reference_constraint(m, small)
    small.qacc[:] = np.nan
    fwd_constraint(m, small)
    assert small.need_nH >= m.nv * m.nv and np.isnan(small.qacc).all()
    small.grow_factor(small.need_nH)
    fwd_constraint(m, small)
    assert (small.qacc == d.qacc).all() and (small.efc_force[:d.nefc] == d.efc_force[:d.nefc]).all()


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_islands_off_solves_all_as_one(cone):
    mj, m = o.official(o.pile(3, cone, count=5))
    for flag in (0, 1 << 18, 0):
        m.opt_disableflags = mj.opt.disableflags = flag
        mjd = o.settled(mj, 20, 0)
        d = o.ours_at(m, mjd)
        solve(m, d)
        assert d.nefc > 5 and rel(d.qacc, mjd.qacc) < 1e-8
        assert d.sol_nisland == (1 if flag else mjd.nisland)
        other = o.ours_at(m, mjd)
        solve(m, other)
        m.opt_disableflags ^= 1 << 18  # a Data that had the other plan
        solve(m, other)
        assert rel(other.qacc, mjd.qacc) < 1e-3
        m.opt_disableflags ^= 1 << 18
        solve(m, other)
        assert (other.qacc == d.qacc).all() and other.sol_nisland == d.sol_nisland
    m.opt_disableflags = mj.opt.disableflags = 0


def test_bad_numbers_end_the_search():
    mj, m = o.official(HUMANOID)
    d = o.ours_at(m, o.settled(mj, 100, 0))
    d.qacc_smooth[3] = np.nan
    d.qfrc_smooth[3] = np.nan
    solve(m, d)
    assert d.solver_niter_max < 3 and np.isnan(d.qacc).any()


@pytest.mark.parametrize("flag,fields", [(1, ()), (4, ("nl", "ncon")), (8, ("nf", "ncon")), (16, ("nf", "nl"))])
def test_disable_flags_take_rows_away(flag, fields):
    mj, m = o.official(o.limits_and_friction())
    d = o.ours_at(m, o.settled(mj, 0, 0))
    m.opt_disableflags = flag
    mj.opt.disableflags = flag
    mjd = mujoco.MjData(mj)
    mujoco.mj_forward(mj, mjd)
    solve(m, d)
    m.opt_disableflags = mj.opt.disableflags = 0
    assert (d.nf, d.nl, d.nefc) == (mjd.nf, mjd.nl, mjd.nefc)
    assert all(getattr(d, f) > 0 for f in fields)
    if flag == 1:
        assert d.nefc == 0 and (d.qacc == d.qacc_smooth).all() and not d.qfrc_constraint.any()


def test_repeated_solves_and_changing_contacts_agree_with_a_new_data():
    """Islands and elimination order are kept between steps: a Data with a past must give what a new one gives."""
    mj, m = o.official(o.pile(3, "pyramidal", count=9))
    kept = None
    sizes = set()
    for seed in range(8):
        d = o.ours_at(m, o.settled(mj, 25 * (seed % 4), seed))
        if kept is None:
            kept = d.copy()
        for name in kept.layout.arrays:
            if not name.startswith(("efc_", "sol_")) and getattr(kept, name).shape == getattr(d, name).shape:
                getattr(kept, name)[...] = getattr(d, name)
        kept.ncon = d.ncon
        solve(m, d)
        for _ in range(2):
            solve(m, kept)
            assert (kept.qacc == d.qacc).all() and kept.sol_nisland == d.sol_nisland
        sizes.add(d.sol_nisland)
    assert len(sizes) > 2
