"""Identification: parameters that a simulated motion was made with are found again, and a Model given values is the one that a text with them compiles to."""
import numpy as np
import pytest

import physics
from physics.optimise import Checkpoint, IdentifyOptions, Motion, Parameter, fit_parameters, motions_of
from physics.optimise.measured_overlaps import overlaps
from physics.optimise.model_parameters import DERIVED, ParameterSet
from physics.recording.recording import Layout, RecordedBranch, Recording
from physics.recording.track import Track, TrackPiece
from tests.architecture.sources import ROOT

SLIDER = """<mujoco><option timestep=".005" cone="elliptic"/><worldbody><geom name="floor" type="plane" size="0 0 1" friction="{mu}" priority="1"/>
<body pos="0 0 .1"><freejoint/><geom name="box" type="box" size=".1 .1 .1" mass="2"/></body></worldbody></mujoco>"""
ARM = """<mujoco><option timestep=".005"/><worldbody><body name="a"><joint name="a" axis="0 1 0" damping="{damping}"/><geom name="a" type="capsule" size=".03" fromto="0 0 0 0 0 -.5" mass="1"/>
<body name="b" pos="0 0 -.5"><joint name="b" axis="0 1 0" damping=".05" armature="{armature}"/><geom name="b" type="capsule" size=".03" fromto="0 0 0 0 0 -.4" mass="{mass}"/></body></body></worldbody>
<actuator><motor joint="a"/><motor joint="b"/></actuator></mujoco>"""
BALL = """<mujoco><option timestep=".002"/><worldbody><geom type="plane" size="0 0 1"/><body pos="0 0 .5"><freejoint/><geom name="ball" size="{size}" mass="1"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def motion(m, qpos, qvel, steps, controls=None, nstep=1):
    d = physics.Data(m)
    d.qpos[:], d.qvel[:] = qpos, qvel
    places, speeds = [d.qpos.copy()], [d.qvel.copy()]
    controls = np.zeros((steps, m.nu)) if controls is None else controls
    for u in controls:
        d.ctrl[:] = u
        physics.step(m, d, nstep)
        places.append(d.qpos.copy())
        speeds.append(d.qvel.copy())
    return Motion(np.array(places), np.array(speeds), controls, nstep=nstep)


def arm(**given):
    return physics.load_string(ARM.format(**{"damping": 0.2, "armature": 0.01, "mass": 0.5, **given}))


def swings(m, seed=0, count=3):
    random = np.random.default_rng(seed)
    return [motion(m, random.uniform(-1, 1, 2), random.uniform(-1, 1, 2), 60, np.sin(np.arange(60) / 7 + k)[:, None] * [1.0, 0.5]) for k in range(count)]


def test_mass_damping_and_armature_of_an_arm_are_found():
    true = arm(mass=0.8, damping=0.35, armature=0.03)
    parameters = [Parameter("body_mass", "b", low=0.05), Parameter("dof_damping", "a", low=0.0), Parameter("dof_armature", "b", low=0.0)]
    start = arm()
    found = fit_parameters(start, parameters, swings(true))
    assert found.converged and found.loss < 1e-12 * found.losses[0]
    assert found.values == pytest.approx([0.8, 0.35, 0.03], rel=1e-5)
    assert start.body_mass[2] == 0.5 and found.model.body_mass[2] == pytest.approx(0.8) and not found.loose
    later = motion(true, [0.3, 0.2], [0.0, 0.0], 50)
    assert motion(found.model, [0.3, 0.2], [0.0, 0.0], 50).qpos == pytest.approx(later.qpos, abs=1e-6)


def test_friction_of_a_sliding_box_is_found_from_short_motions():
    true, start = (physics.load_string(SLIDER.format(mu=mu)) for mu in (0.37, 0.8))
    rest = motion(true, true.qpos0, np.zeros(6), 200)
    slides = [motion(true, rest.qpos[-1], [v, w, 0, 0, 0, 0], 40) for v, w in ((2.0, 0.0), (0.0, 1.5), (1.0, -1.0))]
    parameters = [Parameter("geom_friction", "floor", 0, low=0.01, high=2.0)]
    found = fit_parameters(start, parameters, [part for slide in slides for part in slide.cut(2)])
    assert found.converged and found.values[0] == pytest.approx(0.37, rel=1e-6)
    # as a whole they hop otherwise than measured with each other value: the loss is rough
    assert fit_parameters(start, parameters, slides).loss > 1.0


def test_motions_are_cut():
    whole = Motion(np.arange(22.0).reshape(11, 2), np.zeros((11, 2)), np.arange(10.0)[:, None])
    assert [part.qpos[0, 0] for part in whole.cut(3)] == [0, 6, 12] and len(whole.cut(4, every=1)) == 7
    part = whole.cut(3)[1]
    assert part.controls[:, 0].tolist() == [3, 4, 5] and part.qpos.shape == (4, 2)
    with pytest.raises(ValueError, match="controls"):
        whole.cut(11)


def test_the_size_of_a_ball_is_found_where_it_lands():
    true, start = (physics.load_string(BALL.format(size=size)) for size in (0.13, 0.1))
    falls = [motion(true, [0, 0, 0.2, 1, 0, 0, 0], [0, 0, -v, 0, 0, 0], 80) for v in (0.5, 1.0)]
    found = fit_parameters(start, [Parameter("geom_size", "ball", 0, low=0.02, high=0.3)], falls, IdentifyOptions(qpos=100.0))
    assert found.converged and found.values[0] == pytest.approx(0.13, rel=1e-3)
    assert found.model.geom_rbound[1] == pytest.approx(found.values[0])


def test_noise_gives_deviations_that_hold_the_truth_and_what_is_not_seen_is_named():
    true = arm(mass=0.8)
    random = np.random.default_rng(1)
    noisy = swings(true, count=4)
    for x in noisy:     # all but where rollouts begin
        x.qpos[1:] += 1e-3 * random.standard_normal((60, 2))
        x.qvel[1:] += 1e-3 * random.standard_normal((60, 2))
    parameters = [Parameter("body_mass", "b"), Parameter("geom_friction", "a", 0)]
    found = fit_parameters(arm(), parameters, noisy, IdentifyOptions(qvel=1.0))
    assert abs(found.values[0] - 0.8) < 5 * found.deviation[0] < 0.02
    assert [p.field for p in found.loose] == ["geom_friction"] and np.isinf(found.deviation[1])


def test_bounds_hold():
    found = fit_parameters(arm(), [Parameter("body_mass", "b", high=0.7)], swings(arm(mass=0.8)))
    assert found.converged and found.values[0] == 0.7


def test_overlaps_of_measured_states_are_depths_and_shrink_what_is_too_large():
    m = physics.load_string(BALL.format(size=0.3))
    heights = np.array([0.25, 0.2, 0.4])
    measured = Motion(np.array([[0, 0, z, 1, 0, 0, 0] for z in heights]), np.zeros((3, 6)), np.zeros((2, 0)))
    assert overlaps(m, [measured.checked(m)]) == pytest.approx([0.05, 0.1, 0.0], abs=1e-12)
    # no weight on the motion: only what was measured not to overlap tells of the size
    found = fit_parameters(m, [Parameter("geom_size", "ball", 0, low=0.01)], [measured], IdentifyOptions(qpos=0.0, qvel=0.0, overlap=100.0))
    assert found.values[0] == pytest.approx(0.2, abs=1e-4) and found.losses[0] == pytest.approx(50 * (0.05 ** 2 + 0.1 ** 2))


def test_a_step_goes_no_farther_than_it_may():
    true, guess = arm(damping=0.35), arm()
    parameters = [Parameter("dof_damping", "a", low=0.0, size=0.2)]
    steps = []
    fit_parameters(guess, parameters, swings(true), IdentifyOptions(farthest=0.1, iterations=4), report=lambda p: steps.append(float(p.text)))
    assert np.diff([0.2, *steps]) == pytest.approx([0.02] * 4, abs=1e-4)      # 0.15 to go, 0.02 at a time


def test_the_floor_of_the_damping_keeps_what_the_motion_hardly_tells_of():
    true, guess = arm(mass=0.8, armature=0.0101), arm()
    parameters = [Parameter("body_mass", "b", low=0.05), Parameter("dof_armature", "b", low=0.0)]
    free, held = (fit_parameters(guess, parameters, swings(true), IdentifyOptions(iterations=3, floor=floor)).values for floor in (1e-12, 1e3))
    assert abs(free[1] - 0.0101) < 0.1 * abs(held[1] - 0.0101) and abs(held[0] - 0.5) < 0.05


def test_a_fit_taken_up_again_ends_in_the_same_numbers(tmp_path):
    parameters, motions = [Parameter("body_mass", "b", low=0.05), Parameter("dof_damping", "a", low=0.0)], swings(arm(mass=0.8, damping=0.35))
    whole = fit_parameters(arm(), parameters, motions)
    part = fit_parameters(arm(), parameters, motions, report=lambda p: p.done < 2, checkpoint=Checkpoint(tmp_path / "fit.npz"))
    assert part.why == "stopped by the report" and len(part.losses) == 3
    rest = fit_parameters(arm(), parameters, motions, checkpoint=Checkpoint(tmp_path / "fit.npz"))
    assert np.array_equal(rest.values, whole.values) and np.array_equal(rest.losses, whole.losses)


COMPILED = (
    ("arm", [("body_mass", "b", None, 0.9), ("dof_armature", "b", None, 0.05)], {"mass": 0.9, "armature": 0.05}),
    ("ball", [("geom_size", "ball", 0, 0.17)], {"size": 0.17}),
)


@pytest.mark.parametrize("name, values, given", COMPILED, ids=[row[0] for row in COMPILED])
def test_a_model_given_values_is_the_one_that_a_text_with_them_compiles_to(name, values, given):
    first = arm() if name == "arm" else physics.load_string(BALL.format(size=0.1))
    wanted = arm(**given) if name == "arm" else physics.load_string(BALL.format(**given))
    known = ParameterSet(first, [Parameter(field, element, column) for field, element, column, _value in values])
    for _again in range(2):     # a second time from the values of the first
        m = known.put(np.array([value for *_p, value in values]))
    for field in sorted({row[0] for row in values} | DERIVED - ({"body_inertia", "dof_M0", "body_invweight0", "dof_invweight0"} if name == "ball" else set())):
        assert np.asarray(getattr(m, field)) == pytest.approx(np.asarray(getattr(wanted, field)), rel=1e-9, abs=1e-12), field
    if name == "arm":
        assert m.stat_meaninertia == pytest.approx(wanted.stat_meaninertia, rel=1e-9)
    back = known.put(known.now(first))
    assert all(np.asarray(getattr(back, field)) == pytest.approx(np.asarray(getattr(first, field)), rel=1e-12, abs=1e-14) for field in DERIVED)


def test_masses_of_a_shipped_robot_follow_as_compiled():
    """All bodies, free and jointed, and actuators: the trunk's mass."""
    text = (ROOT / "models" / "quadruped.xml").read_text().replace('file="common', f'file="{ROOT}/models/common')
    first, wanted = physics.load_string(text), physics.load_string(text.replace('mass="4"', 'mass="4" density="0"'))
    known = ParameterSet(first, [Parameter("body_mass", "front_left_shank")])
    heavier = text.replace('fromto="0 0 0 0 0 -.19" size=".018" mass=".18"', 'fromto="0 0 0 0 0 -.19" size=".018" mass=".36"', 1).replace('size=".026" mass=".05"', 'size=".026" mass=".1"', 1)
    wanted = physics.load_string(heavier)
    m = known.put(np.array([0.46]))
    for field in sorted(DERIVED):
        assert np.asarray(getattr(m, field)) == pytest.approx(np.asarray(getattr(wanted, field)), rel=1e-8, abs=1e-10), field


def test_motions_come_out_of_a_recording():
    m = arm()
    whole = motion(m, [0.5, 0.1], [0, 0], 40, np.sin(np.arange(40))[:, None] * [1.0, 0.3])
    rows = np.zeros((41, 2 + 2 + 2 + 2))
    rows[:, 0] = m.opt_timestep * np.arange(41)
    rows[:, 2:4], rows[:, 4:6], rows[1:, 6:8] = whole.qpos, whole.qvel, whole.controls
    rows[25:, 0] += 1.0     # a jump of the time
    piece = TrackPiece(Layout({"qpos": 2, "qvel": 2, "ctrl": 2}), rows, 0)
    recording = Recording((RecordedBranch(1, 0, -1, "start", "", Track((piece,))),), 1)
    found = motions_of(m, recording, 10)
    assert len(found) == 3 and np.array_equal(found[1].qpos, whole.qpos[10:21]) and np.array_equal(found[1].controls, whole.controls[10:20])
    assert np.array_equal(found[2].qpos, whole.qpos[30:41])     # 20 .. 30 goes over the jump
    for one in found:
        assert np.array_equal(motion(m, one.qpos[0], one.qvel[0], 10, one.controls).qpos[1], one.qpos[1])
    assert len(motions_of(m, recording, 10, every=1, entries=slice(0, 20))) == 10
    with pytest.raises(ValueError, match="recorded"):
        motions_of(m, recording, 100)


def test_what_cannot_be_looked_for_is_refused():
    m = physics.load_string(SLIDER.format(mu=0.5))
    for parameter, message in ((Parameter("geom_frictoin", "box", 0), "geom_friction"), (Parameter("geom_friction", "box"), "column"), (Parameter("geom_friction", "box", 3), "column"),
                               (Parameter("geom_friction"), "which element"), (Parameter("body_ipos", 1, 0), "laid out"), (Parameter("nq"), "no parameter")):
        with pytest.raises(ValueError, match=message):
            ParameterSet(m, [parameter])
    with pytest.raises(KeyError):
        ParameterSet(m, [Parameter("geom_friction", "bax", 0)])
    with pytest.raises(ValueError, match="qvel"):
        fit_parameters(m, [Parameter("geom_friction", "box", 0)], [Motion(np.zeros((3, 7)), np.zeros((3, 7)), np.zeros((2, 0)))])
