"""Support points: the farthest of all, whatever the climb begins with."""
import mujoco
import numpy as np
import pytest

from physics.engine.collide.convex import hull_start_vertices
from physics.engine.collide.convex.shapes import load_geom, load_prism
from physics.engine.collide.convex.support import local_support
from physics.model.data import Data
from tests.naive.collide import prisms_of
from tests.naive.convex import reach_of
from tests.physics.engine.collide import oracle_scene
from tests.physics.engine.collide.convex.scenes import two_geoms


@pytest.fixture(scope="module", autouse=True)
def kernels():
    oracle_scene.ready()


def test_every_cell_holds_its_own_middle():
    for k, n in enumerate(hull_start_vertices.cell_directions()):
        assert hull_start_vertices.cell_of(tuple(n)) == k
    assert hull_start_vertices.cell_of((0.0, 0.0, 0.0)) == 0 and 0 <= hull_start_vertices.cell_of((np.nan, 1.0, 0.0)) < hull_start_vertices.START_DIRECTIONS


def test_directions_along_diagonals_fall_into_cells_at_the_rim():
    """Of equal coordinates one over the other may be the number before 1."""
    r = np.random.default_rng(1)
    for h in r.uniform(0.01, 1, 300).tolist():
        for n in ((h, h, h), (-h, h, h), (h, h, -h), (0.0, -h, h), (h, np.nextafter(h, 0), -h)):
            side, cell = divmod(hull_start_vertices.cell_of(n), hull_start_vertices.CELLS * hull_start_vertices.CELLS)
            axis = int(np.argmax(np.abs(n)))
            assert side == 2 * axis + (n[axis] < 0)
            for place, x in zip(divmod(cell, hull_start_vertices.CELLS), (n[(axis + 1) % 3], n[(axis + 2) % 3])):
                assert place == (7 if x > 0 else 0 if x < 0 else 4), n


@pytest.mark.nojit
@pytest.mark.parametrize("first,second", [("mesh8", "mesh300"), ("capsule", "ellipsoid"), ("cylinder", "box")])
@pytest.mark.parametrize("seeded", [True, False])
def test_support_points_are_the_farthest(first, second, seeded):
    r = np.random.default_rng(2)
    mm = two_geoms(first, second, r)
    md = mujoco.MjData(mm)
    mujoco.mj_kinematics(mm, md)
    m = oracle_scene.model_like(mm)
    if not seeded:
        m.hull_start[:] = 0
    d = Data(m)
    oracle_scene.place(m, d, md)
    md.geom_xpos[:] = 0
    md.geom_xmat[:] = np.eye(3).ravel()
    for g in range(2):
        load_geom(m, d, g, g)
        for n in r.normal(size=(30, 3)) * r.choice([1e-6, 1.0, 1e6], (30, 1)):
            local_support(m, d, g, *map(float, n))
            farthest = reach_of(mm, md, g)(n[None])[0] - d.ccd_radius[g] * np.linalg.norm(n)
            assert d.ccd_support[g] @ n == pytest.approx(farthest, rel=1e-12)


@pytest.mark.nojit
def test_a_prism_names_its_first_farthest_corner():
    """To the bit, among corners of equal height too: the search for the nearest points follows it."""
    r = np.random.default_rng(3)
    mm = mujoco.MjModel.from_xml_string(f"""<mujoco><asset><hfield name="h" nrow="4" ncol="5" size="1 1 .2 .1" elevation="{' '.join(map(str, r.integers(0, 3, 20)))}"/></asset>
      <worldbody><geom type="hfield" hfield="h"/><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>""")
    m = oracle_scene.model_like(mm)
    d = Data(m)
    load_prism(m, d, 0)
    ties = 0
    for corners in prisms_of(m, 0):
        d.ccd_prism[:] = corners
        for n in np.vstack([np.eye(3), -np.eye(3), r.integers(-1, 2, (6, 3)), r.normal(size=(6, 3))]).astype(float):
            heights = corners[:, 0] * n[0] + corners[:, 1] * n[1] + corners[:, 2] * n[2]
            assert local_support(m, d, 0, *map(float, n)) == heights.argmax()
            assert np.array_equal(d.ccd_support[0], corners[heights.argmax()])
            ties += (heights == heights.max()).sum() > 1
    assert ties > 50
