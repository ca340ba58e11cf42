"""Teleoperation in the real window: `xvfb-run -a python -m benchmarks.teleop_window [--only NAME ...] [--model FILE] [--seconds S] [--repeats N] [--json FILE]`

Each row in a process of its own, the window 1400x900 in the workspace Teleoperate with the model's cameras in the view.

junk: another process sends junk to the page's server, 10,000 messages a second over three sockets that are opened anew each time they are let go: a third of it well formed and too much, the rest
no messages at all. Told are, with the page served and nobody there,
with junk, and while the same process does the same to a server of its own, which shows what the busy machine alone costs: frame_ms, the intervals between pictures; stall_*, gaps between turns of the
GUI thread's event loop; simulated_per_s, the pace; server_share, of a core, of the server's thread. Aim: junk as elsewhere.

pad: a stick of SDL's virtual pad is pushed until a picture is painted whose state shows the motion [ms], median and 95th percentile of the repeats; frame_ms beside it, for no picture comes earlier than the
next. Aims: 25 / 45 ms where frames allow. without_cameras: the same with none of the model's cameras in the view.
"""
from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import MappingProxyType

import numpy as np

from app.inputs.protocol.encode import encode
from assets.locate import bundled_model
from benchmarks.latency import seconds_until_seen
from benchmarks.measuring import machine_load, seconds_by_thread
from benchmarks.real_window import RealWindow
from benchmarks.turns import Turns

RATE, SOCKETS = 10_000.0, 3     # junk messages a second; sockets that they come by
BURST_S, AGAIN_S, WELCOME_S = 0.005, 0.1, 2.0       # s between two bursts; until a socket that was let go is opened anew; that it waits to be let in
SETTLE, PATIENCE = 4.0, 20.0
PAUSE = (0.4, 0.7)      # s between two pushes
FULL, LEFT_Y = 32767, 1     # of SDL's axes; away from the person is negative
SEEN = 1e-5             # m that a thing must have moved
AIMS = MappingProxyType({"p50": 25.0, "p95": 45.0})
THREAD = "teleoperation server"
NOT_CONTROLLED = '{"v":1,"seq":%d,"t":%.1f,"kind":"pose","source":"junk","p":[0,0,0],"q":[1,0,0,0]}'     # by no drive; more than a client may send
JUNK = ("{" * 200, '{"v": 1, "seq": 1, "t": 0, "kind": "pose", "source": "right", "p": [NaN, 0, 0], "q": [0, 0, 0, 0]}', "[" * 64, '{"v": 1, "seq": -5, "kind": "no such kind"}')


def shown(model: Path) -> RealWindow:
    """A window in the workspace with a model that runs."""
    window = RealWindow()
    window.open(model)
    window.application.window.workspaces.choose("teleoperate")
    window.run(SETTLE)
    return window


def spread(values) -> dict:
    """Of milliseconds."""
    return {"p50": round(float(np.percentile(values, 50)), 2), "p95": round(float(np.percentile(values, 95)), 2), "max": round(float(np.max(values)), 2), "count": len(values)}


# ------------------------------------------------------------------ junk

async def _swallow(request):
    """Take everything."""
    from aiohttp import web

    socket = web.WebSocketResponse(compress=False)
    await socket.prepare(request)
    await _until_closed(socket)
    return socket


async def _served() -> str:
    """A server of this process; its address."""
    from aiohttp import web

    application = web.Application()
    application.router.add_get("/socket", _swallow)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    return f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"


async def _until_closed(socket) -> None:
    async for _message in socket:
        pass


async def _welcome(socket) -> None:
    while "welcome" not in await socket.receive_str():
        pass


class Sender:
    """One socket of junk, opened anew each time it is let go. token: of the page, None at a server that asks for none; valid: well-formed messages."""

    def __init__(self, at: str, token: str | None, valid: bool, over):
        self._at, self._token, self._valid, self._over = at, token, valid, over
        self.sent = self.let_go = 0

    async def run(self, session) -> None:
        import aiohttp

        self._began = time.perf_counter()
        while not self._over.is_set():
            socket = None
            try:
                socket = await session.ws_connect(f"{self._at}/socket", headers={"Origin": self._at}, max_msg_size=0)
                await self._send(socket)
            except (aiohttp.ClientError, OSError, RuntimeError, TypeError):     # the last: something else than a text came
                pass
            finally:
                if socket is not None:
                    socket._response.close()        # without taking leave
            self.let_go += 1
            await asyncio.sleep(AGAIN_S)

    async def _send(self, socket) -> None:
        if self._token is not None:
            await socket.send_str(encode("hello", 0, 1e3 * time.perf_counter(), token=self._token, name="junk"))
            await asyncio.wait_for(_welcome(socket), WELCOME_S)
        seq, ended = 0, asyncio.ensure_future(_until_closed(socket))
        while not ended.done() and not self._over.is_set():
            owed = min(int((time.perf_counter() - self._began) * RATE / SOCKETS) - self.sent, round(RATE / SOCKETS))     # what could not be sent is made up for
            for k in range(owed):
                seq += 1
                await socket.send_str(NOT_CONTROLLED % (seq, 1e3 * time.perf_counter()) if self._valid else JUNK[k % len(JUNK)])
                self.sent += 1
            await asyncio.sleep(BURST_S)


def flood(origin: str, token: str, own: bool, found, go, over) -> None:
    """A process: how many messages were sent, how often a socket was let go, and what it took of a core. own: to a server in this process, which takes everything."""
    import aiohttp

    async def run():
        at = await _served() if own else origin
        senders = [Sender(at, None if own else token, k == 0, over) for k in range(SOCKETS)]
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=False)) as session:
            go.set()
            began, busy = time.perf_counter(), time.process_time()
            await asyncio.gather(*(sender.run(session) for sender in senders))
            passed = time.perf_counter() - began
        found.put({"sent_per_s": sum(one.sent for one in senders) / passed, "let_go_per_s": sum(one.let_go for one in senders) / passed,
                   "flood_share": (time.process_time() - busy) / passed})

    asyncio.run(run())


class Flood:
    """That process."""

    def __init__(self, server, own: bool):
        context = multiprocessing.get_context("spawn")
        self._found, go, self._over = context.Queue(), context.Event(), context.Event()
        self._process = context.Process(target=flood, args=(server.pairing.origin, server.pairing.token, own, self._found, go, self._over), daemon=True)
        self._process.start()
        go.wait(60)

    def stop(self) -> dict:
        self._over.set()
        found = self._found.get(timeout=60)
        self._process.join(20)
        return found


def junk_phase(window: RealWindow, seconds: float) -> dict:
    """The window's frames and the pace for a while."""
    application = window.application
    window.run(1.0)
    window.viewport.frame_times = pictures = []
    turns, busy, began, simulated = Turns(), seconds_by_thread()[THREAD], time.perf_counter(), application.client.snapshot.time
    window.run(seconds)
    passed = time.perf_counter() - began
    window.viewport.frame_times = None
    found = {"frame_ms": spread(1e3 * np.diff(pictures)), **{name: round(value, 1) for name, value in turns.figures().items()}}
    found |= {"simulated_per_s": (application.client.snapshot.time - simulated) / passed, "server_share": (seconds_by_thread()[THREAD] - busy) / passed, "level": window.picture.level}
    turns.end()
    return found


def junk(model: Path, seconds: float, _repeats: int) -> dict:
    """The row of junk."""
    window = shown(model)
    control = window.application.teleoperation
    control.visited.connect(lambda _visitor, answer: answer(True))
    control.serve(port=0)
    server = control.page.server
    found = {"model": model.stem, "alone": junk_phase(window, seconds)}
    for name, own in (("elsewhere", True), ("junk", False)):
        flooding = Flood(server, own)
        found[name] = junk_phase(window, seconds)
        found[name] |= flooding.stop()
    found["counted"] = dict(server.room.counts)
    found["again"] = junk_phase(window, seconds)
    window.close()
    return found


# ------------------------------------------------------------------ pad

def pad(model: Path, _seconds: float, repeats: int) -> dict:
    """The row of the pad."""
    from app.inputs.mapping.drive_mapping import Limits
    from app.inputs.mapping.proposals import propose
    from tests.app.inputs.sources.virtual_pad import VirtualPad

    window = shown(model)
    application, control = window.application, window.application.teleoperation
    m = application.context.model
    one = next(one for one in propose(m, "pad:0").drives if one.kind == "mocap")
    for drive in control.mapping.drives:
        control.remove(drive.name)
    name = control.add(one)
    control.change(name, clutch="always", limits=Limits(speed=0.5))
    if not control.listen("pad:0"):
        raise RuntimeError("no SDL")
    source = control.hub.sources["pad:0"]
    virtual = VirtualPad(source)
    virtual.plug()
    window.run(PATIENCE, lambda: source.found)
    control.arm()
    application.window.activateWindow()
    window.run(1.0)
    control.hub.focus = True        # also where no window manager gives it
    body, sign = m.id("body", one.mocap), [1]

    def push(_k: int):
        before = np.array(application.context.snapshot.xpos[body])
        sign[0] = -sign[0]
        virtual.move(LEFT_Y, sign[0] * FULL)
        return lambda picture: np.abs(np.array(picture.snapshot.xpos[body]) - before).max() > SEEN

    def times() -> list[float]:
        found = []
        for k in range(-2, repeats):
            seconds = seconds_until_seen(window, "pad", PAUSE, lambda k=k: push(k))
            virtual.move(LEFT_Y, 0)
            if k >= 0:
                found.append(1e3 * seconds)
        return found

    def phase() -> dict:
        control.hub.latency.rows.clear()
        window.viewport.frame_times = pictures = []
        waited = times()
        window.viewport.frame_times = None
        frames = 1e3 * np.diff(pictures)
        return {"pad_to_window_ms": spread(waited), "frame_ms": spread(frames), "level": window.picture.level,
                "parts_ms": {part: {"p50": round(1e3 * of.p50, 3), "p95": round(1e3 * of.p95, 3)} for part, of in control.latency().items()}}

    found = {"model": model.stem, "aim_ms": dict(AIMS), "cameras": len(window.viewport.insets.cameras), **phase()}
    window.viewport.insets.choose([])
    window.run(SETTLE)
    found["without_cameras"] = phase()
    window.close()
    return found


ROWS = MappingProxyType({"junk": junk, "pad": pad})


def row(name: str, chosen) -> dict:
    """One, in a process of its own. Raises RuntimeError where that fails."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.teleop_window", "--measure", name, "--model", str(chosen.model), "--seconds", str(chosen.seconds), "--repeats", str(chosen.repeats)]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LINKWORK_STATE": folder, "XDG_DATA_HOME": folder})
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr[-3000:]}")
    return {"name": name, **json.loads(done.stdout.splitlines()[-1]), "load": machine_load()}


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=tuple(ROWS), default=tuple(ROWS))
    parser.add_argument("--model", type=Path, default=bundled_model("two_arms.xml"))
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--repeats", type=int, default=30)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--measure", choices=tuple(ROWS), help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.measure:
        print(json.dumps(ROWS[chosen.measure](chosen.model, chosen.seconds, chosen.repeats)))
        return 0
    rows = []
    for name in chosen.only:
        rows.append(row(name, chosen))
        print(json.dumps(rows[-1], indent=1), flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps({"rows": rows}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
