"""In which part of the inspector an attribute stands, what its numbers are called, and which attributes are seldom used."""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from physics.schema.schema import AttributeSpec

__all__ = ["GROUPS", "RARE", "component_names", "group_of", "shown_count"]

IDENTITY, POSE, SHAPE, CONTACT, MASS, LIMITS, ACTUATION, LOOK, REST = "Identity", "Pose", "Shape", "Contact", "Mass", "Limits", "Actuation", "Look", "Rest"
SETTINGS = "Settings"       # of elements that are nothing but settings: option, compiler, visual, ...
GROUPS = (IDENTITY, SETTINGS, POSE, SHAPE, MASS, LIMITS, ACTUATION, CONTACT, LOOK, REST)

_SETTING_HOMES = ("compiler", "option", "size", "statistic", "visual")
_WORDS: Mapping[str, str] = MappingProxyType({
    IDENTITY: "name class childclass model key plugin instance prefix body frame joint jointinparent tendon site refsite slidersite cranksite geom actuator camera flex objtype "
              "objname "
              "reftype refname target mode body1 body2 geom1 geom2 site1 site2 joint1 joint2 tendon1 tendon2 sidesite subtree1 subtree2 role data value needstage datatype dim "
              "active",
    POSE: "pos quat axisangle xyaxes zaxis euler fromto axis anchor relpose refpos refquat offset dir origin align bindpos bindquat mocap",
    SHAPE: "type size mesh hfield fitscale scale file builtin content_type vertex normal texcoord face params smoothnormal maxhullvert elevation nrow ncol count sep spacing "
           "radius cellcount dof point "
           "element elemtexcoord node nodecoord rigid inertiabox scaling massscale section sectionsize thickness cranklength divisor coef polycoef width height width fovy "
           "resolution focal focalpixel "
           "principal principalpixel sensorsize projection ipd output directional",
    MASS: "mass density diaginertia fullinertia shellinertia inertia gravcomp armature fluidshape fluidcoef simple fuse",
    LIMITS: "limited range ctrllimited ctrlrange forcelimited forcerange actlimited actrange lengthrange actuatorfrclimited actuatorfrcrange posrange velrange ffrange "
            "solreflimit solimplimit "
            "inheritrange imax slewmax",
    ACTUATION: "stiffness damping springref springdamper springyield springlength ref frictionloss solreffriction solimpfriction actuatorgravcomp kp kv ki dampratio gear "
               "timeconst gain area bias diameter "
               "force fpmax fvmax lmax lmin scale tausmooth vmax gaintype biastype dyntype gainprm biasprm dynprm actdim actearly input motorconst resistance inductance "
               "nominal controller saturation "
               "thermal lugre cogging interp nsample delay interval cutoff noise torquescale young poisson yield shear elastic2d equality",
    CONTACT: "contype conaffinity condim priority friction solref solimp solmix margin gap adhesion surfacevel selfcollide activelayers passive num reduce enclosed",
    LOOK: "rgba material group texture castshadow texrepeat texuniform emission specular shininess reflectance metallic roughness ambient diffuse attenuation bulbradius "
          "intensity softness exponent "
          "mark markrgb rgb1 rgb2 random hflip vflip colorspace nchannel gridsize gridlayout flatskin inflate embed fileback filedown filefront fileleft fileright fileup",
})
_GROUP_OF: Mapping[str, str] = MappingProxyType({word: group for group, words in _WORDS.items() for word in words.split()})
# where a word means something else in one family of elements: (beginning of the path, attribute) -> group
_ELSEWHERE: Mapping[tuple[str, str], str] = MappingProxyType({
    ("body/joint", "type"): IDENTITY, ("body/joint", "margin"): LIMITS, ("tendon/", "margin"): LIMITS, ("body/joint", "solref"): LIMITS, ("body/light", "range"): LOOK,
    ("body/light", "type"): IDENTITY,
    ("body/light", "cutoff"): LOOK, ("body/light", "active"): LOOK, ("asset/texture", "type"): SHAPE, ("asset/mesh", "scale"): SHAPE, ("actuator/muscle", "range"): ACTUATION,
    ("actuator/muscle", "scale"): ACTUATION, ("body/flexcomp/pin", "range"): SHAPE, ("asset/material", "specular"): LOOK, ("tendon/spatial", "width"): LOOK,
    ("body/replicate", "euler"): POSE,
    ("body/site", "type"): SHAPE, ("equality/", "solref"): ACTUATION, ("equality/", "solimp"): ACTUATION})
# shown when they are given, when one looks for them, or with all
RARE = frozenset("""
user fitscale fluidshape fluidcoef shellinertia surfacevel adhesion castshadow solmix fuse simple sleep childclass springyield springdamper actuatorfrclimited actuatorfrcrange
actuatorgravcomp
solreffriction solimpfriction align nsample interp delay interval lengthrange actdim actearly jointinparent slidersite cranksite refsite cranklength content_type vertex normal
texcoord face params
refpos refquat smoothnormal maxhullvert embed colorspace nchannel gridsize gridlayout fileback filedown filefront fileleft fileright fileup ipd focal focalpixel principal
principalpixel sensorsize
projection output bulbradius intensity softness exponent attenuation massscale scaling velrange ffrange posrange o_friction o_margin o_solimp o_solref actuatorgroupdisable
sdf_initpoints sdf_iterations
sleep_tolerance magnetic boundmass boundinertia conflict coordinate discardvisual fitaabb inertiagrouprange passthrough savecanonical savecompiled saveinertial settotalmass
strippath usethread
alignfree fromto nconmax njmax nstack plastic metallic roughness""".split())

_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "pos": ("x", "y", "z"), "axis": ("x", "y", "z"), "dir": ("x", "y", "z"), "anchor": ("x", "y", "z"), "refpos": ("x", "y", "z"), "offset": ("x", "y", "z"),
    "gravity": ("x", "y", "z"),
    "wind": ("x", "y", "z"), "magnetic": ("x", "y", "z"), "center": ("x", "y", "z"), "scale": ("x", "y", "z"), "zaxis": ("x", "y", "z"), "euler": ("1st", "2nd", "3rd"),
    "quat": ("w", "x", "y", "z"), "refquat": ("w", "x", "y", "z"), "axisangle": ("x", "y", "z", "angle"), "xyaxes": ("x.x", "x.y", "x.z", "y.x", "y.y", "y.z"),
    "fromto": ("from x", "from y", "from z", "to x", "to y", "to z"), "rgba": ("red", "green", "blue", "opacity"), "friction": ("sliding", "torsional", "rolling"),
    "solref": ("timeconst or -stiffness", "dampratio or -damping"), "solimp": ("d0", "dwidth", "width", "midpoint", "power"), "range": ("lower", "upper"),
    "springdamper": ("timeconst", "dampratio"),
    "diaginertia": ("xx", "yy", "zz"), "fullinertia": ("xx", "yy", "zz", "xy", "xz", "yz"), "gear": ("x", "y", "z", "turn x", "turn y", "turn z"), "texrepeat": ("x", "y"),
    "springlength": ("lower", "upper"), "resolution": ("width", "height"), "sensorsize": ("width", "height"), "attenuation": ("constant", "linear", "quadratic"),
    "relpose": ("x", "y", "z", "qw", "qx", "qy", "qz"), "surfacevel": ("x", "y", "z", "turn x", "turn y", "turn z")})
_PAIR_FRICTION = ("sliding 1", "sliding 2", "torsional", "rolling 1", "rolling 2")
_SIZES: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "sphere": ("radius",), "capsule": ("radius", "half length"), "cylinder": ("radius", "half length"), "box": ("half x", "half y", "half z"),
    "ellipsoid": ("radius x", "radius y", "radius z"),
    "plane": ("half x", "half y", "grid spacing")})
_ROUND = ("capsule", "cylinder")


def group_of(spec: AttributeSpec) -> str:
    """The group that an attribute stands in."""
    path = spec.path
    home = path.partition("/")[0]
    if home in _SETTING_HOMES:
        return SETTINGS
    if path.startswith("default/"):
        tag = path.removeprefix("default/")
        path = next((f"{family}/{tag}" for family in ("body", "asset", "actuator", "contact", "tendon") if (f"{family}/{tag}", spec.name) in _ELSEWHERE), path)
    for (begin, name), group in _ELSEWHERE.items():
        if name == spec.name and path.startswith(begin):
            return group
    return _GROUP_OF.get(spec.name, REST)


def component_names(spec: AttributeSpec, shape: str = "") -> tuple[str, ...]:
    """What the numbers of an attribute are called, () where they have no names. shape: the element's type, which says what a size is."""
    if spec.name == "size" and shape:
        return _SIZES.get(shape, ())
    if spec.name == "friction" and "pair" in spec.path:
        return _PAIR_FRICTION
    base = spec.name
    for known, alike in (("solref", "solref"), ("solimp", "solimp"), ("range", "range"), ("rgba", "rgba")):
        if base.startswith(known) or base.endswith(known):
            base = alike
    if spec.path == "visual/rgba" or base in ("rgb1", "rgb2", "markrgb", "ambient", "diffuse", "specular"):
        base = "rgba"
    return () if spec.scalar else _NAMES.get(base, ())


_SHOWN: Mapping[str, int] = MappingProxyType({"stiffness": 1, "damping": 1, "gear": 1, "springlength": 2, "gainprm": 3, "biasprm": 3, "dynprm": 1})


def shown_count(spec: AttributeSpec, given: int, shape: str = "", fromto: bool = False) -> int:
    """How many numbers of a list are shown, of which `given` are given somewhere; 0: it is a text of any length. fromto: whether that gives the length of a capsule or cylinder."""
    if spec.counts is None:
        return 0
    most = spec.counts[-1]
    if most > 31 or not isinstance(spec.counts, range) and most > 10:
        return 0
    if spec.name == "size" and shape in _SIZES:
        wanted = 1 if fromto and shape in _ROUND else len(_SIZES[shape])
        return max(min(wanted, most), min(given, most))
    if most > len(_NAMES.get(spec.name, ())) or spec.name in _SHOWN:
        return max(given, min(_SHOWN.get(spec.name, most), most))
    return most
