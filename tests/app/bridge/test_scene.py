"""Our scenes against mjv_updateScene: same shapes, places, sizes and colours for the same switches."""

import mujoco
import numpy as np
import pytest

from app.bridge import Selection, ViewState, VisOptions, build_scene
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import FRAMES, LABELS, NOT_YET, RENDER_FLAGS, VIS_FLAGS
from render.scene import shapes
from render.scene.snapshot import Scene
from tests.app.bridge.official import assert_same, assert_same_lines, lines_of, official_scene, our_lines, our_model, our_rows, our_snapshot, rows_of

XML = """
<mujoco>
  <visual><map force="0.02"/><scale jointlength="1.3" com="0.5"/><rgba com="0.1 0.2 0.3 0.9"/></visual>
  <asset>
    <texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 1 0" width="16" height="16"/>
    <texture type="skybox" builtin="gradient" rgb1="1 1 1" rgb2="0 0 1" width="8" height="8"/>
    <material name="red" rgba="0.9 0.1 0.1 1" emission="0.2" reflectance="0.1"/>
    <material name="chk" texture="t" texrepeat="3 3"/>
  </asset>
  <worldbody>
    <light name="sun" pos="0 1 4" dir="0.1 0.2 -1" directional="true"/>
    <light name="spot" pos="2 1 4" dir="-0.4 0 -1" cutoff="30" diffuse="0.3 0.3 0.4"/>
    <camera name="look" pos="3 0 1" xyaxes="0 1 0 -0.3 0 1"/>
    <camera name="wide" pos="0 -3 1" xyaxes="1 0 0 0 0.3 1" resolution="640 480" fovy="50"/>
    <geom name="floor" type="plane" size="4 4 .1" material="chk"/>
    <geom name="hidden" type="box" size=".1 .1 .1" pos="2 2 1" group="4"/>
    <geom type="cylinder" size=".2 .1" pos="-1 -1 .1" rgba="0.5 0.5 0.5 1" material="red"/>
    <body name="welded" pos="1 1 0.5"><geom type="ellipsoid" size=".1 .2 .3"/><site name="s0" size=".05"/></body>
    <body name="free" pos="0 0 0.24">
      <freejoint/>
      <geom name="base" type="box" size=".2 .2 .25" rgba="0.2 0.3 0.4 1" material="red"/>
      <body name="arm" pos="0.3 0 0.3" euler="0 20 0">
        <joint name="h" axis="0 1 0.2" range="-0.3 0.1" limited="true" group="1"/>
        <joint name="s" type="slide" axis="1 0 0"/>
        <geom name="limb" type="capsule" size=".05 .2" pos="0 0 .2"/>
        <site name="tip" pos="0 0 .4" size=".02 .03 .04" type="box" rgba="0 1 0 0.5"/>
        <body name="hand" pos="0 0 .45"><joint name="b" type="ball"/><geom size=".06"/></body>
      </body>
    </body>
    <body name="ball" pos="1 0 0.099"><freejoint/><geom name="ball" size=".1" condim="4"/></body>
    <body name="ball2" pos="1 0.02 0.297"><freejoint/><geom name="top" size=".1" condim="1"/></body>
    <body name="paddle" mocap="true" pos="-1 1 1"><geom type="box" size=".2 .1 .01" contype="0" conaffinity="0"/></body>
  </worldbody>
  <actuator>
    <motor name="m0" joint="h" ctrllimited="true" ctrlrange="-2 1"/>
    <motor name="m1" joint="s" ctrllimited="true" ctrlrange="0.5 1.5"/>
    <motor name="m2" joint="b" gear="1 0 0"/>
    <general name="g" joint="h" dyntype="filter" dynprm="0.1" actlimited="true" actrange="-1 1"/>
    <motor name="m3" site="tip" group="1"/>
    <motor name="m4" joint="s" group="4"/>
  </actuator>
</mujoco>
"""


@pytest.fixture(scope="module", params=["pyramidal", "elliptic"])
def scene(request):
    """(official model, official data, our model, our snapshot) with contacts and an active limit."""
    mj = mujoco.MjModel.from_xml_string(XML)
    mj.opt.cone = request.param == "elliptic"
    mjd = mujoco.MjData(mj)
    mjd.ctrl[:] = (-1.5, 1.2, 0.4, 0.7, 0, 0)
    mjd.act[:] = 0.6
    mjd.qpos[mj.joint("h").qposadr] = 0.12
    mjd.xfrc_applied[3] = (3, 2, 8, 0, 0, 0)
    for _ in range(20):
        mujoco.mj_step(mj, mjd)
    mujoco.mj_forward(mj, mjd)
    assert mjd.ncon >= 5 and mjd.nl == 1
    m = our_model(mj)
    return mj, mjd, m, our_snapshot(m, mjd)


FLAG_SETS = (
    (), ("joint",), ("actuator",), ("actuator", "activation"), ("camera",), ("light",), ("inertia",), ("inertia", "scale_inertia"),
    ("perturb_force",), ("contact_point",), ("contact_force",), ("contact_force", "contact_split"), ("contact_point", "contact_force"),
    ("transparent",), ("auto_connect",), ("center_of_mass",), ("static_body",), ("static_body", "inertia"), ("tendon",),
)
NUMBER = {flag.name: k for k, flag in enumerate(VIS_FLAGS)}
SELECTED = ViewState(Selection(3, localpos=(0.05, 0.1, 0)))


def options_with(flags=(), **attributes) -> VisOptions:
    options = VisOptions()
    for flag in flags:
        options.toggle(flag)
    for name, value in attributes.items():
        setattr(options, name, value)
    return options


@pytest.mark.parametrize("flags", FLAG_SETS, ids="+".join)
def test_same_shapes_for_the_same_switches(scene, flags):
    mj, mjd, m, snapshot = scene
    ours = build_scene(ModelVisuals(m), snapshot, options_with(flags), Scene())
    assert_same(our_rows(ours), rows_of(official_scene(mj, mjd, [NUMBER[f] for f in flags])))


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("flags", [(), ("camera", "light", "inertia")], ids="+".join)
def test_same_frames(scene, frame, flags):
    mj, mjd, m, snapshot = scene
    ours = build_scene(ModelVisuals(m), snapshot, options_with(flags, frame=frame), Scene())
    assert_same(our_rows(ours), rows_of(official_scene(mj, mjd, [NUMBER[f] for f in flags], frame=FRAMES.index(frame))))


@pytest.mark.parametrize("label", [n for n in LABELS if n not in ("Constraint", "Flex", "Skin", "Island", "Tendon")])
def test_same_labels(scene, label):
    mj, mjd, m, snapshot = scene
    flags = ("joint", "camera", "light", "actuator", "contact_point", "contact_force", "select_point")
    perturb = mujoco.MjvPerturb()
    perturb.select, perturb.localpos = 3, (0.05, 0.1, 0)
    official = official_scene(mj, mjd, [NUMBER[f] for f in flags], label=LABELS.index(label), perturb=perturb)
    theirs = sorted(g.label for g in official.geoms[:official.ngeom] if g.label)
    ours = build_scene(ModelVisuals(m), snapshot, options_with(flags, label=label), Scene(), SELECTED)
    if label == "Contact":  # an unnamed geom is 'g3' there, 'geom 3' here
        theirs = sorted(" | ".join(f"geom {n[1:]}" if n[0] == "g" and n[1:].isdigit() else n for n in t.split(" | ")) for t in theirs)
    assert sorted(ours.labels.text) == theirs
    assert bool(theirs) == (label != "None")


def test_groups_hide_and_show(scene):
    mj, mjd, m, snapshot = scene
    for groups in ([1, 1, 1, 1, 1, 1], [0, 1, 0, 0, 1, 0], [0] * 6):
        options = options_with(("joint", "actuator"))
        for kind in ("geom", "site", "joint", "actuator"):
            options.group(kind)[:] = map(bool, groups)
        official = official_scene(mj, mjd, [NUMBER["joint"], NUMBER["actuator"]], groups=dict.fromkeys(("geom", "site", "joint", "actuator"), groups))
        assert_same(our_rows(build_scene(ModelVisuals(m), snapshot, options, Scene())), rows_of(official))


def test_disabled_actuator_groups_are_not_drawn(scene):
    _mj, _mjd, m, snapshot = scene
    count = lambda: int((build_scene(ModelVisuals(m), snapshot, options_with(("actuator",)), Scene()).geoms.view("objtype") == shapes.OBJ_ACTUATOR).sum())  # noqa: E731
    assert count() == 5
    m.opt_disableactuator = 0b10
    assert count() == 4
    m.opt_disableactuator = 0


def test_the_perturbation_is_drawn_as_officially(scene):
    mj, mjd, m, snapshot = scene
    perturb = mujoco.MjvPerturb()
    perturb.select, perturb.active, perturb.localpos, perturb.refselpos = 3, 3, (0.05, 0.1, 0), (0.5, 0.5, 1)
    perturb.refpos, perturb.refquat = (0, 0, 1), (0.8, 0.6, 0, 0)
    p = snapshot.perturb
    p.bodyid, p.active = 3, 3
    p.localpos[:], p.refselpos[:], p.refquat[:] = perturb.localpos, perturb.refselpos, perturb.refquat
    p.force[:3] = 3, 4, 0
    try:
        ours = build_scene(ModelVisuals(m), snapshot, options_with(("select_point",)), Scene(), SELECTED)
        official = official_scene(mj, mjd, [NUMBER["select_point"]], perturb=perturb)
        assert_same(our_rows(ours), rows_of(official))
        assert ours.labels.text == ["5 N"]
        assert_same_lines(our_lines(ours), lines_of(official))
        glow, g = ours.geoms.view("glow"), ours.geoms
        assert set(np.flatnonzero(glow)) == set(np.flatnonzero((g.view("bodyid") == 3) & (g.view("flags") & shapes.DECOR == 0)))
    finally:
        p.__init__()


def test_camera_frusta_have_the_official_corners(scene):
    mj, mjd, m, snapshot = scene
    ours = build_scene(ModelVisuals(m), snapshot, options_with(("camera",)), Scene())
    official = official_scene(mj, mjd, [NUMBER["camera"]])
    assert ours.lines.n == 12
    assert_same_lines(our_lines(ours), lines_of(official))


def test_lights_and_materials(scene):
    mj, mjd, m, snapshot = scene
    ours = build_scene(ModelVisuals(m), snapshot, VisOptions(), Scene())
    official = official_scene(mj, mjd)
    assert ours.headlight.active == bool(official.lights[0].headlight)
    for k in range(ours.lights.n):
        light = official.lights[k + 1]
        assert ours.lights.type[k] == light.type and bool(light.castshadow) == bool(ours.lights.castshadow[k])
        for name in ("pos", "dir", "ambient", "diffuse", "specular"):
            assert np.allclose(getattr(ours.lights, name)[k], getattr(light, name), atol=1e-6), name
    assert ours.lights.n == official.nlight - 1
    assert ours.lights.cutoff[1] == pytest.approx(30)
    assert ours.assets.skybox == 1 and [t.kind for t in ours.assets.textures] == ["2d", "skybox"]
    assert ours.assets.textures[1].data.shape == (48, 8, 3)
    ids = ours.geoms.view("objid")[ours.geoms.view("objtype") == shapes.OBJ_GEOM]
    assert (ours.geoms.view("matid")[:len(ids)] == m.geom_matid[ids]).all()


def test_flag_tables_are_the_official_ones():
    assert [(f.title, str(int(f.default)), f.key) for f in VIS_FLAGS] == [tuple(row[:3]) for row in mujoco.mjVISSTRING]
    official = [tuple(row[:3]) for row in mujoco.mjRNDSTRING if row[0] != "Post Processing"]
    assert [(f.title, str(int(f.default)), "," if f.name == "segment" else f.key) for f in RENDER_FLAGS] == official
    assert LABELS == tuple(mujoco.mjLABELSTRING) and FRAMES == tuple(mujoco.mjFRAMESTRING)
    assert set(NOT_YET) <= {f.name for f in VIS_FLAGS}
    with pytest.raises(KeyError):
        VisOptions()["No Such Flag"] = True


def test_a_thousand_geoms_are_all_there():
    bodies = "".join(f'<body pos="{i % 32} {i // 32} 1"><freejoint/><geom size=".1"/></body>' for i in range(1000))
    mj = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    mjd = mujoco.MjData(mj)
    mujoco.mj_kinematics(mj, mjd)
    m = our_model(mj)
    snapshot, options, out = our_snapshot(m, mjd), VisOptions(), Scene()
    for _ in range(2):   # the second time into warm storage
        build_scene(ModelVisuals(m), snapshot, options, out)
        assert out.geoms.n == 1000
