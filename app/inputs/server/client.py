"""The conversation with one client over its WebSocket, from the first message to the last; in the server's thread.

    hello with the token -> admitted in the window -> welcome -> samples in, poses and pulses out

Limits: RATE messages a second, silence and unread answers end it, refused messages are strikes, three of which end it.
"""
from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import NamedTuple

from app.inputs.protocol.clock import Order, milliseconds
from app.inputs.protocol.decode import decode
from app.inputs.protocol.messages import Camera, Hello, Message, Ping, Seen
from app.inputs.protocol.parse import LARGEST
from app.inputs.protocol.refused import Refused
from app.inputs.protocol.samples import sample_of
from app.inputs.server import frames
from app.inputs.server.bucket import Bucket, Strikes
from app.inputs.server.outbox import Outbox

RATE, BURST = 200.0, 200.0  # messages a second, and at once after a pause
PENALTY = 0.25      # s that nothing is read from a client which sends more
GREETING = 5.0      # s until the first message
SILENCE = 30.0      # s without a message, after which a client counts as gone
UNREAD = 5.0        # s that a client may leave what is sent to it unread
MOST_SOURCES = 16   # names of devices that one client may have
BAD, FULL, NOT_ADMITTED = 1008, 1013, 4003   # codes that sockets are closed with


class Visitor(NamedTuple):
    """Who wants to come in: number of the client, what it calls itself, its address, whether it only wants to watch."""

    number: int
    name: str
    peer: str
    watch: bool


class Client:
    """number: from 1 on; room: the Room that it comes into. controls: whether its samples count. base: what is added to its messages' numbers, so that those of the source rise whoever controls.
    `order.clock` tells its time."""

    def __init__(self, socket, transport, peer: str, number: int, room):
        self.number, self.name, self.peer = number, "", peer
        self.controls = self.watch = False
        self.base = 0
        self.camera: int | None = None
        self.order, self.outbox = Order(), Outbox()
        self.sources: set[str] = set()
        self._socket, self._transport, self._room = socket, transport, room
        self._bucket, self._strikes = Bucket(RATE, BURST), Strikes()

    async def converse(self, hello: Hello) -> None:
        """All that follows a hello; returns when the socket is closed."""
        self.name, self.watch = hello.name or "a client", hello.watch
        if not self._room.has_place():
            await self._end(FULL, f"{self._room.most} clients are connected already")
            return
        if self._room.asks and not await self._admitted():
            await self._end(NOT_ADMITTED, "not admitted")
            return
        if not self._room.enter(self):      # others have come in meanwhile
            await self._end(FULL, f"{self._room.most} clients are connected already")
            return
        writing = asyncio.create_task(self._write())
        try:
            await self._read()
        finally:
            self._room.leave(self)
            writing.cancel()
            with suppress(asyncio.CancelledError):
                await writing

    async def close(self, reason: str) -> None:
        """End it from this side."""
        await self._end(BAD, reason)

    async def greeted(self) -> Hello | None:
        """The first message, if it is a hello with the right token; whatever else it is gets the same answer, and None is returned."""
        with suppress(asyncio.TimeoutError, Refused):
            first = await self._socket.receive(GREETING)
            if isinstance(first.data, bytes):
                hello = decode(first.data)
                if isinstance(hello, Hello) and self._room.pairing.proven(hello.token):
                    self.order.numbered(hello.seq)
                    return hello
        self._room.count("turned_away")
        await self._end(BAD, "no hello with the token of this session")
        return None

    async def _admitted(self) -> bool:
        """What the window says; False too where the client does not wait for it."""
        answer = asyncio.ensure_future(self._room.ask(Visitor(self.number, self.name, self.peer, self.watch)))
        leaving = asyncio.ensure_future(self._socket.receive())
        try:
            await asyncio.wait({answer, leaving}, return_when=asyncio.FIRST_COMPLETED)
            return answer.done() and not leaving.done() and answer.result()
        finally:
            for task in (answer, leaving):
                task.cancel()
                with suppress(Exception, asyncio.CancelledError):
                    await task

    async def _read(self) -> None:
        from aiohttp import WSMsgType

        while True:
            try:
                message = await self._socket.receive(SILENCE)
            except asyncio.TimeoutError:
                await self._end(BAD, "silent for too long")
                return
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY, WSMsgType.PING, WSMsgType.PONG):
                return      # closed, or broken
            now = time.perf_counter()
            if not self._bucket.take(now):
                self._room.count("over_rate")
                if self._strikes.out(now):
                    await self._end(BAD, f"more than {RATE:g} messages a second")
                    return
                await asyncio.sleep(PENALTY)    # what it sends meanwhile waits in its own machine
            if message.type in (WSMsgType.PING, WSMsgType.PONG):
                if message.type == WSMsgType.PING:
                    await asyncio.wait_for(self._socket.pong(message.data), UNREAD)
            elif not await self._taken(message.data, now):
                return

    async def _taken(self, data: bytes, now: float) -> bool:
        """Whether to go on after this message."""
        try:
            message = decode(data)
            if not self.order.numbered(message.seq):
                raise Refused("seq must rise from message to message")
            self._take(message, now)
        except Refused as why:
            self._room.count("refused")
            if self._strikes.out(now):
                await self._end(BAD, why.reason)
                return False
            self.outbox.text(frames.text("refused", reason=why.reason))
        return True

    def _take(self, message: Message, now: float) -> None:
        if isinstance(message, Ping):
            if message.last is not None:
                self.order.clock.exchange(*message.last)
            self.outbox.text(frames.text("pong", t=message.t, received=milliseconds(now), sent=milliseconds()))
        elif isinstance(message, Camera):
            self.camera = self._room.camera_number(message.camera)
            self._room.cameras_changed()
        elif isinstance(message, Seen):
            self.outbox.seen(message.number)
        elif isinstance(message, Hello):
            raise Refused("hello is said once")
        else:
            self._take_sample(message, now)

    def _take_sample(self, message: Message, now: float) -> None:
        """Samples of who controls are handed over, unless they come too late; others are counted."""
        if not self.controls:
            self._room.count("of_watchers")
            return
        if not self.order.on_time(message.t, now):
            self._room.count("late")
            return
        sample = sample_of(message, self._room.prefix, self.order.clock.ours(message.t), now, self.base)
        if sample.source not in self.sources:
            if len(self.sources) >= MOST_SOURCES:
                raise Refused(f"a client has at most {MOST_SOURCES} sources")
            self.sources.add(sample.source)
        self._room.hand_over(sample)

    async def _write(self) -> None:
        try:
            while True:
                item = await self.outbox.next()
                send = self._socket.send_str if isinstance(item, str) else self._socket.send_bytes
                await asyncio.wait_for(send(item), UNREAD)
        except (asyncio.TimeoutError, ConnectionError, RuntimeError):   # it does not read, or is gone
            self._abort()

    async def _end(self, code: int, reason: str) -> None:
        """Say why, and close; a client that does not take its leave is cut off."""
        with suppress(asyncio.TimeoutError, ConnectionError, RuntimeError):
            await asyncio.wait_for(self._socket.send_str(frames.text("refused", reason=reason)), 1.0)
            await asyncio.wait_for(self._socket.close(code=code, message=reason.encode()[:120]), 1.0)
        self._abort()

    def _abort(self) -> None:
        self._transport.abort()


def socket_limits() -> dict:
    """How aiohttp's WebSocketResponse is made: no compression, whole messages of at most LARGEST bytes, pings and closing answered here."""
    return {"compress": False, "max_msg_size": LARGEST, "autoping": False, "decode_text": False, "timeout": 1.0}
