"""Keyframes: those of the model and of the window with small pictures; going to them, storing, blending, mirroring, copying in part, writing into the text."""
from __future__ import annotations

from PyQt6.QtCore import QEvent, QModelIndex, QPoint, Qt, QTimer
from PyQt6.QtGui import QGuiApplication, QPixmap
from PyQt6.QtWidgets import QAbstractItemView, QCheckBox, QGridLayout, QHBoxLayout, QLabel, QListWidget, QListWidgetItem, QMenu, QPushButton, QSlider, QToolButton, QVBoxLayout

from app.context import AppContext
from app.controllers.simulation import SimulationController
from app.panels.bookmarks import GONE, IMAGE, PRESENT, BookmarkRow
from app.panels.diagnostics.query_panel import show_note
from app.panels.live_panel import LivePanel
from app.posing.key_text import key_xml
from app.posing.keyframes import KeyRow, Keyframes
from app.session import Session
from physics.model.elements import body_of
from physics.runtime.snapshot import Snapshot

EMPTY = "The model has no keyframes. New keyframe keeps the present state here; it can be written into the text."
ROW, PLACE = (int(Qt.ItemDataRole.UserRole) + k for k in (10, 11))     # roles: the KeyRow; where it is, in words
BLEND_STEPS = 100
PAUSED_ONLY = "Only while paused"


class KeyDelegate(BookmarkRow):
    """The picture, beside it the name above time and place."""

    def below(self, index: QModelIndex) -> str:
        row: KeyRow = index.data(ROW)
        return ", ".join([f"{row.key.time:.3f} s", "in the window" if row.own is not None else index.data(PLACE) or "in the model"])


class KeyframesPanel(LivePanel):
    """A list; a double-click goes to a keyframe, F2 renames and Delete removes those of the window."""

    scrolls = False

    def __init__(self, context: AppContext, keyframes: Keyframes, simulation: SimulationController, session: Session):
        super().__init__(context)
        self._keyframes, self._simulation, self._session = keyframes, simulation, session
        self._start, self._changed_targets, self._renaming = -2, None, False
        self.note = QLabel(EMPTY)
        self.note.setWordWrap(True)
        self.list = QListWidget()
        self.list.setItemDelegate(KeyDelegate(self.list))
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.setAccessibleName("Keyframes")
        self.list.itemDoubleClicked.connect(lambda item: self.load(item.data(ROW)))
        self.list.itemChanged.connect(self._renamed)
        self.list.itemSelectionChanged.connect(self._chosen_changed)
        self.list.customContextMenuRequested.connect(self._ask)
        self.list.installEventFilter(self)
        self._make_buttons()
        self._make_blend()
        self._lay_out()
        keyframes.changed.connect(self._fill)
        keyframes.pictures.changed.connect(self._show_pictures)
        context.selection_changed.connect(lambda _selection: self._show_buttons())
        self.fill_with_models(lambda _model: self._fill())

    def _make_buttons(self) -> None:
        keyframes = self._keyframes
        self.new = _button("New keyframe", "Keep the present state as a keyframe of the window", lambda: keyframes.add("keyframe"))
        self.go = _button("Go to", "The run goes on from the chosen keyframe", lambda: self.load(self.chosen[0]))
        self.store = _button("Store here", "Make the chosen keyframe the present state; one of the model in memory, not in the file", lambda: keyframes.store(self.chosen[0]))
        self.mirror = _button("Mirror", "The mirror image of the chosen keyframe, left and right exchanged, as another one", self._mirror)
        self.copy_part = _button("Copy part", "", self._copy_part)
        self.write = _button("Write into the text", "", self._write)
        self.keep_time = QCheckBox("Keep the time")
        self.keep_time.setToolTip("Go to the keyframe's state at the present time, not at the keyframe's")
        self.more = QToolButton()
        self.more.setText("\u22ee")
        self.more.setToolTip("What else can be done with the chosen keyframe")
        self.more.clicked.connect(lambda _checked=False: self._open_menu(self.menu_for(self.chosen), self.more.mapToGlobal(QPoint(0, self.more.height()))))
        self.said = QLabel("")
        self.said.setWordWrap(True)

    def _make_blend(self) -> None:
        self.blend = QSlider(Qt.Orientation.Horizontal)
        self.blend.setRange(0, BLEND_STEPS)
        self.blend.setAccessibleName("Blend")
        self.blend.setToolTip("Between two chosen keyframes: drawn as a ghost; while paused it is the state when the slider is let go")
        self.blend.valueChanged.connect(lambda _value: self._show_blend())
        self.blend.sliderReleased.connect(self._set_blend)
        self.blend_text = QLabel("")
        self.blend_text.setWordWrap(True)
        self.keep_blend = _button("Keep", "Keep the blend as a keyframe of the window", self._keep_blend)

    def _lay_out(self) -> None:
        grid = QGridLayout()
        for k, button in enumerate((self.go, self.store, self.mirror, self.copy_part)):
            grid.addWidget(button, k // 2, k % 2)
        first, last, blend = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        first.addWidget(self.new, 1)
        first.addWidget(self.more)
        last.addWidget(self.write, 1)
        last.addWidget(self.keep_time)
        blend.addWidget(self.blend, 1)
        blend.addWidget(self.keep_blend)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        for part in (first, self.note, self.list, grid, last, self.blend_text, blend, self.said):
            if isinstance(part, (QLabel, QListWidget)):
                column.addWidget(part, int(part is self.list))
            else:
                column.addLayout(part)
        self.said.hide()

    # ------------------------------------------------------------------ the list

    @property
    def chosen(self) -> list[KeyRow]:
        """Those that are chosen, in the order of the list."""
        rows = [self.list.item(k) for k in range(self.list.count())]
        return [item.data(ROW) for item in rows if item.isSelected()]

    def _fill(self) -> None:
        """All keyframes anew; what is chosen by name."""
        if not self.seen or self._renaming:
            return
        names = [row.name for row in self.chosen]
        self.list.blockSignals(True)
        self.list.clear()
        for row in self._keyframes.rows():
            item = QListWidgetItem(row.name)
            if row.own is not None:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            item.setData(ROW, row)
            item.setData(GONE, "")
            item.setData(IMAGE, QPixmap())
            item.setToolTip("Double-click: go there")
            self.list.addItem(item)
            item.setSelected(row.name in names)
        self.list.blockSignals(False)
        self.note.setVisible(not self.list.count())
        self._start, self._changed_targets = -2, None
        self._show_pictures()
        self._chosen_changed()
        if self._context.snapshot is not None and self._context.snapshot.model is self._context.model:
            self.show_snapshot(self._context.snapshot)

    def seen_changed(self, seen: bool) -> None:
        super().seen_changed(seen)
        if seen:
            self._fill()
        else:
            self._keyframes.show_ghost(None)

    def _show_pictures(self) -> None:
        """Those that are there; the others are asked for while the panel is seen."""
        m = self._context.model
        if m is None or not self.seen:
            return
        self.list.blockSignals(True)
        keys = []
        for k in range(self.list.count()):
            item = self.list.item(k)
            row = item.data(ROW)
            picture = self._keyframes.pictures.of(m, row.key) if row.key.fits(m) else None
            if picture is not None:
                item.setData(IMAGE, picture)
            keys.append(row.key)
        self.list.blockSignals(False)
        self.list.viewport().update()
        self._keyframes.pictures.want(m, [key for key in keys if key.fits(m)])

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Which keyframe the run starts at, and which differ from the file."""
        changed = tuple(change.label for change in snapshot.changed_values if change.target.startswith("key["))
        if (snapshot.start_key, changed) != (self._start, self._changed_targets):
            was = self._changed_targets
            self._start, self._changed_targets = snapshot.start_key, changed
            self.list.blockSignals(True)
            for k in range(self.list.count()):
                item, row = self.list.item(k), self.list.item(k).data(ROW)
                item.setData(PRESENT, row.number is not None and row.number == snapshot.start_key)
                item.setData(PLACE, ("in the model, not as in the file" if any(row.name in label for label in changed) else "in the model") + (", start" if row.number == snapshot.start_key else ""))
            self.list.blockSignals(False)
            self.list.viewport().update()
            if was is not None and was != changed:      # another state was stored in one
                self._fill()
        self._show_buttons()

    # ------------------------------------------------------------------ what can be done

    def _show_buttons(self) -> None:
        chosen, paused = self.chosen, not self._simulation.running
        for button in (self.go, self.store, self.mirror):
            button.setEnabled(len(chosen) == 1)
        why = self._keyframes.why_not_written()
        self.write.setEnabled(len(chosen) == 1 and not why)
        self.write.setToolTip(why or "Put the chosen keyframe into the text where it stands, a new one into the section <keyframe> of the main file, where it can be undone, and apply the text")
        bodies = self.selected_bodies
        self.copy_part.setEnabled(len(chosen) == 1 and paused and bool(bodies))
        tip = "The joints, controls and mocap poses of the selected bodies, with all that they carry, from the chosen keyframe into the present state"
        self.copy_part.setToolTip(tip if paused and bodies else f"{tip}. {PAUSED_ONLY if not paused else 'Select bodies first'}")
        for widget in (self.blend, self.keep_blend):
            widget.setEnabled(len(chosen) == 2)
        self.more.setEnabled(bool(chosen))

    @property
    def selected_bodies(self) -> list[int]:
        """Bodies of what is selected in the window, the world left out."""
        m = self._context.model
        found = [what.id if what.kind == "body" else body_of(m, what) for what in self._context.selection.elements] if m is not None else []
        return [b for b in dict.fromkeys(found) if b > 0]

    def _chosen_changed(self) -> None:
        chosen = self.chosen
        self._keyframes.show_ghost(None)
        if len(chosen) != 2:
            self.blend.blockSignals(True)
            self.blend.setValue(0)
            self.blend.blockSignals(False)
        self.blend_text.setText(f"Blend {chosen[0].name} to {chosen[1].name}" if len(chosen) == 2 else "Choose two keyframes to blend them")
        self._show_buttons()

    def load(self, row: KeyRow) -> None:
        """Go to a keyframe."""
        self._keyframes.show_ghost(None)
        self._keyframes.load(row, self.keep_time.isChecked())

    def _say(self, text: str) -> None:
        show_note(self.said, text)

    def _mirror(self) -> None:
        made, said = self._keyframes.mirror(self.chosen[0])
        self._say(f"Mirrored: {said}." if made is not None else "")
        if made is not None:
            self._choose(made.name)

    def _choose(self, name: str) -> None:
        for k in range(self.list.count()):
            self.list.item(k).setSelected(self.list.item(k).text() == name)
            if self.list.item(k).text() == name:
                self.list.scrollToItem(self.list.item(k))

    def _copy_part(self) -> None:
        self._keyframes.copy_part(self.chosen[0], self.selected_bodies, True)

    def _write(self) -> None:
        self._say("" if self._keyframes.write(self.chosen[0]) else "Not written; the log says why.")

    # ------------------------------------------------------------------ blending

    def _blended(self):
        chosen = self.chosen
        return self._keyframes.blended(*chosen, self.blend.value() / BLEND_STEPS) if len(chosen) == 2 else None

    def _show_blend(self) -> None:
        key = self._blended()
        if key is not None:
            self._keyframes.show_ghost(key, f"{self.blend.value()} %")
            if not self.blend.isSliderDown():   # by keys
                self._set_blend()

    def _set_blend(self) -> None:
        key = self._blended()
        if key is not None and self._keyframes.set_blend(key):
            self._keyframes.show_ghost(None)

    def _keep_blend(self) -> None:
        one, two = self.chosen
        made = self._keyframes.add(f"{one.name}_{two.name}_{self.blend.value()}", self._blended())
        if made is not None:
            self._choose(made.name)

    # ------------------------------------------------------------------ menus and keys

    def _renamed(self, item: QListWidgetItem) -> None:
        self._renaming = True       # the list is not made anew beneath its editor
        self._keyframes.rename(item.data(ROW), item.text())
        self._renaming = False
        QTimer.singleShot(0, self._fill)

    def eventFilter(self, watched, event: QEvent) -> bool:
        if watched is self.list and event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_F2:
            event.accept()      # the key renames here, whatever it does in the window
            return True
        if watched is self.list and event.type() == QEvent.Type.KeyPress and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._delete()
            return True
        return super().eventFilter(watched, event)

    def _delete(self) -> None:
        self._keyframes.own.remove([row.own for row in self.chosen if row.own is not None])

    def _ask(self, at: QPoint) -> None:
        item = self.list.itemAt(at)
        if item is not None:
            self._open_menu(self.menu_for(self.chosen if item.isSelected() else [item.data(ROW)]), self.list.viewport().mapToGlobal(at))

    def _open_menu(self, menu: QMenu, at: QPoint) -> None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)

    def menu_for(self, rows: list[KeyRow]) -> QMenu:
        """What can be done with keyframes, the first of them where it is for one."""
        menu, keyframes = QMenu(self), self._keyframes
        if not rows:
            return menu
        row, m = rows[0], self._context.model
        menu.addAction("Go to", lambda: self.load(row))
        ghost = menu.addAction("Show as a ghost", lambda: keyframes.show_ghost(row.key, row.name))
        ghost.setEnabled(row.key.fits(m))
        menu.addAction("Hide the ghost", lambda: keyframes.show_ghost(None)).setEnabled(bool(keyframes.ghosts))
        menu.addSeparator()
        start = menu.addAction("Start and reset here", lambda: keyframes.start_at(None if row.number == self._start else row))
        start.setCheckable(True)
        start.setChecked(row.number is not None and row.number == self._start)
        start.setEnabled(row.number is not None)
        start.setToolTip("" if row.number is not None else "Write it into the text first")
        menu.addAction("Copy as <key>", lambda: QGuiApplication.clipboard().setText("\n".join(key_xml(m, one.key, one.name) for one in rows)))
        menu.addSeparator()
        item = next((self.list.item(k) for k in range(self.list.count()) if self.list.item(k).data(ROW).name == row.name), None)
        menu.addAction("Rename", lambda: self.list.editItem(item)).setEnabled(row.own is not None)
        own = [one.own for one in rows if one.own is not None]
        menu.addAction("Delete" if len(own) < 2 else f"Delete {len(own)} keyframes", lambda: keyframes.own.remove(own)).setEnabled(bool(own))
        return menu


def _button(text: str, tip: str, pressed) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    button.clicked.connect(lambda _checked=False: pressed())
    return button
