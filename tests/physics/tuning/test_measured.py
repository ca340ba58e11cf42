"""The running window of a contact: what it says of bounces, rest, frequency and damping is what the law of the contact gives, from Data and from recorded states alike."""
from math import atan2, exp, pi, sqrt

import numpy as np
import pytest

import physics
from physics.model.elements import element
from physics.runtime.snapshot import Snapshot
from physics.tuning.measured import Probe, Sample, Window, measure_states
from physics.tuning.target import Form, Target

DROP = """<mujoco><option timestep="{h}" gravity="0 0 {g}"/><worldbody><geom name="floor" type="plane" size="5 5 1" priority="-1"/>
  <body pos="0 0 {height}"><freejoint/><geom name="ball" size=".1" mass="2" condim="1" solref="-{S} -{D}" solimp=".5 .5"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def dropped(S, zeta, height=.3, h=.0005, seconds=2.0, capacity=8192, every=1, snapshots=False, speed=None):
    """A window that saw each step of a ball's fall; speed: thrown down without gravity instead."""
    m = physics.load_string(DROP.format(S=S, D=2 * zeta * sqrt(S), height=height, h=h, g=-9.81 if speed is None else 0))
    d = physics.Data(m)
    d.qvel[2] = -(speed or 0.0)
    probe, window = Probe(m, Target(Form.CONTACT, element(m, "geom", m.id("geom", "ball"))), 2.0), Window(capacity, 8)
    probe.watch(m.id("geom", "floor"), m.id("geom", "ball"))
    now = Snapshot(m, d, 1) if snapshots else d
    for _ in range(round(seconds / h / every)):
        physics.step(m, d, every)
        if snapshots:
            now.copy_from(d)
        window.add(probe.sample(now), probe.before)
    return m, d, window


def small_step_restitution(zeta):
    root = sqrt(1 - zeta * zeta)
    return exp(-zeta / root * (pi - atan2(2 * zeta * root, 1 - 2 * zeta * zeta)))


@pytest.mark.parametrize("zeta", [.05, .2, .5])
@pytest.mark.parametrize("snapshots", [False, True])
def test_restitution_is_that_of_the_spring_and_damper(zeta, snapshots):
    _m, _d, window = dropped(10000, zeta, snapshots=snapshots, seconds=.3, speed=2.0, h=.0002)
    first = window.touches[0]
    assert window.touch_count == 1 and first.before == pytest.approx(-2.0)
    assert first.restitution == pytest.approx(small_step_restitution(zeta), abs=.01)
    assert first.impulse == pytest.approx(2 * (first.after - first.before), rel=1e-6)
    assert first.work == pytest.approx(.5 * 2 * (first.after ** 2 - first.before ** 2), rel=1e-6), "what the contact takes is what the motion loses"
    assert window.column("energy")[-1] == pytest.approx(.5 * 2 * first.after ** 2)
    assert first.depth == pytest.approx(.02 * small_step_depth(zeta), rel=.02) and first.force > 2 * 9.81 and first.duration == pytest.approx(2.5 / 100, rel=.5)


def small_step_depth(zeta):
    """Deepest point over v / w."""
    root = sqrt(1 - zeta * zeta)
    return exp(-zeta / root * atan2(root, zeta))


@pytest.mark.parametrize("S,zeta", [(2000, .1), (2000, .5), (5000, .9), (2000, 2.0)])
def test_rest_frequency_and_damping_are_those_of_solref(S, zeta):
    _m, _d, window = dropped(S, zeta, height=.1, seconds=3.0, capacity=16384)
    found = window.settling()
    assert found.depth == pytest.approx(9.81 * .5 / (.5 * S / .25 * .5), rel=.002), "r = |a0| (1 - d) / (k d^2)"
    assert found.force == pytest.approx(2 * 9.81, rel=1e-3)
    assert found.frequency == pytest.approx(sqrt(S), rel=.03) and found.dampratio == pytest.approx(zeta, rel=.04)
    slowest = zeta * sqrt(S) if zeta < 1 else sqrt(S) * (zeta - sqrt(zeta * zeta - 1))
    assert found.settling == pytest.approx(-np.log(.02) / slowest, rel=.05)


def test_a_slow_drift_of_what_it_bears_is_no_settling():
    def found(slow):
        window, fast, h = Window(), 40.0, .002
        for k in range(500):
            t = k * h
            depth = .01 + 1e-4 * exp(-slow * t) + 1e-4 * exp(-fast * t)
            window.add(Sample(t, True, depth, 10.0, 1e-4 * (slow * exp(-slow * t) + fast * exp(-fast * t)), 0.0))
        return window.settling()

    assert found(5.0).settling == pytest.approx(-np.log(.02) / 5.0, rel=.02) and found(5.0).dampratio == pytest.approx(45 / 2 / sqrt(200), rel=.02)
    drift = found(.05)
    assert np.isnan(drift.frequency) and np.isnan(drift.dampratio) and np.isnan(drift.settling) and drift.depth == pytest.approx(.0101, rel=.01)


def test_memory_is_bounded_and_made_once():
    m, d, window = dropped(10000, .05, seconds=.5, capacity=64)
    rows, touches = window._rows, window._touches
    probe = Probe(m, Target(Form.CONTACT, element(m, "geom", m.id("geom", "ball"))))
    for _ in range(5000):
        physics.step(m, d)
        window.add(probe.sample(d), probe.before)
    assert window._rows is rows and window._touches is touches and rows.shape[0] == 64 and touches.shape[0] == 8
    assert window.touch_count > 8 and len(window.touches) == 8 and len(window.column("time")) == 64
    assert np.all(np.diff(window.column("time")) > 0) and window.column("time")[-1] == d.time
    assert all(a.end < b.begin for a, b in zip(window.touches, window.touches[1:], strict=False))


def test_a_jump_back_in_time_begins_anew():
    m, d, window = dropped(10000, .05, seconds=.5)
    physics.reset(m, d)
    physics.forward(m, d)
    window.add(Probe(m, Target(Form.CONTACT, element(m, "geom", 1))).sample(d))
    assert window.count == 1 and window.touches == () and window.settling() is None


def test_recorded_states_tell_the_same():
    m = physics.load_string(DROP.format(S=10000, D=10, height=.3, h=.0005, g=-9.81))
    d = physics.Data(m)
    states = []
    for _ in range(1200):
        states.append(physics.get_state(m, d))
        physics.step(m, d)
    target = Target(Form.CONTACT, element(m, "geom", m.id("geom", "ball")))
    window = measure_states(m, states, target, (m.id("geom", "floor"), m.id("geom", "ball")))
    live = dropped(10000, .05, seconds=.6)[2]
    assert live.touches[0].before == pytest.approx(-sqrt(2 * 9.81 * .2), abs=.01)
    assert window.touches[0].restitution == pytest.approx(live.touches[0].restitution, rel=1e-9)
    assert window.count == 1200 and window.touches[0].depth == pytest.approx(live.touches[0].depth, rel=1e-9)


def test_only_contacts_are_measured():
    m = physics.load_string("<mujoco><worldbody><body><joint name='j' range='-1 1'/><geom size='.1'/></body></worldbody></mujoco>")
    with pytest.raises(ValueError, match="no contact"):
        Probe(m, Target(Form.LIMIT, element(m, "joint", 0)))
    with pytest.raises(ValueError, match="no column"):
        Window().column("height")
