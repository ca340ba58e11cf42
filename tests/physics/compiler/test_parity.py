"""Every field of a compiled model is the official compiler's."""
import mujoco
import pytest

from physics.compiler.compile import load, load_string
from tests.oracle.compiled import compare_compiled
from tests.oracle.corpus import entry
from tests.physics.compiler.examples import EXAMPLES

REQUIRED = ("humanoid", "dmc_pendulum", "dmc_cartpole", "dmc_reacher", "dmc_cheetah", "dmc_hopper", "dmc_walker", "gymnasium_ant",
            "gymnasium_walker2d_v5", "gymnasium_inverted_double_pendulum", "gymnasium_humanoidstandup")


def agree(ours, official):
    checked, off = compare_compiled(ours, official)
    assert checked > 300
    assert off == {}
    for kind, kind_id in (("body", mujoco.mjtObj.mjOBJ_BODY), ("joint", mujoco.mjtObj.mjOBJ_JOINT), ("geom", mujoco.mjtObj.mjOBJ_GEOM),
                          ("actuator", mujoco.mjtObj.mjOBJ_ACTUATOR), ("sensor", mujoco.mjtObj.mjOBJ_SENSOR)):
        names = tuple(mujoco.mj_id2name(official, kind_id, i) or "" for i in range(len(ours.names[kind])))
        assert ours.names[kind] == names


@pytest.mark.parametrize("name", REQUIRED)
def test_corpus_model_is_the_official_one(name):
    path = entry(name).path
    agree(load(path), mujoco.MjModel.from_xml_path(str(path)))


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_is_the_official_one(name, tmp_path):
    text = EXAMPLES[name]
    agree(load_string(text), mujoco.MjModel.from_xml_string(text))
