"""A composite that cannot be made is refused at its place, with what to do; nothing raises, hangs or fills the memory."""
import pytest

from physics import ModelError, load_string
from tests.physics.expand.composite.examples import alone, inside

GEOM = '<geom size=".01"/>'

WRONG = [
    (alone(f'<composite type="grid" count="2 2 2" spacing=".1">{GEOM}</composite>'), "one or two dimensions", "third count"),
    (alone(f'<composite type="grid" count="3" spacing=".1"><skin/>{GEOM}</composite>'), "a skin needs a grid of two dimensions", ""),
    (alone(f'<composite type="grid" count="3" spacing=".1"><tendon kind="shear"/>{GEOM}</composite>'), "shear tendons need", ""),
    (alone(f'<composite type="grid" count="3 0" spacing=".1">{GEOM}</composite>'), "counts must be positive, not 0", ""),
    (alone(f'<composite type="grid" count="1 3" spacing=".1">{GEOM}</composite>'), "counts of 1 must come last", "(1, 3, 1)"),
    (alone(f'<composite type="grid" count="3 3" spacing=".005">{GEOM}</composite>'), "spacing 0.005 is smaller than the geoms' size 0.01", ""),
    (alone('<composite type="grid" count="3 3" spacing=".1"><geom type="box" size=".1 .1 .1"/></composite>'),
     "must be sphere, capsule or ellipsoid, not box", "<geom type>"),
    (alone(f'<composite type="grid" count="2 2" spacing=".1"><skin subgrid="2"/>{GEOM}</composite>'), "at least 3 x 3", ""),
    (alone(f'<composite type="grid" count="3 3" spacing=".1"><skin group="6"/>{GEOM}</composite>'), "group must be 0 to 5", ""),
    (alone(f'<composite type="grid" count="3 3" spacing=".1"><joint kind="main"/><joint kind="main"/>{GEOM}</composite>'), "described twice", "particles"),
    (alone(f'<composite type="particle" count="1000 1000 1000" spacing=".1">{GEOM}</composite>'), "absurdly many", ""),
    (alone(f'<composite type="grid" count="3" spacing="1e300">{GEOM}</composite>'), "'spacing' is absurdly large", ""),
    (inside("B0", f'<composite type="rope" count="2001" spacing=".1">{GEOM}</composite>'), "2001 bodies are absurdly many: at most 2000 in a rope", ""),
    (inside("b", f'<composite type="box" count="100 100 100" spacing=".1">{GEOM}</composite>'), "58808 bodies are absurdly many", ""),
    (alone(f'<composite type="grid" count="3 3" spacing=".1"><skin subgrid="100000"/>{GEOM}</composite>'), "absurdly many points", ""),
    (inside("b", f'<composite type="rope" count="5" spacing=".1">{GEOM}</composite>'), "a body called 'Bnumber'", "'b'"),
    (alone(f'<composite type="rope" count="5" spacing=".1">{GEOM}</composite>'), "a body called 'Bnumber'", "Give the body"),
    (inside("B5", f'<composite type="rope" count="5" spacing=".1">{GEOM}</composite>'), "'B5' lies outside the counts", ""),
    (inside("B1", f'<composite type="rope" count="5 5" spacing=".1">{GEOM}</composite>'), "a rope has one dimension", ""),
    (inside("B1", f'<composite type="cloth" count="5 5" spacing=".1">{GEOM}</composite>'), "a body called 'Bx_y'", "'B1'"),
    (inside("B1_1", f'<composite type="cloth" count="5" spacing=".1">{GEOM}</composite>'), "a cloth has two dimensions", ""),
    (inside("b", f'<composite type="box" count="5 5" spacing=".1">{GEOM}</composite>'), "a box has three dimensions", ""),
    (alone(f'<composite type="cable" count="5" curve="s">{GEOM}</composite>'), "must be capsule, cylinder or box, not sphere", ""),
    (alone('<composite type="cable" count="5" curve="s" spacing="1"><geom type="box"/></composite>'), "a cable has no spacing", ""),
    (alone('<composite type="cable" count="5"><geom type="box"/></composite>'), "neighbouring points of the cable are the same", "size and curve"),
    (alone('<composite type="cable" count="5" curve="s" vertex="0 0 0 1 1 1"><geom type="box"/></composite>'), "'vertex' or 'count', not both", ""),
    (alone('<composite type="cable" vertex="0 0 0 1 1 1 2"><geom type="box"/></composite>'), "three numbers for each point", ""),
    (alone('<composite type="cable" count="5" curve="s s s s"><geom type="box"/></composite>'), "at most three components", ""),
    (alone('<composite type="cable" count="5" curve="s" size="0"><geom type="box"/></composite>'), "needs a length or radius", ""),
]


def errors(text: str):
    with pytest.raises(ModelError) as caught:
        load_string(text)
    return [issue for issue in caught.value.issues if issue.severity == "error"]


@pytest.mark.parametrize(("text", "what", "hint"), WRONG)
def test_what_cannot_be_made_is_reported_once_with_its_place(text, what, hint):
    (issue,) = errors(text)
    assert what in issue.what and hint in issue.hint
    assert issue.place.line >= 1 and issue.place.column > 1 and "composite" in issue.path


def test_values_the_reader_refuses_are_not_complained_about_again():
    for attributes in ('type="sheet" count="3"', 'type="grid" count="x"', 'count="3"', 'type="grid" count="3" spacing="a"', 'type="grid" offset="1 2"'):
        (issue,) = errors(alone(f"<composite {attributes}>{GEOM}</composite>"))
        assert issue.path.endswith("composite")
    (issue,) = errors(alone('<composite type="grid" count="3" spacing="1"><joint/><geom size=".1"/></composite>'))
    assert "'kind' is missing" in issue.what


def test_two_bad_composites_give_two_messages():
    bad = f'<composite type="grid" count="3 0" spacing=".1">{GEOM}</composite>'
    assert len(errors(alone(bad + bad))) == 2


def test_settings_of_kinds_count_as_documented():
    text = inside("B0", """<composite type="rope" count="3" spacing=".1"><joint kind="main" limited="true" range="-10 20"/>
        <joint kind="twist" solreffix=".3" solimpfix=".5 .6"/><geom size=".01"/></composite>""").replace('autolimits="true"', 'autolimits="false"')
    model = load_string(text)
    assert model.jnt_limited[1:].tolist() == [1, 1, 0, 1, 1, 0]
    assert (model.eq_solref == (0.3, 1)).all() and (model.eq_solimp == (0.5, 0.6, 0.001, 0.5, 2)).all()
