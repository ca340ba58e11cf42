"""A headset, emulated in Chromium: pairs, enters VR, moves a model by its hand and by a controller, feels a pulse, is cut off. Nothing of it was tried with a real headset."""
import asyncio
import os
import statistics
import time

import numpy as np
import pytest

import physics
from app.inputs.hub import Hub
from app.inputs.mapping.drive_mapping import DriveMapping, Limits, Mapping
from app.inputs.mapping.scene_frame import SceneFrame
from app.inputs.server.broadcast import Broadcast
from app.inputs.server.pictures import PictureMaker
from app.inputs.server.source import WebSource
from physics.runtime import commands
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation
from tests.app.inputs.chromium import browser, emulator, opened
from tests.app.inputs.server.visiting import until

MODEL = """<mujoco><statistic extent="1" center="0 0 1"/><worldbody><camera name="wrist" pos="0 0 2"/><light pos="0 0 3"/><geom type="plane" size="0 0 .1"/>
<body name="target" mocap="true" pos=".4 0 1"><geom type="capsule" size=".03 .1" contype="0" conaffinity="0"/><site name="grip"/></body></worldbody></mujoco>"""
NEAR = 0.005        # m
SOON = 0.150        # s, in a median, on a machine that has a processor for the browser
STEPS, GIVEN_UP = 9, 2.0      # s


@pytest.fixture
def run(tmp_path):
    """A running model with a server, its hub and a drive of the right hand."""
    browser(), emulator()
    physics.ensure_kernels()
    runner = Runner(Simulation(ready=True))
    runner.start()
    runner.send(commands.SwapModel(physics.load_string(MODEL), run=True))
    hub, source = Hub(runner, measure=True), WebSource("xr", port=0, folder=tmp_path / "certificate")
    hub.start()
    hub.configure(Mapping((DriveMapping("hand", "xr:right", "mocap", mocap="target", frame="world", clutch="pinch", limits=Limits(speed=5.0, turn=20.0)),)))
    hub.add(source)
    broadcast = Broadcast(hub, source)
    yield hub, source
    broadcast.stop()
    hub.stop()
    runner.stop()


def site(hub) -> np.ndarray:
    """Where the site is now [m]."""
    return np.array(hub.runner.acquire().site_xpos[0])


async def entered(page, source) -> None:
    """From the address of the QR code to a session that is drawn."""
    await page.do("Page.navigate", url=source.address)
    await page.until("document.readyState === 'complete' && !document.getElementById('xr').hidden")
    await page.js("document.getElementById('xr').click()")
    await page.until("document.getElementById('state')?.textContent.startsWith('You control') && !document.getElementById('vr').hidden")
    await page.js("device.position.set(0, 1.6, 0); device.hands.right.position.set(0.2, 1.2, -0.4); document.getElementById('vr').click()")
    await page.until("window.session && session.inputSources.length > 0")


async def pinched(page, hub) -> None:
    """The right hand holds the target; anew where the browser had no processor for so long that the drive was lost."""
    hub.arm()
    for _ in range(20):
        if hub.states[0].following:
            return
        await page.js("device.hands.right.updatePinchValue(0)")
        await sampled(hub)
        await page.js("device.hands.right.updatePinchValue(1)")
        await sampled(hub)
    raise AssertionError(f"never follows: {hub.states}")


async def sampled(hub, count: int = 8) -> None:
    """Wait for some more samples of the right hand."""
    slot = hub.inbox.counts().get("xr:right")
    wanted = count + (slot.taken if slot else 0)
    await until(lambda: "xr:right" in hub.inbox.counts() and hub.inbox.counts()["xr:right"].taken >= wanted)


async def stepped(page, hub) -> list[float]:
    """The hand goes to and fro along its three axes; seconds until the site was there each time. In the model forward is the headset's -z, left its -x, up its y.

    A browser that got no processor for 150 ms has let the drive hold, which takes the hand anew from where it is then: such a step is not counted."""
    waited, hand = [], np.array([0.2, 1.2, -0.4])
    for k in range(4 * STEPS):
        axis, way = k % 3, 0.03 if k // 3 % 2 == 0 else -0.03
        wanted = site(hub) + way * np.array([(0, -1, 0), (0, 0, 1), (-1, 0, 0)])[axis]
        hand[axis] += way
        began = time.perf_counter()
        await page.js(f"device.hands.right.position.set({hand[0]}, {hand[1]}, {hand[2]})")
        while (late := time.perf_counter() - began) < GIVEN_UP:
            if np.linalg.norm(site(hub) - wanted) < NEAR:
                waited.append(late)
                break
            await asyncio.sleep(0.002)
        await pinched(page, hub)
        if len(waited) == STEPS:
            break
    return waited


def test_a_hand_in_a_headset_moves_a_model(run, tmp_path, record_property):
    hub, source = run

    async def drive():
        async with opened(tmp_path / "browser", tmp_path / "certificate" / "certificate.pem") as page:
            await entered(page, source)
            await pinched(page, hub)
            hub.latency.rows.clear()
            waited = await stepped(page, hub)
            assert len(waited) == STEPS
            parts = ", ".join(f"{part} {1e3 * one.p50:.0f}/{1e3 * one.p95:.0f}" for part, one in hub.latency.spread().items())
            await page.js("window.counted = 0; window.since = performance.now(); (function again() { counted += 1; if (counted < 20) session.requestAnimationFrame(again); else since = performance.now() - since; })()")
            await page.until("counted >= 20")
            parts += f"; a frame of the page {await page.js('since') / 20:.0f} ms"
            shown = await page.until("(document.getElementById('state').textContent.match(/armed.* (\\d+) ms/) || [])[1]")
            await page.until("document.getElementById('overlay').dataset.lamp === 'armed'")
            assert await page.js("window.errors") == []
            await page.js("device.hands.right.updatePinchValue(0)")
            await sampled(hub)
            still = site(hub)
            await page.js("device.hands.right.position.set(0.5, 1.5, -0.6)")
            await sampled(hub)
            assert np.linalg.norm(site(hub) - still) < 1e-9     # an open hand moves nothing
            return waited, float(shown), parts

    waited, shown, parts = asyncio.run(drive())
    median = statistics.median(waited)
    record_property("median_s", median)
    print(f"site within {1e3 * NEAR:g} mm after {1e3 * median:.0f} ms (median of {len(waited)}, load {os.getloadavg()[0]:.1f}); the page tells {shown:.0f} ms from message to state; parts p50/p95 [ms]: {parts}")
    if os.getloadavg()[0] < (os.cpu_count() or 1):      # else the browser waits for a processor
        assert median < SOON


SEEN = """window.seen = []; { const set = WebGL2RenderingContext.prototype.uniformMatrix4fv;
WebGL2RenderingContext.prototype.uniformMatrix4fv = function (at, turned, m) { if (m[15] === 1) window.seen = [...m]; return set.call(this, at, turned, m); }; }"""    # the matrix by which the model is seen


def test_the_picture_goes_with_the_scene_that_both_hands_have_moved(run, tmp_path):
    hub, source = run

    async def look():
        async with opened(tmp_path / "browser", tmp_path / "certificate" / "certificate.pem") as page:
            await entered(page, source)
            await page.js(SEEN)
            before = np.array(await page.until("seen.length && Math.abs(Math.hypot(seen[0], seen[1], seen[2]) - 1) < 1e-3 && seen"))
            hub.scene_frame = lambda _source: SceneFrame(2.0, 0.5, (0.0, 0.0, 0.0))
            after = np.array(await page.until("Math.abs(Math.hypot(seen[0], seen[1], seen[2]) - 0.5) < 1e-3 && seen"))
            assert 2 * after[:3] @ before[:3] == pytest.approx(np.cos(0.5), abs=1e-3) and 2 * after[8:11] == pytest.approx(before[8:11], abs=1e-3)      # upright as before
            assert await page.js("window.errors") == []

    asyncio.run(look())


def test_a_controller_feels_pulses_and_sees_pictures_and_a_cut_socket_holds(run, tmp_path):
    hub, source = run
    maker = PictureMaker(source.feed, lambda _camera: np.full((48, 64, 3), 90, np.uint8))
    events = []
    hub.on_event.append(lambda _source, name: events.append(name))

    async def drive():
        async with opened(tmp_path / "browser", tmp_path / "certificate" / "certificate.pem") as page:
            await entered(page, source)
            await page.js("device.primaryInputMode = 'controller'")
            await page.until("[...session.inputSources].filter((s) => s.gamepad && !s.hand).length === 2")
            await page.js("window.pulses = []; for (const s of session.inputSources) s.gamepad.hapticActuators[0].pulse = (...more) => pulses.push([s.handedness, ...more])")
            source.feedback(0.5, 20, "xr:right")
            assert await page.until("pulses.length && pulses") == [["right", 0.5, 20]]
            await page.js("for (const b of document.querySelectorAll('#episode button')) if (b.textContent === 'Success') b.click()")
            await until(lambda: events == ["success"])
            await page.js("{ const s = document.querySelector('#episode select'); s.value = 'wrist'; s.dispatchEvent(new Event('change')); }")
            await page.until("document.getElementById('picture').naturalWidth === 64")
            first = await page.js("document.getElementById('picture').src")
            await page.until(f"document.getElementById('picture').src !== '{first}'")       # the next came, as the first was seen
            await page.js("device.primaryInputMode = 'hand'")
            await pinched(page, hub)
            held = site(hub)
            await page.do("Network.enable")
            source.server.call(lambda: [transport.abort() for transport in list(source.server._connections.open)])
            await page.until("document.getElementById('state').textContent.startsWith('Not connected') && document.getElementById('overlay').dataset.lamp === 'lost'")
            await until(lambda: hub.states[0].lamp == "lost")
            assert np.linalg.norm(site(hub) - held) < NEAR and await page.js("window.errors") == []

    try:
        asyncio.run(drive())
    finally:
        maker.stop()
