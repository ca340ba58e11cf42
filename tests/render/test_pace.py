"""How finely pictures are drawn while they change: soon coarse enough, seldom tried finer in vain, fine at rest."""
import dataclasses

import numpy as np
import pytest

from render import pace
from render.pace import LEVELS, REST, Pace, quality_at, scale_at
from render.quality import QUALITIES


class Machine:
    """Draws one picture after the other: a fine one takes `fine` seconds, a level as much of that as `shares` say; by its own clock."""

    def __init__(self, fine, shares=None, noise=0.0, seed=0):
        self.pace, self.now, self.fine = Pace(), 100.0, fine
        self.shares = shares or [level.cost for level in LEVELS]
        self.noise, self.rng = noise, np.random.default_rng(seed)
        self.levels = []

    def run(self, seconds):
        """Pictures for so long; the levels that motion was drawn at."""
        begin, end = len(self.levels), self.now + seconds
        while self.now < end:
            level = self.pace.ask(self.now)
            took = self.fine * self.shares[level] * (1 + self.noise * self.rng.random())
            self.now += took + 0.002
            self.pace.done(level, took, self.now)
            self.levels.append(level)
        return self.levels[begin:]


def changes(levels):
    return int(np.count_nonzero(np.diff(levels)))


@pytest.mark.parametrize('fine', [0.01, 0.03, 0.05, 0.08, 0.12, 0.3])
def test_a_motion_is_soon_as_smooth_as_it_can_be_and_stays_so(fine):
    machine = Machine(fine)
    machine.run(2.5)
    settled = machine.run(20)
    level = LEVELS[settled[-1]]
    assert changes(settled) == 0 and (fine * level.cost <= level.longest)
    if settled[-1]:
        finer = LEVELS[settled[-1] - 1]
        assert fine * finer.cost > pace.EASY * finer.longest      # no finer one would do with some ease


def test_noise_does_not_make_it_flicker():
    for fine in np.geomspace(0.02, 0.4, 12):
        machine = Machine(fine, noise=0.3)
        machine.run(5)
        assert changes(machine.run(60)) <= 6, fine


def test_a_finer_level_that_costs_more_than_expected_is_tried_ever_less():
    machine = Machine(0.045, shares=[1.0, 1.0, 1.0, 0.5, 0.43, 0.38, 0.25])      # the first ones save nothing here
    machine.run(3)
    first, later = changes(machine.run(20)), changes(machine.run(20))
    assert first > later > 0 and later <= 4


def test_it_becomes_finer_again_when_the_machine_is_free_again():
    machine = Machine(0.3)
    assert machine.run(4)[-1] >= 5
    machine.fine = 0.02
    assert machine.run(12)[-1] == 0


def test_what_follows_a_pause_is_fine_and_what_follows_at_once_is_not():
    machine = Machine(0.09)
    machine.run(5)
    level = machine.pace.level
    assert level and machine.pace.ask(machine.now) == level
    assert machine.pace.ask(machine.now + 1.1 * REST) == 0      # a single change
    assert not machine.pace.due(machine.now + 0.5 * REST) and machine.pace.due(machine.now + 1.1 * REST)
    machine.pace.done(0, 0.09, machine.now + 0.25)
    assert not machine.pace.due(machine.now + 10) and machine.pace.level == level
    machine.pace.given_up(machine.now + 5)
    assert machine.pace.ask(machine.now + 5.01) == level      # motion goes on in place of the fine picture


def test_a_motion_begins_coarsely_where_a_fine_picture_is_known_to_take_long():
    machine = Machine(0.3)
    machine.run(5)
    level, later = machine.pace.level, machine.now + 5
    assert level and machine.pace.due(later) and machine.pace.ask(later) == level
    machine.pace.done(0, 0.05, later)       # something large was hidden
    assert machine.pace.ask(later + 1) == 0
    machine.pace.done(0, 0.3, later + 2)
    assert machine.pace.ask(later + 3) == level


def test_pictures_that_are_asked_for_seldom_are_still_a_motion():
    machine = Machine(0.05)
    machine.run(5)
    machine.pace.interval = 0.2
    assert machine.pace.level and machine.pace.ask(machine.now + 0.2) == machine.pace.level and not machine.pace.due(machine.now + 0.2)
    assert machine.pace.ask(machine.now + 0.31) == 0 and machine.pace.due(machine.now + 0.31)


@pytest.mark.parametrize('fine', [0.02, 0.03, 0.04, 0.06, 0.12, 0.3])
def test_what_follows_a_hand_is_drawn_quickly_and_never_much_coarser(fine):
    machine = Machine(fine)
    machine.run(5)
    usual, quick = machine.pace.ask(machine.now), machine.pace.ask(machine.now, dragged=True)
    assert usual <= quick <= usual + pace.DRAG_LEVELS
    if fine * LEVELS[usual].cost <= pace.DRAG:
        assert quick == usual
    elif quick < min(usual + pace.DRAG_LEVELS, len(LEVELS) - 1):
        assert fine * LEVELS[quick].cost <= pace.DRAG < fine * LEVELS[quick - 1].cost
    for _ in range(20):         # a drag, which tells nothing of the level of other motion
        machine.pace.done(quick, fine * LEVELS[quick].cost, machine.now)
    assert machine.pace.level == usual == machine.pace.ask(machine.now)


def test_another_model_begins_anew():
    machine = Machine(0.2)
    machine.run(5)
    machine.pace.forget()
    assert machine.pace.level == 0 and machine.pace.ask(machine.now) == 0 and not machine.pace.due(machine.now + 1)


def test_levels_only_take_away():
    assert quality_at(QUALITIES['low'], 0) == QUALITIES['low'] and scale_at(0) == 1
    for name, quality in QUALITIES.items():
        before = quality
        for level in range(len(LEVELS)):
            now = quality_at(quality, level)
            assert now.coarser >= before.coarser and scale_at(level) <= 1
            for field in ('shadow_size', 'cascades', 'mirrors', 'occlusion', 'parts'):
                assert getattr(now, field) <= getattr(before, field), (name, level, field)
            same = {field.name for field in dataclasses.fields(quality)} - {'coarser', 'shadow_size', 'cascades', 'mirrors', 'occlusion', 'parts'}
            assert all(getattr(now, field) == getattr(quality, field) for field in same)
            before = now
    costs, longest = [level.cost for level in LEVELS], [level.longest for level in LEVELS]
    assert costs == sorted(costs, reverse=True) and longest == sorted(longest) and longest[-1] == np.inf
