"""The script's end of the process with its window: begun at once, so that it starts up while the script makes ready.

    post(data, ...) --newest state, changes added up--> thread that writes --pipe--> app/passive/worker.py --> thread that reads --> commands, keys, view

`post` copies and returns: it waits neither for the pipe nor for a picture. The window closes with the script, however that ends, and the script goes on
however the window ends.
"""
from __future__ import annotations

import os
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from app.film.pipe import receive, send
from physics.model.data_image import DataImage
from physics.model.model_changes import Changes
from physics.model.state_fields import State
from physics.runtime import commands as c
from physics.runtime.mailbox import Mailbox
from physics.runtime.passive.shared_states import SharedStates
from physics.runtime.passive.shown import News

ROOM = 2            # news on their way that are not shown yet
LEAVES = 5.0        # s that a window may take to close
ANSWERS = 30.0      # s that it may take to answer a question
_ROOT = str(Path(__file__).resolve().parents[1])
_FLAGS = getattr(subprocess, "CREATE_NO_WINDOW", 0)     # on Windows


class WindowError(RuntimeError):
    """There is no window; the message says why."""


def _begun() -> subprocess.Popen:
    paths = [_ROOT, *(p or os.getcwd() for p in sys.path)]      # a script's own folder may hold an `app` too
    env = dict(os.environ, PYTHONPATH=os.pathsep.join(paths), OPENBLAS_NUM_THREADS="1")
    try:
        return subprocess.Popen([sys.executable, "-P", "-u", "-m", "app.passive.worker"], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, creationflags=_FLAGS)
    except OSError as error:
        raise WindowError(f"the process of the window cannot be begun: {error}") from error


class WindowProcess:
    """on_key(code) is called in a thread of its own. process: as subprocess.Popen has it, with a ScriptLink at the other end of its pipes; None: a new one.
    run: whether the window says that time is to pass; steps: how many it asks for while it does not;
    heard: how often it has asked for either."""

    def __init__(self, on_key: Callable[[int], None] | None = None, process=None):
        self._process = _begun() if process is None else process
        self.run, self.steps, self.heard = True, 0, 0
        self.last: State | None = None      # at the end, of a window with a simulation of its own
        self._commands = Mailbox()
        self._view: dict = {}
        self._bell = threading.Condition()      # of what is to be written
        self._ordered: list[tuple] = []
        self._spare: list[DataImage] = []
        self._news: News | None = None
        self._posted = 1        # how many states went through the pipe, the one with which the window opens among them
        self.owes_look = False  # whether the Model is to be looked at when the window says that no state has come for a while
        self.states: SharedStates | None = None     # what is nothing but a state goes there
        self._with_model = False
        self.look: Callable[[], Changes | None] | None = None      # for what has changed in the Model; takes time, and so is called by the thread that writes
        self._beside: dict[str, Any] = {}       # what the window's view is told with the next news
        self._room = ROOM
        self._asked: dict[int, SimpleQueue] = {}
        self._opened: SimpleQueue = SimpleQueue()
        self._closed, self._over = False, threading.Event()
        self._keys: SimpleQueue | None = SimpleQueue() if on_key is not None else None
        threads = [self._write, self._read] + ([lambda: self._call_back(on_key)] if on_key is not None else [])
        for work in threads:
            threading.Thread(target=work, name="window", daemon=True).start()

    # ------------------------------------------------------------------ the script's threads

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    @property
    def open(self) -> bool:
        """Whether the window is there."""
        return not (self._closed or self._over.is_set())

    def begin(self, word: str, what) -> dict:
        """Open the window; what it says when it is there. Raises WindowError."""
        self.say(word, what)
        while (answer := self._next_opened()) is None:
            pass
        if answer[0] == "failed":
            raise WindowError(answer[1])
        return answer[1]

    def _next_opened(self):
        """The answer, waited for in pieces: so that Ctrl+C is heard on every system."""
        with suppress(Empty):
            return self._opened.get(timeout=0.2)
        return ("failed", f"the window ended as it was opened (exit status {self._process.poll()})") if self._over.is_set() else None

    def say(self, *message) -> None:
        """Send a message, in order with others. Returns at once."""
        with self._bell:
            self._ordered.append(message)
            self._bell.notify()

    def post(self, d, state_only: bool, with_model: bool, news: News, beside: dict) -> None:
        """Have the window show the state of a Data, with all that has not been sent yet. with_model: and what has changed in the Model, which is looked for when it is sent;
        news: all but these."""
        with self._bell:
            if self._is_state(with_model, news, beside) and self.states.offer(d, state_only, self._posted):
                return
            self._news, self._with_model = self._joined(news), self._with_model or with_model
            self._posted += self._news.image is None and self._news.state is None
            if state_only:
                self._keep_state(State.of(d))
            else:
                self._keep_image(d)
            for name, value in beside.items():
                self._beside[name] = _together(name, self._beside.get(name), value)
            self._bell.notify()

    def _is_state(self, with_model: bool, news: News, beside: dict) -> bool:
        """Whether there is nothing to be told but a state, and memory for that."""
        if self.states is None or self._news is not None or with_model or beside or self.states.each:
            return False
        return not (news.told is not None or news.events or news.fields or news.visual is not None)

    def _joined(self, news: News) -> News:
        """What waits, and what came since."""
        old = self._news
        if old is None:
            return news
        old.told = news.told or old.told
        old.events += news.events
        old.fields.update(news.fields)
        old.visual = news.visual or old.visual
        return old

    def _keep_state(self, state: State) -> None:
        if self._news.image is not None:
            self._spare.append(self._news.image)
        self._news.image, self._news.state = None, state

    def _keep_image(self, d) -> None:
        image = self._news.image or (self._spare.pop() if self._spare else DataImage(d))
        image.take(d)
        self._news.image, self._news.state = image, None

    def turned(self) -> None:
        """A turn of the script's loop is over: one step less is asked for."""
        if self.steps:
            with self._bell:
                self.steps = max(0, self.steps - 1)

    def commands(self) -> list:
        """What the user has done since the last call, oldest first."""
        return self._commands.drain()

    def view(self) -> dict:
        """What of camera, switches and selection the user has changed since the last call."""
        if not self._view:
            return {}
        with self._bell:
            view, self._view = self._view, {}
        return view

    def ask(self, about: str):
        """What the window answers. Raises WindowError where it is gone or does not answer."""
        answer: SimpleQueue = SimpleQueue()
        number = id(answer)
        self._asked[number] = answer
        self.say("ask", number, about)
        try:
            for _ in range(round(ANSWERS / 0.2)):
                if not self.open:
                    break
                with suppress(Empty):
                    return answer.get(timeout=0.2)
        finally:
            self._asked.pop(number, None)
        raise WindowError("the window is closed" if not self.open else "the window does not answer")

    def wait(self) -> None:
        """Until the window is closed."""
        while not self._over.wait(0.2):
            pass

    def close(self) -> None:
        """Close the window; returns when it is gone."""
        self.say("close")
        if not self._over.wait(LEAVES):
            self._process.kill()
            self._over.wait()

    # ------------------------------------------------------------------ its own threads

    def _write(self) -> None:
        pipe = self._process.stdin
        try:
            while (messages := self._due()) is not None:
                for message in messages:
                    self._send(pipe, message)
        except OSError:
            pass    # the reading thread knows
        with suppress(OSError):
            pipe.close()

    def _send(self, pipe, message: tuple) -> None:
        try:
            send(pipe, message)
        except OSError:
            raise
        except Exception:       # it cannot be pickled: nothing of it was written
            traceback.print_exc()
        if message[0] == "news" and message[1].image is not None:
            with self._bell:
                self._spare.append(message[1].image)

    def _due(self) -> list[tuple] | None:
        """What is to be written now; None when the process is over."""
        with self._bell:
            while not (self._ordered or self._over.is_set() or self._news is not None and self._room > 0):
                self._bell.wait()
            if self._over.is_set():
                return None
            messages, self._ordered = self._ordered, []
            if self._news is not None and self._room > 0 and not messages:
                messages, self._room = [("news", self._news, self._beside)], self._room - 1
                looks, self._news, self._beside, self._with_model = self._with_model, None, {}, False
            else:
                looks = False
        if looks and self.look is not None:
            self._look_at_model(messages[0][1])
        return messages

    def _look_at_model(self, news: News) -> None:
        """Add what has changed in the Model; another time, soon, where the script keeps it for itself."""
        changes = self.look()
        if changes is not None:
            fields, visual = changes
            news.fields.update(fields)      # beside those that a sync has found
            news.visual = visual or news.visual
            return
        with self._bell:
            self._news, self._with_model = self._news or News(), True

    def _read(self) -> None:
        try:
            while True:
                self._take(receive(self._process.stdout))
        except (EOFError, OSError):
            pass
        status = self._process.wait()
        self._process.stdout.close()
        if not self._closed and status:
            print(f"Linkwork's window ended unexpectedly (exit status {status}); the script goes on", file=sys.stderr, flush=True)
        with self._bell:
            self._over.set()
            self._bell.notify_all()
        if self._keys is not None:
            self._keys.put(None)

    def _take(self, message: tuple) -> None:
        word, *what = message
        if word == "taken":
            with self._bell:
                self._room += 1
                self._bell.notify()
        elif word == "quiet":
            with self._bell:
                if self.owes_look:
                    self._news, self._with_model, self.owes_look = self._news or News(), True, False
                    self._bell.notify()
        elif word == "do":
            self._do(*what)
        elif word == "view":
            with self._bell:
                options = {**self._view.get("options", {}), **what[0].get("options", {})}
                self._view = {**self._view, **what[0]}
                if options:
                    self._view["options"] = options
        elif word == "key" and self._keys is not None:
            self._keys.put(what[0])
        elif word == "answer" and what[0] in self._asked:
            self._asked[what[0]].put(what[1])
        elif word in ("opened", "failed"):
            self._closed |= word == "failed"
            self._opened.put(message)
        elif word == "closed":
            self._closed, self.last = True, what[0]

    def _do(self, key, command) -> None:
        """Run, pause and step hold at once: a script that is paused need not call `sync`."""
        if isinstance(command, c.Run | c.Pause | c.Step):
            with self._bell:
                self.run, self.heard = isinstance(command, c.Run), self.heard + 1
                self.steps = self.steps + command.n if isinstance(command, c.Step) else 0
        elif key is None:
            self._commands.send(command)
        else:
            self._commands.latest(key, command)

    def _call_back(self, on_key: Callable[[int], None]) -> None:
        while (code := self._keys.get()) is not None:
            try:
                on_key(code)
            except Exception:
                traceback.print_exc()       # the script goes on


def _together(name: str, before, value):
    """What waits for the window's view, and what came since."""
    if before is None:
        return value
    if name == "calls":
        return (*before, *value)
    if name == "view":
        both = {**before, **value}
        options = {**before.get("options", {}), **value.get("options", {})}
        return {**both, "options": options} if options else both
    if name == "assets":
        return {**before, **value}
    return value
