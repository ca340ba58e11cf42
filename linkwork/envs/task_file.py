"""Reading a task: TOML, with an error that names the file, the line, and in an expression the column.

    model = "cartpole.xml"                                [reward]
    nstep = 4                                             upright = 'cos(joint("hinge").qpos)'
    limit = 500                                           effort = {weight = -0.01, of = "sum(ctrl**2)"}
    observation = ["qpos", "qvel"]
    terminated = 'abs(joint("slider").qpos) > 1.5'        [begin]
                                                          qpos = 0.05
"""
from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from app.studies.toml_table import TomlTable, line_of, parsed
from linkwork.envs.begin import Begin, Place
from linkwork.envs.expressions import compiled
from linkwork.envs.task import Task
from physics.errors import ModelError
from physics.model.element_index import index_of
from physics.model.model import Model
from physics.quantities.syntax import ExpressionError

MOST_STEPS = 10**9
FREE = 7        # coordinates of a free joint


class TaskError(ValueError):
    """What is wrong with a task's file, and where."""


def read(path: str | Path) -> Task:
    """The task of a file, its Model compiled. Raises TaskError, OSError where it cannot be read, and as physics.load for its model."""
    path = Path(path)
    text, table = parsed(path, TaskError)
    top = TomlTable(path, text, "", table, TaskError)
    reward, begin = (top.inner(name, table.get(name, {})) for name in ("reward", "begin"))
    for name in ("reward", "begin"):
        top.table.pop(name, None)
        top.known.append(name)
    m = _model(top)
    terms = _Terms(top, m)
    observation = tuple(terms.expression(top, "observation", one, single=False) for one in top.take("observation", list, "a list of expressions", ["qpos", "qvel"]))
    if not observation:
        raise top.wrong("observation", "is empty: an agent has to see something")
    end = top.take("terminated", str, "an expression", "\0").strip("\0")
    key = top.take("keyframe", str, "the name of a keyframe", "\0").strip("\0")
    if key and m.id("key", key) < 0:
        raise top.wrong("keyframe", f"is no keyframe of the model: '{key}'; there are: {', '.join(filter(None, m.names['key'])) or 'none'}")
    task = Task(
        m, observation, dict(_reward(reward, name, terms) for name in list(reward.table)), terms.expression(top, "terminated", end) if end else None, _begin(begin, m),
        top.whole("nstep", 1, MOST_STEPS, 1), top.whole("limit", 0, MOST_STEPS, 0) or None, key or None)
    for part in (top, begin):
        part.end()
    return task


def _model(top: TomlTable) -> Model:
    import physics

    file = top.path.parent / top.take("model", str, "the file of a model, as seen from the task's")
    try:
        return physics.load(file)
    except (ModelError, OSError) as why:
        raise TaskError(f"{top.path}:{line_of(top.text, 'model', '')}: model: {why}") from why


class _Terms:
    """Expressions of the file, compiled for its Model so that what is wrong is said at once."""

    def __init__(self, top: TomlTable, m: Model):
        self._top, self._m = top, m

    def expression(self, part: TomlTable, key: str, text: Any, single: bool = True) -> str:
        """The text of an expression. single: it has to be one number. Raises TaskError."""
        if not isinstance(text, str):
            raise part.wrong(key, f"is an expression in quotes, not {text!r}")
        try:
            quantity = compiled(self._m, text)
        except ExpressionError as why:
            raise part.wrong(key, f"'{text}', {why}") from None
        if single and quantity.shape:
            raise part.wrong(key, f"'{text}' is a vector of {' x '.join(map(str, quantity.shape))} numbers: write norm(...), sum(...), or an index")
        return text


def _reward(part: TomlTable, name: str, terms: _Terms) -> tuple[str, str | tuple[float, str]]:
    value = part.table.pop(name)
    if isinstance(value, Mapping):
        term = part.inner(name, value)
        weight = float(term.number("weight", -1e300, 1e300))
        text = terms.expression(part, name, term.take("of", str, "an expression"))
        term.end()
        return name, (weight, text)
    return name, terms.expression(part, name, value)


def _begin(part: TomlTable, m: Model) -> Begin | None:
    qpos, qvel = (float(part.number(key, 0.0, 1e9, 0.0)) for key in ("qpos", "qvel"))
    joints = tuple(_joint(part, m, name, ends) for name, ends in part.take("joints", Mapping, "a table {name = [from, to]}", {"": 0}).items() if name)
    places = tuple(_place(part, m, name, ends) for name, ends in part.take("places", Mapping, "a table {body = [[x, y, z], [x, y, z]]}", {"": 0}).items() if name)
    return Begin(qpos, qvel, joints, places) if qpos or qvel or joints or places else None


def _width(m: Model, joint: int) -> int:
    """Coordinates of a joint."""
    ends = np.append(m.jnt_qposadr[1:], m.nq)
    return int(ends[joint] - m.jnt_qposadr[joint])


def _joint(part: TomlTable, m: Model, name: str, ends: Any) -> tuple[int, float, float]:
    try:
        joint = index_of(m, "joint", name)
    except (KeyError, ValueError, IndexError) as why:
        raise part.wrong(name, str(why.args[0])) from None
    if _width(m, joint) != 1:
        raise part.wrong(name, "has several coordinates: hinge and slide joints have a range, bodies with a free joint a place")
    low, high = _ends(part, name, ends, 1)
    return int(m.jnt_qposadr[joint]), low[0], high[0]


def _place(part: TomlTable, m: Model, name: str, ends: Any) -> Place:
    try:
        body = index_of(m, "body", name)
    except (KeyError, ValueError, IndexError) as why:
        raise part.wrong(name, str(why.args[0])) from None
    mocap, joint = int(m.body_mocapid[body]), int(m.body_jntadr[body])
    free = joint >= 0 and _width(m, joint) == FREE
    if mocap < 0 and not free:
        raise part.wrong(name, "stays where it is: only mocap bodies and bodies with a free joint begin elsewhere")
    low, high = _ends(part, name, ends, 3)
    return Place(mocap, -1 if mocap >= 0 else int(m.jnt_qposadr[joint]), low, high)


def _ends(part: TomlTable, name: str, ends: Any, size: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The lower and the upper end of a range, of `size` numbers each."""
    match ends:
        case [low, high]:
            pair = tuple(tuple(one if isinstance(one, list) else [one]) for one in (low, high))
            if all(len(one) == size and all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in one) for one in pair) and all(a <= b for a, b in zip(*pair, strict=True)):
                return tuple(map(float, pair[0])), tuple(map(float, pair[1]))
    what = "[from, to]" if size == 1 else "[[x, y, z], [x, y, z]]"
    raise part.wrong(name, f"is a range {what} from the lower to the higher end, not {ends!r}")
