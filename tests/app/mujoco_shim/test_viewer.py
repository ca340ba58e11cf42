"""mujoco.viewer: scripts in the ways of the official documentation, under `linkwork exec`, with windows of their own; and what goes between the official structs and a window."""
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import linkwork
from app.headless.exec import environment
from app.mujoco_shim import mujoco as ours
from app.mujoco_shim.mujoco import viewer
from app.mujoco_shim.mujoco.viewer_values import chart
from linkwork.user_scene import UserScene
from linkwork.view import Camera, Options
from tests.app.mujoco_shim.models import CONTACTS

HEAD = f"""
import time
import mujoco
import mujoco.viewer
import numpy as np
m = mujoco.MjModel.from_xml_string('''{CONTACTS}''')
d = mujoco.MjData(m)

def until(there):
    end = time.monotonic() + 60
    while not there():
        assert time.monotonic() < end
        time.sleep(0.01)
"""
# the loop of the official documentation, in other words, and all that a Handle has
LOOP = HEAD + """
pressed = []
with mujoco.viewer.launch_passive(m, d, key_callback=pressed.append, show_left_ui=False) as viewer:
    assert viewer.is_running() and viewer.m is m and viewer.d is d
    viewer.cam.type = mujoco.mjtCamera.mjCAMERA_FREE
    viewer.cam.lookat[:] = 0.1, 0.2, 0.3
    viewer.cam.distance = 3.5
    for k in range(50):
        began = time.time()
        mujoco.mj_step(m, d)
        with viewer.lock():
            viewer.opt.flags[mujoco.mjtVisFlag.mjVIS_CONTACTPOINT] = int(d.time % 2) or 1
        viewer.sync()
        time.sleep(max(0.0, m.opt.timestep - (time.time() - began)))
    viewer.user_scn.ngeom = 0
    for contact in d.contact:
        geom = viewer.user_scn.geoms[viewer.user_scn.ngeom]
        geom.type, geom.label = mujoco.mjtGeom.mjGEOM_SPHERE, "touch"
        geom.size[:], geom.pos[:], geom.mat[:], geom.rgba[:] = 0.02, contact.pos, np.eye(3), (1, 0, 0, 1)
        viewer.user_scn.ngeom += 1
    viewer.user_scn.flags[mujoco.mjtRndFlag.mjRND_WIREFRAME] = 1
    viewer.set_texts([(mujoco.mjtFontScale.mjFONTSCALE_150, mujoco.mjtGridPos.mjGRID_TOPRIGHT, "time", f"{d.time:.2f}"), (None, None, "left", None)])
    viewer.set_images((mujoco.MjrRect(0, 0, 40, 30), np.full((30, 40, 3), 255, np.uint8)))
    figure = mujoco.MjvFigure()
    figure.title = "height"
    figure.linepnt[0] = 3
    figure.linedata[0, :6] = 0, 1, 1, 2, 2, 0
    viewer.set_figures([(mujoco.MjrRect(50, 0, 200, 100), figure)])
    viewer.perturb.select = 1
    viewer.sync(state_only=True)
    shown = viewer._window
    until(lambda: shown.figures()["time"] == d.time)
    viewer.sync()
    assert viewer.viewport.width > 100 and viewer.viewport.height > 100 and viewer.perturb.select == 1
    assert viewer.cam.distance == 3.5 and list(viewer.cam.lookat) == [0.1, 0.2, 0.3]
    assert viewer.opt.flags[mujoco.mjtVisFlag.mjVIS_CONTACTPOINT] == 1 and viewer.user_scn.ngeom >= 1
    try:
        viewer.set_images((mujoco.MjrRect(0, 0, 10, 10), np.zeros((5, 10, 3), np.uint8)))
        raise SystemExit("no error")
    except ValueError as error:
        assert "does not match" in str(error)
    viewer.clear_texts()
    viewer.clear_images()
    viewer.clear_figures()
    viewer.sync()
    errors = [text for level, text in shown.figures()["log"] if level == "error"]
    assert not errors, errors
assert not viewer.is_running() and viewer.m is None and viewer.viewport is None
viewer.sync()
viewer.update_mesh(100)
with viewer.lock():
    print("closed")
"""
ASSETS = """
import mujoco, mujoco.viewer, numpy as np, time
m = mujoco.MjModel.from_xml_string('''<mujoco><asset><hfield name="h" nrow="4" ncol="4" size="1 1 .5 .1"/><texture name="t" type="2d" builtin="flat" rgb1="1 0 0" width="8" height="8"/>
<mesh name="k" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"/></asset><worldbody><geom type="hfield" hfield="h"/><body pos="0 0 1"><freejoint/><geom type="mesh" mesh="k"/></body></worldbody></mujoco>''')
d = mujoco.MjData(m)
viewer = mujoco.viewer.launch_passive(m, d)
m.hfield_data[:] = np.linspace(0, 1, 16)
m.tex_data[:] = 7
viewer.update_hfield(0), viewer.update_texture(0), viewer.update_mesh(0)
geom = viewer.user_scn.geoms[0]
geom.type, geom.dataid = mujoco.mjtGeom.mjGEOM_MESH, 0
geom.pos[:], geom.rgba[:] = (0, 0, 2), (0, 1, 0, 0.5)
viewer.user_scn.ngeom = 1
d.time = 1.0
viewer.sync()
end = time.monotonic() + 60
while viewer._window.figures()["time"] != 1.0:
    assert time.monotonic() < end
    time.sleep(0.01)
assert not [text for level, text in viewer._window.figures()["log"] if level == "error"]
viewer.close()
print("closed")
"""


@pytest.fixture(autouse=True)
def own_settings(tmp_path, monkeypatch):
    monkeypatch.setenv("LINKWORK_SETTINGS", str(tmp_path / "settings.ini"))
    monkeypatch.setenv("LINKWORK_STATE", str(tmp_path / "state"))


def ran(tmp_path, script):
    path = tmp_path / "script.py"
    path.write_text(script)
    (tmp_path / "app.py").write_text("raise ImportError('a module of the script, of no concern to the window')")
    env = environment("4.0", {**os.environ, "PYTHONPATH": ""})
    done = subprocess.run([sys.executable, str(path)], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_a_script_with_a_passive_viewer_and_all_of_its_handle(tmp_path):
    assert ran(tmp_path, LOOP) == "closed\n"


def test_heights_pixels_and_meshes_that_a_script_writes_and_draws(tmp_path):
    assert ran(tmp_path, ASSETS) == "closed\n"


def test_the_module_is_a_command_too(tmp_path):
    env = environment("4.0", {**os.environ, "PYTHONPATH": ""})
    done = subprocess.run([sys.executable, "-m", "mujoco.viewer", "--help"], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and "--mjcf" in done.stdout
    code = "import mujoco; print(mujoco.viewer.launch.__module__, 'viewer' in dir(mujoco), mujoco.is_here('viewer.launch_passive'), mujoco.is_here('viewer.nothing'))"
    done = subprocess.run([sys.executable, "-c", code], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.stdout == "mujoco.viewer True True False\n", done.stderr


def test_arguments_that_are_wrong_are_told_as_officially():
    m = ours.MjModel.from_xml_string("<mujoco/>")
    d = ours.MjData(m)
    for arguments, text in (((1, d), "`model` is not a mujoco.MjModel"), ((m, 1), "`data` is not a mujoco.MjData")):
        with pytest.raises(ValueError, match=text):
            viewer.launch_passive(*arguments)
    with pytest.raises(ValueError, match="`key_callback` is not callable"):
        viewer.launch_passive(m, d, key_callback=3)
    with pytest.raises(ValueError, match="mjData is specified but mjModel is not"):
        viewer.launch(None, d)
    with pytest.raises(ValueError, match="should not be specified when an mjModel loader"):
        viewer.launch(lambda: (m, d), d)
    with pytest.raises(ValueError, match="both specified"):
        viewer.launch(m, loader=lambda: (m, d))
    with pytest.raises(TypeError, match="positional"):
        viewer.launch_passive(m, d, print)


def test_the_full_window_gets_the_pair_and_the_panels(monkeypatch):
    seen = []
    monkeypatch.setattr(viewer._full_window, "launch", lambda *pair, **sides: seen.append((pair, sides)))
    m = ours.MjModel.from_xml_string(CONTACTS)
    d = ours.MjData(m)
    viewer.launch(m, d, show_left_ui=False)
    viewer.launch(loader=lambda: (m, d))
    viewer.launch()
    viewer.launch_from_path("a.xml")
    both = {"show_left_ui": True, "show_right_ui": True}
    assert seen == [((m._inner, d._inner), {**both, "show_left_ui": False}), ((m._inner, d._inner), both), ((), both), (("a.xml",), {})]
    monkeypatch.setattr(sys, "argv", ["viewer", "--mjcf=~/b.xml", "--other"])
    viewer.main()
    assert seen[-1] == ((str(Path("~/b.xml").expanduser()),), {})


def test_camera_and_switches_go_both_ways():
    cam, opt = Camera(), Options()
    official, options = viewer.Cam(ours.MjvCamera(), cam), viewer.Opt(ours.MjvOption(), opt)
    assert official.struct.distance == cam.distance and official.struct.type == 0
    official.struct.type, official.struct.trackbodyid = int(ours.mjtCamera.mjCAMERA_TRACKING), 2
    official.push()
    assert cam.type == linkwork.CameraType.TRACKING and cam.trackbodyid == 2
    cam.azimuth = 12.5
    official.pull()
    assert official.struct.azimuth == 12.5 and official.struct.trackbodyid == 2
    options.struct.flags[ours.mjtVisFlag.mjVIS_CONTACTFORCE] = 1
    options.struct.label, options.struct.geomgroup[3] = int(ours.mjtLabel.mjLABEL_BODY), 1
    options.push()
    assert opt.flags["contact_force"] and opt.label == 1 and opt.geomgroup[3]
    opt.flags["joint"], opt.frame = True, "World"
    options.pull()
    assert options.struct.flags[ours.mjtVisFlag.mjVIS_JOINT] == 1 and options.struct.frame == int(ours.mjtFrame.mjFRAME_WORLD) and options.struct.flags[ours.mjtVisFlag.mjVIS_CONTACTFORCE] == 1


def test_geoms_of_the_official_scene_as_ours():
    scene, mine = ours.MjvScene(None, 5), UserScene(100)
    T = ours.mjtGeom
    for i, (kind, size) in enumerate(((T.mjGEOM_CAPSULE, (0.1, 0.1, 0.5)), (T.mjGEOM_BOX, (0.1, 0.2, 0.3)), (T.mjGEOM_ARROW, (0.01, 0.01, 2)))):
        geom = scene.geoms[i]
        geom.type, geom.size[:], geom.pos[:] = int(kind), size, (i, 0, 0)
    scene.geoms[1].label = "crate"
    scene.ngeom = 3
    viewer.Geoms(scene, mine).push()
    assert mine.ngeom == 3 and mine.type[:3].tolist() == [3, 6, 100] and mine.labels == {1: "crate"}
    np.testing.assert_allclose(mine.size[0, :2], (0.1, 0.5))        # radius, half length
    np.testing.assert_allclose(mine.size[1:3], ((0.1, 0.2, 0.3), (0.01, 0.01, 2)), rtol=1e-6)
    scene.ngeom = 0
    viewer.Geoms(scene, mine).push()
    assert mine.ngeom == 0 and not mine.labels


def test_a_mesh_of_the_model_is_drawn_by_its_number():
    m = linkwork.load_string('<mujoco><asset><mesh name="k" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"/></asset><worldbody><geom type="mesh" mesh="k"/></worldbody></mujoco>')
    scene = UserScene(10, model=m)
    geom = scene.add(linkwork.GeomType.MESH, pos=(0, 0, 1))
    geom.dataid = 1
    (method, (vertices, faces), options), = scene.news()["geoms"]
    assert method == "mesh" and vertices.shape == (4, 3) and faces.max() == 3 and options["pos"].tolist() == [[0, 0, 1]]


def test_a_figure_becomes_a_chart():
    figure = ours.MjvFigure()
    figure.title, figure.flg_extend = "reward", 0
    figure.range[0], figure.range[1] = (0, 4), (1, 0)      # of y: what there is
    figure.linepnt[2] = 2
    figure.linedata[2, :4] = 0, 5, 1, 7
    figure.linename[2] = "mean"
    drawn = chart(figure)
    assert drawn.title == "reward" and drawn.ranges() == ((0.0, 4.0), (5.0, 7.0)) and [(line.name, line.points.tolist()) for line in drawn.lines] == [("mean", [[0, 5], [1, 7]])]


def test_what_the_mouse_does_is_in_the_official_struct():
    hand = SimpleNamespace(select=3, active=1, localpos=np.ones(3), refpos=np.full(3, 2.0), refquat=np.array([0, 1, 0, 0.0]), refselpos=np.full(3, 4.0))
    pert = ours.MjvPerturb()
    viewer.put_perturb(hand, pert)
    assert (pert.select, pert.active, pert.refpos.tolist()) == (3, 1, [2, 2, 2])
    hand.active = 0
    viewer.put_perturb(hand, pert)
    assert pert.active == 0
