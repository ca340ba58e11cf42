"""How each parameter of a contact came about: a row each, below it what every source says and what was made of it, and the rule in words for the row that is chosen."""
from __future__ import annotations

from types import MappingProxyType

from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtGui import QFont
from PyQt6.QtWidgets import QLabel, QTreeWidgetItem, QVBoxLayout, QWidget

from app.panels.diagnostics.fitted_tree import FittedTree, number_text, numbers_text, put
from physics.diagnostics.contact_parameters import ContactParameters, Parameter

NAME, VALUE, RULE = range(3)
FIRST = ("friction", "solref", "solreflimit", "solreffriction")     # of which one is explained at first
MEANINGS = MappingProxyType({
    "condim": "condim: how many directions the contact has: 1 normal, 3 tangents too, 4 spin, 6 rolling",
    "friction": "friction: coefficients along both tangents, about the normal [m], about both tangents [m]",
    "adhesion": "adhesion: pull that the contact can bear [N]",
    "margin": "margin (includemargin): distance below which the geoms push on each other [m]",
    "gap": "gap: distance beyond the margin up to which contacts are listed without pushing [m]",
    "solref": "solref: time constant [s] and damping ratio, or -stiffness and -damping",
    "solreffriction": "solreffriction: the same along the tangents of elliptic cones; 0 0: solref counts",
    "solimp": "solimp: d0, dwidth, width [m], midpoint, power of the impedance",
})


class ProvenanceTable(QWidget):
    """show_parameters() keeps which rows are open and chosen."""

    def __init__(self, meanings: dict[str, str] = MEANINGS):
        super().__init__()
        self._meanings = meanings
        self.tree = FittedTree(("Parameter", "Value", "Rule"), VALUE, wraps=True)
        self.why = QLabel("")
        self.why.setWordWrap(True)
        self.why.setMargin(4)
        self.why.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._shown: ContactParameters | None = None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(1)
        layout.addWidget(self.tree)
        layout.addWidget(self.why)
        self.tree.currentItemChanged.connect(lambda *_items: self._explain())
        self._suit()

    def show_parameters(self, found: ContactParameters) -> None:
        """Show these."""
        if found == self._shown:
            return
        opened = {self.tree.topLevelItem(k).text(NAME) for k in range(self.tree.topLevelItemCount()) if self.tree.topLevelItem(k).isExpanded()}
        chosen, self._shown = self.chosen, found
        names = [parameter.name for parameter in found.parameters]
        if [self.tree.topLevelItem(k).text(NAME) for k in range(self.tree.topLevelItemCount())] != names:
            self.tree.clear()
            for name in names:
                self.tree.add(None, [name, "", ""], self._meanings.get(name, ""))
        for k, parameter in enumerate(found.parameters):
            item = self.tree.topLevelItem(k)
            put(item, VALUE, text := numbers_text(parameter.value), named_text(parameter) or text)
            put(item, RULE, rule_text(parameter), parameter.why)
            self._fill(item, parameter)
            item.setExpanded(parameter.name in opened)
        self.tree.setCurrentItem(self.tree.topLevelItem(names.index(next(name for name in (chosen, *FIRST, names[0]) if name in names))))
        self.tree.fit()
        self._explain()

    def _fill(self, item: QTreeWidgetItem, parameter: Parameter) -> None:
        rows = [(c.element.name if c.element is not None and c.element.name else c.source, numbers_text(c.value),
                 "counts" if all(c.decides) else "in part" if any(c.decides) else "", any(c.decides)) for c in parameter.candidates]
        if parameter.used != parameter.value or parameter.clamps:
            rows += [(clamp.name, _clamp_text(parameter, clamp), "clamp", False) for clamp in parameter.clamps]
            rows.append(("used", numbers_text(parameter.used), "", True))
        while item.childCount() > len(rows):
            item.removeChild(item.child(item.childCount() - 1))
        while item.childCount() < len(rows):
            self.tree.add(item, ["", "", ""])
        for k, (source, value, says, counts) in enumerate(rows):
            child, tip = item.child(k), parameter.candidates[k].source if k < len(parameter.candidates) else ""
            number = k - len(parameter.candidates)
            if 0 <= number < len(parameter.clamps):
                tip = parameter.clamps[number].text
            put(child, NAME, source, tip)
            put(child, VALUE, value, f"{tip}: {value}".removeprefix(": "))
            put(child, RULE, says, tip)
            font = QFont(self.tree.font())
            font.setBold(counts)
            child.setFont(VALUE, font)

    @property
    def chosen(self) -> str:
        """The parameter that is explained."""
        item = self.tree.currentItem()
        while item is not None and item.parent() is not None:
            item = item.parent()
        return item.text(NAME) if item is not None else ""

    def _explain(self) -> None:
        name = self.chosen
        if self._shown is None or not name:
            self.why.clear()
            return
        parameter = self._shown[name]
        by_name = {clamp.name: clamp for clamp in parameter.clamps}
        lines = [f"{name}: {parameter.why}", *(f"Clamp {clamp.name}: {clamp.text}." for clamp in by_name.values())]
        text = "\n".join(lines)
        if self.why.text() != text:
            self.why.setText(text)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "why"):
            self._suit()

    def _suit(self) -> None:
        metrics = self.tree.fontMetrics()
        self.tree.header().resizeSection(NAME, metrics.horizontalAdvance("solreffriction") + 28)
        self.tree.header().resizeSection(RULE, metrics.horizontalAdvance("maximum") + 12)


def named_text(parameter: Parameter) -> str:
    """Each number of a parameter with what it is called, '' where it is one alone."""
    return "\n".join(f"{name} = {value!r}" for name, value in zip(parameter.numbers, parameter.value, strict=True)) if len(parameter.numbers) > 1 else ""


def rule_text(parameter: Parameter) -> str:
    """The rule in a word; with a clamp behind it that is told."""
    return parameter.rule.value + (" *" if parameter.clamps else "")


def _clamp_text(parameter: Parameter, clamp) -> str:
    which = parameter.numbers[clamp.number] if len(parameter.numbers) > 1 else ""
    return f"{which} {number_text(clamp.before)} → {number_text(clamp.after)}".strip()
