"""Another machine's clock by ours, late and repeated messages."""
import pytest

from app.inputs.protocol.clock import OLDEST, PINGS, Clock, Order


def test_the_offset_is_that_of_the_fastest_exchange():
    """The sender's clock is 5 s behind; one exchange of several was fast, and alike both ways."""
    clock = Clock()
    for there, back in ((40, 2), (3, 3), (2, 90)):
        clock.exchange(1000.0, 6000.0 + there, 6001.0 + there, 1001.0 + there + back)
    assert clock.ours(1000.0) == pytest.approx(6.0) and clock.delay == pytest.approx(0.006)


def test_only_the_last_exchanges_count():
    clock = Clock()
    clock.exchange(0.0, 1001.0, 1001.0, 2.0)
    for _ in range(PINGS):
        clock.exchange(0.0, 3010.0, 3010.0, 20.0)
    assert clock.ours(0.0) == pytest.approx(3.0)


def test_an_exchange_that_cannot_be_is_left_out():
    clock = Clock()
    clock.exchange(0.0, 0.0, 500.0, 10.0)
    assert clock.delay is None


def test_without_exchanges_the_quickest_message_tells():
    clock = Clock()
    for t, delay in ((0.0, 0.03), (10.0, 0.01), (20.0, 0.2)):
        clock.message(t, 50.0 + 1e-3 * t + delay)
    assert clock.ours(20.0) == pytest.approx(50.03)
    for k in range(1000):      # its clock runs slow: what was quickest is forgotten at last
        clock.message(30.0 + k, 60.0 + 1e-3 * k)
    assert clock.ours(1029.0) == pytest.approx(60.999)


def test_repeated_and_late_messages_are_counted():
    order = Order()
    assert order.numbered(5) and not order.numbered(5) and not order.numbered(4) and order.numbered(6) and order.replayed == 2
    assert order.on_time(0.0, 10.0) and not order.on_time(0.0, 10.0 + 1.1 * OLDEST) and order.on_time(1000.0, 11.0 + 0.5 * OLDEST) and order.late == 1
    order.restart()
    assert order.numbered(0)
