"""The problems of the paper's tables: models, references, rewards and data as its repository has them."""
import numpy as np
import pytest

import physics
from benchmarks.dojo import fig12, learning_models, planning_models, table3
from benchmarks.dojo.engines import by_engine
from physics.optimise import LinearPolicy, run_episode

SOFT = by_engine("soft", 0.0)


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def test_masses_are_the_repository_s():
    for text, mass in ((planning_models.box(), 1.0), (planning_models.hopper(), 4.7), (planning_models.quadruped(), 6 + 4 * (0.696 + 1.013 + 0.166)), (planning_models.tossed_cube(), 1.0),
                       (learning_models.half_cheetah(), 6.36031 + 1.5352 + 1.5809 + 1.069 + 1.42558 + 1.17885 + 0.84986), (learning_models.ant(), 0.327249 + 4 * (2 * 0.036477 + 0.064911))):
        assert physics.load_string(text).body_subtreemass[0] == pytest.approx(mass, rel=1e-9)


def test_the_gait_s_feet_stand_and_swing():
    m = physics.load_string(planning_models.quadruped())
    d = physics.Data(m)
    qpos, qvel = planning_models.gait()
    assert qpos.shape == (40, 19) and qvel.shape == (40, 18)
    heights, places = [], []
    for q in qpos:
        d.qpos[:] = q
        physics.kinematics(m, d)
        heights.append(d.site_xpos[:, 2] - planning_models.FOOT)
        places.append(d.site_xpos[:, 0])
    heights, places = np.array(heights), np.array(places)
    assert heights.min() == pytest.approx(0.0, abs=1e-9) and heights.max() == pytest.approx(0.025, abs=1e-3)
    still = (np.abs(heights[:-1]) < 1e-9) & (np.abs(heights[1:]) < 1e-9)
    assert still.mean() > 0.35 and np.abs(np.diff(places, axis=0)[still]).max() < 1e-9      # a foot on the ground stays where it is
    assert heights[:, 0] == pytest.approx(heights[:, 3], abs=1e-12) and np.abs(heights[:, 0] - heights[:, 1]).max() > 0.02      # diagonal legs together


def test_standing_impulses_hold_the_quadruped_up():
    problem = table3.quadruped(SOFT)
    m, d = problem.m, problem.d
    d.qvel[:] = 0.0
    for _ in range(40):
        d.ctrl[:] = problem.controls[0]
        physics.step(m, d)
    assert d.qpos[2] > 0.27


def test_a_box_that_is_held_up_is_moved_as_a_point_mass_would_be():
    problem = table3.box(SOFT, (0, 0, 1))
    found = table3.solve(problem._replace(controls=np.tile([0.0, 0.0, 1.05], (10, 1))), SOFT)
    assert found.converged and found.violation <= 5e-3 and found.cost == pytest.approx(table3.BEST["box up"], abs=0.5)      # ten steps go less far than one


@pytest.mark.parametrize("name", ["hopper", "quadruped"])
def test_legs_are_planned_at_the_paper_s_cost_with_the_hard_engine(name):
    engine = by_engine("hard", table3.KAPPA)
    wanted = table3.PROBLEMS[name]
    found = table3.solve(wanted.make(engine), engine)
    cost, violation, iterations = wanted.paper
    assert found.converged and found.cost <= cost and found.violation <= violation and found.iterations <= iterations


@pytest.mark.parametrize("make, seen", [(learning_models.cheetah_task, 18), (learning_models.ant_task, 37)])
def test_episodes_of_the_learning_tasks_run(make, seen):
    task = make(SOFT)
    d, random = physics.Data(task.m), np.random.default_rng(0)
    idle = LinearPolicy(np.zeros((task.m.nu, seen)))
    found = run_episode(task, idle, d, random)
    assert found.observations.shape == (task.horizon, seen) and abs(found.reward) < 15 and np.isfinite(found.observations).all()
    if seen == 37:      # it stands on its feet: their impulses carry its weight
        assert found.observations[-1, 28:].sum() == pytest.approx(task.m.body_subtreemass[0] * 9.81 * learning_models.STEP, rel=0.05)


def test_without_tosses_the_figure_says_so(capsys, tmp_path):
    assert fig12.main(["--engine", "soft"]) == 2 and "--data" in capsys.readouterr().out
    assert fig12.main(["--engine", "soft", "--data", str(tmp_path)]) == 2


def test_tosses_are_read_as_motions_and_their_parameters_are_the_cube_s(tmp_path):
    m = physics.load_string(planning_models.tossed_cube(corner=1.0))
    d = physics.Data(m)
    d.qpos[:7] = 0, 0, 30, 1, 0, 0, 0
    d.qvel[:] = 3, 2, 1, 0.5, 1.0, -0.7
    rows = []
    for _ in range(60):
        rows.append([*d.qpos, *np.zeros(12)])
        physics.step(m, d)
    np.savetxt(tmp_path / "0.csv", rows, delimiter=",", fmt="%.17g")
    motion = fig12.read_toss(tmp_path / "0.csv", m)
    assert motion.qpos.shape == (4, 7) and motion.qpos[0] == pytest.approx(rows[50][:7], abs=1e-12)
    assert motion.qvel[1:, 2] - motion.qvel[:-1, 2] == pytest.approx([-196.2 / 148] * 3, rel=1e-6)
    found = fig12.parameters()
    assert len(found) == 25 and fig12.corner_error(np.array([0.2, *[0.97, -0.97, 0.97] * 8])) == pytest.approx(3.0)
    # at the true corners each point lies within its bounds
    for parameter in found[1:]:
        value = m.geom_pos[m.id("geom", parameter.element), parameter.column]
        assert parameter.low <= value <= parameter.high and abs(value) == 1.0
