"""Scenes built by MjSpec: each function takes a module, the official one or ours, and gives the MjSpec that it has built."""
import math

import numpy as np

ROBOT = """<mujoco model="robot"><compiler angle="degree"/>
<default><geom rgba="1 0 0 1"/><default class="arm"><geom size=".03" density="500"/><joint damping=".2" armature=".01"/><position kp="7" forcerange="-3 3"/></default></default>
<asset><material name="grey" rgba=".5 .5 .5 1"/><texture name="check" type="2d" builtin="checker" width="4" height="4"/></asset>
<worldbody><body name="base" childclass="arm"><geom name="foot" type="box" size=".1 .1 .05" material="grey"/>
<frame pos="0 0 .1" euler="0 20 0">
<body name="link"><joint name="turn" axis="0 1 0" range="-90 45"/><geom name="rod" type="capsule" fromto="0 0 0 0 0 .3"/><site name="tip" pos="0 0 .3"/></body></frame>
</body></worldbody>
<tendon><fixed name="wire"><joint joint="turn" coef="2"/></fixed></tendon>
<actuator><position name="hold" joint="turn" class="arm"/><motor name="pull" tendon="wire"/></actuator>
<sensor><jointpos name="angle" joint="turn"/><framepos name="where" objtype="site" objname="tip"/></sensor>
<contact><exclude body1="base" body2="link"/></contact>
<keyframe><key name="bent" qpos=".3" ctrl=".1 0"/></keyframe></mujoco>"""


def two_robots(mj):
    """A robot twice in a scene, with prefixes, in frames and at a site."""
    scene, robot = mj.MjSpec(), mj.MjSpec.from_string(ROBOT)
    scene.copy_during_attach = True
    scene.worldbody.add_geom(name="floor", type=mj.mjtGeom.mjGEOM_PLANE, size=[5, 5, .1])
    scene.attach(robot, prefix="left/", frame=scene.worldbody.add_frame(pos=[1, 0, 0], euler=[0, 0, 90]))
    site = scene.worldbody.add_site(name="mount", pos=[-1, 0, .5], quat=[0, 0, 0, 1])
    scene.attach(robot, prefix="right/", site=site)
    body = scene.worldbody.add_body(name="cart")
    body.add_joint(name="roll", type=mj.mjtJoint.mjJNT_SLIDE, axis=[1, 0, 0])
    body.add_geom(size=[.1, 0, 0])
    body.add_frame(pos=[0, 0, .2]).attach_body(robot.body("base"), "", "_top")
    return scene


def terrain(mj):
    """A hundred boxes."""
    spec = mj.MjSpec()
    for i in range(10):
        for k in range(10):
            height = .05 + .04 * math.sin(i + 2.5 * k) ** 2
            spec.worldbody.add_geom(name=f"box_{i}_{k}", type=mj.mjtGeom.mjGEOM_BOX, pos=[i * .3, k * .3, height], size=[.15, .15, height], rgba=[.1 * i, .1 * k, .3, 1],
                                    euler=[0, 0, 3 * i])
    ball = spec.worldbody.add_body(pos=[1, 1, 2])
    ball.add_freejoint()
    ball.add_geom(size=[.1, 0, 0], friction=[.7, .01, .001], condim=6)
    return spec


def chain(mj):
    """Bodies in bodies, default classes, a camera and a light, inertia of its own."""
    spec = mj.MjSpec()
    spec.option.timestep, spec.option.integrator = .003, mj.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.gravity = [0, 0, -3]
    spec.compiler.degree = False
    spec.default.geom.friction = [.5, .1, .2]
    thin = spec.add_default("thin", spec.default)
    thin.geom.size[0] = .02
    thin.joint.damping[0] = .3
    thin.joint.range = [-1, 2]
    body = spec.worldbody
    for k in range(6):
        body = body.add_body(name=f"part{k}", pos=[0, 0, .2], childclass="thin")
        body.add_joint(name=f"turn{k}", axis=[0, k % 2, 1 - k % 2])
        body.add_geom(type=mj.mjtGeom.mjGEOM_CAPSULE, fromto=[0, 0, 0, 0, 0, .2], group=k)
    end = body.add_body(name="end", mass=2, inertia=[.1, .2, .25], ipos=[0, 0, .1], iquat=[.6, .8, 0, 0])
    end.add_camera(name="eye", fovy=30, xyaxes=[1, 0, 0, 0, .6, .8], resolution=[64, 48])
    end.add_light(name="lamp", dir=[1, 0, -1], diffuse=[.1, .2, .3], castshadow=False)
    end.add_site(name="grip", type=mj.mjtGeom.mjGEOM_BOX, size=[.1, .2, .3], zaxis=[1, 1, 0], userdata=[1, 2])
    return spec


def tendons(mj):
    """Spatial and fixed tendons, over geoms and pulleys, with limits."""
    spec = mj.MjSpec()
    spec.worldbody.add_site(name="a", pos=[-1, 0, 1])
    spec.worldbody.add_geom(name="drum", type=mj.mjtGeom.mjGEOM_CYLINDER, size=[.2, .3, 0], euler=[90, 0, 0], pos=[0, 0, 1])
    spec.worldbody.add_site(name="side", pos=[0, 0, 1.5])
    for k in range(2):
        body = spec.worldbody.add_body(name=f"w{k}", pos=[1 + k, 0, 0])
        body.add_joint(name=f"j{k}", type=mj.mjtJoint.mjJNT_SLIDE)
        body.add_geom(size=[.1, 0, 0], mass=1 + k)
        body.add_site(name=f"s{k}")
    rope = spec.add_tendon(name="rope", stiffness=3, springlength=[.1, .5], damping=.2, range=[0, 4], width=.01)
    rope.wrap_site("a")
    rope.wrap_geom("drum", "side")
    rope.wrap_site("s0")
    rope.wrap_pulley(2)
    rope.wrap_site("s0")
    rope.wrap_site("s1")
    both = spec.add_tendon(name="both", frictionloss=.1, armature=.02)
    both.wrap_joint("j0", 1.5)
    both.wrap_joint("j1", -1)
    return spec


def actuators(mj):
    """Every kind of actuator that has a law of its own."""
    spec = tendons(mj)
    laws = ((lambda a: a.set_to_motor(), "j0"), (lambda a: a.set_to_position(kp=20, kv=1, timeconst=.1), "j1"), (lambda a: a.set_to_velocity(kv=2), "j0"),
            (lambda a: a.set_to_intvelocity(kp=4, kv=.5), "j1"), (lambda a: a.set_to_damper(kv=.3), "j0"), (lambda a: a.set_to_muscle(timeconst=[.02, .05], tausmooth=.1, force=9), "rope"),
            (lambda a: a.set_to_cylinder(timeconst=.2, bias=.1, area=.03), "j1"), (lambda a: a.set_to_position(kp=5, dampratio=1), "j0"))
    for k, (law, target) in enumerate(laws):
        one = spec.add_actuator(name=f"act{k}", target=target, ctrlrange=[0, 1 + k], gear=[1 + k, 0, 0, 0, 0, 0], group=k % 3)
        one.trntype = mj.mjtTrn.mjTRN_TENDON if target == "rope" else mj.mjtTrn.mjTRN_JOINT
        law(one)
        if target == "rope":
            one.lengthrange = [.5, 3]
        if k == 3:
            one.actrange = [-2, 2]
    site = spec.add_actuator(name="jet", target="s1", trntype=mj.mjtTrn.mjTRN_SITE, refsite="a", gear=[0, 0, 1, 0, 0, .5])
    site.set_to_motor()
    spec.add_actuator(name="stick", target="w0", trntype=mj.mjtTrn.mjTRN_BODY, ctrlrange=[0, 1]).set_to_adhesion(gain=3)
    return spec


def sensors(mj):
    """Sensors of joints, sites, frames, contacts and rays, with noise and cutoff; the user's values."""
    spec = chain(mj)
    kind, obj = mj.mjtSensor, mj.mjtObj
    spec.add_sensor(name="pos", type=kind.mjSENS_JOINTPOS, objtype=obj.mjOBJ_JOINT, objname="turn2", noise=.1)
    spec.add_sensor(name="acc", type=kind.mjSENS_ACCELEROMETER, objtype=obj.mjOBJ_SITE, objname="grip", cutoff=9)
    spec.add_sensor(type=kind.mjSENS_FRAMEQUAT, objtype=obj.mjOBJ_BODY, objname="end", reftype=obj.mjOBJ_SITE, refname="grip")
    spec.add_sensor(type=kind.mjSENS_SUBTREECOM, objtype=obj.mjOBJ_BODY, objname="part1")
    spec.add_sensor(type=kind.mjSENS_CONTACT, objtype=obj.mjOBJ_XBODY, objname="part0", intprm=[3, 1, 2])
    spec.add_sensor(type=kind.mjSENS_RANGEFINDER, objtype=obj.mjOBJ_SITE, objname="grip", intprm=[1, 0, 0])
    spec.add_sensor(type=kind.mjSENS_CLOCK)
    spec.add_sensor(name="mine", type=kind.mjSENS_USER, dim=3, needstage=mj.mjtStage.mjSTAGE_VEL, userdata=[4])
    spec.add_numeric(name="gains", data=[1, 2.5], size=4)
    spec.add_text(name="note", data="as it is")
    spec.add_tuple(name="group", objtype=[int(obj.mjOBJ_BODY), int(obj.mjOBJ_SITE)], objname=["end", "grip"], objprm=[1, 2])
    return spec


def constraints(mj):
    """Equalities of all kinds, pairs, exclusions, keyframes, mocap bodies."""
    spec = mj.MjSpec()
    for name in "abc":
        body = spec.worldbody.add_body(name=name, pos=["abc".index(name), 0, 1])
        body.add_joint(name=f"{name}x", type=mj.mjtJoint.mjJNT_SLIDE, axis=[1, 0, 0])
        body.add_joint(name=f"{name}r")
        body.add_geom(name=f"g{name}", size=[.2, 0, 0], contype=1, solref=[.01, 1.2])
    spec.worldbody.add_body(name="hand", mocap=True, pos=[0, 2, 0], quat=[.6, 0, .8, 0]).add_geom(size=[.1, .1, .1],
                                                                                               type=mj.mjtGeom.mjGEOM_BOX, contype=0, conaffinity=0)
    body_type, eq = mj.mjtObj.mjOBJ_BODY, mj.mjtEq
    spec.add_equality(name="pin", type=eq.mjEQ_CONNECT, objtype=body_type, name1="a", name2="b", data=[.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0], solref=[.05, 1])
    spec.add_equality(type=eq.mjEQ_WELD, objtype=body_type, name1="c", name2="hand", data=[0, 0, 0, .1, 0, 0, 1, 0, 0, 0, 2, 0], active=False)
    spec.add_equality(type=eq.mjEQ_JOINT, name1="ax", name2="bx", data=[.1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0])
    spec.add_pair(name="touch", geomname1="ga", geomname2="gc", friction=[.3, .3, .1, .1, .1], margin=.05, condim=4)
    spec.add_exclude(name="apart", bodyname1="b", bodyname2="c")
    spec.add_key(name="start", time=2, qpos=[.1, .2, .3, .4, .5, .6], qvel=[1, 0, 0, 0, 0, 0], mpos=[1, 2, 3], mquat=[0, 1, 0, 0])
    return spec


def shapes(mj):
    """Meshes, height fields, textures and materials."""
    spec = mj.MjSpec()
    mesh = spec.add_mesh(name="tetra", scale=[.5, 1, 2])
    mesh.uservert = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    mesh.userface = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
    spec.add_mesh(name="round").make_sphere(subdivision=1)
    spec.add_hfield(name="hills", nrow=3, ncol=4, size=[2, 1, .5, .1], userdata=np.arange(12.0) ** 1.5)
    spec.add_texture(name="check", type=mj.mjtTexture.mjTEXTURE_2D, builtin=mj.mjtBuiltin.mjBUILTIN_CHECKER, width=8, height=8, rgb1=[1, 0, 0], rgb2=[0, 0, 1])
    own = spec.add_texture(name="own", type=mj.mjtTexture.mjTEXTURE_2D, width=2, height=3, nchannel=3)
    own.data = bytes(range(18))
    material = spec.add_material(name="skin", specular=.1, shininess=.9, texrepeat=[2, 3], texuniform=True)
    material.textures[mj.mjtTextureRole.mjTEXROLE_RGB] = "check"
    spec.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_HFIELD, hfieldname="hills")
    body = spec.worldbody.add_body(pos=[0, 0, 2])
    body.add_freejoint(name="free")
    body.add_geom(type=mj.mjtGeom.mjGEOM_MESH, meshname="tetra", material="skin", pos=[0, 0, .3])
    body.add_geom(type=mj.mjtGeom.mjGEOM_MESH, meshname="round", pos=[.5, 0, 0])
    return spec


def read_and_changed(mj):
    """A text that is read, changed, and parts of which are deleted."""
    spec = mj.MjSpec.from_string(ROBOT)
    spec.body("link").pos = [0, .1, 0]
    spec.geom("rod").rgba[3] = .5
    spec.joint("turn").range = [-10, 10]
    link = spec.body("base").add_body(name="other", axisangle=[0, 0, 1, 30])
    link.add_joint(name="swing", type=mj.mjtJoint.mjJNT_BALL, range=[0, 60])
    link.add_geom(type=mj.mjtGeom.mjGEOM_ELLIPSOID, size=[.1, .2, .3])
    spec.delete(spec.actuator("pull"))
    spec.delete(spec.sensor("angle"))
    spec.delete(spec.key("bent"))
    return spec


SCENES = (two_robots, terrain, chain, tendons, actuators, sensors, constraints, shapes, read_and_changed)
