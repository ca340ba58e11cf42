"""An arm of seven joints with a servo each, of our own, and smaller things with one."""

LINKS = (("base_yaw", "0 0 1", ".09", 3.0, .16), ("shoulder", "0 1 0", ".07", 2.6, .2), ("upper_roll", "0 0 1", ".06", 1.9, .2), ("elbow", "0 1 0", ".055", 1.6, .18),
         ("fore_roll", "0 0 1", ".05", 1.1, .17), ("wrist", "0 1 0", ".045", .8, .1), ("tool_roll", "0 0 1", ".04", .5, .06))


def arm7(extra: str = "", fixed: str = "") -> str:
    """The text. extra: attributes of the last servo; fixed: attributes of <option>."""
    bodies = "".join(f'\n<body name="{name}" pos="0 0 {LINKS[k - 1][4] if k else .1}"><joint name="{name}" axis="{axis}" range="-2.6 2.6" armature="{.3 / (k + 1):.3f}" damping="{.8 / (k + 1):.2f}"/>'
                     f'<geom type="capsule" size="{size}" fromto="0 0 0 {.03 if k % 2 else 0} 0 {long}" mass="{mass}"/>' for k, (name, axis, size, mass, long) in enumerate(LINKS))
    servos = "".join(f'\n    <position name="{name}" joint="{name}" class="servo"{" " + extra if k == 6 and extra else ""}/>' for k, (name, *_rest) in enumerate(LINKS))
    return f"""<mujoco model="seven">
  <compiler angle="radian"/>
  <option timestep="0.001" integrator="implicitfast" {fixed}/>
  <default>
    <geom contype="0" conaffinity="0"/>
    <default class="servo"><position kp="80" kv="2" ctrlrange="-2.6 2.6"/></default>
  </default>
  <worldbody>
    <light pos="0 0 3"/>{bodies}{"</body>" * 7}
  </worldbody>
  <!-- one servo a joint -->
  <actuator>{servos}
  </actuator>
  <keyframe><key name="bent" qpos=".3 .5 -.4 -1.1 .5 .9 .2" ctrl=".3 .5 -.4 -1.1 .5 .9 .2"/></keyframe>
</mujoco>
"""


TWO = """<mujoco model="two">
  <compiler angle="radian"/>
  <default>
    <default class="strong"><position kp="60" kv="3" forcerange="-40 40"/></default>
  </default>
  <worldbody>
    <light pos="0 0 3"/>
    <body name="upper"><joint name="upper" axis="0 1 0" armature=".02" damping=".3"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0" mass="1.2"/>
      <body name="lower" pos=".3 0 0"><joint name="lower" axis="0 1 0" range="-1 1" damping=".1"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 0" mass=".6"/></body>
    </body>
    <body name="cart" pos="0 1 0"><joint name="rail" type="slide" axis="1 0 0"/><geom size=".1" mass="2"/></body>
    <body name="limb" pos="0 -1 0"><joint name="bend" axis="0 1 0" damping=".1"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0" mass="1"/></body>
  </worldbody>
  <actuator>
    <position name="upper" joint="upper" class="strong"/>
    <position name="lower" joint="lower" class="strong" kp="25"/>
    <position name="ratio" joint="rail" kp="300" dampratio=".4"/>
    <motor name="push" joint="rail"/>
    <muscle name="biceps" joint="bend" lengthrange="-1 1" force="12"/>
    <general name="raw" joint="bend" gainprm="30" biastype="affine" biasprm="0 -30 -1"/>
  </actuator>
</mujoco>
"""
