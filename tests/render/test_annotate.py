import numpy as np

from assets.locate import asset, font
from render.annotate import draw_labels, places
from render.scene.snapshot import Labels
from tests.render.stage import FRONT


def test_labels_land_on_their_pixels_far_ones_first():
    labels = Labels()
    labels.put((0, 0, 0), 'near')
    labels.put((0.5, 2, 0.3), 'far')
    labels.put((0, -20, 0), 'behind the eye')
    labels.put((50, 0, 0), 'outside')
    found = places(labels, FRONT, (160, 120))
    assert [f[2] for f in found] == ['far', 'near'] and found[1][:2] == (80, 60)
    assert found[0][0] > 80 and found[0][1] < 60


def test_text_is_drawn_in_its_colour_and_the_rest_is_untouched():
    labels = Labels()
    labels.put((0, 0, 0), 'Größe 7', (0, 1, 0, 1))
    picture = np.full((120, 160, 3), 90, np.uint8)
    out = draw_labels(picture, labels, FRONT)
    changed = (out != picture).any(-1)
    rows, columns = np.nonzero(changed)
    assert changed.sum() > 100 and abs(columns.mean() - 80) < 4 and abs(rows.mean() - 60) < 4
    assert (out[changed] == (0, 255, 0)).all(-1).any() and (out[changed] == 0).all(-1).any()
    assert np.array_equal(draw_labels(picture, Labels(), FRONT), picture)


def test_the_fonts_licence_is_shipped_with_it():
    assert font().stat().st_size > 100_000
    assert 'Permission is hereby granted' in asset('fonts', 'LICENSE_DEJAVU').read_text()
