"""Constants of the initial pose: lengths and moments of all transmissions, inverse weights, damping from ratios."""
import mujoco
import numpy as np
import pytest

from physics import load_string
from tests.oracle.compiled import compare_compiled
from tests.physics.compiler.test_spatial_tendons import TREE


def off(text):
    return compare_compiled(load_string(text), mujoco.MjModel.from_xml_string(text))[1]


def gear(rng, n=6):
    return " ".join(f"{x:.3f}" for x in rng.uniform(-2, 2, n))


def site_actuators(rng):
    """Slider-cranks and sites with and without a reference, on every pair of branches."""
    found = []
    for one, two in (("c0", "w0"), ("c0", "e0"), ("b0", "c0"), ("f0", "c0"), ("w1", "b0"), ("a0", "b0"), ("f0", "f1"), ("w0", "w1")):
        found.append(f'<general cranksite="{one}" slidersite="{two}" cranklength="{rng.uniform(0.05, 2.5):.3f}" gear="{gear(rng, 1)}"/>')
        found.append(f'<general site="{one}" refsite="{two}" gear="{gear(rng)}"/><general site="{one}" refsite="{two}" gear="{gear(rng, 3)} 0 0 0"/>')
        found.append(f'<position site="{one}" refsite="{two}" gear="0 0 0 {gear(rng, 3)}" kp="3" dampratio="1"/><general site="{two}" gear="{gear(rng)}"/>')
    return "".join(found)


@pytest.mark.parametrize("seed", range(3))
def test_lengths_and_moments_of_all_transmissions(seed):
    rng = np.random.default_rng(seed)
    joints = "".join(f'<general {by}="{j}" gear="{gear(rng)}"/><position {by}="{j}" gear="{gear(rng)}" kp="7" dampratio=".6"/>'
                     for j in "abcef" for by in ("joint", "jointinparent"))
    bodies = "".join(f'<adhesion body="{b}" gain="2" ctrlrange="0 1"/>' for b in "acf")
    text = f"""<mujoco><worldbody>{TREE}</worldbody><tendon><fixed name="t"><joint joint="c" coef="2"/><joint joint="a" coef="-1"/></fixed></tendon>
      <actuator>{joints}{bodies}{site_actuators(rng)}<position tendon="t" gear="3" kp="2" dampratio="1.5"/></actuator></mujoco>"""
    assert off(text) == {}


@pytest.mark.parametrize("armature", [0.01, 0.3])
def test_armature_within_branches_of_a_tree(armature):
    """What couples two branches has no place in M; with much of it the official factor raises a pivot, and so must ours."""
    text = f"""<mujoco><worldbody>{TREE}</worldbody><tendon><fixed name="t" armature="{armature}"><joint joint="c" coef="2"/><joint joint="a" coef="-1"/>
      <joint joint="e" coef="1"/><joint joint="g0" coef="1"/></fixed></tendon>
      <actuator><motor tendon="t" gear="2" armature=".01"/><motor joint="c" armature="2"/></actuator></mujoco>"""
    assert off(text) == {}
