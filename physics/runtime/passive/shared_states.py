"""The newest state of a script, in memory that its process shares with the window's: three slots in turn, so that neither waits for the other.

    script: offer(d)  --copy--> slot, then its number is the newest        window: take() reads the newest, and says so, that it is left alone meanwhile

Only the newest counts. What is more than a state (values of the Model, texts, events) goes through the pipe; each slot says how much of that came before it.
"""
from __future__ import annotations

import mmap
import os
import tempfile
from contextlib import suppress

import numpy as np

from physics.model.data import Data
from physics.runtime.passive.packed_image import PackedImage, room_for
from physics.runtime.passive.shown import News

SLOTS = 3
FAST = "/dev/shm"       # files there are memory; elsewhere the system keeps them in memory while they are in use
# the head: 8-byte numbers; which is the newest (count of offers), its slot, the slot that is being read, whether each state is wanted, the size of a slot
NEWEST, SLOT, READING, EACH, SIZE = range(5)
OF_SLOT = 8     # behind these, for each slot: count of its offer, how many states went through the pipe before, whether it is a state alone
NUMBER, BEFORE, ALONE = range(3)
HEAD = 8 * (OF_SLOT + 4 * SLOTS + 4)


class SharedStates:
    """path: of the file that is shared. The script makes it (`made`), the window opens it (`opened`)."""

    def __init__(self, path: str, memory: mmap.mmap):
        self.path, self._memory = path, memory
        whole = np.frombuffer(memory, np.uint8)
        self._head = whole[:HEAD].view(np.int64)
        size = int(self._head[SIZE]) or (len(whole) - HEAD) // SLOTS
        self._slots = [whole[HEAD + i * size:HEAD + (i + 1) * size] for i in range(SLOTS)]
        self._of = [self._head[OF_SLOT + 4 * i:OF_SLOT + 4 * i + 4] for i in range(SLOTS)]
        self._packed: PackedImage | None = None
        self._seen = 0

    @classmethod
    def made(cls, d: Data) -> SharedStates | None:
        """Room for states of this Data; None where the system has none."""
        size = room_for(d)
        try:
            file, path = tempfile.mkstemp(prefix="linkwork-", dir=FAST if os.path.isdir(FAST) else None)
            try:
                os.truncate(path, HEAD + SLOTS * size)
                if hasattr(os, "posix_fallocate"):      # else a system without that much would end the process when it is written
                    os.posix_fallocate(file, 0, HEAD + SLOTS * size)
                memory = mmap.mmap(file, HEAD + SLOTS * size)
            except (OSError, ValueError):
                os.unlink(path)
                return None
            finally:
                os.close(file)
        except OSError:
            return None
        new = cls(path, memory)
        new._head[READING], new._head[SIZE], new._packed = -1, size, PackedImage(d)
        return new

    @classmethod
    def opened(cls, path: str) -> SharedStates | None:
        """That of the script; None where it is gone. Afterwards the file has no name any more where the system allows it."""
        try:
            with open(path, "r+b") as file:
                memory = mmap.mmap(file.fileno(), 0)
        except (OSError, ValueError):
            return None
        new = cls(path, memory)
        new.forget()
        return new

    def forget(self) -> None:
        """Take the file's name away; the memory stays while somebody uses it."""
        with suppress(OSError):
            os.unlink(self.path)

    # ------------------------------------------------------------------ the script's side

    @property
    def each(self) -> bool:
        """Whether the window wants every state, not only the newest: then they go through the pipe."""
        return bool(self._head[EACH])

    def offer(self, d: Data, alone: bool, before: int) -> bool:
        """Make the present state the newest. alone: the state only, from which the window computes the rest; before: how many states were sent through the pipe.
        False where it does not fit."""
        head = self._head
        newest, reading = int(head[SLOT]), int(head[READING])
        k = next(i for i in range(SLOTS) if i not in (newest, reading))
        of, memory = self._of[k], self._slots[k]
        of[NUMBER] = 0      # whoever reads it now after all sees that it has become another
        done = self._packed.write_state(d, memory) if alone else self._packed.write(d, memory)
        if not done:
            return False
        number = int(head[NEWEST]) + 1
        of[NUMBER], of[BEFORE], of[ALONE] = number, before, alone
        head[SLOT], head[NEWEST] = k, number
        return True

    # ------------------------------------------------------------------ the window's side

    def want_each(self, on: bool) -> None:
        """Say whether every state is wanted."""
        self._head[EACH] = on

    def take(self, d: Data, received: int, show) -> bool:
        """Have show(News) called with the newest state, whose arrays are good during the call, where it is another than the last time; whether it was. d: of the same sizes;
        received: how many states have come through the pipe: one that was made
        after more waits for it, one that was made before it is too old."""
        head = self._head
        number = int(head[NEWEST])
        if number == self._seen:
            return False
        k = int(head[SLOT])
        head[READING] = k
        try:
            of = self._of[k]
            number, before = int(of[NUMBER]), int(of[BEFORE])
            if int(head[SLOT]) != k or number <= self._seen or before > received:
                return False    # the next look finds it
            if before < received:       # what has come through the pipe since is newer
                self._seen = number
                return False
            if self._packed is None:
                self._packed = PackedImage(d)
            memory = self._slots[k]
            show(News(state=self._packed.read_state(memory)) if of[ALONE] else News(image=self._packed.read(memory)))
            if int(of[NUMBER]) == number:
                self._seen = number
            return True
        finally:
            head[READING] = -1
