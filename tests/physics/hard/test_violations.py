"""What states are wrong by."""
import numpy as np
import pytest

import physics
from physics import hard
from tests.physics.hard import differences


def test_overlap_and_energy_of_a_posed_box():
    m, d = differences.exact(differences.BOX.format(h=0.01, z=0.249), 0.0)
    d.qvel[0] = 2.0
    found = hard.violations(m, d)
    assert found.overlap == pytest.approx(1e-3, abs=1e-12)
    assert found.energy == pytest.approx(9.81 * 0.249 + 2.0)
    assert found.joint == 0 and found.slip == 0


def test_loop_holds_while_it_moves():
    m, d = differences.loop(0.0)
    physics.step(m, d, 100)
    moved = np.abs(d.qpos).max()
    assert moved > 0.1 and hard.violations(m, d).joint < 1e-8
    d.qpos[0] += 0.01
    assert hard.violations(m, d).joint > 1e-3
