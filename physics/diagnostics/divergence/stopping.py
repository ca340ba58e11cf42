"""How a post-mortem is given up by whoever asked for it."""
from __future__ import annotations

from collections.abc import Callable

Stopping = Callable[[], bool]       # asked now and then, from the thread that works: whether to give up


class GivenUp(Exception):
    """The one who asked does not want it any more."""


def check(stopping: Stopping) -> None:
    """Raise GivenUp where it is to be given up."""
    if stopping():
        raise GivenUp
