"""Servos: of a joint under its actuator what gains, armature, gear and limits do, which gains give a wanted bandwidth and damping, and where they are written.

    selection -> actuator -> question to the physics thread -> copy of Model and Data --thread--> Base: servo at this pose, values in force
    handle, number, Tune -> values being tried -> study.quick at once, study.tried from a thread -> curves, figures
    Apply, or a drag -> ServoWriting -> Edit of the session -> the model that runs;      Try live -> commands, without a text
"""
from __future__ import annotations

from dataclasses import replace

import numpy as np
from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QComboBox, QSizePolicy, QVBoxLayout

from app.context import AppContext
from app.panels.diagnostics.query_panel import QueryPanel
from app.panels.pipeline.newest_work import NewestWork
from app.panels.servos import choice, live, study
from app.panels.servos.curves_part import InertiaPart, MusclePart
from app.panels.servos.figures_table import ServoFigures
from app.panels.servos.inertia_sweep import InertiaSweep
from app.panels.servos.response_part import ResponsePlots, TrialRow
from app.panels.servos.study import Base, JointRow, Tried
from app.panels.servos.tune_part import TunePart
from app.panels.servos.value_rows import BY_NAME, WAIT, ValueRows, with_number
from app.panels.servos.work_line import WorkLine
from app.panels.servos.write_bar import ServoBar
from app.panels.servos.writing import ServoWriting, WantedServo
from app.panels.tuner.number_rows import stacked
from app.panels.tuner.place_chooser import PlaceChooser
from app.session import Session
from editor.widgets.section import Section
from physics.model.elements import Element, find_again
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from physics.tuning.servos.law import POSITION, VELOCITY
from physics.tuning.servos.response import pair_beside
from physics.tuning.servos.trial import SINE, Outcome, Trial, round_up
from physics.tuning.servos.tune import Tuned
from physics.tuning.servos.values import ServoValues, differing

LOOK_MS = 200           # after a change of texts or Model, until the state and the places to write to are looked for
PAUSE_MS = 60           # that a handle rests, until a thread works out the rest: it would keep the next motion waiting
MOST_QUICK = 400        # time steps that are simulated at each motion of a handle; the rest follows from a thread
SAME = 1e-9
PERIODS = 6.0           # of a sine
TAKES, SIMULATES, TRIES, MEASURES, FOLLOWS = "Taking this pose…", "Simulating what runs…", "Simulating what is tried…", "Measuring all joints…", "Moving the joint…"
NOTHING = "This model has no actuators."
VALUES, RESPONSE, FIGURES, TUNE, INERTIA, MUSCLE = "Values", "Response", "What it does", "Tune to a bandwidth", "Effective inertia", "Muscle"


class ServosPanel(QueryPanel):
    """actuator: what is tuned; base: how it is in the pose of the test; values: those being tried; in_force: those of the model that runs."""

    def __init__(self, context: AppContext, session: Session):
        super().__init__(context)
        self.actuator: Element | None = None
        self.base: Base | None = None
        self.values: ServoValues | None = None
        self.in_force: ServoValues | None = None
        self.now: Outcome | None = None         # of the newest values, held
        self.runs: Tried | None = None
        self.tried: Tried | None = None
        self._of = context.model
        self._offered: tuple[Element, ...] = ()
        self._chosen = False                    # whether the user has chosen what is tuned
        self._changed = False                   # values wait to be written
        self._awaited: ServoValues | None = None    # written, and not yet in an answer
        self._number = 0                        # of changes of texts and Model: an answer from before one says nothing
        self._refused: tuple[int, int] | None = None    # (number, actuator) that cannot be tested
        self._anew = True                       # the next state begins with a step of its own
        self._own_seconds, self._seconds = False, 1.0   # whether the user has said how long a test is, and how long it is
        self._behind = self._places_behind = False
        self._looked_for: tuple = ()
        self._message = self._status = ""
        self._held = False                      # whether a handle is dragged whose motions are written
        self.writing = ServoWriting(context, session, self)
        self.live = live.LiveTrial(context)
        self._basing, self._trying = NewestWork("servo", self, 0.5), NewestWork("servo's response", self, 0.5)
        self._tuning = NewestWork("gains", self)
        self._make(context)
        self._sweep = InertiaSweep(self.inertia, self)
        self._lay_out()
        self._look_timer = QTimer(self)
        self._look_timer.setSingleShot(True)
        self._look_timer.setInterval(LOOK_MS)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._connect(session)
        context.model_changed.connect(self._carry_over)
        self.fill_with_models(self._fill)
        self._show_all()

    def _make(self, context: AppContext) -> None:
        self.chooser = QComboBox()
        self.chooser.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.chooser.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.chooser.setToolTip("The actuator that is tuned: select it, or its joint, or choose it here")
        self.bar, self.working, self.places = ServoBar(), WorkLine(), PlaceChooser(self.writing)
        self.try_live, self.revert_button, self.apply_button = self.bar.try_live, self.bar.revert, self.bar.apply
        self.rows, self.trial_row, self.plots, self.figures = ValueRows(), TrialRow(), ResponsePlots(context), ServoFigures()
        self.tune, self.inertia, self.muscle = TunePart(), InertiaPart(context), MusclePart(context)

    def _lay_out(self) -> None:
        parts = {VALUES: self.rows, RESPONSE: stacked(self.trial_row, self.plots), FIGURES: self.figures, TUNE: self.tune, INERTIA: self.inertia, MUSCLE: self.muscle}
        self.sections = {title: Section(title, title != INERTIA) for title in parts}
        for title, part in parts.items():
            self.sections[title].add(part)
        layout = QVBoxLayout(self)
        layout.setSpacing(2)
        layout.setContentsMargins(4, 4, 4, 4)
        for part in (self.chooser, self.note, self.bar, self.places, self.working, self.sections[MUSCLE], *(section for title, section in self.sections.items() if title != MUSCLE)):
            layout.addWidget(part)
        layout.addStretch(1)

    def _connect(self, session: Session) -> None:
        self.chooser.activated.connect(self._choose)
        self.rows.edited.connect(self._number_edited)
        self.rows.grabbed.connect(self._grabbed)
        self.rows.released.connect(self._released)
        self.trial_row.edited.connect(self._trial_edited)
        self.trial_row.pose_wanted.connect(self._ask_at_once)
        self.try_live.clicked.connect(self._try_live)
        self.revert_button.clicked.connect(lambda _checked=False: self.revert())
        self.apply_button.clicked.connect(lambda _checked=False: self.apply())
        self.tune.one_wanted.connect(self._tune_one)
        self.tune.all_wanted.connect(self._tune_all)
        self.tune.write_wanted.connect(self.apply_all)
        self.sections[INERTIA].folded.connect(lambda _opened: self._sweep.look(self.sections[INERTIA].opened))
        self._sweep.worked.connect(self._show_work)
        self.writing.changed.connect(self._show_bar)
        self.writing.refused.connect(lambda text: self._tell(f"{text[:1].upper()}{text[1:].rstrip('.')}."))
        self._basing.done.connect(lambda found: self._take_base(*found))
        self._basing.failed.connect(self._no_base)
        self._trying.done.connect(lambda found: self._take_tried(*found))
        self._trying.failed.connect(lambda text: self._tell(f"This could not be tried: {text}"))
        self._trying.failed.connect(self._show_work)
        self._tuning.done.connect(lambda found: self._tuned(*found))
        self._tuning.failed.connect(self._not_tuned)
        self._look_timer.timeout.connect(self._look_again)
        self._pause.timeout.connect(self._try_aside)
        self._context.selection_changed.connect(lambda _selection: self._follow())
        self._context.model_edited.connect(lambda _fields: self._texts_changed())
        session.edited.connect(lambda _edit: self._texts_changed())
        session.moved.connect(lambda _edit: self._undone())
        session.files_changed.connect(self._texts_changed)

    # ------------------------------------------------------------------ what it is about

    def _carry_over(self, model: Model) -> None:
        """Another Model runs: what is tuned is found again in it by name. At once, also where nobody looks."""
        before, self._of = self._of, model
        self._number += 1
        self._offered = ()
        if before is not None and not self._context.newly_opened and (before.nactuator, before.nv) == (model.nactuator, model.nv):
            self.live.stop()        # what was set in the window goes on in it
        self.live.forget()
        if self.actuator is not None:
            kept = find_again(before, model, self.actuator) if not self._context.newly_opened and before is not None else None
            if kept is None:
                self._set_actuator(None)
            else:
                self.actuator = kept
        self.base = self.runs = self.tried = self.now = None
        self._sweep.give_up()
        self.tune.show_rows(())

    def _fill(self, model: Model) -> None:
        """Another Model: go on with what is tuned, or follow again."""
        self._offered = choice.actuators_of(model)
        self.chooser.clear()
        self.chooser.addItems([choice.label_of(what) for what in self._offered])
        if self.actuator is None:
            self._follow()
        else:
            self._show_choice()
            self._texts_changed()

    def _follow(self) -> None:
        """Be about what is selected; without a selection about the first actuator."""
        m = self._context.model
        if m is None or m is not self._filled_with:
            return
        if not self.seen:
            self._behind = True
            return
        self._behind = False
        found = choice.actuator_for(m, self._context.selection.elements)
        self._chosen |= found is not None
        if found is None and self.actuator is None and self._offered:
            found = self._offered[0]
        if found is not None:
            self._set_actuator(found)
        self._tell(status="" if self.actuator is not None else NOTHING)

    def _choose(self, index: int) -> None:
        if 0 <= index < len(self._offered):
            self._chosen = True
            self._set_actuator(self._offered[index])

    def _set_actuator(self, what: Element | None) -> None:
        if what is not None and self.actuator is not None and what.id == self.actuator.id and self._of is self._context.model:
            return
        self._stop_live()
        self.actuator = what
        self.base = self.values = self.in_force = self.now = self.runs = self.tried = self._awaited = None
        self._changed, self._message, self._status, self._anew, self._own_seconds, self._looked_for = False, "", "", True, False, ()
        self._pause.stop()
        for work in (self._basing, self._trying, self._tuning, self._sweep):
            work.give_up()
        self.writing.clear()
        self.tune.show_rows(())
        self._show_choice()
        self._show_all()
        if what is not None:
            self._ask_at_once()

    def _show_choice(self) -> None:
        self.chooser.setCurrentIndex(next((k for k, what in enumerate(self._offered) if self.actuator is not None and what.id == self.actuator.id), -1))

    # ------------------------------------------------------------------ the state that is tested

    @property
    def _asks(self) -> bool:
        return self.actuator is not None

    def _look(self, m: Model, d):
        """In the physics thread: a copy to work with."""
        what, number = self.actuator, self._number
        return (number, what, pair_beside(m, d)) if what is not None and m is self._filled_with else None

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """While paused another pose is tested at once; while it runs the test stays that of the pose that was taken."""
        if self._behind:
            self._follow()
        if self._places_behind:
            self._texts_changed()
        if self.actuator is None or self._refused == (self._number, self.actuator.id):
            return
        if self.base is None:
            self._query.ask()
        elif not snapshot.running and not np.array_equal(self.base.qpos, snapshot.qpos):
            self._settle.start()

    def seen_changed(self, seen: bool) -> None:
        """Out of sight nothing is tried live."""
        super().seen_changed(seen)
        if not seen:
            self._stop_live()

    def _answered(self, found) -> None:
        if found is None or self.actuator is None:
            return
        number, what, pair = found
        if self._held:      # of values on their way
            return
        if number != self._number or what.id != self.actuator.id:
            self._look_timer.start()
            return
        running = (self.live.values, self.in_force) if self.live.values is not None else None
        self._basing.begin(lambda _stop: (number, what, study.base_of(*pair, what.id, running)))
        self._show_work()

    def _no_base(self, text: str) -> None:
        self._refused = (self._number, self.actuator.id) if self.actuator is not None else None
        self.base = self.values = self.in_force = self.now = self.runs = self.tried = None
        self._sweep.give_up()
        self._tell(status=f"{text[:1].upper()}{text[1:]}.")
        self._show_all()

    def _take_base(self, number: int, what: Element, base: Base) -> None:
        if number != self._number or self.actuator is None or what.id != self.actuator.id or self._held:
            return
        if self._awaited is not None and not _close(base.values, self._awaited) and not self.writing.settled:
            self._look_timer.start()        # from before they were written
            return
        anew, first, self._awaited, self.base, self.in_force = self._anew, self.base is None, None, base, base.values
        if not self._changed or self.values is None:
            self.values, self._changed = base.values, False
        trial = self.trial_row.trial
        if anew:
            self._anew = False
            trial = replace(base.trial, kind=trial.kind, frequency=max(0.1, float(f"{self._bandwidth(base):.2g}")))
        self._show_trial(trial)
        self._sweep.show(base, anew)
        self._tell(status="\n".join(base.said))
        self.runs = None
        self._show_all()
        self._predict()
        self._sweep.look(self.sections[INERTIA].opened)
        if first:
            self._look_for_places(anew)

    def _show_trial(self, trial: Trial) -> None:
        """Show a test as long as it needs, where nobody has said how long it is to be."""
        if not self._own_seconds and self.base is not None:
            longest = max([self.base.trial.seconds, *(found.seconds for found in (self.runs, self.tried) if found is not None)])
            trial = replace(trial, seconds=round_up(PERIODS / trial.frequency) if trial.kind == SINE else longest)
        self._seconds = trial.seconds
        self.trial_row.show_trial(trial)

    def _bandwidth(self, base: Base) -> float:
        law = base.start.law
        return law.bandwidth if law is not None and law.bandwidth > 0.0 else 1.0

    # ------------------------------------------------------------------ tuning

    def _number_edited(self, name: str, number: float) -> None:
        if self.base is None:
            return
        try:
            self._try(with_number(self.values, name, number, self.base.mass0))
        except ValueError as why:
            self._tell(f"{str(why)[:1].upper()}{str(why)[1:]}.")
            self.rows.show_values(self.values, self.base.mass0)

    def _try(self, values: ServoValues) -> None:
        """Other values, which wait for Apply, unless a drag writes them."""
        if self.in_force is None:
            return
        self._chosen = True
        self.values, self._changed = values, values != self.in_force
        if self.live.values is not None:
            self.live.send(self.base.m, self.base.start.axis, self.in_force, values)
        self._tell("")
        if self._held:
            self.writing.drag(self._wanted_now)     # it may be told why that is refused
        self._predict()
        self._look_for_places()

    def _trial_edited(self, trial: Trial) -> None:
        self._own_seconds |= trial.seconds != self._seconds
        self._show_trial(trial)
        self.runs = None
        self._predict()

    def _tell(self, message: str | None = None, status: str | None = None) -> None:
        """A message stays until something else is done."""
        self._message = self._message if message is None else message
        self._status = self._status if status is None else status
        self._say("\n".join(text for text in (self._message, self._status) if text))

    def revert(self) -> None:
        """Back to the values in force."""
        if self.in_force is not None:
            self._try(self.in_force)

    def _tune_one(self) -> None:
        base, numbers = self.base, self._wanted()
        if base is not None:
            self._tuning.begin(lambda _stop: (base, study.tune_one(base, *numbers)))
            self._show_bar()

    def _tune_all(self) -> None:
        base, numbers = self.base, self._wanted()
        if base is not None:
            self._tuning.begin(lambda stop: (base, study.tune_joints(base, *numbers, stop)))
            self._show_bar()

    def _wanted(self) -> tuple[float, float, bool]:
        return self.tune.hertz.number, self.tune.zeta.number, self.tune.heaviest.isChecked()

    def _tuned(self, base: Base, found: Tuned | list[JointRow]) -> None:
        if self.base is None or self.in_force is None or base.actuator != self.base.actuator:
            return
        if isinstance(found, list):
            self.tune.show_rows(found)
        else:
            self._try(study.values_with(self.values, found))
            self._tell("\n".join(f"{text[:1].upper()}{text[1:]}." for text in found.warnings))
        self._show_bar()

    def _not_tuned(self, text: str) -> None:
        self._tell(f"{text[:1].upper()}{text[1:]}.")
        self._show_bar()

    # ------------------------------------------------------------------ writing, and trying without that

    @property
    def _wanted_now(self) -> WantedServo:
        """What is to be written; of the base's own Model, which nobody else writes to."""
        return WantedServo(self.base.start.axis, self.base.mass0, self.in_force, self.values, self.base.m)

    def _grabbed(self, name: str) -> None:
        """A handle is dragged: its motions are written, where that takes no compile."""
        others = WAIT & set(differing(self.in_force, self.values)) if self.base is not None else WAIT
        if self.bar.follow.isChecked() and BY_NAME[name].follows and not others and self.live.values is None:
            self._held = self.writing.grab()

    def _released(self, back: bool) -> None:
        if not self._held:
            return
        self._held = False
        if back:
            self.writing.cancel()
        elif (written := self.writing.drop()) is not None and self._changed:
            self._written(written)
        self._texts_changed()       # what came meanwhile was not looked at

    def _written(self, values: ServoValues) -> None:
        """The texts say these now; the simulation will. Those being tried are others where the last motions of a drag were refused."""
        self.in_force = self._awaited = values
        self._changed, self.runs = self.values != values, None
        self._predict()

    def apply(self) -> bool:
        """Write the values at the chosen place; False where that is refused."""
        if self.base is None or self.values is None:
            return False
        wanted = self._wanted_now
        self._stop_live()
        done = self.writing.apply(wanted)
        if done:
            self._written(self.values)
        return done

    def apply_all(self) -> bool:
        """Write the gains of all rows of the table that are ticked."""
        base, rows = self.base, self.tune.table.chosen
        if base is None or not rows:
            return False
        found = study.robots_values(base, rows)
        self._stop_live()
        done = self.writing.apply_all([WantedServo(start.axis, row.mass0, before, after, base.m) for row, start, before, after in found])
        if done:
            self._changed = False
            self.tune.show_rows(())
        return done

    def _try_live(self, on: bool) -> None:
        if not on:
            self._stop_live()
        elif self.base is not None:
            left = self.live.send(self.base.m, self.base.start.axis, self.in_force, self.values)
            self._tell(f"{', '.join(left)}: not without the text." if left else "")
        self._show_bar()

    def _stop_live(self) -> None:
        self.live.stop()
        self._show_bar()

    def _undone(self) -> None:
        """Undo, or redo: what is in force is what the next answer says."""
        self._awaited, self._changed = None, False
        self._texts_changed()

    def _texts_changed(self) -> None:
        if self._held:
            return
        self._number += 1
        if not self.seen:
            self._places_behind = True
        else:
            self._look_timer.start()

    def _look_again(self) -> None:
        self._places_behind = not self.seen
        if self.seen and self._asks:
            self._ask_at_once()
            self._looked_for = ()
            self._look_for_places()

    def _look_for_places(self, anew: bool = False) -> None:
        """Where it can be written: anew where other numbers are to be."""
        if not self.seen or self.base is None or self.values is None or self._held:
            return
        names = (differing(self.in_force, self.values), self.actuator.id)
        if anew or names != self._looked_for:
            self._looked_for = names
            self.writing.look(self._wanted_now, anew)

    # ------------------------------------------------------------------ what comes of it

    def _predict(self) -> None:
        """The response with all else held at once, the rest when a thread has it."""
        base, values, trial = self.base, self.values, self.trial_row.trial
        self.now = None
        if base is not None and values is not None:
            try:
                self.now = study.quick(base, values, trial, MOST_QUICK)
            except ValueError as why:
                self._tell(f"{str(why)[:1].upper()}{str(why)[1:]}.")
            if values == self.in_force:
                self.tried = None
            self._pause.start()
        self._show_values()

    def _try_aside(self) -> None:
        """A handle rests: have a thread do the rest."""
        base, values, trial, in_force, runs = self.base, self.values, self.trial_row.trial, self.in_force, self.runs
        if base is not None and values is not None:
            key = base, in_force, values, trial
            self._trying.begin(lambda _stop: (key, runs or study.tried(base, in_force, trial), study.tried(base, values, trial) if values != in_force else None))
            self._show_work()

    def _take_tried(self, key: tuple, runs: Tried, tried: Tried | None) -> None:
        base, in_force, values, trial = key
        self._show_work()
        if base is not self.base or in_force != self.in_force or trial != self.trial_row.trial:
            return
        self.runs = runs
        if values != self.values:
            return
        self.tried, newest = tried, tried if tried is not None else runs
        self.now = newest.held if newest.held is not None else self.now
        if not self._own_seconds and trial.kind != SINE and newest.seconds > trial.seconds:
            self._show_trial(trial)     # slower: looked at for longer
            self.runs = None
            self._predict()
            return
        self._show_figures()
        self._show_plots()

    # ------------------------------------------------------------------ showing

    def _show_all(self) -> None:
        known = self.base is not None
        kind = self.base.kind if known else ""
        muscle = self.base.muscle if known else None
        for title, section in self.sections.items():
            section.setVisible(known and {MUSCLE: muscle is not None, TUNE: kind in (POSITION, VELOCITY)}.get(title, True))
        self.chooser.setVisible(self.actuator is not None)
        for part in (self.bar, self.places):
            part.setVisible(known)
        self.muscle.show_muscle(muscle)
        self._show_figures()
        self._show_values()

    def _show_values(self) -> None:
        """What another number changes at once."""
        self.rows.show_values(self.values, self.base.mass0 if self.base is not None else 0.0)
        if self.values == self.in_force:
            self._show_figures()
        elif self.tried is None or self.tried.values != self.values:
            self.figures.setEnabled(False)      # they are of other values until the thread has them
        self._show_plots()
        self._show_bar()

    def _show_figures(self) -> None:
        if self.base is not None:
            some = self.figures.show_figures(self.runs, self.tried, self.base.units)
            self.sections[FIGURES].setVisible(some or self.runs is None)
            self.figures.setEnabled(True)

    def _show_plots(self) -> None:
        if self.base is not None:
            tried = self.tried if self.values != self.in_force else None
            if tried is None and self.values != self.in_force:
                tried = Tried(self.values, None, None, None)        # not there yet
            self.plots.show_responses(self.runs, tried, self.now, self.base.kind, self.base.units, self.values.forcerange,
                                        self.base.frozen.left_out if self.base.frozen is not None else ())

    def _show_bar(self) -> None:
        known = self.base is not None
        self.bar.show_state(known, self._changed, self.live.values is not None, self.writing.ready)
        self.tune.show_state(known and self.base.kind in (POSITION, VELOCITY), self._tuning.busy, self.writing.problem)
        self._show_work()

    def _show_work(self, *_what) -> None:
        """Of which moment the figures are, and what a thread works out."""
        of = f"In the pose of {self.base.time:.3f} s." if self.base is not None else ""
        busy = ((self._tuning, MEASURES), (self._basing, TAKES), (self._trying, SIMULATES if self.values == self.in_force else TRIES), (self._sweep, FOLLOWS))
        doing = next((text for work, text in busy if work.busy), TAKES if self.base is None and self.actuator is not None and self._refused != (self._number, self.actuator.id) else "")
        self.working.show_state(of, doing)


def _close(one: ServoValues, other: ServoValues) -> bool:
    """Whether two say the same, to rounding."""
    pairs = ((getattr(one, name), getattr(other, name)) for name in ServoValues.__slots__)
    return all(a == b or a is not None and b is not None and np.allclose(a, b, rtol=SAME, atol=1e-12) for a, b in pairs)
