"""Images of a Data, put into another one."""
import pickle

import numpy as np
import pytest

import physics
from assets.locate import bundled_model
from physics.fields.layout import LAYOUTS
from physics.model.data_image import ITERATIONS, OWN, ROWS, DataImage

BALLS = """<mujoco><option><flag energy="enable"/></option><worldbody><geom name="floor" type="plane" size="5 5 .1"/>{}</worldbody></mujoco>"""
BALL = '<body pos="{} 0 .09"><freejoint/><geom size=".1"/></body>'


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def moving(count=3):
    m = physics.load_string(BALLS.format("".join(BALL.format(0.15 * i) for i in range(count))))
    d = physics.Data(m)
    physics.step(m, d, 20)
    return m, d


def same(a, b):
    """All public fields, of contacts and rows those that there are."""
    layout, rows = LAYOUTS["d"], {name: count for count, names in ROWS.items() for name in names}
    for name in layout.public:
        if name in OWN or name in ("qLD", "qLDiagInv", "qLD_due"):
            continue
        x, y = getattr(a, name), getattr(b, name)
        if name in ITERATIONS:
            done = a.solver_niter
            x, y = (z[:max(1, np.count_nonzero(done)), :done.max() + 1] for z in (x, y))
        elif name in rows:
            n = getattr(a, rows[name])
            x, y = x[:n], y[:n]
        elif layout.arrays.get(name) is not None and layout.arrays[name].dims[0].startswith("max"):
            continue
        np.testing.assert_array_equal(x, y, err_msg=name)


def test_an_image_makes_another_data_look_the_same():
    m, d = moving()
    assert d.ncon > 2 and d.nefc > 8
    image, other = DataImage(d), physics.Data(m)
    image.take(d)
    pickle.loads(pickle.dumps(image)).put(other)
    same(d, other)
    assert len(other.contact) == d.ncon and other.contact[1].dist == d.contact[1].dist


def test_more_contacts_than_there_was_room_for():
    m, d = moving(40)
    other = physics.Data(m, maxcon=2, maxefc=4, maxJ=8)
    image = DataImage(d)
    image.take(d)
    image.put(other)
    assert other.maxcon >= d.ncon and other.maxefc >= d.nefc
    same(d, other)


def test_a_data_keeps_its_storage_callbacks_and_records():
    m, d = moving()
    other, called = physics.Data(m), []
    other.set_callback("cb_control", lambda m, d: called.append(1))
    before = other.cb_control, other.maxcon, other.record_cap
    image = DataImage(d)
    image.take(d)
    image.put(other)
    assert (other.cb_control, other.maxcon, other.record_cap) == before and before[0]
    physics.step(m, other)
    assert called


def test_steps_go_on_from_an_image_with_the_same_bits():
    m, d = moving()
    image, other = DataImage(d), physics.Data(m)
    image.take(d)
    physics.step(m, d, 50)
    image.put(other)
    physics.step(m, other, 50)
    np.testing.assert_array_equal(d.qpos, other.qpos)
    np.testing.assert_array_equal(d.qvel, other.qvel)


def test_an_image_of_another_model_is_refused():
    (_, d), (_, other) = moving(3), moving(4)
    image = DataImage(d)
    image.take(d)
    before = other.qpos.copy()
    with pytest.raises(ValueError, match="other sizes"):
        image.put(other)
    np.testing.assert_array_equal(other.qpos, before)


def test_masses_of_long_chains_are_known_from_an_image():
    """What ABA solves such trees by is scratch and stays behind: their factor is made of M."""
    chain = '<body pos=".1 0 0"><joint axis="0 1 0"/><geom size=".02"/>' * 60 + "</body>" * 60
    m = physics.load_string(f"<mujoco><worldbody>{chain}</worldbody></mujoco>")
    d, other = physics.Data(m), physics.Data(m)
    physics.step(m, d, 5)
    assert m.tree_aba.all() and d.aba_trees
    image = DataImage(d)
    image.take(d)
    image.put(other)
    forces = np.random.default_rng(1).normal(size=(2, m.nv))
    expected = np.linalg.solve(physics.full_m(m, d), forces.T).T
    np.testing.assert_allclose(physics.solve_m(m, other, forces), expected, rtol=1e-6)
    np.testing.assert_allclose(physics.solve_m(m, d, forces), expected, rtol=1e-6)
    physics.step(m, other)
    physics.step(m, d)
    np.testing.assert_array_equal(d.qvel, other.qvel)


def test_scratch_stays_behind():
    m = physics.load(bundled_model("humanoid.xml"))
    d = physics.Data(m)
    physics.step(m, d, 5)
    image = DataImage(d)
    image.take(d)
    assert image.nbytes < d.nbytes() / 2
