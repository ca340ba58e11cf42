"""Reading a study: TOML, with an error that names the file, the line and what to write.

    model = "quadruped.xml"          [vary]                                              [goal]
    seconds = 5                      "opt.timestep" = [0.002, 0.004]                     maximise = 'last(body("trunk").xpos[0])'
    seeds = 8                        "geom.floor.friction[0]" = {from = 0.2, to = 1.2, steps = 6}
"""
from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from app.studies.goal import Goal, GoalError
from app.studies.searches import SEARCHES
from app.studies.study import Control, Keep, Parameter, Search, Start, Study
from app.studies.toml_table import TomlTable, parsed
from physics.enums import Engine
from physics.name_hints import hint
from physics.tuning.sweep import range_values

MOST_SEEDS, MOST_KNOTS, MOST_TRIALS = 100_000, 1000, 10_000_000


class StudyError(Exception):
    """What is wrong with a study's file, and where."""


def read(path: Path) -> Study:
    """The study of a file. Raises StudyError, and OSError where it cannot be read."""
    text, table = parsed(path, StudyError)
    top = TomlTable(path, text, "", table, StudyError)
    parts = {name: TomlTable(path, text, name, table.get(name, {}), StudyError) for name in ("vary", "start", "control", "search", "goal")}
    for name in parts:
        top.table.pop(name, None)
        top.known.append(name)
    vary, fixed = _vary(parts["vary"])
    control = _control(parts["control"])
    search = _search(parts["search"], control)
    study = Study(
        path, path.parent / top.take("model", str, "the file of a model, as seen from the study's"), _goal(parts["goal"]), float(top.number("seconds", 1e-9, 1e9)),
        top.whole("seeds", 1, MOST_SEEDS, 1), vary, fixed, _start(parts["start"]), control, search, _engine(top), _keep(top))
    for part in (top, *(part for name, part in parts.items() if name != "vary")):
        part.end()
    if not vary and not control.knots and study.seeds == 1:
        raise StudyError(f"{path}: nothing varies: write [vary], [control] or seeds")
    ranges = [one.name for one in vary if not one.numbers]
    if search.how == "grid" and (ranges or control.knots):
        raise parts["search"].wrong("how", f"is a grid, which needs values: give {ranges[0]} steps, or a list" if ranges else "is a grid, which does not search controls")
    return study


def _engine(top: TomlTable) -> str:
    said = top.take("engine", str, "the name of an engine", "\0").strip("\0")
    if said and said.upper() not in Engine.__members__:
        raise top.wrong("engine", f"is one of {', '.join(name.lower() for name in Engine.__members__)}, not '{said}'")
    return said


def _keep(top: TomlTable) -> Keep:
    part = top.inner("keep", top.take("keep", Mapping, '{recordings = "best 5", films = "best 1"}', {"\0": 0}))
    part.table.pop("\0", None)
    numbers = []
    for key in ("recordings", "films"):
        said = part.take(key, str, 'a text such as "best 5"', "best 0")
        word, _space, number = said.partition(" ")
        if word != "best" or not number.isdigit():
            raise part.wrong(key, f"is a text such as \"best 5\", not '{said}'")
        numbers.append(int(number))
    part.end()
    return Keep(*numbers)


def _vary(part: TomlTable) -> tuple[tuple[Parameter, ...], tuple[tuple[str, float], ...]]:
    vary, fixed = [], []
    for name, value in part.table.items():
        try:
            match value:
                case bool():
                    raise ValueError("is a number, a list, or {from, to, steps}")
                case int() | float():
                    fixed.append((name, float(value)))
                case [_, *_] if all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in value):
                    if len(set(value)) < len(value):
                        raise ValueError("has a number twice")
                    vary.append(Parameter(name, float(min(value)), float(max(value)), False, tuple(map(float, value))))
                case Mapping():
                    vary.append(_range(part.inner(name, value)))
                case _:
                    raise ValueError("is a number, a list of numbers, or {from = LOW, to = HIGH, steps = N}")
        except ValueError as why:
            raise part.wrong(name, str(why)) from None
    return tuple(vary), tuple(fixed)


def _range(part: TomlTable) -> Parameter:
    low, high = (float(part.number(key, -1e300, 1e300)) for key in ("from", "to"))
    steps, scale = part.whole("steps", 0, MOST_TRIALS, 0), part.take("scale", str, "linear or log", "linear")
    if scale not in ("linear", "log"):
        raise part.wrong("scale", f"is linear or log, not '{scale}'")
    part.end()
    if low >= high:
        raise ValueError(f"goes from the lower to the higher end, not from {low:g} to {high:g}")
    numbers = range_values(low, high, steps or 2, scale == "log")
    return Parameter(part.name, low, high, scale == "log", tuple(numbers.tolist()) if steps else ())


def _start(part: TomlTable) -> Start:
    key, noise = part.take("key", str, "the name of a keyframe", "\0").strip("\0"), part.inner("noise", part.take("noise", Mapping, "{qpos = 0.01, qvel = 0.1}", {"\0": 0}))
    noise.table.pop("\0", None)
    found = Start(key, float(noise.number("qpos", 0.0, 1e9, 0.0)), float(noise.number("qvel", 0.0, 1e9, 0.0)))
    noise.end()
    return found


def _control(part: TomlTable) -> Control:
    if not part.table:
        return Control()
    kind = part.take("kind", str, "spline", "spline")
    if kind != "spline":
        raise part.wrong("kind", f"is spline, not '{kind}'")
    who = part.take("actuators", (str, list), '"all" or a list of names', "all")
    if isinstance(who, str) and who != "all" or isinstance(who, list) and not all(isinstance(one, str) for one in who):
        raise part.wrong("actuators", f'is "all" or a list of names, not {who!r}')
    return Control(() if who == "all" else tuple(who), part.whole("knots", 1, MOST_KNOTS))


def _search(part: TomlTable, control: Control) -> Search:
    how = part.take("how", str, f"one of {', '.join(SEARCHES)}", "random" if control.knots else "grid")
    if how not in SEARCHES:
        raise part.wrong("how", f"is one of {', '.join(SEARCHES)}, not '{how}'{hint(how, SEARCHES)}")
    return Search(how, part.whole("trials", 1, MOST_TRIALS, 0 if how == "grid" else None) if how != "grid" or "trials" in part.table else 0,
                  part.whole("population", 0, 100_000, 0), float(part.number("sigma", 1e-6, 10.0, 0.3)), part.whole("seed", 0, 2**31 - 1, 0))


def _goal(part: TomlTable) -> Goal:
    said = [word for word in ("maximise", "minimise") if word in part.table]
    part.known += ["maximise", "minimise"]
    if len(said) != 1:
        raise StudyError(f"{part.path}: [goal] has either maximise or minimise, an expression such as 'last(qpos[0])'")
    goal = Goal(part.take(said[0], str, "an expression"), said[0] == "maximise", part.take("stop", str, "an expression", "\0").strip("\0"))
    try:
        _ = goal.expressions
    except GoalError as why:
        raise part.wrong(said[0], f"is no goal: {why}") from None
    return goal
