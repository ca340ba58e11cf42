"""Every switch, label and frame of one model against mjv_updateScene: what differs, in words."""
from __future__ import annotations

import mujoco
import numpy as np

from app.bridge import Selection, ViewState, VisOptions, build_scene
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import FRAMES, LABELS, NOT_YET, VIS_FLAGS
from render.scene import shapes
from render.scene.snapshot import Scene
from tests.app.bridge.official import lines_of, mismatch, normal_rows, official_scene, our_lines, our_rows, rows_of, turned

NUMBER = {flag.name: k for k, flag in enumerate(VIS_FLAGS)}
LABELLED = ("joint", "camera", "light", "actuator", "contact_point", "contact_force", "select_point", "equality", "perturb_force")
FRAMED = ("camera", "light", "inertia")
ROUND = (shapes.CAPSULE, shapes.CYLINDER, shapes.ARROW, shapes.ARROW1, shapes.ARROW2)
TENDON = int(mujoco.mjtObj.mjOBJ_TENDON)
ROOM = 20000        # geoms of an official scene
TOLERANCE = 1e-4   # single precision, and directions that the official code turns by way of a quaternion
PAIRS = (("inertia", "scale_inertia"), ("contact_point", "island"), ("contact_force", "contact_split"), ("actuator", "activation"),
         ("static_body", "body_tree"), ("transparent", "tendon"))


def cases() -> list[tuple[tuple, str, str]]:
    """(flags, label, frame): nothing, each switch alone, some together, each label, each frame."""
    out = [((), "None", "None")]
    out += [((flag.name,), "None", "None") for flag in VIS_FLAGS if flag.name not in NOT_YET]
    out += [(flags, "None", "None") for flags in PAIRS]
    out += [(LABELLED, label, "None") for label in LABELS]
    return out + [(FRAMED, "None", frame) for frame in FRAMES]


def _options(flags, label: str, frame: str, depth: int) -> VisOptions:
    options = VisOptions(label=label, frame=frame, bvh_depth=depth)
    for flag in flags:
        options.toggle(flag)
    return options


def _comparable(rows: np.ndarray, ropes: np.ndarray) -> np.ndarray:
    """Without the tendons that hang as ropes, and without how round things are turned about their own axis."""
    rows = normal_rows(rows[~ropes])
    rows[rows[:, 0] == shapes.SKIN, 4:7] = 0   # a skin has no size, ours says how far it reaches
    rows[np.ix_(np.isin(rows[:, 0], ROUND), [7, 8, 10, 11, 13, 14])] = 0
    return rows


def _is_rope(official: mujoco.MjvScene, limp) -> np.ndarray:
    drawn = [g for g in official.geoms[:official.ngeom] if g.type not in (mujoco.mjtGeom.mjGEOM_LABEL, mujoco.mjtGeom.mjGEOM_LINE, mujoco.mjtGeom.mjGEOM_LINEBOX)]
    return np.array([g.objtype == TENDON and g.objid in limp for g in drawn], bool)


def texts(label: str, names) -> list[str]:
    """Labels as they are compared: each once; a contact's unnamed geom is 'g3' there, 'geom 3' here."""
    if label == "Contact":
        names = [" | ".join(f"geom {n[1:]}" if n[:1] == "g" and n[1:].isdigit() else n for n in text.split(" | ")) for text in names]
    return sorted(set(names))


def hulls_of(scene: Scene, m) -> set[int]:
    """Geoms shown as the hull of their mesh."""
    g = scene.geoms
    return set(g.view("objid")[(g.view("objtype") == shapes.OBJ_GEOM) & (g.view("dataid") >= m.nmesh + m.nhfield)].tolist())


def official_hulls(scene: mujoco.MjvScene) -> set[int]:
    """The same of an official scene, where an odd number of data is a hull."""
    return {g.objid for g in scene.geoms[:scene.ngeom] if g.objtype == mujoco.mjtObj.mjOBJ_GEOM and g.type == mujoco.mjtGeom.mjGEOM_MESH and g.dataid % 2}


def differences(mj, mjd, m, snapshot, limp=(), only=None, selected: int = 0, depth: int = 1) -> list[str]:
    """One line per case that differs. limp: tendons that hang as ropes, which are compared elsewhere."""
    perturb = mujoco.MjvPerturb()
    perturb.select, perturb.localpos = selected, (0.01, 0.02, 0.03)
    out, scene = [], mujoco.MjvScene(mj, ROOM)
    for flags, label, frame in only or cases():
        ours = build_scene(ModelVisuals(m), snapshot, _options(flags, label, frame, depth), Scene(), ViewState(Selection(selected, localpos=(0.01, 0.02, 0.03))))
        theirs = official_scene(mj, mjd, [NUMBER[f] for f in flags], LABELS.index(label), FRAMES.index(frame), perturb, depth=depth, into=scene)
        g = ours.geoms
        mine = (g.view("objtype") == shapes.OBJ_TENDON) & np.isin(g.view("objid"), list(limp))
        wrong = mismatch(_comparable(our_rows(ours), mine), _comparable(rows_of(theirs), _is_rope(theirs, limp)), TOLERANCE)
        wrong = wrong or mismatch(turned(our_lines(ours)), turned(lines_of(theirs)), TOLERANCE)
        named = texts(label, [x.label for x in theirs.geoms[:theirs.ngeom] if x.label and not (x.objtype == TENDON and x.objid in limp)])
        if "convex_hull" in flags and hulls_of(ours, m) != official_hulls(theirs):
            wrong += f" hulls {hulls_of(ours, m)}, officially {official_hulls(theirs)}"
        missing = sorted(set(named) - set(ours.labels.text))
        if missing:
            wrong += f" no label {missing[:5]}"
        if wrong:
            out.append(f"{'+'.join(flags) or 'default'}, label {label}, frame {frame}: {wrong}")
    return out
