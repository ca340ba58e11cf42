"""Episodes as the words in a run's inputs tell them."""
import pytest

from app.demonstrations.episodes import BROKEN, OPEN, Episode, EpisodeLog, episodes_of
from physics.recording.journal import JournalReader
from physics.runtime import commands as c
from tests.app.demonstrations.made import Made


@pytest.fixture
def made(tmp_path):
    return Made(tmp_path)


def told(made):
    """(first, last, outcome) of each episode."""
    return [(one.first, one.last, one.outcome) for one in episodes_of(made.sim.journal.ops)]


def test_start_and_outcome_with_task_notes_and_the_drawn_start(made):
    made.move(10)
    made.do(c.LoadKey(0))
    made.say("start", "push the cube", 7)
    first = made.sim.history.number
    made.move(40)
    made.say("note", "slow")
    made.say("success", "automatic: x")
    made.move(5)
    found = episodes_of(made.sim.journal.ops)
    assert [(one.number, one.first, one.last, one.steps, one.outcome, one.task, one.notes, one.drawn, one.how, one.whole) for one in found] == [
        (1, first, first + 40, 40, "success", "push the cube", ("slow",), 7, "automatic: x", True)]


def test_one_that_goes_on_is_open_and_keeps_the_task_of_before(made):
    made.episode(10, "failure", "stack")
    made.say("start")
    made.move(5)
    found = episodes_of(made.sim.journal.ops)
    assert [one.outcome for one in found] == ["failure", OPEN] and found[1].task == "stack" and found[1].steps == 5
    made.say("task", "push")
    assert episodes_of(made.sim.journal.ops)[1].task == "push" and episodes_of(made.sim.journal.ops)[0].task == "stack"


def test_a_reset_breaks_one_off_and_an_outcome_may_follow(made):
    made.episode(10, "")
    end = made.sim.history.number
    made.do(c.Reset())
    made.move(3)
    assert told(made)[0][1:] == (end, BROKEN)
    made.say("failure")
    assert told(made)[0][1:] == (end, "failure")


def test_undo_takes_back_the_last_mark_only(made):
    made.episode(10)
    made.say("undo")
    made.move(5)
    assert [one[2] for one in told(made)] == [OPEN] and told(made)[0][1] - told(made)[0][0] == 15
    made.say("discard")
    made.say("undo")
    made.say("failure")
    made.say("undo")
    made.say("undo")
    assert told(made) == []


def test_undo_after_a_reset_leaves_the_episode_as_long_as_it_was(made):
    made.episode(10)
    end = made.sim.history.number
    made.do(c.LoadKey(0))
    made.move(5)
    made.say("undo")
    assert told(made)[0][1:] == (end, BROKEN)
    made.say("discard")
    assert told(made)[0][1:] == (end, "discard")


def test_who_drives_is_told_by_step(made):
    made.say("driver", "policy")
    made.do(c.LoadKey(0))
    made.say("start")
    first = made.sim.history.number
    made.move(10)
    made.say("driver", "person")
    made.move(10)
    made.say("driver", "policy")
    made.move(10)
    made.say("success")
    (one,) = episodes_of(made.sim.journal.ops)
    assert one.drivers == ((first, "policy"), (first + 10, "person"), (first + 20, "policy"))
    assert [one.driver(first + k) for k in (0, 9, 10, 19, 20, 29)] == ["policy", "policy", "person", "person", "policy", "policy"]


def test_going_back_and_on_keeps_the_episode_and_drops_who_drove_what_is_gone(made):
    made.say("driver", "policy")
    made.do(c.LoadKey(0))
    made.say("start")
    first = made.sim.history.number
    made.move(30)
    made.do(c.ScrubTo(first + 20))
    made.say("driver", "person")
    made.move(15)
    made.say("success")
    (one,) = episodes_of(made.sim.journal.ops)
    assert (one.first, one.last, one.whole) == (first, first + 35, True) and one.drivers == ((first, "policy"), (first + 20, "person"))


def test_running_on_from_before_its_end_makes_an_ended_one_no_part_of_the_line(made):
    made.episode(30)
    first = episodes_of(made.sim.journal.ops)[0].first
    made.do(c.ScrubTo(first + 10))
    assert episodes_of(made.sim.journal.ops)[0].whole       # only looked at
    made.move(5)
    assert [(one.outcome, one.whole) for one in episodes_of(made.sim.journal.ops)] == [("success", False)]


def test_words_that_make_no_sense_change_nothing(made):
    made.say("success")
    made.say("undo")
    made.say("note", "nothing yet")
    made.say("nonsense")
    assert told(made) == []
    made.episode(5, "success")
    made.say("failure")         # another word in place of the one before
    assert [one[2] for one in told(made)] == ["failure"]


def test_a_log_that_reads_while_the_run_goes_on_comes_to_the_same(made):
    reader, log = JournalReader(made.sim.journal, 0), EpisodeLog()
    for turn in range(6):
        made.do(c.LoadKey(0))
        made.say("start")
        for _ in range(4):
            made.move(5)
            log.take(reader.read())
        made.say(("success", "failure", "discard", "undo", "stop", "success")[turn])
        log.take(reader.read())
    at_once = episodes_of(made.sim.journal.ops)
    assert [(one.first, one.last, one.outcome, one.drivers) for one in log.episodes] == [(one.first, one.last, one.outcome, one.drivers) for one in at_once]
    assert log.counts == {"success": 2, "failure": 1, "discard": 1, BROKEN: 1, OPEN: 0} and log.current is None


def test_another_document_begins_anew(made):
    import physics

    made.episode(5)
    made.do(c.SwapModel(physics.load_string(made.text), document=2))
    log = EpisodeLog()
    log.take(made.sim.journal.ops)
    assert log.episodes == ()


def test_the_parts_that_somebody_drove_are_episodes_that_break_off():
    episode = Episode(1, 10, 50, 0.0, outcome="success", drivers=((10, "policy"), (20, "person"), (25, "person"), (30, "policy"), (40, "person")))
    assert [(one.first, one.last, one.outcome, one.drivers) for one in episode.parts("person")] == [(20, 30, "broken off", ((20, "person"),)), (40, 50, "success", ((40, "person"),))]
    assert [(one.first, one.last) for one in episode.parts("policy")] == [(10, 20), (30, 40)] and episode.parts("script") == ()
