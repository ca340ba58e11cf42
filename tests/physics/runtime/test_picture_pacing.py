"""Slow motion locked to the pictures: n steps for each picture that was seen, no state between them published, the same motion as ever."""
import numpy as np
import pytest

import physics.runtime.commands as c
from physics.runtime.picture_pacing import MOST, WAIT, PicturePacing
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation
from tests.physics.runtime.models import do, model, simulation
from tests.physics.runtime.test_runner import wait_for


def test_the_next_steps_are_due_when_the_state_before_was_seen():
    pictures = PicturePacing()
    pictures.set_steps(3)
    assert pictures.due() == 3 and not pictures.between
    pictures.took(1)
    assert pictures.due() == 2 and pictures.between, "the other two are still to be taken"
    pictures.published(7)
    assert pictures.due() == 2, "what is published between two pictures is not what is waited for"
    pictures.took(2)
    assert pictures.due() == 0 and pictures.complete and not pictures.between
    pictures.seen(50)
    assert pictures.due() == 0, "it is not published yet"
    pictures.published(51)
    pictures.published(52)   # the same state again, as a slider was moved
    assert pictures.due() == 0
    pictures.seen(51)
    assert pictures.due() == 3


def test_a_later_picture_is_as_good():
    pictures = PicturePacing()
    pictures.set_steps(1)
    pictures.took(1)
    pictures.published(4)
    pictures.seen(6)
    assert pictures.due() == 1


@pytest.mark.parametrize("bad", [0, -1, MOST + 1])
def test_steps_out_of_range_are_refused(bad):
    sim = simulation()
    events = do(sim, c.SetStepsPerPicture(bad))
    assert [event.kind for event in events] == ["refused"] and str(MOST) in events[0].text and sim.pictures.steps is None


def test_a_speed_and_steps_for_each_picture_end_each_other():
    sim = simulation()
    do(sim, c.SetSpeed(0.5), c.SetStepsPerPicture(2))
    assert sim.pictures.steps == 2 and sim.pacing.speed == 0.5
    do(sim, c.SetStepsPerPicture(None))
    assert sim.pictures.steps is None and sim.pacing.speed == 0.5
    do(sim, c.SetStepsPerPicture(2), c.SetSpeed(None))
    assert sim.pictures.steps is None


def test_time_stands_still_until_the_picture_is_seen():
    sim = simulation()
    do(sim, c.SetStepsPerPicture(5), c.Run())
    while sim.advance() == 0.0:
        assert sim.between_pictures == (len(sim.history) < 6)
    assert len(sim.history) == 6 and sim.advance() == WAIT and len(sim.history) == 6
    sim.pictures.published(1)
    assert sim.advance() == WAIT
    sim.pictures.seen(1)
    while sim.advance() == 0.0:
        pass
    assert len(sim.history) == 11


def test_what_is_shown_belongs_to_the_very_state_and_the_motion_is_the_same():
    ours, plain = simulation(), simulation()
    for sim in (ours, plain):
        do(sim, c.SetCtrl(0, 0.7), c.SetCtrl(1, 0.4))
    do(ours, c.SetStepsPerPicture(2), c.Run())
    for number in range(1, 21):
        while ours.advance() == 0.0:
            pass
        ours.pictures.published(number)
        ours.pictures.seen(number)
        positions = ours.data.xpos.copy()
        ours.refresh()
        np.testing.assert_array_equal(positions, ours.data.xpos)
    plain.take(40)
    assert len(ours.history) == len(plain.history) == 41
    np.testing.assert_array_equal(ours.data.qpos, plain.data.qpos)
    np.testing.assert_array_equal(ours.data.qvel, plain.data.qvel)


def test_pausing_between_two_pictures_shows_where_it_is():
    sim = simulation()
    do(sim, c.SetStepsPerPicture(100), c.Run())
    sim.advance()
    assert sim.between_pictures
    do(sim, c.Pause())
    assert not sim.between_pictures
    do(sim, c.Run())
    assert sim.pictures.due() == 100, "the next picture is counted from here"


def test_every_state_is_published_once_it_was_asked_for():
    """The thread: pictures are seen one by one, each state of them is there."""
    runner = Runner(Simulation(history_bytes=1 << 22))
    runner.start()
    try:
        runner.send(c.SwapModel(model()))
        runner.send(c.SetStepsPerPicture(1))
        runner.send(c.Run())
        seen = []
        for index in range(1, 40):
            snapshot = wait_for(runner, lambda s, index=index: s.history_index == index)
            assert snapshot.steps_per_picture == 1 and snapshot.history_length == index + 1, "it did not run ahead"
            seen.append(snapshot.time)
            runner.picture_seen(snapshot.number)
        assert np.allclose(np.diff(seen), 0.002)
        runner.send(c.SetSpeed(1.0))
        wait_for(runner, lambda s: s.time > 0.2)
    finally:
        runner.stop()


def test_an_entry_is_shown_by_its_number():
    sim = simulation(history_bytes=1 << 15)
    while not sim.history.gone:
        sim.take(50)
    gone, newest = sim.history.gone, sim.history.number
    assert not do(sim, c.ScrubTo(gone + 3)) and sim.history.index == 3 and sim.data.time == sim.history.time(3)
    assert not do(sim, c.ScrubTo(newest)) and sim.history.at_end()
    for number in (gone - 1, newest + 1, -1):
        (event,) = do(sim, c.ScrubTo(number))
        assert event.kind == "refused" and "history" in event.text
    assert sim.history.at_end()


def test_what_running_on_has_dropped_is_told_by_its_number():
    sim = simulation()
    sim.take(20)
    do(sim, c.ScrubTo(8))
    sim.take(1)
    (event,) = [event for event in sim.events if event.kind == "cut"]
    assert event.details["number"] == 8 and event.details["steps"] == 12
