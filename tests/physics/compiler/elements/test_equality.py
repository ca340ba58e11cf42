"""Equality constraints as the official compiler makes them, with the anchors and poses of the initial pose; problems with their places."""
import numpy as np
import pytest

from physics import ModelError, load_string
from tests.physics.compiler.compared import accepted
from tests.physics.compiler.random_elements import WORLD, differs

MODEL = f"<mujoco>{WORLD}\n<equality>\n%s\n</equality></mujoco>"
TAKEN = (
    '<connect body1="ba" anchor="1 2 3"/>', '<connect body1="bc" body2="bm" anchor="0 0 1" solref=".1" solimp=".8 .9" active="false"/>',
    '<connect site1="sc" site2="sf"/>', '<weld body1="bb" body2="bm"/>', '<weld body1="bb" anchor="1 2 3" torquescale=".3"/>',
    '<weld body1="bb" body2="bf" relpose="1 2 3 2 0 0 1"/>', '<weld body1="bb" body2="bf" relpose="1 2 3 0 0 0 0"/>', '<weld site1="sa" site2="sf" torquescale="3"/>',
    '<joint joint1="jh"/>', '<joint joint1="js" joint2="jk" polycoef="1 2 3"/>', '<tendon tendon1="ta" tendon2="tb" polycoef="1 2 3 4 5"/>', '<tendon tendon1="tb"/>',
)
REFUSED = (
    ('<connect body1="ba" body2="ba" anchor="0 0 0"/>', "couples a thing with itself"), ('<weld body1="world"/>', "couples a thing with itself"),
    ('<joint joint1="jb"/>', "only hinge and slide"), ('<joint joint1="jh" joint2="jf"/>', "only hinge and slide"), ('<connect body1="ba"/>', "must be given"),
    ('<connect site1="sa"/>', "must be given"), ('<weld body1="ba" site1="sa" site2="sb"/>', "cannot both be given"), ('<tendon tendon1="none"/>', "unknown tendon"),
    ('<flex flex="f"/>', "flexible objects"),
)


@pytest.mark.parametrize("element", TAKEN)
def test_alone(element):
    assert accepted(MODEL % element)
    assert differs(MODEL % element) == ""


def test_all_together_with_defaults():
    text = '<default><equality solref=".03 2"/><default class="s"><equality solimp=".5" active="false"/></default></default>'
    whole = (MODEL % "\n".join(TAKEN).replace("<weld ", '<weld class="s" ')).replace("<mujoco>", "<mujoco>" + text)
    assert accepted(whole) and differs(whole) == ""
    model = load_string(whole)
    assert model.neq == len(TAKEN) and model.nemax == 3 * 3 + 5 * 7 + 4
    assert not any("equality" in issue.what for issue in model.view_only)


def test_a_weld_without_pose_keeps_the_initial_one():
    model = load_string(MODEL % '<weld name="w" body1="world" body2="bf"/>')
    assert model.names["equality"] == ("w",)
    np.testing.assert_allclose(model.eq_data[0], [0, 0, 0, 0, 2, 1, 1, 0, 0, 0, 1, 1])


@pytest.mark.parametrize("element, what", REFUSED)
def test_problems_have_places(element, what):
    assert not accepted(MODEL % element)
    with pytest.raises(ModelError) as caught:
        load_string(MODEL % element)
    issue = next(issue for issue in caught.value.issues if issue.severity == "error")
    assert what in issue.what and issue.path.startswith("mujoco/equality/") and issue.place.line == MODEL.count("\n", 0, MODEL.index("%s")) + 1
