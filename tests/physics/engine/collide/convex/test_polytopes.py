"""Shapes with corners: one contact as the official engine finds it when it may iterate to the end."""
import numpy as np
import pytest

from tests.physics.engine.collide import oracle_scene
from tests.physics.engine.collide.convex.scenes import both

ROUNDING = 1e-6  # distances nearer to zero have a direction of rounding noise


@pytest.fixture(scope="module", autouse=True)
def kernels():
    oracle_scene.ready()


@pytest.mark.parametrize("first,second", [
    ("box", "mesh8"), ("box", "mesh40"), ("mesh8", "mesh8"), ("mesh40", "mesh100"), ("sphere", "mesh20"), ("capsule", "mesh20"),
])
def test_distance_and_normal_are_the_official_ones(first, second):
    compared = 0
    for d, md, _mm in both(first, second, models=12, each=60, seed=3):
        assert d.ncon == md.ncon
        if md.ncon and abs(md.contact.dist[0]) > ROUNDING:
            compared += 1
            assert d.contact_dist[0] == pytest.approx(md.contact.dist[0], abs=1e-9)
            assert np.abs(d.contact_frame[0, :3] - md.contact.frame[0, :3]).max() < 1e-8
    assert compared > 300
