"""Orientations in every notation mean what they should, exactly, near the numbers that stand there, and in as few characters as say them."""
from itertools import product

import numpy as np
import pytest

from editor.notation.orientation import euler_angles, frame_of_ends, in_place_of, notation_text, numbers_in_force, numbers_of, orientation, says, text_of_numbers, turn_between
from editor.structure.placement import Placement, written
from physics.expand.replicate import angle_settings
from physics.mjcf.reader import read_text
from physics.rotation.orientation import OrientationError, from_euler, from_notation
from physics.spec.defaults import Resolver

ALL = tuple("".join(letters) for letters in product("xyzXYZ", repeat=3))
EXACT = 1e-12       # rad
TURNS = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1, 0, 1, 0), (1, 0, -1, 0), (1, 1, 0, 0), (1, 0, 0, -1), (1, 1, 1, 1), (-1, 0.3, 0, 0), (1, 1e-9, 0, 0),
         (0, 1e-9, 1, 0))


def quats(count, seed=5):
    some = np.array([*TURNS, *np.random.default_rng(seed).normal(size=(count, 4))])
    return [tuple(quat) for quat in (some / np.linalg.norm(some, axis=1)[:, None]).tolist()]


def read_back(name, text, settings):
    return from_notation(name, np.array(text.split(), float), *settings)


def in_order(sequence):
    """The places of a sequence's letters in the order in which they stand as turns about moving axes."""
    order = [0]
    for place, letter in enumerate(sequence[1:], 1):
        order = [*order, place] if letter.islower() else [place, *order]
    return order


def near_the_lock(sequence, off):
    order, angles = in_order(sequence), [0.3, 0.3, 0.3]
    same = sequence[order[0]].lower() == sequence[order[2]].lower()
    angles[order[1]] = (0.0 if same else np.pi / 2) + off
    return from_euler(angles, sequence)


@pytest.mark.parametrize("degrees", [True, False])
@pytest.mark.parametrize("sequence", ALL)
def test_three_angles_of_every_sequence_are_exact(sequence, degrees):
    settings, (first, middle, last) = (degrees, sequence), [sequence[place].lower() for place in in_order(sequence)]
    if first == middle or middle == last:
        assert numbers_of("euler", (1, 0, 0, 0), settings) is None and notation_text("euler", (1, 0, 0, 0), settings) is None
        return
    locked = [near_the_lock(sequence, sign * off) for off in (0.0, 1e-15, 1e-13, 1e-11, 1e-9, 1e-6, 1e-4) for sign in (1, -1)]
    random = np.random.default_rng(3)
    for quat in (*quats(6), *locked):
        for before in (None, random.uniform(-500, 500, 3)):
            numbers = numbers_of("euler", quat, settings, before)
            assert turn_between(from_notation("euler", np.array(numbers), *settings), quat) < EXACT
        assert turn_between(read_back("euler", notation_text("euler", quat, settings), settings), quat) < EXACT


@pytest.mark.parametrize("sequence", ["xyz", "zyx", "XYZ", "zYx", "zxz", "YxZ"])
def test_the_angles_that_stand_there_are_found_again(sequence):
    random = np.random.default_rng(4)
    for angles in random.uniform(-1.5, 1.5, (20, 3)) + 2 * np.pi * random.integers(-1, 2, (20, 3)):
        assert euler_angles(from_euler(angles, sequence), sequence, angles) == pytest.approx(angles, abs=1e-9)


def test_at_the_lock_the_first_angle_stays_and_without_one_the_last_is_none():
    quat = from_euler((0.3, np.pi / 2, 0.2), "xyz")
    assert euler_angles(quat, "xyz", (0.3, np.pi / 2, 0.2)) == pytest.approx((0.3, np.pi / 2, 0.2), abs=1e-12)
    assert euler_angles(quat, "xyz") == pytest.approx((0.5, np.pi / 2, 0.0), abs=1e-12)
    assert notation_text("euler", from_euler((0.3, -np.pi / 2, 0.2), "xyz"), (True, "xyz")).split()[1:] == ["-90", "0"]


@pytest.mark.parametrize("degrees", [True, False])
@pytest.mark.parametrize("name", ["quat", "axisangle", "xyaxes", "euler"])
def test_every_notation_says_every_orientation(name, degrees):
    settings = (degrees, "xyz")
    before = {"axisangle": (0.0, 0.0, 2.0, 500.0 if degrees else 9.0), "quat": (-2.0, 0.0, 0.0, 0.0), "xyaxes": (3.0, 0.0, 0.0, 0.0, 0.5, 0.0), "euler": (0.0, 400.0, 0.0)}[name]
    for quat in quats(40):
        for near in ("", " ".join(map(str, before))):
            text = notation_text(name, quat, settings, near)
            assert turn_between(read_back(name, text, settings), quat) < EXACT and says(name, list(map(float, text.split())), quat, settings)


def test_lengths_senses_and_whole_turns_stay():
    quat = from_notation("axisangle", np.array([0.0, 0.0, 1.0, 10.0]), True)
    assert notation_text("axisangle", quat, (True, "xyz"), "0 0 -2. 340") == "0 0 -2. 350"
    assert notation_text("axisangle", quat, (True, "xyz")) == "0 0 1 10" and notation_text("axisangle", -quat, (True, "xyz")) == "0 0 1 10"
    assert notation_text("axisangle", (1, 0, 0, 0), (True, "xyz"), "1 0 0 350") == "1 0 0 360" and notation_text("axisangle", (1, 0, 0, 0), (True, "xyz")) == "0 0 1 0"
    assert notation_text("quat", (0.0, 0.0, 0.0, 1.0), (True, "xyz"), "-1 0 0 -1").split()[3].startswith("-1.41421356")
    assert notation_text("euler", (0.5 ** 0.5, 0, 0, 0.5 ** 0.5), (True, "xyz"), "0 0 450") == "0 0 450"
    back = (-0.6, 0.8, 0.0, 0.0)
    assert notation_text("quat", back, (True, "xyz")) == "0.6 -0.8 0 0" and notation_text("quat", back, (True, "xyz"), "-1 0 0 0") == "-0.6 0.8 0 0"
    assert notation_text("xyaxes", (1, 0, 0, 0), (True, "xyz"), "0 2 0 -3 0 0") == "2 0 0 0 3 0"


def test_zaxis_says_what_it_can():
    settings = (True, "xyz")
    quat = from_notation("zaxis", np.array([1.0, 2.0, 3.0]), True)
    numbers = numbers_of("zaxis", quat, settings, (0.0, 0.0, 2.0))
    assert says("zaxis", numbers, quat, settings) and np.linalg.norm(numbers) == pytest.approx(2.0)
    twisted = read_back("euler", "0 0 20", settings)
    assert notation_text("zaxis", twisted, settings) is None and numbers_of("zaxis", twisted, settings) == pytest.approx((0, 0, 1))


def test_plain_turns_are_plain_numbers_and_what_stays_keeps_its_characters():
    settings = (True, "xyz")
    quarter = read_back("euler", "0 0 90", settings)
    assert [notation_text(name, quarter, settings) for name in ("euler", "axisangle", "xyaxes")] == ["0 0 90", "0 0 1 90", "0 1 0 -1 0 0"]
    assert notation_text("quat", quarter, settings) == "0.707106781187 0 0 0.707106781187"
    assert notation_text("euler", read_back("euler", "10 20 90", settings), settings, "1e1 2.0e1 30.") == "1e1 2.0e1 90."
    for angles in ("10 20 30", "0.1 -0.2 0.3", "-179 89 1", "33.3 45 -120.25"):
        for sequence in ("xyz", "ZYX", "zyx"):
            assert notation_text("euler", read_back("euler", angles, (True, sequence)), (True, sequence)) == angles


TREE = """<mujoco><compiler angle="radian"/><compiler eulerseq="zyx"/><default><geom size=".1"/><default class="turned"><geom euler="0 0 .5"/></default></default><worldbody>
<geom name="plain"/><geom name="of class" class="turned"/><geom name="own" class="turned" quat="1 0 0 1"/><geom name="ends" fromto="0 0 0 0 0 -2" type="capsule"/>
<geom name="nothing" quat="0 0 0 0"/><geom name="axes" xyaxes="0 1 0 -1 0 0"/></worldbody></mujoco>"""


def attrs_of(name):
    root = read_text(TREE, "m.xml").root
    resolver = Resolver(root)
    return resolver.attrs(next(element for element in root.walk() if element.name == name)), angle_settings(root)


def test_it_is_read_from_the_element_or_its_class_in_the_units_of_the_file():
    quarter = (np.sqrt(0.5), 0, 0, np.sqrt(0.5))
    for name, quat in (("plain", (1, 0, 0, 0)), ("of class", from_euler((0, 0, 0.5), "zyx")), ("own", quarter), ("axes", quarter)):
        assert turn_between(orientation(*attrs_of(name)), quat) < EXACT
    with pytest.raises(OrientationError):
        orientation(*attrs_of("nothing"))
    pos, quat = frame_of_ends((0, 0, 0, 0, 0, -2))
    assert pos == (0, 0, -1) and quat == (1, 0, 0, 0)


def test_it_is_written_in_the_notation_in_force():
    quat = tuple(from_euler((0.25, 0, 0.5), "zyx"))
    attrs, settings = attrs_of("of class")
    name, numbers = numbers_in_force(attrs, quat, settings)
    assert in_place_of(attrs.element, name, text_of_numbers(name, numbers, settings)) == {"euler": "0.25 0 0.5"}
    attrs, _settings = attrs_of("own")
    assert numbers_in_force(attrs, quat, settings)[0] == "quat" and in_place_of(attrs.element, "euler", "0 0 1") == {"quat": None, "euler": "0 0 1"}
    assert written(attrs_of("axes")[0], Placement(quat=(np.sqrt(0.5), 0, 0, -np.sqrt(0.5))), settings) == {"xyaxes": "0 -1 0 1 0 0"}
    assert written(attrs_of("axes")[0], Placement(quat=(1, 0, 0, 0)), settings) == {"xyaxes": None}, "what says nothing is taken away"
