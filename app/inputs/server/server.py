"""The server: HTTPS and WSS on one port of one address, in an asyncio loop of its own thread. Off until started; loopback unless another address is chosen.

    pages:   GET / /xr /touch /*.js /*.css          a fixed table
    socket:  GET /socket -> WebSocket               hello, then messages of app.inputs.protocol

A client can send samples, marks of an episode and the name of a camera: it can load no file, change no text and run no code.
"""
from __future__ import annotations

import asyncio
import errno
import ipaddress
import os
import socket as sockets
import ssl
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path

from app.inputs.server.certificate import certificate_for
from app.inputs.server.client import Client, socket_limits
from app.inputs.server.connection import LONGEST_REQUEST, Connections
from app.inputs.server.pages import headers_for, pages
from app.inputs.server.pairing import Pairing, new_token, origin_of
from app.inputs.server.requests import allowed, own_origins
from app.inputs.server.room import Admit, Room
from app.inputs.source import Put

LOOPBACK = "127.0.0.1"
PORT, MORE_PORTS = 8443, 20     # where it is looked for a free one, upwards
MOST_HELLOS = 8     # sockets that have not said their token yet
PATIENCE = 10.0     # s that starting and stopping may take
SEND_BUFFER = 1 << 17   # bytes that wait in the system for one client


class Server:
    """host: the address to listen at, one of this machine's own; port: the first to try, 0 any; folder: of the certificate (the installation's); secure False: HTTP, for loopback
    only, where browsers ask for no certificate (a headset at a cable, its port forwarded). admit: asks a person about each visitor (Room).

    Raises ValueError for an address that is none, every address at once, or HTTP beyond loopback.
    """

    def __init__(self, prefix: str, put: Put, admit: Admit | None = None, host: str = LOOPBACK, port: int = PORT, folder: Path | None = None, secure: bool = True,
                 patience: float = LONGEST_REQUEST):
        address = ipaddress.ip_address(LOOPBACK if host == "localhost" else host)
        if address.is_unspecified or address.is_multicast:
            raise ValueError(f"{host} is no single address: choose one of this machine's own")
        if not secure and not address.is_loopback:
            raise ValueError(f"without a certificate only loopback is served, not {host}")
        self.host, self.port, self.secure, self.fingerprint = str(address), port, secure, ""
        self.pairing = Pairing("", "")
        self.room: Room | None = None
        self._prefix, self._put, self._admit, self._folder, self._patience = prefix, put, admit, folder, patience
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._ended: asyncio.Event | None = None
        self._connections: Connections | None = None
        self._origins: frozenset[str] = frozenset()
        self._numbers = self._greeting = 0

    # ------------------------------------------------ from other threads

    def start(self) -> None:
        """Listen; returns when a browser may come. Raises OSError where the address is not this machine's or no port is free."""
        import aiohttp  # noqa: F401     where it is missing nothing has begun

        context = None
        if self.secure:
            made = certificate_for(self.host, self._folder)
            context, self.fingerprint = made.context(), made.fingerprint
        listening = self._listening_socket()
        self.port = listening.getsockname()[1]
        scheme = "https" if self.secure else "http"
        self.pairing = Pairing(origin_of(scheme, self.host, self.port), new_token())
        self._origins = own_origins(scheme, self.host, self.port)
        self.room = Room(self._prefix, self.pairing, self._put, self._admit)
        up: Future = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(listening, context, up)), name="teleoperation server", daemon=True)
        self._thread.start()
        up.result(PATIENCE)

    def stop(self) -> None:
        """Let all clients go and end the thread."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self.call(self._ended.set)
            thread.join(PATIENCE)

    def call(self, function: Callable, *arguments) -> None:
        """Have a function called in the server's thread; nothing where it has ended."""
        if self._loop is not None:
            with suppress(RuntimeError):    # closed meanwhile
                self._loop.call_soon_threadsafe(function, *arguments)

    def submit(self, coroutine) -> Future:
        """Have a coroutine run there."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    @property
    def alive(self) -> bool:
        """Whether it listens."""
        return self._thread is not None and self._thread.is_alive()

    # ------------------------------------------------ its own

    def _listening_socket(self) -> sockets.socket:
        """Bound to the port, or to the next that nobody has; whoever has one keeps it."""
        family = sockets.AF_INET6 if ":" in self.host else sockets.AF_INET
        for port in range(self.port, min(self.port + MORE_PORTS, 65_536)) if self.port else (0,):
            made = sockets.socket(family, sockets.SOCK_STREAM)
            try:
                if os.name == "posix":      # elsewhere this would take the port from whoever has it
                    made.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
                made.bind((self.host, port))
                made.listen(64)
                made.setblocking(False)
                return made
            except OSError as error:
                made.close()
                if error.errno != errno.EADDRINUSE:
                    raise
        raise OSError(errno.EADDRINUSE, f"no port from {self.port} to {self.port + MORE_PORTS - 1} of {self.host} is free")

    async def _serve(self, listening: sockets.socket, context: ssl.SSLContext | None, up: Future) -> None:
        try:
            from aiohttp import web

            self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
            found = pages()
            app = web.Application(client_max_size=1, middlewares=[_same_for_all(web)])
            app.router.add_get("/socket", self._socket)
            for path in found:
                app.router.add_get(path, self._page_handler(web, found[path]), allow_head=False)
            runner = web.AppRunner(app, handle_signals=False, access_log=None, keepalive_timeout=self._patience, max_line_size=4096, max_field_size=4096, max_headers=64,
                                   shutdown_timeout=1.0)
            await runner.setup()
            self._connections = Connections(runner.server, self._patience)
            more = {"ssl": context, "ssl_handshake_timeout": self._patience, "ssl_shutdown_timeout": 1.0} if context is not None else {}
            server = await self._loop.create_server(self._connections, sock=listening, **more)
        except Exception as error:
            listening.close()
            up.set_exception(error)     # `start` raises it
            return
        up.set_result(None)
        try:
            await self._ended.wait()
        finally:
            server.close()
            for client in list(self.room.clients):
                with suppress(Exception):
                    await client.close("teleoperation was switched off")
            for transport in list(self._connections.open):
                transport.abort()
            await runner.cleanup()

    def _page_handler(self, web, page):
        async def answer(request):
            self._check(web, request, socket=False)
            response = web.Response(body=page.body, content_type=page.kind, charset="utf-8", headers=headers_for(request.headers["Host"]))
            response.force_close()
            return response
        return answer

    def _check(self, web, request, socket: bool) -> None:
        if not allowed(request.headers, self._origins, socket):
            self.room.count("foreign")
            raise web.HTTPForbidden

    async def _socket(self, request):
        from aiohttp import web

        self._check(web, request, socket=True)
        if self._greeting >= MOST_HELLOS:
            raise web.HTTPServiceUnavailable
        response = web.WebSocketResponse(**socket_limits())
        self._numbers += 1
        self._greeting += 1
        transport, greeting = request.transport, True
        try:
            await response.prepare(request)
            self._connections.stays(transport)
            with suppress(OSError):
                transport.get_extra_info("socket").setsockopt(sockets.SOL_SOCKET, sockets.SO_SNDBUF, SEND_BUFFER)
            client = Client(response, transport, _peer(request), self._numbers, self.room)
            hello = await client.greeted()
            self._greeting -= 1
            greeting = False
            if hello is not None:
                await client.converse(hello)
        finally:
            self._greeting -= greeting
        return response


def _same_for_all(web):
    """Every answer that is no page is as short: nothing is told of what there is."""
    @web.middleware
    async def middleware(request, handler):
        try:
            return await handler(request)
        except web.HTTPException as answer:
            response = web.Response(status=answer.status, text=answer.reason, headers={"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"})
            response.force_close()
            return response
    return middleware


def _peer(request) -> str:
    name = request.transport.get_extra_info("peername") if request.transport is not None else None
    return str(name[0]) if name else "?"
