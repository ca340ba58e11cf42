"""Mappings derived from models: what is proposed exists, fits, and moves something."""
import numpy as np
import pytest

import physics
from app.inputs.mapping.mapping_file import parse, to_text
from app.inputs.mapping.proposals import first, propose
from assets.locate import bundled_model
from tests.app.inputs.devices import Desk

MODELS = ("arm", "mocap_paddle", "humanoid", "quadruped", "heap", "pendulum")


@pytest.fixture(scope="module")
def models():
    return {name: physics.load(bundled_model(f"{name}.xml")) for name in MODELS}


@pytest.mark.parametrize("source", ["keyboard", "pad:0", "midi:x", "xr:right"])
def test_all_that_is_proposed_fits_and_can_be_written(models, source):
    for m in models.values():
        mapping = propose(m, source)
        assert mapping.drives and parse(to_text(mapping)) == mapping
        desk = Desk(m, *mapping.drives)
        assert all(state.problems == () for state in desk.hub.states)


def test_a_mocap_body_comes_first_and_an_arm_has_its_gripper(models):
    assert first(models["mocap_paddle"]).drives[0].mocap == "paddle"
    arm = propose(models["arm"], "pad:0").drives
    assert arm[0].site == "grip" and any(one.kind == "controls" for one in arm)
    by_joints = next(one for one in propose(models["arm"], "pad:0").drives if one.kind == "ik")
    assert len(by_joints.joints) == 6 and by_joints.gripper.actuators == {"gripper": (0.09, 0.0)} and by_joints.gripper.toggle


@pytest.mark.parametrize("name, source, axes", [("arm", "keyboard", {"x": 1.0}), ("mocap_paddle", "keyboard", {"z": 1.0}), ("pendulum", "keyboard", {"y": 1.0, "x": 1.0}), ("quadruped", "pad:0", {"leftx": 1.0, "lefty": 1.0})])
def test_the_first_proposal_moves_the_model(models, name, source, axes):
    m = models[name]
    left_alone = Desk(m)
    desk = Desk(m, *first(m, source).drives)
    for one in (left_alone, desk):
        one.hold(source, 0.3, axes=axes)
    state = [np.concatenate([one.data.qpos, one.data.mocap_pos.ravel()]) for one in (left_alone, desk)]
    assert np.abs(state[0] - state[1]).max() > 1e-4


def test_a_model_with_nothing_to_move_proposes_nothing():
    m = physics.load_string("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    assert propose(m).drives == () == first(m).drives
