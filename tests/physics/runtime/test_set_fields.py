"""Fields that an edit of the text changes, written into the Model that runs: between steps, for one Model only, with what was set in the window upon them; and done again from a journal."""
import numpy as np
import pytest

import physics
from physics.recording.models import ModelStore
from physics.runtime import commands as c
from physics.runtime import events
from physics.runtime.perform import perform
from physics.runtime.recorded.command_text import line_of, op_of
from physics.runtime.redo import Redo
from physics.runtime.simulation import Simulation

TEXT = """<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="1 1 .1"/>
<body pos="0 0 .1"><freejoint/><geom name="ball" size=".1"/></body><body pos="1 0 1"><joint name="j" damping="1"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
<equality><joint name="e" joint1="j" active="false"/></equality></mujoco>"""


@pytest.fixture
def sim(tmp_path):
    physics.ensure_kernels()
    made = Simulation(ready=True, models=ModelStore(tmp_path / "models"))
    made.install(physics.load_string(TEXT))
    return made


def rows(name, where, values):
    return (name, np.array(where), np.array(values))


def refusals(sim) -> list[str]:
    return [event.text for event in sim.events if event.kind in (events.REFUSED, events.ERROR)]


def test_rows_numbers_and_picture_settings_are_written_and_told(sim):
    m, before = sim.model, sim.data.qpos.copy()
    perform(sim, c.SetFields((rows("dof_damping", [6], [3.0]), ("opt_timestep", None, 0.001), ("vis.map.znear", None, 0.5)), m, "edit of it", number=4))
    assert m.dof_damping[6] == 3 and m.opt_timestep == 0.001 and m.vis.map.znear == 0.5 and not refusals(sim)
    assert m.revision.number == 1 and m.revision.edit == 4 and m.revision.of("dof_damping", "x") == 1 and m.revision.of("geom_rgba") == 0
    assert sim.history.marks()[-1].text == "edit of it" and np.array_equal(sim.data.qpos, before)
    perform(sim, c.SetFields((rows("geom_rgba", [1], [[1, 0, 0, 1]]),), m))
    assert m.revision.number == 2 and m.revision.edit == 4 and len(sim.history.marks()) == 2


def test_another_model_and_what_is_no_field_to_be_written_are_refused(sim):
    other = physics.load_string(TEXT)
    for wrong in (c.SetFields((rows("dof_damping", [6], [3.0]),), other), c.SetFields((rows("body_parentid", [1], [2]),)), c.SetFields((("nv", None, 3),)),
                  c.SetFields((rows("no_field", [0], [1.0]),)), c.SetFields((("vis.__class__.x", None, 1.0),)), c.SetFields((rows("dof_damping", [99], [1.0]),)),
                  c.SetFields((("vis.map.znear", None, "x"),)), c.SetFields((3,))):
        sim.events.clear()
        perform(sim, wrong)
        assert len(refusals(sim)) == 1 and "failed" not in refusals(sim)[0]
    assert sim.model.dof_damping[6] == 1 and sim.model.revision.number == 0


def test_sleepers_wake_unless_it_is_only_looked_at(sim):
    sim.data.tree_asleep[:] = 0
    perform(sim, c.SetFields((rows("geom_rgba", [1], [[1, 0, 0, 1]]),)))
    assert (sim.data.tree_asleep >= 0).all()
    perform(sim, c.SetFields((rows("geom_friction", [1], [[.1, .1, .1]]),)))
    assert (sim.data.tree_asleep < 0).all()


def test_switches_follow_the_text_unless_somebody_switched_them(sim):
    perform(sim, c.SetFields((rows("eq_active0", [0], [1]),)))
    assert sim.data.eq_active[0]
    perform(sim, c.SetEqActive(0, False))
    perform(sim, c.SetFields((rows("eq_active0", [0], [1]),)))
    assert not sim.data.eq_active[0]


def test_values_of_the_window_go_on_until_the_text_changes_them(sim):
    perform(sim, c.SetField("geom_rgba", (0, 1, 0, 1), 1))
    perform(sim, c.SetFields((rows("geom_rgba", [0], [[1, 1, 1, 1]]),)))
    assert sim.model.geom_rgba[1].tolist() == [0, 1, 0, 1] and len(sim.values) == 1
    sim.events.clear()
    perform(sim, c.SetFields((rows("geom_rgba", [1], [[1, 0, 0, 1]]),)))
    assert sim.model.geom_rgba[1].tolist() == [1, 0, 0, 1] and len(sim.values) == 0
    assert [event for event in sim.events if event.kind == events.DROPPED]


def test_a_run_with_edits_is_done_again_bit_for_bit(sim):
    sim.set_running(True)
    sim.take(20)
    perform(sim, c.SetFields((rows("dof_damping", [6], [3.0]), rows("geom_friction", [1], [[.1, .1, .1]])), sim.model, "edit"))
    sim.take(20)
    sim.models.wait()
    lines = [line_of(op) for op in sim.journal.ops]
    assert any('"SetFields"' in line for line in lines)
    redo = Redo(sim.models.load)
    redo.do(op_of(line) for line in lines)
    again = redo.simulation
    assert again.model is not sim.model and again.model.dof_damping[6] == 3
    assert np.array_equal(again.data.qpos, sim.data.qpos) and np.array_equal(again.data.qvel, sim.data.qvel) and again.data.time == sim.data.time


def test_a_recording_runs_on_with_the_edited_model(sim, tmp_path):
    from physics.runtime.recorded.capture import capture
    from physics.runtime.recorded.restore import prepare
    sim.set_running(True)
    sim.take(5)
    perform(sim, c.SetFields((rows("dof_damping", [6], [3.0]),), sim.model, "edit"))
    sim.take(5)
    taken = capture(sim)
    (tmp_path / "again").mkdir()
    prepared = prepare(taken.whole(), tmp_path / "again")
    assert prepared.model.dof_damping[6] == 3
