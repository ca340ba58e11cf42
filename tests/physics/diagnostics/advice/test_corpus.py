"""Robots that stand or hang at rest get no advice; models that have something wrong get theirs."""
import pytest

import physics
from physics.diagnostics.advice.advisor import advise
from physics.model.state_fields import load_keyframe
from tests.oracle.corpus import entry


def advised(name: str, seconds: float = 4.0) -> dict:
    """{kind: Advice} of a model of the corpus from where it begins."""
    row = entry(name)
    m = physics.load(str(row.path))
    physics.ensure_kernels()
    d = physics.Data(m)
    if row.starts_at_key:
        load_keyframe(m, d, 0)
    return {one.kind: one for one in advise(m, d, seconds)}


@pytest.mark.parametrize("name", ["humanoid", "agility_cassie", "shadow_hand", "wonik_allegro", "kuka_iiwa_14", "google_barkour_vb", "hand_manipulate_egg", "iit_softfoot"])
def test_a_robot_at_rest_gets_no_advice(name):
    assert advised(name) == {}


def test_links_of_a_robot_that_lie_inside_each_other():
    found = advised("urdf_laikago")
    assert set(found) == {"deep_contact"} and "FR_hip_motor" in found["deep_contact"].text and "<exclude>" in found["deep_contact"].remedy


def test_a_solver_that_is_given_too_few_iterations():
    found = advised("legacy_hammock")
    assert "all of its 30 iterations" in found["unconverged"].text and "Newton" in found["unconverged"].remedy


def test_couplings_that_are_softer_than_they_say():
    found = advised("dmc_quadruped")
    assert {what.name for what in found["clamped_timeconst"].elements} == {f"coupling_{end}_{side}" for end in ("front", "back") for side in ("left", "right")}
