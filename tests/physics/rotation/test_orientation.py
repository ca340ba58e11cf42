"""All notations of orientation give the official quaternions."""

import mujoco
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from physics.mjcf.reader import read_text
from physics.rotation.orientation import OrientationError, from_euler, from_matrix, to_quat
from physics.rotation.quaternion import multiply
from physics.schema.numbers import format_floats
from physics.spec.defaults import Resolver

NUMBER = st.floats(-5, 5).map(lambda x: round(x, 6))
ANGLE = st.floats(-400, 400).map(lambda x: round(x, 4))


def ours(attributes, degrees=True, eulerseq="xyz", default=""):
    result = read_text(f"<mujoco><default><geom {default}/></default><worldbody><geom size='1' {attributes}/></worldbody></mujoco>")
    assert not result.errors
    return to_quat(Resolver(result.root).attrs(result.root.section("worldbody")[0]), degrees, eulerseq)


def official(attributes, angle="degree", eulerseq="xyz", default=""):
    model = mujoco.MjModel.from_xml_string(
        f"""<mujoco><compiler angle="{angle}" eulerseq="{eulerseq}"/><default><geom {default}/></default>
        <worldbody><geom size="1" {attributes}/></worldbody></mujoco>""")
    return model.geom_quat[0]


@settings(max_examples=60, deadline=None)
@given(st.lists(ANGLE, min_size=3, max_size=3), st.text("xyzXYZ", min_size=3, max_size=3), st.sampled_from(["degree", "radian"]))
def test_euler(angles, eulerseq, angle):
    text = f'euler="{format_floats(angles)}"'
    np.testing.assert_allclose(ours(text, angle == "degree", eulerseq), official(text, angle, eulerseq), atol=1e-13)


@settings(max_examples=60, deadline=None)
@given(st.lists(NUMBER, min_size=3, max_size=3), ANGLE, st.sampled_from(["degree", "radian"]))
def test_axisangle(axis, turn, angle):
    assume(np.linalg.norm(axis) > 1e-3)
    text = f'axisangle="{format_floats([*axis, turn])}"'
    np.testing.assert_allclose(ours(text, angle == "degree"), official(text, angle), atol=1e-14)


@settings(max_examples=60, deadline=None)
@given(st.lists(NUMBER, min_size=6, max_size=6))
def test_xyaxes(axes):
    assume(np.linalg.norm(axes[:3]) > 1e-2 and np.linalg.norm(np.cross(axes[:3], axes[3:])) > 1e-2)
    text = f'xyaxes="{format_floats(axes)}"'
    np.testing.assert_allclose(ours(text), official(text), atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.lists(NUMBER, min_size=3, max_size=3))
def test_zaxis(axis):
    assume(np.linalg.norm(axis) > 1e-3)
    text = f'zaxis="{format_floats(axis)}"'
    np.testing.assert_allclose(ours(text), official(text), atol=1e-13)


@settings(max_examples=40, deadline=None)
@given(st.lists(NUMBER, min_size=4, max_size=4))
def test_quat(quat):
    assume(np.linalg.norm(quat) > 1e-3)
    text = f'quat="{format_floats(quat)}"'
    np.testing.assert_allclose(ours(text), official(text), atol=1e-14)


@pytest.mark.parametrize("text", ['zaxis="0 0 -1"', 'zaxis="0 0 3"', 'zaxis="1e-12 0 -1"', 'xyaxes="-1 0 0 0 -1 0"', 'xyaxes="1 0 0 5 1e-6 0"',
                                  'euler="180 0 0"', 'quat="0 0 0 -2"', 'axisangle="0 0 1 0"'])
def test_corner_cases(text):
    np.testing.assert_allclose(ours(text), official(text), atol=1e-12)  # sines below 1e-10 count as zero here and there


NOTATION = ('euler="90 0 0"', 'quat="1 0 0 1"', 'zaxis="0 1 0"', 'axisangle="0 1 0 90"', 'xyaxes="0 1 0 -1 0 0"')


@pytest.mark.parametrize("own", ("", *NOTATION))
@pytest.mark.parametrize("default", NOTATION)
def test_the_elements_own_notation_beats_its_class(default, own):
    np.testing.assert_allclose(ours(own, default=default), official(own, default=default), atol=1e-15)


def test_none_given_is_none():
    assert ours("") is None


@pytest.mark.parametrize("text", ['zaxis="0 0 0"', 'xyaxes="1 0 0 1 0 0"', 'axisangle="0 0 0 1"', 'quat="1e-20 0 0 0"', 'xyaxes="0 0 0 1 0 0"'])
def test_numbers_without_meaning_are_named(text):
    with pytest.raises(OrientationError) as caught:
        ours(text)
    assert caught.value.attribute == text.split("=")[0]


def test_a_quaternion_of_zeros_is_the_readers_to_refuse():
    result = read_text('<mujoco><default><geom quat="0 0 0 0"/></default></mujoco>')
    assert [issue.what for issue in result.errors] == ["'quat' has no direction: its length is 0"]


def test_a_notation_that_is_not_a_number_is_the_readers_to_refuse():
    result = read_text('<mujoco><worldbody><geom size="1" euler="nan 0 0"/></worldbody></mujoco>')
    assert [issue.what for issue in result.errors] == ["attribute 'euler': nan cannot be used here"]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(-1, 1), min_size=4, max_size=4))
def test_matrix_to_quaternion_inverts_quaternion_to_matrix(quat):
    assume(np.linalg.norm(quat) > 1e-3)
    quat = np.array(quat) / np.linalg.norm(quat)
    matrix = np.zeros(9)
    mujoco.mju_quat2Mat(matrix, quat)
    back = from_matrix(matrix.reshape(3, 3))
    np.testing.assert_allclose(back * np.sign(back @ quat), quat, atol=1e-12)


def test_fixed_axes_are_moving_axes_read_backwards():
    np.testing.assert_allclose(from_euler([0.1, 0.2, 0.3], "XYZ"), from_euler([0.3, 0.2, 0.1], "zyx"), atol=1e-15)
    np.testing.assert_allclose(multiply([1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5]), [0.5, 0.5, 0.5, 0.5])
