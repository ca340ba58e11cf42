"""A small study: a weight on a spring with a motor."""
import pytest

import physics
from app.studies.study_file import read

MODEL = """<mujoco><option timestep="0.01" gravity="0 0 0"/><worldbody><body name="cart"><joint name="slide" type="slide" axis="1 0 0" stiffness="20" damping="1"/>
<geom size=".1" mass="1"/></body></worldbody>
<actuator><motor name="push" joint="slide" ctrlrange="-2 2"/></actuator>
<keyframe><key name="off" qpos="0.3"/></keyframe></mujoco>"""

STUDY = """model = "cart.xml"
seconds = 0.5
seeds = 2

[start]
key = "off"
noise = {qvel = 0.1}

[vary]
"joint.slide.stiffness" = {from = 10, to = 40, steps = 3}
"joint.slide.damping" = [0.5, 2]
"opt.integrator" = 0

[goal]
minimise = "max(abs(qvel[0])) + 0.1 * last(qpos[0])"
"""


@pytest.fixture(scope="session", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.fixture
def made(tmp_path):
    """made(text) -> (study, model) of a study's text beside the cart."""
    (tmp_path / "cart.xml").write_text(MODEL)

    def of(text=STUDY):
        path = tmp_path / "study.toml"
        path.write_text(text)
        study = read(path)
        return study, physics.load(study.model)

    return of
