"""Spatial tendons: every field of the compiled model against the official compiler's, and what is refused."""
import mujoco
import numpy as np
import pytest

from physics import ModelError, load_string
from tests.oracle.compiled import compare_compiled
from tests.physics.compiler.compared import accepted

FRAME = """<mujoco><option gravity="0 0 -1"/><default><tendon width=".01" rgba="1 0 0 .5"/><default class="soft"><tendon stiffness="20" damping="1 2"/></default></default>
  <asset><material name="red"/></asset><worldbody>{bodies}</worldbody><tendon>{tendons}</tendon><actuator>{actuators}</actuator></mujoco>"""

TREE = """
  <site name="w0" pos=".1 .2 1.2"/><site name="w1" pos="-.3 .1 .9" quat="1 1 0 0"/><geom name="wg" type="sphere" size=".05" pos="0 .15 1"/>
  <body name="a" pos="0 0 1" quat="1 .1 .2 0"><joint name="a" axis="0 1 .1" springref="20" ref="5"/><geom name="ag" size=".06" mass="1"/><site name="a0" pos=".1 .1 0"/>
    <body name="b" pos=".3 0 0"><joint name="b" type="ball"/>
      <geom name="bg" type="cylinder" size=".04 .2" euler="10 80 0" mass=".5"/><site name="b0" pos=".2 .05 .1"/><site name="b1" pos="0 .01 0"/>
      <body name="c" pos=".3 0 .1"><joint name="c" type="slide" axis="1 0 0" springref=".1"/><geom name="cg" size=".03" mass=".2"/><site name="c0" pos=".05 .05 .02"/></body></body>
    <body name="e" pos="-.2 0 .1"><joint name="e" axis="1 0 0"/><geom name="eg" size=".05" mass=".3"/><site name="e0" pos="0 0 .07"/></body></body>
  <body name="f" pos="1 0 1"><freejoint name="f"/><geom name="fg" type="cylinder" size=".08 .1" mass="2"/><site name="f0" pos=".1 0 .05"/><site name="f1" pos="-.1 .02 0"/></body>
  <body name="g" pos="2 0 1"><joint name="g0" type="slide" axis="0 0 1"/><joint name="g1" type="slide" axis="1 0 0"/><geom name="gg" size=".1"/><site name="g0"/></body>
"""
SITES = ("w0", "w1", "a0", "b0", "b1", "c0", "e0", "f0", "f1", "g0")
GEOMS = ("wg", "ag", "bg", "cg", "eg", "fg")


def spatial(inner, attrs=""):
    return f"<spatial {attrs}>{inner}</spatial>"


def model(tendons, actuators="", bodies=TREE):
    return FRAME.format(bodies=bodies, tendons=tendons, actuators=actuators)


def off(text):
    """Fields that are not the official ones."""
    return compare_compiled(load_string(text), mujoco.MjModel.from_xml_string(text))[1]


def random_path(rng):
    items = []
    for branch in range(rng.integers(1, 4)):
        if branch or rng.random() < 0.2:
            items.append(f'<pulley divisor="{rng.uniform(0.5, 4):.3f}"/>')
        sites = rng.permutation(SITES)[:rng.integers(2, 6)]
        items.append(f'<site site="{sites[0]}"/>')
        for site in sites[1:]:
            if rng.random() < 0.5:
                side = f' sidesite="{rng.choice(SITES)}"' if rng.random() < 0.5 else ""
                items.append(f'<geom geom="{rng.choice(GEOMS)}"{side}/>')
            items.append(f'<site site="{site}"/>')
    return "".join(items)


@pytest.mark.parametrize("seed", range(6))
def test_random_paths(seed):
    rng = np.random.default_rng(seed)
    looks = ("", 'material="red" group="2" user="1 2"', 'class="soft" range="0 2" margin=".1" frictionloss=".3"', 'springlength=".2"', 'springlength=".2 .5" width=".02"',
             'limited="false" range="0 1" actuatorfrcrange="-1 2" solreflimit="-9 -3" solimpfriction=".8"')
    tendons = "".join(spatial(random_path(rng), f'name="t{k}" {look}') for k, look in enumerate(looks * 2))
    actuators = "".join(f'<general tendon="t{k}" gear="{rng.uniform(-2, 2):.3f}"/>' for k in range(0, 12, 2)) + '<position tendon="t1" kp="9" dampratio=".7"/>'
    assert off(model(tendons, actuators)) == {}


def test_side_site_inside_a_geom_holds_the_path_inside():
    bodies = """<site name="p" pos=".5 .1 .1"/><site name="q" pos="-.4 .3 -.1"/>
      <body><joint name="h" axis="0 1 .2" pos=".1 .2 0"/><joint type="slide" axis="1 2 3"/><geom name="s" type="cylinder" size=".2 .3"/><site name="in"/></body>"""
    assert off(model(spatial('<site site="p"/><geom geom="s" sidesite="in"/><site site="q"/>'), bodies=bodies)) == {}


ARMATURE = ('name="t" armature=".7"', 'name="t" armature=".7" stiffness="3"', 'name="t"')


@pytest.mark.parametrize("look", ARMATURE)
def test_armature_lies_within_the_pattern_of_the_mass_matrix(look):
    tendons = spatial("".join(f'<site site="{s}"/>' for s in ("c0", "e0", "w0", "f0", "g0")), look)
    assert off(model(tendons, '<motor tendon="t" gear="2" armature=".4"/>')) == {}


def test_a_tendon_of_the_world_alone_has_no_dofs():
    assert off(model(spatial('<site site="w0"/><site site="w1"/>', 'stiffness="1"'))) == {}


def test_trees_that_a_stiff_tendon_couples_do_not_sleep_by_themselves():
    tendons = spatial('<site site="a0"/><site site="w0"/><site site="f0"/>', 'stiffness="1"') + spatial('<site site="f0"/><site site="g0"/>')
    assert off(model(tendons)) == {}
    with pytest.raises(ModelError, match="cannot sleep"):
        load_string(model(tendons, bodies=TREE.replace('<body name="f"', '<body name="f" sleep="init"')))


def test_no_armature_is_lent_to_a_tendon_that_wraps():
    text = model(spatial('<site site="a0"/><geom geom="wg"/><site site="w0"/>', 'name="t"'), '<motor tendon="t" armature="1"/>')
    assert not accepted(text)
    with pytest.raises(ModelError, match="wraps around geoms"):
        load_string(text)


S = '<site site="a0"/><site site="w0"/>'
BAD = {
    "the path has no items": spatial(""),
    "the path has 1 item,": spatial('<site site="a0"/>'),
    "site 'a0' follows itself": spatial('<site site="a0"/><site site="a0"/>'),
    "divisor of a pulley must be positive": spatial(f'<pulley divisor="0"/>{S}'),
    "path ends with a pulley": spatial(f'{S}<pulley divisor="1"/>'),
    "a pulley follows a pulley": spatial(f'{S}<pulley divisor="1"/><pulley divisor="1"/>{S}'),
    "one site only": spatial(f'{S}<pulley divisor="1"/><site site="a0"/>'),
    "must stand between two sites": spatial(f'<geom geom="ag"/>{S}'),
    "between two sites": spatial('<site site="a0"/><geom geom="ag"/><geom geom="bg"/><site site="w0"/>'),
    "wraps around spheres and cylinders only; 'box'": spatial('<site site="a0"/><geom geom="box"/><site site="w0"/>'),
    "width must be positive": spatial(S, 'width="0"'),
    "'armature' cannot be negative": spatial(S, 'armature="-1"'),
    "cannot have armature": spatial('<site site="a0"/><geom geom="ag"/><site site="w0"/>', 'armature="1"'),
    "'springyield' cannot be negative": spatial(S, 'springyield="-1"'),
    "springlength must not fall": spatial(S, 'springlength="2 1"'),
    "actuatorfrcrange must contain 0": spatial(S, 'actuatorfrcrange="1 2"'),
    "unknown site 'nope'": spatial('<site site="a0"/><site site="nope"/>'),
    "unknown geom 'nope'": spatial('<site site="a0"/><geom geom="nope"/><site site="w0"/>'),
}


@pytest.mark.parametrize("what", BAD)
def test_refused_paths_name_their_place(what):
    text = model("\n" + BAD[what], bodies=TREE + '<geom name="box" type="box" size="1 1 1"/>')
    assert not accepted(text)
    with pytest.raises(ModelError) as caught:
        load_string(text)
    issues = [i for i in caught.value.issues if i.severity == "error" and what in str(i)]
    assert issues and issues[0].place.line == text[:text.index(BAD[what])].count("\n") + 1


def test_accepted_edges_agree():
    for inner in ('<pulley divisor="2"/>' + S, '<site site="a0"/><site site="w0"/><site site="a0"/>', '<site site="a0"/><geom geom="ag"/><site site="a0"/>',
                  '<site site="a0"/><geom geom="ag" sidesite=""/><site site="w0"/>'):
        assert off(model(spatial(inner))) == {}, inner
