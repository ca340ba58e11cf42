"""Advice: what costs time and what is not as it should be, while the model runs; what to try, and the elements that it is about."""
from __future__ import annotations

from html import escape
from types import MappingProxyType

from PyQt6.QtCore import QSize, Qt
from PyQt6.QtGui import QColor, QGuiApplication, QPalette
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.appearance import signal_colour
from app.context import AppContext
from app.controllers.advice import OFF, AdviceController
from app.panels.live_panel import Sight, in_front
from physics.diagnostics.advice.finding import INFO, SLOW, WARNING, Advice
from physics.model.elements import Element

NAMED = 6       # elements that have a link of their own
LINES, LEAST_LINES = 14, 9      # of text that the panel would like to have room for, and has at least
EMPTY, NOTHING_ELSE = "Nothing to advise. The rules look at the last seconds of the run.", "Nothing else to advise."
WAITING = "Run the model: the rules look at some seconds of the run."
SWITCHED_OFF = "Advice is switched off."
WARNING_MARK, MARK = "\u25b2", "\u25cf"
MEANINGS = MappingProxyType({WARNING: "Something is likely to be wrong", SLOW: "Costs time; the results are the same", INFO: "May be as it should be"})


class AdvicePanel(QWidget):
    """A line that says what is looked at, and below it a row per advice."""

    scrolls = False

    def __init__(self, context: AppContext, advice: AdviceController):
        super().__init__()
        self._context, self._control = context, advice
        self.rows: dict[str, AdviceRow] = {}
        self.summary = QLabel("")
        self.summary.setWordWrap(True)
        self.switch = QPushButton("Switch on")
        self.switch.setToolTip("Look at the run now and then, and tell in the status bar how much advice there is")
        self.switch.clicked.connect(lambda _checked=False: advice.switch_on())
        self.again = QPushButton("")
        self.again.setToolTip("Tell again what was dismissed of this model")
        self.again.clicked.connect(lambda _checked=False: advice.tell_again())
        self.copy_all = QPushButton("Copy all")
        self.copy_all.setToolTip("All of it as text")
        self.copy_all.clicked.connect(lambda _checked=False: copy("\n".join(map(str, advice.advice))))
        head = QHBoxLayout()
        head.addWidget(self.summary, 1)
        for button in (self.switch, self.again, self.copy_all):
            head.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        holder = QWidget()
        self._list = QVBoxLayout(holder)
        self._list.setContentsMargins(0, 0, 4, 0)
        self._list.setSpacing(6)
        self._list.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(holder)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.addLayout(head)
        column.addWidget(self.area, 1)
        advice.changed.connect(self._changed)
        Sight(self).changed.connect(self._seen_changed)
        context.snapshot_ready.connect(self._say)
        self._changed()

    def sizeHint(self) -> QSize:
        """Room for two or three rows."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance("0") * 60, metrics.lineSpacing() * LINES)

    def minimumSizeHint(self) -> QSize:
        """Room for one row: a dock that is opened below the view is no higher than this."""
        return QSize(super().minimumSizeHint().width(), self.fontMetrics().lineSpacing() * LEAST_LINES)

    # ------------------------------------------------------------------ what is shown

    def _seen_changed(self, seen: bool) -> None:
        self._control.panel_seen(seen)
        self._changed()

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == event.Type.PaletteChange and hasattr(self, "rows"):     # marks and links are coloured by hand
            for row in self.rows.values():
                row.fill()

    def _changed(self) -> None:
        if not in_front(self):
            return
        told = {one.kind: one for one in self._control.advice}
        for kind in [kind for kind in self.rows if kind not in told]:
            row = self.rows.pop(kind)
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        for place, (kind, one) in enumerate(told.items()):
            if kind not in self.rows:
                self.rows[kind] = AdviceRow(self._control)
                self._list.insertWidget(place, self.rows[kind])
            self.rows[kind].show_advice(one)
        self._say()

    def _say(self, _snapshot=None) -> None:
        if not in_front(self):
            return
        control, snapshot = self._control, self._context.snapshot
        off, dismissed = control.mode == OFF, control.dismissed
        running = snapshot is not None and snapshot.running
        if off:
            text = SWITCHED_OFF
        elif control.advice:
            text = f"Of the last {control.samples} samples of the run{'' if running else ', as it was when it paused'}."
        else:
            text = WAITING if not control.samples else NOTHING_ELSE if dismissed else EMPTY
        if text != self.summary.text():
            self.summary.setText(text)
        self.switch.setVisible(off)
        self.again.setVisible(bool(dismissed) and not off)
        if self.again.isVisible():
            self.again.setText(f"Dismissed: {dismissed}")
        self.copy_all.setVisible(bool(control.advice))


class AdviceRow(QWidget):
    """A mark, the text with links, one of them to copy it, and a button to dismiss it."""

    def __init__(self, control: AdviceController):
        super().__init__()
        self._control = control
        self.advice: Advice | None = None
        self.mark, self.label = QLabel(), QLabel()
        self.label.setTextFormat(Qt.TextFormat.RichText)
        self.label.setWordWrap(True)
        self.label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.TextSelectableByMouse)
        self.label.linkActivated.connect(self._follow)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.label, 1)
        self.dismiss = QToolButton()
        self.dismiss.setText("\u2715")
        self.dismiss.setToolTip("Dismiss: not told again of this model while the program runs")
        self.dismiss.setAutoRaise(True)
        self.dismiss.setFocusPolicy(Qt.FocusPolicy.TabFocus)      # a click leaves the keys with the view
        self.dismiss.clicked.connect(lambda _checked=False: self._dismiss())
        row.addWidget(self.dismiss, 0, Qt.AlignmentFlag.AlignTop)

    def show_advice(self, advice: Advice) -> None:
        """Be of this; nothing is drawn anew where it says the same."""
        if advice != self.advice:
            self.advice = advice
            self.fill()

    def fill(self) -> None:
        """Write the text, in the present colours."""
        one, palette = self.advice, self.palette()
        grey = faint(palette).name()
        colour = signal_colour("warning", palette.window().color()).name() if one.severity == WARNING else grey
        self.mark.setText(f'<span style="color:{colour}">{WARNING_MARK if one.severity == WARNING else MARK}</span>')
        self.mark.setToolTip(MEANINGS[one.severity])
        self.label.setText(f"<b>{escape(one.title)}</b><br>{escape(one.text)}<br><i>Try:</i> {escape(one.remedy)}<br>"
                           f'{self._links()}<span style="color:{grey}">{100 * one.share:.0f} % of the time, last at {one.last:.2f} s</span> \u00b7 {self._link("copy", "Copy")}')

    def _links(self) -> str:
        elements = self.advice.elements
        if not elements:
            return ""
        links = [self._link(str(k), str(what)) for k, what in enumerate(elements[:NAMED])]
        if len(elements) > 1:
            links.append(self._link("all", f"all {len(elements)}"))
        return f"Select {', '.join(links)} \u00b7 "

    def _link(self, link: str, text: str) -> str:
        return f'<a style="color:{self.palette().link().color().name()}" href="{link}">{escape(text)}</a>'

    def _follow(self, link: str) -> None:
        elements: tuple[Element, ...] = self.advice.elements
        if link == "copy":
            copy(str(self.advice))
        else:
            self._control.select(elements if link == "all" else (elements[int(link)],))

    def _dismiss(self) -> None:
        self._control.dismiss(self.advice)


def faint(palette: QPalette) -> QColor:
    """The colour of what matters less: text, half way to the ground."""
    text, ground = palette.windowText().color(), palette.window().color()
    return QColor(*((a + b) // 2 for a, b in zip(text.getRgb()[:3], ground.getRgb()[:3], strict=True)))


def copy(text: str) -> None:
    """Put a text on the clipboard."""
    QGuiApplication.clipboard().setText(text)
