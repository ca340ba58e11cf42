"""Where the contacts of a model differ, whose are true: `python -m tests.oracle.nearer NAME ... [--states 5] [--above 1e-8] [--ccd 1e-14]`.

For each pair of geoms whose contacts differ at a state of the report: the deepest distance of both, the true one (tests/oracle/shapes.py) and
how far both are from it, normals too. Boxes against boxes and planes have their own rules and height fields many distances: those are only listed.
"""
import argparse
import sys

import mujoco
import numpy as np

import physics
from tests.oracle.corpus import entry
from tests.oracle.poses import TYPES, Contacts, match
from tests.oracle.shapes import SIGNS, Placed, Shape, apart, signed_distance
from tests.oracle.states import states

CONVEX = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")


def shape_of(m, g: int) -> Shape:
    """A geom of an official model as a set of points."""
    kind, size = TYPES[int(m.geom_type[g])], np.array(m.geom_size[g])
    if kind == "box":
        return Shape(kind, size, SIGNS * size)
    if kind == "mesh":
        mesh = int(m.geom_dataid[g])
        start = int(m.mesh_vertadr[mesh])
        return Shape(kind, size, np.array(m.mesh_vert[start:start + int(m.mesh_vertnum[mesh])], float))
    return Shape(kind, size)


def by_pair(geom, dist, pos, frame) -> dict[tuple[int, int], Contacts]:
    """{pair of geoms: its contacts}."""
    geom = np.asarray(geom).reshape(-1, 2)
    normal = np.asarray(frame).reshape(-1, 9)[:, :3]
    return {tuple(int(g) for g in pair): Contacts(*(np.array(field)[(geom == pair).all(1)] for field in (dist, pos, normal))) for pair in np.unique(geom, axis=0)}


def untruth(found: Contacts, one: Placed, two: Placed, true) -> float:
    """How far the deepest contact is from the truth, in distance, and in what its own normal would give."""
    if len(found) == 0:
        return max(0.0, -true.dist)
    k = int(found.dist.argmin())
    return float(max(abs(found.dist[k] - true.dist), abs(true.dist - apart(one, two, found.normal[k][None])[0])))


def differences(official, data, ours, above: float) -> list[dict]:
    """A row for each pair of geoms whose contacts differ by more than `above` in distance or normal, or in number."""
    n = int(ours.ncon)
    mine = by_pair(ours.contact_geom[:n], ours.contact_dist[:n], ours.contact_pos[:n], ours.contact_frame[:n])
    theirs = by_pair(data.contact.geom, data.contact.dist, data.contact.pos, data.contact.frame)
    none = Contacts(np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3)))
    rows = []
    for pair in sorted({*mine, *theirs}):
        a, b = mine.get(pair, none), theirs.get(pair, none)
        off = match(a, b)[:2] if len(a) == len(b) else (np.inf, np.inf)
        if max(off) <= above:
            continue
        kinds = [TYPES[int(official.geom_type[g])] for g in pair]
        row = {"geoms": pair, "kinds": "-".join(kinds), "ncon": (len(a), len(b)), "dist": off[0], "normal": off[1]}
        if set(kinds) <= set(CONVEX):
            one, two = (Placed(shape_of(official, g), np.array(data.geom_xpos[g]), np.array(data.geom_xmat[g]).reshape(3, 3)) for g in pair)
            true = signed_distance(one, two, np.vstack([a.normal, b.normal]))
            row.update(true=true.dist, unique=true.unique, ours=untruth(a, one, two, true), official=untruth(b, one, two, true))
        rows.append(row)
    return rows


def line(row: dict) -> str:
    text = f"geoms {row['geoms']} {row['kinds']:20} ncon {row['ncon']} differ by {row['dist']:.1e} m, normal {row['normal']:.1e}"
    if "true" not in row:
        return text
    nearer = "ours" if row["ours"] < row["official"] else "official"
    return f"{text} | true {row['true']:.6g}{'' if row['unique'] else ' (not unique)'}, ours off by {row['ours']:.1e}, official by {row['official']:.1e}: {nearer} nearer"


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="+")
    parser.add_argument("--states", type=int, default=5)
    parser.add_argument("--above", type=float, default=1e-8)
    parser.add_argument("--ccd", type=float, help="the official engine's tolerance; it then has 500 iterations")
    chosen = parser.parse_args(arguments)
    physics.ensure_kernels()
    for name in chosen.names:
        found = entry(name)
        m, official = physics.load(found.path), mujoco.MjModel.from_xml_path(str(found.path))
        if chosen.ccd:
            official.opt.ccd_tolerance, official.opt.ccd_iterations = chosen.ccd, 500
        for k, state in enumerate(states(official, found, chosen.states)):
            d, data = physics.Data(m), mujoco.MjData(official)
            for target in (d, data):
                state.into(target)
            physics.fwd_position(m, d)
            mujoco.mj_fwdPosition(official, data)
            print(f"{name} state {k}: ncon {int(d.ncon)}, official {data.ncon}")
            for row in differences(official, data, d, chosen.above):
                print("   ", line(row))
    return 0


if __name__ == "__main__":
    sys.exit(main())
