"""Trim, cut, merge: recordings of parts of recordings, with the parts' bits."""
import numpy as np
import pytest

from app.demonstrations.editing import Part, composed, split, trimmed, without
from app.demonstrations.replay import replay
from app.demonstrations.sources import opened
from app.demonstrations.states import states_of
from physics.recording import file
from physics.recording.errors import RecordingError
from physics.runtime import commands as c
from tests.app.demonstrations.made import TEXT, Made


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    """Two recordings: one with a part gone through twice, settings, an edit of a value; one of another model."""
    folder = tmp_path_factory.mktemp("editing")
    made = Made(folder)
    made.move(20)
    made.do(c.SetOption("gravity", -5.0, 2), c.SetNoise(0.0, 0.1, 3))
    made.episode(80)
    made.do(c.LoadKey(0))
    made.say("start", "second")
    made.say("note", "twice")
    made.move(60)
    made.do(c.ScrubTo(made.sim.history.number - 30), c.SetForce(3, (0.0, 0.0, 0.5, 0.0, 0.0, 0.0)))
    made.say("driver", "person")
    made.say("driver", "policy")
    made.move(50)
    made.say("failure", "dropped")
    made.do(c.SetOption("gravity", -9.81, 2))
    made.episode(30, "discard")
    made.episode(30)
    other = Made(folder, 1, TEXT.replace('model="pusher"', 'model="other"').replace('mass=".2"', 'mass=".3"'))
    other.episode(40)
    return made.save(folder / "a.h5"), other.save(folder / "b.h5"), folder


def saved(parts, path):
    with composed(parts, "new.xml") as recording:
        file.save(recording, path)
    return path


def rows(of, episode, first=0, last=None):
    """States of an episode without the count of noise, as bytes; all but the newest, which has what was set behind it."""
    states = states_of(of, episode)
    found = np.concatenate([np.array(piece.rows) for piece in states.track.pieces])[first:last]
    found[:, 1] = 0
    return found[:-1].tobytes()


def test_a_trimmed_episode_has_the_same_states_and_does_again(paths):
    with opened(paths[0]) as of:
        path = saved(trimmed(of, 2, 0.1, 0.35), paths[2] / "trimmed.h5")
        with opened(path) as new:
            assert [(one.steps, one.outcome, one.task, one.notes, one.how) for one in new.episodes] == [
                (80, "success", "push the cube", (), ""), (50, "failure", "second", ("twice",), "dropped"), (30, "success", "push the cube", (), "")]
            assert rows(new, new.episode(2)) == rows(of, of.episode(2), 20, 71) and rows(new, new.episode(1)) == rows(of, of.episode(1))
            assert [one.same for one in replay(new)] == [True, True, True]
            assert [who for _entry, who in new.episode(2).drivers] == ["person", "policy"]
            assert new.prepared.model.opt_gravity[2] == -9.81 and new.recording.about["name"] == "new.xml"


def test_an_episode_is_cut_in_two_and_others_are_taken_out(paths):
    with opened(paths[0]) as of:
        with opened(saved(split(of, 1, 0.2), paths[2] / "split.h5")) as new:
            assert [one.steps for one in new.episodes] == [40, 40, 80, 30]
            assert rows(new, new.episode(2)) == rows(of, of.episode(1), 40) and all(one.same for one in replay(new))
        with opened(saved(without(of, (1, 2)), paths[2] / "cut.h5")) as new:
            assert [one.steps for one in new.episodes] == [30] and all(one.same for one in replay(new)) and len(new.recording.models) == 1
        with pytest.raises(RecordingError, match="no episode 9"):
            without(of, (9,))
        with pytest.raises(RecordingError, match="nothing of it lies between"):
            trimmed(of, 1, 0.3, 0.3)
        with pytest.raises(RecordingError, match="no episode is left"), composed(without(of, (1, 2, 3, 4))):
            pass


def test_recordings_of_two_models_are_merged_in_any_order(paths):
    with opened(paths[0]) as a, opened(paths[1]) as b:
        parts = [*without(b, ()), Part.whole(a, a.episode(4)), Part.whole(a, a.episode(1))]
        with opened(saved(parts, paths[2] / "merged.h5")) as new:
            assert [one.steps for one in new.episodes] == [40, 30, 80] and all(one.same for one in replay(new))
            assert rows(new, new.episode(1)) == rows(b, b.episode(1)) and rows(new, new.episode(3)) == rows(a, a.episode(1))
            texts = [model.texts for model in new.recording.models]
            assert len(texts) == 3 and all(list(one) == ["/x/pusher.xml"] for one in texts) and 'model="other"' in next(iter(texts[0].values()))


def test_one_that_begins_in_the_middle_of_a_pull_is_refused(tmp_path):
    made = Made(tmp_path)
    made.do(c.LoadKey(0))
    made.say("start")
    made.do(c.PerturbStart(3), c.PerturbMove((0.4, 0.3, 0.2)))
    made.move(40)
    made.say("success")
    with opened(made.save(tmp_path / "a.h5")) as of:
        with pytest.raises(RecordingError, match="episode 1: a body is being pulled"), composed(trimmed(of, 1, 0.1, 1.0)):
            pass
        with composed(without(of, ())) as recording:        # one that begins before it is whole
            assert len(recording.line.track) == 42      # the start, the state that is set, and 40 steps
