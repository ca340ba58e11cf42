"""A text chooses the engine and the hard engine's options, and keeps them when it is written."""
import pytest

import physics
from physics.enums import Engine
from physics.fields.hard_options import HARD_OPTIONS

TEXT = """<mujoco>
 <custom>
  <text name="linkwork_engine" data="%s"/>
  <numeric name="linkwork_hard" data="%s"/>
 </custom>
</mujoco>"""


def options(m) -> list:
    return [getattr(m, option.field) for option in HARD_OPTIONS]


def test_nothing_written():
    m = physics.load_string("<mujoco/>")
    assert m.opt.engine == Engine.SOFT and options(m) == [option.usual for option in HARD_OPTIONS]
    assert "custom" not in physics.to_mjcf(m)


def test_what_the_text_chooses():
    m = physics.load_string(TEXT % ("hard", "1e-6 1e-5 .001 30 2 1"))
    assert m.opt.engine == Engine.HARD and options(m) == [1e-6, 1e-5, 1e-3, 30, 2, 1]
    m = physics.load_string(TEXT % ("soft", "1e-6"))
    assert m.opt.engine == Engine.SOFT and options(m) == [1e-6, *(option.usual for option in HARD_OPTIONS[1:])]


@pytest.mark.parametrize("source", ["<mujoco/>", TEXT % ("hard", "1e-6 1e-5 0 30"), TEXT % ("soft", "1e-8 1e-8 .001 50 4 4")])
@pytest.mark.parametrize("engine", Engine)
@pytest.mark.parametrize("values", [(1e-8, 1e-8, 0.0, 50, 4, 4), (1e-8, 1e-8, 0.0, 50, 4, 0), (1e-5, 2e-7, 0.01, 7, 0, 1)])
def test_written_as_it_is(source, engine, values):
    """Whatever the text said first: what holds in the Model is what its text says when it is written."""
    m = physics.load_string(source)
    m.opt.engine = engine
    for option, value in zip(HARD_OPTIONS, values):
        setattr(m, option.field, value)
    again = physics.load_string(physics.to_mjcf(m))
    assert again.opt.engine == engine and tuple(options(again)) == values


@pytest.mark.parametrize(("word", "numbers", "line", "column", "said"), [
    ("rigid", "1e-8", 3, 38, "there is no engine 'rigid'.*one of soft, hard"), ("hard", "0", 4, 39, "hard_rtol takes numbers from 1e-14 to 1, not 0"),
    ("hard", "1e-8 1e-8 0 50 2.5", 4, 39, "hard_looks is a whole number, not 2.5"), ("hard", "1e-8 1e-8 1e-15", 4, 39, "hard_kappa is 0 or at least 1e-12 J"),
    ("hard", "1 1 0 1 1 1 1", 4, 39, "7 numbers, the hard engine has 6.*rtol ktol kappa iterations looks halvings"),
])
def test_wrong_values_are_told_with_their_place(word, numbers, line, column, said):
    with pytest.raises(physics.ModelError, match=said) as raised:
        physics.load_string(TEXT % (word, numbers))
    (issue,) = raised.value.issues
    assert (issue.place.line, issue.place.column) == (line, column)
