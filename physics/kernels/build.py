"""Compile missing kernels in worker processes, so that neither the interpreter lock nor numba burdens the caller.

Workers are plain subprocesses (`python -m physics.kernels.build FOLDER`). Each gets one line of JSON per kernel on its input, [module,
symbol, key], and answers one line, [state, symbol, text]: ok with the object file in base64 (which it also stores, if it can), busy
where another program is compiling that kernel, stale or error with what is wrong. A worker recomputes the key from the source it has
read: when a file was edited after the caller imported it, nothing is stored.
"""
from __future__ import annotations

import base64
import contextlib
import gc
import importlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable

from physics.kernels import cache, decorators

_NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # on Windows no console may flash up
_NICENESS = 5  # a window that is open meanwhile comes first
_LATER_NICENESS = 15  # once something runs that is not to be held up
_PAUSE = 0.05  # s between looks for what another program is compiling
_COLLECT = 48  # kernels between two clean-ups of memory: numba's garbage is collected rarely, as looking for it costs an eighth of the time


class BuildError(RuntimeError):
    """Kernels that did not compile; the message names each with its place and reason."""


class _Work:
    """What is still to be compiled, handed out to the workers: by rank, and in a rank so that kernels with the same helpers meet in one worker."""

    def __init__(self, todo: dict[str, str]):
        self._todo = todo
        self._left: list[str] = []
        self._busy: list[tuple[float, str]] = []
        self._lock = threading.Condition()
        self._stopped = False
        self._ordered = False
        self._rank: dict[str, int] = {}
        closure = decorators.Closure()
        self._helpers = {s: closure.helpers(decorators.KERNELS[s].fn) for s in todo}
        self._met: set[Callable] = set()   # by any worker

    def order(self, rank: dict[str, int]) -> None:
        """Begin handing out; rank: the lowest go first."""
        with self._lock:
            self._rank = rank
            self._left = sorted(self._todo, key=lambda s: (rank.get(s, 0), -self._size(s)))
            self._ordered = True
            self._lock.notify_all()

    def _size(self, symbol: str) -> int:
        return _length(decorators.KERNELS[symbol].fn) + sum(map(_length, self._helpers[symbol]))

    def take(self, met: set) -> tuple[str, bool] | None:
        """The next kernel for a worker that has met these helpers, and whether another program was at it before; None at the end."""
        with self._lock:
            while not self._stopped:
                if self._left:
                    symbol = self._best(met)
                    self._left.remove(symbol)
                    met |= self._helpers[symbol]
                    self._met |= self._helpers[symbol]
                    return symbol, False
                now = time.monotonic()
                if self._busy and self._busy[0][0] <= now:
                    return self._busy.pop(0)[1], True
                if self._ordered and not self._busy:
                    return None
                self._lock.wait(self._busy[0][0] - now if self._busy else None)
            return None

    def _best(self, met: set) -> str:
        """Of the first rank that is left, the kernel that has the least done twice for its size; the larger one among equals."""
        first = self._rank.get(self._left[0], 0)

        def cost(symbol):
            size = self._size(symbol)
            return sum(_length(h) for h in self._helpers[symbol] & self._met - met) / size, -size

        return min((s for s in self._left if self._rank.get(s, 0) == first), key=cost)

    def postpone(self, symbol: str) -> None:
        """Another program is compiling this one: look again a little later."""
        with self._lock:
            self._busy.append((time.monotonic() + _PAUSE, symbol))
            self._lock.notify()

    def stop(self) -> None:
        """Hand out nothing more."""
        with self._lock:
            self._stopped = True
            self._lock.notify_all()


def _length(fn: Callable) -> int:
    """What compiling a function costs, about: instructions, and as much as a hundred of them for having one more function."""
    return len(fn.__code__.co_code) + 100


def build(todo: dict[str, str], folder: str | None, landed: Callable[[str, bytes], bool], procs: int | None,
          rank: Callable[[], dict[str, int]], progress: Callable | None = None) -> None:
    """Compile these symbols (symbol -> key); their object files are kept in the folder where that can be done.

    landed(symbol, object file) and then progress(done, total, symbol) are called in the calling thread; when one raises, the build
    stops. Once landed says True the workers take only the time that nobody else wants. rank() tells in which order, the lowest first:
    it is asked when the workers are on their way. Raises BuildError.
    """
    work, answers, workers = _Work(todo), queue.Queue(), []
    procs = max(1, min(procs or os.cpu_count() or 1, len(todo)))
    for _ in range(procs):
        threading.Thread(target=_serve, args=(work, todo, folder, answers, workers), daemon=True).start()
    done, live, errors = 0, procs, []
    try:
        work.order(rank())
        while live:
            answer = answers.get()
            if answer is None:
                live -= 1
                continue
            state, symbol, text = answer
            done += 1
            if state != "ok":
                errors.append(text)
            elif landed(symbol, text):
                _give_way(workers)
            if progress:
                progress(done, len(todo), symbol)
    finally:  # where progress raises, the workers end after what they have in hand
        work.stop()
    if errors or done < len(todo):
        raise BuildError("kernels did not compile:\n" + "\n".join(errors or ["the compile workers ended early"]))


def _give_way(workers: list[subprocess.Popen]) -> None:
    """Have the workers take only the time that nobody else wants."""
    if hasattr(os, "setpriority"):
        for worker in workers:
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, worker.pid, _LATER_NICENESS)


def _serve(work: _Work, todo: dict[str, str], folder: str | None, answers: queue.Queue, workers: list) -> None:
    """Feed one worker process until the work is done."""
    path = os.pathsep.join(p for p in sys.path if p)
    env = dict(os.environ, PYTHONPATH=path, NUMBA_DISABLE_JIT="0", LINKWORK_NOJIT="0", NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING="1")
    worker, met, symbol = None, set(), "worker"
    try:
        worker = subprocess.Popen([sys.executable, "-u", "-m", __name__, folder or ""], env=env, text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, creationflags=_NO_WINDOW)
        workers.append(worker)
        while (taken := work.take(met)) is not None:
            symbol, again = taken
            data = cache.read_object(folder, todo[symbol]) if again else None
            if data is not None:
                answers.put(["ok", symbol, data])
                continue
            worker.stdin.write(json.dumps([decorators.KERNELS[symbol].module, symbol, todo[symbol]]) + "\n")
            worker.stdin.flush()
            line = worker.stdout.readline()
            if not line:
                answers.put(["error", symbol, f"{symbol}: the compile worker died (exit status {worker.wait()})"])
                break
            state, _, text = json.loads(line)
            if state == "busy":
                work.postpone(symbol)
            else:
                answers.put([state, symbol, base64.b64decode(text) if state == "ok" else text])
    except OSError as error:
        answers.put(["error", symbol, f"the compile worker could not be used: {error}"])
    finally:
        if worker:
            with contextlib.suppress(OSError):
                worker.stdin.close()
            worker.wait()
        answers.put(None)


# ---------------------------------------------------------------- the worker


def _object(lower, symbol: str, key: str, folder: str | None) -> bytes | None:
    """The object file, compiled here unless another program has just done so; None while another is at it."""
    if not cache.claim(folder, key):
        return None
    try:
        data = cache.read_object(folder, key)
        if data is None:
            data = lower.compile_kernel(decorators.KERNELS[symbol])
            cache.store_object(folder, key, data)
        return data
    finally:
        cache.release(folder, key)


def _answer(lower, base: str, module: str, symbol: str, key: str, folder: str | None) -> list[str]:
    """The line that answers a request; base: what shapes all machine code of this process."""
    try:
        importlib.import_module(module)
        if decorators.key(symbol, decorators.Closure(), base) != key:
            return ["stale", symbol, f"{symbol}: its source was edited after this program read it; start again"]
        data = _object(lower, symbol, key, folder)
        return ["busy", symbol, ""] if data is None else ["ok", symbol, base64.b64encode(data).decode()]
    except Exception as error:  # whatever went wrong goes back to the caller by name
        return ["error", symbol, f"{symbol}: {type(error).__name__}: {error}"]


def main() -> None:
    """Serve compile requests on standard input until it closes."""
    out, sys.stdout = sys.stdout, sys.stderr
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    from physics.kernels import lower

    lower.check_version()
    base = decorators.base_key()
    gc.disable()
    for count, line in enumerate(sys.stdin):
        out.write(json.dumps(_answer(lower, base, *json.loads(line), sys.argv[1] or None)) + "\n")
        out.flush()
        if count % _COLLECT == _COLLECT - 1:
            gc.collect()
            gc.freeze()


if __name__ == "__main__":
    main()
