"""The first start: the card of six gestures, models with pictures, the empty window."""
from pathlib import Path

import pytest
from PyQt6.QtCore import QMimeData, QPointF, Qt, QUrl
from PyQt6.QtGui import QColor, QDropEvent, QImage
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QFileDialog, QLabel, QPushButton, QWidget

from app import thumbnails
from app.dialogs.files import ask_for_file, side_folders
from app.dialogs.models import PATH, bundled_notes, framed
from app.settings import Settings
from assets.locate import bundled_models
from tests.app.workbench import CTRL, NONE, Button, Key

MODEL = "<mujoco><worldbody><light pos='0 0 3'/><body pos='0 0 1'><freejoint/><geom size='.1' rgba='1 0 0 1'/></body></worldbody></mujoco>"


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text(MODEL)
    return path


@pytest.fixture
def bench(workbench, model):
    return workbench(model)


# ---------------------------------------------------------------- the card


def test_the_card_shows_six_gestures_and_goes_for_ever_with_one_click(bench):
    welcome = bench.application.welcome
    welcome.begin()
    bench.context.first_frame.emit()
    card = welcome.card
    assert card.isVisible() and bench.viewport.rect().contains(card.geometry())
    texts = " ".join(label.text() for label in card.findChildren(QLabel))
    assert all(word in texts for word in ("Look around", "Move the view", "Come closer", "Select", "Pull", "Run and pause"))
    before = bench.application.view_control.camera
    QTest.mouseClick(card, Button.LeftButton, NONE, card.rect().center())
    assert not card.isVisible() and bench.application.view_control.camera == before and not bench.snapshot.running
    bench.settings.save()
    assert not Settings(str(Path(bench.settings._store.path))).get("window/first_steps")


def test_a_card_that_was_put_away_comes_back_only_when_asked_for(workbench, model):
    bench = workbench(model)
    bench.settings.set("window/first_steps", False)
    bench.application.welcome.begin()
    bench.context.first_frame.emit()
    assert bench.application.welcome.card is None
    bench.actions["first_steps"].trigger()
    card = bench.application.welcome.card
    assert card.isVisible()
    for size in ((700, 500), (520, 640)):
        bench.window.resize(*size)
        bench.wait(lambda: bench.viewport.rect().contains(card.geometry()))
        parts = [part.geometry() for part in card.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)]
        assert not any(one.intersects(other) for i, one in enumerate(parts) for other in parts[:i]) and all(card.rect().contains(part) for part in parts)


def test_the_view_beside_the_card_works_as_ever(bench):
    bench.actions["first_steps"].trigger()
    before = bench.application.view_control.camera
    bench.drag(QPointF(30, 30), QPointF(60, 40), QPointF(90, 50))
    assert bench.application.view_control.camera != before and bench.application.welcome.card.isVisible()


# ---------------------------------------------------------------- pictures


def test_a_picture_is_kept_of_a_model_that_was_seen(bench, model):
    bench.pictures()
    bench.application.welcome.taker.take()
    bench.wait(lambda: thumbnails.picture_of(model) is not None)
    image, place = thumbnails.picture_of(model), thumbnails.place_of(model)
    assert image.size() == thumbnails.SIZE and place.stat().st_size < 200_000 and not list(place.parent.glob(".*.tmp"))
    assert len({image.pixel(x, 100) for x in range(0, 320, 8)}) > 1     # the model, not a plain ground


def test_a_picture_is_taken_by_itself_after_a_while_once_for_each_model(bench, model, tmp_path):
    taker = bench.application.welcome.taker
    taker._timer.setInterval(50)
    taken = []
    taker.taken.connect(taken.append)
    other = tmp_path / "other.xml"
    other.write_text(MODEL)
    bench.session.open(other)
    bench.wait(lambda: taken == [other])
    bench.session.set_text(bench.session.document.key, MODEL.replace("size='.1'", "size='.2'"))
    bench.session.apply()
    bench.wait(lambda: bench.context.model.geom_size[0, 0] == .2)
    bench.qtbot.wait(200)
    assert taken == [other] and thumbnails.picture_of(tmp_path / "nowhere.xml") is None


def test_pictures_without_a_place_are_no_trouble(monkeypatch, tmp_path):
    def refuse():
        raise OSError("no cache")

    image = QImage(64, 64, QImage.Format.Format_RGB32)
    image.fill(QColor("red"))
    monkeypatch.setattr("app.thumbnails.cache_dir", refuse)
    assert not thumbnails.keep(tmp_path / "m.xml", image) and thumbnails.picture_of(tmp_path / "m.xml") is None
    monkeypatch.setattr("app.thumbnails.cache_dir", lambda: str(tmp_path))
    assert thumbnails.keep(tmp_path / "m.xml", image) and not thumbnails.keep(tmp_path / "n.xml", QImage())
    thumbnails.place_of(tmp_path / "m.xml").write_bytes(b"damaged")
    assert thumbnails.picture_of(tmp_path / "m.xml") is None


def test_old_pictures_are_forgotten(monkeypatch, tmp_path):
    monkeypatch.setattr("app.thumbnails.cache_dir", lambda: str(tmp_path))
    monkeypatch.setattr("app.thumbnails.MOST", 3)
    image = QImage(64, 64, QImage.Format.Format_RGB32)
    image.fill(QColor("red"))
    for i in range(6):
        assert thumbnails.keep(tmp_path / f"{i}.xml", image)
    assert len(list((tmp_path / "thumbnails").glob("*.png"))) == 3 and thumbnails.picture_of(tmp_path / "5.xml") is not None


# ---------------------------------------------------------------- choosing a model


def names(shelf) -> list[str]:
    return [item.text() for item in shelf.shown()]


def test_file_open_shows_recent_and_bundled_models(bench, model):
    bench.settings.set("files/recent", [str(model), "/gone/away.xml", str(bundled_models()[0])])
    bench.press_key(Key.Key_O, CTRL)
    dialog = bench.application.program_control.open_model_dialog
    bench.wait(dialog.isVisible)
    dialog.activateWindow()
    bench.wait(dialog.models.search.hasFocus)
    assert names(dialog.models.recent) == ["m"] and set(names(dialog.models.bundled)) == {path.stem for path in bundled_models()}
    QTest.keyClicks(dialog.models.search, "pendul")
    assert names(dialog.models.bundled) == ["double_pendula", "pendulum"] and not dialog.models.recent.isVisibleTo(dialog)
    QTest.keyClick(dialog.models.search, Qt.Key.Key_Down)
    bench.wait(lambda: dialog.models.bundled.currentItem() is not None)
    QTest.keyClick(dialog.models.bundled, Qt.Key.Key_Right)
    QTest.keyClick(dialog.models.bundled, Qt.Key.Key_Return)
    bench.wait(lambda: bench.session.path is not None and bench.session.path.name == "pendulum.xml" and bench.context.model.title == "pendulum")
    assert not dialog.isVisible()


def test_a_model_is_opened_by_one_click(bench, model):
    bench.actions["open"].trigger()
    dialog = bench.application.program_control.open_model_dialog
    shelf = dialog.models.bundled
    item = next(item for item in shelf.shown() if item.text() == "cartpole")
    chosen = []
    dialog.chosen.connect(chosen.append)
    shelf.scrollToItem(item)
    QTest.mouseClick(shelf.viewport(), Button.LeftButton, NONE, shelf.visualItemRect(item).center())
    assert chosen == [item.data(PATH)] and "slide" in item.toolTip()
    bench.wait(lambda: bench.session.path is not None and bench.session.path.name == "cartpole.xml")


def test_browse_asks_for_any_file(bench, monkeypatch, tmp_path):
    other = tmp_path / "other.xml"
    other.write_text(MODEL)
    monkeypatch.setattr("app.controllers.files.ask_for_file", lambda *_: other)
    bench.actions["open"].trigger()
    dialog = bench.application.program_control.open_model_dialog
    QTest.mouseClick(dialog.browse_button, Button.LeftButton)
    bench.wait(lambda: bench.session.path == other)
    assert not dialog.isVisible() and bench.settings.get("files/folder") == str(tmp_path)


def test_every_bundled_model_is_described():
    assert set(bundled_notes()) == {path.name for path in bundled_models()}


def test_a_model_without_a_picture_has_its_letters(qapp):
    plain, picture = framed(None, "arm", QApplication.palette(), 2.0), QImage(320, 200, QImage.Format.Format_RGB32)
    picture.fill(QColor("#00ff00"))
    shown = framed(picture, "arm", QApplication.palette(), 2.0).toImage()
    assert plain.width() == 320 and shown.pixelColor(160, 100) == QColor("#00ff00") and shown.pixelColor(0, 0).alpha() == 0     # round corners
    assert len({plain.toImage().pixel(x, 100) for x in range(100, 220)}) > 2


def test_the_file_dialog_offers_folders_and_all_kinds_of_models(qtbot, tmp_path, monkeypatch):
    (tmp_path / "lately").mkdir()
    (tmp_path / "m.lwb").write_bytes(b"x")
    seen = {}

    def answered(dialog):
        seen.update(filters=dialog.nameFilters(), side=[Path(url.toLocalFile()) for url in dialog.sidebarUrls()], mode=dialog.fileMode())
        dialog.selectFile(str(tmp_path / "m.lwb"))
        return True

    monkeypatch.setattr(QFileDialog, "exec", answered)
    from app.controllers.files import MODEL_FILTER

    chosen = ask_for_file(None, "Open model", tmp_path, MODEL_FILTER, [tmp_path / "lately", tmp_path / "gone", tmp_path / "lately"])
    assert chosen == tmp_path / "m.lwb" and seen["side"][0] == tmp_path / "lately" and tmp_path / "gone" not in seen["side"]
    assert all(suffix in seen["filters"][0] for suffix in ("*.xml", "*.mjcf", "*.urdf", "*.zip", "*.mjz", "*.lwb"))
    assert bundled_models()[0].parent in side_folders([])


# ---------------------------------------------------------------- an empty window


@pytest.fixture
def empty(qtbot, tmp_path, monkeypatch):
    """A window with nothing open."""
    import physics
    from app.program import Program

    monkeypatch.setenv("LINKWORK_STATE", str(tmp_path / "state"))
    monkeypatch.setattr("app.thumbnails.cache_dir", lambda: str(tmp_path))
    physics.ensure_kernels()
    program = Program(Settings(str(tmp_path / "settings.ini")))
    application = program.open_window()
    yield application
    application.files.may_leave = lambda: True
    application.window.close()
    qtbot.waitUntil(lambda: not program.windows, timeout=20_000)


def test_an_empty_window_shows_models_and_that_a_file_may_be_dropped(empty, model, qtbot):
    page = empty.welcome.page
    assert page.isVisible() and page.geometry() == empty.viewport.rect()
    assert any("Drop a model here" in label.text() for label in page.findChildren(QLabel)) and names(page.models.bundled)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(model))])
    empty.window.dropEvent(QDropEvent(QPointF(99, 99), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier))
    qtbot.waitUntil(lambda: empty.context.model is not None, timeout=20_000)
    assert not page.isVisible() and empty.session.path == model


def test_a_new_model_begins_from_the_empty_window(empty, qtbot):
    next(button for button in empty.welcome.page.findChildren(QPushButton) if button.text() == "New model").click()
    qtbot.waitUntil(lambda: empty.context.model is not None, timeout=20_000)
    assert empty.session.path is None and not empty.welcome.page.isVisible()


def test_a_file_that_cannot_be_read_leaves_the_choice_with_the_reason(empty, tmp_path):
    assert not empty.session.open(tmp_path / "gone.xml")
    page = empty.welcome.page
    assert page.isVisible() and "gone.xml" in page.problem.text() and page.problem.isVisibleTo(page)
