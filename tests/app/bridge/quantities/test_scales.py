"""Scales and legend: units, figures, factors; and that nothing happens while every switch is off."""
import re

import numpy as np
import pytest

import physics
from app.bridge import VisOptions, build_scene
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import LABELS, QUANTITY_FLAGS, QUANTITY_SCALES, RENDER_FLAGS, VIS_FLAGS
from app.bridge.quantities import layer, marks, scales, tensions
from assets.locate import bundled_model
from physics.engine.inertia.rne_post_constraint import tendon_tensions
from render.scene import shapes
from render.scene.snapshot import Scene
from tests.app.bridge.quantities.moments import drawn, moment

UNITS = {"force": "N", "torque": "N m", "contact torque": "N m", "speed": "m/s", "turning speed": "rad/s", "momentum": "kg m/s", "angular momentum": "kg m²/s",
         "tension": "N", "medium force": "N", "medium torque": "N m", "constraint force": "N"}
PREFIX = {"": 1, "k": 1e3, "m": 1e-3, "µ": 1e-6, "M": 1e6, "G": 1e9, "n": 1e-9}
LENGTH = {"m": 1, "cm": .01, "mm": .001}
HANGING = """<mujoco><worldbody><site name="top" pos="0 0 2"/><body pos="0 0 1"><joint type="slide" axis="0 0 1"/><geom size=".1" mass="4"/>
  <site name="eye" pos="0 0 .1"/></body></worldbody>
  <tendon><spatial stiffness="500" damping="30" springlength="0 .8"><site site="top"/><site site="eye"/></spatial></tendon></mujoco>"""
BALLS = """<mujoco><worldbody>{0}</worldbody></mujoco>"""


def value_in(text: str, unit: str) -> float:
    """The number of '... = 50 mN m' in this unit."""
    number, prefix = re.fullmatch(rf".* = ([0-9.e+-]+) ([kMGmµn]?){re.escape(unit)}", text).groups()
    return float(number) * PREFIX[prefix]


@pytest.mark.parametrize("name", ["humanoid.xml", "pendulum.xml", "heap.xml", "boxes.xml"])
@pytest.mark.parametrize("factor", [1.0, 2.5])
def test_words_of_a_scale_are_its_numbers(name, factor):
    m, options = physics.load(bundled_model(name)), VisOptions()
    for kind, unit in UNITS.items():
        options.factors[kind] = factor
        if kind == "tension":
            scale = scales.shade(m, options, kind)
            assert value_in(scale.text, unit) == pytest.approx(scale.full, rel=1e-2)
        elif kind in scales.TURNING:
            scale = scales.turning(m, options, kind)
            assert scale.text.startswith("90° = ") and value_in(scale.text, unit) * scale.radians == pytest.approx(np.pi / 2, rel=1e-2)
        else:
            scale = scales.straight(m, options, kind)
            length, of = re.match(r"([0-9.]+) (m|cm|mm) = ", scale.text).groups()
            assert value_in(scale.text, unit) * scale.metres == pytest.approx(float(length) * LENGTH[of], rel=1e-2)
    assert set(UNITS) == set(QUANTITY_SCALES)


def test_a_scale_suits_the_model():
    """A body's weight is some sizes of it long, from a millimetre to a hundred metres."""
    for size in (1e-3, .1, 100.0):
        m = physics.load_string(BALLS.format("".join(f'<body pos="{3 * i * size} 0 0"><freejoint/><geom size="{size}" density="1000"/></body>' for i in range(9))))
        weight = float(m.body_mass[1] * 9.81)
        assert .5 * size < scales.straight(m, VisOptions(), "force").metres * weight < 8 * size
    assert scales.nice(0.0) == 1 and scales.nice(3.1) == 2 and scales.nice(3.5) == 5 and scales.nice(7.9e-7) == pytest.approx(1e-6)
    assert [scales.in_words(v, "N") for v in (1500, 20, .05, 3e-6)] == ["1.5 kN", "20 N", "50 mN", "3 µN"]
    assert [scales.in_words(*v) for v in ((.05, "rad/s"), (.5, "m"), (.05, "m"))] == ["0.05 rad/s", "0.5 m", "50 mm"]


def test_nothing_is_drawn_or_worked_out_while_all_switches_are_off(monkeypatch):
    m, _, s = moment(HANGING)
    monkeypatch.setattr(layer, "QuantityCanvas", None)
    scene = build_scene(ModelVisuals(m), s, VisOptions(), Scene())
    assert not scene.legend and not np.isin(scene.geoms.view("objtype"), (shapes.OBJ_JOINT, shapes.OBJ_CONTACT)).any()


GROUPED = """<mujoco><worldbody><site name="top" pos="0 0 2"/><body pos="0 0 1"><joint name="a" type="slide" group="{g}" range="0 1" limited="true"/><geom size=".1"/>
  <site name="eye"/></body><body><joint name="b" group="{g}"/><geom size=".1"/></body></worldbody>
  <tendon><spatial name="t" group="{g}"><site site="top"/><site site="eye"/></spatial></tendon><equality>{eq}</equality></mujoco>"""


def test_legends_say_what_is_hidden_and_where_else_it_is_shown():
    def said(name, **options):
        return [(row.what, row.scale) for row in drawn(m, s, name, **options).legend]

    m, _, s = moment(GROUPED.format(g=4, eq='<joint joint1="a" joint2="b"/>'))
    for name in ("joint_torque", "constraint_force"):
        (what, scale), = said(name)
        assert scale == "the groups of its joints are hidden"
        assert len(said(name, jointgroup=[True] * 6)[0][1].split(" = ")) == 3
    assert said("tendon_tension") == [("Tendon tension", "the groups of its tendons are hidden")]
    assert said("tendon_tension", tendongroup=[True] * 6)[0][0] == "Tendon pulls"
    m, _, s = moment(GROUPED.format(g=0, eq='<tendon tendon1="t"/>').replace('range="0 1" limited="true"', ""))
    assert said("constraint_force") == [("Constraint forces", "those of tendons are shown as their tension")]


def test_every_switch_draws_or_says_why_not_and_none_is_official():
    official = {flag.title for flag in VIS_FLAGS + RENDER_FLAGS} | set(LABELS)
    assert not official & {flag.title for flag in QUANTITY_FLAGS}
    assert {flag.name for flag in QUANTITY_FLAGS} == set(layer.QUANTITIES) | set(layer.TRAILS)
    for xml in ("<mujoco/>", "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>", HANGING):
        m, _, s = moment(xml)
        for flag in QUANTITY_FLAGS:
            assert all(row.what and row.scale for row in drawn(m, s, flag.name).legend)
            assert drawn(m, s, flag.name).legend or flag.name in ("momentum",)


def test_numbers_that_are_none_draw_nothing_and_raise_nothing():
    m, _, s = moment(HANGING)
    for name in ("qpos", "qvel", "cvel", "xipos", "qfrc_actuator", "qfrc_passive", "ten_length", "xanchor", "efc_force"):
        getattr(s, name)[...] = np.nan
    with np.errstate(invalid="ignore"):
        drawn(m, s, *(flag.name for flag in QUANTITY_FLAGS))


def test_a_tendon_that_carries_a_weight_is_as_red_as_that():
    m, _, s = moment(HANGING, 4.0)
    assert tensions.tensions(m, s)[0] == pytest.approx(4 * 9.81, rel=1e-3)
    scene = drawn(m, s, "tendon_tension")
    full = scales.shade(m, VisOptions(), "tension").full
    tubes = np.flatnonzero(scene.geoms.view("objtype") == shapes.OBJ_TENDON)
    np.testing.assert_allclose(scene.geoms.rgba[tubes], marks.mixed(tensions.SLACK, tensions.PULLS, np.full(len(tubes), 4 * 9.81 / full)), atol=1e-3)
    np.testing.assert_allclose(tensions.tension_colours(np.array([-9.0, 0, 9]), 3.0), (tensions.PUSHES, tensions.SLACK, tensions.PULLS))


@pytest.mark.parametrize("held", ['limited="true" range="0 .7"',
                                  'stiffness="200" springlength="0 .2" damping="9"', 'frictionloss="3" stiffness="90"', 'limited="true" range=".95 2"'])
def test_tensions_are_those_of_the_engine(held):
    xml = HANGING.replace('stiffness="500" damping="30" springlength="0 .8"', f'name="t" {held}')
    xml = xml.replace("</mujoco>", '<actuator><motor tendon="t" gear="3"/></actuator></mujoco>')
    m, d, s = moment(xml, ctrl=-2.0, qvel=.7)
    tendon_tensions(m, d)
    assert d.ten_tension[0] != 0
    np.testing.assert_allclose(tensions.tensions(m, s), -d.ten_tension, rtol=1e-9)


def test_arcs_wind_outwards_and_arrows_end_where_the_vector_does():
    scene = Scene()
    marks.arcs(scene.geoms, np.zeros((2, 3)), np.array([[0, 0, 1.0]] * 2), np.array([np.pi / 2, 3 * np.pi]), 1.0, .02, (1, 1, 1, 1), np.array([[1.0, 0, 0]] * 2))
    g = scene.geoms
    heads = np.flatnonzero(g.view("shape") == shapes.ARROW)
    ends = g.pos[heads] + g.size[heads, 2:] * g.mat[heads].reshape(-1, 3, 3)[:, :, 2]
    np.testing.assert_allclose(ends, [(0, 1 + marks.GROWTH / 4, 0), (-1 - 1.5 * marks.GROWTH, 0, 0)], atol=1e-5)
    scene.clear()
    marks.arrows(scene.geoms, np.zeros((3, 3)), np.array([(0, 0, 1.0), (0, .1, 0), (0, 0, 0)]), .02, (1, 0, 0, 1), objid=np.arange(3))
    heads = np.flatnonzero(g.view("shape") == shapes.ARROW)
    ends = g.pos[heads] + g.size[heads, 2:] * g.mat[heads].reshape(-1, 3, 3)[:, :, 2]
    np.testing.assert_allclose(ends, [(0, 0, 1), (0, .1, 0)], atol=1e-6)
    assert g.objid[heads].tolist() == [0, 1]
