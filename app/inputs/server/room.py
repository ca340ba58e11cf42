"""Who is connected: one client that controls, others that watch; and what all of them are sent. In the server's thread, except where said otherwise."""
from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from app.inputs.sample import Sample
from app.inputs.server import frames
from app.inputs.server.client import Client, Visitor
from app.inputs.server.pairing import Pairing
from app.inputs.source import Put

MOST_CLIENTS = 4
UNANSWERED = 60.0       # s until a visitor whom nobody admits is sent away
Admit = Callable[[Visitor, Callable[[bool], None]], None]   # asks a person; the answer may be given from any thread, once


class Present(NamedTuple):
    """One client as people are shown it. delay [s]: there and back, None where it was not measured."""

    number: int
    name: str
    peer: str
    controls: bool
    delay: float | None


class Room:
    """prefix: of the names of its sources; put: takes Samples; admit: asks whether a visitor may come in, None: whoever has the token may."""

    def __init__(self, prefix: str, pairing: Pairing, put: Put, admit: Admit | None, most: int = MOST_CLIENTS):
        self.prefix, self.pairing, self.most = prefix, pairing, most
        self.clients: list[Client] = []
        self.counts: Counter[str] = Counter()
        self.cameras: tuple[str, ...] = ()
        self.on_cameras: Callable[[frozenset[int]], None] = _nothing
        self.on_enter: Callable[[], None] = _nobody
        self.present: tuple[Present, ...] = ()      # for any thread
        self.newest = 0     # number of the newest message that was handed over
        self._put, self._admit = put, admit
        self._geometry: bytes | None = None
        self._poses: bytes | None = None
        self._status = self._scene = ""

    def count(self, what: str) -> None:
        """One more of what was not taken."""
        self.counts[what] += 1

    @property
    def asks(self) -> bool:
        """Whether somebody is asked about visitors."""
        return self._admit is not None

    def has_place(self) -> bool:
        """Whether one more may come in."""
        return len(self.clients) < self.most

    async def ask(self, visitor: Visitor) -> bool:
        """Whether a person admits this visitor, who has proven the token."""
        loop = asyncio.get_running_loop()
        answer = loop.create_future()

        def say(admitted: bool) -> None:
            if not answer.done():
                answer.set_result(bool(admitted))

        self._admit(visitor, lambda admitted: _in_loop(loop, say, admitted))
        try:
            return await asyncio.wait_for(answer, UNANSWERED)
        except asyncio.TimeoutError:
            return False

    def enter(self, client: Client) -> bool:
        """Let an admitted client in; False where the last place is taken. The first that wants to control does."""
        if not self.has_place():
            return False
        self.clients.append(client)
        if not client.watch and not any(other.controls for other in self.clients):
            self._set_controls(client)
        client.outbox.text(frames.text("welcome", controls=client.controls, cameras=list(self.cameras), number=client.number))
        for text in filter(None, (self._status, self._scene)):
            client.outbox.text(text)
        if self._geometry is not None:
            client.outbox.geometry(self._geometry)
        if self._poses is not None:
            client.outbox.poses(self._poses)
        self.note()
        self.on_enter()
        return True

    def leave(self, client: Client) -> None:
        """A client is gone: what it moved is without a guide at once, and the next that wants to may control."""
        self.clients.remove(client)
        if client.controls:
            self._let_go(client)
            heir = next((other for other in self.clients if not other.watch), None)
            if heir is not None:
                self._promote(heir)
        self.cameras_changed()
        self.note()

    def give_control(self, number: int) -> None:
        """Have this client control in place of who does."""
        heir = next((client for client in self.clients if client.number == number), None)
        if heir is None or heir.controls:
            return
        for client in self.clients:
            if client.controls:
                client.controls = False
                self._let_go(client)
                client.outbox.text(frames.text("role", controls=False))
        self._promote(heir)
        self.note()

    def _promote(self, client: Client) -> None:
        self._set_controls(client)
        client.outbox.text(frames.text("role", controls=True))

    def _set_controls(self, client: Client) -> None:
        client.controls, client.base = True, self.newest + 1

    def _let_go(self, client: Client) -> None:
        """Tell that each of its sources is lost, so that drives hold without waiting."""
        now = time.perf_counter()
        self.newest += 1
        for source in sorted(client.sources):
            self._put(Sample(source, "pose", seq=self.newest, t_source=now, t_received=now, tracked=False))

    def hand_over(self, sample: Sample) -> None:
        """A Sample of who controls."""
        self.newest = sample.seq
        self.count("taken")
        self._put(sample)

    def show_geometry(self, frame: bytes, cameras: tuple[str, ...]) -> None:
        """Another model, for all who are here and who will come."""
        self._geometry, self._poses = frame, None
        if cameras != self.cameras:
            self.cameras = cameras
            for client in self.clients:
                client.camera = None
                client.outbox.text(frames.text("cameras", cameras=list(cameras)))
            self.cameras_changed()
        for client in self.clients:
            client.outbox.geometry(frame)

    def show_poses(self, frame: bytes, applied: int) -> None:
        """Where all bodies are now, after the Sample of number `applied`."""
        base = next((client.base for client in self.clients if client.controls), applied + 1)
        self._poses = frame = frames.numbered(frame, applied - base)
        for client in self.clients:
            client.outbox.poses(frame)

    def show_picture(self, camera: int, number: int, frame: bytes) -> None:
        """A picture, for those who asked for that camera."""
        for client in self.clients:
            if client.camera == camera:
                client.outbox.picture(number, frame)

    def show_status(self, text: str) -> None:
        """A text of how the episode goes, for all; kept for who comes later."""
        self._status = text
        for client in self.clients:
            client.outbox.text(text)

    def show_scene(self, text: str) -> None:
        """A text of where hands have brought the scene, for all, where it is another; kept for who comes later."""
        if text != self._scene:
            self._scene = text
            for client in self.clients:
                client.outbox.text(text)

    def pulse(self, side: str, strength: float, milliseconds: float) -> None:
        """A pulse at the hand of who controls."""
        for client in self.clients:
            if client.controls:
                client.outbox.text(frames.text("haptic", side=side, strength=strength, ms=milliseconds))

    def camera_number(self, name: str) -> int | None:
        """The camera of that name; None for '' and for one that there is not."""
        return self.cameras.index(name) if name in self.cameras else None

    def cameras_changed(self) -> None:
        """Tell which cameras somebody looks through."""
        self.on_cameras(frozenset(client.camera for client in self.clients if client.camera is not None))

    def note(self) -> None:
        """Make `present` anew."""
        self.present = tuple(Present(c.number, c.name, c.peer, c.controls, c.order.clock.delay) for c in self.clients)


def _nothing(_cameras: frozenset[int]) -> None:
    """Nobody makes pictures."""


def _nobody() -> None:
    """Nobody wants to know who came in."""


def _in_loop(loop, call, *arguments) -> None:
    with suppress(RuntimeError):    # the server has ended
        loop.call_soon_threadsafe(call, *arguments)
