"""What panels that follow the simulation have in common."""
from collections.abc import Callable

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QShowEvent
from PyQt6.QtWidgets import QWidget

from app.context import AppContext
from app.panels.in_turn import in_turn_of
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot


class LivePanel(QWidget):
    """`show_snapshot`, which each panel has, is called for each snapshot of the present Model while the panel is seen, and for the newest in a turn of its own when it has come into view."""

    show_snapshot: Callable[[Snapshot], None]

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self._fill_with: Callable[[Model], None] | None = None
        self._filled_with: Model | None = None
        self._in_turn = in_turn_of(context)
        context.snapshot_ready.connect(self._snapshot_ready)

    def fill_with_models(self, fill: Callable[[Model], None]) -> None:
        """Have fill(model) called for each Model, before its snapshots are shown: in a turn of the event loop of its own while the panel is seen, else after it has come
        into view. To be called once, when the panel is made."""
        self._fill_with = fill
        self._context.model_changed.connect(self._follow_model)

    @property
    def seen(self) -> bool:
        """Whether any of it can be seen. Behind another tab it is still visible for Qt."""
        return self.isVisible() and not self.visibleRegion().isEmpty()

    def _follow_model(self, _model: Model) -> None:
        if self.isVisible():
            self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)      # its rows are of another Model until then
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
        if self._fill_with is not None and model is not None and model is not self._filled_with:
            self._filled_with = model
            self._fill_with(model)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)

    def _snapshot_ready(self, snapshot: Snapshot) -> None:
        if not self.seen or snapshot.model is not self._context.model:
            return
        if self._fill_with is None or self._filled_with is snapshot.model:
            self.show_snapshot(snapshot)
        else:
            self._in_turn.post(self, self._fill_if_seen)    # it lay behind another when the Model came

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._in_turn.post(self, self._fill_if_seen)    # a workspace shows many at once, and some for a moment only

    def catch_up(self) -> None:
        """Show the newest snapshot there is, as while paused none may follow."""
        snapshot = self._context.snapshot
        if snapshot is not None and self.isVisible() and snapshot.model is self._context.model and (self._fill_with is None or self._filled_with is snapshot.model):
            self.show_snapshot(snapshot)
