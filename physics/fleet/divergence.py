"""Why a simulation of a fleet stopped, in the words that are used for a single one."""
from __future__ import annotations

from math import inf
from types import SimpleNamespace

from physics.enums import ENGINE_HARD, MAXVAL, WARN_BADQACC
from physics.model.model import Model
from physics.simulate.warnings import Divergence, divergence, element_of


def why_stopped(m: Model, kind: int, index: int, value: float, time: float) -> Divergence:
    """kind: the WarningType; index: of the bad number; value: that number; time: of the last sound state [s]."""
    numbers = {index: value}
    stand_in = SimpleNamespace(diverged=kind, diverged_id=index, qpos=numbers, qvel=numbers, qacc=numbers, time=time, hard_status=0, hard_rv=inf, hard_kv=inf)
    found = divergence(m, stand_in)
    if m.opt_engine == ENGINE_HARD and kind == WARN_BADQACC and abs(value) < MAXVAL:    # no bad number: the step had no solution, worst at this dof
        text = f"The hard engine could not solve the step at time {time:g} s, worst at dof {index} ({element_of(m, kind, index)})"
        return found._replace(text=text)
    return found
