"""linkwork demo: what is in demonstrations, doing them again, editing and exporting them."""
from __future__ import annotations

import time
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import MappingProxyType

from app.demonstrations.episodes import Episode
from app.headless.export import split_texts
from app.headless.models import kernels
from app.headless.outcome import DONE, PROBLEM, USAGE, Failed
from app.headless.recordings import compile_texts, size_text

LONGEST = 60        # letters of a note in a list


def command_demo(arguments) -> dict:
    """One of WHAT."""
    with problems():
        return WHAT[arguments.what](arguments)


@contextmanager
def problems():
    """What is wrong with a recording or a data set, as how a command ends."""
    from app.demonstrations.export.plan import ExportError
    from app.film.formats import FilmError
    from physics.errors import ModelError
    from physics.recording.errors import RecordingError

    try:
        yield
    except (RecordingError, ExportError, FilmError) as why:
        raise Failed(str(why)) from None
    except ModelError as why:
        raise Failed(str(why.issues[0])) from None
    except OSError as why:
        raise Failed(f"{why.filename or 'a file'}: {why.strerror or why}") from None


def _told(episode: Episode, rate: float) -> dict:
    """An episode for programs. rate: time step [s]."""
    return {"number": episode.number, "task": episode.task, "outcome": episode.outcome, "steps": episode.steps, "seconds": episode.steps * rate, "first": episode.first, "last": episode.last,
            "drivers": [list(one) for one in episode.drivers], "notes": list(episode.notes), "drawn": episode.drawn, "how": episode.how, "whole": episode.whole}


def _line(episode: Episode, rate: float) -> str:
    drove = ", ".join(dict.fromkeys(who for _entry, who in episode.drivers))
    notes = "; ".join((*filter(None, (episode.how,)), *episode.notes))
    return (f"  {episode.number:4d}  {episode.outcome:10s} {episode.steps:6d} steps {episode.steps * rate:8.2f} s  {drove:14s} {episode.task}"
            + (f"  ({notes[:LONGEST]})" if notes else "") + ("" if episode.whole else "  (run over later)"))


def info(arguments) -> dict:
    """Episodes of each recording; quick, as no state is read."""
    from app.demonstrations.episodes import OPEN
    from app.demonstrations.sources import found, told

    lines, files, totals = [], [], {}
    for path in found(arguments.recordings):
        recording, episodes = told(path)
        rate = float(recording.about.get("timestep", "0"))
        size = sum(one.stat().st_size for one in (path.iterdir() if path.is_dir() else (path,)))
        lines += [f"{path}: {size_text(size)}, {recording.about.get('name') or 'a model'}, {len(episodes)} episodes, {recording.about.get('created', '')}",
                  *(_line(episode, rate) for episode in episodes)]
        for episode in episodes:
            totals[episode.outcome] = totals.get(episode.outcome, 0) + 1
        files.append({"path": str(path), "episodes": [_told(episode, rate) for episode in episodes]})
    lines.append("in all: " + (", ".join(f"{count} {outcome if outcome != OPEN else 'without an end'}" for outcome, count in sorted(totals.items())) or "no episode"))
    return {"text": "\n".join(lines), "recordings": files, "outcomes": totals}


def check(arguments) -> dict:
    """Whether everything is there: checksums, inputs, Models, and a state for each step of each episode."""
    from app.demonstrations.sources import found, opened
    from app.demonstrations.states import states_of
    from physics.recording.errors import RecordingError

    lines, wrong, count = [], [], 0
    for path in found(arguments.recordings):
        try:
            with opened(path, compile_texts) as of:
                of.check_complete()
                for episode in of.episodes:
                    count += 1
                    if episode.whole:
                        states_of(of, episode)
                lines.append(f"{path}: {len(of.episodes)} episodes, whole")
        except RecordingError as why:
            wrong.append(str(why))
    return {"text": "\n".join([*lines, *wrong]), "code": PROBLEM if wrong else DONE, "episodes": count, "wrong": wrong}


def replay(arguments) -> dict:
    """Do episodes again and compare every number of every state."""
    from app.demonstrations import replay as again
    from app.demonstrations.sources import found, opened

    kernels()
    chosen = frozenset(arguments.episodes) if arguments.episodes else None
    lines, same, count, told = [], 0, 0, []
    for path in found(arguments.recordings):
        with opened(path, compile_texts) as of:
            each = _Paced(arguments.speed) if arguments.speed is not None else None
            for one in again.replay(of, chosen, each):
                count, same = count + 1, same + one.same
                number, difference = one.episode.number, one.difference
                if difference is not None:
                    lines.append(f"{path}, episode {number}: not the same: {difference}")
                told.append({"recording": str(path), "episode": number, "same": one.same, "difference": None if difference is None else {
                    "step": difference.step, "time": difference.time, "field": difference.field, "index": difference.index, "recorded": difference.recorded, "again": difference.again}})
    lines.append(f"{same} of {count} episodes bit for bit the same")
    return {"text": "\n".join(lines), "code": DONE if same == count else PROBLEM, "same": same, "episodes": count, "replayed": told}


class _Paced:
    """Waits after each part, so that time passes at a speed."""

    def __init__(self, speed: float):
        self._speed, self._begun, self._passed = speed, time.perf_counter(), 0.0

    def __call__(self, redo, op) -> None:
        from physics.recording.journal import steps_of

        self._passed += steps_of(op) * redo.simulation.model.opt_timestep
        time.sleep(max(0.0, self._passed / self._speed - (time.perf_counter() - self._begun)))


def trim(arguments) -> dict:
    """Shorten an episode."""
    from app.demonstrations.editing import trimmed
    from app.demonstrations.sources import opened

    with opened(arguments.recording, compile_texts) as of:
        return _written(trimmed(of, arguments.episode, arguments.start, arguments.end), arguments.output)


def cut(arguments) -> dict:
    """Take episodes out, or cut one in two."""
    from app.demonstrations.editing import split, without
    from app.demonstrations.sources import opened

    if (arguments.episode is None) != (arguments.at is None):
        raise Failed("--episode and --at belong together", USAGE)
    with opened(arguments.recording, compile_texts) as of:
        parts = without(of, arguments.episodes) if arguments.episode is None else split(of, arguments.episode, arguments.at)
        return _written(parts, arguments.output)


def merge(arguments) -> dict:
    """One recording of several."""
    from contextlib import ExitStack

    from app.demonstrations.editing import without
    from app.demonstrations.sources import found, opened

    with ExitStack() as stack:
        parts = [part for path in found(arguments.recordings) for part in without(stack.enter_context(opened(path, compile_texts)), ())]
        return _written(parts, arguments.output)


def _written(parts, output: Path) -> dict:
    from app.demonstrations.editing import composed
    from physics.recording import file

    kernels()
    with composed(parts, output.name) as recording:
        file.save(recording, output)
    return {"text": f"{output}: {size_text(output.stat().st_size)}, {len(parts)} episodes, as they were recorded to the bit", "output": str(output), "episodes": len(parts)}


def export(arguments) -> dict:
    """Write a data set."""
    import sys

    from app.demonstrations.export.export import export as written
    from app.demonstrations.export.plan import ExportPlan
    from app.demonstrations.sources import found
    from app.headless.opengl import offscreen_renderer
    from render.quality import QUALITIES

    if arguments.quality not in QUALITIES:
        raise Failed(f"--quality takes one of {', '.join(QUALITIES)}", USAGE)
    cameras, sites, gripper = (tuple(filter(None, map(str.strip, text.split(",")))) for text in (arguments.cameras, arguments.sites, arguments.gripper))
    plan = ExportPlan(arguments.rate, cameras, arguments.size, arguments.actions, sites, gripper, tuple(split_texts(arguments.observe)), arguments.which, arguments.valid,
                      arguments.driver)
    paths = found(arguments.recordings)
    kernels()
    with offscreen_renderer(arguments.quality) if cameras else nullcontext() as renderer:
        done = written(paths, arguments.output, arguments.format, plan, renderer, compile_texts, lambda line: print(line, file=sys.stderr))
    return {"text": f"{arguments.output}: {done['episodes']} episodes, {done['frames']} states and actions at {plan.rate:g} per second"
                    + (f", {done['left_out']} left out" if done["left_out"] else ""), "output": str(arguments.output), **done}


def record(arguments) -> dict:
    """Give demonstrations."""
    from app.headless.demo.record import record as recorded

    return recorded(arguments)


WHAT = MappingProxyType({"record": record, "info": info, "check": check, "replay": replay, "trim": trim, "cut": cut, "merge": merge, "export": export})
