"""Strings around spheres and cylinders, and the paths of spatial tendons, against the official engine."""
import mujoco
import numpy as np
import pytest

from physics.engine import forward as stages
from physics.engine.tendon.wrap import NO_SIDE, NO_WRAP, WINDING, wrap
from physics.model.data import Data
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, randomize, take_state

ONE = """<mujoco><worldbody><site name="a"/><site name="b"/><site name="s"/><body><freejoint/><geom name="g" type="{kind}" size=".3 .4"/></body></worldbody>
  <tendon><spatial><site site="a"/><geom geom="g"{side}/><site site="b"/></spatial></tendon></mujoco>"""


def official_path(m, d, points, pose):
    m.site_pos[:], d.qpos[:] = points, pose
    mujoco.mj_kinematics(m, d)
    mujoco.mj_comPos(m, d)
    mujoco.mj_tendon(m, d)
    return d.ten_length[0], d.wrap_xpos.reshape(-1, 3)[:d.ten_wrapnum[0]].copy()


@pytest.mark.parametrize("kind", ["sphere", "cylinder"])
@pytest.mark.parametrize("side", ["", ' sidesite="s"'])
def test_wrapping_at_random_points(kind, side):
    m = mujoco.MjModel.from_xml_string(ONE.format(kind=kind, side=side))
    m.site_sameframe[:] = 0  # they are moved below
    d, rng = mujoco.MjData(m), np.random.default_rng(7)
    wrapped = 0
    for n in range(600):
        points, pose = rng.normal(size=(3, 3)) * 0.6, np.array([0, 0, 0, 1.0, 0, 0, 0])
        points[2] *= (1, 0.25, 0.1)[n % 3]
        if n % 4:
            quat = rng.normal(size=4)
            pose = np.array([*rng.normal(size=3) * 0.1, *quat / np.linalg.norm(quat)])
        elif n % 8:
            points[1] = -points[0] * rng.uniform(0.5, 2)  # through the middle
        length, path = official_path(m, d, points, pose)
        on, first, last = wrap(*map(tuple, points[:2].tolist()), tuple(d.geom_xpos[0].tolist()), tuple(d.geom_xmat[0].tolist()), 0.3, kind == "cylinder",
                               WINDING if side else NO_SIDE, tuple(points[2].tolist()))
        mine = [points[0], points[1]] if on == NO_WRAP else [points[0], first, last, points[1]]
        span = sum(np.linalg.norm(np.subtract(mine[k], mine[k + 1])) for k in range(len(mine) - 1) if k != 1) + max(on, 0)
        assert len(mine) == len(path)
        assert span == pytest.approx(length, rel=1e-11)
        assert np.abs(np.array(mine) - path).max() < 1e-12
        wrapped += on != NO_WRAP
    assert wrapped > 60


@pytest.mark.parametrize("seed", range(3))
def test_paths_are_kept_for_drawing(seed):
    mj = models.official("strung")
    m, mjd = model_from(mj), mujoco.MjData(mj)
    d = Data(m)
    randomize(mj, mjd, seed)
    take_state(d, mjd)
    mujoco.mj_forward(mj, mjd)
    stages.forward(m, d)
    n = int(mjd.ten_wrapadr[-1] + mjd.ten_wrapnum[-1])
    assert list(d.ten_wrapadr) == list(mjd.ten_wrapadr) and list(d.ten_wrapnum) == list(mjd.ten_wrapnum)
    assert list(d.wrap_obj.ravel()[:n]) == list(mjd.wrap_obj.ravel()[:n])
    assert np.abs(d.wrap_xpos.reshape(-1, 3)[:n] - mjd.wrap_xpos.reshape(-1, 3)[:n]).max() < 1e-12
