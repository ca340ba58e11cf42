"""Ties: against joints that mean the same, closed loops, springs to what the user moves, and what is reported of them."""
import numpy as np
import pytest

import physics
from physics.engine.hard import ties
from physics.enums import Engine
from tests.physics.engine.hard.contact.scene import product, turn_of

BODY = '<inertial pos=".02 0 .01" mass="1.5" diaginertia=".01 .02 .025" euler="20 0 40"/>'


def hard(xml, h=0.01):
    m = physics.load_string(f'<mujoco><option timestep="{h}"/>{xml}</mujoco>')
    m.opt.engine = Engine.HARD
    return m, physics.Data(m)


def moved(m, d, n=100):
    physics.step(m, d, n)
    assert d.hard_nfailed == d.hard_ncoarse == d.hard_nhalved == 0
    return m, d


def test_a_connect_is_a_ball_joint():
    """From rest, as the step before is another one for a free body that moves."""
    tied, d1 = hard(f'''<worldbody><body name="a" pos=".3 .1 0"><freejoint/>{BODY}</body></worldbody>
        <equality><connect body1="a" anchor="-.3 0 .05"/></equality>''')
    jointed, d2 = hard(f'<worldbody><body pos=".3 .1 0"><joint type="ball" pos="-.3 0 .05"/>{BODY}</body></worldbody>')
    for d in (d1, d2):
        d.xfrc_applied[1] = [1, 2, 3, .4, .5, .6]
    moved(tied, d1, 60), moved(jointed, d2, 60)
    for m, d in ((tied, d1), (jointed, d2)):
        physics.forward(m, d)
    assert np.abs(d1.xmat[1] - np.eye(3).ravel()).max() > .5 and np.abs(d1.xpos[1] - d2.xpos[1]).max() < 1e-6 and np.abs(d1.xmat[1] - d2.xmat[1]).max() < 1e-6
    anchor = d1.xpos[1] + d1.xmat[1].reshape(3, 3) @ [-.3, 0, .05]
    assert np.abs(anchor - [0, .1, .05]).max() < 1e-9


def test_a_weld_is_a_body_without_joints():
    second = '<body name="b" pos=".2 .1 {z}" euler="10 20 30">{joint}' + BODY + "</body>"
    first = f'<body name="a" pos="0 0 1"><freejoint/>{BODY}'
    tied, d1 = hard(f'''<worldbody>{first}</body>{second.format(z=1, joint="<freejoint/>")}</worldbody><equality><weld body1="a" body2="b"/></equality>''')
    whole, d2 = hard(f'<worldbody>{first}{second.format(z=0, joint="")}</body></worldbody>')
    for d in (d1, d2):
        d.xfrc_applied[2] = [1, 2, 3, .4, .5, .6]
    moved(tied, d1, 100), moved(whole, d2, 100)
    for m, d in ((tied, d1), (whole, d2)):
        physics.forward(m, d)
    assert np.abs(d1.xmat[1] - np.eye(3).ravel()).max() > .5
    assert np.abs(d1.xpos - d2.xpos).max() < 1e-6 and np.abs(d1.xmat - d2.xmat).max() < 1e-6


FOURBAR = """<worldbody>
  <body name="a" pos="0 0 0"><joint axis="0 1 0" name="ja"/><geom type="capsule" fromto="0 0 0 0 0 .2" size=".01" contype="0" conaffinity="0"/>
    <body name="b" pos="0 0 .2"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .4 0 .1" size=".01" contype="0" conaffinity="0"/></body></body>
  <body name="c" pos=".4 0 0"><joint axis="0 1 0" name="jc"/><geom type="capsule" fromto="0 0 0 0 0 .3" size=".01" contype="0" conaffinity="0"/></body>
</worldbody><equality><connect body1="b" body2="c" anchor=".4 0 .1"/></equality>"""


@pytest.mark.parametrize("h", [0.002, 0.02])
def test_a_closed_loop_of_four_bars_stays_closed(h):
    """Of the three rows one is redundant: all hinges have the same axis."""
    m, d = hard(FOURBAR, h)
    d.qvel[0] = 1.0
    d.qvel[2] = 2 / 3   # roughly; the first step makes it right
    moved(m, d, 300)
    assert abs(d.qpos[0]) > .1
    physics.forward(m, d)
    tip = d.xpos[2] + d.xmat[2].reshape(3, 3) @ [.4, 0, .1]
    end = d.xpos[3] + d.xmat[3].reshape(3, 3) @ [0, 0, .3]
    assert np.abs(tip - end).max() < 1e-9


def test_coupled_joints_follow_their_polynomial():
    m, d = hard("""<worldbody>
        <body pos="0 0 0"><joint name="x" axis="0 1 0"/><geom size=".05" pos=".2 0 0"/>
          <body pos=".4 0 0"><joint name="s" type="slide" axis="1 0 0"/><joint name="y" axis="0 1 0"/><geom size=".05" pos=".1 0 0"/></body></body>
        <body pos="1 0 0"><joint name="z" type="slide" axis="0 0 1"/><geom size=".05"/></body></worldbody>
        <equality><joint joint1="y" joint2="x" polycoef=".1 .5 .2 0 0"/><joint joint1="z" joint2="s" polycoef="0 -2 0 0 0"/></equality>""")
    d.qpos[2] = .1
    moved(m, d, 100)
    x, s, y, z = d.qpos
    assert abs(x) > .1 and abs(y - .1 - .5 * x - .2 * x * x) < 1e-9 and abs(z + 2 * s) < 1e-9


def test_a_rope_of_connects_holds():
    n = 20
    geom = '<geom type="capsule" fromto="0 0 0 .1 0 0" size=".01" contype="0" conaffinity="0"/>'
    links = "".join(f'<body name="l{k}" pos="{.1 * k} 0 0"><freejoint/>{geom}</body>' for k in range(n))
    held = '<connect body1="l0" anchor="0 0 0"/>' + "".join(f'<connect body1="l{k}" body2="l{k + 1}" anchor=".1 0 0"/>' for k in range(n - 1))
    m, d = hard(f"<worldbody>{links}</worldbody><equality>{held}</equality>")
    moved(m, d, 50)
    physics.forward(m, d)
    ends = d.xpos[1:] + d.xmat[1:].reshape(-1, 3, 3) @ [.1, 0, 0]
    assert np.abs(ends[:-1] - d.xpos[2:]).max() < 1e-9 and np.abs(d.xpos[1]).max() < 1e-9 and d.xpos[-1, 2] < -.3


def test_a_tie_that_is_off_at_the_start_is_ended_without_a_jerk():
    m, d = hard(f'<worldbody><body name="a" pos="0 0 0"><freejoint/>{BODY}</body></worldbody><equality><connect body1="a" anchor="0 0 0"/></equality>')
    m.opt.gravity[:] = 0
    d.qpos[0] = .05
    for _ in range(12):
        physics.step(m, d)
        assert np.abs(d.qvel).max() < 1e-6
    assert np.abs(d.qpos[:3]).max() < 1e-9


def test_a_weld_to_what_the_user_moves_is_a_spring():
    m, d = hard(f"""<worldbody><body name="held" mocap="true" pos="0 0 1"/><body name="a" pos="0 0 1"><freejoint/>{BODY}</body></worldbody>
        <equality><weld body1="held" body2="a" solref=".1 1"/></equality>""", h=.002)
    moved(m, d, 500)
    sag = 1 - d.qpos[2]
    assert 0 < sag < .1
    d.mocap_pos[0] += [.2, 0, 0]
    physics.step(m, d)
    assert 0 < d.qvel[0] < 2      # a hard one would move at 100 m/s
    moved(m, d, 500)
    assert abs(d.qpos[0] - .2) < 2e-3 and abs(1 - d.qpos[2] - sag) < 1e-4


def test_a_loop_carried_by_what_the_user_moves_is_tied_exactly():
    """Two arms on joints, tied to each other: neither is held by a mocap body, and only that is a spring."""
    arms = "".join(f'<body name="{name}" pos="{x} 0 0"><joint axis="0 1 0"/>{BODY}</body>' for name, x in (("a", -.1), ("b", .1)))
    m, d = hard(f"""<worldbody><body name="held" mocap="true">{arms}</body></worldbody>
        <equality><connect body1="a" body2="b" anchor=".1 0 -.2"/><connect body1="held" body2="b" anchor="0 0 0"/></equality>""")
    moved(m, d, 1)
    assert (d.htie_soft[:6] == 0).tolist() == [True] * 3 + [False] * 3


def test_what_hangs_pulls_by_its_weight():
    m, d = hard("""<worldbody><body name="a" pos="0 0 1"><freejoint/><geom size=".1" mass="2"/></body></worldbody>
        <equality><weld body1="a" active="false"/><connect body1="a" anchor="0 0 0"/></equality>""")
    moved(m, d, 3)
    physics.forward(m, d)
    assert d.ne == d.nefc == 3 and np.abs(d.efc_force[:3] - [0, 0, 2 * 9.81]).max() < 1e-6
    assert np.abs(d.qfrc_constraint - [0, 0, 2 * 9.81, 0, 0, 0]).max() < 1e-6


def test_a_beam_held_by_a_weld_reports_force_and_torque():
    m, d = hard("""<worldbody><body name="a" pos="0 0 1" euler="0 0 30"><freejoint/><geom type="box" size=".2 .02 .02" pos=".2 0 0" mass="2"/></body></worldbody>
        <equality><weld body1="a" torquescale=".5"/></equality>""")
    moved(m, d, 3)
    physics.forward(m, d)
    assert d.ne == 6 and np.abs(d.efc_force[:3] - [0, 0, 2 * 9.81]).max() < 1e-6
    # rows times forces are what acts
    J = np.zeros((6, m.nv))
    for r in range(6):
        at = slice(d.efc_J_rowadr[r], d.efc_J_rowadr[r] + d.efc_J_rownnz[r])
        J[r, d.efc_J_colind[at]] = d.efc_J[at]
    assert np.abs(J.T @ d.efc_force[:6] - d.qfrc_constraint).max() < 1e-6
    assert np.abs(d.qfrc_constraint[3:]).max() > 1


def test_slopes_of_ties_are_those_of_differences():
    m, d = hard(f'''<worldbody><body name="a" pos="0 0 1"><freejoint/>{BODY}</body><body name="b" pos=".2 .1 1" euler="10 20 30"><freejoint/>{BODY}</body></worldbody>
        <equality><weld body1="a" body2="b"/></equality>''')
    physics.step(m, d)
    d.hard_island = 0
    r = np.random.default_rng(0)
    for b in (1, 2):     # somewhere else
        d.hard_x[b] += r.normal(0, .1, 3)
        d.hard_turn[b] = turn_of(r.normal(0, .3, 3))

    def residual():
        ties.tie_residuals.plain(m, d)
        return d.htie_res[:6].copy()
    residual()
    slope, bodies = d.htie_slope[:6].reshape(6, 4, 6).copy(), d.htie_body[:6].copy()
    for b in (1, 2):
        x, turn = d.hard_x[b].copy(), d.hard_turn[b].copy()
        for k in range(6):
            ends = []
            for sign in (1, -1):
                e = np.zeros(6)
                e[k] = sign * 1e-6
                d.hard_x[b], d.hard_turn[b] = x + e[:3], product(turn_of(e[3:]), turn)
                ends.append(residual())
            d.hard_x[b], d.hard_turn[b] = x, turn
            found = (ends[0] - ends[1]) / 2e-6 * d.hard_h
            wanted = [slope[row, list(bodies[row]).index(b), k] for row in range(6)]
            assert np.abs(found - wanted).max() < 1e-8
