"""How a frame state is drawn (options, camera, state of the view), on its way to the process that draws it.

Markers and the Models of ghosts stay the same from frame to frame and may be large: they go once, as parts by number, and a look only names them. Both ends
forget a part that a look does not name.
"""
from __future__ import annotations

import io
import pickle
from itertools import count
from typing import Any

from app.bridge.markers import DrawnMarkers
from physics.model.model import Model

PARTS = (Model, DrawnMarkers)
THE_MODEL = 0       # number of the Model that the frame state is of


class LookSender:
    """The window's end."""

    def __init__(self):
        self._sent: dict[int, tuple[int, object]] = {}      # by id: number and part
        self._numbers = count(THE_MODEL + 1)

    def pack(self, look: Any, model: Model) -> tuple[bytes, list[tuple[int, object]]]:
        """(the look, parts by number that are to be sent before it)."""
        room, named, new = io.BytesIO(), {}, []

        def number_of(thing: object) -> int | None:
            if not isinstance(thing, PARTS):
                return None
            if thing is model:
                return THE_MODEL
            if id(thing) not in named:
                known = self._sent.get(id(thing))
                if known is None:
                    known = next(self._numbers), thing
                    new.append(known)
                named[id(thing)] = known
            return named[id(thing)][0]

        pickler = pickle.Pickler(room, 5)
        pickler.persistent_id = number_of
        pickler.dump(look)
        self._sent = named
        return room.getvalue(), new


class LookReceiver:
    """The other process's end. For looks of this program's own only."""

    def __init__(self):
        self._parts: dict[int, object] = {}

    def take(self, number: int, part: object) -> None:
        """A part has come."""
        self._parts[number] = part

    def unpack(self, packed: bytes, model: Model) -> Any:
        """The look that a sender has packed."""
        named: dict[int, object] = {THE_MODEL: model}

        def part_of(number: int) -> object:
            if number not in named:
                named[number] = self._parts[number]
            return named[number]

        unpickler = pickle.Unpickler(io.BytesIO(packed))
        unpickler.persistent_load = part_of
        look = unpickler.load()
        self._parts = {number: part for number, part in named.items() if number != THE_MODEL}
        return look
