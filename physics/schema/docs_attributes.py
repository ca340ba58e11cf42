"""One line on each MJCF attribute, in our own words. Key: name, or path@name where a name means different things | unit | text."""

ATTRIBUTES = """\
name | | the name others refer to it by
class | | default class to start from
default@class | | name of this default class
childclass | | default class of everything below that has none of its own
file | | file to read, relative to the model or its asset folder
user | | numbers kept for the user, without meaning to the physics
group | | group for switching visibility, 0 to 5
pos | m | position in the parent's frame
quat | | orientation as a quaternion w x y z
axisangle | | orientation as an axis x y z and an angle
euler | | orientation as three turns, in the order of compiler/eulerseq
xyaxes | | orientation by its x axis and a vector towards its y axis
zaxis | | orientation by its z axis
fromto | m | both ends of the axis, instead of position, orientation and length
rgba | | colour and opacity, each 0 to 1
material | | material it is drawn with
size | m | radii or half lengths, as its type needs them
type | | which kind it is
mass | kg | mass; overrides density
active | | whether it is on at the start
plugin | | identifier of the plugin
instance | | named instance of the plugin
key | | name of a setting of the plugin
value | | value of that setting
mujoco@model | | name of the model
body/attach@model | | model asset to take the part from
alignfree | | align the frames of free bodies with their inertia
angle | | unit of the angles in the file; inside they are radians
assetdir | | folder of meshes, height fields and textures alike
autolimits | | a given range switches its limit on
balanceinertia | | repair inertias that break the triangle inequality
boundinertia | kg m^2 | smallest diagonal inertia of a moving body
boundmass | kg | smallest mass of a moving body
conflict | | what to do when attached models disagree on global settings
coordinate | | frame of all poses; global is that of 2.x models
discardvisual | | drop geoms and assets that are only drawn
eulerseq | | axes of euler: lower case turn with the body, upper case stay fixed
fitaabb | | fit primitives to meshes by bounding box rather than inertia
fusestatic | | merge bodies without joints into their parents
inertiafromgeom | | take inertia from geoms: never, always, or where it is not given
inertiagrouprange | | first and last geom group that give inertia
meshdir | | folder of meshes and height fields
passthrough | | assets kept as they are in the saved model
savecanonical | | save in canonical notation
savecompiled | | save compiled values
saveinertial | | save explicit inertias
settotalmass | kg | scale all masses to this total, if positive
strippath | | forget folders in file names
texturedir | | folder of textures
usethread | | use several threads when compiling
accel | m/s^2 | acceleration used when pulling
interval | s | period and phase of sampling
compiler/lengthrange@interval | s | last part of the simulation in which length is measured
inttotal | s | length of the simulation
maxforce | N | limit of the pulling force, 0 for none
compiler/lengthrange@mode | | for which actuators to find the range
timeconst | s | time constant
actuator/muscle@timeconst | s | time constants of activation and deactivation
timestep | s | time step
tolrange | | largest relative spread to accept
useexisting | | keep ranges that are given
uselimit | | take the joint's or tendon's limits as the range
actuatorgroupdisable | | actuator groups that are switched off
ccd_iterations | | limit of iterations of convex collision
ccd_tolerance | | tolerance of convex collision
cone | | shape of the friction cone
option@density | kg/m^3 | density of the medium
body/geom@density | kg/m^3 | density, gives the mass
option@gravity | m/s^2 | acceleration of gravity
impratio | | how much stiffer friction is than normal force
integrator | | method of time integration
iterations | | limit of solver iterations
jacobian | | storage of the constraint matrix
ls_iterations | | limit of line search steps
ls_tolerance | | tolerance of the line search
magnetic | T | magnetic field
noslip_iterations | | iterations of the pass that removes slip
noslip_tolerance | | tolerance of that pass
o_friction | | friction of all contacts, when override is on
o_margin | m | margin of all contacts, when override is on
o_solimp | | solimp of all contacts, when override is on
o_solref | | solref of all contacts, when override is on
sdf_initpoints | | starting points of signed-distance collision
sdf_iterations | | iterations of signed-distance collision
sleep_tolerance | m/s | velocity below which a tree may fall asleep
solver | | constraint solver
tolerance | | improvement at which the solver stops
viscosity | Pa s | viscosity of the medium
wind | m/s | velocity of the medium
actuation | | forces of actuators
autoreset | | start over when numbers become unusable
clampctrl | | clamp controls to their ranges
option/flag@constraint | | all constraints
option/flag@contact | | contacts
option/flag@damper | | joint and tendon dampers
diagexact | | exact diagonal of the constraint matrix
energy | | compute energies
option/flag@equality | | equality constraints
body/flexcomp/edge@equality | | hold edge lengths by constraints
eulerdamp | | implicit damping in the Euler integrator
filterparent | | no contacts between a body and its parent
option/flag@frictionloss | | friction losses
fwdinv | | compare forward and inverse dynamics
option/flag@gravity | | gravity
invdiscrete | | inverse dynamics of discrete time
ipc | | barrier contacts
island | | solve independent groups of constraints separately
option/flag@limit | | joint and tendon limits
midphase | | bounding volumes within bodies
multiccd | | several contacts per convex pair
nativeccd | | the built-in convex collision method
override | | contact settings overridden by the o_ values
refsafe | | keep constraint time constants above two time steps
option/flag@sensor | | sensors
option/flag@sleep | | let resting trees sleep
speculative | | contacts found ahead of time
spring | | joint and tendon springs
warmstart | | start the solver from the last solution
memory | | size of the working memory, with K, M or G
nconmax | | old setting of contact storage
njmax | | old setting of constraint storage
nkey | | number of keyframes, at least those given
nstack | | old setting of working memory
nuser_actuator | | length of user data of each actuator
nuser_body | | length of user data of each body
nuser_cam | | length of user data of each camera
nuser_geom | | length of user data of each geom
nuser_jnt | | length of user data of each joint
nuser_sensor | | length of user data of each sensor
nuser_site | | length of user data of each site
nuser_tendon | | length of user data of each tendon
nuserdata | | length of the free user array in the state
center | m | centre of the model
extent | m | half the size of the model
meaninertia | kg m^2 | mean inertia of the freedoms
meanmass | kg | mean mass of the bodies
meansize | m | mean size of the bodies, scales decorations
azimuth | degree | start azimuth of the free camera
visual/global@bvactive | | mark bounding volumes that are being tested
visual/rgba@bvactive | | colour of bounding volumes that are being tested
cameraid | | camera to start with, -1 for the free camera
visual/global@elevation | degree | start elevation of the free camera
asset/hfield@elevation | | elevations by rows, scaled to 0..1
ellipsoidinertia | | draw inertias as ellipsoids instead of boxes
fovy | degree | vertical field of view
glow | | brightening of what is selected
ipd | m | distance between the eyes in stereo
linewidth | pixel | width of lines
offheight | pixel | height of offscreen pictures
offwidth | pixel | width of offscreen pictures
orthographic | | free camera without perspective
realtime | | speed relative to real time
numquads | | rectangles across a plane
numslices | | slices around curved shapes
numstacks | | stacks along curved shapes
offsamples | | samples per pixel offscreen
shadowsize | pixel | size of shadow maps
ambient | | ambient colour of the light
diffuse | | diffuse colour of the light
specular | | specular colour of the light
asset/material@specular | | strength of highlights, 0 to 1
actuatortendon | | scale of actuator forces on tendons
alpha | | opacity of what is made transparent
fogend | | distance of full fog, in extents
fogstart | | distance where fog starts, in extents
visual/map@force | m/N | length of drawn forces
visual/rgba@force | | colour of the perturbation force
actuator/muscle@force | N | peak force at no velocity, negative: from scale
visual/map@haze | | height of the haze at the horizon
visual/rgba@haze | | colour of the haze at the horizon
shadowclip | | reach of directional shadows, in extents
shadowscale | | share of a spotlight's cone that casts shadows
visual/map@stiffness | | stiffness of the mouse spring
stiffness | N/m or N m/rad | spring stiffness, with optional higher orders
body/flexcomp/edge@stiffness | N/m | stiffness of the edges
deformable/flex/edge@stiffness | N/m | stiffness of the edges
stiffnessrot | | stiffness of the turning mouse spring
torque | m/(N m) | length of drawn torques
zfar | | far end of the view, in extents
znear | | near end of the view, in extents
actuatorlength | | length of drawn actuators
actuatorwidth | | width of drawn actuators
visual/scale@camera | | size of drawn cameras
visual/rgba@camera | | colour of drawn cameras
visual/scale@com | | size of drawn centres of mass
visual/rgba@com | | colour of drawn centres of mass
visual/scale@connect | | width of lines between bodies and joints
visual/rgba@connect | | colour of lines between bodies and joints
visual/scale@constraint | | width of drawn equality constraints
visual/rgba@constraint | | colour of drawn equality constraints
contactheight | | thickness of drawn contacts
contactwidth | | radius of drawn contacts
forcewidth | | width of force arrows
framelength | | length of frame axes
framewidth | | width of frame axes
visual/scale@frustum | | length of camera frusta
visual/rgba@frustum | | colour of camera frusta
jointlength | | length of joint arrows
jointwidth | | width of joint arrows
visual/scale@light | | size of drawn lights
visual/rgba@light | | colour of drawn lights
visual/scale@selectpoint | | size of the selected point
visual/rgba@selectpoint | | colour of the selected point
visual/scale@slidercrank | | width of drawn slider-cranks
visual/rgba@slidercrank | | colour of drawn slider-cranks
visual/rgba@actuator | | colour of an idle actuator
actuatornegative | | colour of an actuator at its lowest control
actuatorpositive | | colour of an actuator at its highest control
bv | | colour of bounding volumes
contactforce | | colour of contact forces
contactfriction | | colour of friction forces
contactgap | | colour of contacts in the gap
contactpoint | | colour of contacts
contacttorque | | colour of contact torques
crankbroken | | colour of a crank that cannot reach
fog | | colour of fog
visual/rgba@inertia | | colour of drawn inertias
visual/rgba@joint | | colour of drawn joints
visual/rgba@rangefinder | | colour of range rays
custom/numeric@data | | the numbers
custom/numeric@size | | length of the array, zeros after the numbers given
custom/text@data | | the text
custom/tuple/element@objtype | | kind of element
custom/tuple/element@objname | | name of the element
prm | | number kept with the element
time | s | time of the state
qpos | | positions
qvel | | velocities
act | | activations
ctrl | | controls
mpos | m | positions of mocap bodies
mquat | | orientations of mocap bodies
plastic | | plastic state of flexible objects
content_type | | media type of the file, overrides its ending
asset/mesh@builtin | | shape to build instead of reading a file
asset/texture@builtin | | pattern to build instead of reading a file
face | | vertex numbers of the triangles, three each
asset/mesh@inertia | | how the mesh gives inertia
maxhullvert | | largest number of vertices of the convex hull
normal | | vertex normals, three each
params | | numbers of the built-in shape
refpos | m | point of the file that becomes the origin
refquat | | orientation of the file that becomes none
asset/mesh@scale | | factors along the axes
smoothnormal | | smooth normals even across sharp edges
texcoord | | texture coordinates of the vertices, two each
vertex | m | vertex positions, three each
ncol | | columns of the grid
nrow | | rows of the grid
asset/hfield@size | m | half width along x and y, height, thickness below
inflate | m | thickness added to the skin
bindpos | m | position of the bone when bound
bindquat | | orientation of the bone when bound
vertid | | vertices the bone pulls
vertweight | | how strongly it pulls each
colorspace | | colour space of the file
embed | | keep the picture inside the saved model
fileback | | picture of the back face of the cube
filedown | | picture of the lower face of the cube
filefront | | picture of the front face of the cube
fileleft | | picture of the left face of the cube
fileright | | picture of the right face of the cube
fileup | | picture of the upper face of the cube
gridlayout | | which face each cell of the picture shows: R L U D F B or a dot
gridsize | | rows and columns of cells in the picture
height | pixel | height of the pattern
hflip | | mirror left and right
mark | | marks drawn on the pattern
markrgb | | colour of the marks
nchannel | | colour channels
random | | probability of a random dot
rgb1 | | first colour of the pattern
rgb2 | | second colour of the pattern
vflip | | mirror top and bottom
asset/texture@width | pixel | width of the pattern
emission | | light given off, times the colour
metallic | | metalness, -1: not set
reflectance | | mirror reflection, 0 to 1
roughness | | roughness, -1: not set
shininess | | sharpness of highlights, 0 to 1
texrepeat | | how often the texture repeats
texture | | texture to use
texuniform | | repeat per metre instead of per object
role | | what the texture tells: colour, roughness, normals and so on
fuse | | whether the body may be merged into its parent
gravcomp | | share of the weight that is compensated
mocap | | moved by the user, not by forces
simple | | allow the short cut for simple inertias
body@sleep | | whether the tree may sleep
diaginertia | kg m^2 | moments about the principal axes
fullinertia | kg m^2 | xx yy zz xy xz yz of the inertia matrix
actuatorfrclimited | | whether the total actuator force is limited
actuatorfrcrange | N or N m | limits of the total actuator force
actuatorgravcomp | | gravity compensation counts as actuator force
armature | kg or kg m^2 | inertia added by the drive
axis | | direction of turning or sliding
damping | N s/m or N m s/rad | damping, with optional higher orders
frictionloss | N or N m | dry friction
limited | | whether the range is enforced
margin | m | distance at which the constraint or contact starts
range | m or angle | lower and upper limit
actuator/muscle@range | | operating lengths, relative to the optimal length
body/light@range | m | how far the light reaches
ref | m or angle | joint position in the start pose
solref | | time constant and damping ratio, or minus stiffness and damping
solimp | | impedance: two ends, width, midpoint, power
solreflimit | | solref of the limit
solimplimit | | solimp of the limit
solreffriction | | solref of the friction
solimpfriction | | solimp of the friction
springdamper | s | time constant and damping ratio that set stiffness and damping
springref | m or angle | joint position at which the spring rests
springyield | N or N m | force at which the spring yields
springlength | m | length at which the spring rests, or the two ends of its slack
align | | align the frame with the inertia
adhesion | N | force that pulls touching surfaces together
castshadow | | whether it casts shadows
conaffinity | | bits this geom collides with; a match either way is enough
contype | | bits other geoms look at
condim | | dimensions of the contact: 1 normal, 3 sliding, 4 spinning, 6 rolling
fitscale | | scale of a primitive fitted to a mesh
fluidcoef | | coefficients of the fluid model
fluidshape | | shape for fluid forces
friction | | sliding, spinning and rolling friction
contact/pair@friction | | two sliding, one spinning and two rolling frictions
gap | m | distance beyond the margin at which contacts are found without force
hfield | | height field asset
mesh | | mesh asset
priority | | whose settings win; equal ones are mixed
shellinertia | | mass on the surface only
solmix | | weight in the mixing of settings
surfacevel | m/s | velocity of the surface, as of a belt
body/attach@body | | body of the other model
body/attach@frame | | frame of the other model
prefix | | put before all its names
focal | m | focal lengths
focalpixel | pixel | focal lengths
body/camera@mode | | how it follows bodies
body/light@mode | | how it follows bodies
output | | pictures it gives
principal | m | offset of the optical centre
principalpixel | pixel | offset of the optical centre
projection | | with or without perspective
resolution | pixel | width and height of its picture
sensorsize | m | width and height of its sensor
target | | body it looks at
attenuation | | constant, linear and quadratic decrease with distance
bulbradius | m | radius of the source, softens shadows
body/light@cutoff | degree | half angle of the spot
dir | | direction of the light
directional | | parallel light from far away
exponent | | how the spot fades towards its edge
intensity | cd | brightness for physical renderers
softness | | how soft the edge of the spot is
body/frame@scale | | scale of everything inside
scaling | | what scaling changes besides geometry
massscale | | factor of the masses, 0: by volume
body/replicate@count | | how many copies
body/replicate@offset | m | shift from copy to copy
body/replicate@euler | | turn from copy to copy
sep | | put between a name and its number
cellcount | | cells of the control grid
body/flexcomp@count | | points along the axes
body/flexcomp@mass | kg | total mass
dof | | how the points may move
dim | | dimensions
sensor/user@dim | | how many numbers it gives
body/flexcomp@element | | point numbers of the elements
deformable/flex@element | | vertex numbers of the elements
elemtexcoord | | texture coordinate numbers of the elements
flatskin | | flat shading
inertiabox | m | size of the inertia box of each point
origin | m | where rays for solid objects start
point | m | point positions
radius | m | thickness around the elements
rigid | | all points move as one body
body/flexcomp@scale | | factors along the axes
spacing | m | distance of points along the axes
elastic2d | | which elasticity a surface has
poisson | | Poisson's ratio
section | | cross section of a line
sectionsize | m | size of the cross section
shear | Pa | shear modulus
thickness | m | thickness of a surface
yield | | when deformation becomes permanent
young | Pa | Young's modulus
activelayers | | layers that collide
passive | | contacts as springs instead of constraints
selfcollide | | how it collides with itself
grid | | grid points that do not move
gridrange | | ranges of grid points that do not move
id | | points that do not move
body/flexcomp/pin@range | | ranges of points that do not move
deformable/flex@body | | bodies of the vertices
node | | bodies of the control points
nodecoord | m | control point positions
geom1 | | first geom
geom2 | | second geom
body1 | | first body
body2 | | second body
site1 | | first site
site2 | | second site
tendon/spatial@width | m | drawn width
site | | site it refers to
geom | | geom it refers to
body | | body it refers to
joint | | joint it refers to
tendon | | tendon it refers to
actuator | | actuator it refers to
camera | | camera it refers to
flex | | flexible object it refers to
sidesite | | site on the side the string runs
divisor | | how many strands share the length
coef | | weight of the joint
anchor | m | the shared point, in the first body's frame
relpose | | wanted relative pose: position and quaternion
torquescale | | weight of turning against moving
joint1 | | joint that follows
joint2 | | joint that leads
tendon1 | | tendon that follows
tendon2 | | tendon that leads
polycoef | | coefficients of the polynomial, from the constant on
cell | | cell of the control grid
jointinparent | | joint; forces in the parent's frame
slidersite | | site on the slider of a slider-crank
cranksite | | site on the crank of a slider-crank
refsite | | site in whose frame the other site is moved
cranklength | m | length of the crank's rod
gear | | factor between actuator and joint, one per dimension
ctrllimited | | whether the control is clamped
forcelimited | | whether the force is clamped
ctrlrange | | lower and upper control
forcerange | N | lower and upper force
lengthrange | m | shortest and longest transmission length
nsample | | samples kept for delay
interp | | interpolation between kept samples
delay | s | delay
actdim | | number of activations, -1: as the dynamics need
actearly | | use the next activation already
actlimited | | whether the activation is clamped
actrange | | lower and upper activation
biasprm | | numbers of the bias
biastype | | kind of bias force
dynprm | | numbers of the activation dynamics
dyntype | | kind of activation dynamics
gainprm | | numbers of the gain
gaintype | | kind of gain
ffrange | | limits of the feed-forward input
velrange | | limits of the velocity input
posrange | | limits of the position input
inheritrange | | take the control range from the target's range, times this
input | | what the controls mean
dampratio | | damping ratio that sets kv from kp
kp | N/m or N m/rad | position gain
kv | N s/m or N m s/rad | velocity gain
ki | | integral gain
imax | N | limit of the integral term
slewmax | | fastest change of the setpoint
area | m^2 | area of the piston
bias | | constant, position and velocity bias
diameter | m | diameter of the piston, sets the area
fpmax | | passive force at lmax, relative to the peak force
fvmax | | force when lengthening fast, relative to the peak force
lmax | | longest length with force, relative to the optimum
lmin | | shortest length with force, relative to the optimum
actuator/muscle@scale | N | sets the peak force when it is negative
tausmooth | | width of the step between activation and deactivation
vmax | | fastest shortening, in optimal lengths per second
gain | N | adhesion force at control 1
cogging | | amplitude, poles and phase of cogging
controller | | gains and limits of the built-in controller
inductance | H | inductance, and its time constant
lugre | | numbers of the friction model
motorconst | | torque and voltage constants
nominal | | nominal voltage, stall torque, free speed
resistance | ohm | resistance of the winding
saturation | | limits of torque, current and voltage
thermal | | thermal numbers of the winding
cutoff | | values are clamped to it when positive
noise | | standard deviation told to the user; nothing is added
objtype | | kind of the measured object
objname | | name of the measured object
reftype | | kind of the reference object
refname | | name of the reference object
enclosed | | the whole object must be inside
sensor/rangefinder@data | | what to report about the hit
sensor/contact@data | | what to report about each contact
num | | how many contacts to report
reduce | | which contacts to keep
subtree1 | | first body with all below it
subtree2 | | second body with all below it
datatype | | what kind of number it is
needstage | | after which stage it can be computed
"""
