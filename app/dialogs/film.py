"""What a picture or a film shall be: size, pace, camera, quality. The answers are remembered."""
from fractions import Fraction

from PyQt6.QtWidgets import QCheckBox, QComboBox, QDialog, QDialogButtonBox, QDoubleSpinBox, QFormLayout, QHBoxLayout, QLabel, QSpinBox, QWidget

from app.film.formats import CLEAR_VIDEO, ENCODINGS, LARGEST, frame_rate
from app.settings import Settings
from app.speeds import SPEEDS, speed_text
from physics.model.model import Model
from render.quality import QUALITIES

PRESETS = (("1280 x 720", (1280, 720)), ("1920 x 1080", (1920, 1080)), ("3840 x 2160", (3840, 2160)), ("7680 x 4320", (7680, 4320)))
RATES = ("24", "25", "30", "50", "60", "120")
DEFAULT_RATE = "30"
AUTO = "as this machine can"


class SizeRow(QWidget):
    """Width and height, with presets."""

    def __init__(self, size: tuple[int, int], view_size: tuple[int, int]):
        super().__init__()
        self.width_box, self.height_box = QSpinBox(), QSpinBox()
        for box, value in ((self.width_box, size[0]), (self.height_box, size[1])):
            box.setRange(1, LARGEST)
            box.setValue(value)
        self.presets = QComboBox()
        self._sizes = [("As the view", view_size), *PRESETS]
        self.presets.addItem("Presets")
        self.presets.addItems([name for name, _ in self._sizes])
        self.presets.activated.connect(self._take)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for part in (self.width_box, QLabel("x"), self.height_box, self.presets):
            row.addWidget(part)

    def _take(self, row: int) -> None:
        if row > 0:
            self.width_box.setValue(self._sizes[row - 1][1][0])
            self.height_box.setValue(self._sizes[row - 1][1][1])

    def value(self) -> tuple[int, int]:
        """(width, height) [pixel]."""
        return self.width_box.value(), self.height_box.value()


def stored_size(text: str, default: tuple[int, int]) -> tuple[int, int]:
    """A remembered size like 1280x720, or the default."""
    width, cross, height = text.partition("x")
    return (int(width), int(height)) if cross and width.isdecimal() and height.isdecimal() and int(width) and int(height) else default


class _Dialog(QDialog):
    """A form with a size, a drawing quality and switches; OK and Cancel."""

    def __init__(self, title: str, settings, view_size, parent, size_key: str):
        super().__init__(parent)
        self.setWindowTitle(title)
        self._settings, self._size_key = settings, size_key
        self.form = QFormLayout(self)
        self.size_row = SizeRow(stored_size(settings.get(size_key), view_size), view_size)
        self.form.addRow("Size", self.size_row)
        self.quality = QComboBox()
        self.quality.addItem(AUTO)
        self.quality.addItems(list(QUALITIES))
        self.quality.setCurrentText(settings.get("film/quality") or AUTO)
        self.labels = QCheckBox("Labels and legend")
        self.labels.setChecked(settings.get("film/labels"))
        self.transparent = QCheckBox("Transparent background")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def _remember(self) -> dict:
        width, height = self.size_row.value()
        self._settings.set(self._size_key, f"{width}x{height}")
        self._settings.set("film/labels", self.labels.isChecked())
        self._settings.set("film/quality", "" if self.quality.currentText() == AUTO else self.quality.currentText())
        return {"size": (width, height), "labels": self.labels.isChecked(), "transparent": self.transparent.isChecked()}


class PictureDialog(_Dialog):
    """A picture of the view at any size."""

    def __init__(self, settings, view_size, parent: QWidget | None = None):
        super().__init__("Picture of the view", settings, view_size, parent, "picture/size")
        for title, part in (("Drawing", self.quality), ("", self.labels), ("", self.transparent)):
            self.form.addRow(title, part)
        self.form.addRow(self.buttons)

    def wanted(self) -> dict:
        """Arguments for FilmController.write_picture."""
        return self._remember()


class FilmDialog(_Dialog):
    """A film of the simulation as it runs."""

    def __init__(self, settings: Settings, model: Model, speed: float | None, view_size, parent: QWidget | None = None):
        super().__init__("Record a film", settings, view_size, parent, "film/size")
        self.rate, self.speed, self.encoding, self.camera = (QComboBox() for _ in range(4))
        self.rate.addItems(RATES)
        self.rate.setEditable(True)
        self.rate.setCurrentText(settings.get("film/fps") or DEFAULT_RATE)
        self.speed.addItems([speed_text(s) for s in reversed(SPEEDS)])
        present = speed or 1.0
        self.speed.setCurrentText(speed_text(min(SPEEDS, key=lambda s: abs(s - present))))
        self.encoding.addItems(ENCODINGS)
        self.encoding.setCurrentText(settings.get("film/encoding"))
        self.camera.addItems(["as in the window", "where it is now", *(name or f"camera {i}" for i, name in enumerate(model.names["camera"]))])
        self.limit = QDoubleSpinBox()
        self.limit.setRange(0, 86400)
        self.limit.setSuffix(" s")
        self.limit.setSpecialValueText("when stopped")
        self.caption = QCheckBox("Time and speed")
        self.caption.setChecked(settings.get("film/caption"))
        self.transparent.setText(f"Transparent background ({', '.join(CLEAR_VIDEO)}, numbered pictures)")
        note = QLabel("Each frame shows the state of its simulated time, however long drawing takes: the simulation waits when it must. "
                      "Nothing is recorded while it is paused.")
        note.setWordWrap(True)
        for title, part in (("Frames per second", self.rate), ("Speed of the film", self.speed), ("Camera", self.camera), ("Drawing", self.quality),
                            ("File", self.encoding), ("Ends after", self.limit), ("", self.labels), ("", self.caption), ("", self.transparent)):
            self.form.addRow(title, part)
        self.form.addRow(note)
        self.form.addRow(self.buttons)
        self.rate.editTextChanged.connect(self._check)

    def _rate(self) -> Fraction | None:
        try:
            return frame_rate(self.rate.currentText().strip())
        except ValueError:
            return None

    def _check(self) -> None:
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(self._rate() is not None)

    def wanted(self) -> dict:
        """Arguments for app.film.live_recording.Plan, but the path."""
        self._settings.set("film/fps", self.rate.currentText().strip())
        self._settings.set("film/encoding", self.encoding.currentText())
        self._settings.set("film/caption", self.caption.isChecked())
        row = self.camera.currentIndex()
        return {**self._remember(), "rate": self._rate() or Fraction(DEFAULT_RATE), "speed": SPEEDS[len(SPEEDS) - 1 - self.speed.currentIndex()],
                "encoding": self.encoding.currentText(), "camera": None if row == 0 else -2 if row == 1 else row - 2, "caption": self.caption.isChecked(),
                "limit": self.limit.value()}
