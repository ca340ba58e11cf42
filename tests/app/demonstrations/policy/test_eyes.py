"""Policies that see: pictures of cameras in states, as asked for, and nothing that waits for them."""
import base64
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import physics
from app.demonstrations.policy import eyes as module
from app.demonstrations.policy import link
from app.demonstrations.policy.eyes import Eyes, Wanted
from app.demonstrations.policy.eyes_process import packed
from app.demonstrations.policy.policy import SAID, Phase
from app.inputs.protocol.decode import decode
from app.inputs.protocol.refused import Refused
from linkwork.policy import Picture
from physics.runtime import commands as c
from tests.app.demonstrations.live import Live
from tests.app.demonstrations.policy.programs import HEAD, importable
from tests.app.demonstrations.policy.test_policy import Driven

ROOT = Path(__file__).parents[4]
MODEL = """<mujoco model="looker"><option gravity="0 0 0" integrator="implicitfast"/><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual><worldbody>
<body name="head" pos="0 0 1"><joint name="pan" axis="0 0 1" damping=".1"/><geom size=".1" mass="2" rgba="0 0 1 1" contype="0" conaffinity="0" group="4"/><camera name="front" pos="0 0 0" xyaxes="0 -1 0 0 0 1" fovy="60"/>
<camera name="up" pos="0 0 0" xyaxes="0 -1 0 -1 0 0"/></body>
<geom name="ball" type="sphere" size=".25" pos="1.9 {side} 1" rgba="1 0 0 1"/></worldbody><actuator><position name="pan" joint="pan" kp="4" kv="1"/></actuator></mujoco>"""


@pytest.fixture
def driven(tmp_path, monkeypatch):
    importable(monkeypatch)
    monkeypatch.setattr(link, "GRACE", 0.3)
    made = Driven(tmp_path)
    yield made
    made.close()


def looker(driven, side: float = 0.6) -> None:
    driven.runner.send(c.SwapModel(physics.load_string(MODEL.format(side=side)), run=True))
    driven.runner.send(c.SetSpeed(1.0))
    driven.wait(lambda: driven.runner.published is not None)


def example() -> str:
    """The program of docs/demonstrations.md that sees."""
    return next(block for block in re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "demonstrations.md").read_text(), re.DOTALL) if "state.picture" in block)


@pytest.mark.parametrize("side", [0.6, -0.6])
def test_the_example_of_the_page_turns_to_what_it_sees(driven, side):
    looker(driven, side)
    policy = driven.start(example())
    driven.wait(lambda: abs(driven.data("qpos")[0] - np.arctan2(side, 1.9)) < 0.05)
    assert policy.phase is Phase.RUNNING and policy.wrong == 0 and policy.problem == ""


@pytest.mark.parametrize("form", ["jpeg", "png", "rgb"])
def test_each_format_has_its_size_and_its_colours(driven, form):
    looker(driven, 0.0)
    driven.start(HEAD.replace("run, serve", "Camera, run, serve") + f"""
def act(state):
    picture = state.picture("front")
    if picture is None:
        return None
    rgb = picture.array()
    assert rgb.shape == (30, 40, 3), rgb.shape
    return {{"pan": 0.25 if rgb[15, 20, 0] > 200 and rgb[15, 20, 1:].max() < 50 and picture.time <= state.time and picture.number > 0 else -0.25}}

run(act, cameras={{"front": Camera(40, 30, 20.0, "{form}"), "free": Camera(16, 16)}})
""")
    driven.wait(lambda: abs(driven.data("ctrl")[0]) == 0.25)       # over the first half second it goes there smoothly
    assert driven.data("ctrl")[0] == 0.25


def test_what_is_asked_wrongly_is_refused_and_the_rest_goes_on(driven):
    looker(driven)
    policy = driven.start(HEAD.replace("run, serve", "Camera, run, serve") + "run(lambda state: {'pan': 0.1}, cameras={'fromt': Camera()})")
    driven.wait(lambda: policy.wrong and driven.data("ctrl")[0] == 0.1)
    assert "'fromt'" in policy.reason and "front" in policy.reason


@pytest.mark.parametrize("cameras", [{"a": {"width": 4}}, {"a": {"width": 5000}}, {"a": {"rate": 0}}, {"a": {"rate": 1000}}, {"a": {"format": "bmp"}}, {"a": {"depth": 1}}, {"a": 3}, [1], {str(k): {} for k in range(5)}], ids=str)
def test_sizes_rates_and_formats_are_bounded(cameras):
    with pytest.raises(Refused):
        decode(json.dumps({"v": 1, "seq": 1, "t": 0, "kind": "cameras", "cameras": cameras}), SAID)


def test_pages_cannot_ask_for_them():
    with pytest.raises(Refused):
        decode(json.dumps({"v": 1, "seq": 1, "t": 0, "kind": "cameras", "cameras": {"a": {}}}))


def test_pictures_are_of_the_moment_and_no_more_than_were_asked_for():
    live = Live()
    runner = live.runner
    runner.send(c.SwapModel(physics.load_string(MODEL.format(side=0.0))))
    live.wait(lambda: runner.published is not None)
    eyes = Eyes(runner, runner.add_reader())
    try:
        taken = []
        eyes.ask({"front": Wanted(32, 24, 10.0, "rgb")})
        live.wait(lambda: taken.extend(eyes.take().values()) or taken)
        runner.send(c.Step(45))         # 0.09 s: no picture is due
        live.wait(lambda: runner.published.time > 0.085)
        runner.send(c.Step(30))
        live.wait(lambda: taken.extend(eyes.take().values()) or len(taken) > 1)
        assert [one.number for one in taken] == [1, 2] and taken[0].time == 0.0 and 0.0999 <= taken[1].time <= 0.151
        assert all(len(one.data) == 32 * 24 * 3 for one in taken) and not eyes.failed
        eyes.ask({})
        assert eyes.take() == {}
    finally:
        eyes.close()
        live.close()


def test_who_cannot_draw_goes_on_without(driven, monkeypatch):
    def broken(*_):
        raise RuntimeError("no OpenGL here")

    monkeypatch.setattr(module.Eyes, "_draw", broken)
    looker(driven)
    policy = driven.start(HEAD.replace("run, serve", "Camera, run, serve") + "run(lambda state: {'pan': 0.1}, cameras={'front': Camera()})")
    driven.wait(lambda: "no OpenGL here" in policy.problem and driven.data("ctrl")[0] == 0.1)
    assert policy.phase is Phase.RUNNING


def test_a_process_that_is_killed_is_told_and_gone(driven):
    looker(driven)
    policy = driven.start(HEAD.replace("run, serve", "Camera, run, serve") + "run(lambda state: {'pan': 0.1}, cameras={'front': Camera()})")
    driven.wait(lambda: policy._eyes is not None and policy._eyes._number > 0)
    process = policy._eyes._artist._process
    process.kill()
    driven.wait(lambda: "has ended" in policy.problem)
    assert policy.phase is Phase.RUNNING
    policy.close()
    assert process.poll() is not None and not policy._eyes._thread.is_alive()


def test_packed_pictures_are_what_they_were():
    rgb = np.random.default_rng(0).integers(0, 255, (20, 30, 3), np.uint8)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(packed(rgb, "png")))), rgb) and Image.open(io.BytesIO(packed(rgb, "jpeg"))).size == (30, 20)
    assert np.array_equal(Picture(1, 0.0, 30, 20, "rgb", base64.b64decode(base64.b64encode(packed(rgb, "rgb")))).array(), rgb)
