"""Bookmarks and the region of the timeline: what their actions do, and the small pictures of bookmarks."""
from typing import Protocol

from PyQt6.QtCore import QObject, QSize, QTimer, pyqtSignal
from PyQt6.QtGui import QImage

from app.context import AppContext
from app.controllers.simulation import SimulationController
from app.thumbnails import png_of, reduced
from app.timeline.bookmarks import Bookmark, branch_of, branch_with, time_name, why_gone
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot

THUMBNAIL = QSize(160, 100)     # device pixels


class SeenPicture(Protocol):
    """A picture of the view (app.viewport.picture.Picture)."""

    snapshot: Snapshot | None


class View(Protocol):
    """The 3D view (app.viewport.view.Viewport)."""

    picture: SeenPicture | None

    def image(self) -> QImage: ...


class TimelineController(QObject):
    """Handlers of the timeline's actions. Signal: fit_wanted() when the axis is to show all of the history."""

    fit_wanted = pyqtSignal()

    def __init__(self, context: AppContext, simulation: SimulationController, view: View):
        super().__init__()
        self._context, self._simulation, self._view = context, simulation, view
        self.bookmarks, self.region = context.bookmarks, context.region
        self._bare: frozenset[tuple[int, int]] = frozenset()    # places of bookmarks that have no picture yet
        self._late = QTimer(self)       # a picture of the view is not taken while it is painted
        self._late.setSingleShot(True)
        self._late.timeout.connect(self._take_missing)
        self.bookmarks.changed.append(self._bookmarks_changed)
        context.model_changed.connect(self._model_changed)
        context.snapshot_ready.connect(self.region.follow)

    def _model_changed(self, _model) -> None:
        if self._context.newly_opened:      # another history
            self.bookmarks.replace_all(())
            self.region.clear()

    def close(self) -> None:
        """The window goes."""
        self._late.stop()
        self._simulation.playback.stop()

    def picture_seen(self, picture: SeenPicture) -> None:
        """A picture is on the screen for the first time: what waits for it goes on."""
        snapshot = picture.snapshot
        if snapshot is None:
            return
        self._context.runner.picture_seen(snapshot.number)
        self._simulation.playback.picture_seen(entry_of(snapshot)[1])
        if entry_of(snapshot) in self._bare:
            self._late.start(0)

    # ------------------------------------------------------------------ moments

    def go_to_oldest(self) -> None:
        """The beginning of the history."""
        self._simulation.scrub(0)

    def go_to_newest(self) -> None:
        """The end of the history."""
        self._simulation.scrub(-1)

    def fit(self) -> None:
        """Have the axis show all of the history."""
        self.fit_wanted.emit()

    # ------------------------------------------------------------------ bookmarks

    def add_bookmark(self) -> Bookmark | None:
        """Mark the present moment; None where there is none. While time passes that is the one that is seen."""
        snapshot = self._context.snapshot
        if snapshot is None:
            return None
        image = self._view.image()      # before looking which moment it shows: where a graphics card draws into the window it is drawn for this
        seen = self._seen(snapshot)
        snapshot = seen if seen is not None and snapshot.running else snapshot
        branch, number = entry_of(snapshot)
        png = small_png(image) if seen is not None and entry_of(seen) == (branch, number) else b""
        try:
            made = self.bookmarks.add(Bookmark(number, float(snapshot.time), time_name(snapshot.time), branch, png))
        except ValueError as why:
            self._context.log("warning", f"No bookmark: {why}")
            return None
        self._context.log("info", f"Bookmark at {snapshot.time:.3f} s")
        return made

    def _seen(self, snapshot: Snapshot) -> Snapshot | None:
        """What the picture of the view shows, where that is of the same model."""
        picture = self._view.picture
        return picture.snapshot if picture is not None and picture.snapshot is not None and picture.snapshot.generation == snapshot.generation else None

    def _bookmarks_changed(self) -> None:
        self._bare = frozenset(mark.place for mark in self.bookmarks.all if not mark.thumbnail)

    def _take_missing(self) -> None:
        """The picture that is seen belongs to a bookmark that was set before it was there."""
        snapshot = self._context.snapshot
        image = self._view.image()
        seen = None if snapshot is None else self._seen(snapshot)
        branch, number = (0, -1) if seen is None else entry_of(seen)
        mark = self.bookmarks.at(number, branch)
        if mark is not None and not mark.thumbnail:
            self.bookmarks.set_thumbnail(mark, small_png(image))

    def go_to(self, bookmark: Bookmark) -> bool:
        """Pause at a bookmark; False, and a line in the log, where its entry is gone."""
        snapshot = self._context.snapshot
        why = "There is no model" if snapshot is None else why_gone(snapshot, bookmark)
        if why:
            self._context.log("warning", f"{bookmark.name}: {why[0].lower()}{why[1:]}")
            return False
        branch = branch_with(snapshot, bookmark.branch, bookmark.number)
        if branch != branch_of(snapshot):
            self._context.runner.send(commands.SwitchBranch(branch))
        self._simulation.scrub_to(bookmark.number)
        return True

    def go_to_bookmark_beside(self, direction: int) -> None:
        """The next bookmark (1) or the one before (-1)."""
        snapshot = self._context.snapshot
        found = None if snapshot is None else self.bookmarks.beside(snapshot, direction)
        if found is not None:
            self.go_to(found)
        else:
            self._context.log("info", f"There is no {'later' if direction > 0 else 'earlier'} bookmark")

    # ------------------------------------------------------------------ the region

    def begin_region(self, number: int | None = None) -> None:
        """The region begins at this entry, None: at the present one."""
        self._set_edge(self.region.begin, number)

    def end_region(self, number: int | None = None) -> None:
        """The region ends at this entry, None: at the present one."""
        self._set_edge(self.region.end, number)

    def _set_edge(self, set_edge, number: int | None) -> None:
        snapshot = self._context.snapshot
        if snapshot is not None:
            set_edge(snapshot, entry_of(snapshot)[1] if number is None else number)

    def clear_region(self) -> None:
        """The loop plays all of the history again."""
        self.region.clear()


def entry_of(snapshot: Snapshot) -> tuple[int, int]:
    """(branch, number) of the present entry of the history."""
    return branch_of(snapshot), snapshot.history_gone + snapshot.history_index


def small_png(image: QImage) -> bytes:
    """The middle of a picture, small, as PNG; none of an empty one."""
    return b"" if image.isNull() else png_of(reduced(image, THUMBNAIL))
