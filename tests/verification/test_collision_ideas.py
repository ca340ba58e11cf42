"""Contacts whose numbers can be worked out on paper, and the same scenes in the official engine."""
import mujoco
import numpy as np
import pytest

import physics

CUBE = "-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1"
SMALL = " ".join(str(0.5 * float(x)) for x in CUBE.split())
ASSETS = f'<asset><mesh name="cube" vertex="{CUBE}"/><mesh name="small" vertex="{SMALL}"/></asset>'


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def found(body: str, option: str = "", extra: str = "") -> tuple[dict, dict]:
    """Contacts of a scene from both engines at its start: geoms, distances, normals and positions."""
    xml = f"<mujoco>{option}{ASSETS}<worldbody>{body}</worldbody>{extra}</mujoco>"
    m, official = physics.load_string(xml), mujoco.MjModel.from_xml_string(xml)
    assert not m.view_only
    d, theirs = physics.Data(m), mujoco.MjData(official)
    physics.forward(m, d)
    mujoco.mj_forward(official, theirs)
    n, c = int(d.ncon), theirs.contact
    return ({"geom": d.contact_geom[:n].tolist(), "dist": d.contact_dist[:n].copy(), "normal": d.contact_frame[:n].reshape(n, 9)[:, :3].copy(),
             "pos": d.contact_pos[:n].copy(), "address": d.contact_efc_address[:n].copy()},
            {"geom": np.array(c.geom).tolist(), "dist": np.array(c.dist), "normal": np.array(c.frame).reshape(-1, 9)[:, :3], "pos": np.array(c.pos),
             "address": np.array(c.efc_address)})


def free(geom: str, pos: str = "0 0 0", turn: str = "0 0 0") -> str:
    return f'<body pos="{pos}" euler="{turn}"><freejoint/><geom {geom}/></body>'


# what, first geom, second geom, where it is, how it is turned, distance, normal ('' where another one is as good)
PAIRS = (
    ("balls apart within margin", 'size="1" margin="1"', 'size="1" margin="1"', "3 0 0", "0 0 0", 1.0, "1 0 0"),
    ("balls that overlap", 'size="2"', 'size="1.5"', "2.5 0 0", "0 0 0", -1.0, "1 0 0"),
    ("a ball deep in another one", 'size="3"', 'size="1"', "1 0 0", "0 0 0", -3.0, "1 0 0"),
    ("cubes face to face", 'type="box" size="2.5 2.5 2.5"', 'type="box" size="1 1 1"', "2.5 0 0", "0 0 0", -1.0, "1 0 0"),
    ("cubes half in one another", 'type="box" size="1 1 1"', 'type="box" size="1 1 1"', "0 0 1.5", "0 0 0", -0.5, "0 0 1"),
    ("a cube in the middle of another", 'type="box" size="1 1 1"', 'type="box" size="1 1 1"', "0 0 0", "0 0 0", -2.0, ""),
    ("a cube inside of another one, near a face", 'type="box" size="1 1 1"', 'type="box" size=".3 .3 .3"', "0 .5 .1", "0 0 0", -0.8, "0 1 0"),
    ("a cube on its edge", 'type="box" size="1 1 1"', 'type="box" size="1 1 1"', "0 0 2.4", "45 0 0", 2.4 - 1 - 2**0.5, "0 0 1"),
    ("edge on edge", 'type="box" size="1 1 1" euler="0 45 0"', 'type="box" size="1 1 1"', "0 0 2.8", "45 0 0", 2.8 - 2 * 2**0.5, "0 0 1"),
    ("a long beam on a small block", 'type="box" size="50 .1 .1"', 'type="box" size=".1 .1 .1"', "7 0 .19", "0 0 0", -0.01, "0 0 1"),
    ("capsules that cross", 'type="capsule" size=".3 1" euler="90 0 0"', 'type="capsule" size=".3 1"', "0 0 .5", "0 90 0", -0.1, "0 0 1"),
    ("a capsule on a ball's pole", 'size=".5"', 'type="capsule" size=".2 1"', "0 0 .6", "0 90 0", -0.1, "0 0 1"),
    ("eggs tip to tip", 'type="ellipsoid" size="1 .5 .25"', 'type="ellipsoid" size=".3 .6 1.2"', "1.25 0 0", "0 0 0", -0.05, "1 0 0"),
    ("eggs apart within margin", 'type="ellipsoid" size="1 .5 .25" margin=".2"', 'type="ellipsoid" size=".3 .6 1.2" margin=".2"', "1.6 0 0", "0 0 0", 0.3, "1 0 0"),
    ("an egg on a cube", 'type="ellipsoid" size="1 .5 .25"', 'type="box" size="1 1 1"', "0 0 -1.2", "0 0 0", -0.05, "0 0 -1"),
    ("cylinders cap to cap", 'type="cylinder" size=".5 1"', 'type="cylinder" size=".4 .5"', "0 0 1.45", "0 0 0", -0.05, "0 0 1"),
    ("cylinders side by side", 'type="cylinder" size=".5 1"', 'type="cylinder" size=".4 .5"', ".85 0 0", "0 0 0", -0.05, "1 0 0"),
    ("a cylinder lying on a cube", 'type="cylinder" size=".5 .4" euler="0 90 0"', 'type="box" size="1 1 1"', "0 0 -1.45", "0 0 0", -0.05, "0 0 -1"),
    ("a ball on a mesh", 'size=".5"', 'type="mesh" mesh="cube"', ".3 .2 -1.4", "0 0 0", -0.1, "0 0 -1"),
    ("a mesh on a cube", 'type="box" size="2 2 2"', 'type="mesh" mesh="cube"', ".3 .2 2.9", "0 0 0", -0.1, "0 0 1"),
    ("a mesh on a mesh", 'type="mesh" mesh="cube"', 'type="mesh" mesh="small"', ".3 .2 1.45", "0 0 30", -0.05, "0 0 1"),
    ("a mesh deep in a mesh", 'type="mesh" mesh="cube"', 'type="mesh" mesh="small"', "0 .3 0", "0 0 0", -1.2, "0 1 0"),
    ("a mesh on its corner", 'type="mesh" mesh="cube"', 'type="mesh" mesh="small" euler="45 0 0"', "0 0 1.8", "0 35.264389682754654 0", 1.8 - 1 - 0.5 * 3**0.5, "0 0 1"),
)


FLAT = (("cylinder", "box"), ("cylinder", "mesh"), ("box", "mesh"), ("cylinder", "cylinder"), ("capsule", "box"), ("capsule", "mesh"))


@pytest.mark.parametrize("what, one, two, pos, turn, dist, normal", PAIRS, ids=[row[0] for row in PAIRS])
def test_two_geoms_at_a_known_distance(what, one, two, pos, turn, dist, normal):
    ours, official = found(free(one) + free(two, pos, turn))
    assert len(ours["dist"]) == len(official["dist"]) > 0
    for side, accuracy in ((ours, 1e-7), (official, 3e-5)):
        assert side["dist"].min() == pytest.approx(dist, abs=accuracy)
        deepest = side["normal"][side["dist"].argmin()] * (1 if side["geom"][0] == [0, 1] else -1)
        assert np.linalg.norm(deepest) == pytest.approx(1) and (not normal or np.allclose(deepest, [float(x) for x in normal.split()], atol=1e-5 if side is ours else 0.05))
    near = np.abs(ours["pos"][:, None] - official["pos"][None]).max(2).min(1)
    assert len(near) == 1 or not normal or near.max() < 1e-5


def test_what_collides_what_is_left_out_and_what_is_asked_for():
    """Touching, excluded, asked for by a pair though no contype meets, near but apart, and far."""
    ours, official = found(
        '<body name="box"><geom type="box" size="1 1 1"/></body>'
        + "".join(f'<body name="{name}" pos="{pos}"><joint/><geom name="{name}" size="{size}" {more}/></body>' for name, pos, size, more in (
            ("touching", "1.3 1.2 0", 0.6, ""), ("asked", "-.9 -.9 0", 0.2, 'contype="0" conaffinity="0"'), ("apart", "1.6 -1.6 0", 0.8, ""), ("far", "-5 5 0", 1, ""),
            ("excluded", "0 0 .9", 0.3, ""))),
        extra='<contact><exclude body1="box" body2="excluded"/><pair geom1="asked" geom2="touching" margin="9"/></contact>')
    assert sorted(map(tuple, ours["geom"])) == sorted(map(tuple, official["geom"])) == [(1, 0), (1, 2)]


def test_a_plane_may_be_carried_by_a_body():
    ours, official = found('<body pos="0 0 .3"><geom type="plane" size="1 1 .01"/></body><body pos="0 0 .3499"><joint type="slide" axis="0 0 1"/><geom size=".05"/></body>')
    assert ours["dist"] == pytest.approx([-1e-4]) and official["dist"] == pytest.approx([-1e-4])


@pytest.mark.parametrize("margin, number", [(0.0101, 1), (0.0099, 0)])
def test_margins_of_both_geoms_add_up(margin, number):
    """0.02 apart."""
    balls = "".join(f'<body pos="{x} 0 0"><joint type="slide"/><geom size=".1" margin="{margin}"/></body>' for x in (0, 0.22))
    ours, official = found(balls)
    assert len(ours["dist"]) == len(official["dist"]) == number


def test_contacts_in_the_gap_are_listed_and_push_nothing_though_the_bodies_have_more_geoms():
    bodies = "".join(f'<body><freejoint/><geom type="box" size=".01 .02 .4" pos="{near} 0 0" gap=".003"/><geom type="box" size=".01 .02 .4" pos="{far} 0 0"/></body>'
                     for near, far in ((-0.022, -0.4), (0.002, 0.3)))
    ours, official = found(bodies)
    assert len(ours["dist"]) == len(official["dist"]) > 0
    assert ours["dist"] == pytest.approx(0.004) and (ours["address"] == -1).all() and (official["address"] == -1).all()


@pytest.mark.parametrize("height", [-0.03, -0.0100001, -0.01, -0.0099999, 0.0, 0.008])
def test_a_ball_sinks_into_a_box_as_into_a_plane(height):
    """The box's top is in the plane z = 0, whichever way out of it is nearer."""
    ours, official = found(f'<geom type="plane" size="1 1 1"/><geom type="box" size=".1 .1 .05" pos="0 0 -.05"/>{free("size=" + chr(34) + ".01" + chr(34), f"0 0 {height}")}')
    assert ours["dist"] == pytest.approx([height - 0.01] * 2, abs=1e-12) and official["dist"] == pytest.approx([height - 0.01] * 2, abs=1e-9)


def test_thin_boxes_a_hair_apart_have_no_deep_contact_and_a_true_one_once_they_meet():
    thin = 'type="box" size=".05 .03 .0004" margin="2e-5"'
    for lift, sign in ((2e-5, 1), (-2e-5, -1)):
        ours, official = found(free(thin) + free(thin, f"0 {0.03 * (1 - np.cos(0.3))} {0.0004 + 0.03 * np.sin(0.3) + 0.0004 * np.cos(0.3) + lift}", f"{np.degrees(0.3)} 0 0"))
        assert len(ours["dist"]) == len(official["dist"]) > 0
        assert ours["dist"].min() == pytest.approx(lift, abs=1e-12) and np.sign(ours["dist"]).min() == sign
        assert ours["dist"].min() == pytest.approx(official["dist"].min(), abs=1e-12)


@pytest.mark.parametrize("turn", [0.0, 1e-9, 1e-7, 1e-5, 1e-3])
def test_nearly_parallel_faces_keep_their_corners(turn):
    """A cube turned by 45 degrees on another cube touches at eight points, and still does when it leans a little."""
    ours, official = found(free('type="box" size=".1 .1 .1"') + free('type="box" size=".1 .1 .1"', "0 0 .199", f"{turn} 0 45"))
    assert len(ours["dist"]) == len(official["dist"]) == 8
    assert np.abs(ours["dist"] + 0.001).max() < 1e-4 + 0.2 * np.radians(turn) and len(np.unique(ours["pos"].round(6), axis=0)) == 8


@pytest.mark.parametrize("one, two", FLAT)
def test_what_stands_or_lies_flat_has_as_many_contacts_as_officially(one, two):
    """Upright and lying on a face, half over its edge too."""
    size = {"cylinder": 'type="cylinder" size=".1 .2"', "box": 'type="box" size=".1 .1 .2"', "capsule": 'type="capsule" size=".1 .2"', "mesh": 'type="mesh" mesh="cube"'}
    ground = {"box": 'type="box" size="1 1 1"', "mesh": 'type="mesh" mesh="cube"', "cylinder": 'type="cylinder" size="1 1"'}[two]
    for turn, height in (("0 0 0", 0.2), ("90 0 0", 0.1)):
        for x in (0.0, 0.7, 0.95):
            top = 1 + height + (0.1 if one == "capsule" and height == 0.2 else 0.0)
            ours, official = found(free(ground) + free(size[one], f"{x} 0 {top - 0.001}", turn))
            assert len(ours["dist"]) == len(official["dist"]), (turn, x)
            assert ours["dist"] == pytest.approx(official["dist"], abs=1e-5), (turn, x)
            near = np.abs(ours["pos"][:, None] - official["pos"][None]).max(2).min(1).max(initial=0.0)
            assert near < (1e-4 if turn != "0 0 0" or one != "cylinder" else 0.2), (turn, x)   # any four points of a round face will do


def test_an_aligned_tower_stands():
    boxes = "".join(free('type="box" size=".1 .1 .1"', f"0 0 {0.1 + 0.2 * k}") for k in range(6))
    m = physics.load_string(f'<mujoco><worldbody><geom type="plane" size="0 0 1"/>{boxes}</worldbody></mujoco>')
    d = physics.Data(m)
    assert physics.step(m, d, 5000) == 5000
    assert np.abs(d.qpos.reshape(-1, 7)[:, :2]).max() < 1e-9 and np.abs(d.qvel).max() < 1e-9
