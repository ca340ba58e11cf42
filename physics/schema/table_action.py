"""What acts and measures: tendons, equality constraints, actuators, sensors. Notation: schema_table.py."""

ACTION = """\
[+tendon]
name id tendon
class ref default
group int = 0
limited tri = auto
actuatorfrclimited tri = auto
range real 2 = 0 0
actuatorfrcrange real 2 = 0 0
solreflimit real 1..2 = 0.02 1
solimplimit real 1..5 = 0.9 0.95 0.001 0.5 2
solreffriction real 1..2 = 0.02 1
solimpfriction real 1..5 = 0.9 0.95 0.001 0.5 2
margin real = 0
springlength real 1..2 repeat = -1 -1
springyield real = 0
stiffness real 1..3 = 0 0 0
damping real 1..3 = 0 0 0
frictionloss real = 0
armature real = 0
user real *
[+equality]
name id equality
class ref default
active bool = true
solref real 1..2 = 0.02 1
solimp real 1..5 = 0.9 0.95 0.001 0.5 2
[+actuator]
name id actuator
class ref default
group int = 0
joint ref joint
jointinparent ref joint
tendon ref tendon
slidersite ref site
cranksite ref site
site ref site
refsite ref site
cranklength real = 0
gear real 1..6 = 1 0 0 0 0 0
ctrllimited tri = auto
forcelimited tri = auto
ctrlrange real 2 = 0 0
forcerange real 2 = 0 0
lengthrange real 2 = 0 0
armature real = 0
damping real 1..3 = 0 0 0
nsample int = 0
interp zoh|linear|cubic = zoh
delay real = 0
user real *
[+sensor]
name id sensor
cutoff real = 0
noise real = 0
nsample int = 0
interp zoh|linear|cubic = zoh
delay real = 0
interval real 1..2 = 0 0
user real *
[+framesensor]
objtype body|xbody|geom|site|camera !
objname str !
[+frameref]
reftype body|xbody|geom|site|camera
refname str
% together reftype refname
[+geomsensor]
geom1 ref geom
geom2 ref geom
body1 ref body
body2 ref body
% exclusive geom1 body1
% oneof geom1 body1
% exclusive geom2 body2
% oneof geom2 body2
[tendon *]
[tendon/spatial *]
+tendon
width real = 0.003
material ref material
rgba real 4 = 0.5 0.5 0.5 1
[tendon/spatial/site *]
site ref site !
[tendon/spatial/geom *]
geom ref geom !
sidesite ref site
[tendon/spatial/pulley *]
divisor real !
[tendon/fixed *]
+tendon
[tendon/fixed/joint *]
coef real !
joint ref joint !
[equality *]
[equality/connect *]
+equality
anchor real 3
body1 ref body
body2 ref body
site1 ref site
site2 ref site
% exclusive site1+site2 body1+body2+anchor
% oneof site1+site2 body1+anchor
% together site1 site2
[equality/weld *]
+equality
anchor real 3 = 0 0 0
body1 ref body
body2 ref body
relpose real 7 = 0 1 0 0 0 0 0
site1 ref site
site2 ref site
torquescale real = 1
% exclusive site1+site2 body1+body2+anchor+relpose
% oneof site1+site2 body1
% together site1 site2
[equality/joint *]
+equality
joint1 ref joint !
joint2 ref joint
polycoef real 1..5 = 0 1 0 0 0
[equality/tendon *]
+equality
polycoef real 1..5 = 0 1 0 0 0
tendon1 ref tendon !
tendon2 ref tendon
[equality/flex *]
+equality
flex ref flex !
[equality/flexstrain *]
+equality
cell int 3
flex ref flex !
[actuator *]
[actuator/general *]
+actuator
actdim int = -1
actearly bool = false
actlimited tri = auto
actrange real 2 = 0 0
biasprm real 1..10 = 0 0 0 0 0 0 0 0 0 0
biastype none|affine|muscle|dcmotor|so3|user = none
body ref body
dynprm real 1..10 = 1 0 0 0 0 0 0 0 0 0
dyntype none|integrator|filter|filterexact|pid|dcmotor|muscle|user = none
ffrange real 2 = 0 0
gainprm real 1..10 = 1 0 0 0 0 0 0 0 0 0
gaintype fixed|affine|muscle|dcmotor|pid|so3|user = fixed
inheritrange real = 0
input words expmap|quat|pos|vel|ff|voltage|pressure|none
velrange real 2 = 0 0
[actuator/motor *]
+actuator
[actuator/position *]
+actuator
dampratio real = 0
inheritrange real = 0
kp real = 1
kv real = 0
timeconst real = 0
[actuator/velocity *]
+actuator
kv real = 1
[actuator/intvelocity *]
+actuator
actlimited tri = auto
actrange real 2 = 0 0
dampratio real = 0
inheritrange real = 0
kp real = 1
kv real = 0
[actuator/orientation *]
+actuator -armature -cranklength -cranksite -ctrllimited -damping -gear -jointinparent -lengthrange -slidersite -tendon
dampratio real = 0
input expmap|quat = expmap
kp real = 1
kv real = 0
[actuator/pid *]
+actuator
dampratio real = 0
ffrange real 2 = 0 0
imax real = 0
inheritrange real = 0
input words pos|vel|ff|voltage = pos vel
ki real = 0
kp real = 1
kv real = 0
posrange real 2 = 0 0
slewmax real = 0
velrange real 2 = 0 0
[actuator/damper *]
+actuator -ctrllimited
kv real = 1
[actuator/cylinder *]
+actuator
area real = 1
bias real 3 = 0 0 0
diameter real
timeconst real = 1
[actuator/muscle *]
+actuator -refsite -site
force real = -1
fpmax real = 1.3
fvmax real = 1.2
lmax real = 1.6
lmin real = 0.5
range real 2 = 0.75 1.05
scale real = 200
tausmooth real = 0
timeconst real 2 = 0.01 0.04
vmax real = 1.5
[actuator/adhesion *]
name id actuator
class ref default
body ref body !
ctrlrange real 2 = 0 0
delay real
forcelimited tri = auto
forcerange real 2
gain real = 1
group int
interp zoh|linear|cubic
nsample int
user real *
[actuator/dcmotor *]
+actuator -forcelimited -forcerange
cogging real 1..3 = 0 0 0
controller real 1..6 = 0 0 0 0 0 0
inductance real 1..2 = 0 0
input words pos|vel|ff|voltage|none = voltage
lugre real 1..5 = 0 0 0 0 0
motorconst real 1..2
nominal real 1..3
resistance real
saturation real 1..3 = 0 0 0
thermal real 1..6 = 0 0 0 0 0 0
[actuator/plugin *]
+actuator -refsite
actdim int = -1
actearly bool
actlimited tri = auto
actrange real 2 = 0 0
dynprm real 1..10 = 1 0 0 0 0 0 0 0 0 0
dyntype none|integrator|filter|filterexact|pid|dcmotor|muscle|user = none
+plugin
[actuator/plugin/config *]
key str
value str
[sensor *]
[sensor/touch *]
+sensor
site ref site !
[sensor/accelerometer *]
+sensor
site ref site !
[sensor/velocimeter *]
+sensor
site ref site !
[sensor/gyro *]
+sensor
site ref site !
[sensor/force *]
+sensor
site ref site !
[sensor/torque *]
+sensor
site ref site !
[sensor/magnetometer *]
+sensor
site ref site !
[sensor/camprojection *]
+sensor
camera ref camera !
site ref site !
[sensor/rangefinder *]
+sensor
camera ref camera
data words dist|dir|origin|point|normal|depth = dist
site ref site
% exclusive site camera
% oneof site camera
[sensor/jointpos *]
+sensor
joint ref joint !
[sensor/jointvel *]
+sensor
joint ref joint !
[sensor/tendonpos *]
+sensor
tendon ref tendon !
[sensor/tendonvel *]
+sensor
tendon ref tendon !
[sensor/actuatorpos *]
+sensor
actuator ref actuator !
[sensor/actuatorvel *]
+sensor
actuator ref actuator !
[sensor/actuatorfrc *]
+sensor
actuator ref actuator !
[sensor/jointactuatorfrc *]
+sensor
joint ref joint !
[sensor/tendonactuatorfrc *]
+sensor
tendon ref tendon !
[sensor/ballquat *]
+sensor
joint ref joint !
[sensor/ballangvel *]
+sensor
joint ref joint !
[sensor/jointlimitpos *]
+sensor
joint ref joint !
[sensor/jointlimitvel *]
+sensor
joint ref joint !
[sensor/jointlimitfrc *]
+sensor
joint ref joint !
[sensor/tendonlimitpos *]
+sensor
tendon ref tendon !
[sensor/tendonlimitvel *]
+sensor
tendon ref tendon !
[sensor/tendonlimitfrc *]
+sensor
tendon ref tendon !
[sensor/framepos *]
+sensor
+framesensor
+frameref
[sensor/framequat *]
+sensor
+framesensor
+frameref
[sensor/framexaxis *]
+sensor
+framesensor
+frameref
[sensor/frameyaxis *]
+sensor
+framesensor
+frameref
[sensor/framezaxis *]
+sensor
+framesensor
+frameref
[sensor/framelinvel *]
+sensor
+framesensor
+frameref
[sensor/frameangvel *]
+sensor
+framesensor
+frameref
[sensor/framelinacc *]
+sensor
+framesensor
[sensor/frameangacc *]
+sensor
+framesensor
[sensor/subtreecom *]
+sensor
body ref body !
[sensor/subtreelinvel *]
+sensor
body ref body !
[sensor/subtreeangmom *]
+sensor
body ref body !
[sensor/insidesite *]
+sensor
enclosed bool = false
+framesensor
site ref site
[sensor/distance *]
+sensor
+geomsensor
[sensor/normal *]
+sensor
+geomsensor
[sensor/fromto *]
+sensor
+geomsensor
[sensor/contact *]
+sensor
body1 ref body
body2 ref body
data words found|force|torque|dist|pos|normal|tangent|linvel|angvel = found
geom1 ref geom
geom2 ref geom
num int = 1
reduce none|mindist|maxforce|netforce = none
site ref site
subtree1 ref body
subtree2 ref body
% exclusive geom1 body1 subtree1 site
% exclusive geom2 body2 subtree2
[sensor/e_potential *]
+sensor
[sensor/e_kinetic *]
+sensor
[sensor/clock *]
+sensor
[sensor/tactile *]
+sensor -noise
geom ref geom !
mesh ref mesh !
[sensor/user *]
+sensor -nsample -interp -delay -interval
datatype real|positive|axis|quaternion = real
dim int !
needstage pos|vel|acc = acc
objname str
objtype str
% together objtype objname
[sensor/plugin *]
name id sensor
cutoff real
instance ref instance
objname str
objtype str
plugin str
refname str
reftype str
user real *
[sensor/plugin/config *]
key str
value str
"""
