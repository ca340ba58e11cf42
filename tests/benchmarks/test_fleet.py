"""The command that measures fleets against the official batch: what it runs is the same on both sides, and it says all it measured."""
import json

import mujoco
import numpy as np
from mujoco import rollout as official

import physics
from assets.locate import bundled_model
from benchmarks import fleet


def test_a_small_round(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(fleet, "MODELS", {"cartpole": (6, 5)})
    monkeypatch.setattr(fleet, "SETTLE", 20)
    out = tmp_path / "fleet.json"
    assert fleet.main(["--json", str(out), "--rounds", "2", "--models", "cartpole"]) == 0
    rows = json.loads(out.read_text())["rows"]
    assert [row["nthread"] for row in rows] == list(fleet.THREADS) and all(row["ratio_official"] > 0 < row["ours_steps_per_s"] for row in rows)
    assert capsys.readouterr().out.count("| cartpole |") == 2


def test_both_sides_run_the_same(monkeypatch):
    monkeypatch.setattr(fleet, "SETTLE", 100)
    physics.ensure_kernels()
    path = bundled_model("quadruped.xml")
    m, theirs = physics.load(path), mujoco.MjModel.from_xml_path(str(path))
    state, control, warm = fleet.states_and_controls(m, 3, 4)
    assert state.shape == (3, 1 + m.nq + m.nv + m.na) and control.shape == (3, 4, m.nu) and np.ptp(state[:, 3]) > 0
    found = physics.Fleet(m, 3).rollout(state, control, warmstart=warm)
    expected, _sensors = official.rollout(theirs, [mujoco.MjData(theirs)], state, control, initial_warmstart=warm)
    assert np.abs(found.state - expected).max() < 1e-6
