"""Reading studies: what a file says, and errors with their line."""
import pytest

from app.studies.study import Control, Parameter, Search, Start
from app.studies.study_file import StudyError, read
from tests.app.studies.conftest import STUDY


def test_a_file_is_read(made):
    study, _m = made()
    assert study.vary == (Parameter("joint.slide.stiffness", 10, 40, False, (10, 25, 40)), Parameter("joint.slide.damping", 0.5, 2, False, (0.5, 2)))
    assert study.fixed == (("opt.integrator", 0.0),) and study.start == Start("off", 0.0, 0.1) and study.seeds == 2 and not study.goal.largest
    assert study.search == Search() and study.control == Control() and study.table.name == "study.results.csv" and study.model.name == "cart.xml"


def test_ranges_in_even_ratios_and_controls(made):
    study, _m = made('model = "cart.xml"\nseconds = 1\n[vary]\n"joint.slide.damping" = {from = 0.1, to = 10, steps = 3, scale = "log"}\n'
                     '[control]\nknots = 4\n[search]\nhow = "cem"\ntrials = 12\nseed = 3\n[goal]\nmaximise = "last(qpos[0])"\n')
    assert study.vary[0].numbers == pytest.approx((0.1, 1, 10)) and study.vary[0].log and study.control.knots == 4 and study.search == Search("cem", 12, 0, 0.3, 3)


@pytest.mark.parametrize("old,new,line,said", [
    ("seconds = 0.5", "seconds = -1", 2, "seconds is from 1e-09 to 1e+09, not -1"), ("seeds = 2", "sedes = 2", 3, "sedes is not known; did you mean 'seeds'?"),
    ('key = "off"', "key = 3", 6, "[start] key is the name of a keyframe, not 3"), ("qvel = 0.1", "qvle = 0.1", 7, "qvle is not known"),
    ("steps = 3", "steps = 1", 10, "a range has 2 values or more"), ("from = 10, to = 40", "from = 40, to = 10", 10, "from the lower to the higher"),
    ("[0.5, 2]", "[0.5, 0.5]", 11, "has a number twice"), ("[0.5, 2]", '"soft"', 11, "is a number, a list of numbers"), ("steps = 3", 'steps = 3, scale = "lg"', 10, "scale is linear or log"),
    ("minimise", "minimize", None, "[goal] has either maximise or minimise"), ("max(abs(qvel[0]))", "abs(qvel[0])", 15, "minimise is no goal: 'qvel[0]' is no number of a run"),
    ("seconds = 0.5", 'seconds = 0.5\nengine = "hrad"', 3, "engine is one of soft, hard"), (", steps = 3", "", None, "is a grid, which needs values: give joint.slide.stiffness steps"),
    ('model = "cart.xml"', "", None, "model is missing"), ("seeds = 2", "seeds = ", 3, "Invalid value"), ("[goal]", '[search]\nhow = "gird"\n[goal]', 15, "did you mean 'grid'?"),
    ("[goal]", '[search]\nhow = "cem"\n[goal]', None, "trials is missing"),
])
def test_what_is_wrong_is_told_with_its_line(made, tmp_path, old, new, line, said):
    assert old in STUDY
    (tmp_path / "wrong.toml").write_text(STUDY.replace(old, new))
    with pytest.raises(StudyError) as why:
        read(tmp_path / "wrong.toml")
    assert said in str(why.value) and "wrong.toml" in str(why.value), why.value
    assert line is None or f"wrong.toml:{line}:" in str(why.value), why.value


def test_a_study_in_which_nothing_varies_is_none(made):
    with pytest.raises(StudyError, match="nothing varies"):
        made('model = "cart.xml"\nseconds = 1\n[goal]\nmaximise = "last(qpos[0])"\n')
