"""Touch, contact, range and distance sensors, and rays on height fields, against sums over contacts, marching, and all triangles."""
import numpy as np
import pytest

import physics
from physics.model.data import Data
from physics.query import raycast
from tests.naive import sensing
from tests.naive.test_contact_twins import apart, gap, local

SCENE = """<mujoco><option cone="elliptic" tolerance="0"/><worldbody><geom name="floor" type="plane" size="4 4 .1"/><body name="crate" pos="0 0 .149"><freejoint/>
<geom name="crate" type="box" size=".2 .3 .15" mass="3"/><site name="zone" size=".32" pos=".1 .1 -.1"/></body>
<body name="ball" pos=".1 0 .49"><freejoint/><geom name="ball" size=".2" mass="2"/></body></worldbody>
<sensor><touch site="zone"/>{}</sensor></mujoco>"""
KINDS = {"none": lambda d, k, f: 0, "mindist": lambda d, k, f: d.contact_dist[k], "maxforce": lambda d, k, f: -np.linalg.norm(f[k][:3])}


@pytest.fixture(scope="module", autouse=True)
def all_kernels():
    physics.ensure_kernels()


@pytest.fixture(scope="module")
def settled():
    contacts = "".join(f'<contact geom1="{g}" num="3" data="found force torque dist pos normal tangent" reduce="{r}"/>' for g in ("floor", "crate", "ball") for r in KINDS)
    m = physics.load_string(SCENE.format(contacts + '<contact geom1="crate" data="force" reduce="netforce"/>'))
    d = Data(m)
    d.qvel[:3] = 0.3, 0.1, -0.2
    assert physics.step(m, d, 20) == 20
    d.qvel[3:6] = 0.1, -0.2, 0.3
    physics.forward(m, d)
    return m, d, [physics.contact_force(m, d, k) for k in range(d.ncon)]


def test_touch_sums_normal_forces_in_its_volume(settled):
    m, d, forces = settled
    body, at = m.id("body", "crate"), d.site("zone").xpos
    own = [k for k in range(d.ncon) if body in m.geom_bodyid[d.contact_geom[k]]]
    inside = [k for k in own if np.linalg.norm(d.contact_pos[k] - at) < 0.32]
    assert 0 < len(inside) < len(own)
    away = {k: 1 if m.geom_bodyid[d.contact_geom[k, 0]] == body else -1 for k in own}
    # a point outside counts where its normal, going away from the body, leads into the volume
    reach = [k for k in own if k in inside or any(np.linalg.norm(d.contact_pos[k] + s * away[k] * d.contact_frame[k, :3] - at) < 0.32 for s in np.linspace(0, 1, 400))]
    assert d.sensordata[0] == pytest.approx(sum(forces[k][0] for k in reach), rel=1e-10)


def test_contacts_in_order_seen_from_either_side(settled):
    m, d, forces = settled
    at = 1
    for name in ("floor", "crate", "ball"):
        g = m.id("geom", name)
        for key in KINDS.values():
            mine = sorted((k for k in range(d.ncon) if g in d.contact_geom[k]), key=lambda k: key(d, k, forces))
            assert mine
            for slot in range(3):
                read = d.sensordata[at + 17 * slot:at + 17 * slot + 17]
                if slot >= len(mine):
                    assert not read.any()
                    continue
                k = mine[slot]
                side = np.array([1, 1, 1]) if d.contact_geom[k, 0] == g else np.array([1, 1, -1])   # turned half round the last axis
                turn = side[2]
                frame = d.contact_frame[k].reshape(3, 3)
                expected = [len(mine), *(side * forces[k][:3]), *(side * forces[k][3:]), d.contact_dist[k], *d.contact_pos[k], *(turn * frame[0]), *(turn * frame[1])]
                assert np.allclose(read, expected, atol=1e-11)
            at += 51
    g = m.id("geom", "crate")
    total = np.zeros(3)
    for k in range(d.ncon):
        if g in d.contact_geom[k]:
            # acting on the other geom: contact forces act on the second one
            total += (1 if d.contact_geom[k, 0] == g else -1) * d.contact_frame[k].reshape(3, 3).T @ forces[k][:3]
    assert np.allclose(d.sensordata[at:], total, atol=1e-10) and np.linalg.norm(total) > 1


WATCH = """<mujoco><worldbody>{}<body name="eye" mocap="true"><geom size=".05"/><site name="eye"/></body></worldbody>
<sensor><rangefinder site="eye"/><rangefinder site="eye" cutoff=".7"/></sensor></mujoco>"""
THINGS = (("sphere", 'size=".2" pos="1 0 0"'), ("capsule", 'type="capsule" size=".1 .3" pos="0 1 .2" euler="40 10 0"'),
          ("box", 'type="box" size=".2 .3 .15" pos="-.8 -.3 0" euler="10 20 30"'))


@pytest.mark.nojit
def test_range_finders_march():
    m = physics.load_string(WATCH.format("".join(f"<geom {text}/>" for _kind, text in THINGS)))
    d, rng, hits = Data(m), np.random.default_rng(1), 0
    for _ in range(60):
        aim = m.geom_pos[rng.integers(3)] + 0.2 * rng.normal(size=3)
        aim /= np.linalg.norm(aim)
        d.mocap_quat[0] = 1 + aim[2], -aim[1], aim[0], 0   # turns z there
        physics.forward(m, d)
        least = lambda p: min(gap(kind, local(d, g, p)) for g, (kind, _text) in enumerate(THINGS))  # noqa: E731
        way = d.site_xmat[0].reshape(3, 3)[:, 2]
        expected = sensing.march(least, d.site_xpos[0], way)
        hits += expected > 0
        assert d.sensordata[0] == pytest.approx(expected if expected >= 0 else -1, abs=1e-6)
        assert d.sensordata[1] == pytest.approx(np.clip(d.sensordata[0], -0.7, 0.7), abs=1e-12)   # a miss, -1, is clipped too
    assert 20 < hits < 60


@pytest.mark.parametrize("first, second", [("sphere", "box"), pytest.param("capsule", "capsule", marks=pytest.mark.nojit), ("plane", "box")])
def test_distances(first, second):
    for d, distance in apart(first, second, 8, 3):
        m = d.model
        reading = physics.load_string(physics.to_mjcf(m).replace("</mujoco>", '<sensor><distance geom1="two" geom2="one" cutoff="2"/><normal geom1="two" geom2="one" cutoff="2"/>'
                                                                 '<fromto geom1="two" geom2="one" cutoff="2"/><distance geom1="one" geom2="two" cutoff=".005"/></sensor></mujoco>'))
        e = Data(reading)
        e.qpos[:] = d.qpos
        physics.forward(reading, e)
        far, normal, one, two, near = np.split(e.sensordata, (1, 4, 7, 10))
        assert far[0] == pytest.approx(distance, abs=1e-9) and near[0] == pytest.approx(0.005)
        assert np.allclose(normal, (two - one) / distance, atol=1e-9) and np.linalg.norm(two - one) == pytest.approx(distance, abs=1e-9)
        assert gap(second, local(e, 1, one)) == pytest.approx(0, abs=1e-8) and gap(first, local(e, 0, two)) == pytest.approx(0, abs=1e-8)


@pytest.mark.nojit
def test_rays_on_the_triangles_of_a_height_field():
    rng = np.random.default_rng(4)
    heights = " ".join(f"{x:.3f}" for x in rng.random(35))
    m = physics.load_string(f"""<mujoco><asset><hfield name="h" nrow="7" ncol="5" size="1 1.5 .6 .3" elevation="{heights}"/></asset>
                                <worldbody><geom type="hfield" hfield="h" pos=".1 .2 .3" euler="20 30 40"/></worldbody></mujoco>""")
    d = Data(m)
    physics.fwd_position(m, d)
    x, y = np.meshgrid(np.linspace(-1, 1, 5), np.linspace(-1.5, 1.5, 7))
    knots = np.stack([x, y, 0.6 * m.hfield_data.reshape(7, 5).astype(float)], axis=-1)
    corners = []
    for r in range(6):
        for c in range(4):
            here, over = knots[r, c], knots[r + 1, c + 1]   # each cell is cut from here to over
            corners += [(here, knots[r, c + 1], over), (here, knots[r + 1, c], over)]
    corners = np.array(corners) @ d.geom_xmat[0].reshape(3, 3).T + d.geom_xpos[0]
    up, hits = d.geom_xmat[0].reshape(3, 3)[:, 2], 0
    for _ in range(60):
        p = d.geom_xpos[0] + 2 * up + 0.6 * rng.normal(size=3)
        v = -up + 0.3 * rng.normal(size=3)
        expected = sensing.nearest_triangle(corners, p, v)
        found = raycast.ray(m, d, p, v).dist
        if expected >= 0:
            hits += 1
            assert found == pytest.approx(expected, rel=1e-9)
    assert hits > 30
