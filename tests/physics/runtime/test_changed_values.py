"""Values set in the window outlive the next text of the model, are shown as differing from the file, and can be put back."""
import numpy as np
import pytest

from physics import load_string
from physics.enums import DisableBit, EnableBit
from physics.errors import Issue, ViewOnlyError
from physics.runtime import commands as c
from physics.runtime import targets
from physics.runtime.carry_over import carry_over
from physics.runtime.snapshot import Snapshot
from tests.physics.runtime.models import do, simulation

TEXT = """<mujoco>
  <option gravity="0 0 -9.81" timestep="0.002"><flag contact="enable"/></option>
  <visual><rgba haze="1 1 1 1"/><map stiffness="100"/></visual>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1" friction="1 .005 .0001"/>
    <body name="arm" pos="0 0 1"><joint name="shoulder" axis="0 1 0" damping=".1"/><geom name="arm" size=".1" pos=".3 0 0" rgba="1 0 0 1"/></body>
    <body name="ball" pos="1 0 1"><freejoint name="free"/><geom name="ball" size=".1"/></body>
  </worldbody>
  <actuator><motor name="m" joint="shoulder" group="2" ctrllimited="true" ctrlrange="-1 1"/></actuator>
  <keyframe><key name="home" qpos=".5 1 0 1 1 0 0 0"/><key name="away" qpos="1 1 0 1 1 0 0 0"/></keyframe>
</mujoco>"""
SET = (c.SetOption("gravity", 3.0, 2), c.SetOption("timestep", 0.001), c.SetFlag("enable", int(EnableBit.OVERRIDE), True), c.SetFlag("disable", int(DisableBit.SPRING), True),
       c.SetActuatorGroup(2, False), c.SetVisual("rgba.haze", (0, 0, 1, 1)), c.SetVisual("map.stiffness", 7), c.SetField("stat_extent", 5.0),
       c.SetField("geom_rgba", (0, 1, 0, 1), 1), c.SetField("geom_friction", 0.25, (0, 0)), c.SetField("dof_damping", 2.0, 0), c.SetField("actuator_ctrlrange", (-2, 2), 0),
       c.SetQpos(0, 0.75), c.SaveKey(0))
TARGETS = ["opt.gravity", "opt.timestep", "opt.enableflags[override]", "opt.disableflags[spring]", "opt.disableactuator[2]", "vis.rgba.haze", "vis.map.stiffness",
           "stat.extent", "geom_rgba[1]", "geom_friction[0]", "dof_damping[0]", "actuator_ctrlrange[0]", "key[home]"]


@pytest.fixture
def sim():
    return simulation(load_string(TEXT))


def swap(sim, text: str, **more):
    return do(sim, c.SwapModel(load_string(text), carry=carry_over, **more))


def shown(sim) -> dict:
    snapshot = Snapshot(sim.model, sim.data, 1)
    sim.show(snapshot)
    return {one.target: (one.file_value, one.value) for one in snapshot.changed_values}


def read(m) -> tuple:
    return (m.opt.gravity.tolist(), m.opt.timestep, m.opt.enableflags, m.opt.disableflags, m.opt.disableactuator, m.vis.rgba.haze, m.vis.map.stiffness, m.stat.extent,
            m.geom_rgba[m.id("geom", "arm")].tolist(), m.geom_friction[0].tolist(), m.dof_damping[m.jnt_dofadr[m.id("joint", "shoulder")]], m.actuator_ctrlrange[0].tolist(),
            m.key_qpos[m.id("key", "home")][m.jnt_qposadr[m.id("joint", "shoulder")]])


def test_values_that_were_set_survive_another_text_and_are_shown(sim):
    assert shown(sim) == {}
    assert not do(sim, *SET)
    set_values, marks = read(sim.model), shown(sim)
    assert list(marks) == TARGETS
    assert marks["opt.gravity"] == ((0, 0, -9.81), (0, 0, 3.0)) and marks["opt.timestep"] == (0.002, 0.001) and marks["opt.disableflags[spring]"] == (False, True)
    assert marks["geom_rgba[1]"] == ((1, 0, 0, 1), (0, 1, 0, 1)) and marks["opt.disableactuator[2]"] == (True, False)
    assert read(load_string(TEXT)) != set_values
    events = swap(sim, TEXT.replace("<mujoco>", "<mujoco><!-- a comment -->"))
    assert [e.kind for e in events] == ["swapped"]
    assert read(sim.model) == set_values and shown(sim) == marks


def test_elements_are_found_again_by_name_and_keyframes_by_their_joints(sim):
    do(sim, *SET)
    before = read(sim.model)
    text = TEXT.replace('<body name="arm"', '<body name="new" pos="3 3 3"><joint name="new"/><geom name="new" size=".1"/></body><body name="arm"')
    text = text.replace('qpos="', 'qpos="9 ')
    assert [e.kind for e in swap(sim, text)] == ["swapped"]
    assert read(sim.model)[:7] == before[:7] and read(sim.model)[8:] == before[8:]
    assert {"geom_rgba[2]", "dof_damping[1]", "key[home]"} <= set(shown(sim)) and sim.model.key_qpos[0].tolist() == [9, 0.75, 1, 0, 1, 1, 0, 0, 0]


def test_the_newest_edit_wins_and_both_values_are_told(sim):
    do(sim, c.SetOption("gravity", 3.0, 2), c.SetOption("gravity", 1.0, 0), c.SetField("geom_rgba", (0, 1, 0, 1), 1), c.SetOption("timestep", 0.001))
    events = swap(sim, TEXT.replace("-9.81", "-5").replace('timestep="0.002"', 'timestep="0.001"'))
    assert [e.kind for e in events] == ["swapped", "dropped"]
    assert "gravity" in events[1].text and "0 0 -5" in events[1].text and "1 0 3" in events[1].text and "0 0 -9.81" in events[1].text
    assert sim.model.opt.gravity.tolist() == [1, 0, -5] and sim.model.geom_rgba[1].tolist() == [0, 1, 0, 1]   # x is the window's
    assert list(shown(sim)) == ["opt.gravity", "geom_rgba[1]"] and shown(sim)["opt.gravity"] == ((0, 0, -5), (1, 0, -5))   # the timestep differs no more: the text says the same


def test_another_number_of_the_same_vector_may_change_in_the_text(sim):
    do(sim, c.SetOption("gravity", 1.0, 0))
    assert [e.kind for e in swap(sim, TEXT.replace("-9.81", "-5"))] == ["swapped"]
    assert sim.model.opt.gravity.tolist() == [1, 0, -5] and shown(sim)["opt.gravity"] == ((0, 0, -5), (1, 0, -5))


def test_a_statistic_that_follows_from_the_model_keeps_what_the_window_says(sim):
    do(sim, c.SetField("stat_extent", 5.0))
    swap(sim, TEXT.replace('size=".1" pos=".3 0 0"', 'size=".1" pos="2 0 0"'))
    assert sim.model.stat.extent == 5
    events = swap(sim, TEXT.replace("<mujoco>", '<mujoco><statistic extent="4"/>'), stated=("extent",))
    assert sim.model.stat.extent == 4 and "statistic extent" in events[1].text


def test_what_belongs_to_something_that_is_gone_is_told(sim):
    do(sim, c.SetField("geom_rgba", (0, 1, 0, 1), 1), c.SaveKey(1))
    text = TEXT.replace('<key name="away" qpos="1 1 0 1 1 0 0 0"/>', "").replace('name="arm" size', 'name="other" size')
    events = swap(sim, text)
    assert [e.kind for e in events] == ["swapped", "dropped"] and "geom arm: rgba" in events[1].text and "keyframe away" in events[1].text and shown(sim) == {}


def test_a_keyframe_that_the_text_says_otherwise_now_is_the_texts(sim):
    do(sim, c.SetQpos(0, 0.75), c.SaveKey(0))
    events = swap(sim, TEXT.replace('qpos=".5', 'qpos=".6'))
    assert "keyframe home" in events[1].text and sim.model.key_qpos[0, 0] == 0.6 and shown(sim) == {}


def test_one_joint_of_a_keyframe_that_the_text_moves_leaves_the_others_to_the_window(sim):
    do(sim, c.SetQpos(0, 0.75), c.SetQpos(3, 2.5), c.SetCtrl(0, 0.5), c.SaveKey(0))
    events = swap(sim, TEXT.replace('qpos=".5', 'qpos=".6'))
    assert "keyframe home" in events[1].text and "goes on only in numbers" in events[1].text
    assert sim.model.key_qpos[0, 0] == 0.6 and sim.model.key_qpos[0, 3] == 2.5 and sim.model.key_ctrl[0, 0] == 0.5 and list(shown(sim)) == ["key[home]"]
    do(sim, c.RevertAll())
    assert sim.model.key_qpos[0, :4].tolist() == [0.6, 1, 0, 1] and sim.model.key_ctrl[0, 0] == 0


def test_putting_back_one_or_all(sim):
    before = read(sim.model)
    do(sim, *SET)
    for target in TARGETS[:3]:
        assert not do(sim, c.RevertValue(target))
    assert sim.model.opt.gravity.tolist() == [0, 0, -9.81] and list(shown(sim)) == TARGETS[3:]
    assert [e.kind for e in do(sim, c.RevertValue("opt.gravity"))] == ["refused"]
    do(sim, c.RevertAll())
    assert read(sim.model) == before and shown(sim) == {}


def test_setting_the_files_value_removes_the_mark(sim):
    do(sim, c.SetOption("timestep", 0.004), c.SetField("geom_friction", 0.5, (0, 0)), c.SetFlag("disable", 32, True))
    do(sim, c.SetOption("timestep", 0.002), c.SetField("geom_friction", 1.0, (0, 0)), c.SetFlag("disable", 32, False))
    assert shown(sim) == {}


def test_starting_afresh_drops_them_and_says_how_many(sim):
    do(sim, *SET)
    events = do(sim, c.SwapModel(load_string(TEXT)))
    assert [e.kind for e in events] == ["swapped", "dropped"] and "13 values" in events[1].text and shown(sim) == {}
    assert [e.kind for e in do(sim, c.SwapModel(load_string(TEXT)))] == ["swapped"]


def test_what_the_next_model_cannot_have_is_told(sim, monkeypatch):
    do(sim, c.SetOption("integrator", 1), c.SetFlag("disable", 32, True))
    m = load_string(TEXT)

    def check(model):
        if model is m and model.opt_integrator == 1:
            raise ViewOnlyError([Issue("view", None, "", "not with this model")])

    monkeypatch.setattr(targets.step, "check_dynamics", check)
    events = do(sim, c.SwapModel(m, carry=carry_over))
    assert [e.kind for e in events] == ["swapped", "dropped"] and "integrator" in events[1].text and "not with this model" in events[1].text
    assert m.opt_integrator == 0 and m.opt_disableflags == 32


def test_several_hundred_values_cost_nothing_while_none_changes(sim):
    do(sim, *SET)
    snapshot = Snapshot(sim.model, sim.data, 1)
    sim.show(snapshot)
    first = snapshot.changed_values
    sim.show(snapshot)
    assert snapshot.changed_values is first


def test_the_model_starts_and_resets_to_the_keyframe_that_was_chosen(sim):
    do(sim, c.SwapModel(load_string(TEXT), key="home"))
    assert sim.data.qpos[0] == 0.5
    do(sim, c.Step(20), c.Reset())
    assert sim.data.qpos[0] == 0.5 and sim.start_key == 0
    do(sim, c.SetStartKey(1), c.Reset())
    assert sim.data.qpos[0] == 1.0
    do(sim, c.SetStartKey(None), c.Reset())
    assert sim.data.qpos[0] == 0.0
    assert [e.kind for e in do(sim, c.SetStartKey("nothing"))] == ["refused"]
    events = do(sim, c.SwapModel(load_string(TEXT), key="nothing"))
    assert [e.kind for e in events] == ["refused", "swapped"] and "nothing" in events[0].text and sim.data.qpos[0] == 0
    do(sim, c.SwapModel(load_string(TEXT), key="1"), c.Step(3))
    moved = sim.data.qpos[0]
    swap(sim, TEXT, key="1")
    assert sim.data.qpos[0] == moved and sim.start_key == 1   # an edit goes on from where it is
    assert np.isfinite(sim.data.qpos).all()


def test_a_start_keyframe_that_an_edit_removes_is_told_once(sim):
    do(sim, c.SwapModel(load_string(TEXT), key="away"))
    without = TEXT.replace('name="away"', 'name="awa"')
    events = swap(sim, without, key="away")
    assert [e.kind for e in events] == ["refused", "swapped"] and "'away' any more" in events[0].text and "starts" not in events[0].text
    assert sim.start_key is None
    assert [e.kind for e in swap(sim, without, key="away")] == ["swapped"]
    assert [e.kind for e in swap(sim, TEXT, key="away")] == ["swapped"] and sim.start_key == 1   # typed again
    assert [e.kind for e in swap(sim, without, key="away")] == ["refused", "swapped"]
