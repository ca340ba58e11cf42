"""The comparison of pictures itself: it sees what agrees, what differs, and what cannot be drawn."""
import numpy as np
import pytest
from PIL import Image

import physics
from render.offscreen import Offscreen
from render.quality import QUALITIES
from tests.oracle.corpus import REPOSITORY, Entry
from tests.oracle.pictures import SIZE, compare


@pytest.fixture(scope='module')
def camera():
    physics.ensure_kernels()
    with Offscreen(*SIZE, QUALITIES['classic']) as off:
        yield off


def entry(path):
    return Entry(path.stem, path, '4.0.0', 'default', {}, {}, 0)


def test_a_model_of_ours_agrees_and_another_picture_does_not(camera, tmp_path):
    path = REPOSITORY / 'models' / 'heap.xml'
    row = compare(entry(path), camera, tmp_path)
    assert row['mean'] < 1 and row['p95'] <= 3 and row['off'] < 0.02, row
    kept = tmp_path / 'heap.official.png'
    picture = np.asarray(Image.open(kept))
    assert picture.std() > 20 and (tmp_path / 'heap.png').exists()
    Image.fromarray(np.clip(picture.astype(int) + 40, 0, 255).astype(np.uint8)).save(kept)       # is taken as it lies there
    assert compare(entry(path), camera, tmp_path)['mean'] > 20


def test_a_file_that_cannot_be_drawn_is_named(camera, tmp_path):
    path = tmp_path / 'broken.xml'
    path.write_text('<mujoco><worldbody><geom type="ball"/></worldbody></mujoco>')
    row = compare(entry(path), camera, None)
    assert row['mean'] is None and 'broken.xml' in row['why']
