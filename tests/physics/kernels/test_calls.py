"""What kernels do when called: arguments, memory, numbers, threads."""
import math
import sys
import threading
import time

import numpy as np
import pytest

from physics.kernels import decorators
from physics.model.data import Batch, Data

needs_code = pytest.mark.skipif(decorators.NOJIT, reason="about compiled code")


@pytest.mark.nojit
def test_kernel_reads_model_and_writes_data(sample, pair):
    m, d = pair
    sample.place(m, d)
    np.testing.assert_array_equal(d.xpos, 8.0 * m.body_pos)
    np.testing.assert_array_equal(d.xquat[:, 0], [0.75, 0.0, 0.25, 0.5])
    assert d.time == 0.5 and d.ncon == 3


def test_results_and_scalar_arguments(sample):
    assert sample.leaf(1.5) == 6.5


@pytest.mark.nojit
def test_plain_run_equals_compiled_run(sample, pair):
    m, d = pair
    e = d.copy()
    for k in (sample.place, sample.shift_by_alias, sample.rows, sample.widen):
        k(m, d)
        k.plain(m, e)
    for name in ("xpos", "xquat", "xmat", "cvel", "cinert", "eq_active", "contact_dim"):
        np.testing.assert_array_equal(getattr(d, name), getattr(e, name), err_msg=name)
    assert (d.ncon, d.ne, d.time) == (e.ncon, e.ne, e.time)
    assert sample.vectors(m, d) == sample.vectors.plain(m, d)
    assert sample.total(m, d) == sample.total.plain(m, d)


@pytest.mark.nojit
def test_small_integers_widen(sample, pair):
    m, d = pair
    m.body_parentid[0] = 2_000_000_001
    m.jnt_limited[0] = True
    m.body_sameframe[0] = 255
    sample.widen(m, d)
    assert d.ncon == 2_000_000_001_000
    assert d.ne == 256
    assert d.eq_active[0] and d.eq_active.view(np.uint8)[0] == 1
    assert d.contact_dim[0] == 1_000_000_000


@pytest.mark.nojit
def test_four_wide_primitives(sample, pair):
    m, d = pair
    assert sample.vectors(m, d) == 3.5 * (1 + 2 + 3 + 4) + 3.5 * 2
    assert sample.total(m, d) == 45.0


@pytest.mark.nojit
def test_fours_turn_over_and_take_operators(sample, pair):
    m, d = pair
    d.qpos[:4] = (1.0, 2.0, 5.0, -3.0)
    sample.turned_fours(m, d)
    a = d.qpos[:4]
    b = a[::-1]
    assert np.array_equal(d.xmat.ravel()[:16].reshape(4, 4), np.array([a, b, a * b - b, a + 1.0]).T)


@pytest.mark.nojit
def test_fours_are_compared(sample, pair):
    m, d = pair
    d.qpos[:8] = (1.0, 2.0, 5.0, -3.0, 1.0, 1.0, 6.0, -3.5)
    assert sample.places_below(m, d) == 0b0101
    d.qpos[:8] = (np.nan, 2.0, -np.inf, -3.0, 1.0, np.nan, np.inf, 1e300)
    assert sample.places_below(m, d) == 0b1100


@pytest.mark.nojit
def test_aliased_pointers_see_each_others_stores(sample, pair):
    m, d = pair
    d.xpos[0] = [1, 1, 1]
    sample.shift_by_alias(m, d)
    np.testing.assert_array_equal(d.xpos, [[1, 1, 1], [3, 2, 2], [7, 4, 4], [15, 8, 8]])


def test_writable_model_and_conversion_to_read_only(sample, pair):
    m, d = pair
    sample.set_mass(m, d)
    assert m.body_mass[1] == 2.5 and m.stat.extent == 4.0 and d.xpos[3, 2] == 88.0


def test_nan_is_noticed_under_the_flags_in_use(sample):
    for k in (sample.nan_bits, sample.nan_bits_reassoc):
        assert k(math.nan) == 7
        assert k(math.inf) == 4
        assert k(1.0) == 0


def test_sum_with_nan_is_nan(sample, pair):
    m, d = pair
    d.qpos[5] = math.nan
    assert math.isnan(sample.total(m, d))


@needs_code
def test_division_by_zero_gives_infinity(sample, pair):
    m, d = pair
    assert sample.divide_by_zero(m, d) == math.inf


@needs_code
def test_negative_index_reads_what_lies_before_a_pointer(sample, pair):
    m, d = pair
    assert sample.before(m, d, -1) == d.qpos[3]
    assert sample.before(m, d, -4) == d.qpos[0]


def test_interpreter_refuses_indices_out_of_range(sample, pair):
    m, d = pair
    with pytest.raises(IndexError, match="negative"):
        sample.element.plain(m, d, -1)
    with pytest.raises(IndexError):
        sample.element.plain(m, d, 9)


def test_interpreter_refuses_unknown_fields_and_rebinding(sample, pair):
    from physics.kernels.guard import checked

    m, d = map(checked, pair)
    with pytest.raises(AttributeError, match="no field nowhere"):
        d.nowhere  # noqa: B018
    with pytest.raises(AttributeError, match="cannot be set"):
        d.qpos = 1.0


@needs_code
def test_call_from_python_is_cheap(sample, pair):
    m, d = pair
    n = 2000
    best = math.inf
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(n):
            sample.element(m, d, 0)
        best = min(best, (time.perf_counter() - start) / n)
    assert best < 20e-6  # about 0.5 us on an idle machine; a dispatcher that unpacks fields takes over 100 us


@needs_code
def test_other_threads_run_while_a_kernel_runs(sample, pair):
    m, d = pair
    ticks = 0
    worker = threading.Thread(target=sample.count_to, args=(m, d, 100_000_000))
    worker.start()
    while worker.is_alive():
        ticks += 1
    worker.join()
    assert d.nefc > 0
    assert ticks > 100  # with the interpreter lock held it would be at most a few


@needs_code
def test_a_brief_call_keeps_the_lock(sample, pair, request):
    m, d = pair
    request.addfinalizer(lambda interval=sys.getswitchinterval(): sys.setswitchinterval(interval))
    sys.setswitchinterval(5.0)
    ticks, end, passed = [], threading.Event(), []

    def tick():
        while not end.wait(0.001):
            ticks.append(0)

    worker = threading.Thread(target=tick)
    worker.start()
    for call in (sample.count_to, sample.count_to.briefly):
        before = len(ticks)
        found = call(m, d, 60_000_000)
        passed.append(len(ticks) - before)
    end.set()
    worker.join()
    assert passed[0] > 5 and passed[1] <= 1 and found == d.nefc


@pytest.mark.nojit
def test_batch_runs_over_many_data_from_threads(sample, pair):
    m, _d = pair
    batch = Batch(Data(m) for _ in range(64))
    parts = [threading.Thread(target=sample.tick, args=(batch, k, k + 16)) for k in range(0, 64, 16)]
    for t in parts:
        t.start()
    for t in parts:
        t.join()
    assert [d.time for d in batch.items] == list(range(64))
    assert [d.qpos[0] for d in batch.items] == list(range(64))


@pytest.mark.nojit
def test_callback_runs_in_the_middle_of_a_kernel(sample, pair):
    m, d = pair
    seen = []
    d.set_callback("cb_passive", lambda model, data: seen.append((model is m, data is d, data.ne, data.nf)))
    sample.with_callback(m, d)
    sample.with_callback(m, d)
    assert seen == [(True, True, 1, 0), (True, True, 2, 1)]
    d.set_callback("cb_passive", None)
    sample.with_callback(m, d)
    assert len(seen) == 2 and d.nf == 3


@pytest.mark.nojit
def test_exception_in_a_callback_is_raised_after_the_call(sample, pair):
    m, d = pair

    def fail(model, data):
        raise ValueError(f"number {data.ne}")

    d.set_callback("cb_passive", fail)
    sample.with_callback(m, d)
    sample.with_callback(m, d)
    assert d.nf == 2 and d.cb_error == 1
    with pytest.raises(ValueError, match="number 1"):
        d.raise_callback_error()
    assert d.cb_error == 0
    d.raise_callback_error()


@needs_code
def test_kernel_that_is_not_compiled_says_what_to_do():
    def fresh(m, d):
        d.time = 1.0

    k = decorators.Kernel(fresh, "m d", "", decorators.CONTRACT)
    del decorators.KERNELS[k.symbol]
    with pytest.raises(RuntimeError, match="compile_kernels"):
        k(1, 2)


def test_unbound_kernel_can_run_under_the_interpreter(pair):
    def fresh(m, d):
        d.time = 1.0

    k = decorators.Kernel(fresh, "m d", "", decorators.CONTRACT)
    del decorators.KERNELS[k.symbol]
    k.plain(*pair)
    assert pair[1].time == 1.0
