"""Every integrator's step agrees with the official engine's on models that people really have, contacts and all."""
import mujoco
import pytest

import physics
from physics.enums import Integrator
from tests.oracle import report, stages
from tests.oracle.corpus import entry
from tests.oracle.states import states

MODELS = {  # name: states
    "humanoid": 20, "agility_cassie": 20, "gymnasium_ant": 20, "dmc_cartpole": 20, "kuka_iiwa_14": 20, "dmc_manipulator": 20, "dmc_ball_in_cup": 20,
    "dmc_point_mass": 20, "gymnasium_humanoidstandup": 20, "replicate_newton_cradle": 20, "replicate_tendon": 3, "legacy_grid1pin_expanded": 3,
}
SHORT_STEP = 2e-5   # for explicit methods where the file's step is too long for its servos: both engines would diverge
STIFF = ("kuka_iiwa_14",)
EXPLICIT = (Integrator.EULER, Integrator.RK4)
SWITCHED = (Integrator.EULER, Integrator.RK4, Integrator.IMPLICIT, Integrator.IMPLICITFAST, Integrator.DISCRETE)


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.mark.parametrize("name", MODELS)
def test_steps_agree_with_each_integrator(name):
    found = entry(name, exact=name in STIFF)   # the short step is for these
    official = mujoco.MjModel.from_xml_path(str(found.path))
    ours = physics.load(found.path)
    assert not ours.view_only
    at = states(official, found, MODELS[name])
    for model in (official, ours):
        model.opt.tolerance = model.opt.ls_tolerance = 0
        if official.opt.solver != mujoco.mjtSolver.mjSOL_NEWTON:   # as in report.py
            model.opt.iterations = max(model.opt.iterations, report.CRAWLING_ITERATIONS)
    usual = official.opt.timestep
    for integrator in SWITCHED:
        official.opt.timestep = ours.opt.timestep = SHORT_STEP if name in STIFF and integrator in EXPLICIT else usual
        official.opt.integrator = ours.opt.integrator = int(integrator)
        for k, state in enumerate(at):
            assert stages.compare(ours, official, state)[0]["integrate"] <= stages.limit("integrate"), (integrator.name, k)
