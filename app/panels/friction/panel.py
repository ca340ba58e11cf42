"""Friction: of a contact which coefficients are in force, at which slope it slips, how it creeps, and what cone, impratio, noslip and condim would change.

    selection, the Tuner's choice -> Target -> question to the physics thread -> Answer: coefficients, slip now, sets
    states of the run --Measuring, Slips--> Creep of the last second
    Slope test, Compare -> Moment -> thread: a copy in which gravity turns -> Slope, Slipping set by set -> tables
    Start as companions -> CompanionsController
    what is chosen here --Tuned--> the Tuner
"""
from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import degrees, isfinite, isnan, radians

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.context import AppContext
from app.controllers.companions import CompanionsController
from app.panels.diagnostics.query_panel import QueryPanel, text_label
from app.panels.friction import work
from app.panels.friction.answer import Answer, Wanted, answer
from app.panels.friction.tables import CoefficientTable, SetTable, SlipTable
from app.panels.pipeline.newest_work import NewestWork
from app.panels.tuner import choice
from app.panels.tuner.measuring import Measuring
from app.panels.tuner.number_rows import stacked
from app.panels.tuner.target_box import TargetBox
from app.panels.tuner.tuned import tuned_of
from editor.widgets.number_edit import NumberEdit
from editor.widgets.section import Section
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from physics.tuning.friction import Slope
from physics.tuning.friction_compare import Slipping
from physics.tuning.parameter_set import MOST
from physics.tuning.target import Form, Target

NOTHING = "Nothing touches now. Select a contact, geom or body that lies on something, or let something touch."
APART = "It touches nothing now: tests need a contact."
NO_TEST = "Turns gravity on a copy of the model, from this moment, until the contact slides"
NO_COMPARISON = "Each on a copy of the model, from this moment, on a slope that asks for half of what the present cone holds"
STARTED = "Beside this run, with the same inputs, from this moment"
TITLES = ("Coefficients in force", "How it slips", "Slope", "Compared", "Why these coefficients")


class FrictionPanel(QueryPanel):
    """answer: the newest; slope: of the last test; slippings: of the last comparison, by label."""

    _came = pyqtSignal(object, object)      # token, Slipping: from the thread

    def __init__(self, context: AppContext, companions: CompanionsController):
        super().__init__(context)
        self._companions, self._tuned = companions, tuned_of(context)
        self.target: Target | None = None
        self.answer: Answer | None = None
        self.slope: Slope | None = None
        self.slippings: dict[str, Slipping] = {}
        self._of = context.model            # Model that the target is of
        self._chosen = self._behind = False
        self._wanted = Wanted()
        self._tests = False                 # whether a slope test goes on
        self._token: object | None = None   # of the comparison that goes on
        self.measuring = Measuring(context, self)
        self._testing, self._comparing = NewestWork("slope test", self), NewestWork("compared friction", self)
        self._make()
        self._lay_out()
        self._connect()
        self.fill_with_models(self._fill)
        self._show_all()

    def _make(self) -> None:
        self.chooser = TargetBox("Whose friction: what is selected, or one of the contacts that press hardest")
        self.coefficients, self.slips, self.sets = CoefficientTable(), SlipTable(), SetTable()
        self.heading = NumberEdit(0.0, low=-360.0, high=360.0, share=1.0)
        self.heading.setToolTip("Direction of the slope in the plane of contact, from the first tangent: a pyramidal cone holds least at 45°")
        self.expected, self.slope_text, self.compared, self.why = text_label(), text_label(), text_label(), text_label()
        self.test, self.compare, self.start = QPushButton("Slope test"), QPushButton("Compare"), QPushButton("Start as companions")
        self.impratio, self.noslip = NumberEdit(10.0, low=1e-3, high=1e6, share=1.0), NumberEdit(10.0, low=1.0, high=1000.0, whole=True, share=1.0)
        self.impratio.setToolTip("The impratio that is compared")
        self.noslip.setToolTip("The noslip_iterations that are compared")

    def _lay_out(self) -> None:
        slope, compared = QWidget(), QWidget()
        line = QHBoxLayout(slope)
        for part in (QLabel("Along [°]"), self.heading, self.test):
            line.addWidget(part)
        line.addStretch(1)
        grid = QGridLayout(compared)
        for column, part in enumerate((QLabel("impratio"), self.impratio, QLabel("noslip"), self.noslip)):
            grid.addWidget(part, 0, column)
        grid.addWidget(self.compare, 1, 0, 1, 2)
        grid.addWidget(self.start, 1, 2, 1, 2)
        for layout in (line, grid):
            layout.setContentsMargins(4, 0, 4, 0)
        parts = (self.coefficients, self.slips, stacked(slope, self.expected, self.slope_text), stacked(compared, self.sets, self.compared), self.why)
        self.sections = {title: Section(title, title != TITLES[-1]) for title in TITLES}
        layout = QVBoxLayout(self)
        layout.setSpacing(2)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.chooser)
        layout.addWidget(self.note)
        for section, part in zip(self.sections.values(), parts, strict=True):
            section.add(part)
            layout.addWidget(section)
        layout.addStretch(1)

    def _connect(self) -> None:
        self.chooser.opening.connect(self._offer)
        self.chooser.chosen.connect(self._choose)
        for field in (self.heading, self.impratio, self.noslip):
            field.edited.connect(lambda _value: self._fields_changed())
        self.test.clicked.connect(lambda _checked=False: self._begin_test())
        self.compare.clicked.connect(lambda _checked=False: self._begin_comparison())
        self.start.clicked.connect(lambda _checked=False: self._start())
        self.sets.chosen_changed.connect(self._show_buttons)
        self.measuring.changed.connect(self._show_slip)
        self._testing.done.connect(self._tested)
        self._testing.failed.connect(lambda text: self._test_ended(f"It could not be tested: {text}."))
        self._came.connect(self._one_came)
        self._comparing.done.connect(lambda _none: self._compared())
        self._comparing.failed.connect(lambda text: self._compared(f"They could not be compared: {text}."))
        self._companions.changed.connect(self._show_buttons)
        self._context.model_changed.connect(self._carry_over)
        self._context.model_edited.connect(lambda _fields: self._edited())
        self._context.option_edited.connect(lambda _name: self._edited())
        self._context.selection_changed.connect(lambda _selection: self._follow())
        self._tuned.changed.connect(self._follow_tuner)

    # ------------------------------------------------------------------ what it is about

    def _carry_over(self, model: Model) -> None:
        """Another Model runs: the contact is found again in it by name. At once, also where nobody looks: the Model before is let go."""
        before, self._of = self._of, model
        self.chooser.forget()
        self._forget()
        self.answer = None
        if self.target is not None:
            kept = choice.found_again(before, model, self.target) if not self._context.newly_opened else None
            if kept is None:
                self._set_target(None)
            else:
                self.target = kept

    def _fill(self, _model: Model) -> None:
        if self.target is None:
            self._behind = True
        else:
            self._measure()

    def _follow(self) -> None:
        """Be about the contact of what is selected; without one about the tuner's, or what presses hardest."""
        m, snapshot = self._context.model, self._context.snapshot
        if m is None or snapshot is None or snapshot.model is not m or m is not self._filled_with:
            return
        if not self.seen:
            self._behind = True
            return
        self._behind = False
        selected = choice.targets_for(m, snapshot, self._context.selection.elements)
        found, before = _contacts(selected), self.target
        self._chosen |= bool(found)
        if not found and self.target is None:
            self._follow_tuner()
            found = choice.pressing(m, snapshot) if self.target is None else ()
        if found:
            self._set_target(found[0])
            if found[0] in selected[:1] and (before is None or choice.key_of(before) != choice.key_of(found[0])):     # else the tuner is about something else of them
                self._tuned.target.emit(found[0])

    def _follow_tuner(self) -> None:
        """Be about the contact that the tuner is about."""
        now = self._tuned.now
        if now is not None and now.target.form == Form.CONTACT and self._of is self._context.model:
            self._behind, self._chosen = False, now.chosen
            self._set_target(now.target)

    def _offer(self) -> None:
        m, snapshot = self._context.model, self._context.snapshot
        current = m is not None and snapshot is not None and snapshot.model is m
        self.chooser.offer(m, snapshot, self.target, _contacts(choice.targets_for(m, snapshot, self._context.selection.elements)) if current else ())

    def _choose(self, target: Target) -> None:
        self._chosen = True
        self._set_target(target)
        self._tuned.target.emit(target)

    def _set_target(self, target: Target | None) -> None:
        if target is not None and self.target is not None and choice.key_of(target) == choice.key_of(self.target):
            self.target = target
            return
        self._chosen &= target is not None
        self.target, self.answer = target, None
        self._forget()
        self._measure()
        self._show_all()
        if target is not None:
            self._offer()
            self._ask_at_once()

    def _measure(self) -> None:
        target = self.target
        self.measuring.follow((lambda: work.Slips(target)) if target is not None else None)

    def _forget(self) -> None:
        """What was found is of another contact, or of other values."""
        self._testing.give_up()
        self._comparing.give_up()
        self._tests, self._token, self.slope = False, None, None
        self.slippings.clear()
        _put(self.slope_text, "")
        _put(self.compared, "")
        self.sets.forget()

    # ------------------------------------------------------------------ what the simulation says

    @property
    def _asks(self) -> bool:
        return self.target is not None

    def _look(self, m: Model, d) -> Answer | None:
        """In the physics thread."""
        target = self.target
        return answer(m, d, target, self._wanted) if target is not None and m is self._filled_with else None

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Ask for what is new."""
        if self._behind or self.target is None or self.target.element.kind == "geom":       # a geom's contact, once it has one
            self._follow()
        elif not self._chosen and self.answer is not None and self.answer.slip is None:
            found = choice.pressing(snapshot.model, snapshot)
            self._set_target(found[0] if found else self.target)
        super().show_snapshot(snapshot)
        if self.target is None:
            self._say(NOTHING)
        else:
            self.measuring.look()

    def _answered(self, found: Answer | None) -> None:
        if found is None or self.target is None or choice.key_of(found.target) != choice.key_of(self.target):
            return
        self.answer = found
        self._say("" if found.slip is not None else APART)
        self._show_all()

    def _fields_changed(self) -> None:
        self._wanted = Wanted(radians(self.heading.number), self.impratio.number, int(self.noslip.number))
        if self.target is not None:
            self._forget()
            self._show_all()
            self._ask_at_once()

    def _edited(self) -> None:
        """Other values are in force."""
        if self.target is not None:
            self._forget()
            self._show_buttons()
            self._ask_at_once()

    # ------------------------------------------------------------------ tests in the background

    def _moment(self) -> work.Moment | None:
        m, snapshot = self._context.model, self._context.snapshot
        return work.Moment(m, snapshot) if m is not None and snapshot is not None and snapshot.model is m else None

    def _begin_test(self) -> None:
        """Or end the one that goes on."""
        if self._tests:
            self._testing.give_up()
            self._test_ended("")
            return
        moment, target, heading = self._moment(), self.target, self._wanted.heading
        if moment is not None and target is not None:
            self._tuned.target.emit(target)     # it stays with it
            self._tests, self.slope = True, None
            _put(self.slope_text, "Gravity is being turned on a copy.")
            self._testing.begin(lambda stop: work.tilt(moment, target, heading, stop))
            self._show_buttons()

    def _tested(self, slope: Slope) -> None:
        self.slope = slope
        self._test_ended(f"{slope.text[:1].upper()}{slope.text[1:]}.")

    def _test_ended(self, text: str) -> None:
        self._tests = False
        _put(self.slope_text, text)
        self._show_buttons()

    def _begin_comparison(self) -> None:
        """Or end the one that goes on."""
        if self._token is not None:
            self._token = None
            self._comparing.give_up()
            self._show_buttons()
            return
        moment, target, heading = self._moment(), self.target, self._wanted.heading
        if moment is None or self.answer is None or not self.answer.sets:
            return
        self._tuned.target.emit(target)
        sets, token = self.answer.sets, object()
        self._token = token
        self.slippings.clear()
        self.sets.forget()
        _put(self.compared, "")

        def run(stop) -> None:
            for one in work.compare(moment, target, sets, heading, stop):
                with suppress(RuntimeError):        # the window is closed
                    self._came.emit(token, one)

        self._comparing.begin(run)
        self._show_buttons()

    def _one_came(self, token: object, found: Slipping) -> None:
        if token is not self._token:
            return
        self.slippings[found.set.label] = found
        self.sets.show_slipping(found)
        apart = " There it leaves the ground: slips are known of what stays on it." if any(isnan(one.drift.speed) for one in self.slippings.values()) else ""
        _put(self.compared, f"On a slope of {degrees(found.drift.angle):.3g}°, which asks for half of what the present cone holds.{apart}")

    def _compared(self, problem: str = "") -> None:
        self._token = None
        if problem:
            _put(self.compared, problem)
        self._show_buttons()

    def _start(self) -> None:
        """Those that are ticked, as companions."""
        chosen = [one for one in (self.answer.sets if self.answer is not None else ()) if one.label in self.sets.chosen]
        if chosen and not self._companions.start_sets([replace(one, colour=k) for k, one in enumerate(chosen)]):
            self._say(f"No companions were started: {MOST} are as many as a run can have. Why is in the log.")

    # ------------------------------------------------------------------ showing

    def _show_all(self) -> None:
        found = self.answer
        for section in self.sections.values():
            section.setVisible(self.target is not None)
        self.chooser.setVisible(self.target is not None)
        if found is not None:
            self.coefficients.show_coefficients(found.coefficients)
            if found.sets or not self.slippings and self._token is None:        # what was found stays, and what was ticked, while it leaves the ground for a moment
                self.sets.show_sets(found.sets)
            why = "\n".join(found.why)
            if self.why.text() != why:
                self.why.setText(why)
            text = f"The cone lets it slip from {degrees(found.slope):.4g}° on." if found.slip is not None else ""
            _put(self.expected, text)
        self._show_slip()
        self._show_buttons()

    def _show_slip(self) -> None:
        self.slips.show_slip(self.answer.slip if self.answer is not None else None, self.measuring.measured)

    def _show_buttons(self) -> None:
        touches = self.answer is not None and self.answer.slip is not None and isfinite(self.answer.slip.normal)
        chosen, room = self.sets.chosen, MOST - len(self._companions.rows)
        for button, busy, title, tip in ((self.test, self._tests, "Slope test", NO_TEST), (self.compare, self._token is not None, "Compare", NO_COMPARISON)):
            button.setText("Stop" if busy else title)
            button.setEnabled(touches or busy)
            button.setToolTip(tip if touches or busy else APART)
        self.start.setEnabled(touches and 0 < len(chosen) <= room)
        self.start.setToolTip(APART if not touches else "Tick what is to run beside this run" if not chosen else STARTED if len(chosen) <= room
                              else f"A run can have {MOST} companions, and there are {len(self._companions.rows)} already")


def _put(label: QLabel, text: str) -> None:
    """A text, which takes no room where there is none."""
    if label.text() != text:
        label.setText(text)
    label.setVisible(bool(text))


def _contacts(targets) -> tuple[Target, ...]:
    return tuple(target for target in targets if target.form == Form.CONTACT)
