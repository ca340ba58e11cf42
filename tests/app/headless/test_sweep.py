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
