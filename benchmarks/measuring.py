"""Clocks and pinning for honest figures on a shared machine: CPU time of one pinned thread, medians of interleaved windows."""
import os
import statistics
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

TICKS = 100     # of /proc, a second


def pin_to_one_core() -> None:
    """Keep this process on one core, where the system allows that."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def cpu_seconds(call: Callable[[], None]) -> float:
    """CPU time of this thread spent in `call` [s]."""
    begun = time.thread_time_ns()
    call()
    return (time.thread_time_ns() - begun) * 1e-9


def interleaved(calls: dict[str, Callable[[], None]], rounds: int) -> dict[str, list[float]]:
    """CPU seconds of each call, `rounds` times round-robin: {name: [seconds of each round]}."""
    found: dict[str, list[float]] = {name: [] for name in calls}
    names = list(calls)
    for i in range(rounds):
        for name in names[i % len(names):] + names[:i % len(names)]:
            found[name].append(cpu_seconds(calls[name]))
    return found


def median_ratio(above: list[float], below: list[float]) -> float:
    """Median over rounds of above / below, round by round, so that drift of the machine cancels."""
    return statistics.median(a / b for a, b in zip(above, below, strict=True))


def machine_load() -> float:
    """Load average over the last minute, to be quoted beside a figure."""
    return os.getloadavg()[0]


def thread_seconds(number: int) -> float:
    """Processor time of a thread of this process, by the system's number [s]. Raises OSError where it has ended."""
    fields = Path(f"/proc/self/task/{number}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def seconds_by_thread() -> Counter[str]:
    """Processor time by the name of a thread, Python's or (without its number) the library's that made it; threads of one name together [s]."""
    named = {thread.native_id: thread.name for thread in threading.enumerate()}
    found: Counter[str] = Counter()
    for task in Path("/proc/self/task").iterdir():
        try:
            name = named.get(int(task.name)) or (task / "comm").read_text().strip().rstrip("0123456789").rstrip("-:")
            found[name] += thread_seconds(int(task.name))
        except OSError:     # ended meanwhile
            continue
    return found
