"""Going on from our contacts takes away what the search for nearest points left, and nothing else."""
import numpy as np
import pytest

import physics
from tests.oracle import given, sensitivity, stages
from tests.oracle.compare import rel
from tests.oracle.corpus import entry
from tests.oracle.engines import OFFICIAL, OURS
from tests.oracle.report import opened, prepare
from tests.oracle.rollout import rollout


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def answers(name: str, number: int):
    """(official model, state, our answer, the official one) at a state of the report."""
    ours, official = opened(entry(name, exact=True))
    state = prepare(entry(name, exact=True), ours, official, number + 1)[number]
    theirs = stages.answer(OFFICIAL, official, state)
    return official, state, stages.answer(OURS, ours, state, theirs.qacc), theirs


def worst(one, two) -> dict[str, float]:
    """{stage: rel in multiples of its limit}."""
    found = dict.fromkeys(stages.STAGES, 0.0)
    for stage, _field, a, b in stages.pairs(one, two):
        found[stage] = max(found[stage], (np.inf if a is None else rel(a, b)) / stages.limit(stage))
    return found


@pytest.mark.parametrize("name, number", [("dmc_rodent", 7), ("shadow_hand", 2), ("derived_car_hfield", 5), ("treadmill", 14), ("booster_t1", 2)])
def test_with_our_contacts_nothing_is_left(name, number):
    official, state, mine, theirs = answers(name, number)
    engine = given.Given(mine.contact)
    before, after = worst(mine, theirs), worst(mine, stages.answer(engine, official, state, theirs.qacc))
    assert engine.fits and before["collision"] > 1 and before["inverse"] > 1 and before["qacc"] > 1
    del after["factor"]   # no matter of contacts
    assert max(after.values()) <= 1.0, after


def test_with_its_own_contacts_it_is_the_official_engine():
    official, state, _mine, theirs = answers("dmc_rodent", 7)
    again = worst(stages.answer(given.Given(theirs.contact), official, state, theirs.qacc), theirs)
    assert max(again.values()) <= 1e-6, again


def test_a_mistake_that_is_not_of_contacts_is_left(monkeypatch):
    original = OURS.forward

    def wrong(model, data):
        original(model, data)
        data.qfrc_bias[...] *= 1.0 + 1e-8

    monkeypatch.setattr(type(OURS), "forward", staticmethod(wrong))
    rows = sensitivity.findings(entry("dmc_rodent", exact=True), *opened(entry("dmc_rodent", exact=True)), 10)
    (row,) = [row for row in rows if row.stage == "bias"]
    assert row.verdict == "UNEXPLAINED" and row.given == pytest.approx(1e-8, rel=1e-3)
    assert {row.verdict for row in rows if row.stage == "collision"} == {"contacts"}


def test_other_contacts_are_not_given():
    official, state, mine, theirs = answers("dmc_rodent", 7)
    engine = given.Given({name: value[:0] for name, value in mine.contact.items()})
    assert max(worst(stages.answer(engine, official, state, theirs.qacc), theirs).values()) <= 1e-6 and not engine.fits


def test_a_rollout_stays_together_with_our_contacts():
    ours, official = opened(entry("wonik_allegro", exact=True))
    prepare(entry("wonik_allegro", exact=True), ours, official, 1)
    following = given.Following(ours)
    assert sensitivity.most(rollout(ours, official, entry("wonik_allegro", exact=True))) > 1e3
    assert sensitivity.most(rollout(ours, official, entry("wonik_allegro", exact=True), OURS, following)) < 1e-3 and not following.own
