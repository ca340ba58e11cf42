"""A client of the page in a thread of its own, for tests of the window."""
import asyncio
import struct
import threading
import time

import aiohttp

from app.inputs.protocol.encode import encode
from app.inputs.server import frames


class Visiting:
    """welcome: it was let in; pictures: (number, JPEG) of cameras that came. All methods may be called from the window's thread."""

    def __init__(self, origin: str, token: str):
        self.welcome = threading.Event()
        self.pictures: list[tuple[int, bytes]] = []
        self._origin, self._token, self._seq = origin, token, 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._ended = asyncio.Event()
        self._socket = None

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_error):
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(20.0)
        assert not self._thread.is_alive()

    def pose(self, source: str, p) -> None:
        """A pose of a controller."""
        asyncio.run_coroutine_threadsafe(self._send("pose", source=source, p=list(p), q=[1.0, 0.0, 0.0, 0.0], buttons={}, axes={}), self._loop)

    def look(self, camera: str) -> None:
        """Ask for a camera's pictures."""
        asyncio.run_coroutine_threadsafe(self._send("camera", camera=camera), self._loop)

    def seen(self, number: int) -> None:
        """A picture is on the screen."""
        asyncio.run_coroutine_threadsafe(self._send("seen", number=number), self._loop)

    async def _send(self, kind: str, **more) -> None:
        self._seq += 1
        await self._socket.send_str(encode(kind, self._seq, 1e3 * time.perf_counter(), **more))

    def _run(self) -> None:
        self._loop.run_until_complete(self._visit())
        self._loop.close()

    async def _visit(self) -> None:
        async with aiohttp.ClientSession() as session, session.ws_connect(f"{self._origin}/socket", headers={"Origin": self._origin}, max_msg_size=0) as self._socket:
            await self._send("hello", token=self._token, name="a test", watch=False)
            listening = asyncio.ensure_future(self._listen())
            await self._ended.wait()
            listening.cancel()

    async def _listen(self) -> None:
        async for message in self._socket:
            if message.type == aiohttp.WSMsgType.TEXT and '"welcome"' in message.data:
                self.welcome.set()
            elif message.type == aiohttp.WSMsgType.BINARY and message.data[0] == frames.PICTURE:
                self.pictures.append((struct.unpack_from("<I", message.data, 4)[0], message.data[16:]))
