"""linkwork tune sweep: what becomes of a number of the run while one or two values of the model go through ranges."""
from __future__ import annotations

import json
import sys
from pathlib import Path

from app.headless.models import data_of, kernels, load
from app.headless.outcome import DIVERGED, DONE, INTERRUPTED, USAGE, Failed

TELL = 2.0      # s between two lines


def command_tune(arguments) -> dict:
    """The only kind of tuning without a window: a sweep."""
    import physics
    from physics.model.state_fields import State
    from physics.quantities.syntax import ExpressionError
    from physics.tuning.sweep import Sweep, axis_of

    arguments.json = arguments.json_file == ""      # without a file: on the output
    m = load(arguments.model, arguments.compat, engine=arguments.engine)
    if m.view_only:
        raise Failed(str(m.view_only[0]))
    d = data_of(m, arguments.key)
    try:
        axes = [axis_of(m, text) for text in arguments.set]
    except ValueError as why:
        raise Failed(f"--set: {why}", USAGE) from None
    try:
        sweep = Sweep(m, State.of(d), axes, arguments.metric, arguments.reduce, arguments.seconds, arguments.threads)
    except ExpressionError as why:
        raise Failed(f"--metric: {why}", USAGE) from None
    except physics.ViewOnlyError as why:
        raise Failed(str(why)) from None
    except ValueError as why:
        raise Failed(str(why), USAGE) from None
    kernels()
    stopped = _wait(sweep)
    if sweep.error:
        raise Failed(sweep.error)
    result = sweep.result()
    told = {"model": str(arguments.model), "metric": sweep.metric, "reduce": sweep.reduction, "seconds": sweep.seconds, "unit": result.unit,
            "axes": [{"set": axis.text, "values": axis.numbers.tolist()} for axis in result.axes],
            "fixed": {axis.text: float(axis.numbers[0]) for axis in axes if not axis.varies},
            "values": _nested(result.values), "diverged": result.diverged.tolist(), "done": result.done.tolist(), "complete": result.complete}
    if arguments.json_file:
        _write(Path(arguments.json_file), told)
    every = result.complete and bool(result.diverged.all())
    return {"text": _table(sweep, result), "code": INTERRUPTED if stopped else DIVERGED if every else DONE, **told}


def _wait(sweep) -> bool:
    """Wait for the end, telling how far it is; whether somebody stopped it."""
    sweep.start()
    try:
        while not sweep.wait(TELL):
            print("{} of {} runs".format(*sweep.progress), file=sys.stderr)
    except KeyboardInterrupt:
        sweep.cancel()
        sweep.wait()
        return True
    return False


def _nested(values) -> list:
    """Arrays as JSON has them: nothing in place of NaN and infinities, which it does not know."""
    import numpy as np

    return [_nested(row) if row.ndim else float(row) if np.isfinite(row) else None for row in values]


def _write(path: Path, told: dict) -> None:
    try:
        path.write_text(json.dumps(told, indent=1), encoding="utf-8")
    except OSError as why:
        raise Failed(f"{path} cannot be written: {why.strerror or why}") from None


def _table(sweep, result) -> str:
    """One line for each run: the values that vary, the metric."""
    import numpy as np

    unit = f" [{result.unit}]" if result.unit else ""
    rows = [[*(axis.text for axis in result.axes), f"{sweep.reduction} of {sweep.metric}{unit}"]]
    for place in np.ndindex(result.values.shape):
        said = "not done" if not result.done[place] else "diverged" if result.diverged[place] else f"{result.values[place]:.9g}"
        rows.append([*(f"{axis.numbers[k]:.9g}" for axis, k in zip(result.axes, place, strict=True)), said])
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return "\n".join("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows)
