"""The thread in which Samples become advice, beside the run: it measures, looks at the rules, and rests so long after each piece of work that it takes a small share of a core."""
from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue

from physics.diagnostics.advice.advisor import Advisor
from physics.diagnostics.advice.finding import Advice
from physics.diagnostics.advice.measurement import Measurer
from physics.diagnostics.advice.sample import Sample
from physics.model.model import Model

SHARE, SEEN = 0.001, 0.006     # of a core, that measuring may take, and that the rules may: while only their number is told, while somebody reads them
FIRST, PAUSE = 1.0, 4.0     # s before the first measurement, and between two, at least
LARGEST = 400 << 20     # bytes of a Model that is copied to be measured


@dataclass(frozen=True, slots=True)
class Told:
    """What is to be told of a Model: advice, the samples that it comes from, and whether the thread failed: why."""

    model: Model
    advice: tuple[Advice, ...]
    samples: int
    why: str = ""


class AdviceThread:
    """tell(Told) is called in the thread after each Sample of which the rules were looked at; begin() in it at first. Give Samples by `add`, end it by `stop`."""

    def __init__(self, tell: Callable[[Told], None], begin: Callable[[], None] = lambda: None):
        self._tell, self._begin = tell, begin
        self._queue: SimpleQueue = SimpleQueue()
        self.spent = 0.0        # s of processor time
        self.share = SHARE
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="advice", daemon=True)
        self._thread.start()

    def add(self, model: Model, sample: Sample | None, dismissed: set[tuple]) -> None:
        """Take a Sample of a Model; None: another Model runs, what was known is let go. dismissed: keys that are not told. From any thread."""
        self._queue.put((model, sample, dismissed))

    @property
    def behind(self) -> bool:
        """Whether it has not looked at all that it was given."""
        return not self._queue.empty()

    def stop(self, wait: float | None = None) -> None:
        """End at the next piece of work; waits for that, for so many seconds at most where they are given. A step of a large model may take longer."""
        self._stopping.set()
        self._queue.put(None)
        self._thread.join(wait)

    # ------------------------------------------------ its own thread

    def _run(self) -> None:
        self._begin()
        pace: _Pace | None = None
        while (item := self._queue.get()) is not None and not self._stopping.is_set():
            model, sample, dismissed = item
            item = None
            if sample is None:
                pace = None
            else:
                if pace is None or pace.advisor.model is not model:
                    pace = _Pace(model, self._stopping.is_set)
                self._look(pace, sample, dismissed)
            self.spent = time.thread_time()
            model = sample = None   # nothing is kept while it waits

    def _look(self, pace: _Pace, sample: Sample, dismissed: set[tuple]) -> None:
        if pace.failed:
            return
        try:
            advice = pace.look(sample, dismissed, self.share)
        except Exception as why:    # advice alone ends, for this Model
            pace.failed = True
            self._tell(Told(pace.advisor.model, (), 0, f"{type(why).__name__}: {why}"))
            return
        if advice is not None:
            self._tell(Told(pace.advisor.model, advice, len(pace.advisor.samples)))


class _Pace:
    """The Advisor of one Model, and when what is due."""

    def __init__(self, model: Model, stop: Callable[[], bool]):
        self.advisor = Advisor(model, measurer=Measurer(model, stop))
        self.failed = False
        self._measures = sum(getattr(model, name).nbytes for name in model.layout.arrays) <= LARGEST
        self._measured_at, self._found_at = time.monotonic() + FIRST, 0.0

    def look(self, sample: Sample, dismissed: set[tuple], share: float) -> tuple[Advice, ...] | None:
        """Advice, None where nothing was looked at this time."""
        advisor, now = self.advisor, time.monotonic()
        advisor.dismissed = dismissed
        if not advisor.add(sample):
            return None
        if self._measures and now >= self._measured_at:
            cost = _spent(advisor.measure)
            self._measured_at = now + max(PAUSE, cost / share)
        if now < self._found_at:
            return None
        found: list[tuple[Advice, ...]] = []
        self._found_at = now + _spent(lambda: found.append(advisor.find())) / share
        return found[0]


def _spent(call: Callable) -> float:
    """Processor time that a call takes [s]."""
    begun = time.thread_time()
    call()
    return time.thread_time() - begun
