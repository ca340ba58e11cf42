"""An orientation in its five notations, against the functions that read them."""
from itertools import product

import numpy as np
import pytest

from editor.edits.version import Version
from editor.inspect import orientation
from editor.inspect.orientation import NOTATIONS, quat_of, same_turn, words_of
from physics.rotation.orientation import from_euler
from physics.schema.schema import lookup

GEOM = lookup("body/geom")
SEQUENCES = ["".join(letters) for letters in product("xyzXYZ", repeat=3)]


def root(compiler=""):
    return Version.of({"m.xml": f"<mujoco><compiler {compiler}/></mujoco>"}, "m.xml").root


def some(count, seed=3):
    quats = np.random.default_rng(seed).normal(size=(count, 4))
    return quats / np.linalg.norm(quats, axis=1)[:, None]


@pytest.mark.parametrize("notation", [name for name in NOTATIONS if name != "zaxis"])
@pytest.mark.parametrize("angle", ["degree", "radian"])
def test_every_orientation_is_read_back(notation, angle):
    tree = root(f'angle="{angle}"')
    for quat in (*some(50), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), np.array([1, 0, 1, 0]) / np.sqrt(2), np.array([1, 0, -1, 0]) / np.sqrt(2)):
        assert same_turn(quat_of(GEOM, notation, words_of(notation, np.array(quat, float), tree), tree), np.array(quat, float), 1e-7)


@pytest.mark.parametrize("eulerseq", SEQUENCES)
def test_euler_angles_of_every_sequence(eulerseq):
    tree = root(f'angle="radian" eulerseq="{eulerseq}"')
    order = [eulerseq[k].lower() for k in orientation._order(eulerseq)]
    if order[0] == order[1] or order[1] == order[2]:
        with pytest.raises(ValueError, match="twice"):
            words_of("euler", some(1)[0], tree)
        return
    for quat in (*some(8), from_euler((0.3, 0.0, -0.2), eulerseq), from_euler((0.3, np.pi / 2, 0.4), eulerseq), from_euler((0.3, -np.pi / 2, 0.4), eulerseq), (1.0, 0, 0, 0),
                 (0, 1.0, 0, 0)):
        assert same_turn(quat_of(GEOM, "euler", words_of("euler", np.array(quat), tree), tree), np.array(quat), 1e-6)


def test_plain_turns_are_plain_numbers():
    tree = root()
    quarter = quat_of(GEOM, "euler", ("0", "0", "90"), tree)
    assert words_of("euler", quarter, tree) == ("0", "0", "90") and words_of("axisangle", quarter, tree) == ("0", "0", "1", "90") and words_of("xyaxes", quarter, tree) == ("0",
        "1", "0", "-1", "0", "0")
    assert words_of("quat", quarter, tree) == ("0.707106781", "0", "0", "0.707106781")


def test_a_notation_that_would_lose_something_is_not_offered():
    tree = root()
    assert orientation.offered(GEOM, "euler", ("0", "0", "90"), tree)["zaxis"] and not orientation.offered(GEOM, "euler", ("90", "0", "0"), tree)["zaxis"]
