"""Mirror images: where things are in the world is reflected, coordinates of joints keep their meaning, and the official compiler agrees."""
import numpy as np
import pytest

import physics
from editor.structure.draft import Refusal
from editor.structure.mirror import mirror
from tests.editor.structure.versions import after, agrees_officially, compiled, of, one, opened
from tests.oracle.corpus import corpus_file

TEXT = """<mujoco>
  <compiler angle="radian" eulerseq="zyx"/>
  <worldbody>
    <body name="trunk" pos="0 0 1">
      <geom name="trunk" size=".1"/>
      <body name="thigh_left" pos=".1 .2 -.1" euler=".1 .2 .3">
        <joint name="hip_left" axis="1 2 3" range="-.5 1"/>
        <geom name="thigh_left" type="capsule" fromto="0 .1 0 .3 .2 .1" size=".03"/>
        <body name="shin_left" pos=".3 .2 .1" xyaxes="0 1 0 -1 0 .3">
          <joint name="knee_left" type="slide" axis=".2 .4 .6" pos=".01 .02 .03"/>
          <inertial pos=".1 .2 .3" mass="1" fullinertia=".03 .04 .05 .001 .002 -.003"/>
          <geom name="shin_left" type="box" size=".1 .02 .03" axisangle="1 1 0 .4" pos="0 .1 0"/>
          <site name="foot_left" pos=".1 .05 .2" zaxis="1 2 3"/>
          <light name="lamp_left" pos="0 .1 .1" dir="1 2 3"/>
          <body name="ball_left" pos="0 .3 0"><joint name="ball_left" type="ball"/><geom name="ball_left" size=".05" pos=".02 .03 .04"/></body>
        </body>
      </body>
    </body>
  </worldbody>
  <contact><exclude name="ex_left" body1="trunk" body2="thigh_left"/></contact>
  <actuator><position name="hip_left" joint="hip_left" kp="3"/><general name="foot_left" site="foot_left" gear="1 2 3 4 5 6"/></actuator>
  <sensor><jointpos name="hip_left" joint="hip_left"/><accelerometer name="acc_left" site="foot_left"/></sensor>
  <keyframe><key name="k" qpos=".1 .2 1 0 0 0" ctrl=".3 .4"/></keyframe>
</mujoco>
"""


@pytest.mark.parametrize("axis", "xyz")
@pytest.mark.parametrize("crlf", [False, True])
def test_the_image_is_a_reflection_in_every_pose(axis, crlf, tmp_path):
    version = of(TEXT.replace("\n", "\r\n") if crlf else TEXT)
    new = after(version, mirror(version, [one(version, "body", "thigh_left")], axis))
    m = compiled(new)
    physics.ensure_kernels()
    d = physics.Data(m)
    s = np.ones(3)
    s["xyz".index(axis)] = -1
    rng = np.random.default_rng(3)
    for _ in range(5):
        for side in ("left", "right"):
            joint = m.id("joint", f"hip_{side}")
            d.qpos[m.jnt_qposadr[joint]] = 0.7
            d.qpos[m.jnt_qposadr[m.id("joint", f"knee_{side}")]] = 0.2
        d.qpos[m.jnt_qposadr[m.id("joint", "hip_left")]] = d.qpos[m.jnt_qposadr[m.id("joint", "hip_right")]] = rng.normal()
        physics.forward(m, d)
        trunk = d.xpos[m.id("body", "trunk")]
        for pos, kind, names in ((d.xpos, "body", ("thigh", "shin", "ball")), (d.geom_xpos, "geom", ("thigh", "shin", "ball")), (d.site_xpos, "site", ("foot",)),
                                 (d.xipos, "body", ("thigh", "shin")),
                                 (d.light_xpos, "light", ("lamp",)), (d.xanchor, "joint", ("hip", "knee"))):
            for name in names:
                left, right = (pos[m.id(kind, f"{name}_{side}")] - trunk for side in ("left", "right"))
                assert np.allclose(left * s, right, atol=1e-12), (kind, name)
        for name in ("lamp",):
            assert np.allclose(d.light_xdir[m.id("light", f"{name}_left")] * s, d.light_xdir[m.id("light", f"{name}_right")], atol=1e-12)
    assert np.allclose(m.body_mass[m.id("body", "shin_left")], m.body_mass[m.id("body", "shin_right")])
    assert np.allclose(m.body_inertia[m.id("body", "shin_left")], m.body_inertia[m.id("body", "shin_right")], rtol=1e-12)
    assert np.array_equal(m.jnt_range[m.id("joint", "hip_left")], m.jnt_range[m.id("joint", "hip_right")])
    assert {"hip_right", "foot_right"} <= set(m.names["actuator"]) and {"hip_right", "acc_right"} <= set(m.names["sensor"]) and m.nexclude == 2
    key = {name: m.key_qpos[0][m.jnt_qposadr[j]] for j, name in enumerate(m.names["joint"])}
    assert (key["hip_left"], key["knee_left"], key["hip_right"]) == (.1, .2, 0) and m.key_ctrl[0].tolist() == [.3, .4, 0, 0]
    assert not crlf or "\n" not in new.texts["/m/main.xml"].replace("\r\n", "")
    agrees_officially(new, pytest.importorskip("mujoco"), tmp_path)


@pytest.mark.parametrize("axis", "xyz")
def test_twice_in_place_is_as_before(axis):
    version = of(TEXT)
    there = after(version, mirror(version, [one(version, "body", "thigh_left")], axis, copy=False))
    back = after(there, mirror(there, [one(there, "body", "thigh_left")], axis, copy=False))
    a, image, b = compiled(version), compiled(there), compiled(back)
    for field in ("body_pos", "jnt_axis", "geom_pos", "site_pos", "light_dir", "body_ipos"):
        assert not np.allclose(getattr(a, field), getattr(image, field), atol=1e-3), field
        assert np.allclose(getattr(a, field), getattr(b, field), atol=1e-13), field
    turned = np.abs(np.sum(a.body_quat * image.body_quat, axis=1))        # 1: the same turn, whatever the sign of its quaternion
    assert turned.min() < 0.999 and np.allclose(np.abs(np.sum(a.body_quat * b.body_quat, axis=1)), 1, atol=1e-13)


def test_small_inertias_keep_their_digits():
    """Of a part of a millimetre: moments are far below 1, and those off the diagonal count."""
    moments = [1.2345678e-13, 2.3456789e-13, 2.5e-13, 1.2345678e-15, -2.2345678e-15, 3.2345678e-16]
    version = of("<mujoco><worldbody><body name='a_left'><joint/><inertial pos='0 0 0' mass='1e-6' fullinertia='" + " ".join(map(str, moments)) + "'/></body></worldbody></mujoco>")
    new = after(version, mirror(version, [one(version, "body")], "x"))
    image = [e for e in new.root.walk() if e.tag == "inertial"][1]
    assert list(map(float, image.attrs["fullinertia"].split())) == [*moments[:3], -moments[3], -moments[4], moments[5]]


def test_dynamics_are_mirrored_too():
    """Joint accelerations of both sides are the same, with gravity in the plane."""
    version = of(TEXT)
    m = compiled(after(version, mirror(version, [one(version, "body", "thigh_left")], "y", users=False)))
    physics.ensure_kernels()
    d = physics.Data(m)
    physics.forward(m, d)
    for name in ("hip", "knee"):
        left, right = (d.qacc[m.jnt_dofadr[m.id("joint", f"{name}_{side}")]] for side in ("left", "right"))
        assert left == pytest.approx(right, rel=1e-9)


@pytest.mark.parametrize("axis", "xyz")
def test_actuators_with_a_direction_act_in_the_mirrored_one(axis):
    """With the same controls both sides are pushed and turned as images of each other, also by a gear that nobody has written."""
    version = of("""<mujoco><option gravity="0 0 0"><flag contact="disable"/></option><worldbody>
<body name="ball_left"><joint name="ball_left" type="ball"/><geom size=".1 .2 .3" type="ellipsoid" pos=".1 .2 .3"/></body>
<body name="free_left"><freejoint name="free_left"/><geom size=".1 .2 .3" type="ellipsoid"/><site name="s_left" pos=".1 0 .2" euler="10 20 30"/></body>
</worldbody><actuator><motor name="a_left" joint="ball_left" gear="1 2 3"/><motor name="b_left" joint="ball_left"/><motor name="c_left" joint="free_left" gear="1 2 3 4 5 6"/>
<motor name="d_left" site="s_left"/></actuator></mujoco>""")
    m = compiled(after(version, mirror(version, [one(version, "body", "ball_left"), one(version, "body", "free_left")], axis)))
    physics.ensure_kernels()
    s = np.ones(3)
    s["xyz".index(axis)] = -1
    for name in "abcd":
        d = physics.Data(m)
        for side in ("left", "right"):
            d.ctrl[m.id("actuator", f"{name}_{side}")] = 1.0
        physics.forward(m, d)
        for joint in ("ball", "free"):
            left, right = (d.qacc[m.jnt_dofadr[m.id("joint", f"{joint}_{side}")]:][:3 if joint == "ball" else 6] for side in ("left", "right"))
            assert np.allclose(right[-3:], -s * left[-3:], atol=1e-9) and (joint == "ball" or np.allclose(right[:3], s * left[:3], atol=1e-9)), (name, joint)


def test_meshes_get_mirrored_twins(tmp_path):
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    (tmp_path / "main.xml").write_text('<mujoco><asset><mesh name="part" file="part.obj" scale=".1 .1 .1"/></asset><worldbody><body name="arm_l" pos="0 1 0" euler="10 20 30">'
                                       '<joint name="j_l"/><geom name="g_l" type="mesh" mesh="part" pos=".1 .2 .3"/></body></worldbody></mujoco>')
    version = opened(tmp_path / "main.xml")
    new = after(version, mirror(version, [one(version, "body", "arm_l")], "y"))
    m = compiled(new)
    physics.ensure_kernels()
    d = physics.Data(m)
    physics.forward(m, d)
    s = np.array([1, -1, 1])
    def points(name):
        g = m.id("geom", name)
        k = m.geom_dataid[g]
        v = m.mesh_vert[m.mesh_vertadr[k]:m.mesh_vertadr[k] + m.mesh_vertnum[k]]
        return v @ d.geom_xmat[g].reshape(3, 3).T + d.geom_xpos[g]
    left, right = points("g_l") * s, points("g_r")
    assert np.allclose(np.array(sorted(left.tolist())), np.array(sorted(right.tolist())), atol=1e-6)
    agrees_officially(new, pytest.importorskip("mujoco"), tmp_path)


def heights(m, name: str, points: np.ndarray) -> np.ndarray:
    """Heights (n) in the world of a height field's geom above points of a plane of its own frame (n, 2), taken at the nearest of its columns."""
    d = physics.Data(m)
    physics.forward(m, d)
    g = m.id("geom", name)
    k = m.geom_dataid[g]
    rows, columns, (x, y, up) = m.hfield_nrow[k], m.hfield_ncol[k], m.hfield_size[k][:3]
    data = m.hfield_data[m.hfield_adr[k]:m.hfield_adr[k] + rows * columns].reshape(rows, columns)
    own = (points - d.geom_xpos[g]) @ d.geom_xmat[g].reshape(3, 3)
    i, j = np.rint((own[:, 0] / x + 1) / 2 * (columns - 1)).astype(int), np.rint((own[:, 1] / y + 1) / 2 * (rows - 1)).astype(int)
    return data[j, i] * up


HILLS = """<mujoco><asset><hfield name="hill_left" nrow="2" ncol="3" size="1 2 .5 .1" elevation="0 1 4 2 3 5"/>
<hfield name="ridge" nrow="2" ncol="3" size="1 2 .5 .1" elevation="0 1 0 2 3 2"/>
<hfield name="flat" nrow="3" ncol="3" size="1 1 .5 .1"/></asset>
<worldbody><frame><geom name="g_left" type="hfield" hfield="{}" pos=".3 5 0" euler="0 0 30"/></frame></worldbody></mujoco>"""


@pytest.mark.parametrize("axis", (0, 1))
def test_height_fields_get_mirrored_twins(axis):
    physics.ensure_kernels()
    version = of(HILLS.format("hill_left"))
    new = after(version, mirror(version, [one(version, "geom")], "xyz"[axis]))
    m = compiled(new)
    assert m.names["hfield"] == ("hill_left", "hill_right", "ridge", "flat")
    d = physics.Data(m)
    physics.forward(m, d)
    g = m.id("geom", "g_left")
    own = np.array([(x, y, 0.0) for x in (-1, 0, 1) for y in (-2, 2)])
    points = own @ d.geom_xmat[g].reshape(3, 3).T + d.geom_xpos[g]
    s = np.ones(3)
    s[axis] = -1
    assert np.ptp(heights(m, "g_left", points)) > 0.4 and np.allclose(heights(m, "g_left", points), heights(m, "g_right", points * s))
    again = after(new, mirror(new, [one(new, "geom", "g_right")], "xyz"[axis]))
    assert len(compiled(again).names["hfield"]) == 4 and compiled(again).geom_dataid[2] == m.geom_dataid[0]


def test_height_fields_that_are_their_own_image_stay_and_those_of_files_are_refused():
    for name in ("ridge", "flat"):
        version = of(HILLS.format(name))
        assert "hill_right" not in after(version, mirror(version, [one(version, "geom")], "x")).texts["/m/main.xml"]
    version = of('<mujoco><asset><hfield name="h" file="h.png" size="1 1 1 1"/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>')
    with pytest.raises(Refusal, match="of a file"):
        mirror(version, [one(version, "geom")])


def test_what_has_no_image_is_refused():
    version = of("<mujoco><worldbody><body name='b'><replicate count='2' offset='1 0 0'><geom size='.1'/></replicate></body></worldbody><option/></mujoco>")
    for what in (("body", "b"), ("option", None), ("worldbody", None)):
        with pytest.raises(Refusal):
            mirror(version, [one(version, *what)])


def test_an_arm_of_a_robot_that_people_have():
    version = opened(corpus_file("menagerie_trs_so_arm100/so_arm100.xml"))
    bodies = [e for e in version.root.walk() if e.tag == "body"]
    new = after(version, mirror(version, [bodies[1].id], "y"))
    a, b = compiled(version), compiled(new)
    assert b.njnt > a.njnt and b.nu > a.nu and all(len(q) == b.nq for q in b.key_qpos)
