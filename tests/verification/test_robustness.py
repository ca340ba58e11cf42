"""Whatever shapes and sizes: no number that is none, no error, no energy from nowhere, and overlap as a linear program says.

Longer ones, all seeds and ten minutes of simulated time: `./test.sh --long piles`.
"""
import numpy as np
import pytest

import physics
from tests.oracle.shapes import SIGNS, Placed, Shape, signed_distance
from tests.verification import mesh_overlap
from tests.verification.random_piles import KINDS, Pile, pile, sides, watch

PILES = {
    "dropped": Pile(),
    "dropped with rolling friction": Pile(cone="elliptic", condim=6),
    "in one another": Pile(overlap=True),
    "in one another, cones": Pile(overlap=True, cone="elliptic"),
    "thin": Pile(kinds=("needle", "plate", "box"), overlap=True),
    "tiny": Pile(scale=1e-4, kinds=KINDS[:5]),
    "small": Pile(scale=1e-2),
    "huge": Pile(scale=1e4),
    "light on heavy": Pile(ratio=1e6),
    "light in heavy": Pile(ratio=1e6, overlap=True),
}
TINY_MASS_RISE = 0.2   # of a pile of bodies a million times as heavy as others; else 0.05


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.mark.parametrize("name", PILES)
def test_random_piles_come_to_rest(name):
    """Three seconds of falling and settling: energy only goes (but for the first shove of what starts inside of one another), nothing sinks in."""
    kind = PILES[name]
    ours = watch(sides(pile(kind, 0))[0], 3.0 * np.sqrt(kind.scale))
    assert ours["finite"] and ours["warned"] == 0, ours
    assert ours["gained"] <= (20.0 if kind.overlap else 1e-3), ours
    assert ours["rise"] < (TINY_MASS_RISE if kind.ratio > 1 else 0.05) and ours["moving"] < 0.1, ours
    assert ours["ncon"] >= kind.count and ours["deepest"] < 0.15, ours


def test_energy_from_nowhere_would_be_seen(monkeypatch):
    """A step that adds a thousandth to all speeds."""
    right = physics.step

    def pumped(m, d, nstep=1, **options):
        for _ in range(nstep):
            right(m, d, 1, **options)
            d.qvel[:] *= 1.02
        return nstep

    monkeypatch.setattr(physics, "step", pumped)
    seen = watch(sides(pile(PILES["dropped"], 0))[0], 3.0)
    assert not seen["finite"] or seen["gained"] > 1e-3 or seen["rise"] > 0.05 or seen["moving"] > 0.1


@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e3])
def test_meshes_overlap_where_a_linear_program_says_so(scale):
    cases, overlaps, wrong = mesh_overlap.disagreements(int(np.log10(scale)) + 7, 3, 12, scale)
    assert cases == 198 and overlaps > 20 and not wrong


def test_the_linear_program_knows_boxes():
    """Against the distance found by looking in all directions; a wrong answer is told."""
    r = np.random.default_rng(2)
    for _ in range(8):
        sizes, place = r.uniform(0.1, 0.4, (2, 3)), r.uniform(-0.5, 0.5, 3)
        one, two = SIGNS * sizes[0], SIGNS * sizes[1] + place
        true = signed_distance(*(Placed(Shape("box", size, SIGNS * size), where, np.eye(3)) for size, where in zip(sizes, (np.zeros(3), place)))).dist
        assert (mesh_overlap.gap(one, two) > 1e-9) == (true > 0)
        assert mesh_overlap.agrees(true < 0, one, two)[0] and not mesh_overlap.agrees(true > 0, one, two)[0]
        if true < 0:
            assert mesh_overlap.depth(one, two) == pytest.approx(-true)
