"""Panels with a thousand rows: what nobody sees is not made, and an edit of the model changes rows in place."""
from app.panels.values import joint_rows
from physics.runtime.joint_coordinates import joint_coordinates

COUNT = 1000


def chain(first: str) -> str:
    """A model with COUNT hinges, each with a motor and an equality constraint."""
    names = [first, *(f"j{i}" for i in range(1, COUNT))]
    bodies = "".join(f'<body pos="{i % 40} {i // 40} 1"><joint name="{name}" axis="0 1 0"/><geom size=".1" contype="0" conaffinity="0"/></body>' for i, name in enumerate(names))
    motors = "".join(f'<motor joint="{name}" ctrlrange="-2 2" ctrllimited="true"/>' for name in names)
    ties = "".join(f'<joint joint1="{name}" active="false"/>' for name in names)
    return f"<mujoco><worldbody>{bodies}</worldbody><actuator>{motors}</actuator><equality>{ties}</equality></mujoco>"


def test_only_seen_rows_are_made_and_an_edit_keeps_them(workbench, tmp_path):
    path = tmp_path / "many.xml"
    path.write_text(chain("first"))
    bench = workbench(path)
    joints, controls, equality = bench.panel("joints"), bench.panel("controls"), bench.panel("equality")
    bench.panel("joints")
    bench.wait(lambda: joints.list.made and controls.list.made)
    assert len(joints.list) == len(controls.list) == COUNT
    assert len(joints.list.made) < 100 and len(controls.list.made) < 100 and 0 < len(equality.list.made) < 100
    rows, switches = joints.list.made, equality.list.made
    assert rows[0].name == "first"
    model = bench.context.model
    bench.session.set_text(bench.session.document.key, chain("renamed"))
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not model and rows[0].name == "renamed")
    assert all(joints.list.made[i] is row for i, row in rows.items()) and rows[0].name == "renamed" and equality.list.made == switches     # the same widgets
    joints.filter.setText("j99")
    bench.wait(lambda: joints.list.row(99).isVisible() and not rows[0].isVisible())
    assert {number for number, row in joints.list.made.items() if row.isVisible()} <= {99, *range(990, 1000)}
    joints.filter.clear()
    area = joints.parentWidget().parentWidget()
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    bench.wait(lambda: COUNT - 1 in joints.list.made)
    joints.list.row(COUNT - 1).enter(0.5)
    bench.wait(lambda: abs(bench.snapshot.qpos[COUNT - 1] - 0.5) < 1e-9)



def test_rows_that_come_into_view_show_the_present_values(workbench, tmp_path):
    path = tmp_path / "many.xml"
    path.write_text(chain("first"))
    bench = workbench(path)
    joints = bench.panel("joints")
    bench.wait(lambda: joints.list.made)
    joints.list.edited.emit(500, 0.25)
    bench.wait(lambda: abs(bench.snapshot.qpos[500] - 0.25) < 1e-9)
    area = joints.parentWidget().parentWidget()
    bar = area.verticalScrollBar()
    bench.wait(lambda: bar.maximum() > joints.list.height() - area.height())     # laid out for the width that there is
    bar.setValue(bar.maximum() // 2)
    bench.wait(lambda: 500 in joints.list.made and abs(joints.list.made[500].value - 0.25) < 1e-9)


def test_values_are_worked_out_for_seen_rows_only(workbench, tmp_path, monkeypatch):
    """Each snapshot turned the quaternions of all bodies into angles."""
    path = tmp_path / "many.xml"
    bodies = "".join(f'<body pos="{i} 0 1"><freejoint name="free{i}"/><geom size=".1"/></body>' for i in range(COUNT))
    path.write_text(f'<mujoco><option gravity="0 0 0"/><worldbody>{bodies}</worldbody></mujoco>')
    bench = workbench(path)
    panel = bench.panel("joints")
    bench.wait(lambda: panel.list.made)
    asked = []
    monkeypatch.setattr(joint_rows, "joint_coordinates", lambda qpos: asked.append(1) or joint_coordinates(qpos))
    panel.show_snapshot(bench.snapshot)
    assert len(panel.list) == 6 * COUNT and 0 < len(asked) <= len(panel.list.made)
    panel.row("free999 x").enter(3.5)
    bench.wait(lambda: bench.snapshot.qpos[7 * 999] == 3.5)
    assert panel.row("free999 x").value == 3.5 and panel.row("free998 x").value == 998


def test_an_edit_that_changes_no_row_leaves_them_alone(workbench, tmp_path, monkeypatch):
    path = tmp_path / "many.xml"
    path.write_text(chain("first"))
    bench = workbench(path)
    panels = [bench.panel(name) for name in ("controls", "joints")]
    filled = []
    for panel in panels:
        monkeypatch.setattr(panel.list, "set_rows", lambda specs, put=panel.list.set_rows: filled.append(specs) or put(specs))
    model = bench.context.model
    bench.session.set_text(bench.session.document.key, chain("first").replace('geom size=".1" ', 'geom size=".1" rgba="1 0 0 1" ', 1))
    bench.session.apply()
    bench.taken_up()
    bench.wait(lambda: all(panel._filled_with is bench.context.model or not panel.seen for panel in panels))
    assert not filled
    model = bench.context.model
    bench.session.set_text(bench.session.document.key, chain("renamed"))
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not model and filled)
    assert [specs[0].name for specs in filled] == ["renamed"]     # the motors have no names
