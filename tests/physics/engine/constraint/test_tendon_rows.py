"""tendon_efcadr: the first row of each tendon, as officially."""
import mujoco
import numpy as np
import pytest

import physics

TEXT = """<mujoco><worldbody><body><joint name="a"/><geom size=".1"/></body><body pos="1 0 0"><joint name="b"/><geom size=".1"/></body>
<body pos="2 0 0"><joint name="c"/><geom size=".1"/></body></worldbody><tendon><fixed name="plain"><joint joint="a" coef="1"/></fixed>
<fixed name="both" frictionloss=".1" range="-.1 .1" limited="true"><joint joint="a" coef="1"/></fixed>
<fixed name="limit" range="-.1 .1" limited="true"><joint joint="b" coef="1"/></fixed><fixed name="tied"><joint joint="c" coef="1"/></fixed>
<fixed name="other"><joint joint="b" coef="1"/></fixed><fixed name="friction" frictionloss=".1"><joint joint="c" coef="1"/></fixed></tendon>
<equality><tendon tendon1="tied" tendon2="other"/>{more}</equality></mujoco>"""


@pytest.mark.parametrize("q", [0.0, 0.3])
@pytest.mark.parametrize("more", ["", '<tendon tendon1="limit"/>'])
@pytest.mark.parametrize("flag", ["", "equality", "frictionloss", "limit", "constraint"])
def test_first_rows_are_the_official_ones(q, more, flag):
    text = TEXT.format(more=more).replace("<worldbody>", f'<option><flag {flag}="disable"/></option><worldbody>' if flag else "<worldbody>")
    mj, m = mujoco.MjModel.from_xml_string(text), physics.load_string(text)
    physics.compile_kernels()
    mjd, d = mujoco.MjData(mj), physics.Data(m)
    mjd.qpos[:] = d.qpos[:] = q
    mujoco.mj_forward(mj, mjd)
    physics.forward(m, d)
    assert np.array_equal(d.tendon_efcadr, mjd.tendon_efcadr)
    physics.step(m, d)
    assert d.solver_niter.shape == (20,) and d.solver_niter_max == d.solver_niter.max()


def test_a_new_data_has_none():
    m = physics.load_string(TEXT.format(more=""))
    assert (physics.Data(m).tendon_efcadr == mujoco.MjData(mujoco.MjModel.from_xml_string(TEXT.format(more=""))).tendon_efcadr).all()
