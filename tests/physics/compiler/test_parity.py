"""Every field of a compiled model is the official compiler's."""
import json
import time
from pathlib import Path

import mujoco
import numpy as np
import pytest

from physics.compiler.compile import load, load_string
from tests.oracle.compiled import compare_compiled
from tests.physics.compiler.examples import EXAMPLES

CORPUS = Path("/work/shared/corpus/open")
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
    manifest = json.loads((CORPUS / "manifest.json").read_text())
    path = CORPUS / next(m["main"] for m in manifest["models"] if m["name"] == name)
    agree(load(path), mujoco.MjModel.from_xml_path(str(path)))


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_is_the_official_one(name, tmp_path):
    text = EXAMPLES[name]
    agree(load_string(text), mujoco.MjModel.from_xml_string(text))


def test_humanoid_compiles_quickly():
    path = CORPUS / "mj_humanoid/humanoid.xml"
    load(path)
    times = []
    for _ in range(7):
        start = time.process_time()
        load(path)
        times.append(time.process_time() - start)
    assert np.min(times) < 0.050
