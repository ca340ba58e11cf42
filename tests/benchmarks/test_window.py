"""The models that benchmarks.window opens are what they are said to be."""
import physics
from benchmarks.many_geoms import COLLIDING, EVERY, many_geoms


def test_so_many_geoms_meshes_and_bodies_some_of_which_move():
    m = physics.load_string(many_geoms(geoms=330, bodies=16, meshes=7))
    assert (m.ngeom, m.nbody, m.nmesh, m.nmat) == (331, 17, 7, 8)
    assert m.njnt == 16 // EVERY and m.nv == 2 + 2 * 6
    assert set(m.geom_dataid) == {-1, *range(7)} and (m.geom_contype[1:] != 0).sum() == 16 * COLLIDING
    assert not m.view_only and many_geoms(geoms=50, bodies=4) == many_geoms(geoms=50, bodies=4)
