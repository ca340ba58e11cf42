"""From a run that goes on to a spool: what is new is asked of the physics thread, and written."""
from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from physics.recording.journal import JournalReader
from physics.runtime import commands
from physics.runtime.runner import Runner

if TYPE_CHECKING:       # at the start every import counts
    from physics.recording.spool import Spool
    from physics.runtime.recorded.capture import Taken

PATIENCE = 0.2      # s between two looks whether it is wanted still
ANSWERS = 10.0      # s within which the physics thread answers


class Taking:
    """Asks one Runner; for one thread."""

    def __init__(self, runner: Runner):
        self._runner = runner
        self._answers: SimpleQueue[Taken | None] = SimpleQueue()
        self._asked = False

    def take(self, reader: JournalReader | None, stopping: Callable[[], bool] = lambda: False) -> Taken | None:
        """What the run has, of its inputs those that the reader has not read yet; None where it has nothing, or does not answer: its answer then comes with the next call."""
        if not self._asked:
            self._runner.send(commands.TakeRecording(self._answers.put, reader))
            self._asked = True
        end = time.monotonic() + ANSWERS
        while not stopping() and time.monotonic() < end:
            try:
                found = self._answers.get(timeout=PATIENCE)
                self._asked = False
                return found
            except Empty:
                continue
        return None


def append(spool: Spool, taken: Taken, written: set[int], texts: Mapping[int, Mapping[str, str]], about: Mapping[str, str], extras: Mapping[str, Any]) -> None:
    """Write what is new. written: numbers of the Models that are in the spool, to which new ones are added; texts: of Models, by number. Raises OSError, RecordingError."""
    recording = taken.recording
    models = taken.models(taken.numbers() - written, texts)
    spool.append(replace(recording, models=models, inputs=taken.lines, about={**about, **recording.about}, **extras), taken.changed, taken.present)
    written |= {model.number for model in models}
