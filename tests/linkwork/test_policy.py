"""What a policy's author imports: states in, actions out, a line each, and a file that serves alone."""
import base64
import io
import json
import subprocess
import sys
from pathlib import Path

import linkwork.policy
from linkwork.policy import Action, Camera, _answer

HELLO = {"v": 1, "kind": "hello", "seq": 0, "t": 0, "joints": {"elbow": [1, 0]}, "sensors": {"felt": [1, 2]}, "actuators": {}, "mocap": []}
STATE = {"v": 1, "kind": "state", "seq": 7, "t": 5.5, "time": 0.25, "driver": "person", "fresh": True, "qpos": [1.0, 2.0], "qvel": [3.0], "ctrl": [], "sensordata": [4.0, 5.0, 6.0]}


def answers(act, *messages):
    out = io.StringIO()
    _answer(act, [json.dumps(one) + "\n" for one in (HELLO, *messages)], out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_an_act_finds_its_numbers_by_name():
    seen = []
    answers(lambda state: seen.append((state.joint("elbow"), state.velocity("elbow"), state.sensor("felt"), state.time, state.driver, state.fresh)), STATE)
    assert seen == [(2.0, 3.0, [5.0, 6.0], 0.25, "person", True)]


def test_each_state_is_answered_whatever_is_wanted():
    (nothing,) = answers(lambda state: None, STATE)
    assert nothing == {"v": 1, "seq": 7, "t": 5.5, "kind": "controls", "controls": {}}
    (dict_of_controls,) = answers(lambda state: {"a": 1}, STATE)
    assert dict_of_controls["controls"] == {"a": 1.0}
    found = answers(lambda state: Action({"a": 1}, {"elbow": 2}, {"hand": ((1, 2, 3), None)}, "success"), STATE)
    assert [one["kind"] for one in found] == ["pose", "joints", "event", "controls"] and found[0]["p"] == [1.0, 2.0, 3.0] and found[0]["q"] is None


def test_a_copy_of_the_file_serves_alone(tmp_path):
    """Without the packages of ours; what is printed does not get among the actions."""
    (tmp_path / "policy.py").write_text(Path(linkwork.policy.__file__).read_text())
    (tmp_path / "mine.py").write_text("from policy import run\n\ndef act(state):\n    print('thinking')\n    return {'a': state.time}\n\nrun(act)\n")
    done = subprocess.run([sys.executable, "-S", str(tmp_path / "mine.py")], input=f"{json.dumps(HELLO)}\n{json.dumps(STATE)}\n", capture_output=True, text=True, check=True, cwd=tmp_path)
    assert json.loads(done.stdout)["controls"] == {"a": 0.25} and done.stderr == "thinking\n"


def test_cameras_are_asked_for_after_each_hello_and_the_newest_picture_is_kept():
    out, seen = io.StringIO(), []
    rgb = base64.b64encode(bytes(range(12))).decode()
    picture = {"number": 3, "time": 0.2, "width": 2, "height": 2, "format": "rgb", "data": rgb}
    lines = (HELLO, STATE, {**STATE, "pictures": {"front": picture}}, STATE, HELLO, STATE)
    _answer(lambda state: seen.append(state.picture("front")), [json.dumps(one) + "\n" for one in lines], out, {"front": Camera(2, 2, 5.0, "rgb")})
    said = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [one["kind"] for one in said] == ["cameras", "controls", "controls", "controls", "cameras", "controls"]
    assert said[0]["cameras"] == {"front": {"width": 2, "height": 2, "rate": 5.0, "format": "rgb"}}
    assert seen[0] is None and seen[1] == seen[2] and seen[1].number == 3 and seen[1].array().tolist() == [[[0, 1, 2], [3, 4, 5]], [[6, 7, 8], [9, 10, 11]]] and seen[3] is None
