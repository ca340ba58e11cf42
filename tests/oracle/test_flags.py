"""Every flag of option/flag, one by one: set, our numbers are the official ones with the same flag set, stage by stage, and the flag has changed something.

Three of them change nothing of what the scene here computes: `autoreset` (a bad state is refused by name, whatever the flag says), `nativeccd` (convex
pairs meet by our own method in any case; a warning says so) and `multiccd` (it has no convex pairs: a pile of meshes has, below).
"""
import mujoco
import numpy as np
import pytest

import physics
from physics.enums import DSBL_AUTORESET, DisableBit, EnableBit, StateBit
from physics.mjcf.reader import read_text
from tests.oracle import stages
from tests.oracle.compare import rel
from tests.oracle.states import capture
from tests.physics.everything import everything

PENDING = {"IPC", "SPECULATIVE"}
REFUSED = {"SLEEP"}   # by the official engine, as it cannot put tendons of equality constraints to sleep
OUTSIDE = {"AUTORESET", "NATIVECCD", "MULTICCD"}   # nothing of what a model without convex pairs computes
INTEGRATORS = ("Euler", "implicit", "implicitfast", "discrete", "RK4")
# what each flag changes, at least; all of it is compared
WITNESS = {
    "CONSTRAINT": "nefc", "EQUALITY": "ne", "FRICTIONLOSS": "nf", "LIMIT": "nl", "CONTACT": "ncon", "SPRING": "qfrc_spring", "DAMPER": "qfrc_damper",
    "GRAVITY": "qfrc_gravcomp", "CLAMPCTRL": "actuator_force", "FILTERPARENT": "ncon", "ACTUATION": "qfrc_actuator", "REFSAFE": "efc_aref",
    "SENSOR": "sensordata", "EULERDAMP": "next qvel", "ENERGY": "energy", "OVERRIDE": "contact_solref", "INVDISCRETE": "qfrc_inverse", "DIAGEXACT": "efc_R",
}
ALONE = {"WARMSTART", "MIDPHASE", "ISLAND", "FWDINV", "SLEEP"}   # judged below, each in its own way; sleep in tests/physics/engine/sleep
COMPARED = ("ncon", "nefc", "ne", "nf", "nl", "qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_passive", "actuator_force", "qfrc_actuator", "act_dot", "qfrc_bias",
            "qfrc_smooth", "qacc_smooth", "qacc", "qfrc_constraint", "sensordata", "energy")


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


class Scene:
    """Both models of the same text, and two states that the official one meets."""

    def __init__(self, option: str) -> None:
        text = everything(option).replace("<e_potential/><e_kinetic/>", "")   # they would compute the energies whatever the flag says
        self.mj, self.m = mujoco.MjModel.from_xml_string(text), physics.load_string(text)
        data, self.states = mujoco.MjData(self.mj), []
        for k in range(81):
            data.ctrl[:] = np.sin(0.1 * k + np.arange(self.mj.nu))
            mujoco.mj_step(self.mj, data)
            if k in (40, 80):
                self.states.append(capture(data))
                mujoco.mj_integratePos(self.mj, self.states[-1].fields["qpos"], 0.02 * np.cos(np.arange(self.mj.nv)), 1.0)   # away from where all is quiet
        assert not data.warning.number.any()

    def set(self, flag: str | None) -> None:
        """This flag away from its default, the others at it."""
        for opt in (self.mj.opt, self.m.opt):
            opt.disableflags = DisableBit[flag] if flag in DisableBit.__members__ else 0
            opt.enableflags = EnableBit[flag] if flag in EnableBit.__members__ else 0

    def data(self, which: int = 1):
        """Both Data at a state."""
        mjd, d = mujoco.MjData(self.mj), physics.Data(self.m)
        for each in (mjd, d):
            self.states[which].into(each)
        return mjd, d


@pytest.fixture(scope="module")
def scenes():
    return {name: Scene(f'integrator="{name}" cone="{cone}"') for name, cone in zip(INTEGRATORS, ("pyramidal", "elliptic") * 3)}


def names():
    return [*DisableBit.__members__, *EnableBit.__members__]


def test_all_flags_are_here():
    official = {n[7:] for kind in (mujoco.mjtDisableBit, mujoco.mjtEnableBit) for n in kind.__members__ if not n.startswith("mjN")}
    assert official == set(names()) == set(WITNESS) | PENDING | OUTSIDE | ALONE


@pytest.mark.parametrize("name", names())
def test_the_text_sets_the_official_bit(name):
    for value in ("enable", "disable"):
        if name == "IPC":
            continue   # an error unless the integrator is discrete, officially
        text = f'<mujoco><option><flag {name.lower()}="{value}"/></option></mujoco>'
        mj, m = mujoco.MjModel.from_xml_string(text), physics.load_string(text)
        assert (m.opt.disableflags, m.opt.enableflags) == (mj.opt.disableflags, mj.opt.enableflags)
        assert bool(m.view_only) == (name in PENDING and value == "enable")
        assert not m.view_only or f'{name.lower()}="enable"' in str(m.view_only[0])


@pytest.mark.parametrize("name", [n for n in names() if n not in PENDING | REFUSED])
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_stages_are_the_official_ones(scenes, name, integrator):
    scene = scenes[integrator if name != "INVDISCRETE" or integrator != "RK4" else "implicit"]   # RK4 has no discrete inverse: test_inverse
    scene.set(name)
    for state in scene.states:
        found, ncon, _nefc = stages.compare(scene.m, scene.mj, state)
        off = {stage: value for stage, value in found.items() if value is None or not value <= stages.limit(stage)}
        assert not off and (ncon >= 5 or name in ("CONSTRAINT", "CONTACT"))


def numbers(scene, d) -> dict:
    """Our numbers after a forward pass, with the inverse and the next velocity."""
    physics.forward(scene.m, d)
    found = {f: np.array(getattr(d, f)) for f in {*COMPARED, *WITNESS.values()} - {"next qvel", "qfrc_inverse"}}
    after = d.copy()
    physics.step(scene.m, after)
    physics.inverse(scene.m, d)
    return {**found, "next qvel": after.qvel.copy(), "qfrc_inverse": d.qfrc_inverse.copy()}


def same(a: dict, b: dict) -> set:
    """Names of what is equal to the last bit."""
    return {name for name in a if np.array_equal(a[name], b[name])}


@pytest.mark.parametrize("name", WITNESS)
def test_the_flag_changes_something(scenes, name):
    scene = scenes["Euler"]
    scene.set(None)
    plain = numbers(scene, scene.data()[1])
    scene.set(name)
    flagged = numbers(scene, scene.data()[1])
    assert WITNESS[name] not in same(plain, flagged)
    if name in ("ENERGY", "SENSOR", "INVDISCRETE", "EULERDAMP"):   # what is only looked at, or happens after the forces, leaves them alone
        assert {"qacc", "qfrc_constraint", "qfrc_smooth"} <= same(plain, flagged)


@pytest.mark.parametrize("name", sorted(OUTSIDE))
def test_these_change_nothing_here(scenes, name):
    scene = scenes["Euler"]
    scene.set(None)
    plain = numbers(scene, scene.data()[1])
    scene.set(name)
    assert same(plain, numbers(scene, scene.data()[1])) == set(plain)


@pytest.mark.parametrize("name", [n for n in names() if n not in PENDING | REFUSED])
def test_switched_while_it_runs(scenes, name):
    """On, off and on again between passes over one Data: what is not computed any more stays or clears as officially."""
    scene = scenes["Euler"]
    mjd, d = scene.data(0)
    for flag in (None, name, None):
        scene.set(flag)
        for each in (mjd, d):
            scene.states[0 if flag is None else 1].into(each)
        mujoco.mj_forward(scene.mj, mjd)
        physics.forward(scene.m, d)
        skip = {"act_dot"} if flag == "ACTUATION" else set()   # the official rates are left over from before
        off = {f: rel(getattr(d, f), getattr(mjd, f)) for f in COMPARED if f not in skip}
        assert max(off.values()) < 1e-8, (flag, off)


# ---------------------------------------------------------------- flags that need a look of their own


def test_warmstart(scenes):
    """Without iterations the start is the answer."""
    scene, found = scenes["Euler"], []
    for flag in ("WARMSTART", None):
        scene.set(flag)
        mjd, d = scene.data()
        d.qacc_warmstart[:] = mjd.qacc_warmstart
        for opt in (scene.mj.opt, scene.m.opt):
            opt.iterations = 0
        mujoco.mj_forward(scene.mj, mjd)
        physics.forward(scene.m, d)
        for opt in (scene.mj.opt, scene.m.opt):
            opt.iterations = 100
        assert rel(d.qacc, mjd.qacc) < 1e-9
        found.append(d.qacc.copy())
    assert np.abs(found[0] - found[1]).max() > 0.1


def test_midphase(scenes):
    """It decides the order in which two bodies' geoms are visited."""
    scene, found = scenes["Euler"], []
    for flag in (None, "MIDPHASE"):
        scene.set(flag)
        mjd, d = scene.data()
        for each in (mjd, d):   # crate and plate, with two geoms each, into each other
            each.qpos[scene.mj.joint("plate").qposadr[0]:][:3] = each.qpos[scene.mj.joint("crate").qposadr[0]:][:3] + (0.11, -0.14, 0.07)
        mujoco.mj_forward(scene.mj, mjd)
        physics.forward(scene.m, d)
        assert d.ncon == mjd.ncon and d.contact_geom[:d.ncon].tolist() == mjd.contact.geom.tolist()
        found.append(d.contact_geom[:d.ncon].tolist())
    assert found[0] != found[1] and sorted(found[0]) == sorted(found[1])


def test_island(scenes):
    scene, found = scenes["Euler"], []
    for flag in (None, "ISLAND"):
        scene.set(flag)
        mjd, d = scene.data()
        mujoco.mj_forward(scene.mj, mjd)
        physics.forward(scene.m, d)
        assert d.nisland == mjd.nisland
        found.append((int(d.nisland), d.qacc.copy()))
    assert found[0][0] > 1 and found[1][0] == 0 and rel(found[0][1], found[1][1]) < 1e-8


def test_fwdinv(scenes):
    """With a solver that stops early there is a difference of forces, the official one."""
    scene = scenes["Euler"]
    for flag in (None, "FWDINV"):
        scene.set(flag)
        mjd, d = scene.data()
        for opt in (scene.mj.opt, scene.m.opt):
            opt.iterations = 1
        mujoco.mj_step(scene.mj, mjd)
        physics.step(scene.m, d)
        for opt in (scene.mj.opt, scene.m.opt):
            opt.iterations = 100
        assert rel(d.solver_fwdinv, mjd.solver_fwdinv) < 1e-5 and (d.solver_fwdinv[1] > 1e-6) == (flag is not None)


@pytest.mark.parametrize("flags", [0, DSBL_AUTORESET])
def test_a_bad_state_starts_over_or_is_refused_as_autoreset_says(scenes, flags):
    """Officially the flag chooses between starting over and going on with what is no number; here between starting over and not stepping."""
    scene = scenes["Euler"]
    scene.set("AUTORESET" if flags else None)
    mjd, d = scene.data()
    mjd.qvel[3] = d.qvel[3] = np.nan
    mujoco.mj_step(scene.mj, mjd)
    assert (mjd.time < 0.01) == (flags == 0) == bool(np.isfinite(mjd.qvel).all())
    before = physics.get_state(scene.m, d)
    assert physics.step(scene.m, d) == (0 if flags else 1) and len(physics.warnings(scene.m, d)) == 1
    if flags:
        assert "joint 'swing'" in physics.step_error(scene.m, d) and np.array_equal(physics.get_state(scene.m, d), before, equal_nan=True)
    else:
        assert physics.step_error(scene.m, d) == "" and np.allclose(d.qpos, mjd.qpos, rtol=1e-10, atol=1e-12) and d.time == mjd.time


@pytest.mark.parametrize("name", sorted(PENDING))
def test_what_is_not_there_yet_is_refused_by_name(scenes, name):
    scene = scenes["Euler"]
    scene.set(name)
    d = physics.Data(scene.m)
    state = physics.get_state(scene.m, d, StateBit.FULLPHYSICS)
    for call in (physics.step, physics.forward, physics.inverse, physics.step1, physics.step2, physics.fwd_position,
                 lambda m, d: physics.rollout(m, state, nstep=2), lambda m, d: physics.transition_fd(m, d)):
        with pytest.raises(physics.ViewOnlyError, match=name.lower()):
            call(scene.m, d)
    assert d.time == 0


PILE = """<mujoco><option><flag {flag}/></option><asset><mesh name="m" vertex="-1 -1 -1  1 -1 -1  -1 1 -1  1 1 -1  -1 -1 1  1 -1 1  -1 1 1  1 1 1" scale=".1 .12 .05"/></asset>
  <worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .0499"><freejoint/><geom type="mesh" mesh="m"/></body>
  <body pos=".03 .02 .1497" euler="0 0 20"><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("flag,points", [("multiccd='enable'", 8), ("multiccd='disable'", 5), ("nativeccd='disable' multiccd='disable'", 5)])
def test_convex_pairs(flag, points):
    """Switched off, one point of a face is left: some point of it, as deep."""
    mj, m = mujoco.MjModel.from_xml_string(PILE.format(flag=flag)), physics.load_string(PILE.format(flag=flag))
    mjd, d = mujoco.MjData(mj), physics.Data(m)
    mujoco.mj_forward(mj, mjd)
    physics.forward(m, d)
    assert d.ncon == mjd.ncon == points
    assert rel(d.contact_dist[:d.ncon], mjd.contact.dist) < (1e-8 if "native" not in flag else 1e-3)


def test_the_other_convex_method_is_not_here():
    text = PILE.format(flag="nativeccd='disable'")
    issue, = read_text(text).issues
    assert issue.severity == "warning" and "nativeccd" in issue.what and "built-in method" in issue.hint
    assert not physics.load_string(text).view_only
