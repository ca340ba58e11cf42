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
from physics.model.model_copy import model_beside
from tests.oracle.corpus import ManifestControl, read_manifest, require_corpus

MOST_GEOMS, MOST_DOFS = 4000, 250
STEPS = (0, 40, 200, 500)
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
    state = contact_state(m, d, k, islands=False)
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
    state = contact_state(m, d, k, islands=False)
    J = np.zeros((state.condim, m.nv))
    frame = d.contact_frame[k].reshape(3, 3)
    lin, ang = (np.subtract(*parts) for parts in zip(physics.jac(m, d, state.pos, int(m.geom_bodyid[state.geoms[1]])), physics.jac(m, d, state.pos, int(m.geom_bodyid[state.geoms[0]])), strict=True))
    J[:] = np.concatenate([frame @ lin, frame @ ang])[:state.condim]
    dense = J @ np.linalg.solve(physics.full_m(m, d), J.T)
    return float(np.abs(dense - state.inverse_mass).max() / max(np.abs(dense).max(), 1e-300))


# ------------------------------------------------------------------ why not

def apply(m, changes) -> None:
    """Write fields of a Model of ours or the official one."""
    official = isinstance(m, mujoco.MjModel)
    for field, number, value in changes:
        if field.startswith("opt_"):
            setattr(m.opt if official else m, field[4:] if official else field, value)
        else:
            getattr(m, field)[number] = value


def mend(m, found: Exclusion, without: str = "") -> None:
    """Apply what the reasons say, but for one."""
    for check in found.reasons:
        if check.word == without:
            continue
        apply(m, check.changes)
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


def touches(m, d, one: int, two: int, found: Exclusion, without: str = "") -> bool:
    """Whether our engine has a contact of the two with what stands in the way removed, but for one reason."""
    copy = model_beside(m)
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
    return " + ".join(word for word in words if word != "bounds"), wrong


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


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--models", type=int, default=20)
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    physics.ensure_kernels()
    rng, wrong, rows = np.random.default_rng(chosen.seed), [], {}
    entries = [entry for entry in read_manifest(require_corpus()) if chosen.only in entry.name]
    rng.shuffle(entries)
    pairs_done, kinds = 0, {}
    share = -(-chosen.pairs // max(1, chosen.models))
    for entry, m, mm in loaded(entries):
        if len(rows) >= chosen.models and pairs_done >= chosen.pairs:
            break
        row = rows[entry.name] = {"contacts": 0, "rules": [], "mass": 0.0, "pairs": 0, "wrong": 0}
        rules = set()
        for name, d in states(m, entry):
            for k in range(d.ncon):
                found = judge_contact(m, d, k)
                rules |= {parameter.rule.value for parameter in contact_parameters(m, d, k).parameters}
                wrong += [f"{entry.name}, {name}, contact {k}: {text}" for text in found]
                row["wrong"] += bool(found)
                row["contacts"] += 1
                if m.nv <= 60 and k < 5 and m.nv:
                    row["mass"] = max(row["mass"], dense_mass_error(m, d, k))
        row["rules"] = sorted(rules)
        for _ in range(60 * share):
            if row["pairs"] >= share or pairs_done >= chosen.pairs or m.ngeom < 2:
                break
            one, two = map(int, rng.choice(m.ngeom, 2, replace=False))
            if {one, two} in [set(pair) for pair in d.contact_geom[:d.ncon].tolist()]:
                continue
            kind, found = judge_pair(m, mm, d, one, two)
            kinds[kind] = kinds.get(kind, 0) + 1
            wrong += [f"{entry.name}, geoms {one} and {two}: {text}" for text in found]
            row["wrong"] += bool(found)
            row["pairs"] += 1
            pairs_done += 1
        if row["mass"] > 1e-6:
            wrong.append(f"{entry.name}: effective mass off by {row['mass']:.1e}")
        print(f"{entry.name}: {row['contacts']} contacts ({', '.join(row['rules'])}), mass within {row['mass']:.1e}, {row['pairs']} pairs, {row['wrong']} wrong", flush=True)
    for text in wrong[:40]:
        print("WRONG", text)
    for kind, count in sorted(kinds.items(), key=lambda item: -item[1]):
        print(f"  {count:4d}  {kind}")
    with_contacts = sum(row["contacts"] > 0 for row in rows.values())
    print(f"{sum(row['contacts'] for row in rows.values())} contacts of {with_contacts} models, {pairs_done} pairs that do not touch: {len(wrong)} wrong")
    if chosen.json:
        chosen.json.write_text(json.dumps({"rows": rows, "kinds": kinds, "wrong": wrong}, indent=1))
    return bool(wrong) or with_contacts < min(10, chosen.models) or pairs_done < chosen.pairs


if __name__ == "__main__":
    sys.exit(main())
