"""Panels that nobody looks at keep no Model that does not run any more, and find again by name what they are about."""
import gc
import weakref

import pytest

from physics.model.elements import element
from physics.runtime import commands
from tests.journeys.hands import enter, press

MODEL = """<mujoco model="{name}"><option integrator="RK4"/><worldbody><light pos="0 0 3"/>
<geom name="floor" type="plane" size="3 3 .1"/>{more}<body name="box" pos="0 0 .0999"><freejoint name="root"/><geom name="cube" type="box" size=".1 .1 .1"/></body>
<body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0" frictionloss=".1"/><geom size=".05" pos=".3 0 0"/></body></worldbody></mujoco>"""
POST = '<body name="post" pos="2 2 1"><joint name="twist" axis="0 0 1" frictionloss=".1"/><geom name="post" size=".1"/></body>'
pytestmark = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")      # of ipykernel, about itself


@pytest.fixture
def bench(workbench, tmp_path):
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.xml").write_text(MODEL.format(name=name, more=""))
    return workbench(tmp_path / "one.xml", size=(1200, 850))


def select(bench, *what):
    m = bench.context.model
    bench.context.select_elements([element(m, kind, m.id(kind, name)) for kind, name in what])


def hide(bench, panel_id):
    bench.docks.docks[panel_id].hide()
    bench.wait(lambda: not bench.docks.panels[panel_id].isVisible())


def open_file(bench, path):
    before = bench.context.model
    bench.session.open(path)
    bench.wait(lambda: bench.context.model is not before and bench.snapshot.model is bench.context.model)


def edit(bench, path, more):
    """The document's file is another one now."""
    before = bench.context.model
    path.write_text(MODEL.format(name=path.stem, more=more))
    bench.actions["reload"].trigger()
    bench.wait(lambda: bench.context.model is not before and bench.snapshot.model is bench.context.model)


def goes(bench, model) -> None:
    """Wait until a Model is gone, after two others were opened: a thread may have the one before for a while."""
    def gone() -> bool:
        gc.collect()
        return model() is None

    bench.wait(gone)


def see_balance(bench):
    panel = bench.panel("balance")
    select(bench, ("joint", "hinge"))
    bench.runner.send(commands.Step(2))     # after a step of RK4 the balance is computed anew, on a Data of the panel's
    bench.wait(lambda: panel.balance is not None and panel._scratch is not None)


def see_constraint(bench):
    panel = bench.panel("constraint")
    select(bench, ("joint", "hinge"))
    bench.wait(lambda: panel.answer is not None and panel.answer.rows)


def see_contact(bench):
    panel = bench.panel("contact")
    select(bench, ("geom", "floor"), ("geom", "cube"))
    bench.wait(lambda: panel.answer is not None and panel.answer.rows)
    panel.first.setFocus()      # names are offered
    bench.wait(panel.first.hasFocus)


def see_console(bench):
    panel = bench.panel("console")
    bench.wait(lambda: panel.text is not None)
    panel.text.shell.run_cell("count = m.nq + d.qpos.size")


def see_tuner(bench):
    panel = bench.panel("tuner")
    select(bench, ("geom", "floor"), ("geom", "cube"))
    bench.wait(lambda: panel.answer is not None and panel.answer.state is not None and panel.writing.places)
    bench.wait(lambda: not panel._predicting.busy and not panel.writing._work.busy)


def see_friction(bench):
    panel = bench.panel("friction")
    select(bench, ("geom", "floor"), ("geom", "cube"))
    bench.wait(lambda: panel.answer is not None and panel.answer.slip is not None)
    panel.test.click()
    panel.compare.click()
    bench.wait(lambda: panel.slope is not None and len(panel.slippings) == len(panel.answer.sets))


def see_sweep(bench):
    panel = bench.panel("sweep")
    bench.wait(panel.isVisible)
    enter(bench, panel.axes[0].lineEdit(), "opt.impratio")
    enter(bench, panel.expression, "qpos[2]")
    press(panel.start)
    bench.wait(lambda: panel.engine is not None and panel.sweep is None)


@pytest.mark.parametrize("see", [see_balance, see_constraint, see_contact, see_console, see_friction, see_tuner, see_sweep])
def test_a_hidden_panel_keeps_no_model(bench, tmp_path, see):
    see(bench)
    hide(bench, see.__name__.removeprefix("see_"))
    first = weakref.ref(bench.context.model)
    for name in ("two", "three"):
        open_file(bench, tmp_path / f"{name}.xml")
    goes(bench, first)


def test_names_of_the_console_follow_the_model_and_the_users_own_stay(bench, tmp_path):
    see_console(bench)
    panel, first = bench.docks.panels["console"], weakref.ref(bench.context.model)
    names = panel.text.shell.user_ns
    panel.text.shell.run_cell("mine = d")
    for name in ("two", "three"):
        open_file(bench, tmp_path / f"{name}.xml")
        bench.wait(lambda: names["m"] is bench.context.model and names["d"] is not None and names["d"].model is bench.context.model)     # without an input
    gc.collect()
    assert names["mine"].model is first() and names["count"] == 16
    del names["mine"]
    goes(bench, first)
    hide(bench, "console")
    open_file(bench, tmp_path / "one.xml")
    assert names["m"] is bench.context.model and names["d"] is None
    bench.panel("console")
    bench.wait(lambda: names["d"] is not None and names["d"].model is names["m"])


def test_what_a_hidden_panel_keeps_is_found_again_by_name(bench, tmp_path):
    """Through several versions of the text, none of which it has shown; unnamed geoms by their number."""
    contact, constraint = bench.panel("contact"), bench.panel("constraint")
    bench.panel("contact")
    bench.context.select_elements([element(bench.context.model, "geom", geom) for geom in (0, 2)])     # the last has no name
    bench.wait(lambda: contact.answer is not None)
    contact.keep.setChecked(True)
    bench.panel("constraint")
    select(bench, ("joint", "hinge"))
    bench.wait(lambda: constraint.answer is not None and constraint.element is not None)
    constraint.keep.setChecked(True)
    for panel_id in ("contact", "constraint"):
        hide(bench, panel_id)
    bench.context.select_nothing()
    edit(bench, tmp_path / "one.xml", "<!-- nothing else -->")
    edit(bench, tmp_path / "one.xml", '<site name="mark"/>')
    bench.panel("contact")
    bench.wait(lambda: contact.answer is not None and contact.answer.question.geoms == (0, 2) and contact.filled)
    assert contact.keep.isChecked()
    hide(bench, "contact")
    edit(bench, tmp_path / "one.xml", POST)
    edit(bench, tmp_path / "one.xml", POST + '<site name="mark"/>')
    bench.panel("constraint")
    bench.wait(lambda: constraint.answer is not None and constraint.filled and constraint.element == element(bench.context.model, "joint", 2))
    assert constraint.keep.isChecked() and constraint.element.name == "hinge" and constraint.answer.rows


def test_equal_names_of_another_file_mean_nothing_also_after_an_edit_of_it(bench, tmp_path):
    panel = bench.panel("constraint")
    select(bench, ("joint", "hinge"))
    bench.wait(lambda: panel.answer is not None and panel.element is not None)
    panel.keep.setChecked(True)
    hide(bench, "constraint")
    bench.context.select_nothing()
    open_file(bench, tmp_path / "two.xml")
    edit(bench, tmp_path / "two.xml", POST)
    bench.panel("constraint")
    bench.wait(lambda: panel.filled and panel.answer is not None)
    assert panel.element is None and not panel.keep.isChecked()
