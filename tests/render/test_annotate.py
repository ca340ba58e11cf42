import numpy as np

from assets.locate import asset, font
from render.annotate import draw_labels, font_height
from render.scene.snapshot import Labels
from tests.render.stage import FRONT


def test_text_is_drawn_in_its_colour_with_a_dark_rim_and_the_rest_is_untouched():
    labels = Labels()
    labels.put((0, 0, 0), 'Größe 7', (0, 1, 0, 1))
    picture = np.full((120, 160, 3), 90, np.uint8)
    out = draw_labels(picture, labels, FRONT)
    changed = (out != picture).any(-1)
    rows, columns = np.nonzero(changed)
    assert changed.sum() > 100 and 81 <= columns.min() < 90 and 42 <= rows.min() < rows.max() <= 61   # beside the middle
    assert (out[changed] == (0, 255, 0)).all(-1).any() and (out[changed] == (16, 20, 28)).all(-1).any()
    assert np.array_equal(draw_labels(picture, Labels(), FRONT), picture)


def test_labels_of_one_point_stand_apart_with_lines_to_it():
    labels = Labels()
    for i in range(6):
        labels.put((0, 0, 0), f'joint {i}')
    out = draw_labels(np.zeros((240, 320, 3), np.uint8), labels, FRONT)
    rows = np.flatnonzero((out > 128).any((1, 2)))
    assert np.ptp(rows) > 50


def test_pictures_with_alpha_keep_it_and_large_ones_have_larger_text():
    labels = Labels()
    labels.put((0, 0, 0), 'here')
    clear = np.zeros((120, 160, 4), np.uint8)
    out = draw_labels(clear, labels, FRONT)
    assert out.shape == clear.shape and (out[..., 3] == 255).sum() > 40 and (out[:20] == 0).all()
    assert font_height(120) == font_height(240) < font_height(720) < font_height(1440) < 2 * font_height(720)


def test_the_fonts_licence_is_shipped_with_it():
    assert font().stat().st_size > 100_000
    assert 'Permission is hereby granted' in asset('fonts', 'LICENSE_DEJAVU').read_text()
