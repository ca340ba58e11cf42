"""Sweeps: each number is that of a run by itself, whatever the threads; they end when they are told to, and tell what went wrong."""
from dataclasses import replace

import numpy as np
import pytest

import physics
from physics.model.state_fields import State
from physics.quantities.syntax import ExpressionError
from physics.tuning.scalar import load_step, simulate
from physics.tuning.sweep import Sweep, axis_of, contact_sweep, range_values
from tests.physics.tuning.drops import CONSTANT, drop
from tests.physics.tuning.grip import HELD, LEAST, grip

PATIENCE = 60.0     # s
SPRING = """<mujoco><worldbody><body><joint name="a" type="slide" axis="1 0 0" stiffness="100"/><geom size=".1"/></body></worldbody><keyframe><key qpos="0.1"/></keyframe></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def swept(m, axes, metric, reduction="last", seconds=1.0, threads=0, state=None):
    sweep = Sweep(m, state or State.of(physics.Data(m)), [axis_of(m, text) for text in axes], metric, reduction, seconds, threads)
    sweep.start()
    assert sweep.wait(PATIENCE) and sweep.over
    assert not sweep.error, sweep.error
    assert sweep.progress == (sweep.result().values.size,) * 2
    return sweep.result()


def test_the_friction_that_holds_a_cup_is_found():
    m = physics.load_string(grip())
    found = swept(m, ["geom.*.friction[0]=0.03:0.3:9:log"], HELD, "holds")
    (axis,) = found.axes
    held = found.values.astype(bool)
    print(dict(zip(axis.numbers.round(4).tolist(), held.tolist(), strict=True)))
    assert found.complete and not found.diverged.any() and found.unit == ""
    assert held[axis.numbers > 1.3 * LEAST].all() and not held[axis.numbers < LEAST].any() and (np.diff(held.astype(int)) >= 0).all()


def test_each_is_that_of_a_run_by_itself_bit_for_bit_whatever_the_threads():
    m = physics.load_string(grip())
    axes = ["geom.left.friction[0]=0.05:0.5:3:log", "geom.right.friction[0]=0.06,0.3", "opt.impratio=2"]
    one, three = (swept(m, axes, "qpos[4]", seconds=0.4, threads=threads) for threads in (1, 3))
    assert one.values.shape == (3, 2) and one.values.tobytes() == three.values.tobytes() and len(np.unique(one.values)) >= 4 and one.unit == "m"
    for i, left in enumerate(one.axes[0].numbers.tolist()):
        for k, right in enumerate(one.axes[1].numbers.tolist()):
            text = grip().replace('cone="elliptic"', 'cone="elliptic" impratio="2"').replace('mass=".1" friction="1.0', f'mass=".1" friction="{left!r}', 1)
            own = physics.load_string(text.replace('mass=".1" friction="1.0', f'mass=".1" friction="{right!r}', 1))
            d = physics.Data(own)
            physics.step(own, d, 200)
            assert one.values[i, k] == d.qpos[4], (left, right)
    assert m.opt_impratio == 1 and (m.geom_friction[1:3, 0] == 1).all()


def test_each_reduction_and_the_time_step():
    m = physics.load_string(SPRING)
    d = physics.Data(m)
    physics.reset(m, d, 0)
    state = State.of(d)
    values = {how: swept(m, ["opt.timestep=0.001:0.002:2"], "qpos[0]", how, 0.5, state=state) for how in ("min", "max", "mean", "last", "integral")}
    for k, h in enumerate((0.001, 0.002)):
        own = physics.load_string(SPRING.replace("<worldbody>", f'<option timestep="{h}"/><worldbody>'))
        d = physics.Data(own)
        physics.reset(own, d, 0)
        time, found = physics.trace(own, d, ["qpos[0]"], round(0.5 / h) + 1)
        curve = found["qpos[0]"]
        assert values["min"].values[k] == curve.min() and values["max"].values[k] == curve.max() == 0.1 and values["last"].values[k] == curve[-1]
        assert values["integral"].values[k] == pytest.approx(np.trapezoid(curve, time)) and values["mean"].values[k] == pytest.approx(np.trapezoid(curve, time) / 0.5)
    assert values["integral"].unit == "m s" and values["min"].unit == "m"


def test_a_run_that_diverges_is_no_number_and_the_others_are():
    m = physics.load_string(SPRING)
    d = physics.Data(m)
    physics.reset(m, d, 0)
    found = swept(m, ["joint.a.stiffness=-1e9,100,-2e9,50"], "abs(qpos[0])", "max", threads=1, state=State.of(d))
    assert found.diverged.tolist() == [True, False, True, False] and np.isnan(found.values).tolist() == found.diverged.tolist() and found.complete
    assert found.values[1] == pytest.approx(0.1, rel=0.05)


def test_it_ends_when_it_is_told_to_in_the_middle_of_a_run():
    m = physics.load_string(grip())
    sweep = Sweep(m, State.of(physics.Data(m)), [axis_of(m, "geom.*.friction[0]=0.5:1:20")], "qpos[4]", seconds=20_000.0, threads=2)
    sweep.start()
    assert not sweep.over      # nobody waited for it
    sweep.cancel()
    assert sweep.wait(PATIENCE)
    found = sweep.result()
    assert not found.done.any() and np.isnan(found.values).all() and not found.diverged.any() and not found.complete and sweep.progress == (0, 20) and not sweep.error


def test_the_model_may_change_meanwhile():
    m = physics.load_string(SPRING)
    d = physics.Data(m)
    physics.reset(m, d, 0)
    sweep = Sweep(m, State.of(d), [axis_of(m, "joint.a.damping=0:1:2")], "qpos[0]", seconds=0.1)
    m.jnt_stiffness[0] = 1e4
    d.qpos[0] = 7.0
    sweep.start()
    assert sweep.wait(PATIENCE)
    own = physics.load_string(SPRING)
    d = physics.Data(own)
    physics.reset(own, d, 0)
    physics.step(own, d, 50)
    assert sweep.result().values[0] == d.qpos[0]


def test_what_the_engine_refuses_ends_it_with_words():
    m = physics.load_string(grip())
    sweep = Sweep(m, State.of(physics.Data(m)), [axis_of(m, "geom.cup.condim=1:3:3")], "qpos[4]", seconds=0.01, threads=1)
    sweep.start()
    assert sweep.wait(PATIENCE) and "geom 'cup' has condim 2" in sweep.error and sweep.result().done.tolist() == [True, False, False]


@pytest.mark.parametrize("text,said", [
    ("geom.cup.friction[0]", "write WHAT=LOW:HIGH:COUNT"), ("geom.cup.friction[0]=", "write WHAT"), ("geom.cup.friction[0]=1:2", "write WHAT"),
    ("geom.cup.friction[0]=1:2:x", "'x' is no number of values"),
    ("geom.cup.friction[0]=1:2:3:lin", "linear or log, not 'lin'"), ("geom.cup.friction[0]=0:2:3:log", "one side of 0"), ("geom.cup.friction[0]=1:2:1", "2 values or more"),
    ("geom.cup.friction[0]=1:1:3", "has one value"), ("geom.cup.friction[0]=a", "'a' is no number"), ("geom.cup.friction[0]=1,1", "there twice"),
    ("geom.cup.friction[0]=-1:1:3", "of 0 or more, not -1"),
    ("geom.cup.friction=1:2:3", "write one of them: geom.cup.friction[0]"), ("geom.cupp.friction[0]=1:2:3", "did you mean 'cup'"),
    ("opt.noslip_iterations=0:2:5", None), ("opt.cone=pyramidal,elliptic", None),
])
def test_ranges_by_text(text, said):
    m = physics.load_string(grip())
    if said is None:
        assert axis_of(m, text).numbers.tolist() == ([0, 1, 2] if "noslip" in text else [0, 1])
        return
    with pytest.raises(ValueError, match=said.replace("[", r"\[")):
        axis_of(m, text)


def test_ranges():
    assert range_values(1, 2, 3).tolist() == [1, 1.5, 2]
    log = range_values(-1000, -100000, 9, True)
    assert log[0] == -1000 and log[-1] == -100000 and np.allclose(log[1:] / log[:-1], 10 ** .25)


@pytest.mark.parametrize("axes,metric,how,said", [
    (["opt.impratio=1"], "time", "last", "varies one or two values, not 0"), (["opt.impratio=1,2", "opt.impratio=3"], "time", "last", "set the same number"),
    (["geom.*.friction[0]=1,2", "geom.cup.friction[0]=3"], "time", "last", "set the same number"),
    (["opt.impratio=1,2"], "qpos", "last", "has 9 numbers; a metric is one number"),
    (["opt.impratio=1,2"], "time", "sum", "no reduction 'sum'"), (["opt.impratio=1,2"], "contact_dist", "last", "rows changes"),
    (["geom.cup.solref[0]=-1,-2"], "time", "last", "solref of geom cup would be"),
    (["opt.impratio=1:2:1000", "geom.cup.friction[0]=1:2:1000"], "time", "last", "more than"),
    (["opt.impratio=1,2", "geom.cup.friction[0]=1,2", "opt.timestep=.001,.002"], "time", "last", "not 3"),
])
def test_what_is_no_sweep_is_told(axes, metric, how, said):
    m = physics.load_string(grip())
    with pytest.raises(ValueError, match=said):
        Sweep(m, State.of(physics.Data(m)), [axis_of(m, text) for text in axes], metric, how)


def test_what_is_no_metric_is_told_with_its_place():
    m = physics.load_string(grip())
    with pytest.raises(ExpressionError, match="column .*did you mean 'cup'"):
        Sweep(m, State.of(physics.Data(m)), [axis_of(m, "opt.impratio=1,2")], 'body("cupp").xpos[2]')


# ------------------------------------------------------------------ the scalar simulation

def test_a_contact_by_the_scalar_simulation():
    falling = drop(solref=(-4000.0, -30.0), solimp=CONSTANT, condim=1)
    stiffness, damping = (-1000.0, -4000.0, -9000.0), (-10.0, -30.0)
    found = contact_sweep(falling.row, falling.parameters, [("solref[0]", stiffness), ("solref[1]", damping)], 1.0)
    assert found.rest_depth.shape == found.gains.shape == (3, 2) and not found.gains.any()
    for i, k in np.ndindex(3, 2):
        parameters = replace(falling.parameters, solref=(stiffness[i], damping[k]))
        response = simulate(falling.row, parameters, 1.0)
        assert (found.rest_depth[i, k], found.restitution[i, k], found.scatter[i, k]) == (response.rest_depth, response.impacts.mean, response.impacts.scatter)
        assert found.settling[i, k] == load_step(falling.row, parameters).settling
    assert (np.diff(found.rest_depth, axis=0) < 0).all() and (np.diff(found.restitution, axis=1) < 0).all()
    assert contact_sweep(falling.row, falling.parameters, [("solref[0]", stiffness)], 1.0, go_on=lambda: False) is None
    wild = contact_sweep(replace(falling.row, timestep=0.01), falling.parameters, [("solref[1]", (-30.0, -900.0))], 1.0)
    assert wild.gains.tolist() == [False, True]
    for ranges, said in (([("solref[2]", (1,))], "no parameter"), ([("solref[0]", (1,))] * 2, "there twice"), ([], "not 0"), ([("solref[0]", (1.0,))], "either both are positive")):
        with pytest.raises(ValueError, match=said):
            contact_sweep(falling.row, falling.parameters, ranges, 1.0)
