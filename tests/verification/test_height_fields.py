"""What a height field must do to bodies: a flat one is a plane, a slope is an inclined plane, and a bowl keeps what falls into it."""
import mujoco
import numpy as np
import pytest

import physics

SCENE = """<mujoco><option timestep=".002"/><asset><hfield name="h" nrow="{n}" ncol="{n}" size="1 1 {top} .3" elevation="{heights}"/></asset><worldbody>
<geom type="hfield" hfield="h" friction="{friction}"/>{bodies}</worldbody></mujoco>"""
SHAPES = {"sphere": ".1", "capsule": ".06 .1", "ellipsoid": ".1 .08 .06", "cylinder": ".08 .06", "box": ".1 .08 .06"}


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def field(heights, bodies, top=1.0, friction=1.0):
    heights = np.asarray(heights)
    return SCENE.format(n=len(heights), top=top, heights=" ".join(f"{x:.6f}" for x in heights.ravel()), bodies=bodies, friction=friction)


def body(kind, place, more=""):
    return f'<body pos="{place}"><freejoint/><geom type="{kind}" size="{SHAPES[kind]}" mass="2" {more}/></body>'


@pytest.mark.parametrize("kind", SHAPES)
def test_a_flat_field_carries_a_body_at_its_height(kind):
    # heights are scaled to reach from 0 to 1: one corner far away is higher
    heights = np.zeros((12, 12))
    heights[-1, -1] = 1
    d, m = settled(field(heights, body(kind, "-.2 -.3 .12" + ('" euler="90 0 0' if kind == "capsule" else ""))), 1000)
    carried = []
    for _ in range(200):   # where a face lies flat, the one point of each prism wanders on it
        physics.step(m, d)
        carried.append(weight(m, d))
    assert d.qpos[2] == pytest.approx(0.1 if kind == "sphere" else 0.06, abs=2e-3)
    assert np.abs(d.qvel[:3]).max() < 0.03 and np.mean(carried) == pytest.approx(2 * 9.81, rel=0.01)


def settled(text, steps):
    m = physics.load_string(text)
    assert not m.view_only
    d = physics.Data(m)
    physics.step(m, d, steps)
    return d, m


def weight(m, d):
    """Upward part of all contact forces."""
    physics.forward(m, d)
    return sum((physics.contact_force(m, d, k)[:3] @ d.contact_frame[k].reshape(3, 3))[2] for k in range(d.ncon))


def test_a_block_slides_down_a_slope_as_on_an_inclined_plane():
    slope = 0.5
    heights = np.linspace(0, 1, 9)[None, :].repeat(9, 0)
    friction = 0.2
    angle = np.arctan(slope)
    block = f'''<body pos=".4 0 {0.7 + 0.05 / np.cos(angle):.6f}" euler="0 {-np.degrees(angle):.6f} 0"><freejoint/>
                <geom type="box" size=".1 .1 .05" friction="{friction}"/></body>'''
    text = field(heights, block, top=2 * slope, friction=friction)
    m = physics.load_string(text)
    d = physics.Data(m)
    physics.step(m, d, 100)
    speed = np.linalg.norm(d.qvel[:3])
    physics.step(m, d, 50)
    gained = (np.linalg.norm(d.qvel[:3]) - speed) / 0.1
    assert gained == pytest.approx(9.81 * (np.sin(angle) - friction * np.cos(angle)), rel=0.03)
    assert np.abs(d.qvel[3:]).max() < 0.5


def test_a_bowl_keeps_what_falls_into_it():
    x = np.linspace(-1, 1, 15)
    heights = (x[:, None]**2 + x[None, :]**2) / 2
    bodies = "".join(body(kind, f"{0.3 * np.cos(k):.3f} {0.3 * np.sin(k):.3f} {0.4 + 0.1 * k:.2f}", 'condim="6" friction="1 .02 .02"') for k, kind in enumerate(SHAPES))
    d, m = settled(field(heights, bodies), 3000)
    places = d.qpos.reshape(-1, 7)[:, :3]
    assert (places[:, 2] > 0).all() and (np.abs(places[:, :2]) < 0.7).all() and np.abs(d.qvel).max() < 1.0
    assert d.contact_dist[:d.ncon].min() > -0.01


def test_a_ball_rolls_over_hills_as_in_the_official_engine():
    r = np.random.default_rng(0)
    text = field(r.random((10, 10)), body("sphere", ".1 .05 .6"), top=0.3)
    m, mm = physics.load_string(text), mujoco.MjModel.from_xml_string(text)
    for each in (m, mm):
        each.opt.tolerance = 0
    mm.opt.ccd_tolerance = 0
    d, md = physics.Data(m), mujoco.MjData(mm)
    for _ in range(15):
        physics.step(m, d, 20)
        mujoco.mj_step(mm, md, 20)
        assert d.ncon == md.ncon and np.allclose(d.qpos, md.qpos, atol=1e-6), md.time
