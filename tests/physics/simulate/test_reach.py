"""What a model can reach: enough to move it, bit for bit; and what happens when it is not."""
import itertools
from pathlib import Path

import numpy as np
import pytest

import physics
from physics.kernels import decorators, load
from physics.model.data import Data
from physics.runtime import commands
from physics.runtime.perform import perform
from physics.runtime.simulation import Simulation
from physics.simulate import reach, warm_up
from tests.physics.simulate import partial_engine

MODELS = Path(__file__).parents[3] / "models"
SHAPES = {"sphere": ".1", "capsule": ".08 .1", "ellipsoid": ".1 .08 .12", "cylinder": ".1 .1", "box": ".1 .12 .08"}
HINGES = """<body pos="0 0 1"><joint name="a" damping=".1" axis="0 1 0" {joint}/><geom size=".05" fromto="0 0 0 .4 0 0" type="capsule"/><site name="s"/>
  <body pos=".4 0 0"><joint name="b" axis="0 1 0"/><geom size=".05" fromto="0 0 0 .4 0 0" type="capsule"/><site name="t" pos=".4 0 0"/></body></body>"""


def scene(bodies: str, option: str = "", rest: str = "") -> str:
    return f'<mujoco><option {option}/><worldbody><geom type="plane" size="2 2 .1"/>{bodies}</worldbody>{rest}</mujoco>'


def pair(one: str, two: str) -> str:
    return "".join(f'<body pos="{x} 0 {z}"><freejoint/><geom type="{kind}" size="{SHAPES[kind]}"/></body>' for kind, x, z in ((one, 0, .2), (two, .03, .42)))


def composed() -> dict[str, str]:
    """Small models, each with a feature or two."""
    found = {f"{a}-{b}": scene(pair(a, b)) for a, b in itertools.combinations_with_replacement(SHAPES, 2)}
    for name, option in {"rk4": 'integrator="RK4"', "implicit": 'integrator="implicit"', "fast": 'integrator="implicitfast"', "cg": 'solver="CG"',
                         "pgs": 'solver="PGS"', "elliptic": 'cone="elliptic"', "noslip": 'noslip_iterations="3"', "pgs elliptic": 'solver="PGS" cone="elliptic"',
                         "cg elliptic": 'solver="CG" cone="elliptic"', "air": 'density="1.2" viscosity="1e-3" wind="1 0 0"',
                         "elliptic noslip": 'cone="elliptic" noslip_iterations="2"'}.items():
        found[name] = scene(pair("capsule", "box"), option)
    for name, flags in {"energy": 'energy="enable"', "sleep": 'sleep="enable"', "fwdinv": 'fwdinv="enable"', "override": 'override="enable"', "diagexact": 'diagexact="enable"',
                        "no midphase": 'midphase="disable"'}.items():
        found[name] = scene(pair("sphere", "box"), "").replace("<option />", f"<option><flag {flags}/></option>")
    for name, rest in {
        "motor": '<actuator><motor joint="a"/><position joint="b" kp="3"/></actuator>', "site": '<actuator><general site="t" gear="1 0 0 0 0 0"/></actuator>',
        "muscle": '<actuator><muscle joint="a" lengthrange="0 1"/></actuator>', "filter": '<actuator><general joint="a" dyntype="filter" dynprm=".1"/></actuator>',
        "adhesion": '<actuator><adhesion body="world" ctrlrange="0 1"/></actuator>',
        "fixed": '<tendon><fixed limited="true" range="0 .1"><joint joint="a" coef="1"/></fixed></tendon>',
        "spatial": '<tendon><spatial stiffness="5"><site site="s"/><site site="t"/></spatial></tendon>', "weld": '<equality><joint joint1="a" joint2="b"/></equality>',
        "connect": '<equality><connect site1="s" site2="t"/></equality>',
        "sensors": '<sensor><jointpos joint="a"/><framelinvel objtype="site" objname="t"/><accelerometer site="t"/><touch site="t"/><clock/></sensor>'}.items():
        found[name] = scene(HINGES.format(joint=""), "", rest)
    found["limit"] = scene(HINGES.format(joint='limited="true" range="-10 10" frictionloss=".1" stiffness="1"'))
    found["ball"] = scene('<body pos="0 0 1"><joint type="ball" limited="true" range="0 20"/><geom size=".1" pos=".3 0 0"/></body>')
    found["gravcomp"] = scene('<body pos="0 0 1" gravcomp="1"><freejoint/><geom size=".1"/></body>')
    found["explicit"] = scene('<body pos="0 0 .1"><freejoint/><geom name="e" type="ellipsoid" size=".1 .1 .1" contype="0" conaffinity="0"/></body>'
                              '<geom name="f" type="box" size="1 1 .01" contype="0" conaffinity="0"/>', "", '<contact><pair geom1="e" geom2="f"/></contact>')
    found["many"] = scene("".join(f'<body pos="{x * .25} {y * .25} .3"><freejoint/><geom size=".1"/></body>' for x in range(13) for y in range(13)))
    return found


@pytest.fixture(scope="module")
def files():
    return partial_engine.objects()


def run(m, steps: int = 80):
    """State after some steps, with a kick and a push on the way."""
    d = Data(m)
    physics.forward(m, d)
    d.qvel[:] = np.linspace(-.5, .5, m.nv)
    d.ctrl[:] = .3
    done = physics.step(m, d, steps)
    d.xfrc_applied[-1, 0] = 2.0
    done += physics.step(m, d, steps)
    physics.forward(m, d)
    return done, d.qpos.copy(), d.qvel.copy(), d.qacc.copy(), d.efc_force[:d.nefc].copy(), d.sensordata.copy(), d.ncon


def same(one, other) -> bool:
    return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("name", [*composed(), *sorted(p.name for p in MODELS.glob("*.xml"))])
def test_a_model_moves_alike_with_only_what_it_can_reach(files, name):
    m = physics.load(MODELS / name) if name.endswith(".xml") else physics.load_string(composed()[name])
    assert not m.view_only
    whole = run(m)
    found = reach.needed_to_move(m)
    assert found <= reach.reachable(m)
    with partial_engine.only(files, found):
        assert load.missing() and warm_up.covers(m)
        part = run(m)
        assert load.stubbed_call() == ""
    assert same(whole, part)
    assert not load.missing()


def test_the_bundled_model_needs_a_third_of_the_engine(files):
    found = reach.reachable(physics.load(MODELS / "humanoid.xml"))
    size = {s: len(decorators.KERNELS[s].fn.__code__.co_code) for s in files}
    assert sum(size[s] for s in found) < .36 * sum(size.values()), "a new kernel of a rare feature wants a row in reach.GATES"


def test_what_the_table_does_not_name_is_always_reached():
    """Whatever a reached kernel calls is reached too, but for rows of the table."""
    m = physics.load(MODELS / "humanoid.xml")
    found, closure = reach.reachable(m), decorators.Closure()
    gates = {k.symbol for k in reach.GATES}
    called = {c for s in found for c in closure.of(decorators.KERNELS[s].fn)[1]} | {k.symbol for k in reach.ROOTS}
    assert called - found <= gates
    shut = {k.symbol for k, feature in reach.GATES.items() if not feature(m)}
    assert found == decorators.calls((k.symbol for k in reach.ROOTS), shut.__contains__) and found.isdisjoint(shut)


def test_every_row_of_the_table_is_a_kernel_that_can_say_it_was_called():
    for kernel in (*reach.GATES, *reach.LATER):
        assert "d" in kernel.args, f"{kernel}: a stub without a Data could not stop the step"


def test_a_kernel_called_while_it_is_a_stub_leaves_the_step_undone(files):
    m = physics.load_string(composed()["sphere-box"])
    found = reach.reachable(m)
    d = Data(m)
    physics.forward(m, d)
    shut = next(k.symbol for k in reach.GATES if k.__name__ == "sphere_box")
    with partial_engine.only(files, found - {shut}):
        assert not warm_up.covers(m)
        for _ in range(400):
            before = d.qpos.copy(), d.qvel.copy(), d.time
            try:
                physics.step(m, d)
            except load.NotCompiledError as error:
                assert shut in str(error)
                break
        else:
            pytest.fail("nothing was said")
        assert same(before, (d.qpos, d.qvel, d.time))


def test_the_simulation_waits_for_a_kernel_and_goes_on_as_if_nothing_had_been(files):
    m = physics.load_string(composed()["sphere-box"])
    found = reach.reachable(m)
    shut = next(k.symbol for k in reach.GATES if k.__name__ == "sphere_box")

    def begun():
        sim = Simulation(ready=True)
        perform(sim, commands.SwapModel(m))
        perform(sim, commands.SetNoise(0.2, 0.1, 3))
        return sim

    whole = begun()
    for _ in range(80):
        whole.take(5)
    sim = begun()
    with partial_engine.only(files, found - {shut}):
        taken = 0
        while taken < 400 and sim.ready:
            taken += sim.take(5)
        assert not sim.ready and sim.status == "preparing" and not sim.look_for_kernels()
        assert any("still being compiled" in event.text for event in sim.events)
    assert sim.look_for_kernels() and taken % 5 == 0
    while taken < 400:
        taken += sim.take(5)
    assert same((sim.data.time, sim.data.qpos, sim.data.qvel), (whole.data.time, whole.data.qpos, whole.data.qvel))


def test_options_set_at_run_time_are_looked_at(files):
    m = physics.load_string(composed()["sphere-sphere"])
    sim = Simulation(ready=True)
    with partial_engine.only(files, reach.reachable(m)):
        perform(sim, commands.SwapModel(m))
        assert sim.ready and sim.take(3) == 3
        perform(sim, commands.SetOption("integrator", 1))
        assert not sim.ready and sim.status == "preparing"
        perform(sim, commands.SetOption("integrator", 0))
        assert sim.ready and sim.take(3) == 3
        perform(sim, commands.SwapModel(physics.load_string(composed()["sensors"])))
        assert not sim.ready
    assert sim.look_for_kernels() and sim.take(3) == 3


# ---------------------------------------------------------------- what may come later


@pytest.fixture(scope="module")
def humanoid():
    return physics.load(MODELS / "humanoid.xml")


def moving(m) -> Simulation:
    sim = Simulation(ready=True)
    perform(sim, commands.SwapModel(m))
    sim.take(40)
    return sim


def drag(sim) -> np.ndarray:
    """Mass that is felt and state after a body was pulled for a while."""
    perform(sim, commands.PerturbStart(sim.model.id("body", "chest"), (0, 0, .1), 1))
    perform(sim, commands.PerturbMove((1.0, 0.0, 2.0), (1, 0, 0, 0)))
    felt = sim.data.perturb_localmass
    sim.take(40)
    return np.r_[felt, sim.data.qpos]


def test_a_body_is_dragged_before_the_kernel_for_that_is_there(files, humanoid):
    expected = drag(moving(humanoid))
    with partial_engine.only(files, reach.needed_to_move(humanoid)):
        found = drag(moving(humanoid))
    assert expected[0] > .1 and np.allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_the_factors_are_read_before_the_kernel_for_that_is_there(files):
    m = physics.load_string(scene("<body pos='0 0 5'>" * 60 + "<joint/><geom size='.1'/></body>" + "<joint/><geom size='.1' pos='0 0 .1'/></body>" * 59))
    assert m.nabadof, "qLD is made when it is read"
    sim = moving(m)
    expected = sim.data.qLD.copy()
    with partial_engine.only(files, reach.needed_to_move(m)):
        assert np.allclose(moving(m).data.qLD, expected, rtol=1e-9, atol=1e-12) and expected.any()


def test_the_profiler_waits_for_its_kernel(files, humanoid):
    whole = moving(humanoid)
    whole.take(20)
    sim = moving(humanoid)
    with partial_engine.only(files, reach.needed_to_move(humanoid)):
        perform(sim, commands.SetProfile(True))
        sim.step_cost = 0.0     # not known: the next steps are timed
        assert sim.take(20) == 0 and not sim.ready
    sim.step_cost = 0.0
    assert sim.look_for_kernels() and sim.take(20) == 20 and same((sim.data.qpos,), (whole.data.qpos,))
    assert sim.profile.steps
