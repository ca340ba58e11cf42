"""A model with something in every field, and how a field is changed a little so that the model stays one that MJCF can say."""
import numpy as np

CHANGE = 1.01
UNIT_ROWS = ("quat", "jnt_axis", "light_dir")   # of unit length; changed by turning
WORLD, FREE = slice(0, 1), slice(2, 3)   # rows of bodies: the world, the free one
FREE_QPOS, FREE_QUAT = slice(1, 8), slice(4, 8)
# what stays as it is when its field is changed, since no text can say it: field, rows (and columns), why
LEFT = (
    ("body_pos", WORLD, "the world is where it is"), ("body_pos", FREE, "a free body stands where qpos0 says; the writer warns"),
    ("body_quat", WORLD, "likewise"), ("body_quat", FREE, "likewise"),
    ("body_ipos", WORLD, "the world has no inertia"), ("body_iquat", WORLD, "likewise"), ("body_mass", WORLD, "likewise"),
    ("body_inertia", WORLD, "likewise"),
    ("qpos_spring", FREE_QPOS, "free joints have no spring reference but their start; the writer warns"),
    ("jnt_axis", slice(1, 2), "a free joint has no axis"),
    ("geom_size", slice(0, 1), "that of a height field geom is its asset's"), ("geom_size", slice(2, 4), "and that of a mesh geom"),
    ("geom_fluid", (slice(None), 0), "a switch"), ("geom_fluid", (slice(None), slice(6, 12)), "follows from the geom's size"),
    ("cam_fovy", slice(1, 2), "of a camera with a sensor follows from its focal length; the writer warns"),
    ("cam_intrinsic", slice(0, 1), "of a camera without a sensor is not used"),
    ("eq_data", (0, slice(3, 6)), "the second anchor of a connect follows from the first; the writer warns"),
    ("eq_data", (slice(1, 3), 11), "the switch that lets a pose follow from the initial one, which it does no more"),
    ("eq_data", (0, slice(6, 12)), "not used"), ("eq_data", (slice(4, 6), slice(5, 12)), "not used"),
)

TEXT = """<mujoco model="all"><compiler angle="degree"/><size nuser_body="1" nuser_jnt="1" nuser_geom="1" nuser_site="1" nuser_cam="1" nuser_tendon="1"
nuser_actuator="1" nuser_sensor="1"/> <option impratio="2" density="1" viscosity=".1" o_margin=".1" wind="1 2 3" noslip_tolerance=".1"
sleep_tolerance=".1"/><statistic extent="3" center="1 2 3" meaninertia=".7" meanmass="2" meansize=".3"/> <asset><texture name="t" type="2d"
builtin="flat" width="4" height="4"/><material name="m" texture="t" texrepeat="2 3" emission=".1" specular=".2" shininess=".3" reflectance=".4"
metallic=".5" roughness=".6" rgba=".1 .2 .3 .4"/><hfield name="h" nrow="2" ncol="2" size="1 2 3 4" elevation="0 1 2 4"/><mesh name="w" builtin="wedge"
params="4 4 20 30 .2" scale=".1 .2 .3"/> <mesh name="v" vertex="0 0 0 1 0 0 0 2 0 0 0 3"/><skin name="s" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"
inflate=".1" texcoord=".1 .2 1 .3 .4 1" rgba=".1 .2 .3 .4"><bone body="a" bindpos="1 2 3" bindquat=".6 .8 0 0" vertid="0 1 2"
vertweight="1 2 3"/><bone body="q" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="3 2 1"/></skin></asset> <worldbody><geom
type="hfield" hfield="h" pos="1 2 3"/><light pos="1 2 3" dir="0 .6 -.8" ambient=".1 .2 .3" diffuse=".1 .2 .3" specular=".1 .2 .3" attenuation="1 2 3"
cutoff="30" exponent="3" bulbradius=".1" intensity="2" range="7" softness=".2"/> <camera pos="1 2 3" euler="10 20 30" fovy="30" ipd=".1"
user="3"/><camera resolution="8 6" sensorsize=".02 .01" focal=".03 .04" principal=".001 .002"/> <body name="a" pos="1 2 3" euler="10 20 30"
gravcomp=".5" user="2"><joint name="j" type="slide" pos=".1 .2 .3" axis="0 .6 .8" stiffness="1 2 3" damping="3 2 1" armature=".1" frictionloss=".2"
range="-2 3" actuatorfrcrange="-4 5" margin=".1" ref=".3" springref=".4" springyield="2" solreflimit=".03 1.1" solimplimit=".8 .9 .002 .4 3"
solreffriction=".04 1.2" solimpfriction=".7 .8 .003 .3 4" user="4"/> <geom name="g" type="box" size=".1 .2 .3" pos=".1 .2 .3" euler="10 20 30"
friction=".5 .01 .002" solmix=".3" solref=".03 1.1" solimp=".8 .9 .002 .4 3" margin=".2" gap=".1" adhesion="2" surfacevel="1 2 3 4 5 6"
rgba=".1 .2 .3 .4" fluidshape="ellipsoid" fluidcoef=".4 .3 1.4 1.1 1.2" user="5"/> <inertial pos=".1 .2 .3" quat=".6 .8 0 0" mass="3"
diaginertia="1 2 2.5"/><geom type="mesh" mesh="w" pos="1 1 1"/> <site name="s" type="box" size=".1 .2 .3" pos=".1 .2 .3" euler="10 20 30"
rgba=".1 .2 .3 .4" user="6"/></body> <body name="b" pos="0 0 9"><freejoint/><geom name="k" type="mesh" mesh="v"/><site name="r"
pos="1 0 0"/></body><body name="mocap" mocap="true" pos="1 1 1"/> <body name="q" pos="5 0 0"><joint name="l" axis="0 1 0"/><geom name="o"
size=".3"/></body></worldbody> <contact><pair geom1="g" geom2="k" friction=".1 .2 .3 .4 .5" solref=".03 1.1" solimp=".8 .9 .002 .4 3"
solreffriction=".04 1.2" margin=".2" gap=".1" adhesion="2"/></contact> <tendon><spatial name="p" range="1 9" width=".02" rgba=".1 .2 .3 .4"
stiffness="1 2 3" damping="3 2 1" frictionloss=".1" armature=".2" margin=".1" springlength="1 2" springyield="3" actuatorfrcrange="-4 5"
solreflimit=".03 1.1" solimplimit=".8 .9 .002 .4 3" solreffriction=".04 1.2" solimpfriction=".7 .8 .003 .3 4" user="7"><site site="s"/><site
site="r"/><pulley divisor="2"/> <site site="r"/><site site="s"/></spatial><fixed name="f"><joint joint="l" coef="2"/></fixed></tendon>
<equality><connect body1="a" body2="b" anchor="1 2 3" solref=".03 1.1" solimp=".8 .9 .002 .4 3"/><weld body1="a" body2="b" anchor="1 2 3"
torquescale="2"/><weld body1="a"/> <weld body1="q" relpose="1 2 3 0 1 0 0"/><joint joint1="l" polycoef="1 2 3 4 5"/><tendon tendon1="p"
polycoef="5 4 3 2 1"/></equality> <actuator><general joint="j" gear="1 2 3 4 5 6" ctrlrange="-1 2" forcerange="-3 4" actrange="-5 6" dyntype="filter"
dynprm=".1 2" gainprm="2 3 4" biastype="affine" biasprm="1 -3 -4" damping="1 2 3" armature=".1" lengthrange="1 2" user="8"/><motor cranksite="s"
slidersite="r" cranklength="9" ctrlrange="-1 2"/><motor joint="l" nsample="3" delay=".01"/></actuator> <sensor><touch site="s" cutoff="3" noise=".1"
user="9"/><jointpos joint="l" nsample="3" delay=".01" interval=".1 -.02"/></sensor> <custom><numeric name="n" data="1 2 3"/><tuple name="u"><element
objtype="body" objname="a" prm="2"/></tuple></custom> <keyframe><key time="2" qpos=".1 1 2 3 .6 .8 0 0 .2" qvel="1 2 3 4 5 6 7 8" act=".5"
ctrl=".1 .2 .3" mpos="1 2 3" mquat=".6 .8 0 0"/></keyframe></mujoco>"""


def changed(name: str, value: np.ndarray) -> np.ndarray:
    """Other values for a field: what is 0 stays so, what has unit length keeps it, and so does what goes from 0 to 1."""
    value = np.array(value)
    out = value * CHANGE
    if name == "hfield_data":
        out = value ** CHANGE
    elif name == "opt_hard_kappa":     # 0 unless it is set
        out = value + 1e-6
    elif name == "skin_bonevertweight":   # those of the second bone complete the first one's to 1
        out = np.concatenate([value[:3] * CHANGE, 1 - value[:3] * CHANGE])
    elif any(word in name for word in UNIT_ROWS):
        rows = value.reshape(-1, 4 if "quat" in name else 3)
        out = unit(rows + 0.01 * np.arange(1, rows.shape[1] + 1)).reshape(value.shape)
    elif name in ("qpos0", "key_qpos"):
        out[..., FREE_QUAT] = unit(value[..., FREE_QUAT] + (0.01, 0.02, 0.03, 0.04))
    elif name == "eq_data":
        out[:, 6:10] = np.where(value[:, 6:10].any(axis=1, keepdims=True), unit(value[:, 6:10] + (0.01, 0.02, 0.03, 0.04)), 0)
    for field, where, _ in LEFT:
        if field == name:
            out[where] = value[where]
    return out.astype(value.dtype)


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)
