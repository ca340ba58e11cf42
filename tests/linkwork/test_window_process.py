"""The window as a process of its own: it opens, shows the state, closes from either side, and neither side takes the other along."""
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import linkwork

MODEL = """<mujoco model="drop"><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/><global azimuth="90" elevation="0"/></visual>
  <worldbody><geom name="floor" type="plane" size="5 5 .1" rgba="0 0 1 1"/>
  <body name="box" pos="0 0 1"><freejoint/><geom name="box" type="box" size=".5 .5 .5" rgba="1 0 0 1"/></body></worldbody>
  <statistic center="0 0 1" extent="2"/></mujoco>"""
PATIENCE = 30.0


@pytest.fixture
def made():
    m = linkwork.load_string(MODEL)
    d = linkwork.Data(m)
    linkwork.forward(m, d)
    return m, d


def wait(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def red(picture):
    pixels = picture.array.astype(int)
    return int(((pixels[:, :, 0] > 150) & (pixels[:, :, 1] < 80)).sum())


def alive(pid):
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def test_it_shows_the_state_of_the_script_and_is_closed_by_it(made):
    m, d = made
    with linkwork.launch_passive(m, d, show_left_ui=False, show_right_ui=False) as viewer:
        pid = viewer.pid
        assert viewer.is_running() and alive(pid)
        linkwork.step(m, d, 10)
        viewer.sync()
        wait(lambda: viewer.figures()["time"] == d.time)
        seen = viewer.figures()
        np.testing.assert_array_equal(seen["qpos"], d.qpos)
        assert "drop" in seen["title"]
        wait(lambda: red(viewer.picture()) > 500)
        m.geom("box").rgba = (0, 1, 0, 1)
        viewer.sync()
        wait(lambda: red(viewer.picture()) == 0)
    assert not viewer.is_running()
    wait(lambda: viewer._process._process.poll() is not None)
    assert viewer._process._process.returncode == 0
    viewer.sync()   # nothing
    viewer.close()


def test_the_script_outlives_a_window_that_is_killed(made, capfd):
    m, d = made
    viewer = linkwork.launch_passive(m, d)
    os.kill(viewer.pid, signal.SIGKILL)
    steps = 0
    end = time.monotonic() + PATIENCE
    while viewer.is_running():
        linkwork.step(m, d)
        viewer.sync()
        steps += 1
        assert time.monotonic() < end
    viewer.sync()
    assert "ended unexpectedly" in capfd.readouterr().err and d.time == pytest.approx(steps * m.opt.timestep)
    with pytest.raises(RuntimeError, match="closed"):
        viewer.picture()


def test_several_windows_at_once_and_from_any_thread(made):
    import threading

    m, d = made
    found = []
    threads = [threading.Thread(target=lambda: found.append(linkwork.launch_passive(m, d))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 2 and found[0].pid != found[1].pid
    d.qpos[2] = 2
    linkwork.forward(m, d)
    for viewer in found:
        viewer.sync()
        wait(lambda viewer=viewer: viewer.figures()["qpos"][2] == 2)
    for viewer in found:
        viewer.close()


def test_a_window_closes_with_a_script_that_is_killed(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(f"import time, linkwork\nm = linkwork.load_string('''{MODEL}''')\nd = linkwork.Data(m)\nviewer = linkwork.launch_passive(m, d)\n"
                      "print(viewer.pid, viewer.figures()['title'], flush=True)\ntime.sleep(100)\n")
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)})
    pid, title = process.stdout.readline().split(maxsplit=1)
    assert "(script.py)" in title and alive(int(pid))
    process.kill()
    process.wait()
    wait(lambda: not alive(int(pid)))


def test_a_script_that_ends_leaves_no_window(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(f"import linkwork\nm = linkwork.load_string('''{MODEL}''')\nviewer = linkwork.launch_passive(m, linkwork.Data(m))\n"
                      "print(viewer.pid, flush=True)\n")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}, timeout=60)
    assert done.returncode == 0 and "Traceback" not in done.stderr and "Fatal" not in done.stderr
    wait(lambda: not alive(int(done.stdout)))


def test_without_a_display_it_says_so(made, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    if not sys.platform.startswith("linux"):
        pytest.skip("there is always a display")
    with pytest.raises(linkwork.WindowError, match="no display"):
        linkwork.launch_passive(*made)


def test_wrong_arguments_open_nothing(made):
    m, _d = made
    with pytest.raises(ValueError, match="another Model"):
        linkwork.launch_passive(m, linkwork.Data(linkwork.load_string(MODEL)))
    with pytest.raises(TypeError):
        linkwork.launch_passive("arm.xml", None)
    with pytest.raises(FileNotFoundError, match="nothing.xml"):
        linkwork.launch("nothing.xml")
    with pytest.raises(TypeError, match="path or MJCF text"):
        linkwork.launch(3)
