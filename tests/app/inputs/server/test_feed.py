"""Poses, geometry and pictures as they reach clients, from a run."""
import asyncio
import gc
import gzip
import io
import math
import struct
import time
import weakref
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

import physics
from app.inputs.hub import Hub
from app.inputs.mapping.drive_mapping import DriveMapping, Mapping
from app.inputs.mapping.scene_frame import SceneFrame
from app.inputs.server import frames
from app.inputs.server.broadcast import Broadcast
from app.inputs.server.feed import Feed, jpeg_of
from app.inputs.server.pictures import PictureMaker
from app.inputs.server.source import WebSource
from physics.runtime import commands
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation
from tests.app.inputs.server.visiting import PATIENCE, serving, until, visiting

MODEL = """<mujoco><worldbody><camera name="top" pos="0 0 2"/><body name="target" mocap="true" pos="0 0 1"><geom size=".1" contype="0" conaffinity="0"/><site name="grip"/></body></worldbody></mujoco>"""


def moment(m, number: int, x: float = 0.0):
    """What a Feed needs of a Snapshot."""
    pos, quat = np.zeros((m.nbody, 3)), np.zeros((m.nbody, 4))
    pos[:, 0], quat[:, 0] = x, 1
    return SimpleNamespace(model=m, revision=m.revision, number=number, time=0.1 * number, xpos=pos, xquat=quat)


def head(frame: bytes) -> tuple:
    """kind, generation, bodies, lamp, step, time, seq."""
    return frames.HEAD.unpack(frame[:frames.HEAD.size])


@pytest.fixture(scope="module")
def model():
    return physics.load_string(MODEL)


def test_geometry_comes_once_and_then_poses(tmp_path, model):
    """To who was there before and to who comes later, though nothing is published any more."""
    async def look(server):
        feed = Feed(server)
        async with visiting(server) as first:
            feed.publish(moment(model, 1, 0.5), lamp="armed")
            geometry = await first.frame(frames.GEOMETRY)
            poses = await first.frame(frames.POSES)
            assert gzip.decompress(geometry[16:]).startswith(b"LWG1") and head(poses)[:6] == (frames.POSES, struct.unpack_from("<I", geometry, 4)[0], model.nbody, 1, 1, 0.1)
            assert np.allclose(np.frombuffer(poses, "<f4", offset=40).reshape(-1, 7), [[0.5, 0, 0, 1, 0, 0, 0]] * model.nbody)
            async with visiting(server, watch=True) as second:
                assert await second.frame(frames.GEOMETRY) == geometry and head(await second.frame(frames.POSES))[4] == 1
                other = physics.load_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
                feed.publish(moment(other, 2))
                assert await second.frame(frames.GEOMETRY) != geometry and head(await second.frame(frames.POSES))[2] == 1

    with serving(tmp_path) as server:
        asyncio.run(look(server))


def test_who_comes_first_finds_what_was_published_before(tmp_path, model):
    async def look(server):
        Feed(server).publish(moment(model, 7))
        async with visiting(server) as visit:
            await visit.frame(frames.GEOMETRY)
            assert head(await visit.frame(frames.POSES))[4] == 7

    with serving(tmp_path) as server:
        asyncio.run(look(server))


def test_poses_are_no_more_than_their_rate_and_end_with_the_newest(tmp_path, model):
    async def look(server):
        feed, got = Feed(server), []
        async with visiting(server) as visit:
            feed.publish(moment(model, 0))
            await visit.frame(frames.GEOMETRY)
            began = time.perf_counter()
            for number in range(1, 2001):
                feed.publish(moment(model, number))
            while not got or got[-1] != 2000:
                got.append(head(await visit.frame(frames.POSES))[4])
            assert len(got) <= 75 * (time.perf_counter() - began) + 3 and got == sorted(got)

    with serving(tmp_path) as server:
        asyncio.run(look(server))


def test_the_number_of_the_newest_message_is_the_clients_own(tmp_path, model):
    """Whoever controlled before."""
    async def look(server):
        feed = Feed(server)
        for _ in range(2):
            async with visiting(server) as visit:
                before = len(server.samples)
                sent = [await visit.send("pose", source="right") for _ in range(3)]
                await until(lambda n=before: len(server.samples) == n + 3)
                feed.publish(moment(model, 1), applied=server.samples[-1].seq)
                while (seq := head(await visit.frame(frames.POSES))[6]) != sent[-1]:
                    assert seq < 0      # of the one before
            await until(lambda: not server.room.present)

    with serving(tmp_path) as server:
        asyncio.run(look(server))


def test_pictures_come_on_request_one_at_a_time(tmp_path, model):
    """The next is drawn when the one before was seen: what was seen is never old, and who does not answer costs nothing."""
    drawn = []

    def draw(camera):
        drawn.append(camera)
        return np.full((48, 64, 3), (200, 10, 10), np.uint8)

    async def look(server, feed):
        async with visiting(server) as visit:
            feed.publish(moment(model, 1))
            await visit.frame(frames.GEOMETRY)
            assert not drawn
            await visit.send("camera", camera="top")
            first = await visit.frame(frames.PICTURE)
            _kind, number, camera, _none = struct.unpack_from("<IIII", first)
            picture = np.asarray(Image.open(io.BytesIO(first[16:])))
            assert camera == 0 and picture.shape == (48, 64, 3) and np.abs(picture.astype(int) - (200, 10, 10)).max() < 12
            await until(lambda: not feed.due("top"))
            made = len(drawn)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):      # 20 turns of the maker
                    await visit.frame(frames.PICTURE)
            assert len(drawn) <= made + 1       # one may have been begun before the first was sent
            await visit.send("seen", number=number)
            assert struct.unpack_from("<I", await visit.frame(frames.PICTURE), 4)[0] > number
            await visit.send("camera", camera="")
            await until(lambda: not feed.wanted)

    with serving(tmp_path) as server:
        feed = Feed(server)
        maker = PictureMaker(feed, draw, rate=200.0)
        try:
            asyncio.run(look(server, feed))
        finally:
            maker.stop()
    assert set(drawn) == {"top"}


def test_where_hands_have_brought_the_scene_is_told_to_all(tmp_path, model):
    async def look(server):
        feed = Feed(server)
        async with visiting(server) as visit:
            feed.publish(moment(model, 1))
            await visit.frame(frames.GEOMETRY)
            feed.publish(moment(model, 2), scene=SceneFrame(2.0, 0.5, (0.1, 0.2, 0.3)))
            while (told := await visit.heard("scene"))["scale"] != 2.0:
                assert told["scale"] == 1.0
            assert told["yaw"] == 0.5 and told["pos"] == [0.1, 0.2, 0.3]
            async with visiting(server, watch=True) as second:
                assert (await second.heard("scene"))["scale"] == 2.0

    with serving(tmp_path) as server:
        asyncio.run(look(server))


def test_no_model_is_kept_for_a_page(tmp_path):
    """Neither while nobody looks, nor after somebody did."""
    async def look(server, feed):
        models = [physics.load_string(MODEL), physics.load_string(MODEL)]
        kept = [weakref.ref(m) for m in models]
        feed.publish(moment(models.pop(), 1))
        await until(lambda: (gc.collect(), kept[1]() is None)[1])
        async with visiting(server) as visit:
            feed.publish(moment(models[0], 2))
            await visit.frame(frames.GEOMETRY)
            await visit.frame(frames.POSES)
            models.clear()
            await until(lambda: (gc.collect(), kept[0]() is None)[1])

    with serving(tmp_path) as server:
        feed = Feed(server)
        asyncio.run(look(server, feed))


def test_what_draws_pictures_is_put_away_when_nobody_looks(tmp_path, model):
    rested = []

    async def look(server, feed):
        async with visiting(server) as visit:
            feed.publish(moment(model, 1))
            await visit.frame(frames.GEOMETRY)
            await visit.send("camera", camera="top")
            await visit.frame(frames.PICTURE)
            before = len(rested)
            await visit.send("camera", camera="")
            await until(lambda: len(rested) == before + 1)

    with serving(tmp_path) as server:
        feed = Feed(server)
        maker = PictureMaker(feed, lambda camera: np.zeros((8, 8, 3), np.uint8), rate=200.0, rest=lambda: rested.append(1))
        try:
            asyncio.run(look(server, feed))
        finally:
            maker.stop()


def test_a_picture_is_jpeg():
    assert jpeg_of(np.zeros((4, 4, 3), np.uint8)).startswith(b"\xff\xd8")


def test_a_hand_moves_a_model_and_is_shown_that_it_did(tmp_path, model):
    """From the socket through the hub, the physics thread and back; a socket that is cut leaves the target where it is, and the lamp tells."""
    physics.ensure_kernels()
    runner = Runner(Simulation(ready=True))
    runner.start()
    hub, source = Hub(runner, measure=True), WebSource("xr", port=0, folder=tmp_path)
    runner.send(commands.SwapModel(model, run=True))
    hub.start()
    hub.configure(Mapping((DriveMapping("hand", "xr:right", "mocap", mocap="target", frame="world", clutch="squeeze"),)))
    hub.add(source)
    broadcast = Broadcast(hub, source)

    async def drive():
        async with visiting(source.server) as visit:
            await visit.frame(frames.GEOMETRY)
            hub.arm()
            x = 0.0
            async with asyncio.timeout(PATIENCE):
                while True:
                    x = min(x + 0.005, 0.2) if hub.states[0].following else x
                    sent = await visit.send("pose", source="right", p=[x, 0, 1], q=[1, 0, 0, 0], buttons={"squeeze": True})
                    frame = await visit.frame(frames.POSES)
                    kind = head(frame)
                    place = np.frombuffer(frame, "<f4", offset=40).reshape(-1, 7)[1, 0]
                    if x == 0.2 and abs(place - 0.2) < 0.005 and kind[3] == frames.LAMPS["armed"] and 0 < kind[6] <= sent:
                        return

    try:
        asyncio.run(drive())
        deadline = time.perf_counter() + PATIENCE
        while hub.states[0].lamp != "lost" and time.perf_counter() < deadline:
            time.sleep(0.01)
        assert hub.states[0].lamp == "lost" and math.isclose(hub.states[0].target.pos[0], 0.2, abs_tol=0.005)
    finally:
        broadcast.stop()
        hub.stop()
        runner.stop()
    assert source.state == "off"
