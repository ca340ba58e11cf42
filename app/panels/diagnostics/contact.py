"""Contact: of two geoms how their contact came by its parameters, what goes on at it now, and where they do not touch, why not."""
from __future__ import annotations

import time
from html import escape

from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QComboBox, QHBoxLayout, QToolButton, QVBoxLayout

from app.context import AppContext
from app.controllers.selection import SelectionController
from app.panels.diagnostics.cone_plot import ConePlot
from app.panels.diagnostics.contact_answer import ContactAnswer, ContactQuestion, answer
from app.panels.diagnostics.contact_list import ContactList, touching_pairs
from app.panels.diagnostics.contact_subject import Subject, subject_of
from app.panels.diagnostics.contact_values import ContactValues
from app.panels.diagnostics.fitted_tree import number_text
from app.panels.diagnostics.force_strip import ForceStrip, force_texts
from app.panels.diagnostics.geom_field import GeomField
from app.panels.diagnostics.live_query import PAUSE, SHARE
from app.panels.diagnostics.provenance_table import ProvenanceTable
from app.panels.diagnostics.query_panel import QueryPanel, text_label
from app.panels.diagnostics.rows_table import RowsTable
from app.panels.diagnostics.why_not import WhyNot, title_of
from editor.widgets.section import Section
from physics.diagnostics.contact_exclusion import Exclusion, contacts_between
from physics.model.elements import Element, contact_element, element, find_all_again
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot

EMPTY = "Click a contact in the view, select two geoms or bodies (Shift adds), or enter two geoms above: how their contact came about, and where they do not touch, why not."
ONE = "What touches {name}. Select a second geom, or choose a row."
NOTHING = "Nothing touches {name} now."


class ContactPanel(QueryPanel):
    """Follows the selection; what is entered in the fields is selected."""

    def __init__(self, context: AppContext, selection: SelectionController):
        super().__init__(context)
        self._selection = selection
        self._subject = Subject()
        self._of = context.model                # Model that the subject's numbers are of: the one that runs, also while the panel is not filled
        self._question: ContactQuestion | None = None
        self._behind = False
        self.answer: ContactAnswer | None = None
        self._listed = float("-inf")
        self._pause = PAUSE                     # s between two lists
        self._list_later = QTimer(self)         # the run stands still: list its last state
        self._list_later.setSingleShot(True)
        self._list_later.timeout.connect(self._list_late)
        self._refused = ""                      # why what was entered names no two geoms
        self.first, self.second = GeomField("first geom"), GeomField("second geom")
        for field in (self.first, self.second):
            field.chosen.connect(lambda _geom: self._entered())
            field.refused.connect(self._refuse)
        self.keep = QToolButton()
        self.keep.setText("Keep")
        self.keep.setCheckable(True)
        self.keep.setToolTip("Stay with these two geoms whatever is selected")
        self.keep.toggled.connect(lambda on: None if on else self._follow())
        self.title = text_label(rich=True)
        self.title.linkActivated.connect(self._open_link)
        self.point = QComboBox()
        self.point.setToolTip("Which of their contacts is shown below")
        self.point.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.point.activated.connect(self._choose_point)
        self.list, self.why, self.values, self.cone = ContactList(), WhyNot(), ContactValues(), ConePlot()
        self.origin, self.rows, self.strip = ProvenanceTable(), RowsTable(), ForceStrip(context)
        self.list.pair_wanted.connect(self._choose_pair)
        self.why.linkActivated.connect(self._open_link)
        self._lay_out()
        context.model_changed.connect(self._carry_over)
        self.fill_with_models(self._fill)
        context.selection_changed.connect(lambda _selection: self._follow())
        self._show_parts()

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.addWidget(self.first, 1)
        line.addWidget(self.second, 1)
        line.addWidget(self.keep)
        parts = {"Contacts now": (self.list,), "Why not": (self.why,), "Now": (self.cone, self.values), "How it came about": (self.origin,), "Rows": (self.rows,),
                 "Force over time": (self.strip,)}
        self.sections = {title: Section(title) for title in parts}
        for title, section in self.sections.items():
            for part in parts[title]:
                section.add(part)
        layout = QVBoxLayout(self)
        layout.setSpacing(2)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addLayout(line)
        layout.addWidget(self.title)
        layout.addWidget(self.point)
        layout.addWidget(self.note)
        for section in self.sections.values():
            layout.addWidget(section)
        layout.addStretch(1)

    # ------------------------------------------------------------------ what it is about

    def _carry_over(self, model: Model) -> None:
        """Another Model runs: two geoms that are kept are found again in it by name. At once, also where nobody looks: the Model before is let go."""
        before, self._of = self._of, model
        stays = self.keep.isChecked() and not self._context.newly_opened
        pair = find_all_again(before, model, self._subject.pair) if stays else ()
        self._subject = Subject(pair if len(pair) == 2 else ())

    def _fill(self, _model: Model) -> None:
        """Another Model: show the two that are kept, or follow again."""
        self.answer = None
        pair = self._subject.pair
        self._set_subject(Subject())
        if self.keep.isChecked() and pair:
            self._set_subject(Subject(pair))
        else:
            self.keep.setChecked(False)
            self._behind = True         # what is selected is known, but not yet what touches in this Model

    def _follow(self) -> None:
        """Be about what is selected."""
        m, snapshot = self._context.model, self._context.snapshot
        if m is None or snapshot is None or snapshot.model is not m or m is not self._filled_with or (self.keep.isChecked() and self._subject.pair):
            return
        if not self.seen:
            self._behind = True         # until somebody looks
            return
        self._set_subject(subject_of(m, snapshot, self._context.selection.elements))

    def _set_subject(self, subject: Subject) -> None:
        same = subject.pair == self._subject.pair
        self._subject = subject
        self._question = ContactQuestion((subject.pair[0].id, subject.pair[1].id), subject.contact) if subject.pair else None
        if not same:
            self.answer = None
        m = self._context.model
        for field, what in zip((self.first, self.second), subject.pair or (*subject.one, None)[:1] + (None,), strict=True):
            field.show_geom(m, what.id if what is not None and what.kind == "geom" else -1)
        self.strip.show_quantities(m, force_texts(m, self._question.geoms) if self._question is not None else ())
        self._refuse("")
        self._say(subject.note)
        self._show_parts()
        self._listed = float("-inf")
        if self.seen:
            self._ask_at_once()
            self.catch_up()

    def _entered(self) -> None:
        """Geoms were entered: they are what is selected."""
        geoms = [field.geom for field in (self.first, self.second) if field.geom >= 0]
        m = self._context.model
        self._refuse("These are one and the same geom." if len(geoms) == 2 and geoms[0] == geoms[1] else "")
        if self._refused:
            return
        self.keep.setChecked(False)
        self._context.select_elements([element(m, "geom", geom) for geom in geoms])

    def _refuse(self, text: str) -> None:
        """Say why what was entered names no two geoms, until something else is shown; '': it does."""
        self._refused = text
        self._say(text)

    def show_geoms(self, one: Element, two: Element) -> None:
        """Be about two geoms, and select them."""
        self.keep.setChecked(False)
        self._context.select_elements((one, two))

    def _choose_pair(self, one: int, two: int) -> None:
        """A row of the list: its strongest contact is selected."""
        snapshot, m = self._context.snapshot, self._context.model
        contacts = contacts_between(snapshot, one, two)
        if contacts:
            what = contact_element(m, snapshot, max(contacts, key=lambda k: float(snapshot.contact_force[k, 0])))
            self._context.select_elements((what,))
        else:
            self.show_geoms(element(m, "geom", one), element(m, "geom", two))

    def _choose_point(self, index: int) -> None:
        if self.answer is None or not 0 <= index < len(self.answer.points):
            return
        what = self.answer.points[index].element
        if self.keep.isChecked():
            self._set_subject(Subject(self._subject.pair, what))
        else:
            self._context.select_elements((what,))

    def _open_link(self, link: str) -> None:
        kind, _, number = link.partition(":")
        if kind == "place":
            kind, _, number = number.partition(":")
            self._selection.go_to_text(element(self._context.model, kind, int(number)))
        else:
            self._context.select_elements((element(self._context.model, kind, int(number)),))

    # ------------------------------------------------------------------ what it shows

    @property
    def _asks(self) -> bool:
        return self._question is not None

    def _look(self, m: Model, d) -> ContactAnswer | None:
        """In the physics thread."""
        question = self._question
        return answer(m, d, question) if question is not None and m is self._filled_with else None

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Ask for what is new, or list what touches."""
        if self._behind:
            self._behind = False
            self._follow()
        super().show_snapshot(snapshot)
        if self._question is not None:
            self.strip.show_snapshot(snapshot)
        elif time.monotonic() - self._listed > self._pause:
            self._show_list(snapshot)
        elif not snapshot.running and not self._list_later.isActive():
            self._list_later.start(round(1000 * self._pause))

    def _list_late(self) -> None:
        if self.seen and self._question is None:
            self.catch_up()

    def _show_list(self, snapshot: Snapshot) -> None:
        begun = time.thread_time()
        of = self._subject.geoms if self._subject.one else None
        pairs, count = touching_pairs(snapshot, of)
        self.list.show_pairs(snapshot.model, pairs)
        name = str(self._subject.one[0]) if self._subject.one else ""
        text = (ONE if pairs else NOTHING).format(name=name) if name else EMPTY if pairs else EMPTY + " Nothing touches now."
        if count > len(pairs):
            text += f" The first {len(pairs)} of {count} are listed."
        self._say(self._refused or self._subject.note or text)
        self.sections["Contacts now"].setVisible(bool(pairs))
        self._listed, self._pause = time.monotonic(), max(PAUSE, (time.thread_time() - begun) / SHARE)

    def _answered(self, found: ContactAnswer | None) -> None:
        if found is None or self._question is None or found.question.geoms != self._question.geoms:
            return
        self.answer = found
        self._show_title(found)
        self._show_points(found)
        self.why.show_exclusion(found.exclusion)
        self.origin.show_parameters(found.parameters)
        if found.state is not None:
            self.values.show_state(found.state)
            self.cone.show_cone(found.state.cone)
        if found.rows:
            self.rows.show_rows(found.rows, self._context.model)
        self._show_parts()

    def _show_title(self, found: ContactAnswer) -> None:
        m = self._context.model
        text = "<br>".join(self._geom_line(m, geom) for geom in found.exclusion.geoms)
        if found.exclusion.pair >= 0:
            text += f"<br>by {self._link(m, 'pair', found.exclusion.pair)}"
        count, words = len(found.points), found.exclusion.reasons
        if not count:
            said = "<b>They do not touch</b>" + (f": {reasons_text(found.exclusion)}" if words else "")
        elif words:
            said = f"<b>{count} contact{'s' if count > 1 else ''}, without effect</b>"
        else:
            said = f"<b>They touch: {count} contact{'s' if count > 1 else ''}</b>"
        text += f"<br>{said}"
        if self.title.text() != text:
            self.title.setText(text)

    def _geom_line(self, m: Model, geom: int) -> str:
        body = int(m.geom_bodyid[geom])
        return f"{self._link(m, 'geom', geom)} of {self._link(m, 'body', body) if body else 'the world'}"

    def _link(self, m: Model, kind: str, number: int) -> str:
        """An element's name, which selects it, and its place in the text, which shows that."""
        what = element(m, kind, number)
        place = self._selection.place_of(what) if kind != "body" else None
        text = f'{kind} <a href="{kind}:{number}">{escape(what.name or str(number))}</a>'
        if place is not None:
            short = place.file.replace("\\", "/").rsplit("/", 1)[-1]
            text += f' (<a href="place:{kind}:{number}">{escape(short)}:{place.line}</a>)'
        return text

    def _show_points(self, found: ContactAnswer) -> None:
        """The contacts to choose from; an open list stays as it is."""
        if self.point.view().isVisible():
            return
        texts = [f"{k} of {len(found.points)}: {number_text(point.normal)} N, {_distance(point.dist)}" for k, point in enumerate(found.points, 1)]
        if self.point.count() != len(texts):
            self.point.clear()
            self.point.addItems(texts)
        for k, text in enumerate(texts):
            if self.point.itemText(k) != text:
                self.point.setItemText(k, text)
        self.point.setCurrentIndex(next((k for k, point in enumerate(found.points) if point.number == found.chosen), -1))

    def _show_parts(self) -> None:
        """What there is to be seen of it."""
        found, pair = self.answer, self._question is not None
        touching = found is not None and found.state is not None
        shown = {"Contacts now": not pair and self.list.topLevelItemCount() > 0, "Why not": found is not None and bool(found.exclusion.reasons), "Now": touching,
                 "How it came about": found is not None, "Rows": found is not None and bool(found.rows), "Force over time": pair}
        for title, section in self.sections.items():
            if section.isVisibleTo(self) != shown[title]:
                section.setVisible(shown[title])
        self.title.setVisible(found is not None)
        self.point.setVisible(touching and len(found.points) > 1)


def reasons_text(found: Exclusion) -> str:
    """Why two do not touch, in a few words: the distance to go where there is nothing else."""
    words = [check for check in found.reasons if check.word not in ("bounds", "distance")]
    if not words:
        return f"{number_text(found.to_go)} m to go"
    return ", ".join(title_of(check).lower() if check.word != "masks" else title_of(check) for check in words)


def _distance(dist: float) -> str:
    return f"{number_text(-dist)} m inside" if dist < 0 else f"{number_text(dist)} m apart"

