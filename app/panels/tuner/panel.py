"""Tuner: of a contact, limit or equality what solref and solimp mean, what other values would do, and where these are written.

    selection -> Target -> question to the physics thread -> Answer: row, values in force
    handle, number, preset -> values being tuned -> prediction.quick at once, prediction.full from a thread -> curves, table, warnings
    Apply, or a drag -> Writing -> Edit of the session -> the model that runs
"""
from __future__ import annotations

from dataclasses import replace
from math import isfinite

import numpy as np
from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.context import AppContext
from app.panels.diagnostics.contact_list import touching_pairs
from app.panels.diagnostics.query_panel import QueryPanel, text_label
from app.panels.pipeline.newest_work import NewestWork
from app.panels.tuner import choice, material, notations, prediction
from app.panels.tuner.answer import Answer, answer
from app.panels.tuner.figures import Given
from app.panels.tuner.figures_table import BadgesLabel, FiguresTable
from app.panels.tuner.fit_part import FitPart
from app.panels.tuner.impedance_plot import ImpedancePlot
from app.panels.tuner.measuring import Measuring
from app.panels.tuner.motion_plot import MotionPlot
from app.panels.tuner.named_sets import sets_of
from app.panels.tuner.number_rows import LinkedNumbers, SolimpNumbers, stacked
from app.panels.tuner.target_box import TargetBox
from app.panels.tuner.tuned import TunedRow, tuned_of
from app.panels.tuner.write_bar import WriteBar
from app.panels.tuner.writing import Wanted, Writing
from app.session import Session
from editor.widgets.number_edit import NumberEdit
from editor.widgets.section import Section
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from physics.tuning.law import Parameters, Row
from physics.tuning.presets import PRESETS, Solved, prove_preset, solve
from physics.tuning.standard_drop import DropProof
from physics.tuning.target import Form, Target, contacts_of

STRONGER, AFTER = 2.0, 8         # times as strong for so many snapshots another contact has to be, to be tuned in place of one that nobody has chosen
LOOK_MS = 200           # after a change of texts or Model, until places to write to are looked for
PREDICT_MS = 60         # in a drag, after a motion is written, until the panel says what it does: the picture with it is under way by then
SAME_ROW = 1e-3         # relative: a row that changes less predicts the same
CLOSE = 1e-9            # relative: what a text keeps, and an average of a value with itself
MISSES = 2              # answers after which written values are taken to have come to others
NOTHING = "Nothing touches now. Select a contact, geom, pair, joint with a limit, tendon or equality, or let something touch."
APART = "It does not act now: figures are those of its last contact."
EXPECTED = "It does not touch now: figures are for one point of contact where the two are nearest."
NEVER = "It does not act now: what the values do is shown when it does."
NEEDS_ROW = "Materials are solved for a contact's own mass and load: it has to touch first"
ONLY_CONTACTS = "Materials are for contacts"
FIT, WHY = "Fit: from what is wanted", "Why these values"
STANDARD, DIRECT, PHYSICAL = "standard", "direct", "physical"
ROWS = ((STANDARD, ("timeconst [s]", "dampratio"), "solref in the standard format"),
        (DIRECT, ("stiffness [1/s²]", "damping [1/s]"), "solref in the direct format: written as negative numbers; refsafe does not look at it"),
        (PHYSICAL, ("K [N/m]", "C [N s/m]"), "The spring and damper that the contact acts as where it rests: they depend on mass, load, impedance and friction"))


class TunerPanel(QueryPanel):
    """parameters: the values being tuned; in_force: those of the model that runs; row: as it was when the target acted last."""

    def __init__(self, context: AppContext, session: Session):
        super().__init__(context)
        self.target: Target | None = None
        self.parameters: Parameters | None = None
        self.in_force: Parameters | None = None
        self.row: Row | None = None
        self.answer: Answer | None = None
        self.quick: prediction.Quick | None = None
        self.full: prediction.Full | None = None
        self._before: prediction.Quick | None = None    # of the values in force, while others are tried
        self._before_of: tuple = ()
        self._of = context.model                        # Model that the target is of: the one that runs, also while the panel is not filled
        self._chosen = False                            # whether the user has chosen what is tuned, or begun to tune it
        self._stronger = 0                              # snapshots in which another contact was stronger
        self._changed = False                           # the user's values wait to be written
        self._awaited: Parameters | None = None         # written, and not yet in an answer
        self._expected = False                          # whether the row is that of a contact that there is not yet
        self._misses = 0                                # answers with other values since they run
        self._grabbed_with: Parameters | None = None    # values when a handle was grabbed
        self._status = self._message = ""               # how the target is; what there is to say of the last thing that was done
        self._behind = self._places_behind = False
        self._sets = sets_of(context)
        self.writing = Writing(context, session, self)
        self.measuring = Measuring(context, self)
        self._tuned = tuned_of(context)
        self._predicting, self._solving, self._proving = NewestWork("predicted contact", self, 0.5), NewestWork("material", self), NewestWork("drop of a material", self)
        self._make()
        self._lay_out()
        self._predict_timer = QTimer(self)
        self._predict_timer.setSingleShot(True)
        self._predict_timer.setInterval(PREDICT_MS)
        self._predict_timer.timeout.connect(self._predict)
        self._look_timer = QTimer(self)
        self._look_timer.setSingleShot(True)
        self._look_timer.setInterval(LOOK_MS)
        self._connect(session)
        context.model_changed.connect(self._carry_over)
        self.fill_with_models(self._fill)
        self._show_all()

    def _make(self) -> None:
        self.chooser = TargetBox("What is tuned: what is selected, or one of the contacts that press hardest")
        self.plot, self.solimp = ImpedancePlot(), SolimpNumbers()
        self.solref = LinkedNumbers(ROWS)
        self.figures, self.badges = FiguresTable(), BadgesLabel()
        self.speed = NumberEdit(1.0, low=1e-3, high=1e3, share=1.0)
        self.speed.setToolTip("Speed of the impacts that are predicted")
        self.motion = MotionPlot(self._context)
        self.fit = FitPart(self._context)
        self.why = text_label()
        self.bar = WriteBar(self.writing)

    def _lay_out(self) -> None:
        speed = QWidget()
        line = QHBoxLayout(speed)
        line.setContentsMargins(4, 0, 4, 0)
        self._speed_label = QLabel("Impact at [m/s]")
        line.addWidget(self._speed_label)
        line.addWidget(self.speed)
        line.addStretch(1)
        self._impact = stacked(speed, self.motion)
        parts = {"solimp: impedance": stacked(self.plot, self.solimp), "solref: spring and damper": self.solref, "What it does": self.figures, "Predicted impact": self._impact,
                 FIT: self.fit, WHY: self.why}
        self.sections = {title: Section(title, title not in (FIT, WHY)) for title in parts}
        for title, part in parts.items():
            self.sections[title].add(part)
        layout = QVBoxLayout(self)
        layout.setSpacing(2)
        layout.setContentsMargins(4, 4, 4, 4)
        for part in (self.chooser, self.note, self.bar, self.badges, *self.sections.values()):
            layout.addWidget(part)
        layout.addStretch(1)

    def _connect(self, session: Session) -> None:
        self.chooser.opening.connect(self._offer)
        self.chooser.chosen.connect(self._choose)
        self.plot.grabbed.connect(self._grabbed)
        self.plot.moved.connect(self._dragged)
        self.plot.dropped.connect(self._dropped)
        self.plot.cancelled.connect(self._cancelled)
        self.solimp.edited.connect(lambda solimp: self._tune(replace(self.parameters, solimp=solimp)))
        self.solref.edited.connect(self._solref_edited)
        self.speed.edited.connect(lambda _speed: self._predict())
        self.bar.preset_chosen.connect(self._solve)
        self.bar.apply_wanted.connect(self.apply)
        self.bar.revert_wanted.connect(self.revert)
        self.bar.set_wanted.connect(lambda: self._sets.add(self.parameters))
        self._sets.changed.connect(self._show_bar)
        self.writing.refused.connect(self._tuned.refused)
        self.writing.changed.connect(self._show_bar)
        self.writing.refused.connect(lambda text: self._tell(f"{text[:1].upper()}{text[1:].rstrip('.')}."))
        self.measuring.changed.connect(self._show_figures)
        self._predicting.done.connect(lambda found: self._predicted(*found))
        self._predicting.failed.connect(lambda text: self._tell(f"This could not be predicted: {text}"))
        self._solving.done.connect(lambda found: self._solved(*found))
        self._proving.done.connect(lambda found: self._proven(*found))
        self._proving.failed.connect(lambda text: self._tell(f"The material could not be proven by a drop: {text}"))
        self._solving.failed.connect(lambda text: self._tell(f"The material could not be solved for: {text}"))
        self._look_timer.timeout.connect(self._look_for_places)
        self._tuned.candidate.connect(lambda parameters: self._tune(parameters))
        self._tuned.apply.connect(self.apply)
        self._tuned.target.connect(self._be_about)
        self._context.selection_changed.connect(lambda _selection: self._follow())
        self._context.model_edited.connect(lambda _fields: self._texts_changed())
        session.edited.connect(lambda _edit: self._texts_changed())
        session.moved.connect(lambda _edit: self._undone())
        session.files_changed.connect(self._texts_changed)

    # ------------------------------------------------------------------ what it is about

    def _carry_over(self, model: Model) -> None:
        """Another Model runs: what is tuned is found again in it by name. At once, also where nobody looks: the Model before is let go."""
        before, self._of = self._of, model
        self.chooser.forget()
        if self.target is not None:
            kept = choice.found_again(before, model, self.target) if not self._context.newly_opened else None
            if kept is None:
                self._set_target(None)
            else:
                self.target = kept
                self._tuned.tell(replace(self._tuned.now, target=kept) if self._tuned.now is not None else None)

    def _fill(self, _model: Model) -> None:
        """Another Model: go on with what is tuned, or follow again."""
        if self.target is None:
            self._behind = True
        else:
            self.measuring.begin(self.target)
            self._texts_changed()

    def _follow(self) -> None:
        """Be about what is selected; without a selection about what presses hardest."""
        m, snapshot = self._context.model, self._context.snapshot
        if m is None or snapshot is None or snapshot.model is not m or m is not self._filled_with or self.plot.held:
            return
        if not self.seen:
            self._behind = True
            return
        self._behind = False
        elements = self._context.selection.elements
        found = choice.targets_for(m, snapshot, elements)
        self._chosen |= bool(found)
        if not found and self.target is None:
            found = choice.pressing(m, snapshot)
        if found:
            self._set_target(found[0])

    def _follow_strongest(self, m: Model, snapshot: Snapshot) -> None:
        """Where nobody has chosen anything: of the contacts the one that has been stronger for a while."""
        pairs, _count = touching_pairs(snapshot)
        now = next((pair.normal for pair in pairs if choice.key_of(choice.contact_of(m, *pair.geoms)) == choice.key_of(self.target)), 0.0)
        self._stronger = self._stronger + 1 if pairs and pairs[0].normal > STRONGER * now else 0
        if self._stronger >= AFTER:
            self._stronger = 0
            self._set_target(choice.contact_of(m, *pairs[0].geoms))

    def _offer(self) -> None:
        m, snapshot = self._context.model, self._context.snapshot
        current = m is not None and snapshot is not None and snapshot.model is m
        self.chooser.offer(m, snapshot, self.target, choice.targets_for(m, snapshot, self._context.selection.elements) if current else ())

    def _choose(self, target: Target) -> None:
        self._chosen = True
        self._set_target(target)

    def _be_about(self, target: Target) -> None:
        """It was chosen in a panel beside this one."""
        self._behind = False
        self._choose(target)
        if not self.seen and self._filled_with is self._context.model:      # others ask what its values are
            self._query.ask(at_once=True)

    def _set_target(self, target: Target | None) -> None:
        if target is not None and self.target is not None and choice.key_of(target) == choice.key_of(self.target):
            self.target = target
            return
        self.plot.cancel()
        self._chosen &= target is not None
        self.target = target
        self.answer = self.row = self.parameters = self.in_force = self.quick = self.full = self._before = self._awaited = None
        self._changed, self._expected, self._message, self._status = False, False, "", ""
        self._predicting.give_up()
        self._solving.give_up()
        self._proving.give_up()
        self.plot.forget()
        self.measuring.begin(target)
        self.writing.clear()
        self._show_all()
        if target is not None:
            self._offer()
            self._ask_at_once()

    # ------------------------------------------------------------------ what the simulation says

    @property
    def _asks(self) -> bool:
        return self.target is not None

    def _look(self, m: Model, d) -> Answer | None:
        """In the physics thread."""
        target = self.target
        return answer(m, d, target) if target is not None and m is self._filled_with else None

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Ask for what is new; where the contact is at this moment."""
        if self._behind or self.target is None or self.target.element.kind == "geom":       # a geom's contact, once it has one
            self._follow()
            self._tell(status=NOTHING if self.target is None else self._status if self._status != NOTHING else "")
        if self._places_behind:
            self._texts_changed()
        if self.target is not None and not self._chosen:
            self._follow_strongest(snapshot.model, snapshot)
        super().show_snapshot(snapshot)
        if self.target is not None and self.target.form == Form.CONTACT:
            self.plot.show_depth(choice.depth_now(snapshot, contacts_of(snapshot.model, snapshot, self.target)))
            self.measuring.look()

    def seen_changed(self, seen: bool) -> None:
        """Out of sight nothing is measured, and a drag is over."""
        super().seen_changed(seen)
        if not seen:
            self.plot.cancel()

    def _answered(self, found: Answer | None) -> None:
        if found is None or self.target is None or choice.key_of(found.target) != choice.key_of(self.target):
            return
        first, self.answer = self.answer is None, found
        now = found.state.row if found.state is not None else found.expected if self.row is None or self._expected else None
        row_changed = now is not None and (self.row is None or not _same(now, self.row))
        if row_changed:
            self.row = now
        self._expected = found.state is None and (now is not None or self._expected and self.row is not None)
        if found.state is not None and found.target.form != Form.CONTACT:
            self.plot.show_depth(abs(found.state.position))
        values_changed = self._take_values(found.parameters)
        self._tell(status="" if found.state is not None else EXPECTED if self._expected else APART if self.row is not None else NEVER)
        self._show_why()
        if row_changed or values_changed:
            self._predict()
        if first:
            self._look_for_places(anew=True)

    def _take_values(self, parameters: Parameters) -> bool:
        """The values in force; whether that changes what is shown."""
        if self._awaited is not None and not _close(parameters, self._awaited):
            self._misses += self.writing.settled
            if self._misses < MISSES:
                return False        # an answer from before they were written; else they came to other values, which are in force
        self._awaited, self._misses = None, 0
        if self.plot.held or parameters == self.in_force:
            return False
        self.in_force = parameters
        if not self._changed:
            self.parameters = parameters
        return True

    # ------------------------------------------------------------------ tuning

    @property
    def both_ways(self) -> bool:
        """Whether the row pushes in both directions."""
        return self.target is not None and self.target.form == Form.EQUALITY

    def _tune(self, parameters: Parameters) -> None:
        """Other values, which wait for Apply."""
        if self._take_up(parameters):
            self._predict()

    def _take_up(self, parameters: Parameters) -> bool:
        """Other values, of which the panel says nothing yet; whether there can be any."""
        if self.in_force is None:
            return False
        self._chosen = True
        self.parameters, self._changed = parameters, parameters != self.in_force
        self._tell("")
        return True

    def _tell(self, message: str | None = None, status: str | None = None) -> None:
        """A message stays until something else is done."""
        self._message = self._message if message is None else message
        self._status = self._status if status is None else status
        self._say("\n".join(text for text in (self._message, self._status) if text))

    def _solref_edited(self, notation: str, pair: tuple[float, float]) -> None:
        try:
            if notation == STANDARD:
                found = notations.with_standard(self.parameters, *pair)
            elif notation == DIRECT:
                found = notations.with_direct(self.parameters, *pair)
            else:
                found = notations.with_physical(self.row, self.parameters, *pair)
        except ValueError as why:
            self._tell(f"{str(why)[:1].upper()}{str(why)[1:]}.")
            self._show_numbers()
            return
        self._tune(found)

    def revert(self) -> None:
        """Back to the values in force."""
        if self.in_force is not None:
            self._tune(self.in_force)

    def apply(self) -> bool:
        """Write the values at the chosen place; False where that is refused."""
        if self.target is None or self.parameters is None:
            return False
        done = self.writing.apply(Wanted(self.target, self.in_force, self.parameters))
        if done:
            self._written(self.parameters)
        return done

    def _written(self, parameters: Parameters) -> None:
        """The texts say these now; the simulation will."""
        self.in_force = self._awaited = parameters
        self._changed = False
        self._predict()
        self._ask_at_once()

    def _solve(self, name: str) -> None:
        if self.row is not None:
            target, row, preset = self.target, self.row, PRESETS[name]
            self._solving.begin(lambda _stop: (target, row, solve(preset, row)))

    def _solved(self, target: Target, row: Row, solved: Solved) -> None:
        if target is not self.target and (self.target is None or choice.key_of(target) != choice.key_of(self.target)):
            return
        parameters = material.kept(solved)
        self._tune(parameters)
        self._tell(material.warned(solved))
        self._proving.begin(lambda stop: (solved, parameters, prove_preset(row, parameters, lambda: not stop())))

    def _proven(self, solved: Solved, parameters: Parameters, proof: DropProof | None) -> None:
        if proof is not None and parameters == self.parameters:
            self._tell("\n".join(text for text in (material.warned(solved), material.proven(solved.preset, proof)) if text))

    # ------------------------------------------------------------------ dragging a handle

    def _grabbed(self) -> None:
        self._grabbed_with = self.parameters
        if self.bar.follow.isChecked():
            self.writing.grab()

    def _dragged(self, solimp: tuple) -> None:
        """What the picture waits for first, then the curve; what the panel says of it a little later, or the picture would wait for that."""
        if self.in_force is None:
            return
        parameters = replace(self.parameters, solimp=solimp)
        self.writing.drag(Wanted(self.target, self.in_force, parameters))
        self.plot.show_at_once(solimp)
        if not self.writing.busy:
            self._tune(parameters)
        elif self._take_up(parameters) and not self._predict_timer.isActive():
            self._predict_timer.start()

    def _dropped(self) -> None:
        written = self.writing.drop()
        if written is not None and self._changed:
            self._written(written)
        elif self._predict_timer.isActive():
            self._predict()

    def _cancelled(self) -> None:
        if self.writing.busy:
            self._awaited = self.in_force
            self.writing.cancel()
        self._tune(self._grabbed_with)

    def _undone(self) -> None:
        """Undo, or redo: what is in force is what the next answer says."""
        self._awaited = None
        if self.seen:
            self._ask_at_once()

    # ------------------------------------------------------------------ where it is written

    def _texts_changed(self) -> None:
        if not self.seen:
            self._places_behind = True
        elif not self.plot.held:
            self._look_timer.start()
            if self._asks:
                self._ask_at_once()

    def _look_for_places(self, anew: bool = False) -> None:
        self._places_behind = not self.seen
        if self.seen and self.target is not None and self.parameters is not None and not self.writing.busy:
            self.writing.look(Wanted(self.target, self.in_force, self.parameters), anew)

    # ------------------------------------------------------------------ showing

    def _predict(self) -> None:
        """What the values do: what is quick at once, the rest when a thread has it."""
        self._predict_timer.stop()
        row, parameters = self.row, self.parameters
        self.quick = None
        if row is not None and parameters is not None:
            self.quick = prediction.quick(row, parameters, self.speed.number, self.both_ways)
            key = row, self.in_force, self.speed.number
            if self.in_force == parameters:
                self._before = None
            elif self._before is None or self._before_of != key:       # the same for all of a drag
                self._before, self._before_of = prediction.quick(row, self.in_force, self.speed.number, self.both_ways), key
            speed, both_ways, friction = self.speed.number, self.both_ways, self.answer.friction if self.answer is not None else None
            self._predicting.begin(lambda _stop: ((row, parameters, speed), prediction.full(row, parameters, speed, friction, both_ways)))
        self._show_all()

    def _predicted(self, key: tuple, full: prediction.Full) -> None:
        if key == (self.row, self.parameters, self.speed.number):
            self.full = full
            self.badges.show_badges(full.badges)
            self._show_figures()

    def _show_all(self) -> None:
        known = self.parameters is not None
        for title, section in self.sections.items():
            section.setVisible(known and (title != "Predicted impact" or self.quick is not None and self.quick.time is not None) and (title != "What it does" or self.quick is not None))
        for part in (self.bar, self.chooser):
            part.setVisible(self.target is not None)
        if not known:
            self.badges.show_badges(())
        units = self.answer.units if self.answer is not None else ("m", "N")
        self.plot.show_curve(self.parameters.solimp if known else None, self.in_force.solimp if known else None, units[0])
        self._show_numbers()
        self._show_figures()
        self.motion.show_motions(self.quick, self._before, units[0])
        friction = self.answer.friction if self.answer is not None else None
        now = (self.target, self.row, self.parameters, self.in_force, friction, self.speed.number, self.both_ways, units, self._chosen)
        self._tuned.tell(TunedRow(*now) if known and self.target is not None else None)
        self._show_bar()

    def _show_numbers(self) -> None:
        if self.parameters is None:
            return
        self.solimp.show_values(self.parameters.solimp)
        length, force = self.answer.units if self.answer is not None else ("m", "N")
        self.solref.rename(PHYSICAL, (f"K [{force}/{length}]", f"C [{force} s/{length}]"))
        self.solref.show_values(STANDARD, notations.standard(self.parameters), "No time constant means the same as these numbers")
        self.solref.show_values(DIRECT, notations.direct(self.parameters), "The signs of both numbers contradict each other")
        self.solref.show_values(PHYSICAL, notations.physical(self.row, self.parameters), "Known when it acts")

    def _show_figures(self) -> None:
        if self.quick is None or self.row is None:
            self.figures.show_figures(None)
            return
        units = self.answer.units if self.answer is not None else ("m", "N")
        self.figures.show_figures(Given(self.quick, self.full, self.row, self.measuring.measured, units))

    def _show_why(self) -> None:
        text = "\n".join(self.answer.why)
        if self.why.text() != text:
            self.why.setText(text)

    def _show_bar(self) -> None:
        contact = self.target is not None and self.target.form == Form.CONTACT
        self.bar.show_state(self._changed, self.parameters is not None, ONLY_CONTACTS if not contact else NEEDS_ROW if self.row is None else "", self._sets.room)


def _close(one: Parameters, other: Parameters) -> bool:
    """Whether two say the same, to rounding."""
    return np.allclose((*one.solref, *one.solimp), (*other.solref, *other.solimp), rtol=CLOSE, atol=0.0)


def _same(one: Row, other: Row) -> bool:
    """Whether two rows predict the same, about."""
    pairs = ((one.inverse_mass, other.inverse_mass), (one.factor, other.factor), (one.load(), other.load()), (one.damping, other.damping), (one.hold, other.hold), (one.drag, other.drag))
    return (one.timestep, one.integrator, one.refsafe, one.margin) == (other.timestep, other.integrator, other.refsafe, other.margin) \
        and all(isfinite(a) and np.isclose(a, b, rtol=SAME_ROW, atol=1e-9) for a, b in pairs)
