"""The profiler's stages of a hard step."""
import numpy as np

import physics
from physics.engine.hard import stage_numbers
from physics.engine.hard.step_order import STAGES
from physics.runtime.profile import Profile
from tests.physics.engine.hard.tree_models import mixed


def test_every_stage_has_its_number():
    numbers = {name: value for name, value in vars(stage_numbers).items() if name.isupper()}
    assert sorted(numbers.values()) == list(range(len(STAGES)))
    assert [row.name.replace(" again", "").upper() for row in STAGES] == sorted(numbers, key=numbers.get)


def test_a_profile_counts_them():
    m = mixed()
    physics.ensure_hard()
    d, profile = physics.Data(m), Profile()
    for _ in range(3):
        while not profile.step(m, d):
            assert d.make_room()
    told = profile.per_step()
    assert profile.steps == 3 and told["solve"] > 0 and told["kinematics"] > 0 and told["look again"] > 0
    assert np.isfinite(list(told.values())).all()
