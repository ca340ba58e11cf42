"""MjModel and MjData have every official field, of the official type and shape."""
import mujoco
import numpy as np
import pytest

from app.mujoco_shim import mujoco as ours
from tests.app.mujoco_shim.models import MODELS

# stored in another way, or of parts that are not here: their sizes are others
OTHER_SHAPE = frozenset(
    "efm_c efm_diag efm_sdiag efm_fluid efm_dofid efm0_dofid efm0_L efm0_L_colind efm0_L_rowadr efm0_L_rownnz efmC_perm names_map plastic key_plastic efc_J_rowsuper "
    "iacc iacc_smooth iefc_D iefc_R iefc_aref iefc_force iefc_frictionloss iefc_id iefc_state iefc_type ifrc_constraint ifrc_smooth efc_AR efc_AR_colind efc_AR_rowadr "
    "efc_AR_rownnz efc_Y efc_Y_colind efc_Y_rowadr efc_Y_rownnz efm_aid efm_ak efm_as efm_ca efm_ck efm_tid efm_tk efm_ts efm_K_rowadr efm_K_rownnz".split())
COMPUTED = ("island_", "map_", "tree_island", "dof_island", "efc_island", "efc_J", "qM")     # worked out at each access


def pair(name: str):
    official = mujoco.MjModel.from_xml_string(MODELS[name])
    mine = ours.MjModel.from_xml_string(MODELS[name])
    d, e = mujoco.MjData(official), ours.MjData(mine)
    mujoco.mj_forward(official, d)
    ours.mj_forward(mine, e)
    return official, mine, d, e


def public(thing) -> list[str]:
    return [name for name in dir(thing) if not name.startswith("_") and name not in ("bind", "bind_scalar")]


@pytest.mark.parametrize("name", MODELS)
def test_fields_have_the_official_types_and_shapes(name):
    official, mine, d, e = pair(name)
    wrong = []
    for theirs, own in ((official, mine), (d, e)):
        for field in public(theirs):
            value, here = getattr(theirs, field), getattr(own, field, None)
            if isinstance(value, np.ndarray):
                if not isinstance(here, np.ndarray):
                    wrong.append((field, "no array"))
                elif here.shape != value.shape and field not in OTHER_SHAPE:
                    wrong.append((field, here.shape, value.shape))
                elif here.dtype != value.dtype:
                    wrong.append((field, here.dtype, value.dtype))
            elif isinstance(value, int | float | bytes) and type(here) is not type(value) and not (isinstance(value, bool) and here in (0, 1)):
                wrong.append((field, type(here), type(value)))
            elif here is None:
                wrong.append((field, "none"))
    assert wrong == []


@pytest.mark.parametrize("name", MODELS)
def test_an_array_is_the_same_object_at_every_access(name):
    _official, mine, _d, e = pair(name)
    for thing in (mine, e):
        for field in public(thing):
            value = getattr(thing, field)
            if isinstance(value, np.ndarray) and not field.startswith(COMPUTED):
                assert getattr(thing, field) is value, field


def test_classes_list_every_field():
    for official, mine in ((mujoco.MjModel, ours.MjModel), (mujoco.MjData, ours.MjData)):
        assert [name for name in public(official) if not hasattr(mine, name)] == []


def test_rows_are_cut_to_those_in_use():
    _official, _mine, d, e = pair("contacts")
    assert len(e.efc_type) == d.nefc == e.nefc and len(e.contact) == d.ncon > 0
    np.testing.assert_allclose(e.efc_pos, d.efc_pos, atol=1e-12)
    np.testing.assert_allclose(e.efc_J, d.efc_J, atol=1e-12)
    np.testing.assert_allclose(np.sort(e.contact.pos, axis=0), np.sort(d.contact.pos, axis=0), atol=1e-12)
