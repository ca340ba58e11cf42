"""Divergence: why the run diverged, as a page: what happened, who led, what helps, curves of the guilty quantities, what is too stiff, ratios, largest forces."""
from __future__ import annotations

from collections.abc import Sequence
from html import escape
from types import MappingProxyType

import numpy as np
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QSpinBox, QVBoxLayout, QWidget

from app.context import AppContext
from app.controllers.divergence import CHANGED, SETTING, DivergenceController
from app.panels.diagnostics.divergence_curves import DivergenceCurves
from app.panels.diagnostics.divergence_offers import OfferRow, wrap
from app.panels.live_panel import Sight, in_front
from app.settings import Settings
from editor.widgets.section import Section
from physics.diagnostics.divergence.culprit import IN_WORDS, actuator_of_ctrl
from physics.diagnostics.divergence.ratios import Stiff
from physics.diagnostics.divergence.report import DivergenceReport
from physics.diagnostics.divergence.sources import units_of
from physics.model.elements import Element, element
from physics.model.model import Model

EMPTY = "No run of this model has diverged. When one does, this page says which element led, what is too stiff for the time step, and which change survives."
WORKING = "Looking at the last steps..."
OTHERS = 3              # further suspects that are listed
NEAR = 0.5              # load from which a line is emphasised
RATIO = 1e3             # from which a line is emphasised
NEWEST = "newest:0"     # the link to the newest divergence
MOST_ROWS = 6           # of inputs that are named


def mocap_body(m: Model, number: int) -> int:
    """The body of a mocap pose."""
    return int(np.flatnonzero(np.asarray(m.body_mocapid) == number)[0])


# field of inputs -> kind of the element that each of its rows is of, and which one
OWNERS = MappingProxyType({"ctrl": ("actuator", actuator_of_ctrl), "xfrc_applied": ("body", lambda _m, row: row), "qfrc_applied": ("joint", lambda m, row: int(m.dof_jntid[row])),
                           "eq_active": ("equality", lambda _m, row: row), "mocap_pos": ("body", mocap_body), "mocap_quat": ("body", mocap_body)})


class DivergencePanel(QWidget):
    """Sections below each other. Links select the elements they name."""

    def __init__(self, context: AppContext, divergence: DivergenceController, settings: Settings):
        super().__init__()
        self._context, self._divergence, self._settings = context, divergence, settings
        self._stale, self._shown = True, (None, None)       # the work and the report that are shown
        self.what, self.why, self.trials, self.stiffest, self.ratios, self.forces = (self._text() for _ in range(6))
        self.rewind = QSpinBox()
        self.rewind.setSuffix(" steps")
        self.rewind.setToolTip("Entries of the history before the last good one")
        self.back = QPushButton("Rewind")
        self.back.setToolTip("Pause so many steps before the last good state")
        self.back.clicked.connect(self._go_back)
        self.offers: list[OfferRow] = []
        self.curves = DivergenceCurves(context)
        self.opens = QCheckBox("Open by itself")
        self.opens.setToolTip("Open this page when a run diverges")
        self.opens.setChecked(settings.get(SETTING))
        self.opens.clicked.connect(lambda on: settings.set(SETTING, on))
        self._sections: list[Section] = []
        self._lay_out()
        divergence.changed.connect(self._changed)
        Sight(self).changed.connect(self._seen_changed)
        settings.changed.connect(self._setting_changed)      # no lambda: settings outlive a window
        self._fill()

    def _text(self) -> QLabel:
        label = QLabel()
        wrap(label)
        label.setTextFormat(Qt.TextFormat.RichText)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.TextSelectableByMouse)
        label.linkActivated.connect(self._follow)
        return label

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.setSpacing(2)
        column.addWidget(self.what)
        self._section(column, "What led", self.why)
        offers = QWidget()
        self._offers = QVBoxLayout(offers)
        self._offers.setContentsMargins(0, 0, 0, 0)
        self._offers.setSpacing(4)
        line = QHBoxLayout()
        line.addWidget(self.back)
        line.addWidget(self.rewind)
        line.addStretch(1)
        self._offers.addLayout(line)
        self._offers.addWidget(self.trials)
        self._section(column, "What helps", offers)
        self._section(column, "The last steps", self.curves)
        self._section(column, "Stiffest elements", self.stiffest).setToolTip(
            "How near each spring, damper, servo and constraint row is to what the integrator can take at this time step: from 1 on any motion grows in each step")
        self._section(column, "Mass and inertia ratios", self.ratios)
        self._section(column, "Largest forces", self.forces)
        column.addStretch(1)
        column.addWidget(self.opens, 0, Qt.AlignmentFlag.AlignLeft)

    def _section(self, column: QVBoxLayout, title: str, widget: QWidget) -> Section:
        section = Section(title)
        body = QVBoxLayout(section.body)
        body.setContentsMargins(6, 0, 2, 2)
        body.addWidget(widget)
        column.addWidget(section)
        self._sections.append(section)
        return section

    # ------------------------------------------------------------------ filling

    def _changed(self) -> None:
        self._stale = True
        if in_front(self):
            self._seen_changed(True)

    def _seen_changed(self, seen: bool) -> None:
        if not seen:
            self._divergence.rest()
            return
        if self._stale:
            self._fill()
        self._divergence.look()

    def _go_back(self, _checked: bool = False) -> None:
        self._divergence.rewind(self.rewind.value())

    def _setting_changed(self, name: str) -> None:
        if name == SETTING:
            self.opens.setChecked(self._settings.get(SETTING))

    def _fill(self) -> None:
        self._stale = False
        work = self._divergence.work
        report = work.report if work is not None else None
        shown = report is not None and self._shown is not None and self._shown[0] is work and self._shown[1] is report
        if report is not None and work.steps is None and not shown:
            report = None       # its Model has gone before it was looked at
        for section in self._sections:
            section.setVisible(report is not None)
        if report is None:
            said = EMPTY if work is None else f"The last steps could not be analysed: {work.failed}" if work.failed else WORKING if work.steps is not None else CHANGED
            self.what.setText(escape(said))
            self._shown = (work, None)
            return
        if not shown:
            self._shown = (work, report)
            self._fill_report(work.steps.model, report)
            self.curves.show_curves(work.curves, report.time, report.onset[1])
        self.what.setText(self._what(report))
        self._fill_offers(work)

    def _what(self, report: DivergenceReport) -> str:
        onset = report.number - report.onset[0]
        lines = [f"<b>{escape(report.what)}</b>", f"Last good state: {report.time:.6g} s. It began {onset} step{'s' * (onset != 1)} before, at {report.onset[1]:.6g} s"
                 + (f", and grew {report.rate:.3g} times in a step." if 1 < report.rate < float("inf") else ".")]
        if since := self._divergence.since:
            lines.append(f'It has diverged {since} time{"s" * (since != 1)} since: <a href="{NEWEST}">look at the newest</a>')
        if failed := self._divergence.work.failed:
            lines.append(f"The remedies could not be tried: {escape(failed)}")
        if not self._divergence.applies:
            lines.append("The model has been changed since: this page is to be read only.")
        return "<br>".join(lines)

    def _fill_report(self, m: Model, report: DivergenceReport) -> None:
        self.why.setText(self._why(m, report))
        self.trials.setText(self._trials(m, report))
        self.stiffest.setText(table(("stiffness", "damping", "of the limit"), [
            (self._source(m, one.source), *measures(m, one), bold(f"{one.load:.3g}", one.load >= NEAR)) for one in report.stiffest]) or "Nothing acts like a spring or damper.")
        self.ratios.setText(table(("lighter", "heavier", "ratio"), [
            (f"{link(one.element)} and {link(one.other)}", *(f"{number(x)} {unbroken('kg' if one.what == 'mass' else 'kg m2')}" for x in (one.less, one.more)),
             bold(unbroken(f"1 : {one.ratio:.3g}"), one.ratio >= RATIO)) for one in report.ratios]) or "Neighbours are alike: no ratio above 100.")
        self.forces.setText(table(("largest", "growth"), [
            (self._source(m, one.source), f"{number(one.force)} {unbroken(one.unit)}", f"{one.growth:.3g} x" if one.growth < float("inf") else "new")
            for one in report.forces]) or "No forces.")
        self.rewind.setRange(0, max(1, report.number - self._divergence.work.steps.number))
        self.rewind.setValue(report.rewind)

    @staticmethod
    def _trials(m: Model, report: DivergenceReport) -> str:
        """How remedies are tried, and by what an applied one differs from that."""
        said = f"Each is tried in a run of its own from {report.rewind} steps before the last good state on, with the inputs of then."
        if report.varying:
            which = escape(", ".join(varying(m, name, rows) for name, rows in report.varying.items()))
            said += (f" Inputs changed in these steps ({which}): trials repeat that and then keep the last, while a remedy that is applied runs on with those of the state "
                     "it goes back to, until a slider or a script writes others.")
        return said

    def _why(self, m: Model, report: DivergenceReport) -> str:
        culprit = report.culprit
        lines = [f"<p><b>{' and '.join(link(what) + of_body(m, what) for what in culprit.elements)}{': ' if culprit.elements else ''}{escape(words(culprit.kind, not culprit.elements))}</b></p>"]
        lines += [f"<p>{escape(sentence)}</p>" for sentence in culprit.evidence]
        if report.dof is not None:
            dof, joint, share = report.dof
            body = element(m, "body", int(m.dof_bodyid[dof]))
            lines.append(f"<p>Dof {dof} led: {link(joint)} of {link(body)}, with {100 * share:.0f} % of the growth.</p>")
        others = [f"{' and '.join(map(link, other.elements)) or 'the model'}: {escape(words(other.kind))}" for other in report.culprits[1:1 + OTHERS]]
        if others:
            lines.append("<p>Also: " + "; ".join(others) + ".</p>")
        return "".join(lines)

    def _source(self, m: Model, source) -> str:
        elements = source.elements(m)
        kind = "" if source.kind == elements[0].kind else f"{escape(source.kind)} "
        return kind + " and ".join(link(what) + of_body(m, what) for what in elements)

    def _fill_offers(self, work) -> None:
        """A row for each remedy, with what is known of it by now."""
        remedies = work.report.remedies
        if [row.remedy for row in self.offers] != list(remedies):
            for row in self.offers:
                self._offers.removeWidget(row)
                row.deleteLater()
            self.offers = [OfferRow(remedy, self._divergence) for remedy in remedies]
            for row in self.offers:
                self._offers.addWidget(row)
        applies = self._divergence.applies
        trying = next((remedy for remedy in remedies if remedy not in work.outcomes), None) if work.running else None
        for row in self.offers:
            row.show_outcome(work.outcomes.get(row.remedy), row.remedy is trying, applies, self._divergence.beside(row.remedy))
        self.rewind.setEnabled(applies)
        self.back.setEnabled(applies)

    def _follow(self, where: str) -> None:
        if where == NEWEST:
            self._divergence.show_newest()
            return
        kind, _, index = where.partition(":")
        m = self._context.model
        if self._divergence.applies and m is not None:
            self._context.select_elements((element(m, kind, int(index)),))

    @property
    def report(self) -> DivergenceReport | None:
        """What is shown."""
        return self._shown[1]


def words(kind: str, capital: bool = False) -> str:
    """A kind of culprit in words."""
    return IN_WORDS[kind].capitalize() if capital else IN_WORDS[kind]


def link(what: Element) -> str:
    """An element as a link that selects it."""
    return f'<a href="{what.kind}:{what.id}">{escape(str(what))}</a>'


def of_body(m: Model, what: Element) -> str:
    """The body of a geom that has no name, as its number says little."""
    if what.kind != "geom" or what.name:
        return ""
    return f" of {escape(m.name('body', int(m.geom_bodyid[what.id])) or f'body {int(m.geom_bodyid[what.id])}')}"


def measures(m: Model, one: Stiff) -> tuple[str, str]:
    """Stiffness and damping with their units, '' for 0."""
    if one.inverse is None:
        units = ("1/s2", "1/s")
    else:
        force, length = units_of(m, one.source)
        units = (f"{force}/{length}", f"{force} s/{length}") if length else ("", "")
    return tuple(f"{number(value)} {unbroken(unit)}".strip() if value else "" for value, unit in zip((one.stiffness, one.damping), units, strict=True))


def varying(m: Model, name: str, rows: tuple[int, ...]) -> str:
    """Which inputs: 'ctrl of wrist_servo', 'xfrc_applied of hand and fore'."""
    kind, own = OWNERS.get(name, ("", None))
    if not kind:
        return name
    names = list(dict.fromkeys(str(element(m, kind, own(m, row))).removeprefix(f"{kind} ") for row in rows))
    return f"{name} of {', '.join(names[:MOST_ROWS])}" + (f" and {len(names) - MOST_ROWS} more" if len(names) > MOST_ROWS else "")


def unbroken(text: str) -> str:
    """Kept in one line."""
    return text.replace(" ", "\u00a0").replace("/", "/\u2060")


def number(value: float) -> str:
    """Short, '' for 0."""
    return f"{value:.3g}" if value else ""


def bold(text: str, on: bool) -> str:
    """Emphasised where `on`."""
    return f"<b>{text}</b>" if on else text


def table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Rich text; '' without rows. The first cell of a row has a line to itself, as it may be long in a narrow page; the others, below it, stand under the heads."""
    if not rows:
        return ""

    def line(cells: Sequence[str]) -> str:
        return "<tr>" + "".join(f'<td align="right" style="padding-left:8px">{cell}</td>' for cell in cells) + "</tr>"

    named = "".join(f'<tr><td colspan="{len(heads)}">{title}</td></tr>{line(cells)}' for title, *cells in rows)
    return f'<table width="100%">{line(heads)}{named}</table>'
