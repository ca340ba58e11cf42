"""Messages by UDP: one a datagram, JSON or msgpack (app.inputs.protocol.decode). Only from this computer unless another address is chosen.

`udp:9870` or `udp:192.168.1.5:9870` says where to listen, any other name ('udp:right') which of the senders' parts is meant, at PORT. Nothing that comes can do more than move
what a mapping lets it move; who may send is not asked, so that an address that others reach should be chosen in networks of one's own only.
"""
from __future__ import annotations

import re
import select
import socket
import time

from app.inputs.source import SourceMissing
from app.inputs.sources.device_thread import DeviceThread
from app.inputs.sources.receiver import Receiver

HOST, PORT = "127.0.0.1", 9870
LARGEST = 65_535
WAIT = 0.05             # for a datagram [s]
AT_ONCE = 64            # datagrams that are read before others get their turn
REST = 0.005            # s that a flood waits after so many: where each is waited for, each takes the interpreter from the simulation's and the hub's threads; what the system cannot keep meanwhile it drops
ADDRESS = re.compile(r"(?:(?P<host>[0-9.]+|localhost|\[[0-9a-fA-F:]+\]):)?(?P<port>[0-9]{1,5})")


class UdpSource(DeviceThread):
    """address: (host, port) that it listens at, port 0: any that is free (told by `address` once it is found)."""

    def __init__(self, name: str = "udp", host: str = HOST, port: int = PORT):
        super().__init__(name)
        self.address = (host, port)
        self.receiver: Receiver | None = None

    def _search(self) -> socket.socket | None:
        family = socket.AF_INET6 if ":" in self.address[0] else socket.AF_INET
        listening = socket.socket(family, socket.SOCK_DGRAM)
        try:
            listening.bind(self.address)
        except OSError as error:
            listening.close()
            self.state = f"cannot listen at {_text(self.address)}: {error.strerror or error}"
            return None
        listening.setblocking(False)
        self.address = listening.getsockname()[:2]
        self.state = f"ready: {_text(self.address)}"
        return listening

    def _leave(self, device: socket.socket) -> None:
        device.close()

    def _read(self, device: socket.socket) -> None:
        self.receiver = receiver = Receiver("udp", self._put)
        while not self.stopping:
            if not select.select([device], [], [], WAIT)[0]:
                self.state = f"ready: {_text(self.address)}, {receiver.text}"
                continue
            batch = _batch(device)
            for data, sender in batch:
                answer = receiver.take(data, sender)
                if answer is not None:
                    _answer(device, answer.encode(), sender)
            if len(batch) == AT_ONCE:
                self.state = f"ready: {_text(self.address)}, {receiver.text}"
                time.sleep(REST)


def _batch(device: socket.socket) -> list[tuple[bytes, tuple]]:
    """What has come by now, with who sent it, at most AT_ONCE."""
    found = []
    while len(found) < AT_ONCE:
        try:
            found.append(device.recvfrom(LARGEST))
        except BlockingIOError:
            break
        except ConnectionError:     # one that was answered has gone
            continue
    return found


def _answer(device: socket.socket, data: bytes, sender: tuple) -> None:
    try:
        device.sendto(data, sender)
    except (BlockingIOError, ConnectionError):      # it asks faster than it listens, or has gone
        pass


def _text(address: tuple[str, int]) -> str:
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def make(name: str) -> UdpSource:
    """The source that a name ('udp', 'udp:9870', 'udp:0.0.0.0:9870', 'udp:right') means. Raises SourceMissing for a port that there is not."""
    found = ADDRESS.fullmatch(name.partition(":")[2])
    if found is None:
        return UdpSource(name)
    port = int(found["port"])
    if port > 65535:
        raise SourceMissing(f"there is no port {port}", "ports are 1 to 65535")
    return UdpSource(name, (found["host"] or HOST).strip("[]"), port)
