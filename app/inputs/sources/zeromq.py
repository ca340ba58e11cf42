"""Messages by ZeroMQ: a SUB socket that keeps the newest only (CONFLATE), so that what reads late never lags.

`zmq:tcp://127.0.0.1:5556` connects to a publisher there, `zmq:bind:tcp://127.0.0.1:5556` waits for publishers; any other name means the first at ENDPOINT.
"""
from __future__ import annotations

import time

from app.inputs.sources.device_thread import DeviceThread, needed
from app.inputs.sources.receiver import Receiver

ENDPOINT = "tcp://127.0.0.1:5556"
BIND = "bind:"
WAIT_MS = 50            # for a message
REST = 0.005            # s that a flood waits when it was too much: the newest message is kept meanwhile


class ZeroMqSource(DeviceThread):
    """endpoint: as ZeroMQ writes it. bind: wait for publishers there, in place of connecting. address: the endpoint that it has come to."""

    def __init__(self, name: str = "zmq", endpoint: str = ENDPOINT, bind: bool = False):
        super().__init__(name)
        self.address, self._bind = endpoint, bind
        self._zmq = self._context = None
        self.receiver: Receiver | None = None

    def _prepare(self) -> None:
        self._zmq = needed("zmq", "ZeroMQ")

    def _begin(self) -> None:
        self._context = self._zmq.Context()

    def _close(self) -> None:
        if self._context is not None:
            self._context.destroy(linger=0)

    def _search(self):
        zmq = self._zmq
        subscriber = self._context.socket(zmq.SUB)
        try:
            for option, value in ((zmq.CONFLATE, 1), (zmq.LINGER, 0), (zmq.MAXMSGSIZE, 65_536)):
                subscriber.setsockopt(option, value)
            subscriber.setsockopt(zmq.SUBSCRIBE, b"")
            (subscriber.bind if self._bind else subscriber.connect)(self.address)
        except zmq.ZMQError as error:
            subscriber.close()
            self.state = f"cannot {'wait' if self._bind else 'connect'} at {self.address}: {error}"
            return None
        self.address = subscriber.getsockopt(zmq.LAST_ENDPOINT).rstrip(b"\0").decode()
        self.state = f"ready: {self.address}"
        return subscriber

    def _leave(self, device) -> None:
        device.close()

    def _read(self, device) -> None:
        self.receiver = receiver = Receiver("zmq", self._put)
        while not self.stopping:
            if device.poll(WAIT_MS):
                dropped = receiver.dropped
                receiver.take(device.recv())
                if receiver.dropped > dropped:
                    time.sleep(REST)
            else:
                self.state = f"ready: {self.address}, {receiver.text}"


def make(name: str) -> ZeroMqSource:
    """The source that a name means."""
    rest = name.partition(":")[2]
    bind = rest.startswith(BIND)
    endpoint = rest.removeprefix(BIND)
    return ZeroMqSource(name, endpoint, bind) if "://" in endpoint else ZeroMqSource(name)
