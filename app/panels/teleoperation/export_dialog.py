"""Asks which episodes become a data set, and what is in it; then the work goes on in the background, with or without this dialog."""
from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

from PyQt6.QtCore import Qt, QUrl
from PyQt6.QtGui import QDesktopServices, QKeyEvent
from PyQt6.QtWidgets import (
    QApplication, QCheckBox, QComboBox, QDialog, QDialogButtonBox, QFileDialog, QFormLayout, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QListWidget, QListWidgetItem, QProgressBar,
    QPushButton, QToolButton, QVBoxLayout, QWidget,
)

from app.appearance import outlined
from app.context import AppContext
from app.controllers.teleoperation.demonstrations import DemonstrationsController
from app.controllers.teleoperation.recorded import Chosen, counted
from app.demonstrations.export.plan import CTRL, EE_ABS, EE_DELTA, JOINTS, ExportError, ExportPlan
from app.panels.diagnostics.query_panel import show_note, text_label
from editor.widgets.number_edit import NumberEdit

FORMS = (("robomimic (HDF5)", "robomimic"), ("LeRobot 3.0", "lerobot"), ("LeRobot 2.1", "lerobot2"))
NEEDS = MappingProxyType({"robomimic": ("h5py",), "lerobot": ("pyarrow", "av"), "lerobot2": ("pyarrow", "av")})       # packages
OUTCOMES = (("Successes only", "success"), ("Successes and failures", "marked"), ("All but discarded ones", "all"))
DRIVEN = (("Everyone, whole episodes", ""), ("A person: only those parts", "person"), ("A policy: only those parts", "policy"), ("A script: only those parts", "script"))
ACTIONS = (("Controls", CTRL), ("Joint positions", JOINTS), ("Poses, as ways", EE_DELTA), ("Poses, absolute", EE_ABS))
POSES = (EE_DELTA, EE_ABS)
ROWS = 4            # recordings that are seen at once
SIDES = (2, 8192)   # pixels of a picture
PATH = Qt.ItemDataRole.UserRole
FREE = "free"


class ExportDialog(QDialog):
    """Stays open beside the window. chosen: the episodes that are chosen in the panel."""

    def __init__(self, parent: QWidget, context: AppContext, control: DemonstrationsController, chosen: list[Chosen]):
        super().__init__(parent)
        self.setWindowTitle("Export demonstrations")
        self._context, self.control, self.recorded, self._chosen = context, control, control.recorded, chosen
        self._mine = False      # whether what is being exported was asked for here
        self.written: Path | None = None
        self._make_sources()
        self._make_contents()
        self._make_end()
        self._lay_out()
        self.recorded.changed.connect(self._list)
        control.changed.connect(self._list)
        self.recorded.progressed.connect(self._progressed)
        self.recorded.exported.connect(self._exported)
        context.model_changed.connect(self._model_changed)
        self._form_changed()
        self._actions_changed()
        self._list()
        self.recorded.look()

    def _model_changed(self, _model) -> None:
        """Another document: the chosen episodes and the cameras were of the one before. What is being written goes on."""
        if self._context.newly_opened:
            self.close()

    # ------------------------------------------------------------------ its parts

    def _make_sources(self) -> None:
        count = sum(len(part.numbers) for part in self._chosen)
        self.only_chosen = QCheckBox("Only the episode that is chosen in the panel" if count == 1 else f"Only the {count} episodes that are chosen in the panel")
        self.only_chosen.setVisible(count > 0)
        self.only_chosen.setChecked(count > 0)
        self.sources = QListWidget()
        self.sources.setPalette(outlined(self.palette()))
        self.sources.setMaximumHeight(round((ROWS + 0.5) * 1.4 * self.fontMetrics().height()))
        self.sources.setEnabled(count == 0)
        self.only_chosen.toggled.connect(lambda on: self.sources.setEnabled(not on))
        self.which = QComboBox()
        self.driver = QComboBox()
        self.driver.setToolTip("Where a person has corrected a policy: the parts that one of them drove, each as an episode of its own")
        for box, rows in ((self.which, OUTCOMES), (self.driver, DRIVEN)):
            for title, value in rows:
                box.addItem(title, value)

    def _make_contents(self) -> None:
        m = self._context.model
        self.form, self.kind = QComboBox(), QComboBox()
        for box, rows in ((self.form, FORMS), (self.kind, ACTIONS)):
            for title, value in rows:
                box.addItem(title, value)
        self.form.currentIndexChanged.connect(lambda _row: self._form_changed())
        self.kind.currentIndexChanged.connect(lambda _row: self._actions_changed())
        self.kind.setToolTip("What holds during a period, or where it leads: controls; coordinates of driven joints at its end; poses of sites or mocap bodies at its end, or the way there")
        self.rate = NumberEdit(30.0, 0.01, 1e5)
        self.rate.setToolTip("States and actions per simulated second")
        names = [name or str(k) for k, name in enumerate(m.names["camera"])] if m is not None else []
        self.cameras = tuple((name, QCheckBox(name)) for name in names) + ((FREE, QCheckBox("free camera")),)
        self.wide, self.high = (NumberEdit(256, *SIDES, whole=True) for _ in range(2))
        self.sites, self.gripper, self.observe = QLineEdit(), QLineEdit(), QLineEdit("qpos, qvel")
        known = [name for name in m.names["site"] if name] if m is not None else []
        self.sites.setPlaceholderText("mocap bodies" if m is not None and m.nmocap else ", ".join(known[:3]))
        self.sites.setToolTip(f"Sites whose poses are actions, separated by commas: {', '.join(known) or 'the model has none'}")
        self.gripper.setPlaceholderText("none")
        self.gripper.setToolTip("Actuators whose controls go along with the poses, separated by commas")
        self.observe.setToolTip('Expressions that are observed, separated by commas: qpos, sensordata, body("cup").xpos')

    def _make_end(self) -> None:
        self.output, self.browse = QLineEdit(), QToolButton()
        self.browse.setText("...")
        self.browse.setToolTip("Choose where it goes")
        self.browse.clicked.connect(lambda _checked=False: self._ask_place())
        self.note, self.progress = text_label(), QProgressBar()
        self.progress.hide()
        self.copy, self.show_folder = QPushButton("Copy the path"), QPushButton("Open the folder")
        self.copy.clicked.connect(lambda _checked=False: QApplication.clipboard().setText(str(self.written)))
        self.show_folder.clicked.connect(lambda _checked=False: QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.written.parent))))
        for button in (self.copy, self.show_folder):
            button.hide()
        self.buttons = QDialogButtonBox()
        self.start = self.buttons.addButton("Export", QDialogButtonBox.ButtonRole.ActionRole)
        self.cancel = self.buttons.addButton("Cancel", QDialogButtonBox.ButtonRole.ActionRole)
        self.buttons.addButton("Close", QDialogButtonBox.ButtonRole.RejectRole).clicked.connect(lambda _checked=False: self.close())     # without the style's picture, which is black on any ground
        self.start.clicked.connect(lambda _checked=False: self.begin())
        self.cancel.clicked.connect(lambda _checked=False: self.recorded.cancel())
        self.start.setDefault(True)

    def _lay_out(self) -> None:
        cameras, pictures, rate, place, after = QGridLayout(), QHBoxLayout(), QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        for k, (_name, box) in enumerate(self.cameras):
            cameras.addWidget(box, k // 3, k % 3)
        cameras.setColumnStretch(2, 1)
        for line, parts in ((pictures, (self.wide, QLabel("x"), self.high)), (rate, (self.rate, QLabel("states and actions per second")))):
            for part in parts:
                line.addWidget(part)
            line.addStretch(1)
        place.addWidget(self.output, 1)
        place.addWidget(self.browse)
        for button in (self.copy, self.show_folder):
            after.addWidget(button)
        after.addStretch(1)
        self.fields = QWidget()
        form = self._rows = QFormLayout(self.fields)
        form.setContentsMargins(0, 0, 0, 0)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        rows = ((None, self.only_chosen), ("Recordings", self.sources), ("Episodes", self.which), ("Driven by", self.driver), ("Format", self.form), ("Rate", rate), ("Pictures of", cameras),
                ("Their size", pictures), ("Actions", self.kind), ("Sites", self.sites), ("Gripper", self.gripper), ("Observed", self.observe), ("Write to", place))
        for title, part in rows:
            form.addRow(title or "", part)
        column = QVBoxLayout(self)
        for part in (self.fields, self.note, self.progress):
            column.addWidget(part)
        column.addLayout(after)
        column.addStretch(1)
        column.addWidget(self.buttons)
        self.setMinimumWidth(72 * self.fontMetrics().averageCharWidth())

    # ------------------------------------------------------------------ what is offered

    def _list(self) -> None:
        """This run, and the recordings in the folder; what was ticked stays so."""
        before = {item.data(PATH): item.checkState() for item in (self.sources.item(k) for k in range(self.sources.count()))}
        self.sources.clear()
        rows = [("", "this run", len(self.control.all))] if self.control.all else []
        rows += [(str(file.path), file.path.name, len(file.episodes)) for file in self.recorded.files if file.episodes]
        for place, (path, title, count) in enumerate(rows):
            item = QListWidgetItem(f"{title}: {counted(count, 'episode')}", self.sources)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setData(PATH, path)
            item.setCheckState(before.get(path, Qt.CheckState.Checked if place == 0 and not before else Qt.CheckState.Unchecked))

    def _form_changed(self) -> None:
        missing = [name for name in NEEDS[self.form.currentData()] if find_spec(name) is None]
        self._tell(f'This format needs the package{"s" * (len(missing) > 1)} {" and ".join(missing)}: pip install "linkwork[demo]"' if missing else "")
        self.output.setText(str(self.recorded.data_set_place(self.form.currentData())))

    def _actions_changed(self) -> None:
        poses = self.kind.currentData() in POSES
        for field in (self.sites, self.gripper):
            self._rows.setRowVisible(field, poses)

    def _ask_place(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Export demonstrations", self.output.text(), options=QFileDialog.Option.DontConfirmOverwrite)
        if name:
            self.output.setText(name)

    # ------------------------------------------------------------------ what is wanted

    def plan(self) -> dict:
        """As ExportPlan has it. Raises ExportError."""
        from app.headless.export import split_texts

        poses = self.kind.currentData() in POSES
        found = {"rate": self.rate.number, "cameras": [name for name, box in self.cameras if box.isChecked()], "size": [int(self.wide.number), int(self.high.number)],
                 "actions": self.kind.currentData(), "sites": _names(self.sites.text()) if poses else [], "gripper": _names(self.gripper.text()) if poses else [],
                 "observe": split_texts(self.observe.text()), "which": self.which.currentData(), "driver": self.driver.currentData()}
        if not found["observe"]:
            raise ExportError("nothing would be observed: qpos, qvel are usual")
        ExportPlan(**{name: tuple(value) if isinstance(value, list) else value for name, value in found.items()})
        return found

    def wanted(self) -> list[tuple[Path | None, tuple[int, ...] | None]]:
        """(recording, None: this run; numbers of episodes, None: all)."""
        if self.only_chosen.isChecked():
            return [(part.path, part.numbers) for part in self._chosen]
        ticked = [item.data(PATH) for item in (self.sources.item(k) for k in range(self.sources.count())) if item.checkState() == Qt.CheckState.Checked]
        return [(Path(path) if path else None, None) for path in ticked]

    def begin(self) -> None:
        """Export in the background."""
        for field in (self.rate, self.wide, self.high):
            field.editingFinished.emit()        # what is being typed counts
        output = Path(self.output.text().strip()).expanduser()
        try:
            plan, wanted = self.plan(), self.wanted()
        except ExportError as why:
            self._tell(str(why))
            return
        if not wanted:
            self._tell("No recording is ticked")
        elif not self.output.text().strip() or not output.is_absolute():
            self._tell("Say where it is to be written")
        elif output.exists():
            self._tell(f"{output} is there already: choose another name")
        elif not output.parent.is_dir():
            self._tell(f"There is no folder {output.parent}")
        else:
            self._tell("")
            self._mine, self.written = True, None
            self.recorded.export(wanted, output, self.form.currentData(), plan)

    # ------------------------------------------------------------------ what comes of it

    def _tell(self, text: str) -> None:
        show_note(self.note, text)
        for button in (self.copy, self.show_folder):
            button.setVisible(False)

    def _progressed(self, text: str, share: float) -> None:
        busy = bool(text)
        self.fields.setEnabled(not busy)
        self.start.setEnabled(not busy)
        self.cancel.setEnabled(busy and self._mine)
        self.progress.setVisible(busy)
        self.progress.setRange(0, 0 if share < 0 else 100)
        self.progress.setValue(max(0, round(100 * share)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(self.focusWidget(), QLineEdit):
            return      # it ends an entry, and begins nothing
        super().keyPressEvent(event)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._progressed(self.recorded.doing, -1.0)

    def _exported(self, result: dict | None, why: str) -> None:
        if not self._mine:
            return
        self._mine = False
        if result is None:
            self._tell(why)
            return
        self.written = Path(result["output"])
        left = f"; {counted(result['left_out'], 'episode')} left out, shorter than one period" if result["left_out"] else ""
        self._tell(f"{counted(result['episodes'], 'episode')}, {counted(result['frames'], 'frame')} written{left}.\n{self.written}")
        for button in (self.copy, self.show_folder):
            button.setVisible(True)


def _names(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
