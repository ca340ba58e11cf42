"""What meets the user: the start page of an empty window, the card of first steps, and the pictures of models for the next time."""
from pathlib import Path

from PyQt6.QtCore import QObject
from PyQt6.QtGui import QImage
from PyQt6.QtWidgets import QWidget

from app.context import AppContext
from app.controllers.files import FilesController
from app.session import Session
from app.thumbnails import ThumbnailTaker

CARD = "window/first_steps"     # the setting: whether the card is still to be shown


class Welcome(QObject):
    """Belongs to one window. view: the widget with the picture, which has `image()`."""

    def __init__(self, context: AppContext, session: Session, files: FilesController, view: QWidget, parent: QObject):
        super().__init__(parent)
        self._context, self._session, self._files, self._view = context, session, files, view
        self.page = self.card = None    # made when they are first shown
        self.taker = ThumbnailTaker(context, lambda: session.path, self._picture, self)
        self.taker.taken.connect(self._taken)
        session.document_opened.connect(self.hide_page)
        session.problem_changed.connect(self._problem_changed)
        context.model_changed.connect(lambda _model: self.hide_page())

    def _picture(self) -> QImage:
        return self._view.image() if self._view.isVisible() and not self._view.window().isMinimized() else QImage()

    def close(self) -> None:
        """The window is about to go."""
        self.taker.stop()

    # ------------------------------------------------------------------ the start page

    def show_page(self, problem: str = "") -> None:
        """Models to open in place of the picture; problem: why there is none."""
        from app.windows.start_page import StartPage

        if self.page is None:
            self.page = StartPage(self._context.settings, self._view)
            self.page.chosen.connect(self._files.open)
            self.page.browse.connect(self._files.open_dialog)
            self.page.new.connect(self._files.new)
        self.page.show_for(problem)

    def hide_page(self) -> None:
        """There is something to be seen, or it will come."""
        if self.page is not None and self.page.isVisible():
            self.page.hide()
            self._view.host.setFocus()

    def _problem_changed(self, text: str) -> None:
        if text and self._context.model is None and self._session.path is None:
            self.show_page(text)

    def _taken(self, _path: Path) -> None:
        if self.page is not None:
            self.page.refresh()

    # ------------------------------------------------------------------ first steps

    def begin(self) -> None:
        """The program has started: the card comes with the first picture, unless it was put away before."""
        if self._context.settings.get(CARD):
            self._context.first_frame.connect(self._first_picture)

    def _first_picture(self) -> None:
        self._context.first_frame.disconnect(self._first_picture)
        if self._context.model is not None:
            self.show_card()

    def show_card(self) -> None:
        """The six gestures, over the view."""
        from app.windows.first_steps import FirstSteps

        if self.card is None:
            self.card = FirstSteps(self._view)
            self.card.put_away.connect(lambda: self._context.settings.set(CARD, False))
        self.card.show_up()
