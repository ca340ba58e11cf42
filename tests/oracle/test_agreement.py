"""Agreement with the official engine, model by model, as the report measures it (part of the default run)."""
import json
import math

import mujoco
import pytest

import physics
from assets.locate import bundled_model
from tests.oracle import report
from tests.oracle.corpus import Entry, entry, read_manifest, require_corpus

REQUIRED = ("humanoid", "dmc_pendulum", "dmc_cartpole", "dmc_reacher", "dmc_cheetah", "dmc_hopper", "dmc_walker", "gymnasium_ant", "gymnasium_walker2d_v5",
            "gymnasium_inverted_double_pendulum", "gymnasium_humanoidstandup")
BUNDLED = ("pendulum", "double_pendula", "cartpole", "arm", "quadruped", "humanoid", "boxes", "bouncing_balls", "slope", "mocap_paddle")
STATES = 3
BUNDLED_LIMIT = 1e-7   # rows a millionth as large as the largest hold the rounding of the others: 3.5e-8 in a symmetric pile


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.mark.parametrize("name", REQUIRED)
def test_corpus_model_agrees(name):
    row = report.judge(entry(name), STATES)
    assert row["status"] == "ok", row["why"]
    assert row["compiled_checked"] > 300


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_model_agrees(name):
    path = bundled_model(f"{name}.xml")
    official = mujoco.MjModel.from_xml_path(str(path))
    control = {"kind": "sine", "amp": 0.3, "unlimited_half": 0.3}
    row = report.judge(Entry(name, path, "4.0.0", "key0" if official.nkey else "default", control, {0.02: 1.0}, 0), STATES)
    assert row["compiled"] == {}, row["why"]
    off = {stage: value for stage, value in row["stages"].items() if value is not None and not value <= BUNDLED_LIMIT}
    assert not off, row["why"]
    assert row["rollout"]["0.02"] <= 1.0, row["why"]


def test_a_corpus_model_is_refused_only_where_it_may_be():
    folder = require_corpus()
    allowed = report.may_refuse()
    names = {row.name for row in read_manifest(folder)}
    assert set(allowed) <= names, f"may_refuse.txt names unknown models: {set(allowed) - names}"
    assert not set(allowed) & set(REQUIRED)


def test_report_says_where_a_refused_model_is_refused(tmp_path):
    require_corpus()
    file = tmp_path / "report.json"
    report.main(["--only", "dominos", "dmc_pendulum", "--states", "1", "--json", str(file)])
    found = json.loads(file.read_text(), parse_constant=lambda word: pytest.fail(f"{word} in the report"))
    rows = {row["name"]: row for row in found["models"]}
    assert rows["dmc_pendulum"]["status"] == "ok"
    assert rows["dominos"]["status"] == "refused" and "dominos.xml:" in rows["dominos"]["why"]
    assert found["summary"]["ok"] == 1 and found["summary"]["refused"] == 1
    assert set(rows["dmc_pendulum"]["stages"]) == set(report.stages_table.STAGES)


def test_a_wrong_engine_would_be_seen(monkeypatch):
    """The report must fail when a stage is off by a millionth."""
    from tests.oracle import stages

    original = physics.forward

    def slightly_wrong(model, data):
        original(model, data)
        data.qfrc_bias[...] *= 1.0 + 1e-6

    monkeypatch.setattr(stages.physics, "forward", slightly_wrong)
    row = report.judge(entry("dmc_cheetah"), 1)
    assert row["status"] == "failed" and "bias" in row["why"]
    assert not math.isclose(row["stages"]["bias"], 0.0)
