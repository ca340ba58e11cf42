"""What the page's server costs: `python -m benchmarks.teleop_page [--model FILE] [--seconds S] [--json FILE]`.

A client in a process of its own, over HTTPS on loopback, sends a hand of 25 joints 72 times a second. Told are the time from a message to the poses that hold its effect [ms], median and 95th percentile, what
reading one message costs [us], and the same time, the simulation's pace and the processor share of the server's thread while another process sends junk as fast as it can, connecting anew each time it is let go.
Aims: message to state back 15 / 30 ms, pace unchanged under junk.
"""
from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import resource
import tempfile
import time
from math import cos, sin
from pathlib import Path

import physics
from app.inputs.hub import Hub
from app.inputs.latency import spread
from app.inputs.mapping.drive_mapping import DriveMapping, Limits, Mapping
from app.inputs.protocol.decode import decode
from app.inputs.protocol.encode import encode
from app.inputs.server import frames
from app.inputs.server.broadcast import Broadcast
from app.inputs.server.source import WebSource
from assets.locate import bundled_model
from benchmarks.measuring import cpu_seconds, machine_load, seconds_by_thread
from physics.runtime import commands
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation

RATE = 72.0         # messages a second of the hand
THREAD = "teleoperation server"


def hand_at(t: float) -> list:
    """A pinched right hand that goes round in a circle of 5 cm."""
    rows = [[0.4 + 0.05 * cos(2 * t) + 0.001 * i, 0.05 * sin(2 * t), 1.0 + 0.002 * i, 1.0, 0.0, 0.0, 0.0] for i in range(25)]
    rows[4][:3] = rows[9][:3]
    return rows


async def _connected(session, origin: str, token: str):
    import aiohttp

    socket = await session.ws_connect(f"{origin}/socket", headers={"Origin": origin}, max_msg_size=0)
    await socket.send_str(encode("hello", 0, 1e3 * time.perf_counter(), token=token))
    while True:
        message = await socket.receive()
        if message.type not in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY):
            return None
        if message.type == aiohttp.WSMsgType.TEXT and json.loads(message.data)["kind"] == "welcome":
            return socket


async def _until_closed(socket) -> None:
    async for _message in socket:
        pass


def drive(origin: str, token: str, found, go, over) -> None:
    """A process: sends the hand and puts the times until its effect came back [s]."""
    import aiohttp

    async def run():
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=False)) as session:
            socket = await _connected(session, origin, token)
            sent, waited = {}, []

            async def listen():
                newest = -1
                async for message in socket:
                    if message.type == aiohttp.WSMsgType.BINARY and message.data[0] == frames.POSES:
                        seq = int(frames.HEAD.unpack(message.data[:frames.HEAD.size])[6])
                        if seq > newest and seq in sent:
                            newest = seq
                            waited.append((time.perf_counter(), time.perf_counter() - sent[seq]))

            listening = asyncio.ensure_future(listen())
            go.set()
            seq, due = 1, time.perf_counter()
            while not over.is_set():
                sent[seq] = time.perf_counter()
                await socket.send_str(encode("hand", seq, 1e3 * sent[seq], side="right", joints=hand_at(sent[seq])))
                seq, due = seq + 1, due + 1 / RATE
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
            listening.cancel()
            found.put(waited)

    asyncio.run(run())


def flood(origin: str, token: str, found, go, over) -> None:
    """A process: junk as fast as the server takes it; how many messages, and how often it was let go."""
    import aiohttp

    async def run():
        sent = closed = 0
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=False)) as session:
            go.set()
            while not over.is_set():
                try:
                    socket = await _connected(session, origin, token)
                    ended = asyncio.ensure_future(_until_closed(socket))
                    seq = 1
                    while not ended.done() and not over.is_set():
                        await socket.send_str(encode("pose", seq, 0.0, source="junk"))
                        sent, seq = sent + 1, seq + 1
                        if seq % 50 == 0:
                            await asyncio.sleep(0)      # hear that it is closed
                except (aiohttp.ClientError, OSError, AttributeError):
                    pass
                closed += 1
        found.put((sent, closed))

    asyncio.run(run())


class Other:
    """One of these processes."""

    def __init__(self, run, source: WebSource):
        context = multiprocessing.get_context("spawn")
        self.found, go, self._over = context.Queue(), context.Event(), context.Event()
        self._process = context.Process(target=run, args=(source.server.pairing.origin, source.server.pairing.token, self.found, go, self._over), daemon=True)
        self._process.start()
        go.wait(60)

    def stop(self):
        self._over.set()
        found = self.found.get(timeout=60)
        self._process.join(20)
        return found


def phase(runner: Runner, seconds: float) -> dict:
    """The pace of the simulation and what the server's thread takes, while that passes."""
    busy, began, simulated, number = seconds_by_thread()[THREAD], time.perf_counter(), runner.published.time, runner.acquire().number
    time.sleep(seconds)
    passed = time.perf_counter() - began
    return {"began": began, "ended": began + passed, "simulated_per_s": (runner.published.time - simulated) / passed, "published_per_s": (runner.acquire().number - number) / passed,
            "server_share": (seconds_by_thread()[THREAD] - busy) / passed, "peak_kB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}


def reading_us() -> dict:
    """What one message costs to read [us]."""
    kinds = {"pose": encode("pose", 1, 1.0, source="right", p=[1, 2, 3], q=[1, 0, 0, 0], axes={"trigger": 0.1}, buttons={"a": True}), "hand": encode("hand", 1, 1.0, side="right", joints=hand_at(1.0)),
             "junk": "{" * 500}
    return {name: 1e6 * cpu_seconds(lambda text=text.encode(): [_read(text) for _ in range(300)]) / 300 for name, text in kinds.items()}


def _read(text: bytes) -> None:
    try:
        decode(text)
    except ValueError:
        pass


def measure(path: Path, seconds: float) -> dict:
    """All figures of one model."""
    runner = Runner(Simulation(ready=True))
    runner.start()
    m = physics.load(path)
    runner.send(commands.SwapModel(m, run=True))
    with tempfile.TemporaryDirectory() as folder:
        hub, source = Hub(runner, measure=True), WebSource("xr", port=0, folder=Path(folder))
        hub.start()
        hub.configure(Mapping((DriveMapping("hand", "xr:right", "mocap", mocap=m.names["body"][int(m.body_mocapid.argmax())], frame="world", clutch="pinch", limits=Limits(speed=2.0)),)))
        hub.add(source)
        broadcast, driving = Broadcast(hub, source), Other(drive, source)
        hub.arm()
        try:
            time.sleep(2.0)
            alone = phase(runner, seconds)
            junk = Other(flood, source)
            noisy = phase(runner, seconds)
            sent, closed = junk.stop()
            waited = driving.stop()
        finally:
            broadcast.stop()
            hub.stop()
            runner.stop()
    for part in (alone, noisy):
        times = spread([late for at, late in waited if part["began"] <= at < part["ended"]])
        part["message_to_state_ms"] = {"p50": 1e3 * times.p50, "p95": 1e3 * times.p95, "count": times.count}
    return {"model": path.stem, "alone": alone, "junk": noisy | {"sent_per_s": sent / seconds, "let_go": closed}, "reading_us": reading_us(), "load": machine_load()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, default=bundled_model("mocap_paddle.xml"))
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    physics.ensure_kernels()
    found = measure(chosen.model, chosen.seconds)
    print(json.dumps(found, indent=1))
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
