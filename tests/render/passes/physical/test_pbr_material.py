"""What materials become in the physically based look."""
import numpy as np
import pytest

from render.passes.physical.pbr_material import DECOR, DULLEST_METAL, pbr_rows


def one(specular=0.5, shininess=0.5, metallic=-1.0, roughness=-1.0, decor=False):
    return pbr_rows([specular], [shininess], [metallic], [roughness], np.array([decor]))[0]


def test_defaults_are_plastic():
    reflectance, roughness = one()
    assert reflectance == pytest.approx(0.04) and roughness == pytest.approx((2 / 66) ** 0.25)


def test_shinier_is_smoother_and_without_specular_nothing_is_reflected():
    rough = [one(shininess=s)[1] for s in np.linspace(0, 1, 9)]
    assert rough[0] == 1 and all(a > b for a, b in zip(rough, rough[1:]))
    assert one(specular=0)[0] == 0


def test_what_is_given_wins_and_metals_are_distinguished_from_the_rest():
    assert one(metallic=1, roughness=0.2) == pytest.approx((1, 0.2))
    assert one(metallic=0, specular=1)[0] == pytest.approx(DULLEST_METAL)
    assert (one(metallic=0.25)[0] - DULLEST_METAL) / (1 - DULLEST_METAL) == pytest.approx(0.25)
    assert one(decor=True)[1] == DECOR
