"""Studies from the file to the table: right numbers, the same rows for any number of workers, going on after an end of any kind."""
import math
import os
import signal
import threading
import time

import numpy as np
import pytest

import physics
from app.studies.conduct import conduct, parameters_of
from app.studies.evaluate import Evaluator
from app.studies.local import LocalProcesses
from app.headless.study.recording import record
from app.studies.table import Table, TableError, trial_of
from app.studies.trial import Trial, common_digest
from physics.recording.file import load
from tests.app.studies.conftest import MODEL, STUDY

SPLINE = """model = "cart.xml"
seconds = 1
[control]
knots = 4
[search]
how = "cem"
trials = 60
[goal]
maximise = "last(qpos[0]) - 0.1 * mean(abs(qvel[0]))"
"""


class InThisProcess:
    """An executor without processes. stop_after: trials until somebody presses Ctrl+C."""

    def __init__(self, study, m, stop_after=10**9):
        self.evaluator, self.count, self.stop_after = Evaluator(m, study), 0, stop_after

    def run(self, trials):
        for trial in trials:
            if self.count >= self.stop_after:
                raise KeyboardInterrupt
            self.count += 1
            yield trial, self.evaluator.run(trial)

    def close(self):
        pass


def conducted(study, m, executor):
    """(progress, rows of the table)."""
    parameters = parameters_of(m, study)
    table = Table(study.table, [one.name for one in parameters])
    try:
        progress = conduct(study, parameters, common_digest(study, b"model"), table, executor, lambda _progress: None)
    finally:
        table.close()
        executor.close()
    return progress, study.table.read_text()


def test_a_trial_is_a_run_with_those_values(made):
    study, m = made()
    outcome = Evaluator(m, study).run(Trial(0, 0, 1, {"joint.slide.stiffness": 40.0, "joint.slide.damping": 2.0}))
    by_hand = physics.load_string(MODEL.replace('stiffness="20" damping="1"', 'stiffness="40" damping="2"').replace('timestep="0.01"', 'timestep="0.01" integrator="Euler"'))
    d = physics.Data(by_hand)
    physics.reset(by_hand, d, "off")
    d.qvel[0] += 0.1 * np.random.default_rng(1).standard_normal(2)[1]      # the first one is of qpos, whose share is 0
    speeds = [abs(d.qvel[0])]
    for _ in range(50):
        physics.step(by_hand, d)
        speeds.append(abs(d.qvel[0]))
    assert outcome.value == pytest.approx(max(speeds) + 0.1 * d.qpos[0], rel=1e-12) and outcome.seconds == pytest.approx(0.5) and not outcome.diverged


def test_one_trial_leaves_nothing_to_the_next(made):
    study, m = made()
    trials = [Trial(k, k, 0, {"joint.slide.stiffness": stiffness, "joint.slide.damping": 2.0}) for k, stiffness in enumerate((10.0, 40.0, 10.0))]
    evaluator = Evaluator(m, study)
    first, _second, third = map(evaluator.run, trials)
    assert first == third == Evaluator(m, study).run(trials[2])


def test_what_the_model_cannot_take_is_told_in_the_row(made):
    study, m = made()
    outcome = Evaluator(m, study).run(Trial(0, 0, 0, {"joint.slide.stiffness": math.inf, "joint.slide.damping": 2.0}))
    assert math.isnan(outcome.value) and "no finite number" in outcome.problem


@pytest.mark.parametrize("old,new,said", [
    ("joint.slide.stiffness", "joint.slid.stiffness", "did you mean 'slide'"), ('key = "off"', 'key = "of"', "no keyframe 'of'; there are: off"), ("last(qpos[0])", "last(qpos)", "has 1 numbers"),
    ("last(qpos[0])", "last(qpso[0])", "qpso"),
])
def test_what_the_model_has_not_is_told_before_anything_runs(made, old, new, said):
    study, m = made(STUDY.replace(old, new))
    with pytest.raises(ValueError) as why:
        Evaluator(m, study)
    assert said in str(why.value), why.value


def test_a_study_goes_on_where_it_was_stopped_to_the_same_table(made):
    study, m = made()
    whole, rows = conducted(study, m, InThisProcess(study, m))
    assert whole.done == whole.total == 12 and whole.known == 0 and len(rows.splitlines()) == 13
    study.table.write_text("")
    with pytest.raises(KeyboardInterrupt):
        conducted(study, m, InThisProcess(study, m, 5))
    assert len(study.table.read_text().splitlines()) == 6
    with study.table.open("a") as file:
        file.write("5,abc,2,1,2")        # the power went while a row was written
    rest = InThisProcess(study, m)
    again, same = conducted(study, m, rest)
    assert same == rows and rest.count == 7 and again.known == 5 and again.best == whole.best and again.best_values == whole.best_values


def test_seeds_alone_may_vary(made):
    study, m = made(STUDY.replace('"joint.slide.stiffness" = {from = 10, to = 40, steps = 3}\n"joint.slide.damping" = [0.5, 2]\n', ""))
    progress, rows = conducted(study, m, InThisProcess(study, m))
    assert progress.done == progress.total == 2 and len(rows.splitlines()) == 3


def test_a_run_that_diverges_after_its_stop_counts_up_to_there(made):
    wild = STUDY.replace("max(abs(qvel[0])) + 0.1 * last(qpos[0])", "max(abs(qpos[0]))").replace("[0.5, 2]", "-4000").replace("seconds = 0.5", "seconds = 20")
    study, m = made(wild)
    trial = Trial(0, 0, 0, {"joint.slide.stiffness": 10.0})
    assert Evaluator(m, study).run(trial).diverged
    study, m = made(wild.replace("[goal]", "[goal]\nstop = 'abs(qpos[0]) > 1'"))
    outcome = Evaluator(m, study).run(trial)
    assert not outcome.diverged and outcome.value > 1 and 0 < outcome.seconds < 1


def test_energies_are_there_beside_overrides(made):
    study, m = made(STUDY.replace("max(abs(qvel[0])) + 0.1 * last(qpos[0])", "max(energy[0])").replace('"opt.integrator" = 0', '"opt.o_margin" = 0.01'))
    assert Evaluator(m, study).run(Trial(0, 0, 0, {"joint.slide.stiffness": 40.0, "joint.slide.damping": 2.0})).value == pytest.approx(0.5 * 40 * 0.3 ** 2, rel=0.2)


def test_more_seeds_keep_what_is_known(made):
    study, m = made()
    conducted(study, m, InThisProcess(study, m))
    more, _m = made(STUDY.replace("seeds = 2", "seeds = 3"))
    executor = InThisProcess(more, m)
    progress, _rows = conducted(more, m, executor)
    assert executor.count == 6 and progress.known == 12 and progress.done == 18


def test_a_table_of_another_study_is_not_written_into(made):
    study, m = made()
    study.table.write_text("trial,id,point,seed,other,value,diverged,seconds,problem\n")
    with pytest.raises(TableError, match="of another study"):
        conducted(study, m, InThisProcess(study, m))


def test_controls_along_splines_are_found_and_recorded_to_the_bit(made, tmp_path):
    study, m = made(SPLINE)
    progress, _rows = conducted(study, m, InThisProcess(study, m))
    steady = Evaluator(m, study).run(Trial(0, 0, 0, dict.fromkeys(progress.best_values, 0.0)))
    assert list(progress.best_values) == [f"push@{k}" for k in range(4)] and progress.best > steady.value + 0.05
    trial = trial_of(study.table, list(progress.best_values), progress.best_point)
    path = record(m, study, trial, tmp_path / "kept", {})
    last = load(path).line.track.pieces[-1]
    d, controls = (evaluator := Evaluator(m, study)).prepare(trial)
    for row in controls[:-1]:
        d.ctrl[:] = row
        physics.step(evaluator.model, d)
    assert np.array_equal(last.columns("qpos")[-1], d.qpos) and d.qpos[0] != 0


def test_the_same_rows_for_any_number_of_workers_and_after_one_was_killed(made, tmp_path):
    study, m = made()
    _progress, rows = conducted(study, m, InThisProcess(study, m))
    physics.save(m, tmp_path / "model.lwb")
    for workers, killed in ((1, False), (2, True)):
        study.table.unlink()
        executor = LocalProcesses(study, tmp_path / "model.lwb", workers)
        if killed:
            threading.Thread(target=kill_one, args=(executor,), daemon=True).start()
        progress, same = conducted(study, m, executor)
        assert same == rows and progress.done == 12, workers


def kill_one(executor):
    """As soon as there are processes."""
    while not (executor._pool is not None and executor._pool._processes):
        time.sleep(0.005)
    os.kill(next(iter(executor._pool._processes)), signal.SIGKILL)
