"""Two free convex geoms under the official engine and ours: random meshes and primitives, one contact per pair."""
from __future__ import annotations

import mujoco
import numpy as np

from physics.model.data import Data
from tests.physics.engine.collide import oracle_scene, poses


def mesh(r: np.random.Generator, name: str, points: int) -> str:
    """A mesh asset: points on a random ellipsoid."""
    v = r.normal(size=(points, 3))
    v *= r.uniform(0.1, 0.5, 3) / np.linalg.norm(v, axis=1)[:, None]
    return f'<mesh name="{name}" vertex="{" ".join(map(str, v.ravel()))}"/>'


def two_geoms(first: str, second: str, r: np.random.Generator, margin: float = 0.0, gap: float = 0.0, flags: str = 'multiccd="disable"'):
    """Official model of two free bodies; a type `mesh20` is a mesh of 20 points."""
    assets, bodies = "", ""
    for k, kind in enumerate((first, second)):
        if kind.startswith("mesh"):
            assets += mesh(r, f"m{k}", int(kind[4:]))
            shape = f'type="mesh" mesh="m{k}"'
        else:
            shape = f'type="{kind}" size="{" ".join(map(str, poses.SIZES[kind](r)))}"'
        room = f'margin="{margin}" gap="{gap}"' if k == 0 else ""
        bodies += f"<body><freejoint/><geom {shape} {room}/></body>"
    return mujoco.MjModel.from_xml_string(f"<mujoco><option><flag {flags}/></option><asset>{assets}</asset><worldbody>{bodies}</worldbody></mujoco>")


def both(first: str, second: str, models: int, each: int, seed: int, tolerance: float = 1e-12, iterations: int = 200):
    """Yield (our Data, official Data, official Model) with the contacts of random poses found by both."""
    r = np.random.default_rng(seed)
    for k in range(models):
        mm = two_geoms(first, second, r, 0.0 if k % 3 == 0 else r.uniform(0, 0.2), 0.0 if k % 3 < 2 else r.uniform(0, 0.2))
        mm.opt.ccd_tolerance, mm.opt.ccd_iterations = tolerance, iterations
        md = mujoco.MjData(mm)
        m = oracle_scene.model_like(mm)
        d = Data(m)
        for _ in range(each):
            poses.randomize(r, mm, md, first)
            oracle_scene.place(m, d, md)
            oracle_scene.detect(m, d)
            mujoco.mj_collision(mm, md)
            yield d, md, mm
