"""linkwork teleop with a page: says how to get there, takes motions, and has pictures of the model's cameras made."""
import asyncio
import io
import re
import threading

import numpy as np
import pytest
from PIL import Image

import physics
from app import headless
from app.headless import teleop
from app.film.camera_pictures import CameraPictures
from app.inputs.server import frames, source
from physics.runtime import commands
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation
from tests.app.inputs.server.visiting import until, visiting

MODEL = """<mujoco><worldbody><light pos="0 0 3"/><camera name="front" pos="0 -2 1" euler="90 0 0"/><camera pos="0 0 3"/>
<body name="target" mocap="true" pos="0 0 1"><geom size=".3" rgba="1 0 0 1" contype="0" conaffinity="0"/></body></worldbody></mujoco>"""


@pytest.fixture
def model(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(source.WebSource, "__init__", _noted(source.WebSource.__init__, made, tmp_path))
    (tmp_path / "m.xml").write_text(MODEL)
    return tmp_path / "m.xml", made


def _noted(init, made, folder):
    def wrapped(self, *arguments, **more):
        init(self, *arguments, **more, folder=folder / "certificate")
        made.append(self)
    return wrapped


def test_a_client_moves_the_model_and_sees_it_by_a_camera(model, monkeypatch, capsys):
    path, made = model
    status, over = [], threading.Event()
    monkeypatch.setattr(teleop, "_wait", lambda *_: over.wait())
    thread = threading.Thread(target=lambda: status.append(headless.main(["teleop", str(path), "--source", "xr:right", "--port", "0"])))

    async def come():
        await until(lambda: made and made[0].server is not None and made[0].server.alive and made[0].feed is not None)
        async with visiting(made[0].server) as visit:
            await visit.frame(frames.GEOMETRY)
            await visit.send("camera", camera="front")
            picture = np.asarray(Image.open(io.BytesIO((await visit.frame(frames.PICTURE))[16:])))
            middle = picture[picture.shape[0] // 2, picture.shape[1] // 2].astype(int)
            assert middle[0] > 2 * middle[1]
            x = 0.0
            while True:
                x = min(x + 0.01, 0.5)
                await visit.send("pose", source="right", p=[x, 0, 0], q=[1, 0, 0, 0], buttons={"squeeze": True})
                moved = np.frombuffer(await visit.frame(frames.POSES), "<f4", offset=40).reshape(-1, 7)[1, 0]
                if moved > 0.1:
                    return

    thread.start()
    try:
        asyncio.run(come())
    finally:
        over.set()
        thread.join()
    assert status == [0] and made[0].state == "off"
    told = capsys.readouterr().err
    assert re.search(r"https://127\.0\.0\.1:\d+/#[\w-]{22}", told) and "certificate SHA-256" in told and "\u2588" in told


def test_pictures_are_of_the_camera_that_is_named():
    runner = Runner(Simulation(ready=True))
    runner.start()
    pictures = CameraPictures(runner, (64, 48))
    try:
        assert pictures("front") is None
        runner.send(commands.SwapModel(physics.load_string(MODEL)))
        asyncio.run(until(lambda: pictures("front") is not None))
        assert pictures("front").shape == (48, 64, 3) and not np.array_equal(pictures("front"), pictures("camera 1")) and pictures("back") is None
    finally:
        pictures.close()
        runner.stop()
