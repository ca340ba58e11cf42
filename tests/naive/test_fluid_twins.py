"""The medium's forces, their derivatives and gravity compensation give what their plain twins give."""
import re

import mujoco
import numpy as np
import pytest

from physics.engine import forward as stages
from physics.engine.integrator import fluid_derivative
from physics.model.data import Data
from tests.naive import fluid
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, randomize, rel, take_state

SMALL = """<mujoco><option density="2" viscosity=".3" wind="1 2 -1"/><worldbody>
<body gravcomp=".7"><freejoint/><geom type="box" size=".1 .2 .3" fluidshape="ellipsoid" fluidcoef=".6 .3 1.1 .8 .9"/>
<geom type="cylinder" size=".2 .1" pos=".2 0 0" euler="10 20 30" fluidshape="ellipsoid"/>
<body pos=".3 0 0" gravcomp="2"><joint axis="0 1 0"/><geom type="capsule" size=".05 .1" pos="0 .1 0"/></body></body></worldbody></mujoco>"""


def wet(xml, ellipsoids):
    """The model in a windy medium, some weight taken off, all geoms or none as ellipsoids."""
    xml = xml.replace("<option ", '<option density="3" viscosity=".2" wind="1 -2 .5" ', 1)
    xml = re.sub(r"<body (?=name=\"[abe])", '<body gravcomp=".6" ', xml)
    return re.sub(r"<geom (?!geom=)", '<geom fluidshape="ellipsoid" fluidcoef=".6 .3 1.2 .8 .7" ', xml) if ellipsoids else xml


SOURCES = {"small": SMALL, **{f"{name}_{kind}": wet(models.OWN[name], kind == "ellipsoids") for name in ("mixed", "driven") for kind in ("boxes", "ellipsoids")}}


@pytest.fixture(params=[pytest.param("small", marks=pytest.mark.nojit), *list(SOURCES)[1:]])
def pair(request):
    """Model and Data at a random state."""
    mj = mujoco.MjModel.from_xml_string(SOURCES[request.param])
    mj.opt.disableflags |= 1
    mjd = mujoco.MjData(mj)
    randomize(mj, mjd, 2)
    m = model_from(mj)
    d = Data(m)
    take_state(d, mjd)
    stages.forward(m, d)
    return m, d


def derivative(m, d):
    """The derivative of the medium's forces as a full matrix, and where it can have entries."""
    fluid_derivative.fluid_slopes(m, d)
    full, known = np.zeros((2, m.nv, m.nv))
    for i in range(m.nv):
        for k in m.D_colind[m.D_rowadr[i]:m.D_rowadr[i] + m.D_rownnz[i]]:
            full[i, k] = d.fluid_row[i] @ d.cdof[k] if k <= i else d.cdof[i] @ d.fluid_col[k]
            known[i, k] = 1
    return full, known > 0


def test_forces(pair):
    m, d = pair
    assert rel(d.qfrc_fluid, fluid.fluid_force(m, d, d.qvel)) < 1e-12
    assert rel(d.qfrc_gravcomp, fluid.compensation(m, d)) < 1e-13
    parts = d.qfrc_spring + d.qfrc_damper + d.qfrc_fluid + d.qfrc_gravcomp
    assert np.abs(d.qfrc_gravcomp).max() > 0 and rel(d.qfrc_passive, parts) < 1e-13


def test_derivatives(pair):
    m, d = pair
    ours, known = derivative(m, d)
    expected = fluid.fluid_derivative(m, d)
    assert np.abs(expected[~known]).max(initial=0.0) < 1e-12  # dofs on different branches do not feel each other
    assert np.allclose(ours, expected, rtol=1e-6, atol=1e-8 * np.abs(expected).max())


def test_at_rest_only_stokes_drag_has_a_slope(pair):
    m, d = pair
    d.qvel[:] = 0
    m.opt_wind[:] = 0
    stages.forward(m, d)
    ours, _known = derivative(m, d)
    assert not d.qfrc_fluid.any() and np.isfinite(ours).all()
    m.opt_density = 0.0
    thin, _known = derivative(m, d)
    assert np.array_equal(ours, thin) and np.linalg.eigvalsh(thin + thin.T).max() < 1e-12
