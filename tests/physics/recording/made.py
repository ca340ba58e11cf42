"""Recordings made up for tests, and whether two are the same."""
from types import MappingProxyType

import numpy as np

from physics.recording.recording import Layout, RecordedBookmark, RecordedBranch, RecordedHeld, RecordedMark, RecordedModel, RecordedRegion, Recording
from physics.recording.track import Track, TrackPiece

LAYOUT = Layout(MappingProxyType({"qpos": 3, "qvel": 2, "act": 0, "ctrl": 1}))
WIDE = Layout(MappingProxyType({"qpos": 4, "qvel": 3, "act": 0, "ctrl": 0}))


def block(n, layout=LAYOUT, seed=0):
    """Memory with n rows, as a History has it."""
    found = np.random.default_rng(seed).normal(size=(n, 2 + sum(layout.parts.values())))
    found[:, 0], found[:, 1] = 0.01 * np.arange(n), np.arange(n)
    return found.reshape(-1)


def piece(memory, first, count, number, layout=LAYOUT, model=0):
    """Rows of such memory."""
    width = 2 + sum(layout.parts.values())
    return TrackPiece(layout, memory[first * width:(first + count) * width].reshape(count, width), number, model)


def held(number, force=0.0):
    """Held inputs."""
    return RecordedHeld(number, (np.full(2, force).tobytes(), b"", b"\1", b""), (0.0, 0.5, 7))


def branch(number, *pieces, parent=0, fork=-1, marks=(), notes=()):
    """A branch of these pieces."""
    return RecordedBranch(number, parent, fork, "start", f"branch {number}", Track(pieces), tuple(marks), tuple(notes))


def rich():
    """One with everything."""
    memory, other = block(300), block(50, WIDE, 1)
    odd = block(20, seed=2)
    odd[8:16] = [np.nan, np.inf, -np.inf, -0.0, 5e-324, 1e308, -1.0, 0.1]
    line = branch(2, piece(memory, 0, 200, 5), piece(other, 0, 50, 205, WIDE, 1), fork=104,
                  marks=[RecordedMark(5, 0.0, "start", "start", 0.0), RecordedMark(205, 1.5, "edit", "edit of \u03c0 \"x\"\n", 2.0)], notes=[held(5), held(120, 1.5), held(205, -0.0)])
    cut = branch(1, piece(memory, 200, 100, 105), piece(odd, 0, 20, 205), fork=104, marks=[RecordedMark(205, 0.0, "reset", "reset", 1.0)], notes=[held(105)])
    models = (RecordedModel(0, b"not a model" * 1000, {"/home/me/a.xml": "<mujoco/>\n", "/home/me/b.xml": "\u03c0"}), RecordedModel(1, b"other", {"/home/me/a.xml": "<mujoco></mujoco>"}))
    lines = ('["install",0,0.0,{"#":"x"}]', '["steps",5,0.0,200]', '["command",205,{"#":"float","bits":"7ff8000000000000"},{"#":"SetCtrl","index":0,"value":0.1}]', '["steps",206,0.1,3]')
    return Recording((cut, line), 2, 1, models, lines, 0, 1, 3, '[[1,2,3]]', 2, (RecordedBookmark(7, 2, 0.02, "here \u03c0", b"\x89PNG..."), RecordedBookmark(9, 1, 0.1, "there")),
                     (RecordedRegion(10, 20, 2, "a swing"),), {"linkwork": "0.1.0", "name": "a.xml"}, ("12:00 info started", "12:01 error two\nlines"), "It fell over.",
                     {"view/theme": "dark"})


def differences(one: Recording, two: Recording) -> list[str]:
    """Names of what differs between two recordings; states bit for bit, however they are cut into pieces."""
    names = ["shown", "running", "inputs", "inputs_gone", "again", "last", "values", "start_key", "bookmarks", "regions", "log", "note"]
    found = [name for name in names if getattr(one, name) != getattr(two, name)]
    found += [name for name in ("about", "settings") if dict(getattr(one, name)) != dict(getattr(two, name))]
    if [b.id for b in one.branches] != [b.id for b in two.branches]:
        return [*found, "branches"]
    for mine, theirs in zip(one.branches, two.branches):
        found += [f"{mine.id}.{name}" for name in ("parent", "fork", "kind", "text", "marks", "held") if getattr(mine, name) != getattr(theirs, name)]
        if cells(mine) != cells(theirs):
            found.append(f"{mine.id}.track")
    if [(m.number, m.content(), dict(m.texts)) for m in one.models] != [(m.number, m.content(), dict(m.texts)) for m in two.models]:
        found.append("models")
    return found


def cells(of: RecordedBranch) -> list[tuple]:
    """(number, Model, fields, bits) of each entry of a branch."""
    return [(p.number + k, p.model, dict(p.layout.parts), p.rows[k].tobytes()) for p in of.track.pieces for k in range(len(p.rows))]
