"""What the actions of the window ask of the XML panel, which is opened for it where nobody sees it."""
from __future__ import annotations

from collections.abc import Callable

from PyQt6.QtCore import QObject


class TextCommands(QObject):
    """Handlers of the text's actions. panel: gives the panel (editor.source.panel.SourcePanel), shown; None where there is none yet."""

    def __init__(self, panel: Callable[[], object]):
        super().__init__()
        self._panel = panel

    @property
    def _assist(self):
        return self._panel().assist

    def find(self) -> None:
        """Search in the text."""
        self._assist.search.open(every=False)

    def replace(self) -> None:
        """Search in the text, and replace."""
        self._assist.search.open(replace=True)

    def find_in_files(self) -> None:
        """Search in all files of the document."""
        self._assist.search.open(every=True)

    def find_next(self, back: bool = False) -> None:
        """The next place that was found, or the one before."""
        self._assist.search.step(back)

    def complete(self) -> None:
        """What can be written at the caret."""
        self._assist.complete()

    def go_to_definition(self) -> None:
        """Where the name at the caret is defined."""
        self._assist.go_to_definition()

    def find_references(self) -> None:
        """Where the name at the caret is used."""
        self._assist.find_references()

    def rename(self) -> None:
        """Another name everywhere."""
        self._assist.rename()

    def go_to_line(self) -> None:
        """A line or an element."""
        self._assist.go_to_line()

    def toggle_comment(self) -> None:
        """Comment lines out, or in."""
        self._assist.toggle_comment()

    def move_lines(self, down: bool) -> None:
        """Lines further up or down."""
        self._assist.move_lines(down)

    def duplicate_lines(self) -> None:
        """Lines once more."""
        self._assist.duplicate_lines()

    def format(self) -> None:
        """Regular indentation and spaces."""
        self._assist.format()

    def fold_all(self) -> None:
        """Fold all elements."""
        self._assist.fold_all()

    def unfold_all(self) -> None:
        """Show all lines."""
        self._assist.unfold_all()
