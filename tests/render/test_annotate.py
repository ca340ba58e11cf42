import numpy as np

from assets.locate import asset, font
from render.annotate import annotate, draw_labels, font_height, legend_box
from render.scene.legend import LegendRow
from render.scene.snapshot import Labels, Scene
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


def test_a_legend_stands_at_the_bottom_right_and_labels_keep_out_of_it():
    scene = Scene()
    scene.legend += [LegendRow('Force', (1, 0, 0, 1), '10 cm = 50 N'), LegendRow('Range', (0, 0, 1, .3), 'true angles')]
    for channels in (3, 4):
        picture = np.full((240, 320, channels), 90, np.uint8)
        out = annotate(picture, scene, FRONT)
        rows, columns = np.nonzero((out != picture).any(-1))
        x, y, wide, high = legend_box(scene.legend, (320, 240)).area
        assert rows.min() >= y - 1 and columns.min() >= x - 1 and rows.max() < 240 - 5 and columns.max() < 320 - 5
        assert all((out[..., :3] == colour).all(-1).sum() > 40 for colour in ((255, 0, 0), (0, 0, 255))) and (out[..., :3] == 255).all(-1).any()
    scene.labels.put((1.0, -.9, 0), 'under the legend')
    with_label = annotate(np.full((240, 320, 3), 90, np.uint8), scene, FRONT)
    area = np.s_[int(y) + 2:int(y + high) - 2, int(x) + 2:int(x + wide) - 2]
    assert np.array_equal(with_label[area], out[..., :3][area])
    many = [LegendRow(f'what {i}', (1, 1, 1, 1), 'a long scale with many words and some more') for i in range(20)]
    assert legend_box(many, (320, 240)).font_size < legend_box(many[:1], (1280, 960)).font_size


def test_the_fonts_licence_is_shipped_with_it():
    assert font().stat().st_size > 100_000
    assert 'Permission is hereby granted' in asset('fonts', 'LICENSE_DEJAVU').read_text()
