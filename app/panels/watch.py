"""Watch: any field of the data by its official name, element by element, with the names of what the elements belong to."""
import numpy as np
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QCompleter, QHBoxLayout, QLabel, QLineEdit, QPushButton, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from app.context import AppContext
from physics.fields.layout import LAYOUTS
from physics.runtime.snapshot import Snapshot

MOST_ROWS = 2000   # of one field; longer ones are cut with a note


class WatchPanel(QWidget):
    """Field names with completion; a table of their present values."""

    scrolls = False

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self._fields: list[str] = []
        layout = LAYOUTS["d"]
        self._known = {name: layout.rows[name] for name in layout.arrays}   # private ones by their exact names
        self._edit = QLineEdit()
        self._edit.setPlaceholderText("Field, for example qvel or efc_force")
        completer = QCompleter(sorted(name for name, row in self._known.items() if not row.private), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self._edit.setCompleter(completer)
        self._edit.returnPressed.connect(lambda: self.watch(self._edit.text()))
        clear = QPushButton("Clear")
        clear.clicked.connect(lambda _checked=False: self._set_fields([]))
        self.note = QLabel("")
        self.note.setWordWrap(True)
        self._table = QTableWidget(0, 3)
        self._table.setHorizontalHeaderLabels(["Field", "Of", "Value"])
        self._table.verticalHeader().hide()
        self._table.verticalHeader().setDefaultSectionSize(20)
        self._table.horizontalHeader().setStretchLastSection(True)
        line = QHBoxLayout()
        line.addWidget(self._edit, 1)
        line.addWidget(clear)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.addLayout(line)
        layout.addWidget(self.note)
        layout.addWidget(self._table, 1)
        self._layout_key = None
        context.snapshot_ready.connect(self._update)
        self._set_fields(["qpos"])

    def watch(self, name: str) -> bool:
        """Add a field; False (and a note) when the data has none of that name."""
        name = name.strip()
        if name not in self._known:
            self.note.setText(f"The data has no field '{name}'.")
            return False
        self._set_fields([*(field for field in self._fields if field != name), name])
        self._edit.clear()
        return True

    def _row_of(self, element: str) -> int:
        return next((row for row in range(self._table.rowCount()) if self._table.item(row, 0).text() == element), -1)

    def cell(self, element: str) -> str:
        """Value shown for an element, for example 'xpos[1, 2]'; '' when it is not shown."""
        row = self._row_of(element)
        return self._table.item(row, 2).text() if row >= 0 else ""

    def owner(self, element: str) -> str:
        """What an element belongs to, as shown."""
        row = self._row_of(element)
        return self._table.item(row, 1).text() if row >= 0 else ""

    def _set_fields(self, fields: list[str]) -> None:
        self._fields = fields
        self._layout_key = None
        self._context.watched.watch("watch", fields)
        documented = [f"{name}: {self._known[name].doc}" for name in fields[-1:]]
        self.note.setText("  ".join(documented))

    def _update(self, snapshot: Snapshot) -> None:
        if not self.isVisible():
            return
        values = [(name, np.asarray(snapshot.watch[name])) for name in self._fields if name in snapshot.watch]
        key = tuple((name, array.shape) for name, array in values), snapshot.generation
        if key != self._layout_key:
            self._layout_key = key
            self._lay_out(values, snapshot.model)
        row = 0
        for _name, array in values:
            for value in array.ravel()[:MOST_ROWS]:
                self._table.item(row, 2).setText(f"{value:.6g}")
                row += 1

    def _lay_out(self, values, model) -> None:
        self._table.setRowCount(sum(min(array.size, MOST_ROWS) for _name, array in values))
        row = 0
        for name, array in values:
            owners = element_names(model, self._known[name].shape, array)
            width = array.size // max(1, len(array)) if array.ndim > 1 else 1
            for i in range(min(array.size, MOST_ROWS)):
                index = f"{i // width}, {i % width}" if array.ndim > 1 else str(i)
                texts = (f"{name}[{index}]", owners[i // width] if i // width < len(owners) else "", "")
                for column, text in enumerate(texts):
                    item = QTableWidgetItem(text)
                    item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                    self._table.setItem(row, column, item)
                row += 1


def element_names(model, shape: str, array) -> list[str]:
    """What the rows of a field belong to: names of bodies, geoms, joints, dofs ... ('' where unnamed or without an owner)."""
    size = shape.split()[0] if shape else ""
    kinds = {"nbody": "body", "njnt": "joint", "ngeom": "geom", "nsite": "site", "ncam": "camera", "nlight": "light", "ntendon": "tendon", "nu": "actuator"}
    if size in kinds:
        return [name or f"{kinds[size]} {i}" for i, name in enumerate(model.names[kinds[size]])]
    if size == "nv":
        return [_joint_name(model, int(j)) for j in model.dof_jntid]
    if size == "nq":
        starts = list(map(int, model.jnt_qposadr)) + [model.nq]
        return [_joint_name(model, j) for j in range(model.njnt) for _ in range(starts[j], starts[j + 1])]
    return [""] * len(array)


def _joint_name(model, j: int) -> str:
    return model.names["joint"][j] or f"joint {j}"
