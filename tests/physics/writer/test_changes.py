"""What is changed in a model after it was compiled is in its text: field by field, read by us and by the official compiler."""
import dataclasses
from functools import cache

import mujoco
import numpy as np
import pytest

import physics
from physics.writer.mjcf import written
from tests.oracle.compare import rel
from tests.oracle.compiled import official_fields
from tests.physics.writer.changed import CHANGE, FREE, FREE_QPOS, LEFT, TEXT, changed

# fields of floating point whose changes no text keeps, by reason
COMPUTED = frozenset({   # the compiler works them out from other fields
    "body_subtreemass", "body_invweight0", "body_margin", "dof_invweight0", "dof_M0", "dof_length", "geom_aabb", "geom_rbound", "bvh_aabb",
    "cam_poscom0", "cam_pos0", "cam_mat0", "light_poscom0", "light_pos0", "light_dir0", "tendon_length0", "tendon_invweight0",
    "actuator_acc0", "actuator_length0", "mesh_polynormal",
})
FROM_SOURCE = frozenset({   # a mesh is written as its source has it; the writer warns
    "mesh_vert", "mesh_normal", "mesh_scale", "mesh_pos", "mesh_quat",
})
NOT_KEPT = COMPUTED | FROM_SOURCE


@cache
def model() -> physics.Model:
    return physics.load_string(TEXT)


def fields() -> list[str]:
    """Every field of floating point that the model has numbers in."""
    return [name for name in model().fields() if np.asarray(getattr(model(), name)).dtype.kind == "f" and np.size(getattr(model(), name))]


def with_change(name: str) -> physics.Model:
    """The model with one field changed."""
    other = physics.load_string(TEXT)
    value = np.asarray(getattr(other, name))
    new = changed(name, value)
    assert not np.array_equal(new, value), "nothing was changed"
    setattr(other, name, new if value.ndim else float(new))
    return other


def official(text: str) -> dict:
    model = mujoco.MjModel.from_xml_string(text)
    return {name: np.array(value) for name, value in official_fields(model).items()}   # copies: some of its arrays do not keep it alive


def after(name: str, text: str) -> list[np.ndarray]:
    """A field of what a text is compiled to, ours and, unless it is an option of an engine that the official one has not, the official one."""
    ours = np.asarray(getattr(physics.load_string(text), name))
    if name.startswith("opt_hard_"):
        return [ours]
    theirs = official(text)
    return [ours, theirs[name] if name in theirs else theirs[name.replace("_", ".", 1)]]


def without_left(name: str, value: np.ndarray) -> np.ndarray:
    """A field's values without those that no text can say; what of them follows from others (in eq_data) may well be another."""
    value = np.array(value, float)
    if name == "eq_data":
        for where in (where for field, where, _ in LEFT if field == name):
            value[where] = 0
    return value


@pytest.mark.parametrize("name", [name for name in fields() if name not in NOT_KEPT])
def test_a_changed_field_is_written(name):
    other = with_change(name)
    for value in after(name, written(other).text):
        assert rel(without_left(name, value.reshape(np.shape(getattr(other, name)))), without_left(name, getattr(other, name))) < 1e-9


WHOLE = (   # switches and whole numbers that MJCF gives one by one; another value is one more, or the opposite
    "actuator_actearly", "actuator_group", "cam_output", "cam_projection", "cam_resolution", "eq_active0", "geom_castshadow", "geom_conaffinity",
    "geom_contype", "geom_condim", "geom_group", "geom_priority", "jnt_actgravcomp", "jnt_group", "light_active", "light_castshadow", "mat_texuniform",
    "opt_ccd_iterations", "opt_cone", "opt_disableactuator", "opt_disableflags", "opt_enableflags", "opt_integrator", "opt_iterations",
    "opt_ls_iterations", "opt_noslip_iterations", "opt_sdf_initpoints", "opt_sdf_iterations", "pair_dim", "site_group", "skin_group", "tendon_group",
)
LIMITS = ("jnt_limited", "jnt_actfrclimited", "tendon_limited", "tendon_actfrclimited", "actuator_ctrllimited", "actuator_forcelimited", "actuator_actlimited")


@pytest.mark.parametrize("name", [*WHOLE, *LIMITS])
def test_a_changed_switch_or_whole_number_is_written(name):
    other = physics.load_string(TEXT)
    value = np.asarray(getattr(other, name))
    new = np.zeros_like(value) if name in LIMITS else ~value if value.dtype == bool else value + 1
    if name in ("geom_condim", "pair_dim"):
        new = np.full_like(value, 4)
    assert (new != value).any()
    setattr(other, name, new if value.ndim else int(new))
    for read in after(name, written(other).text):
        assert np.array_equal(np.ravel(read), np.ravel(getattr(other, name)))


@pytest.mark.parametrize("name", sorted(COMPUTED))
def test_what_the_compiler_works_out_is_not_written(name):
    assert written(with_change(name)).text == written(model()).text


@pytest.mark.parametrize("name", sorted(FROM_SOURCE))
def test_a_mesh_is_written_as_its_source_has_it_with_a_warning(name):
    assert any("its data was changed" in warning for warning in written(with_change(name)).warnings)


@pytest.mark.parametrize(("name", "where", "said"), [
    ("body_pos", FREE, "as in qpos0"), ("body_quat", FREE, "as in qpos0"), ("qpos_spring", FREE_QPOS, "qpos_spring"), ("cam_fovy", slice(1, 2), "cam_fovy"),
    ("eq_data", (0, slice(3, 6)), "second anchor"),
])
def test_what_no_text_can_express_is_reported(name, where, said):
    other = physics.load_string(TEXT)
    assert not written(other).warnings
    getattr(other, name)[where] += 0.25
    assert any(said in warning for warning in written(other).warnings)


def test_the_tables_of_what_is_not_kept_name_fields():
    assert {*NOT_KEPT, *(field for field, _, _ in LEFT)} <= set(fields())
    assert all(why for _, _, why in LEFT)


GROUPS = [group.name for group in dataclasses.fields(physics.load_string("<mujoco/>").vis)]


@pytest.mark.parametrize("group", GROUPS)
def test_changed_picture_settings_are_written(group):
    other = physics.load_string(TEXT)
    part = getattr(other.vis, group)
    for field in dataclasses.fields(part):
        value = getattr(part, field.name)
        if isinstance(value, tuple):
            setattr(part, field.name, tuple(np.float32(x * 0.9 + 0.01).item() for x in value))
        else:
            setattr(part, field.name, np.float32(value * CHANGE).item() if isinstance(value, float) else value)
    text = written(other).text
    ours, theirs = getattr(physics.load_string(text).vis, group), official(text)
    for field in dataclasses.fields(part):
        value = getattr(part, field.name)
        assert getattr(ours, field.name) == value
        said = np.ravel(theirs[f"vis.{group}.{field.name}"])
        assert np.array_equal(said, np.ravel(value)) or (said.size == 0 and field.name.startswith("bv")), field.name   # which its binding cannot show


# equality constraints, whose numbers follow from the initial pose unless they are changed

WELDS = """<mujoco><worldbody><body name="a" pos="1 2 3" euler="10 20 30"><joint name="j" ref="20" pos=".1 .2 .3"/><geom size=".1"/><body name="c" pos="0 0 1" euler="40 0 0">
<joint type="ball"/><geom size=".1"/></body></body><body name="b" pos="0 0 1" euler="0 0 50"><freejoint/><geom size=".1"/></body></worldbody><equality><weld body1="a" body2="b"/>
<weld body1="c" body2="b" anchor="1 2 3" torquescale="2"/><weld body1="a" relpose="1 2 3 0 1 0 0"/><weld body1="c"/>
<connect body1="c" body2="b" anchor="1 2 3"/></equality></mujoco>"""


def both(text: str) -> list[np.ndarray]:
    return [physics.load_string(text).eq_data, mujoco.MjModel.from_xml_string(text).eq_data]


def test_what_follows_from_the_initial_pose_is_left_to_it():
    text = physics.to_mjcf(physics.load_string(WELDS))
    assert text.count("relpose=") == 1
    for data in both(text):
        assert rel(data, mujoco.MjModel.from_xml_string(WELDS).eq_data) < 1e-9


@pytest.mark.parametrize(("weld", "columns"), [(weld, columns) for weld in range(4) for columns in (slice(0, 3), slice(3, 6), slice(6, 10), slice(10, 11))])
def test_the_changed_pose_of_a_weld_is_written(weld, columns):
    other = physics.load_string(WELDS)
    other.eq_data[weld, columns] += (0.1, 0.2, 0.3, 0.4)[:columns.stop - columns.start]
    other.eq_data[weld, 6:10] /= np.linalg.norm(other.eq_data[weld, 6:10])
    told = written(other)
    assert not told.warnings
    for data in both(told.text):
        assert np.abs(data[:, :11] - other.eq_data[:, :11]).max() < 1e-12
        assert np.array_equal(np.delete(data[:, 11], weld), np.delete(other.eq_data[:, 11], weld))
    assert physics.to_mjcf(physics.load_string(told.text)) == told.text


def test_a_weld_whose_bodies_were_moved_keeps_its_pose():
    other = physics.load_string(WELDS)
    other.body_pos[1] += 0.5
    other.qpos0[-7:-4] += 0.25
    for data in both(physics.to_mjcf(other)):
        assert np.abs(data[:4, :11] - other.eq_data[:4, :11]).max() < 1e-12


def test_the_changed_anchor_of_a_connect_is_written():
    other = physics.load_string(WELDS)
    other.eq_data[4, :3] += 0.5
    told = written(other)
    assert "second anchor" in told.warnings[0]
    for data in both(told.text):
        assert np.abs(data[4, :3] - other.eq_data[4, :3]).max() < 1e-12
