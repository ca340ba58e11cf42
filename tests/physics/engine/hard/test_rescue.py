"""Steps that are hard to solve: what is tried, and what is counted where nothing else helps."""
import numpy as np
import pytest

import physics
from physics.diagnostics.engine_figures import Judge
from physics.enums import Engine
from physics.runtime.hard_report import said

WEDGE = """<mujoco><option timestep=".002"/><worldbody>
<geom name="left" type="box" pos="-.119 0 0" size=".02 .3 .3"/><geom name="right" type="box" pos=".119 0 0" size=".02 .3 .3"/>
<body pos="0 0 0"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><geom name="inner" type="box" size=".1 .1 .1" mass="1"/></body></worldbody></mujoco>"""
WHEEL = """<mujoco><option timestep=".002"/><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
<body pos="0 0 .09"><joint axis="0 0 1"/><geom name="wheel" size=".1" mass="1"/></body>
<body pos="1 0 .099"><freejoint/><geom name="free" size=".1" mass="1"/></body></worldbody></mujoco>"""


def hard(text):
    physics.ensure_kernels()
    m = physics.load_string(text)
    m.opt.engine = Engine.HARD
    return m, physics.Data(m)


def test_a_body_wedged_between_two_stays_as_deep_and_is_counted():
    m, d = hard(WEDGE)
    before = Judge(m).look(d).overlap
    assert before == pytest.approx(1e-3, abs=1e-9)
    assert physics.step(m, d, 20, autoreset=False) == 20
    assert d.hard_stuck == 1 and d.hard_nstuck == 20 and d.hard_nfailed == d.hard_ncoarse == d.hard_nhalved == 0
    assert Judge(m).look(d).overlap < before + 1e-7 and abs(d.qpos[0]) < 1e-6
    text = said(m, d, 0, 0, 20)
    assert "20 hard steps could not undo an overlap" in text and "'inner'" in text and ("'left'" in text or "'right'" in text)


def test_a_body_that_no_joint_parts_from_another_keeps_its_overlap_while_another_ends_its_own():
    """They are islands of their own."""
    m, d = hard(WHEEL)
    physics.step(m, d, 1, autoreset=False)
    assert d.hard_nfailed == 0 and d.hard_nstuck == 1
    assert d.qpos[3] == pytest.approx(0.1, abs=1e-6) and np.abs(d.qvel[1:4]).max() < 1e-6
    assert physics.step(m, d, 10, autoreset=False) == 10 and d.hard_nstuck == 11


def test_a_step_in_parts_ends_the_overlaps_that_it_can_without_making_velocities_of_them():
    """The wheel is stuck in each part; a body beside spins too fast for a step as a whole."""
    m, d = hard(WHEEL.replace("</worldbody>", '<body pos="0 2 1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody>'))
    d.qvel[9] = 2000.0
    assert physics.step(m, d, 1, autoreset=False) == 1
    assert d.hard_nhalved == d.hard_nstuck == 1 and d.qpos[3] == pytest.approx(0.1, abs=1e-6) and np.abs(d.qvel[1:4]).max() < 1e-6


def test_an_overlap_that_can_be_undone_is():
    m, d = hard(WHEEL.replace('pos="0 0 .09"', 'pos="0 0 .2"'))
    physics.step(m, d, 50, autoreset=False)
    assert d.hard_nstuck == d.hard_nfailed == 0
    assert d.qpos[3] == pytest.approx(0.1, abs=1e-6) and np.abs(d.qvel[1:4]).max() < 1e-6
