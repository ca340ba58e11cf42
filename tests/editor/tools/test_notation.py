"""Orientations in every notation mean what they should, and numbers near the ones that stand there are chosen."""
from itertools import product

import numpy as np
import pytest

from editor.tools import rigid
from editor.tools.notation import euler_angles, in_notation, is_reached
from physics.rotation.orientation import from_euler, from_notation
from render.scene import rotation

SEQUENCES = tuple("".join(letters) for letters in product("xyzXYZ", repeat=3) if letters[0].lower() != letters[1].lower() and letters[1].lower() != letters[2].lower())


def matrices(count: int) -> list[np.ndarray]:
    random = np.random.default_rng(5)
    return [rigid.pose((0, 0, 0), random.normal(size=4))[:3, :3] for _ in range(count)]


def test_three_angles_of_every_sequence_turn_to_where_they_should():
    random = np.random.default_rng(3)
    reached = 0
    for sequence in SEQUENCES:
        for mat in matrices(3):
            angles = euler_angles(mat, sequence, random.normal(size=3))
            if angles is None:      # mixed letters may come to one axis twice in a row
                continue
            reached += 1
            assert rotation.matrix(from_euler(angles, sequence)) == pytest.approx(mat, abs=1e-9), sequence
    assert reached == 3 * 72


@pytest.mark.parametrize("sequence", ["xyz", "zyx", "XYZ", "zYx", "zxz", "YxZ"])
def test_the_angles_that_stand_there_are_found_again(sequence):
    random = np.random.default_rng(4)
    for angles in random.uniform(-1.5, 1.5, (20, 3)) + 2 * np.pi * random.integers(-1, 2, (20, 3)):
        mat = rotation.matrix(from_euler(angles, sequence))
        assert euler_angles(mat, sequence, angles) == pytest.approx(angles, abs=1e-9)


def test_at_the_lock_the_first_angle_stays():
    mat = rotation.matrix(from_euler((0.3, np.pi / 2, 0.2), "xyz"))
    assert euler_angles(mat, "xyz", np.array([0.3, np.pi / 2, 0.2])) == pytest.approx((0.3, np.pi / 2, 0.2), abs=1e-6)
    assert rotation.matrix(from_euler(euler_angles(mat, "xyz"), "xyz")) == pytest.approx(mat, abs=1e-9)


def test_axes_that_follow_themselves_cannot_say_all():
    assert euler_angles(np.eye(3), "xxy") is None and in_notation("euler", np.eye(3), True, "xxy") is None


@pytest.mark.parametrize("degrees", [True, False])
@pytest.mark.parametrize("name", ["quat", "axisangle", "xyaxes", "euler"])
def test_every_notation_says_every_orientation(name, degrees):
    for mat in matrices(10):
        numbers = in_notation(name, mat, degrees, "xyz", None if name != "axisangle" else np.array([0.0, 0.0, 2.0, 500.0 if degrees else 9.0]))
        assert is_reached(name, numbers, mat, degrees, "xyz")
        assert rotation.matrix(from_notation(name, numbers, degrees, "xyz")) == pytest.approx(mat, abs=1e-9)


def test_zaxis_says_what_it_can():
    mat = rotation.matrix(from_notation("zaxis", np.array([1.0, 2.0, 3.0]), True))
    assert is_reached("zaxis", in_notation("zaxis", mat, True, "xyz", np.array([0.0, 0.0, 2.0])), mat, True, "xyz")
    twisted = mat @ rigid.turn((0, 0, 1), 0.3)
    assert not is_reached("zaxis", in_notation("zaxis", twisted, True, "xyz"), twisted, True, "xyz")
