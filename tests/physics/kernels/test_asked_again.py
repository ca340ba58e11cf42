"""Kernels that are there are not looked through again, unless something has changed that they are made of."""
import pytest

import physics
from physics.kernels import decorators, load
from tests.physics.kernels.test_staleness import built, original  # noqa: F401 (fixtures)


def test_the_second_time_no_digest_is_made(monkeypatch, sample):
    physics.ensure_kernels()
    first = load.ensure([sample.__name__])

    def made(*_parts):
        raise AssertionError("a digest was made")

    monkeypatch.setattr(decorators, "_sha", made)
    assert load.ensure([sample.__name__]) == {**first, "compiled": 0, "compile_s": 0.0, "load_s": 0.0}
    assert physics.ensure_kernels()["compiled"] == 0
    with pytest.raises(AssertionError, match="a digest"):
        decorators.keys(list(decorators.KERNELS)[:1])


CHANGES = """
import leaves, work as w
found = []

def again():
    try:
        found.append(load.ensure(['work'])['compiled'])
    except RuntimeError as error:       # the file has another text than what runs: not stored under its key
        found.append('start again' in str(error))

again()
for module in w, leaves:
    module.FACTOR = 6.0
    again()
    module.FACTOR = 5.0
    again()
code = w.inner.__code__
w.inner.__code__ = w.leaf.fn.__code__
again()
w.inner.__code__ = code
again()
w.leaf.key = None
again()
print(json.dumps([*found, w.leaf(1.0), w.leaf.key is not None]))
"""


def test_what_has_changed_in_a_running_process_is_noticed(built):      # noqa: F811
    assert built.run(CHANGES) == [0, True, 0, True, 0, True, 0, 0, 11.0, True]
