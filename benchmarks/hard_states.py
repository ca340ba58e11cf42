"""Ten states whose contact forces are hard to find, recorded once in hard_states.json: `python -m benchmarks.hard_states` records them anew.

Heaps that lie on each other with all friction dimensions, steep cones, stiff and deep contacts, mass ratios of a thousand, limits against
friction, a cloth, people in a heap; every state has been kicked, so that no warm start tells the answer.
"""
import json
from functools import cache
from pathlib import Path

import mujoco
import numpy as np

from tests.physics.engine.constraint import official as o

FILE = Path(__file__).with_name("hard_states.json")
STATE = ("qpos", "qvel", "act", "ctrl", "qacc_warmstart")
STIFF = 'solref=".002 1" solimp=".99 .999 .0001" condim='
# name: (model, steps before the kick, its size, how deep all is pushed into the ground)
SOURCES = {
    "humanoid": ("mj_humanoid/humanoid.xml", 150, 1.0, 0.0),
    "humanoid pushed into the ground": ("mj_humanoid/humanoid.xml", 100, 0.1, 0.1),
    "22 humanoids": ("mj_humanoid/22_humanoids.xml", 60, 1.0, 0.0),
    "cloth": ("legacy_composite/expanded_cloth.xml", 220, 0.5, 0.0),
    "heap, pyramids": (o.pile(3, "pyramidal", count=12), 200, 1.0, 0.0),
    "heap, steep cones": (o.pile(3, "elliptic", 100.0, count=9), 150, 1.0, 0.0),
    "heap, rolling": (o.pile(6, "elliptic", 5.0, count=9), 150, 2.0, 0.0),
    "heap, stiff": (o.pile(4, "elliptic", count=9).replace("condim=", STIFF), 150, 1.0, 0.0),
    "heap, a heavy one on top": (o.pile(3, "elliptic", count=7).replace('friction="1.1 ', 'density="1000000" friction="1.1 '), 120, 0.5, 0.0),
    "limits against friction": (o.limits_and_friction("elliptic", 'impratio="10"'), 100, 3.0, 0.0),
}


@cache
def model(name: str) -> mujoco.MjModel:
    """The official model of a state; its options are to be put back after use."""
    source = SOURCES[name][0]
    return mujoco.MjModel.from_xml_string(source) if source.lstrip().startswith("<") else mujoco.MjModel.from_xml_path(o.corpus_path(source))


def record() -> None:
    """Meet all states again and write them down."""
    table = {}
    for k, (name, (_source, steps, kick, push)) in enumerate(SOURCES.items()):
        mjd = o.settled(model(name), steps, k, kick)
        mjd.qpos[2] -= push
        table[name] = {field: [float(x) for x in getattr(mjd, field)] for field in STATE}
    FILE.write_text(json.dumps(table) + "\n")


def states() -> dict[str, mujoco.MjData]:
    """All states in the official engine, computed."""
    found = {}
    for name, fields in json.loads(FILE.read_text()).items():
        mjd = mujoco.MjData(model(name))
        for field, values in fields.items():
            getattr(mjd, field)[:] = np.array(values)
        mujoco.mj_forward(model(name), mjd)
        found[name] = mjd
    return found


if __name__ == "__main__":
    record()
