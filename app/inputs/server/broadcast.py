"""A run, as the pages of a server see it: each published Snapshot, the lamp of what the server's sources drive, and which of their samples have had their effect."""
from __future__ import annotations

import threading

from app.inputs.hub import Hub
from app.inputs.mapping.dead_man import Lamp
from app.inputs.mapping.scene_frame import SceneFrame
from app.inputs.server.source import WebSource

BEFORE = (Lamp.ARMED, Lamp.HOLDING, Lamp.LOST, Lamp.DISARMED)   # of several drives the first of these is shown
HAND = "right"  # of two hands, which have one frame
LOOK = 0.25     # s after which the lamp is looked at though nothing was published


class Broadcast:
    """From the hub's run to a WebSource that has started; a thread of its own, which nobody waits for. reader: a number of `Runner.add_reader` that nobody else uses meanwhile; None: one of its own."""

    def __init__(self, hub: Hub, source: WebSource, reader: int | None = None):
        self._hub, self._source = hub, source
        self.reader = hub.runner.add_reader() if reader is None else reader
        self._bell = threading.Event()
        self._ring = self._bell.set
        self._stopping = False
        self._applied = -1
        hub.runner.bells = (*hub.runner.bells, self._ring)
        self._thread = threading.Thread(target=self._loop, name="teleoperation broadcast", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._hub.runner.bells = tuple(bell for bell in self._hub.runner.bells if bell != self._ring)
        self._stopping = True
        self._bell.set()
        self._thread.join()

    def _loop(self) -> None:
        shown: tuple = ()
        while not self._stopping:
            self._bell.wait(LOOK)
            self._bell.clear()
            feed, applied = self._source.feed, self._newest()   # before the Snapshot, which may be newer
            snapshot = self._hub.runner.acquire(self.reader)
            if feed is None or snapshot is None:
                continue
            now = snapshot.number, self._lamp(), self._scene()
            if now != shown:
                shown = now
                feed.publish(snapshot, applied, str(now[1]), now[2])
            del snapshot    # its Model is kept no longer than it runs

    def _newest(self) -> int:
        """The number of the newest sample of this server whose command has been performed and published, as far as it was measured."""
        rows = self._hub.latency.rows
        if rows and rows[-1].source.startswith(f"{self._source.name}:"):
            self._applied = rows[-1].seq
        return self._applied

    def _scene(self) -> SceneFrame:
        """Where the hands of this server have brought the scene."""
        return self._hub.scene_frame(f"{self._source.name}:{HAND}")

    def _lamp(self) -> Lamp:
        lamps = {state.lamp for state in self._hub.states if state.source.startswith(f"{self._source.name}:")}
        return next((lamp for lamp in BEFORE if lamp in lamps), Lamp.DISARMED)
