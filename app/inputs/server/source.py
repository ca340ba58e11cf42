"""The server as a source of Samples: headsets and phones at its page ('xr:right', 'xr:left', 'xr:head', 'xr:phone'), scripts at its socket ('net:NAME')."""
from __future__ import annotations

from pathlib import Path

from app.inputs.server import frames
from app.inputs.server.feed import Feed
from app.inputs.server.room import Admit
from app.inputs.server.server import LOOPBACK, PORT, Server
from app.inputs.source import Put, SourceMissing


class WebSource:
    """name: prefix of its sources. host, port, secure, folder: as of Server; admit: asks a person about each visitor, None: who has the token may come in.

    After `start`: `server` (its address, fingerprint and clients) and `feed`, to which whoever runs the simulation publishes its Snapshots.
    """

    def __init__(self, name: str = "xr", host: str = LOOPBACK, port: int = PORT, secure: bool = True, folder: Path | None = None, admit: Admit | None = None):
        self.name, self.host, self.port, self.secure, self.admit = name, host, port, secure, admit
        self.server: Server | None = None
        self.feed: Feed | None = None
        self._folder = folder

    @property
    def state(self) -> str:
        """What is served, or who is here."""
        server = self.server
        if server is None:
            return "off"
        moved = f" (port {self.port} is taken)" if self.port and server.port != self.port else ""
        present = server.room.present
        if not present:
            return f"waiting at {server.pairing.origin}{moved}"
        who = next((one.name for one in present if one.controls), None)
        return f"{who or 'nobody'} controls, {len(present) - (who is not None)} watch at {server.pairing.origin}{moved}"

    @property
    def address(self) -> str:
        """What a QR code says: the page with the token. Empty while it is off."""
        return self.server.pairing.address() if self.server is not None else ""

    def start(self, put: Put) -> None:
        """Serve. Raises SourceMissing where a package is missing, or no port is free."""
        if self.server is not None:
            return
        try:
            server = Server(self.name, put, self.admit, self.host, self.port, self._folder, self.secure)
            server.start()
        except ImportError as error:
            raise SourceMissing(f"the page needs {error.name}", 'pip install "linkwork[teleop]"') from error
        except ValueError as error:
            raise SourceMissing("the page cannot be served", str(error)) from error
        except OSError as error:
            raise SourceMissing(f"{self.host} cannot be listened at", str(error)) from error
        self.server, self.feed = server, Feed(server)

    def stop(self) -> None:
        """Let all clients go; their sources are told as lost before this returns."""
        server, self.server, self.feed = self.server, None, None
        if server is not None:
            server.stop()

    def feedback(self, strength: float, milliseconds: float, name: str = "") -> None:
        """A pulse at a hand ('xr:right'), or at all ('')."""
        server = self.server
        if server is not None:
            server.call(server.room.pulse, name.partition(":")[2], min(max(float(strength), 0.0), 1.0), min(max(float(milliseconds), 0.0), 1000.0))

    def tell(self, **status) -> None:
        """Show the page how the episode goes: recording, episodes, text, as there are."""
        server = self.server
        if server is not None:
            server.call(server.room.show_status, frames.text("status", **status))
