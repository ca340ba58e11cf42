"""What the contact inspector says, on the models people have: `./test.sh --long contact_inspector [--pairs 500] [--seed 1] [--json FILE]`.

1. How it came about: every contact of the corpus models at several states (start, keyframes, dropped and driven). Every value by the rules must be the contact's to the
   last bit; K and B that follow from what is said to be used must be those of the rows; the effective mass must be that of dense matrices where the model is small.
2. Why not (tests/long/contact_reasons.py): random pairs of geoms that do not touch, by brute force in our engine and in the official one. With what all reasons say applied and the
   two moved into each other there must be a contact, with any one reason left out none. The margin that is advised, and nothing less, must make them push where they are.
3. Asleep: trees put to sleep at random, each alone or all of them, and geoms of these, of those that are awake and of the world moved into each other.
"""
import argparse
import json
import sys
from collections import Counter
from pathlib import Path

import mujoco
import numpy as np

import physics
from physics.diagnostics.contact_exclusion import contact_exclusion
from physics.diagnostics.contact_parameters import ROWS, Rule, contact_parameters
from physics.diagnostics.contact_state import contact_state
from physics.engine.constraint.impedance import clip_impedance, damping, stiffness
from tests.long.contact_reasons import judge_pair, judge_sleepers, kind_of
from tests.oracle.corpus import ManifestControl, read_manifest, require_corpus

MOST_GEOMS, MOST_DOFS = 4000, 250
STEPS = (0, 40, 200, 500)
SLEEPERS = 12   # pairs of a model that are tried with trees asleep
DRAWN = 8       # pairs of which one is taken, for rare reasons


def states(m, entry):
    """Data of a model at its start, its keyframes, and as it is driven and falls."""
    d = physics.Data(m)
    for key in range(min(m.nkey, 3)):
        physics.reset(m, d, key)
        physics.forward(m, d)
        yield f"key {key}", d
    if entry.starts_at_key:
        physics.reset(m, d, 0)
    else:
        physics.reset(m, d)
    control, done = ManifestControl(m, entry.control, entry.starts_at_key), 0
    for steps in STEPS:
        for _ in range(done, steps):
            if m.nu:
                d.ctrl[:m.nu] = control(d.time)
            physics.step(m, d)
        done = steps
        physics.forward(m, d)
        yield f"step {steps}", d


def judge_contact(m, d, k: int) -> list[str]:
    """What is wrong of what is said of a contact."""
    found, wrong = contact_parameters(m, d, k), []
    for row in ROWS:
        if row.contact and found[row.name].value != tuple(np.ravel(getattr(d, row.contact)[k]).tolist()):
            wrong.append(f"{row.name}: {found[row.name].value}")
        if found[row.name].rule is Rule.CHANGED:
            wrong.append(f"{row.name}: {found[row.name].why}")
    state = contact_state(m, d, k)
    first, _count = state.rows
    if first >= 0:
        dw, ref = clip_impedance(found["solimp"].value[1]), found["solref"].used
        if not np.allclose((stiffness(ref, dw), damping(ref, dw)), d.efc_KBIP[first, :2], rtol=1e-12):
            wrong.append(f"K, B: {found['solref']}")
        if not state.cone.share <= 1 + 1e-5 and state.cone.normal > 1e-6:
            wrong.append(f"cone: {state.cone}")
    return wrong


def dense_mass_error(m, d, k: int) -> float:
    """Relative difference of the inverse effective mass from that by dense matrices."""
    state = contact_state(m, d, k)
    J = np.zeros((state.condim, m.nv))
    frame = d.contact_frame[k].reshape(3, 3)
    first, second = (physics.jac(m, d, state.pos, int(m.geom_bodyid[geom])) for geom in state.geoms)
    lin, ang = second[0] - first[0], second[1] - first[1]
    J[:] = np.concatenate([frame @ lin, frame @ ang])[:state.condim]
    dense = J @ np.linalg.solve(physics.full_m(m, d), J.T)
    return float(np.abs(dense - state.inverse_mass).max() / max(np.abs(dense).max(), 1e-300))


def loaded(entries):
    """(entry, our Model, the official one or None) of the models that fit."""
    for entry in entries:
        try:
            m = physics.load(entry.path)
        except Exception as why:
            print(f"{entry.name}: not loaded ({why})")
            continue
        if m.view_only or m.ngeom > MOST_GEOMS or m.nv > MOST_DOFS or m.nbody < 2:
            continue
        try:
            mm = mujoco.MjModel.from_xml_path(str(entry.path))
        except ValueError:
            mm = None
        yield entry, m, mm if mm is not None and mm.ngeom == m.ngeom and mm.nbody == m.nbody else None


def draw_pair(m, d, rng, kinds: dict[str, int], rare: bool) -> tuple[int, int] | None:
    """Two geoms without a contact; rare: of several those whose reasons have come up least so far."""
    there, found = {frozenset(pair) for pair in d.contact_geom[:d.ncon].tolist()}, []
    for _ in range(200):
        if len(found) == (DRAWN if rare else 1):
            break
        one = int(rng.integers(m.ngeom))
        near = np.flatnonzero((m.geom_bodyid == m.body_parentid[m.geom_bodyid[one]]) | (np.linalg.norm(d.geom_xpos - d.geom_xpos[one], axis=1) < 2 * m.geom_rbound[one] + 0.1))
        two = int(rng.choice(near)) if rare and len(near) > 1 and rng.random() < 0.7 else int(rng.integers(m.ngeom))
        if one != two and frozenset((one, two)) not in there:
            found.append((one, two))
    if not found:
        return None
    return min(found, key=lambda pair: kinds.get(kind_of(contact_exclusion(m, d, *pair)), 0)) if rare else found[0]


def judge_contacts(m, entry, row: dict) -> tuple[list[str], object]:
    """(what is wrong of the contacts of a model at its states, its Data at the last of them)."""
    wrong, rules, d = [], set(), None
    for name, d in states(m, entry):
        for k in range(d.ncon):
            found = judge_contact(m, d, k)
            rules |= {parameter.rule.value for parameter in contact_parameters(m, d, k).parameters}
            wrong += [f"{entry.name}, {name}, contact {k}: {text}" for text in found]
            row["contacts"] += 1
            if 0 < m.nv <= 60 and k < 5:
                row["mass"] = max(row["mass"], dense_mass_error(m, d, k))
    if row["mass"] > 1e-6:
        wrong.append(f"{entry.name}: effective mass off by {row['mass']:.1e}")
    row["rules"] = sorted(rules)
    return wrong, d


def judge_model(entry, m, mm, most: int, rng, kinds: dict[str, int]) -> tuple[dict, list[str]]:
    """(figures, what is wrong) of a model; most: of pairs."""
    row = {"contacts": 0, "rules": [], "mass": 0.0, "pairs": 0, "measured": 0, "sleepers": {}}
    wrong, d = judge_contacts(m, entry, row)
    while row["pairs"] < most:
        pair = draw_pair(m, d, rng, kinds, rare=row["pairs"] % 2 == 1)
        if pair is None:
            break
        kind, found, measured = judge_pair(m, mm, d, *pair)
        kinds[kind] = kinds.get(kind, 0) + 1
        row["measured"] += measured
        wrong += [f"{entry.name}, geoms {pair[0]} and {pair[1]}: {text}" for text in found]
        row["pairs"] += 1
    for name, asleep, found in judge_sleepers(m, mm, d, SLEEPERS, rng):
        row["sleepers"][asleep] = row["sleepers"].get(asleep, 0) + 1
        wrong += [f"{entry.name}, {name}: {text}" for text in found]
    return row, wrong


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--models", type=int, default=25)
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    physics.ensure_kernels()
    rng, wrong, rows, kinds = np.random.default_rng(chosen.seed), [], {}, {}
    entries = [entry for entry in read_manifest(require_corpus()) if chosen.only in entry.name]
    rng.shuffle(entries)
    share = -(-chosen.pairs // max(1, chosen.models))
    for entry, m, mm in loaded(entries):
        left = chosen.pairs - sum(row["pairs"] for row in rows.values())
        if len(rows) >= chosen.models and left <= 0:
            break
        row, found = judge_model(entry, m, mm, min(share, left), rng, kinds)
        rows[entry.name] = row
        wrong += found
        print(f"{entry.name}: {row['contacts']} contacts ({', '.join(row['rules'])}), mass within {row['mass']:.1e}, {row['pairs']} pairs, {len(found)} wrong", flush=True)
    for text in wrong[:40]:
        print("WRONG", text)
    for kind, count in sorted(kinds.items(), key=lambda item: -item[1]):
        print(f"  {count:4d}  {kind}")
    with_contacts, pairs = sum(row["contacts"] > 0 for row in rows.values()), sum(row["pairs"] for row in rows.values())
    print(f"{sum(row['contacts'] for row in rows.values())} contacts of {with_contacts} models, {pairs} pairs that do not touch: {len(wrong)} wrong")
    measured, asleep = sum(row["measured"] for row in rows.values()), Counter()
    for row in rows.values():
        asleep.update(row["sleepers"])
    print(f"{measured} distances to go by margins; with trees asleep {asleep.total()} pairs: {', '.join(f'{count} {kind}' for kind, count in sorted(asleep.items()))}")
    if chosen.json:
        chosen.json.write_text(json.dumps({"rows": rows, "kinds": kinds, "wrong": wrong}, indent=1))
    return bool(wrong) or with_contacts < min(10, chosen.models) or pairs < chosen.pairs


if __name__ == "__main__":
    sys.exit(main())
