"""Which field of a Model is which attribute of MJCF: one list per element.

A row is `attribute field [how]`. The field may be cut (`eq_data[0:3]`), put together from several (`jnt_stiffness+jnt_stiffnesspoly`),
and belongs to the row of the element, or to the first row of its part where the prefix says so (dof_*, qpos* of a joint). how:

    nothing      numbers, or false and true
    Name         a keyword: the member of this enumeration (physics/enums.py)
    @kind        a reference: the name of that element, left out for -1
    %Name        several keywords: the bits of this enumeration
    #            a keyword: its place in the schema's list

Attributes equal to the schema's default are left out by rows.py, so a new kind of element needs its rows here and nothing else.
"""
from __future__ import annotations

BODY = """\
pos body_pos
quat body_quat
gravcomp body_gravcomp
user body_user
"""

INERTIAL = """\
pos body_ipos
quat body_iquat
mass body_mass
diaginertia body_inertia
"""

JOINT = """\
type jnt_type JointType
pos jnt_pos
actuatorfrcrange jnt_actfrcrange
actuatorgravcomp jnt_actgravcomp
armature dof_armature
axis jnt_axis
damping dof_damping+dof_dampingpoly
frictionloss dof_frictionloss
group jnt_group
margin jnt_margin
range jnt_range
ref qpos0
solimpfriction dof_solimp
solimplimit jnt_solimp
solreffriction dof_solref
solreflimit jnt_solref
springref qpos_spring
springyield jnt_springyield
stiffness jnt_stiffness+jnt_stiffnesspoly
user jnt_user
"""

GEOM = """\
type geom_type GeomType
pos geom_pos
quat geom_quat
adhesion geom_adhesion
castshadow geom_castshadow
conaffinity geom_conaffinity
condim geom_condim
contype geom_contype
friction geom_friction
gap geom_gap
group geom_group
margin geom_margin
material geom_matid @material
priority geom_priority
rgba geom_rgba
size geom_size
solimp geom_solimp
solmix geom_solmix
solref geom_solref
surfacevel geom_surfacevel
user geom_user
"""

SITE = """\
type site_type GeomType
pos site_pos
quat site_quat
group site_group
material site_matid @material
mesh site_dataid @mesh
rgba site_rgba
size site_size
user site_user
"""

CAMERA = """\
pos cam_pos
quat cam_quat
fovy cam_fovy
ipd cam_ipd
mode cam_mode CamLightMode
output cam_output %CameraOutput
projection cam_projection Projection
resolution cam_resolution
sensorsize cam_sensorsize
focal cam_intrinsic[0:2]
principal cam_intrinsic[2:4]
target cam_targetbodyid @body
user cam_user
"""

LIGHT = """\
pos light_pos
active light_active
ambient light_ambient
attenuation light_attenuation
bulbradius light_bulbradius
castshadow light_castshadow
cutoff light_cutoff
diffuse light_diffuse
dir light_dir
exponent light_exponent
intensity light_intensity
mode light_mode CamLightMode
range light_range
softness light_softness
specular light_specular
target light_targetbodyid @body
texture light_texid @texture
type light_type LightType
"""

MATERIAL = """\
emission mat_emission
metallic mat_metallic
reflectance mat_reflectance
rgba mat_rgba
roughness mat_roughness
shininess mat_shininess
specular mat_specular
texrepeat mat_texrepeat
texuniform mat_texuniform
"""

PAIR = """\
adhesion pair_adhesion
condim pair_dim
friction pair_friction
gap pair_gap
geom1 pair_geom1 @geom
geom2 pair_geom2 @geom
margin pair_margin
solimp pair_solimp
solref pair_solref
solreffriction pair_solreffriction
"""

TENDON = """\
group tendon_group
range tendon_range
actuatorfrcrange tendon_actfrcrange
solreflimit tendon_solref_lim
solimplimit tendon_solimp_lim
solreffriction tendon_solref_fri
solimpfriction tendon_solimp_fri
margin tendon_margin
springlength tendon_lengthspring
springyield tendon_springyield
stiffness tendon_stiffness+tendon_stiffnesspoly
damping tendon_damping+tendon_dampingpoly
frictionloss tendon_frictionloss
armature tendon_armature
user tendon_user
width tendon_width
material tendon_matid @material
rgba tendon_rgba
"""

EQUALITY = """\
active eq_active0
solref eq_solref
solimp eq_solimp
"""

ACTUATOR = """\
group actuator_group
cranklength actuator_cranklength
gear actuator_gear
forcerange actuator_forcerange
lengthrange actuator_lengthrange
armature actuator_armature
damping actuator_damping+actuator_dampingpoly
nsample actuator_history[0:1]
interp actuator_history[1:2] #
delay actuator_delay
user actuator_user
actearly actuator_actearly
actrange actuator_actrange
biasprm actuator_biasprm
biastype actuator_biastype BiasType
dynprm actuator_dynprm
dyntype actuator_dyntype DynType
gainprm actuator_gainprm
gaintype actuator_gaintype GainType
"""

SENSOR = """\
cutoff sensor_cutoff
noise sensor_noise
nsample sensor_history[0:1]
interp sensor_history[1:2] #
delay sensor_delay
interval sensor_interval
user sensor_user
"""

SKIN = """\
material skin_matid @material
rgba skin_rgba
inflate skin_inflate
group skin_group
"""
