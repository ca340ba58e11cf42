"""The process that makes a film: the same pictures as in this one, and an end in order however it comes."""
import io
import os
import pickle
import signal
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import physics
from app.bridge.options import VisOptions
from app.bridge.view import default_camera
from app.film.formats import FilmError
from app.film.offscreen_renderer import OffscreenRenderer, Texts
from app.film.pipe import receive, send
from app.film.plan import FilmPlan
from app.film.process import ROOM, FilmProcess
from app.film.worker import make_film
from assets.locate import bundled_model
from physics.runtime.snapshot import Snapshot
from render.quality import QUALITIES
from tests.app.film.pendulum import PENDULUM, decode

SIZE = (160, 120)
SHOWN = """<mujoco><option wind="0 0 0"/><asset><texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="64" height="64"/>
<texture type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 0" width="64" height="384"/>
<material name="m" texture="t" reflectance=".3"/><mesh name="k" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale=".3 .3 .3"/>
<hfield name="h" nrow="3" ncol="3" size=".5 .5 .1 .1" elevation="0 1 0 1 0 1 0 1 0"/></asset>
<worldbody><light pos="0 0 3"/><geom type="plane" size="2 2 .1" material="m"/><geom type="hfield" hfield="h" pos="-1 0 0"/>
<body name="one" pos="0 0 .5"><freejoint/><geom type="mesh" mesh="k" rgba="0 1 0 1"/><geom size=".1" pos=".3 0 0"/><site name="s" pos=".2 0 .2"/></body></worldbody></mujoco>"""


def snapshot_of(m, steps=0):
    d = physics.Data(m)
    physics.ensure_kernels()
    physics.step(m, d, steps) if steps else None
    physics.forward(m, d)
    snapshot = Snapshot(m, d, 1)
    snapshot.copy_from(d)
    return snapshot


def wait_for(condition, seconds=30.0):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    assert condition()


def sent(process, frame_states, back=lambda _s: None):
    """Send (snapshot, options, camera) as a window does: when there is room."""
    for moment in frame_states:
        wait_for(lambda: not process.full or process.over)
        process.add(*moment, back)


@pytest.mark.parametrize("source", [SHOWN, "humanoid.xml"])
@pytest.mark.parametrize("look", ["classic", "physical"])
def test_pictures_are_the_same_as_in_this_process(tmp_path, source, look):
    m = physics.load_string(source) if "<" in source else physics.load(bundled_model(source))
    options = VisOptions(look=look, label="Body", frame="World")
    for name in ("contact_point", "contact_force", "inertia", "body_trail", "linear_velocity"):
        options.toggle(name)
    frame_states, given = [(snapshot_of(m, steps), options, default_camera(m)) for steps in (0, 40, 80)], []
    with_fewer = replace(options, flags={**options.flags, "skin": False, "inertia": False}, label="None")
    frame_states[2] = frame_states[2][0], with_fewer, frame_states[2][2]
    process = FilmProcess()
    process.begin(FilmPlan(tmp_path / "f_%d.png", SIZE), "low")
    sent(process, frame_states, given.append)
    process.end()
    assert process.join(60) and process.error is None and process.written == process.drawn == 3
    assert given == [moment[0] for moment in frame_states]
    renderer = OffscreenRenderer(QUALITIES["low"])
    for k, (snapshot, choice, camera) in enumerate(frame_states):
        here = renderer.shot(snapshot, choice, camera, SIZE, Texts())
        there = np.asarray(Image.open(tmp_path / f"f_{k}.png"))
        assert there.std() > 10 and (there == here).all()
    renderer.close()


def test_options_of_physics_and_other_models_follow(tmp_path):
    """Gravity turns the weight's arrow; a swapped model is another picture."""
    m, other = physics.load_string(SHOWN.replace('pos="0 0 .5"', 'pos="0 0 .5" gravcomp="1"')), physics.load_string(PENDULUM)
    options = VisOptions()
    options.toggle("gravity_compensation")
    first = snapshot_of(m)
    process = FilmProcess()
    process.begin(FilmPlan(tmp_path / "f_%d.png", SIZE), "low")
    copied = []
    sent(process, [(first, options, default_camera(m))], copied.append)
    wait_for(lambda: copied)
    m.opt_gravity[:] = 5, 0, 0
    sent(process, [(first, options, default_camera(m)), (snapshot_of(other), options, default_camera(other))])
    process.end()
    assert process.join(60) and process.error is None
    pictures = [np.asarray(Image.open(tmp_path / f"f_{k}.png")).astype(int) for k in range(3)]
    assert np.abs(pictures[0] - pictures[1]).max() > 60 and np.abs(pictures[1] - pictures[2]).mean() > 5


def test_only_so_many_frame_states_are_on_their_way(tmp_path):
    m = physics.load_string(PENDULUM)
    process = FilmProcess()
    process.begin(FilmPlan(tmp_path / "film.mp4", SIZE), "lowest")
    for _ in range(ROOM):
        assert not process.full
        process.add(snapshot_of(m), VisOptions(), default_camera(m), lambda _s: None)
    assert process.full or process.drawn
    wait_for(lambda: process.drawn == ROOM)
    assert not process.full
    process.abandon()
    assert process.join(30) and process.error is None and not list(tmp_path.iterdir())


@pytest.mark.parametrize(("plan", "words"), [
    (FilmPlan(Path("no/film.mp4"), SIZE), "No such file or directory"), (FilmPlan(Path("film.mp4"), SIZE, codec="h999"), "h999: there is no such encoder"),
    (FilmPlan(Path("film.mp4"), (40000, 10)), "40000 x 10")])
def test_errors_come_back_by_name(tmp_path, plan, words):
    m = physics.load_string(PENDULUM)
    process = FilmProcess()
    process.begin(replace(plan, path=tmp_path / plan.path), "lowest")
    process.add(snapshot_of(m), VisOptions(), default_camera(m), lambda _s: None)
    process.end()
    assert process.join(30) and words in str(process.error) and not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals there")
@pytest.mark.parametrize(("kind", "kept"), [(signal.SIGKILL, False), (signal.SIGTERM, True), (signal.SIGINT, None)])
def test_signals_to_the_process(tmp_path, kind, kept):
    """A killed one leaves nothing, an ended one what there is; Ctrl+C is the window's affair."""
    m = physics.load_string(PENDULUM)
    process = FilmProcess()
    process.begin(FilmPlan(tmp_path / "film.mp4", SIZE), "lowest")
    sent(process, [(snapshot_of(m), VisOptions(), default_camera(m))] * 4)
    wait_for(lambda: process.drawn == 4)
    os.kill(process.pid, kind)
    if kept is None:
        time.sleep(0.1)
        assert not process.over
        process.end()
    assert process.join(30)
    assert [p.name for p in tmp_path.iterdir()] == ([] if kept is False else ["film.mp4"])
    if kept is False:
        assert "the process that draws it ended" in str(process.error)
    else:
        assert process.error is None and len(decode(tmp_path / "film.mp4")[0]) == 4


def test_one_that_hangs_is_ended(tmp_path):
    process = FilmProcess()
    process.begin(FilmPlan(tmp_path / "film.mp4", SIZE), "lowest")
    assert not process.join(0.1) and process.over and "ended" in str(process.error) and not list(tmp_path.iterdir())


def test_one_that_is_not_wanted_ends(tmp_path):
    process = FilmProcess()
    process.dismiss()
    assert process.join(30) and process.error is None


DYING = """
import os, sys, time
from pathlib import Path
import physics
from app.bridge.options import VisOptions
from app.bridge.view import default_camera
from app.film.plan import FilmPlan
from app.film.process import FilmProcess
from tests.app.film.pendulum import PENDULUM
from tests.app.film.test_process import snapshot_of
m = physics.load_string(PENDULUM)
process = FilmProcess()
process.begin(FilmPlan(Path(sys.argv[1]), (64, 48)), "lowest")
for _ in range(3):
    process.add(snapshot_of(m), VisOptions(), default_camera(m), lambda _s: None)
while process.drawn < 3:
    time.sleep(.01)
print(process.pid, flush=True)
os.kill(os.getpid(), 9)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals there")
def test_it_ends_with_the_window_and_the_film_is_whole(tmp_path):
    out = tmp_path / "film.mp4"
    window = subprocess.run([sys.executable, "-c", DYING, str(out)], capture_output=True, text=True, timeout=60)
    assert window.returncode == -9, window.stderr
    wait_for(out.exists)
    assert len(decode(out)[0]) == 3

    def gone():
        try:
            return "Z" in Path(f"/proc/{int(window.stdout)}/stat").read_text().split(")")[1]
        except OSError:
            return True
    if Path("/proc/self").exists():
        wait_for(gone)
    assert [p.name for p in tmp_path.iterdir()] == ["film.mp4"]


class Broken:
    """A renderer that cannot draw."""

    def shot(self, *_):
        raise ZeroDivisionError("a pass is broken")

    def close(self):
        pass


def test_a_picture_that_cannot_be_drawn_ends_the_film(tmp_path):
    m = physics.load_string(PENDULUM)
    pipe, told = io.BytesIO(), []
    look = pickle.dumps((VisOptions(), default_camera(m)))
    for message in ((FilmPlan(tmp_path / "film.mp4", SIZE), None), ("model", m), ("frame", snapshot_of(m), {}, look), ("end",)):
        send(pipe, message)
    pipe.seek(0)
    make_film(pipe, lambda *words: told.append(words), lambda _quality: Broken())
    assert len(told) == 1 and told[0][0] == "failed" and "film.mp4: the film was given up: ZeroDivisionError: a pass is broken" in told[0][1]
    assert not list(tmp_path.iterdir())


def test_objects_through_a_pipe():
    pipe = io.BytesIO()
    things = [{"small": np.arange(5), "large": np.random.default_rng(0).random((300, 100)), "word": "ä"}, ("end",)]
    for thing in things:
        send(pipe, thing)
    pipe.seek(0)
    first, second = receive(pipe), receive(pipe)
    assert (first["large"] == things[0]["large"]).all() and (first["small"] == np.arange(5)).all() and second == ("end",)
    first["large"][0] = 1       # may be written to
    with pytest.raises(EOFError):
        receive(pipe)


def test_what_cannot_be_sent_gives_the_film_up(tmp_path):
    m = physics.load_string(PENDULUM)
    snapshot = snapshot_of(m)
    snapshot.thing = lambda: 0
    process = FilmProcess()
    process.begin(FilmPlan(tmp_path / "film.mp4", SIZE), "lowest")
    process.add(snapshot, VisOptions(), default_camera(m), lambda _s: None)
    assert process._over.wait(30) and isinstance(process.error, FilmError) and "given up" in str(process.error)


def test_a_snapshot_travels_without_its_model():
    m = physics.load(bundled_model("heap.xml"))
    snapshot = snapshot_of(m, 200)
    there = pickle.loads(pickle.dumps(snapshot, 5))
    assert there.model is None and there.ncon == snapshot.ncon > 0
    for name in ("qpos", "contact_pos", "contact_force", "efc_force", "geom_xpos"):
        assert (getattr(there, name) == getattr(snapshot, name)).all()
    assert Fraction(there.time) == Fraction(snapshot.time)
