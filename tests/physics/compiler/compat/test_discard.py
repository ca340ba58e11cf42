"""What is only seen is discarded as the official compiler does it."""
import random

import numpy as np
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


VERTICES = {name: " ".join(f"{x:.3f}" for x in np.random.default_rng(k).normal(size=18)) for k, name in enumerate("abcdef")}


def random_meshes(rng):
    """A model of meshes, half of whose geoms are only seen, and something that refers to them or to what they show."""
    names = rng.sample("abcdef", rng.randint(2, 5))
    some = lambda *choices: rng.choice(choices) if rng.random() < 0.3 else ""  # noqa: E731

    def geom(name):
        seen = 'contype="0" conaffinity="0"' if rng.random() < 0.5 else ""
        shape = rng.choice([f'type="mesh" mesh="{rng.choice(names)}"'] * 3 + ['size=".1"', f'type="box" mesh="{rng.choice(names)}"'])
        return f'<geom name="{name}" {seen} {shape} {some(MASSLESS, FAR_GROUP, LOOK)}/>'

    bodies = "".join(
        f'<body name="b{i}" pos="{i} 0 0"><freejoint/>{"".join(geom(f"g{i}{j}") for j in range(rng.randint(1, 4)))}<geom name="w{i}" size=".2" pos=".1 .2 .3"/>'
        f'<site name="s{i}" {rng.choice(("", MESH_SITE.format(rng.choice(names))))}/></body>' for i in range(rng.randint(1, 3)))
    asset = "".join(f'<mesh name="{name}" vertex="{VERTICES[name]}"/>' for name in names) + MATERIAL
    asset += some('<skin name="k" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2" material="m">'
                  '<bone body="b0" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin>')
    asset += '<hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/>'
    rest = some('<contact><pair geom1="g00" geom2="w0"/><exclude body1="b0" body2="world"/></contact>')
    rest += some(tuple_of("geom", "g00"), tuple_of("mesh", names[0]), tuple_of("material", "m"), tuple_of("hfield", "h"))
    rest += some('<sensor><framepos objtype="geom" objname="g00"/></sensor>', '<sensor><distance geom1="g00" geom2="w0"/></sensor>',
                 f'<sensor><tactile name="q" mesh="{names[0]}" geom="w0"/></sensor>')
    rest += some('<tendon><spatial><site site="s0"/><geom geom="w0"/><site site="s0"/></spatial></tendon>')
    compiler = some('inertiafromgeom="true"', 'inertiagrouprange="0 3"', 'fusestatic="true"')
    return (f'<mujoco><compiler discardvisual="true" {compiler}/><asset>{asset}</asset><worldbody>{geom("f0")}{geom("f1")}<geom type="hfield" hfield="h" {some(SEEN_ONLY)}/>'
            f"{bodies}</worldbody>{rest}</mujoco>")


MASSLESS, FAR_GROUP, LOOK, SEEN_ONLY, MESH_SITE = 'mass="0"', 'group="4"', 'material="m"', 'contype="0" conaffinity="0"', 'type="mesh" mesh="{}"'


@pytest.mark.parametrize("seed", range(80))
def test_meshes_keep_their_geoms_sites_and_sensors(seed):
    """Geoms and sites kept the numbers that meshes had before some were discarded; the mesh of a tactile sensor was discarded."""
    assert disagreement(random_meshes(random.Random(seed))) == {}
