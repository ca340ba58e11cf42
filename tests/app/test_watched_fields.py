"""Several panels that watch fields of the data at once."""
import pytest

from app.watched_fields import WatchedFields
from physics.runtime import commands


def test_the_union_of_what_all_owners_watch_is_asked_for_once():
    sent = []
    watched = WatchedFields(sent.append)
    watched.watch("a", ["M", "qLD", "M"])
    watched.watch("b", ("qLD",))
    assert sent == [commands.Watch(("M", "qLD"))]     # the second adds nothing new
    watched.watch("b", ("nefc", "qLD"))
    assert sent[-1] == commands.Watch(("M", "qLD", "nefc")) and watched.of("b") == ("nefc", "qLD")
    watched.watch("a", ())
    assert sent[-1] == commands.Watch(("nefc", "qLD")) and watched.of("a") == ()
    watched.watch("a", ())
    assert len(sent) == 3


def test_a_field_that_the_data_has_not_is_refused_and_changes_nothing():
    sent = []
    watched = WatchedFields(sent.append)
    watched.watch("a", ("M",))
    with pytest.raises(KeyError):
        watched.watch("a", ("M", "MM"))
    assert watched.all == ("M",) and len(sent) == 1
