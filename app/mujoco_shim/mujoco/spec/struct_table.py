"""The structs of model editing: names, kinds and first values of their fields, as of MuJoCo 4.0 (mjspec.h).

A field is name:kind=value; without a value it begins with zero, false or nothing. Kinds: f number, w number of single precision, i whole number, b truth, s text,
mjtX a member of that enumeration, dN, wN, nN arrays of N numbers (double, single, whole), D, F, I, S, C vectors of any length (doubles, singles, whole numbers, texts, characters).
"""
from types import MappingProxyType

STRUCTS = MappingProxyType({
    "body": (
        "name:s childclass:s=main pos:d3 quat:d4=1,0,0,0 alt:orient mass:f ipos:d3=nan,0,0 iquat:d4=1,0,0,0 inertia:d3 ialt:orient fullinertia:d6=nan,0,0,0,0,0 "
        "mocap:b gravcomp:f sleep:mjtSleepPolicy simple:i=1 fuse:i=1 userdata:D explicitinertial:b plugin:plugin info:s"),
    "frame": "name:s childclass:s pos:d3 quat:d4=1,0,0,0 alt:orient scale:d3=1,1,1 scaling:mjtScaling massscale:f info:s",
    "geom": (
        "name:s type:mjtGeom=2 pos:d3 quat:d4=1,0,0,0 alt:orient fromto:d6=nan,0,0,0,0,0 size:d3 contype:i=1 conaffinity:i=1 condim:i=3 priority:i "
        "friction:d3=1,0.005,0.0001 solmix:f=1 solref:d2=0.02,1 solimp:d5=0.9,0.95,0.001,0.5,2 margin:f gap:f surfacevel:d6 adhesion:f mass:f=nan "
        "density:f=1000 typeinertia:mjtGeomInertia fluid_ellipsoid:f fluid_coefs:d5=0.5,0.25,1.5,1,1 material:s rgba:w4=0.5,0.5,0.5,1 group:i castshadow:b=1 "
        "hfieldname:s meshname:s fitscale:f=1 userdata:D plugin:plugin info:s"),
    "joint": (
        "name:s type:mjtJoint=3 pos:d3 axis:d3=0,0,1 ref:f align:mjtAlignFree=2 stiffness:d3 springref:f springyield:f springdamper:d2 limited:mjtLimited=2 "
        "range:d2 margin:f solref_limit:d2=0.02,1 solimp_limit:d5=0.9,0.95,0.001,0.5,2 actfrclimited:mjtLimited=2 actfrcrange:d2 armature:f damping:d3 "
        "frictionloss:f solref_friction:d2=0.02,1 solimp_friction:d5=0.9,0.95,0.001,0.5,2 group:i actgravcomp:b userdata:D info:s"),
    "site": (
        "name:s pos:d3 quat:d4=1,0,0,0 alt:orient fromto:d6=nan,0,0,0,0,0 size:d3=0.005,0.005,0.005 type:mjtGeom=2 material:s group:i rgba:w4=0.5,0.5,0.5,1 "
        "meshname:s userdata:D info:s"),
    "camera": (
        "name:s pos:d3 quat:d4=1,0,0,0 alt:orient mode:mjtCamLight targetbody:s proj:mjtProjection resolution:n2=1,1 output:i=1 fovy:f=45 ipd:f=0.068 "
        "intrinsic:w4 sensor_size:w2 focal_length:w2 focal_pixel:w2 principal_length:w2 principal_pixel:w2 userdata:D info:s"),
    "light": (
        "name:s pos:d3 dir:d3=0,0,-1 mode:mjtCamLight targetbody:s active:b=1 type:mjtLightType texture:s castshadow:b=1 bulbradius:w=0.02 intensity:w "
        "range:w=10 attenuation:w3=1,0,0 cutoff:w=45 softness:w=0.2 exponent:w=10 ambient:w3 diffuse:w3=0.7,0.7,0.7 specular:w3=0.3,0.3,0.3 info:s"),
    "flex": (
        "name:s contype:i=1 conaffinity:i=1 condim:i=3 priority:i friction:d3=1,0.005,0.0001 solmix:f=1 solref:d2=0.02,1 solimp:d5=0.9,0.95,0.001,0.5,2 "
        "margin:f gap:f dim:i=2 radius:f=0.005 size:d3 flatskin:b selfcollide:mjtFlexSelf=4 passive:i activelayers:i=1 group:i edgestiffness:f edgedamping:f "
        "rgba:w4=0.5,0.5,0.5,1 material:S young:f poisson:f shear:f damping:f thickness:f=-1 stressyield:d2 elastic2d:i elastic3d:i section:mjtFlexSection "
        "sectionsize:d2 cellcount:n3=1,1,1 order:i nodebody:S vertbody:S node:D vert:D elem:I texcoord:F elemtexcoord:I info:s"),
    "mesh": (
        "name:s content_type:s file:s refpos:d3 refquat:d4=1,0,0,0 scale:d3=1,1,1 inertia:mjtMeshInertia=2 smoothnormal:b needsdf:b maxhullvert:i=-1 uservert:F "
        "usernormal:F usertexcoord:F userface:I userfacenormal:I userfacetexcoord:I usernode:D usertet:I plugin:plugin material:s octree_maxdepth:i=6 info:s"),
    "hfield": "name:s content_type:s file:s size:d4 nrow:i ncol:i userdata:F info:s",
    "skin": (
        "name:s file:s material:s rgba:w4=0.5,0.5,0.5,1 inflate:w group:i vert:F texcoord:F face:I bodyname:S bindpos:F bindquat:F vertid:lists "
        "vertweight:lists info:s"),
    "texture": (
        "name:s type:mjtTexture=1 colorspace:mjtColorSpace builtin:mjtBuiltin mark:mjtMark rgb1:d3=0.8,0.8,0.8 rgb2:d3=0.5,0.5,0.5 markrgb:d3 random:f=0.01 "
        "height:i width:i nchannel:i=3 content_type:s file:s gridsize:n2=1,1 gridlayout:C cubefiles:S data:bytes hflip:b vflip:b embed:mjtEmbed=2 info:s"),
    "material": (
        "name:s textures:S texuniform:b texrepeat:w2=1,1 emission:w specular:w=0.5 shininess:w=0.5 reflectance:w metallic:w=-1 roughness:w=-1 rgba:w4=1,1,1,1 "
        "info:s"),
    "pair": (
        "name:s geomname1:s geomname2:s condim:i=3 solref:d2=0.02,1 solreffriction:d2 solimp:d5=0.9,0.95,0.001,0.5,2 margin:f gap:f adhesion:f "
        "friction:d5=1,1,0.005,0.0001,0.0001 info:s"),
    "exclude": "name:s bodyname1:s bodyname2:s info:s",
    "equality": "name:s type:mjtEq data:d12=0,1,0,0,0,0,0,0,0,0,1,0 active:b=1 name1:s name2:s objtype:mjtObj solref:d2=0.02,1 solimp:d5=0.9,0.95,0.001,0.5,2 info:s",
    "tendon": (
        "name:s stiffness:d3 springlength:d2=-1,-1 springyield:f damping:d3 frictionloss:f solref_friction:d2=0.02,1 solimp_friction:d5=0.9,0.95,0.001,0.5,2 "
        "armature:f limited:mjtLimited=2 actfrclimited:mjtLimited=2 range:d2 actfrcrange:d2 margin:f solref_limit:d2=0.02,1 "
        "solimp_limit:d5=0.9,0.95,0.001,0.5,2 material:s width:f=0.003 rgba:w4=0.5,0.5,0.5,1 group:i userdata:D info:s"),
    "actuator": (
        "name:s type:mjtActuator gaintype:mjtGain gainprm:d10=1,0,0,0,0,0,0,0,0,0 biastype:mjtBias biasprm:d10 dyntype:mjtDyn dynprm:d10=1,0,0,0,0,0,0,0,0,0 "
        "actdim:i=-1 ctrlspec:i velrange:d2 ffrange:d2 actearly:b trntype:mjtTrn=1000 gear:d6=1,0,0,0,0,0 target:s refsite:s slidersite:s cranklength:f "
        "lengthrange:d2 inheritrange:f damping:d3 armature:f ctrllimited:mjtLimited=2 ctrlrange:d2 forcelimited:mjtLimited=2 forcerange:d2 "
        "actlimited:mjtLimited=2 actrange:d2 group:i nsample:i interp:i delay:f userdata:D plugin:plugin info:s"),
    "sensor": (
        "name:s type:mjtSensor objtype:mjtObj objname:s reftype:mjtObj refname:s intprm:n3 datatype:mjtDataType needstage:mjtStage=3 dim:i cutoff:f noise:f "
        "nsample:i interp:i delay:f interval:d2 userdata:D plugin:plugin info:s"),
    "numeric": "name:s data:D size:i info:s",
    "text": "name:s data:s info:s",
    "tuple": "name:s objtype:I objname:S objprm:D info:s",
    "key": "name:s time:f qpos:D qvel:D act:D mpos:D mquat:D ctrl:D plastic:D info:s",
    "plugin": "name:s plugin_name:s active:b info:s",
    "wrap": "type:mjtWrap=1 info:s",
    "orientation": "type:mjtOrientation axisangle:d4 xyaxes:d6 zaxis:d3 euler:d3",
    "compiler": (
        "autolimits:b=1 boundmass:f boundinertia:f settotalmass:f=-1 balanceinertia:b fitaabb:b degree:b=1 eulerseq:C discardvisual:b usethread:b=1 "
        "fusestatic:b inertiafromgeom:mjtInertiaFromGeom=2 inertiagrouprange:n2=0,5 saveinertial:b savecompiled:b=1 savecanonical:b=1 alignfree:b "
        "conflict:mjtConflict passthrough:mjtPassthrough meshdir:s texturedir:s authored:i"),
    "authored": "option:i disableflags:i enableflags:i disableactuator:i visual_global:i visual_quality:i visual_headlight:i visual_map:i visual_scale:i visual_rgba:i",
})
