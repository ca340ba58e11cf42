"""Success by an expression that holds for a time."""
import numpy as np
import pytest

import physics
from app.demonstrations.success import Success, Watching, compile_success, first_success
from physics.quantities.syntax import ExpressionError
from tests.app.demonstrations.made import TEXT


def test_it_has_to_hold_without_a_break():
    time = 0.1 * np.arange(12)
    values = np.array([1, 1, 0, 1, np.nan, 1, 1, 1, 1, 1, 1, 0.0])
    assert first_success(time, values, 0.3) == 8 and first_success(time, values, 0.0) == 0 and first_success(time, values, 2.0) is None
    back = np.concatenate([time[5:9], time[5:9]])      # the run was reset
    assert first_success(back, np.ones(8), 0.35) is None


def test_expressions_and_sensors_are_looked_at_in_a_run():
    m = physics.load_string(TEXT)
    d = physics.Data(m)
    physics.forward(m, d)
    watching = Watching(Success('body("cube").xpos[2] > 0.04', 0.01))
    seen = []
    for _ in range(4):
        seen.append(watching.look(m, d))
        physics.step(m, d)
    assert seen == [False, False, True, True]
    watching.begin()
    assert not watching.look(m, d)
    d.qpos[1] = 0.5
    physics.forward(m, d)
    assert float(compile_success(m, "bend").now(m, d)[0] if compile_success(m, "bend").shape else compile_success(m, "bend").now(m, d)) == 0.5
    with pytest.raises(ExpressionError, match="should have one"):
        compile_success(m, "cube")
    with pytest.raises(ExpressionError):
        compile_success(m, "bnd > 0")
