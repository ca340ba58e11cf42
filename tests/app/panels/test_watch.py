"""The watch panel: fields of Model and Data, elements by number and name."""
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtTest import QTest

from app.panels import watch
from app.panels.values.watch_items import lines, parse
from physics.runtime import commands

MODEL = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" friction=".7 .01 .001"/>
    <body name="box" pos="0 0 .099"><freejoint name="root"/><geom name="cube" type="box" size=".1 .1 .1"/><site name="tip"/></body>
    <body name="arm" pos="1 0 1"><joint name="elbow" axis="0 1 0"/><geom size=".1" pos="0 0 -.3"/></body>
  </worldbody>
  <actuator><motor name="turn" joint="elbow"/></actuator>
  <sensor><accelerometer name="acc" site="tip"/><jointpos name="angle" joint="elbow"/></sensor>
</mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1100, 700))


def test_fields_of_the_model_and_single_numbers_are_watched(bench):
    panel = bench.panel("watch")
    for text in ("geom_friction", "ncon", "body_mass", "opt_timestep", "jnt_type"):
        assert panel.watch(text), panel.note.text()
    bench.wait(lambda: panel.cell("ncon") == str(bench.snapshot.ncon) != "0")
    assert panel.cell("geom_friction[0, 0]") == "0.7" and panel.owner("geom_friction[0, 2]") == "floor"
    assert panel.cell("opt_timestep") == "0.002" and panel.cell("jnt_type[1]") == "3" and panel.owner("body_mass[2]") == "arm"


def test_elements_are_named_by_number_and_by_name(bench):
    panel = bench.panel("watch")
    panel._set_items([])
    for text in ("qpos[3]", 'geom_friction["floor"]', 'qvel["root"]', 'xpos["box", 2]', 'sensordata["angle"]', "ctrl['turn']"):
        assert panel.watch(text), panel.note.text()
    bench.wait(lambda: len(panel.rows) == 1 + 3 + 6 + 1 + 1 + 1)
    assert panel.rows[0] == "qpos[3]" and panel.cell("qpos[3]") == "1" and panel.rows[1:4] == [f"geom_friction[0, {k}]" for k in range(3)]
    assert panel.cell("xpos[1, 2]") == "0.099" and panel.owner("sensordata[3]") == "angle"
    bench.runner.send(commands.SetCtrl(0, 2.5))
    bench.wait(lambda: panel.cell("ctrl[0]") == "2.5")


def test_what_is_not_there_is_said_with_the_nearest(bench):
    panel = bench.panel("watch")
    for text, says in (("qpoz", "qpos"), ('geom_friction["flor"]', "floor"), ("qpos[99]", "8 rows"), ("ncon[1]", "single number"), ("energy[x]", "quotes"),
                       ("xpos[1, 5]", "3 entries"), ("1+", "no expression"), ('M["elbow"]', "have no names")):
        assert not panel.watch(text) and says in panel.note.text(), text
        with pytest.raises(ValueError):
            parse(bench.context.model, text)


def test_expressions_are_watched_with_their_units(bench):
    panel = bench.panel("watch")
    panel._set_items([])
    for text in ('norm(xpos["box"])', 'contact("cube", "floor").force', "time > 0 and ncon == 4", 'deriv(qpos["elbow"])', "energy[0]"):
        assert panel.watch(text), panel.note.text()
    assert panel.note.text().startswith("energy: ")
    bench.wait(lambda: len(panel.rows) == 1 + 3 + 1 + 1 + 1)
    bench.runner.send(commands.SetCtrl(0, 0.5))
    bench.runner.send(commands.Run())
    weight = bench.context.model.body_mass[1] * 9.81
    bench.wait(lambda: panel.cell("time > 0 and ncon == 4") == "1" and abs(float(panel.cell('contact("cube", "floor").force[2]')) - weight) < 0.01 * weight)
    bench.wait(lambda: abs(float(panel.cell('deriv(qpos["elbow"])'))) > 1e-3)
    units = {panel.rows[k]: panel._model.data(panel._model.index(k, 3)) for k in range(len(panel.rows))}
    assert units['norm(xpos["box"])'] == "m" and units['contact("cube", "floor").force[2]'] == "N" and units['deriv(qpos["elbow"])'] == "rad/s"


def test_units_are_those_of_each_entry(bench):
    panel = bench.panel("watch")
    assert panel.watch("qvel")
    bench.wait(lambda: "qvel[6]" in panel.rows)
    units = {panel.rows[k]: panel._model.data(panel._model.index(k, 3)) for k in range(len(panel.rows))}
    assert [units[f"qvel[{k}]"] for k in (0, 2, 3, 6)] == ["m/s", "m/s", "rad/s", "rad/s"] and [units[f"qpos[{k}]"] for k in (0, 3, 7)] == ["m", "", "rad"]


def test_sensor_values_have_names_and_no_excuse(bench):
    panel = bench.panel("watch")
    assert panel.watch("sensordata")
    bench.wait(lambda: panel.cell("sensordata[2]") == f"{bench.snapshot.sensordata[2]:.6g}" != "0")
    assert panel.owner("sensordata[0]") == "acc" and panel.owner("sensordata[3]") == "angle"
    assert "not computed" not in panel.note.text()


def test_arrays_that_grow_show_what_is_in_them(bench):
    panel = bench.panel("watch")
    assert panel.watch("contact_dist")
    bench.wait(lambda: bench.snapshot.ncon and panel.rows.count("contact_dist[0]") == 1)
    assert sum(row.startswith("contact_dist") for row in panel.rows) == bench.snapshot.ncon


def test_one_row_is_removed_and_rows_are_copied(bench):
    panel = bench.panel("watch")
    panel._set_items([])
    panel.watch("qpos")
    panel.watch("ncon")
    bench.wait(lambda: len(panel.rows) == 9)
    panel.table.selectRow(1)
    QTest.keyClick(panel.table, Qt.Key.Key_Delete)
    bench.wait(lambda: len(panel.rows) == 8 and "qpos[1]" not in panel.rows)
    panel.table.selectRow(panel.rows.index("ncon"))
    QTest.keyClick(panel.table, Qt.Key.Key_Delete)
    bench.wait(lambda: "ncon" not in panel.rows)
    assert [item.text for item in panel.items] == ["qpos"]
    panel.table.selectRow(panel.rows.index("qpos[7]"))
    panel.copy_chosen()
    assert QGuiApplication.clipboard().text() == "qpos[7]\telbow\t0\trad"
    panel.watch("qpos")
    bench.wait(lambda: "qpos[1]" in panel.rows)    # asked for anew it is whole again


def test_names_of_fields_and_elements_are_completed(bench):
    panel = bench.panel("watch")
    edit = panel._edit
    edit.setFocus()
    QTest.keyClicks(edit, "geom_fric")
    completer = edit.completer()
    assert completer.completionCount() >= 1 and completer.currentCompletion() == "geom_friction"
    edit.clear()
    QTest.keyClicks(edit, 'geom_friction["fl')
    assert [completer.completionModel().index(i, 0).data() for i in range(completer.completionCount())] == ['geom_friction["floor"]']


def test_nothing_is_copied_while_the_panel_is_hidden(bench):
    panel = bench.panel("watch")
    panel.watch("qacc_smooth")
    bench.wait(lambda: "qacc_smooth" in bench.snapshot.watch)
    bench.docks.toggle("watch")
    bench.wait(lambda: not bench.snapshot.watch)
    bench.panel("watch")
    bench.wait(lambda: "qacc_smooth" in bench.snapshot.watch and panel.cell("qacc_smooth[0]"))


def test_another_model_keeps_what_it_has_too(bench, tmp_path):
    panel = bench.panel("watch")
    panel.watch('xpos["box"]')
    panel.watch('xpos["arm"]')
    model = bench.context.model
    bench.session.set_text(bench.session.document.key, MODEL.replace('body name="box"', 'body name="crate"'))
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not model)
    bench.wait(lambda: len(panel.items) == 2)
    assert [item.text for item in panel.items] == ["qpos", 'xpos["arm"]'] and "box" in panel.note.text()


def test_chosen_rows_stay_chosen_while_contacts_come_and_go(bench):
    """Each change of ncon laid out all rows anew."""
    panel = bench.panel("watch")
    panel._set_items([])
    for text in ("contact_dist", "qvel", "contact_pos"):
        assert panel.watch(text)
    bench.wait(lambda: bench.snapshot.ncon == 4 and len(panel.rows) == 4 + 7 + 12)
    panel.table.selectRow(panel.rows.index("qvel[2]"))

    def chosen() -> list[str]:
        return [panel.rows[index.row()] for index in panel.table.selectionModel().selectedRows()]

    for height, count in ((3.0, 0), (0.099, 4)):
        bench.runner.send(commands.SetQpos(2, height))
        bench.wait(lambda count=count: bench.snapshot.ncon == count and len(panel.rows) == 4 * count + 7)
        assert chosen() == ["qvel[2]"]
        assert panel.rows == [f"contact_dist[{i}]" for i in range(count)] + [f"qvel[{i}]" for i in range(7)] + [f"contact_pos[{i}, {c}]" for i in range(count) for c in range(3)]
    bench.wait(lambda: panel.cell("contact_pos[3, 2]") == f"{bench.snapshot.contact_pos[3, 2]:.6g}")


def test_no_more_rows_are_made_than_are_shown(bench, monkeypatch):
    """450,000 of the orientations of 50,000 geoms were, of which 20,000 were shown."""
    panel, made, passes = bench.panel("watch"), [], []
    panel.fill_now()
    monkeypatch.setattr(watch, "MOST_ROWS", 10)
    monkeypatch.setattr(watch, "lines", lambda *args: (made.append(line) or line for line in lines(*args)))
    lay_out = panel._model.lay_out
    monkeypatch.setattr(panel._model, "lay_out", lambda *args: (passes.append(len(made)), made.clear(), lay_out(*args)))
    panel._set_items([])
    assert panel.watch("geom_xmat") and panel.watch("qpos")
    bench.wait(lambda: len(panel.rows) == 10 and panel.rows[9] == "geom_xmat[1, 0]")
    assert panel.rows[0] == "geom_xmat[0, 0]" and 0 < max(passes) <= 10     # the fields may arrive one after the other


def test_texts_enlarged_while_the_table_is_open_are_not_cut(bench, enlarge):
    panel = bench.panel("watch")
    bench.wait(lambda: panel.rows)
    table = panel.table
    enlarge(bench, table)
    assert table.columnWidth(2) >= table.fontMetrics().horizontalAdvance("-0.00000e-00")
