"""Contacts with a large friction, whose central path turns back between sticking and sliding: a solve ends by its first attempt all the same."""
import numpy as np
import pytest

import physics
from physics.diagnostics.engine_figures import Judge
from physics.enums import Engine

BOX = """<mujoco><option timestep=".01"/><worldbody><geom type="plane" size="50 50 .1" friction="3"/>
<body><freejoint/><geom type="box" size=".25 .25 .25" mass="1" friction="3"/></body></worldbody></mujoco>"""
# of throws of such a box: with one corner near the floor, with two, with three
STATES = {
    "one corner": ([-0.6119129472070995, -0.14077688579752135, 0.30667412094688584, 0.7247636182890514, -0.6209236224558197, 0.24022648609930017, -0.1773775297417529],
                   [-1.5984049162211633, 0.21427658513441805, -0.44800669360643974, 3.2714337924566723, 0.23870808408107463, -5.650574765856729]),
    "an edge": ([-0.5968832699543734, 0.5951957748385847, 0.2798835614615379, 0.7422095282493744, -0.045713546006347895, -0.026082492784118127, 0.6680980403036176],
                [0.39784542108632914, -0.6598313053765126, -0.8685334346063001, 1.3176136121444877, -2.4179662505931585, 0.13076494997585647]),
    "three corners": ([-0.4250015627447217, -1.0993311672380368, 0.2623588457353903, -0.6374930086577068, 0.33335717142106014, 0.6138616837511267, 0.32503767996484084],
                      [-0.27311626946697753, 0.6547665985978002, -0.48962133852216705, -0.5280287505014862, -2.155518234833832, 0.11769714129636823]),
}


@pytest.mark.parametrize("state", STATES)
def test_a_steep_cone_needs_no_second_attempt(state):
    physics.ensure_hard()
    m = physics.load_string(BOX)
    m.opt.engine = Engine.HARD
    d = physics.Data(m)
    d.qpos[:], d.qvel[:] = STATES[state]
    assert physics.step(m, d, 1, autoreset=False) == 1
    assert d.hard_status == d.hard_nrestart == d.hard_halved == d.hard_neased == 0
    assert Judge(m).look(d).overlap < 1e-6
    # the friction is the model's own again, and holds: what slides is pulled by all of it, what sticks by no more
    mu = d.hrow_mu[:d.hard_nrow, :2]
    assert mu.size and (mu == 3.0).all()
    gamma, pull = d.hrow_var[:d.hard_nrow, 1], np.linalg.norm(d.hrow_var[:d.hard_nrow, 8:10], axis=1)
    slip = np.linalg.norm(d.hrow_var[:d.hard_nrow, 3:5], axis=1)
    assert (pull <= gamma * (1 + 1e-9)).all() and (gamma * slip - pull * slip < 1e-6).all()
