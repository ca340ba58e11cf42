"""A companion that runs on by itself from before a divergence."""
import time

import numpy as np
import pytest

import physics
from physics.runtime import commands as c
from physics.runtime.companions.companion import DIVERGED, RUNNING
from physics.runtime.companions.companions import Companions
from physics.runtime.companions.rewound import Beginning
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation
from tests.physics.diagnostics.divergence_cases import CASES, at


@pytest.fixture
def companions():
    runner = Runner(Simulation())
    runner.start()
    found = Companions(runner)
    yield found
    found.stop(wait=True)
    runner.stop()


def until(condition) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.005)


def steps_of(name, control=None):
    case = next(case for case in CASES if case.name.startswith(name))
    m = case.make(1.0)
    return physics.step_until_divergence(m, physics.Data(m), 5.0, control or case.control)


def test_it_diverges_at_the_same_moment_and_survives_with_a_value_of_its_own(companions):
    steps = steps_of("stiff spring of a flap")
    same = companions.start_rewound(Beginning(steps, 0))
    until(lambda: same.state.status == DIVERGED)
    assert same.state.time == pytest.approx(steps.time[-1]) and "diverged" in same.state.text
    soft = companions.start_rewound(Beginning(steps, 0, (c.SetField("jnt_stiffness", 5.0, 1), c.SetField("jnt_stiffnes", 5.0, 1))))
    until(lambda: soft.state.status == RUNNING and soft.state.time > 0.3)
    assert soft.changes == (c.SetField("jnt_stiffness", 5.0, 1),) and "no field" in soft.refused[0] and soft.acquire().time > 0
    assert steps.model.jnt_stiffness[1] == 1e5 and soft.drawn is steps.model


def test_inputs_come_at_their_times_and_are_kept_within_bounds(companions):
    def control(m, d):
        d.ctrl[0] = np.sin(40 * d.time)
        at(0.2, lambda m, d: d.ctrl.fill(1e9))(m, d)

    steps = steps_of("control of 1e9", control)
    run = companions.start_rewound(Beginning(steps, 0, clamp=lambda d: np.clip(d.ctrl, -3, 3, out=d.ctrl), speed=None))
    until(lambda: run.state.time > 0.5)
    assert run.acquire().ctrl[0] == 3
    rows = run._simulation.history.track().pieces[0].columns("qpos")
    assert np.array_equal(rows[1:90], steps.columns("qpos")[1:90])      # bit by bit as recorded


def test_what_no_command_can_change_is_changed_before(companions):
    steps = steps_of("hand of 3e-6 kg")
    run = companions.start_rewound(Beginning(steps, 0, prepare=lambda m: m.dof_armature.fill(0.01)))
    until(lambda: run.state.time > 0.1)
    assert run.drawn is None and not steps.model.dof_armature.any()
