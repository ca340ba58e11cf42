"""What goes on at a contact: against the official engine, dense matrices and what a spring and damper must do."""
import numpy as np
import pytest

import physics
from physics.diagnostics.contact_state import contact_jacobian, contact_state

SCENE = """<mujoco><option cone="{cone}" timestep="0.002" impratio="{impratio}"/><worldbody>
  <geom name="floor" type="plane" size="5 5 1" surfacevel="{surface}"/>
  <body name="arm" pos="0 0 .335"><joint name="shoulder" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .4 0 -.1" size=".04"/>
    <body name="hand" pos=".4 0 -.1"><joint name="wrist" axis="0 1 .2"/>
      <geom name="hand" type="capsule" fromto="0 0 0 .3 0 -.19" size=".05" condim="6" friction=".7 .02 .003"/></body></body>
  <body name="box" pos=".65 .4 .098"><freejoint/><geom name="box" type="box" size=".1 .1 .1" friction=".5 .01 .001" condim="4" mass="2"/></body>
</worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def scene(cone="elliptic", impratio=1, surface="0 0 0 0 0 0", steps=1):
    m = physics.load_string(SCENE.format(cone=cone, impratio=impratio, surface=surface))
    d = physics.Data(m)
    rng = np.random.default_rng(3)
    d.qvel[:] = 0.1 * rng.normal(size=m.nv)
    physics.step(m, d, steps)
    physics.forward(m, d)
    assert d.ncon >= 4
    return m, d


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
def test_forces_and_velocities_are_the_official_ones(cone):
    mujoco = pytest.importorskip("mujoco")
    m, d = scene(cone)
    mm = mujoco.MjModel.from_xml_string(SCENE.format(cone=cone, impratio=1, surface="0 0 0 0 0 0"))
    md = mujoco.MjData(mm)
    md.qpos[:], md.qvel[:], md.qacc_warmstart[:] = d.qpos, d.qvel, d.qacc_warmstart
    mujoco.mj_forward(mm, md)
    assert md.ncon == d.ncon
    for k in range(d.ncon):
        found, force = contact_state(m, d, k), np.zeros(6)
        mujoco.mj_contactForce(mm, md, k, force)
        assert np.allclose(found.force, force, rtol=1e-6, atol=1e-7)
        contact = md.contact[k]
        assert np.allclose(found.pos, contact.pos, atol=1e-9) and np.isclose(found.depth, contact.includemargin - contact.dist, atol=1e-9)
        # the velocity of each body at the point, by the official twist of its frame
        at = []
        for geom in contact.geom:
            body, twist = int(mm.geom_bodyid[geom]), np.zeros(6)
            mujoco.mj_objectVelocity(mm, md, mujoco.mjtObj.mjOBJ_XBODY, body, twist, 0)
            at.append((twist[:3], twist[3:] + np.cross(twist[:3], contact.pos - md.xpos[body])))
        frame = contact.frame.reshape(3, 3)
        assert np.allclose(found.velocity, np.r_[frame @ (at[1][1] - at[0][1]), frame @ (at[1][0] - at[0][0])], atol=1e-8)


def test_velocities_of_an_elliptic_contact_are_those_of_its_rows():
    m, d = scene(surface=".3 -.1 0 0 0 .4")
    for k in range(d.ncon):
        found = contact_state(m, d, k)
        row, n = found.rows
        assert n == found.condim and np.allclose(found.velocity[:n], d.efc_vel[row:row + n], atol=1e-12)
    assert any(np.abs(contact_state(m, d, k).surface).max() > 0.1 for k in range(d.ncon))


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
def test_the_effective_mass_is_that_of_dense_matrices(cone):
    m, d = scene(cone)
    M = physics.full_m(m, d)
    for k in range(d.ncon):
        found = contact_state(m, d, k)
        J = contact_jacobian(m, d, k)[:found.condim]
        A = J @ np.linalg.solve(M, J.T)
        assert np.allclose(found.inverse_mass, A, rtol=1e-10, atol=1e-12)
        assert np.allclose(found.effective_mass, np.linalg.pinv(A, rcond=1e-10, hermitian=True), rtol=1e-6, atol=1e-9)
        assert np.isclose(found.normal_mass, 1 / A[0, 0])
        # as motion: an impulse along the normal changes the velocity there by impulse / mass
        jump = contact_jacobian(m, d, k) @ np.linalg.solve(M, J[0])
        assert np.isclose(jump[0], 1 / found.normal_mass)


def test_a_free_box_feels_its_own_mass():
    m = physics.load_string('<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .099"><freejoint/><geom size=".1" mass="3"/></body></worldbody></mujoco>')
    d = physics.Data(m)
    physics.forward(m, d)
    found = contact_state(m, d, 0)
    assert np.isclose(found.normal_mass, 3) and np.isclose(found.held_mass, 3) and np.isclose(found.assumed_mass, 3)
    assert np.isclose(found.effective_mass[1, 1], 3 / 3.5, rtol=1e-2)      # a ball also turns: 1 + m r^2 / I = 3.5
    assert np.isclose(found.depth, 0.001) and found.island == 0


@pytest.mark.parametrize(("cone", "impratio"), [("elliptic", 1), ("elliptic", 10), ("pyramidal", 1), ("pyramidal", 4)])
def test_forces_lie_in_their_cones(cone, impratio):
    m, d = scene(cone, impratio)
    shares = []
    for _ in range(40):
        physics.step(m, d, 5)
        physics.forward(m, d)
        for k in range(d.ncon):
            found = contact_state(m, d, k)
            assert found.cone.kind == cone and found.cone.share <= 1 + 1e-6
            assert np.isclose(found.friction_force, np.hypot(*found.force[1:3]))
            shares.append(found.cone.share)
    assert max(shares) > 0.3


def test_a_sliding_box_is_on_the_side_of_its_cone():
    m = physics.load_string("""<mujoco><option cone="elliptic" gravity="5 0 -9.81"/><worldbody><geom type="plane" size="9 9 1" friction=".3"/>
        <body pos="0 0 .1"><freejoint/><geom type="box" size=".2 .2 .1" friction=".3"/></body></worldbody></mujoco>""")
    d = physics.Data(m)
    physics.step(m, d, 300)
    physics.forward(m, d)
    for k in range(d.ncon):
        found = contact_state(m, d, k)
        assert found.cone.share == pytest.approx(1, abs=1e-6) and found.velocity[1:3] @ found.force[1:3] < 0
    assert sum(contact_state(m, d, k).friction_force for k in range(d.ncon)) == pytest.approx(0.3 * sum(contact_state(m, d, k).force[0] for k in range(d.ncon)), rel=1e-6)


def test_timeconst_and_dampratio_are_those_of_the_motion():
    """A ball pressed into the floor without gravity: its depth follows x'' = -2 x' / timeconst - x / (timeconst dampratio)^2."""
    m = physics.load_string("""<mujoco><option gravity="0 0 0" timestep="1e-5"/><worldbody><geom type="plane" size="1 1 1" condim="1" solref=".05 .6" solimp=".9 .9 .001"/>
        <body pos="0 0 .095"><joint type="slide" axis="0 0 1"/><geom size=".1" mass="3" condim="1" solref=".05 .6" solimp=".9 .9 .001"/></body></worldbody></mujoco>""")
    d = physics.Data(m)
    physics.forward(m, d)
    found = contact_state(m, d, 0).stiffness
    assert found.timeconst == pytest.approx(0.05) and found.dampratio == pytest.approx(0.6) and found.diagA == pytest.approx(1 / 3)
    natural = 1 / (found.timeconst * found.dampratio)
    assert d.qacc[0] == pytest.approx(0.005 * natural**2)
    d.qpos[0], d.qvel[0] = 0.005 - 1e-6, -0.2
    physics.forward(m, d)
    assert d.qacc[0] == pytest.approx(2 / found.timeconst * 0.2 + 1e-6 * natural**2, rel=1e-5)


def test_contacts_without_rows_say_why():
    m = physics.load_string('<mujoco><worldbody><geom type="plane" size="1 1 1" gap=".1"/><body pos="0 0 .15"><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
    d = physics.Data(m)
    physics.forward(m, d)
    found = contact_state(m, d, 0)
    assert "gap" in found.state and found.rows == (-1, 0) and found.island == -1 and not found.force.any() and np.isnan(found.stiffness.K)
    with pytest.raises(IndexError):
        contact_state(m, d, 1)


def test_adhesion_widens_the_cone():
    m = physics.load_string("""<mujoco><option cone="elliptic" gravity="0 0 4"/><worldbody><geom type="plane" size="1 1 1" adhesion="20" gap=".05"/>
        <body pos="0 0 .099"><freejoint/><geom size=".1" mass="1"/></body></worldbody></mujoco>""")
    d = physics.Data(m)
    physics.step(m, d, 400)
    physics.forward(m, d)
    found = contact_state(m, d, 0)
    assert found.force[0] == pytest.approx(-4, abs=1e-3) and found.cone.normal == pytest.approx(16, abs=1e-3)
