"""Whole models written and read back: all of ours and a share of the corpus (all of it, and the wheels: tests/long/roundtrip.py)."""
import mujoco
import pytest

import physics
from tests.oracle.corpus import OURS, corpus_file
from tests.physics.writer.round_trip import official_off, ours_off

CORPUS = ("mj_humanoid/humanoid.xml", "dm_control_suite/quadruped.xml", "dm_control_suite/ball_in_cup.xml", "legacy_composite/expanded_cloth.xml",
          "derived_car_hfield/car_hfield.xml", "mj_slider_crank/slider_crank.xml", "mj_balloons/balloons.xml", "mj_car/car.xml",
          "menagerie_wonik_allegro/right_hand.xml", "urdf_r2d2/r2d2.urdf")


def lost(path) -> dict:
    """What differs when a file's model is written and compiled again."""
    model = physics.load(path)
    text = physics.to_mjcf(model)
    again = physics.load_string(text)
    off = {"ours": ours_off(model, again),
           "official": official_off(mujoco.MjModel.from_xml_path(str(path)), mujoco.MjModel.from_xml_string(text)),
           "text": "" if physics.to_mjcf(again) == text else "the second text differs from the first"}
    return {where: what for where, what in off.items() if what}


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.name)
def test_models_of_ours_come_back(path):
    assert lost(path) == {}


@pytest.mark.parametrize("name", CORPUS)
def test_models_of_the_corpus_come_back(name):
    assert lost(corpus_file(name)) == {}
