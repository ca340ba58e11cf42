"""A seeded share of the fuzzer's cases, and models that Hypothesis makes up from the language's table."""
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import physics
from tests.long.fuzz import ASSETS, case, sources, text_of
from tests.long.generate import model_text

SHARE = 160


@pytest.mark.parametrize("first", range(0, SHARE, 20))
def test_damaged_models_are_models_or_are_refused(first):
    files = [path for path in sources() if path.parent.name == "models"]
    outcomes = [case(seed, files) for seed in range(first, first + 20)]
    assert [what for outcome, what in outcomes if outcome == "broken"] == []


def test_damaged_assets_are_read_or_refused():
    """Compiled readers have no bounds checks of their own: nothing may break, nor get through as a model without its asset."""
    physics.ensure_kernels()
    outcomes = [case(seed, []) for seed in range(0, 60 * ASSETS, ASSETS)]
    assert [what for outcome, what in outcomes if outcome == "broken"] == []
    assert {"model", "mended"} <= {outcome for outcome, _what in outcomes} <= {"model", "mended", "refused"}


def test_damage_reaches_both_ends():
    files = [path for path in sources() if path.parent.name == "models"]
    outcomes = {case(seed, files)[0] for seed in range(40)}
    assert outcomes >= {"model", "refused"}
    assert text_of(3, files) == text_of(3, files)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_made_up_models_are_models_or_are_refused(rng: random.Random):
    try:
        physics.load_string(model_text(rng))
    except physics.ModelError as error:
        assert error.issues and all(issue.what for issue in error.issues)
