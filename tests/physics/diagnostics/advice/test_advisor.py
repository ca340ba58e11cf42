"""What an Advisor tells over time: not at once, not in turns, and what was dismissed not at all."""
import threading
import time
from dataclasses import replace

import numpy as np

import physics
from physics.diagnostics.advice import measurement
from physics.diagnostics.advice.advisor import FEWEST, Advisor, advise
from physics.diagnostics.advice.measurement import PairCost
from physics.diagnostics.advice.sample import take_sample
from physics.diagnostics.advice.thread import AdviceThread
from tests.oracle.corpus import entry
from tests.physics.diagnostics.advice.runs import advisor_of

TWO = """<mujoco><worldbody><body><joint name="a" axis="0 1 0" damping="1"/><joint name="b" axis="0 0 1" damping="1"/><geom size=".1"/></body></worldbody>
  <actuator><motor name="one" joint="a" ctrlrange="-1 1"/><motor name="two" joint="b" ctrlrange="-1 1"/></actuator></mujoco>"""


def driven(one=0.0, two=0.0):
    def drive(_m, d, _k):
        d.ctrl[:] = one, two
    return drive


def test_nothing_is_told_of_a_few_samples():
    assert advisor_of(TWO, samples=FEWEST - 1, drive=driven(2)).find() == ()
    assert advisor_of(TWO, samples=FEWEST, drive=driven(2)).find() != ()


def test_several_things_of_one_kind_are_one_row_with_all_their_elements():
    found, = advisor_of(TWO, drive=driven(2, 3)).find()
    assert {what.name for what in found.elements} == {"one", "two"} and "Likewise: actuator 'two'" in found.text and len(found.keys) == 2
    assert "What to try" in str(found) and "100 % of the time" in str(found)


def test_what_is_dismissed_is_not_told_and_the_others_of_its_kind_are():
    advisor = advisor_of(TWO, drive=driven(2))
    found, = advisor.find()
    advisor.dismiss(found)
    assert advisor.find() == ()
    for sample in list(advisor.samples):
        advisor.add(replace(sample, time=sample.time + 10, ctrl=np.array([2.0, 2.0])))
    found, = advisor.find()
    assert [what.name for what in found.elements] == ["two"]


def test_what_is_told_stays_until_it_is_clearly_over():
    """On from half of the samples, off below 0.3 of them."""
    advisor = advisor_of(TWO, drive=driven(2))
    calm, beyond = (replace(advisor.samples[-1], ctrl=np.array([x, 0.0])) for x in (0.0, 2.0))
    told, now = [], 100.0
    for sample in [calm] * 16 + [beyond] * 7 + [beyond] * 3 + [calm] * 10 + [calm] * 3:
        now += 1
        advisor.add(replace(sample, time=now))
        told.append(bool(advisor.find()))
    assert not any(told[15:22]) and all(told[23:36]) and not told[-1]


def test_a_reset_begins_a_new_window():
    advisor = advisor_of(TWO, drive=driven(2))
    assert advisor.find()
    assert advisor.add(replace(advisor.samples[-1], time=0.0)) and len(advisor.samples) == 1 and advisor.find() == ()
    assert not advisor.add(advisor.samples[-1])     # no time has passed


def test_advise_leaves_the_data_as_it_is():
    m = physics.load_string(TWO)
    physics.ensure_kernels()
    d = physics.Data(m)
    d.ctrl[:] = 2, 0
    found = advise(m, d, seconds=0.5)
    assert [one.kind for one in found] == ["ctrl_limit"] and d.time == 0


def test_a_sample_costs_less_than_a_millisecond():
    m = physics.load(str(entry("22_humanoids").path))
    physics.ensure_kernels()
    d = physics.Data(m)
    physics.step(m, d, 200)
    costs = []
    for _ in range(30):
        begun = time.thread_time()
        take_sample(m, d)
        costs.append(time.thread_time() - begun)
    assert min(costs) < 1e-3


def test_a_measurement_agrees_with_the_step_and_leaves_the_model_alone():
    m = physics.load_string(TWO)
    physics.ensure_kernels()
    d = physics.Data(m)
    physics.step(m, d, 10)
    before = d.qpos.copy()
    advisor = Advisor(m)
    advisor.add(take_sample(m, d))
    found = advisor.measure()
    assert found.total > 0 and set(found.stages) >= {"kinematics", "collision", "solve"} and np.array_equal(d.qpos, before)
    m.opt_timestep = 0.25     # what is set in the running model counts in the next measurement
    advisor.measure()
    assert advisor.measurer._m.opt_timestep == 0.25


def test_the_thread_tells_what_the_advisor_finds_and_rests():
    advisor = advisor_of(TWO, drive=driven(2))
    told = []
    thread = AdviceThread(told.append)
    for sample in advisor.samples:
        thread.add(advisor.model, sample, set())
        time.sleep(0.02)
    time.sleep(0.3)
    thread.stop()
    assert told and [one.kind for one in told[-1].advice] == ["ctrl_limit"] and told[-1].model is advisor.model and not told[-1].why


def test_the_thread_ends_within_a_measurement(monkeypatch):
    m = physics.load(str(entry("22_humanoids").path))
    physics.ensure_kernels()
    d = physics.Data(m)
    physics.step(m, d, 20)
    begun = threading.Event()

    def slow(*_arguments):
        begun.set()
        time.sleep(0.1)
        return PairCost(0, 1, 1e-6, 0)

    monkeypatch.setattr(measurement, "_time_pair", slow)
    monkeypatch.setattr("physics.diagnostics.advice.thread.FIRST", 0.0)
    thread = AdviceThread(lambda _told: None)
    thread.add(m, take_sample(m, d), set())
    assert begun.wait(10)
    asked = time.monotonic()
    thread.stop(5.0)
    assert not thread._thread.is_alive() and time.monotonic() - asked < 0.5


def test_a_rule_that_fails_ends_advice_and_says_why():
    advisor = advisor_of(TWO, drive=driven(2))
    told = []
    thread = AdviceThread(told.append)
    for k in range(8):
        thread.add(advisor.model, replace(advisor.samples[0], time=float(k), ctrl=None), set())
        time.sleep(0.05)
    thread.stop()
    assert [bool(one.why) for one in told].count(True) == 1
