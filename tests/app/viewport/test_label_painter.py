"""Labels in the window: readable on any ground, each once, off the boxes of figures."""
import numpy as np
import pytest
from PyQt6.QtGui import QColor, QFont, QFontMetricsF, QIcon, QImage, QPainter

from app.viewport.label_painter import LabelPainter, outlined
from app.windows.icons import icon
from editor.widgets import element_icons
from render.scene.snapshot import Labels
from tests.app.heap import in_use, is_told
from tests.render.stage import FRONT

WIDTH, HEIGHT = 320, 240


def painted(labels, painter_of, ground=(255, 255, 255), blocked=()):
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    image.fill(QColor(*ground))
    pen = QPainter(image)
    painter_of.paint(pen, WIDTH, HEIGHT, labels, FRONT, blocked)
    pen.end()
    bits = image.constBits()
    bits.setsize(image.sizeInBytes())
    return np.frombuffer(bytes(bits), np.uint8).reshape(HEIGHT, WIDTH, 4)[..., 2::-1].astype(int)


@pytest.fixture
def one(qapp):
    labels = Labels()
    labels.put((0, 0, 0), "Größe 7", (1, 1, 1, 1))
    return labels


@pytest.mark.parametrize("ground", [(255, 255, 255), (0, 0, 0), (130, 130, 130)])
def test_text_stands_out_from_any_ground(one, ground):
    picture = painted(one, LabelPainter(), ground)
    changed = (picture != ground).any(-1)
    rows, columns = np.nonzero(changed)
    assert WIDTH / 2 < columns.min() < WIDTH / 2 + 10 and HEIGHT / 2 - 20 < rows.min() < rows.max() <= HEIGHT / 2 + 3   # beside the middle
    assert (np.abs(picture - ground).sum(-1) > 300).sum() > 40   # rim or letters differ strongly


def test_the_same_labels_again_give_the_same_picture_and_need_no_new_images(one):
    painter = LabelPainter()
    first = painted(one, painter)
    images = dict(painter._images)
    assert np.array_equal(painted(one, painter), first) and painter._images == images and len(images) == 1


def test_images_are_not_kept_for_ever(one, monkeypatch):
    monkeypatch.setattr("app.viewport.label_painter.KEPT", 3)
    painter = LabelPainter()
    for i in range(9):
        one.text[0] = f"{i} N"
        painted(one, painter)
    assert len(painter._images) == 3 + 1    # that of the picture itself


@pytest.fixture
def three(qapp):
    labels = Labels()
    for k in range(3):
        labels.put((0, 0.6 * (k - 1), 0.6 * (k - 1)), f"body {k}", (1, 1, 1, 1), key=k)
    return labels


def test_many_new_labels_come_over_several_pictures(three):
    whole = painted(three, LabelPainter())
    painter, seen = LabelPainter(seconds=0.0), []
    for _ in range(4):
        picture = painted(three, painter)
        seen.append(len(painter._images))
        assert painter.unfinished == (len(painter._images) < 3)
    assert seen == [1, 2, 3, 3] and len(painter.places) == 3
    assert np.array_equal(picture, whole)


def test_a_text_that_changes_stays_until_its_image_is_there_and_each_label_has_its_turn(three):
    painter = LabelPainter(seconds=0.0)
    for _ in range(3):
        before = painted(three, painter)
    three.text[:] = [f"joint {k}" for k in range(3)]
    after = painted(three, painter)
    assert painter.unfinished and (after != before).any()
    texts = lambda: sorted(image[0] for image in painter._shown.values())
    assert sorted(text[:5] for text in texts()) == ["body ", "body ", "joint"]
    for n in range(1, 12):     # another text in each picture
        three.text[:] = [f"force {k} {n}" for k in range(3)]
        painted(three, painter)
    assert {text.split()[-1] for text in texts()} == {"9", "10", "11"}


def test_boxes_of_figures_stay_free(one):
    picture = painted(one, LabelPainter(), blocked=[(100, 100, 150, 40)])
    assert (picture[101:139, 101:249] != 255).any(-1).sum() < 120   # at most the leader line
    assert (picture != 255).any()


@pytest.mark.skipif(not is_told(), reason="only the C library of Linux tells how much is in use")
@pytest.mark.parametrize("kind", ["label", "element", "action"])
def test_a_kept_picture_holds_little_more_than_its_pixels(kind, qapp):
    font = QFont()
    metrics = QFontMetricsF(font)
    make = {"label": lambda k: outlined(f"left foot {k}", font, metrics, (1, 1, 1, 1), 1.0),
            "element": lambda k: element_icons._picture(element_icons._DRAWINGS["body"], QColor(k, 0, 0).name(), "", 1.0),
            "action": lambda k: icon("run", QColor(k, 0, 0))}[kind]
    make(0)
    before = in_use()
    kept = [make(k) for k in range(100)]
    each = (in_use() - before) / len(kept)
    sizes = kept[0].availableSizes() if isinstance(kept[0], QIcon) else [kept[0].size()]
    assert each < sum(4 * size.width() * size.height() + 2000 for size in sizes)
