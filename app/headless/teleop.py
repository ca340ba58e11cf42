"""linkwork teleop: drive a model by devices without a window, and measure how long that takes."""
from __future__ import annotations

import sys
import time
from pathlib import Path

from app.headless.models import kernels, load
from app.headless.outcome import USAGE, Failed
from app.headless.driving.policy import Told, no_devices, started

LOOK = 0.2          # s between two looks at what happens
PATIENCE = 30.0     # s until the first state is there


def command_teleop(arguments) -> dict:
    """Run until the time is over or Ctrl+C."""
    from app.inputs.mapping import proposals
    from app.inputs.mapping.mapping_file import to_text

    m = load(arguments.model, arguments.compat, stand_ins=True, engine=arguments.engine)
    source = arguments.source[0] if arguments.source else "keyboard"
    check_known(arguments.source)
    if arguments.propose:
        text = to_text(proposals.propose(m, source))
        if why := proposals.not_legs(m):
            print(f"no drive of kind legs: {why}", file=sys.stderr)
        return {"text": text.rstrip() or "there is nothing in this model that a device could move", "mapping": text}
    mapping = chosen_mapping(arguments, m, source)
    return _drive(arguments, m, mapping)


def check_known(names) -> None:
    """Raises Failed for a source that there is not."""
    from app.inputs.source import SourceMissing
    from app.inputs.table import kind_of

    for name in names:
        try:
            kind_of(name)
        except SourceMissing as why:
            raise Failed(str(why), USAGE) from None


def chosen_mapping(arguments, m, source: str):
    """That of the file, of the one beside the model, or the likeliest for the source."""
    from app.inputs.mapping import proposals
    from app.inputs.mapping.drive_mapping import SUFFIX, Mapping
    from app.inputs.mapping.mapping_file import MappingError, read

    if no_devices(arguments):
        return Mapping()
    path = arguments.mapping or Path(arguments.model).with_suffix(SUFFIX)
    if arguments.mapping is None and not path.is_file():
        found = proposals.first(m, source)
        if not found.drives:
            raise Failed("there is nothing in this model that a device could move")
        return found
    try:
        return read(path)
    except MappingError as why:
        raise Failed(f"{path}: {why}", USAGE) from None
    except OSError as why:
        raise Failed(f"{path} cannot be read: {why.strerror}", USAGE) from None


def _drive(arguments, m, mapping) -> dict:
    import physics
    from app.inputs.hub import Hub
    from app.inputs.interpreter_turns import take_short_turns
    from physics.runtime import commands
    from physics.runtime.runner import Runner
    from physics.runtime.simulation import Simulation

    kernels()
    take_short_turns()
    runner = Runner(Simulation(ready=True))
    runner.start()
    hub = Hub(runner, measure=arguments.measure is not None)
    broadcasts: list = []
    policy = None
    try:
        runner.send(commands.SwapModel(m, run=True, key=arguments.key))
        hub.start()
        hub.configure(mapping)
        broadcasts = start_sources(hub, arguments.source or [drive.source for drive in mapping.drives], arguments)
        await_first_state(runner, hub, mapping)
        hub.on_event.append(lambda _source, event: runner.send(commands.Reset()) if event == "reset" else None)
        hub.arm()
        look = _always
        if arguments.policy is not None:
            policy, steering = started(arguments, runner, _words(runner), hub, lambda event: runner.send(commands.Reset()) if event == "reset" else None)
            look = Told(policy, steering).look
        begun = time.perf_counter()
        _wait(hub, arguments.time, arguments.json, look)
        result = _told(arguments, hub, runner, time.perf_counter() - begun)
        return result if policy is None else _with_policy(result, policy, steering)
    except physics.ModelError as why:
        raise Failed(str(why)) from None
    finally:
        if policy is not None:
            policy.close()
        for broadcast in broadcasts:
            broadcast.stop()
        hub.stop()
        runner.stop()


def _always() -> bool:
    return True


def _words(runner):
    """Where it is said who drives."""
    from app.demonstrations.session import Session

    return Session(runner)


def _with_policy(result: dict, policy, steering) -> dict:
    """Together with how the policy fared. Raises Failed where it has ended by itself."""
    if not policy.alive:
        raise Failed(policy.problem)
    return {**result, "text": f"{result['text']}\n{policy.name}: {policy.answers} answers, {policy.measured:.3g} states per simulated second, answers in {1e3 * policy.delay:.2f} ms",
            "policy": {"answers": policy.answers, "rate": policy.measured, "delay_ms": 1e3 * policy.delay, "wrong": policy.wrong, "refused": steering.refused, "driver": steering.driver}}


def start_sources(hub, names, arguments) -> list:
    """Start each once; what shows the run at their pages, to be stopped by whoever asked. arguments: with host, port and plain. Raises Failed with what is missing."""
    from app.inputs.source import SourceMissing
    from app.inputs.table import kind_of, make

    started, broadcasts = set(), []
    for name in names:
        try:
            key = kind_of(name).maker if kind_of(name).server else name
            if key not in started:
                started.add(key)
                if kind_of(name).server:
                    broadcasts += _served(hub, make(name), arguments)
                else:
                    hub.add(make(name))
        except SourceMissing as why:
            raise Failed(str(why), USAGE) from None
        except ImportError as why:
            raise Failed(f"{name}: {why}", USAGE) from None
    return broadcasts


def _served(hub, source, arguments) -> list:
    """Start a server where the command line says, tell how to get there, and show the run and its cameras at its pages."""
    from app.film.camera_pictures import CameraPictures
    from app.inputs.server.broadcast import Broadcast
    from app.inputs.server.invitation import invitation
    from app.inputs.server.pictures import PictureMaker

    source.host, source.secure = arguments.host, not arguments.plain
    source.port = source.port if arguments.port is None else arguments.port
    hub.add(source)
    print(invitation(source), file=sys.stderr)
    draw = CameraPictures(hub.runner)
    return [Broadcast(hub, source), PictureMaker(source.feed, draw, close=draw.close, rest=draw.close)]


def await_first_state(runner, hub, mapping) -> None:
    """Wait until the model is there and the drives are bound. Raises Failed where one does not fit."""
    end = time.perf_counter() + PATIENCE
    while runner.published is None or len(hub.states) != len(mapping.drives):
        if time.perf_counter() > end:
            raise Failed("the simulation does not start")
        time.sleep(0.01)
    time.sleep(0.1)     # a turn of the hub with that state
    problems = [str(problem) for state in hub.states for problem in state.problems]
    if problems:
        raise Failed("\n".join(problems), USAGE)


def _wait(hub, seconds: float | None, quiet: bool, look) -> None:
    """Tell the lamps as they change, until the time is over, look() says so, or Ctrl+C."""
    end, told = None if seconds is None else time.perf_counter() + seconds, None
    try:
        while look() and (end is None or time.perf_counter() < end):
            lamps = [f"{state.name}: {state.lamp}" for state in hub.states]
            if lamps and lamps != told and not quiet:
                print(", ".join(lamps), file=sys.stderr)
            told = lamps
            time.sleep(LOOK if end is None else max(0.0, min(LOOK, end - time.perf_counter())))
    except KeyboardInterrupt:
        print("", file=sys.stderr)


def _told(arguments, hub, runner, wall: float) -> dict:
    spreads = hub.latency.spread()
    snapshot = runner.acquire()
    result = {"seconds": wall, "speed": snapshot.real_speed if snapshot is not None else 0.0, "samples": {name: slot.taken for name, slot in hub.inbox.counts().items()},
              "latency_ms": {part: {"p50": 1e3 * one.p50, "p95": 1e3 * one.p95, "count": one.count} for part, one in spreads.items()}}
    lines = [f"{sum(result['samples'].values())} samples in {wall:.3g} s"]
    lines += [f"{part:>10}: {1e3 * one.p50:7.2f} ms (p95 {1e3 * one.p95:.2f})" for part, one in spreads.items()]
    if arguments.measure is not None:
        try:
            result["rows"] = hub.latency.write(arguments.measure)
        except OSError as why:
            raise Failed(f"{arguments.measure} cannot be written: {why.strerror}") from None
        lines.append(f"{result['rows']} rows in {arguments.measure}")
    return {"text": "\n".join(lines), **result}
