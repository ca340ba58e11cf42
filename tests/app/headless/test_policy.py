"""A policy without a window: linkwork teleop --policy, and episodes that linkwork demo record begins and ends by itself."""
import json

import pytest

from app import headless
from app.demonstrations.sources import told
from tests.app.demonstrations.made import TEXT
from tests.app.demonstrations.policy.programs import BEND, CRASHING, HEAD, ROOT, importable, written

ARMS = HEAD + """
def act(state):
    up = min(0.1, 0.1 * state.time)
    return Action(controls={"left_gripper": 0.02}, mocap={"left_target": ((0.36, 0.28, 0.52 + up), None)})

run(act)
"""


@pytest.fixture(autouse=True)
def packages(monkeypatch):
    importable(monkeypatch)


@pytest.fixture
def model(tmp_path):
    (tmp_path / "pusher.xml").write_text(TEXT)
    return tmp_path / "pusher.xml"


def test_a_policy_drives_a_bundled_model(tmp_path, capsys):
    assert headless.main(["teleop", str(ROOT / "models/two_arms.xml"), "--policy", written(tmp_path, ARMS), "--policy-rate", "30", "--time", "1.5", "--json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)["policy"]
    assert found["answers"] > 5 and 0 < found["rate"] < 32 and found["driver"] == "policy" and found["wrong"] == 0 and "policy running, policy drives" in err


def test_a_device_takes_over_without_a_window(model, tmp_path, capsys):
    device, driven = tmp_path / "device.py", tmp_path / "driven"        # the device begins once the policy has driven for a while
    device.write_text(f"from pathlib import Path\ndef teleop(t):\n    return {{'kind': 'pose', 'p': [0.01 * t, 0, 0], 'q': [1, 0, 0, 0], 'tracked': Path({str(driven)!r}).exists()}}\n")
    text = HEAD + f"""
def act(state):
    if state.time > 0.6:
        open({str(driven)!r}, "w").close()
    return {{"shoulder": 0.3}}

run(act)
"""
    assert headless.main(["teleop", str(model), "--policy", written(tmp_path, text), "--source", f"script:{device}", "--time", "4", "--json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)["policy"]
    assert found["driver"] == "person" and found["refused"] > 0 and "policy running, policy drives" in err and "policy running, person drives" in err


def test_one_that_crashes_ends_the_command_with_what_it_said(model, tmp_path, capsys):
    assert headless.main(["teleop", str(model), "--policy", written(tmp_path, CRASHING), "--time", "60"]) == 1
    assert "policy.py has ended with code 1" in (err := capsys.readouterr().err) and "no weights here" in err


def test_episodes_are_begun_by_itself_and_end_by_success_or_in_time(model, tmp_path, capsys):
    kept = tmp_path / "kept"
    code = headless.main(["demo", "record", str(model), "-o", str(kept), "--policy", written(tmp_path, BEND), "--episodes", "3", "--limit", "0.3", "--task", "bend", "--success", "qpos[0] > 2",
                          "--held", "0"])
    assert code == 0
    (path,) = kept.glob("*.h5")
    episodes = told(path)[1]
    assert [(one.outcome, one.task, one.how) for one in episodes] == 3 * [("failure", "bend", "not within 0.3 s")]
    assert all("policy" in [who for _entry, who in one.drivers] for one in episodes[1:])
    assert headless.main(["demo", "replay", str(path)]) == 0 and "3 of 3 episodes bit for bit the same" in capsys.readouterr().out
