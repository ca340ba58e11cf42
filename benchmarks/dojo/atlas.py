"""The paper's Atlas: 31 bodies, 30 hinges, 174 kg, with spheres for contacts, from a URDF that is not part of this project.

It is atlas_simple.urdf of the paper's repository (github.com/dojo-sim/Dojo.jl, MIT licence,
DojoEnvironments/src/mechanisms/atlas/dependencies/atlas_simple.urdf): save it and give its path, or set LINKWORK_ATLAS. What is added here, floor,
spheres, dampers and the stance, are the numbers of the repository's mechanism and of examples/simulation/atlas_drop.jl on its branch rss2022.
"""
from __future__ import annotations

import math
import os
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np

import physics
from physics.model.data import Data
from physics.model.model import Model

VARIABLE = "LINKWORK_ATLAS"
# body, centre [m], radius [m]
FEET = tuple((f"{side}_foot", (x, y, 0.015), 0.025) for side in "lr" for x, y in ((-0.08, -0.04), (0.12, -0.02), (-0.08, 0.04), (0.12, 0.02)))
BODY = (
    ("l_hand", (0, 0, 0), 0.06), ("r_hand", (0, 0, 0), 0.06), ("l_lleg", (0.025, 0, 0.175), 0.075), ("r_lleg", (0.025, 0, 0.175), 0.075),
    ("l_clav", (0, -0.05, -0.075), 0.11), ("r_clav", (0, -0.05, -0.075), 0.11), ("pelvis", (0, 0, 0.05), 0.19), ("l_uarm", (0, -0.185, 0), 0.085),
    ("r_uarm", (0, -0.185, 0), 0.085), ("head", (0, 0, 0), 0.175), ("utorso", (-0.095, 0, 0.25), 0.15), ("utorso", (-0.095, 0, -0.2), 0.15),
)
# joint -> angle [half turns]
STANCE = {
    "back_bky": 0.04, "l_arm_elx": 0.25, "l_arm_ely": 0.5, "l_arm_shx": -0.5, "l_leg_aky": -0.1, "l_leg_hpy": -0.1, "l_leg_kny": 0.2, "r_arm_elx": -0.25,
    "r_arm_ely": 0.5, "r_arm_shx": 0.5, "r_leg_aky": -0.1, "r_leg_hpy": -0.1, "r_leg_kny": 0.2,
}
STANDING = 0.9385   # height of the pelvis in this stance [m]


def atlas_file(given: str | None) -> Path | None:
    """The URDF: the path that was given, else that of the environment, else in the folder dojo of the model corpus beside the checkout; None where there is none."""
    for path in (given, os.environ.get(VARIABLE), Path(__file__).resolve().parents[3] / "shared" / "corpus" / "dojo" / "atlas_simple.urdf"):
        if path and Path(path).exists():
            return Path(path)
    return None


def absent() -> str:
    """What to say where there is no URDF."""
    return (f"Atlas is not here: give the path of Dojo.jl's atlas_simple.urdf by --atlas or {VARIABLE} "
            "(github.com/dojo-sim/Dojo.jl, DojoEnvironments/src/mechanisms/atlas/dependencies)")


def atlas_mjcf(urdf: Path, timestep: float, friction: float = 0.5, damping: float = 25.0, stiffness: float = 1.0) -> str:
    """MJCF text of Atlas above a floor, without limits."""
    root = ET.parse(urdf).getroot()
    for link in root.findall("link"):
        for part in [e for e in link if e.tag in ("visual", "collision")]:
            link.remove(part)
    for part in [e for e in root if e.tag in ("transmission", "gazebo", "material")]:
        root.remove(part)
    children = {joint.find("child").get("link") for joint in root.findall("joint")}
    base = next(link.get("name") for link in root.findall("link") if link.get("name") not in children)
    ET.SubElement(root, "link", name="world")
    floating = ET.SubElement(root, "joint", name="floating_base", type="floating")
    ET.SubElement(floating, "parent", link="world")
    ET.SubElement(floating, "child", link=base)
    for joint in root.findall("joint"):
        for limit in joint.findall("limit"):
            joint.remove(limit)
        if joint.get("type") == "revolute":
            joint.set("type", "continuous")
    ET.SubElement(ET.SubElement(root, "mujoco"), "compiler", balanceinertia="true", discardvisual="true", fusestatic="false", strippath="true", angle="radian")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "atlas.urdf"
        file.write_text(ET.tostring(root, encoding="unicode"))
        text = physics.to_mjcf(physics.load(file))
    tree = ET.fromstring(text)
    option = tree.find("option")
    if option is None:
        option = ET.SubElement(tree, "option")
    option.set("timestep", repr(timestep))
    ET.SubElement(tree.find("worldbody"), "geom", name="floor", type="plane", size="0 0 1", contype="1", conaffinity="0", friction=repr(friction))
    bodies = {body.get("name"): body for body in tree.iter("body")}
    for body, centre, radius in FEET + BODY:
        ET.SubElement(bodies[body], "geom", type="sphere", size=repr(radius), pos=" ".join(map(repr, centre)), mass="0", contype="0", conaffinity="1",
                      friction=repr(friction))
    for joint in tree.iter("joint"):
        if joint.get("type") not in ("free", "ball"):
            joint.set("damping", repr(damping))
            joint.set("stiffness", repr(stiffness))
    return ET.tostring(tree, encoding="unicode")


def drop(m: Model, d: Data, height: float = 0.5, rotation=(0.0, 0.2, 0.1)) -> None:
    """Put Atlas in its stance, its feet `height` above the floor [m], turned by a rotation vector [rad]."""
    angle = float(np.linalg.norm(rotation))
    d.qpos[:3] = 0, 0, STANDING + height
    d.qpos[3], d.qpos[4:7] = math.cos(angle / 2), math.sin(angle / 2) * np.array(rotation) / max(angle, 1e-12)
    for name, share in STANCE.items():
        d.qpos[m.jnt_qposadr[m.id("joint", name)]] = share * math.pi
