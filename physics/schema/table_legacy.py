"""What MuJoCo 2.x and 3.x had and 4.0 dropped: rows added to the language's table, so that old models are read and checked.

Notation: schema_table.py; a row of an element that the table has already adds to it. LEGACY_SUPPORT says what is used instead, in
the notation of support.py: level 'legacy' is a warning and no more. How the old words are turned into today's: mjcf/legacy.py; how
composites become ordinary elements: expand/composite. Facts from the XML references of MuJoCo 2.2 to 3.12 and the changelog.
"""

from __future__ import annotations

from types import MappingProxyType

__all__ = ["LEGACY", "LEGACY_SUPPORT", "MATERIAL_ROLES", "RENAMED"]

MATERIAL_ROLES = ("rgb", "occlusion", "roughness", "metallic", "normal", "opacity", "emissive", "rgba", "orm")

# (element path, old attribute) -> today's, with the same values
RENAMED = MappingProxyType({
    ("option", "mpr_iterations"): "ccd_iterations", ("option", "mpr_tolerance"): "ccd_tolerance",
    ("compiler/lengthrange", "inteval"): "interval",
    ("body/joint", "actuatorforcelimited"): "actuatorfrclimited", ("body/joint", "actuatorforcerange"): "actuatorfrcrange",
    ("default/joint", "actuatorforcelimited"): "actuatorfrclimited", ("default/joint", "actuatorforcerange"): "actuatorfrcrange",
})

_LAYERS = "\n".join(f"[asset/material/{role} ?]\ntexture ref texture !" for role in MATERIAL_ROLES)

LEGACY = f"""\
[compiler *]
convexhull bool = true
exactmeshinertia bool = false
[compiler/lengthrange ?]
inteval real = 2
[option *]
apirate real = 100
collision all|predefined|dynamic = all
mpr_iterations int = 50
mpr_tolerance real = 1e-6
[option/flag ?]
passive flag = enable
sensornoise flag = disable
[body/joint *]
actuatorforcelimited tri = auto
actuatorforcerange real 2 = 0 0
[body/camera *]
orthographic bool = false
{_LAYERS}
[extension/required *]
plugin str !
[extension/required/instance *]
name id instance !
[extension/required/instance/config *]
key str
value str
[equality/distance *]
name id equality
class ref default
geom1 ref geom !
geom2 ref geom !
distance real = 0
active bool = true
+soft
[+compositejoint]
group int = 3
limited tri = auto
range real 2 = 0 0
margin real = 0
stiffness real = 0
damping real = 0
frictionloss real = 0
solreffix real 1..2 = 0.02 1
solimpfix real 1..5 = 0.9 0.95 0.001 0.5 2
solreflimit real 1..2 = 0.02 1
solimplimit real 1..5 = 0.9 0.95 0.001 0.5 2
solreffriction real 1..2 = 0.02 1
solimpfriction real 1..5 = 0.9 0.95 0.001 0.5 2
[body/composite *]
prefix str
type particle|grid|rope|loop|cable|cloth|box|cylinder|ellipsoid !
count int 1..3 = 1 1 1
spacing real = 0
offset real 3 = 0 0 0
quat real 4 = 1 0 0 0
flatinertia real = 0
solrefsmooth real 1..2
solimpsmooth real 1..5
vertex real *
initial free|ball|none = ball
curve words s|cos(s)|sin(s)|0
size real 1..3 = 1 0 0
[body/composite/joint *]
kind main|twist|stretch|particle !
type free|ball|slide|hinge = hinge
axis real 3 = 0 0 1
armature real = 0
+compositejoint
[body/composite/tendon *]
kind main|shear !
material ref material
rgba real 4 = 0.5 0.5 0.5 1
width real = 0.003
+compositejoint
[body/composite/skin ?]
texcoord bool = false
material ref material
group int = 0
rgba real 4 = 1 1 1 1
inflate real = 0
subgrid int = 0
[body/composite/geom ?]
type plane|hfield|sphere|capsule|ellipsoid|cylinder|box|mesh|sdf = sphere
size real 1..3 = 0 0 0
contype int = 1
conaffinity int = 1
condim int = 3
group int = 3
priority int = 0
friction real 1..3 = 1 0.005 0.0001
solmix real = 1
+soft
margin real = 0
gap real = 0
surfacevel real 1..6 = 0 0 0 0 0 0
adhesion real = 0
material ref material
rgba real 4 = 0.5 0.5 0.5 1
mass real
density real = 1000
[body/composite/site ?]
group int = 3
size real 1..3 = 0.005 0.005 0.005
material ref material
rgba real 4 = 0.5 0.5 0.5 1
[body/composite/pin *]
coord int 1..2 !
[body/composite/plugin *]
+plugin
[body/composite/plugin/config *]
key str
value str
"""

LEGACY_SUPPORT: tuple[tuple[str, str, str, str, str], ...] = (
    ("legacy", "body/composite", "", "", "Its bodies, joints, tendons and constraints are made as in MuJoCo 2.3.7"),
    ("view", "body/composite/plugin", "", "", "plugins"),
    ("legacy", "equality/distance", "", "", "It acts as in MuJoCo 2.2.1"),
    ("legacy", "compiler", "convexhull", "", "Hulls are made when needed"),
    ("legacy", "compiler", "exactmeshinertia", "", "Read as inertia=\"exact\" of every mesh where it is true"),
    ("legacy", "option", "apirate", "", "It is ignored; it had no effect on numbers"),
    ("legacy", "option", "collision", "all", "It is ignored; this is how contacts are found"),
    ("legacy", "option", "collision", "predefined", "Read as contype and conaffinity 0 on every geom, so that only contact/pair counts"),
    ("legacy", "option", "collision", "dynamic", "Read by leaving every contact/pair out"),
    ("legacy", "option/flag", "passive", "", "Read as the flags spring and damper"),
    ("legacy", "option/flag", "sensornoise", "", "It is ignored; noise is never added"),
    *(("legacy", f"{home}/camera", "orthographic", "", "Read as projection") for home in ("body", "default")),
    ("legacy", "extension/required", "", "", "Read as <plugin>"),
    ("view", "extension/required", "", "", "plugins"),
    *(("legacy", f"asset/material/{role}", "", "", f'Read as <layer role="{role}">') for role in MATERIAL_ROLES),
    *(("legacy", path, old, "", f"Read as {new}") for (path, old), new in RENAMED.items()),
)
