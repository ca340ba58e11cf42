"""linkwork render into NumPy's files, and pictures of what is not colour."""
import numpy as np
import pytest
from PIL import Image

from app import headless
from app.headless.arguments import SHOWN
from app.headless.arrays import array_asked
from app.headless.outcome import Failed
from render.scene import snapshot

MODEL = '''<mujoco><worldbody><camera name="top" pos="0 0 3" xyaxes="1 0 0 0 1 0" resolution="80 60"/><geom name="floor" type="plane" size="3 3 .1"/>
<body name="ball" pos="0 0 .5"><freejoint/><geom size=".25"/><site size=".3" rgba="1 0 0 .3"/></body></worldbody></mujoco>'''


@pytest.fixture
def render(tmp_path, capsys):
    """render(file name, *options): exit code and path of what was written."""
    (tmp_path / 'model.xml').write_text(MODEL)

    def run(name, *options):
        code = headless.main(['render', str(tmp_path / 'model.xml'), '-o', str(tmp_path / name), *options])
        run.told = capsys.readouterr()
        return code, tmp_path / name
    return run


def test_depth_is_metres_along_the_view(render):
    code, path = render('depth.npy', '--camera', 'top')
    depth = np.load(path)
    assert code == 0 and depth.shape == (60, 80) and depth.dtype == np.float32
    assert depth[0, 0] == pytest.approx(3, abs=1e-5) and depth[30, 40] == pytest.approx(2.2, abs=4e-3)      # the site around the ball, though transparent
    assert '[m]' in render.told.out


def test_segmentation_gives_id_and_type_and_transparent_things_too(render):
    seg = np.load(render('seg.npy', '--camera', 'top')[1])
    assert seg.shape == (60, 80, 2) and seg[0, 0].tolist() == [0, 5] and seg[30, 40].tolist() == [0, 6]      # the site around the ball


def test_normals_and_the_archive_of_everything(render):
    normal = np.load(render('normal.npy', '--camera', 'top', '--size', '40x30')[1])
    assert normal.shape == (30, 40, 3) and normal[0, 0].tolist() == [0, 0, 1] and normal[15, 20, 2] > 0.98
    with np.load(render('all.npz', '--camera', 'top')[1]) as held:
        assert {'rgb', 'depth', 'segmentation', 'normal', 'intrinsics', 'pose', 'time', 'meaning'} == set(held.files)
        assert held['rgb'].shape == (60, 80, 3) and any('[m]' in line for line in held['meaning'])
        np.testing.assert_allclose(held['pose'], [[1, 0, 0, 0], [0, -1, 0, 0], [0, 0, -1, 3], [0, 0, 0, 1]], atol=1e-6)


def test_a_file_that_does_not_say_which_array_is_refused(render):
    code, path = render('what.npy')
    assert code == 2 and not path.exists() and '--show' in render.told.err
    assert np.load(render('what.npy', '--show', 'depth', '--camera', 'top')[1]).shape == (60, 80)
    assert array_asked('segments', None) == array_asked('x', 'type') == 'segmentation'
    with pytest.raises(Failed):
        array_asked('picture', None)


def test_pictures_of_depth_things_types_numbers_and_normals(render):
    shown = {}
    for show in SHOWN:
        code, path = render(show + '.png', '--camera', 'top', '--show', show)
        assert code == 0
        shown[show] = np.asarray(Image.open(path).convert('RGB')).astype(int)
    corner, middle = (0, 0), (30, 40)
    assert shown['colour'].shape == (60, 80, 3)
    assert shown['depth'][corner].tolist() == [shown['depth'][corner][0]] * 3 and 0 < shown['depth'][corner][0] < shown['depth'][middle][0]
    assert shown['normal'][corner].tolist() == [128, 128, 255]
    assert shown['id'][corner].tolist() == [1, 0, 0] and shown['id'][middle].tolist() == [3, 0, 0]
    assert len(np.unique(shown['segment'].reshape(-1, 3), axis=0)) == len(np.unique(shown['type'].reshape(-1, 3), axis=0)) == 2
    assert shown['type'][middle].tolist() == [235, 200, 60]
    with_legend = np.asarray(Image.open(render('type.png', '--camera', 'top', '--show', 'type', '--legend')[1]).convert('RGB')).astype(int)
    assert (with_legend != shown['type']).any()


def test_the_command_line_knows_what_the_renderer_can_show():
    assert SHOWN == snapshot.SHOWN
