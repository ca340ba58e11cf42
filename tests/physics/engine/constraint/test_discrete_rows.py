"""Rows under the discrete integrator where something is at its bound: too stiff for the time step, R at its floor, springs at rest."""
import mujoco
import numpy as np
import pytest

import physics
from physics.model.data import Data

STIFF = """<mujoco><option integrator="discrete" timestep="{h}"/><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 .09"><freejoint/><geom size=".1" solref="{ref}" solimp="{imp}" priority="1"/></body>
<body pos="1 0 0"><joint axis="0 1 0" range="-.3 .3" limited="true" solreflimit="{ref}" solimplimit="{imp}"/><geom size=".1" pos=".2 0 0" contype="0" conaffinity="0"/></body>
</worldbody></mujoco>"""
STILL = """<mujoco><option integrator="discrete" impratio="{ratio}" cone="{cone}"/><worldbody><geom type="plane" size="1 1 1" friction=".2"/>
<body pos="0 0 .09"><joint axis="0 0 1"/><geom size=".1" friction="{friction}"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def forward(xml, edit):
    """(our Data, the official one) after forward, both edited before."""
    mm, m = mujoco.MjModel.from_xml_string(xml), physics.load_string(xml)
    mm.opt.tolerance, mm.opt.iterations = 0.0, 300
    md, d = mujoco.MjData(mm), Data(m)
    for model, data in ((mm, md), (m, d)):
        edit(model, data)
    mujoco.mj_forward(mm, md)
    physics.forward(m, d)
    assert d.nefc == md.nefc
    return d, md


def test_the_bound_on_stiffness_is_the_official_one():
    """Time constants about the time step: springs that a step cannot resolve are made softer, those just below are not."""
    r = np.random.default_rng(0)
    bounded = 0
    for _ in range(60):
        h, ratio = 10 ** r.uniform(-3, -1.5), r.uniform(0.3, 2)
        imp = (*sorted(r.uniform(0.3, 0.999, 2)), 10 ** r.uniform(-3, 0))
        depth = r.uniform(0.05, 0.0999)

        def sink(_m, d, depth=depth):
            d.qpos[2], d.qpos[7] = depth, 0.35

        d, md = forward(STIFF.format(h=h, ref=f"{h / ratio * r.uniform(0.7, 1.5)} {ratio}", imp=" ".join(map(str, imp))), sink)
        for name in ("efc_KBIP", "efc_R", "efc_aref"):
            assert getattr(d, name)[:d.nefc] == pytest.approx(getattr(md, name), rel=1e-9), name
        bounded += abs(d.efc_KBIP[0, 0] * d.efc_KBIP[0, 2] * h * h - 1) < 1e-9
    assert 10 < bounded < 50


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("ratio", [0.3, 1, 10])
@pytest.mark.parametrize("friction", [0.7, 0.3])
def test_what_nothing_moves_has_the_official_floor(cone, ratio, friction):
    """The hinge's axis goes through the ball's centre: no inverse inertia along the contact."""
    d, md = forward(STILL.format(ratio=ratio, cone=cone, friction=friction), lambda _m, _d: None)
    assert d.efc_R[:d.nefc] == pytest.approx(md.efc_R, rel=1e-12) and md.efc_R.min() < 1e-14


def test_a_tendon_at_rest_has_no_stiffness_whatever_the_rounding_of_its_length():
    r = np.random.default_rng(0)
    for _ in range(20):
        start, speed, coefs = r.uniform(-1, 1, 4), r.normal(size=4), r.normal(size=4)
        joints = "".join(f'<body pos="{k} 0 0"><joint name="j{k}" type="slide" axis="1 0 0"/><geom size=".1"/></body>' for k in range(4))
        tendon = "".join(f'<joint joint="j{k}" coef="{c}"/>' for k, c in enumerate(coefs))
        xml = f'<mujoco><option integrator="discrete"/><worldbody>{joints}</worldbody><tendon><fixed stiffness="1e4">{tendon}</fixed></tendon></mujoco>'
        mm = mujoco.MjModel.from_xml_string(xml)
        rest = mujoco.MjData(mm)
        rest.qpos[:] = start
        mujoco.mj_kinematics(mm, rest)
        mujoco.mj_comPos(mm, rest)
        mujoco.mj_tendon(mm, rest)

        def move(m, d, start=start, speed=speed, length=rest.ten_length[0]):
            m.tendon_lengthspring[:] = length
            d.qpos[:], d.qvel[:] = start, speed

        d, md = forward(xml, move)
        assert np.abs(d.qacc - md.qacc).max() < 1e-10
