"""linkwork tune sweep: what it prints and writes, and what it says of wrong arguments."""
import json

import numpy as np
import pytest

from app import headless
from tests.physics.tuning.grip import HELD, grip

SPRING = """<mujoco><worldbody><body><joint name="a" type="slide" stiffness="-1e9"/><geom size=".1"/></body></worldbody>
<keyframe><key name="off" qpos="0.1"/></keyframe></mujoco>"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "grip.xml"
    path.write_text(grip())
    return path


def run(capsys, *arguments):
    code = headless.main(["tune", "sweep", *map(str, arguments)])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_table_and_a_file(model, tmp_path, capsys):
    out = tmp_path / "found.json"
    code, text, _err = run(capsys, model, "--set", "geom.*.friction[0]=0.03:0.3:3:log", "--set", "opt.impratio=1,5", "--metric", HELD, "--reduce", "holds", "--seconds", "1",
                           "--json", out)
    lines = text.splitlines()
    assert code == 0 and len(lines) == 7 and lines[0].split("  ")[0] == "geom.*.friction[0]" and lines[0].endswith(f"holds of {HELD}")
    assert lines[1].split() == ["0.03", "1", "0"] and lines[6].split() == ["0.3", "5", "1"]
    found = json.loads(out.read_text())
    assert found["values"] == [[0, 0], [0, 0], [1, 1]] and found["complete"] and found["seconds"] == 1 and found["axes"][1] == {"set": "opt.impratio", "values": [1, 5]}


def test_one_object_on_the_output(model, capsys):
    code, text, _err = run(capsys, model, "--set", "opt.impratio=1,2", "--set", "geom.cup.friction[0]=0.5", "--metric", "qpos[4]", "--seconds", "0.02", "--threads", "1", "--json")
    found = json.loads(text)
    assert code == 0 and found["fixed"] == {"geom.cup.friction[0]": 0.5} and found["unit"] == "m" and np.isfinite(found["values"]).all() and found["reduce"] == "last"


def test_runs_that_diverge_are_told_and_where_all_do_the_exit_code_says_so(tmp_path, capsys):
    path = tmp_path / "wild.xml"
    path.write_text(SPRING)
    code, text, _err = run(capsys, path, "--key", "off", "--set", "joint.a.stiffness=-1e9,100", "--metric", "qpos[0]")
    assert code == 0 and text.splitlines()[1].endswith("diverged") and not text.splitlines()[2].endswith("diverged")
    code, text, _err = run(capsys, path, "--key", "off", "--set", "joint.a.stiffness=-1e9,-2e9", "--metric", "qpos[0]", "--json")
    assert code == 3 and json.loads(text)["values"] == [None, None]


@pytest.mark.parametrize("more,code,said", [
    (["--set", "geom.cupp.friction[0]=1,2", "--metric", "time"], 2, "--set: 'geom.cupp.friction[0]': there is no geom 'cupp'; did you mean 'cup'?"),
    (["--set", "geom.cup.friction[0]=1:2", "--metric", "time"], 2, "--set: 'geom.cup.friction[0]=1:2': write WHAT=LOW:HIGH:COUNT"),
    (["--set", "geom.cup.solref[0]=-1000:-100000:9:log", "--metric", "time"], 2, "solref of geom cup would be (-1000, 1): either both are positive"),
    (["--set", "opt.impratio=1,2", "--metric", 'body("cupp").xpos[2]'], 2, "--metric: "), (["--set", "opt.impratio=1,2", "--metric", "qpos"], 2, "a metric is one number"),
    (["--set", "opt.impratio=1,2", "--metric", "time", "--key", "home"], 1, "home"), (["--set", "geom.cup.condim=2,3", "--metric", "time"], 1, "geom 'cup' has condim 2"),
    (["--set", "opt.impratio=1,2", "--metric", "time", "--json", "/nowhere/x.json", "--seconds", "0.01"], 1, "/nowhere/x.json cannot be written"),
])
def test_what_is_wrong_is_named(model, capsys, more, code, said):
    found, out, err = run(capsys, model, *more)
    assert found == code and said in err and not out


@pytest.mark.parametrize("more", [["--metric", "time"], ["--set", "opt.impratio=1,2"], ["--set", "opt.impratio=1,2", "--metric", "time", "--reduce", "sum"],
                                  ["--set", "opt.impratio=1,2", "--metric", "time", "--seconds", "0"], ["--set", "opt.impratio=1,2", "--metric", "time", "--threads", "-1"]])
def test_arguments_that_there_are_not(model, capsys, more):
    with pytest.raises(SystemExit) as ended:
        run(capsys, model, *more)
    assert ended.value.code == 2
