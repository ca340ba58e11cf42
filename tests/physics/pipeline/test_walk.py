"""Walking through a step is taking it: what each stage leaves is what forward and step leave, to the bit, and the Data that is walked from stays as it is."""
import numpy as np
import pytest

import physics
from physics.engine.step_order import STAGES
from physics.fields.layout import LAYOUTS
from physics.pipeline import walk as module
from physics.pipeline.stage_fields import ALL, EVERYTHING, STAGE_FIELDS
from physics.pipeline.walk import differs
from tests.physics.pipeline.walked_models import NAMES, model, states


def image(d):
    """All that a Data holds, as bytes."""
    return d._buffer.tobytes(), d._block.tobytes(), [room.tobytes() for room in d._rooms.values()]


def assert_same(walk, number, d, names):
    after = walk.after(number)
    for name in names:
        mine, wanted = np.asarray(getattr(after, name)), module._value(d, name)
        assert mine.tobytes() == wanted.tobytes(), f"{name} after stage {number} ({STAGES[number].name})"


@pytest.mark.parametrize("name", NAMES)
def test_walking_all_stages_is_forward_to_the_bit_and_then_step(name):
    m = model(name)
    until_integrate = {name for row in STAGE_FIELDS[:-1] for name in row.writes}
    for d in states(m):
        before = image(d)
        walk = physics.walk(m, d)
        assert image(d) == before
        assert walk.done and walk.problem == "" and walk.time == d.time and len(walk) == len(STAGES)
        forward, step = d.copy(), d.copy()
        physics.forward(m, forward)
        assert_same(walk, len(STAGES) - 2, forward, until_integrate)
        assert_same(walk, len(STAGES) - 2, d, set(ALL) - until_integrate)
        assert physics.step(m, step) == 1
        assert_same(walk, len(STAGES) - 1, step, EVERYTHING)
        assert [s.name for s in walk] == [row.name for row in STAGES]
        for stage, row in zip(walk, STAGES, strict=True):
            wanted = row.when == "always" or row.name == "sensors" and m.nsensor > 0
            assert stage.ran or not wanted
            assert stage.seconds > 0 if stage.ran else not stage.writes


def test_sleepers_are_walked_as_they_step():
    m = physics.load_string("""<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="2 2 .1"/>
        <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body><body pos="1 0 1"><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody></mujoco>""")
    d, asleep = physics.Data(m), []
    for k in range(800):
        if k % 20 == 0 or 0 < len(asleep) < 3:
            walk, step = physics.walk(m, d), d.copy()
            physics.step(m, step)
            assert_same(walk, len(STAGES) - 1, step, EVERYTHING)
            asleep += [k] if (walk.after(len(STAGES) - 1).tree_asleep >= 0).any() else []
        physics.step(m, d)
    assert asleep


def test_what_stood_there_before_is_of_the_step_before():
    m = model("humanoid")
    d = physics.Data(m)
    for _ in range(30):
        physics.step(m, d)
    # a step leaves what follows from the state before it, so that d itself holds what stood there
    walk = physics.walk(m, d)
    kinematics = walk["kinematics"]
    assert kinematics.changed("xpos").any() and not kinematics.changed("xpos")[0].any()
    assert np.array_equal(kinematics.before["xpos"], d.xpos) and np.array_equal(kinematics.reads["qpos"], d.qpos)
    # after forward nothing differs until the integrator, except against another Data
    shown = d.copy()
    physics.forward(m, shown)
    assert not physics.walk(m, shown)["kinematics"].changed("xpos").any()
    again = physics.walk(m, shown, before=d)
    assert np.array_equal(again["kinematics"].changed("xpos"), kinematics.changed("xpos")) and np.array_equal(again["kinematics"].reads["qpos"], d.qpos)
    assert walk["integrate"].changed("qpos").any() and walk["integrate"].changed("time")
    # the solver reads what the rows have left
    assert np.array_equal(walk["solve"].reads["efc_aref"], walk["reference"].writes["efc_aref"]) and walk["com"].reads["xipos"] is kinematics.writes["xipos"]


def test_the_next_pose_is_that_of_the_next_state():
    m = model("arm")
    d = next(iter(list(states(m))[1:2]))
    walk, step = physics.walk(m, d), d.copy()
    physics.step(m, step)
    physics.kinematics(m, step)
    assert np.array_equal(walk.next_pose["geom_xpos"], step.geom_xpos) and np.array_equal(walk.next_pose["xipos"], step.xipos)


def test_a_step_that_diverges_is_walked_as_far_as_it_goes():
    m = model("pendulum")
    d = physics.Data(m)
    d.qvel[0] = np.nan
    walk = physics.walk(m, d)
    assert not walk.done and "velocity" in walk.problem and not any(stage.ran for stage in walk) and not walk.next_pose
    d = physics.Data(m)
    d.qfrc_applied[0] = 1e300
    walk = physics.walk(m, d)
    assert not walk.done and "acceleration" in walk.problem and walk["solve"].ran and not walk["integrate"].ran


def test_storage_grows_within_a_walk():
    m = model("heap")
    d = physics.Data(m, maxcon=1, maxefc=1, maxJ=1, maxH=1)
    grown, plain = physics.walk(m, d), physics.walk(m, physics.Data(m))
    assert d.maxcon == 1 and grown.done
    for name in ("contact_pos", "efc_J", "qacc"):
        assert np.array_equal(getattr(grown.after(18), name), getattr(plain.after(18), name))


def test_what_the_step_lowers_between_stages_counts_for_the_next():
    m = physics.load_string("<mujoco><worldbody><body pos='0 0 1'><joint axis='0 1 0'/><geom size='.1' pos='.2 0 0'/></body></worldbody></mujoco>")
    d = physics.Data(m)
    physics.forward(m, d)
    physics.energy_pos(m, d)
    physics.energy_vel(m, d)
    physics.subtree_vel(m, d)
    physics.rne_post_constraint(m, d)
    assert d.energy[0] != 0 and d.flg_energypos == d.flg_energyvel == d.flg_subtreevel == d.flg_rnepost == 1
    walk, forward = physics.walk(m, d), d.copy()
    physics.forward(m, forward)
    assert_same(walk, len(STAGES) - 2, forward, ALL)
    assert walk["kinematics"].writes["flg_energypos"] == 0 and walk["velocity"].writes["flg_subtreevel"] == 0 and walk["solve"].writes["flg_rnepost"] == 0


def test_factors_of_long_chains_are_complete_whichever_stage_they_are_read_after():
    bodies = 100
    text = "".join(f"<body pos='.1 0 0'><joint axis='0 {k % 2} {1 - k % 2}' frictionloss='.01'/><geom size='.02' fromto='0 0 0 .1 0 0' type='capsule'/>" for k in range(bodies))
    m = physics.load_string(f"<mujoco><worldbody><geom type='plane' size='9 9 1'/><body pos='0 0 .01'><freejoint/><geom size='.02'/>{text}{'</body>' * bodies}</body></worldbody></mujoco>")
    d = physics.Data(m)
    physics.step(m, d, 30)
    walk, forward = physics.walk(m, d), d.copy()
    physics.forward(m, forward)
    assert forward.qLD_due      # reading it completes it
    assert_same(walk, len(STAGES) - 2, forward, ("qLD", "qLDiagInv"))
    assert_same(walk, len(STAGES) - 2, forward, {name for row in STAGE_FIELDS[:-1] for name in row.writes})


def test_callbacks_of_the_user_are_not_called():
    m = model("pendulum")
    d, asked = physics.Data(m), []
    d.set_callback("cb_control", lambda m, d: asked.append(1))
    assert physics.walk(m, d).done and not asked and d.cb_control


def test_stages_are_found_by_name_and_wrong_data_is_refused():
    m = model("pendulum")
    walk = physics.walk(m, physics.Data(m))
    assert walk["crb"] is walk["inertia"] is walk[3] and walk["rne"].kernels == ("rne",)
    with pytest.raises(KeyError, match="no stage nonsense; there are kinematics"):
        walk["nonsense"]
    with pytest.raises(AttributeError, match="no stage reads or writes qfrc_inverse"):
        walk.after(3).qfrc_inverse
    with pytest.raises(ValueError, match="Model"):
        physics.walk(m, physics.Data(model("arm")))


def test_differences_are_of_numbers_and_of_new_rows():
    one, two = np.array([[1.0, np.nan], [3.0, 4.0]]), np.array([[1.0, np.nan], [3.0, 5.0], [0.0, 0.0]])
    assert differs(one, two).tolist() == [[False, False], [False, True], [True, True]]
    assert not differs(np.array(2), np.array(2)) and differs(np.array(2), np.array(3)) and differs(two, one).shape == (2, 2)


def test_the_numbers_of_rows_are_those_that_there_are():
    m = model("boxes")
    d = list(states(m))[2]
    walk = physics.walk(m, d)
    for number, stage in enumerate(walk):
        after = walk.after(number)
        for name in stage.writes:
            dims = LAYOUTS["d"].rows[name].dims
            if dims and dims[0] in ("maxcon", "maxefc", "maxJ") and name != "cand_geom":
                assert len(stage.writes[name]) == getattr(after, {"maxcon": "ncon", "maxefc": "nefc", "maxJ": "nJ"}[dims[0]])
