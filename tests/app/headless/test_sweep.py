"""linkwork sweep: what it prints and writes, going on, recordings of trials, and what it says of wrong files."""
import json

import pytest

from app import headless
from tests.app.studies.conftest import MODEL, STUDY


@pytest.fixture
def study(tmp_path):
    (tmp_path / "cart.xml").write_text(MODEL)
    path = tmp_path / "study.toml"
    path.write_text(STUDY)
    return path


def run(capsys, *arguments):
    code = headless.main(["sweep", *map(str, arguments)])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_study_is_checked_run_gone_on_with_and_a_trial_recorded(study, tmp_path, capsys):
    code, text, _err = run(capsys, study, "--check")
    assert code == 0 and "6 points of 2 numbers, 2 runs of 0.5 s each, by grid" in text and "joint.slide.stiffness: 10, 25, 40" in text and not (tmp_path / "study.results.csv").exists()
    code, text, _err = run(capsys, study, "--workers", "1")
    assert code == 0 and text.startswith("12 runs, 0 of them known before, 0 diverged") and "best: " in text
    code, text, _err = run(capsys, study, "--json")
    found = json.loads(text)
    assert code == 0 and found["known"] == found["done"] == 12 and found["complete"] and set(found["best_values"]) == {"joint.slide.stiffness", "joint.slide.damping"}
    code, text, _err = run(capsys, study, "--trial", "5", "-o", tmp_path / "kept", "--json")
    found = json.loads(text)
    assert code == 0 and found["values"] == {"joint.slide.stiffness": 25.0, "joint.slide.damping": 0.5} and found["seed"] == 1
    assert headless.main(["replay", found["file"], "--check"]) == 0


def test_the_best_are_kept_by_themselves_once(study, tmp_path, capsys):
    study.write_text('keep = {recordings = "best 2", films = "best 1"}\n' + STUDY)
    code, text, err = run(capsys, study, "--workers", "1", "--json")
    found = json.loads(text)
    assert code == 0 and [path.rpartition(".")[2] for path in found["kept"]] == ["h5", "h5", "mp4"], err
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "study.kept").iterdir()}
    assert {str(path) for path in times} == set(found["kept"]) and all(path.stat().st_size > 1000 for path in times)
    best = next(path for path in times if path.suffix == ".mp4").stem
    assert [path for path in times if path.suffix == ".h5" and path.name.startswith(best)]      # the best is among the recordings
    assert headless.main(["replay", found["kept"][0], "--check"]) == 0
    capsys.readouterr()
    code, text, _err = run(capsys, study, "--json")
    assert code == 0 and json.loads(text)["kept"] == [] and {path: path.stat().st_mtime_ns for path in (tmp_path / "study.kept").iterdir()} == times
    study.write_text('keep = {films = "all"}\n' + STUDY)
    code, _text, err = run(capsys, study)
    assert code == 2 and "study.toml:1: [keep] films is a text such as \"best 5\", not 'all'" in err


def test_a_study_that_was_moved_is_the_same(study, tmp_path, capsys):
    assert run(capsys, study, "--workers", "1")[0] == 0
    there = tmp_path / "elsewhere"
    there.mkdir()
    for path in (study, study.with_name("cart.xml"), study.with_name("study.results.csv")):
        path.rename(there / path.name)
    code, text, _err = run(capsys, there / "study.toml", "--known", "--json")
    assert code == 0 and json.loads(text)["known"] == 12
    (there / "cart.xml").write_text(MODEL.replace('mass="1"', 'mass="1.01"'))
    assert json.loads(run(capsys, there / "study.toml", "--known", "--json")[1])["known"] == 0      # another model


def test_progress_for_programs(study, capsys):
    code, text, _err = run(capsys, study, "--workers", "1", "--progress", "--json")
    lines = [json.loads(line) for line in text.splitlines()]
    assert code == 0 and [one["trial"] for one in lines if "trial" in one] == list(range(12)) and lines[-1]["done"] == 12
    assert lines[-2]["progress"] == {"done": 12, "known": 0, "total": 12, "diverged": 0}


@pytest.mark.parametrize("old,new,said", [
    ("minimise", "minimize", "[goal] has either maximise or minimise"), ("joint.slide.damping", "joint.slide.dampnig", "did you mean 'damping'"), ("cart.xml", "car.xml", "there is no such file"),
])
def test_what_is_wrong_is_told(study, capsys, old, new, said):
    study.write_text(STUDY.replace(old, new))
    code, _text, err = run(capsys, study)
    assert code in (1, 2) and said in err, err


def test_a_row_that_is_not_there(study, capsys):
    assert run(capsys, study, "--trial", "3")[0] == 1
    assert run(capsys, study.with_name("none.toml"))[0] == 1
