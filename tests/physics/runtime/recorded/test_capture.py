"""What a running Simulation has, for several who write it down."""
import numpy as np

import physics
from physics.recording.journal import JournalReader
from physics.recording.recover import recover
from physics.recording.spool import Spool
from physics.runtime import commands as c
from physics.runtime.perform import perform
from physics.runtime.recorded.capture import capture
from physics.runtime.simulation import Simulation

TEXT = "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody><actuator><motor joint='j'/></actuator></mujoco>"


def test_each_who_writes_a_run_gets_what_was_set_by_hand_since_his_own_last_look(tmp_path):
    physics.ensure_kernels()
    sim = Simulation()
    perform(sim, c.SwapModel(physics.load_string(TEXT)))
    sim.take(5)
    first, second = JournalReader(sim.journal, 0), JournalReader(sim.journal, 0)
    assert capture(sim, first).changed == frozenset() and capture(sim, second).changed == frozenset()
    number = sim.history.number
    perform(sim, c.SetCtrl(0, 0.5))
    sim.take(3)
    assert capture(sim, first).changed == {number} and capture(sim, first).changed == frozenset()
    assert capture(sim, second).changed == {number}
    assert capture(sim).changed == frozenset()      # all at once needs no telling


def test_a_control_that_is_set_before_the_rows_are_written_waits_for_its_input(tmp_path):
    physics.ensure_kernels()
    sim = Simulation()
    perform(sim, c.SwapModel(physics.load_string(TEXT)))
    sim.take(5)
    reader, spool = JournalReader(sim.journal, 0), Spool(tmp_path)
    taken = capture(sim, reader)
    perform(sim, c.SetCtrl(0, 0.5))
    spool.append(taken.recording, taken.changed, taken.present)
    assert recover(tmp_path).line.track.pieces[-1].columns("ctrl")[-1, 0] == 0.0
    taken = capture(sim, reader)
    spool.append(taken.recording, taken.changed, taken.present)
    np.testing.assert_array_equal(recover(tmp_path).line.track.pieces[-1].columns("ctrl")[:, 0], [0, 0, 0, 0, 0, 0.5])
    spool.close()
