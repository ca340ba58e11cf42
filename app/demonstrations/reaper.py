"""Sees to workers that were told to end, when whoever began them is gone: a window that closes waits for none of them, and the program ends when they have.

    close --end, see_to--> the worker ends by itself, in its own time                the program's end --waits for those that still live--> gone

Workers are daemons, so that a program which fails does not hang on them; one that waits is none, so that Python waits for it before it ends.
"""
from __future__ import annotations

import threading

NAME = "waits for an end"


def see_to(thread: threading.Thread | None, longest: float) -> None:
    """A thread that was told to end, and ends what it has begun (a process, a file): the program lasts until it has, but so long [s] from now at most. Returns at once."""
    if thread is not None and thread.is_alive():
        threading.Thread(target=thread.join, args=(longest,), name=NAME, daemon=False).start()


def wait() -> None:
    """Until all have ended, or their time is over."""
    for thread in threading.enumerate():
        if thread.name == NAME:
            thread.join()
