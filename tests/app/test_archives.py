"""A model in an archive in the window: it runs and is drawn, its texts are only read, it is followed on the disk and unpacked by Save As."""
import os
import zipfile

import pytest
from PyQt6.QtCore import QMimeData, QPointF, Qt, QUrl
from PyQt6.QtGui import QDropEvent
from PyQt6.QtWidgets import QMessageBox

MODEL = """<mujoco>
  <include file="parts/floor.xml"/>
  <asset><mesh name="rock" file="meshes/rock.obj"/></asset>
  <worldbody><light pos="0 0 3"/><body name="rock" pos="0 0 1"><freejoint/><geom name="rock" type="mesh" mesh="rock" rgba="1 0 0 1" contype="0" conaffinity="0"/></body></worldbody>
</mujoco>"""
FLOOR = '<mujoco>\r\n<worldbody><geom name="floor" type="plane" size="2 2 .1"/></worldbody></mujoco>'
ROCK = "v 0 0 0\nv .4 0 0\nv 0 .4 0\nv 0 0 .4\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def pack(path, model=MODEL):
    new = path.with_name("new")
    with zipfile.ZipFile(new, "w") as archive:
        for name, text in (("rock/model.xml", model), ("rock/parts/floor.xml", FLOOR), ("rock/meshes/rock.obj", ROCK)):
            archive.writestr(name, text)
    os.replace(new, path)
    return path


@pytest.fixture
def bench(workbench, tmp_path):
    return workbench(pack(tmp_path / "rock.zip"), size=(700, 420), running=True)


def test_it_runs_and_is_drawn(bench):
    bench.wait(lambda: bench.snapshot.running and bench.snapshot.qpos[2] < 0.9)
    bench.pictures()
    picture = bench.viewport.image()
    reds = sum(picture.pixelColor(x, y).red() > 60 + picture.pixelColor(x, y).green() for x in range(0, picture.width(), 3) for y in range(0, picture.height(), 3))
    assert reds > 20
    assert bench.context.model.names["geom"] == ("floor", "rock")


def test_it_says_that_it_is_read_only(bench, tmp_path):
    inside = tmp_path / "rock.zip" / "rock"
    assert bench.window.windowTitle() == "rock.zip (read only) - Linkwork" and bench.session.path == tmp_path / "rock.zip"
    bench.wait(lambda: bench.source.editor().text() == MODEL)
    assert bench.source.editor(str(inside / "parts" / "floor.xml")).text() == FLOOR
    editor = bench.source.editor()
    editor.setCursorPosition(0, 0)
    bench.qtbot.keyClicks(editor, "x")
    assert editor.isReadOnly() and editor.text() == MODEL and not bench.session.modified
    assert "Read only, from rock.zip" in bench.source._status.text() and bench.logged("rock.zip is an archive")
    assert bench.settings.get("files/recent")[0] == str(tmp_path / "rock.zip")


def test_a_new_archive_in_its_place_is_taken_and_a_broken_one_is_not(bench, tmp_path):
    pack(tmp_path / "rock.zip", MODEL.replace('name="rock" pos', 'name="stone" pos'))
    bench.wait(lambda: bench.context.model.names["body"] == ("world", "stone"))
    bench.wait(lambda: "stone" in bench.source.editor().text())
    model = bench.context.model
    pack(tmp_path / "rock.zip", MODEL.replace('mesh="rock"', 'mesh="stone"'))
    bench.wait(lambda: bench.session.issues)
    issue = bench.session.issues[0]
    assert issue.place.file == str(tmp_path / "rock.zip" / "rock" / "model.xml") and bench.context.model is model
    assert bench.source.editor(issue.place.file).message_at(issue.place.line - 1, issue.place.column)
    (tmp_path / "rock.zip").write_bytes(b"PK\x03\x04 nothing")
    bench.wait(lambda: any("archive" in issue.what for issue in bench.session.issues))
    assert bench.context.model is model and "rock.zip" in bench.application.overlay.problem


def test_reload_starts_afresh(bench):
    bench.wait(lambda: bench.snapshot.qpos[2] < 0.99)
    bench.actions["run"].trigger()
    bench.wait(lambda: not bench.snapshot.running)
    before = bench.context.model
    bench.actions["reload"].trigger()
    bench.wait(lambda: bench.context.model is not before and bench.snapshot.model is bench.context.model and bench.snapshot.time == 0)
    assert bench.snapshot.qpos[2] == bench.context.model.qpos0[2]


def test_save_is_refused_and_unpacking_offered(bench, tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(QMessageBox, "question", lambda _parent, _title, text, *_: asked.append(text) or QMessageBox.StandardButton.No)
    before = (tmp_path / "rock.zip").read_bytes()
    bench.actions["save"].trigger()
    assert "rock.zip is an archive" in asked[0] and bench.logged("Not saved: rock.zip is an archive") and (tmp_path / "rock.zip").read_bytes() == before
    (tmp_path / "out").mkdir()
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    monkeypatch.setattr("app.controllers.files.QFileDialog.getSaveFileName", lambda *_: (str(tmp_path / "out" / "mine.xml"), ""))
    bench.actions["save"].trigger()
    bench.wait(lambda: bench.session.path == tmp_path / "out" / "mine.xml")
    bench.wait(lambda: not bench.session._compiler.busy and str(tmp_path / "out" / "parts" / "floor.xml") in bench.session.document.files())
    editor = bench.source.editor()
    assert editor.text() == MODEL and not editor.isReadOnly() and bench.window.windowTitle() == "mine.xml - Linkwork"
    assert (tmp_path / "out" / "meshes" / "rock.obj").read_text() == ROCK and not bench.session.issues
    editor.replace_text(MODEL.replace('rgba="1 0 0 1"', 'rgba="0 1 0 1"'))
    bench.session.apply()
    bench.wait(lambda: bench.context.model.geom_rgba[1, 1] == 1)
    assert bench.session.save() and "0 1 0 1" in (tmp_path / "out" / "mine.xml").read_text()


def test_where_unpacking_would_overwrite_nothing_happens(bench, tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "rock.obj").write_text("mine")
    assert not bench.session.save_as(tmp_path / "mine.xml")
    assert bench.logged("is in the way") and not (tmp_path / "mine.xml").exists() and bench.session.path == tmp_path / "rock.zip"


def test_it_is_opened_from_the_menu_and_by_dropping(workbench, tmp_path, monkeypatch):
    bench = workbench(size=(700, 420))
    asked = []
    monkeypatch.setattr("app.controllers.files.ask_for_file", lambda *rest: asked.append(rest[3]) or pack(tmp_path / "a.zip"))
    bench.actions["open_file"].trigger()
    bench.wait(lambda: bench.context.model.names["body"] == ("world", "rock"))
    assert "*.zip" in asked[0]
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(pack(tmp_path / "b.mjz", MODEL.replace('name="rock" pos', 'name="stone" pos'))))])
    bench.window.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier))
    bench.wait(lambda: bench.context.model.names["body"] == ("world", "stone"))
    assert bench.window.windowTitle().startswith("b.mjz (read only)")


def test_a_hostile_archive_opens_nothing_and_says_why(workbench, tmp_path):
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as archive:
        archive.writestr("../model.xml", MODEL)
    bench = workbench(tmp_path / "bad.zip", broken=True)
    bench.wait(lambda: bench.session.issues)
    assert bench.context.model is None and "leads outside the archive" in bench.application.overlay.problem
    assert bench.source.problems.count() == 1 and not bench.session.modified
