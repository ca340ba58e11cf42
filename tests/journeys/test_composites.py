"""Composites, replicates and convex parts by their dialogs, by clicks and keys: what is previewed, what comes of OK, and what takes it back."""
import threading
import time

import numpy as np
import pytest
from PyQt6 import sip
from PyQt6.QtCore import QPoint
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QDialogButtonBox, QMessageBox

from editor.convex.decompose import ConvexError
from editor.convex.part_files import obj_text, write_parts
from editor.edits.patch import Edit, Patch, edit_between
from editor.tree.composite_dialog import CompositeDialog
from editor.tree.convex_dialog import ConvexDialog
from editor.tree.dialogs import MeshDialog
from editor.tree.operations import WAITS
from editor.tree.replicate_dialog import ReplicateDialog
from tests.app.workbench import CTRL, Button, Key
from tests.journeys.hands import choose, click, from_palette, write
from tests.journeys.tree_hands import drop_file, element, menu_on, panel_of, pick, select

TEXT = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="post" pos="0.4 0 0.5">
      <joint name="j"/>
      <geom name="g" type="box" size=".05 .05 .2"/>
    </body>
  </worldbody>
</mujoco>
"""
VERT = np.array([(x, y, z) for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)])
FACE = np.array([(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)])


class Halves:
    """In place of coacd: two boxes, or why not; waits where it is told to until nobody wants them."""

    def __init__(self, missing: str = "", waits: bool = False):
        self.missing, self.waits, self.calls, self.ended = missing, waits, [], False

    def why_not(self) -> str:
        return self.missing

    def __call__(self, vert, face, settings, tell, stopping):
        self.calls.append((len(vert), settings))
        tell("halving")
        while self.waits and not stopping():
            time.sleep(0.01)
        if stopping():
            self.ended = True
            raise ConvexError("given up")
        return [(VERT * (0.5, 1, 1) + (side, 0, 0), FACE) for side in (-0.05, 0.05)]


@pytest.fixture
def build(workbench, tmp_path):
    """build(text): the window on a file with a text, the tree open."""
    def make(text: str = TEXT):
        path = tmp_path / "built.xml"
        path.write_text(text)
        bench = workbench(path, size=(1300, 900))
        panel_of(bench)
        return bench
    return make


def text_of(bench) -> str:
    return bench.session.document.main.text


def running(bench, condition) -> None:
    bench.wait(lambda: bench.context.model is not None and condition(bench.context.model))


def dialog_of(bench, kind):
    """The dialog that has opened."""
    found = []

    def there() -> bool:
        found[:] = [one for one in QApplication.topLevelWidgets() if isinstance(one, kind) and one.isVisible()]
        return bool(found)

    bench.wait(there)
    return found[0]


def previewed(bench, dialog) -> str:
    """What the preview counts, when it is of the settings as they are."""
    bench.wait(lambda: not dialog.preview.busy and dialog.preview.result is not None)
    return dialog.preview.counts.text()


def in_front(bench, window) -> None:
    """There is no window manager here that would do it."""
    window.activateWindow()
    bench.wait(window.isActiveWindow)


def pick_by_key(menu, words: str) -> None:
    """An entry of an open menu, by Return."""
    menu.setActiveAction(next(action for action in menu.actions() if action.text() == words))
    QTest.keyClick(menu, Key.Key_Return)


def ok(bench, dialog) -> None:
    click(dialog.buttons.button(QDialogButtonBox.StandardButton.Ok))
    in_front(bench, bench.window)


def take_back(bench, text: str) -> None:
    """One Ctrl+Z."""
    bench.press_key(Key.Key_Z, modifiers=CTRL, widget=panel_of(bench).tree)
    assert text_of(bench) == text


def pixels(dialog) -> np.ndarray:
    image = dialog.preview.picture.image
    return np.frombuffer(image.constBits().asarray(image.sizeInBytes()), np.uint8).copy()


def test_a_cable_from_the_menu_with_a_live_preview(build):
    bench = build()
    pick(bench, menu_on(bench, element(bench, "worldbody")), "Add", "Composite...")
    dialog = dialog_of(bench, CompositeDialog)
    assert previewed(bench, dialog) == "20 bodies, 19 joints (57 dofs), 20 geoms, 2 sites" and not dialog.preview.problem.isVisible()
    first = pixels(dialog)
    assert len(np.unique(first)) > 20       # something is drawn
    write(bench, dialog.count[0], "6")
    assert previewed(bench, dialog) == "5 bodies, 4 joints (12 dofs), 5 geoms, 2 sites" and dialog.isVisible()
    choose(bench, dialog.root, "Free")
    choose(bench, dialog.form_of, "Helix about z")
    assert previewed(bench, dialog) == "5 bodies, 5 joints (18 dofs), 5 geoms, 2 sites" and not np.array_equal(pixels(dialog), first)
    before, picture = dialog.preview.look, dialog.preview.picture
    QTest.mousePress(picture, Button.LeftButton, pos=picture.rect().center())
    QTest.mouseMove(picture, picture.rect().center() / 2)
    QTest.mouseRelease(picture, Button.LeftButton, pos=picture.rect().center() / 2)
    assert dialog.preview.look.azimuth != before.azimuth
    ok(bench, dialog)
    running(bench, lambda m: m.nbody == 7 and m.nv == 19)
    assert '    <composite type="cable" prefix="cable_" count="6 1 1" curve="cos(s) sin(s) s"' in text_of(bench) and "    </composite>\n" in text_of(bench)
    assert bench.application.document_selection.ids == (element(bench, "composite").id,)
    take_back(bench, TEXT)


def test_kinds_places_and_errors(build):
    bench = build()
    select(bench, element(bench, "joint"))
    bench.host.setFocus()
    from_palette(bench, "Add composite...")
    dialog = dialog_of(bench, CompositeDialog)
    assert dialog.parent_id == element(bench, "body", "post").id       # the body around what was selected
    choose(bench, dialog.root, "Free")
    previewed(bench, dialog)
    assert "free joint" in dialog.preview.problem.text() and not dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()
    choose(bench, dialog.kind, "Particles")
    assert previewed(bench, dialog).startswith("64 bodies, 192 joints (192 dofs)") and dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()
    write(bench, dialog.numbers["spacing"], "0.001")
    previewed(bench, dialog)
    assert "smaller than the geoms' size" in dialog.preview.problem.text() and not dialog.preview.counts.text()
    assert not dialog.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()
    choose(bench, dialog.kind, "Rope")
    click(dialog.switches["plain"], QPoint(8, dialog.switches["plain"].height() // 2))
    assert previewed(bench, dialog) == "11 bodies, 20 joints (20 dofs), 11 geoms"
    ok(bench, dialog)
    running(bench, lambda m: m.nbody == 13)
    assert '<body name="rope_B1"' in text_of(bench) and "<composite" not in text_of(bench)
    take_back(bench, TEXT)


def test_a_document_without_a_world(build):
    bench = build("<mujoco/>\n")
    bench.host.setFocus()
    from_palette(bench, "Add composite...")
    dialog = dialog_of(bench, CompositeDialog)
    previewed(bench, dialog)
    ok(bench, dialog)
    running(bench, lambda m: m.nbody == 21)
    take_back(bench, "<mujoco/>\n")


def test_a_model_that_has_errors_already(workbench, tmp_path):
    path = tmp_path / "built.xml"
    path.write_text(TEXT.replace('name="j"', 'name="j" class="none"'))
    bench = workbench(path, size=(1300, 900), broken=True)
    bench.wait(lambda: bench.session.issues)
    dialog = bench.application.structure.add_composite()
    previewed(bench, dialog)
    assert "errors already" in dialog.preview.problem.text() and "none" in dialog.preview.problem.text() and dialog.preview.picture.image.isNull()
    ok(bench, dialog)
    assert '<composite type="cable"' in text_of(bench)


def test_replicating_and_changing_the_copies(build):
    bench = build()
    post = element(bench, "body", "post")
    select(bench, post)
    pick(bench, menu_on(bench, post), "Replicate...")
    dialog = dialog_of(bench, ReplicateDialog)
    assert previewed(bench, dialog) == "3 bodies, 3 joints (3 dofs), 3 geoms"
    write(bench, dialog.count, "8")
    write(bench, dialog.offset, "0 0 0")
    click(dialog.full)
    assert previewed(bench, dialog) == "8 bodies, 8 joints (8 dofs), 8 geoms" and dialog.euler.value == (0, 0, 45)
    ok(bench, dialog)
    running(bench, lambda m: m.nbody == 9)
    assert '<replicate count="8" euler="0 0 45">' in text_of(bench)
    assert np.allclose(np.linalg.norm(bench.context.model.body_pos[1:, :2], axis=1), 0.4)
    with_eight = text_of(bench)
    pick_by_key(menu_on(bench, element(bench, "replicate")), "Change the copies...")
    dialog = dialog_of(bench, ReplicateDialog)
    write(bench, dialog.count, "4")
    assert previewed(bench, dialog).startswith("4 bodies")
    ok(bench, dialog)
    running(bench, lambda m: m.nbody == 5)
    take_back(bench, with_eight)
    take_back(bench, TEXT)


def test_a_dropped_mesh_is_taken_apart(build, tmp_path):
    bench = build()
    (tmp_path / "block.obj").write_text(obj_text(VERT, FACE))
    (tmp_path / "block_part_001.obj").write_text("kept")
    bench.application.structure.decomposer = halves = Halves()
    assert drop_file(bench, tmp_path / "block.obj", element(bench, "worldbody"))
    dialog = dialog_of(bench, MeshDialog)
    click(dialog.convex, QPoint(8, dialog.convex.height() // 2))
    ok(bench, dialog)
    with_mesh = bench.steady(lambda: text_of(bench))
    dialog = dialog_of(bench, ConvexDialog)
    in_front(bench, dialog)
    write(bench, dialog.parts, "4")
    click(dialog.start)
    bench.wait(lambda: isinstance(dialog.question, QMessageBox) and dialog.question.isVisible())
    assert "block_part_001.obj" in dialog.question.text()
    click(dialog.others)
    in_front(bench, bench.window)
    running(bench, lambda m: m.ngeom == 5)
    assert halves.calls[0][0] == 8 and halves.calls[0][1].parts == 4
    assert (tmp_path / "block_part_001.obj").read_text() == "kept" and (tmp_path / "block_2_part_000.obj").exists() and (tmp_path / "block_2_part_001.obj").exists()
    m = bench.context.model
    assert m.geom_group[m.id("geom", "block")] == 2 and not m.geom_contype[m.id("geom", "block")] and m.geom_group[m.id("geom", "block_part_001")] == 3
    take_back(bench, with_mesh)


def test_giving_up_and_a_missing_package(build, tmp_path):
    (tmp_path / "block.obj").write_text(obj_text(VERT, FACE))
    bench = build(TEXT.replace("  <worldbody>", '  <asset>\n    <mesh name="block" file="block.obj"/>\n  </asset>\n  <worldbody>\n    <geom name="b" type="mesh" mesh="block"/>'))
    before, operations = text_of(bench), bench.application.structure
    operations.decomposer = halves = Halves(waits=True)
    select(bench, element(bench, "geom", "b"))
    pick(bench, menu_on(bench, element(bench, "geom", "b")), "Take apart into convex parts...")
    dialog = dialog_of(bench, ConvexDialog)
    click(dialog.start)
    bench.wait(lambda: dialog.status.text() == "halving" and dialog.running)
    click(dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel))
    bench.wait(lambda: halves.ended)
    in_front(bench, bench.window)
    assert text_of(bench) == before and not list(tmp_path.glob("block_part*"))
    operations.decomposer = Halves("It needs\n\npip install coacd")
    pick_by_key(menu_on(bench, element(bench, "geom", "b")), "Take apart into convex parts...")
    bench.wait(lambda: isinstance(QApplication.activeModalWidget(), QMessageBox))
    box = QApplication.activeModalWidget()
    assert "pip install coacd" in box.text()
    click(box.button(QMessageBox.StandardButton.Ok))


@pytest.fixture
def writing(build, tmp_path, monkeypatch):
    """writing(waits): the window with a dialog of convex parts that begins to put files in place, whose thread waits there: (bench, dialog, the event that lets it go on).
    waits(settle, wait): in place of settle."""
    def make(waits):
        (tmp_path / "block.obj").write_text(obj_text(VERT, FACE))
        bench = build(TEXT.replace("  <worldbody>", '  <asset>\n    <mesh name="block" file="block.obj"/>\n  </asset>\n  <worldbody>\n    <geom name="b" type="mesh" mesh="block"/>'))
        bench.application.structure.decomposer = Halves()
        there, go = threading.Event(), threading.Event()

        def wait() -> bool:
            there.set()
            return go.wait(60)

        monkeypatch.setattr("editor.tree.convex_dialog.write_parts", lambda paths, parts, stopping, settle: write_parts(paths, parts, stopping, lambda: waits(settle, wait)))
        dialog = bench.application.structure.decompose(element(bench, "geom", "b").id)
        in_front(bench, dialog)
        click(dialog.start)
        bench.wait(there.is_set)
        return bench, dialog, go
    return make


def test_giving_up_while_files_are_written_leaves_none(writing, tmp_path):
    bench, dialog, go = writing(lambda settle, wait: wait() and settle())
    before = text_of(bench)
    assert len(list(tmp_path.glob(".block_part_*"))) == 2       # beside their places
    QTest.keyClick(dialog, Key.Key_Escape)
    bench.wait(lambda: dialog_gone(dialog))
    go.set()
    bench.wait(lambda: not list(tmp_path.glob(".block_part_*")))
    in_front(bench, bench.window)
    assert text_of(bench) == before and sorted(path.name for path in tmp_path.glob("*block*")) == ["block.obj"]


def test_what_is_put_in_place_already_is_not_given_up(writing, tmp_path):
    bench, dialog, go = writing(lambda settle, wait: settle() and wait())
    QTest.keyClick(dialog, Key.Key_Escape)
    assert dialog.isVisible()
    go.set()
    running(bench, lambda m: m.ngeom == 5)
    assert sorted(path.name for path in tmp_path.glob("*block*")) == ["block.obj", "block_part_000.obj", "block_part_001.obj"]
    assert dialog_gone(dialog)


def test_parts_of_a_mesh_that_is_deleted_meanwhile_do_not_stay(writing, tmp_path):
    bench, dialog, go = writing(lambda settle, wait: settle() and wait())
    said, gone = [], text_of(bench).replace('    <mesh name="block" file="block.obj"/>\n', "").replace('    <geom name="b" type="mesh" mesh="block"/>\n', "")
    bench.application.structure.told.connect(said.append)
    bench.session.edit(edit_between("Delete", bench.session.document.main_key, text_of(bench), gone))
    go.set()
    bench.wait(lambda: dialog_gone(dialog))
    assert sorted(path.name for path in tmp_path.glob("*block*")) == ["block.obj"] and text_of(bench) == gone and "no longer there" in said[-1]


def dialog_gone(dialog) -> bool:
    return sip.isdeleted(dialog) or not dialog.isVisible()


def test_in_a_model_that_is_attached_and_while_a_text_is_broken(build, tmp_path):
    """What is chosen stands in another file: there it is written, and while a text is no XML nothing is opened."""
    leg = '<mujoco model="leg">\n  <worldbody>\n    <body name="thigh" pos="0 0 .5">\n      <geom name="bone" size=".1"/>\n    </body>\n  </worldbody>\n</mujoco>\n'
    (tmp_path / "leg.xml").write_text(leg)
    main = TEXT.replace("  <worldbody>\n", '  <asset><model name="leg" file="leg.xml"/></asset>\n  <worldbody>\n', 1)
    main = main.replace("  </worldbody>", '    <attach model="leg" body="thigh" prefix="l_"/>\n  </worldbody>')
    bench = build(main)
    structure, document, said = bench.application.structure, bench.session.document, []
    structure.told.connect(said.append)
    child = str(tmp_path / "leg.xml")
    bench.wait(lambda: child in document.files())
    thigh = next(one.id for one in document.version().trees()[1].walk() if one.name == "thigh")
    bench.application.document_selection.select((thigh,))
    dialog = structure.add_composite()
    assert dialog.parent_id == thigh
    previewed(bench, dialog)
    ok(bench, dialog)
    assert "<composite" in document.files()[child].text and text_of(bench) == main
    bench.session.undo()
    bone = next(one.id for one in document.version().trees()[1].walk() if one.name == "bone")     # the body is attached by its name
    bench.application.document_selection.select((bone,))
    dialog = structure.replicate()
    assert previewed(bench, dialog) == "3 geoms"
    ok(bench, dialog)
    assert '<replicate count="3"' in document.files()[child].text and text_of(bench) == main
    bench.session.undo()
    assert document.files()[child].text == leg
    at = main.index("</worldbody>")
    bench.session.edit(Edit("typed", (Patch(document.main_key, at, at + 1, ""),)))
    said.clear()
    assert structure.add_composite() is None and structure.replicate() is None and said == [structure.why_broken] * 2 and WAITS in said[0]
