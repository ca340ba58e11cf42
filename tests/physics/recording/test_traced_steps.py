"""physics.trace: quantities of a run as arrays."""
import numpy as np
import pytest

import physics
from assets.locate import bundled_model


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def test_values_are_those_of_single_steps():
    m = physics.load(bundled_model("humanoid.xml"))
    d, other = physics.Data(m), physics.Data(m)
    time, values = physics.trace(m, d, ["qpos[2]", "xpos[1]", "time", "deriv(qpos[2])"], 5000)
    assert len(time) == 5000 and np.allclose(np.diff(time), m.opt_timestep)
    for k in range(200):
        physics.forward(m, other)
        assert values["qpos[2]"][k] == other.qpos[2] and np.array_equal(values["xpos[1]"][k], other.xpos[1]) and time[k] == values["time"][k] == other.time
        physics.step(m, other)
    assert np.allclose(values["deriv(qpos[2])"][1:], np.diff(values["qpos[2]"]) / m.opt_timestep, rtol=1e-9)
    assert d.trace_cap == 0


def test_nothing_asked_and_no_steps():
    m = physics.load(bundled_model("pendulum.xml"))
    time, values = physics.trace(m, physics.Data(m), [], 3)
    assert len(time) == 3 and values == {}
    time, values = physics.trace(m, physics.Data(m), ["qpos"], 0)
    assert time.shape == (0,) and values["qpos"].shape == (0, m.nq)


def test_what_cannot_be_traced_is_told():
    m = physics.load(bundled_model("pendulum.xml"))
    with pytest.raises(ValueError, match="changes from step to step"):
        physics.trace(m, physics.Data(m), ["contact_dist"], 1)
    with pytest.raises(physics.ExpressionError, match="did you mean 'qpos'"):
        physics.trace(m, physics.Data(m), ["qpoz"], 1)


def test_it_ends_when_it_is_not_to_go_on():
    m = physics.load(bundled_model("pendulum.xml"))
    d, asked = physics.Data(m), []
    time, values = physics.trace(m, d, ["qpos"], 100_000, go_on=lambda: len(asked) < 2 and not asked.append(True))
    assert 0 < len(time) == len(values["qpos"]) < 10_000 and d.trace_cap == 0


def test_a_run_that_diverges_ends_where_it_is_not_to_start_over():
    m = physics.load_string("""<mujoco><worldbody><body><joint type="slide" stiffness="-1e9"/><geom size=".1"/></body></worldbody>
      <keyframe><key qpos="0.1"/></keyframe></mujoco>""")
    d = physics.Data(m)
    physics.reset(m, d, 0)
    time, _values = physics.trace(m, d, ["qpos"], 500, autoreset=False)
    assert len(time) < 500 and d.diverged
