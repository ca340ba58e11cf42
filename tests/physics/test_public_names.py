"""The names of `import physics`: all there, the old ones too, and what a mistake is told leads to names that there are."""
import ast
import re

import mujoco
import numpy as np
import pytest

import physics
from physics.name_hints import OFFICIAL, ours
from tests.architecture.sources import ROOT, sources

BEFORE = {"faults": "warnings", "refusal": "step_error", "known_transition": "transition_analytic", "ensure_kernels": "compile_kernels"}


def test_every_public_name_can_be_imported_and_says_what_it_is():
    for name in physics.__all__:
        value = getattr(physics, name)
        assert value.__doc__, name
    assert len(physics.__all__) >= 70 and set(physics.__all__) == set(dir(physics))


def test_the_names_of_before_go_on_working():
    for old, new in BEFORE.items():
        assert getattr(physics, old) is getattr(physics, new) and old not in dir(physics)


def test_all_enumerations_are_public():
    from enum import IntEnum

    from physics import enums

    assert {n for n, v in vars(enums).items() if isinstance(v, type) and issubclass(v, IntEnum) and v is not IntEnum} == set(physics.ENUMERATIONS)
    assert physics.StateBit.FULLPHYSICS & physics.StateBit.QPOS


def internal(text: str) -> list[str]:
    """Names of the package in a text that are not public."""
    return [found for found in re.findall(r"(?<!module ')physics\.(\w+(?:\.\w+)*)", text) if found.partition(".")[0] not in physics.__all__]


def test_no_hint_leads_to_what_is_not_public():
    texts = [*OFFICIAL.values(), *(ours(name, physics.__all__) for name in dir(mujoco))]
    assert len(texts) > 500 and [t for t in texts if internal(t)] == []


def test_no_error_leads_to_what_is_not_public():
    """Whatever a raise statement of the product says, in all its texts."""
    wrong = []
    for s in sources():
        for node in s.nodes:
            if isinstance(node, ast.Raise) and node.exc is not None:
                texts = [n.value for n in ast.walk(node.exc) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
                wrong += [f"{s.path}:{node.lineno} {name}" for text in texts for name in internal(text)]
    assert wrong == []


def test_the_examples_of_the_readme_name_what_there_is():
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert blocks and [name for block in blocks for name in internal(re.sub(r"physics/\S+", "", block))] == []


QUATS = np.random.default_rng(0).normal(size=(20, 4))


@pytest.mark.parametrize("q", QUATS)
def test_quaternions_and_matrices_are_the_official_ones(q):
    q = q / np.linalg.norm(q)
    p, v, out4, out9, out3 = np.roll(q, 1), q[1:] * 2, np.zeros(4), np.zeros(9), np.zeros(3)
    mujoco.mju_mulQuat(out4, q, p)
    assert np.allclose(physics.mul_quat(q, p), out4, atol=1e-14)
    mujoco.mju_negQuat(out4, q)
    assert np.allclose(physics.neg_quat(q), out4, atol=0)
    mujoco.mju_rotVecQuat(out3, v, q)
    assert np.allclose(physics.rot_vec_quat(v, q), out3, atol=1e-14)
    mujoco.mju_axisAngle2Quat(out4, q[1:] / np.linalg.norm(q[1:]), 0.7)
    assert np.allclose(physics.axis_angle2_quat(q[1:] / np.linalg.norm(q[1:]), 0.7), out4, atol=1e-14)
    mujoco.mju_quat2Vel(out3, q, 0.1)
    assert np.allclose(physics.quat2_vel(q, 0.1), out3, atol=1e-12)
    mujoco.mju_subQuat(out3, q, p)
    assert np.allclose(physics.sub_quat(q, p), out3, atol=1e-13)
    turned = q.copy()
    mujoco.mju_quatIntegrate(turned, v, 0.3)
    assert np.allclose(physics.quat_integrate(q, v, 0.3), turned, atol=1e-13)
    mujoco.mju_quat2Mat(out9, q)
    assert np.allclose(physics.quat2_mat(q).ravel(), out9, atol=1e-14)
    mujoco.mju_mat2Quat(out4, out9)
    found = physics.mat2_quat(out9)
    assert np.allclose(found, out4 * np.sign(out4[0]), atol=1e-13) and found[0] >= 0
    for seq in ("xyz", "ZYX", "xYz"):
        mujoco.mju_euler2Quat(out4, v, seq)
        assert np.allclose(physics.euler2_quat(v, seq), out4, atol=1e-14)


def test_half_turns_have_a_quaternion():
    for axis in np.eye(3):
        mat = 2 * np.outer(axis, axis) - np.eye(3)
        assert np.allclose(physics.quat2_mat(physics.mat2_quat(mat)), mat)


@pytest.mark.parametrize("call", [lambda: physics.mul_quat([1, 0, 0], [1, 0, 0, 0]), lambda: physics.euler2_quat([1, 2, 3], "abc"), lambda: physics.quat2_vel([1, 0, 0, 0], 0)])
def test_what_is_wrong_is_an_error(call):
    with pytest.raises(ValueError):
        call()
