"""linkwork bench: the speed of a step."""
from __future__ import annotations

import time

from app.headless.models import data_of, kernels, load, simulate
from app.headless.outcome import DIVERGED, Failed

STAGE_STEPS = 300  # steps whose stages are timed


def _stage_shares(m, d) -> dict:
    """Share of each stage in a step, clocks included."""
    from physics.runtime.profile import Profile
    from physics.simulate import step

    profile = Profile(time.thread_time)
    for _ in range(STAGE_STEPS):
        while not profile.step(m, d):
            if not step.grow(d):
                raise Failed("the simulation diverged while its stages were timed", DIVERGED)
    per_step = profile.per_step()
    return {name: per_step[name] / per_step["total"] for name in profile.stages}


def command_bench(arguments) -> dict:
    """Measure steps per second of CPU time, and which stage takes what share."""
    import statistics

    import physics

    m = load(arguments.model, arguments.compat, engine=arguments.engine)
    d = data_of(m, arguments.key)
    kernels()
    simulate(m, d, 0.2)
    window, costs = 1, []
    end = time.thread_time() + arguments.seconds
    while time.thread_time() < end or len(costs) < 3:
        start = time.thread_time()
        if physics.step(m, d, window, autoreset=False) < window:
            physics.reset(m, d)
            continue
        spent = time.thread_time() - start
        if spent < 2e-3:
            window *= 2
            continue
        costs.append(spent / window)
    cost, best = statistics.median(costs), min(costs)
    shares = _stage_shares(m, d)
    lines = [f"{1 / cost:,.0f} steps/s ({1e6 * cost:.2f} us per step, best {1e6 * best:.2f}), {m.opt_timestep / cost:,.1f} times real time",
             f"nv {m.nv}, contacts {d.ncon}, constraint rows {d.nefc}, solver iterations {d.solver_niter_max}"]
    lines += [f"{name:>13} {100 * share:5.1f} %" for name, share in sorted(shares.items(), key=lambda item: -item[1])]
    return {"text": "\n".join(lines), "steps_per_second": 1 / cost, "us_per_step": 1e6 * cost, "best_us": 1e6 * best, "nv": m.nv, "ncon": d.ncon,
            "nefc": d.nefc, "solver_niter": d.solver_niter_max, "stages": shares}
