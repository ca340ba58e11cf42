"""MJCF of mechanisms with two hands, for tests: arms on a shared waist, and arms that share nothing."""


def _arm(side: str, y: float) -> str:
    return f"""<body name="{side}_upper" pos="0 {y} .4"><joint name="{side}_yaw" axis="0 0 1" range="-1.8 1.8"/><joint name="{side}_pitch" axis="0 1 0" range="-1.8 1.8"/><joint name="{side}_roll" axis="1 0 0" range="-1.8 1.8"/>
        <geom type="capsule" fromto="0 0 0 .28 0 0" size=".03" mass=".5" contype="0" conaffinity="0"/>
        <body name="{side}_fore" pos=".28 0 0"><joint name="{side}_elbow" axis="0 1 0" range="-2.3 -.1" ref="-1"/><geom type="capsule" fromto="0 0 0 .25 0 0" size=".025" mass=".4" contype="0" conaffinity="0"/>
          <body name="{side}_hand" pos=".25 0 0"><joint name="{side}_wrist" axis="0 0 1" range="-1.2 1.2"/><geom type="capsule" fromto="0 0 0 .06 0 0" size=".02" mass=".1" contype="0" conaffinity="0"/>
            <site name="{side}_hand" pos=".08 0 0"/></body></body></body>"""


JOINTS = ("yaw", "pitch", "roll", "elbow", "wrist")


def _servos(names) -> str:
    return "".join(f'<position name="{name}" joint="{name}" kp="400" kv="40"/>' for name in names)


HEAD = '<mujoco><compiler angle="radian"/><option timestep=".002" gravity="0 0 0" integrator="implicitfast"/><default><joint armature=".02" damping=".5"/></default>'
# a waist that turns and bends, two arms of five joints on it, and a bar that both hands can be welded to
WAIST = HEAD + f"""<worldbody><body name="torso" pos="0 0 .9"><joint name="waist_yaw" axis="0 0 1" range="-1.2 1.2"/><joint name="waist_pitch" axis="0 1 0" range="-.4 1"/>
    <geom type="capsule" fromto="0 0 0 0 0 .4" size=".1" mass="6" contype="0" conaffinity="0"/>{_arm("left", .2)}{_arm("right", -.2)}</body></worldbody>
  <equality><weld name="held" body1="left_hand" body2="right_hand" active="false"/></equality>
  <actuator>{_servos(["waist_yaw", "waist_pitch", *(f"{side}_{joint}" for side in ("left", "right") for joint in JOINTS)])}</actuator></mujoco>"""
# the same arms on a wall
APART = HEAD + f"""<worldbody>{_arm("left", .2)}{_arm("right", -.2)}</worldbody><actuator>{_servos(f"{side}_{joint}" for side in ("left", "right") for joint in JOINTS)}</actuator></mujoco>"""


def names(side: str, waist: bool = True) -> tuple[str, ...]:
    """Joints of one arm, with those of the waist."""
    return (("waist_yaw", "waist_pitch") if waist else ()) + tuple(f"{side}_{joint}" for joint in JOINTS)
