"""What must not get in, and must not keep others waiting: each attack beside a client that goes on being served."""
import asyncio
import json
import random
import resource
import ssl

import aiohttp
import pytest

from app.inputs.protocol.encode import encode
from app.inputs.protocol.parse import LARGEST
from app.inputs.server import client
from app.inputs.server.connection import MOST
from tests.app.inputs.server.visiting import browsing, connected, serving, until, visiting


@pytest.fixture
def server(tmp_path):
    with serving(tmp_path) as made:
        yield made


async def served(server, visit) -> None:
    """This client still is."""
    before = len(server.samples)
    await visit.send("pose", source="right")
    await until(lambda: len(server.samples) > before)


def pose(seq: int, **more) -> str:
    return encode("pose", seq, 0.0, **({"source": "right"} | more))


JUNK = ["", "{", "[]", "null", "\x00" * 100, b"", b"\xff" * 100, b"\xdd\xff\xff\xff\xff", '{"v":1}', '{"v":1,"seq":5,"t":0,"kind":"load","path":"/etc/passwd"}', "[" * 60_000,
        '{"a":' * 10_000 + "1" + "}" * 10_000, pose(7).replace('"right"', "NaN"), pose(7).replace('"t":0.0', '"t":Infinity'), pose(7).replace('"t":0.0', '"t":1e999'),
        pose(7, p=[1e6, 0, 0]), pose(7, q=[0, 0, 0, 0]), pose(7, file="x"), json.dumps({"v": 1, "seq": 9, "t": 0, "kind": "joints", "joints": {str(i): 0 for i in range(4000)}})]


@pytest.mark.parametrize("junk", JUNK, ids=range(len(JUNK)))
def test_three_refused_messages_end_a_client(server, junk):
    async def attack():
        async with visiting(server, "other") as other, visiting(server, "attacker") as attacker:
            for _ in range(3):
                await (attacker.socket.send_str if isinstance(junk, str) else attacker.socket.send_bytes)(junk)
            assert await attacker.closed()
            await served(server, other)

    asyncio.run(attack())
    assert server.room.counts["refused"] == 3 and {sample.source for sample in server.samples} == {"xr:right"}


def test_one_refused_message_is_told_and_forgiven(server):
    async def slip():
        async with visiting(server) as visit:
            await visit.socket.send_str("{")
            assert (await visit.heard("refused"))["reason"] == "not one JSON object"
            await served(server, visit)

    asyncio.run(slip())


def test_a_message_that_is_too_large_ends_its_client_before_it_is_whole(server):
    async def attack():
        async with visiting(server, "other") as other, visiting(server, "attacker") as attacker:
            await attacker.socket.send_str(" " * (LARGEST + 1))
            await attacker.closed()
            await served(server, other)

    asyncio.run(attack())
    assert server.room.counts["refused"] == 0


def test_replayed_messages_are_dropped(server):
    """A whole exchange once more, in one socket and in another without the token's hello."""
    async def attack():
        async with visiting(server) as visit:
            for seq in (10, 11, 11, 10, 12):
                await visit.socket.send_str(pose(seq))
            await until(lambda: len(server.samples) == 3)
            assert visit.welcome["controls"] and server.room.counts["refused"] == 2
            await visit.socket.send_str(pose(12))
            assert "seq" in await visit.closed()

    asyncio.run(attack())
    assert len([sample for sample in server.samples if sample.tracked]) == 3


def test_old_messages_are_dropped_and_counted(server):
    async def send_late():
        async with visiting(server) as visit:
            await visit.socket.send_str(encode("pose", 5, 10_000.0, source="right"))
            await visit.socket.send_str(encode("pose", 6, 9_000.0, source="right"))     # said to be a second older than the one before
            await visit.socket.send_str(encode("pose", 7, 10_010.0, source="left"))
            await until(lambda: len(server.samples) == 2)

    asyncio.run(send_late())
    assert server.room.counts["late"] == 1


@pytest.mark.parametrize("token", ["", "x", "A" * 22, "\u00e9" * 20])
def test_a_wrong_token_is_turned_away(server, token):
    async def knock():
        async with connected(server) as visit:
            await visit.send("hello", token=token)
            assert "token" in await visit.closed()

    asyncio.run(knock())
    assert server.room.counts["turned_away"] == 1 and not server.room.present


@pytest.mark.parametrize("first", [pose(0), "junk", encode("ping", 0, 0.0), b"\x00"])
def test_nothing_is_taken_before_a_hello(server, first):
    async def knock():
        async with connected(server) as visit:
            await (visit.socket.send_str if isinstance(first, str) else visit.socket.send_bytes)(first)
            await visit.send("hello", token=server.pairing.token)
            assert "token" in await visit.closed()

    asyncio.run(knock())
    assert not server.samples


def test_who_says_nothing_is_sent_away(server, monkeypatch):
    async def all_of_it():
        async with visiting(server) as silent:
            monkeypatch.setattr(client, "GREETING", 0.05)
            monkeypatch.setattr(client, "SILENCE", 0.05)
            await silent.send("pose", source="right")     # its next wait is the short one
            async with connected(server) as mute:
                assert "token" in await mute.closed()
            assert "silent" in await silent.closed()

    asyncio.run(all_of_it())


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}, {"Host": "evil.example"}])
def test_a_foreign_page_gets_neither_socket_nor_pages(server, headers):
    async def knock():
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            async with connected(server, headers=headers):
                pass
        assert refused.value.status == 403
        async with browsing(server) as session, session.get(server.pairing.origin + "/", headers=headers) as answer:
            assert answer.status == 403 and b"script" not in await answer.read()

    asyncio.run(knock())
    assert server.room.counts["foreign"] == 2


def test_the_socket_needs_an_origin(server):
    async def knock():
        async with browsing(server) as session:
            with pytest.raises(aiohttp.WSServerHandshakeError):
                async with session.ws_connect(server.pairing.origin + "/socket"):
                    pass

    asyncio.run(knock())


async def raw(server):
    """A TLS connection without HTTP."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return await asyncio.open_connection("127.0.0.1", server.port, ssl=context)


def test_slow_requests_are_cut_off(tmp_path):
    """A request that never ends, one that never begins, and a greeting of TLS that never comes."""
    async def attack(server):
        async with visiting(server, "other") as other:
            slow, mute = await raw(server), await raw(server)
            plain = await asyncio.open_connection("127.0.0.1", server.port)
            slow[1].write(b"GET / HTTP/1.1\r\nHost: ")
            trickling = asyncio.ensure_future(trickle(slow[1]))
            for reader, _writer in (slow, mute, plain):
                with pytest.raises((asyncio.IncompleteReadError, ConnectionError)):
                    await asyncio.wait_for(reader.readexactly(1), 20)
            trickling.cancel()
            await served(server, other)

    async def trickle(writer):
        while True:
            writer.write(b"a")
            await asyncio.sleep(0.05)

    with serving(tmp_path, patience=2.0) as server:
        asyncio.run(attack(server))


def test_more_connections_than_there_may_be_are_refused(server):
    async def attack():
        async with visiting(server, "other") as other:
            held = []
            for _ in range(MOST + 10):
                try:
                    held.append(await raw(server))
                except OSError:
                    pass
            assert len(server._connections.open) <= MOST
            await served(server, other)
            for _reader, writer in held:
                writer.transport.abort()
        await until(lambda: not server._connections.open)
        async with visiting(server, "later"):
            pass

    asyncio.run(attack())


def test_random_bytes_in_place_of_a_request(server):
    async def attack():
        rng = random.Random(3)
        async with visiting(server, "other") as other:
            for _ in range(20):
                _reader, writer = await raw(server)
                writer.write(rng.randbytes(3000))
                writer.write(b"\r\n\r\n")
                writer.transport.abort()
            await served(server, other)

    asyncio.run(attack())


def test_a_flood_is_stopped_and_costs_no_memory(server):
    """Many times what is allowed, as fast as it goes: the sender waits, then is closed, and hardly more than a burst is read."""
    async def attack():
        async with visiting(server, "other") as other, visiting(server, "attacker") as attacker:
            padding, before = " " * 20_000, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            flooding = asyncio.ensure_future(flood(attacker.socket, padding))
            for _ in range(5):
                await served(server, other)
            assert "200 messages" in await attacker.closed()
            sent = await flooding
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
            await served(server, other)
            return sent, grown

    async def flood(socket, padding):
        sent = 0
        try:
            while sent < 20_000:
                await socket.send_str(pose(sent + 1) + padding)
                sent += 1
        except (ConnectionError, RuntimeError):
            pass
        return sent

    sent, grown = asyncio.run(attack())
    assert sent < 20_000 and grown < 60_000     # kB, of 400 MB that it wanted to send
    assert server.room.counts["refused"] == 0 and server.room.counts["over_rate"] == 3


def test_frames_of_control_count_too(server):
    """Pings of the socket itself, which no page sends."""
    async def attack():
        async with visiting(server) as attacker:
            reading = asyncio.ensure_future(attacker.closed())
            try:
                for _ in range(20_000):
                    await attacker.socket.ping(b"x" * 100)
            except (ConnectionError, RuntimeError):
                pass
            assert "200 messages" in await reading

    asyncio.run(attack())


def test_who_does_not_read_is_let_go_and_others_go_on(server, monkeypatch):
    monkeypatch.setattr(client, "UNREAD", 0.3)

    async def attack():
        async with visiting(server, "other") as other:
            reading = asyncio.ensure_future(other.closed())
            async with visiting(server, "deaf", watch=True) as deaf:
                deaf.socket._response.connection.transport.pause_reading()
                frame = bytes(40) + bytes(1 << 20)

                def gone() -> bool:
                    server.call(server.room.show_poses, frame, 0)
                    return [one.name for one in server.room.present] == ["other"]

                await until(gone)
            await served(server, other)
            reading.cancel()

    asyncio.run(attack())


def test_a_client_has_a_few_sources_only(server):
    """Nobody makes what takes samples keep a thousand names."""
    async def attack():
        async with visiting(server) as attacker:
            for k in range(client.MOST_SOURCES + 3):
                await attacker.send("pose", source=f"hand {k}")
            assert "sources" in await attacker.closed()

    asyncio.run(attack())
    assert len({sample.source for sample in server.samples}) == client.MOST_SOURCES


def test_the_token_is_in_no_page_and_no_header(server):
    async def look():
        async with browsing(server) as session, session.get(server.pairing.address()) as answer:
            assert server.pairing.token not in await answer.text() and server.pairing.token not in str(answer.headers) and server.pairing.token not in str(answer.request_info.headers)

    asyncio.run(look())
