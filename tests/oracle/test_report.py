"""What the report says of models that it cannot judge, and that it ends on all: no corpus is needed."""
import mujoco
import numpy as np
import pytest

import physics
from physics.errors import Issue, Place
from tests.oracle import pose_contacts, report
from tests.oracle.corpus import Entry
from tests.oracle.nearer import NONE
from tests.oracle.poses import Contacts
from tests.oracle.rollout import RESET, rollout

CONTROL = {"kind": "sine", "amp": 0.3, "unlimited_half": 0.3}
FLYAWAY = """<mujoco><option timestep=".02"/><worldbody><body><joint name="j" type="slide" stiffness="-1e6" springref="1"/><geom size=".1"/></body></worldbody></mujoco>"""
STANDING = """<mujoco><worldbody><geom name="floor" type="plane" size="2 2 .1"/>
  <body pos="0 0 .19"><freejoint/><geom name="box" type="box" size=".1 .15 .2"/></body>
  <body pos="1 0 .5"><joint name="arm" axis="0 1 0" range="0 90"/><geom name="arm" type="capsule" size=".05" fromto="0 0 0 .5 0 0"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def saved(tmp_path, text, name="model", oracle="4.0.0", contacts=0):
    path = tmp_path / f"{name}.xml"
    path.write_text(text)
    return Entry(name, path, oracle, "default", CONTROL, {0.1: 1.0, 5.0: 1.0}, contacts)


def test_a_rollout_ends_where_the_official_engine_resets_itself(tmp_path):
    entry = saved(tmp_path, FLYAWAY)
    mujoco.set_mju_user_warning(lambda text: None)
    found = rollout(physics.load(entry.path), mujoco.MjModel.from_xml_path(str(entry.path)), entry)
    assert found["5"] == RESET


def test_a_model_without_records_is_not_counted_as_compared(tmp_path):
    row = report.judge(saved(tmp_path, STANDING, "nobody recorded this", "2.3.7"))
    assert row["status"] == "not compared" and row["compiled"] is None
    assert report._summary([row])["ok"] == 0 and report._summary([row])["not compared"] == 1


def test_a_note_is_no_reason_for_a_refusal(tmp_path):
    entry, place = saved(tmp_path, STANDING), Place("m.xml", 3, 1)
    issues = [Issue("note", place, "", "a trifle"), Issue("warning", place, "", "a doubt"), Issue("view", place, "", "what is missing")]
    assert "what is missing" in report._refused(report.empty_row("m"), entry, issues)["why"]


def test_contacts_at_poses_are_judged(tmp_path):
    entry = saved(tmp_path, STANDING)
    ours, official = physics.load(entry.path), mujoco.MjModel.from_xml_path(str(entry.path))
    pairs, found = pose_contacts.compare(ours, official, "standing")
    assert pairs >= 4 and found == []
    ours.geom_size[1, 0] = .12   # another box: its corners lie elsewhere on the floor
    found = pose_contacts.compare(ours, official, "standing")[1]
    assert found and found[0].geoms == (0, 1)
    assert "floor and box (plane-box): a point lies 0.02 m" in found[0].text(official)


def test_random_poses_keep_to_the_limits():
    model = mujoco.MjModel.from_xml_string(STANDING)
    found = [qpos[7] for qpos in pose_contacts.poses(model, "standing", 20)]
    assert min(found) >= 0 and max(found) <= np.pi / 2 and len(set(found)) == 21


@pytest.mark.parametrize("dist,pos,words", [([-.1], [[0, 0, 0]], "1 contacts against 2"), ([-.1, -.2], [[0, 0, 0], [1, 0, 0]], "depth 0.2 against 0.1"),
                                           ([-.1, -.1], [[0, 0, 0], [0, 0, 0]], "a point lies 1 m"), ([-.1, -.1], [[1, 0, 0], [0, 0, 0]], "")])
def test_number_depth_and_place_are_distinguished(dist, pos, words):
    official = Contacts(np.array([-.1, -.1]), np.array([[0., 0, 0], [1, 0, 0]]), np.tile([0., 0, 1], (2, 1)))
    mine = Contacts(np.array(dist), np.array(pos, float), np.tile([0., 0, 1], (len(dist), 1)))
    found = pose_contacts.difference(mine, official, 1.0)
    assert found.startswith(words) and bool(found) == bool(words)
    assert pose_contacts.difference(NONE, official, 1.0) == "0 contacts against 2"
