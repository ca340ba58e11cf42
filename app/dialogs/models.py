"""Models to choose from, with pictures: those opened lately, and those that come with the program."""
import re
from collections.abc import Callable
from pathlib import Path

from PyQt6.QtCore import QEvent, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QFont, QIcon, QKeyEvent, QPainter, QPainterPath, QPalette, QPixmap
from PyQt6.QtWidgets import QAbstractItemView, QFrame, QLabel, QLineEdit, QListView, QListWidget, QListWidgetItem, QScrollArea, QVBoxLayout, QWidget

from app.settings import Settings
from app.thumbnails import picture_of
from assets.locate import bundled_models

PATH = Qt.ItemDataRole.UserRole
WORDS = Qt.ItemDataRole.UserRole + 1        # what is searched
PICTURE = QSize(160, 100)                   # logical pixels
ROW = re.compile(r"\|\s*`(\w+\.xml)`\s*\|\s*(.+?)\s*\|")
ROUND = 6.0


class Shelf(QListWidget):
    """Models side by side, as high as it must be. left(step): the keys go beyond its first (-1) or last (1) row."""

    left = pyqtSignal(int)

    def __init__(self, title: str):
        super().__init__()
        self.setAccessibleName(title)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setWordWrap(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setIconSize(PICTURE)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.viewport().setAutoFillBackground(False)
        self.setMouseTracking(True)

    def shown(self) -> list[QListWidgetItem]:
        """Models that fit what is searched."""
        return [item for i in range(self.count()) if not (item := self.item(i)).isHidden()]

    def columns(self) -> int:
        """How many stand side by side."""
        return max(1, self.viewport().width() // max(1, self.gridSize().width()))

    def fit(self) -> None:
        """Be as high as the models need."""
        self.setGridSize(QSize(PICTURE.width() + 16, PICTURE.height() + self.fontMetrics().height() + 20))
        self.setFixedHeight(-(-len(self.shown()) // self.columns()) * self.gridSize().height() + 4)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentRow()
        super().keyPressEvent(event)
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(event.key())
        if step and before == self.currentRow():
            self.left.emit(step)


class Models(QWidget):
    """A field for searching over two shelves. Signal: chosen(Path). note(path): a line about a bundled model."""

    chosen = pyqtSignal(object)

    def __init__(self, settings: Settings):
        super().__init__()
        self._settings = settings
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._show_matching)
        self.search.returnPressed.connect(self._choose_first)
        self.recent, self.bundled = Shelf("Opened lately"), Shelf("Models of the program")
        self._titles = {shelf: QLabel(shelf.accessibleName()) for shelf in self.shelves}
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(0, 0, 0, 0)
        for shelf, title in self._titles.items():
            font = title.font()
            font.setBold(True)
            title.setFont(font)
            layout.addWidget(title)
            layout.addWidget(shelf)
            shelf.itemClicked.connect(self._choose)
            shelf.itemActivated.connect(self._choose)
            shelf.left.connect(lambda step, shelf=shelf: self._go_on(shelf, step))
        layout.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inside)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.search)
        whole.addWidget(area, 1)
        self._told = False

    @property
    def shelves(self) -> tuple[Shelf, Shelf]:
        """Both."""
        return self.recent, self.bundled

    def fill(self) -> None:
        """Look anew what there is."""
        self._told = False
        shipped, notes = bundled_models(), bundled_notes()
        recent = [Path(text) for text in self._settings.get("files/recent")]
        for shelf, paths in zip(self.shelves, ([path for path in recent if path.exists() and path not in shipped], shipped), strict=True):
            shelf.clear()
            for path in paths:
                shelf.addItem(self._item(path, notes.get(path.name, "") if path in shipped else ""))
        self._show_matching(self.search.text())

    def _item(self, path: Path, note: str) -> QListWidgetItem:
        item = QListWidgetItem(QIcon(framed(picture_of(path), path.stem, self.palette(), self.devicePixelRatioF())), path.stem)
        item.setData(PATH, path)
        item.setData(WORDS, f"{path} {note}".lower())
        item.setToolTip(f"{note[:1].upper()}{note[1:]}\n{path}" if note else str(path))
        item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        return item

    def _show_matching(self, text: str) -> None:
        words = text.lower().split()
        for shelf in self.shelves:
            for i in range(shelf.count()):
                item = shelf.item(i)
                item.setHidden(not all(word in item.data(WORDS) for word in words))
            there = bool(shelf.shown())
            shelf.setVisible(there)
            self._titles[shelf].setVisible(there)
            shelf.fit()

    def _choose(self, item: QListWidgetItem) -> None:
        if not self._told:      # a double-click is a click and an activation
            self._told = True
            self.chosen.emit(item.data(PATH))

    def _choose_first(self) -> None:
        first = next((shelf.shown()[0] for shelf in self.shelves if shelf.shown()), None)
        if first is not None and self.search.text().strip():
            self._choose(first)

    def _go_on(self, shelf: Shelf, step: int) -> None:
        """The keys go from one shelf to the other, and to the field above."""
        order = [self.search, *(one for one in self.shelves if one.isVisibleTo(self))]
        i = order.index(shelf) + step
        if not 0 <= i < len(order):
            return
        order[i].setFocus(Qt.FocusReason.TabFocusReason)
        if isinstance(order[i], Shelf):
            order[i].setCurrentItem(order[i].shown()[0 if step > 0 else -1])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down and not any(shelf.hasFocus() for shelf in self.shelves):
            first = next((shelf for shelf in self.shelves if shelf.isVisibleTo(self)), None)
            if first is not None:
                first.setFocus(Qt.FocusReason.TabFocusReason)
                first.setCurrentItem(first.shown()[0])
                return
        super().keyPressEvent(event)


def bundled_notes(read: Callable[[Path], str] = Path.read_text) -> dict[str, str]:
    """{file: what it shows} of the bundled models, from the table that comes with them."""
    shipped = bundled_models()
    try:
        return dict(ROW.findall(read(shipped[0].with_name("README.md")))) if shipped else {}
    except OSError:
        return {}


def framed(image, name: str, palette: QPalette, ratio: float) -> QPixmap:
    """A model's picture with round corners; its first letters on a plain ground where there is none."""
    picture = QPixmap(round(PICTURE.width() * ratio), round(PICTURE.height() * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    outline = QPainterPath()
    outline.addRoundedRect(0, 0, PICTURE.width(), PICTURE.height(), ROUND, ROUND)
    painter.setClipPath(outline)
    area = outline.boundingRect()
    if image is not None:
        painter.drawImage(area, image)
    else:
        painter.fillRect(area, palette.color(QPalette.ColorRole.Button))
        font = QFont(painter.font())
        font.setPixelSize(38)
        painter.setFont(font)
        painter.setPen(QColor(palette.color(QPalette.ColorRole.PlaceholderText)))
        painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter), name[:2].capitalize())
    painter.end()
    return picture.copy()     # without what Qt keeps for painting on it
