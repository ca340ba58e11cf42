"""Decor of a model that has everything at once, against mjv_updateScene; and of real models, switch by switch."""
import mujoco
import numpy as np
import pytest

import physics
from app.bridge import Selection, ViewState, VisOptions, build_scene
from app.bridge.model_visuals import ModelVisuals
from app.bridge.view import free_camera, view_of
from physics.enums import TENDON_FIXED
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.label_layout import LabelLayout
from render.scene.snapshot import Scene
from tests.app.bridge.official import assert_same, assert_same_lines, lines_of, official_scene, our_lines, our_model, our_rows, our_snapshot, rows_of
from tests.app.bridge.switches import NUMBER, cases, differences
from tests.oracle.corpus import REPOSITORY, corpus_file

XML = """
<mujoco>
  <option><flag sleep="enable"/></option>
  <visual><scale constraint="0.3" slidercrank="0.15"/><quality numslices="20"/></visual>
  <asset>
    <mesh name="pad" builtin="wedge" params="8 8 45 45 0" scale=".2 .2 .2"/>
    <mesh name="rock" builtin="sphere" params="2" scale=".1 .12 .1"/>
  </asset>
  <worldbody>
    <camera name="c" pos="0 -2 1" xyaxes="1 0 0 0 .4 1" resolution="5 3" fovy="40"/>
    <camera name="flat" pos="1 -2 1" xyaxes="1 0 0 0 .4 1" resolution="4 4" projection="orthographic" fovy="1"/>
    <camera name="lens" pos="-1 -2 1" xyaxes="1 0 0 0 .4 1" resolution="4 6" focal="0.05 0.04" principal="0.002 0.003" sensorsize="0.04 0.06"/>
    <geom name="floor" type="plane" size="4 4 .1"/>
    <geom name="belt" type="box" size=".5 .5 .05" pos="2 0 .05" surfacevel="0.3 0.1 0 0 0 0.2"/>
    <geom name="sensitive" type="mesh" mesh="pad" pos="-2 0 .1"/>
    <geom name="rock" type="mesh" mesh="rock" pos="-2 2 .1"/>
    <site name="slider" pos="0 2 .5" euler="0 -90 0"/>
    <site name="slider2" pos="0 2.5 .5" euler="0 -90 0"/>
    <body name="rider" pos="2 0 .199"><freejoint/><geom name="rider" type="box" size=".1 .1 .1" condim="4"/></body>
    <body name="a" pos="2 1 .6"><freejoint/><geom name="a" type="box" size=".1 .1 .1"/><site name="sa" pos=".1 0 0"/></body>
    <body name="b" pos="2 1.4 .6"><freejoint/><geom name="b" size=".1"/><site name="sb" pos="0 -.1 0"/><site name="down" pos="0 0 -.11" euler="180 0 0"/></body>
    <body name="c" pos="-1.9 0 .13"><freejoint/><geom name="c" size=".1"/></body>
    <body name="asleep" pos="0 -1 .1" sleep="init"><freejoint/><geom name="d" type="box" size=".1 .1 .1"/></body>
    <body name="lone" pos="0 0 3"><freejoint/><geom name="e" size=".1" rgba="1 0 0 0"/></body>
    <body name="wheel" pos="1 2 .5"><joint name="w" axis="0 1 0"/><geom name="w" type="cylinder" size=".2 .02" euler="90 0 0"/><site name="crank" pos=".15 0 0"/>
      <site name="crank2" pos=".15 .5 .3"/></body>
  </worldbody>
  <equality>
    <connect name="tie" body1="a" body2="b" anchor="0 .2 0"/>
    <weld site1="sa" site2="sb"/>
    <weld body1="lone" anchor=".1 0 0"/>
    <connect body1="c" body2="b" anchor="0 0 0" active="false"/>
  </equality>
  <actuator>
    <general name="crank" cranksite="crank" slidersite="slider" cranklength=".9"/>
    <general name="broken" cranksite="crank2" slidersite="slider2" cranklength=".1"/>
  </actuator>
  <sensor>
    <rangefinder site="down"/><rangefinder site="sb" data="dist dir origin point normal depth"/><rangefinder site="sa" data="point normal"/>
    <rangefinder camera="c" data="dist point normal"/><rangefinder camera="flat"/><rangefinder camera="lens" data="dist depth"/>
    <fromto geom1="a" geom2="b" cutoff="2"/><fromto geom1="a" geom2="e" cutoff=".1"/>
    <tactile geom="sensitive" mesh="pad"/>
  </sensor>
</mujoco>
"""
SETS = (("range_finder",), ("equality",), ("contact_point",), ("island",), ("island", "contact_point"), ("body_tree",), ("mesh_tree",), ("static_body", "island"),
        ("mesh_tree", "body_tree", "equality", "range_finder", "contact_point", "contact_force", "actuator", "camera"))
CORPUS = ("mj_slider_crank/slider_crank.xml", "mj_treadmill/surfacevel/treadmill.xml", "mj_sleep_dominos/dominos.xml", "dm_control_suite/quadruped.xml",
          "menagerie_robotiq_2f85/scene.xml", "dm_control_swimmer/swimmer15.xml")
OURS = ("tests/models/hand.xml", "tests/models/slider_crank.xml", "tests/models/terrain.xml", "tests/models/tail.xml")


@pytest.fixture(scope="module")
def scene():
    mj = mujoco.MjModel.from_xml_string(XML)
    mjd = mujoco.MjData(mj)
    for _ in range(40):
        mujoco.mj_step(mj, mjd)
    mujoco.mj_forward(mj, mjd)
    felt = mjd.sensordata[mj.sensor_adr[-1]:]   # a view: what the pad would feel if something pressed on a part of it
    felt[:] = np.random.default_rng(0).normal(size=len(felt)) * (np.arange(len(felt)) % 64 < 30)
    assert mjd.nisland >= 2 and (mjd.tree_asleep >= 0).sum() == 1 and mjd.contact.surfacevel.any()
    m = our_model(mj)
    return mj, mjd, m, our_snapshot(m, mjd)


@pytest.mark.parametrize("depth", [0, 1, 3])
@pytest.mark.parametrize("flags", SETS, ids="+".join)
def test_same_rows_and_lines(scene, flags, depth):
    mj, mjd, m, snapshot = scene
    options = VisOptions(bvh_depth=depth)
    for flag in flags:
        options.toggle(flag)
    ours, theirs = build_scene(ModelVisuals(m), snapshot, options, Scene()), official_scene(mj, mjd, [NUMBER[f] for f in flags], depth=depth)
    assert_same(our_rows(ours), rows_of(theirs))
    assert_same_lines(our_lines(ours), lines_of(theirs))


def test_every_switch_label_and_frame_of_this_model(scene):
    assert differences(*scene, selected=2) == []


def test_every_row_says_what_it_is(scene):
    _mj, _mjd, m, snapshot = scene
    options = VisOptions(label="None", bvh_depth=2)
    for flag in ("joint", "camera", "actuator", "light", "equality", "inertia", "contact_point", "contact_force", "auto_connect", "center_of_mass", "select_point",
                 "body_tree", "mesh_tree"):
        options[flag] = True
    for frame in ("Body", "Geom", "Site", "Camera", "World", "Contact"):
        options.frame = frame
        ours = build_scene(ModelVisuals(m), snapshot, options, Scene(), ViewState(Selection(2)))
        for rows in (ours.geoms, ours.lines):
            assert rows.n and (rows.view("objtype") != shapes.OBJ_UNKNOWN).all() and (rows.view("objid") >= 0).all()


def test_lengths_and_colours_of_sensor_rays(scene):
    """Each ray ends where its sensor says; hidden with the switch."""
    mj, mjd, m, snapshot = scene
    lines = build_scene(ModelVisuals(m), snapshot, VisOptions(), Scene()).lines
    first = int(np.flatnonzero(lines.view("objid") == 0)[0])
    length = np.linalg.norm(lines.end[first] - lines.start[first])
    assert lines.objtype[first] == shapes.OBJ_SENSOR and length == pytest.approx(mjd.sensordata[0], abs=1e-5) and length > 0.1
    assert np.allclose(lines.rgba[first], mj.vis.rgba.rangefinder) and lines.width[first] == 3
    hidden = VisOptions()
    hidden["range_finder"] = False
    assert build_scene(ModelVisuals(m), snapshot, hidden, Scene()).lines.n == 0


def test_orientation_actuators_are_drawn_where_they_act():
    """The official window shows nothing of them."""
    mj = mujoco.MjModel.from_xml_string("""<mujoco><worldbody><body><joint type="ball" name="j"/><geom size=".1"/><site name="s" size=".03" pos=".2 0 0"/>
        <body pos=".4 0 0"><joint/><geom size=".1"/><site name="q" pos=".1 0 0" type="box" size=".02 .03 .04"/></body></body></worldbody>
        <actuator><orientation name="turn" joint="j" kp="1"/><orientation name="aim" site="q" refsite="s" kp="1"/></actuator></mujoco>""")
    mjd = mujoco.MjData(mj)
    mujoco.mj_forward(mj, mjd)
    m = our_model(mj)
    options = VisOptions(label="Actuator")
    options["actuator"] = True
    scene = build_scene(ModelVisuals(m), our_snapshot(m, mjd), options, Scene())
    drawn = scene.geoms.view("objtype") == shapes.OBJ_ACTUATOR
    assert scene.geoms.view("shape")[drawn].tolist() == [shapes.SPHERE, shapes.BOX] and scene.labels.text == ["turn", "aim"]


@pytest.mark.parametrize("depth", range(4))
def test_boxes_of_what_touches_are_red_where_the_model_asks_for_it(depth):
    balls = "".join(f'<geom size=".1" pos="{x} 0 {z}"/>' for x, z in ((0, 0), (0.5, 0.3), (0.9, 0.3), (0.9, 1.7)))
    mj = mujoco.MjModel.from_xml_string(f"""<mujoco><visual><global bvactive="true"/></visual><worldbody><geom type="plane" size="2 2 .1"/>
        <geom type="box" size=".1 .1 .1" pos="1 1 1"/><body pos="0 0 .099"><freejoint/>{balls}</body><body pos="0 0 .297"><freejoint/><geom size=".1"/></body>
        </worldbody></mujoco>""")
    mjd = mujoco.MjData(mj)
    mujoco.mj_forward(mj, mjd)
    m = our_model(mj)
    options = VisOptions(bvh_depth=depth)
    options["body_tree"] = True
    ours = our_lines(build_scene(ModelVisuals(m), our_snapshot(m, mjd), options, Scene()))
    assert_same_lines(ours, lines_of(official_scene(mj, mjd, [NUMBER["body_tree"]], depth=depth)))
    red = np.allclose(ours[:, 6:9], (1, 0, 0)), (ours[:, 6] == 1).any()
    assert red == (depth == 0, True)


def test_one_label_per_constraint_between_its_anchors(scene):
    _mj, _mjd, m, snapshot = scene
    options = VisOptions(label="Constraint")
    options["equality"] = True
    labels = build_scene(ModelVisuals(m), snapshot, options, Scene()).labels
    assert labels.text == ["tie", "equality 1", "equality 2"] and len(set(labels.key)) == 3


def file_of(path: str):
    """A model of ours, or of the corpus, or what takes its place."""
    return REPOSITORY / path if path in OURS else corpus_file(path)


@pytest.mark.parametrize("path", OURS + CORPUS)
def test_every_switch_of_whole_models(path):
    mj = mujoco.MjModel.from_xml_path(str(file_of(path)))
    mjd = mujoco.MjData(mj)
    if mj.nkey:
        mujoco.mj_resetDataKeyframe(mj, mjd, 0)
    for _ in range(30):
        mujoco.mj_step(mj, mjd)
    mjd.xfrc_applied[-1, :3] = 1, 2, 3
    mujoco.mj_forward(mj, mjd)
    m = our_model(mj)
    assert differences(mj, mjd, m, our_snapshot(m, mjd), selected=1) == []


@pytest.mark.parametrize("path", (*OURS[-2:], "mj_slider_crank/slider_crank.xml", "menagerie_robotiq_2f85/scene.xml", "mj_arm26/arm26.xml", "dmc_rodent/rodent.xml"))
def test_every_switch_through_our_compiler_and_engine(path):
    """The whole road: our Model, our forward pass, our Snapshot."""
    file = file_of(path)
    physics.ensure_kernels()
    mj, m = mujoco.MjModel.from_xml_path(str(file)), physics.load(file)
    mjd, d = mujoco.MjData(mj), physics.Data(m)
    mujoco.mj_forward(mj, mjd)
    physics.forward(m, d)
    snapshot = Snapshot(m, d, 1)
    snapshot.copy_from(d)
    fixed = np.flatnonzero(m.tendon_type == TENDON_FIXED).tolist()
    assert differences(mj, mjd, m, snapshot, fixed, selected=1) == []


def test_the_list_of_cases_holds_each_switch_label_and_frame():
    listed = cases()
    assert {flag for flags, _, _ in listed for flag in flags} >= {"range_finder", "equality", "island", "body_tree", "mesh_tree"}
    assert len({label for _, label, _ in listed}) == 17 and len({frame for _, _, frame in listed}) == 8


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e300, 0.0])
@pytest.mark.filterwarnings("ignore:invalid value", "ignore:overflow", "ignore:divide by zero")
def test_a_state_that_has_blown_up_is_still_a_scene(value):
    """With any numbers in the state every layer comes through; the renderer leaves out what is not finite."""
    mj = mujoco.MjModel.from_xml_string(XML.replace("<equality>", ROPE_AND_WRAP + "<equality>"))
    mjd = mujoco.MjData(mj)
    mujoco.mj_forward(mj, mjd)
    m = our_model(mj)
    snapshot = our_snapshot(m, mjd)
    for name in dir(snapshot):
        field = getattr(snapshot, name)
        if isinstance(field, np.ndarray) and field.dtype.kind == "f":
            field[...] = value
    options = VisOptions()
    for flag in options.flags:
        options[flag] = True
    for label, frame in (("Tendon", "Body"), ("Contact", "Contact"), ("SelPoint", "Site"), ("Island", "Camera")):
        options.label, options.frame = label, frame
        scene = build_scene(ModelVisuals(m), snapshot, options, Scene(), ViewState(Selection(1)))
        assert scene.geoms.n > 0
        assert LabelLayout().arrange(scene.labels, view_of(m, snapshot, free_camera(m)), (300, 200), lambda text: (50, 12)) is not None


ROPE_AND_WRAP = """<tendon><spatial limited="true" range="0 9"><site site="sa"/><site site="sb"/></spatial>
  <spatial><site site="crank"/><geom geom="b"/><site site="sa"/></spatial></tendon>"""
