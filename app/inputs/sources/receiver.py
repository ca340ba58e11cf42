"""Messages that came in, by whatever way, to Samples: decoded strictly, in order, recent, and no more of them than a sender may send.

Nothing that arrives raises: what is not taken is counted, with the last reason for the person who wonders why nothing moves.
"""
from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import replace

from app.inputs.protocol.clock import Order, milliseconds
from app.inputs.protocol.decode import decode
from app.inputs.protocol.encode import encode
from app.inputs.protocol.messages import Ping
from app.inputs.protocol.refused import Refused
from app.inputs.protocol.samples import sample_of
from app.inputs.server.bucket import Bucket
from app.inputs.source import Put

RATE, BURST = 500.0, 100.0      # messages a second of one sender, and at once; those beyond are dropped unread
MOST_SENDERS = 8                # that are told apart; the one that was silent for longest is forgotten
MOST_RATE = 1500.0              # of all senders together: what reading them may cost is bounded
SILENCE = 1.0                   # after which a sender may count from anywhere [s]


class Sender:
    """What is known of one that sends."""

    def __init__(self):
        self.order, self.bucket, self.last = Order(), Bucket(RATE, BURST), 0.0


class Receiver:
    """put: takes the Samples; prefix: of their sources' names; name: of all of them, where one device is all that there is.

    taken, refused, dropped (too many), late, replayed: counts. reason: why the last message was refused.
    """

    def __init__(self, prefix: str, put: Put, name: str = "", clock: Callable[[], float] = time.perf_counter):
        self._prefix, self._put, self._name, self._clock = prefix, put, name, clock
        self._senders: OrderedDict[Hashable, Sender] = OrderedDict()
        self._all = Bucket(MOST_RATE, MOST_RATE / 5)
        self.taken = self.refused = self.dropped = self.late = self.replayed = 0
        self.reason = ""

    def take(self, data: bytes | str, sender: Hashable = None) -> str | None:
        """Take one message; the text that answers it, for a ping, else None."""
        now = self._clock()
        known = self._sender(sender, now)
        if not known.bucket.take(now) or not self._all.take(now):
            self.dropped += 1
            return None
        try:
            message = decode(data)
        except Refused as why:
            self.refused += 1
            self.reason = why.reason
            return None
        if isinstance(message, Ping):
            if message.last is not None:
                known.order.clock.exchange(*message.last)
            return encode("pong", message.seq, message.t, received=milliseconds(now), sent=milliseconds(self._clock()))
        if not known.order.numbered(message.seq):
            self.replayed += 1
            return None
        if not known.order.on_time(message.t, now):
            self.late += 1
            return None
        self._hand_on(message, known.order.clock.ours(message.t), now)
        return None

    def _hand_on(self, message, t_source: float, now: float) -> None:
        sample = sample_of(message, self._prefix, t_source, now)
        if sample is None:
            return
        self.taken += 1
        if self._name:
            sample = replace(sample, source=self._name)
        self._put(sample)

    def _sender(self, key: Hashable, now: float) -> Sender:
        """What is known of a sender; the oldest makes room for a new one."""
        known = self._senders.pop(key, None) or Sender()
        self._senders[key] = known
        if len(self._senders) > MOST_SENDERS:
            self._senders.popitem(last=False)
        if now - known.last > SILENCE:
            known.order.restart()
        known.last = now
        return known

    @property
    def text(self) -> str:
        """How it goes, in words."""
        counts = ((self.refused, f"refused (last: {self.reason})"), (self.dropped, "too many"), (self.late, "too late"), (self.replayed, "out of order"))
        told = "".join(f", {n} {what}" for n, what in counts if n)
        return f"{self.taken} messages{told}" if self.taken or told else "nothing has come yet"
