"""What MuJoCo 2.3.7 says of strings with side sites, whose rule 4.0 changed: lengths, paths and Jacobians at random points.

`PYTHON tests/oracle/recorded_strings.py`, with an interpreter that has mujoco 2.3.7, writes recorded/strings.npz anew.
"""
from pathlib import Path

import numpy as np

RECORDED = Path(__file__).with_name("recorded") / "strings.npz"
ORACLE = "2.3.7"
KINDS = ("sphere", "cylinder")
COUNT = 300
STRING = """<mujoco>{custom}<worldbody><site name="a" pos="{a}"/><site name="b" pos="{b}"/><site name="s" pos="{s}"/>
  <body pos="{pos}" quat="{quat}"><freejoint/><geom name="g" type="{kind}" size=".3 .4"/></body></worldbody>
  <tendon><spatial><site site="a"/><geom geom="g" sidesite="s"/><site site="b"/></spatial></tendon></mujoco>"""


def text(kind: str, points, pose, custom: str = "") -> str:
    """A string past one geom."""
    places = {name: " ".join(map(repr, row.tolist())) for name, row in zip("abs", points)}
    return STRING.format(kind=kind, custom=custom, pos=" ".join(map(repr, pose[:3].tolist())), quat=" ".join(map(repr, pose[3:].tolist())), **places)


def cases(kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Points (a, b and side of each case) and poses of the geom; every fifth side site is inside, every eighth line goes through the middle."""
    rng = np.random.default_rng(KINDS.index(kind))
    points, poses = 0.6 * rng.normal(size=(COUNT, 3, 3)), np.tile([0, 0, 0, 1.0, 0, 0, 0], (COUNT, 1))
    points[::5, 2] *= 0.15
    points[::8, 1] = -points[::8, 0]
    quats = rng.normal(size=(COUNT, 4))
    poses[1::2, 3:] = (quats / np.linalg.norm(quats, axis=1)[:, None])[1::2]
    poses[1::2, :3] = 0.1 * rng.normal(size=(COUNT, 3))[1::2]
    return points, poses


def record() -> None:
    """Run by an interpreter that has MuJoCo 2.3.7."""
    import mujoco

    if mujoco.__version__ != ORACLE:
        raise SystemExit(f"this is mujoco {mujoco.__version__}, not {ORACLE}")
    found = {}
    for kind in KINDS:
        points, poses = cases(kind)
        rows = []
        for at, pose in zip(points, poses):
            m = mujoco.MjModel.from_xml_string(text(kind, at, pose))
            d = mujoco.MjData(m)
            mujoco.mj_forward(m, d)
            rows.append((m.tendon_length0[0], d.ten_length[0], d.ten_wrapnum[0], d.wrap_xpos.ravel()[:12], d.ten_J.ravel()))
        for name, column in zip(("length0", "length", "number", "path", "jacobian"), zip(*rows)):
            found[f"{kind}/{name}"] = np.array(column)
    np.savez_compressed(RECORDED, **found)


if __name__ == "__main__":
    record()
