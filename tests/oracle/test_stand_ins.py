"""The models of ours that take the place of the corpus's: they agree with the official engine, and are what they stand in for."""
import json
from pathlib import Path

import mujoco
import pytest

import physics
from tests.oracle import corpus, report
from tests.oracle.corpus import CONTROL, OURS, REPOSITORY, Entry, require_corpus

FOLDER = REPOSITORY / "tests" / "models"
MODELS = sorted(path.name for path in OURS if path.parent == FOLDER)


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.mark.parametrize("name", MODELS)
def test_they_agree_with_the_official_engine(name):
    path = FOLDER / name
    start = "key0" if mujoco.MjModel.from_xml_path(str(path)).nkey else "default"
    row = report.judge(Entry(path.stem, path, "4.0.0", start, CONTROL, {0.02: 1.0}, 0), 3)
    assert row["status"] == "ok" and row["rollout"]["0.02"] <= 1.0, row["why"]


def test_every_model_stands_in_for_something_that_there_is():
    table = json.loads((FOLDER / "stand_ins.json").read_text())
    assert {path for path in table if path.startswith("tests/")} == {f"tests/models/{name}" for name in MODELS}
    assert all((REPOSITORY / path).exists() for path in table)
    folder = require_corpus()
    known = {row.name for row in corpus.read_manifest(folder)}
    missing = [name for names in table.values() for name in names if name not in known and not (folder / name).exists()]
    assert missing == []


def test_without_the_corpus_a_model_of_ours_takes_its_place(monkeypatch, tmp_path):
    monkeypatch.setenv("LINKWORK_CORPUS", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    assert corpus.entry("dmc_walker").path == FOLDER / "planar_walker.xml"
    assert corpus.corpus_file("mj_arm26/arm26.xml") == FOLDER / "muscle_arm.xml"
    with pytest.raises(pytest.skip.Exception, match=corpus.ABSENT):
        corpus.corpus_file("aloha_pot/scene.xml")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match=corpus.ABSENT):
        corpus.corpus_file("mj_arm26/arm26.xml")
    assert Path(corpus.stand_in("humanoid")).name == "humanoid.xml" and corpus.stand_in("nothing") is None


def test_the_last_line_counts_tests_and_files_that_were_skipped_for_want_of_the_corpus():
    why = f"('corpus.py', 36, 'Skipped: {corpus.ABSENT} /nowhere')"
    line = corpus.absent_line([("tests/a.py::one[x]", why), ("tests/a.py::two", why), ("tests/b.py::one", f"{corpus.NO_LIST} x"), ("tests/c.py::one", "no pipes here")])
    assert "3 tests in 2 files were skipped" in line and f"{len(OURS)} models of ours" in line
