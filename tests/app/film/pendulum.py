"""A pendulum whose red bob tells the time of a picture, and reading films back."""
from pathlib import Path

import av
import numpy as np

LENGTH, HEIGHT_SEEN = 0.8, 2.4      # m; of the picture, by an orthographic camera along y
PENDULUM = f"""<mujoco><option timestep="0.002"/>
<visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>
<worldbody><camera name="side" pos="0 -3 0" xyaxes="1 0 0 0 0 1" projection="orthographic" fovy="{HEIGHT_SEEN}"/>
<body name="arm"><joint name="hinge" axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 0 0 -{LENGTH}" rgba="0 0 1 1" mass=".1"/>
<geom name="bob" pos="0 0 -{LENGTH}" size=".12" rgba="1 0 0 1" mass="1"/></body></worldbody>
<keyframe><key name="out" qpos="1"/></keyframe></mujoco>"""


def angle_seen(picture: np.ndarray) -> float:
    """Angle of the pendulum [rad] that a picture shows, 0 hanging, by the centre of what is red. NaN when nothing is."""
    rgb = picture[..., :3].astype(int)
    rows, columns = np.nonzero((rgb[..., 0] > 150) & (rgb[..., 1] < 90) & (rgb[..., 2] < 90))
    if not len(rows):
        return float("nan")
    height, width = picture.shape[:2]
    x, z = columns.mean() + 0.5 - width / 2, height / 2 - rows.mean() - 0.5
    return float(np.arctan2(-x, -z))    # a turn about +y moves the bob from -z to -x


def angles(times, start=1.0, timestep=0.002) -> np.ndarray:
    """Angles by our engine at the steps nearest to these times."""
    import physics

    physics.ensure_kernels()
    m = physics.load_string(PENDULUM)
    d = physics.Data(m)
    physics.reset(m, d, "out")
    out, done = [], 0
    for time in times:
        steps = round(time / timestep)
        physics.step(m, d, steps - done)
        done = steps
        out.append(float(d.qpos[0]))
    return np.array(out)


def decode(path: Path):
    """(pictures (n, height, width, 3), times of the frames [s], rate, duration [s]) of a film file."""
    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        frames = list(film.decode(video=0))
        duration = film.duration / 1e6
        return np.stack([f.to_ndarray(format="rgb24") for f in frames]), np.array([f.time for f in frames]), stream.average_rate, duration
