"""A server of its own for a test, and visitors to it."""
import asyncio
import json
import time
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import aiohttp

from app.inputs.protocol.encode import encode
from app.inputs.server.server import Server

PATIENCE = 20.0     # s that a loaded machine may take for anything


@contextmanager
def serving(folder: Path, **more):
    """A server on a free port of loopback; what it hands over is in `samples`."""
    samples = []
    server = Server("xr", samples.append, port=0, folder=folder, **more)
    server.samples = samples
    server.start()
    try:
        yield server
    finally:
        thread = server._thread
        server.stop()
        assert thread is None or not thread.is_alive()


class Visit:
    """One socket to a server."""

    def __init__(self, session, socket):
        self.session, self.socket, self.seq = session, socket, 0

    async def send(self, kind: str, **more) -> int:
        """A whole message with the next number; the number."""
        seq = self.seq
        self.seq += 1
        await self.socket.send_str(encode(kind, seq, 1e3 * time.perf_counter(), **more))
        return seq

    async def heard(self, kind: str) -> dict:
        """The next text of this kind."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self.socket.receive()
                if message.type == aiohttp.WSMsgType.TEXT:
                    found = json.loads(message.data)
                    if found["kind"] == kind:
                        return found
                assert message.type in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY), f"closed before {kind}: {message}"

    async def frame(self, kind: int) -> bytes:
        """The next binary frame of this kind."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self.socket.receive()
                assert message.type in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY), message
                if message.type == aiohttp.WSMsgType.BINARY and message.data[0] == kind:
                    return message.data

    async def closed(self) -> str:
        """Waits until the server has closed; the reason that it gave last."""
        reason = ""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self.socket.receive()
                if message.type == aiohttp.WSMsgType.TEXT:
                    found = json.loads(message.data)
                    reason = found["reason"] if found["kind"] == "refused" else reason
                elif message.type != aiohttp.WSMsgType.BINARY:
                    return reason


@asynccontextmanager
async def browsing(server):
    """A session that trusts this server's certificate and no other."""
    pinned = aiohttp.Fingerprint(bytes.fromhex(server.fingerprint.replace(":", ""))) if server.secure else True
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=pinned, limit=0)) as session:
        yield session


@asynccontextmanager
async def connected(server, **more):
    """A socket that has said nothing yet. more: for ws_connect."""
    async with browsing(server) as session:
        headers = {"Origin": server.pairing.origin} | more.pop("headers", {})
        async with session.ws_connect(f"{server.pairing.origin}/socket", headers=headers, max_msg_size=0, **more) as socket:
            yield Visit(session, socket)


@asynccontextmanager
async def visiting(server, name: str = "a test", watch: bool = False):
    """A client that was let in, with its `welcome`."""
    async with connected(server) as visit:
        await visit.send("hello", token=server.pairing.token, name=name, watch=watch)
        visit.welcome = await visit.heard("welcome")
        yield visit


async def until(condition, what: str = "") -> None:
    """Wait for a condition of another thread."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.005)
