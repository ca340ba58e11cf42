"""Friction cones and contact torques of boxes and balls whose forces are known."""
import numpy as np
import pytest

from app.bridge.options import VisOptions
from app.bridge.quantities import cones, scales
from render.scene import shapes
from tests.app.bridge.quantities.moments import drawn, moment, tips

BOX = """<mujoco><option cone="{cone}"/><default><geom friction="{mu} .01 .001" condim="{dim}"/></default><worldbody><geom type="plane" size="3 3 .1"/>
  <body pos="0 0 .0999"><freejoint/><geom type="box" size=".1 .1 .1" mass="2"/></body></worldbody></mujoco>"""
PAIR = """<mujoco><option cone="{cone}"/><worldbody><geom name="floor" type="plane" size="3 3 .1"/>
  <body pos="0 0 .0999"><freejoint/><geom name="box" type="box" size=".1 .1 .1" mass="2"/></body></worldbody>
  <contact><pair geom1="floor" geom2="box" friction=".3 .6 .005 .0001 .0001"/></contact></mujoco>"""


def of(m, s, tallest=np.inf):
    return cones.friction_cones(m, s, scales.straight(m, VisOptions(), "force").metres, tallest)


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
def test_forces_of_a_resting_box_add_up_to_its_weight(cone):
    m, _, s = moment(BOX.format(cone=cone, dim=3, mu=.8), 1.0)
    scale = scales.straight(m, VisOptions(), "force")
    scene = drawn(m, s, "friction_cone")
    found = of(m, s)
    inside = cones.mixed(cones.INSIDE, cones.ON, 0.6 * found.use)
    ends = np.concatenate([tips(scene, shapes.OBJ_CONTACT, colour) for colour in inside[:1]]) if np.ptp(found.use) < 1e-3 else None
    total = ((found.mouth - found.apex) / scale.metres).sum(axis=0)
    np.testing.assert_allclose(total, (0, 0, 2 * 9.81), rtol=1e-3, atol=1e-3)
    assert (found.use < 0.1).all() and len(found.contact) == 4
    if ends is not None:
        assert len(ends) == 4 and np.allclose((ends - s.contact_pos).sum(axis=0) / scale.metres, (0, 0, 2 * 9.81), rtol=1e-3, atol=0.02)


@pytest.mark.parametrize(("cone", "direction"), [("elliptic", (1, .5)), ("elliptic", (0, -1)), ("pyramidal", (1, 0)), ("pyramidal", (1, .6))])
def test_the_force_lies_on_the_cone_while_sliding(cone, direction):
    m, _, s = moment(BOX.format(cone=cone, dim=3, mu=.5), 0.0, qvel=(*np.multiply(3, direction), 0, 0, 0, 0))
    found = of(m, s)
    np.testing.assert_allclose(found.use, 1, atol=0.01)
    scene = drawn(m, s, "friction_cone")
    ends = tips(scene, shapes.OBJ_CONTACT, cones.ON)
    assert len(ends) == len(found.contact) > 0
    tall = np.linalg.norm(of(m, s).mouth - found.apex, axis=1)
    away = np.linalg.norm((ends - found.mouth)[:, :2], axis=1)
    if cone == "elliptic":
        np.testing.assert_allclose(away, 0.5 * tall, rtol=0.01)   # tan of the friction angle
    else:
        np.testing.assert_allclose(np.abs(ends - found.mouth)[:, :2].sum(axis=1), 0.5 * tall, rtol=0.01)


def test_rims_are_as_wide_as_each_direction_allows_and_square_for_pyramids():
    for cone in ("elliptic", "pyramidal"):
        m, _, s = moment(PAIR.format(cone=cone), 0.3)
        found = of(m, s)
        tall = np.linalg.norm(found.mouth - found.apex, axis=1)
        radius = np.linalg.norm(found.rim - found.mouth[:, None], axis=2) / tall[:, None]
        quarter = cones.SIDES // 4
        np.testing.assert_allclose(radius[:, [0, quarter, 2 * quarter, 3 * quarter]], [[.3, .6, .3, .6]] * len(tall), rtol=1e-6)
        middle = radius[:, 3] / np.hypot(.3 * np.cos(6 * np.pi / cones.SIDES), .6 * np.sin(6 * np.pi / cones.SIDES))
        assert (middle < 0.9).all() if cone == "pyramidal" else np.allclose(middle, 1)


def test_turning_leaves_less_for_sliding():
    force = np.array([[10, 3.0, 0, 0.4, 0, 0]])
    mu = np.array([[.5, .5, .1, .01, .01]])
    three, four = (cones.shares(force, mu, np.array([dim]), force[:, 0], np.array([False])) for dim in (3, 4))
    assert three == (pytest.approx(.6), pytest.approx(1))
    assert four == (pytest.approx(np.hypot(.6, .4)), pytest.approx(np.sqrt(1 - .16)))
    use, left = cones.shares(force, mu, np.array([4]), force[:, 0], np.array([True]))
    assert (use, left) == (pytest.approx(1.0), pytest.approx(.6))


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
def test_a_spinning_box_is_braked_by_the_torque_that_is_drawn(cone):
    m, _, s = moment(BOX.format(cone=cone, dim=4, mu=.0001), 0.0, qvel=(0, 0, 0, 0, 0, 20))
    scale = scales.turning(m, VisOptions(), "contact torque")
    spin = s.contact_force[:, 3]
    np.testing.assert_allclose(np.abs(spin), 0.01 * s.contact_force[:, 0], rtol=0.02)   # torsional friction .01 m times the normal force
    ends = tips(drawn(m, s, "contact_torque"), shapes.OBJ_CONTACT, cones.TORQUE)
    from_centre = ends - s.contact_pos
    angle = np.abs(spin) * scale.radians
    assert len(ends) == s.ncon and np.abs(from_centre[:, 2]).max() < 1e-3   # arcs about the normal
    start = np.array([1.0, 0, 0])   # square to z, as marks.across chooses
    turned = np.arctan2(*(from_centre @ np.stack([np.cross((0, 0, -1.0), start), start], axis=1)).T)
    np.testing.assert_allclose(np.abs(turned), angle % (2 * np.pi), atol=0.02)


def test_tall_cones_are_cut_and_keep_their_angle():
    m, _, s = moment(BOX.format(cone="elliptic", dim=3, mu=.8), 0.5)
    cut = of(m, s, 0.01)
    np.testing.assert_allclose(np.linalg.norm(cut.mouth - cut.apex, axis=1), 0.01)
    np.testing.assert_allclose(np.linalg.norm(cut.rim - cut.mouth[:, None], axis=2), 0.008)


def test_the_cone_of_a_sticking_contact_begins_below_the_contact():
    m, _, s = moment(BOX.format(cone="elliptic", dim=3, mu=.5), 0.5)
    s.contact_adhesion[:] = 4.0   # newton: the row's force is that much larger than what is left between the geoms
    metres = scales.straight(m, VisOptions(), "force").metres
    found = of(m, s)
    np.testing.assert_allclose(s.contact_pos[found.contact] - found.apex, np.broadcast_to((0, 0, 4 * metres), found.apex.shape), atol=1e-9)
    radius = np.linalg.norm(found.rim - found.mouth[:, None], axis=2)
    np.testing.assert_allclose(radius[:, 0], .5 * metres * (s.contact_force[found.contact, 0] + 4), rtol=1e-9)
