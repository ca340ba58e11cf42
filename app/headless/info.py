"""linkwork info: what is in a recording."""
from __future__ import annotations

from app.headless.recordings import load_recording, size_text


def command_info(arguments) -> dict:
    """Model, time, branches, inputs by kind, versions."""
    from physics.recording.file import summary

    path = arguments.recording
    recording = load_recording(path, states=False)
    told = summary(recording)
    about, size = dict(recording.about), path.stat().st_size
    lines = [f"{path}: {size_text(size)}, recording of {about.get('name') or 'a model'}, {about.get('created', '')}",
             f"{told['steps']} states in {told['branches']} branch{'es' * (told['branches'] > 1)}, {told['models']} model{'s' * (told['models'] > 1)}, "
             f"{told['texts']} text{'s' * (told['texts'] != 1)}, {told['bookmarks']} bookmarks, {told['regions']} regions"]
    lines += [_branch_line(branch, branch.id == recording.shown, recording) for branch in recording.branches]
    lines.append("inputs: " + (", ".join(f"{name} {count}" for name, count in told["inputs"].items()) or "none")
                 + (f" (the first {recording.inputs_gone} are not there: it cannot be done again)" if recording.inputs_gone else ""))
    lines.append(", ".join(f"{name} {value}" for name, value in about.items() if value and name not in ("name", "created")))
    if recording.note:
        lines += ["note:", recording.note]
    branches = [{"id": branch.id, "parent": branch.parent, "fork": branch.fork, "kind": branch.kind, "text": branch.text, "states": len(branch.track), "first": branch.track.first,
                 "start": _times(branch)[0], "end": _times(branch)[1], "shown": branch.id == recording.shown} for branch in recording.branches]
    return {"text": "\n".join(lines), **told, "size": size, "about": about, "branch_list": branches, "note": recording.note, "log": list(recording.log)}


def _times(branch) -> tuple[float, float]:
    """Simulated times of the first and last entry [s]."""
    pieces = branch.track.pieces
    return (float(pieces[0].time[0]), float(pieces[-1].time[-1])) if pieces else (0.0, 0.0)


def _branch_line(branch, shown: bool, recording) -> str:
    start, end = _times(branch)
    where = "" if branch.fork < 0 else f" after entry {branch.fork}"
    jumps = len(branch.marks)
    return (f"  branch {branch.id}{' (shown)' if shown else ''}: {len(branch.track)} states, {start:g} s to {end:g} s{where}, {branch.kind}: {branch.text}"
            + (f", {jumps} marks" if jumps else ""))
