"""Constraint: of an equality, joint or tendon how its constraints came by their parameters, whether they act now or why not, and their rows."""
from __future__ import annotations

from html import escape
from types import MappingProxyType

import numpy as np
from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout

from app.context import AppContext
from app.controllers.selection import SelectionController
from app.panels.diagnostics.constraint_answer import CONSTRAINED, ConstraintAnswer, ListedConstraint, answer
from app.panels.diagnostics.constraint_values import ConstraintValues
from app.panels.diagnostics.fitted_tree import FittedTree, number_text, put
from app.panels.diagnostics.force_strip import ForceStrip, row_texts
from app.panels.diagnostics.provenance_table import ProvenanceTable
from app.panels.diagnostics.query_panel import QueryPanel, text_label
from app.panels.diagnostics.rows_table import RowsTable
from editor.widgets.section import Section
from physics.diagnostics.constraint_parameters import ConstraintParameters
from physics.diagnostics.constraint_rows import ConstraintRow
from physics.enums import EqType
from physics.model.elements import CONTACT, Element, element, find_again
from physics.model.model import Model
from physics.model.relations import refers_to
from physics.runtime.snapshot import Snapshot

FORMS = ("equality", "limit", "friction loss")
EMPTY = "Select an equality, a joint or a tendon: how its limits and its dry friction came about, and what they do now. Below, what is constrained now."
NOTHING = "Nothing but contacts is constrained now."
OTHER = "A contact is shown in the panel Contact. "
MEANINGS = MappingProxyType({
    "active": "active: whether it is on at the start",
    "limited": "limited: whether the range counts",
    "range": "range: lower and upper bound; of a ball joint 0 and the largest angle [m, rad]",
    "margin": "margin: distance to a bound below which the limit's row exists [m, rad]",
    "solref": "solref: time constant [s] and damping ratio, or -stiffness and -damping",
    "solimp": "solimp: d0, dwidth, width, midpoint, power of the impedance",
    "solreflimit": "solreflimit: of the limit: time constant [s] and damping ratio, or -stiffness and -damping",
    "solimplimit": "solimplimit: of the limit: d0, dwidth, width, midpoint, power of the impedance",
    "frictionloss": "frictionloss: largest dry friction force, 0: none [N, N m]",
    "solreffriction": "solreffriction: of the dry friction: time constant [s] and damping ratio; only its damping counts",
    "solimpfriction": "solimpfriction: of the dry friction: d0, dwidth, width, midpoint, power of the impedance; at a violation of 0 d0 counts",
})
ELEMENT = Qt.ItemDataRole.UserRole
MOST_LINKS = 8      # to what the element refers to


class ConstraintList(FittedTree):
    """The elements that have rows, to choose one from. Signal: wanted(element)."""

    wanted = pyqtSignal(object)

    def __init__(self):
        super().__init__(("Constrained now", "Rows", "Force"), 0)
        self.setRootIsDecorated(False)
        for column in (1, 2):
            self.headerItem().setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.headerItem().setToolTip(2, "Length of the forces of its rows [N, N m]")
        self.itemClicked.connect(lambda item, _column: self.wanted.emit(item.data(0, ELEMENT)))
        self.itemActivated.connect(lambda item, _column: self.wanted.emit(item.data(0, ELEMENT)))
        self._suit_columns()

    def show_listed(self, listed: tuple[ListedConstraint, ...]) -> None:
        """List these; while the mouse is over the list they keep their places."""
        if self.underMouse():
            places = {(self.topLevelItem(k).data(0, ELEMENT), self.topLevelItem(k).toolTip(0)): k for k in range(self.topLevelItemCount())}
            listed = tuple(sorted(listed, key=lambda one: places.get((one.element, f"{one.element}: {one.what}"), len(places))))
        while self.topLevelItemCount() > len(listed):
            self.takeTopLevelItem(self.topLevelItemCount() - 1)
        while self.topLevelItemCount() < len(listed):
            item = self.add(None, ["", "", ""])
            for column in (1, 2):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for k, one in enumerate(listed):
            item = self.topLevelItem(k)
            item.setData(0, ELEMENT, one.element)
            put(item, 0, f"{one.element}" + ("" if one.what == "equality" else f": {one.what.split()[0]}"), f"{one.element}: {one.what}")
            put(item, 1, str(one.count))
            put(item, 2, number_text(one.force))
        self.fit()

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == event.Type.FontChange:
            self._suit_columns()

    def _suit_columns(self) -> None:
        for column, text in ((1, "Rows"), (2, "-0.000e-00")):
            self.header().resizeSection(column, self.fontMetrics().horizontalAdvance(text) + 14)


class FormView(Section):
    """One constraint of the element: whether it acts, its numbers, how its parameters came about."""

    def __init__(self, form: str):
        super().__init__(form.capitalize())
        self.form = form
        self.state = text_label()
        self.values, self.origin = ConstraintValues(), ProvenanceTable(MEANINGS)
        for part in (self.state, self.values, self.origin):
            self.add(part)

    def show_part(self, m: Model, part: ConstraintParameters, rows: tuple[ConstraintRow, ...], mass: np.ndarray) -> None:
        """Show this constraint of a Model with its rows and the mass that they feel."""
        said = ("Acts: " if part.active else "Does not act: ") + part.why + "."
        if self.state.text() != said:
            self.state.setText(said)
        self.values.show_part(m, part, rows, mass)
        self.origin.show_parameters(part)


class ConstraintPanel(QueryPanel):
    """Follows the selection; with nothing selected that can be constrained it lists what is."""

    def __init__(self, context: AppContext, selection: SelectionController):
        super().__init__(context)
        self._selection = selection
        self._of = context.model                # Model that the element is of: the one that runs, also while the panel is not filled
        self.element: Element | None = None
        self.answer: ConstraintAnswer | None = None
        self.keep = QToolButton()
        self.keep.setText("Keep")
        self.keep.setCheckable(True)
        self.keep.setToolTip("Stay with this one whatever is selected")
        self.keep.toggled.connect(lambda on: None if on else self._follow())
        self.title = text_label(rich=True)
        self.title.linkActivated.connect(self._open_link)
        self.list = ConstraintList()
        self.list.wanted.connect(lambda what: self._context.select_elements((what,)))
        self.forms = {form: FormView(form) for form in FORMS}
        self.rows, self.strip = RowsTable(), ForceStrip(context)
        self._lay_out()
        context.model_changed.connect(self._carry_over)
        self.fill_with_models(self._fill)
        context.selection_changed.connect(lambda _selection: self._follow())

    def _lay_out(self) -> None:
        self.sections = {"Rows": Section("Rows"), "Force over time": Section("Force over time")}
        self.sections["Rows"].add(self.rows)
        self.sections["Force over time"].add(self.strip)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.keep, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setSpacing(2)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addLayout(head)
        for part in (self.note, self.list, *self.forms.values(), *self.sections.values()):
            layout.addWidget(part)
        layout.addStretch(1)
        self._show_parts()

    # ------------------------------------------------------------------ what it is about

    def _carry_over(self, model: Model) -> None:
        """Another Model runs: what is kept is found again in it by name. At once, also where nobody looks: the Model before is let go."""
        before, self._of = self._of, model
        stays = self.keep.isChecked() and self.element is not None and not self._context.newly_opened
        self.element = find_again(before, model, self.element) if stays else None

    def _fill(self, _model: Model) -> None:
        """Another Model: show what is kept, or follow again."""
        kept = self.element if self.keep.isChecked() else None
        self._set_element(kept, anew=True)
        if kept is None:
            self.keep.setChecked(False)
            self._follow()

    def _follow(self) -> None:
        """Be about what is selected."""
        if self._context.model is None or self._context.model is not self._filled_with or (self.keep.isChecked() and self.element is not None):
            return
        self._set_element(next((what for what in self._context.selection.elements[::-1] if what.kind in CONSTRAINED), None))

    def _set_element(self, what: Element | None, anew: bool = False) -> None:
        if what == self.element and not anew and self.answer is not None:
            return
        self.element, self.answer = what, None
        self.strip.show_quantities(self._of, row_texts(self._of, what) if what is not None else ())
        self._show_title()
        active = self._context.selection.active
        self._say("" if what is not None else (OTHER if active is not None and active.kind == CONTACT else "") + EMPTY)
        self._show_parts()
        self._ask_at_once()

    def _open_link(self, link: str) -> None:
        kind, _, number = link.partition(":")
        if kind == "place":
            self._selection.go_to_text(self.element)
        elif kind == "all":
            self.keep.setChecked(False)
            self._context.select_nothing()
        else:
            self._context.select_elements((element(self._context.model, kind, int(number)),))

    # ------------------------------------------------------------------ what it shows

    def _look(self, m: Model, d) -> ConstraintAnswer | None:
        """In the physics thread."""
        return answer(m, d, self.element) if m is self._filled_with else None

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Ask for what is new."""
        super().show_snapshot(snapshot)
        self.strip.show_snapshot(snapshot)

    def _answered(self, found: ConstraintAnswer | None) -> None:
        if found is None or found.element != self.element:
            return
        self.answer = found
        if found.element is None:
            self._show_list(found)
        else:
            for part, mass in zip(found.parts, found.masses, strict=True):
                self.forms[part.form].show_part(self._of, part, tuple(row for row in found.rows if row.row in part.rows), mass)
            self.rows.show_rows(found.rows, self._context.model)
            self.strip.show_quantities(self._of, row_texts(self._of, found.element))      # what it has may be changed while it runs
            self._say("")
        self._show_parts()

    def _show_list(self, found: ConstraintAnswer) -> None:
        self.list.show_listed(found.listed)
        active = self._context.selection.active
        text = (OTHER if active is not None and active.kind == CONTACT else "") + (EMPTY if found.listed else EMPTY.split(" Below")[0] + " " + NOTHING)
        if found.more:
            text += f" The first {len(found.listed)} of {len(found.listed) + found.more} are listed."
        if found.contacts:
            text += f" {found.contacts} contact{'s' if found.contacts > 1 else ''}: see the panel Contact."
        self._say(text)

    def _show_title(self) -> None:
        what, m = self.element, self._context.model
        if what is None:
            self.title.clear()
            return
        kind = EqType(int(m.eq_type[what.id])).name.lower() if what.kind == "equality" else ""
        said = [part for part in (f"{what.kind} {what.id}" if what.name else "", kind) if part]
        lines = [f"<b>{escape(what.name or str(what))}</b>&nbsp; {', '.join(said)}"]
        linked: dict[str, list[str]] = {}
        for word, other in refers_to(m, what)[:MOST_LINKS]:
            linked.setdefault(word, []).append(f'<a href="{other.kind}:{other.id}">{escape(other.name or str(other))}</a>')
        if linked:
            lines.append("; ".join(f"{word} {', '.join(links)}" for word, links in linked.items()))
        place = self._selection.place_of(what)
        more = ['<a href="all:">all constraints</a>']
        if place is not None:
            short = place.file.replace("\\", "/").rsplit("/", 1)[-1]
            more.insert(0, f'<a href="place:">{escape(short)}:{place.line}</a>')
        lines.append("&nbsp; ".join(more))
        self.title.setText("<br>".join(lines))

    def _show_parts(self) -> None:
        """What there is to be seen of it."""
        found = self.answer
        about = found is not None and found.element is not None
        forms = {part.form for part in found.parts} if about else set()
        shown = [(self.title, self.element is not None), (self.keep, self.element is not None), (self.list, found is not None and found.element is None and bool(found.listed)),
                 (self.sections["Rows"], about and bool(found.rows)), (self.sections["Force over time"], about and bool(self.strip.texts))]
        shown += [(view, form in forms) for form, view in self.forms.items()]
        for widget, there in shown:
            if widget.isVisibleTo(self) != there:
                widget.setVisible(there)
