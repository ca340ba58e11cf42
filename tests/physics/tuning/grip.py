"""A cup that springs hold between two pads: by friction alone, so that it falls where that is too low."""

CUP = 0.2       # kg
FORCE = 10.0    # N of each spring where the pads touch the cup
LEAST = 9.81 * CUP / (2.0 * FORCE)      # friction that holds it
GRIP = """<mujoco><option timestep="0.002" cone="elliptic"/><worldbody>
  <geom name="floor" type="plane" size="1 1 .1" friction=".01"/>
  <body name="left" pos="-.05 0 .3"><joint name="left" type="slide" axis="1 0 0" damping="5" stiffness="200" springref=".05"/>
    <geom name="left" type="box" size=".01 .03 .03" mass=".1" friction="{friction!r} .005 .0001"/></body>
  <body name="right" pos=".05 0 .3"><joint name="right" type="slide" axis="-1 0 0" damping="5" stiffness="200" springref=".05"/>
    <geom name="right" type="box" size=".01 .03 .03" mass=".1" friction="{friction!r} .005 .0001"/></body>
  <body name="cup" pos="0 0 .3"><freejoint name="cup"/><geom name="cup" type="box" size=".04 .03 .05" mass=".2" friction=".01"/></body>
</worldbody></mujoco>"""
HELD = 'body("cup").xpos[2] > 0.25'


def grip(friction: float = 1.0) -> str:
    """Its text."""
    return GRIP.format(friction=float(friction))
