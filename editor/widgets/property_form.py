"""Named values below each other, each with a mark for what differs from the file; and switches in two columns. Both can be filtered."""
from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QHBoxLayout, QSizePolicy, QWidget

from editor.widgets.changed_mark import ChangedMark
from editor.widgets.number_edit import NumberEdit
from editor.widgets.row_label import RowLabel
from editor.widgets.section import matches

NARROW = 290   # logical pixels: below them a name stands above its fields, where there are several


class PropertyForm(QWidget):
    """Rows of mark, name and editor, in columns below each other. `add` returns the row's mark."""

    def __init__(self):
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 4, 0)
        self._grid.setHorizontalSpacing(3)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(2, 1)
        self._rows: list[tuple[str, tuple[QWidget, ...]]] = []   # words to find it by, what it consists of
        self._tips: dict[QWidget, str] = {}   # of greyed rows: what their widgets said before
        self._long: list[int] = []   # numbers of the rows with several fields
        self._narrow = False

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, title: str, editors: Sequence[QWidget], tip: str = "", words: str = "") -> ChangedMark:
        """A row. A single number can be dragged by its name; `words`: what else a filter finds it by."""
        scrubbed = editors[0] if len(editors) == 1 and isinstance(editors[0], NumberEdit) else None
        mark, label = ChangedMark(), RowLabel(title, scrubs=scrubbed is not None)
        label.setToolTip(tip or title)
        label.setMinimumWidth(24)
        label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        if scrubbed is not None:
            label.grabbed.connect(scrubbed.grab)
            label.scrubbed.connect(scrubbed.scrub)
        mark.cover(label)
        holder = QWidget()
        line = QHBoxLayout(holder)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(2)
        for editor in editors:
            if isinstance(editor, QComboBox):
                editor.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
                editor.setMinimumContentsLength(3)
                editor.setMinimumWidth(48)
            line.addWidget(editor, 1 if len(editors) > 1 else 0)
        if len(editors) == 1:
            line.addStretch(1)
        self._rows.append((f"{title} {words}", (mark, label, holder)))
        self._put(len(self._rows) - 1, len(editors) > 2 and self._narrow)
        if len(editors) > 2:
            self._long.append(len(self._rows) - 1)
        return mark

    def _put(self, number: int, above: bool) -> None:
        """Place a row; above: the name has a line of its own."""
        mark, label, holder = self._rows[number][1]
        self._grid.addWidget(mark, 2 * number, 0)
        self._grid.addWidget(label, 2 * number, 1, 1, 2 if above else 1)
        self._grid.addWidget(holder, 2 * number + above, 1 if above else 2, 1, 2 if above else 1)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        if (self.width() < NARROW) != self._narrow:
            self._narrow = not self._narrow
            for number in self._long:
                self._put(number, self._narrow)

    def grey(self, mark: ChangedMark, reason: str) -> None:
        """Grey the row of this mark, its name too, which says why; '': not any more."""
        _mark, label, holder = next(widgets for _words, widgets in self._rows if widgets[0] is mark)
        for widget in (label, *holder.findChildren(QWidget)):
            if reason:
                self._tips.setdefault(widget, widget.toolTip())
                widget.setToolTip(reason)
            elif widget in self._tips:
                widget.setToolTip(self._tips.pop(widget))
            widget.setEnabled(not reason)

    def add_wide(self, widget: QWidget, words: str) -> None:
        """A row of one widget over the whole width."""
        self._grid.addWidget(widget, 2 * len(self._rows), 0, 1, 3)
        self._rows.append((words, (widget,)))

    def filter(self, text: str) -> int:
        """Show only rows that match; how many."""
        count = 0
        for words, widgets in self._rows:
            shown = matches(text, words)
            count += shown
            for widget in widgets:
                widget.setVisible(shown)
        return count


class CheckGrid(QWidget):
    """Switches in two columns, or in one where two do not fit, each with its mark."""

    def __init__(self):
        super().__init__()
        self._columns = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 4, 0)
        self._grid.setHorizontalSpacing(3)
        self._grid.setVerticalSpacing(1)
        self._rows: list[tuple[str, ChangedMark, QCheckBox]] = []
        self._text = ""

    def add(self, box: QCheckBox, words: str = "") -> ChangedMark:
        """One more switch; its mark."""
        mark = ChangedMark()
        mark.cover(box)
        self._rows.append((f"{box.text()} {box.toolTip()} {words}", mark, box))
        self._put(len(self._rows) - 1, mark, box)
        return mark

    def _put(self, place: int, mark: ChangedMark, box: QCheckBox) -> None:
        row, column = divmod(place, max(1, self._columns))
        self._grid.addWidget(mark, row, 2 * column)
        self._grid.addWidget(box, row, 2 * column + 1)

    def filter(self, text: str) -> int:
        """Show only switches that match, moved together; how many."""
        self._text, place = text, 0
        for words, mark, box in self._rows:
            shown = matches(text, words)
            mark.setVisible(shown)
            box.setVisible(shown)
            if shown:
                self._put(place, mark, box)
                place += 1
        return place

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        wide = max((box.sizeHint().width() for _words, _mark, box in self._rows), default=0) + 18
        columns = 2 if 2 * wide <= self.width() else 1
        if columns != self._columns:
            self._columns = columns
            for column in range(4):
                self._grid.setColumnStretch(column, 1 if column == 1 or column == 3 and columns == 2 else 0)
            self.filter(self._text)
