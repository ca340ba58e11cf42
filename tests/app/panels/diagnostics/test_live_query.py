"""Questions to the running Model and Data: answered between steps in the physics thread, told in the GUI thread, for the present Model only."""
import threading

import pytest
from PyQt6.QtCore import QThread

from app.panels.diagnostics.live_query import VIEW_ONLY, LiveQuery
from physics.runtime import commands

MODEL = """<mujoco><worldbody><body pos="0 0 1"><joint name="{name}" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL.format(name="hinge"))
    return workbench(tmp_path / "m.xml", size=(900, 600))


def listen(query):
    """What is answered and what fails, with whether that was told in the GUI thread."""
    answers, failures = [], []
    query.answered.connect(lambda result: answers.append((result, QThread.currentThread() is query.thread())))
    query.failed.connect(failures.append)
    return answers, failures


def test_it_is_asked_in_the_physics_thread_and_told_in_the_gui_thread(bench):
    """The function gets the running Model and Data, in another thread."""
    seen = []
    def look(m, d):
        seen.append((m is bench.context.model, threading.current_thread() is threading.main_thread()))
        return d.time
    query = LiveQuery(bench.context, look, bench.window)
    answers, failures = listen(query)
    query.ask()
    bench.wait(lambda: answers)
    assert seen == [(True, False)] and answers == [(0.0, True)] and not failures


def test_answers_follow_the_run(bench):
    """Times grow while it runs; no more questions than one in each pause."""
    query = LiveQuery(bench.context, lambda _m, d: d.time, bench.window, pause=0.05)
    answers, _failures = listen(query)
    bench.context.snapshot_ready.connect(lambda _snapshot: query.ask())
    bench.runner.send(commands.Run())
    bench.wait(lambda: len(answers) >= 4 and answers[-1][0] > answers[0][0])
    times = [time for time, _ in answers]
    assert times == sorted(times) and times[-1] > times[0]


def test_a_question_too_soon_is_left_out_and_one_at_once_is_not(bench):
    """Within the pause only a question that must be answered at once is asked, once more after the one under way."""
    calls = []
    query = LiveQuery(bench.context, lambda _m, _d: calls.append(1) or len(calls), bench.window, pause=1000.0)
    answers, _failures = listen(query)
    query.ask()
    query.ask()
    query.ask()
    bench.wait(lambda: answers)
    query.ask()
    bench.qtbot.wait(100)
    assert [result for result, _ in answers] == [1]
    query.ask(at_once=True)
    query.ask(at_once=True)     # while that one is under way: one more after it
    query.ask(at_once=True)
    bench.wait(lambda: len(answers) == 3)
    bench.qtbot.wait(100)
    assert [result for result, _ in answers] == [1, 2, 3]


def test_what_fails_is_said_and_the_run_goes_on(bench):
    """An exception of the function stops neither the simulation nor further questions."""
    def look(_m, d):
        if d.time == 0.0:
            raise IndexError("row 7 of 3")
        return "later"
    query = LiveQuery(bench.context, look, bench.window, pause=0.0)
    answers, failures = listen(query)
    query.ask()
    bench.wait(lambda: failures)
    assert failures == ["IndexError: row 7 of 3"] and not answers
    bench.runner.send(commands.Run())
    bench.pass_time(0.05)
    query.ask()
    bench.wait(lambda: answers)
    assert answers[-1] == ("later", True)


def test_an_answer_about_another_model_is_dropped(bench, tmp_path):
    """Another Model comes while the question is under way: what was found of the old one is not told, and the next question is answered."""
    begun, go_on = threading.Event(), threading.Event()
    def look(m, _d):
        begun.set()
        go_on.wait(20)
        return m.names["joint"][0]
    query = LiveQuery(bench.context, look, bench.window, pause=0.0)
    answers, failures = listen(query)
    query.ask()
    bench.wait(begun.is_set)
    before = bench.context.model
    (tmp_path / "other.xml").write_text(MODEL.format(name="other"))
    bench.session.open(tmp_path / "other.xml")
    go_on.set()
    bench.wait(lambda: bench.context.model is not before)
    query.ask(at_once=True)
    bench.wait(lambda: any(result == "other" for result, _ in answers))
    assert not failures and all(result == "other" or bench.context.model is before for result, _ in answers[1:])


def test_a_question_that_is_never_answered_is_asked_again(bench, monkeypatch):
    """Where the state cannot be computed nobody calls the function."""
    monkeypatch.setattr("app.panels.diagnostics.live_query.LOST", 0.2)
    query = LiveQuery(bench.context, lambda _m, d: d.time, bench.window, pause=0.0)
    answers, _failures = listen(query)
    with monkeypatch.context() as lossy:
        lossy.setattr(bench.runner, "send", lambda _command: None)
        query.ask()
        query.ask()
    bench.qtbot.wait(300)
    assert not answers and not query._late.isActive()
    query.ask()
    bench.wait(lambda: answers)


def test_forces_of_what_can_only_be_viewed_are_not_made_up(bench, monkeypatch):
    """Such a Model has positions only: what looks at forces says why it has none."""
    query = LiveQuery(bench.context, lambda _m, d: d.nefc, bench.window, pause=0.0, forces=True)
    answers, failures = listen(query)
    monkeypatch.setattr(bench.context.model, "view_only", True)
    query.ask()
    bench.wait(lambda: failures)
    assert failures == [VIEW_ONLY] and not answers
    monkeypatch.undo()
    query.ask()
    bench.wait(lambda: answers)
