"""The tag at the cursor selects its element: that of the text that runs, never a neighbour's of the text before."""
import pytest

from physics.errors import Place

LINES = ["<mujoco><worldbody>", '  <geom name="first" size=".1"/>', '  <geom name="second" size=".2"/>', "</worldbody></mujoco>"]


@pytest.fixture
def bench(workbench, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text("\n".join(LINES))
    return workbench(path)


def put_cursor(bench, line):
    bench.application.places.cursor_moved.emit(Place(bench.session.document.key, line, 3))


def names(bench):
    return [what.name for what in bench.context.selection.elements]


def write(bench, *lines):
    bench.session.set_text(bench.session.document.key, "\n".join(lines))


def test_the_tag_at_the_cursor_is_selected(bench):
    put_cursor(bench, 2)
    assert names(bench) == ["first"]
    put_cursor(bench, 3)
    assert names(bench) == ["second"]


def test_in_a_text_that_does_not_run_yet_it_is_selected_as_soon_as_that_runs(bench):
    write(bench, LINES[0], "", *LINES[1:])
    put_cursor(bench, 3)        # at the first, where the second one was
    assert names(bench) == []
    bench.session.apply()
    bench.wait(lambda: names(bench))
    assert names(bench) == ["first"]


def test_what_the_user_selects_meanwhile_stays_selected(bench):
    model = bench.context.model
    bench.context.select_elements(bench.application.text_selection.elements_at(Place(bench.session.document.key, 2, 3)))
    write(bench, LINES[0], "", *LINES[1:])
    put_cursor(bench, 3)
    bench.context.select_elements(bench.application.text_selection.elements_at(Place(bench.session.document.key, 3, 3)))
    assert names(bench) == ["second"]
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not model)
    bench.pictures()
    assert names(bench) == ["second"]


def test_a_text_that_was_written_on_since_is_not_looked_up(bench):
    model = bench.context.model
    write(bench, LINES[0], "", *LINES[1:])
    put_cursor(bench, 3)
    write(bench, *LINES[:2], "", "", *LINES[2:])       # the cursor is told of anew a little later
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not model)
    bench.pictures()
    assert names(bench) == []
