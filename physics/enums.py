"""The official numbers behind MJCF keywords, as enumerations and as plain integers that kernels can name.

`JointType.HINGE` is for Python code; `JNT_HINGE` is the same number for kernels, which take plain integers only.
"""
from enum import IntEnum


class DisableBit(IntEnum):
    """Bits that switch a default part of the computation off."""

    CONSTRAINT = 1
    EQUALITY = 2
    FRICTIONLOSS = 4
    LIMIT = 8
    CONTACT = 16
    SPRING = 32
    DAMPER = 64
    GRAVITY = 128
    CLAMPCTRL = 256
    WARMSTART = 512
    FILTERPARENT = 1024
    ACTUATION = 2048
    REFSAFE = 4096
    SENSOR = 8192
    MIDPHASE = 16384
    EULERDAMP = 32768
    AUTORESET = 65536
    NATIVECCD = 131072
    ISLAND = 262144
    MULTICCD = 524288


(
    DSBL_CONSTRAINT, DSBL_EQUALITY, DSBL_FRICTIONLOSS, DSBL_LIMIT, DSBL_CONTACT, DSBL_SPRING, DSBL_DAMPER, DSBL_GRAVITY,
    DSBL_CLAMPCTRL, DSBL_WARMSTART, DSBL_FILTERPARENT, DSBL_ACTUATION, DSBL_REFSAFE, DSBL_SENSOR, DSBL_MIDPHASE, DSBL_EULERDAMP,
    DSBL_AUTORESET, DSBL_NATIVECCD, DSBL_ISLAND, DSBL_MULTICCD
) = map(int, DisableBit)


class EnableBit(IntEnum):
    """Bits that switch an optional part of the computation on."""

    OVERRIDE = 1
    ENERGY = 2
    FWDINV = 4
    INVDISCRETE = 8
    SLEEP = 16
    DIAGEXACT = 32
    IPC = 64
    SPECULATIVE = 128


(
    ENBL_OVERRIDE, ENBL_ENERGY, ENBL_FWDINV, ENBL_INVDISCRETE, ENBL_SLEEP, ENBL_DIAGEXACT, ENBL_IPC, ENBL_SPECULATIVE
) = map(int, EnableBit)


class JointType(IntEnum):
    """What a joint lets its body do."""

    FREE = 0
    BALL = 1
    SLIDE = 2
    HINGE = 3


JNT_FREE, JNT_BALL, JNT_SLIDE, JNT_HINGE = map(int, JointType)


class GeomType(IntEnum):
    """Shapes; values from 100 on exist in pictures only."""

    PLANE = 0
    HFIELD = 1
    SPHERE = 2
    CAPSULE = 3
    ELLIPSOID = 4
    CYLINDER = 5
    BOX = 6
    MESH = 7
    SDF = 8
    ARROW = 100
    ARROW1 = 101
    ARROW2 = 102
    LINE = 103
    LINEBOX = 104
    FLEX = 105
    SKIN = 106
    LABEL = 107
    TRIANGLE = 108
    NONE = 1001


(
    GEOM_PLANE, GEOM_HFIELD, GEOM_SPHERE, GEOM_CAPSULE, GEOM_ELLIPSOID, GEOM_CYLINDER, GEOM_BOX, GEOM_MESH, GEOM_SDF, GEOM_ARROW,
    GEOM_ARROW1, GEOM_ARROW2, GEOM_LINE, GEOM_LINEBOX, GEOM_FLEX, GEOM_SKIN, GEOM_LABEL, GEOM_TRIANGLE, GEOM_NONE
) = map(int, GeomType)


class Projection(IntEnum):
    """How a camera projects."""

    PERSPECTIVE = 0
    ORTHOGRAPHIC = 1


PROJ_PERSPECTIVE, PROJ_ORTHOGRAPHIC = map(int, Projection)


class CamLightMode(IntEnum):
    """What a camera or light follows."""

    FIXED = 0
    TRACK = 1
    TRACKCOM = 2
    TARGETBODY = 3
    TARGETBODYCOM = 4


CAMLIGHT_FIXED, CAMLIGHT_TRACK, CAMLIGHT_TRACKCOM, CAMLIGHT_TARGETBODY, CAMLIGHT_TARGETBODYCOM = map(int, CamLightMode)


class LightType(IntEnum):
    """How a light spreads."""

    SPOT = 0
    DIRECTIONAL = 1
    POINT = 2
    IMAGE = 3


LIGHT_SPOT, LIGHT_DIRECTIONAL, LIGHT_POINT, LIGHT_IMAGE = map(int, LightType)


class TextureType(IntEnum):
    """What a texture covers."""

    TWO_D = 0
    CUBE = 1
    SKYBOX = 2


TEXTURE_2D, TEXTURE_CUBE, TEXTURE_SKYBOX = map(int, TextureType)


class TextureRole(IntEnum):
    """What a material uses a texture for."""

    USER = 0
    RGB = 1
    OCCLUSION = 2
    ROUGHNESS = 3
    METALLIC = 4
    NORMAL = 5
    OPACITY = 6
    EMISSIVE = 7
    RGBA = 8
    ORM = 9


(
    TEXROLE_USER, TEXROLE_RGB, TEXROLE_OCCLUSION, TEXROLE_ROUGHNESS, TEXROLE_METALLIC, TEXROLE_NORMAL, TEXROLE_OPACITY,
    TEXROLE_EMISSIVE, TEXROLE_RGBA, TEXROLE_ORM
) = map(int, TextureRole)


class ColorSpace(IntEnum):
    """How a texture's bytes encode colour."""

    AUTO = 0
    LINEAR = 1
    SRGB = 2


COLORSPACE_AUTO, COLORSPACE_LINEAR, COLORSPACE_SRGB = map(int, ColorSpace)


class Engine(IntEnum):
    """What moves the model (option `engine`); physics/simulate/engines.py holds one for each."""

    SOFT = 0
    HARD = 1


ENGINE_SOFT, ENGINE_HARD = map(int, Engine)


class Integrator(IntEnum):
    """How a step advances the state."""

    EULER = 0
    RK4 = 1
    IMPLICIT = 2
    IMPLICITFAST = 3
    DISCRETE = 4


INT_EULER, INT_RK4, INT_IMPLICIT, INT_IMPLICITFAST, INT_DISCRETE = map(int, Integrator)


class Cone(IntEnum):
    """Shape of the friction cone."""

    PYRAMIDAL = 0
    ELLIPTIC = 1


CONE_PYRAMIDAL, CONE_ELLIPTIC = map(int, Cone)


class Jacobian(IntEnum):
    """Storage that the model asks for; ours is always sparse."""

    DENSE = 0
    SPARSE = 1
    AUTO = 2


JAC_DENSE, JAC_SPARSE, JAC_AUTO = map(int, Jacobian)


class Solver(IntEnum):
    """Algorithm for the constraint forces."""

    PGS = 0
    CG = 1
    NEWTON = 2


SOL_PGS, SOL_CG, SOL_NEWTON = map(int, Solver)


class SolverVariant(IntEnum):
    """Bits for solvers as they were before: CG until 3.9, PGS until 3.8."""

    POLAK_RIBIERE = 1
    ROW_ORDER = 2


VARIANT_POLAK_RIBIERE, VARIANT_ROW_ORDER = map(int, SolverVariant)


class EqType(IntEnum):
    """What an equality constraint keeps."""

    CONNECT = 0
    WELD = 1
    JOINT = 2
    TENDON = 3
    FLEX = 4
    FLEXVERT = 5
    FLEXSTRAIN = 6
    DISTANCE = 7


EQ_CONNECT, EQ_WELD, EQ_JOINT, EQ_TENDON, EQ_FLEX, EQ_FLEXVERT, EQ_FLEXSTRAIN, EQ_DISTANCE = map(int, EqType)


class TendonType(IntEnum):
    """How a tendon's length is defined."""

    FIXED = 0
    SPATIAL = 1


TENDON_FIXED, TENDON_SPATIAL = map(int, TendonType)


class WrapType(IntEnum):
    """One item on a tendon's path."""

    NONE = 0
    JOINT = 1
    PULLEY = 2
    SITE = 3
    SPHERE = 4
    CYLINDER = 5


WRAP_NONE, WRAP_JOINT, WRAP_PULLEY, WRAP_SITE, WRAP_SPHERE, WRAP_CYLINDER = map(int, WrapType)


class TransmissionType(IntEnum):
    """What an actuator acts on."""

    JOINT = 0
    JOINTINPARENT = 1
    SLIDERCRANK = 2
    TENDON = 3
    SITE = 4
    BODY = 5
    SO3 = 6
    UNDEFINED = 1000


(
    TRN_JOINT, TRN_JOINTINPARENT, TRN_SLIDERCRANK, TRN_TENDON, TRN_SITE, TRN_BODY, TRN_SO3, TRN_UNDEFINED
) = map(int, TransmissionType)


class DynType(IntEnum):
    """How an actuator's activation evolves."""

    NONE = 0
    INTEGRATOR = 1
    FILTER = 2
    FILTEREXACT = 3
    MUSCLE = 4
    DCMOTOR = 5
    PID = 6
    USER = 7


DYN_NONE, DYN_INTEGRATOR, DYN_FILTER, DYN_FILTEREXACT, DYN_MUSCLE, DYN_DCMOTOR, DYN_PID, DYN_USER = map(int, DynType)


class GainType(IntEnum):
    """How control and activation scale an actuator's force."""

    FIXED = 0
    AFFINE = 1
    MUSCLE = 2
    DCMOTOR = 3
    SO3 = 4
    PID = 5
    USER = 6


GAIN_FIXED, GAIN_AFFINE, GAIN_MUSCLE, GAIN_DCMOTOR, GAIN_SO3, GAIN_PID, GAIN_USER = map(int, GainType)


class BiasType(IntEnum):
    """The part of an actuator's force that needs no control."""

    NONE = 0
    AFFINE = 1
    MUSCLE = 2
    DCMOTOR = 3
    SO3 = 4
    USER = 5


BIAS_NONE, BIAS_AFFINE, BIAS_MUSCLE, BIAS_DCMOTOR, BIAS_SO3, BIAS_USER = map(int, BiasType)


class CtrlChart(IntEnum):
    """Coordinates of an orientation target."""

    EXPMAP = 1
    QUAT = 2


CHART_EXPMAP, CHART_QUAT = map(int, CtrlChart)


class CtrlInput(IntEnum):
    """Bits for the inputs that an actuator takes."""

    POS = 1
    VEL = 2
    FF = 4
    VOLTAGE = 8
    NONE = 16
    PRESSURE = 32


INPUT_POS, INPUT_VEL, INPUT_FF, INPUT_VOLTAGE, INPUT_NONE, INPUT_PRESSURE = map(int, CtrlInput)


class ObjType(IntEnum):
    """Kinds of model elements."""

    UNKNOWN = 0
    BODY = 1
    XBODY = 2
    JOINT = 3
    DOF = 4
    GEOM = 5
    SITE = 6
    CAMERA = 7
    LIGHT = 8
    FLEX = 9
    MESH = 10
    SKIN = 11
    HFIELD = 12
    TEXTURE = 13
    MATERIAL = 14
    PAIR = 15
    EXCLUDE = 16
    EQUALITY = 17
    TENDON = 18
    ACTUATOR = 19
    SENSOR = 20
    NUMERIC = 21
    TEXT = 22
    TUPLE = 23
    KEY = 24
    PLUGIN = 25
    FRAME = 100
    DEFAULT = 101
    MODEL = 102


(
    OBJ_UNKNOWN, OBJ_BODY, OBJ_XBODY, OBJ_JOINT, OBJ_DOF, OBJ_GEOM, OBJ_SITE, OBJ_CAMERA, OBJ_LIGHT, OBJ_FLEX, OBJ_MESH, OBJ_SKIN,
    OBJ_HFIELD, OBJ_TEXTURE, OBJ_MATERIAL, OBJ_PAIR, OBJ_EXCLUDE, OBJ_EQUALITY, OBJ_TENDON, OBJ_ACTUATOR, OBJ_SENSOR, OBJ_NUMERIC,
    OBJ_TEXT, OBJ_TUPLE, OBJ_KEY, OBJ_PLUGIN, OBJ_FRAME, OBJ_DEFAULT, OBJ_MODEL
) = map(int, ObjType)


class SensorType(IntEnum):
    """What a sensor measures."""

    TOUCH = 0
    ACCELEROMETER = 1
    VELOCIMETER = 2
    GYRO = 3
    FORCE = 4
    TORQUE = 5
    MAGNETOMETER = 6
    RANGEFINDER = 7
    CAMPROJECTION = 8
    JOINTPOS = 9
    JOINTVEL = 10
    TENDONPOS = 11
    TENDONVEL = 12
    ACTUATORPOS = 13
    ACTUATORVEL = 14
    ACTUATORFRC = 15
    JOINTACTFRC = 16
    TENDONACTFRC = 17
    BALLQUAT = 18
    BALLANGVEL = 19
    JOINTLIMITPOS = 20
    JOINTLIMITVEL = 21
    JOINTLIMITFRC = 22
    TENDONLIMITPOS = 23
    TENDONLIMITVEL = 24
    TENDONLIMITFRC = 25
    FRAMEPOS = 26
    FRAMEQUAT = 27
    FRAMEXAXIS = 28
    FRAMEYAXIS = 29
    FRAMEZAXIS = 30
    FRAMELINVEL = 31
    FRAMEANGVEL = 32
    FRAMELINACC = 33
    FRAMEANGACC = 34
    SUBTREECOM = 35
    SUBTREELINVEL = 36
    SUBTREEANGMOM = 37
    INSIDESITE = 38
    GEOMDIST = 39
    GEOMNORMAL = 40
    GEOMFROMTO = 41
    CONTACT = 42
    E_POTENTIAL = 43
    E_KINETIC = 44
    CLOCK = 45
    TACTILE = 46
    PLUGIN = 47
    USER = 48


(
    SENS_TOUCH, SENS_ACCELEROMETER, SENS_VELOCIMETER, SENS_GYRO, SENS_FORCE, SENS_TORQUE, SENS_MAGNETOMETER, SENS_RANGEFINDER,
    SENS_CAMPROJECTION, SENS_JOINTPOS, SENS_JOINTVEL, SENS_TENDONPOS, SENS_TENDONVEL, SENS_ACTUATORPOS, SENS_ACTUATORVEL,
    SENS_ACTUATORFRC, SENS_JOINTACTFRC, SENS_TENDONACTFRC, SENS_BALLQUAT, SENS_BALLANGVEL, SENS_JOINTLIMITPOS, SENS_JOINTLIMITVEL,
    SENS_JOINTLIMITFRC, SENS_TENDONLIMITPOS, SENS_TENDONLIMITVEL, SENS_TENDONLIMITFRC, SENS_FRAMEPOS, SENS_FRAMEQUAT,
    SENS_FRAMEXAXIS, SENS_FRAMEYAXIS, SENS_FRAMEZAXIS, SENS_FRAMELINVEL, SENS_FRAMEANGVEL, SENS_FRAMELINACC, SENS_FRAMEANGACC,
    SENS_SUBTREECOM, SENS_SUBTREELINVEL, SENS_SUBTREEANGMOM, SENS_INSIDESITE, SENS_GEOMDIST, SENS_GEOMNORMAL, SENS_GEOMFROMTO,
    SENS_CONTACT, SENS_E_POTENTIAL, SENS_E_KINETIC, SENS_CLOCK, SENS_TACTILE, SENS_PLUGIN, SENS_USER
) = map(int, SensorType)


class Stage(IntEnum):
    """Point in a step after which a quantity is known."""

    NONE = 0
    POS = 1
    VEL = 2
    ACC = 3


STAGE_NONE, STAGE_POS, STAGE_VEL, STAGE_ACC = map(int, Stage)


class SensorDataType(IntEnum):
    """Range of a sensor's values."""

    REAL = 0
    POSITIVE = 1
    AXIS = 2
    QUATERNION = 3


DATATYPE_REAL, DATATYPE_POSITIVE, DATATYPE_AXIS, DATATYPE_QUATERNION = map(int, SensorDataType)


class ContactData(IntEnum):
    """What a contact sensor reports."""

    FOUND = 0
    FORCE = 1
    TORQUE = 2
    DIST = 3
    POS = 4
    NORMAL = 5
    TANGENT = 6
    LINVEL = 7
    ANGVEL = 8


(
    CONDATA_FOUND, CONDATA_FORCE, CONDATA_TORQUE, CONDATA_DIST, CONDATA_POS, CONDATA_NORMAL, CONDATA_TANGENT, CONDATA_LINVEL,
    CONDATA_ANGVEL
) = map(int, ContactData)


class RayData(IntEnum):
    """What a range finder reports."""

    DIST = 0
    DIR = 1
    ORIGIN = 2
    POINT = 3
    NORMAL = 4
    DEPTH = 5


RAYDATA_DIST, RAYDATA_DIR, RAYDATA_ORIGIN, RAYDATA_POINT, RAYDATA_NORMAL, RAYDATA_DEPTH = map(int, RayData)


class CameraOutput(IntEnum):
    """Bits for the pictures that a camera delivers."""

    RGB = 1
    DEPTH = 2
    DIST = 4
    NORMAL = 8
    SEG = 16


CAMOUT_RGB, CAMOUT_DEPTH, CAMOUT_DIST, CAMOUT_NORMAL, CAMOUT_SEG = map(int, CameraOutput)


class SameFrame(IntEnum):
    """Whether an element's frame coincides with its body's."""

    NONE = 0
    BODY = 1
    INERTIA = 2
    BODYROT = 3
    INERTIAROT = 4


SAMEFRAME_NONE, SAMEFRAME_BODY, SAMEFRAME_INERTIA, SAMEFRAME_BODYROT, SAMEFRAME_INERTIAROT = map(int, SameFrame)


class SleepPolicy(IntEnum):
    """Whether a kinematic tree may sleep."""

    AUTO = 0
    AUTO_NEVER = 1
    AUTO_ALLOWED = 2
    NEVER = 3
    ALLOWED = 4
    INIT = 5


SLEEP_AUTO, SLEEP_AUTO_NEVER, SLEEP_AUTO_ALLOWED, SLEEP_NEVER, SLEEP_ALLOWED, SLEEP_INIT = map(int, SleepPolicy)


class ConstraintType(IntEnum):
    """What a constraint row stands for."""

    EQUALITY = 0
    FRICTION_DOF = 1
    FRICTION_TENDON = 2
    LIMIT_JOINT = 3
    LIMIT_TENDON = 4
    CONTACT_FRICTIONLESS = 5
    CONTACT_PYRAMIDAL = 6
    CONTACT_ELLIPTIC = 7


(
    CNSTR_EQUALITY, CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON, CNSTR_LIMIT_JOINT, CNSTR_LIMIT_TENDON, CNSTR_CONTACT_FRICTIONLESS,
    CNSTR_CONTACT_PYRAMIDAL, CNSTR_CONTACT_ELLIPTIC
) = map(int, ConstraintType)


class ConstraintState(IntEnum):
    """Zone of the cost function that a constraint row is in."""

    SATISFIED = 0
    QUADRATIC = 1
    LINEARNEG = 2
    LINEARPOS = 3
    CONE = 4


(
    CNSTRSTATE_SATISFIED, CNSTRSTATE_QUADRATIC, CNSTRSTATE_LINEARNEG, CNSTRSTATE_LINEARPOS, CNSTRSTATE_CONE
) = map(int, ConstraintState)


class WarningType(IntEnum):
    """What the engine warns of."""

    INERTIA = 0
    CONTACTFULL = 1
    CNSTRFULL = 2
    BADQPOS = 3
    BADQVEL = 4
    BADQACC = 5
    BADCTRL = 6


(
    WARN_INERTIA, WARN_CONTACTFULL, WARN_CNSTRFULL, WARN_BADQPOS, WARN_BADQVEL, WARN_BADQACC, WARN_BADCTRL
) = map(int, WarningType)


class StateBit(IntEnum):
    """Bits for the parts of the state."""

    TIME = 1
    QPOS = 2
    QVEL = 4
    ACT = 8
    HISTORY = 16
    WARMSTART = 32
    CTRL = 64
    QFRC_APPLIED = 128
    XFRC_APPLIED = 256
    EQ_ACTIVE = 512
    MOCAP_POS = 1024
    MOCAP_QUAT = 2048
    USERDATA = 4096
    PLUGIN = 8192
    PLASTIC = 16384
    PHYSICS = 16414
    FULLPHYSICS = 24607
    USER = 8128
    INTEGRATION = 32767


(
    STATE_TIME, STATE_QPOS, STATE_QVEL, STATE_ACT, STATE_HISTORY, STATE_WARMSTART, STATE_CTRL, STATE_QFRC_APPLIED,
    STATE_XFRC_APPLIED, STATE_EQ_ACTIVE, STATE_MOCAP_POS, STATE_MOCAP_QUAT, STATE_USERDATA, STATE_PLUGIN, STATE_PLASTIC,
    STATE_PHYSICS, STATE_FULLPHYSICS, STATE_USER, STATE_INTEGRATION
) = map(int, StateBit)


class SleepState(IntEnum):
    """Whether something moves."""

    STATIC = -1
    ASLEEP = 0
    AWAKE = 1


S_STATIC, S_ASLEEP, S_AWAKE = map(int, SleepState)


class PerturbBit(IntEnum):
    """Bits for what the mouse does to a body."""

    TRANSLATE = 1
    ROTATE = 2


PERT_TRANSLATE, PERT_ROTATE = map(int, PerturbBit)


# columns of a DC motor's actuator_gainprm: resistance, motor constant, temperature coefficient of the resistance and the temperature
# at which it holds, gains of the controller, largest drive voltage
DCM_R, DCM_K, DCM_TEMPCO, DCM_TREF, DCM_KP, DCM_KI, DCM_KD, DCM_VMAX = range(8)
# of its actuator_dynprm: electrical time constant, largest rate of the current, thermal resistance and capacitance, ambient temperature,
# LuGre stiffness and damping of the bristles, slew rate of the set point, limit of the integral
DCM_TE, DCM_DIMAX, DCM_RT, DCM_CT, DCM_TAMB, DCM_SIGMA0, DCM_SIGMA1, DCM_SLEW, DCM_IMAX = range(9)
# of its actuator_biasprm: amplitude, poles and phase of the cogging; Coulomb and static friction, Stribeck speed
DCM_COGGING, DCM_POLES, DCM_PHASE, DCM_FC, DCM_FS, DCM_VS = range(6)


NWARNING = len(WarningType)
MINVAL = 1e-15  # smallest number that is divided by
MINMU = 1e-5  # smallest friction coefficient
MINIMP = 0.0001  # smallest constraint impedance
MAXIMP = 0.9999  # largest constraint impedance
MINAWAKE = 10  # steps below the tolerance before a tree may sleep
MAXVAL = 1e10  # larger values of the state are bad
