"""Memory that was freed goes back to the system, and Python's collector frees in the GUI thread alone.

The C library of Linux keeps it for later, in holes between what lives on. A software driver that compiles and frees programs all the time makes
such holes: a window that is worked with for half an hour grew by them, though nothing in it did.
"""
import ctypes
import gc
import sys
import threading
import time
from functools import lru_cache

from PyQt6.QtCore import QObject, Qt, QTimer

M_ARENA_MAX = -8        # of mallopt(3)
ARENAS = 2              # heaps that all threads share; by default eight for each core, and each keeps holes of its own
M_MMAP_THRESHOLD = -3
LARGE = 4 << 20         # bytes: such a block goes back to the system as soon as it is freed
M_TRIM_THRESHOLD = -1
TOP = 16 << 20          # bytes that may lie free at the end of the heap: what is needed again at once is not given back each time
PR_SET_THP_DISABLE = 41     # prctl(2)
INTERVAL_MS = 30_000    # between two times; each takes some milliseconds
COLLECT_MS = 500        # between two looks at how much the collector has to do
CALM_MS, LATE_S, PATIENCE_S = 20, 0.012, 5.0    # it waits until a timer of so many ms comes no later than so much, for so long: a long turn of the window gets no longer by it
FULL_S = 60.0           # seconds after which there is another full collection anyway: a few objects in a ring can hold a model and its pictures
SHARE = 0.001           # of the time that full collections may take, where they take long
GROWN = 1.25            # times as many objects as after the last full collection, before there is another one: Python's own rule


@lru_cache(maxsize=1)
def _trim():
    """The C library's function, None where it has none."""
    return getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform.startswith("linux") else None


def tune_malloc() -> None:
    """Let all threads share few heaps of the C library, keep large blocks apart from them, and have no huge pages, which fill the holes again that were
    given back (numpy asks for them); before there are threads."""
    if _trim() is not None:
        library = ctypes.CDLL(None)
        library.mallopt(M_ARENA_MAX, ARENAS)
        library.mallopt(M_MMAP_THRESHOLD, LARGE)
        library.mallopt(M_TRIM_THRESHOLD, TOP)
        library.prctl(PR_SET_THP_DISABLE, ctypes.c_ulong(1), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0))


def give_back() -> bool:
    """Give back what is free now; whether there was anything. It does not hold the interpreter's lock."""
    trim = _trim()
    return trim is not None and bool(trim(0))


def give_back_aside() -> None:
    """The same in a thread of its own, so that nobody waits for it."""
    threading.Thread(target=give_back, name="give back", daemon=True).start()


class GuiCollector(QObject):
    """While one lives, rings of objects are freed in the GUI thread, by the same rules as Python's own.

    In another thread the collector takes apart what Qt's objects are connected to, while these live on until the event loop deletes them: a signal that arrives
    in between calls a function that is none any more.
    """

    living = 0      # how many there are; the collector is Python's again when the last one ends

    def __init__(self):
        super().__init__()
        GuiCollector.living += 1
        gc.disable()
        self._most = 0      # objects after the last full collection
        self._last, self._cost = time.monotonic(), 0.0      # when that was, and how long it took [s]
        self._timer, self._alone = QTimer(self), QTimer(self)
        self._alone.setSingleShot(True)
        self._alone.setInterval(CALM_MS)
        self._alone.setTimerType(Qt.TimerType.PreciseTimer)
        self._alone.timeout.connect(self._collect_if_calm)
        self._asked = self._begun = 0.0     # since when there is something to do, and when `_alone` was started
        self._timer.timeout.connect(self._ask)
        self._timer.start(COLLECT_MS)

    def _ask(self) -> None:
        if not self._alone.isActive():
            self._asked = self._begun = time.monotonic()
            self._alone.start()

    def _collect_if_calm(self) -> None:
        now = time.monotonic()
        if now - self._begun > 0.001 * CALM_MS + LATE_S and now - self._asked < PATIENCE_S:
            self._begun = now
            self._alone.start()
        else:
            self.collect()

    def collect(self) -> None:
        """Free what is due."""
        due = [generation for generation, (count, limit) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True)) if count > limit]
        if not due:
            return
        if time.monotonic() - self._last > max(FULL_S, self._cost / SHARE) or due[-1] == 2 and len(gc.get_objects()) > GROWN * self._most:
            self._collect_all()
        else:
            gc.collect(min(due[-1], 1))

    def _collect_all(self) -> None:
        begun = time.thread_time()      # others that take the processor meanwhile do not make it dearer
        gc.collect()
        self._last, self._cost = time.monotonic(), time.thread_time() - begun
        self._most = len(gc.get_objects())

    def end(self) -> None:
        """The window is closed."""
        if self._timer.isActive():
            self._timer.stop()
            self._alone.stop()
            GuiCollector.living -= 1
            if not GuiCollector.living:
                gc.enable()
