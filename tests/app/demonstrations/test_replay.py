"""Doing demonstrations again: every bit, or the first one that is otherwise."""
from dataclasses import replace

import numpy as np
import pytest

from app.demonstrations.replay import replay
from app.demonstrations.sources import Demonstrations, opened
from app.demonstrations.states import states_of
from physics.recording.errors import RecordingError
from physics.recording.track import Track, TrackPiece
from physics.runtime import commands as c
from tests.app.demonstrations.made import Made


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Three episodes, the second of which was gone through again from the middle, and one that was run over."""
    folder = tmp_path_factory.mktemp("replay")
    made = Made(folder)
    made.episode(60)
    made.do(c.LoadKey(0))
    made.say("start", "again")
    made.move(50)
    made.do(c.ScrubTo(made.sim.history.number - 20))
    made.say("driver", "policy")
    made.move(30)
    made.say("success")
    made.do(c.SetCtrl(0, 0.3))      # at the last entry, behind its end
    made.episode(40, "failure")
    made.episode(40, "discard")
    made.do(c.ScrubTo(made.sim.history.number - 10))
    made.move(20)
    return made.save(folder / "a.h5")


def test_all_episodes_come_out_the_same(path):
    with opened(path) as of:
        found = replay(of)
        assert [(one.episode.number, one.same, one.episode.outcome, one.episode.whole) for one in found] == [
            (1, True, "success", True), (2, True, "success", True), (3, True, "failure", True), (4, True, "discard", False)]
        assert [one.episode.number for one in replay(of, frozenset({3}))] == [3]


def test_states_of_one_that_was_run_over_are_had_by_doing_it_again(path):
    with opened(path) as of:
        states = states_of(of, of.episode(4))
        assert len(states.track) == 41
        line = of.recording.line.track
        shared = [line.at(states.episode.first + k - line.first) for k in range(30)]
        assert all(np.array_equal(piece.rows[row], states.at(states.episode.first + k)[0].rows[states.at(states.episode.first + k)[1]]) for k, (piece, row) in enumerate(shared))
        last = line.at(states.episode.last - line.first)
        assert not np.array_equal(last[0].rows[last[1]], states.at(states.episode.last)[0].rows[states.at(states.episode.last)[1]])


def test_the_first_difference_is_told_with_step_field_and_index(path):
    with opened(path) as of:
        episode, line = of.episode(3), of.recording.line
        pieces = []
        for piece in line.track.pieces:
            rows = np.array(piece.rows)
            k = episode.first + 12 - piece.number
            if 0 <= k < len(rows):
                place = 2 + piece.layout.parts["qpos"]
                rows[k, place + 1] = np.nextafter(rows[k, place + 1], 1.0)      # one bit of qvel[1]
            pieces.append(TrackPiece(piece.layout, rows, piece.number, piece.model))
        changed = replace(of.recording, branches=tuple(replace(one, track=Track(tuple(pieces))) if one.id == line.id else one for one in of.recording.branches))
        found = replay(Demonstrations(of.path, changed, of.prepared, of.episodes))
        assert [one.same for one in found][:3] == [True, True, False]
        difference = found[2].difference
        assert (difference.step, difference.field, difference.index) == (12, "qvel", 1) and "step 12" in str(difference) and "qvel[1]" in str(difference)


def test_one_without_its_first_inputs_says_so(path):
    with opened(path) as of, pytest.raises(RecordingError, match="first inputs"):
        replay(Demonstrations(of.path, replace(of.recording, inputs_gone=5), of.prepared, of.episodes))
