"""Fit: the user says how deep it is to rest, how lively to bounce, how soon to settle; what cannot be is told at once, the rest is solved on the side.

    number or tick --objection--> why not, the nearest that can be         (by formula, at once)
                   --solve------> reached, scatter, w h, warnings          (a thread) --Use--> Tuned.candidate --> the tuner, whose Apply writes it
                                  Prove --proven--> what the engine does   (a thread)
"""
from __future__ import annotations

from functools import partial
from math import inf, isfinite

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.context import AppContext
from app.panels.diagnostics.query_panel import text_label
from app.panels.live_panel import Sight, in_front
from app.panels.pipeline.newest_work import NewestWork
from app.panels.tuner import choice
from app.panels.tuner.figures import NONE, length_text, time_text
from app.panels.tuner.figures_table import BadgesLabel
from app.panels.tuner.fit_work import Proof, Question, Solution, proven, solve, wanted_numbers
from app.panels.tuner.tuned import tuned_of
from editor.widgets.number_edit import NumberEdit
from physics.model.state_fields import State
from physics.tuning.fit import Goal
from physics.tuning.goals import NUMBERS, goal_of, objection, present_by_formula
from physics.tuning.law import Parameters

ROWS = (("restitution", "Restitution", "Speed after an impact over speed before, at the speed of the predicted impact: the mean over where in a time step it begins"),
        ("rest_depth", "Rest depth [{}]", "How deep it lies under its present load"),
        ("settling", "Settling [s]", "Time until 2 % of a small step of the load is left. How long a drop takes to end follows from the restitution"))
TICK = "Ticked: it is wanted. Else it stays as it is now, and moves only where the others leave it no room"
NOTHING_WANTED = "Write a number, or tick one that is to stay as it is."
NO_CONTACT = "It has to be in contact under load first."
BOTH_WAYS = "An equality neither bounces nor rests at a depth of its own: set its frequency and damping above."
DIFFERS = 1e-3          # relative: a number of the nearest goal that differs by less is not named
FREE_DIGITS = 4         # shown of a number that nobody has stated
GAPS = 6


class FitPart(QWidget):
    """solution, proof: the newest, None while there is none."""

    def __init__(self, context: AppContext):
        super().__init__()
        self._context, self._tuned = context, tuned_of(context)
        self.solution: Solution | None = None
        self.proof: Proof | None = None
        self.nearest: Goal | None = None        # that one click takes
        self._question: Question | None = None
        self._of: tuple | None = None           # key of the target that the numbers are of
        self._solving, self._proving = NewestWork("fit", self, 0.5), NewestWork("fit proof", self)
        self._make()
        self._lay_out()
        self._solving.done.connect(self._solved)
        self._solving.failed.connect(self._say)
        self._proving.done.connect(self._proved)
        self._proving.failed.connect(lambda text: self._proved(None, text))
        self._tuned.changed.connect(self._follow)
        Sight(self).changed.connect(lambda seen: self._follow() if seen else None)
        self._follow()

    def _make(self) -> None:
        self.ticks = {name: QCheckBox(title.format("m")) for name, title, _tip in ROWS}
        self.fields = {name: NumberEdit(low=0.0, high=1.0 if name == "restitution" else inf, share=1.2) for name in self.ticks}
        self.reached, self.proved = ({name: _figure() for name in self.ticks} for _ in range(2))
        self.step = _figure()
        for name, _title, tip in ROWS:
            self.ticks[name].setToolTip(f"{tip}\n{TICK}")
            self.ticks[name].clicked.connect(lambda _on: self._ask())
            self.fields[name].edited.connect(partial(self._stated, name))
        self.message = text_label()
        self.nearest_button = QPushButton("")
        self.nearest_button.setToolTip("Want these in place of what cannot be")
        self.nearest_button.clicked.connect(lambda _on: self._take_nearest())
        self.badges = BadgesLabel()
        self.standard = QCheckBox("As timeconst and dampratio")
        self.standard.setToolTip("The same contact in the standard format")
        self.use, self.prove = QPushButton("Use"), QPushButton("Prove")
        self.use.setToolTip("Try these values in the tuner: Apply writes them where you choose")
        self.use.clicked.connect(lambda _on: self._use())
        self.prove.clicked.connect(lambda _on: self._prove())

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(4, 2, 4, 2)
        grid.setHorizontalSpacing(GAPS)
        grid.setVerticalSpacing(2)
        for column, head in enumerate(("", "Wanted", "Reached", "Proved")):
            label = _figure(head)
            label.setForegroundRole(self.palette().ColorRole.PlaceholderText)
            grid.addWidget(label, 0, column)
        for line, name in enumerate(self.ticks, 1):
            for column, widget in enumerate((self.ticks[name], self.fields[name], self.reached[name], self.proved[name])):
                grid.addWidget(widget, line, column)
        label = QLabel("w h")
        label.setToolTip("Frequency times time step: up to 0.2 each bounce is like the next")
        grid.addWidget(label, len(ROWS) + 1, 0)
        grid.addWidget(self.step, len(ROWS) + 1, 2)
        grid.setColumnStretch(2, 1)
        grid.setColumnStretch(3, 1)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(4, 0, 4, 0)
        buttons.addStretch(1)
        buttons.addWidget(self.prove)
        buttons.addWidget(self.use)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 2)
        column.setSpacing(2)
        column.addLayout(grid)
        for widget in (self.message, self.nearest_button, self.badges, self.standard):
            column.addWidget(widget)
        column.addLayout(buttons)

    # ------------------------------------------------------------------ what is wanted

    @property
    def wanted(self) -> dict[str, float]:
        """The ticked numbers."""
        return {name: self.fields[name].number for name in NUMBERS if self.ticks[name].isChecked()}

    def _follow(self) -> None:
        """The tuner is about something else, or its row or values are others."""
        now = self._tuned.now
        key = choice.key_of(now.target) if now is not None else None
        if key != self._of:
            self._of = key
            for tick in self.ticks.values():
                tick.setChecked(False)
        if now is not None:
            self.ticks["rest_depth"].setText(ROWS[1][1].format(now.units[0]))
        if in_front(self):
            self._ask()

    def _stated(self, name: str, _value: float) -> None:
        self.ticks[name].setChecked(True)
        self._ask()

    def _take_nearest(self) -> None:
        """Of what is wanted, the numbers that can be; the others follow."""
        for name in self.wanted if self.nearest is not None else ():
            self.fields[name].show_value(float(f"{getattr(self.nearest, name):.6g}"))
        self._ask()

    def _ask(self) -> None:
        """Say at once what cannot be; else solve."""
        now = self._tuned.now
        usable = now is not None and now.row is not None and not now.both_ways
        question = Question(now.row, now.in_force, wanted_numbers(self.wanted), now.speed, now.friction) if usable else None
        if question != self._question:
            self._question, self.solution, self.proof = question, None, None
            self._solving.give_up()
            self._proving.give_up()
        elif question is not None and (self.solution is not None or self._solving.busy):
            return
        self.nearest = None
        if question is None:
            self._show(BOTH_WAYS if now is not None and now.both_ways else NO_CONTACT)
            return
        goal = goal_of(question.row, self.wanted, present_by_formula(question.row, question.in_force, question.speed))
        for name in NUMBERS:
            if not self.ticks[name].isChecked() and isfinite(getattr(goal, name)):
                self._show_free(name, goal)
        if not question.wanted:
            self._show(NOTHING_WANTED)
            return
        why, self.nearest = objection(question.row, goal)
        self._show(_sentence(why))
        self._solving.begin(lambda _stop: solve(question))

    # ------------------------------------------------------------------ what comes of it

    def _solved(self, found: Solution) -> None:
        if found.question != self._question:
            return
        self.solution = found
        self.nearest = found.fit.nearest
        for name in NUMBERS:
            if not self.ticks[name].isChecked() and isfinite(getattr(found.fit.goal, name)):
                self._show_free(name, found.fit.goal)
        self._show(_sentence(found.fit.refused))

    def _show_free(self, name: str, goal: Goal) -> None:
        """What a number that nobody has stated is."""
        self.fields[name].show_value(float(f"{getattr(goal, name):.{FREE_DIGITS}g}"))

    def _use(self) -> None:
        parameters = self._chosen
        if parameters is not None:
            self._tuned.candidate.emit(parameters)

    @property
    def _chosen(self) -> Parameters | None:
        """In the format that is wanted."""
        found = self.solution
        if found is None:
            return None
        return found.standard if found.standard is not None and self.standard.isChecked() else found.parameters

    def _prove(self) -> None:
        m, snapshot, now, question, parameters = self._context.model, self._context.snapshot, self._tuned.now, self._question, self._chosen
        if m is None or snapshot is None or snapshot.model is not m or now is None or parameters is None:
            return
        state, target, settling = State.of(snapshot), now.target, self.solution.response.load_step.settling
        self._proving.begin(lambda stop: proven(m, state, target, question, parameters, settling, stop))
        self._show(self.message.text())

    def _proved(self, found: Proof | None, why: str = "") -> None:
        if found is not None:
            self.proof = found
        self._show(f"This could not be proven: {why}" if why else found.how if found is not None else self.message.text())

    def _say(self, text: str) -> None:
        self._show(_sentence(text))

    def _show(self, message: str) -> None:
        """All figures, and this."""
        found, units = self.solution, self._tuned.now.units if self._tuned.now is not None else ("m", "N")
        response = found.response if found is not None else None
        texts = dict.fromkeys(NUMBERS, NONE)
        if response is not None:
            texts = {"restitution": f"{response.impacts.mean:.3f} ± {response.impacts.scatter:.3f}", "rest_depth": length_text(response.rest_depth, units[0]),
                     "settling": time_text(response.load_step.settling)}
        proof = self.proof
        shown = dict.fromkeys(NUMBERS, "…" if self._proving.busy else NONE) if proof is None else {
            "restitution": f"{proof.bounces.mean():.3f} ± {proof.bounces.std():.3f}", "rest_depth": length_text(proof.rest_depth, units[0]), "settling": time_text(proof.drop.settling)}
        for name in NUMBERS:
            self.reached[name].setText(texts[name])
            self.proved[name].setText(shown[name])
            self.proved[name].setToolTip(proof.how if proof is not None else "")
        self.step.setText(f"{found.step:.3g}" if found is not None and isfinite(found.step) else NONE)
        self.message.setText(message)
        self.message.setVisible(bool(message))
        named = self._named()
        self.nearest_button.setText(f"Take the nearest: {named}")
        self.nearest_button.setVisible(bool(named))
        self.badges.show_badges(found.badges if found is not None else ())
        there = self._chosen is not None
        self.use.setEnabled(there)
        self.prove.setEnabled(there and not self._proving.busy)
        self.prove.setToolTip("Let the engine do it in a copy of the scene, where it can bounce there, and as a drop of its row alone" if there else "Known when there are values")
        self.standard.setEnabled(found is not None and found.standard is not None)

    def _named(self) -> str:
        """Of what is wanted, the numbers that the nearest goal has otherwise."""
        if self.nearest is None:
            return ""
        wanted = self.wanted
        said = [f"{name.replace('_', ' ')} {getattr(self.nearest, name):.4g}" for name in wanted if abs(getattr(self.nearest, name) - wanted[name]) > DIFFERS * abs(wanted[name])]
        return ", ".join(said)


def _figure(text: str = NONE) -> QLabel:
    label = QLabel(text)
    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    return label


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else ""
