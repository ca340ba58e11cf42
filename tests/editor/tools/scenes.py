"""A document with everything that stands between an element and the world, and what a motion of it should do."""
from pathlib import Path

import numpy as np

import physics
from editor.document import Document
from editor.tools import rigid
from editor.tools.element_trees import ElementTrees
from editor.tools.subject import Moment, subject_of

MAIN = """<mujoco model="all">
  <compiler angle="degree" eulerseq="zYx" autolimits="true"/>
  <default><geom rgba=".5 .6 .7 1"/><default class="rod"><geom type="capsule" size=".02 .1" euler="0 90 0"/></default></default>
  <asset>
    <mesh name="wedge" vertex="0 0 0  .3 0 0  0 .2 0  0 0 .1  .3 .2 0"/>
    <model name="kid" file="child.xml"/>
  </asset>
  <worldbody>
    <light name="sun" pos="0 -1 3" dir="0 .3 -1"/>
    <frame pos=".1 .2 .3" euler="10 20 30"><light name="lamp" pos="1 0 1" dir="0 0 -2"/></frame>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="base" pos="0 0 .5" euler="15 0 40">
      <joint name="swing" axis="0 1 1" pos="0 0 .1" range="-60 45" ref="10"/>
      <joint name="slip" type="slide" axis="1 0 0" range="-.1 .2"/>
      <geom name="block" type="box" size=".1 .15 .2" pos=".1   0 0.05" euler="5 10 15"/>
      <geom name="rod" class="rod" pos="0 .3 0"/>
      <frame name="outer" pos=".2 0 .1" axisangle="1 2 3 50">
        <frame pos="0 .1 0" xyaxes="1 1 0 -1 1 0" name="inner">
          <geom name="limb" type="capsule" fromto="0 0 0  .1 .2 .3" size=".03"/>
          <geom name="wedge" type="mesh" mesh="wedge" pos=".1 .1 .1" quat="1 .2 .3 .4"/>
          <geom name="hull" type="box" mesh="wedge" pos=".1 .1 .1" euler="10 0 20"/>
          <site name="tool" pos=".1 0 0" zaxis="1 1 1"/>
          <camera name="eye" pos="0 0 .3" xyaxes="0 -1 0  .3 0 1"/>
        </frame>
        <body name="arm" pos="0 .2 0" quat=".7 .1 .6 .2"><joint name="elbow" type="ball" pos=".01 0 0"/><joint name="rail" type="slide" axis="0 0 1"/>
          <geom name="stick" type="cylinder" size=".02 .15" pos="0 0 .1" axisangle="0 1 0 30"/><site name="tip" pos="0 0 .3"/></body>
      </frame>
    </body>
    <body name="free" pos="1 0 .5" euler="0 0 30"><freejoint align="true"/><geom name="cube" type="box" size=".1 .1 .2" pos=".1 0 0" euler="0 30 0"/></body>
    <body name="mover" pos="-1 0 .5" mocap="true"><geom name="mark" type="sphere" size=".05"/></body>
    <replicate count="10" offset="0 .3 0" euler="0 0 12" sep="-">
      <frame pos="0 .5 0" euler="0 15 0"><body name="post" pos=".5 0 .2"><geom name="pole" type="cylinder" size=".03 .1" pos="0 0 .1"/></body></frame>
    </replicate>
    <frame scale="2" pos="0 -1 0"><body name="big" pos=".1 0 .2"><geom name="large" type="capsule" fromto="0 0 0 .1 0 0" size=".02"/></body></frame>
    <frame pos="-1 1 0" euler="0 0 60"><attach model="kid" prefix="k_"/></frame>
    <include file="part.xml"/>
  </worldbody>
</mujoco>
"""
PART = ('<mujoco>\r\n  <!-- \u00e4\u00f6\u00fc \u2192 part -->\r\n\t<body name="part" pos=\'0.10 1.0 .5\'>\r\n\t\t<geom name="ball"\r\n\t\t      type="sphere"\r\n'
        '\t\t      size=".10"\r\n\t\t      pos="0.000 .10 0"/>\r\n\t\t<site name="spot" pos="0 0 .2" euler="90 0 0"/>\r\n\t</body>\r\n</mujoco>\r\n')
CHILD = """<mujoco model="kid"><compiler angle="radian" eulerseq="XYZ"/><worldbody>
  <body name="kid" pos="0 0 .4" euler=".1 .2 .3"><joint name="hinge" axis="0 0 1" range="-1 1"/>
    <geom name="nose" type="ellipsoid" size=".1 .05 .03" pos=".1 0 0" euler="0.5 0 0"/></body>
</worldbody></mujoco>
"""
MOVABLE = tuple(("geom", name) for name in ("block", "rod", "limb", "wedge", "hull", "stick", "cube", "mark", "pole-07", "large", "ball", "k_nose")) + tuple(
    ("body", name) for name in ("base", "arm", "free", "mover", "post-07", "big", "part", "k_kid")) + (("site", "tool"), ("site", "tip"), ("site", "spot"), ("camera", "eye"))


def written(folder: Path) -> Path:
    """The files in a folder; the main one."""
    for name, text in (("main.xml", MAIN), ("part.xml", PART), ("child.xml", CHILD)):
        (folder / name).write_bytes(text.encode())
    return folder / "main.xml"


class Scene:
    """An open document, its Model and a Data at the start; `pose` of things in the world."""

    def __init__(self, path: Path):
        physics.ensure_kernels()
        self.path = path
        self.document = Document.open(path)
        self.document.adopt({str(path.parent / name): "" for name in ("main.xml", "part.xml", "child.xml") if (path.parent / name).is_file()})
        self.m = physics.compile_root(self.document.version().read)
        self.d = physics.Data(self.m)
        physics.forward(self.m, self.d)

    @property
    def moment(self) -> Moment:
        return Moment(self.m, self.d)

    def subject(self, kind: str, name: str):
        return subject_of(ElementTrees(self.document), self.m, kind, self.m.id(kind, name))

    def pose(self, kind: str, name: str) -> np.ndarray:
        number, prefix = self.m.id(kind, name), {"body": "", "geom": "geom_", "site": "site_", "camera": "cam_"}[kind]
        return rigid.pose_of_matrix(getattr(self.d, f"{prefix}xpos")[number], getattr(self.d, f"{prefix}xmat")[number])

    def after(self, edit) -> "Scene":
        """The scene that the edited texts are, saved and opened anew."""
        self.document.apply(edit)
        self.document.save()
        return Scene(self.path)
