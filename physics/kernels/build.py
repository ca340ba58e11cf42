"""Compile missing kernels in worker processes, so that neither the interpreter lock nor numba burdens the caller.

Workers are plain subprocesses (`python -m physics.kernels.build CACHE`). Each gets one line of JSON per kernel on its
input, [module, symbol, key], and answers one line, [state, symbol, text], with state ok, stale or error. A worker
recomputes the key from the source it has read: when a file was edited after the caller imported it, nothing is stored.
"""
from __future__ import annotations

import importlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable

from physics.kernels import decorators, load

_NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # on Windows no console may flash up
_NICENESS = 5  # a window that is open meanwhile comes first


class BuildError(RuntimeError):
    """Kernels that did not compile; the message names each with its place and reason."""


def build(todo: dict[str, str], cache: str, progress: Callable | None, procs: int | None, order: dict[str, int]) -> None:
    """Compile these symbols (symbol -> key) into the cache.

    progress(done, total, symbol) is called in the calling thread; when it raises, the build stops. order: rank of each symbol's group; within a group
    the longest go first. Raises BuildError.
    """
    def rank(symbol):
        return order.get(symbol, 0), -len(decorators.KERNELS[symbol].fn.__code__.co_code)

    procs = max(1, min(procs or os.cpu_count() or 1, len(todo)))
    work, lock, answers = iter(sorted(todo, key=rank)), threading.Lock(), queue.Queue()
    for _ in range(procs):
        threading.Thread(target=_serve, args=(work, lock, todo, cache, answers), daemon=True).start()
    done, live, errors = 0, procs, []
    try:
        while live:
            answer = answers.get()
            if answer is None:
                live -= 1
                continue
            state, symbol, text = answer
            done += 1
            if state != "ok":
                errors.append(text)
            if progress:
                progress(done, len(todo), symbol)
    finally:  # where progress raises, the workers end after what they have in hand
        with lock:
            list(work)
    if errors or done < len(todo):
        raise BuildError("kernels did not compile:\n" + "\n".join(errors or ["the compile workers ended early"]))


def _serve(work, lock, todo, cache, answers) -> None:
    """Feed one worker process until the work is done."""
    path = os.pathsep.join(p for p in sys.path if p)
    env = dict(os.environ, PYTHONPATH=path, NUMBA_DISABLE_JIT="0", LINKWORK_NOJIT="0", NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING="1")
    worker = None
    try:
        worker = subprocess.Popen([sys.executable, "-u", "-m", __name__, cache], env=env, text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, creationflags=_NO_WINDOW)
        while True:
            with lock:
                symbol = next(work, None)
            if symbol is None:
                break
            worker.stdin.write(json.dumps([decorators.KERNELS[symbol].module, symbol, todo[symbol]]) + "\n")
            worker.stdin.flush()
            line = worker.stdout.readline()
            if not line:
                answers.put(["error", symbol, f"{symbol}: the compile worker died (exit status {worker.wait()})"])
                break
            answers.put(json.loads(line))
    except OSError as error:
        answers.put(["error", "worker", f"the compile worker could not be used: {error}"])
    finally:
        if worker:
            worker.stdin.close()
            worker.wait()
        answers.put(None)


def _compile_one(lower, module: str, symbol: str, key: str, cache: str) -> list[str]:
    try:
        importlib.import_module(module)
        mine = decorators.keys([symbol])[symbol]
        if mine != key:
            return ["stale", symbol, f"{symbol}: its source was edited after this program read it; start again"]
        load.write_blob(os.path.join(cache, key + ".o"), lower.compile_kernel(decorators.KERNELS[symbol]))
        return ["ok", symbol, ""]
    except Exception as error:  # whatever went wrong goes back to the caller by name
        return ["error", symbol, f"{symbol}: {type(error).__name__}: {error}"]


def main() -> None:
    """Serve compile requests on standard input until it closes."""
    out, sys.stdout = sys.stdout, sys.stderr
    from physics.kernels import lower

    lower.check_version()
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    for line in sys.stdin:
        out.write(json.dumps(_compile_one(lower, *json.loads(line), sys.argv[1])) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
