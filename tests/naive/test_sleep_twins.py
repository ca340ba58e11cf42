"""Who sleeps at each step is what the plain twin says."""
import numpy as np
import pytest

import physics
from physics.kernels.decorators import NOJIT
from tests.naive.sleeping import STEPS, Sleepers

XML = """<mujoco><option timestep=".01"><flag sleep="enable"/></option><worldbody><geom type="plane" size="9 9 .1"/>
<body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body><body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body><body pos=".15 0 .7"><freejoint/><geom size=".1"/></body>
<body pos="3 0 1"><joint axis="0 0 1" damping="1"/><geom size=".1" pos=".2 0 0"/></body></worldbody></mujoco>"""


def trees_in_contact(m, d):
    """Pairs of trees of all contacts, None for what cannot move."""
    trees = m.body_treeid[m.geom_bodyid[d.contact.geom[:d.ncon]]].tolist()
    return [tuple(None if t < 0 else t for t in pair) for pair in trees]


def islands(pairs):
    """Sets of trees that pairs tie together."""
    groups = []
    for pair in pairs:
        joined = {t for t in pair if t is not None}
        for g in [g for g in groups if g & joined]:
            groups.remove(g)
            joined |= g
        groups.append(joined)
    return groups


@pytest.mark.nojit
def test_who_sleeps():
    m = physics.load_string(XML)
    d, plain = physics.Data(m), Sleepers(m)
    for k in range(30 if NOJIT else 400):
        if k == 20:
            d.qvel[-1] = .3
            plain.wake(4)
        before = d.qvel.copy()
        physics.step(m, d)
        pairs = trees_in_contact(m, d)
        plain.touched(pairs)
        speed = np.maximum.reduceat(np.abs(before * m.dof_length), m.tree_dofadr)
        plain.rest(set(np.flatnonzero(speed < m.opt_sleep_tolerance).tolist()), islands(pairs))
        assert set(np.flatnonzero(d.tree_awake == 0).tolist()) == plain.asleep(), k
        assert d.tree_asleep[d.tree_awake > 0].tolist() == [plain.count[t] - STEPS - 1 for t in range(m.ntree) if d.tree_awake[t]]
    assert NOJIT or d.ntree_awake < 3
