"""Random models that run: scenes of all shapes in contact, trees with joints, actuators, sensors, tendons, equality constraints; the same for a seed."""
from __future__ import annotations

import random

from tests.long.generate import model_text
from tests.physics.compiler.random_elements import case
from tests.physics.compiler.random_trees import random_tree
from tests.physics.everything import everything
from tests.physics.model.hostile_models import ASSETS

INTEGRATORS = ("Euler", "RK4", "implicit", "implicitfast", "discrete")
SOLVERS, CONES, JACOBIANS = ("Newton", "CG", "PGS"), ("pyramidal", "elliptic"), ("dense", "sparse", "auto")
DISABLE = ("constraint", "equality", "frictionloss", "limit", "contact", "spring", "damper", "gravity", "clampctrl", "warmstart", "filterparent", "actuation",
           "refsafe", "sensor", "midphase", "eulerdamp", "autoreset", "nativeccd", "island")
ENABLE = ("override", "energy", "fwdinv", "sleep")
_SHAPES = (("sphere", 1), ("capsule", 2), ("ellipsoid", 3), ("cylinder", 2), ("box", 3))
_SECTIONS = ("equality", "contact", "actuator", "sensor")
GRAVCOMP = ' gravcomp="1"'


def composed(seed: int) -> str:
    """The text of one model; one in a few is no valid model."""
    rng = random.Random(f"composed {seed}")
    kind = rng.choices(("scene", "elements", "tree", "everything", "assets", "language"), (40, 20, 12, 12, 12, 4))[0]
    if kind == "scene":
        return scene(rng)
    if kind == "elements":
        return case(rng.choice(_SECTIONS), seed)
    if kind == "tree":
        return random_tree(seed).replace("<worldbody>", '<worldbody><geom type="plane" size="3 3 .1" pos="0 0 -.5"/>')
    if kind == "everything":
        return everything().replace('tolerance="0" ls_tolerance="0" ', "")
    if kind == "assets":
        return ASSETS.replace('pos="0 0 .5"', f'pos="{rng.uniform(-.1, .1):.3f} 0 {rng.uniform(.1, .5):.3f}"')
    return model_text(rng)


def scene(rng: random.Random) -> str:
    """Chains of bodies above a floor or a height field, touching each other."""
    count = rng.choice((0, 1, 2, 3, 5, 8, 20, 60))
    joints: list[str] = []
    sites: list[str] = ["s_world"]
    bodies = [_chain(rng, f"b{k}", joints, sites) for k in range(count)]
    field = '<geom type="hfield" hfield="hill" pos="0 0 -.1"/>' if rng.random() < .2 else ""
    asset = """<asset><hfield name="hill" nrow="4" ncol="5" size="1 1 .2 .1" elevation="0 0 .2 0 1 0 .3 0 0 0 0 .5 0 0 .1 0 0 .4 0 0"/>
      <mesh name="wedge" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2"/><mesh name="nut" builtin="sphere" params="1" scale=".1 .1 .08"/></asset>"""
    return (f"<mujoco>{asset}<worldbody><geom type='plane' size='3 3 .1'/>{field}<site name='s_world' pos='.2 .1 .5'/>{''.join(bodies)}</worldbody>"
            f"{_couplings(rng, joints, sites, count)}</mujoco>")


def _chain(rng: random.Random, name: str, joints: list[str], sites: list[str]) -> str:
    depth = rng.choice((1, 1, 2, 3, 6))
    text = ""
    for k in range(depth):
        free = k == 0 and rng.random() < .6
        place = f"{rng.uniform(-.6, .6):.3f} {rng.uniform(-.6, .6):.3f} {rng.uniform(.0, .8):.3f}" if k == 0 else f"0 0 {rng.uniform(.05, .2):.3f}"
        text += f'<body name="{name}_{k}" pos="{place}"{GRAVCOMP if rng.random() < .1 else ""}>'
        text += "<freejoint/>" if free else "".join(_joint(rng, f"{name}_{k}_{j}", joints) for j in range(rng.choice((0, 1, 1, 2))))
        text += "".join(_geom(rng) for _ in range(rng.choice((1, 1, 2)))) + f'<site name="{name}_{k}" pos="0 .02 .03"/>'
        sites.append(f"{name}_{k}")
    return text + "</body>" * depth


def _joint(rng: random.Random, name: str, joints: list[str]) -> str:
    kind = rng.choice(("hinge", "hinge", "slide", "ball")) if name.endswith("_0") else "slide"   # no rotation may follow a ball
    if kind != "ball":
        joints.append(name)
    limits = f'range="{-rng.uniform(0, 40):.2f} {rng.uniform(1, 40):.2f}"' if kind == "hinge" else 'range="-.1 .1"' if kind == "slide" else 'range="0 30"'
    more = rng.choice(("", 'frictionloss=".1"', 'damping=".1" armature=".01"', 'stiffness="3"'))
    return f'<joint name="{name}" type="{kind}" axis="{rng.randint(0, 1)} 1 {rng.randint(0, 1)}" {limits if rng.random() < .5 else ""} {more}/>'


def _geom(rng: random.Random) -> str:
    look = f'condim="{rng.choice((1, 3, 3, 4, 6))}" {rng.choice(("", "", "margin=%s.02%s" % (chr(34), chr(34))))} pos="{rng.uniform(-.03, .03):.3f} 0 0"'
    if rng.random() < .2:
        return f'<geom type="mesh" mesh="{rng.choice(("wedge", "nut"))}" {look}/>'
    kind, n = rng.choice(_SHAPES)
    return f'<geom type="{kind}" size="{" ".join(f"{rng.uniform(.02, .12):.3f}" for _ in range(n))}" {look}/>'


def _couplings(rng: random.Random, joints: list[str], sites: list[str], count: int) -> str:
    text = ""
    if len(joints) > 1 and rng.random() < .5:
        one, two = rng.sample(joints, 2)
        text += f'<equality><joint joint1="{one}" joint2="{two}"/></equality>'
    if count > 1 and rng.random() < .4:
        text += f'<equality><{rng.choice(("connect", "weld"))} body1="b0_0" body2="b1_0" {"anchor=%s0 0 .1%s" % (chr(34), chr(34))}/></equality>'
    tendons = ""
    if len(sites) > 1 and rng.random() < .6:
        path = rng.sample(sites, rng.randint(2, min(5, len(sites))))
        tendons += f'<spatial name="rope" {rng.choice(("", "frictionloss=%s.2%s", "range=%s0 .3%s limited=%strue%s", "stiffness=%s5%s")).replace("%s", chr(34))}>' + \
            "".join(f'<site site="{s}"/>' for s in path) + "</spatial>"
    if joints and rng.random() < .4:
        tendons += '<fixed name="sum">' + "".join(f'<joint joint="{j}" coef="{k + 1}"/>' for k, j in enumerate(rng.sample(joints, min(3, len(joints))))) + "</fixed>"
    text += f"<tendon>{tendons}</tendon>"
    motors = "".join(f'<{rng.choice(("motor", "velocity", "position", "intvelocity"))} joint="{j}"/>' for j in joints[:3] if rng.random() < .5)
    motors = motors.replace("<intvelocity", '<intvelocity actrange="-1 1"')
    sensors = "".join(f'<{rng.choice(("touch", "accelerometer", "gyro", "force", "rangefinder", "velocimeter"))} site="{s}"/>' for s in sites[:4] if rng.random() < .6)
    return text + f"<actuator>{motors}</actuator><sensor>{sensors}</sensor>"


def options(rng: random.Random) -> str:
    """Attributes of a random <option> and the <flag> in it."""
    flags = " ".join(f'{name}="disable"' for name in DISABLE if rng.random() < .06) + " " + " ".join(f'{name}="enable"' for name in ENABLE if rng.random() < .15)
    return (f'<option integrator="{rng.choice(INTEGRATORS)}" solver="{rng.choice(SOLVERS)}" cone="{rng.choice(CONES)}" jacobian="{rng.choice(JACOBIANS)}" '
            f'{rng.choice(("", "noslip_iterations=%s3%s" % (chr(34), chr(34)), "density=%s3%s viscosity=%s.1%s" % ((chr(34),) * 4)))}><flag {flags}/></option>')
