"""Ordered commands all arrive in order; latest-wins ones only as the newest; nothing is lost under load."""
import threading

from physics.runtime.mailbox import Mailbox


def test_order_of_sending_is_kept():
    box = Mailbox()
    for k in range(5):
        box.send(k)
    assert box.drain() == [0, 1, 2, 3, 4]
    assert box.drain() == []


def test_only_the_newest_under_a_key_arrives_at_its_own_place():
    box = Mailbox()
    box.latest("slider", "a")
    box.latest("other", "x")
    box.send("reset")
    box.latest("slider", "b")
    box.latest("slider", "c")
    assert box.drain() == ["x", "reset", "c"]
    box.latest("slider", "d")
    assert box.drain() == ["d"]


def test_ordered_commands_are_no_slots_even_if_equal():
    box = Mailbox()
    box.send("step")
    box.send("step")
    assert box.drain() == ["step", "step"]


def test_nothing_is_lost_and_each_sender_stays_in_order_under_load():
    box, got, n, done = Mailbox(), [], 3000, threading.Event()

    def send(name):
        for k in range(n):
            box.send((name, k))
            box.latest(name, ("latest", name, k))

    def receive():
        while not (done.is_set() and not box._waiting):
            got.extend(box.drain())

    receiver = threading.Thread(target=receive)
    receiver.start()
    senders = [threading.Thread(target=send, args=(name,)) for name in "ab"]
    for s in senders:
        s.start()
    for s in senders:
        s.join()
    done.set()
    receiver.join(10)
    for name in "ab":
        assert [k for who, *rest in got if who == name for k in rest] == list(range(n))
        newest = [c[2] for c in got if c[:2] == ("latest", name)]
        assert newest == sorted(set(newest)) and newest[-1] == n - 1


def test_wait_returns_at_once_when_something_is_there():
    box = Mailbox()
    assert not box.wait(0)
    box.send(1)
    assert box.wait(10)
