"""Lengths, moments and speeds of actuators on every kind of transmission are what their plain twins say."""
import mujoco
import numpy as np
import pytest

from physics.engine import forward as stages
from physics.enums import TransmissionType
from physics.model.data import Data
from tests.naive import smooth, strings, transmissions
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, randomize, take_state

SMALL = """<mujoco><worldbody><site name="w" pos="0 0 1" euler="0 20 0"/><body name="b"><joint name="b" type="ball"/><geom size=".1" pos=".1 0 0"/>
<site name="s" pos=".2 0 .1" euler="10 0 20"/>
<body pos=".3 0 0"><joint name="h" axis="0 1 0"/><joint name="x" type="slide" axis="1 0 1"/><geom size=".05"/><site name="t" pos="0 .1 .1"/></body></body>
<body pos="1 0 0"><freejoint name="f"/><geom type="box" size=".1 .2 .3"/><site name="u"/></body></worldbody>
<tendon><fixed name="c"><joint joint="h" coef="2"/><joint joint="x" coef="-1"/></fixed><spatial name="p"><site site="w"/><site site="t"/></spatial></tendon>
<actuator><motor joint="b" gear="1 2 3"/><motor jointinparent="b" gear="1 2 3"/><motor joint="h" gear="2"/><motor joint="x"/><motor joint="f" gear="1 2 3 4 5 6"/>
<motor jointinparent="f" gear="1 2 3 4 5 6"/><motor tendon="c" gear="2"/><motor tendon="p" gear="-3"/><motor site="t" gear="1 2 3 4 5 6"/><motor site="w" gear="1 1 1 1 1 1"/>
<motor site="t" refsite="u" gear="1 -2 3"/><motor site="t" refsite="s" gear="1 2 3 1 2 3"/><motor site="t" refsite="w" gear="0 0 1 0 0 0"/>
<motor cranksite="t" slidersite="w" cranklength="2.5" gear="2"/>
<motor cranksite="s" slidersite="w" cranklength=".01" gear="-1"/><adhesion body="b" ctrlrange="0 1"/></actuator></mujoco>"""
SOURCES = {"small": SMALL, "driven": models.DRIVEN, "strung": models.STRUNG}


@pytest.mark.parametrize("name", [pytest.param("small", marks=pytest.mark.nojit), "driven", "strung"])
def test_lengths_moments_and_speeds(name):
    mj = mujoco.MjModel.from_xml_string(SOURCES[name])
    mj.opt.disableflags |= 1
    mjd, m = mujoco.MjData(mj), model_from(mj)
    d = Data(m)
    for seed in range(2):
        randomize(mj, mjd, seed)
        take_state(d, mjd)
        stages.fwd_position(m, d)
        stages.fwd_velocity(m, d)
        ten = lambda qpos: strings.lengths(m, qpos, d.mocap_pos, d.mocap_quat)  # noqa: E731
        rows = smooth.csr(d.moment_rownnz, d.moment_rowadr, d.moment_colind, d.actuator_moment, m.nv)
        for i in range(m.nactuator):
            kind, out = TransmissionType(m.actuator_trntype[i]).name, m.actuator_outadr[i]
            expected = transmissions.moment(m, d, i, ten)
            assert d.actuator_length[out] == pytest.approx(transmissions.length(m, d, i, d.qpos, ten), abs=1e-8), (i, kind)
            assert np.allclose(rows[out], expected, atol=1e-7 * max(1.0, np.abs(expected).max())), (i, kind)
            assert d.actuator_velocity[out] == pytest.approx(rows[out] @ d.qvel, abs=1e-11)
    assert name != "small" or set(m.actuator_trntype) == set(range(6))
