"""Pages, pairing, admission, who controls, and what comes back, by a real client on loopback."""
import asyncio
import socket
import sys

import pytest

from app.inputs.server import frames
from app.inputs.server.pages import FILES
from app.inputs.server.server import Server
from app.inputs.server.source import WebSource
from app.inputs.source import Source, SourceMissing
from app.inputs.table import make
from tests.app.inputs.server.visiting import browsing, connected, serving, until, visiting


def test_pages_come_from_the_table_with_their_headers(tmp_path):
    async def look(server):
        async with browsing(server) as session:
            for path, (_name, kind) in FILES.items():
                async with session.get(server.pairing.origin + path) as answer:
                    assert answer.status == 200 and answer.content_type == kind and await answer.read(), path
                    policy = answer.headers["Content-Security-Policy"]
                    assert policy.startswith("default-src 'self';") and "unsafe" not in policy and answer.headers["Referrer-Policy"] == "no-referrer"
                    assert answer.headers["X-Content-Type-Options"] == "nosniff" and answer.headers["Cache-Control"] == "no-store"

    with serving(tmp_path) as server:
        asyncio.run(look(server))


def test_nothing_outside_the_table_is_found(tmp_path):
    """Not by dots, not encoded, not by a name of a file that is there; and only by GET."""
    async def look(server):
        async with browsing(server) as session:
            for path in ("/../../README.md", "/%2e%2e/%2e%2e/README.md", "/..%2f..%2fREADME.md", "//etc/passwd", "/assets/web/link.js", "/link.js/", "/index.html", "/key.pem", "/socket/x"):
                async with session.get(server.pairing.origin + path) as answer:
                    assert answer.status in (403, 404) and len(await answer.read()) < 40, path
            for method in ("POST", "PUT", "DELETE", "OPTIONS", "HEAD"):
                async with session.request(method, server.pairing.origin + "/") as answer:
                    assert answer.status in (403, 404, 405), method

    with serving(tmp_path) as server:
        asyncio.run(look(server))


def test_a_client_is_welcomed_and_its_samples_are_handed_over(tmp_path):
    async def drive(server):
        async with visiting(server, "Headset") as visit:
            assert visit.welcome["controls"] and visit.welcome["cameras"] == []
            await visit.send("pose", source="right", p=[1, 2, 3], q=[1, 0, 0, 0], buttons={"squeeze": True}, axes={"trigger": 0.5})
            await visit.send("event", event="success")
            await until(lambda: len(server.samples) == 2)
            assert [(one.name, one.controls) for one in server.room.present] == [("Headset", True)]
        await until(lambda: not server.room.present)

    with serving(tmp_path) as server:
        asyncio.run(drive(server))
        pose, event, lost, *_ = server.samples
    assert (pose.source, pose.pos, pose.buttons, pose.axes) == ("xr:right", (1, 2, 3), {"squeeze"}, {"trigger": 0.5}) and pose.t_source <= pose.t_received
    assert event.kind == "event" and event.buttons == {"success"} and event.seq > pose.seq
    assert not lost.tracked and {one.source for one in server.samples[2:]} == {"xr:right", "xr:events"}


def test_samples_carry_the_time_at_which_the_device_had_them(tmp_path):
    """By the exchanges of the clock: an answer is given at once, so that the delay is known, and the sender's own clock is another."""
    async def drive(server):
        async with visiting(server) as visit:
            last = None
            for _ in range(4):
                await visit.send("ping", **({"last": last} if last else {}))
                pong = await visit.heard("pong")
                last = [pong["t"], pong["received"], pong["sent"], pong["t"] + (pong["sent"] - pong["received"]) + 2.0]
            await visit.send("ping", last=last)
            await visit.heard("pong")
            await visit.send("pose", source="right")
            await until(lambda: server.samples)
            assert server.room.clients[0].order.clock.delay == pytest.approx(0.002, abs=1e-6)

    with serving(tmp_path) as server:
        asyncio.run(drive(server))
    assert abs(server.samples[0].t_received - server.samples[0].t_source) < 5


def test_a_person_admits_visitors(tmp_path):
    asked = []

    def admit(visitor, answer):
        asked.append((visitor.name, visitor.peer, visitor.watch))
        answer(visitor.name == "friend")

    async def come(server):
        async with visiting(server, "friend") as visit:
            assert visit.welcome["controls"]
            async with connected(server) as other:
                await other.send("hello", token=server.pairing.token, name="stranger", watch=True)
                assert await other.closed() == "not admitted"

    with serving(tmp_path, admit=admit) as server:
        asyncio.run(come(server))
    assert asked == [("friend", "127.0.0.1", False), ("stranger", "127.0.0.1", True)]


def test_who_does_not_wait_for_the_answer_is_not_let_in(tmp_path):
    """The answer comes after the visitor has gone, and after one that has talked meanwhile."""
    answers = []

    async def come(server):
        async with connected(server) as visit:
            await visit.send("hello", token=server.pairing.token)
            await until(lambda: len(answers) == 1)
        async with connected(server) as visit:
            await visit.send("hello", token=server.pairing.token)
            await until(lambda: len(answers) == 2)
            await visit.send("pose", source="right")
            assert await visit.closed() == "not admitted"
        for answer in answers:
            answer(True)
        async with connected(server) as visit:
            await visit.send("hello", token=server.pairing.token)
            await until(lambda: len(answers) == 3)
            answers[2](True)
            await visit.heard("welcome")

    with serving(tmp_path, admit=lambda _visitor, answer: answers.append(answer)) as server:
        asyncio.run(come(server))
    assert not server.samples


def test_one_controls_and_the_others_watch(tmp_path):
    """The next takes over when the first leaves, or is given control; numbers go on rising."""
    async def drive(server):
        async with visiting(server, "watcher", watch=True) as watcher, visiting(server, "first") as first:
            assert not watcher.welcome["controls"] and first.welcome["controls"]
            async with visiting(server, "second") as second:
                assert not second.welcome["controls"]
                await watcher.send("pose", source="right")
                await second.send("pose", source="right")
                await until(lambda: server.room.counts["of_watchers"] == 2)
                for _ in range(3):
                    await first.send("pose", source="left")
                await until(lambda: len(server.samples) == 3)
                server.call(server.room.give_control, second.welcome["number"])
                assert (await second.heard("role"))["controls"] and not (await first.heard("role"))["controls"]
                await second.send("pose", source="right")
                await until(lambda: server.samples[-1].source == "xr:right")
            assert (await first.heard("role"))["controls"]
            await first.send("pose", source="left")
            await until(lambda: server.samples[-1].source == "xr:left" and server.samples[-1].tracked)

    with serving(tmp_path) as server:
        asyncio.run(drive(server))
    numbers = [sample.seq for sample in server.samples]
    assert numbers == sorted(numbers) and len(set(numbers)) == len(numbers)
    assert [(sample.source, sample.tracked) for sample in server.samples[:7]] == [
        *[("xr:left", True)] * 3, ("xr:left", False), ("xr:right", True), ("xr:right", False), ("xr:left", True)]


def test_pulses_go_to_who_controls_and_the_state_of_the_episode_to_all(tmp_path):
    async def feel(source):
        async with visiting(source.server) as first, visiting(source.server, watch=True) as second:
            source.feedback(2.0, 20.0, "xr:left")
            source.tell(recording=True, episodes=3)
            assert await first.heard("haptic") == {"v": 1, "kind": "haptic", "side": "left", "strength": 1.0, "ms": 20.0}
            assert (await first.heard("status"))["episodes"] == (await second.heard("status"))["episodes"] == 3
            async with visiting(source.server, watch=True) as third:
                assert (await third.heard("status"))["recording"]

    source = WebSource("xr", port=0, folder=tmp_path)
    source.start([].append)
    try:
        asyncio.run(feel(source))
    finally:
        source.stop()


def test_only_four_are_let_in(tmp_path):
    async def come(server):
        async with visiting(server), visiting(server), visiting(server), visiting(server):
            async with connected(server) as fifth:
                await fifth.send("hello", token=server.pairing.token)
                assert "4 clients" in await fifth.closed()
        await until(lambda: not server.room.present)
        async with visiting(server) as again:
            assert again.welcome["controls"]

    with serving(tmp_path) as server:
        asyncio.run(come(server))


def test_switching_off_lets_all_go_and_frees_the_port(tmp_path):
    async def stay(server):
        async with visiting(server) as visit:
            await visit.send("pose", source="right")
            await until(lambda: server.samples)
            stopping = asyncio.get_running_loop().run_in_executor(None, server.stop)
            assert await visit.closed() == "teleoperation was switched off"
            await stopping

    with serving(tmp_path) as server:
        asyncio.run(stay(server))
        assert not server.samples[-1].tracked and not server.alive
        with socket.create_server(("127.0.0.1", server.port)):
            pass


def test_a_taken_port_is_left_to_who_has_it(tmp_path):
    with serving(tmp_path) as first:
        source = WebSource("xr", port=first.port, folder=tmp_path)
        source.start([].append)
        try:
            assert source.server.port > first.port and first.alive and f"port {first.port} is taken" in source.state and str(source.server.port) in source.address
        finally:
            source.stop()
        assert source.state == "off" and source.address == ""


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "224.0.0.1", "example.com"])
def test_one_address_of_this_machine_is_served_and_no_other(tmp_path, host):
    with pytest.raises(ValueError):
        Server("xr", [].append, host=host, folder=tmp_path)
    with pytest.raises(SourceMissing):
        WebSource("xr", host=host, folder=tmp_path).start([].append)


def test_an_address_of_another_machine_is_said(tmp_path):
    with pytest.raises(SourceMissing, match="192.0.2.1 cannot be listened at"):
        WebSource("xr", host="192.0.2.1", folder=tmp_path).start([].append)


def test_without_a_certificate_loopback_only(tmp_path):
    with pytest.raises(ValueError, match="loopback"):
        Server("xr", [].append, host="192.168.0.7", folder=tmp_path, secure=False)

    async def drive(server):
        assert server.pairing.origin == f"http://127.0.0.1:{server.port}"
        async with visiting(server) as visit:
            await visit.send("pose", source="right")
            await until(lambda: server.samples)

    with serving(tmp_path, secure=False) as server:
        asyncio.run(drive(server))
    assert not list(tmp_path.iterdir())


def test_it_is_a_source_like_others():
    source = make("xr:right")
    assert isinstance(source, Source) and source.name == "xr" and source.state == "off" and make("net:arm").name == "net"
    source.feedback(1.0, 10.0)
    source.stop()
    assert source.host == "127.0.0.1" and frames.LAMPS["disarmed"] == 0


@pytest.mark.parametrize("package", ["aiohttp", "cryptography"])
def test_a_package_that_is_missing_is_named_with_what_installs_it(tmp_path, monkeypatch, package):
    """And the port is free again."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
    for name in [package, *(name for name in sys.modules if name.split(".")[0] == package and name != package)]:
        monkeypatch.setitem(sys.modules, name, None)
    lonely = WebSource("xr", port=port, folder=tmp_path)
    with pytest.raises(SourceMissing, match=package) as why:
        lonely.start([].append)
    assert "linkwork[teleop]" in why.value.help and lonely.state == "off"
    socket.create_server(("127.0.0.1", port)).close()
