"""Scripts and tests that were written for the official module, on this engine: `./test.sh --long scripts [--only NAME] [--json FILE] [--no-install]`.

Tests that ship inside wheels are copied into a throw-away folder and run by pytest through `linkwork exec`, and once more with the official engine of the version that the
package was made for. Scripts of packages are run by both, and their numbers compared. What a judge needs besides this project's own packages is installed, pinned, into a throw-away folder
(--no-install: it is looked for in the folder LINKWORK_SCRIPT_PACKAGES, else the judge is left away).
The JSON: {"judges": [{"name", "passed", "failed", "skipped", "official", "failures"}]}; official: how many pass there.
"""
from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
SECONDS = 3000
_OFFICIAL_FILES = ('epath.resource_path("mujoco")', f'epath.Path({str(Path(importlib.util.find_spec("mujoco").origin).parent)!r})')


@dataclass(frozen=True)
class Judge:
    """Tests of a package. files: inside it; api: the interface it was written for; needs: what pip installs; official: the official engine's version, '' for the installed one."""

    name: str
    package: str
    files: tuple[str, ...]
    api: str = "4.0"
    needs: tuple[str, ...] = ()
    official: str = ""


JUDGES = (
    Judge("bindings_test", "mujoco", ("bindings_test.py",), needs=("etils[epath]==1.15.0",)),
    Judge("viewer_test", "mujoco", ("viewer_test.py",)),
    Judge("rollout_test", "mujoco", ("rollout_test.py",)),
    Judge("batch_test", "mujoco", ("batch_test.py",)),
    Judge("minimize_test", "mujoco", ("minimize_test.py",)),
    Judge("renderer_test", "mujoco", ("renderer_test.py",)),
    Judge("render_test", "mujoco", ("render_test.py",), needs=("mock==5.2.0", "PyOpenGL==3.1.10")),
    Judge("specs_test", "mujoco", ("specs_test.py",), needs=("etils[epath]==1.15.0",)),
    Judge("dm_control suite", "dm_control", ("suite/suite_test.py",), "3.17", ("mock==5.2.0", "PyOpenGL==3.1.10"), "3.17.0"),
    Judge("dm_control index", "dm_control", ("mujoco/index_test.py",), "3.17", ("mock==5.2.0",), "3.17.0"),
    Judge("dm_control core", "dm_control", ("mujoco/wrapper/core_test.py",), "3.17", ("mock==5.2.0",), "3.17.0"),
    Judge("dm_control mjcf", "dm_control", ("mjcf/physics_test.py", "mjcf/element_test.py", "mjcf/attribute_test.py"), "3.17", ("mock==5.2.0",), "3.17.0"),
    Judge("dm_control engine", "dm_control", ("mujoco/engine_test.py",), "3.17", ("mock==5.2.0", "PyOpenGL==3.1.10"), "3.17.0"),
    Judge("dm_control composer", "dm_control", ("composer/environment_test.py", "composer/entity_test.py"), "3.17", ("mock==5.2.0",), "3.17.0"),
)
STEPS, COMPARED = 300, 10      # env steps; of the first ones observations are compared: later chaotic motions part
_ENVIRONMENTS = f"""
import json, sys
import gymnasium, numpy as np
try:
    import gymnasium_robotics
    gymnasium.register_envs(gymnasium_robotics)
except ImportError:
    pass
rows = {{}}
for task in sys.argv[2:]:
    try:
        env = gymnasium.make(task)
        env.reset(seed=1)
        env.action_space.seed(1)
        seen = []
        for k in range({STEPS}):
            obs, reward, ended, cut, info = env.step(env.action_space.sample())
            seen.append(float(np.abs(obs["observation"] if isinstance(obs, dict) else obs).sum()))
            if ended or cut:
                env.reset(seed=k)
        rows[task] = seen[:{COMPARED}]
    except Exception as error:
        rows[task] = f"{{type(error).__name__}}: {{error}}"[:200]
json.dump(rows, open(sys.argv[1], "w"))
"""
_KINEMATICS = """
import json, sys
import mink, mujoco, numpy as np
XML = '''<mujoco><worldbody><body pos="0 0 .3"><joint axis="0 0 1" range="-3 3"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
<body pos=".3 0 0"><joint axis="0 1 0" range="-2 2"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
<body pos=".3 0 0"><joint axis="0 1 0" range="-2 2"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".03"/><site name="tip" pos=".2 0 0"/></body></body></body></worldbody></mujoco>'''
m = mujoco.MjModel.from_xml_string(XML)
c = mink.Configuration(m)
c.update(np.array([.1, .2, .3]))
reach = mink.FrameTask(frame_name="tip", frame_type="site", position_cost=1.0, orientation_cost=0.1)
reach.set_target(mink.SE3.from_translation(np.array([.4, .3, .5])))
rest = mink.PostureTask(m, cost=1e-3)
rest.set_target_from_configuration(c)
for _ in range(400):
    c.integrate_inplace(mink.solve_ik(c, [reach, rest], 0.01, solver="daqp", damping=1e-3, limits=[mink.ConfigurationLimit(m)]), 0.01)
json.dump({"arm": c.q.tolist()}, open(sys.argv[1], "w"))
"""


_PICTURES = """
import json, sys
import gymnasium, numpy as np
rows = {}
for case in sys.argv[2:]:
    task, mode = case.split()
    try:
        env = gymnasium.make(task, render_mode=mode, width=160, height=120)
        env.reset(seed=0)
        for _ in range(3):
            env.step(np.zeros(env.action_space.shape))
        picture = env.render()
        picture = picture[0] if isinstance(picture, tuple) else picture
        rows[case] = np.asarray(picture, float).reshape(12, 10, 16, -1).mean(axis=(1, 3)).tolist()
        env.close()
    except Exception as error:
        rows[case] = f"{type(error).__name__}: {error}"[:200]
json.dump(rows, open(sys.argv[1], "w"))
"""


@dataclass(frozen=True)
class Script:
    """A script that writes {case: numbers, or an error in words} into a file, which both engines must agree on; where the official engine fails, ours has to run. off: how far numbers may
    differ; pictures are compared as means of squares of pixels."""

    name: str
    code: str
    cases: tuple[str, ...]
    needs: tuple[str, ...]
    off: float = 1e-8


SCRIPTS = (
    Script("gymnasium v5", _ENVIRONMENTS, tuple(f"{task}-v5" for task in (
        "Ant", "HalfCheetah", "Hopper", "Humanoid", "HumanoidStandup", "InvertedDoublePendulum", "InvertedPendulum", "Pusher", "Reacher", "Swimmer", "Walker2d")), ("imageio",)),
    Script("gymnasium-robotics", _ENVIRONMENTS, (
        "FetchReach-v4", "FetchPickAndPlace-v4", "HandReach-v3", "HandManipulateBlock-v1", "AdroitHandDoor-v1", "FrankaKitchen-v1", "PointMaze_UMaze-v3", "AntMaze_UMaze-v5"),
        ("imageio", "gymnasium-robotics==1.4.2")),
    Script("gymnasium pictures", _PICTURES, tuple(f"{task}-v5 {mode}" for task in ("HalfCheetah", "Humanoid", "Ant") for mode in ("rgb_array", "depth_array", "rgbd_tuple")),
           ("imageio", "PyOpenGL==3.1.10"), 3.0),
    Script("mink", _KINEMATICS, ("arm",), ("mink==1.3.0", "daqp==0.11.0", "qpsolvers==4.13.0")),
)


def folder_of(package: str) -> Path:
    """Where a package lies; nothing of it is run."""
    return Path(importlib.util.find_spec(package).origin).parent


def installed(place: Path, needs: tuple[str, ...]) -> str | None:
    """A folder with these packages; None where they cannot be had."""
    target = place / ("_".join(needs).replace("[", "_").replace("]", "_").replace("=", "_"))
    if not target.exists():
        pin = place / "constraints.txt"
        pin.write_text(f"numpy=={np.__version__}\n")
        done = subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--target", str(target), "-c", str(pin), *needs], capture_output=True, text=True)
        if done.returncode:
            print(done.stderr[-500:], file=sys.stderr)
            return None
    return str(target)


def environment(*folders: str | None) -> dict[str, str]:
    """The environment of a run: these folders, and this project behind them."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [*folders, str(ROOT)])), "MUJOCO_GL": os.environ.get("MUJOCO_GL", "egl"), "PYTHONDONTWRITEBYTECODE": "1"}


def counted(report: Path) -> dict:
    """{passed, failed, skipped, failures: {test: first line of why}} of a report of pytest's; nothing passed where there is none."""
    if not report.exists():
        return {"passed": 0, "failed": 1, "skipped": 0, "failures": {"": "no report"}}
    cases = ET.parse(report).getroot().iter("testcase")
    found = {"passed": 0, "failed": 0, "skipped": 0, "failures": {}}
    for case in cases:
        bad = [child for child in case if child.tag in ("failure", "error")]
        kind = "failed" if bad else "skipped" if case.find("skipped") is not None else "passed"
        found[kind] += 1
        if bad:
            found["failures"][case.get("name")] = (bad[0].get("message") or "").splitlines()[0][:200]
    return found


def tested(judge: Judge, place: Path, ours: bool, folders: tuple[str | None, ...]) -> dict:
    """Run a judge's tests by one of the engines."""
    tests, report = place / f"{judge.name.replace(' ', '_')}_{'ours' if ours else 'official'}", place / f"{judge.name}_{ours}.xml"
    tests.mkdir()
    for file in judge.files:
        text = (folder_of(judge.package) / file).read_text()     # files that come with the official package are looked for there
        (tests / Path(file).name).write_text(text.replace(*_OFFICIAL_FILES) if ours else text)
    pytest = ["-m", "pytest", "-q", "--rootdir", str(tests), "-c", os.devnull, "-p", "no:cacheprovider", "--junitxml", str(report), str(tests)]
    command = [sys.executable, "-m", "app.main", "exec", "--api", judge.api, *pytest] if ours else [sys.executable, *pytest]
    try:
        subprocess.run(command, cwd=tests, env=environment(*folders), timeout=SECONDS, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        pass
    return counted(report)


def compared(script: Script, place: Path, install: bool) -> dict | None:
    """A script by both engines; None where what it needs is not there."""
    more = installed(place, script.needs) if install else os.environ.get("LINKWORK_SCRIPT_PACKAGES")
    if more is None:
        return None
    runs = []
    for name, command in (("ours", ["-m", "app.main", "exec", "-c"]), ("official", ["-c"])):
        out = place / f"{script.name}_{name}.json"
        subprocess.run([sys.executable, *command, script.code, str(out), *script.cases], env=environment(more), timeout=SECONDS, stderr=subprocess.DEVNULL)
        runs.append(json.loads(out.read_text()) if out.exists() else {})
    failures = {}
    for case in script.cases:
        mine, official = (run.get(case, "no result") for run in runs)
        if isinstance(mine, str):
            failures[case] = mine
        elif not isinstance(official, str) and not np.allclose(mine, official, rtol=1e-6, atol=script.off):
            failures[case] = f"other numbers: {np.abs(np.subtract(mine, official)).max():.1e}"
    good = sum(not isinstance(result, str) for result in runs[1].values())
    return {"name": script.name, "passed": len(script.cases) - len(failures), "failed": len(failures), "skipped": 0, "official": good, "failures": failures}


def judged(judge: Judge, place: Path, install: bool) -> dict | None:
    """Ours beside the official engine; None where what it needs is not there."""
    more = (installed(place, judge.needs) if install else os.environ.get("LINKWORK_SCRIPT_PACKAGES")) if judge.needs else None
    if judge.needs and more is None or importlib.util.find_spec(judge.package) is None:
        return None
    ours = tested(judge, place, True, (more,))
    other = installed(place, (f"mujoco=={judge.official}",)) if judge.official and install else None
    official = tested(judge, place, False, (other, more)) if install or not judge.official else {"passed": None}
    return {"name": judge.name, **ours, "official": official["passed"]}


def main(given=None) -> int:
    """Judge all, or those whose name contains --only; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--json", type=Path, default=Path("scripts.json"))
    parser.add_argument("--no-install", action="store_true")
    chosen = parser.parse_args(given)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        judges = [lambda script=script: compared(script, place, not chosen.no_install) for script in SCRIPTS if chosen.only in script.name]
        judges += [lambda judge=judge: judged(judge, place, not chosen.no_install) for judge in JUDGES if chosen.only in judge.name]
        for judge in judges:
            row = judge()
            if row is None:
                continue
            rows.append(row)
            print(f"{row['name']:24} passed {row['passed']:4} failed {row['failed']:4} skipped {row['skipped']:4} official {row['official']}", flush=True)
            chosen.json.write_text(json.dumps({"judges": rows}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
