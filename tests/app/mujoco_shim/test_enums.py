"""Enumerations and constants are the official ones, and their members are plain numbers."""
import mujoco
import numpy as np
import pytest

from app.mujoco_shim import mujoco as ours

ENUMS = sorted(name for name in dir(mujoco) if name.startswith(("mjt", "mjr")) and hasattr(getattr(mujoco, name), "__members__"))
CONSTANTS = sorted(name for name in dir(mujoco) if name.startswith("mj") and isinstance(getattr(mujoco, name), int | float | tuple) and not hasattr(getattr(mujoco, name), "__members__"))


def test_all_enumerations_are_there():
    assert len(ENUMS) > 80 and [name for name in ENUMS if not hasattr(ours, name)] == []


@pytest.mark.parametrize("name", ENUMS)
def test_members_and_numbers_are_the_official_ones(name):
    official = {k: int(v.value) for k, v in getattr(mujoco, name).__members__.items()}
    assert {k: int(v) for k, v in getattr(ours, name).__members__.items()} == official


def test_constants_are_the_official_ones():
    assert len(CONSTANTS) > 30
    assert {name: getattr(ours, name) for name in CONSTANTS} == {name: getattr(mujoco, name) for name in CONSTANTS}


def test_members_are_found_among_numbers_of_a_model():
    assert np.int32(3) in (ours.mjtJoint.mjJNT_SLIDE, ours.mjtJoint.mjJNT_HINGE)
    assert ours.mjtGeom(value=100) is ours.mjtGeom.mjGEOM_ARROW and "abc"[ours.mjtGeom.mjGEOM_HFIELD] == "b"
    assert ours.mjtDisableBit.mjDSBL_GRAVITY | ours.mjtDisableBit.mjDSBL_LIMIT == 136
    with pytest.raises(ValueError):
        ours.mjtJoint(1000)
