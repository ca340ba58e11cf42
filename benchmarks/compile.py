"""What compiling a model costs beside the official compiler: `python -m benchmarks.compile [FILE ...] [--json FILE]`.

Each row is the median of three child processes on one core, imports and the loading of kernels excluded: CPU seconds of the process (all its threads) for the first load, with our
cache of meshes empty and theirs too, and for later loads. Our cache lies on disk and theirs in the process, so that a new process finds ours warm and
theirs empty: `cold` is our first load / their first, `warm` our later load / their first, `both` our later / their later; below 1 we are quicker.
Default: the open corpus. The aim: mesh-free at most 50 ms or 2 times, mesh-heavy at most 1.5 times cold, below 1 warm.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measuring import machine_load, pin_to_one_core

CHILDREN = 3
ALWAYS_ALLOWED = 0.050   # seconds
MESH_HEAVY = 2000   # vertices
WARM_LOADS = 3


def timed(load, path: str) -> list[float]:
    """CPU seconds of a first and of later loads (their median)."""
    found = []
    for _ in range(1 + WARM_LOADS):
        begun = time.process_time()
        load(path)
        found.append(time.process_time() - begun)
    return [found[0], statistics.median(found[1:])]


def child(path: str) -> int:
    """Print one JSON object for one model."""
    import mujoco

    import physics
    import physics.compiler.compile

    pin_to_one_core()
    trivial = "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>"
    physics.load_string(trivial)
    mujoco.MjModel.from_xml_string(trivial)
    physics.compile_kernels()
    for name in ("scipy.spatial", "PIL.Image", "physics.compiler.mesh.mesh_process", "physics.compiler.decode.obj", "physics.compiler.decode.stl",
                 "physics.compiler.decode.msh", "physics.urdf.reader"):   # imports are not the compiler's cost
        __import__(name)
    try:
        model = mujoco.MjModel.from_xml_path(path)
        mujoco.mj_clearCache(mujoco.mj_getCache())   # of what the line above has read
        official = timed(mujoco.MjModel.from_xml_path, path)
        ours = timed(physics.load, path)
    except (ValueError, physics.ModelError) as error:
        print(json.dumps({"why": str(error).splitlines()[0][:200]}))
        return 0
    print(json.dumps({"official": official, "ours": ours, "nmeshvert": int(model.nmeshvert), "nbody": int(model.nbody)}))
    return 0


def row(path: Path) -> dict:
    """Medians over child processes of one file."""
    found = []
    for _ in range(CHILDREN):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "LINKWORK_MESH_CACHE": folder}
            done = subprocess.run([sys.executable, "-m", "benchmarks.compile", "--child", str(path.resolve())], capture_output=True, text=True, env=environment)
        try:
            found.append(json.loads(done.stdout.splitlines()[-1]))
        except (IndexError, json.JSONDecodeError):
            return {"file": str(path), "why": (done.stderr.splitlines() or ["the child died"])[-1][:200]}
        if "why" in found[-1]:
            return {"file": str(path), **found[-1]}
    middle = {key: [statistics.median(f[key][k] for f in found) for k in range(2)] for key in ("official", "ours")}
    return {
        "file": str(path), "nmeshvert": found[0]["nmeshvert"], "nbody": found[0]["nbody"], "ours_ms": [1e3 * x for x in middle["ours"]],
        "official_ms": [1e3 * x for x in middle["official"]], "cold": middle["ours"][0] / middle["official"][0], "warm": middle["ours"][1] / middle["official"][0],
        "both": middle["ours"][1] / middle["official"][1],
        "fits": fits(found[0]["nmeshvert"], middle),
    }


def fits(nmeshvert: int, middle: dict) -> bool:
    """Whether a model keeps the issue's aim."""
    (cold, warm), official = middle["ours"], middle["official"][0]
    if nmeshvert >= MESH_HEAVY:
        return cold <= 1.5 * official and warm <= official
    return cold <= max(ALWAYS_ALLOWED, 2 * official)


def corpus() -> list[Path]:
    """Main files of the open corpus that the official engine in use can load."""
    from tests.oracle.corpus import corpus_dir, read_manifest

    return [entry.path for entry in read_manifest(corpus_dir()) if entry.oracle.startswith("4")]


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.child:
        return child(chosen.child)
    rows = []
    for path in chosen.files or corpus():
        rows.append(one := row(path))
        if "why" in one:
            print(f"{path.stem:34} {one['why']}", flush=True)
            continue
        (cold, warm), (theirs_cold, theirs_warm) = one["ours_ms"], one["official_ms"]
        print(f"{path.stem:34} {one['nmeshvert']:7} vertices  cold {cold:8.1f} ms / {theirs_cold:8.1f} = {one['cold']:6.2f}   warm {warm:8.1f} = {one['warm']:6.2f}"
              f"  both warm / {theirs_warm:8.1f} = {one['both']:6.2f}  {'' if one['fits'] else 'above the aim'}", flush=True)
    measured = [one for one in rows if "fits" in one]
    print(f"{sum(one['fits'] for one in measured)} of {len(measured)} within the aim, load {machine_load():.1f}")
    if chosen.json:
        chosen.json.write_text(json.dumps({"rows": rows, "load": machine_load()}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
