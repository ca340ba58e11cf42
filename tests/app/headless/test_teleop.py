"""linkwork teleop: proposals, mappings with mistakes, sources that are missing, a measured run."""
import csv
import json

import pytest

from app import headless
from app.inputs import table
from app.inputs.sample import Sample

MODEL = """<mujoco><worldbody><body name="target" mocap="true"><geom size=".1" contype="0" conaffinity="0"/></body></worldbody></mujoco>"""


class Circle:
    """A source that is there."""

    name, state = "script:circle", "here"

    def start(self, put):
        import threading

        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(put,))
        self._thread.start()

    def _run(self, put):
        import time

        for seq in range(1, 1 << 30):
            if self._end.wait(0.005):
                return
            now = time.perf_counter()
            put(Sample(self.name, seq=seq, t_source=now, t_received=now, axes={"x": 1.0}))

    def stop(self):
        self._end.set()
        self._thread.join()

    def feedback(self, strength, milliseconds, name=""):
        pass


@pytest.fixture
def model(tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return tmp_path / "m.xml"


def test_a_proposal_is_a_mapping_file(model, capsys):
    assert headless.main(["teleop", str(model), "--propose", "--source", "pad:0"]) == 0
    text = capsys.readouterr().out
    assert 'mocap = "target"' in text
    (model.parent / "own.toml").write_text(text)
    from app.inputs.mapping.mapping_file import read

    assert read(model.parent / "own.toml").drives[0].source == "pad:0"


def test_a_run_is_measured(model, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(table, "import_module", lambda name: type("module", (), {"make": staticmethod(lambda name: Circle())}))
    out = tmp_path / "out.csv"
    assert headless.main(["teleop", str(model), "--source", "script:circle", "--time", "1.5", "--measure", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    rows = list(csv.DictReader(out.open()))
    assert told["rows"] == len(rows) > 10 and told["samples"]["script:circle"] > 10
    assert all(float(row["total_ms"]) > 0 for row in rows) and set(told["latency_ms"]["total"]) == {"p50", "p95", "count"}


@pytest.mark.parametrize("text, said", [('[[drive]]\nname = "a"\nsource = "keyboard"\nkind = "mocap"\nspeed = 3\n', "line 5: speed = 3"),
                                        ('[[drive]]\nname = "a"\nsource = "script:x"\nkind = "mocap"\nmocap = "tarket"\n', "mocap = 'tarket'.*did you mean 'target'")])
def test_mistakes_of_a_mapping_are_told(model, text, said, capsys, monkeypatch):
    import re

    monkeypatch.setattr(table, "import_module", lambda name: type("module", (), {"make": staticmethod(lambda name: Circle())}))
    (model.parent / "m.teleop.toml").write_text(text)
    assert headless.main(["teleop", str(model), "--time", "0.1"]) == 2
    assert re.search(said, capsys.readouterr().err)


def test_a_source_that_there_is_not_is_told(model, capsys):
    assert headless.main(["teleop", str(model), "--source", "trackball", "--time", "0.1"]) == 2
    assert "there is no source 'trackball'" in capsys.readouterr().err
    (model.parent / "bare.xml").write_text("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    assert headless.main(["teleop", str(model.parent / "bare.xml")]) == 1
    assert "nothing in this model" in capsys.readouterr().err
