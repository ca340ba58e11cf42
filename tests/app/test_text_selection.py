"""The tag at the cursor selects its element, by its id: never a neighbour's of a text before."""
import pytest

from physics.errors import Place
from physics.model.elements import element

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


def test_in_a_text_that_does_not_run_yet_what_runs_already_is_selected_at_once(bench):
    write(bench, LINES[0], "", *LINES[1:])
    put_cursor(bench, 3)        # at the first, where the second one was
    assert names(bench) == ["first"]
    bench.session.apply()
    bench.pictures()
    assert names(bench) == ["first"]


def test_what_is_written_just_now_is_selected_as_soon_as_it_runs(bench):
    write(bench, *LINES[:3], '  <geom name="third" size=".3"/>', LINES[3])
    put_cursor(bench, 4)
    assert names(bench) == [] and [e.name for e in bench.application.document_selection.elements()] == ["third"]
    bench.session.apply()
    bench.wait(lambda: names(bench))
    assert names(bench) == ["third"]


def test_an_element_that_is_renamed_stays_selected(bench):
    put_cursor(bench, 2)
    model = bench.context.model
    write(bench, LINES[0], LINES[1].replace("first", "renamed"), *LINES[2:])
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not model)
    bench.wait(lambda: names(bench))
    assert names(bench) == ["renamed"]


def test_what_the_user_selects_meanwhile_stays_selected(bench):
    bench.application.document_selection.elements()
    write(bench, LINES[0], "", *LINES[1:])
    put_cursor(bench, 3)
    bench.context.select_elements(bench.application.text_selection.elements_at(Place(bench.session.document.key, 4, 3)))
    assert names(bench) == ["second"]
    bench.session.apply()
    bench.taken_up()
    bench.pictures()
    assert names(bench) == ["second"]


def test_marks_stand_where_the_text_is_now(bench):
    put_cursor(bench, 3)
    bench.context.select_elements(bench.application.text_selection.elements_at(Place(bench.session.document.key, 3, 3)))
    write(bench, LINES[0], "", "", *LINES[1:])
    assert [place.line for place in bench.application.places.places] == [5]
    assert bench.application.text_selection.place_of(bench.context.selection.active).line == 5


def test_in_a_text_that_is_no_xml_what_ran_before_is_still_selected(bench):
    bench.application.document_selection.elements()
    write(bench, *LINES[:3], "<")
    put_cursor(bench, 3)
    assert names(bench) == ["second"]
    put_cursor(bench, 4)
    assert names(bench) == ["second"]


def test_an_edit_of_what_is_selected_leaves_the_text_where_it_is(bench):
    write(bench, LINES[0], *LINES[1:3], *[f"  <!-- {k} -->" for k in range(200)], LINES[3])
    bench.session.apply()
    editor = bench.source.editor(bench.session.document.key)
    bench.wait(lambda: bench.source.isVisible() and editor.SendScintilla(editor.SCI_LINESONSCREEN) < 100)
    bench.context.select_elements([element(bench.context.model, "geom", 0)])
    bench.wait(lambda: editor.firstVisibleLine() == 0 and editor.marked_lines() == [2])
    editor.setFirstVisibleLine(100)
    bench.session.write_text(bench.session.document.key, editor.text().replace('size=".1"', 'size=".15"'), "size")
    bench.wait(lambda: bench.context.model.geom_size[0, 0] == .15)
    bench.settled()
    assert editor.firstVisibleLine() == 100 and editor.marked_lines() == [2]
    bench.context.select_elements([element(bench.context.model, "geom", 1)])
    bench.wait(lambda: editor.firstVisibleLine() < 100)
