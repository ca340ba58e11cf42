"""A seeded share of random elements: what the official compiler refuses ours refuses, and every field and name of the rest agrees."""
import pytest

from tests.physics.compiler.compared import accepted
from tests.physics.compiler.random_elements import case, differs

SHARE = {"equality": 40, "contact": 40, "actuator": 80, "classes": 60, "sensor": 40, "custom": 30, "keyframe": 30, "option": 40, "size": 30,
         "statistic": 20, "visual": 30}


@pytest.mark.parametrize("section", SHARE)
def test_random_elements_are_the_official_ones(section):
    texts = [case(section, 10**6 + seed) for seed in range(SHARE[section])]
    assert sum(map(accepted, texts)) > len(texts) // 10
    assert {text: off for text in texts if (off := differs(text))} == {}
