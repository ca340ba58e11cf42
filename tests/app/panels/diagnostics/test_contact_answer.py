"""What the contact panel asks between two steps changes nothing of the run."""
import numpy as np
import pytest

import physics
from app.panels.diagnostics import constraint_answer
from app.panels.diagnostics.contact_answer import ContactQuestion, answer
from physics.model.elements import element
from physics.model.islands import islands_of
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


def test_of_tens_of_thousands_of_rows_those_of_one_element_are_told():
    """Rows, masses and islands of a joint and of two geoms, as all rows together have them; the list is of elements, and counts contacts."""
    boxes = "".join(f'<body pos="{0.3 * (k % 40)} {0.3 * (k // 40)} .095"><freejoint/><geom type="box" size=".1 .1 .1"/></body>' for k in range(1400))
    m = physics.load_string(f"""<mujoco><worldbody><geom type="plane" size="99 99 1"/>{boxes}
        <body pos="0 -2 3"><joint name="j" axis="0 1 0" frictionloss=".1" limited="true" range="10 20"/><geom size=".1" pos=".3 0 0"/></body></worldbody></mujoco>""")
    d = physics.Data(m)
    physics.ensure_kernels()
    physics.forward(m, d)
    assert d.nefc > 20_000
    islands = islands_of(m, d).efc_island
    joint = constraint_answer.answer(m, d, element(m, "joint", m.id("joint", "j")))
    assert [row.part for row in joint.rows] == ["friction loss, rotation", "lower limit"] and all(mass.shape == (1, 1) and mass[0, 0] > 0 for mass in joint.masses)
    pair = answer(m, d, ContactQuestion((0, 700)))
    assert len(pair.points) == 4 and pair.state.island == pair.rows[0].island
    assert [row.island for row in (*joint.rows, *pair.rows)] == [islands[row.row] for row in (*joint.rows, *pair.rows)]
    listed = constraint_answer.answer(m, d, None)
    assert {(row.what, row.count) for row in listed.listed} == {("friction dof", 1), ("limit joint", 1)} and listed.contacts == d.ncon and not listed.more
