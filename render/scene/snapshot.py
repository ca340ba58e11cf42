"""What the renderer draws: one `Scene` of structure-of-arrays, filled by a bridge and reused from frame to frame.

    model + simulation snapshot --bridge--> Scene --Renderer.draw--> picture
                                             |---- picking.pick ---> object under a pixel

A Scene knows neither GL nor physics. Its arrays grow when needed and shrink only when several pictures in a row needed far less, so a bridge
that fills the same Scene each frame allocates nothing once warm:

    scene.clear()
    rows = scene.geoms.add(ngeom)            # a slice
    scene.geoms.pos[rows] = snapshot.geom_xpos
    ...

Units are SI, colours 0..1, rotations row-major 3x3 (as `geom_xmat`). Everything that seldom changes (materials,
textures, meshes) sits in `SceneAssets`; the renderer uploads it again when `assets.key` differs.
Lights, fog, haze and material fields mean what they mean in MJCF (documentation, XML reference: visual, light, material).
"""
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from render.scene import shapes
from render.scene.rows import Rows
from render.scene.skins import SkinPoses

_asset_keys = count(1).__next__


_EYE = (1, 0, 0, 0, 1, 0, 0, 0, 1)


class Instances(Rows):
    """Drawn bodies: primitive shapes, arrows, lines (shapes.py says what `size` means for each).

    matid, texid: row in assets.materials / -1 none. A material gives emission, specular, shininess, reflectance and texture;
    the colour is always `rgba` (the bridge applies MJCF's rule which of geom and material colour wins).
    glow: added to the material's emission (selection). objtype/objid/bodyid: what a ray or the id pass reports.
    segid: number written by the segmentation pass; -1 takes the row number. dataid: mesh number for MESH.
    texsize: half sizes [m] that the texture of a MESH is measured by (geom_size), 0 none; other shapes are measured by `size`.
    amount: what a mark stands for, in a unit that whoever draws it tells by the number `quantity` (-1: the row is no mark).
    """

    COLUMNS = (
        ('shape', (), np.int8, shapes.SPHERE), ('flags', (), np.uint8, shapes.MODEL_GEOM),
        ('pos', (3,), np.float32, 0), ('mat', (9,), np.float32, _EYE), ('size', (3,), np.float32, 0.1), ('rgba', (4,), np.float32, (0.5, 0.5, 0.5, 1)),
        ('matid', (), np.int32, -1), ('glow', (), np.float32, 0), ('dataid', (), np.int32, -1),
        ('objtype', (), np.int32, shapes.OBJ_UNKNOWN), ('objid', (), np.int32, -1), ('bodyid', (), np.int32, -1), ('segid', (), np.int32, -1),
        ('texsize', (3,), np.float32, 0), ('amount', (), np.float32, 0), ('quantity', (), np.int8, -1),
    )

    def put(self, shape: int, pos, size, rgba, mat=_EYE, **columns) -> int:
        """Append one row from plain values and return its number: for decor made one by one."""
        i = self.add(1).start
        self.shape[i] = shape
        self.pos[i] = pos
        self.size[i] = size
        self.rgba[i] = rgba
        self.mat[i] = np.reshape(mat, 9)
        for name, value in columns.items():
            getattr(self, name)[i] = value
        return i


class Lines(Rows):
    """Straight segments in world coordinates; width in pixels. Always decor: unlit, no shadow. objtype, objid, bodyid: what they belong to; named: whether
    pictures of numbers show them (else as shapes.UNNAMED)."""

    COLUMNS = (('start', (3,), np.float32, 0), ('end', (3,), np.float32, 0), ('rgba', (4,), np.float32, 1), ('width', (), np.float32, 1),
               ('objtype', (), np.int32, shapes.OBJ_UNKNOWN), ('objid', (), np.int32, -1), ('bodyid', (), np.int32, -1),
               ('named', (), np.bool_, True))

    def put(self, start, end, rgba, width=1.0, **columns):
        """Append segments from plain values: start, end (3,) or (n, 3); the others one value or one per segment."""
        start = np.atleast_2d(start)
        rows = self.add(len(start))
        self.start[rows], self.end[rows], self.rgba[rows], self.width[rows] = start, end, rgba, width
        for name, value in columns.items():
            getattr(self, name)[rows] = value


class Points(Rows):
    """Round dots in world coordinates; size in pixels. Always decor, and of nothing: unlit, no shadow, as shapes.UNNAMED."""

    COLUMNS = (('pos', (3,), np.float32, 0), ('rgba', (4,), np.float32, 1), ('size', (), np.float32, 3))


class Lights(Rows):
    """Lights as MJCF describes them. cutoff [degree]; intensity [cd], range [m], bulbradius [m], softness and texid: of physically based looks.
    home, home_dir: place and direction at the model's start, by which the exposure is settled once for all; not finite: as they are now."""

    SPOT, DIRECTIONAL, POINT, IMAGE = 0, 1, 2, 3
    COLUMNS = (
        ('type', (), np.int8, 0), ('castshadow', (), np.bool_, True), ('pos', (3,), np.float32, 0), ('dir', (3,), np.float32, (0, 0, -1)),
        ('attenuation', (3,), np.float32, (1, 0, 0)), ('cutoff', (), np.float32, 45), ('exponent', (), np.float32, 10),
        ('ambient', (3,), np.float32, 0), ('diffuse', (3,), np.float32, 0.7), ('specular', (3,), np.float32, 0.3), ('objid', (), np.int32, -1),
        ('intensity', (), np.float32, 0), ('range', (), np.float32, 10), ('bulbradius', (), np.float32, 0.02), ('softness', (), np.float32, 0),
        ('texid', (), np.int32, -1), ('home', (3,), np.float32, np.nan), ('home_dir', (3,), np.float32, np.nan),
    )


@dataclass(slots=True)
class Labels:
    """Texts at world positions, drawn by the window or by Pillow after everything else; parallel lists.

    key: what a label stands at, the same from frame to frame though its text may change; by it the layout knows a label again. The bridge's
    begin with kind and number: ('geom', 3).
    """
    pos: list = field(default_factory=list)
    text: list = field(default_factory=list)
    rgba: list = field(default_factory=list)
    key: list = field(default_factory=list)

    def clear(self):
        """Forget all labels."""
        self.pos.clear()
        self.text.clear()
        self.rgba.clear()
        self.key.clear()

    def put(self, pos, text, rgba=(1, 1, 1, 1), key=None):
        """Append one label; without a key its text is the key."""
        self.pos.append(pos)
        self.text.append(text)
        self.rgba.append(rgba)
        self.key.append(text if key is None else key)


@dataclass(frozen=True, slots=True)
class Texture:
    """One texture. kind: '2d', 'cube' or 'skybox'; data (height, width, 1 to 4 channels), row 0 on top, uint8, or float32 for colours brighter than 1;
    a cube holds its six square faces below each other: right, left, up, down, front, back (height = 6 width), or one face for all."""
    kind: str
    data: np.ndarray
    srgb: bool = False


@dataclass(frozen=True, slots=True)
class MeshAsset:
    """One triangle mesh: vertex (n, 3), normal (n, 3), texcoord (n, 2) or None, face (m, 3) int32; box: its centre and half sizes; sphere: centre and radius.
    A normal of zero stands for that of the triangle. grid: rows and columns of a height field (geometry/height_field.py)."""
    vertex: np.ndarray
    normal: np.ndarray
    face: np.ndarray
    texcoord: np.ndarray | None = None
    grid: tuple | None = None
    box: np.ndarray = field(init=False)
    sphere: np.ndarray = field(init=False)

    def __post_init__(self):
        vertex = np.asarray(self.vertex, float) if len(self.vertex) else np.zeros((1, 3))
        low, high = vertex.min(0), vertex.max(0)
        center = (low + high) / 2
        object.__setattr__(self, 'box', np.r_[center, (high - low) / 2])
        object.__setattr__(self, 'sphere', np.r_[center, np.sqrt(((vertex - center) ** 2).sum(1).max())])


class Materials(Rows):
    """Surface properties; fields as in MJCF's material. texid: the colour's texture, -1 none.

    metallic, roughness: -1 where the material does not say. layers: texture number by role, -1 none, the colour's once more; roles as mjtTextureRole:
    1 rgb, 2 occlusion, 3 roughness, 4 metallic, 5 normal, 6 opacity, 7 emissive, 8 rgba, 9 occlusion, roughness and metallic in one.
    """

    COLUMNS = (('emission', (), np.float32, 0), ('specular', (), np.float32, 0.5), ('shininess', (), np.float32, 0.5), ('reflectance', (), np.float32, 0),
               ('texid', (), np.int32, -1), ('texrepeat', (2,), np.float32, 1), ('texuniform', (), np.bool_, False),
               ('metallic', (), np.float32, -1), ('roughness', (), np.float32, -1), ('layers', (10,), np.int32, -1))


def _share(mesh) -> float:
    a, b, c = (np.asarray(mesh.vertex, float)[mesh.face[:, k]] for k in range(3))
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()
    return float(area / (4 * np.pi * max(mesh.sphere[3], 1e-12) ** 2))


def _bounds_of(meshes) -> tuple:
    """Spheres, boxes, whether there are normals at corners, and shares."""
    return (np.reshape([mesh.sphere for mesh in meshes], (-1, 4)), np.reshape([mesh.box for mesh in meshes], (-1, 6)),
            np.array([bool(np.any(mesh.normal)) for mesh in meshes], bool), np.array([_share(mesh) for mesh in meshes], float))


@dataclass(slots=True)
class SceneAssets:
    """What changes only with the model. A new instance gets a new key; call `touch` after changing one in place.

    base: of what `with_meshes` made, key and number of meshes of that which it was made from; all but the further meshes is on the GPU once.
    """
    materials: Materials = field(default_factory=Materials)
    textures: list = field(default_factory=list)
    meshes: list = field(default_factory=list)
    skybox: int = -1        # texture number of the sky, -1 none
    key: int = field(default_factory=_asset_keys)
    skins: list = field(default_factory=list)       # skins.SkinAsset
    base: tuple | None = None
    _bounds: tuple = (None, None, None, None, None)

    def touch(self):
        """Make the renderer upload everything again."""
        self.key, self.base = _asset_keys(), None

    @property
    def common(self) -> tuple:
        """What tells assets apart that differ in more than the meshes that `with_meshes` has added."""
        return self.base or (self.key, len(self.meshes))

    def with_meshes(self, more) -> "SceneAssets":
        """The same with further MeshAssets, numbered on from the last mesh."""
        out = SceneAssets(self.materials, self.textures, [*self.meshes, *more], self.skybox, skins=self.skins, base=self.common)
        out._bounds = ((out.key, len(out.meshes)), *(np.concatenate(parts) for parts in zip(self._known_bounds()[1:], _bounds_of(more), strict=True)))
        return out

    def mesh_spheres(self) -> np.ndarray:
        """(number of meshes, 4): centre and radius of each mesh."""
        return self._known_bounds()[1]

    def mesh_boxes(self) -> np.ndarray:
        """(number of meshes, 6): centre and half sizes of each mesh's box."""
        return self._known_bounds()[2]

    def mesh_smooth(self) -> np.ndarray:
        """(number of meshes,) whether a mesh has normals at its corners."""
        return self._known_bounds()[3]

    def mesh_shares(self) -> np.ndarray:
        """(number of meshes,): each mesh's area over that of its sphere."""
        return self._known_bounds()[4]

    def _known_bounds(self):
        if self._bounds[0] != (self.key, len(self.meshes)):
            self._bounds = (self.key, len(self.meshes)), *_bounds_of(self.meshes)
        return self._bounds


@dataclass(slots=True)
class Headlight:
    """Light at the camera, along its view; ambient, diffuse, specular as visual/headlight. auto: goes out, in looks that compute in candela,
    when a light gives its intensity."""
    active: bool = True
    ambient: tuple = (0.1, 0.1, 0.1)
    diffuse: tuple = (0.4, 0.4, 0.4)
    specular: tuple = (0.5, 0.5, 0.5)
    auto: bool = False


COLOUR, DEPTH, SEGMENT, TYPE, ID, NORMAL = SHOWN = ('colour', 'depth', 'segment', 'type', 'id', 'normal')   # what a picture shows


@dataclass(slots=True)
class RenderFlags:
    """The official mjtRndFlag switches with their defaults (Post Processing has no effect here); physical: the physically based look."""
    shadow: bool = True
    wireframe: bool = False
    reflection: bool = True
    additive: bool = False
    skybox: bool = True
    fog: bool = False
    haze: bool = True
    depth: bool = False
    segment: bool = False
    idcolor: bool = False
    cull_face: bool = True
    show: str = COLOUR      # one of SHOWN; other than COLOUR it goes before depth, segment and idcolor
    physical: bool = False


@dataclass(slots=True)
class Look:
    """visual/map, visual/rgba and visual/quality values the renderer needs, and the model's extent and centre [m]."""
    extent: float = 1.0
    center: tuple = (0.0, 0.0, 0.0)
    fog_rgba: tuple = (0, 0, 0, 1)
    haze_rgba: tuple = (1, 1, 1, 1)
    fogstart: float = 3.0
    fogend: float = 10.0
    haze: float = 0.3
    shadowclip: float = 1.0
    shadowscale: float = 0.6
    shadowsize: int = 4096
    offsamples: int = 4
    numslices: int = 28
    numstacks: int = 16
    numquads: int = 4
    linewidth: float = 1.0


@dataclass(frozen=True, slots=True)
class Outline:
    """What is outlined: rows of Scene.geoms and of Scene.lines, the colour, and the width of the line in pixels of the picture. It is seen faintly through
    what hides it."""
    geoms: np.ndarray
    lines: np.ndarray
    rgba: tuple = (1.0, 0.5, 0.0, 1.0)
    width: float = 2.0


@dataclass(slots=True)
class Scene:
    """Everything one picture needs except the camera."""
    geoms: Instances = field(default_factory=lambda: Instances(64))
    lines: Lines = field(default_factory=Lines)
    points: Points = field(default_factory=Points)
    labels: Labels = field(default_factory=Labels)
    lights: Lights = field(default_factory=Lights)
    headlight: Headlight = field(default_factory=Headlight)
    flags: RenderFlags = field(default_factory=RenderFlags)
    look: Look = field(default_factory=Look)
    assets: SceneAssets = field(default_factory=SceneAssets)
    texture_on: bool = True     # visualization flag Texture
    skins: SkinPoses = field(default_factory=SkinPoses)
    legend: list = field(default_factory=list)      # of legend.LegendRow
    origins: list = field(default_factory=list)     # of legend.Origin
    outline: Outline | None = None

    def clear(self):
        """Empty all per-frame rows; assets, flags, look and headlight stay."""
        self.geoms.clear()
        self.lines.clear()
        self.points.clear()
        self.labels.clear()
        self.legend.clear()
        self.origins.clear()
        self.outline = None
        self.lights.clear()
        self.skins.clear()
