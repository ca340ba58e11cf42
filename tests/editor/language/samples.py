"""Texts for the tests of the language's helps: a large made one, and twins of a text that read as the same model."""
import re

MODEL = """<mujoco model="arm">
  <compiler meshdir="parts" angle="radian"/>
  <default>
    <geom rgba=".5 .5 .5 1"/>
    <default class="link">
      <geom size=".05" friction="1 .01 .001"/>
    </default>
  </default>
  <asset>
    <mesh name="hand" file="hand.stl"/>
    <material name="steel" rgba=".8 .8 .9 1"/>
  </asset>
  <worldbody>
    <!-- the arm -->
    <body name="upper" childclass="link">
      <joint name="elbow" axis="0 1 0"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0 0 1" material="steel"/>
      <site name="tip" pos="0 0 1"/>
    </body>
  </worldbody>
  <actuator>
    <motor name="drive" joint="elbow"/>
  </actuator>
  <sensor>
    <jointpos joint="elbow"/>
    <framepos objtype="site" objname="tip"/>
  </sensor>
</mujoco>
"""


def large(bodies: int = 360) -> str:
    """A model of six lines a body."""
    rows = ["<mujoco>", "  <worldbody>"]
    for i in range(bodies):
        rows += [f'    <body name="part_{i}" pos="{i} 0 1">', f'      <joint name="turn_{i}" type="hinge" axis="0 1 0" range="-1 1" damping=".1"/>',
                 f'      <geom name="shape_{i}" type="capsule" fromto="0 0 0 0 0 1" size=".04" rgba=".2 .3 .4 1"/>', f'      <site name="spot_{i}" pos="0 0 1"/>',
                 f'      <!-- part {i} of the chain -->', "    </body>"]
    rows += ["  </worldbody>", "  <actuator>", *(f'    <motor name="drive_{i}" joint="turn_{i}"/>' for i in range(40)), "  </actuator>", "</mujoco>", ""]
    return "\n".join(rows)


def twins(text: str) -> dict[str, str]:
    """The same model written otherwise: other line ends, tabs, single quotes, characters of several bytes, entities, comments, no last line end."""
    return {
        "as it is": text, "CRLF": text.replace("\n", "\r\n"), "mixed": re.sub(r"\n", lambda m: "\r\n" if m.start() % 3 else "\n", text), "CR": text.replace("\n", "\r"),
        "tabs": re.sub(r"^( +)", lambda m: "\t" * (len(m[1]) // 2), text, flags=re.MULTILINE),
        "single quotes": re.sub(r'="([^"\'<]*)"', r"='\1'", text), "letters": re.sub(r"(<\w+ [^>]*?/?>)", "<!-- Größe – 大 𝛼 -->\\1", text, count=5),
        "no end": text.rstrip("\n"), "wide": re.sub(r'(\w+)="', r'\1 = "', text),
    }
