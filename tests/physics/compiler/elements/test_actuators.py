"""Actuators as the official compiler makes them: shortcuts, transmissions, inputs, states, default classes; problems with their places."""
import numpy as np
import pytest

from physics import ModelError, load_string
from tests.physics.compiler.compared import accepted
from tests.physics.compiler.random_elements import WORLD, differs

MODEL = f"<mujoco>%s{WORLD}<actuator>\n%s\n</actuator></mujoco>"
KINDS = (
    '<general joint="jh" gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm="1 2" dyntype="filterexact" dynprm=".1" actlimited="true" actrange="0 1" input="vel"/>',
    '<motor joint="jk" gear="3" ctrlrange="-1 1" forcerange="-2 2" armature=".1" damping="1 2 3"/>', '<motor jointinparent="jb" gear="0 0 1"/>',
    '<motor joint="jf" gear="1 2 3 4 5 6"/>', '<position joint="jh" kp="20" kv="2" timeconst=".1" inheritrange="1"/>', '<position tendon="ta" dampratio="1"/>',
    '<position site="sa" refsite="sw" gear="0 0 1 0 0 0"/>', '<velocity joint="js" kv="3"/>', '<intvelocity joint="js" kp="5" dampratio=".5" inheritrange=".8"/>',
    '<orientation joint="jb" kp="7" dampratio="1" ctrlrange="-1 1" forcerange="0 3"/>', '<orientation site="sf" refsite="sa" kv="1" input="quat"/>',
    '<general joint="jb" gaintype="so3" biastype="so3" gainprm="2" biasprm="0 -2 -1" dyntype="integrator"/>',
    '<pid joint="jh" kp="9" dampratio="1" ki="2" imax=".5" slewmax="3" input="pos vel ff" posrange="-1 1" velrange="-2 2" ffrange="-3 3"/>',
    '<pid joint="jk" input="vel" kv="2"/>', '<pid tendon="tb" inheritrange="0"/>', '<damper joint="jh" kv="2" ctrlrange="0 1"/>',
    '<cylinder joint="jh" diameter=".1" timeconst=".2" bias="1 2 3"/>', '<cylinder cranksite="sa" slidersite="sw" cranklength="2" area="3"/>',
    '<muscle joint="jh" lengthrange="0 1" force="100" timeconst=".02 .05" tausmooth=".1"/>', '<adhesion body="ba" gain="3" ctrlrange="0 1"/>',
    '<dcmotor joint="jh" motorconst=".1 .4" resistance="2" saturation="0 3 5" inductance=".1" cogging="1 2 3" lugre="1 2 3 4 5"/>',
    '<dcmotor joint="jk" nominal="24 2 30" damping=".01" input="pos vel voltage" controller="1 2 3 4 5 6" thermal="2 0 30 .004 25 20"/>',
    '<dcmotor joint="js" resistance="1" input="none" lugre="10 1 1 2 .1"/>', '<motor joint="jh" nsample="3" delay=".01" interp="cubic" user="1 2"/>',
    '<pid joint="jh" nsample="4" input="pos vel ff"/>',
)
REFUSED = (
    ('<motor joint="jh" cranklength="1"/>', "does not go with 'joint'"), ('<motor cranksite="sa" slidersite="sb"/>', "crank length must be positive"),
    ('<position joint="jh" kv="1" dampratio="1"/>', "cannot both be given"), ('<position joint="jh" ctrlrange="0 1" inheritrange="1"/>', "cannot both be given"),
    ('<position joint="jk" inheritrange="1"/>', "has no range"), ('<orientation joint="jh"/>', "needs a ball joint"), ('<orientation site="sa"/>', "refsite"),
    ('<pid joint="jh" ki="1" input="vel"/>', "need the input pos"), ('<pid joint="jh" input="vel pos"/>', "in the order"), ('<pid joint="jh" input="voltage"/>', "pos, vel and ff"),
    ('<damper joint="jh" kv="-1"/>', "cannot be negative"), ('<adhesion body="ba" ctrlrange="-1 1"/>', "cannot be negative"),
    ('<dcmotor joint="jh" resistance="1"/>', "motor constant"),
    ('<dcmotor joint="jh" motorconst="1"/>', "resistance"), ('<dcmotor joint="jh" motorconst="1" resistance="1" controller="1"/>', "need an input"),
    ('<muscle joint="jh" range="1 .5" lengthrange="0 1"/>', "must rise"), ('<motor site="sa" armature="1"/>', "joint or tendon"),
    ('<motor joint="jh" delay="1"/>', "needs nsample"),
    ('<general joint="jh" dyntype="pid"/>', "needs gaintype pid"), ('<general joint="jh" gaintype="dcmotor"/>', "states"),
    ('<general joint="jh" input="ff"/>', "takes no such input"),
    ('<motor joint="jh" ctrllimited="true" ctrlrange="1 1"/>', "must rise"), ('<plugin joint="jh" plugin="mujoco.pid"/>', "plugins"),
)
CLASSES = """<default><position kp="5" forcerange="-9 9"/><general group="2"/><default class="a">
<velocity kv="3" gear="4"/><default class="b"><general biasprm="1"/></default></default>
<default class="m"><muscle range=".5 1.5" force="7"/></default><default class="d"><dcmotor motorconst="1" resistance="2" saturation="4"/></default></default>"""


@pytest.mark.parametrize("actuator", KINDS)
def test_alone(actuator):
    text = MODEL % ("", actuator)
    assert accepted(text)
    assert differs(text) == ""


def test_all_together():
    text = MODEL % ("", "\n".join(KINDS))
    assert accepted(text) and differs(text) == ""
    model = load_string(text)
    assert model.nactuator == len(KINDS) < model.nu and model.nout > model.nactuator


@pytest.mark.parametrize("name", ["", "a", "b", "m", "d"])
def test_every_shortcut_in_default_classes(name):
    kinds = ("general", "motor", "position", "velocity", "intvelocity", "pid", "cylinder")
    actuators = "".join(f'<{kind} joint="jh" {f"class={chr(34)}{name}{chr(34)}" if name else ""}/>' for kind in kinds)
    actuators += "".join(f'<muscle joint="jh" lengthrange="0 1" class="{c}"/>' for c in "am") + '<dcmotor joint="jh" class="d"/><damper joint="jh" ctrlrange="0 1"/>'
    text = MODEL % (CLASSES, actuators.replace('<general joint="jh" class="m"/>', ""))
    assert accepted(text) and differs(text) == ""


def test_a_pid_has_a_range_for_each_input():
    model = load_string(MODEL % ("", KINDS[12]))
    assert model.nu == 3 and model.na == 2
    np.testing.assert_array_equal(model.actuator_ctrlrange, [[-1, 1], [-2, 2], [-3, 3]])


@pytest.mark.parametrize("actuator, what", REFUSED)
def test_problems_have_places(actuator, what):
    text = MODEL % ("", actuator)
    assert not accepted(text)
    with pytest.raises(ModelError) as caught:
        load_string(text)
    errors = [issue for issue in caught.value.issues if issue.severity == "error"]
    assert any(what in issue.what for issue in errors)
    assert all(issue.place.line == text[:text.index(actuator)].count("\n") + 1 for issue in errors)


def test_a_problem_of_a_default_is_reported_once_and_there():
    text = '<mujoco>\n<default><position kv="-1"/></default>' + (MODEL % ("", '<position joint="jh"/><position joint="jk"/>')).removeprefix("<mujoco>")
    with pytest.raises(ModelError) as caught:
        load_string(text)
    errors = [issue for issue in caught.value.issues if issue.severity == "error"]
    assert [(issue.place.line, issue.what) for issue in errors] == [(2, "kv cannot be negative")]


def test_a_range_that_does_not_rise_is_no_limit_but_a_warning():
    text = MODEL % ("", '<motor joint="jh" ctrlrange="1 1"/>')
    assert accepted(text) and differs(text) == ""
    assert not load_string(text).actuator_ctrllimited[0]
