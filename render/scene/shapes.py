"""Shape numbers of scene instances.

The numbers are those of MuJoCo's geom types, so a bridge may copy `geom_type` as it is; all fit an int8.
`size` means, per shape (half sizes as in MJCF unless said otherwise):

    PLANE      (half x, half y, grid spacing); a half size of 0 is infinite along that axis
    SPHERE     (r, r, r)          CAPSULE, CYLINDER (r, r, half length)
    ELLIPSOID  (rx, ry, rz)       BOX (hx, hy, hz)
    ARROW*     (shaft radius, shaft radius, whole length); starts at pos, points along local +z
    LINE       (width in pixels, -, length); starts at pos, along local +z
    LINEBOX    (hx, hy, hz)       TRIANGLE (local vertices (0,0,0), (sx,0,0), (0,sy,0))
    MESH       scale of the mesh `dataid` (1, 1, 1 is as stored)
    SKIN       radius about pos that holds the skin `dataid`, three times; pos is what its pose in Scene.skins refers to, mat the identity
"""
from types import MappingProxyType

PLANE = 0
HFIELD = 1
SPHERE = 2
CAPSULE = 3
ELLIPSOID = 4
CYLINDER = 5
BOX = 6
MESH = 7
SDF = 8
ARROW = 100     # shaft and wide head
ARROW1 = 101    # shaft and pointed end without the wide head
ARROW2 = 102    # heads on both ends
LINE = 103
LINEBOX = 104
SKIN = 106
TRIANGLE = 108

NAMES = MappingProxyType({
    PLANE: 'plane', HFIELD: 'hfield', SPHERE: 'sphere', CAPSULE: 'capsule', ELLIPSOID: 'ellipsoid', CYLINDER: 'cylinder', BOX: 'box',
    MESH: 'mesh', SDF: 'sdf', ARROW: 'arrow', ARROW1: 'arrow1', ARROW2: 'arrow2', LINE: 'line', LINEBOX: 'linebox', SKIN: 'skin', TRIANGLE: 'triangle'})

# object types of instances, lights and hits: MuJoCo's mjtObj numbers
OBJ_UNKNOWN = 0
OBJ_BODY = 1
OBJ_JOINT = 3
OBJ_GEOM = 5
OBJ_SITE = 6
OBJ_CAMERA = 7
OBJ_LIGHT = 8
OBJ_MESH = 10
OBJ_SKIN = 11
OBJ_EQUALITY = 17
OBJ_TENDON = 18
OBJ_ACTUATOR = 19
OBJ_SENSOR = 20
OBJ_CONTACT = 101   # from here on ours: mjtObj has no number for them
OBJ_PERTURB = 102
OBJ_LEGEND = 103    # a row of the legend

# bits of Instances.flags
CAST_SHADOW = 1     # is drawn into shadow maps
DECOR = 2           # an annotation: no shadow, no reflection, keeps its colour in wireframe
STATIC = 4          # belongs to the world or a body welded to it
PICKABLE = 8        # a ray may hit it
THROUGH = 16        # is seen faintly through what hides it
UNNAMED = 32        # no thing of the model: mirrors and pictures of numbers, types, distances and normals leave it out, and a click goes through it
BEHIND = 64         # of what is UNNAMED: where it nearly coincides with something else, that shows; what has one colour is drawn together

MODEL_GEOM = CAST_SHADOW | PICKABLE     # usual flags of a model's geom
