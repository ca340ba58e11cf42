"""What is selected in the view and in the document: copies, attached models, files that are included."""
import pytest

from tests.physics.compiler.test_links import CHILD, MAIN, PART


@pytest.fixture
def bench(workbench, tmp_path):
    for name, text in (("main.xml", MAIN), ("leg.xml", CHILD), ("part.xml", PART)):
        (tmp_path / name).write_text(text)
    return workbench(tmp_path / "main.xml")


def select(bench, *names):
    from physics.model.elements import element

    m = bench.context.model
    bench.context.select_elements([element(m, kind, m.id(kind, name)) for kind, name in names])
    return bench.application.document_selection


def test_a_copy_in_the_view_leads_to_its_pattern(bench):
    chosen = select(bench, ("body", "post-2"))
    assert [e.name for e in chosen.elements()] == ["post"] and chosen.banner() == "Copy 3 of 3 copies made by replicate; edits change all"
    assert [item.name for item in chosen.items_of(chosen.ids[0])] == ["post-0", "post-1", "post-2"]
    assert [place.line for place in bench.application.places.places] == [chosen.elements()[0].place.line]


def test_the_same_line_stands_in_properties_at_the_gizmo_and_in_the_tree(bench):
    from PyQt6.QtTest import QTest

    from tests.app.workbench import SHIFT, Key

    chosen = select(bench, ("body", "post-2"))
    bench.pictures(2)
    QTest.keyClick(bench.host, Key.Key_G, SHIFT)
    bench.pictures(2)
    strip, tree = bench.viewport.tools.active.strip, bench.panel("document")
    bench.wait(lambda: tree.banner.isVisible())
    properties = bench.panel("properties")
    bench.wait(lambda: properties.seen and properties.filled)
    assert tree.banner.text() == strip.note.text() == properties.banner.text() == chosen.banner() == "Copy 3 of 3 copies made by replicate; edits change all"
    key = bench.session.document.main_key
    bench.session.set_text(key, MAIN.replace('name="floor"', 'name="floor'))
    assert bench.session.document.version().root is None and chosen.banner() == tree.banner.text()      # goes on while the text is no XML
    bench.session.set_text(key, MAIN)
    bench.panel("document")
    select(bench, ("geom", "floor"))
    bench.wait(lambda: not tree.banner.isVisible())
    bench.pictures(2)
    assert "copies" not in strip.note.text()


def test_a_pattern_in_the_text_selects_all_copies(bench):
    chosen = select(bench, ("body", "post-2"))
    post = chosen.ids
    chosen.select(())
    chosen.select(post)
    assert [item.name for item in bench.context.selection.elements] == ["post-0", "post-1", "post-2"]


def test_going_to_the_text_of_one_copy_leaves_that_one_selected(bench):
    chosen = select(bench, ("body", "post-2"))
    bench.application.places.cursor_moved.emit(chosen.elements()[0].place)
    assert [item.name for item in bench.context.selection.elements] == ["post-2"]
    bench.application.places.cursor_moved.emit(bench.application.text_selection.place_of(chosen.items_of(select(bench, ("geom", "floor")).ids[0])[0]))
    assert [item.name for item in bench.context.selection.elements] == ["floor"]


def test_what_is_attached_leads_to_its_own_file_which_is_open(bench, tmp_path):
    chosen = select(bench, ("joint", "r_hip"))
    element, = chosen.elements()
    assert element.origin.file == str(tmp_path / "leg.xml") in bench.session.document.files()
    assert "attached from leg.xml" in chosen.banner() and "also attached in" in chosen.banner()
    assert bench.application.places.places == (element.place,)


def test_an_edit_of_an_attached_file_keeps_ids_and_selection(bench, tmp_path):
    chosen = select(bench, ("joint", "r_hip"))
    ids, key = chosen.ids, str(tmp_path / "leg.xml")
    bench.session.set_text(key, CHILD.replace('name="hip"', 'name="hip" damping="3"'))
    bench.session.apply()
    bench.wait(lambda: bench.context.model.dof_damping[bench.context.model.jnt_dofadr[bench.context.model.id("joint", "r_hip")]] == 3)
    assert chosen.ids == ids and chosen.elements()[0].attrs["damping"] == "3" and len(chosen.items_of(ids[0])) == 2


def test_an_included_file_is_told(bench):
    assert select(bench, ("body", "inner")).banner().startswith("In the included file part.xml, line ")


def test_a_model_that_is_broken_for_a_while_keeps_what_is_selected(bench):
    chosen = select(bench, ("body", "post-1"))
    ids, key = chosen.ids, bench.session.document.key
    bench.session.set_text(key, MAIN.replace("</mujoco>", ""))
    bench.session.apply()
    bench.wait(lambda: bench.session.issues)
    assert chosen.ids == ids and "leg.xml" in "".join(bench.session.document.files()) and chosen.items_of(ids[0])
    bench.session.set_text(key, MAIN)
    bench.session.apply()
    bench.wait(lambda: not bench.session.issues)
    assert chosen.ids == ids and chosen.elements()[0].name == "post"


def test_looking_up_thousands_of_copies_takes_no_time(workbench, tmp_path):
    import time

    path = tmp_path / "many.xml"
    path.write_text('<mujoco><worldbody><replicate count="2000" offset=".1 0 0"><body name="b"><geom name="g" size=".01"/></body></replicate></worldbody></mujoco>')
    bench = workbench(path)
    chosen = select(bench, ("geom", "g0007"))
    begun = time.process_time()
    for _ in range(100):
        assert chosen.id_of(bench.context.selection.elements[0]) == chosen.ids[0]
    assert time.process_time() - begun < 0.1 and len(chosen.items_of(chosen.ids[0])) == 2000


def test_a_text_that_the_window_reads_while_it_is_compiled_has_one_id_for_each_element(workbench, tmp_path):
    for name, text in (("main.xml", MAIN), ("leg.xml", CHILD), ("part.xml", PART)):
        (tmp_path / name).write_text(text)
    bench = workbench()
    bench.session.open(tmp_path / "main.xml", run=False)
    before = {e.id for e in bench.session.document.version().root.walk()}      # the compiler is at it
    bench.wait(lambda: bench.context.model is not None and "post-1" in bench.context.model.names["body"] and not bench.session.loading)
    chosen = select(bench, ("body", "post-1"), ("joint", "l_hip"))
    assert {e.name for e in chosen.elements()} == {"post", "hip"} and chosen.ids[0] in before


def test_of_unnamed_elements_in_another_order_the_same_one_stays_selected(workbench, tmp_path):
    (tmp_path / "m.xml").write_text('<mujoco><worldbody><body>\n<geom size=".1"/>\n<geom size=".2"/>\n<geom size=".3"/>\n</body></worldbody></mujoco>')
    bench = workbench(tmp_path / "m.xml")
    version = bench.session.document.version()
    first = next(one for one in version.root.walk() if one.attrs.get("size") == ".1")
    bench.application.document_selection.select((first.id,))
    assert [one.id for one in bench.context.selection.elements] == [0]
    bench.application.structure.nudge(1)
    bench.wait(lambda: bench.context.model.geom_size[1, 0] == 0.1)
    bench.settled()
    assert [one.id for one in bench.context.selection.elements] == [1] and bench.application.document_selection.ids == (first.id,)
