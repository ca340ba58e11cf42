"""linkwork run: simulate, and write the motion."""
from __future__ import annotations

import time
from contextlib import ExitStack

from app.headless.models import CHUNK, data_of, kernels, load, simulate
from app.headless.outcome import USAGE, Failed

CSV_FIELDS = ("qpos", "qvel", "act", "ctrl", "actuator_force")


def _columns(m) -> list[str]:
    """Names of the CSV columns: coordinates carry their joint's name."""
    names = ["time"]
    for field, adr in (("qpos", m.jnt_qposadr), ("qvel", m.jnt_dofadr)):
        ends = [*adr[1:], m.nq if field == "qpos" else m.nv]
        for j in range(m.njnt):
            joint = m.name("joint", j) or str(j)
            n = int(ends[j] - adr[j])
            names += [f"{field}:{joint}" + (f":{k}" if n > 1 else "") for k in range(n)]
    for field, n in (("act", m.na), ("ctrl", m.nu), ("actuator_force", m.nout)):
        names += [f"{field}:{k}" for k in range(n)]
    return names


def command_run(arguments) -> dict:
    """Simulate, write the motion, and say how it went."""
    import csv

    import numpy as np

    m = load(arguments.model, arguments.compat, stand_ins=True, engine=arguments.engine)
    d = data_of(m, arguments.key)
    if arguments.every < 1:
        raise Failed("--every needs a number of steps above 0", USAGE)
    kernels()
    with ExitStack() as stack:
        each = None
        if arguments.csv is not None:
            try:
                file = stack.enter_context(open(arguments.csv, "w", newline="", encoding="utf-8"))
            except OSError as error:
                raise Failed(f"{arguments.csv} cannot be written: {error.strerror}") from None
            writer = csv.writer(file)
            writer.writerow(_columns(m))

            def each():
                writer.writerow([repr(d.time), *map(repr, np.concatenate([np.ravel(getattr(d, f)) for f in CSV_FIELDS]).tolist())])

            each()
        start, begin = time.perf_counter(), d.time
        steps = simulate(m, d, arguments.time, each, arguments.every if each else CHUNK)
        wall = time.perf_counter() - start
    warnings = {int(k): int(n) for k, n in enumerate(d.warning_number) if n}
    simulated = d.time - begin
    return {"text": f"{steps} steps, {simulated:g} s simulated in {wall:.3g} s ({simulated / wall if wall else 0:.3g} times real time), "
                    f"{d.ncon} contacts, {d.nefc} constraint rows at the end, {d.maxuse_con} and {d.maxuse_efc} at most",
            "steps": steps, "time": d.time, "wall": wall, "ncon": d.ncon, "nefc": d.nefc, "maxuse_con": d.maxuse_con,
            "maxuse_efc": d.maxuse_efc, "warnings": warnings, "qpos": d.qpos.tolist(), "qvel": d.qvel.tolist()}
