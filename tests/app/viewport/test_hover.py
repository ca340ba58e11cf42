"""The note at the pointer and what a click tells, with real mouse events on the real window."""
import time
from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtCore import QEvent, QPointF
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from app.viewport.hover import ASKS_PER_SECOND
from render.scene.camera import project
from render.scene.shapes import ARROW, CYLINDER
from tests.app.workbench import CTRL, NONE, Button
from tests.render.skin_models import skin_xml

MODEL = '''<mujoco><visual><global elevation="-18"/></visual><statistic extent="1.6" center="0 0 .4"/><worldbody><geom name="floor" type="plane" size="2 2 .1"/>
<body name="box" pos="0 0 .199"><freejoint name="free"/><geom name="crate" type="box" size=".2 .2 .2"/><site name="mark" pos="0 -.25 .25" zaxis="0 0 -1" size=".04"/></body>
<body name="beam" pos="-.45 0 .65"><joint name="hinge" axis="0 0 1"/><geom name="rod" type="capsule" size=".04" fromto="0 0 0 .3 0 0"/></body>
<camera name="eye" pos=".5 0 .6"/><light name="lamp" pos="-.3 .3 .9"/></worldbody>
<sensor><rangefinder name="ray" site="mark"/></sensor><actuator><motor name="motor" joint="hinge"/></actuator></mujoco>'''


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / 'm.xml').write_text(MODEL)
    made = workbench(tmp_path / 'm.xml', size=(1000, 700))
    made.hover = made.viewport.hover
    return made


def pixel(bench, point):
    """Where a world point is in the view [logical pixels]."""
    view = bench.viewport._control.view(bench.snapshot)
    return QPointF(*project(view, [point], (bench.host.width(), bench.host.height()))[0][0])


def look(bench, at, title):
    """Move the pointer there; the thing under it."""
    bench.move(at, Button.NoButton)
    bench.wait(lambda: bench.hover.thing is not None and bench.hover.thing.lines[0] == title)
    return bench.hover.thing


def row_of(bench, title_type, objid):
    """Position of the instance that stands for an object; of an arrow its middle."""
    g = bench.viewport.picture.scene.geoms
    rows = np.flatnonzero((g.view('objtype') == title_type) & (g.view('objid') == objid))
    i = rows[0]
    return g.pos[i] + (0.5 * g.size[i, 2] * g.mat[i, 2::3] if g.shape[i] >= ARROW else 0)


def test_the_note_says_what_is_under_the_pointer(bench):
    d = bench.snapshot
    thing = look(bench, pixel(bench, d.geom_xpos[1] + (.1, -.2, -.05)), 'geom 1 crate')
    assert (thing.objtype, thing.objid, thing.bodyid, thing.kind, thing.name) == (5, 1, 1, 'geom', 'crate') and thing.lines[1] == 'of body 1 box'
    np.testing.assert_allclose(thing.point, d.geom_xpos[1] + (.1, -.2, -.05), atol=0.02)
    bench.wait(bench.hover.note.isVisible)
    assert bench.hover.note.text() == 'geom 1 crate\nof body 1 box'
    look(bench, pixel(bench, d.site_xpos[0]), 'site 0 mark')
    look(bench, pixel(bench, (.5, -.5, 0)), 'geom 0 floor')
    QApplication.sendEvent(bench.host, QEvent(QEvent.Type.Leave))
    assert not bench.hover.note.isVisible() and bench.hover.thing is None


def test_decor_of_every_kind_answers(bench):
    for flag in ('joint', 'camera', 'light', 'contact_point', 'contact_force'):
        bench.context.options[flag] = True
    bench.context.options_changed.emit()
    bench.wait(lambda: bench.snapshot.ncon > 0)
    bench.pictures()
    look(bench, pixel(bench, bench.snapshot.cam_xpos[0]), 'camera 0 eye')
    look(bench, pixel(bench, row_of(bench, 8, 0)), 'light 0 lamp')
    look(bench, pixel(bench, row_of(bench, 3, 1)), 'joint 1 hinge')
    g = bench.viewport.picture.scene.geoms
    front = min((i for i in np.flatnonzero(g.view('objtype') == 101) if g.shape[i] == CYLINDER), key=lambda i: g.pos[i, 1])
    thing = look(bench, pixel(bench, g.pos[front] + (0, -.01, 0)), f'contact {g.objid[front]}')
    assert thing.kind == 'contact' and 'crate' in thing.lines[1] and thing.lines[3].startswith('force')


def test_a_contact_tells_its_geoms_and_force(bench):
    from app.bridge.describe import described
    bench.wait(lambda: bench.snapshot.ncon == 4)
    s = bench.snapshot
    lines = described(s.model, s, 101, 0, -1)
    newton = np.linalg.norm(s.contact_force[0, :3])
    assert lines[0] == 'contact 0' and lines[1] == 'geom 0 floor and geom 1 crate' and lines[3].startswith(f'force {newton:.4g} N: normal')
    assert described(s.model, s, 101, 99, -1) == ['contact 99'] and described(s.model, s, 0, 3, 1) == []
    assert described(s.model, s, 102, 1, 1) == ['perturbation of body 1 box'] and described(s.model, s, 19, 0, -1) == ['actuator 0 motor']


def test_lines_answer_and_win_close_by(bench):
    bench.context.options['range_finder'] = True
    bench.pictures()
    start, end = (bench.viewport.picture.scene.lines.view(k) for k in ('start', 'end'))
    assert len(start) or (bench.viewport.picture.scene.geoms.view('objtype') == 20).any()
    middle = (start[0] + end[0]) / 2 if len(start) else row_of(bench, 20, 0)
    look(bench, pixel(bench, middle) + QPointF(1, 0), 'sensor 0 ray')


def test_a_click_tells_what_was_clicked_and_a_drag_does_not(bench):
    heard = []
    bench.context.thing_clicked.connect(heard.append)
    at = pixel(bench, bench.snapshot.geom_xpos[1] + (.1, -.2, -.05))
    QTest.mouseClick(bench.host, Button.LeftButton, pos=at.toPoint())
    bench.wait(lambda: heard)
    assert (heard[0].kind, heard[0].objid, heard[0].name) == ('geom', 1, 'crate')
    bench.drag(at, at + QPointF(30, 0), at + QPointF(60, 0))
    bench.pictures(3)
    assert len(heard) == 1
    QTest.mouseClick(bench.host, Button.LeftButton, pos=QPointF(bench.host.width() - 3, 3).toPoint())
    bench.wait(lambda: len(heard) == 2)
    assert heard[1] is None


def test_few_questions_and_none_without_a_reason(bench):
    at = pixel(bench, bench.snapshot.geom_xpos[1] + (.1, -.2, -.05))
    look(bench, at, 'geom 1 crate')
    bench.wait(bench.hover.note.isVisible)
    asked = bench.steady(lambda: bench.hover.questions, 0.5)      # neither moved nor drawn anew
    begun = time.monotonic()
    for k in range(40):
        bench.move(at + QPointF(k % 5, 0), Button.NoButton)
        QTest.qWait(10)
    most = max(15, 2 + ASKS_PER_SECOND * (time.monotonic() - begun))       # a busy machine takes longer
    assert 0 < bench.hover.questions - asked <= most


def test_a_double_click_selects_the_body_as_before(bench):
    bench.pictures(1)       # as large as the view is by now
    bench.double_click(bench.centre('box'))
    bench.wait(lambda: bench.context.selection.name == 'box')


def test_labels_answer(bench):
    bench.context.options['joint'] = bench.context.options['actuator'] = bench.context.options['camera'] = bench.context.options['light'] = True
    bench.context.options['contact_point'] = True
    bench.wait(lambda: bench.snapshot.ncon > 0)
    for mode, title in (('Body', 'body 1 box'), ('Geom', 'geom 2 rod'), ('Joint', 'joint 1 hinge'), ('Site', 'site 0 mark'), ('Camera', 'camera 0 eye'),
                        ('Light', 'light 0 lamp'), ('Actuator', 'actuator 0 motor'), ('Contact', 'contact 0')):
        bench.context.options.label = mode
        bench.context.options_changed.emit()
        label_answers(bench, *title.split()[:2], title)


def label_answers(bench, kind, number, title):
    """The label of an object, at the pointer and clicked."""
    bench.pictures(3)
    place = next(p for p in bench.application.overlay.labels.places if p.key[:2] == (kind, int(number)))
    thing = look(bench, QPointF(place.x, place.y), title)
    assert (thing.kind, thing.objid) == (kind, int(number)) and len(thing.point) == 3
    assert thing.bodyid == {'geom': 2, 'joint': 2, 'site': 1}.get(kind, thing.bodyid)
    heard = []
    bench.context.thing_clicked.connect(heard.append)
    QTest.mouseClick(bench.host, Button.LeftButton, pos=QPointF(place.x, place.y).toPoint())
    bench.wait(lambda: heard)
    bench.context.thing_clicked.disconnect(heard.append)
    assert heard[0].lines == thing.lines


def test_the_legend_answers_and_what_it_explains_says_so(bench):
    bench.context.options['angular_velocity'] = bench.context.options['margin_shell'] = True
    bench.context.options['friction_cone'] = True
    bench.application.overlay.show_info = False     # the legend stands above it where there is little room
    bench.wait(lambda: bench.snapshot.ncon > 0)
    bench.context.options_changed.emit()
    bench.pictures(3)
    x, y, wide, high = bench.application.overlay.legend_area.box
    thing = look(bench, QPointF(x + wide / 2, y + 6), 'legend 0 Friction cone')
    assert thing.kind == 'legend' and thing.name == 'Friction cone' and thing.point == ()
    assert thing.lines[1].startswith('mouth:') and thing.lines[2].startswith('Friction Cone: how far friction')
    last = look(bench, QPointF(x + wide / 2, y + high - 6), 'legend 4 Margin of contacts')
    assert last.lines[1].startswith('no geom')
    scene = bench.viewport.picture.scene
    row = next(o.geoms[0] for o in scene.origins if o.switch == 'friction_cone')
    g = scene.geoms
    tip = next(i for i in range(row, g.n) if g.shape[i] == ARROW and g.pos[i, 1] < -.1)
    thing = look(bench, pixel(bench, g.pos[tip] + .3 * g.size[tip, 2] * g.mat[tip, 2::3]), f'contact {g.objid[tip]}')
    newton = np.linalg.norm(bench.snapshot.contact_force[g.objid[tip], :3])
    assert thing.lines[-1] == f'Force inside it: {newton:.3g} N ({scene.legend[1].scale})'


def test_what_pictures_of_types_and_distances_show_is_in_the_legend(bench):
    bench.context.options.show = 'type'
    bench.context.options_changed.emit()
    bench.pictures(3)
    rows = bench.viewport.picture.scene.legend
    assert [(row.what, row.scale) for row in rows] == [('geom', '3'), ('site', '1'), ('sensor', '1')]
    image = bench.viewport.image()
    at = pixel(bench, bench.snapshot.geom_xpos[1] + (.1, -.2, -.05))
    colour = image.pixelColor(at.toPoint())
    assert np.allclose((colour.red(), colour.green(), colour.blue()), 255 * np.array(rows[0].rgba[:3]), atol=1.5)
    x, y, _, _ = bench.application.overlay.legend_area.box
    look(bench, QPointF(x + 9, y + 9), 'legend 0 geom')
    bench.context.options.show = 'depth'
    bench.context.options_changed.emit()
    bench.pictures(3)
    rows = bench.viewport.picture.scene.legend
    assert rows[0].scale == '0 m' and rows[2].scale == '1.6 m' and rows[2].rgba[0] == 0.5 and rows[-1].what == 'Nothing there'
    bench.context.options.show = 'segment'
    bench.context.options_changed.emit()
    bench.pictures(3)
    assert not bench.viewport.picture.scene.legend


def test_a_double_clicked_skin_is_outlined(workbench, tmp_path):
    (tmp_path / 's.xml').write_text(skin_xml())
    bench = workbench(tmp_path / 's.xml', size=(800, 600))
    bench.pictures(2)
    at = pixel(bench, bench.snapshot.xpos[3] + (.1, 0, 0))
    before = bench.viewport.image()
    bench.double_click(at)
    bench.wait(lambda: bench.context.selection.bodyid > 0)
    assert bench.context.selection.skin == 0
    bench.pictures(2)
    scene, after = bench.viewport.picture.scene, bench.viewport.image()
    assert 11 in scene.geoms.objtype[scene.outline.geoms]
    assert after.pixelColor(at.toPoint()) == before.pixelColor(at.toPoint()) and after != before     # a line around it: its own colour stays
    bench.context.select_nothing()
    bench.pictures(2)
    assert bench.viewport.image() == before


def test_the_note_stays_away_while_a_button_is_held(bench):
    bench.context.select_body(1)
    asked = []

    def between():
        bench.pictures(2)
        QTest.qWait(300)        # longer than the pointer must rest
        asked.append((bench.hover.note.isVisible(), bench.hover.thing))

    for button, modifiers in ((Button.LeftButton, CTRL), (Button.RightButton, NONE), (Button.RightButton, CTRL), (Button.MiddleButton, NONE)):
        at = pixel(bench, bench.snapshot.geom_xpos[1] + (.1, -.2, -.05))
        look(bench, at, 'geom 1 crate')
        bench.wait(bench.hover.note.isVisible)
        bench.drag(at, at + QPointF(3, 0), at + QPointF(6, 0), button=button, modifiers=modifiers, between=between)
        assert asked == [(False, None)] * 2, (button, modifiers)
        asked.clear()
        look(bench, at + QPointF(1, 1), 'geom 1 crate')


def test_a_picture_of_another_model_answers_nothing(bench):
    """What is seen may still be the model before; its numbers mean other things in the one that runs."""
    shown = bench.viewport.shown
    bench.viewport.shown = lambda picture: shown(replace(picture, generation=picture.generation - 1) if picture is not None else None)     # None: given up for a newer one
    bench.pictures(2)
    at = pixel(bench, bench.snapshot.geom_xpos[1] + (.1, -.2, -.05))
    bench.move(at, Button.NoButton)
    asked = bench.hover.questions
    QTest.qWait(200)
    assert bench.hover.questions == asked and bench.hover.thing is None
    assert bench.viewport.pick(at.x(), at.y()) is None
