"""How constraints came about: attributes and defaults, clamps, figures beside the rows that are really made, and every reason not to act."""
import numpy as np
import pytest

import physics
from physics.diagnostics.constraint_parameters import FORMS, constraint_parameters
from physics.diagnostics.constraint_rows import constraint_rows
from physics.enums import DisableBit, Integrator
from physics.model.elements import element
from tests.physics.diagnostics.test_constraint_rows import FORMS as RIGS
from tests.physics.diagnostics.test_constraint_rows import both
from tests.physics.diagnostics.test_contact_exclusion import VIEW_ONLY

ARM = """<mujoco><compiler angle="radian"/><option timestep="{h}" integrator="{integrator}"><flag {flags}/></option><worldbody><geom type="plane" size="1 1 1" pos="0 0 -5"/>
<body pos="0 0 1"><joint name="j" axis="0 1 0" {joint}/><geom name="g" size=".1" pos=".3 0 0"/><site name="a" pos=".3 0 .1"/></body>
<body pos="0 1 1"><joint name="k" type="{kind}" axis="0 0 1" {other}/><geom size=".1" pos=".1 0 0"/></body>
<body name="free" pos="0 3 1"><freejoint name="f"/><geom size=".1"/></body><site name="b" pos="0 0 2"/><site name="c" pos="1 0 2"/></worldbody>
<tendon><spatial name="t" {tendon}><site site="a"/><site site="b"/></spatial><spatial name="still" limited="true" range="0 .5" frictionloss="1"><site site="b"/><site site="c"/></spatial></tendon>
<equality><joint name="e" joint1="j" polycoef=".1 0 0 0 0" {equality}/><weld name="w" body1="world" body2="free" active="false"/></equality></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def arm(h=".002", integrator="Euler", flags="", joint="", kind="hinge", other="", tendon="", equality="", state=()):
    m = physics.load_string(ARM.format(h=h, integrator=integrator, flags=flags, joint=joint, kind=kind, other=other, tendon=tendon, equality=equality))
    d = physics.Data(m)
    for joint_name, value in dict(state).items():
        at = m.jnt_qposadr[m.id("joint", joint_name)]
        d.qpos[at:at + np.size(value)] = value
    physics.forward(m, d)
    return m, d


def of(m, d, kind, name, form):
    parts = {part.form: part for part in constraint_parameters(m, d, element(m, kind, m.id(kind, name)))}
    return parts[form]


@pytest.mark.parametrize("form", RIGS)
def test_figures_are_those_of_the_rows(form):
    """What is said of each constraint that acts is what its rows were made with; what would be said without rows is the same."""
    _mj, _mjd, m, d = both(form)
    seen = set()
    for kind, count in (("equality", m.neq), ("joint", m.njnt), ("tendon", m.ntendon)):
        for i in range(count):
            for part in constraint_parameters(m, d, element(m, kind, i)):
                rows = constraint_rows(m, d, part.rows)
                assert part.active == bool(rows)
                if not rows:
                    continue
                seen.add((kind, part.form))
                assert any((row.K, row.B, row.impedance) == (part.K, part.B, part.impedance) for row in rows)
                solref, solimp = (next(p for p in part.parameters if p.name.startswith(head)) for head in ("solref", "solimp"))
                dw, (tc, ratio) = solimp.used[1], solref.used
                assert np.isclose(part.B, 2 / (dw * tc)) and (part.form == "friction loss" or np.isclose(part.K, 1 / (dw * tc * ratio) ** 2))
                if part.form != "friction loss":
                    assert np.isclose(part.dampratio, ratio) and np.isclose(part.timeconst, dw * tc / part.impedance)
    assert seen == set(FORMS)


def test_a_motion_has_the_time_constant_that_is_told():
    """A joint alone, held by an equality and let go beside it, comes back as the time constant and damping ratio say."""
    m = physics.load_string("""<mujoco><option timestep=".0001" gravity="0 0 0"/><worldbody><body><joint name="j" axis="0 0 1"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
        <equality><joint joint1="j" solref=".05 .3" solimp=".6 .6 .001"/></equality></mujoco>""")
    d = physics.Data(m)
    d.qpos[0] = 0.01
    physics.forward(m, d)
    part = constraint_parameters(m, d, element(m, "equality", 0))[0]
    rate, own = 1.0 / part.timeconst, 1.0 / (part.timeconst * part.dampratio)      # decay and natural frequency
    damped = np.sqrt(own**2 - rate**2)
    for _ in range(40):
        physics.step(m, d, 10)
        t = d.time
        assert abs(d.qpos[0] - 0.01 * np.exp(-rate * t) * (np.cos(damped * t) + rate / damped * np.sin(damped * t))) < 1e-4


def test_defaults_are_those_of_mjcf():
    """Nothing said: the default; anything else is told as given, with the default beside it."""
    m, d = arm(joint='limited="true" range="-1 1"', equality='solref=".03 1"')
    part = of(m, d, "joint", "j", "limit")
    assert part["solreflimit"].rule == "default" and part["solimplimit"].rule == "default" and part["margin"].rule == "default"
    assert part["range"].rule == "given" and part["range"].value == (-1.0, 1.0) and [c.value for c in part["range"].candidates] == [(-1.0, 1.0), (0.0, 0.0)]
    dry = of(m, d, "joint", "j", "friction loss")
    assert [p.rule for p in dry.parameters] == ["default"] * 3
    rope = of(m, d, "tendon", "t", "limit")
    assert [p.rule for p in rope.parameters] == ["auto", *["default"] * 4]
    equality = of(m, d, "equality", "e", "equality")
    assert equality["solref"].rule == "given" and equality["solimp"].rule == "default" and equality["active"].value == (1,)


def test_clamps():
    """refsafe, contradicting signs, the range of impedances, and the discrete integrator's stiffest spring."""
    m, d = arm(h=".02", equality='solref=".001 1" solimp="0 1 .001 .5 2"', joint='frictionloss="1" solreffriction="-3 1"')
    part = of(m, d, "equality", "e", "equality")
    assert part["solref"].used == (0.04, 1.0) and [c.name for c in part["solref"].clamps] == ["refsafe"]
    assert {c.name for c in part["solimp"].clamps} == {"MINIMP", "MAXIMP"} and part.rows
    assert np.isclose(part.timeconst, part["solimp"].used[1] * 0.04 / part.impedance)
    dry = of(m, d, "joint", "j", "friction loss")
    assert dry["solreffriction"].used == (0.04, 1.0) and [c.name for c in dry["solreffriction"].clamps] == ["signs", "signs", "refsafe"][-len(dry["solreffriction"].clamps):]
    assert np.isclose(d.efc_KBIP[dry.rows[0], 1], 2 / (0.95 * 0.04))
    m, d = arm(h=".02", flags='refsafe="disable"', equality='solref=".001 1"')
    assert of(m, d, "equality", "e", "equality")["solref"].clamps == ()
    m, d = arm(h=".02", integrator="discrete", joint='limited="true" range="-.1 .1" solreflimit=".002 1"', state={"j": 0.11})
    assert m.opt_integrator == Integrator.DISCRETE
    limit = of(m, d, "joint", "j", "limit")
    assert [c.name for c in limit["solreflimit"].clamps] == ["discrete"] and limit["solreflimit"].used[0] > 0.002


REASONS = (
    (dict(flags='limit="disable"', joint='limited="true" range="-1 1"'), ("joint", "j", "limit"), "flag 'limit' is off"),
    (dict(flags='constraint="disable"'), ("equality", "e", "equality"), "flag 'constraint' is off"),
    (dict(flags='equality="disable"'), ("equality", "e", "equality"), "flag 'equality' is off"),
    (dict(flags='frictionloss="disable"', joint='frictionloss="1"'), ("joint", "j", "friction loss"), "flag 'frictionloss' is off"),
    (dict(equality='active="false"'), ("equality", "e", "equality"), "it is off"),
    (dict(), ("equality", "w", "equality"), "it is off"),
    (dict(), ("joint", "j", "limit"), "it is not limited"),
    (dict(), ("joint", "j", "friction loss"), "frictionloss is 0"),
    (dict(), ("joint", "f", "friction loss"), "frictionloss is 0"),
    (dict(joint='limited="true" range="-1 1"', state={"j": 0.75}), ("joint", "j", "limit"), "0.25 rad to its upper limit"),
    (dict(joint='limited="true" range="-1 1" margin=".1"', state={"j": -0.75}), ("joint", "j", "limit"), "0.15 rad to its lower limit, less the margin"),
    (dict(kind="slide", other='limited="true" range="-1 1"', state={"k": 0.75}), ("joint", "k", "limit"), "0.25 m to its upper limit"),
    (dict(kind="ball", other='limited="true" range="0 1"', state={"k": (np.cos(.25), np.sin(.25), 0, 0)}), ("joint", "k", "limit"), "0.5 rad to its limit"),
    (dict(tendon='limited="true" range="0 1.1"'), ("tendon", "t", "limit"), "to its upper limit"),
    (dict(), ("tendon", "still", "limit"), "no degree of freedom moves this tendon"),
    (dict(), ("tendon", "still", "friction loss"), "no degree of freedom moves this tendon"),
)


@pytest.mark.parametrize(("given", "what", "says"), REASONS)
def test_why_it_does_not_act(given, what, says):
    """Each reason, and the figures of the moment in which it would begin."""
    m, d = arm(**given)
    part = of(m, d, *what)
    assert not part.active and says in part.why and part.rows == (), part.why
    assert part.residual == 0.0 and part.impedance > 0 and part.B > 0


ACTING = (
    (dict(joint='limited="true" range="-1 1"', state={"j": 1.25}), ("joint", "j", "limit"), "upper limit reached, by 0.25 rad"),
    (dict(joint='limited="true" range="-1 1" margin=".1"', state={"j": -0.95}), ("joint", "j", "limit"), "lower limit reached, by 0.05 rad (with its margin)"),
    (dict(joint='limited="true" range="-1e-3 1e-3" margin=".1"'), ("joint", "j", "limit"), "lower limit reached, by 0.099 rad (with its margin); upper limit reached, by 0.099 rad (with its margin)"),
    (dict(kind="ball", other='limited="true" range="0 1"', state={"k": (np.cos(.6), np.sin(.6), 0, 0)}), ("joint", "k", "limit"), "limit reached, by 0.2 rad"),
    (dict(joint='frictionloss="1e5"'), ("joint", "j", "friction loss"), "holds"),
    (dict(joint='frictionloss="1e-3"'), ("joint", "j", "friction loss"), "at its bound: it slides"),
    (dict(), ("equality", "e", "equality"), "on, violated by 0.1"),
    (dict(tendon='limited="true" range="0 .5"'), ("tendon", "t", "limit"), "upper limit reached"),
    (dict(tendon='limited="true" range="1.5 2"'), ("tendon", "t", "limit"), "lower limit reached"),
)


@pytest.mark.parametrize(("given", "what", "says"), ACTING)
def test_how_it_acts(given, what, says):
    """In words, with how far it is beyond."""
    m, d = arm(**given)
    part = of(m, d, *what)
    assert part.active and says in part.why and part.rows, part.why


FIXED = """<mujoco><compiler angle="radian"/><worldbody>
<body><joint name="a"/><joint name="b" axis="0 1 0"/><joint name="c" type="slide"/><geom size=".1" pos=".2 0 0"/></body></worldbody><tendon>
<fixed name="turns" limited="true" range="-{range} {range}" frictionloss="1"><joint joint="a" coef="1"/><joint joint="b" coef="1"/></fixed>
<fixed name="mixed" limited="true" range="-{range} {range}" frictionloss="1"><joint joint="a" coef="1"/><joint joint="c" coef="1"/></fixed></tendon>
<equality><tendon name="held" tendon1="turns"/></equality></mujoco>"""


def test_fixed_tendons_are_told_in_their_own_units():
    """In rad along hinges, without a unit where rad and m are added up."""
    for bound, turns, mixed in ((0.5, "within its range: 0.3 rad to its upper limit", "within its range: 0.4 to its upper limit"),
                                (0.05, "upper limit reached, by 0.15 rad", "upper limit reached, by 0.05")):
        m = physics.load_string(FIXED.format(range=bound))
        d = physics.Data(m)
        d.qpos[:2] = 0.1
        physics.forward(m, d)
        assert of(m, d, "tendon", "turns", "limit").why == turns and of(m, d, "tendon", "mixed", "limit").why == mixed
        assert of(m, d, "equality", "held", "equality").why == "on, violated by 0.2 rad"
        shown = (("limit", "range"), ("limit", "margin"), ("friction loss", "frictionloss"))
        units = [[of(m, d, "tendon", name, form)[parameter].unit for form, parameter in shown] for name in ("turns", "mixed")]
        assert units == [["rad", "rad", "N m"], ["", "", ""]]


def test_an_equality_that_was_just_switched_on_or_off():
    """Until the next step there are no rows of what was switched on, and still those of what was switched off."""
    m, d = arm()
    d.eq_active[m.id("equality", "w")] = 1
    d.eq_active[m.id("equality", "e")] = 0
    on, off = (of(m, d, "equality", name, "equality") for name in ("w", "e"))
    assert not on.active and on.why == "it has no rows yet: they are made in the next step"
    assert off.active and off.rows and off.why.startswith("switched off now; in the last step: on, violated by 0.1 rad")
    physics.forward(m, d)
    assert of(m, d, "equality", "w", "equality").active and of(m, d, "equality", "e", "equality").why == "it is off (eq_active)"
    m.opt_disableflags |= DisableBit.EQUALITY
    assert of(m, d, "equality", "w", "equality").why.startswith("switched off now")


STUCK = """<mujoco><worldbody><body name="still"><geom size=".1"/><site name="s"/></body>
<body name="a"><freejoint/><geom size=".1"/><body name="glued" pos=".1 0 0"><geom size=".1"/></body></body>
<site name="p"/><site name="q" pos="1 0 0"/></worldbody><tendon><spatial name="t"><site site="p"/><site site="q"/></spatial></tendon>
<equality><connect name="static" body1="still" body2="world" anchor="0 0 0"/><weld name="one" body1="a" body2="glued"/>
<connect name="sites" site1="s" site2="p"/><tendon name="fixed" tendon1="t"/></equality></mujoco>"""


@pytest.mark.parametrize(("name", "says"), [("static", "neither of its bodies can move"),
                                            ("one", "its bodies cannot move against each other"), ("sites", "neither of its bodies can move"),
                                            ("fixed", "no degree of freedom moves its tendons now")])
def test_equalities_that_never_have_rows(name, says):
    """Each reason, as the engine makes no rows of these."""
    m = physics.load_string(STUCK)
    d = physics.Data(m)
    physics.forward(m, d)
    assert d.ne == 0 and of(m, d, "equality", name, "equality").why == says


def test_a_model_that_can_only_be_viewed():
    """It says so, of whatever it is asked."""
    m = physics.load_string(VIEW_ONLY)
    assert m.view_only
    d = physics.Data(m)
    assert "only be viewed" in of(m, d, "joint", "j", "limit").why and "only be viewed" in of(m, d, "equality", "e", "equality").why


def test_free_joints_have_no_limit_and_other_elements_nothing():
    """What cannot be constrained has no parts."""
    m, d = arm()
    assert [part.form for part in constraint_parameters(m, d, element(m, "joint", m.id("joint", "f")))] == ["friction loss"]
    assert constraint_parameters(m, d, element(m, "body", 1)) == () and constraint_parameters(m, d, element(m, "geom", 0)) == ()


def test_sleepers_say_so():
    """An equality, a limit and dry friction of trees that sleep."""
    m = physics.load_string("""<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="3 3 1"/>
        <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/><body pos="0 0 .1"><joint name="j" axis="0 0 1" limited="true" range="-1 1" frictionloss="1"/><geom size=".02" mass=".001"/></body></body>
        <body pos="1 0 1"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></worldbody><equality><joint name="e" joint1="j" polycoef="0 0 0 0 0"/></equality></mujoco>""")
    d = physics.Data(m)
    for _ in range(3000):
        physics.step(m, d)
        if (d.tree_asleep >= 0).any():
            break
    assert (d.tree_asleep >= 0).any()
    physics.step(m, d)
    assert "asleep" in of(m, d, "joint", "j", "limit").why and "asleep" in of(m, d, "joint", "j", "friction loss").why
    assert of(m, d, "equality", "e", "equality").why == "all that it holds is asleep"


def test_the_flags_have_the_names_of_mjcf():
    """What is told of a flag is what stands in the option's flag element."""
    for flag in (DisableBit.EQUALITY, DisableBit.LIMIT, DisableBit.FRICTIONLOSS, DisableBit.CONSTRAINT):
        m = physics.load_string(f'<mujoco><option><flag {flag.name.lower()}="disable"/></option></mujoco>')
        assert m.opt_disableflags & flag
