"""Meshes laid out on grids, against the official compiler in every field."""
import mujoco
import numpy as np
import pytest

from physics.compiler.mesh.builtin_grids import build_grid
from tests.physics.compiler.whole import both_refuse, off, ours

SOLID = [(kind, params) for kind in ("box", "cylinder", "ellipsoid") for params in ("2 2 2 .1 .2 .3", "5 4 3 .1 .2 .3", "3 3 3 .1 .1 .1", "4 7 6 .3 -.1 .2 3")]
SOLID += [("grid", "2 2 2 .1 .2 .3"), ("grid", "3 2 4 .1 .2 .3 3"), ("grid", "2.7 3.2 4 .1 -.2 .3 3.9")]
OPEN = [(kind, params + " 2") for kind in ("box", "cylinder", "ellipsoid") for params in ("2 2 2 .1 .2 .3", "2 3 4 .1 .2 .3", "5 4 3 .1 .2 .3", "3 5 5 .1 -.1 .1")]
FLAT = [("grid", "3 2 1 .1 .2 .3 2"), ("grid", "4 6 1.5 .1 .2 0 2.9"), ("square", "3 3 1 .1 .1 0"), ("square", "5 3 1 -.1 .2 1"), ("disc", "3 3 1 1 1 1"),
        ("disc", "5 4 1 .8 .9 1"), ("disc", "4 7 1 .8 -.9 1"), ("disc", "2 2 1 .8 .7 0")]


def text(made: str, params: str, touches: int = 0, more: str = "") -> str:
    """A body made of a mesh, with an arm so that a flat one can be weighed."""
    return (f'<mujoco><asset><mesh name="m" builtin="{made}" params="{params}" {more}/></asset><worldbody><body pos="0 0 9"><freejoint/>'
            f'<geom type="mesh" mesh="m" contype="{touches}" conaffinity="{touches}"/><geom size=".3" pos=".1 .2 .7"/></body></worldbody></mujoco>')


@pytest.mark.parametrize(("made", "params"), SOLID + OPEN + FLAT)
def test_points_and_triangles_are_the_official_ones(made, params):
    mesh, official = build_grid(made, np.array(params.split(), float)), mujoco.MjSpec.from_string(text(made, params)).meshes[0]
    assert np.array_equal(mesh.vert.ravel(), np.array(official.uservert, np.float32)), "points"
    assert np.array_equal(mesh.face.ravel(), np.array(official.userface)), "triangles"


@pytest.mark.parametrize(("made", "params"), SOLID + OPEN + FLAT)
def test_made_grids(made, params):
    assert off(text(made, params)) == "" and not isinstance(ours(text(made, params)), str)
    if (made, params) not in FLAT:
        assert off(text(made, params, 1, 'scale=".5 .6 -.7" refpos=".1 .2 .3" refquat="1 .2 .3 .4"')) == ""


@pytest.mark.parametrize("inertia", ["legacy", "exact", "convex", "shell"])
def test_open_meshes_and_where_their_mass_lies(inertia):
    for made in ("box", "cylinder", "ellipsoid"):
        for params in ("3 4 5 .1 .2 .3", "3 4 5 .1 .2 .3 2"):
            assert off(text(made, params, 0, f'inertia="{inertia}" smoothnormal="true"')) == ""
    if inertia not in ("shell", "legacy"):
        model = text("square", "3 3 1 .1 .1 0", 0, f'inertia="{inertia}"')
        assert both_refuse(model)


def row(name: str, values: str, times: int) -> str:
    """An attribute that repeats these values."""
    return f'{name}="{" ".join([values] * times)}"'


@pytest.mark.parametrize(("made", "params", "more"), [
    ("box", "2 2 2 .1 .2 .3", row("normal", "0 .6 .8", 9)), ("box", "2 2 2 .1 .2 .3 2", row("normal", "0 .6 .8", 8)), ("sphere", "0", row("normal", "0 .6 .8", 12)),
    ("plate", "2 2", row("texcoord", "0 .5", 4)), ("sphere", "0", row("texcoord", "0 .5", 12)), ("disc", "3 3 1 1 1 1", row("texcoord", "0 .5", 9)),
    ("cone", "3 0", row("texcoord", "0 .5", 4)), ("square", "3 3 1 .1 .2 .3", 'face="0 1 2"'), ("grid", "2 2 2 .1 .2 .3", 'face="0 1 2 0 2 5 0 5 1"'),
    ("plate", "2 2", 'normal="0 0 1"')])
def test_what_a_made_mesh_lacks_may_stand_in_the_model(made, params, more):
    model = text(made, params, 0, more)
    assert off(model) == "" and not isinstance(ours(model), str)


def test_texture_coordinates_must_fit_the_made_points():
    model = text("sphere", "0", 0, row("texcoord", "0 .5", 11))
    assert both_refuse(model) and "11 texture coordinates for 12 vertices" in ours(model)


def test_flat_meshes_that_touch_are_refused_for_want_of_a_hull():
    model = text("square", "3 3 1 .1 .1 0", 1)
    assert both_refuse(model) and "in one plane" in ours(model)


@pytest.mark.parametrize(("made", "params", "said"), [
    ("grid", "3 2 2 .1 .2", "made from 6 or 7 numbers, not 5"), ("grid", "3 2 2 1 1 1 3 3", "not 8"), ("square", "3 3 1 1 1 1 2", "made from 6 numbers, not 7"),
    ("grid", "3 1 1 1 1 1 1", "the dim of a grid is 2 or 3, not 1"), ("box", "2 2 2 1 1 1 4", "the dim of a box is 2 or 3, not 4"),
    ("grid", "3 2 1 1 1 1", "the count of a grid along z is from 2"), ("grid", "3 2 2 1 1 1 2", "the count of a grid along z is 1, not 2"),
    ("grid", "0 2 2 1 1 1", "along x is from 2"), ("grid", "3 1 1 1 1 1 2", "along y is from 2"), ("grid", "1e10 2 2 1 1 1", "not 1e+10"),
    ("cylinder", "2 1.9 2 1 1 1", "the count of a cylinder along y is from 2 to 300000, not 1.9"), ("ellipsoid", "-2 2 2 1 1 1", "not -2"),
    ("disc", "3 3 2 1 1 1", "the count of a disc along z is 1, not 2"), ("disc", "1 3 1 1 1 1", "the count of a disc along x"),
    ("grid", "3 3 3 1e300 1 1", "not finite"), ("box", "3 3 3 0 1 1", "in one plane")])
def test_numbers_that_make_no_grid(made, params, said):
    model = text(made, params)
    assert said in ours(model) and "model.xml:1:" in ours(model)
    assert both_refuse(model)


def test_more_points_than_fit_are_refused_before_they_are_laid_out():
    # the official compiler is not asked: it tries to lay them out
    assert "a grid of 100000 x 100000 x 100000 points is absurdly large" in ours(text("grid", "1e5 1e5 1e5 1 1 1"))
    assert "a box of 300000 x 300000 x 300000 points is absurdly large" in ours(text("box", "3e5 3e5 3e5 1 1 1"))
