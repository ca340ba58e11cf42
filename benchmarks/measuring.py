"""Clocks and pinning for honest figures on a shared machine: CPU time of one pinned thread, medians of interleaved windows."""
import os
import statistics
import time
from collections.abc import Callable


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
