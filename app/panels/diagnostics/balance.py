"""Joint balance: all forces at the degrees of freedom of the selected joints, each part on its own; they add up to zero."""
from __future__ import annotations

from PyQt6.QtCore import QSize, Qt
from PyQt6.QtGui import QColor, QPixmap
from PyQt6.QtWidgets import QComboBox, QCompleter, QTreeWidgetItem, QVBoxLayout

from app.context import AppContext
from app.panels.diagnostics.balance_bars import COLOURS, ROUNDING, BalanceBars, bars_of, sum_text
from app.panels.diagnostics.fitted_tree import FittedTree, number_text, put
from app.panels.diagnostics.query_panel import QueryPanel
from physics.diagnostics.constraint_rows import DOF_PARTS
from physics.diagnostics.torque_balance import EXACT, GROUPS, TorqueBalance, joint_dofs, present_balance
from physics.model.data import Data
from physics.model.elements import Element, body_of, element
from physics.model.model import Model

NAME, VALUE = range(2)
ELEMENT = Qt.ItemDataRole.UserRole
MOST_DOFS = 24      # that are shown at once
MOST_PARTS = 40     # of a group that are listed one by one
MOVED = ("body", "geom", "site", "camera")      # kinds of elements whose body's joints are meant
EMPTY = "Select a joint or a body, or choose a joint above: what pushes at it, part by part."
NO_JOINTS = "Nothing in this model can move."
SLEEPS = "Its kinematic tree is asleep: nothing is computed for it."
LEFT = 1e-6         # of the largest part: what the solver leaves over is told from there on
SOLVER = "The part 'solver' is what the constraint solver left over when it stopped; a smaller tolerance or more iterations make it smaller."
WRONG = "The parts do not add up to zero: what Data holds does not belong to one state."


class BalancePanel(QueryPanel):
    """Follows the selection of joints, or of bodies, geoms and sites, whose joints are shown."""

    def __init__(self, context: AppContext):
        super().__init__(context)
        self.joints: tuple[int, ...] = ()
        self.balance: TorqueBalance | None = None
        self._dofs: tuple[int, ...] = ()
        self._count = 0                         # of the dofs of all chosen joints
        self._scratch: Data | None = None       # of the physics thread
        self.chooser = self._make_chooser()
        self.bars = BalanceBars()
        self.bars.chosen.connect(lambda _number: self._list_parts())
        self.bars.group_chosen.connect(self._show_group)
        self.table = FittedTree(("Part", ""), NAME)
        self.table.headerItem().setTextAlignment(VALUE, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.table.itemClicked.connect(self._item_clicked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.setSpacing(2)
        for part in (self.chooser, self.note, self.bars, self.table):
            layout.addWidget(part)
        layout.addStretch(1)
        self.fill_with_models(self._fill)
        context.model_changed.connect(self._let_go)
        context.selection_changed.connect(lambda _selection: self._follow())
        self._suit()

    def _make_chooser(self) -> QComboBox:
        box = QComboBox()
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.lineEdit().setPlaceholderText("joint")
        box.setToolTip("The joint; a few letters of its name are enough to find it")
        box.completer().setFilterMode(Qt.MatchFlag.MatchContains)
        box.completer().setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        box.activated.connect(self._chosen)
        return box

    # ------------------------------------------------------------------ what it is about

    def _let_go(self, model: Model) -> None:
        """Another Model runs: also where nobody looks nothing is kept of the one before."""
        scratch = self._scratch
        if scratch is not None and scratch.model is not model:
            self._scratch = None

    def _fill(self, model: Model) -> None:
        names = [model.names["joint"][j] or f"joint {j}" for j in range(model.njnt)]
        self.chooser.clear()
        self.chooser.addItems(names)
        self.chooser.setEnabled(model.njnt > 0)
        self.joints, self.balance = (), None
        self._follow(keep=False)

    def _chosen(self, number: int) -> None:
        model = self._context.model
        if model is not None and number < model.njnt:       # else the list is still that of the model before
            self._context.select_elements((element(model, "joint", number),))

    def _follow(self, keep: bool = True) -> None:
        """Be about the selected joints; keep: stay with those before where none is."""
        m = self._context.model
        if m is None or m is not self._filled_with:
            return
        joints = joints_of(m, self._context.selection.elements)
        if not joints and keep and self.joints:
            self._show_chosen()
            return
        self.joints = joints
        dofs = dofs_of(m, joints)
        self._dofs, self._count = dofs[:MOST_DOFS], len(dofs)
        self.balance = None
        self._show_chosen()
        self._say("" if self._dofs else NO_JOINTS if not m.njnt else EMPTY)
        self.bars.setVisible(bool(self._dofs))
        self.table.setVisible(bool(self._dofs))
        self._ask_at_once()

    def _show_chosen(self) -> None:
        if self.chooser.lineEdit().hasFocus() and self.chooser.view().isVisible():
            return
        self.chooser.setCurrentIndex(self.joints[-1] if self.joints else -1)
        if not self.joints:
            self.chooser.clearEditText()

    # ------------------------------------------------------------------ what it shows

    @property
    def _asks(self) -> bool:
        return bool(self._dofs)

    def _look(self, m: Model, d: Data) -> tuple[tuple[int, ...], TorqueBalance] | None:
        """In the physics thread."""
        dofs = self._dofs
        if m is not self._filled_with or not dofs:
            return None
        return dofs, present_balance(m, d, dofs, lambda: self._second(m))

    def _second(self, m: Model) -> Data:
        """Another Data, for states that are to be computed anew; in the physics thread."""
        scratch = self._scratch     # read once: the GUI thread lets it go
        if scratch is None or scratch.model is not m:
            scratch = self._scratch = Data(m)
        return scratch

    def _answered(self, found: tuple[tuple[int, ...], TorqueBalance] | None) -> None:
        if found is None or found[0] != self._dofs:
            return
        self.balance = found[1]
        active = joint_dofs(self._context.model, self.joints[-1])[0]
        self.bars.show_bars(bars_of(self.balance), self._dofs.index(active) if active in self._dofs else 0)
        self._list_parts()
        self._tell()

    def _tell(self) -> None:
        """What is worth a word: sleepers, a solver that was stopped, joints that are left out."""
        texts = []
        balance = self.balance
        if balance.asleep.any():
            texts.append(SLEEPS)
        if balance.left > LEFT:
            texts.append(SOLVER)
        if balance.error > EXACT:
            texts.append(WRONG)
        if self._count > len(self._dofs):
            texts.append(f"The first {len(self._dofs)} of {self._count} degrees of freedom are shown.")
        self._say(" ".join(texts))

    def _list_parts(self) -> None:
        """The parts of the chosen dof: a row per group, below it what it is made of; open groups and the chosen row stay."""
        balance, k = self.balance, self.bars.current
        if balance is None or k >= len(balance.dofs):
            return
        self.table.setHeaderLabels((f"Part of {balance.names[k]}", balance.units[k]))
        least = ROUNDING * balance.largest[k]
        totals = {group: [part for part in balance.parts if part.group == group and abs(part.values[k]) > least] for group in GROUPS}
        groups = [group for group, parts in totals.items() if parts]
        before = {self.table.topLevelItem(i).text(NAME): self.table.topLevelItem(i) for i in range(self.table.topLevelItemCount())}
        for name in before.keys() - {*groups, "sum"}:
            self.table.takeTopLevelItem(self.table.indexOfTopLevelItem(before[name]))
        for place, group in enumerate((*groups, "sum")):
            item = self.table.topLevelItem(place)
            if item is None or item.text(NAME) != group:
                item = QTreeWidgetItem([group, ""])
                self.table.insertTopLevelItem(place, item)
                self._dress(item, group)
            if group == "sum":
                put(item, VALUE, sum_text(float(balance.sum[k])))
                continue
            put(item, VALUE, number_text(float(balance.group(group)[k])))
            self._fill_group(item, sorted(totals[group], key=lambda part: -abs(part.values[k])), k)
        self.table.fit()

    def _dress(self, item: QTreeWidgetItem, group: str) -> None:
        """A swatch of the group's colour, what it is made of, a height as the others'."""
        item.setTextAlignment(VALUE, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setSizeHint(NAME, QSize(0, self.table.row_height()))
        item.setToolTip(NAME, GROUPS.get(group, "All parts added up: zero but for rounding"))
        font = self.table.font()
        font.setBold(group == "sum")
        item.setFont(NAME, font)
        if group in COLOURS:
            side = self.fontMetrics().ascent()
            swatch = QPixmap(side, side)
            swatch.fill(QColor(COLOURS[group]))
            item.setData(NAME, Qt.ItemDataRole.DecorationRole, swatch)

    def _fill_group(self, item: QTreeWidgetItem, parts: list, k: int) -> None:
        """What a group is made of; a single part without an element of its own says nothing more than the group."""
        listed = parts[:MOST_PARTS] if len(parts) > 1 or parts[0].element is not None else []
        more = len(parts) - len(listed) if listed else 0
        while item.childCount() > len(listed) + bool(more):
            item.removeChild(item.child(item.childCount() - 1))
        while item.childCount() < len(listed) + bool(more):
            child = self.table.add(item, ["", ""])
            child.setTextAlignment(VALUE, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for child, part in zip(map(item.child, range(len(listed))), listed, strict=True):
            put(child, NAME, part.name.removeprefix(f"{part.group} of "), f"{part.name}. A click selects it." if part.element is not None else part.name)
            put(child, VALUE, number_text(float(part.values[k])))
            child.setData(NAME, ELEMENT, part.element)
        if more:
            last = item.child(len(listed))
            put(last, NAME, f"{more} smaller one{'s' * (more != 1)}", f"All others of {item.text(NAME)} together")
            put(last, VALUE, number_text(float(sum(part.values[k] for part in parts[MOST_PARTS:]))))
            last.setData(NAME, ELEMENT, None)

    def _show_group(self, group: str) -> None:
        for i in range(self.table.topLevelItemCount()):
            item = self.table.topLevelItem(i)
            if item.text(NAME) == group:
                item.setExpanded(True)
                self.table.setCurrentItem(item)

    def _item_clicked(self, item: QTreeWidgetItem, _column: int) -> None:
        what = item.data(NAME, ELEMENT)
        if isinstance(what, Element):
            self._context.select_elements((what,))

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == event.Type.FontChange and hasattr(self, "table"):
            self._suit()

    def _suit(self) -> None:
        self.table.header().resizeSection(VALUE, self.fontMetrics().horizontalAdvance("-0.0000e+00") + 8)

    def text(self, part: str) -> str:
        """The figure that is shown of a group, or of a part of one; '' where there is none."""
        items = [self.table.topLevelItem(i) for i in range(self.table.topLevelItemCount())]
        items += [item.child(i) for item in items for i in range(item.childCount())]
        return next((item.text(VALUE) for item in items if item.text(NAME) == part), "")


def joints_of(m: Model, elements: tuple[Element, ...]) -> tuple[int, ...]:
    """The joints that are selected, and those that move selected bodies, geoms and sites; each once."""
    out: dict[int, None] = {}
    for what in elements:
        if what.kind == "joint":
            out[what.id] = None
        elif what.kind in MOVED:
            body = int(m.body_weldid[body_of(m, what)])
            first = int(m.body_jntadr[body])
            out.update(dict.fromkeys(range(first, first + int(m.body_jntnum[body])) if first >= 0 else ()))
    return tuple(out)


def dofs_of(m: Model, joints: tuple[int, ...]) -> tuple[int, ...]:
    """The dofs of these joints, joint by joint."""
    starts = m.jnt_dofadr[list(joints)].tolist()
    return tuple(dof for start, joint in zip(starts, joints, strict=True) for dof in range(start, start + len(DOF_PARTS[int(m.jnt_type[joint])])))
