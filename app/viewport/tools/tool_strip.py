"""A strip of controls at the lower edge of the view, of a tool that is active."""
from __future__ import annotations

from PyQt6.QtCore import QEvent, QRectF, Qt
from PyQt6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.settings import SETTINGS, Settings

MARGIN = 10
BETWEEN, AROUND = 6, 20         # logical pixels between controls, and beside them within the strip
# of dark colours the style draws what is checked as what is not
CHECKED = "QToolButton:checked { background: palette(highlight); color: palette(highlighted-text); border: 1px solid palette(shadow); border-radius: 2px; padding: 2px 3px; }"


class ToolStrip(QFrame):
    """Controls in as few rows as the view has room for, with a line of text above them where there is something to say. `add` takes widgets, `arrange` places them."""

    def __init__(self, view: QWidget, settings: Settings):
        super().__init__(view)
        self._view, self._settings = view, settings
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.setStyleSheet(CHECKED)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 3, 6, 3)
        column.setSpacing(2)
        self.note = QLabel()
        self.note.setWordWrap(True)
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.note.hide()
        column.addWidget(self.note)
        self._column, self._rows = column, []      # layouts; those that are not needed are empty
        self._widgets: list[QWidget] = []
        self._choosers: dict[str, QComboBox] = {}
        self._away: set[QWidget] = set()
        settings.changed.connect(self.setting_changed)
        view.installEventFilter(self)

    def add(self, widget: QWidget, tip: str = "") -> QWidget:
        """One more control, which never takes the keys from the view."""
        widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        widget.setToolTip(tip)
        self._widgets.append(widget)
        return widget

    def button(self, text: str, tip: str, checkable: bool = False) -> QToolButton:
        """A button."""
        made = QToolButton()
        made.setText(text)
        made.setCheckable(checkable)
        return self.add(made, tip)

    def setting(self, name: str, tip: str) -> QComboBox:
        """A chooser of one of a setting's words."""
        made = QComboBox()
        for word, text in SETTINGS[name].choices:
            made.addItem(text, word)
        made.setCurrentIndex(made.findData(self._settings.get(name)))
        made.activated.connect(lambda _index: self._settings.set(name, made.currentData()))
        self._choosers[name] = made
        return self.add(made, tip)

    def setting_changed(self, name: str) -> None:
        """Another window, or the settings' dialog, may have set it otherwise."""
        if name in self._choosers:
            self._choosers[name].setCurrentIndex(self._choosers[name].findData(self._settings.get(name)))

    def say(self, text: str) -> None:
        """The line above the controls; '' for none."""
        if text != self.note.text():
            self.note.setText(text)
            self.note.setToolTip(text)
            self.note.setVisible(bool(text))
            self.arrange()

    def show_only(self, widget: QWidget, seen: bool) -> None:
        """Show a control, or not."""
        if (widget in self._away) == seen:
            (self._away.discard if seen else self._away.add)(widget)
            self.arrange()

    def eventFilter(self, watched, event: QEvent) -> bool:
        if watched is self._view and event.type() == QEvent.Type.Resize:
            self.arrange()
        return False

    def arrange(self) -> None:
        """Place all that is to be seen."""
        room = max(1, self._view.width() - 2 * MARGIN)
        seen = [widget for widget in self._widgets if widget not in self._away]
        self._place(seen, room)
        self.layout().activate()
        width = min(room, max(self.sizeHint().width(), min(room, self.note.fontMetrics().horizontalAdvance(self.note.text()) + 20) if self.note.text() else 0))
        height = max(self.sizeHint().height(), self.layout().totalHeightForWidth(width) if self.layout().hasHeightForWidth() else 0)
        self.setGeometry((self._view.width() - width) // 2, self._view.height() - height - MARGIN, width, height)
        self.raise_()
        self.show()

    def _place(self, seen: list[QWidget], room: int) -> None:
        """Put controls into rows, as many into each as there is room for."""
        for row in self._rows:
            while row.count():
                row.takeAt(0)
        for widget in self._away:
            widget.hide()
        which, left = -1, 0
        for widget in seen:
            widget.ensurePolished()
            wide = widget.sizeHint().width()
            if which < 0 or wide > left:
                which, left = which + 1, room - AROUND
                if which == len(self._rows):
                    self._rows.append(QHBoxLayout())
                    self._rows[-1].setSpacing(BETWEEN)
                    self._column.addLayout(self._rows[-1])
            self._rows[which].addWidget(widget)
            widget.show()
            left -= wide + BETWEEN
        for row in self._rows[:which + 1]:
            row.addStretch(1)

    @property
    def area(self) -> QRectF:
        """Where it lies over the view [logical pixels]."""
        return QRectF(self.geometry())

    def end(self) -> None:
        """The tool is not active any more."""
        self._view.removeEventFilter(self)      # which would show it again until it is deleted
        self.hide()
        self.deleteLater()
