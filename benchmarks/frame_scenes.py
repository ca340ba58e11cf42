"""What the frame benchmark draws: models of the corpus, primitives made here, and the poses they are drawn in. No GL.

Poses differ from the start by small motions of every joint, so that no frame equals the one before and nothing that moved can be kept.
"""
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

from tests.oracle.corpus import entry

POSES = 8
TURN, SHIFT = 0.1, 0.01     # how far joints move: [rad], and lengths as a share of the model's extent
SHAPES = (("sphere", 1), ("box", 3), ("capsule", 2), ("cylinder", 2), ("ellipsoid", 3))
PER_BODY = 10


@dataclass(frozen=True)
class SceneOf:
    """One line of the table: a corpus model, or so many primitives."""

    name: str
    corpus: str = ""
    primitives: int = 0


SCENES = (SceneOf("humanoid", "humanoid"), SceneOf("500 primitives", primitives=500), SceneOf("5000 primitives", primitives=5000),
          SceneOf("mesh-heavy arm", "ufactory_xarm7"), SceneOf("height field", "derived_car_hfield"), SceneOf("skinned cloth", "legacy_cloth_expanded"))


def primitives_xml(count: int) -> str:
    """A square field of all kinds of primitives, ten to a body that turns, over a mirroring checkered floor under one sun."""
    rng, side = np.random.default_rng(1), 0.18 * np.sqrt(count)
    bodies = []
    for _ in range(count // PER_BODY):
        x, y = rng.uniform(-side, side, 2)
        geoms = []
        for k in range(PER_BODY):
            shape, numbers = SHAPES[k % len(SHAPES)]
            size, place = rng.uniform(0.04, 0.11, numbers), rng.uniform((-0.5, -0.5, -0.25), (0.5, 0.5, 0.5))
            angles, rgb = rng.uniform(-180, 180, 3), rng.uniform(0.1, 0.9, 3)
            geoms.append(f'<geom type="{shape}" size="{_text(size)}" pos="{_text(place)}" euler="{_text(angles)}" rgba="{_text(rgb)} 1"/>')
        bodies.append(f'<body pos="{x:.3f} {y:.3f} 0.45"><joint axis="0 0 1"/>{"".join(geoms)}</body>')
    return f'''<mujoco><visual><headlight ambient=".2 .2 .2" diffuse=".4 .4 .4"/><global azimuth="110" elevation="-30"/></visual>
<statistic extent="{1.2 * side:.3f}" center="0 0 .3"/>
<default><geom contype="0" conaffinity="0"/></default>
<asset><texture name="sky" type="skybox" builtin="gradient" rgb1=".4 .6 .8" rgb2="0 0 0" width="256" height="1536"/>
<texture name="floor" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".1 .15 .2" width="300" height="300"/>
<material name="floor" texture="floor" texrepeat="2 2" texuniform="true" reflectance=".2"/></asset>
<worldbody><light pos="0 0 {4 * side:.2f}" dir=".3 .2 -1" directional="true" diffuse=".6 .6 .6"/>
<geom type="plane" size="{1.5 * side:.3f} {1.5 * side:.3f} .1" material="floor"/>{"".join(bodies)}</worldbody></mujoco>'''


def _text(numbers) -> str:
    return " ".join(f"{v:.4g}" for v in numbers)


def prepare(scene: SceneOf, folder: Path) -> tuple[Path, np.ndarray]:
    """(file of the model, poses (POSES, nq)). Raises ValueError where the official engine cannot load it."""
    if scene.corpus:
        found = entry(scene.corpus)
        path, key = found.path.resolve(), found.starts_at_key
    else:
        path, key = folder / f"{scene.primitives}.xml", False
        path.write_text(primitives_xml(scene.primitives))
    return path, poses(mujoco.MjModel.from_xml_path(str(path)), key)


def poses(m, at_key: bool) -> np.ndarray:
    """(POSES, nq) coordinates near the start state."""
    d = mujoco.MjData(m)
    if at_key:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    share = np.full(m.nv, TURN)
    for j in range(m.njnt):
        first = m.jnt_dofadr[j]
        if m.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE:
            share[first:first + 3] = SHIFT * m.stat.extent
        elif m.jnt_type[j] == mujoco.mjtJoint.mjJNT_SLIDE:
            share[first] = SHIFT * m.stat.extent
    direction, out = share * np.random.default_rng(2).uniform(-1, 1, m.nv), []
    for k in range(POSES):
        qpos = d.qpos.copy()
        mujoco.mj_integratePos(m, qpos, direction, 2 * k / (POSES - 1) - 1)
        out.append(qpos)
    return np.array(out)
