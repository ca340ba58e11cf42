"""Pairs of geoms in random poses, ours against the official engine: `python -m tests.oracle.poses [--pairs a-b ...] [--count 200] [--json FILE]`.

Five families: touching anywhere, deep in one another, edge on edge, faces parallel, apart but within margin. A pose agrees where both have
as many contacts and every distance and normal to 1e-6. Where it does not, the deepest contacts of both are held against the true distance
(tests/oracle/shapes.py; for a height field that of each of its prisms), and the row says whose was nearer: 'both' where both are true to 1e-6, or as far off.
"""
import argparse
import collections
import json
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

import physics
from physics.engine.collide.pair_table import TABLE
from tests.oracle.shapes import SIGNS, Feature, Placed, Shape, Truth, apart, signed_distance, unit

TYPES = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")
PAIRS = tuple((a, b) for i, a in enumerate(TYPES) for b in TYPES[i:])
NEVER = (("plane", "plane"), ("plane", "hfield"), ("hfield", "hfield"))
FAMILIES = ("touching", "deep", "edges", "faces", "margin")
MODELS = 2   # of each family: sizes and meshes differ
NEAR = 1e-6
GRID = (6, 7)


@dataclass
class Scene:
    """Two geoms of both engines, the first one fixed where it is a plane or a height field."""

    kinds: tuple[str, str]
    family: str
    xml: str
    official: mujoco.MjModel
    data: mujoco.MjData
    model: physics.Model
    ours: physics.Data
    shapes: list

    @property
    def reach(self) -> float:
        return float((self.official.geom_margin + self.official.geom_gap).sum())


@dataclass(frozen=True)
class Contacts:
    """Contacts of one pose from one engine."""

    dist: np.ndarray
    pos: np.ndarray
    normal: np.ndarray

    def __len__(self):
        return len(self.dist)


def _asset(kind: str, name: str, r: np.random.Generator) -> str:
    if kind == "hfield":
        heights = " ".join(f"{h:.3f}" for h in r.random(GRID[0] * GRID[1]))
        return f'<hfield name="{name}" nrow="{GRID[0]}" ncol="{GRID[1]}" size=".6 .5 .2 .1" elevation="{heights}"/>'
    if kind != "mesh":
        return ""
    what = r.integers(3)
    if what == 0:     # a rock
        points = unit(r.normal(size=(int(r.integers(5, 40)), 3))) * r.uniform(0.1, 0.4, 3)
    elif what == 1:   # a prism of many sides, some points inside
        angle = np.linspace(0, 2 * np.pi, int(r.integers(3, 9)), endpoint=False)
        ring = np.stack([0.2 * np.cos(angle), 0.3 * np.sin(angle), 0 * angle], 1)
        points = np.vstack([ring + [0, 0, 0.15], 0.8 * ring - [0.02, 0, 0.1], 0.1 * ring])
    else:             # a box, or a wedge
        points = SIGNS * r.uniform(0.1, 0.4, 3)
        points = points if r.random() < 0.5 else points[:-2]
    return f'<mesh name="{name}" vertex="{" ".join(f"{x:.4f}" for x in points.ravel())}"/>'


def _geom(kind: str, name: str, r: np.random.Generator, margin: str) -> str:
    sizes = {"plane": "0 0 1", "sphere": 1, "capsule": 2, "ellipsoid": 3, "cylinder": 2, "box": 3}
    size = sizes.get(kind, 0)
    text = size if isinstance(size, str) else " ".join(f"{x:.3f}" for x in r.uniform(0.05, 0.4, size))
    what = {"mesh": f'mesh="{name}"', "hfield": f'hfield="{name}"'}.get(kind, f'size="{text}"')
    geom = f'<geom type="{kind}" {what} {margin}/>'
    if kind in ("plane", "hfield"):
        x, y, z = r.uniform(-1, 1, 3)
        return f'<frame pos="{x:.3f} {y:.3f} {z:.3f}" euler="{30 * y:.1f} {30 * z:.1f} {90 * x:.1f}">{geom}</frame>'
    return f"<body><freejoint/>{geom}</body>"


def scene(kinds: tuple[str, str], family: str, number: int) -> Scene:
    """The `number`-th pair of geoms of a family."""
    r = np.random.default_rng(zlib.crc32(f"{kinds} {family} {number}".encode()))
    margin = ""
    if family == "margin":
        margin = f'margin="{r.uniform(0.005, 0.05):.4f}"' + (f' gap="{r.uniform(0.005, 0.02):.4f}"' if r.random() < 0.5 else "")
    names = ("one", "two")
    assets = "".join(_asset(kind, name, r) for kind, name in zip(kinds, names))
    geoms = "".join(_geom(kind, name, r, margin) for kind, name in zip(kinds, names))
    return scene_of(f"<mujoco><asset>{assets}</asset><worldbody>{geoms}</worldbody></mujoco>", kinds, family)


def scene_of(xml: str, kinds: tuple[str, str], family: str) -> Scene:
    """A scene of a text with two geoms."""
    official, model = mujoco.MjModel.from_xml_string(xml), physics.load_string(xml)
    shapes = [_shape(official, g, kind) for g, kind in enumerate(kinds)]
    return Scene(kinds, family, xml, official, mujoco.MjData(official), model, physics.Data(model), shapes)


def _shape(m, g: int, kind: str):
    size = np.array(m.geom_size[g])
    if kind == "box":
        return Shape(kind, size, SIGNS * size)
    if kind == "mesh":
        mesh = int(m.geom_dataid[g])
        start = int(m.mesh_vertadr[mesh])
        return Shape(kind, size, np.array(m.mesh_vert[start:start + int(m.mesh_vertnum[mesh])], float))
    return Shape(kind, size)


def _prisms(m) -> list[np.ndarray]:
    """Corners of the prisms of the height field, (6, 3) each, tops last, in the official order."""
    size, (nrow, ncol) = m.hfield_size[0], GRID
    z = np.array(m.hfield_data, float).reshape(nrow, ncol) * size[2]
    x, y = np.linspace(-size[0], size[0], ncol), np.linspace(-size[1], size[1], nrow)
    found = []
    for row in range(nrow - 1):
        strip = [(row + k, column) for column in range(ncol) for k in (1, 0)]
        for i in range(len(strip) - 2):
            top = np.array([(x[c], y[q], z[q, c]) for q, c in strip[i:i + 3]])
            found.append(np.vstack([top * [1, 1, 0] - [0, 0, size[3]], top]))
    return found


def _ground(s: Scene, where: str, r) -> Feature:
    """A place on a plane or a height field, in its frame."""
    up = np.array([0.0, 0, 1])
    if s.kinds[0] == "plane":
        turn = r.uniform(0, 6)
        return Feature(np.array([*r.uniform(-1, 1, 2), 0.0]), up, np.array([np.cos(turn), np.sin(turn), 0.0]))
    prisms = _prisms(s.official)
    top = prisms[r.integers(len(prisms))][3:]
    normal = unit(np.cross(top[1] - top[0], top[2] - top[0]))
    normal *= np.sign(normal[2])
    w = r.dirichlet(np.ones(3)) if where == "face" else [*r.dirichlet(np.ones(2)), 0.0] if where == "edge" else np.eye(3)[0]
    if where == "edge":
        normal = unit(normal + [0, 0, 0.5])
    return Feature(w @ top, normal, unit(top[1] - top[0]))


def _frame(f: Feature) -> np.ndarray:
    """Normal, tangent and their product as columns."""
    return np.stack([f.normal, f.tangent, np.cross(f.normal, f.tangent)], 1)


def _turn(r) -> np.ndarray:
    q, _ = np.linalg.qr(r.normal(size=(3, 3)))
    return q if np.linalg.det(q) > 0 else -q


def place(s: Scene, r: np.random.Generator) -> None:
    """Put the geoms where the family wants them, in both engines."""
    m, family = s.official, s.family
    where = {"edges": "edge", "faces": "face", "margin": str(r.choice(["any", "edge", "face"]))}.get(family, "any")
    fixed = s.kinds[0] in ("plane", "hfield")
    one = _ground(s, where, r) if fixed else s.shapes[0].feature(where, r)
    two = s.shapes[1].feature(where, r)
    scale = min(shape.largest for shape in s.shapes[fixed:])
    beyond = {"touching": scale * r.uniform(-2e-3, 1e-4), "deep": -scale * r.uniform(0.05, 1.0), "margin": s.reach * r.uniform(0, 1.1)}.get(
        family, scale * 10 ** r.uniform(-6, -2) * r.choice([-1, -1, -1, 1]))
    roll = r.uniform(0, 2 * np.pi) if where != "face" or r.random() < 0.5 else r.integers(4) * np.pi / 2
    opposite = np.array([[-1, 0, 0], [0, np.cos(roll), np.sin(roll)], [0, np.sin(roll), -np.cos(roll)]])
    if fixed:
        quat, rot1 = np.zeros(4), np.zeros(9)
        mujoco.mju_copy(quat, m.geom_quat[0])
        mujoco.mju_quat2Mat(rot1, quat)
        pos1, rot1 = np.array(m.geom_pos[0]), rot1.reshape(3, 3)
    else:
        pos1, rot1 = r.normal(size=3) * (r.random() < 0.5), _turn(r)
    rot2 = rot1 @ _frame(one) @ opposite @ _frame(two).T
    pos2 = pos1 + rot1 @ (one.point + beyond * one.normal) - rot2 @ two.point
    if family == "deep" and not fixed and r.random() < 0.1:
        pos2 = pos1.copy()
    for g, (pos, rot) in enumerate(((pos1, rot1), (pos2, rot2))):
        if g or not fixed:
            _pose(s, g, pos, rot)
    s.ours.qpos[...] = s.data.qpos


def _pose(s: Scene, g: int, pos, rot) -> None:
    """Give a free body the pose that puts its geom there."""
    m, inner, quat = s.official, np.zeros(9), np.zeros(4)
    mujoco.mju_quat2Mat(inner, np.array(m.geom_quat[g]))
    body = rot @ inner.reshape(3, 3).T
    mujoco.mju_mat2Quat(quat, body.ravel())
    start = int(m.jnt_qposadr[m.body_jntadr[m.geom_bodyid[g]]])
    s.data.qpos[start:start + 3] = pos - body @ m.geom_pos[g]
    s.data.qpos[start + 3:start + 7] = quat


def contacts(s: Scene) -> tuple[Contacts, Contacts]:
    """(ours, official) at the present pose."""
    mujoco.mj_fwdPosition(s.official, s.data)
    physics.fwd_position(s.model, s.ours)
    theirs, n = s.data.contact, int(s.ours.ncon)
    return (Contacts(np.array(s.ours.contact_dist[:n]), np.array(s.ours.contact_pos[:n]), np.array(s.ours.contact_frame[:n]).reshape(n, 9)[:, :3]),
            Contacts(np.array(theirs.dist), np.array(theirs.pos), np.array(theirs.frame).reshape(-1, 9)[:, :3]))


def placed(s: Scene) -> list[Placed]:
    """Both shapes at the official poses."""
    return [Placed(shape, np.array(s.data.geom_xpos[g]), np.array(s.data.geom_xmat[g]).reshape(3, 3)) for g, shape in enumerate(s.shapes)]


def truths(s: Scene, hints: np.ndarray) -> list[Truth]:
    """What is true of the pose: one distance; of a height field one for each prism near the other geom."""
    one, two = placed(s)
    if s.kinds[0] == "plane":
        up = one.mat[:, 2]
        return [Truth(float(up @ (two.pos - one.pos) - two.reach(-up[None])[0]), up, -np.inf)]
    if s.kinds[0] != "hfield":
        return [signed_distance(one, two, hints)]
    local = np.eye(3)
    low, high = (np.array([sign * two.reach(sign * (one.mat @ axis)[None])[0] + one.mat[:, k] @ (two.pos - one.pos) for k, axis in enumerate(local)])
                 for sign in (-1, 1))
    found = []
    for corners in _prisms(s.official):
        inside = (corners[:, :2].max(0) > low[:2]).all() and (corners[:, :2].min(0) < high[:2]).all() and corners[:, 2].max() + s.reach >= low[2]
        if inside:
            centre = corners.mean(0)
            prism = Placed(Shape("prism", np.zeros(3), corners - centre), one.pos + one.mat @ centre, one.mat)
            found.append(signed_distance(prism, two, hints, samples=600, kept=4))
    return found


def error(s: Scene, found: Contacts, true: list[Truth]) -> float:
    """How far the deepest contact (of a height field: every contact) is from the truth, distance and normal; 1 where a contact is missing or idle."""
    if s.kinds[0] == "hfield":
        near = np.array([t.dist for t in true])
        expected = int((near <= s.reach).sum())
        if len(found) < expected or len(near) == 0:   # a prism whose top is below the geom is left out, with a margin more are tried
            return 1.0 if len(found) < expected else 0.0
        return float(max((np.abs(near - d).min() for d in found.dist), default=0.0))
    if len(found) == 0:
        return max(0.0, s.reach - true[0].dist)
    k = int(found.dist.argmin())
    truth, n = true[0], found.normal[k]
    if s.kinds[0] == "plane":
        turned = np.abs(n - truth.normal).max()
    elif truth.unique:
        turned = np.abs(n - truth.normal).max()
    else:
        turned = abs(truth.dist - apart(*placed(s), n[None])[0])
    return float(max(abs(found.dist[k] - truth.dist), turned))


def match(ours: Contacts, official: Contacts) -> tuple[float, float, float]:
    """Largest differences of distance, normal and position of contacts paired by position."""
    left, worst = list(range(len(ours))), np.zeros(3)
    for i in range(len(official)):
        k = min(left, key=lambda k: np.abs(ours.pos[k] - official.pos[i]).sum().round(9))
        left.remove(k)
        worst = np.maximum(worst, [abs(ours.dist[k] - official.dist[i]), np.abs(ours.normal[k] - official.normal[i]).max(), np.abs(ours.pos[k] - official.pos[i]).max()])
    return tuple(float(x) for x in worst)


def judge(s: Scene) -> dict:
    """What both engines say of the present pose, and whose is nearer the truth where they differ."""
    ours, official = contacts(s)
    row = {"ncon": [len(ours), len(official)], "verdict": "agree"}
    if len(ours) == len(official):
        row["dist"], row["normal"], row["pos"] = match(ours, official)
        if row["dist"] <= NEAR and row["normal"] <= NEAR:
            return row
    true = truths(s, np.vstack([ours.normal, official.normal]))
    row["error"] = [error(s, ours, true), error(s, official, true)]
    mine, theirs = row["error"]
    row["verdict"] = "both" if max(mine, theirs) <= NEAR or abs(mine - theirs) < 1e-9 else "ours" if mine < theirs else "official"
    row["true"] = true[0].dist if true else None
    return row


def judge_pair(kinds: tuple[str, str], count: int) -> dict:
    """The row of a pair: `count` poses in all families, and the poses in which they differ."""
    row = {"pair": "-".join(kinds), "poses": 0, "touching": 0, "same_number": 0, "agree": 0, "same_points": 0, "dist": 0.0, "normal": 0.0, "pos": 0.0,
           "both": 0, "ours": 0, "official": 0, "off": []}
    for family in FAMILIES:
        for number in range(MODELS):
            s = scene(kinds, family, number)
            r = np.random.default_rng(number)
            for k in range(count // (len(FAMILIES) * MODELS)):
                place(s, r)
                _count(row, judge(s), {"family": family, "model": number, "pose": k})
    return row


def _count(row: dict, one: dict, where: dict) -> None:
    row["poses"] += 1
    row["touching"] += one["ncon"][1] > 0
    row["same_number"] += one["ncon"][0] == one["ncon"][1]
    row[one["verdict"]] += 1
    if one["verdict"] == "agree":
        row["same_points"] += one["pos"] <= NEAR
        for name in ("dist", "normal", "pos"):
            row[name] = max(row[name], one[name])
    else:
        row["off"].append({**where, **one})


def at(kinds: tuple[str, str], family: str, number: int, pose: int) -> Scene:
    """The scene of a row of 'off' at its pose."""
    s, r = scene(kinds, family, number), np.random.default_rng(number)
    for _ in range(pose + 1):
        place(s, r)
    return s


def has_routine(kinds: tuple[str, str]) -> bool:
    return tuple(int(getattr(mujoco.mjtGeom, f"mjGEOM_{kind.upper()}")) for kind in kinds) in TABLE


HEAD = f"{'pair':20} poses touching number  agree points    dist  normal     pos | else: both true, ours nearer, official nearer"


def line(row: dict) -> str:
    if "agree" not in row:
        return f"{row['pair']:20} {row['status']}"
    return (f"{row['pair']:20} {row['poses']:5} {row['touching']:8} {row['same_number']:6} {row['agree']:6} {row['same_points']:6} {row['dist']:7.0e} "
            f"{row['normal']:7.0e} {row['pos']:7.0e} | {row['both']:16} {row['ours']:12} {row['official']:16}")


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", nargs="+", metavar="a-b", help="pairs of types such as box-mesh")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--show", type=int, default=0, help="so many poses of each pair in which the official one is nearer")
    chosen = parser.parse_args(arguments)
    physics.ensure_kernels()
    rows = []
    print(HEAD)
    for kinds in PAIRS:
        if chosen.pairs and "-".join(kinds) not in chosen.pairs:
            continue
        if kinds in NEVER or not has_routine(kinds):
            rows.append({"pair": "-".join(kinds), "status": "never touch" if kinds in NEVER else "no routine yet"})
        else:
            rows.append(judge_pair(kinds, chosen.count))
        print(line(rows[-1]), flush=True)
        for off in [one for one in rows[-1].get("off", ()) if one["verdict"] == "official"][:chosen.show]:
            print("   ", off)
        if chosen.json:
            chosen.json.write_text(json.dumps({"rows": rows}, indent=1))
    counted = collections.Counter()
    for row in rows:
        counted.update({name: row[name] for name in ("poses", "same_number", "agree", "both", "ours", "official") if name in row})
    print(dict(counted))
    return 1 if counted["official"] else 0


if __name__ == "__main__":
    sys.exit(main())
