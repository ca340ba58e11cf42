"""Length ranges found by simulation, against the official compiler's; what is refused."""
import mujoco
import numpy as np
import pytest

from physics import Data, ModelError, ensure_kernels, load, load_string
from physics.engine import length_range_simulation
from tests.oracle.corpus import corpus_file
from tests.physics.compiler.compared import accepted

ARM = """<mujoco>{head}<worldbody><body><joint name="a" range="-30 40" limited="{limited}"/><geom size=".1" pos=".3 0 0"/><site name="s" pos=".3 .1 0"/>
  <body pos=".5 0 0"><joint name="b" range="-10 60"/><geom size=".1" pos=".2 0 0"/><site name="e" pos=".2 .05 0"/></body></body>
  <site name="w" pos="0 .2 0"/></worldbody>
  <tendon><fixed name="t" range="-.3 .2"><joint joint="a" coef="1"/><joint joint="b" coef="2"/></fixed>
  <spatial name="p"><site site="w"/><site site="s"/><site site="e"/></spatial></tendon>{more}
  <actuator><motor joint="a"/><muscle joint="a" gear="2"/><muscle joint="b" gear="-1"/><muscle tendon="t"/><muscle tendon="p"/>
  <motor joint="b" lengthrange="1 2"/><general joint="b" gaintype="user"/></actuator></mujoco>"""
# the simulations pass through hundreds of impacts with limits, each of which may widen rounding
TOLERANCE = 1e-9


@pytest.fixture(scope="module", autouse=True)
def kernels():
    ensure_kernels()


def arm(settings="", limited="true", option="", more=""):
    return ARM.format(head=f"<compiler><lengthrange {settings}/></compiler><option {option}/>", limited=limited, more=more)


def distance(text):
    """Largest difference from the official length ranges; 0 where both find none."""
    if not accepted(text):
        with pytest.raises(ModelError):
            load_string(text)
        return 0.0
    theirs = mujoco.MjModel.from_xml_string(text).actuator_lengthrange
    return np.abs(load_string(text).actuator_lengthrange - theirs).max()


SETTINGS = ("", 'uselimit="true"', 'mode="none"', 'mode="all"', 'mode="muscleuser"', 'useexisting="false"', 'mode="all" useexisting="false" uselimit="true"',
            'maxforce="6" timeconst=".8"', 'timestep="0"', 'inttotal="12" interval="1" timestep=".005"')


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("limited", ["true", "false"])
def test_ranges_agree(settings, limited):
    assert distance(arm(settings, limited)) < TOLERANCE


@pytest.mark.parametrize("option", ['integrator="implicitfast"', 'integrator="RK4"', 'gravity="0 3 0" density="100" viscosity="1" cone="elliptic"'])
def test_other_options_of_the_file_do_not_matter_or_are_taken_alike(option):
    assert distance(arm(option=option)) < TOLERANCE


def test_flags_of_the_file_are_replaced_and_kept():
    text = arm(option='timestep=".003"', more='<option><flag limit="disable" gravity="disable"/></option>')
    assert distance(text) < TOLERANCE
    model = load_string(text)
    assert model.opt_timestep == 0.003 and model.opt_disableflags == mujoco.MjModel.from_xml_string(text).opt.disableflags


def test_muscles_of_a_real_arm():
    path = corpus_file("mj_arm26/arm26.xml")
    theirs = mujoco.MjModel.from_xml_path(str(path)).actuator_lengthrange
    assert np.abs(load(path).actuator_lengthrange - theirs).max() < TOLERANCE


FREE = """<mujoco><worldbody><body><joint name="a"/><geom size=".1" pos=".3 0 0"/></body></worldbody><actuator>{}</actuator></mujoco>"""
BAD = {
    "does not settle when it is pulled short: it stays between": FREE.format('<muscle name="m" joint="a"/>'),
    "the length range of 'm' is empty": FREE.format('<muscle name="m" joint="a" gear="0"/>'),
    "pulled long": arm('accel="1"'),
    "is empty: 0 to 0": arm('inttotal="0"'),
}


@pytest.mark.parametrize("what", BAD)
def test_muscles_without_a_range_are_refused(what):
    assert not accepted(BAD[what])
    with pytest.raises(ModelError, match=what) as caught:
        load_string(BAD[what])
    assert all(issue.place is not None for issue in caught.value.issues)


def test_an_endless_simulation_is_refused():
    with pytest.raises(ModelError, match="would take 4e.15 steps, at most"):
        load_string(arm('inttotal="5e12"'))


def test_what_shakes_itself_to_pieces_is_refused():
    with pytest.raises(ModelError, match="unstable"):
        load_string(arm('accel="1e12"', "false"))


KNEE = """<mujoco><worldbody><body><joint name="hip" range="-60 60"/><geom size=".1" pos=".3 0 0"/><site name="s" pos=".1 .05 0"/>
  <body pos=".4 0 0"><joint name="knee"/><geom size=".1" pos=".2 0 0"/><site name="e" pos=".1 .05 0"/>
   <body name="shank" pos=".4 0 0"><joint name="cap" axis="0 0 1"/><geom size=".05" pos=".1 0 0"/></body></body></body></worldbody>
  <tendon><spatial name="t"><site site="s"/><site site="e"/></spatial></tendon><equality><joint joint1="knee" joint2="hip" polycoef="0 .5 .2"/>{}</equality>
  <actuator><muscle tendon="t"/><muscle joint="cap"/></actuator></mujoco>"""


MORE = ('<joint joint1="cap" joint2="knee"/>', '<connect body1="shank" anchor="1 .1 0"/>', '<tendon tendon1="t" active="false"/><weld body1="shank" active="false"/>')


@pytest.mark.parametrize("more", MORE)
def test_equality_constraints_hold(more):
    assert distance(KNEE.format(more)) < TOLERANCE


@pytest.mark.nojit
def test_a_pull_of_one_step_by_hand():
    """A mass of 2 on a slide is pulled so that it alone would take the asked acceleration, or with the most force there may be."""
    m = load_string('<mujoco><worldbody><body><joint name="j" type="slide"/><geom size=".1" mass="2"/></body></worldbody>'
                            '<actuator><motor joint="j" gear="3"/></actuator></mujoco>')
    m.opt_gravity[:] = 0
    for accel, most, found in ((1.5, 0.0, 1.5), (-1.5, 0.0, -1.5), (1.5, 0.5, 0.25)):
        d = Data(m)
        d.qpos[0], d.qvel[0] = 0.2, 4.0
        assert length_range_simulation.length_range_step(m, d, 0, accel, most, 0.5) == pytest.approx(0.6)
        assert d.qvel[0] == pytest.approx(2.0 + m.opt_timestep * found, rel=1e-12) and d.time == m.opt_timestep
    length_range_simulation.length_range_run(m, d, 0, 1.5, 0.0, 1.0, 4.5 * m.opt_timestep)
    assert d.time == pytest.approx(4 * m.opt_timestep)
