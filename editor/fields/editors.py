"""The editors of values, by the kind of a row (editor.inspect.rows): what they show comes from the row, what the user does in them goes out as signals."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap
from PyQt6.QtWidgets import QButtonGroup, QComboBox, QFileDialog, QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from editor.fields.number_field import MIXED, NumberField, PlainField
from editor.fields.reference_editor import ReferenceBox
from editor.inspect import rows
from editor.inspect.rows import Row
from editor.notation.numbers import as_text, number_of
from editor.notation.orientation import NOTATIONS
from editor.widgets.colour_button import ColourButton
from editor.widgets.wheel_guard import guard_wheel

__all__ = ["EDITORS", "ValueEditor", "make_editor"]

SAME = 1 / 510      # half a step of a colour's eight bits: it is the same colour
MOST_IN_LINE = 4


class ValueEditor(QWidget):
    """Signals: typed(number of the component, text); chosen(text) of the whole attribute; grabbed(component), dragged(component, steps, fine), dropped(), cancelled() of a drag;
    stepped(component, steps, fine) by the wheel; coloured(tuple) while a colour is looked for; turned(notation); pick_wanted() to have it clicked in the view."""

    typed = pyqtSignal(int, str)
    chosen = pyqtSignal(str)
    grabbed = pyqtSignal(int)
    dragged = pyqtSignal(int, float, bool)
    dropped = pyqtSignal()
    cancelled = pyqtSignal()
    stepped = pyqtSignal(int, float, bool)
    coloured = pyqtSignal(tuple)
    turned = pyqtSignal(str)
    pick_wanted = pyqtSignal()
    names_of: Callable[[str], list[str]] = staticmethod(lambda _namespace: [])     # names of a namespace, for lists
    folder_of: Callable[[Row], str] = staticmethod(lambda _row: "")                # where files of a row are looked for

    def __init__(self):
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.row: Row | None = None

    def show_row(self, row: Row) -> None:
        """Show a row's value."""
        self.row = row

    def refuse(self, component: int, why: str) -> None:
        """Say that what was entered cannot be used."""

    def fields(self) -> tuple[NumberField, ...]:
        """The fields for numbers."""
        return ()

    def close_dialog(self) -> None:
        """Another element is shown from now on: a dialog that changes the present one is closed, and what was chosen in it stays."""

    @property
    def lines(self) -> int:
        """How many lines it takes."""
        return 1


def plain_line(widget: QWidget, *parts: QWidget) -> QHBoxLayout:
    """Parts in a line without margins."""
    line = QHBoxLayout(widget)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(2)
    for part in parts:
        line.addWidget(part, 1 if isinstance(part, (NumberField, PlainField)) else 0)
    return line


def tip_of(row: Row, k: int) -> str:
    """What a number is: its name and unit."""
    name = row.labels[k] if k < len(row.labels) else ""
    unit = row.units[k] if k < len(row.units) else ""
    head = ", ".join(part for part in (name, f"in {unit}" if unit else "") if part)
    return (f"{head}\n" if head else "") + "Drag sideways (Shift finer, Ctrl coarser), or click and type: 2*pi, *2, +0.1, 30 deg, 5 mm"


class NumbersEditor(ValueEditor):
    """A field for each number."""

    def __init__(self):
        super().__init__()
        self._fields: list[NumberField] = []
        self._unit_shown, self._first_line = True, 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(2)

    def fields(self) -> tuple[NumberField, ...]:
        return tuple(self._fields[:len(self.row.words)]) if self.row is not None else ()

    def show_row(self, row: Row) -> None:
        super().show_row(row)
        self._have(len(row.words))
        for k, field in enumerate(self.fields()):
            field.show_word(row.words[k], row.mixed[k], tip_of(row, k))
        self.show_unit(self._unit_shown)

    def show_unit(self, shown: bool) -> None:
        """Whether the last field says the unit that all of them have."""
        self._unit_shown = shown
        for k, field in enumerate(self.fields()):
            field.set_suffix(unit_text(self.row) if shown and k == len(self.row.words) - 1 else "")

    def _have(self, count: int) -> None:
        while len(self._fields) < count:
            self._add(len(self._fields))
        columns = count if count <= MOST_IN_LINE else 3
        for k, field in enumerate(self._fields):
            field.setVisible(k < count)
            if k < count:
                self._grid.addWidget(field, self._first_line + k // columns, k % columns)
        for column in range(MOST_IN_LINE):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    def _add(self, k: int) -> None:
        field = NumberField()
        field.setParent(self)
        field.typed.connect(lambda text: self.typed.emit(k, text))
        field.grabbed.connect(lambda: self.grabbed.emit(k))
        field.dragged.connect(lambda steps, fine: self.dragged.emit(k, steps, fine))
        field.dropped.connect(self.dropped)
        field.cancelled.connect(self.cancelled)
        field.stepped.connect(lambda steps, fine: self.stepped.emit(k, steps, fine))
        self._fields.append(field)

    def refuse(self, component: int, why: str) -> None:
        fields = self.fields()
        if fields:      # of all of them (-1) the first says it
            fields[component if 0 <= component < len(fields) else 0].refuse(why)

    @property
    def lines(self) -> int:
        count = len(self.row.words) if self.row is not None else 1
        return 1 if count <= MOST_IN_LINE else -(-count // 3)


class ColourEditor(NumbersEditor):
    """A tile that opens the dialog, and the numbers beside it."""

    def __init__(self):
        super().__init__()
        self.tile: ColourButton | None = None
        self._held = False

    def show_row(self, row: Row) -> None:
        super().show_row(row)
        if self.tile is None or self.tile.value is None or len(self.tile.value) != len(row.words):
            if self.tile is not None:
                self.tile.deleteLater()
            self.tile = ColourButton(row.name, len(row.words))
            self.tile.edited.connect(self._coloured)
            self.tile.clicked.connect(self._follow_dialog)
            self._grid.addWidget(self.tile, 0, MOST_IN_LINE)
        if not self._held:
            try:
                self.tile.show_value(tuple(number_of(word) for word in row.words))
            except ValueError:
                pass        # a number is being written in the text

    def _follow_dialog(self) -> None:
        dialog = self.tile.dialog
        if dialog is not None:
            dialog.accepted.connect(lambda: self._end(self.dropped))
            dialog.rejected.connect(lambda: self._end(self.cancelled))
            dialog.destroyed.connect(lambda: self._end(self.dropped))

    def close_dialog(self) -> None:
        """As of every editor."""
        if self.tile is not None and self.tile.dialog is not None:
            self.tile.dialog.accept()

    def _end(self, signal) -> None:
        if self._held:
            self._held = False
            signal.emit()

    def _coloured(self, value: tuple) -> None:
        if not self._held:
            self._held = True
            self.grabbed.emit(-1)
        self.coloured.emit(value)


def colour_words(words: tuple[str, ...], value: tuple[float, ...]) -> tuple[str, ...]:
    """The words of another colour: those of channels that are the same stay as they are."""
    out = []
    for word, number in zip(words, value, strict=True):
        try:
            same = abs(number_of(word) - number) < SAME
        except ValueError:
            same = False
        out.append(word if same else as_text(number, word, 3))
    return tuple(out)


class SwitchButton(QToolButton):
    """A word that is pressed or not, which is seen in every palette."""

    def __init__(self, word: str):
        super().__init__()
        self.setText(word)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def paintEvent(self, event) -> None:
        super().paintEvent(event)
        if self.isChecked():
            painter = QPainter(self)
            palette = self.palette()
            painter.setOpacity(1.0 if self.isEnabled() else 0.5)
            painter.fillRect(self.rect().adjusted(1, 1, -1, -1), palette.highlight())
            painter.setPen(palette.highlightedText().color())
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
            if self.hasFocus():
                painter.drawRect(self.rect().adjusted(2, 2, -3, -3))
            painter.end()


class SwitchEditor(ValueEditor):
    """A few words as buttons, of which one is pressed; none where the elements differ."""

    def __init__(self):
        super().__init__()
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._line = plain_line(self)
        self._line.setSpacing(0)
        self.buttons: dict[str, QToolButton] = {}

    def show_row(self, row: Row) -> None:
        super().show_row(row)
        if tuple(self.buttons) != row.allowed:
            for button in self.buttons.values():
                button.deleteLater()
            self.buttons = {word: self._button(word) for word in row.allowed}
            self._line.addStretch(1)
        for word, button in self.buttons.items():
            button.setChecked(not row.mixed[0] and bool(row.words) and row.words[0] == word)

    def _button(self, word: str) -> QToolButton:
        button = SwitchButton(word)
        button.clicked.connect(lambda _checked=False, word=word: self._clicked(word))
        self._line.addWidget(button)
        return button

    def _clicked(self, word: str) -> None:
        for other, button in self.buttons.items():
            button.setChecked(other == word)
        self.chosen.emit(word)


class KeywordEditor(ValueEditor):
    """A list of words."""

    def __init__(self):
        super().__init__()
        self.box = QComboBox()
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(4)
        self.box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.box.setFocusPolicy(Qt.FocusPolicy.TabFocus)      # after a click letters are the view's again
        plain_line(self).addWidget(self.box, 1)
        self.box.activated.connect(lambda place: self.chosen.emit(self.box.itemText(place)))
        guard_wheel(self.box)

    def show_row(self, row: Row) -> None:
        super().show_row(row)
        if [self.box.itemText(k) for k in range(self.box.count())] != list(row.allowed):
            self.box.clear()
            self.box.addItems(row.allowed)
        self.box.setPlaceholderText(MIXED if row.mixed and row.mixed[0] else "not given")
        self.box.setCurrentIndex(-1 if not row.words or row.mixed[0] else self.box.findText(row.words[0]))


class TextEditor(ValueEditor):
    """A field for any text."""

    def __init__(self):
        super().__init__()
        self.field = PlainField()
        plain_line(self, self.field)
        self.field.typed.connect(self.chosen)

    def show_row(self, row: Row) -> None:
        super().show_row(row)
        self.field.show_word(row.text, any(row.mixed), f"Some of: {' '.join(row.allowed)}" if row.kind == rows.WORDS else row.text[:400])

    def refuse(self, component: int, why: str) -> None:
        self.field.refuse(why)


class FileEditor(TextEditor):
    """A file's name, and a dialog for it."""

    def __init__(self):
        super().__init__()
        self.button = QToolButton()
        self.button.setText("...")
        self.button.setToolTip("Choose a file; its path is written relative to the folder that the model looks in")
        self.button.clicked.connect(lambda _checked=False: self._ask())
        self.layout().addWidget(self.button)
        self.dialog: QFileDialog | None = None

    def _ask(self) -> None:
        folder, directory = self.folder_of(self.row), self.row.spec.type == "dir"
        dialog = self.dialog = QFileDialog(self, f"{self.row.name} of the model", folder)
        dialog.setFileMode(QFileDialog.FileMode.Directory if directory else QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda path: self.chosen.emit(relative_path(path, folder)))
        dialog.open()


def relative_path(path: str, folder: str) -> str:
    """A path as it is written in a model: from the folder that the model looks in where both are on one drive, with slashes."""
    import os

    try:
        return os.path.relpath(path, folder).replace(os.sep, "/") if folder else path.replace(os.sep, "/")
    except ValueError:      # another drive
        return path.replace(os.sep, "/")


class ReferenceEditor(ValueEditor):
    """A name of another element: a list with search, and a button to click it in the view."""

    def __init__(self):
        super().__init__()
        self.box = ReferenceBox(lambda: self.names_of(self.row.namespace) if self.row is not None else [])
        self.pick = QToolButton()
        self.pick.setIcon(aim_icon(self.palette().color(self.palette().ColorRole.WindowText)))
        self.pick.setToolTip("Click the element in the view or in the outliner; Esc ends")
        self.pick.setCheckable(True)
        self.pick.clicked.connect(lambda _checked=False: self.pick_wanted.emit())
        line = plain_line(self)
        line.addWidget(self.box, 1)
        line.addWidget(self.pick)
        self.box.chosen.connect(self.chosen)

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == event.Type.PaletteChange and hasattr(self, "pick"):
            self.pick.setIcon(aim_icon(self.palette().color(self.palette().ColorRole.WindowText)))

    def show_row(self, row: Row) -> None:
        super().show_row(row)
        self.box.show_word(row.text, any(row.mixed))

    def refuse(self, component: int, why: str) -> None:
        self.box.refuse(why)


class OrientationEditor(NumbersEditor):
    """The notation, and its numbers below."""

    def __init__(self):
        super().__init__()
        self.box = QComboBox()
        self.box.setToolTip("Notation of the orientation: another one says the same turn in other numbers")
        self.box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.box.addItems(NOTATIONS)
        self.box.activated.connect(lambda place: self.turned.emit(self.box.itemText(place)))
        guard_wheel(self.box)
        self._grid.addWidget(self.box, 0, 0, 1, MOST_IN_LINE)
        self._first_line = 1

    def show_row(self, row: Row) -> None:
        super().show_row(row)
        self.box.setCurrentIndex(NOTATIONS.index(row.notation))

    def offer(self, why_not: Mapping[str, str]) -> None:
        """Which notations can say it."""
        for k, name in enumerate(NOTATIONS):
            item = self.box.model().item(k)
            item.setEnabled(not why_not.get(name))
            item.setToolTip(why_not.get(name, ""))

    def refuse(self, component: int, why: str) -> None:
        if component >= 0:
            super().refuse(component, why)
        else:
            self.box.setToolTip(why)

    @property
    def lines(self) -> int:
        return super().lines + 1


EDITORS: Mapping[str, type[ValueEditor]] = MappingProxyType({
    rows.NUMBER: NumbersEditor, rows.VECTOR: NumbersEditor, rows.COLOUR: ColourEditor, rows.SWITCH: SwitchEditor, rows.KEYWORD: KeywordEditor, rows.REFERENCE: ReferenceEditor,
    rows.FILE: FileEditor, rows.ORIENTATION: OrientationEditor})


def make_editor(kind: str) -> ValueEditor:
    """An editor for rows of a kind: of text where there is no other."""
    return EDITORS.get(kind, TextEditor)()


def unit_text(row: Row) -> str:
    """The unit of all of a row's numbers, '' where they have none or several."""
    unit = row.units[-1] if row.units and len(set(row.units)) == 1 else ""
    return unit.replace("^2", "\N{SUPERSCRIPT TWO}").replace("^3", "\N{SUPERSCRIPT THREE}")


def unit_label() -> QLabel:
    """The unit of a value, beside its name."""
    label = QLabel()
    label.setForegroundRole(label.palette().ColorRole.PlaceholderText)
    return label


def aim_icon(colour: QColor) -> QIcon:
    """A circle with a cross: something is to be clicked elsewhere."""
    picture = QPixmap(32, 32)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, 2.5))
    painter.drawEllipse(7, 7, 18, 18)
    for x, y in ((16, 2), (16, 20), (2, 16), (20, 16)):
        painter.drawLine(x, y, x + (0 if x == 16 else 10), y + (10 if x == 16 else 0))
    painter.end()
    return QIcon(picture)
