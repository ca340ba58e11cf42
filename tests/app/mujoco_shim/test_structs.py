"""Structs can be made, copied, compared, printed and pickled; MjModel's and MjData's parts are views."""
import copy
import pickle

import mujoco
import numpy as np
import pytest

from app.mujoco_shim import mujoco as ours
from tests.app.mujoco_shim.models import ARM, CONTACTS

KINDS = ("MjOption", "MjWarningStat", "MjTimerStat", "MjSolverStat", "MjContact", "MjStatistic", "MjvPerturb", "MjvCamera", "MjvOption", "MjvGLCamera", "MjvLight", "MjvGeom", "MjvFigure")


def fields(struct) -> dict:
    return {name: getattr(struct, name) for name in dir(struct) if not name.startswith("_") and not callable(getattr(struct, name))}


@pytest.mark.parametrize("name", KINDS)
def test_a_new_one_has_the_official_fields_and_values(name):
    official, mine = fields(getattr(mujoco, name)()), fields(getattr(ours, name)())
    assert set(official) <= set(mine)
    for field, value in official.items():
        if name in ("MjvFigure",) and field.startswith("line"):
            continue
        np.testing.assert_array_equal(mine[field], value, err_msg=field)
        if isinstance(value, np.ndarray):
            assert mine[field].dtype == value.dtype, field


@pytest.mark.parametrize("name", KINDS)
def test_copies_comparison_and_pickles(name):
    kind = getattr(ours, name)
    one, two = kind(), kind()
    field = next(f for f, v in fields(one).items() if isinstance(v, int | float) and not isinstance(v, bool))
    assert one == two and one != 3
    setattr(one, field, 1 if getattr(one, field) != 1 else 2)
    assert one != two and copy.copy(one) == one and copy.deepcopy(one) == one and pickle.loads(pickle.dumps(one)) == one
    copied = copy.copy(one)
    setattr(one, field, 5)
    assert copied != one and f"{field}: 5" in repr(one) and repr(one).startswith(f"<{name}")
    with pytest.raises(TypeError):
        hash(one)
    with pytest.raises(TypeError):
        ours.MjvCamera().fixedcamid = 0.5


def test_options_of_a_model_are_the_models():
    m = ours.MjModel.from_xml_string(ARM)
    opt, gravity = m.opt, m.opt.gravity
    m.opt.timestep = 0.001
    m.opt.gravity = 0.2
    assert m.opt is opt and opt.timestep == m._inner.opt_timestep == 0.001 and gravity.tolist() == [0.2, 0.2, 0.2]
    new = ours.MjOption()
    new.gravity = (0, 0, -1)
    m.opt = new
    assert m.opt == new and gravity.tolist() == [0, 0, -1] and m.opt is opt
    new.timestep = 0.5
    assert m.opt.timestep == 0.002
    m.opt.integrator = ours.mjtIntegrator.mjINT_RK4
    assert m._inner.opt_integrator == 1
    with pytest.raises(AttributeError):
        m.opt.nothing = 1


def test_picture_settings_are_kept_by_copies_and_files(tmp_path):
    m = ours.MjModel.from_xml_string('<mujoco><visual><global fovy="50"/></visual></mujoco>')
    assert m.vis.global_.fovy == 50 and "MjVisual" in repr(m.vis)
    m.vis.global_.fovy = 70
    m.vis.headlight.ambient[:] = 0.5
    other = copy.deepcopy(m)
    assert other.vis == m.vis and other.vis.global_.fovy == 70
    ours.mj_saveLastXML(str(tmp_path / "a.xml"), m)
    again = ours.MjModel.from_xml_path(str(tmp_path / "a.xml"))
    assert again.vis.global_.fovy == 70 and np.allclose(again.vis.headlight.ambient, 0.5)


def test_contacts_are_views_and_their_copies_are_not():
    m = ours.MjModel.from_xml_string(CONTACTS)
    d = ours.MjData(m)
    assert len(d.contact) == 0
    ours.mj_forward(m, d)
    kept = copy.copy(d.contact[0])
    assert d.contact[0].geom1 == 0 and d.contact.geom.shape == (d.ncon, 2) and [c.dist for c in d.contact] == d.contact.dist.tolist()
    d.contact[0].pos[:2] = 55
    d.contact[1].H = np.arange(36.0)
    assert d.contact.pos[0, 0] == 55 and kept.pos[0] != 55 and d.contact[1].H[3] == 3
    assert d.contact == d.contact and d.contact != 5 and d.contact[0].flex.tolist() == [-1, -1]
    with pytest.raises(IndexError):
        d.contact[d.ncon]
