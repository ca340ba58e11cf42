"""Meshes and what shows them, against the official compiler in every field."""
import pytest

from tests.physics.compiler.whole import both_refuse, off, ours

BOX = 'vertex="0 0 0 1 0 0 0 2 0 0 0 3 1 2 3 1 2 0 1 0 3 0 2 3"'
WEDGE = 'vertex="0 0 0 1 0 0 0 2 0 .3 .2 3 1 2 .5" face="0 2 1 0 1 3 0 3 2 1 2 4 1 4 3 2 3 4"'


def text(assets: str, geoms: str, compiler: str = "", extra: str = "") -> str:
    """A model with a body of these geoms that falls."""
    return (f"<mujoco><compiler {compiler}/><asset>{assets}</asset><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
            f"<body pos='0 0 9'><freejoint/>{geoms}</body></worldbody>{extra}</mujoco>")


@pytest.mark.parametrize("inertia", ["legacy", "exact", "convex", "shell"])
@pytest.mark.parametrize("scale", ["1 1 1", "2 .5 3", "1 1 -1", "-1 -2 1"])
def test_every_inertia_and_mirror(inertia, scale):
    for mesh in (BOX, WEDGE):
        asset = f'<mesh name="m" {mesh} scale="{scale}" inertia="{inertia}" refpos=".1 .2 .3" refquat="1 .2 .3 .4"/>'
        assert off(text(asset, '<geom type="mesh" mesh="m" pos="1 2 3" euler="10 20 30"/>')) == ""


@pytest.mark.parametrize("shape", ["sphere", "capsule", "cylinder", "ellipsoid", "box"])
@pytest.mark.parametrize("by_bounds", ["true", "false"])
def test_shapes_fitted_to_a_mesh(shape, by_bounds):
    geom = f'<geom type="{shape}" mesh="m" size=".1 .2 .3" fitscale="1.5" pos="1 2 3" euler="10 20 30"/>'
    assert off(text(f'<mesh name="m" {WEDGE} scale=".5 .6 2"/>', geom, f'fitaabb="{by_bounds}"')) == ""


def test_geoms_and_sites_that_show_a_mesh():
    assets = f'<material name="red"/><material name="blue"/><mesh name="m" {WEDGE} material="blue"/><mesh name="n" {BOX}/>'
    geoms = ('<geom type="mesh" mesh="m" mass="2"/><geom type="mesh" mesh="m" material="red" density="30"/><geom type="box" mesh="m"/>'
             '<geom type="mesh" mesh="n" mass="0" surfacevel="1 2 3 4 5 6" euler="10 20 30"/><geom type="mesh" mesh="n" fluidshape="ellipsoid"/>'
             '<site type="mesh" mesh="m" pos="1 2 3" size="7 8 9" euler="30 20 10"/><site type="mesh" mesh="n" material="red"/>')
    assert off(text(assets, geoms)) == ""


def test_bodies_take_their_inertia_from_meshes():
    geoms = '<geom type="mesh" mesh="m" pos="1 2 3" euler="10 20 30"/><geom type="mesh" mesh="n" pos="-1 0 0" contype="0" conaffinity="0"/><geom size=".2"/>'
    assert off(text(f'<mesh name="m" {WEDGE}/><mesh name="n" {BOX} inertia="shell"/>', geoms)) == ""


def test_only_meshes_that_can_touch_something_get_a_hull():
    silent = 'contype="0" conaffinity="0"'
    pair = '<contact><pair geom1="a" geom2="floor"/></contact>'
    for geoms, extra, hull in ((f'<geom type="mesh" mesh="m" {silent}/>', "", False), (f'<geom name="a" type="mesh" mesh="m" {silent}/>', pair, True),
                               ('<geom type="mesh" mesh="m"/>', "", True), ('<geom type="box" mesh="m"/>', "", False)):
        model = text(f'<mesh name="m" {WEDGE}/>', geoms, extra=extra)
        assert off(model) == ""
        assert (ours(model).nmeshgraph > 0) is hull


@pytest.mark.parametrize("most", ["4", "5", "6", "-1"])
def test_hulls_of_few_vertices(most):
    assert off(text(f'<mesh name="m" {BOX} maxhullvert="{most}"/>', '<geom type="mesh" mesh="m"/>')) == ""


def test_normals_and_texture_coordinates_in_the_model():
    mesh = f'<mesh name="m" {WEDGE} normal="0 0 1 1 0 0 0 1 0 0 2 0 1 1 1" texcoord="0 0 1 0 1 1 0 1 .5 .5" scale="1 2 -3"/>'
    assert off(text(mesh, '<geom type="mesh" mesh="m"/>')) == ""
    assert off(text(f'<mesh name="m" {WEDGE} smoothnormal="true"/>', '<geom type="mesh" mesh="m"/>')) == ""


@pytest.mark.parametrize(("asset", "geom", "said"), [
    (f'<mesh name="m" {BOX} scale="1 0 1"/>', '<geom type="mesh" mesh="m"/>', "the volume of the mesh is 0 m3"),
    (f'<mesh name="m" {BOX} scale="0 0 0"/>', '<geom type="mesh" mesh="m"/>', "the surface of the mesh is 0 m2"),
    (f'<mesh name="m" {BOX} maxhullvert="3"/>', '<geom type="mesh" mesh="m"/>', "at least 4 vertices, not 3"),
    ('<mesh name="m" vertex="0 0 0 1 0 0 0 1 0"/>', '<geom size="1"/>', "needs at least 4 vertices, this one has 3"),
    ('<mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0"/>', '<geom size="1"/>', "11 numbers, not a multiple of 3"),
    ('<mesh name="m" vertex="0 0 0 0 0 0 0 0 0 0 0 0"/>', '<geom size="1"/>', "in one point"),
    ('<mesh name="m" vertex="0 0 0 1 1 1 2 2 2 3 3 3"/>', '<geom size="1"/>', "on one line"),
    ('<mesh name="m" vertex="0 0 0 1 0 0 0 1 0 1 1 0"/>', '<geom size="1"/>', "in one plane"),
    ('<mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 1 9"/>', '<geom size="1"/>', "triangle 0 names vertex 9, but the mesh has 4"),
    ('<mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 1 2 0 1 3" inertia="exact"/>', '<geom size="1"/>', "edge from vertex 0 to vertex 1"),
    ('<mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 1 2 0 3 1 0 2 3 1 3 2" inertia="exact"/>', '<geom size="1"/>', "turned inwards"),
    ('<mesh vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>', '<geom size="1"/>', "needs a name"),
    (f'<mesh name="m" {BOX}/>', '<geom type="mesh"/>', "must name its mesh"),
    (f'<mesh name="m" {BOX}/>', '<geom type="mesh" mesh="m" shellinertia="true"/>', "shellinertia"),
    (f'<mesh name="m" {BOX}/>', '<geom type="capsule" mesh="m" fromto="0 0 0 1 1 1"/>', "fromto"),
    (f'<mesh name="m" {BOX}/>', '<geom size="1"/><site type="mesh"/>', "must name its mesh"),
    (f'<mesh name="m" {BOX}/>', '<geom size="1"/><site type="box" mesh="m"/>', "cannot be fitted"),
])
def test_what_is_wrong_is_reported_with_its_place(asset, geom, said):
    model = text(asset, geom)
    assert both_refuse(model)
    assert said in ours(model) and "model.xml:1:" in ours(model)


@pytest.mark.parametrize(("made", "params"), [
    ("sphere", "0"), ("sphere", "2"), ("sphere", "1.7"), ("hemisphere", "0"), ("hemisphere", "4"), ("cone", "3 0"), ("cone", "3 1"), ("cone", "4.9 .5"),
    ("supersphere", "3 1 1"), ("supersphere", "10 .5 .3"), ("supersphere", "10 0 0"), ("supertorus", "3 .5 1 1"), ("supertorus", "12 .3 .5 2"),
    ("wedge", "4 3 60 40 0"), ("wedge", "7 9 170 90 .3"), ("plate", "4 3"), ("plate", "2 2")])
def test_made_meshes(made, params):
    for touches in ("0", "1"):
        geom = f'<geom type="mesh" mesh="m" contype="{touches}" conaffinity="{touches}"/>'
        assert off(text(f'<mesh name="m" builtin="{made}" params="{params}" scale=".1 .2 -.3"/>', geom)) == ""


@pytest.mark.parametrize(("made", "params", "said"), [
    ("sphere", "5", "the subdivision of a sphere is from 0 to 4, not 5"), ("sphere", "1 2", "made from 1 number(s), not 2"), ("sphere", "nan", "nan cannot be used"),
    ("hemisphere", "11", "from 0 to 10"), ("cone", "2 0", "from 3"), ("cone", "5 1.5", "from 0 to 1, not 1.5"), ("supersphere", "2 1 1", "from 3"),
    ("supersphere", "1e9 1 1", "not 1e+09"), ("supersphere", "9 -1 1", "the e of a supersphere"), ("supertorus", "9 0 1 1", "above 0 and at most 1"),
    ("wedge", "4 3 60 91 0", "fov_theta"), ("wedge", "0 3 60 40 0", "res_phi"), ("plate", "0 3", "res_x"), ("plate", "100000 100000", "absurdly large"),
    ("none", "1", "makes no mesh")])
def test_numbers_that_make_no_mesh(made, params, said):
    assert said in ours(text(f'<mesh name="m" builtin="{made}" params="{params}"/>', '<geom size="1"/>'))
