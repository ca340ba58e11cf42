"""The command palette: what it finds, in which order, how fast, and what choosing does."""

import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest

from app.actions import ACTIONS
from app.search.entries import Entry, Source
from app.search.fuzzy import letters, score, words_of
from app.search.providers import title_of
from app.search.search import MOST, PIECE, Search
from physics.model.elements import element
from tests.app.workbench import CTRL, NONE, SHIFT

MODEL = """<mujoco model="found">
  <worldbody>
    <camera name="front" pos="0 -3 1" xyaxes="1 0 0 0 .2 1"/>
    <light pos="0 0 3"/>
    <body name="left_foot" pos="0 0 1"><freejoint name="root"/><geom name="sole" size=".1"/></body>
    <body name="right_foot" pos="1 0 1"><joint name="ankle"/><geom size=".1"/><site name="toe"/></body>
  </worldbody>
  <actuator><motor name="push" joint="ankle"/></actuator>
  <keyframe><key name="standing" time="2"/></keyframe>
</mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    path = tmp_path / "found.xml"
    path.write_text(MODEL)
    return workbench(path)


def opened(bench):
    """The palette, opened by its keys."""
    bench.press_key(Qt.Key.Key_P, CTRL | SHIFT)
    palette = bench.application.program_control.palette
    bench.wait(lambda: palette.isVisible() and palette.field.hasFocus())
    return palette


def typed(bench, text: str):
    """The palette with a text typed into it, when all is found."""
    palette = opened(bench)
    QTest.keyClicks(palette.field, text)
    bench.wait(lambda: palette._search.done)
    return palette


def titles(palette) -> list[str]:
    return [entry.title for entry in palette.rows.entries]


def order(query: str, *texts: str) -> list[str]:
    """Texts that fit the query, the best first."""
    words = words_of(query)
    return sorted((t for t in texts if score(words, t.lower())), key=lambda t: -score(words, t.lower()))


def test_words_before_parts_before_scattered_letters():
    assert order("step", "Two steps", "Step", "Misstep", "Step back", "Set the prop") == ["Step", "Step back", "Two steps", "Misstep", "Set the prop"]
    assert order("ow", "Open window", "Borrow") == ["Borrow", "Open window"]
    assert order("nw", "New window", "Engine wheel") == ["New window", "Engine wheel"]
    assert order("foot left", "left_foot", "right_foot") == ["left_foot"]
    assert order("xyz", "Step") == [] and order("", "Step") == ["Step"][:0]


def test_the_letters_that_were_meant_are_known():
    assert letters(("nw",), "New window") == {0, 4} and letters(("step", "back"), "Step back") == {0, 1, 2, 3, 5, 6, 7, 8}


def test_without_a_text_all_actions_are_there(bench):
    palette = opened(bench)
    there = set(titles(palette))
    assert {title_of(row) for row in ACTIONS if row.id != "palette" and not row.id.startswith(("speed_", "steps_"))} <= there and "Panel Log" in there


def test_an_action_is_found_by_letters_and_done_by_enter(bench):
    palette = typed(bench, "run pau")
    assert titles(palette)[0] == "Run / pause" and palette.rows.entries[0].keys == "Space"
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert not palette.isVisible()
    bench.wait(lambda: bench.snapshot.running)
    bench.wait(bench.host.hasFocus)     # the keys went back


def test_a_quick_typist_gets_what_was_typed(bench):
    palette = opened(bench)
    QTest.keyClicks(palette.field, "fit")
    QTest.keyClicks(palette.field, "")
    palette.field.setText("panel log")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert bench.settings.get("palette/recent")[0] == "panel:log"


def test_what_was_done_last_is_first(bench):
    for text in ("panel log", "full screen", "run pau"):
        palette = typed(bench, text)
        if text != "full screen":
            QTest.keyClick(palette.field, Qt.Key.Key_Return)
        else:
            QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    palette = opened(bench)
    assert titles(palette)[:2] == ["Run / pause", "Panel Log"] and titles(palette).count("Run / pause") == 1


def test_everything_has_a_name_by_which_it_is_found(bench):
    for text, first in (("left foot", "left_foot"), ("sole", "sole"), ("toe", "toe"), ("push", "push"), ("standing", "Keyframe standing"), ("camera front", "Camera front"),
                        ("setting colours", "Setting: Colours"), ("joint ankle", "ankle"), ("50 %", "Speed 50 %"), ("pendulum", "pendulum (bundled model)"),
                        ("found.xml", "found.xml")):
        palette = typed(bench, text)
        assert titles(palette)[0] == first
        QTest.keyClick(palette.field, Qt.Key.Key_Escape)
        bench.wait(lambda palette=palette: not palette.isVisible())


def test_choosing_an_element_selects_it(bench):
    palette = typed(bench, "right foot")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert bench.context.selection.bodyid == 2
    typed(bench, "sole")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert bench.context.selection.bodyid == 1


def test_choosing_a_keyframe_and_a_camera(bench):
    palette = typed(bench, "standing")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    bench.wait(lambda: bench.snapshot.time == 2)
    typed(bench, "camera front")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert bench.application.view_control.camera_index() == 0


def test_what_cannot_be_done_says_why_and_stays(bench):
    bench.context.select_body(0)
    palette = typed(bench, "select parent")
    entry = palette.rows.entries[0]
    assert entry.title == "Select parent" and entry.problem == "nothing is selected" and entry.problem in palette.note.text()
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible() and not bench.settings.get("palette/recent")


def test_keys_and_mouse_choose_among_what_was_found(bench):
    palette = typed(bench, "step")
    QTest.keyClick(palette.field, Qt.Key.Key_Down)
    QTest.keyClick(palette.field, Qt.Key.Key_Down)
    assert palette.list.currentIndex().row() == 2
    QTest.keyClick(palette.field, Qt.Key.Key_Up)
    row = next(i for i, entry in enumerate(palette.rows.entries) if entry.title == "Ten steps")
    rect = palette.list.visualRect(palette.rows.index(row))
    QTest.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, NONE, rect.center())
    bench.wait(lambda: bench.snapshot.time == pytest.approx(10 * bench.context.model.opt_timestep))
    assert not palette.isVisible()


def test_a_click_beside_it_puts_it_away(bench):
    palette = opened(bench)
    QTest.mouseClick(bench.host, Qt.MouseButton.LeftButton, NONE, QPoint(bench.host.width() - 5, bench.host.height() - 5))
    assert not palette.isVisible()


def test_nothing_found_is_said(bench):
    palette = typed(bench, "qqqxyzzy")
    assert not palette.rows.entries and "Nothing" in palette.note.text()


def many(count: int) -> Source:
    """A source of so many things."""
    return Source("geom", "Geom", lambda: [f"geom_of_part_{i}" for i in range(count)],
                  lambda i: Entry(f"geom:{i}", f"geom_of_part_{i}", "Geom", lambda: None), lambda key: int(key))


def test_tab_goes_through_the_entries_and_the_keys_stay_in_the_field(bench):
    palette = opened(bench)
    bench.wait(lambda: palette._search.done)
    for key, row in ((Qt.Key.Key_Tab, 1), (Qt.Key.Key_Tab, 2), (Qt.Key.Key_Backtab, 1)):
        QTest.keyClick(palette.field, key)
        assert palette.list.currentIndex().row() == row and palette.field.hasFocus()
    QTest.keyClicks(palette.field, "run pau")
    bench.wait(lambda: palette._search.done)
    assert titles(palette)[0] == "Run / pause"


def test_what_acts_on_the_selection_says_so_where_nothing_is_selected(bench):
    palette = opened(bench)
    needy = {"Hide", "Show alone", "Track with the camera", "Copy name", "Copy path", "Copy pose", "Go to XML", "Select children", "Select parent"}

    def refused() -> set[str]:
        bench.wait(lambda: palette._search.done)
        return {entry.title for entry in palette.rows.entries if entry.problem == "nothing is selected"}

    assert refused() == needy
    QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    bench.context.select_elements((element(bench.context.model, "actuator", 0),))     # of no body's own
    palette.open()
    assert refused() == set()


@pytest.mark.parametrize("query", ["part_49321", "geom part 777", "gp49", "e"])
def test_a_search_in_fifty_thousand_things_goes_in_small_pieces(query):
    search, pieces = Search([many(50_000)], query), 0
    while not search.done:
        search.go_on(0.0)   # one piece
        pieces += 1
        assert len(search.best()) <= MOST
    assert pieces >= 50_000 / PIECE and search.best()
    if query == "part_49321":
        assert [entry.title for entry in search.best()] == ["geom_of_part_49321"]


def test_nothing_is_made_of_what_is_not_shown():
    made = []
    source = many(50_000)
    source.entry = lambda i: made.append(i) or Entry(f"geom:{i}", str(i), "Geom", lambda: None)
    search = Search([source], "part")
    while not search.done:
        search.go_on(0.05)
    assert len(search.best()) == 100 and len(made) <= 400
