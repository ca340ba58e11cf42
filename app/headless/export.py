"""linkwork export: states of a recording, and quantities of them, as a table."""
from __future__ import annotations

from app.headless.models import kernels
from app.headless.outcome import USAGE, Failed
from app.headless.recordings import prepared_recording


def command_export(arguments) -> dict:
    """Write time and fields of every state of a branch."""
    import numpy as np

    from physics.quantities.syntax import ExpressionError
    from physics.recording.recording import whole_way
    from physics.runtime.recorded.entries import only_recorded, quantities_of, values_of_track

    ending = arguments.output.suffix.lower()
    if ending not in (".csv", ".npz"):
        raise Failed(f"{arguments.output}: a table is written as .csv or .npz, not as '{ending}'", USAGE)
    if arguments.every < 1:
        raise Failed("--every needs a number of states above 0", USAGE)
    texts = split_texts(arguments.fields)
    with prepared_recording(arguments.recording) as (recording, prepared):
        number = recording.shown if arguments.branch is None else arguments.branch
        if number not in recording.tracks():
            raise Failed(f"there is no branch {number}; there are: {', '.join(map(str, recording.tracks()))}", USAGE)
        track = whole_way(recording, number)
        held = [*recording.line.held] if number == recording.shown else [*(note for note in recording.line.held if note.number <= recording.branch(number).fork),
                                                                           *recording.branch(number).held]
        try:
            quantities = quantities_of(track, prepared.store.load, texts)
        except ExpressionError as why:
            raise Failed(f"--fields: {why}", USAGE) from None
        if not only_recorded(quantities):
            kernels()
        entries, time, values = values_of_track(track, held, quantities, arguments.every)
    try:
        if ending == ".npz":
            np.savez_compressed(arguments.output, time=time, entry=entries, **values)
        else:
            _write_csv(arguments.output, entries, time, values)
    except OSError as why:
        raise Failed(f"{arguments.output} cannot be written: {why.strerror or why}") from None
    return {"text": f"{arguments.output}: {len(time)} states, {', '.join(f'{text} {list(array.shape[1:])}' for text, array in values.items())}", "output": str(arguments.output),
            "states": len(time), "fields": {text: list(array.shape[1:]) for text, array in values.items()}}


def split_texts(text: str) -> list[str]:
    """Expressions separated by commas that stand outside of brackets and quotation marks."""
    found, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        depth += (letter in "([") - (letter in ")]") if not quote else 0
        if letter == "," and not depth and not quote:
            found.append("")
        else:
            found[-1] += letter
    return [part.strip() for part in found if part.strip()]


def _write_csv(path, entries, time, values) -> None:
    import csv

    import numpy as np

    names, columns = ["entry", "time"], []
    for text, array in values.items():
        flat = array.reshape(len(array), -1)
        names += [text] if array.ndim == 1 else [f"{text}[{','.join(map(str, place))}]" for place in np.ndindex(array.shape[1:])]
        columns.append(flat)
    table = np.concatenate(columns, axis=1) if columns else np.zeros((len(time), 0))
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        for entry, now, row in zip(entries.tolist(), time.tolist(), table.tolist(), strict=True):
            writer.writerow([entry, repr(now), *map(repr, row)])
