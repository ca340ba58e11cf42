"""The balance at each dof: all parts add up to zero under every integrator, and each is the official engine's own force."""
import tracemalloc

import mujoco
import numpy as np
import pytest

import physics
from physics.diagnostics.torque_balance import EXACT, GROUPS, joint_dofs, present_balance, torque_balance
from physics.model.elements import element
from tests.physics.diagnostics.test_contact_exclusion import VIEW_ONLY

MACHINE = """<mujoco><option timestep=".004" density="5" viscosity=".05" integrator="{integrator}" cone="{cone}" solver="{solver}" tolerance="0" iterations="200" {more}>
<flag {flags}/></option><worldbody>
<geom type="plane" size="3 3 .1"/><site name="s0" pos="0 .3 .8"/>
<body pos="0 0 .5" gravcomp=".5"><joint name="ball" type="ball" damping=".1" frictionloss=".01"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/>
<body name="b" pos=".2 0 0" gravcomp=".3"><joint name="e" axis="0 1 0" damping=".2" stiffness="1" frictionloss=".05" limited="true" range="-.1 .1" actuatorfrcrange="-.5 .5"/>
<joint name="f" axis="0 0 1" actuatorgravcomp="true"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/><site name="s1" pos=".1 0 .05"/></body></body>
<body name="box" pos="1 0 .09"><freejoint/><geom type="box" size=".2 .1 .1"/><site name="s2" pos=".1 0 .2"/></body>
<body name="egg" pos="1 1 .5"><freejoint/><geom type="ellipsoid" size=".2 .1 .2" fluidshape="ellipsoid"/></body>
<body name="rail" pos="2 1 .5"><joint name="slide" type="slide" axis="0 0 1" armature=".2" stiffness="30" springref=".1"/><geom size=".1"/></body></worldbody>
<tendon><spatial name="t" stiffness="20" damping="2" armature=".1"><site site="s0"/><site site="s1"/></spatial>
<spatial name="u" stiffness="3" springlength="0 .1" damping="1" frictionloss=".3"><site site="s2"/><site site="s1"/></spatial>
<fixed name="x" damping=".1" stiffness="1" limited="true" range="-.01 .01"><joint joint="e" coef="1"/><joint joint="f" coef="-.5"/></fixed></tendon>
<equality><connect body1="rail" body2="b" anchor="0 0 0" active="false"/><joint joint1="slide" joint2="f" polycoef=".02 .1 0 0 0"/></equality>
<actuator><position name="p" joint="e" kp="30" kv=".1"/><motor name="q" joint="e" gear="2"/><motor name="pull" tendon="t"/><motor name="jet" site="s2" gear="0 0 1 0 1 0"/><damper joint="f" kv="2" ctrlrange="0 1"/></actuator>
</mujoco>"""
FORMS = tuple(dict(integrator=i, cone=c, solver=s, more=o, flags=f) for i, c, s, o, f in (
    ("Euler", "pyramidal", "Newton", "", 'warmstart="enable"'),
    ("Euler", "elliptic", "Newton", "", 'eulerdamp="disable"'), ("implicit", "elliptic", "Newton", "", 'gravity="disable"'),
    ("implicitfast", "pyramidal", "PGS", "", 'spring="disable"'), ("RK4", "elliptic", "Newton", "", 'damper="disable"'), ("Euler", "elliptic", "PGS", 'noslip_iterations="20"', ""),
    ("implicitfast", "elliptic", "Newton", "", 'actuation="disable"'), ("Euler", "pyramidal", "Newton", "", 'island="disable" spring="disable" damper="disable"')))


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def machine(form, steps=30):
    """A machine in which every kind of force acts."""
    m = physics.load_string(MACHINE.format(**form))
    d = physics.Data(m)
    rng = np.random.default_rng(1)
    d.qvel[:] = 0.5 * rng.normal(size=m.nv)
    for _ in range(steps):
        d.ctrl[:] = rng.normal(size=m.nu)
        physics.step(m, d)
    d.qfrc_applied[:] = rng.normal(size=m.nv)
    d.xfrc_applied[1:] = rng.normal(size=(m.nbody - 1, 6))
    return m, d


@pytest.mark.parametrize("form", FORMS)
def test_all_parts_add_up_to_zero(form):
    """After forward, and after a step, whose accelerations belong to the state before it."""
    m, d = machine(form)
    physics.forward(m, d)
    found = torque_balance(m, d)
    assert found.error <= EXACT, (found.error, dict(zip(found.names, found.sum, strict=True)))
    assert found.largest.max() > 1.0
    physics.step(m, d)
    if form["integrator"] != "RK4":
        assert torque_balance(m, d).error <= EXACT
    again = present_balance(m, d)
    assert again.error <= EXACT and again.recomputed == (form["integrator"] == "RK4")


@pytest.mark.parametrize("form", FORMS)
def test_parts_are_the_official_forces(form):
    """Each group against the official engine's own field at the same state."""
    m, d = machine(form)
    physics.forward(m, d)
    found = torque_balance(m, d)
    mj = mujoco.MjModel.from_xml_string(MACHINE.format(**form))
    mjd = mujoco.MjData(mj)
    for name in ("qpos", "qvel", "ctrl", "qfrc_applied", "xfrc_applied", "qacc_warmstart"):
        getattr(mjd, name)[...] = getattr(d, name)
    mujoco.mj_forward(mj, mjd)
    gravity = mujoco.MjData(mj)
    gravity.qpos[:] = mjd.qpos
    mujoco.mj_forward(mj, gravity)
    applied = mjd.qfrc_applied.copy()
    for b in range(1, mj.nbody):
        mujoco.mj_applyFT(mj, mjd, mjd.xfrc_applied[b, :3], mjd.xfrc_applied[b, 3:], mjd.xipos[b], b, applied)
    inertia = np.zeros(m.nv)
    mujoco.mj_mulM(mj, mjd, inertia, mjd.qacc)
    by_actuators = np.where(mj.jnt_actgravcomp[mj.dof_jntid] != 0, mjd.qfrc_gravcomp, 0.0) if not mj.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_ACTUATION else 0.0
    expected = {"spring": mjd.qfrc_spring, "damper": mjd.qfrc_damper, "fluid": mjd.qfrc_fluid, "gravity": -gravity.qfrc_bias, "Coriolis": gravity.qfrc_bias - mjd.qfrc_bias,
                "applied": applied, "inertia": -inertia}
    for name, official in expected.items():
        assert np.allclose(found.group(name), official, atol=1e-6 * max(1.0, np.abs(official).max())), name
    assert np.allclose(found.group("actuator") + np.where(mj.jnt_actgravcomp[mj.dof_jntid] != 0, found.group("gravity compensation"), 0.0) * np.any(by_actuators),
                       mjd.qfrc_actuator, atol=1e-7)
    lifted = np.where(mj.jnt_actgravcomp[mj.dof_jntid] == 0, found.group("gravity compensation"), 0.0)
    passive = sum(found.group(name) for name in ("spring", "damper", "fluid", "adhesion")) + lifted
    assert np.allclose(passive, mjd.qfrc_passive, atol=1e-7)
    constraint = sum(found.group(name) for name in ("equality", "friction loss", "limit", "contact"))
    assert np.allclose(constraint, mjd.qfrc_constraint, atol=1e-5 * max(1.0, np.abs(mjd.qfrc_constraint).max()))


def test_single_elements_have_their_own_parts():
    """Actuators on one joint, the cut of its total, constraint elements and bodies that are pushed."""
    m, d = machine(FORMS[0])
    d.ctrl[:] = (0.1, 3.0, -2.0, 1.0, 0.5)
    physics.forward(m, d)
    e = m.id("joint", "e")
    found = torque_balance(m, d, joint_dofs(m, e))
    parts = {part.name: part for part in found.parts}
    assert parts["actuator q"].values == pytest.approx([6.0]) and parts["actuator q"].element == element(m, "actuator", m.id("actuator", "q"))
    total = found.group("actuator")
    assert total == pytest.approx(d.qfrc_actuator[m.jnt_dofadr[e]]) and abs(total[0]) <= 0.5
    assert parts["cut off by actuatorfrcrange"].values[0] < -3
    assert "friction loss of joint e" in parts and "limit of joint e" in parts and parts["limit of joint e"].element == element(m, "joint", e)
    assert found.names == ("e",) and found.units == ("N m",)
    free = torque_balance(m, d, joint_dofs(m, int(m.body_jntadr[m.id("body", "box")])))
    assert free.units == ("N",) * 3 + ("N m",) * 3 and free.names[0].endswith(", x") and free.names[5].endswith(", rotation z")
    assert any(part.group == "contact" and part.element.kind == "contact" for part in free.parts)
    assert any(part.name == "xfrc_applied of body box" for part in free.parts)
    whole = torque_balance(m, d)
    for dof in free.dofs:
        assert np.isclose(whole.sum[dof], free.sum[dof - free.dofs[0]], atol=1e-12)
        for name in GROUPS:
            assert np.isclose(whole.group(name)[dof], free.group(name)[dof - free.dofs[0]], atol=1e-9)


def test_an_input_set_after_the_step_is_computed_anew():
    """What Data holds does not fit the new input: the balance of the present state is found on a copy, Data is left alone."""
    m, d = machine(FORMS[0])
    physics.forward(m, d)
    before = d.qacc.copy()
    d.qfrc_applied[:] += 1.0
    assert torque_balance(m, d).error > 1e-3
    scratch = physics.Data(m)
    found = present_balance(m, d, second=lambda: scratch)
    assert found.error <= EXACT and found.recomputed
    assert np.array_equal(d.qacc, before) and not np.array_equal(scratch.qacc, before)


def test_the_mouse_and_callbacks():
    """A pull of the mouse is a part; so is what a callback for passive forces adds."""
    m, d = machine(FORMS[0])
    d.perturb_bodyid = m.id("body", "b")
    d.xfrc_perturb[:] = (1.0, 2.0, 3.0, 0.1, 0.2, 0.3)
    physics.forward(m, d)
    found = torque_balance(m, d)
    assert found.error <= EXACT and any(part.name == "mouse at body b" for part in found.parts)


def test_sleepers_have_no_parts():
    """Nothing is computed for trees that sleep."""
    m = physics.load_string("""<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="3 3 1"/>
        <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body><body pos="1 0 1"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></worldbody></mujoco>""")
    d = physics.Data(m)
    for _ in range(2000):
        physics.step(m, d)
        if (d.tree_asleep >= 0).any():
            break
    assert (d.tree_asleep >= 0).any()
    physics.step(m, d)
    found = torque_balance(m, d)
    assert found.asleep.tolist() == [True] * 6 + [False]
    assert found.error <= EXACT and not found.sum[:6].any() and found.largest[6] > 0.1


def test_the_balance_of_one_joint_is_small_where_there_are_many_actuators():
    """A vector for each actuator on all dofs would take 18 MB here."""
    n = 1500
    arms = "".join(f'<body pos="{k} 0 1"><joint name="j{k}" axis="0 1 0"/><geom size=".1" pos=".2 0 0" contype="0" conaffinity="0"/></body>' for k in range(n))
    motors = "".join(f'<motor joint="j{k}" gear="2"/><position joint="j{k}" kp="3"/>' for k in range(n))
    m = physics.load_string(f"<mujoco><worldbody>{arms}</worldbody><actuator>{motors}</actuator></mujoco>")
    d = physics.Data(m)
    d.ctrl[:] = np.random.default_rng(0).normal(size=m.nu)
    physics.forward(m, d)
    tracemalloc.start()
    found = torque_balance(m, d, [700])
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.error <= EXACT and most < 3e6
    assert [(part.name, part.values[0]) for part in found.parts if part.group == "actuator"] == [
        ("actuator 1400", pytest.approx(2 * d.ctrl[1400])), ("actuator 1401", pytest.approx(3 * d.ctrl[1401]))]


def test_a_model_that_can_only_be_viewed():
    m = physics.load_string(VIEW_ONLY)
    with pytest.raises(physics.ViewOnlyError):
        torque_balance(m, physics.Data(m))


def test_dofs_that_are_not_there():
    """A clear error."""
    m, d = machine(FORMS[0], 1)
    with pytest.raises(IndexError, match="dofs"):
        torque_balance(m, d, [m.nv])
    empty = physics.load_string("<mujoco/>")
    data = physics.Data(empty)
    physics.forward(empty, data)
    assert torque_balance(empty, data).parts == () and torque_balance(empty, data).error == 0.0


@pytest.mark.parametrize("solver", ("Newton", "CG"))
def test_the_discrete_integrator(solver):
    """Its equation has the effective mass matrix: what that adds is a part."""
    form = dict(FORMS[0], integrator="discrete", solver=solver)
    m, d = machine(form)
    physics.forward(m, d)
    found = torque_balance(m, d)
    assert found.error <= EXACT, found.error
    assert np.abs(found.group("implicit")).max() > 0.1
    physics.step(m, d)
    assert present_balance(m, d).error <= EXACT


@pytest.mark.parametrize("solver", ("Newton", "CG"))
@pytest.mark.parametrize("integrator", ("Euler", "discrete"))
def test_what_a_stopped_solver_leaves_is_a_part(solver, integrator):
    """With one iteration the other parts add up to the gradient that the solver computed, no more and no less; with many nothing is left."""
    m, d = machine(dict(FORMS[1], solver=solver, integrator=integrator))
    d.qacc_warmstart[:] = 0.0
    m.opt_iterations = 1
    physics.forward(m, d)
    found = torque_balance(m, d)
    others = sum(part.values for part in found.parts if part.group != "solver")
    assert found.error <= EXACT and found.left > 1e-6 and np.abs(others).max() > 1e-5
    m.opt_iterations = 1000
    physics.forward(m, d)
    assert torque_balance(m, d).error <= EXACT and torque_balance(m, d).left < 1e-7
