"""A seeded share of random elements: what the official compiler refuses ours refuses, and every field of the rest agrees."""
import pytest

from tests.physics.compiler.compared import accepted
from tests.physics.compiler.random_elements import case, differs

SHARE = {"equality": 40, "contact": 40}


@pytest.mark.parametrize("section", SHARE)
def test_random_elements_are_the_official_ones(section):
    texts = [case(section, 10**6 + seed) for seed in range(SHARE[section])]
    assert sum(map(accepted, texts)) > SHARE[section] // 5
    assert {text: off for text in texts if (off := differs(text))} == {}
