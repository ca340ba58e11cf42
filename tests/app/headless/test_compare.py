"""linkwork compare: both engines on one model."""
import csv
import json
import subprocess
import sys

import numpy as np
import pytest

import physics
from app import headless
from app.headless.compare import COLUMNS
from physics.diagnostics import engine_figures
from physics.enums import Engine
from physics.model.state_fields import State

BOX = """<mujoco><option timestep="0.005" cone="elliptic"/><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
<body pos="0 0 .102"><freejoint/><geom name="box" type="box" size=".1 .1 .1"%s/></body></worldbody></mujoco>"""


@pytest.fixture
def model(tmp_path):
    def write(more="") -> str:
        (tmp_path / "box.xml").write_text(BOX % more)
        return str(tmp_path / "box.xml")
    return write


def test_a_box_sinks_softly_and_not_hard(model, tmp_path, capsys):
    out = tmp_path / "out.csv"
    assert headless.main(["compare", model(), "--time", "0.5", "--csv", str(out), "--every", "2"]) == 0
    text = capsys.readouterr().out
    assert "deepest overlap" in text and "cost [us/step]" in text
    rows = list(csv.DictReader(out.open()))
    assert tuple(rows[0]) == COLUMNS and len(rows) == 51
    column = {name: np.array([float(row[name]) for row in rows]) for name in COLUMNS}
    assert np.allclose(column["time"], np.arange(51) * 0.01)
    assert column["overlap_soft"].max() > 1e-5 and column["overlap_hard"].max() < 1e-7
    assert (column["hard_status"] == 0).all() and column["hard_niter"].max() >= 3
    assert column["energy_hard"][0] == pytest.approx(column["energy_soft"][0]) and column["energy_hard"][-1] == pytest.approx(8 * 9.81 * 0.1, rel=1e-6)
    assert 0 < column["pose_difference"].max() < 5e-3 and column["pose_difference"][0] == 0
    assert (column["cost_soft"][1:] > 0).all() and (column["cost_hard"][1:] > 0).all()


def test_steps_that_leave_an_overlap_are_told(tmp_path, capsys):
    wedge = tmp_path / "wedge.xml"
    wedge.write_text("""<mujoco><worldbody><geom type="box" pos="-.119 0 0" size=".02 .3 .3"/><geom type="box" pos=".119 0 0" size=".02 .3 .3"/>
<body><joint type="slide" axis="1 0 0"/><geom type="box" size=".1 .1 .1" mass="1"/></body></worldbody></mujoco>""")
    out = tmp_path / "out.csv"
    assert headless.main(["compare", str(wedge), "--time", "0.02", "--csv", str(out)]) == 0
    said = {line.rsplit(None, 1)[0].strip(): line.split()[-1] for line in capsys.readouterr().out.splitlines() if line.startswith("steps ")}
    assert said["steps stuck"] == "10" and said["steps eased"] == said["steps coarse"] == said["steps halved"] == said["steps failed"] == "0"
    assert [row["hard_nstuck"] for row in csv.DictReader(out.open())] == [str(k) for k in range(11)]


def test_in_a_process_that_has_loaded_no_kernels(model):
    done = subprocess.run([sys.executable, "-m", "app.main", "compare", model(), "--time", "0.05"], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and "cost [us/step]" in done.stdout, done.stderr


def test_as_json_with_a_time_step_of_the_hard_engines_own(model, capsys):
    assert headless.main(["compare", model(), "--time", "0.2", "--hard-timestep", "0.02", "--every", "4", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["soft"]["steps"], told["hard"]["steps"]) == (40, 10) and told["hard"]["overlap"] < 1e-7 < told["soft"]["overlap"]
    assert told["ended"] == "" and told["hard"]["failed"] == 0


def test_the_cost_is_of_steps_and_not_of_loading_kernels(model, monkeypatch):
    physics.ensure_kernels()
    physics.ensure_hard()
    m, taken, step = physics.load(model()), [], engine_figures.step.step
    monkeypatch.setattr(engine_figures.step, "step", lambda m, d, n, **how: taken.append(d) or step(m, d, n, **how))
    beside = engine_figures.Beside(m, State.of(physics.Data(m)))
    list(beside.run(0.01))
    first = {engine: next(d for d in taken if d.model.opt_engine == engine) for engine in Engine}
    assert not any(d is own for d in first.values() for own in beside.data)      # the first step of each engine was taken elsewhere, and not timed
    assert beside.steps == [2, 2] and [d.time for d in beside.data] == [0.01, 0.01]


def test_what_the_hard_engine_refuses(model, capsys):
    assert headless.main(["compare", model(' adhesion="1"'), "--time", "0.2"]) == 1
    assert "no adhesion: geom 'box'" in capsys.readouterr().err
