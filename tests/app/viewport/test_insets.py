"""Pictures in the picture: what the model's cameras see, in the real window."""
import json

import numpy as np
import pytest
from PyQt6.QtCore import QPointF
from PyQt6.QtGui import QImage
from PyQt6.QtTest import QTest

from app.settings import Settings
from app.viewport.inset_layout import BOTTOM_LEFT, BOTTOM_RIGHT, LARGEST, TOP_LEFT, TOP_RIGHT, USUAL, Inset, arrange, nearest_corner
from app.viewport.inset_memory import MODELS, remember, remembered
from physics.runtime import commands
from tests.app.workbench import CTRL, NONE, Button

MODEL = '''<mujoco><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual><worldbody>
<geom name="wall" type="box" size="1 .02 1" pos="0 2 0" rgba="1 0 0 1"/><geom name="block" type="box" size=".2 .2 .2" rgba="0 1 0 1"/>
<camera name="red" pos="0 1 0" xyaxes="-1 0 0 0 0 1" mode="fixed" euler="0 0 0"/><camera name="wide" pos="0 -3 0" xyaxes="1 0 0 0 0 1" resolution="200 50"/>
<camera pos="0 0 4"/></worldbody></mujoco>'''.replace(' mode="fixed" euler="0 0 0"', '').replace('xyaxes="-1 0 0 0 0 1"', 'xyaxes="1 0 0 0 0 1"')


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / 'm.xml').write_text(MODEL)
    made = workbench(tmp_path / 'm.xml', size=(1100, 700))
    made.settled()      # docks that move once more make the view another size, and insets with it
    made.insets = made.viewport.insets
    return made


def pixels(bench, rect):
    """(height, width, 3) of a part of the picture, names and frames left out."""
    bench.pictures(3)
    image = bench.host.grabFramebuffer().convertToFormat(QImage.Format.Format_RGBX8888)
    data = np.frombuffer(image.constBits().asarray(image.sizeInBytes()), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    x, y, wide, high = map(int, rect)
    return data[y:y + high, x:x + wide, :3].astype(int)


def test_a_camera_chosen_in_the_menu_is_shown_and_hidden(bench):
    bench.insets.menu.aboutToShow.emit()
    entries = bench.insets.menu.actions()
    assert [entry.text() for entry in entries] == ['red', 'wide', 'camera 2'] and not any(entry.isChecked() for entry in entries)
    entries[0].trigger()
    bench.wait(lambda: len(bench.insets.items) == 1)
    inset = bench.insets.items[0]
    pixels(bench, (0, 0, 10, 10))
    part = pixels(bench, inset.rect)
    assert (part == (255, 0, 0)).all(-1).mean() > 0.99     # the wall fills it
    assert abs(inset.rect[2] / inset.rect[3] - max(4 / 3, bench.host.width() / bench.host.height())) < 0.02
    slot = inset.slot
    bench.insets.show_camera(0, False)
    rest = pixels(bench, inset.rect)
    assert (rest == (255, 0, 0)).all(-1).mean() < 0.5 and bench.insets.seconds == 0
    assert not any(place[0] == slot for place in bench.viewport.renderer.targets._made)    # nothing of it is kept


def test_resolution_gives_the_shape_and_each_picture_its_own_camera(bench):
    for camera in range(3):
        bench.insets.show_camera(camera)
    bench.pictures(3)
    red, wide, above = bench.insets.items
    assert abs(wide.rect[2] / wide.rect[3] - 4) < 0.1
    assert (pixels(bench, red.rect) == (255, 0, 0)).all(-1).mean() > 0.99
    row = pixels(bench, wide.rect)
    middle = row[row.shape[0] // 2, row.shape[1] // 2]
    assert middle.tolist() == [0, 255, 0]
    assert red.rect[1] + red.rect[3] < wide.rect[1] < above.rect[1] or wide.rect[1] + wide.rect[3] < above.rect[1]      # stacked


def test_dragging_moves_it_to_a_corner_and_pulling_makes_it_larger(bench):
    bench.insets.show_camera(1)
    bench.pictures(2)
    inset = bench.insets.items[0]
    before = bench.application.view_control.camera
    assert inset.corner == TOP_RIGHT
    x, y, wide, high = inset.rect
    grip = QPointF(x + 2, y + high - 2)
    bench.drag(grip, grip + QPointF(-40, 10), grip + QPointF(-80, 10))
    bench.pictures(2)
    assert inset.rect[2] == pytest.approx(wide + 80, abs=6) and inset.rect[2] / inset.rect[3] == pytest.approx(4, rel=0.05)
    x, y, wide, high = inset.rect
    at = QPointF(x + wide / 2, y + high / 2)
    seen = []
    bench.drag(at, at + QPointF(-50, 50), QPointF(60, 60), between=lambda: (bench.pictures(2), seen.append(inset.rect[:2])))
    bench.pictures(2)
    assert inset.corner == TOP_LEFT and inset.rect[0] < 20 and seen[0] != (x, y)
    assert bench.application.view_control.camera == before      # the view's camera stayed


def test_where_it_is_let_go_of_counts(bench):
    bench.insets.show_camera(1)
    bench.pictures(2)
    inset = bench.insets.items[0]
    x, y, wide, high = inset.rect
    at = QPointF(x + wide / 2, y + high / 2)
    bench.drag(at, at + QPointF(-20, 20), release=False)
    QTest.mouseRelease(bench.host, Button.LeftButton, NONE, QPointF(60, bench.host.height() - 60).toPoint())
    assert inset.corner == BOTTOM_LEFT and inset.at is None


def test_a_double_click_looks_through_it_and_the_menu_shows_other_pictures(bench):
    bench.insets.show_camera(1)
    bench.pictures(2)
    inset = bench.insets.items[0]
    menu = bench.insets.menu_of(inset)
    names = [entry.text() for entry in menu.actions()]
    assert names[0] == 'Look through it' and names[-1] == 'Hide' and 'Depth' in names
    menu.actions()[names.index('Normal')].trigger()
    row = pixels(bench, inset.rect)
    assert row[row.shape[0] // 2, row.shape[1] // 2].tolist() in ([128, 0, 128], [127, 0, 127], [128, 0, 127], [127, 0, 128])     # seen along +y: its side to -y
    x, y, wide, high = inset.rect
    bench.double_click(QPointF(x + wide / 2, y + high / 2))
    bench.wait(lambda: bench.application.view_control.camera_index() == 1)
    menu.actions()[-1].trigger()
    assert not bench.insets.items


def test_the_pointer_looks_through_the_inset(bench):
    bench.insets.show_camera(0)
    bench.pictures(2)
    x, y, wide, high = bench.insets.items[0].rect
    bench.move(QPointF(x + wide / 2, y + high / 2), Button.NoButton)
    bench.wait(lambda: bench.viewport.hover.thing is not None)
    assert bench.viewport.hover.thing.name == 'wall' and bench.viewport.hover.thing.point[1] == pytest.approx(1.98, abs=1e-3)
    heard = []
    bench.context.thing_clicked.connect(heard.append)
    QTest.mouseClick(bench.host, Button.LeftButton, pos=QPointF(x + wide / 2, y + high / 2).toPoint())
    bench.wait(lambda: heard)
    assert heard[0].name == 'wall' and bench.insets.items[0].corner == TOP_RIGHT


def test_a_pull_ends_where_the_button_is_released_over_an_inset(workbench, tmp_path):
    (tmp_path / 'm.xml').write_text(MODEL.replace('</worldbody>', '<body name="ball" pos=".6 0 0"><freejoint/><geom size=".1"/></body></worldbody>'))
    bench = workbench(tmp_path / 'm.xml', size=(1100, 700))
    bench.viewport.insets.show_camera(0)
    bench.pictures(2)
    x, y, wide, high = bench.viewport.insets.items[0].rect
    bench.context.select_body(bench.context.model.id('body', 'ball'))
    bench.drag(bench.centre('ball'), QPointF(x + wide / 2, y + high / 2), button=Button.RightButton, modifiers=CTRL, release=False)
    bench.wait(lambda: bench.snapshot.perturb.bodyid > 0)
    QTest.mouseRelease(bench.host, Button.RightButton, CTRL, QPointF(x + wide / 2, y + high / 2).toPoint())
    bench.wait(lambda: bench.snapshot.perturb.bodyid <= 0)
    assert bench.viewport._perturb.perturbation is None


def test_a_click_in_an_inset_selects_what_its_camera_sees(bench):
    bench.insets.show_camera(0)
    bench.pictures(2)
    x, y, wide, high = bench.insets.items[0].rect
    QTest.mouseClick(bench.host, Button.LeftButton, pos=QPointF(x + wide / 2, y + high / 2).toPoint())
    bench.wait(lambda: bench.context.selection.elements)
    assert [what.name for what in bench.context.selection.elements] == ['wall']


def test_insets_follow_their_cameras_over_a_reload(bench, tmp_path):
    bench.insets.show_camera(1)
    bench.insets.show_camera(0)
    (tmp_path / 'm.xml').write_text(MODEL.replace('<camera name="red"', '<camera name="new" pos="0 0 9"/><camera name="green"'))
    bench.actions['reload'].trigger()
    bench.wait(lambda: bench.context.model.ncam == 4)
    assert [(inset.name, inset.camera) for inset in bench.insets.items] == [('wide', 2)]
    bench.pictures(2)


def test_where_they_stand():
    several = [Inset(k, '', '', corner) for k, corner in enumerate((TOP_RIGHT, TOP_RIGHT, BOTTOM_RIGHT))]
    arrange(several, [2.0, 1.0, 1.5], 1000, 800)
    assert several[0].rect == (710, 10, 280, 140) and several[1].rect == (710, 160, 280, 280)
    assert several[2].rect[1] + several[2].rect[3] == 790
    arrange(several, [1.0, 1e-3, 1e3], 40, 30)
    assert all(n >= 0 for inset in several for n in inset.rect[2:])
    assert nearest_corner(900, 700, 1000, 800) == BOTTOM_RIGHT and nearest_corner(1, 1, 1000, 800) == TOP_LEFT


def test_insets_are_there_again_after_a_new_start(bench, workbench, tmp_path):
    bench.insets.show_camera(1)
    bench.insets.show_camera(2)
    bench.pictures(2)
    inset = bench.insets.items[0]
    menu = bench.insets.menu_of(inset)
    next(entry for entry in menu.actions() if entry.text() == 'Depth').trigger()
    x, y, wide, high = inset.rect
    at = QPointF(x + wide / 2, y + high / 2)
    bench.drag(at, at + QPointF(-50, 50), QPointF(60, 60))
    bench.pictures(2)
    grip = QPointF(*inset.grip()) - QPointF(2, 2)
    bench.drag(grip, grip + QPointF(30, 5), grip + QPointF(60, 5))
    kept = [(i.name, i.camera, i.corner, round(i.share, 4), i.show) for i in bench.insets.items]
    assert kept[0][:3] == ('wide', 1, TOP_LEFT) and kept[0][4] == 'depth' and kept[0][3] > 0.3
    bench.close()
    (tmp_path / 'other.xml').write_text('<mujoco><worldbody><camera name="else"/></worldbody></mujoco>')
    again = workbench(tmp_path / 'other.xml', size=(1100, 700))
    assert not again.viewport.insets.items
    again.session.open(tmp_path / 'm.xml', run=False)
    again.wait(lambda: again.context.model.ncam == 3)
    assert [(i.name, i.camera, i.corner, round(i.share, 4), i.show) for i in again.viewport.insets.items] == kept
    again.pictures(2)
    assert again.viewport.insets.items[0].rect[0] < 20
    again.session.open(tmp_path / 'other.xml', run=False)
    again.wait(lambda: again.context.model.ncam == 1)
    assert not again.viewport.insets.items


def test_damaged_memories_are_left_alone(tmp_path):
    class Cameras:
        ncam = 2

        def id(self, kind, name):
            return {'a': 0, 'b': 1}.get(name, -1)

    settings = Settings(str(tmp_path / 's.ini'))
    for text in ('', '[', '[]', '3', '{"/m.xml": 4}', '{"/m.xml": null}'):
        settings.set('view/insets', text)
        assert remembered(settings, '/m.xml', Cameras()) is None
    rows = [['a', 7, 99, 5.0, 'taste'], ['gone', 0, 1, .3, 'colour'], ['', 1, 2, float('nan'), 'depth'], ['', 5, 1, .3, 'colour'], [1], 'b', ['b', 1, 0, '?', 'type']]
    settings.set('view/insets', json.dumps({'/m.xml': rows}))
    found = remembered(settings, '/m.xml', Cameras())
    assert [(i.camera, i.corner, i.share, i.show) for i in found] == [(0, TOP_RIGHT, LARGEST, 'colour'), (1, BOTTOM_LEFT, USUAL, 'depth'), (1, TOP_LEFT, USUAL, 'type')]
    for k in range(MODELS + 5):
        remember(settings, f'/{k}.xml', found)
    assert remembered(settings, '/0.xml', Cameras()) is None and len(remembered(settings, f'/{MODELS + 4}.xml', Cameras())) == 3
    remember(settings, f'/{MODELS + 4}.xml', [])
    remember(settings, '', found)
    assert remembered(settings, f'/{MODELS + 4}.xml', Cameras()) is None and len(json.loads(settings.get('view/insets'))) == MODELS - 1


def test_the_legend_stands_above_an_inset_in_its_corner(bench):
    bench.context.options['margin_shell'] = True
    bench.context.options_changed.emit()
    bench.insets.show_camera(0)
    bench.insets.items[0].corner = BOTTOM_RIGHT
    bench.pictures(3)
    x, y, wide, high = bench.application.overlay.legend_area.box
    assert y + high < bench.insets.items[0].rect[1] and y > 0


COMPANION = '''<mujoco><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual><option gravity="0 0 0"/><worldbody>
<body name="ball" pos="0 0 0"><joint name="up" type="slide" axis="0 0 1"/><geom name="ball" size=".4" rgba="0 1 0 1"/></body>
<camera name="front" pos="0 -4 0" xyaxes="1 0 0 0 0 1"/></worldbody></mujoco>'''


def test_a_companion_is_seen_beside_by_the_same_camera(workbench, tmp_path):
    (tmp_path / 'm.xml').write_text(COMPANION)
    bench = workbench(tmp_path / 'm.xml', size=(1100, 700))
    insets, companions = bench.viewport.insets, bench.application.companions
    bench.application.view_control.set_camera(0)
    panel = bench.panel('companions')
    row = companions.start()
    bench.wait(lambda: row.snapshot is not None)
    QTest.mouseClick(panel.beside, Button.LeftButton)
    (inset,) = insets.items
    assert row.beside and inset.companion is row.companion
    for text in ('gravity = 0 0 -3', 'timestep = 0.002'):
        assert companions.change(row, text) == ''
    bench.wait(lambda: len(row.changes) == 2)
    bench.runner.send(commands.Run())
    bench.pass_time(0.6)
    bench.runner.send(commands.Pause())
    bench.wait(lambda: not bench.snapshot.running and abs(row.snapshot.time - bench.snapshot.time) < 0.0021)
    bench.wait(lambda: row.snapshot.qpos[0] < -0.4)
    bench.pictures(3)
    bench.qtbot.wait(100)       # a picture of an inset is made at most 15 times a second
    green = (pixels(bench, inset.rect) == (0, 255, 0)).all(-1)
    whole = (pixels(bench, (0, 0, bench.host.width(), bench.host.height())) == (0, 255, 0)).all(-1)
    main = whole.copy()
    x, y, wide, high = map(int, inset.rect)
    main[y:y + high, x:x + wide] = False
    assert green.mean() == pytest.approx(main.mean(), rel=0.2)     # as large in its picture
    below, middle = np.nonzero(green)[0].mean() / len(green), np.nonzero(main)[0].mean() / len(main)
    assert middle == pytest.approx(0.5, abs=0.03) and below > 0.58 and row.snapshot.qpos[0] < -0.4      # it fell, the primary floats
    bench.move(QPointF(x + wide / 2, y + below * high), Button.NoButton)
    bench.qtbot.wait(200)
    assert bench.viewport.hover.thing is None
    menu = insets.menu_of(inset)
    assert [entry.text() for entry in menu.actions()][-1] == 'Hide' and menu.actions()[0].text() != 'Look through it'
    menu.actions()[-1].trigger()
    assert not insets.items and not row.beside and not panel.beside.isChecked()


def test_a_companion_of_another_model_is_drawn_with_its_own_shapes(workbench, tmp_path):
    (tmp_path / 'm.xml').write_text(COMPANION)
    bench = workbench(tmp_path / 'm.xml', size=(1100, 700))
    bench.application.view_control.set_camera(0)
    bench.session.set_text(bench.session.document.key, COMPANION.replace('size=".4" rgba="0 1 0 1"', 'size=".2" rgba="1 0 0 1"'))
    bench.session.apply()
    bench.wait(lambda: bench.application.companions.before is not None)
    row = bench.application.companions.start_before()
    bench.wait(lambda: row.snapshot is not None)
    bench.application.companions.show(row, beside=True)
    bench.pictures(3)
    bench.qtbot.wait(100)
    (inset,) = bench.viewport.insets.items
    part = pixels(bench, inset.rect)
    assert (part == (0, 255, 0)).all(-1).mean() > 0.03 and not (part == (255, 0, 0)).all(-1).any()
    bench.application.companions.stop_all()
    assert not bench.viewport.insets.items


def test_several_take_turns_while_it_runs_and_all_are_of_the_present_when_it_stands(bench, monkeypatch):
    drawn, turns = [], bench.viewport._drawer._insets
    assert turns is not None
    begin, draw_one = turns.draw, turns._draw_one
    monkeypatch.setattr(turns, 'draw', lambda *asked: (drawn.append([]), begin(*asked))[1])
    monkeypatch.setattr(turns, '_draw_one', lambda inset, *more: (drawn[-1].append(inset.camera), draw_one(inset, *more))[1])
    for camera in range(3):
        bench.insets.show_camera(camera)
    bench.wait(lambda: (bench.viewport.refresh(), {camera for some in drawn for camera in some} == {0, 1, 2})[1])
    drawn.clear()
    bench.runner.send(commands.Run())
    bench.wait(lambda: {camera for some in drawn for camera in some} == {0, 1, 2} and len(drawn) > 6)
    software = bench.viewport.renderer.quality.software
    assert not software or max(map(len, drawn)) == 1
    bench.runner.send(commands.Pause())
    bench.wait(lambda: not bench.snapshot.running and not bench.insets.deferred and bench.viewport.picture.snapshot.time == bench.snapshot.time)
    bench.steady(lambda: len(drawn))        # and no picture is asked for any more


def test_a_camera_that_goes_while_another_workspace_is_open(workbench, tmp_path):
    """The first cameras of a workspace are nobody's choice: they are found again by name, and those that went are not drawn."""
    cameras = ''.join(f'<camera name="{name}" pos="0 -4 {k}" xyaxes="1 0 0 0 0 1"/>' for k, name in enumerate("abc"))
    text = COMPANION.replace('<camera name="front" pos="0 -4 0" xyaxes="1 0 0 0 0 1"/>', cameras)
    (tmp_path / 'm.xml').write_text(text)
    bench = workbench(tmp_path / 'm.xml', size=(1100, 700))
    insets = bench.viewport.insets
    insets.use("teleoperate", 3)
    assert insets.cameras == (0, 1, 2)
    insets.use("")
    (tmp_path / 'm.xml').write_text(text.replace('<camera name="b" pos="0 -4 1" xyaxes="1 0 0 0 0 1"/>', ""))
    bench.wait(lambda: bench.context.model.ncam == 2)
    insets.use("teleoperate", 3)
    assert insets.cameras == (0, 1) and [inset.name for inset in insets.items] == ["a", "c"]
    bench.pictures(3)
