"""Models that come with packages from PyPI: every one loads as the official compiler has it, or is refused with its place."""
from pathlib import Path

import dm_control
import gymnasium
import mujoco
import numpy as np
import pytest

import physics
from tests.oracle.compiled import compare_compiled

FOLDERS = (Path(dm_control.__file__).parent / "suite", Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets")
FILES = [path for folder in FOLDERS for path in sorted(folder.glob("*.xml"))]
STEPS = 20


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def test_the_packages_bring_models_that_run():
    running = 0
    for path in FILES:
        try:
            running += not physics.load(path).view_only
        except physics.ModelError:
            continue
    assert len(FILES) >= 30 and running >= 20


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_loads_like_the_official_one_or_says_where_not(path):
    try:
        model = physics.load(path)
    except physics.ModelError as error:
        for issue in error.issues:
            assert issue.what and issue.place is not None and issue.place.line >= 1, issue
        return
    if model.view_only:   # what only the dynamics need may be left out
        assert all(issue.what and issue.place.line >= 1 for issue in model.view_only)
        return
    official = mujoco.MjModel.from_xml_path(str(path))
    _checked, off = compare_compiled(model, official)
    assert off == {}
    ours, theirs = physics.Data(model), mujoco.MjData(official)
    for each in (model, official):
        each.opt.tolerance = 0
    for _ in range(STEPS):
        physics.step(model, ours)
        mujoco.mj_step(official, theirs)
    assert np.allclose(ours.qpos, theirs.qpos, rtol=0, atol=1e-7)
