"""The plane of costs against the cost itself."""
import numpy as np
import pytest

import physics
from physics.enums import Cone, Solver
from tests.physics.pipeline.solver_models import every_kind, of_ours

TWO = """<mujoco><option cone="elliptic"/><worldbody><geom type="plane" size="1 1 .1"/>
  <body pos="0 0 .099"><joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/><geom size=".1"/></body></worldbody></mujoco>"""


def total(trace, qacc, island):
    found = trace.problem.at(qacc)
    both = found.gauss + found.constraint
    return both.sum(axis=-1) if island is None else both[..., island]


@pytest.mark.parametrize("cone", tuple(Cone), ids=lambda x: x.name)
@pytest.mark.parametrize("island", (None, 0))
def test_the_grid_holds_the_cost_and_its_minimum_is_the_solution(cone, island):
    m, d = every_kind(opt_cone=cone)
    trace = physics.solver_trace(m, d, {"opt_solver": Solver.CG})
    plane = physics.cost_landscape(m, trace, island, points=31)
    assert plane.cost.shape == plane.region.shape == (31, 31)
    rng = np.random.default_rng(1)
    for i, j in rng.integers(0, 31, (20, 2)):
        qacc = trace.solution + plane.u[j] * plane.directions[0] + plane.v[i] * plane.directions[1]
        assert plane.cost[i, j] == pytest.approx(total(trace, qacc, island), rel=1e-9)
    assert plane.u[15] == plane.v[15] == 0.0 and plane.cost[15, 15] == pytest.approx(plane.lowest, rel=1e-12)
    assert plane.cost.min() >= plane.lowest * (1 - 1e-9) and np.unravel_index(plane.cost.argmin(), (31, 31)) == (15, 15)


def test_start_and_first_iterate_lie_in_the_plane_and_have_their_own_cost():
    m, d = of_ours("humanoid.xml", 300)
    d.qacc_warmstart[:] = 0.0
    trace = physics.solver_trace(m, d)
    assert len(trace.iterates) >= 3
    plane = physics.cost_landscape(m, trace)
    p, q = plane.directions
    product = trace.problem.product
    assert [product(p, p), product(q, q)] == pytest.approx([1, 1]) and product(p, q) == pytest.approx(0, abs=1e-9)
    here = trace.solution + plane.path @ plane.directions
    assert np.allclose(plane.off_plane[:2], 0, atol=1e-6 * np.abs(plane.path).max())
    assert total(trace, here[:2], None) == pytest.approx(plane.path_cost[:2], rel=1e-9)
    assert np.all(np.abs(plane.path) <= [plane.u[-1], plane.v[-1]])


def test_two_dofs_that_are_all_there_are_hold_every_iterate():
    m = physics.load_string(TWO)
    d = physics.Data(m)
    d.qvel[:] = 0.5, -0.2
    trace = physics.solver_trace(m, d, {"opt_solver": Solver.CG, "opt_tolerance": 0.0})
    plane = physics.cost_landscape(m, trace, 0, dofs=(0, 1))
    assert plane.labels == ("qacc of x", "qacc of z") and np.array_equal(plane.directions, np.eye(2))
    assert np.allclose(plane.off_plane, 0, atol=1e-9) and np.allclose(trace.solution + plane.path, [one.qacc for one in trace.iterates])
    assert total(trace, trace.solution + plane.path, 0) == pytest.approx(plane.path_cost, rel=1e-12)
    assert plane.nregion >= 3       # without contact, on the side of the cone, within it


def test_regions_are_the_places_with_the_same_states():
    m, d = every_kind(opt_cone=Cone.ELLIPTIC)
    trace = physics.solver_trace(m, d, {"opt_solver": Solver.CG})
    plane = physics.cost_landscape(m, trace, points=15)
    grid = trace.solution + plane.u[None, :, None] * plane.directions[0] + plane.v[:, None, None] * plane.directions[1]
    states = trace.problem.at(grid.reshape(-1, m.nv)).rows.state
    _sets, number = np.unique(states, axis=0, return_inverse=True)
    pairs = np.unique(np.stack([number.ravel(), plane.region.ravel()], 1), axis=0)
    assert len(pairs) == plane.nregion == number.max() + 1
    assert (np.diff(np.bincount(plane.region.ravel())) <= 0).all()


def test_islands_without_a_plane_are_refused():
    m = physics.load_string("""<mujoco><worldbody><body><joint name="j" axis="0 1 0" range="10 20" limited="true"/><geom size=".1" pos=".3 0 0"/></body></worldbody></mujoco>""")
    trace = physics.solver_trace(m, physics.Data(m))
    with pytest.raises(ValueError, match="one degree of freedom moves here"):
        physics.cost_landscape(m, trace, 0)
    m, d = every_kind()
    trace = physics.solver_trace(m, d)
    with pytest.raises(ValueError, match="not two of the island's"):
        physics.cost_landscape(m, trace, 0, dofs=(0, m.nv - 1))
