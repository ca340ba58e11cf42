"""What is only seen is discarded as the official compiler does it."""
import pytest

from physics import ModelError, load_string
from tests.physics.compiler.agreement import disagreement, refused_by_both
from tests.physics.compiler.random_trees import random_tree

TEXTURES = '<texture name="t" type="2d" builtin="flat" width="4" height="4"/><texture name="u" type="2d" builtin="flat" width="4" height="4"/>'
MATERIAL = TEXTURES + '<material name="m" texture="t" rgba="1 0 0 1"/>'
RED = '<geom name="red" material="m" size=".1"/>'


def model(body="", rest="", asset="", compiler="", visual=""):
    """A free body with a geom c that collides and a geom v that does not."""
    return (f'<mujoco><compiler discardvisual="true" {compiler}/><asset>{asset}</asset><worldbody><geom name="floor" type="plane" size="1 1 1"/>'
            f'<body name="b"><freejoint/><geom name="c" size=".1"/><geom name="v" size=".2" pos="1 0 0" contype="0" conaffinity="0" {visual}/>{body}</body>'
            f"</worldbody>{rest}</mujoco>")


def tuple_of(kind, name):
    return f'<custom><tuple name="t"><element objtype="{kind}" objname="{name}"/></tuple></custom>'


STAYS = {
    "pair": model(rest='<contact><pair geom1="c" geom2="v"/></contact>'),
    "wrap": model('<site name="s"/><site name="q" pos="1 0 0"/>', '<tendon><spatial><site site="s"/><geom geom="v"/><site site="q"/></spatial></tendon>'),
    "sensor": model(rest='<sensor><framepos objtype="geom" objname="v"/></sensor>'),
    "reference": model(rest='<sensor><framepos objtype="geom" objname="c" reftype="geom" refname="v"/></sensor>'),
    "distance": model(rest='<sensor><distance geom1="c" geom2="v"/></sensor>'),
    "tuple": model(rest=tuple_of("geom", "v")),
    "ellipsoid": model(visual='fluidshape="ellipsoid"'),
}
GOES = {
    "plain": model(),
    "material": model(RED, asset=MATERIAL),
    "material in a tuple": model(RED, tuple_of("material", "m"), MATERIAL + '<material name="n" texture="u"/>'),
    "texture in a tuple": model(RED, tuple_of("texture", "t"), MATERIAL),
    "material of a sensor": model(RED, '<sensor><user objtype="material" objname="m" dim="1"/></sensor>', MATERIAL),
    "light's texture": model('<light texture="t"/>', asset=TEXTURES),
    "tendon's material": model('<site name="s"/><site name="q" pos="1 0 0"/>', '<tendon><spatial material="m"><site site="s"/><site site="q"/></spatial></tendon>', MATERIAL),
    "missing picture": model(asset='<texture name="x" type="2d" file="nofile.png"/><material name="y" texture="x"/>'),
    "massless": model(visual='mass="0"', compiler='inertiafromgeom="true"'),
    "outside the groups": model(visual='group="5"', compiler='inertiagrouprange="0 2"'),
    "own inertia": model('<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'),
    "fused": model('<body pos="1 1 0"><geom size=".1" contype="0" conaffinity="0"/></body>', compiler='fusestatic="true"'),
}
MESH = '<mesh name="m" vertex="0 0 0 1 0 0 0 2 0 0.2 0.3 3"/><mesh name="unused" vertex="0 0 0 1 0 0 0 2 0 0 0 3"/>'
SEEN = '<geom type="mesh" mesh="m" contype="0" conaffinity="0" %s/>'
MESHES = {   # and the names of the meshes that stay
    "seen": (model(SEEN % "", asset=MESH), ()),
    "seen without mass": (model(SEEN % 'mass="0"', asset=MESH), ()),
    "seen in a body with inertia": (model('<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>' + SEEN % "", asset='<mesh name="m" file="nofile.obj"/>'), ()),
    "seen with a material": (model(SEEN % 'material="k"', asset=MESH + TEXTURES + '<material name="k" texture="t"/>'), ()),
    "collides": (model('<geom type="mesh" mesh="m"/>', asset=MESH), ("m",)),
    "of a shape fitted to it": (model('<geom type="box" mesh="m"/>', asset=MESH), ("m",)),
    "of a site": (model('<site type="mesh" mesh="m"/>', asset=MESH), ("m",)),
    "in a tuple": (model(SEEN % "", tuple_of("mesh", "m"), MESH), ("m",)),
}


@pytest.mark.parametrize("name", [*STAYS, *GOES])
def test_as_the_official_compiler(name):
    assert disagreement({**STAYS, **GOES}[name]) == {}


@pytest.mark.parametrize("name", MESHES)
def test_meshes_nothing_else_uses_go(name):
    text, stay = MESHES[name]
    assert disagreement(text) == {}
    assert load_string(text).names["mesh"] == stay


@pytest.mark.parametrize("name", STAYS)
def test_what_something_refers_to_stays(name):
    assert "v" in load_string(STAYS[name]).names["geom"]


@pytest.mark.parametrize("name", GOES)
def test_what_is_only_seen_goes(name):
    assert "v" not in load_string(GOES[name]).names["geom"]


@pytest.mark.parametrize("seed", range(25))
def test_random_trees(seed):
    assert disagreement(random_tree(100 + seed, f'discardvisual="true" fusestatic="{("true", "false")[seed % 2]}"')) == {}


def test_mass_that_inertiafromgeom_would_lose_is_refused():
    text = model(compiler='inertiafromgeom="true"')
    assert refused_by_both(text)
    with pytest.raises(ModelError, match="take this geom's mass away"):
        load_string(text)
