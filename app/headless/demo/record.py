"""linkwork demo record: give demonstrations by a device without a window; buttons, pages and typed words begin and end episodes."""
from __future__ import annotations

import queue
import sys
import threading
import time
from pathlib import Path

from app.demonstrations.starts import Start, StartError, range_of
from app.headless import teleop
from app.headless.models import kernels, load
from app.headless.outcome import DONE, PROBLEM, USAGE, Failed
from app.headless.driving.policy import Told, started

LOOK = 0.05     # s between two looks
PATIENCE = 5.0  # s that the physics thread may take to answer


def record(arguments) -> dict:
    """Run until the time is over, 'quit' is typed, or Ctrl+C. Files of the folder that were not closed are made first."""
    from app.demonstrations.keeper import Keeper, finish_left
    from app.demonstrations.session import Session
    from app.demonstrations.success import Success
    from app.inputs.hub import Hub
    from app.inputs.interpreter_turns import take_short_turns
    from physics.runtime import commands
    from physics.runtime.runner import Runner
    from physics.runtime.simulation import Simulation

    start = _start(arguments)
    m = load(arguments.model, arguments.compat, stand_ins=True, engine=arguments.engine)
    source = arguments.source[0] if arguments.source else "keyboard"
    teleop.check_known(arguments.source)
    mapping = teleop.chosen_mapping(arguments, m, source)
    _check(m, start, arguments.success)
    kernels()
    take_short_turns()
    arguments.output.mkdir(parents=True, exist_ok=True)
    for path in finish_left(arguments.output, _say):
        _say("info", f"{path}: of a run that was not closed")
    runner = Runner(Simulation(ready=True))
    keeper = Keeper(runner, arguments.output, arguments.model.name, _say)
    keeper.keep_model(m, texts_of(m))
    runner.start()
    hub, session, broadcasts, policy, look = Hub(runner), None, [], None, _always
    try:
        keeper.begin()
        runner.send(commands.SwapModel(m, run=True, document=str(arguments.model)))
        session = Session(runner, keeper, start, Success(arguments.success, arguments.held) if arguments.success else None)
        session.describe(arguments.task)
        session.reset()
        hub.start()
        hub.configure(mapping)
        broadcasts = teleop.start_sources(hub, arguments.source or [drive.source for drive in mapping.drives], arguments)
        teleop.await_first_state(runner, hub, mapping)
        words: queue.SimpleQueue[str] = queue.SimpleQueue()
        hub.on_event.append(lambda _source, event: words.put(event))
        hub.arm()
        if arguments.policy is not None:
            policy, steering = started(arguments, runner, session, hub, words.put)
            look = Told(policy, steering).look
        _listen(words)
        _until_the_end(arguments, runner, hub, session, words, look)
    finally:
        if policy is not None:
            ended = not policy.alive
            policy.close()
        for broadcast in broadcasts:
            broadcast.stop()
        hub.stop()
        runner.send(commands.Pause())
        paths = keeper.close()
        runner.stop()
    counts = {outcome: count for outcome, count in session.counts.items() if count} if session is not None else {}
    told = ", ".join(f"{count} {outcome}" for outcome, count in counts.items()) or "no episode"
    return {"text": "\n".join([*map(str, paths), told]), "files": [str(path) for path in paths], "outcomes": counts, "code": PROBLEM if policy is not None and ended else DONE}


def _always() -> bool:
    return True


def _start(arguments) -> Start:
    try:
        return Start(arguments.key, tuple(map(range_of, arguments.range)), arguments.seed)
    except StartError as why:
        raise Failed(f"--range: {why}", USAGE) from None


def _check(m, start: Start, success: str) -> None:
    """What the model does not have is told before anything begins."""
    from app.demonstrations.starts import start_state
    from app.demonstrations.success import compile_success
    from physics.quantities.syntax import ExpressionError

    try:
        start_state(m, start, 0)
        if success:
            compile_success(m, success)
    except StartError as why:
        raise Failed(str(why), USAGE) from None
    except ExpressionError as why:
        raise Failed(f"--success: {why}", USAGE) from None


def texts_of(m) -> dict[str, str]:
    """The files that a Model was compiled from, main first, as far as they are text."""
    found = {}
    for path in map(Path, m.source):
        if path.suffix.lower() in (".xml", ".mjcf", ".urdf") and path.is_file():
            found[str(path)] = path.read_text(encoding="utf-8", errors="replace")
    return found


def _say(_level: str, text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _listen(words) -> None:
    """Lines that are typed; none where nobody can type."""
    def read() -> None:
        for line in sys.stdin:
            words.put(line.strip())

    if sys.stdin is not None and sys.stdin.readable():
        threading.Thread(target=read, name="typed words", daemon=True).start()


class _Rounds:
    """Begins one episode after the other, and ends those that do not succeed in time."""

    def __init__(self, runner, session, count: int, limit: float):
        self._runner, self._session, self._count, self._limit = runner, session, count, limit
        self._begun = 0

    def go_on(self) -> bool:
        """See to it; whether there is more to come."""
        from physics.runtime import commands

        session, published = self._session, self._runner.published
        current = session.current
        if current is None and len(session.episodes) == self._begun:
            if self._begun == self._count:
                return False
            self._begun += 1
            session.reset()
            session.start()
            self._runner.send(commands.Run())
        elif current is not None and published is not None and published.time - current.time > self._limit:
            session.fail(f"not within {self._limit:g} s")
        return True


def _until_the_end(arguments, runner, hub, session, words, look) -> None:
    from app.demonstrations.session import EVENTS
    from physics.runtime import commands

    end = None if arguments.time is None else time.perf_counter() + arguments.time
    _say("info", f"type {', '.join(EVENTS)} or quit")
    rounds = _Rounds(runner, session, arguments.episodes, arguments.limit) if arguments.policy is not None and arguments.episodes is not None else None
    try:
        while look() and (rounds is None or rounds.go_on()) and (end is None or time.perf_counter() < end):
            try:
                word = words.get(timeout=LOOK)
                if word == "quit":
                    break
                if word in EVENTS:
                    session.event(word)
                    if word in ("reset", "record again"):
                        runner.send(commands.Run())
                        hub.arm()
                elif word:
                    session.note(word)
            except queue.Empty:
                pass    # nobody said anything
            if session.update():
                current = session.current
                _say("info", (f"episode {current.number} goes on; " if current is not None else "") + ", ".join(f"{count} {name}" for name, count in session.counts.items() if count))
            if session.problem:
                _say("warning", session.problem)
                session.problem = ""
    except KeyboardInterrupt:
        print("", file=sys.stderr)
    settled = threading.Event()     # what was said last has been heard
    runner.send(commands.VisitRun(lambda sim: settled.set()))
    settled.wait(PATIENCE)
    session.update()
