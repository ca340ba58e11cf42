"""Trails follow, fade and start afresh; shells are as thick as margins."""
import numpy as np
import pytest

from app.bridge import ViewState, VisOptions, build_scene, track
from app.bridge.model_visuals import ModelVisuals
from app.bridge.quantities import trails
from physics.runtime.simulation import Simulation
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene
from tests.app.bridge.quantities.moments import drawn, moment

BALL = """<mujoco><worldbody><body pos="0 0 2"><freejoint/><geom size=".1"/><site name="eye"/></body></worldbody></mujoco>"""
SHELLS = """<mujoco><worldbody><geom name="floor" type="plane" size="2 2 .1" margin=".02"/>
  <body pos="0 0 {z}"><freejoint/><geom type="sphere" size=".1" margin=".03"/></body>
  <body pos="1 0 1"><freejoint/><geom type="capsule" size=".1 .2" margin=".05"/></body>
  <body pos="2 0 1"><freejoint/><geom type="box" size=".1 .2 .3" margin=".05"/></body>
  <body pos="3 0 1"><freejoint/><geom type="box" size=".1 .2 .3"/></body></worldbody></mujoco>"""


def test_a_ring_keeps_its_length_and_the_newest_place():
    ring = track.Track()
    for k in range(1000):
        ring.follow("a", .03 * k, np.array([[k, 0.0, 0]]))
    start, end, age, which = ring.segments()
    assert len(start) == track.LENGTH - 1 and end[-1, 0] == 999 and age[-1] == 0 and age[0] == 1 and not which.any()
    assert (np.diff(end[:, 0]) == 1).all() and (start[1:] == end[:-1]).all()


def test_pictures_faster_than_the_ring_do_not_shorten_it():
    ring = track.Track()
    for k in range(4000):
        ring.follow("a", .001 * k, np.array([[k, 0.0, 0]]))
    start, end, _, _ = ring.segments()
    assert len(start) >= .8 * track.LENGTH and end[-1, 0] == 3999 and start[0, 0] < 500


@pytest.mark.parametrize(("moment_", "time", "points"), [("b", 5.0, 1), ("a", 1.0, 1), ("a", 5.0, 2)])
def test_jumps_empty_the_ring(moment_, time, points):
    ring = track.Track()
    for k in range(50):
        ring.follow("a", .05 * k, np.zeros((1, 3)))
    other = ring.copy()
    ring.follow(moment_, time, np.ones((points, 3)))
    assert other.count == 50 and len(other.segments()[0]) == 49
    assert ring.count == 1 and not len(ring.segments()[0])


def test_resets_reloads_and_steps_back_start_trails_afresh():
    m, _, _ = moment(BALL)
    simulation = Simulation(ready=True)
    simulation.install(m)
    options, state = VisOptions(), ViewState()
    options["body_trail"] = options["site_trail"] = True
    s = Snapshot(m, simulation.data, simulation.generation)

    def picture() -> int:
        simulation.show(s)
        s.generation = simulation.generation
        build_scene(ModelVisuals(m), s, options, Scene(), state)
        return state.track.count

    def run(n):
        for _ in range(n):
            simulation.take(20)
            picture()
        return state.track.count

    assert run(5) > 3
    scene = build_scene(ModelVisuals(m), s, options, Scene(), state)
    lines = scene.lines
    assert set(lines.view("objtype").tolist()) == {shapes.OBJ_BODY, shapes.OBJ_SITE} and lines.view("rgba")[-1, 3] > lines.view("rgba")[0, 3]
    assert [row.what for row in scene.legend] == ["Trail of 1 body", "Trail of 1 site"]
    options["body_trail"] = options["site_trail"] = False
    assert picture() == 0   # or a trail that is switched on again would begin with a leap
    options["body_trail"] = options["site_trail"] = True
    assert run(5) > 3
    simulation.show_entry(3)
    simulation.refresh()
    assert picture() == 1 and run(5) > 3
    simulation.reset()
    assert picture() == 1 and run(5) > 3
    simulation.reset()
    simulation.take(2000)     # a reset that no picture showed
    assert picture() == 1


def test_the_selected_body_is_followed_else_the_ends_of_chains():
    m, _, _ = moment("<mujoco><worldbody><geom size='.1'/><body><joint/><geom size='.1'/><body><joint axis='1 0 0'/><geom size='.1'/></body></body>"
                     "<body pos='1 0 0'><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    options, state = VisOptions(), ViewState()
    options["body_trail"] = True
    assert trails.followed(m, options, state)[0].tolist() == [2, 3]
    state.trail_body = 1
    assert trails.followed(m, options, state)[0].tolist() == [1]


def test_shells_are_as_thick_as_the_margin_and_meet_where_contacts_begin():
    for z, contacts in ((.1501, 0), (.1499, 1)):
        m, _, s = moment(SHELLS.format(z=z))
        assert s.ncon == contacts
        g = drawn(m, s, "margin_shell").geoms
        rows = np.flatnonzero((g.view("flags") == shapes.DECOR) & (g.view("objtype") == shapes.OBJ_GEOM))
        assert np.unique(g.objid[rows]).tolist() == [0, 1, 2, 3] and g.shape[rows[3]] == shapes.MESH
        floor, ball = g.pos[rows[0], 2], g.pos[rows[1], 2] - g.size[rows[1], 0]
        assert (floor < ball) == (not contacts)
        np.testing.assert_allclose(g.size[rows[2]], (.15, .15, .2), atol=1e-6)
