"""One selection of everything: by clicks, boxes and keys in the view, kept over edits, hidden and framed."""
import numpy as np
import pytest
from PyQt6.QtCore import QPointF
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from physics.model.elements import Element, contact_element, element
from render.scene.camera import project
from tests.app.workbench import CTRL, NONE, SHIFT, Button, Key

MODEL = """<mujoco><option timestep=".002"/><visual><global azimuth="90" elevation="-20"/></visual><statistic center="0 0 .5" extent="3.5"/>
<worldbody><geom name="floor" type="plane" size="5 5 .1"/><light pos="0 -2 4" dir="0 .3 -1"/>
<body name="left" pos="-1 0 .5"><geom name="red" type="box" size=".3 .3 .3" rgba="1 0 0 1"/>
  <body name="knob" pos="0 0 .6"><joint name="turn" axis="0 0 1"/><geom name="ball" size=".2" rgba="1 1 0 1"/></body></body>
<body name="right" pos="1 0 .3"><freejoint/><geom name="green" type="box" size=".3 .3 .3" rgba="0 1 0 1"/></body></worldbody>
<actuator><motor name="drive" joint="turn"/></actuator></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(MODEL)
    return workbench(path, size=(1000, 700))


def of(bench, kind, name):
    return element(bench.context.model, kind, bench.context.model.id(kind, name))


def at(bench, point):
    """Where a point of the world is in the view."""
    size = bench.host.width(), bench.host.height()
    pixels, _ = project(bench.application.view_control.view(bench.snapshot), np.array([point], float), size)
    return QPointF(*pixels[0])


def geom_at(bench, name):
    return at(bench, bench.snapshot.geom_xpos[bench.context.model.id("geom", name)])


def names(bench):
    return [what.name for what in bench.context.selection.elements]


def click(bench, place, keys=NONE, button=Button.LeftButton):
    QTest.mouseClick(bench.host, button, keys, place.toPoint())


def sky(bench):
    return QPointF(bench.host.width() - 4, 4)


def test_a_click_selects_what_is_drawn_there_and_one_on_nothing_clears(bench):
    bench.pictures()
    click(bench, geom_at(bench, "red"))
    bench.wait(lambda: bench.context.selection.elements == (of(bench, "geom", "red"),))
    assert bench.context.selection.bodyid == bench.context.model.id("body", "left")     # what Ctrl+drag pulls
    bench.drag(geom_at(bench, "green"), geom_at(bench, "green") + QPointF(40, 0))          # turns the camera: no click
    bench.pictures()
    assert names(bench) == ["red"]
    click(bench, sky(bench))
    bench.wait(lambda: not bench.context.selection.elements)
    assert bench.context.selection.bodyid == 0


def test_shift_adds_ctrl_toggles_and_the_last_one_is_active(bench):
    bench.pictures()
    click(bench, geom_at(bench, "red"))
    bench.wait(lambda: names(bench) == ["red"])
    click(bench, geom_at(bench, "green"), SHIFT)
    bench.wait(lambda: names(bench) == ["red", "green"])
    assert bench.context.selection.active.name == "green" and bench.context.selection.name == "right"
    click(bench, geom_at(bench, "ball"), CTRL)
    bench.wait(lambda: names(bench) == ["red", "green", "ball"])
    click(bench, geom_at(bench, "green"), CTRL)
    bench.wait(lambda: names(bench) == ["red", "ball"])
    click(bench, sky(bench), SHIFT)
    bench.pictures(4)
    assert names(bench) == ["red", "ball"]


def test_a_double_click_selects_the_body_for_pulling(bench):
    bench.pictures()
    click(bench, geom_at(bench, "ball"))
    bench.double_click(geom_at(bench, "ball"))
    bench.wait(lambda: bench.context.selection.elements == (of(bench, "body", "knob"),))
    bench.pictures(4)
    assert bench.context.selection.elements == (of(bench, "body", "knob"),) and any(bench.context.selection.localpos)
    bench.press_key(Key.Key_PageUp)
    assert names(bench) == ["left"]
    bench.press_key(Key.Key_PageDown)
    assert names(bench) == ["red", "knob"]
    bench.press_key(Key.Key_PageUp)
    bench.press_key(Key.Key_PageUp)
    assert not bench.context.selection.elements


def test_a_box_selects_all_that_is_seen_in_it_and_esc_ends_it(bench):
    bench.pictures()
    bench.press_key(Key.Key_B, SHIFT)
    assert bench.viewport.tools.active is not None
    bench.press_key(Key.Key_Escape)
    assert bench.viewport.tools.active is None
    bench.press_key(Key.Key_B, SHIFT)
    low, high = geom_at(bench, "red"), geom_at(bench, "ball")
    camera = bench.application.view_control.camera
    bench.drag(QPointF(low.x() - 40, high.y() - 40), low, QPointF(low.x() + 40, low.y() + 60))
    bench.wait(lambda: set(names(bench)) == {"red", "ball"})
    assert bench.viewport.tools.active is None and bench.application.view_control.camera == camera
    bench.press_key(Key.Key_B, SHIFT)
    place = geom_at(bench, "green")
    bench.drag(place - QPointF(8, 8), place + QPointF(8, 8), modifiers=SHIFT)
    bench.wait(lambda: set(names(bench)) == {"red", "ball", "green"})


def test_a_box_is_given_up_by_the_right_button_and_tools_from_a_menu_have_the_keys(bench):
    bench.pictures()
    low, high = geom_at(bench, "red"), geom_at(bench, "ball")
    bench.actions["box_select"].trigger()
    bench.drag(QPointF(low.x() - 40, high.y() - 40), low, release=False)
    QTest.mousePress(bench.host, Button.RightButton, NONE, low.toPoint())
    assert bench.viewport.tools.active is None
    QTest.mouseRelease(bench.host, Button.RightButton, NONE, low.toPoint())
    QTest.mouseRelease(bench.host, Button.LeftButton, NONE, low.toPoint())
    bench.settled()
    assert names(bench) == []
    bench.panel("outliner").search.setFocus()
    bench.wait(lambda: not bench.host.hasFocus())
    bench.actions["box_select"].trigger()
    bench.wait(bench.host.hasFocus)
    bench.press_key(Key.Key_Escape)
    assert bench.viewport.tools.active is None


def test_selected_things_are_outlined_and_things_without_a_surface_drawn(bench):
    bench.pictures()
    plain = bench.viewport.image()
    bench.context.select_elements((of(bench, "geom", "red"),))
    bench.pictures()
    scene = bench.viewport.picture.scene
    assert [int(k) for k in scene.geoms.objid[scene.outline.geoms]] == [bench.context.model.id("geom", "red")]
    assert bench.viewport.image() != plain and not scene.geoms.view("glow").any()
    for kind, name in (("joint", "turn"), ("actuator", "drive")):
        bench.context.select_elements((of(bench, kind, name),))
        bench.pictures()
        assert len(bench.viewport.picture.scene.outline.geoms) == 1
    bench.context.select_nothing()
    bench.pictures()
    assert bench.viewport.picture.scene.outline is None and bench.viewport.image() == plain


def test_the_selection_survives_edits_by_name(bench):
    bench.context.select_elements((of(bench, "geom", "green"), of(bench, "joint", "turn"), of(bench, "actuator", "drive")))
    model = bench.context.model
    bench.source.editor().replace_text(MODEL.replace('<body name="left"', '<body name="new" pos="0 3 1"><joint/><geom size=".1"/></body><body name="left"').replace('name="green"', 'name="lime"'))
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not model)
    assert bench.context.selection.elements == (Element("joint", 1, "turn"), Element("actuator", 0, "drive"))
    assert bench.context.selection.bodyid == 0


def test_a_contact_stays_selected_while_its_geoms_touch(bench):
    bench.context.options["contact_point"] = True
    bench.actions["run"].trigger()
    bench.wait(lambda: bench.snapshot.ncon == 4)
    bench.pictures()
    thing = contact_element(bench.context.model, bench.snapshot, 2)
    bench.context.select_elements((thing,))
    bench.pass_time(0.1)
    assert bench.context.selection.elements == (thing,) and thing.geoms == (of(bench, "geom", "floor"), of(bench, "geom", "green"))
    bench.pictures()
    assert len(bench.viewport.picture.scene.outline.geoms)


LANDING = """<mujoco><visual><global azimuth="90" elevation="-20"/></visual><statistic center="0 0 .2" extent="1.5" meansize=".3"/>
<worldbody><geom name="floor" type="plane" size="5 5 .1"/><body pos="-.5 0 .4"><joint type="slide" axis="0 0 1"/><geom name="late" size=".1"/></body>
<body pos=".5 0 .1"><joint type="slide" axis="0 0 1"/><geom name="early" size=".1"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("of_label", [False, True])
def test_a_click_on_a_contact_means_the_one_that_is_seen_whatever_its_number_by_now(workbench, tmp_path, of_label):
    (tmp_path / "landing.xml").write_text(LANDING)
    bench = workbench(tmp_path / "landing.xml", size=(1000, 700))
    bench.context.options["contact_point"], bench.context.options.label = True, "Contact" if of_label else "None"
    bench.wait(lambda: bench.snapshot.ncon == 1)
    bench.pictures(3)
    seen, shown = bench.viewport.picture.snapshot.contact_pos[0].copy(), bench.viewport._show
    label = next((place for place in bench.application.overlay.labels.places if place.key[:2] == ("contact", 0)), None)
    place = QPointF(label.x, label.y) if of_label else at(bench, seen + (0, -.08, 0))
    bench.viewport._show = lambda: None     # this picture stays
    bench.actions["run"].trigger()
    bench.wait(lambda: bench.snapshot.ncon == 2)
    early = of(bench, "geom", "floor"), of(bench, "geom", "early")
    assert {g.name for g in contact_element(bench.context.model, bench.snapshot, 0).geoms} == {"floor", "late"}
    click(bench, place)
    bench.wait(lambda: bench.context.selection.elements)
    assert [what.geoms for what in bench.context.selection.elements] == [early]
    bench.viewport._show = shown
    bench.pass_time(0.05)       # it has moved a little in its ball
    bench.pictures(3)
    label = next((place for place in bench.application.overlay.labels.places if place.key[:2] == ("contact", 1)), None)
    click(bench, QPointF(label.x, label.y) if of_label else place, CTRL)
    bench.wait(lambda: not bench.context.selection.elements)


def test_hiding_takes_things_from_picture_and_clicks_but_not_from_the_physics(bench):
    bench.pictures()
    at_red, at_ball = geom_at(bench, "red"), geom_at(bench, "ball")
    bench.context.select_elements((of(bench, "body", "left"),))
    bench.press_key(Key.Key_H, SHIFT)
    bench.context.select_nothing()
    bench.pictures()
    click(bench, at_ball)
    bench.wait(lambda: names(bench) == ["floor"])      # what is below the body is hidden too
    assert bench.viewport.pick(at_red.x(), at_red.y()).objid == bench.context.model.id("geom", "floor")
    bench.actions["show_all"].trigger()
    bench.pictures()
    click(bench, at_ball)
    bench.wait(lambda: names(bench) == ["ball"])
    bench.press_key(Key.Key_I, SHIFT)
    bench.pictures()
    drawn = bench.viewport.picture.scene.geoms.view("rgba")[:, 3] > 0
    assert [int(k) for k in bench.viewport.picture.scene.geoms.view("objid")[drawn]] == [bench.context.model.id("geom", "ball")]
    bench.press_key(Key.Key_I, SHIFT)
    assert not bench.context.options.isolated and bench.context.model.nbody == 4


def test_hidden_things_stay_hidden_over_edits_and_are_shown_in_another_file(bench, tmp_path):
    bench.application.selection.hide((of(bench, "body", "right"), of(bench, "geom", "red")))
    model = bench.context.model
    bench.source.editor().replace_text(MODEL.replace('size=".2"', 'size=".21" contype="3"'))
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not model)
    assert {str(what) for what in bench.context.options.hidden} == {"body right", "geom red"}
    (tmp_path / "other.xml").write_text(MODEL)
    model = bench.context.model
    bench.session.open(tmp_path / "other.xml")
    bench.wait(lambda: bench.context.model is not model)
    assert not bench.context.options.hidden


def test_what_is_hidden_can_be_shown_alone(bench):
    control, options = bench.application.selection, bench.context.options
    control.hide((of(bench, "body", "left"), of(bench, "body", "right"), of(bench, "geom", "ball")))
    control.isolate((of(bench, "geom", "ball"),))       # hidden itself and with the body above
    bench.pictures()
    g = bench.viewport.picture.scene.geoms
    assert [int(k) for k in g.view("objid")[g.view("rgba")[:, 3] > 0]] == [bench.context.model.id("geom", "ball")]
    assert options.hidden == {of(bench, "body", "right")}


def test_a_menu_on_an_element_closes_when_another_model_runs(bench):
    bench.pictures()
    click(bench, geom_at(bench, "red"), button=Button.RightButton)
    bench.wait(lambda: QApplication.activePopupWidget() is not None)
    assert QApplication.activePopupWidget().actions()[0].text() == "geom red"
    model = bench.context.model
    bench.session.set_text(bench.session.document.key, MODEL.replace('<geom name="red"', '<geom name="first" size=".1"/><geom name="red"'))
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not model)
    bench.wait(lambda: QApplication.activePopupWidget() is None)


def test_framing_fills_the_view_with_what_is_selected(bench):
    view = bench.application.view_control
    bench.context.select_elements((of(bench, "geom", "ball"),))
    bench.press_key(Key.Key_Period)
    bench.wait(lambda: not view.flying)
    ball = bench.snapshot.geom_xpos[bench.context.model.id("geom", "ball")]
    assert np.allclose(view.camera.lookat, ball) and view.camera.distance == pytest.approx(0.2 * np.sqrt(3) * 1.15 / np.sin(np.radians(22.5)), rel=0.01)
    bench.context.select_nothing()
    bench.press_key(Key.Key_F, SHIFT)
    bench.wait(lambda: not view.flying)
    assert np.allclose(view.camera.lookat, bench.context.model.stat_center)


def test_names_paths_and_poses_are_copied(bench):
    clipboard = QGuiApplication.clipboard()
    bench.context.select_elements((of(bench, "geom", "ball"),))
    for action, text in (("copy_name", "ball"), ("copy_path", "left/knob/geom ball"), ("copy_pose", 'pos="-1 0 1.1" quat="1 0 0 0"')):
        bench.actions[action].trigger()
        assert clipboard.text() == text


def test_thousands_are_selected_by_a_box_and_found_again(workbench, tmp_path):
    balls = "".join(f'<geom name="g{i}" size=".02" pos="{(i % 60 - 30) * .05} {(i // 60 - 20) * .05} .5"/>' for i in range(2400))
    path = tmp_path / "many.xml"
    path.write_text(f'<mujoco><visual><global elevation="-89"/></visual><statistic center="0 0 .5" extent="4"/><worldbody>{balls}</worldbody></mujoco>')
    bench = workbench(path, size=(1000, 700))
    bench.pictures()
    bench.press_key(Key.Key_B, SHIFT)
    bench.drag(QPointF(2, 100), QPointF(bench.host.width() - 100, bench.host.height() - 100), QPointF(bench.host.width() - 2, bench.host.height() - 2))
    bench.wait(lambda: len(bench.context.selection.elements) > 2000)
    bench.pictures()
    count, model = len(bench.context.selection.elements), bench.context.model
    bench.source.editor().replace_text(path.read_text().replace('name="g0"', 'name="first"'))
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not model)
    assert len(bench.context.selection.elements) in (count, count - 1)


def test_pictures_of_cameras_and_files_have_no_outline(workbench, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(MODEL.replace("<worldbody>", '<worldbody><camera name="eye" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>'))
    bench = workbench(path, size=(1000, 700))
    bench.viewport.insets.show_camera(0)
    bench.context.select_elements((of(bench, "geom", "red"),))
    seen = []
    draw = bench.viewport.renderer.outline.run
    bench.viewport.renderer.outline.run = lambda plan, scene, *rest: (seen.append(scene.outline is not None), draw(plan, scene, *rest))
    bench.pictures(3)
    assert True in seen and False in seen      # the view has one, the inset has none


def test_of_hidden_groups_what_is_selected_is_seen_faintly(workbench, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text("""<mujoco><worldbody><body name="arm"><geom name="skin" size=".2"/><geom name="hull" type="box" size=".2 .2 .2" group="3"/></body>
        <body name="bare" pos="1 0 0"><geom name="only" size=".1" group="3"/></body></worldbody></mujoco>""")
    bench = workbench(path, size=(1000, 700))

    def drawn(kind, name):
        bench.context.select_elements((of(bench, kind, name),))
        bench.pictures()
        g = bench.viewport.picture.scene.geoms
        return {bench.context.model.names["geom"][i]: round(float(a), 2) for i, a in zip(g.view("objid"), g.view("rgba")[:, 3], strict=True)}

    assert drawn("body", "arm") == {"skin": 1.0} and drawn("geom", "hull") == {"skin": 1.0, "hull": 0.25} and drawn("body", "bare") == {"skin": 1.0, "only": 0.25}
