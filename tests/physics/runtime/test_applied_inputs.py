"""What acts from outside, by entry of the history."""
from types import SimpleNamespace

import numpy as np

from physics.runtime.applied_inputs import AppliedInputs


def data():
    return SimpleNamespace(qfrc_applied=np.zeros(3), xfrc_applied=np.zeros((2, 6)), eq_active=np.array([True, False]), userdata=np.zeros(0))


def test_each_entry_has_its_own_again():
    d, inputs = data(), AppliedInputs()
    inputs.follow(d, 10)
    for number in range(11, 31):
        if number == 20:
            d.qfrc_applied[1] = 5
            d.eq_active[0] = False
        inputs.note(number)
    inputs.put(19)
    assert not d.qfrc_applied.any() and d.eq_active.tolist() == [True, False]
    inputs.put(30)
    assert d.qfrc_applied.tolist() == [0, 5, 0] and d.eq_active.tolist() == [False, False]
    d.qfrc_applied[:] = 7
    inputs.put(9)       # of an earlier Model
    assert (d.qfrc_applied == 7).all()


def test_an_entry_changed_by_hand_leaves_the_later_ones():
    d, inputs = data(), AppliedInputs()
    inputs.follow(d, 0)
    for number in range(1, 6):
        d.xfrc_applied[1, 0] = number // 3
        inputs.note(number)
    d.xfrc_applied[1, 0] = 9
    inputs.amend(1)
    found = []
    for number in range(6):
        inputs.put(number)
        found.append(d.xfrc_applied[1, 0])
    assert found == [0, 9, 0, 1, 1, 1]
    inputs.cut(2)
    inputs.put(5)
    assert d.xfrc_applied[1, 0] == 9


def test_the_oldest_go_where_the_budget_is_reached():
    d, inputs = data(), AppliedInputs(nbytes=100 * (3 + 12) * 8)
    inputs.follow(d, 0)
    for number in range(1, 1000):
        d.qfrc_applied[0] = number
        inputs.note(number)
    inputs.put(999)
    assert d.qfrc_applied[0] == 999
    inputs.put(960)
    assert d.qfrc_applied[0] == 960
    d.qfrc_applied[0] = -1
    inputs.put(3)       # not known any more
    assert d.qfrc_applied[0] == -1
