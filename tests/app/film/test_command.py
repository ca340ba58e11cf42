"""linkwork render to films: what was written is decoded and judged by where the pendulum's bob is."""
import json
import os
import signal
import subprocess
import sys
import time

import av
import numpy as np
import pytest
from PIL import Image

from app import headless
from tests.app.film.pendulum import PENDULUM, angle_seen, angles, decode

WILD = """<mujoco><option timestep="0.01" integrator="RK4"/>
<worldbody><body><joint name="spring" type="slide" stiffness="-1e4"/><geom size=".1"/></body></worldbody>
<keyframe><key qpos="0.1"/></keyframe></mujoco>"""
MOVING = """<mujoco><option gravity="0 0 0"/><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>
<worldbody><camera name="still" pos="0 -4 0" xyaxes="1 0 0 0 0 1"/><camera name="aimed" pos="0 -4 0" mode="targetbody" target="ball"/>
<body name="ball"><joint type="slide" axis="1 0 0"/><geom size=".2" rgba="1 0 0 1"/><camera name="along" pos="0 -4 0" xyaxes="1 0 0 0 0 1" mode="track"/>
<camera name="com" pos="0 -4 0" xyaxes="1 0 0 0 0 1" mode="trackcom"/></body></worldbody><keyframe><key qvel="1"/></keyframe></mujoco>"""
SMALL = ("--size", "160x120", "--quality", "lowest", "--camera", "side", "--key", "out")


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "pendulum.xml"
    path.write_text(PENDULUM)
    return str(path)


def run(capsys, *arguments):
    code = headless.main(["render", *map(str, arguments)])
    return (code, *capsys.readouterr())


@pytest.mark.parametrize(("duration", "fps", "speed", "count"), [(1.0, "20", 1.0, 20), (0.5, "24000/1001", 0.5, 24), (2.0, "7", 2.0, 7)])
def test_each_frame_shows_its_time(model, tmp_path, capsys, duration, fps, speed, count):
    out = tmp_path / "film.mp4"
    code, text, progress = run(capsys, model, "-o", out, *SMALL, "--duration", duration, "--fps", fps, "--speed", speed, "--json")
    told = json.loads(text)
    assert code == 0 and told["frames"] == told["wanted"] == count and told["size"] == [160, 120]
    pictures, times, rate, length = decode(out)
    assert len(pictures) == count and float(rate) == pytest.approx(told["fps"]) and length == pytest.approx(count / told["fps"], abs=1 / told["fps"])
    assert np.allclose(times, np.arange(count) / told["fps"], atol=1e-3)
    seen = np.array([angle_seen(p) for p in pictures])
    assert np.abs(seen - angles(times * speed)).max() < 0.02       # half a pixel of the bob's path
    assert np.ptp(seen) > 0.5
    assert "100 %" in progress and f"frame {count} of {count}" in progress


def test_numbered_pictures_start_after_a_time_and_may_be_transparent(model, tmp_path, capsys):
    code, text, _ = run(capsys, model, "-o", tmp_path / "frames" / "f_%04d.png", *SMALL, "--time", ".4", "--duration", ".5", "--fps", "10", "--transparent")
    assert code == 0 and "5 frames" in text
    pictures = [np.asarray(Image.open(tmp_path / "frames" / f"f_{k:04d}.png")) for k in range(5)]
    assert len(list((tmp_path / "frames").iterdir())) == 5 and all(p.shape == (120, 160, 4) for p in pictures)
    assert np.abs([angle_seen(p) for p in pictures] - angles(0.4 + np.arange(5) / 10)).max() < 0.02
    red = (pictures[0][..., 0] > 200) & (pictures[0][..., 2] < 50)
    assert red.sum() > 80 and (pictures[0][..., 3][red] == 255).mean() > 0.8 and pictures[0][0, 0, 3] == 0


def test_odd_sizes_captions_and_slow_motion_beyond_the_step(model, tmp_path, capsys):
    out = tmp_path / "film.mp4"
    code, text, _ = run(capsys, model, "-o", out, *SMALL, "--size", "161x119", "--duration", ".008", "--fps", "50", "--speed", "0.02", "--caption")
    assert code == 0 and "even" in text
    pictures = decode(out)[0]
    assert pictures.shape == (20, 120, 162, 3)       # 2.5 ms per frame film on steps of 2 ms: states repeat
    corner = pictures[0][-16:, :60].astype(int)
    assert (corner.min(axis=2) > 200).sum() > 20      # white letters


def test_what_is_wrong_is_reported(model, tmp_path, capsys):
    for arguments, code, words in (
        (("film.xyz", "--duration", "1"), 2, "films are .mp4"), (("film.png", "--duration", "1"), 2, "no duration"),
        (("film.jpg", "--transparent"), 2, "transparent"), (("film.mp4", "--transparent"), 2, "transparent"),
        (("no/film.mp4", "--duration", ".1"), 1, "No such file"), (("film.mp4", "--duration", ".1", "--codec", "h999"), 1, "h999"),
        (("film.png", "--size", "32768x32768"), 2, "32768 x 32768"),
    ):
        got, _, err = run(capsys, model, "-o", tmp_path / arguments[0], *SMALL, *arguments[1:])
        assert got == code and words in err, (arguments, err)
    assert [p.name for p in tmp_path.iterdir()] == ["pendulum.xml"]
    for bad in (("--fps", "0"), ("--speed", "0"), ("--duration", "-1"), ("--encoding", "x")):
        with pytest.raises(SystemExit) as stop:
            headless.main(["render", model, "-o", "x.mp4", *bad])
        assert stop.value.code == 2


def test_a_film_of_what_diverges_ends_there(tmp_path, capsys):
    (tmp_path / "wild.xml").write_text(WILD)
    out = tmp_path / "film.mp4"
    code, text, _ = run(capsys, tmp_path / "wild.xml", "-o", out, "--size", "64x48", "--quality", "lowest", "--key", "0", "--duration", "5", "--fps", "20", "--json")
    told = json.loads(text)
    assert code == 3 and "diverged" in told["trouble"] and 1 <= told["frames"] < 100 and len(decode(out)[0]) == told["frames"]


@pytest.mark.parametrize(("camera", "still"), [("still", False), ("along", True), ("com", True), ("aimed", True), ("3", True)])
def test_cameras_follow_in_every_frame(tmp_path, capsys, camera, still):
    (tmp_path / "moving.xml").write_text(MOVING)
    code, _, _ = run(capsys, tmp_path / "moving.xml", "-o", tmp_path / "f_%d.png", *SMALL[:4], "--key", 0, "--camera", camera, "--duration", 1, "--fps", 5)
    columns = [np.nonzero(np.asarray(Image.open(tmp_path / f"f_{k}.png")).astype(int)[..., 0] > 150)[1].mean() + 0.5 - 80 for k in range(5)]
    assert code == 0 and (np.abs(columns) < 1.5).all() == still
    assert still or np.allclose(np.diff(columns), 0.2 / 4 * 60 / np.tan(np.radians(22.5)), atol=1.5)     # 0.2 m a frame at 4 m


@pytest.mark.parametrize(("speed", "duration"), [(0.1, 0.1), (10.0, 10.0)])
def test_slow_and_quick_motion(model, tmp_path, capsys, speed, duration):
    out = tmp_path / "film.mov"
    code, _, _ = run(capsys, model, "-o", out, *SMALL, "--speed", speed, "--duration", duration, "--fps", "12")
    pictures, times, _, _ = decode(out)
    assert code == 0 and len(pictures) == 12
    assert np.abs([angle_seen(p) for p in pictures] - angles(times * speed)).max() < 0.02


def test_one_frame_at_the_rate_of_television(model, tmp_path, capsys):
    code, text, progress = run(capsys, model, "-o", tmp_path / "film.mp4", *SMALL, "--duration", "1e-6", "--fps", "59.94", "--json")
    told = json.loads(text)
    pictures, _, rate, _ = decode(tmp_path / "film.mp4")
    assert code == 0 and told["frames"] == len(pictures) == 1 and float(rate) == pytest.approx(60000 / 1001) and "100 %" in progress


def test_a_video_with_a_transparent_background(model, tmp_path, capsys):
    code, _, _ = run(capsys, model, "-o", tmp_path / "film.mov", *SMALL, "--duration", ".2", "--fps", "10", "--transparent")
    with av.open(str(tmp_path / "film.mov")) as film:
        picture = next(film.decode(video=0)).reformat(format="rgba", src_colorspace="ITU709").to_ndarray()
    assert code == 0 and picture[0, 0, 3] == 0 and picture[..., 3].max() == 255 and angle_seen(picture) == pytest.approx(1, abs=0.02)


def film_under_way(model, out, *more):
    """A command that makes a long film, when it has begun."""
    film = subprocess.Popen([sys.executable, "-m", "app.main", "render", model, "-o", str(out), *SMALL, "--duration", "1000", "--fps", "100", "--json", *more],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert "frame 1 of" in film.stderr.readline()
    time.sleep(0.5)
    return film


def test_a_second_ctrl_c_gives_the_film_up(model, tmp_path):
    film = film_under_way(model, tmp_path / "film.webm", "--size", "1280x720", "--encoding", "best", "--codec", "libsvtav1")    # takes long to end
    os.kill(film.pid, signal.SIGINT)
    time.sleep(0.1)
    os.kill(film.pid, signal.SIGINT)
    text, errors = film.communicate(timeout=60)
    assert film.returncode == 130 and "Traceback" not in errors
    if not (tmp_path / "film.webm").exists():      # else it was complete before
        assert "stopped before there was a film" in text
    assert {p.name for p in tmp_path.iterdir()} <= {"film.webm", "pendulum.xml"}


@pytest.mark.parametrize("kind", [signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGTERM)])
def test_ctrl_c_and_kill_leave_a_playable_film(model, tmp_path, kind):
    out = tmp_path / "film.mp4"
    film = film_under_way(model, out)
    os.kill(film.pid, kind)
    text, _ = film.communicate(timeout=60)
    told = json.loads(text)
    assert film.returncode == 130 and told["trouble"] and len(decode(out)[0]) == told["frames"] > 0
    assert sorted(p.name for p in tmp_path.iterdir()) == ["film.mp4", "pendulum.xml"]
