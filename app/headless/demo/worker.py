"""The process that does a job with demonstrations for a window: `python -m app.headless.demo.worker`, begun by job_process.py.

    stdin    one line of JSON: {"job": name, ...} (jobs.py); where it is closed before the job is done, the job is given up and leaves nothing
    stdout   lines of JSON: ["at", share], and at the end ["done", what came of it] or ["failed", why]
"""
from __future__ import annotations

import _thread
import contextlib
import json
import os
import signal
import sys
import threading
import time
from typing import Any

from app.headless.demo.commands import problems
from app.headless.demo.jobs import JOBS
from app.headless.outcome import DONE, INTERRUPTED, PROBLEM, Failed

NICENESS = 5        # the window goes first
TELL = 0.1          # s between two shares


class _Answers:
    """Lines for the window. What else prints goes to the error stream."""

    def __init__(self):
        self._stream = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)
        self._next = 0.0
        self.over = False

    def tell(self, word: str, value: Any) -> None:
        """One answer."""
        with contextlib.suppress(OSError):      # nobody reads any more
            print(json.dumps([word, value]), file=self._stream, flush=True)

    def share(self, share: float) -> None:
        """How much is done, now and then."""
        now = time.monotonic()
        if now >= self._next or share < 0:
            self._next = now + TELL
            self.tell("at", share)


def _give_up_at_the_end(answers: _Answers) -> None:
    """The window closes the pipe where the job is not wanted any more, or is gone itself."""
    sys.stdin.read()
    if not answers.over:
        _thread.interrupt_main()


def main() -> int:
    """Do one job."""
    signal.signal(signal.SIGINT, signal.default_int_handler)    # so that the thread's interruption reaches the job, whoever began this process
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    answers = _Answers()
    wanted = json.loads(sys.stdin.readline())
    threading.Thread(target=_give_up_at_the_end, args=(answers,), daemon=True).start()
    try:
        with problems():
            done = JOBS[wanted["job"]](wanted, answers.share)
        answers.over = True
    except KeyboardInterrupt:
        return INTERRUPTED
    except Failed as why:
        answers.tell("failed", str(why))
        return PROBLEM
    except MemoryError:
        answers.tell("failed", "there is not enough memory")
        return PROBLEM
    except Exception as why:    # told where it is waited for: nobody reads this process's last words
        answers.tell("failed", f"{type(why).__name__}: {why}")
        return PROBLEM
    answers.tell("done", done)
    return DONE


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)      # the thread that reads would be waited for
