"""What panels that follow the simulation have in common."""
import weakref
from collections.abc import Callable

from PyQt6.QtCore import QEvent, QObject, Qt, QTimer, pyqtSignal
from PyQt6.QtWidgets import QDockWidget, QWidget

from app.context import AppContext
from app.panels.in_turn import in_turn_of
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot

REFILL_MS = 150     # after an edit of the text, or the last motion of a drag, until rows are made of it


def in_front(part: QObject | None) -> bool:
    """Whether a widget, or the widget that something belongs to, can be seen; True for what belongs to none. What is in a dock behind another tab is visible for Qt: such
    docks lie outside their window. What is scrolled out of sight counts as seen."""
    while part is not None and not isinstance(part, QWidget):
        part = part.parent()
    if part is None:
        return True
    dock = dock_of(part)
    return part.isVisible() and (dock is None or dock.isWindow() or dock.parentWidget().rect().intersects(dock.geometry()))


def dock_of(widget: QWidget | None) -> QDockWidget | None:
    """The dock that a widget is in."""
    while widget is not None and not isinstance(widget, QDockWidget):
        widget = widget.parentWidget()
    return widget


class Sight(QObject):
    """Follows whether a widget can be seen. Signal: changed(seen), when that is another: shown, hidden, behind another tab, in front again."""

    changed = pyqtSignal(bool)

    def __init__(self, widget: QWidget):
        super().__init__(widget)
        self._widget, self._seen = widget, False
        self._dock: QDockWidget | None = None
        self._later = QTimer(self)      # docks that come are laid out after they are shown
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self.look)
        widget.installEventFilter(self)

    def eventFilter(self, _widget: QObject, event: QEvent) -> bool:
        """Shown or hidden."""
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide):
            self._follow_dock()
            self.look()
            self._later.start()
        return False

    def _follow_dock(self) -> None:
        dock = dock_of(self._widget)
        if dock is not self._dock and dock is not None:
            self._dock = dock
            dock.visibilityChanged.connect(self._dock_changed)

    def _dock_changed(self, _visible: bool) -> None:
        self.look()
        self._later.start()

    def look(self) -> None:
        """Tell what is another now."""
        seen = in_front(self._widget)
        if seen != self._seen:
            self._seen = seen
            self.changed.emit(seen)


class LivePanel(QWidget):
    """`show_snapshot`, which each panel has, is called for each snapshot of the present Model while the panel is seen, and for the newest in a turn of its own when it has come into view."""

    show_snapshot: Callable[[Snapshot], None]

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self._fill_with: Callable[[Model], None] | None = None
        self._refill = QTimer(self)
        self._filled: weakref.ref[Model] | None = None     # a panel that nobody looks at keeps no Model
        self._in_turn = in_turn_of(context)
        self._sight = Sight(self)
        self._sight.changed.connect(self.seen_changed)
        context.snapshot_ready.connect(self._snapshot_ready)

    def fill_with_models(self, fill: Callable[[Model], None], sources: tuple[str, ...] = ()) -> None:
        """Have fill(model) called for each Model, before its snapshots are shown: in a turn of the event loop of its own while the panel is seen, else after it has come
        into view. To be called once, when the panel is made. sources: fields of the Model after whose change by an edit it is filled again."""
        self._fill_with, self._sources_of_rows = fill, frozenset(sources)
        if sources:
            self._refill.setSingleShot(True)
            self._refill.setInterval(REFILL_MS)
            self._refill.timeout.connect(self._fill_again)
            self._context.model_edited.connect(self._follow_edit)
        self._context.model_changed.connect(self._follow_model)

    @property
    def _filled_with(self) -> Model | None:
        filled = self._filled       # read once: the physics thread asks too
        return filled() if filled is not None else None

    @property
    def seen(self) -> bool:
        """Whether it is in front, not behind another tab."""
        return in_front(self)

    def seen_changed(self, seen: bool) -> None:
        """It came into view, or went: panels that work for more than snapshots begin and end here."""
        if seen:
            self._post()    # a workspace shows many at once, and some for a moment only

    def _follow_model(self, _model: Model) -> None:
        if self.seen:
            self._post()

    def _follow_edit(self, fields: tuple[str, ...]) -> None:
        if not self._sources_of_rows.isdisjoint(fields):
            self._refill.start()    # anew: while a drag goes on the picture has the time

    def _fill_again(self) -> None:
        self._filled = None
        if self.seen:
            self._in_turn.post(self, self._fill_if_seen)

    @property
    def filled(self) -> bool:
        """Whether it is of the present Model."""
        return self._fill_with is None or self._context.model is None or self._filled_with is self._context.model

    def _post(self) -> None:
        if not self.filled:
            self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)      # its rows are of another Model until then, or there are none
        self._in_turn.post(self, self._fill_if_seen)

    def _fill_if_seen(self) -> None:
        if self.seen:
            self.show_now()

    def show_now(self) -> None:
        """Be of the present Model and its newest snapshot, in this turn."""
        self.fill_now()
        self.catch_up()

    def fill_now(self) -> None:
        """Be of the present Model, seen or not."""
        model = self._context.model
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)
        if self._fill_with is not None and model is not None and model is not self._filled_with:
            self._filled = weakref.ref(model)
            self._fill_with(model)

    def _snapshot_ready(self, snapshot: Snapshot) -> None:
        self._sight.look()
        if not self.seen or snapshot.model is not self._context.model:
            return
        if self._fill_with is None or self._filled_with is snapshot.model:
            self.show_snapshot(snapshot)
        else:
            self._in_turn.post(self, self._fill_if_seen)    # it lay behind another when the Model came

    def catch_up(self) -> None:
        """Show the newest snapshot there is, as while paused none may follow."""
        snapshot = self._context.snapshot
        if snapshot is not None and self.seen and snapshot.model is self._context.model and (self._fill_with is None or self._filled_with is snapshot.model):
            self.show_snapshot(snapshot)
