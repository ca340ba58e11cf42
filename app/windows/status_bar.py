"""The status bar: what is open, how the run goes, what takes long, and what wants attention. Each item a word or two; a click opens more."""
import re
import time
from collections.abc import Callable

from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtGui import QColor
from PyQt6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QProgressBar, QSizePolicy, QStatusBar, QWidget

from app.appearance import signal_colour
from app.context import AppContext
from app.panels.table import Services
from app.speeds import reached_text
from app.windows.changed_values import ChangedValuesList
from app.windows.ranked_row import ElidedLabel, RankedRow
from physics.enums import Engine
from physics.runtime.snapshot import Snapshot
from physics.simulate.hard_endings import counted, summary

SLOW_MS = 300               # what takes less is not told
STAYS_MS = 6000             # a message that is no error
FOLDERS = re.compile(r"^(?:[A-Za-z]:)?[/\\][^:]*[/\\](?=[^/\\:]+:\d)")     # of a place that a line begins with
CHANGED = "changed"         # beside the levels of the log: told in the accent colour


class Item(ElidedLabel):
    """One word of the bar, gone while it has nothing to say."""

    def __init__(self, tip: str, clicked: Callable[[], None] | None = None):
        super().__init__()
        self.setContentsMargins(5, 0, 5, 0)
        self.setToolTip(tip)
        self._clicked, self._level = clicked, ""
        if clicked is not None:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hide()

    def say(self, text: str, tip: str | None = None, level: str = "") -> None:
        """Show a text, or nothing; in the colour of its level, or as text is."""
        self.setText(text)
        self.setVisible(bool(text))
        if tip is not None:
            self.setToolTip(tip)
        if level != self._level:
            self._level = level
            self.update()

    @property
    def colour(self) -> QColor:
        """Of its text, on the present ground."""
        palette = QApplication.palette()
        if self._level == CHANGED:
            return palette.highlight().color()
        return signal_colour(self._level, palette.window().color()) or palette.windowText().color()

    def mouseReleaseEvent(self, event) -> None:
        if self._clicked is not None and event.button() == Qt.MouseButton.LeftButton:
            self._clicked()


class StatusBar(QStatusBar):
    """show_panel(id): opens a panel and gives it; pictures(): pictures a second."""

    def __init__(self, window: QMainWindow, services: Services, show_panel: Callable[[str], QWidget | None], pictures: Callable[[], float]):
        super().__init__(window)
        self._services, self._show_panel, self._pictures = services, show_panel, pictures
        self._since = 0.0
        self._opens = "log"     # the panel that a click on the message opens
        self._text_errors: tuple[str, ...] = ()     # that the text had last
        self.setSizeGripEnabled(False)
        self.model = Item("The open model")
        self.time = Item("Simulated time")
        self.speed = Item("Simulated time over real time; what is reached, where that is another")
        self.pace = Item("Pictures a second")
        self.tool = Item("What is dragged in the view, and by how much")
        self.message = Item("The newest line of the log; click: the log", self._open_message)
        self.progress = Progress()
        self.engine = Item("", lambda: show_panel("physics"))
        self.warnings = Item("", self._open_warnings)
        self.advice = Item("", lambda: show_panel("advice"))
        self.problems = Item("", self._open_problem)
        self.changed = Item("", self._open_changed)
        self.changed_list: ChangedValuesList | None = None
        self.addWidget(self._row(), 1)
        self._fade = QTimer(self)
        self._fade.setSingleShot(True)
        self._fade.timeout.connect(self._fall_silent)   # no lambda: the collector frees it with a closed window while the timer still runs, and Qt would call it
        self._connect(services.context)

    def _row(self) -> QWidget:
        """All items; where there is no room for all, those that want attention have it first."""
        row = RankedRow()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        for item, rank in ((self.model, 5), (self.engine, 3), (self.time, 2), (self.speed, 1), (self.pace, 6), (self.tool, 0), (spring(), 7),
                           (self.message, 4), (self.progress, 3), (self.advice, 4), (self.warnings, 0), (self.problems, 0), (self.changed, 0)):
            row.add(item, rank, cut=item in (self.model, self.tool, self.message, self.progress), grows=rank == 7)
        holder = QWidget()
        holder.setLayout(row)
        return holder

    def _connect(self, context: AppContext) -> None:
        session = self._services.session
        context.snapshot_ready.connect(self.show_snapshot)
        context.logged.connect(self._logged)
        context.diverged.connect(lambda _event: self._tell_page())
        context.progress_changed.connect(self.progress.show_progress)
        session.title_changed.connect(self._show_model)
        session.issues_changed.connect(self._show_issues)
        self._services.advice.changed.connect(self._show_advice)
        session.busy_changed.connect(lambda busy: context.busy("Compiling the model", who="model") if busy else context.idle("model"))
        session.loading_changed.connect(lambda name: context.busy(f"Loading {name}...", who="load") if name else context.idle("load"))

    # ------------------------------------------------------------------ what is said

    def _show_model(self, title: str) -> None:
        path = self._services.session.path
        self.model.say(title.rsplit(" - ", 1)[0], str(path) if path is not None else "A model without a file")

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """How the run goes."""
        model = snapshot.model
        self.time.say(f"{snapshot.time:.3f} s")
        self.speed.say(run_text(snapshot))
        self.pace.say(f"{self._pictures():.0f} fps" if self._pictures() else "")
        self.model.setToolTip(f"{self._services.session.path or 'A model without a file'}\n{model.nbody} bodies, {model.njnt} joints, {model.ngeom} geoms, "
                              f"{model.nu} actuators; {model.nv} degrees of freedom\n{snapshot.ncon} contacts, {snapshot.nefc} constraint rows, "
                              f"{snapshot.step_us:.0f} us per step")
        self.engine.say(*engine_text(snapshot))
        count = int(snapshot.warning_number.sum())
        self.warnings.say(plural(count, "warning") if count else "", "Warnings of the simulation since the last reset; click: what they say", "warning")
        values = snapshot.changed_values
        self.changed.say(f"\u25cf {len(values)} changed" if values else "", "Values that differ from the file; click: which, back to the file's, or into the text", CHANGED)
        if self.changed_list is not None and self.changed_list.isVisible():
            self.changed_list.show_values(values)

    def _show_advice(self) -> None:
        advice = self._services.advice.advice
        titles = "\n".join(one.title for one in advice)
        self.advice.say(f"Advice: {len(advice)}" if advice else "", f"Advice for the model that runs:\n{titles}\nClick: what it says and what to try")

    def _show_issues(self, issues) -> None:
        errors = sum(issue.severity == "error" for issue in issues)
        text = plural(errors, "problem") if errors else plural(len(issues), "note")
        first = str(worst(issues)) if issues else ""
        self.problems.say(text if issues else "", f"{first}\nClick: its place in the text", "error" if errors else "")
        if not errors and self._text_errors and self.message.toolTip().startswith(self._text_errors):
            self._fall_silent()     # what is mended is no error any more; the log keeps it
        self._text_errors = tuple(str(issue) for issue in issues if issue.severity == "error")

    def _fall_silent(self) -> None:
        self.message.say("")

    def _logged(self, level: str, text: str) -> None:
        line = FOLDERS.sub("", text.splitlines()[0]) if text else ""
        shown = self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, max(120, self.width() // 3))
        self._opens = "log"
        self.message.say(shown, f"{text}\nClick: the log", level)
        self._fade.start(STAYS_MS) if level != "error" else self._fade.stop()

    def _tell_page(self) -> None:
        """The newest message is that the run has diverged, of which a page tells more."""
        self._opens = "divergence"
        self.message.setToolTip(f"{self.message.toolTip().rpartition(chr(10))[0]}\nClick: why, and what helps")

    # ------------------------------------------------------------------ what a click opens

    def _open_message(self) -> None:
        self._show_panel(self._opens)

    def _open_warnings(self) -> None:
        if self._show_panel("warnings") is None:
            self._show_panel("log")

    def _open_problem(self) -> None:
        panel = self._show_panel("source")
        issues = self._services.session.issues
        if panel is not None and issues:
            panel.go_to(worst(issues).place)

    def _open_changed(self) -> None:
        snapshot = self._services.context.snapshot
        if self.changed_list is None:
            self.changed_list = ChangedValuesList(self._services.context, self._services.session, self._services.document_selection, self.window())
        self.changed_list.show_values(snapshot.changed_values if snapshot is not None else ())
        self.changed_list.open_above(self.changed)


class Progress(QWidget):
    """What takes long, once it has taken SLOW_MS; a bar without an end where nobody knows how long."""

    def __init__(self):
        super().__init__()
        self.label, self.bar = ElidedLabel(""), QProgressBar()
        self.bar.setFixedWidth(90)
        self.bar.setMaximumHeight(10)
        self.bar.setTextVisible(False)
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.addWidget(self.label)
        row.addWidget(self.bar)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self.show)
        self._began = 0.0
        self.hide()

    def show_progress(self, text: str, share: float) -> None:
        """What is busy and how much of it is done; '' for nothing."""
        if not text:
            self._late.stop()
            self.hide()
            self._began = 0.0
            return
        self.label.setText(text)
        self.bar.setRange(0, 0 if share < 0 else 1000)
        if share >= 0:
            self.bar.setValue(round(1000 * share))
        if not self._began:
            self._began = time.monotonic()
            self._late.start(SLOW_MS)


def run_text(snapshot: Snapshot) -> str:
    """Speed and whether it runs: 'paused', '100 %', '100 % (real 42 %)'."""
    if not snapshot.running:
        return "paused" if snapshot.status != "preparing" else "preparing"
    return reached_text(snapshot)


def engine_text(snapshot: Snapshot) -> tuple[str, str, str]:
    """(text, tooltip, level) of what moves the model, where that is not the usual engine: 'hard', and how many steps since the last reset were not solved at once."""
    if snapshot.model.opt_engine != Engine.HARD:
        return "", "", ""
    found = counted(snapshot)
    text, level = (f"hard: {summary(snapshot)}", found[0][0].level) if found else ("hard", "")
    lines = [f"{count} {ending.word} ({ending.what})" for ending, count in found]
    tip = "\n".join([f"The hard engine moves the model. {'Steps since the last reset:' if lines else 'Each step since the last reset was solved at once.'}", *lines,
                     f"The last: {snapshot.hard_niter} iterations, {snapshot.hard_looked} more looks; residual {snapshot.hard_rv:.1e}, complementarity {snapshot.hard_kv:.1e} J",
                     "Click: its options"])
    return text, tip, level


def worst(issues):
    """The first error, or else the first of all."""
    return next((issue for issue in issues if issue.severity == "error"), issues[0])


def plural(count: int, word: str) -> str:
    """'1 word', '2 words'."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def spring() -> QWidget:
    """Takes the room that the others leave."""
    widget = QWidget()
    widget.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return widget
