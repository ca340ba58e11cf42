"""What the contact inspector says, on the models people have: `./test.sh --long contact_inspector [--pairs 500] [--seed 1] [--json FILE]`.

1. How it came about: every contact of the corpus models at several states (start, keyframes, dropped and driven). Every value by the rules must be the contact's to the
   last bit; K and B that follow from what is said to be used must be those of the rows; the effective mass must be that of dense matrices where the model is small.
2. Why not: random pairs of geoms that do not touch. Of each the reasons are taken one by one. With what they say applied to a copy of the Model, and the two geoms moved
   into each other, there must be a contact between them; with any one reason left out there must be none; both in our engine and in the official one.
"""
import argparse
import json
import sys
from copy import deepcopy
from pathlib import Path

import mujoco
import numpy as np

import physics
from physics.compiler.derived.collision_pairs import build_pairs
from physics.diagnostics.contact_exclusion import Exclusion, contact_exclusion
from physics.diagnostics.contact_parameters import ROWS, Rule, contact_parameters
from physics.diagnostics.contact_state import contact_state
from physics.engine.constraint.impedance import clip_impedance, damping, stiffness
from physics.enums import GEOM_HFIELD, GEOM_PLANE
from physics.model.model import Model
from tests.oracle.corpus import ManifestControl, read_manifest, require_corpus

MOST_GEOMS, MOST_DOFS = 4000, 250
STEPS = (0, 40, 200, 500)
DRAWN = 8       # pairs of which one is taken, for rare reasons
STRUCTURE = frozenset(("same body", "welded", "static"))      # no field alone mends these


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


# ------------------------------------------------------------------ why not

def apply(m, changes, flags: int) -> None:
    """Write fields of a Model of ours or the official one. flags: opt_disableflags before all changes."""
    official = isinstance(m, mujoco.MjModel)
    for field, number, value in changes:
        if field.startswith("opt_"):
            of, name = (m.opt, field[4:]) if official else (m, field)
            setattr(of, name, getattr(of, name) ^ (value ^ flags))      # the bits that the change is about: there may be others
        else:
            getattr(m, field)[number] = value


def mend(m, found: Exclusion, without: str = "") -> None:
    """Apply what the reasons say, but for one."""
    flags = int(m.opt.disableflags if isinstance(m, mujoco.MjModel) else m.opt_disableflags)
    for check in found.reasons:
        if check.word == without:
            continue
        apply(m, check.changes, flags)
        if check.word == "exclude":
            which = next(what for what in check.elements if what.kind == "exclude").id
            signatures = np.array(m.exclude_signature)
            signatures[signatures == signatures[which]] = 0      # the world and itself
            m.exclude_signature[:] = np.sort(signatures)


def bring_together(m, xpos, xmat, body_xpos, body_xmat, one: int, two: int) -> None:
    """Move one geom, in its body, into the other, so that the geoms' poses are what forward makes of it."""
    moved, fixed = (one, two) if m.geom_type[one] not in (GEOM_PLANE, GEOM_HFIELD) else (two, one)
    target = np.array(xpos[fixed])
    if m.geom_type[fixed] == GEOM_HFIELD:
        target = target + xmat[fixed].reshape(3, 3) @ np.array([0.0, 0.0, 0.5 * hfield_height(m, int(m.geom_dataid[fixed]))])
    elif m.geom_type[fixed] not in (GEOM_PLANE,):
        target = target + 1e-3 * min(float(m.geom_rbound[fixed]), float(m.geom_rbound[moved])) * np.array([0.3, 0.5, 0.8])     # equal centres are a special case
    body = int(m.geom_bodyid[moved])
    frame = body_xmat[body].reshape(3, 3)
    m.geom_pos[moved] = frame.T @ (target - body_xpos[body])
    m.geom_sameframe[moved] = 0


def hfield_height(m, h: int) -> float:
    """Height of a field's surface in its middle."""
    rows, cols = int(m.hfield_nrow[h]), int(m.hfield_ncol[h])
    return float(m.hfield_data[int(m.hfield_adr[h]):][:rows * cols].reshape(rows, cols)[rows // 2, cols // 2] * m.hfield_size[h, 2])


def unsealed(m) -> Model:
    """A copy of a Model whose pairs can be found anew."""
    scalars = {name: getattr(m, name) for name in m.layout.scalars}
    new = Model.allocate({name: value for name, value in scalars.items() if isinstance(value, int)})
    for name, value in scalars.items():
        if not isinstance(value, int):
            setattr(new, name, value)
    for name in m.layout.arrays:
        getattr(new, name)[...] = getattr(m, name)
    return new


def touches(m, d, one: int, two: int, found: Exclusion, without: str = "") -> bool:
    """Whether our engine has a contact of the two with what stands in the way removed, but for one reason."""
    copy = unsealed(m)
    mend(copy, found, without)
    if without not in ("distance", "bounds"):
        bring_together(copy, d.geom_xpos, d.geom_xmat, d.xpos, d.xmat, one, two)
    build_pairs(copy)
    copy.seal()
    data = physics.Data(copy)
    data.qpos[:], data.mocap_pos[:], data.mocap_quat[:] = d.qpos, d.mocap_pos, d.mocap_quat
    physics.fwd_position(copy, data)
    return bool((np.sort(data.contact_geom[:data.ncon], axis=1) == sorted((one, two))).all(1).any())


def touches_officially(mm, qpos, mocap, d, one: int, two: int, found: Exclusion, without: str = "") -> bool:
    """The same by the official engine."""
    m = deepcopy(mm)
    mend(m, found, without)
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_MIDPHASE     # its trees of boxes are of where the geoms were
    if without not in ("distance", "bounds"):
        bring_together(m, d.geom_xpos, d.geom_xmat, d.xpos, d.xmat, one, two)
    data = mujoco.MjData(m)
    data.qpos[:] = qpos
    data.mocap_pos[:], data.mocap_quat[:] = mocap
    mujoco.mj_fwdPosition(m, data)
    return any(sorted(pair) == sorted((one, two)) for pair in data.contact.geom[:data.ncon].tolist())


def judge_pair(m, mm, d, one: int, two: int) -> tuple[str, list[str]]:
    """(the reasons, what is wrong of them)."""
    found, wrong = contact_exclusion(m, d, one, two), []
    words = [check.word for check in found.reasons]
    if not words:
        return "none", ["no reason, and no contact"]
    hard = [word for word in words if word in STRUCTURE or word == "routine"]
    mocap = d.mocap_pos.copy(), d.mocap_quat.copy()
    engines = {"ours": lambda without: touches(m, d, one, two, found, without)}
    if mm is not None:
        engines["official"] = lambda without: touches_officially(mm, d.qpos, mocap, d, one, two, found, without)
    for name, engine in engines.items():
        all_done = engine("")
        if all_done == bool(hard):
            wrong.append(f"{name}: {'still no' if not hard else 'a'} contact with all mended: {words}")
        for word in words:
            if word not in hard and word not in ("bounds", "distance", "asleep") and engine(word):
                wrong.append(f"{name}: a contact although '{word}' was left")
    if "distance" in words and engines["ours"]("distance"):
        wrong.append("ours: a contact although the distance was left")
    return kind_of(found), wrong


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


def kind_of(found: Exclusion) -> str:
    """The reasons as one text."""
    return " + ".join(check.word for check in found.reasons if check.word != "bounds") or "none"


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
    row = {"contacts": 0, "rules": [], "mass": 0.0, "pairs": 0}
    wrong, d = judge_contacts(m, entry, row)
    while row["pairs"] < most:
        pair = draw_pair(m, d, rng, kinds, rare=row["pairs"] % 2 == 1)
        if pair is None:
            break
        kind, found = judge_pair(m, mm, d, *pair)
        kinds[kind] = kinds.get(kind, 0) + 1
        wrong += [f"{entry.name}, geoms {pair[0]} and {pair[1]}: {text}" for text in found]
        row["pairs"] += 1
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
    if chosen.json:
        chosen.json.write_text(json.dumps({"rows": rows, "kinds": kinds, "wrong": wrong}, indent=1))
    return bool(wrong) or with_contacts < min(10, chosen.models) or pairs < chosen.pairs


if __name__ == "__main__":
    sys.exit(main())
