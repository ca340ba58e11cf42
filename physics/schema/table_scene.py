"""What a model is made of: assets, bodies with all they carry, deformables, contact rules. Notation: schema_table.py."""

SCENE = """\
[+orient]
quat real 4 = 1 0 0 0
axisangle real 4
xyaxes real 6
zaxis real 3
euler real 3
[+soft]
solref real 1..2 = 0.02 1
solimp real 1..5 = 0.9 0.95 0.001 0.5 2
[+plugin]
plugin str
instance ref instance
[+skin]
name id skin
file file
vertex real *
texcoord real *
face int *
material ref material
rgba real 4 = 0.5 0.5 0.5 1
inflate real = 0
group int = 0
[+flexcontact]
contype int = 1
conaffinity int = 1
condim int = 3
priority int = 0
friction real 1..3 = 1 0.005 0.0001
solmix real = 1
solref real 1..2 = 0.02 1
solimp real 1..5 = 0.9 0.95 0.001 0.5 2
margin real = 0
gap real = 0
selfcollide none|narrow|bvh|sap|auto = auto
activelayers int = 1
passive bool = false
[+flexelasticity]
young real = 0
poisson real = 0
thickness real = -1
damping real = 0
elastic2d none|bend|stretch|both = none
section circle|box = circle
sectionsize real 2 = 0 0
shear real = 0
yield real 1..2 = 0
[asset *]
[asset/mesh *]
name id mesh
class ref default
file file
builtin none|sphere|hemisphere|cone|supertorus|supersphere|wedge|plate|grid|box|cylinder|ellipsoid|square|disc
content_type str
face int *
inertia convex|exact|legacy|shell = legacy
material ref material
maxhullvert int = -1
normal real *
params real *
refpos real 3 = 0 0 0
refquat real 4 = 1 0 0 0
scale real 3 = 1 1 1
smoothnormal bool = false
texcoord real *
vertex real *
% exclusive builtin file
% exclusive builtin vertex
[asset/mesh/plugin *]
+plugin
[asset/mesh/plugin/config *]
key str
value str
[asset/hfield *]
name id hfield
file file
content_type str
elevation real *
ncol int = 0
nrow int = 0
size real 4 !
[asset/skin *]
+skin
[asset/skin/bone *]
bindpos real 3 !
bindquat real 4 !
body ref body !
vertid int * !
vertweight real * !
[asset/texture *]
name id texture
class ref default
type 2d|cube|skybox = cube
file file
builtin none|gradient|checker|flat = none
colorspace auto|linear|sRGB = auto
content_type str
embed tri = auto
fileback file
filedown file
filefront file
fileleft file
fileright file
fileup file
gridlayout str
gridsize int 2 = 1 1
height int = 0
hflip bool = false
mark none|edge|cross|random = none
markrgb real 3 = 0 0 0
nchannel int = 3
random real = 0.01
rgb1 real 3 = 0.8 0.8 0.8
rgb2 real 3 = 0.5 0.5 0.5
vflip bool = false
width int = 0
[asset/material *]
name id material !
class ref default
emission real = 0
metallic real = -1
reflectance real = 0
rgba real 4 = 1 1 1 1
roughness real = -1
shininess real = 0.5
specular real = 0.5
texrepeat real 2 = 1 1
texture ref texture
texuniform bool = false
[asset/material/layer *]
role rgb|occlusion|roughness|metallic|normal|opacity|emissive|rgba|orm !
texture ref texture !
[asset/model *]
name id model
file file !
content_type str
[body R]
+orient
name id body
childclass ref default
pos real 3 = 0 0 0
fuse false|auto = auto
gravcomp real = 0
mocap bool = false
simple false|auto = auto
sleep auto|never|allowed|init = auto
user real *
% exclusive quat axisangle xyaxes zaxis euler
[body/inertial ?]
+orient
pos real 3 !
diaginertia real 3
fullinertia real 6
mass real !
% exclusive fullinertia quat axisangle xyaxes zaxis euler
[body/joint *]
name id joint
class ref default
type free|ball|slide|hinge = hinge
pos real 3 = 0 0 0
actuatorfrclimited tri = auto
actuatorfrcrange real 2 = 0 0
actuatorgravcomp bool = false
armature real = 0
axis real 3 = 0 0 1
damping real 1..3 = 0 0 0
frictionloss real = 0
group int = 0
limited tri = auto
margin real = 0
range real 2 = 0 0
ref real = 0
solimpfriction real 1..5 = 0.9 0.95 0.001 0.5 2
solimplimit real 1..5 = 0.9 0.95 0.001 0.5 2
solreffriction real 1..2 = 0.02 1
solreflimit real 1..2 = 0.02 1
springdamper real 2 = 0 0
springref real = 0
springyield real = 0
stiffness real 1..3 = 0 0 0
user real *
[body/freejoint *]
name id joint
align tri = auto
group int = 0
[body/geom *]
+orient
name id geom
class ref default
type plane|hfield|sphere|capsule|ellipsoid|cylinder|box|mesh|sdf = sphere
pos real 3 = 0 0 0
adhesion real = 0
castshadow bool = true
conaffinity int = 1
condim int = 3
contype int = 1
density real = 1000
fitscale real = 1
fluidcoef real 1..5 = 0.5 0.25 1.5 1.0 1.0
fluidshape none|ellipsoid = none
friction real 1..3 = 1 0.005 0.0001
fromto real 6
gap real = 0
group int = 0
hfield ref hfield
margin real = 0
mass real
material ref material
mesh ref mesh
priority int = 0
rgba real 4 = 0.5 0.5 0.5 1
shellinertia bool = false
size real 1..3 = 0 0 0
+soft
solmix real = 1
surfacevel real 1..6 = 0 0 0 0 0 0
user real *
% exclusive quat axisangle xyaxes zaxis euler
[body/geom/plugin *]
+plugin
[body/geom/plugin/config *]
key str
value str
[body/attach *]
model ref model
body str
frame str
prefix str !
% exclusive body frame
[body/site *]
+orient
name id site
class ref default
type sphere|capsule|ellipsoid|cylinder|box|mesh = sphere
pos real 3 = 0 0 0
fromto real 6
group int = 0
material ref material
mesh ref mesh
rgba real 4 = 0.5 0.5 0.5 1
size real 1..3 = 0.005 0.005 0.005
user real *
% exclusive quat axisangle xyaxes zaxis euler
[body/camera *]
+orient
name id camera
class ref default
pos real 3 = 0 0 0
focal real 2
focalpixel real 2
fovy real = 45
ipd real = 0.068
mode fixed|track|trackcom|targetbody|targetbodycom = fixed
output words rgb|depth|distance|normal|segmentation = rgb
principal real 2
principalpixel real 2
projection perspective|orthographic = perspective
resolution int 2 = 1 1
sensorsize real 2 = 0 0
target ref body
user real *
% exclusive fovy sensorsize
% exclusive quat axisangle xyaxes zaxis euler
[body/light *]
name id light
class ref default
type spot|directional|point|image = spot
pos real 3 = 0 0 0
active bool = true
ambient real 3 = 0 0 0
attenuation real 3 = 1 0 0
bulbradius real = 0.02
castshadow bool = true
cutoff real = 45
diffuse real 3 = 0.7 0.7 0.7
dir real 3 = 0 0 -1
directional bool = false
exponent real = 10
intensity real = 0.0
mode fixed|track|trackcom|targetbody|targetbodycom = fixed
range real = 10.0
softness real = 0.2
specular real 3 = 0.3 0.3 0.3
target ref body
texture ref texture
% exclusive directional type
[body/plugin *]
+plugin
[body/plugin/config *]
key str
value str
[body/flexcomp *]
+orient
name id flex !
type grid|box|cylinder|ellipsoid|disc|circle|mesh|gmsh|direct = grid
file file
pos real 3 = 0 0 0
cellcount int 3 = 1 1 1
count int 3 = 10 10 10
dim int = 2
dof full|radial|trilinear|quadratic|2d = full
element real *
flatskin bool
group int
inertiabox real = 0.005
mass real = 1
material ref material
mesh str
origin real 3 = 0 0 0
point real *
radius real
rgba real 4
rigid bool = false
scale real 3 = 1 1 1
spacing real 3 = 0.02 0.02 0.02
texcoord real *
[body/flexcomp/edge ?]
damping real = 0
equality false|true|strain = false
solimp real 1..5
solref real 1..2
stiffness real = 0
[body/flexcomp/elasticity ?]
+flexelasticity
[body/flexcomp/contact ?]
+flexcontact
[body/flexcomp/pin *]
grid int *
gridrange int *
id int *
range int *
[body/flexcomp/plugin *]
+plugin
[body/flexcomp/plugin/config *]
key str
value str
[deformable *]
[deformable/flex *]
name id flex
body str !
cellcount int 3
dim int = 2
dof trilinear|quadratic
element int *
elemtexcoord int *
flatskin bool = false
group int = 0
material ref material
node str
nodecoord real *
radius real = 0.005
rgba real 4 = 0.5 0.5 0.5 1
texcoord real *
vertex real *
[deformable/flex/contact ?]
+flexcontact
[deformable/flex/edge ?]
damping real = 0
stiffness real = 0
[deformable/flex/elasticity ?]
+flexelasticity
[deformable/skin *]
+skin
[deformable/skin/bone *]
bindpos real 3 !
bindquat real 4 !
body ref body !
vertid int * !
vertweight real * !
[contact *]
[contact/pair *]
name id pair
class ref default
adhesion real = 0
condim int = 3
friction real 1..5 = 1 1 0.005 0.0001 0.0001
gap real = 0
geom1 ref geom !
geom2 ref geom !
margin real = 0
+soft
solreffriction real 1..2 = 0 0
[contact/exclude *]
name id exclude
body1 ref body !
body2 ref body !
[body/frame R]
+orient
name id frame
class ref default
childclass ref default
pos real 3 = 0 0 0
scale real 1|3 = 1
scaling similar|geometry = similar
massscale real = 0
% exclusive quat axisangle xyaxes zaxis euler
[body/replicate R]
count int !
class ref default
childclass ref default
sep str
offset real 3
euler real 3
"""
