"""Bodies of thousands of tonnes, far from the origin: tolerances are no finer than what rounding leaves."""
import numpy as np

import physics
from physics.diagnostics.engine_figures import Judge
from physics.enums import Engine

STONES = """<mujoco><option timestep=".002"/><worldbody><geom type="plane" size="900 900 1"/>
<body pos="300 -200 10"><freejoint/><geom type="box" size="5 5 10" mass="5e6"/></body>
<body pos="320 -200 10"><freejoint/><geom type="box" size="5 5 10" mass="5e6"/></body>
<body pos="310 -200 22"><freejoint/><geom type="box" size="15 5 2" mass="3e6"/></body></worldbody></mujoco>"""


def test_heavy_stones_stand_at_the_cost_of_light_ones():
    physics.ensure_hard()
    taken = []
    for text in (STONES, STONES.replace("5e6", "5").replace("3e6", "3").replace("300 -", "0 -").replace("320 -", "20 -").replace("310 -", "10 -").replace("-200", "0")):
        m = physics.load_string(text)
        m.opt.engine = Engine.HARD
        d = physics.Data(m)
        before, iterations = d.qpos.copy(), 0
        for _ in range(20):
            assert physics.step(m, d, 1, autoreset=False) == 1
            iterations += d.hard_niter
        assert d.hard_ncoarse == d.hard_nhalved == d.hard_neased == 0
        assert np.abs(d.qpos - before).max() < 1e-6 and Judge(m).look(d).overlap < 1e-6
        taken.append(iterations)
    assert taken[0] < 3 * taken[1]
