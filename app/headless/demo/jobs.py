"""What a window has done to demonstrations in a process of its own (worker.py): each job takes what is wanted as JSON has it and returns what came of it.

    ghost      recording, episode, file       -> file: its states and its Model, for app.film.pipe
    check      sources                        -> replayed: of each episode whether it came out as recorded, and the first difference
    trim       recording, episode, start, end, output
    split      recording, episode, at, output
    without    recording, episodes, output
    merge      sources, output                -> output, episodes
    export     sources, output, format, plan, quality    -> output, episodes, frames, left_out, said

sources: [[recording, numbers of episodes or None for all], ...]
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack, nullcontext
from pathlib import Path
from types import MappingProxyType
from typing import Any

from app.headless.models import kernels
from app.headless.recordings import compile_texts

Share = Callable[[float], None]     # how much is done; below 0: not known


def ghost(wanted: dict[str, Any], _share: Share) -> dict[str, Any]:
    """The states of an episode, to be shown beside attempts."""
    from app.demonstrations.ghost import ghost_states
    from app.demonstrations.sources import opened
    from app.film.pipe import send
    from physics.recording.recording import Layout
    from physics.recording.track import Track, TrackPiece

    kernels()
    with opened(Path(wanted["recording"]), compile_texts) as of, Path(wanted["file"]).open("wb") as file:
        states = ghost_states(of, wanted["episode"])
        pieces = (TrackPiece(Layout(dict(piece.layout.parts)), piece.rows, piece.number, piece.model) for piece in states.track.pieces)     # layouts that a pipe takes
        send(file, (Track(tuple(pieces)), states.model))
    return {"file": wanted["file"]}


def check(wanted: dict[str, Any], share: Share) -> dict[str, Any]:
    """Do episodes again and compare every number of every state."""
    from app.demonstrations.replay import replay
    from app.demonstrations.sources import opened
    from physics.recording.journal import steps_of

    kernels()
    found, sources = [], wanted["sources"]
    for k, (path, numbers) in enumerate(sources):
        with opened(Path(path), compile_texts) as of:
            all_steps, done = max(1, sum(map(steps_of, of.prepared.ops))), 0

            def tell(_redo, part, k=k, all_steps=all_steps) -> None:
                nonlocal done
                done += steps_of(part)
                share((k + done / all_steps) / len(sources))

            for one in replay(of, frozenset(numbers) if numbers is not None else None, tell):
                found.append({"recording": path, "episode": one.episode.number, "same": one.same, "difference": str(one.difference) if one.difference is not None else ""})
    return {"replayed": found}


def trim(wanted: dict[str, Any], share: Share) -> dict[str, Any]:
    """Shorten an episode."""
    from app.demonstrations.editing import trimmed

    return _edited(wanted, share, lambda of: trimmed(of, wanted["episode"], wanted["start"], wanted["end"]))


def split(wanted: dict[str, Any], share: Share) -> dict[str, Any]:
    """Cut an episode in two."""
    from app.demonstrations import editing

    return _edited(wanted, share, lambda of: editing.split(of, wanted["episode"], wanted["at"]))


def without(wanted: dict[str, Any], share: Share) -> dict[str, Any]:
    """Take episodes out."""
    from app.demonstrations import editing

    return _edited(wanted, share, lambda of: editing.without(of, wanted["episodes"]))


def merge(wanted: dict[str, Any], share: Share) -> dict[str, Any]:
    """One recording of episodes of several."""
    from app.demonstrations import editing
    from app.demonstrations.sources import opened

    with ExitStack() as stack:
        parts = []
        for path, numbers in wanted["sources"]:
            of = stack.enter_context(opened(Path(path), compile_texts))
            parts += editing.without(of, ()) if numbers is None else [editing.Part.whole(of, of.episode(number)) for number in numbers]
        return _written(parts, wanted, share)


def _edited(wanted: dict[str, Any], share: Share, parts_of: Callable) -> dict[str, Any]:
    from app.demonstrations.sources import opened

    with opened(Path(wanted["recording"]), compile_texts) as of:
        return _written(parts_of(of), wanted, share)


def _written(parts, wanted: dict[str, Any], share: Share) -> dict[str, Any]:
    from app.demonstrations.editing import composed
    from physics.recording import file

    share(-1.0)
    kernels()
    output = Path(wanted["output"])
    with composed(parts, output.name) as recording:
        file.save(recording, output)
    return {"output": str(output), "episodes": len(parts)}


def export(wanted: dict[str, Any], share: Share) -> dict[str, Any]:
    """Write a data set."""
    from app.demonstrations.export.export import export as written
    from app.demonstrations.export.plan import ExportPlan
    from app.headless.opengl import offscreen_renderer

    plan = ExportPlan(**{name: tuple(value) if isinstance(value, list) else value for name, value in wanted["plan"].items()})
    paths = [Path(path) for path, _numbers in wanted["sources"]]
    chosen = {Path(path): numbers for path, numbers in wanted["sources"] if numbers is not None}
    said: list[str] = []
    kernels()
    with offscreen_renderer(wanted["quality"]) if plan.cameras else nullcontext() as renderer:
        done = written(paths, Path(wanted["output"]), wanted["format"], plan, renderer, compile_texts, said.append, chosen, share)
    return {"output": wanted["output"], "said": said, **done}


JOBS: Mapping[str, Callable[[dict[str, Any], Share], dict[str, Any]]] = MappingProxyType({
    "ghost": ghost, "check": check, "trim": trim, "split": split, "without": without, "merge": merge, "export": export})
