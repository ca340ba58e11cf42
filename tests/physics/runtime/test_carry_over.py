"""State that outlives an edit of the model: matched by name, else by place; what cannot be kept is said, with its place."""
import numpy as np
import pytest

from physics import Data, load_string
from physics.model.state_fields import ARRAYS, State
from physics.runtime.carry_over import carry_over

TEXT = """<mujoco><size nuserdata="3"/><worldbody>
<body name="hand" mocap="true" pos="0 0 1"><geom size=".1"/></body>
<body><joint type="slide"/><geom size=".1"/></body>
<body><joint/><joint type="slide" axis="0 1 0"/><geom size=".1"/><body name="arm"><joint name="elbow"/><geom size=".1"/></body></body>
<body name="ball"><freejoint/><geom size=".1"/></body>
</worldbody><actuator><motor name="a" joint="elbow"/><position joint="elbow"/><general name="i" joint="elbow" dyntype="integrator"/></actuator></mujoco>"""


def state_of(model) -> State:
    """A state in which every number is different."""
    d, random = Data(model), np.random.default_rng(3)
    for name in ARRAYS:
        field = getattr(d, name)
        field[...] = random.normal(size=field.shape) > 0 if field.dtype == bool else random.normal(size=field.shape)
    d.time = 3.5
    return State.of(d)


def edited(*replacements):
    """(old state, new model, carried state, report) after edits of the text."""
    text = TEXT
    for old, new in replacements:
        assert text.count(old) == 1
        text = text.replace(old, new)
    before, after = load_string(TEXT), load_string(text)
    state = state_of(before)
    return before, state, after, *carry_over(before, state, after)


def joint(model, state, name):
    j = model.id("joint", name) if isinstance(name, str) else name
    ends = {0: (7, 6), 1: (4, 3)}.get(int(model.jnt_type[j]), (1, 1))
    q, v = model.jnt_qposadr[j], model.jnt_dofadr[j]
    return state.qpos[q:q + ends[0]].tolist(), state.qvel[v:v + ends[1]].tolist(), state.qacc_warmstart[v:v + ends[1]].tolist()


def test_the_same_model_keeps_everything():
    before, state, after, carried, report = edited()
    assert report.same and report.lost == ()
    assert carried.time == 3.5
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(carried, name), getattr(state, name), err_msg=name)
    carried.write(Data(after))


def test_bodies_may_move_in_the_order():
    """The named bodies change places: their joints and forces follow them."""
    moved = '<body name="ball"><freejoint/><geom size=".1"/></body>\n'
    before, state, after, carried, report = edited((moved, ""), ('<body name="hand"', moved + '<body name="hand"'))
    assert report.lost == ()
    assert after.id("body", "ball") == 1
    assert joint(after, carried, 0) == joint(before, state, 4)
    assert joint(after, carried, "elbow") == joint(before, state, "elbow")
    for name in ("ball", "hand", "arm"):
        np.testing.assert_array_equal(carried.xfrc_applied[after.id("body", name)], state.xfrc_applied[before.id("body", name)])
    np.testing.assert_array_equal(carried.mocap_pos, state.mocap_pos)


def test_new_joints_start_at_their_initial_position():
    before, state, after, carried, report = edited(
        ("</worldbody>", '<body name="late"><joint name="new" type="slide" ref="2"/><geom size=".1"/></body></worldbody>'))
    assert joint(after, carried, "new") == ([2.0], [0.0], [0.0])
    assert joint(after, carried, "elbow") == joint(before, state, "elbow")
    assert len(report.lost) == 1
    assert "model.xml:6:19" in str(report.lost[0]) and "joint[new]" in str(report.lost[0])


def test_another_joint_type_starts_anew():
    before, state, after, carried, report = edited(('<joint name="elbow"/>', '<joint name="elbow" type="ball"/>'), ('<motor name="a" joint="elbow"/>', ""),
                                                   ('<position joint="elbow"/>', ""), ('joint="elbow" dyntype', 'joint="elbow" gear="1 0 0" dyntype'))
    assert joint(after, carried, "elbow") == ([1.0, 0, 0, 0], [0.0] * 3, [0.0] * 3)
    assert any("elbow" in str(line) and "type" in str(line) for line in report.lost)
    assert joint(after, carried, 4) == joint(before, state, 4)


def test_what_is_gone_is_reported_with_its_old_place():
    before, state, after, carried, report = edited(('<body name="ball"><freejoint/><geom size=".1"/></body>', ""),
                                                   ('<body name="hand" mocap="true" pos="0 0 1"><geom size=".1"/></body>', ""))
    lines = [str(line) for line in report.lost]
    assert any("model.xml:5:19" in line and "joint" in line for line in lines)
    assert any("model.xml:2:1" in line and "body[hand]" in line for line in lines)
    assert carried.mocap_pos.shape == (0, 3)


def test_unnamed_joints_match_by_type_and_place_in_their_body():
    before, state, after, carried, report = edited(('<joint/><joint type="slide" axis="0 1 0"/>', '<joint type="slide" axis="0 1 0"/><joint/>'))
    assert report.lost == ()
    assert joint(after, carried, 1) == joint(before, state, 2)
    assert joint(after, carried, 2) == joint(before, state, 1)


def test_actuators_by_name_or_by_what_they_act_on():
    """A new unnamed actuator on another joint, put first, leaves the unnamed one on the elbow its control."""
    before, state, after, carried, report = edited(
        ("<actuator>", '<actuator><position joint="other"/>'), ('<joint type="slide"/>', '<joint name="other" type="slide"/>'))
    old, new = before.actuator_ctrladr, after.actuator_ctrladr
    assert carried.ctrl[new[0]] == 0
    assert carried.ctrl[new[1]] == state.ctrl[old[0]]
    assert carried.ctrl[new[2]] == state.ctrl[old[1]]
    assert carried.act.tolist() == state.act.tolist()
    assert any("actuator 0" in str(line) and "new" in str(line) for line in report.lost)


def test_a_renamed_mocap_body_starts_where_the_file_says():
    _before, _state, after, carried, report = edited(('name="hand" mocap="true" pos="0 0 1"', 'name="paw" mocap="true" pos="0 0 2"'))
    assert carried.mocap_pos.tolist() == [[0, 0, 2]] and carried.mocap_quat.tolist() == [[1, 0, 0, 0]]
    assert any("body[hand]" in str(line) for line in report.lost)


@pytest.mark.parametrize("size, kept", [("2", 2), ("5", 3)])
def test_user_data_of_another_size(size, kept):
    _before, state, after, carried, _report = edited(('nuserdata="3"', f'nuserdata="{size}"'))
    assert carried.userdata.shape == (int(size),)
    assert carried.userdata[:kept].tolist() == state.userdata[:kept].tolist() and not carried.userdata[kept:].any()


@pytest.mark.parametrize("text", ["<mujoco/>", '<mujoco><worldbody><body><joint type="ball"/><geom size="1"/></body></worldbody></mujoco>'])
def test_quite_another_model(text):
    """Whatever the two models are, the state fits the new one; both ways."""
    before, after = load_string(TEXT), load_string(text)
    for a, b in ((before, after), (after, before)):
        carried, report = carry_over(a, state_of(a), b)
        carried.write(Data(b))
        assert len(report.lost) > 0 or not (a.njnt or b.njnt)


DELAYED = """<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
<actuator><motor name="a" joint="j" delay=".01" nsample="6"/><motor name="b" joint="j" delay=".01" nsample="6"/></actuator>
<sensor><jointpos name="p" joint="j" delay=".006" nsample="4"/></sensor></mujoco>"""


def test_kept_values_of_delays_follow_their_actuators_and_sensors():
    old = load_string(DELAYED)
    new = load_string(DELAYED.replace('<motor name="a" joint="j" delay=".01" nsample="6"/>', "").replace("</sensor>", '<clock name="t" delay=".01" nsample="5"/></sensor>'))
    state = state_of(old)
    carried, _report = carry_over(old, state, new)
    fresh = Data(new).history
    a, b = int(old.actuator_historyadr[1]), int(new.actuator_historyadr[0])
    assert (carried.history[b:b + 14] == state.history[a:a + 14]).all()
    a, b = int(old.sensor_historyadr[0]), int(new.sensor_historyadr[0])
    assert (carried.history[b:b + 10] == state.history[a:a + 10]).all()
    b = int(new.sensor_historyadr[1])
    assert (carried.history[b:] == fresh[b:]).all() and len(carried.history) == new.nhistory
    changed = load_string(DELAYED.replace('nsample="4"', 'nsample="5"'))
    b = int(changed.sensor_historyadr[0])
    assert (carry_over(old, state, changed)[0].history[b:] == Data(changed).history[b:]).all()


class Unsearched(tuple):
    """Names that are gone through once, not anew for each element."""

    def index(self, *_args):
        raise AssertionError("searched from the start for one name")

    __contains__ = index


def test_names_are_looked_up_not_searched():
    """Else a text with ten thousand named bodies takes seconds to go on from."""
    before, after = load_string(TEXT), load_string(TEXT)
    state = state_of(before)
    for kind, names in before.names.items():
        before.names[kind] = Unsearched(names)
    carried, report = carry_over(before, state, after)
    assert report.same and (carried.xfrc_applied == state.xfrc_applied).all()


def test_applied_forces_switches_user_data_and_the_warm_start_go_on():
    text = """<mujoco><size nuserdata="3"/><worldbody><body name="a"><freejoint/><geom size=".1"/></body><body name="b" pos="1 0 0"><freejoint/><geom size=".1"/></body></worldbody>
    <equality><weld name="w" body1="a" body2="b"/><connect name="c" body1="a" body2="b" anchor="0 0 0"/></equality></mujoco>"""
    old, new = load_string(text), load_string(text.replace('<body name="a">', '<body name="z" pos="0 3 0"><freejoint/><geom size=".1"/></body><body name="a">'))
    d = Data(old)
    d.xfrc_applied[2] = range(6)
    d.eq_active[1] = False
    d.userdata[:] = 1, 2, 3
    d.qacc_warmstart[:] = range(12)
    state, report = carry_over(old, State.of(d), new)
    assert state.xfrc_applied[3].tolist() == list(range(6)) and state.eq_active.tolist() == [True, False] and state.userdata.tolist() == [1, 2, 3]
    assert state.qacc_warmstart[6:].tolist() == list(range(12))
    fewer = load_string(text.replace('nuserdata="3"', 'nuserdata="1"').replace('<connect name="c" body1="a" body2="b" anchor="0 0 0"/>', ""))
    state, report = carry_over(old, State.of(d), fewer)
    assert state.userdata.tolist() == [1]
    assert any("switched off" in issue.what for issue in report.lost) and any("2 values fewer" in issue.what for issue in report.lost)
