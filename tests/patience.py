"""Waiting for a state in the event loop: as long as a busy machine needs, and no longer than that."""
import time
from collections.abc import Callable
from itertools import chain, repeat

PATIENCE_MS = 20_000
LOOKS_MS = (1, 1, 2, 3, 5, 8)   # between two looks at a condition; then always the last


def wait_until(qtbot, condition: Callable[[], bool | None], *, timeout: int = PATIENCE_MS) -> None:
    """Process events until `condition()` is true, or returns None without an AssertionError. Raises qtbot.TimeoutError.

    As pytest-qt's own, which looks every 10 ms: most of what tests wait for is there earlier, and they wait thousands of times.
    """
    end, why = time.monotonic() + timeout / 1000, None
    for pause in chain(LOOKS_MS, repeat(LOOKS_MS[-1])):
        try:
            found = condition()
            if found is None or found:
                return
        except AssertionError as error:
            why = error
        if time.monotonic() > end:
            raise qtbot.TimeoutError(f"waited {timeout} ms for a state that did not come") from why
        qtbot.wait(pause)
