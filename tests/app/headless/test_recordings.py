"""Recordings without a window: what is in them, doing them again, tables of their states."""
import csv
import json
from dataclasses import replace

import numpy as np
import pytest

import physics
from app import headless
from app.headless.export import split_texts
from physics.recording import file
from physics.recording.models import ModelStore
from physics.recording.track import Track, TrackPiece
from physics.runtime import commands as c
from physics.runtime.carry_over import carry_over
from physics.runtime.hooks.hook import Hook, Hooks
from physics.runtime.perform import perform
from physics.runtime.recorded.capture import capture
from physics.runtime.simulation import Simulation

TEXT = """<mujoco model="arm"><option timestep="0.004"/><worldbody>
<geom name="floor" type="plane" size="3 3 .1"/>
<body name="upper" pos="0 0 1"><joint name="shoulder" axis="0 1 0" damping=".1"/><geom type="capsule" size=".05 .2" pos="0 0 -.2"/></body>
<body name="ball" pos="1 0 .3"><freejoint/><geom name="ball" size=".1"/></body></worldbody>
<actuator><motor name="m" joint="shoulder"/></actuator></mujoco>"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """(path of a recording with an edit and a branch, the Recording)."""
    physics.ensure_kernels()
    folder = tmp_path_factory.mktemp("run")
    sim = Simulation(models=ModelStore(folder / "models"))
    perform(sim, c.SwapModel(physics.load_string(TEXT), document=1))
    perform(sim, c.SetForce(1, (3.0, 0.0, 0.0, 0.0, 0.0, 0.0)))
    sim.take(60)
    perform(sim, c.SwapModel(physics.load_string(TEXT.replace(".1\"/><geom type", ".3\"/><geom type").replace("<actuator>", "<sensor><jointpos joint='shoulder'/></sensor><actuator>")),
                             carry=carry_over, document=1, label="edit"))
    sim.take(40)
    perform(sim, c.Scrub(30))
    perform(sim, c.SetCtrl(0, 0.7))
    sim.take(20)
    perform(sim, c.SwitchBranch(1))
    recording = capture(sim).whole({0: {"/x/arm.xml": TEXT}}, about={"name": "arm.xml", "linkwork": "0.1.0", "created": "today", "numba": "0.0"}, note="It swings.")
    file.save(recording, folder / "run.h5")
    return folder / "run.h5", recording


def called(capsys, *arguments):
    code = headless.main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


def test_info_tells_what_is_in_a_recording(run, capsys):
    code, out, _ = called(capsys, "info", run[0])
    assert code == 0 and "recording of arm.xml, today" in out and "123 states in 2 branches, 2 models, 1 text" in out
    assert "branch 1 (shown): 102 states, 0 s to 0.4 s" in out and "after entry 29" in out and "SetForce 1" in out and "It swings." in out and "linkwork 0.1.0" in out
    code, out, _ = called(capsys, "info", run[0], "--json")
    told = json.loads(out)
    assert told["inputs"]["steps"] == 3 and told["branch_list"][0]["states"] == 102 and told["size"] == run[0].stat().st_size


def test_replay_does_it_again_and_checks_every_bit(run, capsys):
    code, out, _ = called(capsys, "replay", run[0], "--check")
    assert code == 0 and out.startswith("bit for bit the same, 120 steps, 2 branches")
    code, out, _ = called(capsys, "replay", run[0])
    assert code == 0 and "120 steps, 0.48 s, done again" in out
    code, out, _ = called(capsys, "replay", run[0], "--speed", "4", "--json")
    assert code == 0 and json.loads(out)["wall"] >= 0.12


def changed(run, folder, row, column):
    """The recording with one number changed in its last bit."""
    recording = run[1]
    line = recording.line
    piece = line.track.pieces[0]
    rows = piece.rows.copy()
    rows[row, column] = np.nextafter(rows[row, column], np.inf)
    other = replace(line, track=Track((TrackPiece(piece.layout, rows, piece.number, piece.model), *line.track.pieces[1:])))
    file.save(replace(recording, branches=tuple(other if branch.id == other.id else branch for branch in recording.branches)), folder / "other.h5")
    return folder / "other.h5", rows[row, column]


def test_replay_says_at_which_step_and_number_it_is_another(run, tmp_path, capsys):
    path, value = changed(run, tmp_path, 17, 4)
    code, out, _ = called(capsys, "replay", path, "--check")
    assert code == 1 and "not the same: step 17 (branch 1, 0.068 s): qpos[2] is" in out and repr(float(value)) in out and "recorded with numba 0.0 (here" in out
    code, out, _ = called(capsys, "replay", path, "--check", "--json")
    told = json.loads(out)
    assert code == 1 and told["same"] is False and told["difference"]["step"] == 17 and told["difference"]["field"] == "qpos" and told["difference"]["recorded"] == value


def test_a_branch_that_does_not_come_about_again_is_told(run, tmp_path, capsys):
    recording = run[1]
    more = replace(recording.branch(2), id=7)
    file.save(replace(recording, branches=(*recording.branches, more)), tmp_path / "a.h5")
    code, out, _ = called(capsys, "replay", tmp_path / "a.h5", "--check")
    assert code == 1 and "branch 7 does not come about again" in out


def test_what_has_no_beginning_cannot_be_done_again(run, tmp_path, capsys):
    file.save(replace(run[1], inputs=run[1].inputs[3:], inputs_gone=3), tmp_path / "a.h5")
    code, _out, err = called(capsys, "replay", tmp_path / "a.h5", "--check")
    assert code == 1 and "its first inputs are not there" in err


@pytest.mark.parametrize("command", [("info",), ("replay", "--check"), ("export", "-o", "x.csv")])
def test_other_files_are_refused(command, tmp_path, capsys):
    (tmp_path / "a.xml").write_text("<mujoco/>")
    code, _out, err = called(capsys, command[0], tmp_path / "a.xml", *command[1:])
    assert code == 1 and "this is no recording" in err
    code, _out, err = called(capsys, command[0], tmp_path / "none.h5", *command[1:])
    assert code == 1 and "there is no such file" in err


def test_export_writes_a_table_of_the_states(run, tmp_path, capsys):
    out = tmp_path / "a.csv"
    code, text, _ = called(capsys, "export", run[0], "-o", out)
    assert code == 0 and "102 states, qpos [8], qvel [7]" in text
    rows = list(csv.reader(out.open()))
    assert rows[0][:4] == ["entry", "time", "qpos[0]", "qpos[1]"] and len(rows) == 103
    piece, k = run[1].line.track.at(61)
    assert [float(word) for word in rows[62][:10]] == [61, piece.rows[k, 0], *piece.columns("qpos")[k]]


def test_export_computes_expressions_as_the_run_had_them(run, tmp_path, capsys):
    out = tmp_path / "a.npz"
    fields = 'norm(body("ball").xpos), joint("shoulder").qpos, qfrc_constraint, body("upper").xfrc_applied, sensordata, ncon, deriv(joint("shoulder").qpos)'
    code, _, err = called(capsys, "export", run[0], "-o", out, "--fields", fields)
    assert code == 0, err
    found = np.load(out)
    m = physics.load_string(TEXT)
    d = physics.Data(m)
    d.xfrc_applied[1] = [3, 0, 0, 0, 0, 0]
    physics.step(m, d, 40)
    physics.forward(m, d)
    assert found["time"][40] == d.time and found['norm(body("ball").xpos)'][40] == np.linalg.norm(d.xpos[2]) and found["ncon"][40] == d.ncon
    assert (found["qfrc_constraint"][40] == d.qfrc_constraint).all() and found['body("upper").xfrc_applied'][40].tolist() == [3, 0, 0, 0, 0, 0]
    assert np.isnan(found["sensordata"][:61]).all() and (found["sensordata"][61:, 0] == found['joint("shoulder").qpos'][61:]).all()
    assert found["entry"].tolist() == list(range(102)) and np.isnan(found['deriv(joint("shoulder").qpos)'][0])


def test_export_takes_a_branch_from_the_beginning_and_every_nth_state(run, tmp_path, capsys):
    out = tmp_path / "a.npz"
    code, _, _ = called(capsys, "export", run[0], "-o", out, "--branch", "2", "--every", "10", "--fields", "ctrl")
    found = np.load(out)
    assert code == 0 and found["entry"].tolist() == [0, 10, 20, 30, 40, 50] and found["ctrl"][:, 0].tolist() == [0, 0, 0, 0.7, 0.7, 0.7]


@pytest.mark.parametrize("more, code, words", [
    (["-o", "a.txt"], 2, "as .csv or .npz"), (["-o", "a.csv", "--branch", "9"], 2, "there is no branch 9; there are: 1, 2"), (["-o", "a.csv", "--fields", "qpo"], 2, "--fields: "),
    (["-o", "a.csv", "--every", "0"], 2, "--every"), (["-o", "/nowhere/a.csv"], 1, "cannot be written")])
def test_what_cannot_be_exported(run, more, code, words, capsys):
    found, _out, err = called(capsys, "export", run[0], *more)
    assert found == code and words in err


def test_expressions_are_separated_by_commas_outside_of_brackets():
    assert split_texts('qpos, norm(a, b), body("x,y").xpos[0, 1],') == ["qpos", "norm(a, b)", 'body("x,y").xpos[0, 1]']


def test_what_a_script_wrote_is_done_again_in_parts(tmp_path, capsys):
    physics.ensure_kernels()
    sim = Simulation(models=ModelStore(tmp_path / "models"))
    perform(sim, c.SwapModel(physics.load_string(TEXT), document=1))

    def control(m, d):
        d.ctrl[0] = 0.1 + d.time
        if d.time > 0.3:
            d.qvel[0] *= 0.99

    perform(sim, c.SetHooks(Hooks((Hook("a.py", "control", control),))))
    sim.take(45)
    sim.take(55)
    file.save(capture(sim).whole({0: {"/x/arm.xml": TEXT}}), tmp_path / "run.h5")
    code, out, _ = called(capsys, "replay", tmp_path / "run.h5", "--check")
    assert code == 0 and "bit for bit the same, 100 steps" in out and "0.4 s, done again" in out
    code, out, _ = called(capsys, "replay", tmp_path / "run.h5", "--speed", "100")      # in parts of 20 steps
    assert code == 0 and "100 steps, 0.4 s, done again" in out
