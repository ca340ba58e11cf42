"""The row of an orientation: its numbers in five notations, against the functions that read them, and which notations are offered."""
import numpy as np
import pytest

from editor.edits.version import Version
from editor.inspect import orientation
from editor.inspect.orientation import quat_of, words_of
from editor.notation.orientation import NOTATIONS, turn_between
from physics.schema.schema import lookup

GEOM = lookup("body/geom")


def root(compiler=""):
    return Version.of({"m.xml": f"<mujoco><compiler {compiler}/></mujoco>"}, "m.xml").root


@pytest.mark.parametrize("notation", [name for name in NOTATIONS if name != "zaxis"])
@pytest.mark.parametrize("angle", ["degree", "radian"])
def test_every_orientation_is_read_back(notation, angle):
    tree, some = root(f'angle="{angle}"'), np.random.default_rng(3).normal(size=(30, 4))
    for quat in (some / np.linalg.norm(some, axis=1)[:, None]).tolist():
        assert turn_between(quat_of(GEOM, notation, words_of(notation, quat, tree), tree), quat) < 1e-12


def test_a_sequence_that_cannot_say_it_is_told():
    tree = root('eulerseq="xxy"')
    with pytest.raises(ValueError, match="twice"):
        words_of("euler", (0.6, 0.8, 0, 0), tree)
    assert orientation.unit_words("euler", tree) == ("0", "0", "0") and orientation.unit_words("xyaxes", tree) == ("1", "0", "0", "0", "1", "0")


def test_a_notation_that_would_lose_something_is_not_offered():
    tree = root()
    assert orientation.offered(GEOM, "euler", ("0", "0", "90"), tree)["zaxis"] and not orientation.offered(GEOM, "euler", ("90", "0", "0"), tree)["zaxis"]
