"""Where tendons are drawn: on what they wrap around, and hanging where they are limp."""
import mujoco
import numpy as np
import pytest

from app.bridge import VisOptions, build_scene
from app.bridge.layers.catenary import hang, point_count, rope_lengths
from app.bridge.layers.tendons import paths
from app.bridge.model_visuals import ModelVisuals
from render.scene import shapes
from render.scene.snapshot import Scene
from tests.app.bridge.official import assert_same, official_scene, our_model, our_rows, our_snapshot, rows_of

WRAPS = """
<mujoco><visual><quality numslices="%d"/></visual><worldbody>
  <body pos="0 0 1" euler="10 20 30"><geom name="c" type="cylinder" size=".1 .3"/><geom name="s" type="sphere" size=".12" pos="0 1 0"/>
    <site name="a" pos="-.3 .02 .1"/><site name="b" pos=".3 .01 -.2"/><site name="side" pos="0 .14 0"/><site name="other" pos="0 -.14 0"/>
    <site name="d" pos="-.3 1 0"/><site name="e" pos=".3 1.05 .1"/></body>
</worldbody><tendon>
  <spatial name="around" width=".01"><site site="a"/><geom geom="c" sidesite="side"/><site site="b"/></spatial>
  <spatial name="back" width=".02"><site site="a"/><geom geom="c" sidesite="other"/><site site="b"/><pulley divisor="2"/><site site="d"/><geom geom="s"/><site site="e"/></spatial>
</tendon><actuator><motor tendon="back"/><motor tendon="around"/></actuator></mujoco>
"""
ROPES = """
<mujoco><option gravity="%s"/><worldbody>
  <site name="a" pos="0 0 1"/><site name="b" pos=".5 .2 1.3"/><site name="c" pos=".004 0 1.1"/><site name="d" pos="0 0 .4"/><site name="e" pos="1 0 1"/>
</worldbody><tendon>
  <spatial name="spring" springlength="0 1.2" stiffness="10"><site site="a"/><site site="b"/></spatial>
  <spatial name="limit" limited="true" range="0 .9"><site site="b"/><site site="a"/></spatial>
  <spatial name="narrow" limited="true" range="0 .9"><site site="a"/><site site="c"/></spatial>
  <spatial name="upright" limited="true" range="0 2"><site site="a"/><site site="d"/></spatial>
  <spatial name="taut" springlength="0 .9" stiffness="10"><site site="a"/><site site="e"/></spatial>
  <spatial name="damped" springlength="0 1.2" stiffness="10" damping="1"><site site="a"/><site site="b"/></spatial>
  <spatial name="both" limited="true" range="0 .9" springlength="0 1.2" stiffness="10"><site site="a"/><site site="b"/></spatial>
  <spatial name="three" limited="true" range="0 3"><site site="a"/><site site="b"/><site site="e"/></spatial>
  <spatial name="pulled" limited="true" range="0 3"><site site="a"/><site site="b"/></spatial>
</tendon><actuator><motor tendon="pulled"/></actuator></mujoco>
"""


def scene_of(xml):
    mj = mujoco.MjModel.from_xml_string(xml)
    mjd = mujoco.MjData(mj)
    mujoco.mj_forward(mj, mjd)
    m = our_model(mj)
    return mj, mjd, m, our_snapshot(m, mjd)


@pytest.mark.parametrize("slices", [28, 7])
def test_arcs_are_the_official_ones(slices):
    mj, mjd, m, snapshot = scene_of(WRAPS % slices)
    options = VisOptions()
    options["actuator"] = True
    ours = build_scene(ModelVisuals(m), snapshot, options, Scene())
    assert_same(our_rows(ours), rows_of(official_scene(mj, mjd, [mujoco.mjtVisFlag.mjVIS_ACTUATOR])))
    assert {shapes.OBJ_TENDON, shapes.OBJ_ACTUATOR} <= set(ours.geoms.view("objtype").tolist())


def test_arcs_lie_on_the_surface_and_make_up_the_length():
    mj, mjd, m, snapshot = scene_of(WRAPS % 500)
    path = paths(m, snapshot, [1, 0])
    length = np.bincount(path.which, np.linalg.norm(path.end - path.start, axis=1))
    assert length[1] == pytest.approx(mjd.ten_length[0], rel=1e-4)   # the other has a pulley: its length counts half
    frame, centre = mjd.geom_xmat[0].reshape(3, 3), mjd.geom_xpos[0]
    far = np.linalg.norm(((path.start - centre) @ frame)[:, :2], axis=1)
    bent = np.abs(far - 0.1) < 1e-9
    assert bent.sum() > 100 and far.min() > 0.1 - 1e-9
    joined = path.which[1:] == path.which[:-1]
    gap = np.linalg.norm(path.start[1:] - path.end[:-1], axis=1)[joined]
    assert (gap > 1e-9).sum() == 1   # at the pulley


def test_ropes_hang_where_the_official_ones_do():
    mj, mjd, m, snapshot = scene_of(ROPES % "1 0 -9.81")
    length = rope_lengths(m, snapshot)
    assert [m.name("tendon", i) for i in np.flatnonzero(length)] == ["spring", "limit", "narrow", "upright", "taut", "both"]
    scene = official_scene(mj, mjd)
    for i in np.flatnonzero(length).tolist():
        pieces = [g for g in scene.geoms[:scene.ngeom] if g.objtype == mujoco.mjtObj.mjOBJ_TENDON and g.objid == i]
        corners = np.array([np.array(g.pos) - g.size[2] * np.array(g.mat)[:, 2] for g in pieces])
        start, end = snapshot.wrap_xpos.reshape(-1, 3)[int(snapshot.ten_wrapadr[i]):][:2]
        few = hang(start, end, m.opt_gravity, float(length[i]), point_count(m))
        assert len(few) - 1 == len(pieces)
        fine = hang(start, end, m.opt_gravity, float(length[i]), 20_000)
        if len(few) == 3:
            fine = np.concatenate([np.linspace(a, b, 20_000) for a, b in zip(few[:-1], few[1:], strict=True)])
        away = np.linalg.norm(fine[None] - corners[:, None], axis=2).min(axis=1)
        assert away.max() < 2e-4, m.name("tendon", i)
        taut = max(float(length[i]), float(np.linalg.norm(end - start)))
        assert np.linalg.norm(np.diff(fine, axis=0), axis=1).sum() == pytest.approx(taut, rel=1e-4)


def test_nothing_hangs_without_gravity():
    _mj, _mjd, m, snapshot = scene_of(ROPES % "0 0 0")
    assert not rope_lengths(m, snapshot).any()


@pytest.mark.parametrize("length", [1.0001, 1.5, 30.0, 99.0, 1e4])
def test_a_rope_of_any_length_is_finite_and_ends_where_it_should(length):
    start, end = np.zeros(3), np.array([0.8, 0, 0.6])
    points = hang(start, end, np.array([0, 0, -9.81]), length, 40)
    assert np.isfinite(points).all() and np.allclose(points[0], start) and np.allclose(points[-1], end, atol=1e-6)
    assert points[:, 2].min() <= 1e-9 and points[:, 2].min() > -length
    pieces = np.linalg.norm(np.diff(points, axis=0), axis=1)
    assert pieces.sum() == pytest.approx(length, rel=0.03)


def test_one_label_per_tendon():
    _mj, _mjd, m, snapshot = scene_of(ROPES % "0 0 -9.81")
    labels = build_scene(ModelVisuals(m), snapshot, VisOptions(label="Tendon"), Scene()).labels
    assert sorted(labels.text) == sorted(m.name("tendon", i) for i in range(m.ntendon))
