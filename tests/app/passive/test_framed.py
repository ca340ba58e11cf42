"""Charts of a script: what their axes show."""
import numpy as np
import pytest

from app.passive.framed import Figure, Rect, checked_image, rect_of


def test_axes_show_all_that_there_is_or_what_is_asked_for():
    figure = Figure()
    assert figure.ranges() == ((0.0, 1.0), (0.0, 1.0))
    figure.line("a", [0, 2], [3, 3])
    assert figure.ranges() == ((0.0, 2.0), (2.5, 3.5))
    figure.line("a", [0, 4], [1, np.nan])       # in place of the other; what is no number is left out
    assert len(figure.lines) == 1 and figure.ranges() == ((-0.5, 0.5), (0.5, 1.5))
    figure.x_range, figure.extend = (0.0, 10.0), False
    assert figure.ranges()[0] == (0.0, 10.0)
    figure.extend = True
    figure.line("b", [12], [-2])
    assert figure.ranges() == ((0.0, 12.0), (-2.0, 1.0))
    figure.bars = True
    assert figure.ranges()[1] == (-2.0, 1.0)
    figure.clear()
    assert not figure.lines


def test_a_kept_figure_does_not_change():
    figure = Figure()
    figure.line("", [0], [0])
    figure.line("", [1], [1])       # without a name: beside the first
    kept = figure.kept()
    figure.lines[0].points[:] = 9
    figure.line("c", [1], [1])
    assert len(kept.lines) == 2 and kept.lines[0].points.tolist() == [[0, 0]] and kept.lines[0].rgb != kept.lines[1].rgb


def test_rectangles_and_pictures():
    rect, pixels = checked_image((1, 2, 4, 3), np.zeros((3, 4, 3), np.uint8)[::-1])
    assert rect == Rect(1, 2, 4, 3) and pixels.flags.c_contiguous
    with pytest.raises(ValueError, match="nothing in it"):
        rect_of((0, 0, 3, 0))
