"""How long the two engines stay together from the start state (docs/agreement.md, 'rollout')."""
import numpy as np

from tests.oracle.corpus import Entry, ManifestControl
from tests.oracle.engines import OFFICIAL, OURS
from tests.oracle.states import capture, start

CHAOTIC_BOUND = 1e-3
RESET = "reset"   # in place of a figure: the official engine took a divergence for an error and began anew


def bounds(entry: Entry) -> dict:
    """{t: allowed |qpos difference|}: 1e-8 times the largest growth met up to t; None where growth is unknown or the bound passes 1e-3."""
    found, worst = {}, 1.0
    for t, growth in sorted(entry.growth.items()):
        worst = max(worst, growth) if growth is not None else np.inf
        found[t] = 1e-8 * worst if 1e-8 * worst <= CHAOTIC_BOUND else None
    return found


def rollout(ours_model, official_model, entry: Entry, engine=OURS, against=OFFICIAL) -> dict:
    """{t: max|qpos difference| / bound(t), 'chaotic' or 'reset'} under the manifest's control; both models should have tolerances 0.

    Where the official engine diverges and resets itself, time begins anew: what comes after says nothing, and the end would never come.
    `engine` is that of the first model: OFFICIAL tells how far the official engine leaves itself; `against` steps the second.
    """
    official, ours = OFFICIAL.data(official_model), engine.data(ours_model)
    start(official_model, official, entry)
    capture(official).into(ours)
    control = ManifestControl(official_model, entry.control, entry.starts_at_key)
    found, limits = {}, bounds(entry)
    last = max((t for t, bound in limits.items() if bound is not None), default=0.0)
    found = {f"{t:g}": "chaotic" for t, bound in limits.items() if bound is None}
    wanted = [t for t, bound in sorted(limits.items()) if bound is not None]
    while wanted and official.time < last + official_model.opt.timestep:
        if official.time >= wanted[0] - 1e-9:
            t = wanted.pop(0)
            difference = float(np.abs(np.asarray(ours.qpos) - official.qpos).max(initial=0.0))
            found[f"{t:g}"] = difference / limits[t] if np.isfinite(difference) else None
        official.ctrl[:] = control(official.time)
        ours.ctrl[...] = official.ctrl
        before = official.time
        against.step(official_model, official)
        if not official.time > before:
            found.update({f"{t:g}": RESET for t in wanted})
            break
        engine.step(ours_model, ours)
    return found
