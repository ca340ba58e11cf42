"""Every feature's picture is still the one that somebody looked at; and the comparison would see it if it were not."""
from dataclasses import replace
from itertools import combinations, groupby
from pathlib import Path

import numpy as np
import pytest

import physics
from render.quality import is_software
from tests.goldens import index
from tests.goldens.case import HERE, SIZE, Painter, forget
from tests.goldens.compare import off, store, stored
from tests.goldens.table import CASES

NAMED = {case.name: case for case in CASES}
ROOM = 3_000_000    # bytes of all stored pictures


@pytest.fixture(scope='module')
def painter():
    physics.ensure_kernels()
    with Painter() as made:
        driver = made.offscreen('classic', SIZE).driver
        assert is_software(driver), f'goldens want software GL, this is {driver}: set LIBGL_ALWAYS_SOFTWARE=1'
        yield made
    forget()


@pytest.mark.parametrize('name', NAMED)
def test_same_picture_as_was_looked_at(painter, name, tmp_path):
    case = NAMED[name]
    drawn = painter.draw(case)
    found = off(drawn, stored(case.picture))
    if not found.passes(case.limits):
        store(tmp_path / 'now.png', drawn)
        pytest.fail(f'{name} differs from its golden: mean {found.mean:.2f}, high {found.high:.0f}. It must show: {case.see}. Now: {tmp_path / "now.png"}')


def test_every_picture_was_looked_at_and_none_is_left_over():
    assert len(NAMED) == len(CASES)
    lines = index.read()
    assert index.FILE.read_text() == index.text(CASES, lines)
    assert not [name for name in NAMED if lines.get(name, index.Line()).looked == '-']
    files = {path.stem: path.stat().st_size for path in (HERE / 'pictures').iterdir()}
    assert files.keys() == NAMED.keys() and sum(files.values()) < ROOM
    used = {case.path for case in CASES if case.path is not None}
    assert used >= set((HERE / 'models').glob('*.xml'))


def _scenery(case):
    return case.model, str(case.camera), case.size, case.quality


def test_no_golden_would_pass_for_another():
    """What a switch changes is always more than the limits allow."""
    alike = []
    for _, group in groupby(sorted(CASES, key=_scenery), _scenery):
        some = [(case, stored(case.picture)) for case in group]
        alike += [(a.name, b.name) for (a, one), (b, two) in combinations(some, 2) if off(one, two).passes(a.limits)]
    assert not alike


def _switch(name):
    def change(m, d, options, state):
        options.toggle(name)
    return change


def _field(thing, name, by, row=slice(None)):
    def change(m, d, options, state):
        array = getattr({'model': m, 'data': d}[thing], name)
        array[row] += np.asarray(by, array.dtype)
    return change


def _visual(name, by):
    def change(m, d, options, state):
        group, entry = name.split('.')
        setattr(getattr(m.vis, group), entry, getattr(getattr(m.vis, group), entry) + by)
    return change


BREAKS = {
    'shadow off': ('shapes', _switch('shadow')), 'sky off': ('shapes', _switch('skybox')), 'hulls': ('shapes', _switch('convex_hull')),
    'a light moved': ('shapes', _field('data', 'light_xdir', (.1, 0, 0))),
    'a geom 2 cm off': ('shapes', _field('data', 'geom_xpos', (.02, 0, 0), 5)),
    'a geom of another colour': ('shapes', _field('model', 'geom_rgba', (.15, 0, 0, 0), 3)),
    'a lens half a degree wider': ('shapes', _visual('global_.fovy', .5)),
    'less gloss': ('materials', _field('model', 'mat_specular', -.2)), 'a texture repeated more often': ('texture_repeated', _field('model', 'mat_texrepeat', 1)),
    'a weaker mirror': ('mirror_floor', _field('model', 'mat_reflectance', -.1)),
    'a cone of light 2 degrees wider': ('light_spot_even', _field('model', 'light_cutoff', 2)),
    'a principal point half a millimetre off': ('camera_pinhole', _field('model', 'cam_intrinsic', (0, 0, .0005, 0))),
    'a bone 2 cm off': ('skin', _field('data', 'xpos', (0, 0, .02), 3)), 'thinner tendons': ('tendons', _field('model', 'tendon_width', -.006)),
    'fog from farther': ('fog_coloured', _visual('map.fogstart', .3)), 'shorter arrows': ('vis_contact_force', _visual('map.force', -.006)),
    'one label elsewhere': ('label_site', _field('data', 'site_xpos', (0, 0, .1), 0)),
    'bodies a fifth faster': ('linear_velocity', _field('data', 'cvel', (0, 0, 0, .15, 0, .1))),
    'longer ranges of joints': ('joint_limit', _field('model', 'jnt_range', (0, .2))), 'a margin 5 mm thicker': ('margin_shell', _field('model', 'geom_margin', .005)),
    'a rope 1 cm longer': ('tendon_tension', _field('data', 'ten_length', .01)), 'less weight taken off': ('gravity_compensation', _field('model', 'body_gravcomp', -.2, 6)),
    'skin not selected': ('skin_selected', lambda m, d, options, state: setattr(state, 'selection', replace(state.selection, skin=-1))),
    'other names': ('labels_crowd', lambda m, d, options, state: setattr(options, 'label', 'Site')),
}


@pytest.mark.parametrize('what', BREAKS)
def test_a_defect_fails(painter, what):
    name, change = BREAKS[what]
    case = NAMED[name]
    forget()        # the change goes to a model of its own
    broken = painter.draw(case, change)
    forget()
    assert not off(broken, stored(case.picture)).passes(case.limits)


def test_pictures_are_distinguished_by_little_and_by_size(tmp_path: Path):
    picture = np.random.default_rng(0).integers(0, 200, (60, 80, 3), np.uint8)
    store(tmp_path / 'p.png', picture)
    assert (stored(tmp_path / 'p.png') == picture).all() and off(picture, picture).passes()
    one_edge = picture.copy()
    one_edge[30, 40] += 50
    assert off(picture, one_edge).passes()          # a pixel at an edge
    spot = picture.copy()
    spot[30:34, 40:44] += 50
    assert not off(picture, spot).passes() and not off(picture, picture + np.uint8(4)).passes() and not off(picture, picture[:-1]).passes((99, 255))
