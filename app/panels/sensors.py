"""Sensors: a bar for each number they read, with name and unit, and pictures of those that see."""
from __future__ import annotations

from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QGuiApplication, QImage, QPixmap
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QMenu, QScrollArea, QVBoxLayout, QWidget

from app.context import AppContext
from app.panels.live_panel import LivePanel
from app.panels.values.sensor_bars import SensorBars
from app.panels.values.sensor_readings import Picture, picture_of, pixels, place_of, readings, type_word
from physics.enums import DSBL_SENSOR
from physics.model.elements import element
from physics.runtime.snapshot import Snapshot

PICTURE_HEIGHT = 130   # logical pixels
NONE, OFF = "This model has no sensors.", "Sensors are switched off by the disable flag 'sensor'."


class SensorsPanel(LivePanel):
    """Bars by type with a filter; above them the pictures. A click selects the sensor."""

    scrolls = False

    def __init__(self, context: AppContext):
        super().__init__(context)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter by name or type")
        self.filter.setClearButtonEnabled(True)
        self.bars = SensorBars()
        self.filter.textChanged.connect(self.bars.filter)
        self.note = QLabel("")
        self.note.setWordWrap(True)
        self._pictures: list[tuple[Picture, QLabel]] = []
        self._strip = QScrollArea()
        self._strip.setWidgetResizable(True)
        self._strip.setFixedHeight(PICTURE_HEIGHT + 40)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.setSpacing(2)
        for widget in (self.filter, self.note, self._strip):
            layout.addWidget(widget)
        layout.addWidget(self.bars, 1)
        self.bars.chosen.connect(self._select)
        self.bars.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.bars.customContextMenuRequested.connect(self._open_menu)
        self.fill_with_models(self._fill)

    # ------------------------------------------------------------------ content

    def _fill(self, model) -> None:
        self.bars.set_groups(readings(model))
        holder = QWidget()
        line = QHBoxLayout(holder)
        line.setContentsMargins(0, 0, 0, 0)
        self._pictures = []
        for i in range(model.nsensor):
            picture = picture_of(model, i)
            if picture is not None:
                line.addLayout(self._picture(picture))
        line.addStretch(1)
        self._strip.setWidget(holder)
        self._strip.setVisible(bool(self._pictures))
        self.bars.setVisible(model.nsensor > len(self._pictures))
        self.filter.setVisible(model.nsensor > 0)
        self._tell("" if model.nsensor else NONE)
        self.catch_up()

    def _tell(self, text: str) -> None:
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def _picture(self, picture: Picture) -> QVBoxLayout:
        label, name = QLabel(), QLabel(f"{picture.name}  {picture.width}x{picture.height}")
        label.setFixedHeight(PICTURE_HEIGHT)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(label)
        column.addWidget(name)
        self._pictures.append((picture, label))
        return column

    def picture(self, name: str) -> QPixmap:
        """The picture shown of a sensor. Raises StopIteration where it has none."""
        return next(label.pixmap() for picture, label in self._pictures if picture.name == name)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """The present numbers."""
        model = snapshot.model
        if model.nsensor:
            self._tell(OFF if int(model.opt.disableflags) & DSBL_SENSOR else "")
        self.bars.show_values(snapshot.sensordata)
        for picture, label in self._pictures:
            shown = pixels(picture, snapshot.sensordata)
            image = QImage(shown.tobytes(), picture.width, picture.height, 3 * picture.width, QImage.Format.Format_RGB888)
            label.setPixmap(QPixmap.fromImage(image).scaledToHeight(PICTURE_HEIGHT))

    # ------------------------------------------------------------------ hands

    def _select(self, sensor: int) -> None:
        self._context.select_elements((element(self._context.model, "sensor", sensor),))

    def _open_menu(self, at: QPoint) -> None:
        reading, model = self.bars.reading_at(at), self._context.model
        if reading is None:
            return
        menu = QMenu(self)
        where = place_of(model, reading.sensor)
        menu.addAction(f"{type_word(model, reading.sensor)}{' on ' + where if where else ''}").setEnabled(False)
        for title, text in (("Copy name", reading.name), ("Copy value", self.bars.text(reading.title)), ("Copy field", f"sensordata[{reading.adr}]")):
            menu.addAction(title, lambda text=text: QGuiApplication.clipboard().setText(text))
        menu.popup(self.bars.viewport().mapToGlobal(at))
