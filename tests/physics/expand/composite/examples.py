"""Small composites of every family; expected.json holds what MuJoCo 2.3.7 (cables: 3.12.0) makes of them.

To record it anew run this file with the interpreters of two environments that hold mujoco 2.3.7 and 3.12.0, and numpy below 2:
    PYTHON_WITH_2.3.7 tests/physics/expand/composite/examples.py; PYTHON_WITH_3.12.0 tests/physics/expand/composite/examples.py
"""
import json
from pathlib import Path

import mujoco
import numpy as np

EXPECTED = Path(__file__).with_name("expected.json")
# every class setting that could leak into what a composite makes
CLASSES = """<default><geom friction="2 .1" mass="3" rgba="1 0 0 1" solimp=".8 .9" type="box" material="m" condim="4"/>
  <joint type="ball" damping="7" range="0 3" stiffness="2"/><site size=".1 .2 .3" type="box"/><tendon stiffness="4" range="0 9"/>
  <equality solref=".5 .6"/></default><asset><material name="m"/></asset>"""


def inside(name: str, composite: str, before: str = "") -> str:
    """A model with a composite in a free body."""
    return f'<mujoco><compiler autolimits="true"/>{before}<worldbody><body name="{name}"><freejoint/>{composite}</body></worldbody></mujoco>'


def alone(composite: str, before: str = "", after: str = "") -> str:
    """A model with a composite in the world."""
    return f'<mujoco><compiler autolimits="true"/>{before}<worldbody>{composite}</worldbody>{after}</mujoco>'


EXAMPLES = {
    "rope": inside("B2", """<composite type="rope" count="5 1 1" spacing=".05"><joint kind="main" damping="1" range="-30 20" stiffness="3"/>
        <joint kind="twist" damping="2"/><joint kind="stretch" stiffness="9" armature=".1"/><geom type="ellipsoid" size=".01 .02 .03" mass=".2"/>
        </composite>"""),
    "rope_classes": inside("B0", """<composite type="rope" count="4 1 1" spacing=".05"><joint kind="twist" damping="2"/>
        <geom type="capsule" size=".01 .02" density="20"/></composite>""", CLASSES),
    "loop": inside("qB1", """<composite type="loop" prefix="q" count="5 1 1" spacing=".05" solrefsmooth=".1">
        <geom type="capsule" size=".01 .02"/></composite>""", CLASSES),
    "cloth": inside("B1_2", """<composite type="cloth" count="3 4 1" spacing=".05" flatinertia=".1"><joint kind="twist" damping="2"/>
        <joint kind="stretch" damping="1"/><tendon kind="main" width=".1" solreffix=".3" stiffness="4"/>
        <tendon kind="shear" damping="4" range="0 1"/><skin texcoord="true" inflate=".1" group="2" rgba="1 0 0 .5"/>
        <site size=".02" group="1"/><geom type="capsule" size=".01 .005" mass=".3"/></composite>""", CLASSES),
    "cloth_subgrid": inside("B0_0", """<composite type="cloth" count="3 3 1" spacing=".05" flatinertia=".1"><skin subgrid="2" texcoord="true"/>
        <geom size=".01"/></composite>"""),
    "grid": alone("""<composite type="grid" prefix="a" count="3 4" spacing=".1" offset="1 2 3"><pin coord="0 1"/><pin coord="2"/>
        <tendon kind="shear"/><geom type="ellipsoid" size=".01 .02 .03"/><skin/></composite>
        <composite type="grid" prefix="b" count="3 3" spacing=".1"><geom size=".01"/></composite>""", CLASSES,
                  """<tendon><spatial name="t"><site site="aS0_0"/><site site="bS1_1"/></spatial></tendon>
        <equality><tendon name="e" tendon1="t"/></equality><contact><exclude body1="aB0_0" body2="bB0_0"/></contact>"""),
    "line": alone('<composite type="grid" count="5" spacing=".1"><pin coord="1"/><geom size=".02"/></composite>'),
    "particle": alone("""<composite type="particle" count="3 2 2" spacing=".1" offset="1 2 3"><joint kind="particle" type="slide" axis="0 0 1"/>
        <joint kind="particle" type="hinge" axis="0 1 0" damping="3"/><geom type="box" size=".01 .02 .03"/><skin texcoord="true"/></composite>""",
                      CLASSES),
    "box": inside("x", """<composite type="box" count="3 3 2" spacing=".1" solrefsmooth=".3" solimpsmooth=".5 .6"><skin texcoord="true"/>
        <tendon kind="main" solreffix=".7"/><geom size=".01"/></composite>""", CLASSES),
    "cylinder": inside("x", """<composite type="cylinder" count="3 3 3" spacing=".1"><skin texcoord="true"/><geom type="capsule" size=".01 .03"/>
        </composite>""", CLASSES),
    "ellipsoid": inside("x", """<composite type="ellipsoid" count="3 2 3" spacing=".1"><skin texcoord="true" rgba="1 0 1 1"/>
        <joint kind="main" damping="3"/><geom type="ellipsoid" size=".01 .02 .04"/></composite>"""),
    "cable": alone("""<composite type="cable" prefix="z" curve="s cos(s) sin(s)" count="7 1 1" size="1 .3 2" offset="-.3 0 .6" initial="free">
        <joint kind="main" damping=".015" range="0 30"/><geom type="capsule" size=".005" condim="1"/><site size=".1"/></composite>""",
                   '<custom><text name="k" data="d"/></custom>', '<contact><exclude body1="zB_1" body2="zB_4"/></contact>'),
    "cable_straight": alone("""<composite type="cable" curve="0 s" count="5 1 1" size="1" initial="none"><geom type="cylinder" size=".005"/>
        </composite>""", CLASSES),
    "cable_box": alone("""<composite type="cable" curve="cos(s) sin(s) s" count="5 1 1" size="1 .2 1" quat=".8 0 .6 0"><joint kind="main" damping=".015"/>
        <geom type="box" size=".005 .02 .001"/><skin subgrid="1" texcoord="true"/></composite>
        <composite type="cable" prefix="k" vertex="0 0 0 .1 0 0 .1 .1 0 .2 .1 .1" initial="none"><geom type="box" size=".005 .02 .001"/></composite>"""),
}

COUNTS = ("nbody", "nq", "nv", "ngeom", "nsite", "neq", "ntendon", "nexclude", "ntext", "nskin", "nskinvert", "nskintexvert", "nskinface",
          "nskinbone", "nskinbonevert")
# rows written out; of all other fields a few sums do
ROWS = ("body_mass", "tendon_length0")
SUMS = ("body_pos", "body_quat", "body_inertia", "geom_size", "geom_pos", "geom_quat", "geom_friction", "geom_solimp", "geom_rgba", "geom_condim",
        "geom_group", "geom_contype", "geom_priority", "site_size", "site_group", "jnt_pos", "jnt_axis", "jnt_range", "jnt_limited", "jnt_stiffness",
        "jnt_group", "dof_damping", "dof_armature", "eq_solref", "eq_solimp", "eq_obj1id", "eq_obj2id", "tendon_stiffness", "tendon_range",
        "tendon_damping", "tendon_group", "wrap_objid", "skin_vert", "skin_texcoord", "skin_face", "skin_rgba", "skin_inflate", "skin_group", "skin_bonebodyid",
        "skin_bonebindpos", "skin_bonevertid", "skin_bonevertweight", "skin_bonevertnum", "qpos0")


def summary(model) -> dict:
    """The numbers that are recorded: counts, names, masses, and of other fields the sum and a sum with weights, which tell order."""
    names = [name for name in model.names.decode().split("\0")[1:] if name]
    found = {"names": " ".join(names)} | {name: int(getattr(model, name)) for name in COUNTS}
    found |= {name: [float(f"{x:.10g}") for x in np.ravel(getattr(model, name))] for name in ROWS}
    for name in SUMS:
        value = np.asarray(getattr(model, name), float).ravel()
        found[name] = [float(f"{x:.10g}") for x in (np.abs(value).sum(), float(value @ np.cos(np.arange(value.size))))]
    return found


def record() -> None:
    """Write what this interpreter's release says of its examples."""
    found = json.loads(EXPECTED.read_text()) if EXPECTED.exists() else {}
    for name, text in EXAMPLES.items():
        if name.startswith("cable") == (mujoco.__version__ >= "3"):
            found[name] = summary(mujoco.MjModel.from_xml_string(text))
    EXPECTED.write_text(json.dumps({name: found[name] for name in EXAMPLES if name in found}, separators=(",", ":")).replace('},"', '},\n"') + "\n")


if __name__ == "__main__":
    record()
