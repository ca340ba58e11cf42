"""The rows of one kind of element, group by group. Rows that are seldom used are made when somebody asks for them."""
from __future__ import annotations

from collections.abc import Callable, Mapping

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QFont, QFontMetrics
from PyQt6.QtWidgets import QGridLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from editor.fields.row_view import RowView
from editor.inspect.compiled import Compiled, Fact
from editor.inspect.groups import MASS
from editor.inspect.rows import Row, search_text
from editor.inspect.subject import Source
from editor.widgets.section import Section, matches

__all__ = ["Form"]


class Facts(QWidget):
    """What the compiled model says of the element beside its attributes."""

    def __init__(self):
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(13, 2, 0, 2)
        self._grid.setColumnStretch(1, 1)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(1)
        self._labels: list[tuple[QLabel, QLabel]] = []

    def show_facts(self, facts: tuple[Fact, ...]) -> None:
        """Show them, each with its note as tooltip; the first one's note is seen."""
        shown = [(f"model: {fact.label}", fact.text, fact.note) for fact in facts]
        if facts and facts[0].note:
            shown.append(("", facts[0].note, facts[0].note))
        while len(self._labels) < len(shown):
            pair = QLabel(), QLabel()
            for column, label in enumerate(pair):
                label.setForegroundRole(label.palette().ColorRole.PlaceholderText)
                label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse if column else Qt.TextInteractionFlag.NoTextInteraction)
                label.setWordWrap(bool(column))
                self._grid.addWidget(label, len(self._labels), column, Qt.AlignmentFlag.AlignTop)
            self._labels.append(pair)
        for k, pair in enumerate(self._labels):
            for label, text in zip(pair, shown[k] if k < len(shown) else ("", "", ""), strict=False):
                label.setText(text)
                label.setVisible(k < len(shown))
                label.setToolTip(shown[k][2] if k < len(shown) else "")
        self.setVisible(bool(shown))


class Form(QWidget):
    """connect(view): called with each row that is made. views: by name of the row."""

    def __init__(self, connect: Callable[[RowView], None]):
        super().__init__()
        self._connect = connect
        self.views: dict[str, RowView] = {}
        self.sections: dict[str, Section] = {}
        self._more: dict[str, QToolButton] = {}
        self._holders: dict[str, QVBoxLayout] = {}
        self._rows: tuple[Row, ...] = ()
        self._asked: set[str] = set()       # groups all of whose rows are shown
        self._shown_with: tuple = ()
        self._filter = ""
        self.facts = Facts()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 0, 2, 4)
        layout.setSpacing(0)
        self._layout = layout
        layout.addStretch(1)

    def show_rows(self, rows: tuple[Row, ...], chains: Callable[[str], tuple[Source, ...]], compiled: Mapping[str, Compiled], facts: tuple[Fact, ...], several: int,
                  editable: bool) -> None:
        """Show these rows. chains(name): what says anything about an attribute."""
        self._rows, self._shown_with = rows, (chains, compiled, several, editable)
        groups = list(dict.fromkeys(row.group for row in rows))
        if facts and MASS not in groups:
            groups.append(MASS)
        for place, group in enumerate(groups):
            if group not in self.sections:
                self._add_section(group, place)
        if facts and self.facts.parent() is not self.sections[MASS].body:
            self.sections[MASS].body.layout().insertWidget(0, self.facts)
        self.facts.show_facts(facts)
        self._arrange()

    def close_dialogs(self, but: RowView | None = None) -> None:
        """Close what is open for the present element, but for one row's."""
        for view in self.views.values():
            if view is not but:
                view.editor.close_dialog()

    def _add_section(self, group: str, place: int) -> None:
        section = self.sections[group] = Section(group)
        holder = QVBoxLayout(section.body)
        holder.setContentsMargins(0, 0, 0, 0)
        holder.setSpacing(2)
        more = self._more[group] = QToolButton()
        more.setAutoRaise(True)
        more.setCheckable(True)
        more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        more.clicked.connect(lambda checked=False, group=group: self._ask(group, checked))
        holder.addWidget(more)
        self._holders[group] = holder
        self._layout.insertWidget(place, section)

    def _ask(self, group: str, asked: bool) -> None:
        self._asked.add(group) if asked else self._asked.discard(group)
        self._arrange()

    def filter(self, text: str) -> None:
        """Show rows that match, seldom used ones, too."""
        self._filter = text
        self._arrange()

    def _wanted(self, row: Row) -> bool:
        if self._filter:
            return matches(self._filter, search_text(row))
        return not row.rare or row.group in self._asked

    def _name_width(self) -> int:
        font = QFont(self.font())
        font.setBold(True)
        metrics = QFontMetrics(font)
        return max((metrics.horizontalAdvance(row.name) for row in self._rows if not row.rare), default=0) + 4

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == event.Type.FontChange:
            width = self._name_width()
            for view in self.views.values():
                view.set_name_width(width)

    def _arrange(self) -> None:
        """Make the rows that are wanted, and show them in their order."""
        chains, compiled, several, editable = self._shown_with
        counts: dict[str, int] = dict.fromkeys(self.sections, 0)
        hidden: dict[str, int] = dict.fromkeys(self.sections, 0)
        names, width = set(), self._name_width()
        for row in self._rows:
            if not self._wanted(row):
                hidden[row.group] += row.rare
                continue
            names.add(row.name)
            view = self.views.get(row.name)
            if view is not None and view.kind != row.kind:
                view.deleteLater()
                view = None
            if view is None:
                view = self.views[row.name] = RowView(row.name, row.kind)
                self._connect(view)
            holder = self._holders[row.group]
            if holder.indexOf(view) != counts[row.group]:
                holder.insertWidget(counts[row.group], view)
            counts[row.group] += 1
            view.set_name_width(width)
            view.show_row(row, chains(row.name), compiled.get(row.name), several, editable)
            view.show()
        for name, view in self.views.items():
            if name not in names:
                view.hide()
        for group, section in self.sections.items():
            more = self._more[group]
            rare = hidden[group] if group not in self._asked else sum(row.rare for row in self._rows if row.group == group)
            more.setChecked(group in self._asked)
            more.setText("less" if group in self._asked else f"{rare} more")
            more.setToolTip("Attributes that are seldom used: " + ", ".join(row.name for row in self._rows if row.group == group and row.rare))
            more.setVisible(rare > 0 and not self._filter)
            facts = group == MASS and self.facts.parent() is section.body and not self.facts.isHidden()
            section.setVisible(counts[group] > 0 or not self._filter and (rare > 0 or facts))
            if self._filter and counts[group]:
                section.fold(True)

    def show_compiled(self, compiled: Mapping[str, Compiled], facts: tuple[Fact, ...]) -> None:
        """Another model runs: what it has beside what the text says."""
        if not self._shown_with:
            return
        chains, _, several, editable = self._shown_with
        self._shown_with = (chains, compiled, several, editable)
        for row in self._rows:
            view = self.views.get(row.name)
            if view is not None and view.row is row:
                view.show_compiled(compiled.get(row.name))
        self.facts.show_facts(facts) if facts and self.facts.parent() is not None else None
