"""The region of the timeline without a window."""
from app.timeline.bookmarks import HistoryPlace
from app.timeline.region import Region, TimelineRegion
from physics.runtime.history.branches import BranchInfo


def test_it_lies_between_two_entries_whichever_is_set_first():
    region, told = TimelineRegion(), []
    region.changed.append(lambda: told.append(region.region))
    region.mark(HistoryPlace(0, 100), 40, 10.4)
    region.take(Region(10, 40))
    region.clear()
    assert told == [Region(10, 40), None], "one that is the same is not told"


def test_beginning_and_end_are_set_apart():
    state, region = HistoryPlace(0, 100, 30), TimelineRegion()
    region.begin(state, 30)
    assert region.region == Region(30, 99), "to the newest where nothing is said"
    region.end(state, 60)
    assert region.region == Region(30, 60)
    region.begin(state, 20)
    assert region.region == Region(20, 60)
    region.begin(state, 80)
    assert region.region == Region(80, 99)
    region.end(state, 50)
    assert region.region == Region(0, 50), "from the oldest where it would end before it begins"


def test_it_can_begin_at_the_newest_entry_and_end_later():
    region = TimelineRegion()
    region.begin(HistoryPlace(0, 1, 0), 0)
    region.follow(HistoryPlace(0, 1, 0))
    assert region.region == Region(0, 0) and region.within(HistoryPlace(0, 100, 99)) is None
    region.end(HistoryPlace(0, 100, 99), 99)
    assert region.within(HistoryPlace(0, 100, 99)) == (0, 99)


def test_it_goes_with_the_entries_that_are_dropped():
    region = TimelineRegion()
    region.take(Region(10, 40))
    assert region.within(HistoryPlace(0, 30, 5)) == (10, 29) and region.within(HistoryPlace(25, 100, 5)) == (0, 15)
    region.follow(HistoryPlace(40, 100, 5))
    assert region.region is not None and region.within(HistoryPlace(40, 100, 5)) is None, "one entry is left"
    region.follow(HistoryPlace(41, 100, 5))
    assert region.region is None


def test_it_belongs_to_a_branch():
    region = TimelineRegion()
    region.take(Region(10, 40, 2))
    assert region.within(HistoryPlace(0, 100, 0)) is None and region.within(HistoryPlace(0, 100, 0, 2)) == (10, 40)
    region.follow(HistoryPlace(90, 100, 0))
    assert region.region is not None
    region.begin(HistoryPlace(0, 100, 0), 5)
    assert region.region == Region(5, 99)


def test_a_branch_that_goes_on_from_another_shows_what_they_share():
    region, later = TimelineRegion(), HistoryPlace(0, 100, 0, 3, (BranchInfo(1, 0, 50, 50, 0, 1, "start", "start"), BranchInfo(3, 0, 50, 49, 0, 1, "run", "x", True)))
    region.take(Region(10, 40, 1))
    assert region.shown(later) and region.within(later) == (10, 40)
    region.mark(later, 60, 200)
    assert region.region == Region(60, 99, 3) and not region.shown(HistoryPlace(0, 100, 0))
