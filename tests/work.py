"""How much work something takes, counted in calls: the same on a slow machine and on a busy one."""
from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def counted_calls(work: Callable[[], Any], most: int | None = None) -> tuple[Any, int]:
    """(work(), how many Python and C functions it called in this thread). Ends with AssertionError as soon as it calls more than `most`."""
    calls = 0

    def count(_frame, event: str, _argument) -> None:
        nonlocal calls
        if event in ("call", "c_call"):
            calls += 1
            if most is not None and calls > most:
                sys.setprofile(None)
                raise AssertionError(f"more than {most} calls")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        result = work()
    finally:
        sys.setprofile(before)
    return result, calls
