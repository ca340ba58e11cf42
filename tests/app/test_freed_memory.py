"""Freed memory goes back to the system."""
import gc
import os
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest
from PyQt6.QtCore import QTimer

from app import freed_memory
from app.freed_memory import ARENAS, GuiCollector, give_back
from assets.locate import bundled_model
from tests.long.reloads import megabytes

BLOCKS, BYTES = 2000, 50_000      # small enough to lie among each other, not in pages of their own


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems' C libraries look after this themselves")
def test_what_was_freed_between_what_lives_goes_back():
    blocks = [np.ones(BYTES, np.uint8) for _ in range(BLOCKS)]
    living = blocks[::10]
    full = megabytes()
    del blocks
    give_back()
    assert full - megabytes() > 0.5 * BLOCKS * BYTES / 2**20
    assert all(block.all() for block in living)


HEAPS = """
import ctypes, sys, threading
from app.freed_memory import tune_malloc
if {shared}:
    tune_malloc()
libc = ctypes.CDLL(None)
libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
libc.fdopen.restype, libc.fdopen.argtypes = ctypes.c_void_p, [ctypes.c_int, ctypes.c_char_p]
libc.malloc_info.argtypes, libc.fflush.argtypes = [ctypes.c_int, ctypes.c_void_p], [ctypes.c_void_p]
barrier = threading.Barrier(9)
threads = [threading.Thread(target=lambda: (libc.malloc(1000), barrier.wait())) for _ in range(8)]
for thread in threads:
    thread.start()
barrier.wait()
out = libc.fdopen(1, b"w")
libc.malloc_info(0, out)
libc.fflush(out)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems' C libraries look after this themselves")
def test_all_threads_share_few_heaps():
    def heaps(shared: bool) -> int:
        return subprocess.run([sys.executable, "-c", HEAPS.format(shared=shared)], capture_output=True, text=True, check=True).stdout.count("<heap ")

    assert heaps(shared=True) <= ARENAS < heaps(shared=False)


def ring():
    """Two objects that hold each other; tells whether they were freed."""
    class Part:
        pass

    one, other = Part(), Part()
    one.other, other.other = other, one
    return weakref.ref(one)


def test_rings_are_freed_in_the_gui_thread_alone(workbench):
    bench = workbench(bundled_model("arm.xml"), running=True)
    threads, rings = [], []
    gc.callbacks.append(lambda phase, _info: threads.append(threading.current_thread()))
    try:
        def make(count):
            rings.extend(ring() for _ in range(count))

        making = threading.Thread(target=make, args=(5000,))
        making.start()
        bench.wait(lambda: not making.is_alive() and not any(one() for one in rings) and bench.snapshot.time > 0.5)
    finally:
        gc.callbacks.pop()
    assert set(threads) == {threading.main_thread()}


@pytest.mark.parametrize(("seconds", "freed"), [(0.0, True), (1000.0, False)])
def test_a_few_old_rings_are_freed_after_a_while_though_objects_are_no_more(qtbot, monkeypatch, seconds, freed):
    collector = GuiCollector()
    monkeypatch.setattr(freed_memory, "SHARE", 1e9)
    monkeypatch.setattr(gc, "get_count", lambda: (10_000, 0, 0))       # nothing old is due by its number
    try:
        collector.collect()     # the first is a full one
        old, held = ring(), []
        held.append(old())
        gc.collect(1)           # it is among the old ones from now on
        held.clear()
        monkeypatch.setattr(freed_memory, "FULL_S", seconds)
        collector.collect()
        assert (old() is None) is freed
    finally:
        collector.end()


def test_the_collector_waits_for_the_end_of_what_keeps_the_window_busy(qtbot, monkeypatch):
    """A full collection takes as long as opening a model: one after the other in the same turn would be a stall."""
    monkeypatch.setattr(gc, "get_count", lambda: (10_000, 0, 0))
    monkeypatch.setattr(freed_memory, "COLLECT_MS", 50)
    monkeypatch.setattr(freed_memory, "PATIENCE_S", 60.0)
    busy, collected = QTimer(), []
    busy.timeout.connect(lambda: time.sleep(0.06))
    busy.start(0)
    collector = GuiCollector()
    monkeypatch.setattr(collector, "collect", lambda: collected.append(time.monotonic()))
    try:
        qtbot.wait(700)
        assert not collected
        busy.stop()
        qtbot.waitUntil(lambda: bool(collected))
        monkeypatch.setattr(freed_memory, "PATIENCE_S", 0.3)
        collected.clear()
        busy.start(0)
        qtbot.waitUntil(lambda: bool(collected))      # but not for ever
    finally:
        busy.stop()
        collector.end()


def test_pythons_collector_goes_on_after_the_last_window(qtbot):
    assert gc.isenabled()
    first, second = GuiCollector(), GuiCollector()
    assert not gc.isenabled()
    first.end()
    first.end()
    assert not gc.isenabled() and GuiCollector.living == 1
    second.end()
    assert gc.isenabled()


FILL = """
import os
from app.program import prepare_process
if {prepared}:
    prepare_process()
from PyQt6.QtGui import QColor, QGuiApplication, QImage, QPainter
app = QGuiApplication([])
image = QImage(2000, 2000, QImage.Format.Format_RGB32)
painter = QPainter(image)
painter.fillRect(image.rect(), QColor(10, 20, 30, 40))
painter.end()
print(len(os.listdir("/proc/self/task")))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="threads are counted in /proc")
def test_qt_paints_in_the_thread_that_it_is_asked_in():
    def threads(prepared: bool) -> int:
        return int(subprocess.run([sys.executable, "-c", FILL.format(prepared=prepared)], capture_output=True, text=True, check=True,
                                  env={**{k: v for k, v in os.environ.items() if k != "QT_NO_GUI_THREADPOOL"}, "QT_QPA_PLATFORM": "offscreen"}).stdout)

    assert threads(prepared=True) < threads(prepared=False)


FROZEN = """
import gc
from app.program import prepare_process
before = len(gc.get_objects())
prepare_process()
print(len(gc.get_objects()) / before)
"""


def test_full_collections_do_not_look_through_what_modules_made():
    assert float(subprocess.run([sys.executable, "-c", FROZEN], capture_output=True, text=True, check=True).stdout) < 0.01


HUGE = """
import numpy as np
from app.freed_memory import tune_malloc
tune_malloc()
kept = []
for _ in range(8):
    block = np.ones(3 << 20, np.uint8)      # from the heap
    kept.append(np.ones(1000, np.uint8))
    large = np.ones(5 << 20, np.uint8)      # by itself
before = sum(int(line.split()[1]) for line in open("/proc/self/smaps") if line.startswith("Rss:"))
del large
after = sum(int(line.split()[1]) for line in open("/proc/self/smaps") if line.startswith("Rss:"))
huge = sum(int(line.split()[1]) for line in open("/proc/self/smaps") if line.startswith("AnonHugePages:"))
disabled = [line.split()[1] for line in open("/proc/self/status") if line.startswith("THP_enabled:")]
print(before - after, huge, *disabled)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems' C libraries look after this themselves")
def test_large_blocks_go_back_at_once_and_there_are_no_huge_pages():
    freed, huge, enabled = subprocess.run([sys.executable, "-c", HUGE], capture_output=True, text=True, check=True).stdout.split()
    assert int(freed) > 4000 and int(huge) == 0 and enabled == "0"
