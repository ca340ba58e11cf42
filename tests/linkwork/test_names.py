"""The module that scripts import."""
import os
import subprocess
import sys

import pytest

import linkwork
import physics


def test_the_names_of_physics_are_there():
    assert linkwork.load is physics.load and linkwork.Data is physics.Data and linkwork.step is physics.step and linkwork.GeomType is physics.GeomType
    assert {"load", "step", "launch", "launch_passive", "show", "init_geom", "VisFlag"} <= set(dir(linkwork))
    assert all(getattr(linkwork, name) is not None for name in dir(linkwork))


def test_a_name_that_is_not_there_says_what_was_meant():
    with pytest.raises(AttributeError, match="module 'linkwork' has no attribute 'launch_pasive'; did you mean 'launch_passive'"):
        linkwork.launch_pasive  # noqa: B018
    with pytest.raises(AttributeError, match="here it is linkwork.step"):
        linkwork.mj_step  # noqa: B018


def test_switches_have_the_official_numbers():
    mujoco = pytest.importorskip("mujoco")
    for ours, theirs, prefix in ((linkwork.VisFlag, mujoco.mjtVisFlag, "mjVIS_"), (linkwork.RenderFlag, mujoco.mjtRndFlag, "mjRND_"),
                                 (linkwork.LabelMode, mujoco.mjtLabel, "mjLABEL_"),
                                 (linkwork.FrameMode, mujoco.mjtFrame, "mjFRAME_"), (linkwork.GridPos, mujoco.mjtGridPos, "mjGRID_"),
                                 (linkwork.CameraType, mujoco.mjtCamera, "mjCAMERA_")):
        official = {name.removeprefix(prefix).replace("_", "").lower(): int(value) for name, value in theirs.__members__.items()}
        for member in ours:
            assert official.get(member.name.replace("_", "").lower(), int(member)) == int(member), member
        assert len(set(map(int, ours)) & set(official.values())) >= len(ours) - 1


def test_the_module_is_the_command_too():
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    done = subprocess.run([sys.executable, "-m", "linkwork", "--help"], capture_output=True, text=True, check=True, env=env)
    assert "linkwork arm.xml" in done.stdout
