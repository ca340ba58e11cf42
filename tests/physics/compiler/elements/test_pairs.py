"""Contact pairs and excludes as the official compiler makes them: own properties, sorted by bodies."""
import pytest

from physics import ModelError, load_string
from tests.physics.compiler.compared import accepted
from tests.physics.compiler.random_elements import WORLD, differs

MODEL = f"<mujoco>%s{WORLD}<contact>\n%s\n</contact></mujoco>"
PAIRS = (
    '<pair name="one" geom1="gf" geom2="ga"/>', '<pair geom1="ga" geom2="gp" condim="6" friction="1 2" margin=".1" gap=".02"/>', '<exclude name="x" body1="bf" body2="ba"/>',
    '<pair name="two" geom1="ga" geom2="gf" class="soft"/>', '<exclude body1="world" body2="bm"/>', '<exclude body1="ba" body2="bf"/>',
    '<pair geom1="gb" geom2="gb" solreffriction=".1 2" adhesion="3"/>', '<pair class="soft" geom1="gm" geom2="gb" solimp=".5 .6 .7"/>',
)
DEFAULTS = '<default><pair condim="4" friction=".3"/><default class="soft"><pair solref="-5 -6" margin=".2"/></default></default>'


def test_own_properties_classes_and_order():
    text = MODEL % (DEFAULTS, "\n".join(PAIRS))
    assert accepted(text) and differs(text) == ""
    model = load_string(text)
    signatures = model.pair_signature.tolist()
    assert signatures == sorted(signatures) and model.names["pair"].index("one") < model.names["pair"].index("two")
    assert model.exclude_signature.tolist() == sorted(model.exclude_signature.tolist()) and model.npair == 5 and model.nexclude == 3


def test_the_geoms_own_properties_are_not_used():
    model = load_string(MODEL % ("", '<pair geom1="gb" geom2="gp"/>'))
    assert model.pair_dim[0] == 3 and model.pair_friction[0].tolist() == [1, 1, 0.005, 0.0001, 0.0001] and model.pair_gap[0] == 0


@pytest.mark.parametrize("pair, what", [
    ('<pair geom1="ga" geom2="gb" condim="2"/>', "condim must be"), ('<pair geom1="ga"/>', "'geom2' is missing"), ('<pair geom1="ga" geom2="q"/>', "unknown geom 'q'"),
    ('<exclude body1="ba" body2="q"/>', "unknown body 'q'"), ('<pair geom1="ga" geom2="gb" friction="1 1 1 1 1 1"/>', "1 to 5 values"),
])
def test_problems_have_places(pair, what):
    text = MODEL % ("", pair)
    assert not accepted(text)
    with pytest.raises(ModelError) as caught:
        load_string(text)
    issue = next(issue for issue in caught.value.issues if issue.severity == "error")
    assert what in issue.what and issue.place.line == text[:text.index(pair)].count("\n") + 1
