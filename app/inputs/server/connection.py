"""Connections before there is anything to say over them: how many there are, and how long one may take to ask for something."""
from __future__ import annotations

import asyncio
from collections.abc import Callable

MOST = 48               # connections at a time, of pages that are loading too
LONGEST_REQUEST = 10.0  # s from being let in until the page was sent or the socket stands


class Connection(asyncio.Protocol):
    """Hands everything on to aiohttp's protocol of one connection, and ends it when it dawdles. One that has become a WebSocket says `stays`."""

    def __init__(self, inner: asyncio.Protocol, connections: Connections):
        self._inner, self._connections = inner, connections
        self._timer: asyncio.TimerHandle | None = None
        self._refused = False

    def connection_made(self, transport) -> None:
        """A connection stands, TLS included."""
        if len(self._connections.open) >= MOST:
            self._refused = True
            transport.abort()
            return
        self._connections.open[transport] = self
        self._timer = asyncio.get_running_loop().call_later(self._connections.patience, transport.abort)
        self._inner.connection_made(transport)
        self._transport = transport

    def stays(self) -> None:
        """It is a WebSocket from now on, whose own limits hold."""
        self._timer.cancel()

    def data_received(self, data: bytes) -> None:
        """Bytes for aiohttp."""
        if not self._refused:
            self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        """The other side will send no more."""
        return None if self._refused else self._inner.eof_received()

    def connection_lost(self, error) -> None:
        """It is gone."""
        if not self._refused:
            self._timer.cancel()
            self._connections.open.pop(self._transport, None)
            self._inner.connection_lost(error)

    def pause_writing(self) -> None:
        """The other side does not read as fast as is written."""
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """It has caught up."""
        self._inner.resume_writing()


class Connections:
    """Makes them: a protocol factory for the event loop. make: aiohttp's; patience: LONGEST_REQUEST, shorter in tests."""

    def __init__(self, make: Callable[[], asyncio.Protocol], patience: float = LONGEST_REQUEST):
        self._make, self.patience = make, patience
        self.open: dict[asyncio.BaseTransport, Connection] = {}

    def __call__(self) -> Connection:
        return Connection(self._make(), self)

    def stays(self, transport) -> None:
        """The connection of this transport is a WebSocket."""
        self.open[transport].stays()
