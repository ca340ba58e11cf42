"""Loops of public examples of the official viewer, with our module: the README's, one whose keys pause it, and one that draws."""
import threading
import time

import numpy as np
import pytest

import linkwork

MODEL = """<mujoco model="balls"><worldbody><light pos="0 0 3"/><geom name="floor" type="plane" size="5 5 .1"/>
  <body name="a" pos="0 0 .2"><freejoint/><geom size=".1"/></body><body name="b" pos=".5 0 .2"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


@pytest.fixture
def made():
    m = linkwork.load_string(MODEL)
    return m, linkwork.Data(m)


def seen(viewer):
    return viewer.figures()


def test_the_loop_of_the_readme(made):
    m, d = made
    with linkwork.launch_passive(m, d) as viewer:
        start = time.time()
        while viewer.is_running() and time.time() - start < 1:
            step_start = time.time()
            linkwork.step(m, d)
            with viewer.lock():
                viewer.opt.flags[linkwork.VisFlag.CONTACT_POINT] = int(d.time % 2)
            viewer.sync()
            time_until_next_step = m.opt.timestep - (time.time() - step_start)
            if time_until_next_step > 0:
                time.sleep(time_until_next_step)
        last = d.time
        end = time.monotonic() + 30
        while seen(viewer)["time"] != last:
            assert time.monotonic() < end
            time.sleep(0.01)
        assert last > 0.05 and seen(viewer)["ncon"] == d.ncon


def test_a_loop_that_a_key_pauses(made):
    m, d = made
    paused, called = False, threading.Event()

    def key_callback(keycode):
        if chr(keycode) == " ":
            nonlocal paused
            paused = not paused
            called.set()

    with linkwork.launch_passive(m, d, key_callback=key_callback) as viewer:
        end = time.monotonic() + 60
        asked = False
        while viewer.is_running() and time.monotonic() < end:
            if not paused:
                linkwork.step(m, d)
                viewer.sync()
            if d.time > 0.1 and not asked:
                viewer._process._take(("key", 32))      # as the window tells it; tests/app/passive presses the key
                asked = True
                assert called.wait(30) and paused
                at = d.time
            elif paused and called.is_set():
                called.clear()
                viewer._process._take(("key", 32))
                assert called.wait(30)
            elif asked and d.time > at + 0.1:
                break
        assert d.time > at + 0.1 and not paused


def test_a_loop_that_draws_its_contacts(made):
    m, d = made
    with linkwork.launch_passive(m, d) as viewer:
        while viewer.is_running() and not d.ncon:
            linkwork.step(m, d)
        viewer.user_scn.ngeom = 0
        i = 0
        for contact in d.contact:
            linkwork.init_geom(viewer.user_scn.geoms[i], type=linkwork.GeomType.SPHERE, size=[0.02, 0, 0], pos=contact.pos, mat=np.eye(3).flatten(), rgba=np.array([1, 0, 0, 1]))
            i += 1
        viewer.user_scn.ngeom = i
        viewer.user_scn.arrow(d.contact[0].pos, d.contact[0].pos + (0, 0, 0.5), rgba=(0, 1, 0), lifetime=5.0, name="force")
        viewer.sync()
        time.sleep(0.1)
        viewer.sync()
        assert i == d.ncon >= 1 and not [text for level, text in seen(viewer)["log"] if level == "error"]
