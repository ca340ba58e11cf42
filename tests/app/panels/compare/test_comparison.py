"""Figures of a course, by numbers that are known beforehand."""
from math import inf, isnan, nan

import numpy as np
import pytest

from app.panels.compare.comparison import HEADS, Course, Figures, figures_of, texts_of
from physics.tuning.measured import Touch


def touch(begin, end, before, after):
    return Touch(begin, end, before, after, 1e-3, 20.0, 1.0, -0.1, 5)


def test_figures_are_those_of_the_course_since_it_began():
    time = np.arange(6.0)
    course = Course(time, np.array([nan, 1e-3, 2e-3, nan, 1e-3, 1e-3]), np.array([0.0, 50.0, 30.0, 0.0, 10.0, 9.81]), np.array([9.0, 8.0, 7.0, 6.5, 6.25, 6.0]),
                    (touch(1.0, 3.0, -2.0, 1.0), touch(4.0, inf, -1.0, nan)), 1e-3)
    assert figures_of(course) == Figures(1e-3, 50.0, 3.0, 1, 0.5)
    later = figures_of(course.since(2.0))
    assert later.largest_force == 30.0 and later.energy_loss == 1.0 and later.bounces == 0 and isnan(later.restitution)
    assert list(texts_of(figures_of(course))) == ["1 mm", "50 N", "3 J", "1", "0.500"] and len(HEADS) == 5


def test_nothing_is_told_of_what_is_not_known():
    nothing = Course(*(np.zeros(0) for _ in range(4)))
    assert set(texts_of(figures_of(nothing))) == {"–"}
    apart = Course(np.arange(2.0), np.full(2, nan), np.zeros(2), np.array([3.0, 3.0]))
    assert list(texts_of(figures_of(apart))) == ["–", "–", "0 J", "–", "–"]
    assert figures_of(apart).energy_loss == pytest.approx(0.0)
