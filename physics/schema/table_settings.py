"""The language outside the body tree: settings, defaults, custom data, keyframes. Notation: schema_table.py."""

SETTINGS = """\
[mujoco !]
model str = MuJoCo Model
[compiler *]
alignfree bool = false
angle radian|degree = degree
assetdir dir
autolimits bool = true
balanceinertia bool = false
boundinertia real = 0
boundmass real = 0
conflict warning|merge|error = warning
coordinate local|global = local
discardvisual bool = false
eulerseq eulerseq = xyz
fitaabb bool = false
fusestatic bool = false
inertiafromgeom tri = auto
inertiagrouprange int 2 = 0 5
meshdir dir
passthrough none|textures = none
savecanonical bool = true
savecompiled bool = true
saveinertial bool = false
settotalmass real = -1
strippath bool = false
texturedir dir
usethread bool = true
[compiler/lengthrange ?]
accel real = 20
interval real = 2
inttotal real = 10
maxforce real = 0
mode none|muscle|muscleuser|all = muscle
timeconst real = 1
timestep real = 0.01
tolrange real = 0.05
useexisting bool = true
uselimit bool = false
[option *]
actuatorgroupdisable int *31
ccd_iterations int = 35
ccd_tolerance real = 1e-6
cone pyramidal|elliptic = pyramidal
density real = 0
gravity real 3 = 0 0 -9.81
impratio real = 1
integrator Euler|RK4|implicit|implicitfast|discrete = Euler
iterations int = 100
jacobian dense|sparse|auto = auto
ls_iterations int = 50
ls_tolerance real = 0.01
magnetic real 3 = 0 -0.5 0
noslip_iterations int = 0
noslip_tolerance real = 1e-6
o_friction real 1..5 = 1 1 0.005 0.0001 0.0001
o_margin real = 0
o_solimp real 1..5 = 0.9 0.95 0.001 0.5 2
o_solref real 1..2 = 0.02 1
sdf_initpoints int = 40
sdf_iterations int = 10
sleep_tolerance real = 1e-3
solver PGS|CG|Newton = Newton
timestep real = 0.002
tolerance real = 1e-8
viscosity real = 0
wind real 3 = 0 0 0
[option/flag ?]
actuation flag = enable
autoreset flag = enable
clampctrl flag = enable
constraint flag = enable
contact flag = enable
damper flag = enable
diagexact flag = disable
energy flag = disable
equality flag = enable
eulerdamp flag = enable
filterparent flag = enable
frictionloss flag = enable
fwdinv flag = disable
gravity flag = enable
invdiscrete flag = disable
ipc flag = disable
island flag = enable
limit flag = enable
midphase flag = enable
multiccd flag = enable
nativeccd flag = enable
override flag = disable
refsafe flag = enable
sensor flag = enable
sleep flag = disable
speculative flag = disable
spring flag = enable
warmstart flag = enable
[size *]
memory str = -1
nconmax int = -1
njmax int = -1
nkey int = 0
nstack int = -1
nuser_actuator int = -1
nuser_body int = -1
nuser_cam int = -1
nuser_geom int = -1
nuser_jnt int = -1
nuser_sensor int = -1
nuser_site int = -1
nuser_tendon int = -1
nuserdata int = 0
% exclusive memory nstack
% exclusive memory njmax
[statistic *]
center real 3
extent real
meaninertia real
meanmass real
meansize real
[visual *]
[visual/global ?]
azimuth real = 90
bvactive bool = false
cameraid int = -1
elevation real = -45
ellipsoidinertia bool = false
fovy real = 45
glow real = 0.3
ipd real = 0.068
linewidth real = 1
offheight int = 480
offwidth int = 640
orthographic bool = false
realtime real = 1
[visual/quality ?]
numquads int = 4
numslices int = 28
numstacks int = 16
offsamples int = 4
shadowsize int = 4096
[visual/headlight ?]
active tri numbered = auto
ambient real 3 = 0.1 0.1 0.1
diffuse real 3 = 0.4 0.4 0.4
specular real 3 = 0.5 0.5 0.5
[visual/map ?]
actuatortendon real = 2
alpha real = 0.3
fogend real = 10
fogstart real = 3
force real = 0.005
haze real = 0.3
shadowclip real = 1
shadowscale real = 0.6
stiffness real = 100
stiffnessrot real = 500
torque real = 0.1
zfar real = 50
znear real = 0.01
[visual/scale ?]
actuatorlength real = 0.7
actuatorwidth real = 0.2
camera real = 0.3
com real = 0.4
connect real = 0.2
constraint real = 0.1
contactheight real = 0.1
contactwidth real = 0.3
forcewidth real = 0.1
framelength real = 1.0
framewidth real = 0.1
frustum real = 10
jointlength real = 1.0
jointwidth real = 0.1
light real = 0.3
selectpoint real = 0.2
slidercrank real = 0.2
[visual/rgba ?]
actuator real 4 = 0.2 0.25 0.2 1
actuatornegative real 4 = 0.2 0.6 0.9 1
actuatorpositive real 4 = 0.9 0.4 0.2 1
bv real 4 = 0 1 0 0.5
bvactive real 4 = 1 0 0 0.5
camera real 4 = 0.6 0.9 0.6 1
com real 4 = 0.9 0.9 0.9 1
connect real 4 = 0.2 0.2 0.8 1
constraint real 4 = 0.9 0 0 1
contactforce real 4 = 0.7 0.9 0.9 1
contactfriction real 4 = 0.9 0.8 0.4 1
contactgap real 4 = 0.5 0.8 0.9 1
contactpoint real 4 = 0.9 0.6 0.2 1
contacttorque real 4 = 0.9 0.7 0.9 1
crankbroken real 4 = 0.9 0 0 1
fog real 4 = 0 0 0 1
force real 4 = 1 0.5 0.5 1
frustum real 4 = 1 1 0 0.2
haze real 4 = 1 1 1 1
inertia real 4 = 0.8 0.2 0.2 0.6
joint real 4 = 0.2 0.6 0.8 1
light real 4 = 0.6 0.6 0.9 1
rangefinder real 4 = 1 1 0.1 1
selectpoint real 4 = 0.9 0.9 0.1 1
slidercrank real 4 = 0.5 0.3 0.8 1
[default R]
class id default !
[default/mesh ?] = asset/mesh -builtin -class -content_type -face -file -material -name -normal -params -refpos -refquat -smoothnormal -texcoord -vertex
[default/texture ?] = asset/texture -class -content_type -file -fileback -filedown -filefront -fileleft -fileright -fileup -name
[default/material ?] = asset/material -class -name
[default/material/layer *] = asset/material/layer
[default/joint ?] = body/joint -class -name
[default/geom ?] = body/geom -class -name
[default/site ?] = body/site -class -name
[default/camera ?] = body/camera -class -name -target
[default/light ?] = body/light -class -name -target -texture
[default/pair ?] = contact/pair -class -geom1 -geom2 -name
[default/equality ?] = equality/connect -name -class -body1 -body2 -site1 -site2 -anchor
[default/tendon ?] = tendon/spatial -name -class
[default/general ?] = actuator/general -body -class -cranksite -joint -jointinparent -lengthrange -name -refsite -site -slidersite -tendon
[default/motor ?] = actuator/motor -class -cranksite -joint -jointinparent -lengthrange -name -refsite -site -slidersite -tendon
[default/position ?] = actuator/position -class -cranksite -joint -jointinparent -lengthrange -name -refsite -site -slidersite -tendon
[default/velocity ?] = actuator/velocity -class -cranksite -joint -jointinparent -lengthrange -name -refsite -site -slidersite -tendon
[default/intvelocity ?] = actuator/intvelocity -class -cranksite -joint -jointinparent -lengthrange -name -refsite -site -slidersite -tendon
[default/orientation ?] = actuator/orientation -class -joint -name -refsite -site
[default/pid ?] = actuator/pid -class -cranksite -joint -jointinparent -lengthrange -name -refsite -site -slidersite -tendon
[default/damper ?] = actuator/damper -class -cranksite -joint -jointinparent -lengthrange -name -refsite -site -slidersite -tendon
[default/cylinder ?] = actuator/cylinder -class -cranksite -joint -jointinparent -lengthrange -name -refsite -site -slidersite -tendon
[default/muscle ?] = actuator/muscle -class -cranksite -joint -jointinparent -lengthrange -name -slidersite -tausmooth -tendon
[default/adhesion ?] = actuator/adhesion -body -class -name
[default/dcmotor ?] = actuator/dcmotor -class -cranksite -joint -jointinparent -lengthrange -name -refsite -site -slidersite -tendon
[extension *]
[extension/plugin *]
plugin str !
[extension/plugin/instance *]
name id instance !
[extension/plugin/instance/config *]
key str
value str
[custom *]
[custom/numeric *]
name id numeric !
data real *
size int
[custom/text *]
name id text !
data str
[custom/tuple *]
name id tuple !
[custom/tuple/element *]
objname str !
objtype str
prm real = 0
[keyframe *]
[keyframe/key *]
name id key
act real *
ctrl real *
mpos real *
mquat real *
plastic real *
qpos real *
qvel real *
time real = 0
[include *]
file file !
"""
