"""Elements under construction: what the compiler knows of each kind before it becomes a row of the Model's fields.

One class for each kind of `Build.items`. Attributes that are not explained are those of the MJCF element with the same name, resolved
through its default classes, lists as tuples of floats and keywords as the Model's integers. They are set by the pass that makes the item
(elements/, mesh/, texture/, assets/) and by later ones; until then an item lacks them. tests/physics/compiler/test_items.py holds that
no item has others.
"""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from physics.compiler.mesh.mesh_data import MeshData
    from physics.spec.element import Element

Numbers = tuple[float, ...]


class Item:
    """One element under construction: its attributes become a row of each field. values: a dictionary of them, much quicker than keywords when many."""

    id: int   # place among the items of its kind
    element: Element | None   # None where no element of the file made it
    name: str   # "" for none

    def __init__(self, values: Mapping | None = None, **more):
        self.__dict__ = more if values is None else values | more


class BodyItem(Item):
    """A body; the world is the first."""

    mocap: bool
    pos: Numbers   # in the parent body's frame, frames between them included
    quat: Numbers   # unit
    gravcomp: float
    user: Numbers
    sleep: str
    parent: BodyItem | None   # None of the world
    children: list[BodyItem]
    joints: list[JointItem]
    geoms: list[GeomItem]
    sites: list[SiteItem]
    cameras: list[CameraItem]
    lights: list[LightItem]
    parts: list[tuple]   # (element, body): children that are no bodies, yet to be read
    inertial: Element | None   # the inertial element, if there is one
    explicit: bool   # mass and inertia are given by an inertial element
    inferred: bool | None   # they come from the geoms; None: not known yet
    adjusted: bool | None   # boundmass, boundinertia or balanceinertia changed them
    mass: float   # [kg]
    inertia: Numbers   # principal moments [kg m2]
    ipos: Numbers   # centre of mass in the body's frame [m]
    iquat: Numbers   # principal axes in the body's frame, unit
    own_pose: tuple | None   # (pos, quat) as given, where the frame was moved to the inertia's (alignfree)
    world: tuple   # (pos, quat) in the world, of models in global coordinates
    may_be_simple: bool   # whether body_simple is to be looked at
    weldid: int   # body_weldid and so on, as in the Model
    parentid: int
    rootid: int
    mocapid: int
    sameframe: int
    simple: int
    contype: int   # of its geoms together
    conaffinity: int
    margin: float   # largest of its geoms
    dofnum: int
    lastdof: int | None   # last dof of it or of the nearest ancestor that has any; None: no such


class JointItem(Item):
    """A joint or freejoint."""

    type: int
    body: BodyItem
    pos: Numbers
    axis: Numbers   # unit
    limited: bool
    range: Numbers   # [rad] or [m]
    stiffness: Numbers   # linear and polynomial coefficients
    damping: Numbers
    springyield: float
    margin: float
    armature: float
    frictionloss: float
    ref: float
    springref: float
    springdamper: Numbers
    user: Numbers
    actfrclimited: bool
    actgravcomp: bool
    actfrcrange: Numbers
    solref: Numbers   # of the limit
    solimp: Numbers
    friction_solref: Numbers
    friction_solimp: Numbers
    group: int
    align: str
    qposadr: int   # first entry in qpos; -1 until joints are numbered
    dofadr: int   # first dof
    nq: int   # entries in qpos
    nv: int   # dofs


class GeomItem(Item):
    """A geom."""

    type: int
    body: BodyItem
    contype: int
    conaffinity: int
    condim: int
    material: str
    group: int
    priority: int
    castshadow: bool
    solmix: float
    solref: Numbers
    solimp: Numbers
    friction: Numbers
    margin: float
    gap: float
    surfacevel: Numbers
    adhesion: float
    user: Numbers
    rgba: Numbers
    size: Numbers   # (3,) as geom_size; of a mesh half of its box
    pos: Numbers   # in the body's frame; of a mesh that of its centre of mass
    quat: Numbers
    shellinertia: bool
    density: float
    fluidshape: str
    mesh_name: str | None   # the attributes mesh and hfield
    hfield_name: str | None
    mass: float   # [kg], 0 outside inertiagrouprange
    inertia: Numbers   # principal moments about its frame [kg m2]
    fluid: Numbers   # (12,) as geom_fluid
    dataid: int   # the mesh or height field it shows, -1: none
    mesh: MeshData | None   # the mesh it shows
    lender: MeshItem | None   # the mesh it names: shows, or takes its size from
    rbound: float   # radius of the bounding sphere [m], 0 for planes
    aabb: Numbers   # (6,) centre and half sizes in its frame


class SiteItem(Item):
    """A site."""

    type: int
    body: BodyItem
    material: str
    group: int
    user: Numbers
    rgba: Numbers
    size: Numbers
    pos: Numbers
    quat: Numbers
    mesh_name: str | None
    dataid: int   # the mesh it shows, -1: none
    lender: MeshItem | None


class CameraItem(Item):
    """A camera."""

    body: BodyItem
    mode: int   # CamLightMode
    target: str   # "" for none
    pos: Numbers
    quat: Numbers
    projection: int
    fovy: float   # [degree]
    ipd: float
    resolution: Numbers
    sensorsize: Numbers
    user: Numbers
    output: int   # bits of CameraOutput
    intrinsic: Numbers   # (4,) focal lengths and principal point [m]


class LightItem(Item):
    """A light."""

    body: BodyItem
    mode: int   # CamLightMode
    target: str
    type: int
    texture: str
    castshadow: bool
    active: bool
    pos: Numbers
    dir: Numbers   # unit
    bulbradius: float
    intensity: float
    range: float
    cutoff: float
    softness: float
    exponent: float
    attenuation: Numbers
    ambient: Numbers
    diffuse: Numbers
    specular: Numbers


class MaterialItem(Item):
    """A material."""

    layers: dict   # role -> name of a texture
    texuniform: bool
    texrepeat: Numbers
    rgba: Numbers
    emission: float
    specular: float
    shininess: float
    reflectance: float
    metallic: float
    roughness: float


class TextureItem(Item):
    """A texture."""

    type: int
    colorspace: int
    nchannel: int
    width: int
    height: int
    kept: bool   # whether its pixels are kept beside the Model's
    pixels: np.ndarray   # (height, width, nchannel) uint8, or what paints itself into the Model


class PairItem(Item):
    """A contact pair: the geoms by their numbers, and how they touch."""

    signature: int   # of the two bodies, as pair_signature
    geom1: int
    geom2: int
    condim: int
    friction: Numbers
    solref: Numbers
    solreffriction: Numbers
    solimp: Numbers
    margin: float
    gap: float
    adhesion: float


class ExcludeItem(Item):
    """Two bodies that do not collide."""

    signature: int


class EqualityItem(Item):
    """An equality constraint."""

    type: int   # EqType
    objtype: int   # ObjType of both objects
    obj1: int   # numbers of the objects, -1 for none
    obj2: int
    active: bool
    solref: Numbers
    solimp: Numbers
    data: list[float]   # (11,) as eq_data, completed in the initial pose


class TendonItem(Item):
    """A tendon."""

    type: int   # spatial or fixed
    group: int
    limited: bool
    range: Numbers
    actfrclimited: bool
    actfrcrange: Numbers
    margin: float
    stiffness: Numbers
    damping: Numbers
    armature: float
    frictionloss: float
    springlength: Numbers   # (-1, -1): its length in the initial pose
    springyield: float
    user: Numbers
    solref: Numbers
    solimp: Numbers
    friction_solref: Numbers
    friction_solimp: Numbers
    material: str
    width: float
    rgba: Numbers
    path: list[PathStep]
    dofs: list[int]   # that can change its length, ascending


class PathStep(Item):
    """One step of a tendon's path: a joint, site, geom or pulley. It has no number or name of its own."""

    type: int   # WrapType
    target: Item | None   # the joint, site or geom; None of a pulley
    prm: float   # coefficient of a joint, divisor of a pulley
    side: SiteItem | None   # the side site of a geom
    rule: int   # how the side site chooses the way round


class ActuatorItem(Item):
    """An actuator, shortcuts turned into gain, bias and dynamics."""

    gaintype: int
    biastype: int
    dyntype: int
    gainprm: Numbers   # (10,)
    biasprm: Numbers
    dynprm: Numbers
    ctrlspec: int   # which controls it takes
    origin: str   # the tag it was made from
    trntype: int   # TransmissionType
    trnid: tuple[int, int]
    gear: Numbers
    cranklength: float
    group: int
    ctrllimited: bool
    forcelimited: bool
    actlimited: bool
    ctrlrange: Numbers
    forcerange: Numbers
    actrange: Numbers
    velrange: Numbers
    ffrange: Numbers
    lengthrange: Numbers
    inheritrange: float
    ranges: list[tuple]   # (low, high) of each control
    damping: Numbers
    armature: float
    actdim: int   # activations
    actearly: bool
    nsample: int   # controls kept for the delay
    delay: float
    interp: int
    user: Numbers
    ctrlnum: int   # controls, and the first of them in ctrl
    ctrladr: int
    outnum: int   # outputs, and the first of them
    outadr: int
    actadr: int   # first activation, -1: none
    historyadr: int   # where its kept controls begin, -1: none


class SensorItem(Item):
    """A sensor."""

    type: int
    datatype: int
    needstage: int
    obj: tuple[int, int]   # (ObjType, number) of what it is attached to, (UNKNOWN, -1) for none
    ref: tuple[int, int]   # of what it measures against
    intprm: tuple[int, int, int]   # settings of its kind, as sensor_intprm
    dim: int   # values
    cutoff: float
    noise: float
    user: Numbers
    delay: float
    nsample: int
    interp: int
    interval: Numbers


class NumericItem(Item):
    """Numbers of the user."""

    data: Numbers


class TextItem(Item):
    """A text of the user."""

    data: bytes   # with the zero at its end


class TupleItem(Item):
    """Elements that the user put together."""

    entries: list[tuple]   # (ObjType, number, parameter) of each


class KeyItem(Item):
    """A keyframe, as long as the state."""

    time: float
    qpos: list[float]
    qvel: list[float]
    act: list[float]
    ctrl: list[float]
    mpos: list[float]
    mquat: list[float]


class MeshItem(Item):
    """A mesh."""

    data: MeshData | None   # None where it could not be made, which has been said
    tree: object   # mesh/bvh.Trees: bounding boxes over its triangles
    material: str
    scale: Numbers
    inertia: str   # where its mass lies: convex, exact, legacy or shell
    mended: bool   # its data stand in for broken ones


class HfieldItem(Item):
    """A height field."""

    size: Numbers
    data: np.ndarray   # (nrow, ncol) float32, from 0 to 1


class SkinItem(Item):
    """A skin."""

    group: int
    material: str
    rgba: Numbers
    inflate: float
    bones: list   # of assets/skins.Bone
    vert: np.ndarray   # (n, 3) float32
    texcoord: np.ndarray
    face: np.ndarray   # (m, 3) int32


ITEM_CLASSES: Mapping[str, type[Item]] = MappingProxyType({
    "body": BodyItem, "joint": JointItem, "geom": GeomItem, "site": SiteItem, "camera": CameraItem, "light": LightItem, "material": MaterialItem,
    "texture": TextureItem, "pair": PairItem, "exclude": ExcludeItem, "equality": EqualityItem, "tendon": TendonItem, "actuator": ActuatorItem,
    "sensor": SensorItem, "numeric": NumericItem, "text": TextItem, "tuple": TupleItem, "key": KeyItem, "mesh": MeshItem, "hfield": HfieldItem,
    "skin": SkinItem,
})
