"""How far the official engine moves when its own input is rounded another way: `python -m tests.oracle.sensitivity [--only NAME ...]`.

For every stage of the report that is over its limit: ours against theirs, and theirs against theirs after qpos, qvel, act and ctrl
(then also the model's own numbers) were changed by a few units in the last place, with random signs. Where our difference is at most
WITHIN times that movement, no engine could agree better, because the digits are not in the question: 'conditioning'. Where nothing more than
that is left when the official engine goes on from our contacts (tests/oracle/given.py), it is 'contacts', and tests.oracle.nearer tells whose
are true. Anything else is 'UNEXPLAINED', a mistake of ours until shown otherwise. A rollout is held against one whose search for nearest points ends at another
tolerance. Also told: the number that is furthest off, and the condition number of M.
"""
import argparse
import copy
import sys
import warnings
from dataclasses import dataclass, replace
from pathlib import Path

import mujoco
import numpy as np

import physics
from tests.oracle import stages
from tests.oracle.compare import rel
from tests.oracle.corpus import Entry, corpus_dir, read_manifest
from tests.oracle.engines import OFFICIAL, OURS
from tests.oracle.given import Following, Given
from tests.oracle.report import opened, prepare
from tests.oracle.rollout import rollout
from tests.oracle.states import State

WITHIN = 10.0
TRIALS = 8
ULPS = 4.0   # largest change of an input, in units of 2^-53 of itself: 4e-16
LARGE = 1000   # degrees of freedom
SOONER = 1e-14   # ccd_tolerance of a search that ends sooner than the report's
STATE_INPUTS = ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat")
MODEL_INPUTS = ("body_pos", "body_quat", "body_ipos", "body_iquat", "body_mass", "body_inertia", "jnt_pos", "jnt_axis", "jnt_stiffness", "qpos_spring",
                "geom_pos", "geom_quat", "geom_size", "site_pos", "site_quat", "dof_armature", "dof_damping", "tendon_stiffness", "tendon_damping",
                "eq_data", "dof_invweight0", "body_invweight0", "tendon_invweight0", "actuator_gear", "actuator_gainprm", "actuator_biasprm")


@dataclass
class Finding:
    """A field over the limit: where it is worst, and how far the official engine itself moves there."""

    model: str
    stage: str
    field: str
    state: int
    ours: float
    theirs: float
    by: str
    where: str
    given: float = np.inf   # what is left with our contacts

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs if self.theirs > 0 else np.inf

    @property
    def limit(self) -> float:
        return 1.0 if self.stage == "rollout" else stages.limit(self.stage)

    @property
    def verdict(self) -> str:
        if self.ratio <= WITHIN:
            return "conditioning"
        return "contacts" if self.given <= max(self.limit, WITHIN * self.theirs) else "UNEXPLAINED"

    def __str__(self) -> str:
        return (f"{self.model:26} {self.stage:12} {self.field:16} state {self.state:2} ours {self.ours:.1e} theirs {self.theirs:.1e} ({self.by}) "
                f"given {self.given:.1e} ratio {self.ratio:8.2g} {self.verdict:12} {self.where}")


def rounded(value: np.ndarray, rng) -> np.ndarray:
    """`value` with every number changed by up to ULPS units in its last place."""
    return value * (1.0 + 2.0**-53 * ULPS * rng.uniform(-1.0, 1.0, size=value.shape))


def rounded_state(state: State, rng) -> State:
    return replace(state, fields={name: rounded(value, rng) if name in STATE_INPUTS else value for name, value in state.fields.items()})


def rounded_model(model, rng):
    """A copy of the official model whose own numbers are rounded another way."""
    other = copy.copy(model)
    for name in MODEL_INPUTS:
        value = getattr(other, name)
        value[:] = rounded(np.array(value), rng)
    return other


def movement(model, state: State, base, wanted, also_model: bool) -> dict:
    """{(stage, field): how far the official engine moves from itself over TRIALS roundings of its input}."""
    found = dict.fromkeys(wanted, 0.0)
    for trial in range(TRIALS):
        rng = np.random.default_rng(trial)
        other = rounded_model(model, rng) if also_model else model
        moved = stages.answer(OFFICIAL, other, rounded_state(state, rng), base.qacc)
        for stage, field, a, b in stages.pairs(moved, base, partial=True):
            if (stage, field) in found and a is not None:
                value = apart(a, b)
                found[stage, field] = max(found[stage, field], value if np.isfinite(value) else 0.0)
    return found


def rollout_finding(entry: Entry, ours, official) -> list[Finding]:
    """A rollout over its bound: ours against theirs, theirs against theirs whose search for nearest points ends a little sooner, ours against
    theirs that goes on from our contacts."""
    sooner, following = copy.copy(official), Following(ours)
    sooner.opt.ccd_tolerance = SOONER
    mine = most(rollout(ours, official, entry))
    if not mine > 1.0:
        return []
    theirs, given = most(rollout(sooner, official, entry, OFFICIAL)), most(rollout(ours, official, entry, OURS, following))
    where = "in multiples of the bound" + (f"; other contacts from {following.own[0]:.3g} s on" if following.own else "")
    return [Finding(entry.name, "rollout", "qpos", 0, mine, theirs, "ccd_tolerance", where, given)]


def most(found: dict) -> float:
    """The largest figure of a rollout."""
    return max((0.0 if value == "chaotic" else np.inf if value is None else value for value in found.values()), default=0.0)


def apart(a, b) -> float:
    """rel; where b is all zero, so that any difference would be infinite, the largest number of a."""
    if a is None:
        return np.inf
    return rel(a, b) if np.any(b) else float(np.abs(a).max(initial=0.0))


def place(one, two, stage: str, field: str) -> str:
    """The row that makes the rel: its index, both values there, their difference and the largest value of the field."""
    a, b = next((np.asarray(a, float), np.asarray(b, float)) for s, f, a, b in stages.pairs(one, two) if (s, f) == (stage, field) and a is not None)
    a, b = (x.reshape(b.shape[0] if b.ndim > 1 else b.size, -1) for x in (a, b))
    off = np.abs(a - b)
    row = int(np.argmax(off.max(axis=1) / np.maximum(np.abs(b).max(axis=1), 1e-6 * np.abs(b).max())))
    column = int(np.argmax(off[row]))
    return f"[{row}, {column}] {a[row, column]:.6g} against {b[row, column]:.6g}, apart {off[row, column]:.1e}, largest {np.abs(b).max():.2g}"


def condition(model, state: State) -> str:
    """The condition number of M, in words; not looked for in large models."""
    if model.nv > LARGE:
        return ""
    data, dense = mujoco.MjData(model), np.zeros((model.nv, model.nv))
    state.into(data)
    mujoco.mj_forward(model, data)
    mujoco.mj_fullM(model, data, dense)
    return f"; condition of M {np.linalg.cond(dense):.1e}"


def still_apart(official, state: State, mine, theirs) -> dict:
    """{(stage, field): ours against the official engine that goes on from our contacts}; empty where these are not the same ones."""
    given = Given(mine.contact)
    found = stages.answer(given, official, state, theirs.qacc)
    return {(stage, field): apart(a, b) for stage, field, a, b in stages.pairs(mine, found)} if given.fits else {}


def rank(finding: Finding) -> tuple:
    """Worse findings are larger."""
    return ("conditioning", "contacts", "UNEXPLAINED").index(finding.verdict), finding.ours


def findings(entry: Entry, ours, official, state_count: int) -> list[Finding]:
    """The worst state of every field over the limit, both models set as the report sets them."""
    worst: dict[tuple[str, str], Finding] = {}
    for k, state in enumerate(prepare(entry, ours, official, state_count)):
        theirs = stages.answer(OFFICIAL, official, state)
        mine = stages.answer(OURS, ours, state, theirs.qacc)
        over = {(stage, field): apart(a, b) for stage, field, a, b in stages.pairs(mine, theirs) if (np.inf if a is None else rel(a, b)) > stages.limit(stage)}
        if not over:
            continue
        by_state = movement(official, state, theirs, over, False)
        strict = [key for key, value in over.items() if value > WITHIN * by_state[key]]
        by_model = movement(official, state, theirs, strict, True) if strict else {}
        about, left = condition(official, state), still_apart(official, state, mine, theirs) if strict else {}
        for key, value in over.items():
            by = "state and model" if key in by_model else "state"
            where = place(mine, theirs, *key) if np.isfinite(value) else "does not match"
            found = Finding(entry.name, *key, k, value, max(by_state[key], by_model.get(key, 0.0)), by, where + about, left.get(key, np.inf))
            if key not in worst or rank(found) > rank(worst[key]):
                worst[key] = found
    return [*worst.values(), *rollout_finding(entry, ours, official)]


def own_movement(entry: Entry, ours, official, state_count: int) -> dict[str, list[float]]:
    """{stage: [the official engine's movement at the start state, the largest at later ones]}; ours only says how both are set."""
    found = {stage: [0.0, 0.0] for stage in stages.STAGES}
    for k, state in enumerate(prepare(entry, ours, official, state_count)):
        base = stages.answer(OFFICIAL, official, state)
        wanted = [(stage, field) for stage, field, _a, _b in stages.pairs(base, base)]
        for also_model in (False, True):
            for (stage, _field), value in movement(official, state, base, wanted, also_model).items():
                found[stage][min(k, 1)] = max(found[stage][min(k, 1)], value)
    found["rollout"] = [0.0, max((one.theirs for one in rollout_finding(entry, ours, official)), default=0.0)]
    return found


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=Path, default=corpus_dir(), help="folder with manifest.json")
    parser.add_argument("--only", nargs="*", default=None, help="names of models")
    parser.add_argument("--states", type=int, default=20, help="states per model, the start state included")
    parser.add_argument("--iterations", type=int, default=0, help="let both solvers go on that long where the file allows less")
    parser.add_argument("--own", action="store_true", help="only how far the official engine moves: stages where that is over half their limit")
    chosen = parser.parse_args(arguments)
    warnings.filterwarnings("ignore")
    physics.ensure_kernels()
    unexplained = 0
    for entry in read_manifest(chosen.models):
        if chosen.only is not None and entry.name not in chosen.only:
            continue
        models = opened(entry)
        if models is None:
            continue
        for model in models:
            model.opt.iterations = max(model.opt.iterations, chosen.iterations)
        if chosen.own:
            for stage, (start, later) in own_movement(entry, *models, chosen.states).items():
                if max(start, later) > (1.0 if stage == "rollout" else stages.limit(stage) / 2):
                    print(f"{entry.name} {stage} {start:.1e} {later:.1e}", flush=True)
            continue
        found = findings(entry, *models, chosen.states)
        for finding in found:
            unexplained += finding.verdict == "UNEXPLAINED"
            print(finding, flush=True)
    print(f"{unexplained} unexplained")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
