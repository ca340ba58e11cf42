"""Every public field of Data after a call, ours against the official ones: `python -m tests.oracle.data_fields MODEL ... [--integrators Euler ...]`.

Both engines begin at one state that the official one has reached, with tolerances of 0, and are called alike (SEQUENCES): a step, forward, a reset,
halves of a step as dm_control takes them, a blow-up that starts over. Then each field that both have is compared, contacts, warnings and islands too.
What is left out, and why, is in LEFT_OUT.
"""
import argparse
import sys
from pathlib import Path

import mujoco
import numpy as np

import physics
from tests.oracle.compare import rel
from tests.oracle.corpus import entry

LEFT_OUT = {
    "model": "not a field",
    "contact": "compared field by field below",
    "warning": "compared below",
    "solver": "with a tolerance of 0 the iterations end by rounding",
    "solver_niter": "with a tolerance of 0 the iterations end by rounding",
    "solver_nnz": "counts the solver's own matrix: other in a factor with padded rows",
    "maxuse_con": "how much room was ever in use; ours grows",
    "maxuse_efc": "how much room was ever in use; ours grows",
    "nJ": "stored entries of the Jacobian: officially zero where it is dense",
    "efc_J_rownnz": "where the Jacobian is dense officially nothing; efc_J is compared as a matrix",
    "efc_J_rowadr": "where the Jacobian is dense officially nothing; efc_J is compared as a matrix",
    "efc_J_colind": "where the Jacobian is dense officially nothing; efc_J is compared as a matrix",
    "efc_state": "of several islands the official one is in the order of iefc_state",
    "moment_rownnz": "actuator_moment is compared as a matrix",
    "moment_rowadr": "actuator_moment is compared as a matrix",
    "moment_colind": "actuator_moment is compared as a matrix",
    "map_dof2idof": "without islands officially zeros, ours tells the order of all dofs",
    "map_idof2dof": "without islands officially zeros, ours tells the order of all dofs",
    "map_itree2tree": "without islands officially zeros, ours tells the order of all trees",
    "qDeriv": "scratch of the implicit integrators: implicitfast here adds to M what it needs",
    "qH": "scratch of the integrators: trees without damping are left out here",
    "qHDiagInv": "scratch of the integrators: trees without damping are left out here",
    "qLU": "scratch of the integrator implicit",
}
CONTACT = ("dist", "pos", "frame", "includemargin", "friction", "solref", "solreffriction", "solimp", "dim", "geom", "exclude", "efc_address", "mu", "adhesion", "surfacevel")
TOLERANCE = 1e-7   # of rel, tests/oracle/compare.py
NOTHING = 1e-12
INTEGRATORS = {name: int(getattr(mujoco.mjtIntegrator, f"mjINT_{name.upper()}")) for name in ("Euler", "RK4", "implicit", "implicitfast", "discrete")}
STATE = mujoco.mjtState.mjSTATE_INTEGRATION
CALLS = {
    "step": (mujoco.mj_step, physics.step), "forward": (mujoco.mj_forward, physics.forward), "step1": (mujoco.mj_step1, physics.step1),
    "step2": (mujoco.mj_step2, physics.step2), "reset": (mujoco.mj_resetData, physics.reset), "inverse": (mujoco.mj_inverse, physics.inverse),
    "rne_post_constraint": (mujoco.mj_rnePostConstraint, physics.rne_post_constraint), "subtree_vel": (mujoco.mj_subtreeVel, physics.subtree_vel),
}
WRITES = {"no position": ("qpos", 0, np.nan), "huge velocity": ("qvel", -1, 1e11), "huge force": ("qfrc_applied", 0, 1e20), "no control": ("ctrl", -1, np.nan)}
SEQUENCES = (
    ("step",), ("step", "step"), ("forward",), ("step", "forward"), ("step", "reset"), ("reset", "step"), ("step1", "step2"), ("step1", "step2", "step1"),
    ("step", "rne_post_constraint", "subtree_vel"), ("no position", "step"), ("no position", "step", "no position", "step"), ("huge velocity", "step"), ("huge force", "step", "step"),
    ("huge force", "forward"), ("no control", "step"), ("no position", "step1"), ("no position", "step1", "step2"), ("huge force", "step1", "step2"), ("no control", "step1", "step2", "step1"),
)

# With the integrator discrete the official engine finds these with the acceleration; after step1 they are still the last step's.
LATER = frozenset(("efc_R", "efc_D", "efc_diagA", "efc_KBIP", "efc_aref", "contact.mu"))


def begin(official, model, steps: int = 20) -> tuple:
    """(official Data, ours) at the same state: some steps under random controls from the first keyframe or the initial pose."""
    data, rng = mujoco.MjData(official), np.random.default_rng(1)
    if official.nkey:
        mujoco.mj_resetDataKeyframe(official, data, 0)
    for _ in range(steps):
        data.ctrl[:] = 0.3 * rng.normal(size=official.nu)
        mujoco.mj_step(official, data)
    state = np.zeros(mujoco.mj_stateSize(official, STATE))
    mujoco.mj_getState(official, data, state, STATE)
    data, ours = mujoco.MjData(official), physics.Data(model)
    mujoco.mj_setState(official, data, state, STATE)
    physics.set_state(model, ours, state, physics.StateBit.INTEGRATION)
    return data, ours


def tighten(official, model, integrator: str) -> None:
    """Both models with this integrator, solvers that go on to the last digit, and the energy."""
    for each in (official, model):
        each.opt.integrator = INTEGRATORS[integrator]
        each.opt.tolerance = each.opt.ls_tolerance = 0.0
        each.opt.iterations, each.opt.ccd_iterations, each.opt.ccd_tolerance = 100, 200, 1e-12
        each.opt.enableflags = int(each.opt.enableflags) | int(mujoco.mjtEnableBit.mjENBL_ENERGY)


def perform(official, data, model, ours, sequence) -> None:
    """The calls and writes of a sequence, on both sides."""
    for word in sequence:
        if word in WRITES:
            name, index, value = WRITES[word]
            for each in (data, ours):
                if len(getattr(each, name)):
                    getattr(each, name)[index] = value
        else:
            theirs, mine = CALLS[word]
            theirs(official, data)
            mine(model, ours)


def differences(official, data, model, ours, last: str = "") -> dict[str, str]:
    """{field: what differs} over the fields that both have, after `last`, a word of a sequence."""
    found = _differences(official, data, model, ours)
    early = last == "step1" and official.opt.integrator == INTEGRATORS["discrete"]
    return {name: what for name, what in found.items() if not (early and name in LATER)}


def _differences(official, data, model, ours) -> dict[str, str]:
    found = {}
    here = set(dir(ours))
    for name in dir(data):
        if name.startswith("_") or name in LEFT_OUT or name not in here or callable(getattr(data, name)):
            continue
        a, b = _value(model, ours, name, True), _value(official, data, name, False)
        if a.size != b.size:
            found[name] = f"{a.shape} for {b.shape}"
        elif not np.allclose(a.ravel(), b.ravel(), rtol=1e-9, atol=NOTHING, equal_nan=True) and rel(a.reshape(b.shape), b) > TOLERANCE:
            k = int(np.argmax(np.nan_to_num(np.abs(a.ravel() - b.ravel()), nan=np.inf)))
            found[name] = f"[{k}] {a.ravel()[k]:.9g} for {b.ravel()[k]:.9g}"
    if int(ours.ncon) == data.ncon:
        for name in CONTACT:
            a, b = np.asarray(getattr(ours, "contact_" + name))[:data.ncon], np.array(getattr(data.contact, name))
            if a.size and not np.allclose(a.ravel(), b.ravel(), rtol=1e-7, atol=1e-9):
                found["contact." + name] = f"{np.abs(a.ravel() - b.ravel()).max():.1e}"
    for k, (a, b) in enumerate(zip(ours.warning, data.warning)):
        if (a.number, a.lastinfo) != (b.number, b.lastinfo):
            found[f"warning {k}"] = f"{a.number}, {a.lastinfo} for {b.number}, {b.lastinfo}"
    return found


def _value(model, data, name: str, mine: bool) -> np.ndarray:
    """A field as an array: sparse ones as matrices, of rows those in use."""
    nefc = int(data.nefc)
    if name == "actuator_moment":
        return _dense(data, name, "moment", model.nout, model.nv)
    if name == "efc_J":
        sparse = mine or mujoco.mj_isSparse(model)
        return _dense(data, name, name, nefc, model.nv) if sparse else np.array(data.efc_J).reshape(-1, model.nv)[:nefc]
    value = np.asarray(getattr(data, name)).astype(float)
    return value[:nefc] if name.startswith("efc_") else value


def _dense(data, name: str, rows: str, count: int, width: int) -> np.ndarray:
    dense, values = np.zeros((count, width)), np.asarray(getattr(data, name)).ravel()
    columns = np.asarray(getattr(data, rows + "_colind")).ravel()
    for i in range(count):
        start, length = int(getattr(data, rows + "_rowadr")[i]), int(getattr(data, rows + "_rownnz")[i])
        dense[i, columns[start:start + length]] = values[start:start + length]
    return dense


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", help="files, or names of the corpus")
    parser.add_argument("--integrators", nargs="+", default=list(INTEGRATORS), choices=list(INTEGRATORS))
    chosen = parser.parse_args(arguments)
    physics.compile_kernels()
    off = count = 0
    for name in chosen.models:
        path = Path(name) if Path(name).exists() else entry(name).path
        official, model = mujoco.MjModel.from_xml_path(str(path)), physics.load(path)
        for integrator in chosen.integrators:
            tighten(official, model, integrator)
            for sequence in SEQUENCES:
                data, ours = begin(official, model)
                perform(official, data, model, ours, sequence)
                found = differences(official, data, model, ours, sequence[-1])
                off, count = off + bool(found), count + 1
                if found:
                    print(path.stem, integrator, "+".join(sequence), found, flush=True)
    print(f"{count} sequences, {off} differ")
    return 1 if off else 0


if __name__ == "__main__":
    sys.exit(main())
