"""Each rule tells of a model that needs it, says nothing of one that nearly does, and its fixes mend what they say."""
import numpy as np
import pytest

import physics
from physics.lint.finding import SEVERITIES
from physics.lint.lint import lint_model
from physics.lint.table import RULES
from tests.physics.lint.linting import MAIN, linted, mended, the, version_of

FLOOR = '<geom name="floor" type="plane" size="5 5 .1"/>'
BALL = '<body name="ball" pos="0 0 {}"><freejoint/><geom name="ball" size=".1" {}/></body>'


def model(world: str, rest: str = "", head: str = "") -> str:
    return f"<mujoco>{head}<worldbody>{world}</worldbody>{rest}</mujoco>"


def rules_of(text) -> set[str]:
    return {f.rule for f in linted(text)}


def test_a_healthy_model_has_no_findings():
    text = model(f"""{FLOOR}<body name="box" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
      <body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0" damping="1" range="-90 90"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body>""",
                 '<actuator><position name="servo" joint="hinge" kp="50" kv="5" ctrlrange="-1 1" forcerange="-40 40"/></actuator>')
    assert linted(text) == ()


def test_every_rule_has_a_meaning_and_a_title_of_its_own():
    assert len({r.id for r in RULES}) == len({r.title for r in RULES}) == len(RULES)
    assert all(r.meaning.endswith(".") and len(r.meaning) > 60 for r in RULES)


def test_findings_name_their_element_in_text_and_model():
    text = model(FLOOR + BALL.format("0.05", ""))
    version = version_of(text)
    found = the(version, "initial_penetration")
    assert version.element(found.element).name == "ball" and found.place.line == 1 and found.path.endswith("geom[ball]")
    assert [(item.kind, item.name) for item in found.items] == [("geom", "ball"), ("geom", "floor")]
    assert found.severity in SEVERITIES and str(found).startswith(f"{MAIN}:1:")


# ------------------------------------------------------------------ inertia

INERTIAL = '<body><inertial pos="0 0 0" mass="1" diaginertia="{}"/><joint axis="0 1 0"/><geom size=".1" contype="0" conaffinity="0"/></body>'


def test_moments_that_no_body_has_are_told_where_they_are_balanced():
    text = model(INERTIAL.format("1 1 3"), head='<compiler balanceinertia="true"/>')
    assert "1 + 1 is less than 3" in the(text, "inertia_triangle").text
    assert 'diaginertia="1.66666667 1.66666667 1.66666667"' in mended(text, "inertia_triangle")[MAIN]
    assert linted(model(INERTIAL.format("1 1 2"), head='<compiler balanceinertia="true"/>'), "inertia_triangle") == ()


def test_full_inertias_are_looked_at_by_their_principal_moments():
    body = INERTIAL.format("1 1 1").replace('diaginertia="1 1 1"', 'fullinertia="1 1 3 0 0 0"')
    text = model(body, head='<compiler balanceinertia="true"/>')
    assert "fullinertia" not in mended(text, "inertia_triangle")[MAIN]


@pytest.mark.parametrize(("mass", "armature", "told"), [("1e-9", "0", True), ("1e-3", "0", False), ("1e-9", "1e-4", False)])
def test_joints_that_move_next_to_nothing(mass, armature, told):
    text = model(f'<body name="dust"><joint name="slide" type="slide" axis="1 0 0" armature="{armature}"/><inertial pos="0 0 0" mass="{mass}" diaginertia="1 1 1"/></body>')
    assert ("massless_mover" in rules_of(text)) == told
    if told:
        assert "1e-09 kg" in the(text, "massless_mover").text


@pytest.mark.parametrize(("heavy", "severity"), [("5000", "warning"), ("500", "note"), ("50", None)])
def test_a_heavy_body_on_a_light_one(heavy, severity):
    def pile(low: str, high: str) -> str:
        return model(f"""{FLOOR}<body name="low" pos="0 0 .0999"><freejoint/><geom type="box" size=".1 .1 .1" mass="{low}"/></body>
          <body name="high" pos="0 0 .2998"><freejoint/><geom type="box" size=".1 .1 .1" mass="{high}"/></body>""")

    found = linted(pile("1", heavy), "mass_ratio")
    assert [f.severity for f in found] == ([severity] if severity else [])
    assert not found or "Body 'high'" in found[0].text
    assert linted(pile(heavy, "1"), "mass_ratio") == ()     # a light one on a heavy one does no harm


def test_a_light_link_between_joints_of_the_same_axis():
    def arm(axis: str) -> str:
        return model(f"""<body name="light"><joint axis="0 1 0"/><geom size=".01" mass=".001" contype="0" conaffinity="0"/>
          <body name="heavy"><joint axis="{axis}"/><geom type="box" size=".1 .1 .1" pos=".2 0 0" mass="5" contype="0" conaffinity="0"/></body></body>""")

    assert "5000 times as much" in the(arm("0 1 0"), "mass_ratio").text
    assert linted(arm("0 0 1"), "mass_ratio") == ()     # a universal joint


# ------------------------------------------------------------------ touching

def test_a_ball_in_the_floor_is_moved_out():
    text = model(FLOOR + BALL.format("0.05", ""))
    found = the(text, "initial_penetration")
    assert "50 mm inside each other at qpos0" in found.text and found.severity == "warning"
    assert 'pos="0 0 0.10001"' in mended(text, "initial_penetration")[MAIN]
    assert linted(model(FLOOR + BALL.format("0.0965", "")), "initial_penetration") == ()     # 3.5 mm, less than 5 % of its size


def test_the_start_of_a_model_with_keyframes_is_a_note():
    text = model(FLOOR + BALL.format("0.05", ""), '<keyframe><key name="up" qpos="0 0 1 1 0 0 0"/></keyframe>')
    assert the(text, "initial_penetration").severity == "note"
    low = model(FLOOR + BALL.format("1", ""), '<keyframe><key name="down" qpos="0 0 .02 1 0 0 0"/></keyframe>')
    assert "in keyframe 'down'" in the(low, "initial_penetration").text


CHAIN = """<body name="a" pos="0 0 1"><joint axis="0 1 0" range="-60 60"/><geom type="box" size=".1 .05 .05"/><body name="b" pos="{} 0 0"><joint axis="0 0 1"/>
  <geom size=".01" contype="0" conaffinity="0"/><body name="c"><joint axis="0 1 0" range="-30 30"/><geom type="box" size=".1 .05 .05" pos=".1 0 0"/></body></body></body>"""


def test_links_that_always_overlap_are_excluded():
    text = model(CHAIN.format("0.05"))
    found = the(text, "always_touches")
    assert "body 'a' and body 'c'" in found.text and "initial_penetration" not in rules_of(text)
    assert '<exclude body1="a" body2="c"/>' in mended(text, "always_touches")[MAIN]
    assert rules_of(model(CHAIN.format("0.3"))) == set()
    fitted = mended(model(CHAIN.format("0.05"), "<contact><exclude body1='world' body2='a'/></contact>"), "always_touches")[MAIN]
    assert fitted.count("<contact>") == 1


def test_overlaps_of_one_pose_are_no_overlaps_of_all():
    text = model(CHAIN.format("0.19").replace('range="-30 30"', 'range="-170 170"'))
    assert "always_touches" not in rules_of(text)


def test_bits_that_match_nothing():
    text = model(FLOOR + BALL.format("1", 'contype="2" conaffinity="4"'))
    assert "no other geom has a bit that matches" in the(text, "never_touches").text
    after = mended(text, "never_touches")[MAIN]
    assert 'contype="0" conaffinity="0"' in after
    assert rules_of(model(FLOOR + BALL.format("1", 'contype="1" conaffinity="2"'))) == set()
    assert rules_of(model(BALL.format("1", ""))) == rules_of(model(BALL.format("1", 'contype="1" conaffinity="1"'))) == set()       # nobody has chosen its bits
    pair = "<contact><pair geom1='floor' geom2='ball'/></contact>"
    assert "never_touches" not in rules_of(model(FLOOR + BALL.format("1", 'contype="2" conaffinity="4"'), pair))


def test_bits_that_match_only_what_is_excluded():
    text = model(FLOOR + BALL.format("1", 'contype="3"'), "<contact><exclude body1='world' body2='ball'/></contact>")
    assert "excludes" in the(text, "never_touches").text


# ------------------------------------------------------------------ units, ranges

def hinges(*ranges: str, head: str = "") -> str:
    bodies = "".join(f'<body name="b{k}" pos="{k} 0 1"><joint name="j{k}" axis="0 1 0" range="{r}"/><geom size=".1" mass="1"/></body>' for k, r in enumerate(ranges))
    return model(bodies, head=head)


def test_radians_read_as_degrees():
    text = hinges("-1.57 1.57", "-3.14 3.14", "0 2.1")
    assert "3 hinges of the 3" in the(text, "unit_slip").text and "degrees at most" in the(text, "unit_slip").text
    assert '<compiler angle="radian"/>' in mended(text, "unit_slip")[MAIN]
    written = mended(hinges("-1.57 1.57", "-3.14 3.14", head='<compiler autolimits="true"/>'), "unit_slip")[MAIN]
    assert '<compiler autolimits="true" angle="radian"/>' in written
    assert linted(hinges("-5 5", "-90 90", "0 45")) == () and linted(hinges("-1.57 1.57", "-3.14 3.14", head='<compiler angle="radian"/>')) == ()
    assert linted(hinges("-3 3"), "unit_slip") == () and linted(hinges("-.1 .1", "-.05 .1"), "unit_slip") == ()
    assert len(linted(hinges("-1.5708 1.5708"), "unit_slip")) == 1


def test_other_angles_in_degrees_forbid_the_fix():
    text = hinges("-1.57 1.57", "-3.14 3.14").replace('pos="0 0 1"', 'pos="0 0 1" euler="0 90 0"')
    assert the(text, "unit_slip").fixes == ()


@pytest.mark.parametrize("other", ('<joint axis="1 0 0" range="-90 90"/>', '<joint type="ball" range="0 90"/>',
                                   '<joint axis="1 0 0" class="wide"/>', '<joint axis="1 0 0" springref="30"/>'))
def test_ranges_in_degrees_forbid_the_fix_to_radians(other):
    """The unit is that of the whole file."""
    text = hinges("-1.57 1.57", "-3.14 3.14", "-2.5 2.5").replace("</worldbody>", f'<body pos="9 0 0">{other}<geom size=".1"/></body></worldbody>')
    text = text.replace("<worldbody>", '<default><default class="wide"><joint range="-120 120"/></default></default><worldbody>', 1)
    if "wide" not in other:
        text = text.replace("-120 120", "-1.2 1.2")
    assert the(text, "unit_slip").fixes == ()


def test_lengths_of_slides_are_no_angles():
    slide = '<body pos="9 0 0"><joint type="slide" range="-20 20" ref="10"/><geom size=".1"/></body></worldbody>'
    assert the(hinges("-1.57 1.57", "-3.14 3.14").replace("</worldbody>", slide), "unit_slip").fixes


@pytest.mark.parametrize("other, offered", (('euler="0 1.5708 0"', False), ('axisangle="0 0 1 3.14"', False), ('euler="0 90 0"', True), ('euler="0 0 0"', True)))
def test_angles_in_radians_forbid_the_fix_to_degrees(other, offered):
    text = hinges("-90 90", "-45 120", head='<compiler angle="radian"/>').replace('pos="0 0 1"', f'pos="0 0 1" {other}')
    assert bool(the(text, "unit_slip").fixes) == offered


def test_ranges_in_radians_forbid_the_fix_to_degrees():
    assert the(hinges("-90 90", "-45 120", "-1.57 1.57", head='<compiler angle="radian"/>'), "unit_slip").fixes == ()


def test_degrees_read_as_radians():
    head = '<compiler angle="radian"/>'
    text = hinges("-90 90", "-45 120", head=head)
    assert "turns" in the(text, "unit_slip").text and 'angle="degree"' in mended(text, "unit_slip")[MAIN]
    assert linted(hinges("-7 7", "-3 3", head=head), "unit_slip") == ()


def test_ranges_that_are_switched_off():
    text = hinges("-90 90").replace('range="-90 90"', 'range="-90 90" limited="false"')
    assert "as limited is false" in the(text, "limits_unused").text
    assert "range" not in mended(text, "limits_unused")[MAIN]
    assert 'limited="true"' in mended(text, "limits_unused", which=1)[MAIN]
    off = model('<body><joint name="j" axis="0 1 0"/><geom size=".1" contype="0" conaffinity="0"/></body>',
                '<actuator><motor name="m" joint="j" ctrlrange="-1 1" ctrllimited="false"/></actuator>')
    assert the(off, "limits_unused").part == "ctrlrange"


SERVO = ('<body pos="0 0 1"><joint name="j" axis="0 0 1" range="-90 90"/><geom size=".1" mass="1"/></body>', '<actuator><position name="p" joint="j" kp="10" {}/></actuator>')


def test_servos_without_targets_and_with_too_many():
    world, actuator = SERVO
    text = model(world, actuator.format(""))
    assert 'inheritrange="1"' in mended(text, "servo_range")[MAIN]
    wide = model(world, actuator.format('ctrlrange="-3 1.5"'))
    assert "by 45 %" in the(wide, "servo_range").text and 'ctrlrange="-1.5708 1.5"' in mended(wide, "servo_range")[MAIN]
    assert linted(model(world, actuator.format('ctrlrange="-1.6 1.6"'))) == ()
    motor = model(world, '<actuator><motor name="p" joint="j"/></actuator>')
    assert linted(motor) == ()


@pytest.mark.parametrize(("force", "severity"), [("8", "warning"), ("10.5", "note"), ("12", None)])
def test_actuators_that_cannot_hold_a_pose(force, severity):
    text = model('<body pos="0 0 1"><joint name="j" axis="0 1 0"/><geom size=".1" mass="1" pos="1 0 0"/></body>',
                 f'<actuator><motor name="m" joint="j" forcerange="-{force} {force}"/></actuator>')
    found = linted(text, "saturated_at_rest")      # 9.81 N m are needed
    assert [f.severity for f in found] == ([severity] if severity else [])
    assert not found or "-9.81" in found[0].text and "at qpos0" in found[0].text


def test_the_control_of_a_motor_limits_its_force():
    text = model('<body pos="0 0 1"><joint name="j" axis="0 1 0"/><geom size=".1" mass="1" pos="1 0 0"/></body>',
                 '<actuator><motor name="m" joint="j" gear="5" ctrlrange="-1 1"/></actuator>')
    assert "ctrlrange times its gain" in the(text, "saturated_at_rest").text
    assert linted(text.replace('gear="5"', 'gear="15"')) == ()


# ------------------------------------------------------------------ stiffness

def test_time_constants_that_refsafe_raises():
    text = model(FLOOR.replace("/>", ' solref="0.002 1"/>') + BALL.format("1", 'solref=".002 1"'))
    found = linted(text, "too_stiff")
    assert found and found[0].severity == "note" and "refsafe makes it 4 ms" in found[0].text
    after = mended(text, "too_stiff", every=True)[MAIN]
    assert after.count('solref="0.004 1"') == 2
    assert linted(text.replace("<worldbody>", '<option timestep=".001"/><worldbody>'), "too_stiff") == ()


def test_the_direct_format_is_told_by_how_far_the_step_resolves_it():
    def ball(stiffness: float, damping: float) -> str:
        return model(FLOOR + BALL.format("1", f'priority="1" solref="-{stiffness} -{damping}" solimp=".9 .9"'))

    h = 0.002
    severities = {}
    for step, zeta in ((0.2, 0.1), (0.5, 0.05), (0.9, 0.05), (1.0, 0.7), (1.1, 1.5)):
        w = step / h
        found = linted(ball(w * w, 2 * zeta * w), "too_stiff")
        severities[step] = [f.severity for f in found]
        for finding in found:
            assert f"w h = {step:.3g}" in finding.text and finding.fixes
    assert severities == {0.2: [], 0.5: [], 0.9: ["note"], 1.0: ["warning"], 1.1: ["error"]}
    w = 1.0 / h
    mended(ball(w * w, 3 * w), "too_stiff")


def test_limits_equalities_and_classes_are_told_where_they_are_written():
    body = '<body pos="{} 0 0"><joint name="{}" axis="0 1 0" range="-10 10"/><geom size=".1"/></body>'
    text = model(body.format(0, "a") + body.format(1, "b"),
                 '<equality><joint joint1="a" joint2="b" solref=".001 1"/></equality>', '<default><joint solreflimit=".001 1"/></default>')
    found = {f.path: f for f in linted(text, "too_stiff")}
    assert set(found) == {"mujoco/default/joint", "mujoco/equality/joint"}
    assert len(found["mujoco/default/joint"].items) == 2 and "1 other joint" in found["mujoco/default/joint"].text
    assert mended(text, "too_stiff", every=True)[MAIN].count('"0.004 1"') == 2


def test_springs_and_servos_that_are_faster_than_the_timestep():
    def spring(stiffness: str, option: str = "") -> str:
        return model(f'<body><joint name="j" type="slide" axis="1 0 0" stiffness="{stiffness}"/><geom size=".1" mass="1"/></body>', head=option)

    assert linted(spring("50000")) == ()                       # w h = 0.45
    assert the(spring("90000"), "stiff_spring").severity == "note"
    assert the(spring("900000"), "stiff_spring").severity == "warning"
    assert linted(spring("900000", '<option integrator="discrete"/>'), "stiff_spring") == ()
    servo = spring("0").replace("</worldbody>", '</worldbody><actuator><position name="p" joint="j" kp="90000" ctrlrange="-1 1"/></actuator>')
    assert "position gain" in the(servo, "stiff_spring").text


# ------------------------------------------------------------------ contact settings

def test_friction_decides_how_deep_contacts_lie_in_pyramidal_cones():
    def world(friction: str, option: str = "") -> str:
        return model(FLOOR.replace("/>", ' friction="0.2"/>') + BALL.format("1", f'friction="{friction}"')
                     + '<body pos="1 0 1"><freejoint/><geom name="slippery" size=".1" friction=".2"/></body>', head=option)

    found = the(world("2"), "friction_as_stiffness")
    assert {"floor", "ball", "slippery"} == {item.name for item in found.items} and "mm" in found.text
    assert linted(world("0.5"), "friction_as_stiffness") == () and linted(world("2", '<option cone="elliptic"/>'), "friction_as_stiffness") == ()


def test_the_depths_that_are_told_are_the_engines():
    """A ball at rest is as deep as the finding says; 0.9 of the gravity's acceleration is what (1 - d) a0 leaves at constant impedance."""
    text = model(FLOOR.replace("/>", ' friction="0.2" solimp=".9 .9"/>') + BALL.format("0.099", 'friction="2" solimp=".9 .9"')
                 + '<body pos="1 0 .0999"><freejoint/><geom name="slippery" size=".1" friction=".2" solimp=".9 .9"/></body>')
    found = the(text, "friction_as_stiffness")
    m = physics.load_string(text)
    d = physics.Data(m)
    physics.step(m, d, 2000)
    deep = dict(zip(m.names["geom"], [0.0, *(0.1 - d.geom_xpos[1:, 2])]))
    for name, friction in (("ball", 2.0), ("slippery", 0.2)):
        s = 2 / (friction ** 2 * (1 + friction ** 2))
        assert deep[name] == pytest.approx((1 - 0.9) * 9.81 * (0.9 * 0.02) ** 2 / (s * 0.9 ** 2), rel=0.02)
        assert f"{1000 * deep[name]:.2g}"[:3] in found.text.replace(" um", "") or deep[name] < 1e-4


def test_formats_that_cannot_be_mixed():
    text = model(FLOOR + BALL.format("1", 'solref="-10000 -50"'))
    assert "geom 'floor'" in the(text, "mixed_formats").text
    assert linted(model(FLOOR + BALL.format("1", 'solref="-10000 -50" priority="1"')), "mixed_formats") == ()


def test_settings_below_a_priority():
    text = model(FLOOR.replace("/>", ' priority="1"/>') + BALL.format("1", 'friction=".3" solref=".01 1"'))
    assert "friction and solref of geom 'ball' never count" in the(text, "dead_settings").text
    after = mended(text, "dead_settings")[MAIN]
    assert "friction" not in after and "solref" not in after
    assert linted(model(FLOOR.replace("/>", ' priority="1"/>') + BALL.format("1", 'friction=".3" priority="1"')), "dead_settings") == ()


def test_settings_of_geoms_that_only_pairs_let_touch():
    text = model(FLOOR + BALL.format("1", 'contype="0" conaffinity="0" friction=".3" condim="4"'), '<contact><pair geom1="floor" geom2="ball" friction="1 1"/></contact>')
    assert the(text, "dead_settings").text.startswith("friction of geom 'ball' never count")      # condim does: the pair gives none
    mended(text, "dead_settings")


def test_a_width_without_a_slope_and_a_dampratio_of_friction():
    text = model(FLOOR + BALL.format("1", 'solimp=".95 .95 .01"'))
    assert 'solimp=".95 .95"' in mended(text, "dead_settings")[MAIN]
    assert linted(model(FLOOR + BALL.format("1", 'solimp=".9 .95 .01"')), "dead_settings") == ()
    assert linted(model(FLOOR + BALL.format("1", 'solimp=".95 .95 .001"')), "dead_settings") == ()
    dry = model('<body><joint axis="0 1 0" frictionloss="1" solreffriction=".02 .5"/><geom size=".1"/></body>')
    assert 'solreffriction=".02 1"' in mended(dry, "dead_settings")[MAIN]


# ------------------------------------------------------------------ assets, classes

def test_what_nothing_names():
    head = """<asset><texture name="t" type="2d" builtin="flat" width="4" height="4"/><material name="m" texture="t"/><material name="used"/>
      <texture type="skybox" builtin="flat" width="4" height="24"/></asset>
      <default><default class="there"><geom rgba="1 0 0 1"/></default>
      <default class="gone"><geom rgba="0 1 0 1"/><default class="inner"><geom size="1"/></default></default></default>"""
    text = model(FLOOR.replace("/>", ' material="used" class="there"/>'), head=head)
    found = {f.path.rpartition("/")[2]: f for f in linted(text, "unused")}
    assert set(found) == {"texture[t]", "material[m]", "default[gone]"} and "which nothing names either" in found["texture[t]"].text
    after = mended(text, "unused", every=True)[MAIN]
    assert "skybox" in after and 'class="there"' in after and "gone" not in after and '"t"' not in after


TETRAHEDRON = "0 0 0  1 0 0  0 2 0  0 0 3"
FACES = 'face="0 2 1  0 1 3  0 3 2  1 2 3"'


def test_meshes_that_are_there_twice():
    def meshes(second: str) -> str:
        head = f'<asset><mesh name="one" vertex="{TETRAHEDRON}" {FACES}/><mesh name="two" vertex="{second}" {FACES}/></asset>'
        return model('<body pos="0 0 5"><freejoint/><geom type="mesh" mesh="one"/></body><body pos="9 0 5"><freejoint/><geom type="mesh" mesh="two"/></body>', head=head)

    after = mended(meshes(TETRAHEDRON), "twin_meshes")[MAIN]
    assert after.count('mesh="one"') == 2 and 'name="two"' not in after
    turned = "0 0 0  0 1 0  -2 0 0  0 0 3"
    found = the(meshes(turned), "twin_meshes")
    assert "moved and turned" in found.text and not found.fixes
    assert linted(meshes("0 0 0  -1 0 0  0 2 0  0 0 3").replace(FACES, ""), "twin_meshes") == ()      # mirrored
    assert linted(meshes("0 0 0  1 0 0  0 2 0  0 0 3.001"), "twin_meshes") == ()


def test_classes_that_say_the_same():
    head = '<default><default class="a"><geom rgba="1 0 0 1"/></default><default class="b"><geom rgba="1 0 0 1"/></default></default>'
    text = model(FLOOR.replace("/>", ' class="a"/>') + BALL.format("1", 'class="b"'), head=head)
    after = mended(text, "twin_classes")[MAIN]
    assert after.count('class="a"') == 3 and '"b"' not in after
    assert linted(text.replace('class="b"><geom rgba="1', 'class="b"><geom rgba=".9'), "twin_classes") == ()


# ------------------------------------------------------------------ keyframes, names

KEYS = ('<body name="free" pos="0 0 1"><freejoint/><geom size=".1"/></body><body pos="1 0 1"><joint name="j" axis="0 1 0" range="-90 90"/><geom size=".1"/></body>',
        '<actuator><motor name="m" joint="j" ctrlrange="-1 1"/></actuator><keyframe><key name="k" qpos="{}" ctrl="{}"/></keyframe>')


def keyed(qpos: str, ctrl: str = "0") -> str:
    world, rest = KEYS
    return model(world, rest.format(qpos, ctrl))


def test_keyframes_beyond_limits():
    assert linted(keyed("0 0 1 1 0 0 0 1.5708", "1")) == ()
    far = keyed("0 0 1 1 0 0 0 2.5", "3")
    assert {f.part for f in linted(far, "keyframe")} == {"qpos", "ctrl"}
    after = mended(far, "keyframe", every=True)[MAIN]
    assert 'qpos="0 0 1 1 0 0 0 1.57079633" ctrl="1"' in after


def test_rotations_that_are_none():
    text = keyed("0 0 1 0.7 0 0.9 0 0")
    assert "length 1.14" in the(text, "keyframe").text
    after = mended(text, "keyframe")[MAIN]
    words = np.array(after.partition('qpos="')[2].partition('"')[0].split(), float)
    assert np.linalg.norm(words[3:7]) == pytest.approx(1, abs=1e-8) and words[:3].tolist() == [0, 0, 1]
    assert linted(keyed("0 0 1 .7071 0 .7071 0 0"), "keyframe") == ()


def test_rotation_and_position_of_one_key_are_mended_together():
    after = mended(keyed("0 0 1 0.7 0 0.9 0 2.5"), "keyframe", every=True)[MAIN]
    words = np.array(after.partition('qpos="')[2].partition('"')[0].split(), float)
    assert np.linalg.norm(words[3:7]) == pytest.approx(1, abs=1e-8) and words[7] == 1.57079633


def test_actuators_and_sensors_get_names():
    text = model('<body pos="0 0 1"><joint name="j" axis="0 1 0"/><geom size=".1"/></body>',
                 '<actuator><motor joint="j"/><motor name="j_2" joint="j"/><velocity joint="j"/></actuator><sensor><jointpos joint="j"/></sensor>')
    found = {f.part: f for f in linted(text, "names")}
    assert found["actuator"].text == "2 actuators of 3 have no name." and found["sensor"].text == "1 sensor of 1 has no name."
    after = mended(text, "names", every=True)[MAIN]
    m = physics.load_string(after)
    assert m.names["actuator"] == ("j", "j_2", "j_3") and m.names["sensor"] == ("j_jointpos",)


def test_names_that_differ_in_case_only():
    text = model('<geom name="Foot" size=".1"/><geom name="foot" size=".1" pos="1 0 0"/><site name="FOOT"/>')
    assert "'foot' and geom 'Foot' differ in case only" in the(text, "names").text


# ------------------------------------------------------------------ where things are

def test_copies_are_one_finding_at_their_pattern():
    text = model(FLOOR + '<replicate count="5" offset="1 0 0"><body pos="0 0 .05"><freejoint/><geom size=".1"/></body></replicate>')
    version = version_of(text)
    found = the(version, "initial_penetration")
    assert version.element(found.element).tag == "geom" and len(found.items) == 6 and found.fixes == ()    # the pattern's pos would move all, relative to the frame


def test_findings_in_attached_models_name_their_file_and_have_no_fixes():
    child = '<mujoco model="c"><worldbody><body name="ball" pos="0 0 .05"><freejoint/><geom name="g" size=".1" solimp=".95 .95 .01"/></body></worldbody></mujoco>'
    main = f'<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody>{FLOOR}<attach model="c" prefix="c_"/></worldbody></mujoco>'
    found = linted({MAIN: main, "c.xml": child})
    assert {f.rule for f in found} == {"initial_penetration", "dead_settings"}
    assert all(f.element == 0 and not f.fixes and f.place.file.endswith("c.xml") and f.items for f in found), found


def test_urdf_has_findings_and_no_fixes(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text("""<robot name="arm"><link name="base"/><link name="rod"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="j" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/><limit lower="-40" upper="40" effort="1" velocity="1"/></joint></robot>""")
    physics.ensure_kernels()
    assert all(not f.fixes for f in lint_model(physics.load(path)))


def test_models_that_can_only_be_viewed_are_looked_at_as_far_as_their_text_goes():
    text = model(FLOOR + BALL.format("0.05", "") + "<body><joint type='ball' range='0 10' limited='false'/><geom size='.1'/></body>")
    version = version_of(text)
    m = physics.compile_root(version.read)
    from physics.lint.lint import lint

    assert {f.rule for f in lint(version.read, m, dynamics=False)} == {"limits_unused"}
    assert lint(version.read, m, stop=lambda: True) == ()


def test_a_loaded_model_is_looked_at_by_its_file(tmp_path):
    path = tmp_path / "ball.xml"
    path.write_text(model(FLOOR + BALL.format("0.05", "")))
    physics.ensure_kernels()
    assert [f.rule for f in lint_model(physics.load(path))] == ["initial_penetration"]
    m = physics.load(path)
    m.source = []
    with pytest.raises(ValueError, match="look at a text"):
        lint_model(m)
