"""Tracks: entries of several pieces by index and by time."""
from types import SimpleNamespace

import numpy as np
import pytest

from physics.recording.track import Track, TrackPiece

LAYOUT = SimpleNamespace(parts={"qpos": 2, "qvel": 1})


def piece(times, number):
    rows = np.zeros((len(times), 5))
    rows[:, 0], rows[:, 2], rows[:, 3], rows[:, 4] = times, 10 + np.arange(len(times)), 20, 30
    return TrackPiece(LAYOUT, rows, number)


def test_entries_by_index_and_by_time():
    track = Track((piece([0.0, 0.1, 0.2], 5), piece([0.0, 0.5], 8)))
    assert len(track) == 5 and track.first == 5
    assert track.at(1)[1] == 1 and track.at(3)[0] is track.pieces[1]
    with pytest.raises(IndexError):
        track.at(5)
    assert track.nearest(0.15) == (track.pieces[1], 0) and track.nearest(0.6) == (track.pieces[1], 1)
    assert Track((track.pieces[0],)).nearest(0.15) == (track.pieces[0], 1) and Track().nearest(1.0) is None
    assert Track((track.pieces[0],)).nearest(-1.0) == (track.pieces[0], 0)


def test_columns_are_those_of_the_layout():
    one = piece([0.0, 0.1], 0)
    assert one.columns("qpos")[:, 0].tolist() == [10, 11] and one.columns("qvel").shape == (2, 1)
    with pytest.raises(KeyError):
        one.columns("act")
