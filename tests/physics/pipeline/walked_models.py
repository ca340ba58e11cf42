"""Models and states of them that steps are taken apart from."""
from functools import cache

import numpy as np

import physics
from assets.locate import bundled_model
from tests.oracle.corpus import REPOSITORY
from tests.physics.everything import EVERYTHING

BUNDLED = ("arm", "bouncing_balls", "boxes", "cartpole", "double_pendula", "heap", "humanoid", "mocap_paddle", "pendulum", "quadruped", "slope")
OURS = ("cable", "hand", "muscle_arm", "dominoes", "floats", "tail")
OPTIONS = ('integrator="RK4"', 'integrator="implicit"', 'integrator="implicitfast"', 'integrator="discrete"', 'solver="PGS"', 'solver="CG" cone="elliptic"', 'noslip_iterations="3"')
NAMES = (*BUNDLED, *OURS, "everything", *(f"everything {option}" for option in OPTIONS))


@cache
def model(name: str):
    """A model by its name; 'everything' may be followed by options."""
    if name.startswith("everything"):
        return physics.load_string(EVERYTHING.format(option=name.partition(" ")[2], flag='energy="enable" sleep="disable"'))
    return physics.load(bundled_model(f"{name}.xml") if name in BUNDLED else REPOSITORY / "tests" / "models" / f"{name}.xml")


def states(m, seed: int = 4):
    """The start, while it moves under controls, after jolts, with forces, and as it is shown while paused."""
    d, random = physics.Data(m), np.random.default_rng(seed)
    yield d.copy()
    for _jolt in range(3):
        for _ in range(40):
            if m.nu:
                d.ctrl[:] = random.uniform(-0.5, 0.5, m.nu)
            physics.step(m, d)
        d.qvel[:] += random.normal(0, 0.3, m.nv)
        d.xfrc_applied[-1, :3] = random.normal(0, 2, 3)
        if m.nmocap:
            d.mocap_pos[:] += 0.01
        yield d.copy()
    physics.forward(m, d)
    yield d.copy()
