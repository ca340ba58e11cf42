"""Scenes built by the same code with the official MjSpec and with ours compile to the same numbers."""
import mujoco
import numpy as np
import pytest

from app.mujoco_shim import mujoco as ours
from app.mujoco_shim.mujoco.tables.field_table import MODEL_ARRAYS
from tests.app.mujoco_shim.spec_scenes import SCENES

# the order of a hull's faces, and the colour space of pixels that were given: they are read as a picture here
_SKIPPED = frozenset({"tex_pathadr", "mesh_graph", "tex_colorspace"})


def different(m, n) -> list[str]:
    """Fields in which two models differ, ours and the official one."""
    found = [] if m.names == n.names else ["names"]
    for name in MODEL_ARRAYS:
        if name in _SKIPPED or not hasattr(n, name):
            continue
        mine, official = np.asarray(getattr(m, name)), np.asarray(getattr(n, name))
        if mine.shape != official.shape or not np.allclose(mine, official, rtol=1e-9, atol=1e-10, equal_nan=True):
            found.append(name)
    return found


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_scenes_compile_to_the_same_model(scene):
    assert different(scene(ours).compile(), scene(mujoco).compile()) == []


# pixels of a texture are in no text
@pytest.mark.parametrize("scene", [scene for scene in SCENES[1:8] if scene.__name__ != "shapes"], ids=lambda scene: scene.__name__)
def test_texts_of_scenes_are_read_by_the_official_engine(scene):
    text = scene(ours).to_xml()
    m, n = scene(ours).compile(), mujoco.MjModel.from_xml_string(text)
    assert m.names == n.names
    for name in ("body_pos", "geom_size", "geom_type", "jnt_range", "actuator_gainprm", "sensor_type", "eq_data", "tendon_range"):
        np.testing.assert_allclose(getattr(m, name), getattr(n, name), rtol=1e-4, atol=1e-5, err_msg=name)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_copies_compile_to_the_same_model(scene):
    spec = scene(ours)
    other = spec.copy()
    m = spec.compile()
    spec.delete(spec.bodies[-1])
    assert different(other.compile(), m) == []
