"""Figures 7, 9 and 10 of the paper: drops at several rates, iterations and condition numbers against tolerances."""
import numpy as np
import pytest

import physics
from benchmarks.dojo import drops, fig7, fig9, fig10, planning_models


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()
    physics.ensure_hard()


def test_a1_touches_with_feet_elbows_and_hips_alone():
    m = physics.load_string(planning_models.quadruped(0.01, body=True))
    d = physics.Data(m)
    drops.put_a1(m, d)
    physics.kinematics(m, d)
    spheres = np.flatnonzero(m.geom_type == int(physics.GeomType.SPHERE))
    assert len(spheres) == 12 and np.isclose(m.body_subtreemass[0], 13.5)
    lowest = d.geom_xpos[spheres, 2] - m.geom_size[spheres, 0]
    assert 0.45 < lowest.min() < 0.55       # half a metre above the floor, by a foot
    assert m.name("geom", spheres[lowest.argmin()]) in {name for name, *_ in planning_models.LEGS}
    # legs do not touch each other: folded up over itself the robot has no contact in the air
    d.qpos[8:19:3], d.qpos[9:19:3] = 1.5, -2.5
    physics.forward(m, d)
    assert d.ncon == 0


def test_deviations_are_taken_at_the_times_of_the_coarser_curve():
    coarse = fig7.Fall(np.array([0.0, 0.1, 0.2]), np.array([0.0, 1.0, 2.5]), "")
    fine = fig7.Fall(np.arange(5) / 20, np.array([0.0, 9.0, 1.0, 9.0, 2.0]), "")
    largest, mean = fig7.deviation(coarse, fine)
    assert largest == 0.5 and mean == pytest.approx(0.5 / np.sqrt(3))
    assert fig7.deviation(fine, coarse) == (largest, mean)


def test_a1_falls_alike_at_20_and_at_100_hz():
    robot = drops.drops(None)["A1"]
    slow, fast = fig7.fall(robot, 20), fig7.fall(robot, 100)
    largest, _mean = fig7.deviation(slow, fast)
    assert 0 < largest <= fig7.PROTOTYPE["A1"][20]
    assert slow.heights[0] == drops.A1_HEIGHT and 0.1 < slow.heights[-1] < 0.2     # it lies on hips and elbows


def test_sharper_tolerances_take_a_few_iterations_more():
    box = drops.drops(None)["box"]._replace(seconds=0.6)
    begun = fig9.states(box)
    sharp, loose = (np.median(fig9.iterations(box, begun, fig9.SHARP, tolerance)) for tolerance in (1e-8, 1e-1))
    assert len(begun) > 20 and loose < sharp <= fig9.MOST
    few = fig9.iterations(box, begun, 1e-1, 1e-1)      # weight does not count against such a residual
    assert np.median(few) <= loose


def test_the_matrix_is_worse_conditioned_at_sharper_tolerances():
    box = drops.drops(None)["box"]._replace(seconds=0.6)
    taken = fig10.plain_states(box, 2)
    assert len(taken) == 2
    for state in taken:
        (loose, few), (sharp, more) = (fig10.condition(box, state, tolerance) for tolerance in (1e-1, 1e-8))
        assert loose < 1e4 and loose < sharp < 1e10 and few <= more
