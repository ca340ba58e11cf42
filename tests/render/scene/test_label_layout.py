import numpy as np
import pytest

from render.scene.camera import CameraState, free_view
from render.scene.label_layout import LabelLayout
from render.scene.snapshot import Labels
from tests.render.stage import FRONT, LENS

SIZE = (640, 480)


def measure(text):
    return 7.0 * len(text), 14.0


def labels_at(points, text='label {}'):
    labels = Labels()
    for i, point in enumerate(points):
        labels.put(tuple(point), text.format(i), key=('thing', i))
    return labels


def boxes(places):
    return np.array([[p.x, p.y, measure(p.text)[0] / 2, measure(p.text)[1] / 2] for p in places])


def overlaps(places) -> int:
    b = boxes(places)
    apart = np.abs(b[:, None, :2] - b[None, :, :2]) >= b[:, None, 2:] + b[None, :, 2:] - 1e-6
    return int((~apart.any(-1)).sum()) - len(b)


@pytest.mark.parametrize('n, spread', [(8, 0), (60, 1), (2000, 2)])
def test_no_label_stands_on_another(n, spread):
    layout = LabelLayout()
    points = spread * np.random.default_rng(1).uniform(-1, 1, (n, 3))
    places = layout.arrange(labels_at(points), FRONT, SIZE, measure)
    assert overlaps(places) == 0 and len(places) + layout.left_out <= n
    assert len(places) >= min(n, 8)
    b = boxes(places)
    assert (b[:, :2] - b[:, 2:] >= -1e-6).all() and (b[:, :2] + b[:, 2:] <= np.array(SIZE) + 1e-6).all()


def test_labels_stand_beside_their_point_and_those_further_off_have_a_line_to_it():
    labels = labels_at(np.zeros((12, 3)))
    places = LabelLayout().arrange(labels, FRONT, SIZE, measure)
    here = [p for p in places if p.leader is None]
    assert sorted((np.sign(p.x - 320), np.sign(p.y - 240)) for p in here) == [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    for p in here:   # near, but not on it
        assert 3 < abs(p.x - 320) - measure(p.text)[0] / 2 < 10 and 7 < abs(p.y - 240) < 14
    for p in places:
        if p.leader is not None:
            assert p.leader[:2] == pytest.approx((320, 240)) and np.hypot(p.leader[2] - 320, p.leader[3] - 240) < 120
    assert len(places) >= 10


def test_labels_keep_their_places_while_the_camera_moves():
    """Turning by a degree at a time few change sides, none blinks, and what stands beside its point stays as far from it."""
    points = np.random.default_rng(2).uniform(-0.7, 0.7, (80, 3))
    labels, layout = labels_at(points), LabelLayout()
    before, changes, shown = {}, 0, []
    for step in range(60):
        view = free_view(CameraState(lookat=(0, 0, 0), distance=4, azimuth=90 + 0.5 * step, elevation=-10), LENS)
        places = layout.arrange(labels, view, SIZE, measure)
        assert overlaps(places) == 0
        now = dict(layout._standing)
        changes += sum(now[k] != before[k] for k in now.keys() & before.keys())
        shown.append(set(now))
        before = now
    blinks = sum(a - b != set() and bool((a - b) & c) for a, b, c in zip(shown, shown[1:], shown[2:], strict=False))
    assert changes < 60 * 80 * 0.03 and blinks == 0
    assert layout.arrange(labels, view, SIZE, measure) == places   # standing still nothing moves


def test_near_labels_come_first_and_a_text_that_is_there_already_is_not_repeated_on_lines():
    labels = labels_at([(0, 0, 0)] * 40, 'floor | foot')
    places = LabelLayout().arrange(labels, FRONT, SIZE, measure)
    assert len(places) == 4 and all(p.leader is None for p in places)
    crowd = Labels()
    for i in range(300):
        crowd.put((0, 0.5 + 0.001 * i, 0), f'far {i}', key=i)
    crowd.put((0, -1, 0), 'near', key='near')
    assert 'near' in [p.text for p in LabelLayout().arrange(crowd, FRONT, SIZE, measure)]


def test_blocked_areas_stay_free_and_what_is_not_visible_is_left_out():
    labels = labels_at([(0, 0, 0), (0, -20, 0), (50, 0, 0)])
    places = LabelLayout().arrange(labels, FRONT, SIZE, measure, blocked=[(280, 220, 80, 40)])
    assert [p.text for p in places] == ['label 0'] and abs(places[0].y - 240) > 27
    layout = LabelLayout()
    assert layout.arrange(Labels(), FRONT, SIZE, measure) == [] and layout.left_out == 0


def test_the_same_key_twice_is_shown_once():
    labels = Labels()
    for x in (-0.5, 0.5):
        labels.put((x, 0, 0), 'twice', key='same')
    assert len(LabelLayout().arrange(labels, FRONT, SIZE, measure)) == 1


@pytest.mark.parametrize('x, side', [(1.55, -1), (-1.55, 1)])
def test_at_an_edge_of_the_picture_a_label_goes_to_the_other_side(x, side):
    wide = Labels()
    wide.put((x, 0, 0), 'a label of some length')
    place, = LabelLayout().arrange(wide, FRONT, (480, 480), measure)
    at = 240 + x * 240 / (4 * np.tan(np.radians(22.5)))
    assert np.sign(place.x - at) == side and place.leader is None


def test_a_text_wider_than_the_picture_is_still_shown():
    wide = Labels()
    wide.put((0, 0, 0), 'x' * 200)
    place, = LabelLayout().arrange(wide, FRONT, SIZE, measure)
    assert abs(place.y - 240) < 40
