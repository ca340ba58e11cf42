"""Headsets and phones: the page is switched on here, found by its QR code, and who comes is let in."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PyQt6.QtCore import QRect, QSize, Qt, QTimer
from PyQt6.QtGui import QColor, QPainter
from PyQt6.QtWidgets import QApplication, QComboBox, QDialog, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.controllers.teleoperation.devices import TeleoperationController
from app.controllers.teleoperation.page import hosts
from app.inputs.source import SourceMissing
from app.panels.diagnostics.query_panel import show_note, text_label

OFF = "Off. While it is on, whoever has the address with its token may ask to come in; nobody comes in who is not let in here."
TRUST = "The browser warns of a certificate that it does not know: it was made on this machine. Go on if it shows this fingerprint:"
LOOK_MS = 500
SIDE = 220      # logical pixels of the code at least
HALF = 48       # characters of a fingerprint, which has 95, in its first line


class QrCode(QWidget):
    """A QR code, dark on white on any ground."""

    def __init__(self):
        super().__init__()
        self.rows: tuple[tuple[bool, ...], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(SIDE, SIDE)

    def sizeHint(self) -> QSize:
        return QSize(SIDE, SIDE)

    def show_rows(self, rows: tuple[tuple[bool, ...], ...]) -> None:
        """Another code, () for none."""
        if rows != self.rows:
            self.rows = rows
            self.update()

    def paintEvent(self, _event) -> None:
        if not self.rows:
            return
        painter, count = QPainter(self), len(self.rows)
        side = min(self.width(), self.height()) // count        # whole pixels: readers like sharp edges
        left, top = (self.width() - side * count) // 2, (self.height() - side * count) // 2
        painter.fillRect(QRect(left, top, side * count, side * count), QColor("white"))
        for i, row in enumerate(self.rows):
            for k, dark in enumerate(row):
                if dark:
                    painter.fillRect(left + side * k, top + side * i, side, side, QColor("black"))


class VisitorRow(QWidget):
    """Somebody who wants to come in. answer(whether), once."""

    def __init__(self, visitor, answer: Callable[[bool], None]):
        super().__init__()
        self.admit, self.refuse = QPushButton("Let in"), QPushButton("Refuse")
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        label = QLabel(f"{visitor.name or 'Somebody'} at {visitor.peer} wants to {'watch' if visitor.watch else 'control'}")
        label.setTextFormat(Qt.TextFormat.PlainText)        # the name is what the visitor says
        label.setWordWrap(True)
        line.addWidget(label, 1)
        for button, admitted in ((self.admit, True), (self.refuse, False)):
            button.clicked.connect(partial(self._answer, answer, admitted))
            line.addWidget(button)

    def _answer(self, answer: Callable[[bool], None], admitted: bool, _checked: bool = False) -> None:
        answer(admitted)
        self.hide()
        self.deleteLater()


class PairingDialog(QDialog):
    """Stays open beside the window."""

    def __init__(self, parent: QWidget, control: TeleoperationController):
        super().__init__(parent)
        self.setWindowTitle("Headset or phone")
        self.control, self._failure = control, ""
        self.where = QComboBox()
        for title, host, secure in hosts():
            self.where.addItem(title, (host, secure))
        self.where.setToolTip("Who can reach the page: this machine alone (also a headset on a cable, by adb reverse), or the local network")
        self.switch = QPushButton("Switch on")
        self.switch.clicked.connect(lambda _on=False: self._switch())
        self.note, self.code = text_label(), QrCode()
        self.address = QLabel()
        self.address.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.address.setWordWrap(True)
        self.copy = QPushButton("Copy the address")
        self.copy.clicked.connect(lambda _on=False: QApplication.clipboard().setText(self.address.text()))
        self.trust, self.fingerprint = text_label(), QLabel()
        self.trust.setText(TRUST)
        self.fingerprint.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.fingerprint.setWordWrap(True)
        self.present = text_label()
        self.visitors = QVBoxLayout()
        self._lay_out()
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)
        control.visited.connect(self._visited)
        self.look()
        self._timer.start()

    def _lay_out(self) -> None:
        first = QHBoxLayout()
        first.addWidget(self.where, 1)
        first.addWidget(self.switch)
        column = QVBoxLayout(self)
        column.addLayout(first)
        column.addWidget(self.note)
        column.addWidget(self.code, 1)
        column.addWidget(self.address)
        column.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.trust)
        column.addWidget(self.fingerprint)
        column.addLayout(self.visitors)
        column.addWidget(self.present)
        self.setMinimumWidth(380)

    def _switch(self) -> None:
        message = ""
        if self.control.page is not None:
            self.control.stop_serving()
        else:
            try:
                self.control.serve(*self.where.currentData())
            except SourceMissing as why:
                message = str(why)
        self.look(message)

    def _visited(self, visitor, answer: Callable[[bool], None]) -> None:
        self.visitors.addWidget(VisitorRow(visitor, answer))
        self.show()
        self.raise_()

    def look(self, message: str = "") -> None:
        """Show how it stands now."""
        page = self.control.page
        on = page is not None and page.server is not None
        self.switch.setText("Switch off" if on else "Switch on")
        self.where.setEnabled(not on)
        self._failure = message or ("" if on else self._failure)
        show_note(self.note, self._failure or ("" if on else OFF))
        turned = self.code.isVisibleTo(self) != on
        for widget in (self.code, self.address, self.copy, self.present):
            widget.setVisible(on)
        fingerprint = page.server.fingerprint if on else ""
        for widget in (self.trust, self.fingerprint):
            widget.setVisible(bool(fingerprint))
        if on:
            from app.inputs.server.pairing import qr_matrix

            if self.address.text() != page.address:
                self.address.setText(page.address)
                self.code.show_rows(qr_matrix(page.address))
            self.fingerprint.setText(f"{fingerprint[:HALF]}\n{fingerprint[HALF:]}")
            self.present.setText(page.state)
        if turned:
            self.adjustSize()
