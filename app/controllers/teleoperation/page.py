"""The page for headsets and phones while the window serves it: the run and its lamps go to it, and pictures of the cameras that somebody there looks through.

    GUI thread: serve, stop        a thread each: Broadcast (poses), PictureMaker (draws in an OpenGL context of its own, the newest state, when the picture before was seen)
"""
from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, pyqtSignal

if TYPE_CHECKING:   # the server's packages are imported when it is switched on
    from app.inputs.hub import Hub
    from app.inputs.server.broadcast import Broadcast
    from app.inputs.server.pictures import PictureMaker
    from app.inputs.server.room import Admit
    from app.inputs.server.source import WebSource

PAGE, LOOPBACK, PORT = "xr", "127.0.0.1", 8443
LEAVING = 12.0      # s that clients may take to leave, where the program ends
FREED = 0.5         # s at most until the port of the server before is free: else the next port is taken
PICTURES = 15.0     # a second of all cameras together: beside a view that is drawn


def hosts() -> list[tuple[str, str, bool]]:
    """(what it is, address, whether by HTTPS) of where the page can be served."""
    from PyQt6.QtNetwork import QAbstractSocket, QNetworkInterface

    own = [address.toString() for address in QNetworkInterface.allAddresses() if address.protocol() == QAbstractSocket.NetworkLayerProtocol.IPv4Protocol and not address.isLoopback()]
    return [(f"This machine alone ({LOOPBACK})", LOOPBACK, True), (f"By cable: adb reverse tcp:{PORT} tcp:{PORT}", LOOPBACK, False),
            *((f"Local network ({address})", address, True) for address in own)]


class ServedPage(QObject):
    """Signal: told(text) why there are no pictures of cameras."""

    told = pyqtSignal(str)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self._broadcast: Broadcast | None = None
        self._pictures: PictureMaker | None = None
        self._ending: threading.Thread | None = None    # of the server before
        self._readers: list[int] = []       # of Snapshots, for those who will look next: each one that is made costs memory for good

    @property
    def on(self) -> bool:
        """Whether it is served."""
        return self._broadcast is not None

    def serve(self, hub: Hub, admit: Admit, host: str = LOOPBACK, secure: bool = True, port: int | None = None) -> None:
        """Serve it at an address, by HTTPS or, to this machine alone, without; `admit` asks about visitors. Raises SourceMissing."""
        from app.film.camera_pictures import CameraPictures
        from app.inputs.server.broadcast import Broadcast
        from app.inputs.server.pictures import PictureMaker
        from app.inputs.table import make

        if self._ending is not None:
            self._ending.join(FREED)
        source: WebSource = make(PAGE)
        source.host, source.secure, source.admit = host, secure, admit
        source.port = source.port if port is None else port
        hub.add(source)
        self._broadcast = Broadcast(hub, source, self._reader(hub))
        reader = self._reader(hub)
        draw = CameraPictures(hub.runner, reader=reader)
        self._pictures = PictureMaker(source.feed, draw, PICTURES, self._closing(draw.close, reader), self._failed, draw.close)

    def stop(self, hub: Hub, wait: bool = False) -> None:
        """Let all clients go, which may take them some seconds: the server ends by itself. What they drive holds. wait: until no picture is drawn any more."""
        from app.demonstrations.reaper import see_to

        if self._broadcast is not None:
            broadcast, self._broadcast = self._broadcast, None
            self._pictures.stop(wait)
            broadcast.stop()
            self._readers.append(broadcast.reader)
            source = hub.take_out(PAGE)
            if source is not None:
                self._ending = threading.Thread(target=source.stop, name="page's end", daemon=True)
                self._ending.start()
                see_to(self._ending, LEAVING)

    def _reader(self, hub: Hub) -> int:
        return self._readers.pop() if self._readers else hub.runner.add_reader()

    def _closing(self, close: Callable[[], None], reader: int) -> Callable[[], None]:
        """For the end of the thread that draws: its reader is free then."""
        def closed() -> None:
            close()
            self._readers.append(reader)

        return closed

    def _failed(self, error: Exception) -> None:
        """In the thread that draws."""
        self.told.emit(f"The page gets no pictures of cameras: {error}")
