"""`linkwork exec` runs scripts for the official module in processes of their own, and lists the names that they use."""
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from setuptools import find_namespace_packages

from app.headless.exec import environment, guarded, missing_of
from app.headless.outcome import Failed
from app.headless.used_names import names_of, used_in

ROOT = Path(__file__).parents[3]
SCRIPT = """
import subprocess, sys, importlib.metadata
import mujoco
from mujoco import MjModel as Model
m = Model.from_xml_string('<mujoco><worldbody><body><freejoint/><geom size="0.1"/></body></worldbody></mujoco>')
d = mujoco.MjData(m)
mujoco.mj_step(m, d, 10)
print(mujoco.__linkwork__, mujoco.__version__, importlib.metadata.version("mujoco"), sys.argv[1:], round(float(d.qpos[2]), 6), flush=True)
code = "import mujoco; print('child', mujoco.__linkwork__, mujoco.mjNEQDATA, mujoco.MjModel.from_xml_string('<mujoco/>').eq_data.shape)"
subprocess.run([sys.executable, "-c", code], check=True)
"""
OLDER = """
import mujoco, numpy as np
m = mujoco.MjModel.from_xml_string('<mujoco><worldbody><body name="a"><joint name="j"/><geom size="0.1"/></body></worldbody><equality><joint joint1="j"/></equality></mujoco>')
d = mujoco.MjData(m)
mujoco.mj_forward(m, d)
m.eq_data[0, 0] = 0.5
full = np.zeros((m.nv, m.nv))
mujoco.mj_fullM(m, full, d.qM)
print(mujoco.__version__, mujoco.mj_version(), mujoco.mjNEQDATA, m.eq_data.shape, [float(m.eq_data[0, 0]), float(m._inner.eq_data[0, 0])], bool(full[0, 0] > 0))
"""
USES = '''import mujoco as mj
from mujoco import viewer, MjData
import mujoco.viewer
lib = mj


def run(m, d):
    mj.mj_step(m, d)
    lib.mj_forward(m, d)
    viewer.launch_passive(m, d)
    kind = mj.mjtObj.mjOBJ_BODY
    mj.mj_solveM2(m, d)
    return kind, mj.mj_nothing
'''


def linkwork(*arguments: str, **more) -> subprocess.CompletedProcess:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, "-m", "app.main", *arguments], env=env, capture_output=True, text=True, timeout=300, **more)


def test_a_script_and_its_child_run_on_this_engine(tmp_path):
    (tmp_path / "physics.py").write_text("raise RuntimeError('a module of the script, not ours')\n")
    (tmp_path / "script.py").write_text(SCRIPT)
    done = linkwork("exec", str(tmp_path / "script.py"), "--steps", "3")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("True 4.0.0 4.0.0 ['--steps', '3'] -0.00")
    assert lines[1] == "child True 12 (0, 12)"
    assert done.stderr.splitlines()[0].startswith("mujoco is Linkwork") and "(API 4.0)" in done.stderr.splitlines()[0]


def test_modules_code_and_interfaces_of_before():
    done = linkwork("exec", "--api", "3.17", "-c", "import mujoco, sys, importlib.metadata as i; print(mujoco.__version__, i.version('mujoco'), sys.argv); sys.exit(5)", "x")
    assert done.stdout == "3.17.0 3.17.0 ['-c', 'x']\n" and done.returncode == 5
    done = linkwork("exec", "--api", "3.3", "-c", OLDER)
    assert done.stdout == "3.3.7 337 11 (1, 11) [0.5, 0.5] True\n", done.stderr
    done = linkwork("exec", "-m", "json.tool", "--help")
    assert done.returncode == 0 and "json" in done.stdout
    assert linkwork("exec", "nowhere.py").returncode == 1 and linkwork("exec").returncode == 2


def test_own_options_end_where_the_program_begins():
    assert guarded(["exec", "a.py", "--names"]) == ["exec", "--", "a.py", "--names"]
    assert guarded(["exec", "--api", "3.3", "--names", "-m", "x"]) == ["exec", "--api", "3.3", "--names", "--", "-m", "x"]
    paths = environment("3.17", {"PYTHONPATH": "mine"})["PYTHONPATH"].split(os.pathsep)
    assert (Path(paths[0]) / "mujoco" / "__init__.py").is_file() and list(Path(paths[1]).glob("mujoco-3.17.0.dist-info/METADATA")) and paths[2] == "mine"


def test_ordinary_imports_do_not_find_it():
    code = "import mujoco; print(hasattr(mujoco, '__linkwork__'))"
    assert subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=60).stdout == "False\n"


def test_names_that_a_script_uses(tmp_path):
    script = tmp_path / "uses.py"
    script.write_text(USES)
    used = {use.name: [place.rpartition(":")[2] for place in use.places] for use in used_in(str(script))}
    assert used == {"mj_step": ["8"], "mj_forward": ["9"], "viewer": ["2", "3"], "viewer.launch_passive": ["10"], "mjtObj.mjOBJ_BODY": ["11"], "mj_solveM2": ["12"], "MjData": ["2"],
                    "mj_nothing": ["13"]}
    assert missing_of(use.name for use in used_in(str(tmp_path))) == {"mj_solveM2", "mj_nothing"}
    done = linkwork("exec", "--names", "--json", str(script))
    rows = {row["name"]: row for row in json.loads(done.stdout)["names"]}
    assert done.returncode == 1 and rows["mj_step"]["here"] and not rows["mj_solveM2"]["here"] and rows["mj_solveM2"]["places"] == [f"{script}:12"]
    text = linkwork("exec", "--names", "-c", "import mujoco; mujoco.mj_step").stdout
    assert "here: 1" in text and "mj_step" in text and "<code>:1" in text


def test_names_in_texts_that_are_no_python(tmp_path):
    (tmp_path / "a.py").write_text("def (")
    with pytest.raises(Failed, match="a.py:1"):
        used_in(str(tmp_path))
    assert names_of(__import__("ast").parse("import numpy as mujoco2\nmujoco2.x")) == []


def test_a_wheel_holds_it_without_a_package_called_mujoco():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    packages = find_namespace_packages(str(ROOT), include=settings["packages"]["find"]["include"])
    assert "app.mujoco_shim.mujoco.functions" in packages and not [name for name in packages if name.split(".")[0] not in ("physics", "render", "editor", "app", "linkwork", "assets", "models")]
    data = [path for pattern in settings["package-data"]["app.mujoco_shim"] for path in (ROOT / "app" / "mujoco_shim").glob(pattern)]
    assert sorted(path.parent.name for path in data) == ["mujoco-3.17.0.dist-info", "mujoco-3.3.7.dist-info", "mujoco-4.0.0.dist-info"]
