"""Where the contacts of a model differ, whose are true: `python -m tests.oracle.nearer NAME ... [--states 5] [--above 1e-8] [--ccd 1e-14]`.

For each pair of geoms whose contacts differ at a state of the report: the deepest distance of both, the true one (tests/oracle/shapes.py) and
how far both are from it; where there is one contact, how far its normal and point are from the true ones, which are known to 1e-14. Of a height field: the contact that differs
most, against the prism that it is of. Planes have their own rules: those are only listed.
"""
import argparse
import sys

import mujoco
import numpy as np

import physics
from tests.oracle.corpus import entry
from tests.oracle.poses import TYPES, Contacts, match
from tests.oracle.shapes import SIGNS, Placed, Shape, apart, middle, settled, signed_distance, unit
from tests.oracle.states import states, widen_fields

SAME = 1e-9   # m
NONE = Contacts(np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3)))
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


def prisms_near(m, field: int, placed: Placed, other: Placed) -> list[Placed]:
    """The prisms of a height field whose sides are about the other shape."""
    nrow, ncol, size = int(m.hfield_nrow[field]), int(m.hfield_ncol[field]), np.array(m.hfield_size[field])
    start = int(m.hfield_adr[field])
    z = np.array(m.hfield_data[start:start + nrow * ncol], float).reshape(nrow, ncol) * size[2]
    x, y = np.linspace(-size[0], size[0], ncol), np.linspace(-size[1], size[1], nrow)
    centre = placed.mat.T @ (other.pos - placed.pos)
    low, high = (centre[:2] + [side * other.reach(side * placed.mat[:, k][None])[0] for k in range(2)] for side in (-1, 1))
    found = []
    for row in range(nrow - 1):
        strip = [(row + k, column) for column in range(ncol) for k in (1, 0)]
        for i in range(len(strip) - 2):
            top = np.array([(x[c], y[q], z[q, c]) for q, c in strip[i:i + 3]])
            if (top[:, :2].max(0) > low).all() and (top[:, :2].min(0) < high).all():
                corners = np.vstack([top * [1, 1, 0] - [0, 0, size[3]], top])
                found.append(Placed(Shape("prism", np.zeros(3), corners - corners.mean(0)), placed.pos + placed.mat @ corners.mean(0), placed.mat))
    return found


def sharp(one: Placed, two: Placed, true, mine: tuple, theirs: tuple) -> dict:
    """How far the normals and points of both, (normal, point) each, are from the true ones; no point where it is not single."""
    normal = settled(one, two, true.normal)
    point = middle(one, two, normal)
    found = {f"{whose}_normal": float(np.abs(unit(n) - normal).max()) for whose, (n, _x) in (("our", mine), ("official", theirs))}
    if point is not None:
        found.update({f"{whose}_point": float(np.abs(x - point).max()) for whose, (_n, x) in (("our", mine), ("official", theirs))})
    return found


def field_row(m, field: int, placed: Placed, other: Placed, a: Contacts, b: Contacts) -> dict:
    """Of the contacts with a height field the two that differ most, and the truth of the prism they fit best."""
    nearest = [int(np.abs(a.pos - pos).sum(1).round(9).argmin()) for pos in b.pos]
    apart_by = [max(abs(a.dist[i] - b.dist[k]), np.abs(a.normal[i] - b.normal[k]).max()) for k, i in enumerate(nearest)]
    k = int(np.argmax(apart_by))
    i, best = nearest[k], None
    for prism in prisms_near(m, field, placed, other):
        true = signed_distance(prism, other, np.stack([a.normal[i], b.normal[k]]), samples=600, kept=4)
        misfit = min(abs(x.dist[j] - true.dist) + np.abs(x.normal[j] - true.normal).max() for x, j in ((a, i), (b, k)))
        if best is None or misfit < best[0]:
            best = misfit, prism, true
    _misfit, prism, true = best
    return {"true": true.dist, "unique": true.unique, "ours": abs(a.dist[i] - true.dist), "official": abs(b.dist[k] - true.dist),
            **sharp(prism, other, true, (a.normal[i], a.pos[i]), (b.normal[k], b.pos[k]))}


def differences(official, data, ours, above: float) -> list[dict]:
    """A row for each pair of geoms whose contacts differ by more than `above` in distance or normal, where it is one in its point too, or in number."""
    n = int(ours.ncon)
    mine = by_pair(ours.contact_geom[:n], ours.contact_dist[:n], ours.contact_pos[:n], ours.contact_frame[:n])
    theirs = by_pair(data.contact.geom, data.contact.dist, data.contact.pos, data.contact.frame)
    rows = []
    for pair in sorted({*mine, *theirs}):
        a, b = mine.get(pair, NONE), theirs.get(pair, NONE)
        off = match(a, b)[:3 if len(a) == 1 else 2] if len(a) == len(b) else (np.inf, np.inf)
        if max(off) <= above:
            continue
        rows.append(pair_row(official, data, pair, a, b, off))
    return rows


def pair_row(official, data, pair: tuple[int, int], a: Contacts, b: Contacts, off: tuple) -> dict:
    """What is true of a pair of geoms where our contacts a and the official ones b differ by `off`; data: the official one, for the poses."""
    kinds = [TYPES[int(official.geom_type[g])] for g in pair]
    row = {"geoms": pair, "kinds": "-".join(kinds), "ncon": (len(a), len(b)), "dist": off[0], "normal": off[1]}
    if set(kinds) <= set(CONVEX):
        one, two = (Placed(shape_of(official, g), np.array(data.geom_xpos[g]), np.array(data.geom_xmat[g]).reshape(3, 3)) for g in pair)
        true = signed_distance(one, two, np.vstack([a.normal, b.normal]))
        row.update(true=true.dist, unique=true.unique, ours=untruth(a, one, two, true), official=untruth(b, one, two, true))
        if len(a) == len(b) == 1 and true.unique:
            row.update(sharp(one, two, true, (a.normal[0], a.pos[0]), (b.normal[0], b.pos[0])))
    elif kinds[0] == "hfield" and kinds[1] in CONVEX and len(a) == len(b):
        one, two = (Placed(shape_of(official, g), np.array(data.geom_xpos[g]), np.array(data.geom_xmat[g]).reshape(3, 3)) for g in pair)
        row.update(field_row(official, int(official.geom_dataid[pair[0]]), one, two, a, b))
    return row


def line(row: dict) -> str:
    text = f"geoms {row['geoms']} {row['kinds']:20} ncon {row['ncon']} differ by {row['dist']:.1e} m, normal {row['normal']:.1e}"
    if "true" not in row:
        return text
    mine, theirs, about = row["ours"], row["official"], ""
    if max(mine, theirs) < SAME and "our_normal" in row:   # then the distances do not tell
        mine, theirs = ([row.get(f"{whose}_{what}", 0.0) for what in ("normal", "point")] for whose in ("our", "official"))
        about = f", normals by {mine[0]:.1e} and {theirs[0]:.1e}" + (f", points by {mine[1]:.1e} and {theirs[1]:.1e} m" if "our_point" in row else "")
        mine, theirs = max(mine), max(theirs)
    return (f"{text} | true {row['true']:.6g}{'' if row['unique'] else ' (not unique)'}, ours off by {row['ours']:.1e}, official by {row['official']:.1e}{about}: "
            f"{'ours' if mine < theirs else 'official'} nearer")


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="+")
    parser.add_argument("--states", type=int, default=5)
    parser.add_argument("--above", type=float, default=1e-8)
    parser.add_argument("--ccd", type=float, help="ccd_tolerance of both; the official engine then has 500 iterations, and height fields the report's margin")
    chosen = parser.parse_args(arguments)
    physics.ensure_kernels()
    for name in chosen.names:
        found = entry(name)
        m, official = physics.load(found.path), mujoco.MjModel.from_xml_path(str(found.path))
        met = states(official, found, chosen.states)   # as the file sets it: the states of the report
        if chosen.ccd:
            for each in (m, official):
                each.opt.ccd_tolerance, each.opt.ccd_iterations = chosen.ccd, 500
                widen_fields(each)
        for k, state in enumerate(met):
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
