"""Goals: what they look at, what they are worth, and what is none."""
import math

import numpy as np
import pytest

from app.studies.goal import Goal, GoalError

TIME = np.array([0.0, 1.0, 2.0, 3.0])
VALUES = {"a": np.array([1.0, 4.0, 2.0, 8.0]), "b[0]": np.array([0.0, 0.0, 1.0, 1.0])}


@pytest.mark.parametrize("text,value", [
    ("last(a)", 8.0), ("-max(a) / 2", -4.0), ("last(a) - 0.5 * min(a) + 2 ** 3", 15.5), ("integral(b[0])", 1.5), ("abs(min(a) - max(a))", 7.0), ("mean( a )", 3.5), ("holds(b[0])", 1.0),
])
def test_a_goal_is_arithmetic_on_reductions(text, value):
    assert Goal(text).value(TIME, VALUES) == pytest.approx(value)


def test_what_comes_after_the_stop_does_not_count():
    goal = Goal("max(a)", stop="b[0]")
    assert goal.value(TIME, VALUES) == 4.0 and goal.expressions == ("a", "b[0]")     # the state that meets it is the last one
    assert Goal("last(a)", stop="c").value(TIME, {"a": VALUES["a"], "c": np.full(4, np.nan)}) == 8.0


@pytest.mark.parametrize("text", ["1 / (last(a) - 8)", "sqrt(min(b[0]) - 1)", "(min(b[0]) - 1) ** 0.5", "log(min(b[0]))"])
def test_what_is_no_number_is_none(text):
    assert math.isnan(Goal(text).value(TIME, VALUES))


@pytest.mark.parametrize("text,said", [
    ("qpos[0]", "'qpos[0]' is no number of a run: write one of min(...)"), ("last(a", "was never closed"), ("__import__('os')", "is no number of a run"), ("last(a, b)", "is no number"),
    ("'x'", "is no number"), ("True and last(a)", "is no number"),
])
def test_what_is_no_goal_is_told(text, said):
    with pytest.raises(GoalError, match=".") as why:
        _ = Goal(text).expressions
    assert said in str(why.value)


def test_better_is_by_the_sense_and_no_number_is_the_worst():
    assert Goal("1", True).better(2.0, 1.0) and not Goal("1", False).better(2.0, 1.0)
    assert Goal("1").better(1.0, math.nan) and not Goal("1").better(math.nan, 1.0) and not Goal("1").better(math.nan, math.nan)
