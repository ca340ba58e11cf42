"""What the contact panel asks between two steps changes nothing of the run."""
import numpy as np
import pytest

import physics
from app.panels.diagnostics.contact_answer import ContactQuestion, answer
from tests.oracle.corpus import corpus_file

HEAP = """<mujoco><option><flag sleep="enable"/></option><asset><hfield name="h" nrow="12" ncol="12" size="2 2 .2 .1" elevation="{heights}"/>
  <mesh name="wedge" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2 .1 .1 .2"/></asset><worldbody>
  <geom type="hfield" hfield="h"/><geom type="plane" size="9 9 1" pos="0 0 -.05"/>{bodies}</worldbody></mujoco>"""
SHAPES = ('type="box" size=".1 .08 .06"', 'type="mesh" mesh="wedge"', 'type="capsule" size=".05 .08"', 'type="cylinder" size=".07 .05"', 'size=".08"', 'type="ellipsoid" size=".1 .06 .07"')


def heap() -> str:
    bodies = "".join(f'<body pos="{0.15 * (k % 3):.2f} {0.13 * (k // 3 % 3):.2f} {0.4 + 0.12 * k:.2f}"><freejoint/><geom {SHAPES[k % len(SHAPES)]}/></body>' for k in range(14))
    return HEAP.format(heights=" ".join(str((3 * k) % 7) for k in range(144)), bodies=bodies)


@pytest.mark.parametrize("make", [lambda: physics.load_string(heap()), lambda: physics.load(corpus_file("mj_humanoid/humanoid.xml"))])
def test_a_run_that_is_asked_about_has_the_same_bits(make):
    physics.ensure_kernels()
    m, rng = make(), np.random.default_rng(5)
    asked, alone = physics.Data(m), physics.Data(m)
    touched = 0
    for _ in range(150):
        for d in (asked, alone):
            physics.step(m, d, 2)
        pairs = [tuple(map(int, rng.choice(m.ngeom, 2, replace=False)))] + [tuple(map(int, pair)) for pair in asked.contact_geom[:asked.ncon][:2]]
        for pair in pairs:
            found = answer(m, asked, ContactQuestion(pair))
            touched += found.state is not None
        assert asked.ncon == alone.ncon and asked.nefc == alone.nefc
        for name in ("qpos", "qvel", "qacc", "qacc_warmstart", "sensordata", "efc_force", "contact_dist", "efc_pos"):
            n = alone.ncon if name.startswith("contact") else alone.nefc if name.startswith("efc") else None
            assert np.array_equal(getattr(asked, name)[:n], getattr(alone, name)[:n]), name
    assert touched > 50
