"""Global coordinates: a model written in the world's frame is the one written in local frames.

The literal numbers are those of MuJoCo 2.3.3, the last version that read this; the others come from the official compiler (4.0) reading the
same mechanism in local coordinates.
"""
import mujoco
import numpy as np
import pytest

from physics import ModelError, load_string
from tests.physics.compiler.random_trees import random_tree

BOX = '<geom pos="1 0 1" size=".1 .2 .3" type="box" quat="1 1 0 0"/>'
TURNED = 'pos="1 2 3" euler="0 0 90"'
R = 0.7071067811865476


def model(body, rest="", compiler=""):
    return f'<mujoco><compiler coordinate="global" {compiler}/><worldbody>{body}</worldbody>{rest}</mujoco>'


def text(values) -> str:
    return " ".join(repr(float(v)) for v in np.ravel(values))


def quat(mat) -> np.ndarray:
    found = np.zeros(4)
    mujoco.mju_mat2Quat(found, np.ravel(mat))
    return found


def in_the_world(local: str) -> tuple[str, mujoco.MjModel]:
    """The same mechanism in global coordinates, and the official model of the local text."""
    m = mujoco.MjModel.from_xml_string(local)
    d = mujoco.MjData(m)
    d.qpos[:] = m.qpos0
    mujoco.mj_kinematics(m, d)
    mujoco.mj_camlight(m, d)
    types = {int(value): name[7:].lower() for name, value in mujoco.mjtGeom.__members__.items() if name.startswith("mjGEOM_")}
    inside: list[list[str]] = [[] for _ in range(m.nbody)]
    for j in range(m.njnt):
        kind = ("free", "ball", "slide", "hinge")[m.jnt_type[j]]
        inside[m.jnt_bodyid[j]].append(f'<joint type="{kind}" pos="{text(d.xanchor[j])}" axis="{text(d.xaxis[j])}"/>')
    for g in range(m.ngeom):
        inside[m.geom_bodyid[g]].append(
            f'<geom type="{types[m.geom_type[g]]}" size="{text(m.geom_size[g])}" pos="{text(d.geom_xpos[g])}" quat="{text(quat(d.geom_xmat[g]))}"/>')
    for s in range(m.nsite):
        inside[m.site_bodyid[s]].append(f'<site pos="{text(d.site_xpos[s])}" quat="{text(quat(d.site_xmat[s]))}"/>')
    for c in range(m.ncam):
        inside[m.cam_bodyid[c]].append(f'<camera pos="{text(d.cam_xpos[c])}" quat="{text(quat(d.cam_xmat[c]))}"/>')
    for b in range(m.nbody - 1, 0, -1):
        inertial = f'<inertial pos="{text(d.xipos[b])}" quat="{text(quat(d.ximat[b]))}" mass="{float(m.body_mass[b])!r}" diaginertia="{text(m.body_inertia[b])}"/>'
        whole = f'<body pos="{text(d.xpos[b])}" quat="{text(d.xquat[b])}">{inertial}{"".join(inside[b])}</body>'
        inside[m.body_parentid[b]].insert(0, whole)
    return model("".join(inside[0])), m


def same_turn(ours, theirs) -> bool:
    """Whether quaternions are the same turns; their signs may differ."""
    return bool(np.allclose(np.abs(np.sum(ours * theirs, axis=1)), 1, atol=1e-9)) if len(ours) else not len(theirs)


@pytest.mark.parametrize("seed", range(12))
def test_the_local_model_comes_out(seed):
    world, m = in_the_world(random_tree(200 + seed))
    ours = load_string(world)
    for field in ("body_pos", "body_ipos", "body_mass", "body_inertia", "geom_pos", "site_pos", "cam_pos", "jnt_pos"):
        assert np.allclose(getattr(ours, field), getattr(m, field), atol=1e-9), field
    hinges = m.jnt_type > int(mujoco.mjtJoint.mjJNT_BALL)
    assert np.allclose(ours.jnt_axis[hinges], m.jnt_axis[hinges], atol=1e-9)
    for field in ("body_quat", "body_iquat", "geom_quat", "site_quat", "cam_quat"):
        assert same_turn(getattr(ours, field), getattr(m, field)), field


# body text -> {field: rows of MuJoCo 2.3.3, the world's left out}
LITERAL = {
    f"<body>{BOX}</body>": {"body_pos": [[1, 0, 1]], "body_quat": [[R, R, 0, 0]], "geom_pos": [[0, 0, 0]], "geom_quat": [[1, 0, 0, 0]]},
    f'<body euler="0 0 90">{BOX}</body>': {"body_pos": [[1, 0, 1]], "body_quat": [[R, R, 0, 0]]},
    f'<body><inertial pos="0 0 1" mass="1" diaginertia="1 1 1" euler="0 30 0"/>{BOX}</body>': {
        "body_pos": [[0, 0, 1]], "body_quat": [[0.9659258, 0, 0.2588190, 0]], "geom_pos": [[0.8660254, 0, 0.5]], "body_ipos": [[0, 0, 0]]},
    f"<body {TURNED}/>": {"body_pos": [[1, 2, 3]], "body_ipos": [[0, 0, 0]], "body_iquat": [[1, 0, 0, 0]]},
    f'<body {TURNED}>{BOX}<joint pos="1 0 0" axis="1 0 0"/><joint axis="0 1 1"/><site pos="1 2 3"/><site/><light pos="1 2 2" dir="1 0 0"/></body>': {
        "geom_pos": [[-2, 0, -2]], "geom_quat": [[.5, .5, -.5, -.5]], "jnt_pos": [[-2, 0, -3], [-2, 1, -3]], "jnt_axis": [[0, -1, 0], [R, 0, R]],
        "site_pos": [[0, 0, 0], [-2, 1, -3]], "light_pos": [[0, 0, -1]], "light_dir": [[0, 1, 0]], "qpos0": [0, 0]},
    f"<body {TURNED}>{BOX}<freejoint/></body>": {"jnt_pos": [[0, 0, 0]], "qpos0": [1, 2, 3, R, 0, 0, R]},
    f'<body {TURNED}><geom type="capsule" size=".1" fromto="1 2 3 1 2 4"/></body>': {"geom_pos": [[0, 0, .5]]},
    f'<body>{BOX}<joint/><body>{BOX.replace("1 0 1", "2 0 1")}<joint/></body></body>': {
        "body_pos": [[1, 0, 1], [1, 0, 0]], "jnt_pos": [[-1, -1, 0], [-2, -1, 0]], "jnt_axis": [[0, 1, 0], [0, 1, 0]]},
    f'{BOX}<site pos="1 1 1"/>': {"geom_pos": [[1, 0, 1]], "site_pos": [[1, 1, 1]]},
}


@pytest.mark.parametrize("body", LITERAL)
def test_as_in_the_last_version_that_had_it(body):
    ours = load_string(model(body))
    for field, rows in LITERAL[body].items():
        found = getattr(ours, field)
        assert np.allclose(found[1:] if field.startswith("body") else found, rows, atol=1e-6), field


def test_anchors_are_world_points():
    one, two = (f'<body name="{name}" {pose}>{BOX}<joint/></body>' for name, pose in (("a", TURNED), ("b", 'pos="3 2 3" euler="0 0 90"')))
    ours = load_string(model(one + two, '<equality><connect body1="a" body2="b" anchor="1 1 1"/><weld body1="a" body2="b"/></equality>'))
    assert np.allclose(ours.eq_data[0, :6], [-1, 0, -2, -1, 2, -2])
    assert np.allclose(ours.eq_data[1, :10], [-2, 3, -3, -2, 1, -3, 1, 0, 0, 0])


@pytest.mark.parametrize("body, words", [
    ("<body/>", "needs a position, an inertia or a geom"),
    ('<body><site pos="1 1 1"/></body>', "needs a position"),
    (f"<frame>{BOX}</frame>", "<frame> cannot be used with global"),
])
def test_what_cannot_be_read(body, words):
    with pytest.raises(ModelError, match=words):
        load_string(model(body))
