"""Values of a servo given to the run by commands, without a text: those fields of the Model that may be written while it runs."""
from __future__ import annotations

from app.context import AppContext
from physics.model.model import Model
from physics.runtime import commands
from physics.tuning.servos.axis import ServoAxis
from physics.tuning.servos.values import ServoValues, differing, parameters_with

GAINS = frozenset({"kp", "kv"})
NEED_TEXT = ("armature", "gear", "delay")
RANGES = ("forcerange", "ctrlrange")    # whether there is one is not said while it runs


class LiveTrial:
    """values: that were sent last, None while nothing is tried."""

    def __init__(self, context: AppContext):
        self._context = context
        self.values: ServoValues | None = None
        self._before: dict[tuple[str, int], object] = {}        # what was there, of all that was sent

    def send(self, m: Model, axis: ServoAxis, in_force: ServoValues, values: ServoValues) -> tuple[str, ...]:
        """Give the run these; m: a Model that has the values in force. Names of those that it cannot be given."""
        rows = rows_of(m, axis, in_force, values)
        for name, row in rows:
            self._before.setdefault((name, row), getattr(m, name)[row].tolist())
        self._send({**self._before, **rows})
        self.values = values
        return tuple(name for name in differing(in_force, values) if name in NEED_TEXT or name in RANGES and not (getattr(in_force, name) and getattr(values, name)))

    def _send(self, rows: dict[tuple[str, int], object]) -> None:
        for (name, row), value in rows.items():
            self._context.runner.latest(("servo", name, row), commands.SetField(name, value, (row,)))

    def stop(self) -> None:
        """Give the run the values in force again."""
        self._send(self._before)
        self.forget()

    def forget(self) -> None:
        """Nothing is tried any more."""
        self.values, self._before = None, {}


def rows_of(m: Model, axis: ServoAxis, in_force: ServoValues, values: ServoValues) -> dict[tuple[str, int], object]:
    """{(field, row): numbers} of what differs and may be written while the Model runs."""
    i, names, dof = axis.actuator, set(differing(in_force, values)), axis.joint_dof
    found: dict[tuple[str, int], object] = {}
    if GAINS & names:
        gain, bias = parameters_with(m, i, values.kp, values.kv)
        found["actuator_gainprm", i] = (*gain, *m.actuator_gainprm[i, 3:].tolist())
        found["actuator_biasprm", i] = (*bias, *m.actuator_biasprm[i, 3:].tolist())
    for name, row in (("forcerange", i), ("ctrlrange", int(m.actuator_ctrladr[i]))):
        if name in names and getattr(in_force, name) is not None and getattr(values, name) is not None:
            found[f"actuator_{name}", row] = getattr(values, name)
    if "timeconst" in names:
        found["actuator_dynprm", i] = (values.timeconst, *m.actuator_dynprm[i, 1:].tolist())
    if "damping" in names:
        found["dof_damping", dof] = values.damping
    return found
