"""What is drawn, against mjv_updateScene: `python -m tests.oracle.scenes [PATH ...] [--json FILE]`.

Every visualization flag, label and frame of every model: shape, place, size, direction and colour of each row, ends, colour and
width of each line, texts. PATH: model files or folders of them; without any the models of the corpus (docs/agreement.md).
The official engine loads and steps each model, so only what the window draws is judged. Left out: flexes and signed distance
fields, which our engine refuses; ropes (tests/app/bridge/layers/test_tendons.py) and fixed tendons, which are officially drawn as
ropes at the origin where they have two joints and a range.
"""
import argparse
import json
import sys
import time
import warnings
from pathlib import Path

import mujoco
import numpy as np

from app.bridge.layers.catenary import rope_lengths
from physics.enums import TENDON_FIXED
from tests.app.bridge.official import our_model, our_snapshot
from tests.app.bridge.switches import cases, differences
from tests.oracle.corpus import corpus_dir, read_manifest
from tests.oracle.report import ORACLE_IN_PROCESS

SECONDS = 0.2
SHOWN = 3   # differences printed of a model; the JSON has all
MOST_GEOMS, MOST_DOFS = 1300, 700   # larger ones repeat what smaller ones show


def _models(paths: list[Path]) -> list[tuple[str, Path]]:
    if not paths:
        return [(entry.name, entry.path) for entry in read_manifest(corpus_dir()) if entry.oracle == ORACLE_IN_PROCESS]
    return [(str(file), file) for path in paths for file in ([path] if path.is_file() else sorted(path.rglob("*.xml")))]


def _moment(path: Path) -> tuple[mujoco.MjModel, mujoco.MjData] | str:
    """The model a moment after its start, pushed at its last body; or why it is left out."""
    try:
        mj = mujoco.MjModel.from_xml_path(str(path))
    except ValueError as error:
        return f"not loaded: {str(error).splitlines()[0]}"
    if mj.nflex or (mj.geom_type == mujoco.mjtGeom.mjGEOM_SDF).any() or mj.ngeom > MOST_GEOMS or mj.nv > MOST_DOFS:
        return "left out: flexes, signed distance fields, or very large"
    mjd = mujoco.MjData(mj)
    if mj.nkey:
        mujoco.mj_resetDataKeyframe(mj, mjd, 0)
    mjd.ctrl[:] = 0.2 * np.random.default_rng(0).normal(size=mj.nu)
    for _ in range(min(200, int(SECONDS / mj.opt.timestep))):
        mujoco.mj_step(mj, mjd)
    if mj.nbody > 1:
        mjd.xfrc_applied[-1, :3] = 1, 2, 3
    mujoco.mj_forward(mj, mjd)
    return mj, mjd


def judge(path: Path) -> list[str] | str:
    """Lines of what differs, or why the model is left out."""
    found = _moment(path)
    if isinstance(found, str):
        return found
    mj, mjd = found
    m = our_model(mj)
    snapshot = our_snapshot(m, mjd)
    limp = np.flatnonzero((rope_lengths(m, snapshot) > 0) | (m.tendon_type == TENDON_FIXED)).tolist() if m.ntendon else []
    return differences(mj, mjd, m, snapshot, limp, selected=min(2, mj.nbody - 1))


def main() -> int:
    """Judge and print; 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = []
    for name, path in _models(arguments.paths):
        start = time.perf_counter()
        result = judge(path)
        left_out = result if isinstance(result, str) else ""
        rows.append({"name": name, "cases": 0 if left_out else len(cases()), "left_out": left_out, "differences": [] if left_out else result})
        print(f"{name}: {left_out or len(result)}  ({time.perf_counter() - start:.1f} s)", *([] if left_out else result[:SHOWN]), sep="\n    ", flush=True)
    judged = [row for row in rows if not row["left_out"]]
    wrong = sum(len(row["differences"]) for row in judged)
    print(f"{len(judged)} models, {sum(row['cases'] for row in judged)} scenes, {wrong} differ; {len(rows) - len(judged)} left out")
    if arguments.json:
        arguments.json.write_text(json.dumps({"models": rows}, indent=1))
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
