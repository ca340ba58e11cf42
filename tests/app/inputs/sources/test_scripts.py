import json
import sys

import pytest

from app.inputs.source import SourceMissing
from app.inputs.sources.scripts import ProcessSource, ScriptSource, make
from tests.app.inputs.sources.collected import running, wait_until

GENERATOR = """
def teleop():
    for k in range(100000):
        yield {"kind": "pose", "p": [0.001 * k, 0, 0], "q": [1, 0, 0, 0]}
"""
FUNCTION = """
def teleop(t):
    return {"kind": "controls", "controls": {"motor": min(t, 1.0)}} if t > 0.02 else None
"""
PROCESS = """
import json, sys
for seq, line in enumerate(sys.stdin):
    told = json.loads(line)
    print(json.dumps({"v": 1, "seq": seq, "t": 0.0, "kind": "controls", "controls": {"motor": told["strength"]}}), flush=True)
"""


@pytest.fixture
def script(tmp_path):
    def write(text):
        path = tmp_path / "wave.py"
        path.write_text(text)
        return f"script:{path}"
    return write


def test_a_generator_drives(script):
    name = script(GENERATOR)
    source = make(name)
    assert isinstance(source, ScriptSource)
    with running(source) as got:
        sample = got.until(lambda s: s.pos is not None and s.pos[0] > 0.005)
        assert sample.source == name and sample.kind == "pose" and source.state.startswith("running: ")


def test_a_function_of_time_drives(script):
    with running(make(script(FUNCTION))) as got:
        sample = got.until(lambda s: s.joints and s.joints["motor"] > 0.03)
        assert sample.kind == "controls" and all(s.joints["motor"] > 0.02 for s in got.samples)


@pytest.mark.parametrize("text, told", [
    ("def teleop():\n    yield {'kind': 'pose'}\n    raise ValueError('wrong way')\n", "ValueError: wrong way (wave.py, line 3)"),
    ("def other():\n    pass\n", "there is no function teleop in it"),
    ("def teleop():\n    yield 3\n", "teleop gives dicts, not int"),
    ("def teleop():\n    yield {'kind': 'pose'}\n", "it has ended"),
])
def test_a_script_that_ends_says_why(script, text, told):
    source = make(script(text))
    source.search_every = 0.01
    with running(source) as got:
        got.until(lambda s: not s.tracked)
        wait_until(lambda: told in source.state)


def test_what_a_script_sends_is_read_strictly(script):
    source = make(script("def teleop(t):\n    return {'kind': 'pose', 'p': [float('nan'), 0, 0]}\n"))
    with running(source) as got:
        wait_until(lambda: source.receiver is not None and source.receiver.refused)
        assert not got.samples


def test_a_process_hears_and_speaks(tmp_path):
    path = tmp_path / "policy.py"
    path.write_text(PROCESS)
    source = ProcessSource("script:policy", [sys.executable, str(path)])
    with running(source) as got:
        wait_until(lambda: source.found)
        source.feedback(0.75, 20)
        assert got.until(lambda s: s.joints).joints == {"motor": 0.75}
        process = source._process
    assert process.poll() is not None, "it was ended"


def test_a_process_that_ends_is_begun_again(tmp_path):
    marks = tmp_path / "marks"
    path = tmp_path / "once.py"
    path.write_text(f"open({str(marks)!r}, 'a').write('x')\n")
    source = ProcessSource("script:once", [sys.executable, str(path)])
    with running(source) as got:
        got.until(lambda s: not s.tracked)
        wait_until(lambda: marks.exists() and len(marks.read_text()) >= 2)


def test_a_process_that_does_not_read_holds_nothing_up():
    source = ProcessSource("script:deaf", [sys.executable, "-c", "import time; time.sleep(100)"])
    with running(source):
        wait_until(lambda: source.found)
        for _ in range(5000):
            source.say({"kind": "haptic", "text": "x" * 100})
    assert json.dumps({}) == "{}"


def test_names():
    with pytest.raises(SourceMissing, match="names no script"):
        make("script")
    with pytest.raises(SourceMissing, match="no such file"):
        make("script:/nowhere/wave.py")
    source = make("script:/no/such/program --fast")
    with running(source):
        wait_until(lambda: "cannot run /no/such/program" in source.state)
