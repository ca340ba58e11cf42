"""Falling asleep and waking happen at the official steps, and all that is computed meanwhile is the official's."""
import numpy as np
import pytest

from tests.physics.engine.sleep.scenes import box, pair_of, run, world

TWO = world(box("a", "0 0 .1") + box("b", "1 0 .1"))
PILE = world(box("a", "0 0 .1") + box("b", ".02 0 .3") + box("c", "0 .01 .5") + box("d", "1 0 .1"))
INTEGRATORS = {"Euler": 0, "implicit": 2, "implicitfast": 3, "discrete": 4}


@pytest.mark.parametrize("integrator", INTEGRATORS.values(), ids=INTEGRATORS)
@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
def test_a_pile_falls_asleep_as_one(integrator, cone):
    pair = pair_of(PILE, integrator=integrator, cone=cone)
    awake = run(pair, 120)
    assert awake[0] == 4 and awake[-1] == 0
    asleep = pair[3].tree_asleep.tolist()
    assert asleep == [1, 2, 0, 3]


def test_a_falling_box_wakes_a_pile():
    scene = world(box("a", "0 0 .1") + box("b", ".02 0 .3") + box("c", "2 0 .1") + box("faller", "0 0 3"))
    awake = run(pair_of(scene), 300)
    assert min(awake[:100]) == 1 and 3 in awake[100:] and awake[-1] == 0


def pushes(name, row, value, step=60, until=10 ** 6):
    """An act of `run` that writes one number."""
    def act(k, d):
        if k == step:
            getattr(d, name)[row] = value
        if k == until:
            getattr(d, name)[row] = 0.0
    return act


@pytest.mark.parametrize(("name", "row", "value"), [
    ("xfrc_applied", (1, 5), 1e-9), ("qfrc_applied", 3, 1e-9), ("qvel", 2, 1e-12), ("qpos", 2, .1005), ("qpos", 3, .9999)])
def test_what_the_user_changes_wakes(name, row, value):
    awake = run(pair_of(TWO), 130, pushes(name, row, value, until=62 if "applied" in name else 10 ** 6))
    assert awake[59] == 0 and awake[60] == 1 and awake[-1] == 0


def test_switching_the_flag_off_wakes_all():
    pair = pair_of(TWO)

    def act(k, _d):
        on = 16 if k < 60 or k > 80 else 0
        pair[0].opt.enableflags = pair[2].opt_enableflags = on
    awake = run(pair, 140, act)
    assert awake[59] == 0 and awake[60:80] == [2] * 20 and awake[-1] == 0


def test_policies():
    scene = world(box("a", "0 0 .1", 'sleep="never"') + box("b", "0 0 .3") + box("c", "1 0 .1", 'sleep="allowed"') + box("d", "2 0 .1"))
    assert run(pair_of(scene), 80)[-1] == 2   # b lies on one that never sleeps


def test_without_islands_nothing_in_contact_sleeps():
    scene = world(box("a", "0 0 .1") + '<body pos="0 0 4"><joint axis="0 0 1"/><geom size=".1"/></body>')
    awake = run(pair_of(scene, disableflags=1 << 18), 60)
    assert awake[-1] == 2


def test_a_user_moved_body_wakes_what_it_touches():
    scene = world(box("a", "0 0 .1") + box("b", "1 0 .1") + '<body name="hand" mocap="true" pos="0 0 2"><geom size=".1"/></body>')

    def act(k, d):
        d.mocap_pos[0, 2] = 2 - .01 * max(0, k - 60) if k < 260 else 2
    awake = run(pair_of(scene), 400, act)
    assert awake[100] == 0 and 1 in awake[101:]


def test_what_hangs_on_a_user_moved_body_wakes_with_it():
    scene = world('<body name="hand" mocap="true" pos="0 0 2"><geom size=".1"/><body pos=".2 0 0"><joint axis="0 0 1" damping="1"/><geom size=".1"/></body></body>')

    def act(k, d):
        if k == 60:
            d.mocap_pos[0, 0] = .3
    awake = run(pair_of(scene), 100, act)
    assert awake[59] == 0 and awake[60] == 1 and awake[-1] == 0


@pytest.mark.parametrize("kind", ['weld body1="a" body2="b"', 'connect site1="a" site2="b"', 'connect body1="hand" body2="a" anchor="0 0 0"'])
def test_equalities_switched_on_wake(kind):
    scene = world(box("a", "0 0 .1") + box("b", ".5 0 .1") + box("c", "2 0 .1") + '<body name="hand" mocap="true" pos="0 0 .5"/>',
                  f'<equality><{kind} active="false"/></equality>')
    awake = run(pair_of(scene), 160, pushes("eq_active", 0, 1))
    assert awake[59] == 0 and awake[60] in (1, 2)


def test_joint_equalities_hold_two_trees_together():
    scene = world("".join(f'<body pos="{x} 0 1"><joint name="j{x}" axis="0 0 1" damping=".1"/><geom size=".1" pos=".2 0 0"/></body>' for x in (0, 2)),
                  '<equality><joint joint1="j0" joint2="j2"/></equality>')
    awake = run(pair_of(scene), 120, pushes("qvel", 0, .5))
    assert awake[59] == 0 and awake[60] == 2


TENDONS = world("".join(f'<body pos="{x} 0 1"><joint name="j{x}" axis="0 0 1" damping="{damping}" frictionloss=".01" range="-90 90" limited="true"/>'
                        f'<geom size=".1" pos=".2 0 0"/><site name="s{x}" pos=".2 0 0"/></body>' for x, damping in ((0, 3), (2, .05))),
                '<tendon><spatial limited="true" range="0 2.1" frictionloss=".02"><site site="s0"/><site site="s2"/></spatial>'
                '<fixed stiffness="20" springlength=".1"><joint joint="j0" coef="1"/></fixed></tendon>')


def test_limited_tendons_wake():
    awake = run(pair_of(TENDONS), 500, pushes("qvel", 1, 3.0, step=250))
    assert 0 in awake and 2 in awake[250:]



SENSORS = """<sensor><accelerometer site="a"/><velocimeter site="b"/><framepos objtype="body" objname="a" reftype="body" refname="b"/><touch site="a"/>
<force site="a"/><subtreecom body="b"/><contact geom1="a" reduce="netforce" num="1"/><contact num="2"/><rangefinder site="b"/><clock/>
<framelinacc objtype="body" objname="b"/><e_potential/></sensor>"""


def test_sensors_of_sleepers_keep_their_readings():
    scene = world(box("a", "0 0 .1") + box("b", "1 0 .1") + '<camera pos="0 -3 1" mode="targetbody" target="a"/>', SENSORS)
    awake = run(pair_of(scene), 140, pushes("qvel", 0, .3))
    assert awake[59] == 0 and awake[60] == 1 and awake[-1] == 0


def test_actuators_of_sleepers():
    arm = '<body name="arm" pos="3 0 1" sleep="allowed"><joint name="j" axis="0 0 1" damping="1"/><geom size=".1" pos=".2 0 0"/><site name="tip" pos=".2 0 0"/></body>'
    scene = world(box("a", "0 0 .1") + arm, '<actuator><motor joint="j"/><general joint="j" dyntype="filter" dynprm=".1"/><position joint="j" kp="1"/></actuator>')

    def act(k, d):
        d.ctrl[:] = 0 if k < 80 else 1   # which does not wake
        if k == 100:
            d.qvel[6] = 1e-6
    awake = run(pair_of(scene), 160, act)
    assert awake[79] == 0 and awake[99] == 0 and awake[100] == 1


def test_energy_counts_sleepers():
    scene = world(box("a", "0 0 .1") + '<body pos="2 0 1"><joint axis="0 0 1" stiffness="2" springref="30" damping="9"/><geom size=".1" pos=".2 0 0"/></body>')
    pair = pair_of(scene, enableflags=16 | 2)
    run(pair, 400, lambda k, d: None)
    assert pair[3].ntree_awake < 2 and pair[3].energy[0] > 0


@pytest.mark.parametrize("seed", range(3))
def test_random_boxes_pushed_at_random(seed):
    rng = np.random.default_rng(seed)
    boxes = "".join(box(f"b{i}", " ".join(f"{x:.3f}" for x in (*rng.uniform(-.6, .6, 2), .1 + .25 * i))) for i in range(6))
    kicks = {int(k): (int(rng.integers(6)), .3 * rng.normal(size=3)) for k in rng.integers(300, 600, 4)}

    def act(k, d):
        if k in kicks:
            which, speed = kicks[k]
            d.qvel[6 * which:6 * which + 3] = speed
    awake = run(pair_of(world(boxes)), 700, act)
    assert min(awake[:300]) == 0 and any(awake[300:]) and awake[-1] == 0


@pytest.mark.parametrize("awake_above", [0, 30])
def test_many_geoms_of_which_few_are_awake(awake_above):
    balls = "".join(f'<body pos="{.21 * (i % 8)} {.21 * (i // 8)} .1" {"sleep=" + chr(34) + "never" + chr(34) if i < awake_above else ""}>'
                    f'<freejoint/><geom size=".1" condim="6" friction="1 .02 .01"/></body>' for i in range(64))
    pair = pair_of(world(balls))
    assert pair[2].nsapgeom > 0   # too many pairs for a list

    def act(k, d):
        if k == 60:
            d.qvel[6 * 63] = -2   # the last of a row, towards the others
    awake = run(pair, 110, act)
    assert awake[59] == awake_above and awake_above + 2 < max(awake[60:]) < 60


MIXED = world(box("a", "0 0 .1") + box("b", "0 0 .3") + """
<body pos="1 0 1" gravcomp=".5" sleep="allowed">
  <joint name="h" axis="0 1 0" stiffness="3" damping="4" frictionloss=".05" range="-1 1" limited="true"/><geom size=".05" fromto="0 0 0 0 0 -.4" type="capsule"/>
  <body pos="0 0 -.4"><joint name="k" type="ball" damping="2"/><geom size=".05" fromto="0 0 0 .2 0 -.3" type="capsule"/><site name="foot" pos=".2 0 -.3"/></body>
</body>
<body pos="3 0 1"><joint name="s" type="slide" axis="0 0 1" stiffness="50" damping="9"/><geom size=".1"/></body>
<body name="rod" pos="5 0 .1"><freejoint/><geom type="box" size=".3 .1 .1"/>
  <body pos=".3 0 .05"><joint name="p" axis="0 0 1" damping=".1"/><geom size=".05" pos=".2 0 0"/></body>
</body>""", """<tendon><fixed name="f" armature=".1"><joint joint="h" coef="1"/><joint joint="s" coef="0"/></fixed></tendon>
<actuator><position joint="h" kp="2"/><general tendon="f" dyntype="integrator" ctrlrange="-1 1"/><motor joint="p"/><general site="foot" gear="0 0 1 0 0 0"/></actuator>
<sensor><jointpos joint="h"/><tendonpos tendon="f"/></sensor>""", '<option timestep="0.005" density="1.2" viscosity=".001"><flag sleep="enable"/></option>')


@pytest.mark.parametrize("integrator", INTEGRATORS.values(), ids=INTEGRATORS)
def test_springs_medium_tendons_and_actuators(integrator):
    pair = pair_of(MIXED, integrator=integrator)

    def act(k, d):
        d.ctrl[:] = (0, 0, 0, .3) if k < 500 else (.4, .1, 0, 0)
        if k == 500:
            d.qvel[12] = .5
    awake = run(pair, 640, act)
    assert {2, 3} & set(awake) and awake[500] >= 2


LATE = world(box("a", "0 0 .1") + box("b", "1 0 .1"), """<sensor><accelerometer site="a" nsample="4" delay=".012"/><framepos objtype="body" objname="a" nsample="3"/>
<velocimeter site="b" nsample="3" interval=".02" interp="linear" delay=".01"/><framelinvel objtype="body" objname="a" nsample="5" interval=".015"/></sensor>""")


def test_late_sensors_of_sleepers():
    awake = run(pair_of(LATE), 140, pushes("qvel", 0, .3))
    assert awake[59] == 0 and awake[60] == 1 and awake[-1] == 0


@pytest.mark.parametrize("options", [dict(solver=0), dict(solver=1), dict(noslip_iterations=3), dict(enableflags=16 | 32)], ids=["PGS", "CG", "noslip", "diagexact"])
def test_other_solvers(options):
    scene = world(box("a", "0 0 .1") + box("b", ".02 0 .3") + box("c", "2 0 .1") + box("faller", "0 0 1.5"))
    awake = run(pair_of(scene, **{"iterations": 300, **options}), 250)
    assert 1 in awake and max(awake[100:]) > 1
