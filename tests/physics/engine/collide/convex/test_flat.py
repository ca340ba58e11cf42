"""All contacts of faces and edges that lie on each other, beside the official engine."""
import mujoco
import numpy as np
import pytest

import physics
from tests.physics.engine.collide import oracle_scene
from tests.physics.engine.collide.convex.flat_poses import apart, laid, points

LOOSE = 2e-3  # officially the line on a cylinder's side starts where the iteration on its curve happened to end


@pytest.fixture(scope="module", autouse=True)
def kernels():
    oracle_scene.ready()


@pytest.mark.parametrize("first,second,margin", [("box", "mesh", 0.0), ("mesh", "mesh", 0.0), ("box", "mesh", 0.02), ("mesh", "mesh", 0.02)])
def test_polytopes_touch_as_officially(first, second, margin):
    """Tilted by up to 4.6 degrees; lying flat, which of the corners the search ends with is left to rounding."""
    differ, many = [], 0
    for d, md, _mm in laid(first, second, 20, 25, 1, margin, tilt=(0.001, 0.08)):
        ours, theirs = points(d), points(md)
        many += len(theirs) > 1
        # officially a rounded margin makes the search stop early
        tolerance = 1e-8 if margin == 0.0 or theirs[:, 0].min(initial=1) > 0.0 else 1e-4
        if apart(ours, theirs) > tolerance:
            differ.append((apart(ours, theirs), md.qpos.tolist()))
    assert many > 250
    assert len(differ) <= (0 if margin == 0.0 else 5), differ[:2]


@pytest.mark.parametrize("first,second", [("box", "mesh"), ("mesh", "mesh")])
def test_flush_faces_touch_as_officially(first, second):
    same = total = 0
    for d, md, _mm in laid(first, second, 20, 20, 4, tilt=(0.0, 0.0)):
        total += 1
        same += apart(points(d), points(md)) < 1e-8
    assert total - same <= 4, total - same


@pytest.mark.parametrize("first,second,share", [
    ("cylinder", "box", 0.97), ("cylinder", "mesh", 0.95), ("cylinder", "cylinder", 0.96), ("capsule", "cylinder", 0.98), ("capsule", "mesh", 0.98),
])
def test_cylinders_and_capsules_touch_nearly_as_officially(first, second, share):
    """The rest: rims, where official points lie along the normal of a face that is not the contact's, and searches on the curve that stop early."""
    same = total = 0
    for d, md, _mm in laid(first, second, 15, 20, 2):
        ours, theirs = points(d), points(md)
        total += 1
        same += apart(ours, theirs) < LOOSE
    assert same >= share * total, same / total


@pytest.mark.parametrize("second", ["box", "mesh", "cylinder"])
def test_caps_keep_the_official_four_of_their_corners(second):
    """All quads of a cap are equally large: only a rim of the same digits, turned and cut in the same order, gives the same four."""
    four = 0
    for d, md, _mm in laid("cylinder", second, 15, 20, 3, tilt=(0.0, 0.0)):
        if d.ncon == md.ncon == 4:
            four += 1
            assert apart(points(d), points(md)) < 1e-8, md.qpos.tolist()
    assert four > 50


def pile(flag: str = "") -> str:
    """Mesh boxes, one on the other."""
    corners = " ".join(f"{x} {y} {z}" for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.05, 0.05))
    bodies = "".join(f"<body pos='{0.01 * k} 0 {0.05 + 0.0999 * k}'><freejoint/><geom type='mesh' mesh='m'/></body>" for k in range(4))
    return f"<mujoco><option>{flag}</option><asset><mesh name='m' vertex='{corners}'/></asset><worldbody><geom type='plane' size='1 1 1'/>{bodies}</worldbody></mujoco>"


def test_a_pile_of_mesh_boxes_stands():
    physics.ensure_kernels()
    m = physics.load_string(pile())
    d = physics.Data(m)
    for _ in range(1000):
        physics.step(m, d)
    assert d.ncon == 16
    assert np.abs(d.qvel).max() < 1e-3
    assert d.qpos.reshape(4, 7)[:, 0] == pytest.approx(0.01 * np.arange(4), abs=2e-3)


def test_multiccd_can_be_switched_while_running():
    physics.ensure_kernels()
    mj, m = mujoco.MjModel.from_xml_string(pile()), physics.load_string(pile("<flag multiccd='disable'/>"))
    mjd, d = mujoco.MjData(mj), physics.Data(m)
    for flag in (0, physics.enums.DSBL_MULTICCD, 0):
        mj.opt.disableflags = m.opt.disableflags = flag
        mujoco.mj_forward(mj, mjd)
        physics.forward(m, d)
        assert d.ncon == mjd.ncon == (16 if flag == 0 else 7)
        if flag == 0:
            assert apart(points(d), points(mjd)) < 1e-8


def test_flat_shapes_without_size_are_no_trouble():
    """Coincident, equal, tiny and thin shapes: finite contacts."""
    physics.ensure_kernels()
    for size in ("1e-4 1e-4", "1e4 1e-4", "1e-4 1e3"):
        for kind in ("cylinder", "capsule"):
            body = f"<body><freejoint/><geom type='{kind}' size='{size}' mass='1'/></body>"
            last = f"<body><freejoint/><geom type='cylinder' size='{size}' mass='1' margin='.01'/></body>"
            m = physics.load_string(f"<mujoco><worldbody>{body}{body}{last}</worldbody></mujoco>")
            d = physics.Data(m)
            for shift in (0.0, 1e-5):
                d.qpos[2] = shift
                physics.forward(m, d)
                assert np.isfinite(d.contact_pos[:d.ncon]).all() and np.isfinite(d.contact_dist[:d.ncon]).all() and d.ncon > 0


def odd_shape(r: np.random.Generator, name: str, scale: float) -> tuple[str, str]:
    """(asset, geom attributes): needles, plates, cones and drums of many sides, of any proportions."""
    stretch = scale * 10 ** r.uniform(-2, 0, 3)
    kind = r.choice(["cylinder", "capsule", "mesh", "mesh"])
    if kind != "mesh":
        return "", f'type="{kind}" size="{stretch[0]} {stretch[1]}"'
    angle = np.linspace(0, 2 * np.pi, r.integers(3, 150), endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle), 0 * angle], 1)
    form = [r.normal(size=(8, 3)), np.concatenate([ring, ring + [0, 0, 1]]), np.concatenate([ring, [[0, 0, 1]]])][r.integers(3)]
    vertices = " ".join(f"{x:.9g}" for x in (form * stretch).ravel())
    return f'<mesh name="{name}" inertia="shell" vertex="{vertices}"/>', f'type="mesh" mesh="{name}"'


def test_odd_shapes_touch_soundly():
    """Finite, orthonormal, at most four, and as deep as the deepest point up to the tilt that faces may have."""
    r, several, models = np.random.default_rng(3), 0, 0
    while models < 40:
        scale = 10 ** r.uniform(-3, 3)
        (a, first), (b, second) = odd_shape(r, "a", scale), odd_shape(r, "b", scale)
        if "capsule" in first and "capsule" in second:
            continue
        text = f"""<mujoco><compiler boundmass="1" boundinertia="1" balanceinertia="true"/><asset>{a}{b}</asset><worldbody>
            <body><freejoint/><geom {first} mass="1" margin="{scale * r.choice([0, 0.1])}"/></body><body><freejoint/><geom {second} mass="1"/></body></worldbody></mujoco>"""
        try:
            mm = mujoco.MjModel.from_xml_string(text)
        except ValueError:
            continue   # too thin for the official hull
        models += 1
        md, m = mujoco.MjData(mm), oracle_scene.model_like(mm)
        d = physics.Data(m)
        for _ in range(20):
            md.qpos[3:7] = md.qpos[10:14] = r.normal(size=4)
            if r.random() < 0.5:
                md.qpos[10:14] += 10 ** r.uniform(-12, 0) * r.normal(size=4)
            md.qpos[7:10] = r.choice([0, 1e-9, 0.1, 0.5, 1]) * scale * r.normal(size=3) * r.integers(0, 2, 3)
            mujoco.mj_kinematics(mm, md)
            oracle_scene.place(m, d, md)
            deepest = []
            for flag in (physics.enums.DSBL_MULTICCD, 0):
                m.opt.disableflags = flag
                oracle_scene.detect(m, d)
                assert d.ncon <= (1 if flag else 4)
                frames = d.contact_frame[:d.ncon].reshape(-1, 3, 3)
                assert np.isfinite(points(d)).all() and np.abs(frames @ frames.transpose(0, 2, 1) - np.eye(3)).max(initial=0) < 1e-9
                deepest.append(d.contact_dist[:d.ncon].min(initial=np.inf))
            assert (d.ncon > 0) == np.isfinite(deepest[0])
            several += d.ncon > 1
            if d.ncon:
                assert deepest[0] - deepest[1] < 0.3 * max(abs(deepest[0]), 1e-3 * scale)
    assert several > 80
