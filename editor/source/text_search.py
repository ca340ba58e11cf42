"""Searching and replacing in the XML panel: marks, counts and lists what is found while it is typed, steps through it, replaces one or all by one edit."""
from __future__ import annotations

from PyQt6.QtCore import QObject, QTimer

from editor.language.references import lines_of
from editor.language.search import Found, Query, SearchError, find_all, next_of, pattern_of, replacing
from editor.source.place_list import PlaceList
from editor.source.positions import reveal, select, selection
from editor.source.search_bar import SearchBar

LATER_MS = 150      # after a change of the texts


class TextSearch(QObject):
    """host: editor.source.assist.TextAssist."""

    def __init__(self, host, language, places: PlaceList):
        super().__init__(host)
        self._host, self._language, self._places = host, language, places
        self.bar = SearchBar()
        self.found: list[Found] = []
        self._wrong = ""
        self._listing = False       # the list below the text is of this search
        self._start = ("", 0)       # where it began
        self.bar.changed.connect(self._changed)
        self.bar.stepped.connect(self.step)
        self.bar.replace_wanted.connect(self.replace)
        self.bar.closed.connect(self._closed)
        places.closed.connect(self._list_closed)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(LATER_MS)
        self._later.timeout.connect(self._again)

    # ------------------------------------------------------------------ what is found

    @property
    def query(self) -> Query:
        """What is looked for."""
        return self.bar.query

    def open(self, replace: bool = False, every: bool | None = None) -> None:
        """Show the bar; what is selected in one line is looked for."""
        key, editor = self._host.current()
        if editor is None:
            return
        text = editor.selectedText()
        self._start = key, min(selection(editor))
        self.bar.open(text if text and "\n" not in text and "\r" not in text else "", replace or self.bar.second.isVisible() and self.bar.isVisible(), every)

    def look(self) -> None:
        """Find again, in the present texts."""
        self._wrong = ""
        try:
            pattern = pattern_of(self.query)
        except SearchError as error:
            pattern, self._wrong = None, str(error)
        self.found = find_all(self._language.texts, pattern, self._files())
        for key, editor in self._host.editors().items():
            self._host.marks(key).show_found([(one.start, one.end) for one in self.found if one.file == key] if self.bar.isVisible() else [])
        self._list()

    def _files(self) -> tuple[str, ...]:
        return tuple(self._language.texts) if self.bar.every.isChecked() else (self._host.current()[0],)

    def _list(self) -> None:
        if self.bar.every.isChecked() and self.bar.isVisible() and self.query.text and not self._wrong:
            self._listing = True
            files = len({one.file for one in self.found})
            self._places.show_lines(f"{_places(len(self.found))} in {files} file{'s' * (files != 1)}", lines_of(self._language.texts, self.found))
        elif self._listing:
            self._listing = False
            self._places.hide()

    def _list_closed(self) -> None:
        if self._listing:
            self._listing = False
            self.bar.every.setChecked(False)

    def _changed(self) -> None:
        """Something else is to be found: from where the search began."""
        self.look()
        if self.found and self.bar.isVisible():
            self._show(next_of(self.found, *self._start, files=self._files()))
        self._tell()

    def _again(self) -> None:
        if self.bar.isVisible():
            self.look()
            self._tell()

    def texts_changed(self) -> None:
        """The texts are others."""
        if self.bar.isVisible():
            self._later.start()

    def _number(self) -> int:
        """Which of the places is selected, -1 for none."""
        key, editor = self._host.current()
        if editor is None:
            return -1
        span = tuple(sorted(selection(editor)))
        return next((i for i, one in enumerate(self.found) if one.file == key and (one.start, one.end) == span), -1)

    def _tell(self) -> None:
        number = self._number()
        if self._wrong or not self.query.text:
            self.bar.tell(self._wrong, bool(self._wrong))
        elif not self.found:
            self.bar.tell("Nothing found", True)
        else:
            self.bar.tell(f"{number + 1} of {len(self.found)}" if number >= 0 else _places(len(self.found)))

    # ------------------------------------------------------------------ going there

    def step(self, back: bool = False) -> None:
        """Go to the next place, or the one before."""
        key, editor = self._host.current()
        if editor is None:
            return
        if not self.query.text:
            self.open()
            return
        self.look()
        anchor, at = selection(editor)
        here = self._number()
        offset = min(anchor, at) if back else max(anchor, at) if here >= 0 or anchor == at else min(anchor, at)
        self._show(next_of(self.found, key, offset, back, self._files()))
        self._tell()
        if not self.found and not self.bar.isVisible():
            self._host.say(self._wrong or f"'{self.query.text}' is not found")

    def _show(self, number: int) -> None:
        if number < 0:
            return
        one = self.found[number]
        editor = self._host.show_text(one.file)
        if editor is not None:
            reveal(editor, one.start, one.end)

    # ------------------------------------------------------------------ replacing

    def replace(self, every: bool) -> None:
        """Replace what is selected when that was found, and go on; or all, over all files that are searched, as one edit."""
        self.look()
        number = self._number()
        if self._wrong or not self.found:
            self._tell()
            return
        if not every and number < 0:
            self.step()
            return
        chosen = [one for one in (self.found if every else [self.found[number]]) if not self._language.sealed(one.file)]
        left = (len(self.found) if every else 1) - len(chosen)
        note = f"{_places(left)} in files that are only read" if left else ""
        try:
            edit = replacing(self.query, chosen, self.bar.new.text())
            if chosen:
                self._host.commit(edit)
        except ValueError as error:     # SearchError too
            self.bar.tell(str(error), True)
            return
        if every:
            self._host.say(f"Replaced {_places(len(chosen))}" + f"; {note} left alone" * bool(left))
            self.look()
            self._tell()
        elif chosen:
            key, editor = self._host.current()
            at = chosen[0].start + len(edit.patches[0].text)
            select(editor, at, at)
            self.step()
        else:
            self.bar.tell(f"{note} left alone", True)

    def _closed(self) -> None:
        self.look()
        self._host.focus_text()


def _places(count: int) -> str:
    return f"{count} places" if count != 1 else "1 place"
