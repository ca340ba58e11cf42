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

    def __init__(self, uncompiled: dict[str, str]):
        self._left = list(uncompiled)
        self._busy: list[tuple[float, str]] = []
        self._lock = threading.Condition()
        self._stopped = False
        self._ordered = False
        self._rank: dict[str, int] = {}
        closure = decorators.Closure()
        self._helpers = {s: closure.helpers(decorators.KERNELS[s].fn) for s in uncompiled}
        self._met: set[Callable] = set()   # by any worker

    def order(self, rank: dict[str, int]) -> None:
        """Hand out in this order from now on, the lowest rank first; nothing is handed out before the first call."""
        with self._lock:
            self._rank = rank
            self._left.sort(key=lambda s: (rank.get(s, 0), -self._size(s)))
            self._ordered = True
            self._lock.notify_all()

    def _size(self, symbol: str) -> int:
        return _length(decorators.KERNELS[symbol].fn) + sum(map(_length, self._helpers[symbol]))

    def take(self, met: set) -> tuple[str, bool] | None:
        """The next kernel for a worker that has met these helpers, and whether another program was at it before; None at the end."""
        with self._lock:
            while not self._stopped:
                if self._left and self._ordered:
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


class BuildRun:
    """One run of the compile workers. `order` and `give_way` may be called at any time in the thread that runs it, `tell` from any."""

    def __init__(self, uncompiled: dict[str, str], folder: str | None, procs: int | None):
        """uncompiled: symbol -> key of what is to be compiled; folder: where the object files are kept, as far as that can be done."""
        self._uncompiled, self._folder = uncompiled, folder
        self._procs = max(1, min(procs or os.cpu_count() or 1, len(uncompiled)))
        self._work, self._news = _Work(uncompiled), queue.Queue()
        self._workers: list[subprocess.Popen] = []
        self._gives_way = False

    def tell(self, call: Callable[[], None]) -> None:
        """Have this called in the thread that runs the build, soon; never after the build has ended."""
        self._news.put(call)

    def order(self, rank: dict[str, int]) -> None:
        """In which order to compile what no worker has in hand, the lowest first. The workers begin when this is called for the first time."""
        self._work.order(rank)

    def give_way(self) -> None:
        """Have the workers take only the time that nobody else wants, from now on."""
        self._gives_way = True
        for worker in list(self._workers):
            _give_way(worker)

    def run(self, landed: Callable[[str, bytes], None], progress: Callable | None = None) -> None:
        """Compile. landed(symbol, object file) and then progress(done, total, symbol) are called in this thread; when one raises, the build stops.

        Raises BuildError.
        """
        for _ in range(self._procs):
            threading.Thread(target=self._serve, daemon=True).start()
        done, live, errors = 0, self._procs, []
        try:
            while live:
                news = self._news.get()
                if news is None:
                    live -= 1
                    continue
                if callable(news):
                    news()
                    continue
                state, symbol, text = news
                done += 1
                if state != "ok":
                    errors.append(text)
                else:
                    landed(symbol, text)
                if progress:
                    progress(done, len(self._uncompiled), symbol)
        finally:  # where progress raises, the workers end after what they have in hand
            self._work.stop()
        if errors or done < len(self._uncompiled):
            raise BuildError("kernels did not compile:\n" + "\n".join(errors or ["the compile workers ended early"]))

    def _serve(self) -> None:
        """Feed one worker process until the work is done."""
        path = os.pathsep.join(p for p in sys.path if p)
        env = dict(os.environ, PYTHONPATH=path, NUMBA_DISABLE_JIT="0", LINKWORK_NOJIT="0", NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING="1")
        worker, symbol = None, "worker"
        try:
            worker = subprocess.Popen([sys.executable, "-u", "-m", __name__, self._folder or ""], env=env, text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, creationflags=_NO_WINDOW)
            self._workers.append(worker)
            met = set()
            while (taken := self._work.take(met)) is not None:
                symbol, again = taken
                if not self._one(worker, symbol, again):
                    break
        except OSError as error:
            self._news.put(["error", symbol, f"the compile worker could not be used: {error}"])
        finally:
            if worker:
                with contextlib.suppress(OSError):
                    worker.stdin.close()
                worker.wait()
            self._news.put(None)

    def _one(self, worker: subprocess.Popen, symbol: str, again: bool) -> bool:
        """Have a worker compile one kernel (again: unless another program has done so meanwhile); whether the worker lives. Raises OSError."""
        key = self._uncompiled[symbol]
        data = cache.read_object(self._folder, key) if again else None
        if data is not None:
            self._news.put(["ok", symbol, data])
            return True
        worker.stdin.write(json.dumps([decorators.KERNELS[symbol].module, symbol, key]) + "\n")
        worker.stdin.flush()
        line = worker.stdout.readline()
        if not line:
            self._news.put(["error", symbol, f"{symbol}: the compile worker died (exit status {worker.wait()})"])
            return False
        if self._gives_way:   # a worker that had just begun when this was asked for has taken its own niceness since
            _give_way(worker)
        state, _, text = json.loads(line)
        if state == "busy":
            self._work.postpone(symbol)
        else:
            self._news.put([state, symbol, base64.b64decode(text) if state == "ok" else text])
        return True


def _give_way(worker: subprocess.Popen) -> None:
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, worker.pid, _LATER_NICENESS)


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

    for module in decorators.LOWERED_APART.values():
        importlib.import_module(module)
    lower.check_version()
    base = decorators.base_key()
    gc.disable()
    for count, line in enumerate(sys.stdin):
        answer = json.dumps(_answer(lower, base, *json.loads(line), sys.argv[1] or None))
        try:
            out.write(answer + "\n")
            out.flush()
        except OSError:   # the program has ended meanwhile: what was compiled is in the cache
            os._exit(0)
        if count % _COLLECT == _COLLECT - 1:
            gc.collect()
            gc.freeze()


if __name__ == "__main__":
    main()
