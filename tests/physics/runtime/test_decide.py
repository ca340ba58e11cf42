"""Commands that are decided on in the physics thread."""
import physics
from physics.recording import journal
from physics.runtime import commands as c
from physics.runtime.perform import perform
from physics.runtime.simulation import Simulation

TEXT = "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody><actuator><motor joint='0'/></actuator></mujoco>".replace("<joint/>", "<joint name='j'/>").replace("joint='0'", "joint='j'")


def test_what_is_decided_is_done_at_once_and_noted_as_if_it_had_been_sent():
    sim = Simulation()
    perform(sim, c.SwapModel(physics.load_string(TEXT)))
    perform(sim, c.SetCtrl(0, 0.25))
    perform(sim, c.Decide(lambda sim: (c.SetCtrl(0, 2 * sim.data.ctrl[0]), c.NoteEpisode("start"))))
    assert sim.data.ctrl[0] == 0.5
    assert [type(op.value) for op in sim.journal.ops if op.kind == journal.COMMAND] == [c.SetCtrl, c.SetCtrl, c.NoteEpisode]


def test_what_cannot_be_decided_is_told_and_the_run_goes_on():
    sim = Simulation()
    perform(sim, c.Decide(lambda sim: (c.SetCtrl(0, 1.0),)))
    perform(sim, c.Decide(lambda sim: 1 / 0))
    assert ["no model" in event.text or "ZeroDivisionError" in event.text for event in sim.events] == [True, True]
    perform(sim, c.SwapModel(physics.load_string(TEXT)))
    assert sim.model is not None
