"""Lint: findings of the rules for models at rest, by rule; what each means, and buttons that mend it."""
from __future__ import annotations

from html import escape
from types import MappingProxyType

from PyQt6.QtCore import QEvent, QSize, Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QMenu, QPushButton, QScrollArea, QSizePolicy, QSplitter, QToolButton, QVBoxLayout, QWidget

from app.context import AppContext
from app.controllers.document_selection import DocumentSelection
from app.controllers.selection import SelectionController
from app.panels.lint.finding_tree import WHERE, FindingTree
from app.panels.lint.linting import Linting
from app.panels.live_panel import Sight
from app.session import Session
from physics.lint.finding import ERROR, NOTE, WARNING, Finding
from physics.lint.table import RULES, by_id

NOTHING = "No findings: none of the rules has anything to say of this model."
ALL_IGNORED = "All findings of this model are ignored."
CHOOSE = "Choose a finding to read what it means and what can be done."
WORDS = MappingProxyType({ERROR: "error", WARNING: "warning", NOTE: "note"})
LINES, LEAST_LINES = 14, 6
BESIDE, NARROW = 66, 40      # letters: from that width on the details stand beside the list; below that one the list has no lines


class _DetailsArea(QScrollArea):
    """What scrolls up and down only: never narrower than what it shows."""

    def minimumSizeHint(self) -> QSize:
        inner = self.widget().minimumSizeHint().width() if self.widget() is not None else 0
        return QSize(inner + self.verticalScrollBar().sizeHint().width(), super().minimumSizeHint().height())


class LintPanel(QWidget):
    """The list above, what the chosen finding means below (beside it, where there is room)."""

    scrolls = False

    def __init__(self, context: AppContext, session: Session, selection: SelectionController, document_selection: DocumentSelection):
        super().__init__()
        self._context, self._selection, self._document_selection = context, selection, document_selection
        self.linting = Linting(context, session, self)
        self.tree = FindingTree()
        self.rules = QComboBox()
        self.rules.setToolTip("Findings of which rule are listed")
        self.rules.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.rules.activated.connect(lambda _index: self._fill())
        self.summary = _text(False)
        self.show_ignored = QToolButton()
        self.show_ignored.setCheckable(True)
        self.show_ignored.setToolTip("List what is ignored of this model, too")
        self.show_ignored.toggled.connect(lambda _on: self._fill())
        self._make_details()
        self._lay_out()
        self._shown: tuple = ()
        self.tree.chosen.connect(self._chosen)
        self.tree.went_to.connect(self._go_to)
        self.tree.menu_wanted.connect(self._show_menu)
        self.linting.changed.connect(self._changed)
        self._sight = Sight(self)
        self._sight.changed.connect(self._seen_changed)
        self._changed()

    # ------------------------------------------------------------------ making it

    def _make_details(self) -> None:
        self.details = _text(True)
        self.details.setText(escape(CHOOSE))
        self.fix, self.fix_all, self.ignore, self.copy = QToolButton(), QPushButton(), QPushButton("Ignore"), QPushButton("Copy")
        self.fix.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.fix.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.fix.clicked.connect(lambda _checked=False: self._fix(0))
        self.fix_all.clicked.connect(lambda _checked=False: self._fix_all())
        self.ignore.clicked.connect(lambda _checked=False: self._ignore())
        self.copy.setToolTip("The finding as text")
        self.copy.clicked.connect(lambda _checked=False: QGuiApplication.clipboard().setText("\n".join(str(f) for f in self.tree.chosen_findings)))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.rules, 1)
        head.addWidget(self.show_ignored)
        listed = QWidget()
        column = QVBoxLayout(listed)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self.summary)
        column.addWidget(self.tree, 1)
        inner = QWidget()
        told = QVBoxLayout(inner)
        told.setContentsMargins(0, 0, 4, 0)
        told.addWidget(self.details)
        for button in (self.fix, self.fix_all):     # as wide as there is room: what does not fit is told by their tips
            button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            told.addWidget(button)
        row = QHBoxLayout()
        for button in (self.ignore, self.copy):
            row.addWidget(button)
        row.addStretch(1)
        told.addLayout(row)
        told.addStretch(1)
        area = _DetailsArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inner)
        self.tree.setMinimumHeight(4 * self.tree.fontMetrics().height())     # its header and a row or two, in a low window
        self.parts = QSplitter(Qt.Orientation.Horizontal)
        self.parts.setChildrenCollapsible(False)
        for part, share in ((listed, 3), (area, 2)):
            self.parts.addWidget(part)
            self.parts.setStretchFactor(self.parts.count() - 1, share)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.parts, 1)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        letters = self.width() / self.fontMetrics().horizontalAdvance("0")
        wanted = Qt.Orientation.Horizontal if letters > BESIDE else Qt.Orientation.Vertical
        if self.parts.orientation() != wanted:
            self.parts.setOrientation(wanted)
        self.tree.setColumnHidden(WHERE, letters < NARROW)      # the details tell the place, too

    def sizeHint(self) -> QSize:
        """Room for a dozen lines."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance("0") * 60, metrics.lineSpacing() * LINES)

    def minimumSizeHint(self) -> QSize:
        """Room for a few."""
        return QSize(self.fontMetrics().horizontalAdvance("0") * 24, self.fontMetrics().lineSpacing() * LEAST_LINES)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_shown"):     # icons are coloured by hand
            self._shown = ()
            self._fill()

    # ------------------------------------------------------------------ what is shown

    def _seen_changed(self, seen: bool) -> None:
        self.linting.set_seen(seen)
        self._changed()

    def _changed(self) -> None:
        if self._sight is not None and self.linting.seen:
            self._fill()

    @property
    def listed(self) -> list[Finding]:
        """The findings that are listed, in order."""
        rule, ignored = self.rules.currentData(), self.linting.ignored
        return [f for f in self.linting.findings if rule in (None, f.rule) and (self.show_ignored.isChecked() or f.key not in ignored)]

    def _fill(self) -> None:
        findings, ignored = self.linting.findings, self.linting.ignored
        mine = sum(f.key in ignored for f in findings)
        self._fill_rules([f for f in findings if self.show_ignored.isChecked() or f.key not in ignored])
        self.show_ignored.setText(f"Ignored: {mine}")
        self.show_ignored.setVisible(bool(mine) or self.show_ignored.isChecked())
        listed, note = self.listed, self.linting.note
        if not listed and not note:
            note = ALL_IGNORED if mine else NOTHING
        counts = ", ".join(f"{n} {word}{'' if n == 1 else 's'}" for severity, word in WORDS.items() if (n := sum(f.severity == severity for f in listed)))
        self.summary.setText(". ".join(filter(None, [counts, note])) if counts else note)
        shown = tuple((f, f.key in ignored) for f in listed)
        if shown != self._shown:
            self._shown = shown
            self.tree.show_findings(listed, ignored)
        self._chosen()

    def _fill_rules(self, findings: list[Finding]) -> None:
        counts = {rule.id: sum(f.rule == rule.id for f in findings) for rule in RULES}
        rows = [(f"All rules ({len(findings)})", None), *((f"{rule.title} ({counts[rule.id]})", rule.id) for rule in RULES if counts[rule.id])]
        if rows == [(self.rules.itemText(k), self.rules.itemData(k)) for k in range(self.rules.count())]:
            return
        before = self.rules.currentData()
        self.rules.clear()
        for text, rule in rows:
            self.rules.addItem(text, rule)
        self.rules.setCurrentIndex(max(0, self.rules.findData(before)))

    # ------------------------------------------------------------------ the chosen finding

    def _chosen(self) -> None:
        chosen, rule = self.tree.chosen_findings, self.tree.chosen_rule
        one = chosen[0] if len(chosen) == 1 else None
        for button in (self.fix, self.fix_all, self.ignore, self.copy):
            button.setVisible(bool(chosen))
        if not chosen:
            self.details.setText(escape(CHOOSE) if self.tree.topLevelItemCount() else "")
            return
        self.details.setText(_told(one) if one is not None else _rule_told(rule or chosen[0].rule, len(chosen)))
        ignored = self.linting.ignored
        self.ignore.setText("Do not ignore" if all(f.key in ignored for f in chosen) else "Ignore")
        self.ignore.setToolTip("Not told again of this model, also after it is opened the next time")
        self._offer(chosen, one)

    def _offer(self, chosen: list[Finding], one: Finding | None) -> None:
        """Buttons that mend."""
        fixes = one.fixes if one is not None else ()
        self.fix.setVisible(bool(fixes))
        self.fix.setText(fixes[0].label if fixes else "")
        self.fix.setToolTip(_fix_tip(fixes[0]) if fixes else "")
        menu = QMenu(self.fix) if len(fixes) > 1 else None
        for which, fix in enumerate(fixes[1:] if menu else (), 1):
            action = menu.addAction(fix.label, lambda which=which: self._fix(which))
            action.setToolTip(_fix_tip(fix))
        old = self.fix.menu()
        self.fix.setMenu(menu)
        self.fix.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup if menu else QToolButton.ToolButtonPopupMode.DelayedPopup)
        if old is not None:
            old.deleteLater()
        alike = self._alike(chosen)
        self.fix_all.setVisible(len(alike) > 1)
        self.fix_all.setText(f"Fix all {len(alike)} of this rule")
        self.fix_all.setToolTip("Mend all that are listed of this rule, as one step that can be undone")

    def _alike(self, chosen: list[Finding]) -> list[Finding]:
        """What is listed of the chosen rule and can be mended."""
        ignored = self.linting.ignored
        return [f for f in self.listed if f.rule == chosen[0].rule and f.fixes and f.key not in ignored]

    def _fix(self, which: int) -> None:
        self.linting.fix(self.tree.chosen_findings[:1], which)

    def _fix_all(self) -> None:
        if chosen := self.tree.chosen_findings:
            self.linting.fix(self._alike(chosen))

    def _ignore(self) -> None:
        chosen = self.tree.chosen_findings
        if chosen:
            self.linting.ignore([f.key for f in chosen], not all(f.key in self.linting.ignored for f in chosen))

    def _go_to(self, finding: Finding) -> None:
        """Select its element, in the document and in the model, and show its line."""
        if finding.element:
            self._document_selection.select([finding.element])
        else:       # of an attached model, whose text is no part of the document
            self._context.select_elements(finding.items)
        if finding.place is not None:
            self._selection.place_wanted.emit(finding.place)
            self.tree.setFocus()

    def _show_menu(self, at) -> None:
        chosen = self.tree.chosen_findings
        if not chosen:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if len(chosen) == 1:
            for which, fix in enumerate(chosen[0].fixes):
                menu.addAction(fix.label, lambda which=which: self._fix(which))
            if chosen[0].items:
                words = f"Select all {len(chosen[0].items)} in the model" if len(chosen[0].items) > 1 else "Select in the model"
                menu.addAction(words, lambda: self._context.select_elements(chosen[0].items))
        if len(self._alike(chosen)) > 1:
            menu.addAction(self.fix_all.text(), self._fix_all)
        menu.addAction(self.ignore.text(), self._ignore)
        menu.addAction("Copy", self.copy.click)
        menu.popup(at)


def _text(rich: bool) -> QLabel:
    label = QLabel("")
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.RichText if rich else Qt.TextFormat.PlainText)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    if rich:
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _told(finding: Finding) -> str:
    rule = by_id(finding.rule)
    lines = [f"<b>{escape(rule.title)}</b> ({WORDS[finding.severity]})", escape(finding.text)]
    lines += [f"<i>Try:</i> {escape(finding.remedy)}"] if finding.remedy else []
    lines.append(escape(rule.meaning))
    if finding.place is not None:
        lines.append(f"<small>{escape(finding.path)}<br>{escape(str(finding.place))}</small>")
    return "".join(f'<p style="margin:0 0 4px 0">{line}</p>' for line in lines)


def _rule_told(rule: str, count: int) -> str:
    row = by_id(rule)
    return f'<p style="margin:0 0 4px 0"><b>{escape(row.title)}</b> ({count} findings)</p><p style="margin:0">{escape(row.meaning)}</p>'


def _fix_tip(fix) -> str:
    return f"{fix.label}. " + ("The motion stays the same" if fix.keeps else "This changes how the model moves") + "; can be undone."
